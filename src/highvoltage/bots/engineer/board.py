"""How the engineer plays the board games."""

from random import Random

from highvoltage.bots.clerk.board import BoardClerk
from highvoltage.bots.clerk.figures import BoardFigures
from highvoltage.bots.clerk.temper import EVEN, Temper
from highvoltage.bots.engineer.auction import bid_or_nominate, limit_of
from highvoltage.bots.engineer.forecast import ASSUMPTIONS, Assumptions, ForecastCache
from highvoltage.bots.engineer.plan import BoardPlan
from highvoltage.bots.protocol import Choice, Reason
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Scrap
from highvoltage.views import BoardView

MAX_BID_SHADING = 0.12  # the most it lowers its limit by against a single rival


class BoardEngineer(BoardClerk):
    """Plays like a clerk that knows how long the game will last."""

    def __init__(
        self, rng: Random, assumptions: Assumptions = ASSUMPTIONS, temper: Temper = EVEN
    ) -> None:
        super().__init__(rng, temper)
        self.assumptions = assumptions
        self._cache: ForecastCache = ForecastCache(assumptions)
        self._sale: tuple[object, ...] = ()
        self._drawn = 0.0

    def _figures(self, view: BoardView) -> BoardPlan:
        return BoardPlan(view, self._cache)

    def _auction(self, figures: BoardFigures, legal: Moves) -> Choice:
        if isinstance(legal[0], Scrap):
            return self._scrap(figures, legal)
        assert isinstance(figures, BoardPlan)
        view = figures.view
        card, offers = view["auction"]["card"], figures.offers()
        if len(view["players"]) > 2:
            return bid_or_nominate(card, offers, legal, figures.rivals())
        doubt = self._doubt(view["round"], card, figures.me["seat"])
        return bid_or_nominate(card, offers, legal, figures.rivals(), alone=True, doubt=doubt)

    def limit(self, view: BoardView, legal: Moves) -> int:
        """How far it would bid; 0 if a card is worth no more to it than has been bid."""
        plan = self._figures(view)
        if len(view["players"]) > 2 and plan.worth_for_sale() < legal.spans[-1].lowest.bid:
            return 0  # whatever the others would pay
        return limit_of(self._auction(plan, legal))

    def _doubt(self, *sale: object) -> float:
        """How far to lower its limit, drawn for each sale so that a rival cannot predict it."""
        if sale != self._sale:
            self._sale, self._drawn = sale, self._rng.random()
        return MAX_BID_SHADING * self._drawn

    def _store(self, figures: BoardFigures, legal: Moves) -> Choice:
        """Fuel that would be sold out by the next round, then what is cheap."""
        assert isinstance(figures, BoardPlan)
        if not figures.may_be_last_round:
            for fuel, room in figures.me["room"].items():
                if (
                    room
                    and (move := figures.purchase(fuel, figures.tokens_to_store(fuel))) in legal
                ):
                    return Choice(move, Reason("fuel_scarce", {"fuel": fuel}))
        return super()._store(figures, legal)

    def _why_build(self, figures: BoardFigures, supply: int, cost: int) -> str:
        assert isinstance(figures, BoardPlan)
        code = super()._why_build(figures, supply, cost)
        if code == "not_ahead" and figures.cities < supply and figures.rival_ends_game:
            return "city"
        return code

    def expected_score(self, view: BoardView) -> float:
        """The cities that the viewer will supply at the end, plus money as fractions of a city."""
        return self._figures(view).baseline / self.assumptions.last
