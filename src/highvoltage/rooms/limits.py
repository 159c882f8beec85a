"""How much one person may use of the tables."""

from msgspec import Struct


class RoomLimits(Struct):
    """For one identity, or for all that come from one address: identities cost nothing."""

    chat_per_minute: float = 60
    tables: int = 50  # open or running, made by one identity
    tables_of_address: int = 100
    public_tables: int = 5  # of those, in the list for everybody
    public_tables_of_address: int = 10
    imports: int = 200
    imports_of_address: int = 400
    analyses: int = 1  # of finished games at a time, for one identity
    analyses_of_address: int = 4
    judged_games: int = 6_000  # in an hour, by bots on the maps of one address
    watchers: int = 100  # of one table, besides its players
    library_maps: int = 20  # published by one identity
    library_maps_of_address: int = 50
    own_bytes: int = 100_000  # of a custom map or custom card faces
