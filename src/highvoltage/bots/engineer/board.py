"""The engineer's way to play the board games."""

from random import Random

from highvoltage.bots.clerk.board import BoardClerk
from highvoltage.bots.clerk.figures import BoardFigures
from highvoltage.bots.engineer.auction import bid_or_nominate, limit_of
from highvoltage.bots.engineer.forecast import ASSUMPTIONS, Assumptions, ForecastCache
from highvoltage.bots.engineer.plan import BoardPlan
from highvoltage.bots.protocol import Choice, Reason
from highvoltage.engine.moves import Moves, Scrap
from highvoltage.views import BoardView

MAX_BID_SHADING = 0.12  # the most by which it stays below its limit against an only rival


class BoardEngineer(BoardClerk):
    """Plays like a clerk who knows how long the game will last."""

    def __init__(self, rng: Random, habits: Assumptions = ASSUMPTIONS) -> None:
        super().__init__(rng)
        self.assumptions = habits
        self._notes: ForecastCache = ForecastCache(habits)
        self._sale: tuple[object, ...] = ()
        self._drawn = 0.0

    def _desk(self, view: BoardView) -> BoardPlan:
        return BoardPlan(view, self._notes)

    def _auction(self, desk: BoardFigures, legal: Moves) -> Choice:
        if isinstance(legal[0], Scrap):
            return self._scrap(desk, legal)
        assert isinstance(desk, BoardPlan)
        view = desk.view
        card, offers = view["auction"]["card"], desk.offers()
        if len(view["players"]) > 2:
            return bid_or_nominate(card, offers, legal, desk.rivals())
        doubt = self._doubt(view["round"], card, desk.me["seat"])
        return bid_or_nominate(card, offers, legal, desk.rivals(), alone=True, doubt=doubt)

    def limit(self, view: BoardView, legal: Moves) -> int:
        """How far it would bid; 0 if a card is worth no more to it than has been bid."""
        plan = self._desk(view)
        if len(view["players"]) > 2 and plan.worth_on_hammer() < legal.spans[-1].lowest.bid:
            return 0  # whatever the others would pay
        return limit_of(self._auction(plan, legal))

    def _doubt(self, *sale: object) -> float:
        """How far it mistrusts its own figures, drawn for each sale: nobody knows its limit."""
        if sale != self._sale:
            self._sale, self._drawn = sale, self._rng.random()
        return MAX_BID_SHADING * self._drawn

    def _store(self, desk: BoardFigures, legal: Moves) -> Choice:
        """Fuel that would be sold out by the next round, then what is cheap."""
        assert isinstance(desk, BoardPlan)
        if not desk.may_be_last_round:
            for fuel, room in desk.me["room"].items():
                if room and (move := desk.purchase(fuel, desk.tokens_to_store(fuel))) in legal:
                    return Choice(move, Reason("fuel_scarce", {"fuel": fuel}))
        return super()._store(desk, legal)

    def _why_build(self, desk: BoardFigures, supply: int, cost: int) -> str:
        assert isinstance(desk, BoardPlan)
        code = super()._why_build(desk, supply, cost)
        if code == "not_ahead" and desk.cities < supply and desk.rival_ends_game:
            return "city"
        return code

    def expected_score(self, view: BoardView) -> float:
        """The cities that the viewer comes to supply, and money as parts of a city."""
        return self._desk(view).baseline / self.assumptions.last
