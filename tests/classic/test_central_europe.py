"""The board of Central Europe, connection by connection."""

import pytest

from highvoltage.engine.parts.board import load_map

CONNECTIONS = """
banska_bystrica: budapest 12, miskolc 11, poprad 11, trnava 10, zilina 6
bialystok: gdansk 20, lublin 15, warszawa 14
bratislava: brno 10, gyor 6, trnava 2, wien 3
brno: ceske_budejovice 15, hradec_kralove 9, ostrava 12, praha 13, trnava 10, wien 8, zilina 14
budapest: gyor 5, kecskemet 6, miskolc 9, pecs 12, trnava 9
bydgoszcz: gdansk 8, lodz 12, poznan 7, szczecin 15, warszawa 15
ceske_budejovice: linz 8, plzen 11, praha 10, wien 14
czestochowa: krakow 6, lodz 7, lublin 17, sosnowiec 4, wroclaw 9
gdansk: gdynia 0
gdynia: szczecin 17
graz: gyor 14, klagenfurt 10, linz 16, pecs 19, salzburg 22, wien 12
gyor: pecs 15, trnava 5, wien 8
hradec_kralove: ostrava 16, praha 8, usti_nad_labem 10, wroclaw 10
innsbruck: salzburg 15, villach 22
katowice: ostrava 4, sosnowiec 0
kecskemet: miskolc 10, pecs 11, szeged 5
klagenfurt: salzburg 20, villach 4
kosice: miskolc 4, nyiregyhaza 8, poprad 6, presov 2
krakow: lublin 16, ostrava 7, poprad 11, presov 13, sosnowiec 4, zilina 12
linz: salzburg 9, wien 11
lodz: lublin 16, poznan 13, warszawa 7, wroclaw 12
lublin: presov 20, warszawa 10
miskolc: nyiregyhaza 7, poprad 9
nyiregyhaza: szeged 16
ostrava: wroclaw 11, zilina 7
pecs: szeged 12
plzen: praha 7, usti_nad_labem 9
poprad: presov 7, zilina 11
poznan: szczecin 14, wroclaw 9
praha: usti_nad_labem 6
szczecin: wroclaw 22
trnava: zilina 10
usti_nad_labem: wroclaw 17
"""


@pytest.mark.rule("C-12.3")
def test_every_connection_costs_what_the_board_says() -> None:
    """Each is written once, under the city that comes first in the alphabet."""
    written = {}
    for line in CONNECTIONS.strip().splitlines():
        city, _, others = line.partition(": ")
        for other in others.split(", "):
            name, cost = other.split()
            written[city, name] = int(cost)
    board = load_map("central_europe")
    found = {(min(link.a, link.b), max(link.a, link.b)): link.cost for link in board.connections}
    assert found == written
    assert len(board.connections) == len(written)
