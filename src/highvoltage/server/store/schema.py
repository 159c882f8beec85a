"""The tables of the store. A change here needs a migration in `migrations/versions`."""

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    text,
)

metadata: MetaData = MetaData()


def _of_game() -> Column[str]:
    return Column("game", Text, ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)


games: Table = Table(
    "games",
    metadata,
    Column("id", Text, primary_key=True),
    Column("status", Text, nullable=False),  # open, running, failed, finished, broken
    Column("rulebook", Text, nullable=False),
    Column("setup", Text, nullable=False),  # JSON: what the table was made with
    Column("listed", Text),  # the same for lists, if a custom map or cards make it long
    Column("seed", Text, nullable=False),  # secret: the hidden rest of the deck
    Column("public", Boolean, nullable=False),
    Column("host", Text, nullable=False),
    Column("created", Double, nullable=False),
    Column("started", Double),
    Column("opening", Text),  # JSON: the record before the first move
    Column("turn", Integer),  # the seat to move
    Column("due", Double),  # when a bot or the clock has to act at the latest
    Column("moves", Integer, nullable=False, default=0),
    Column("record", Text),  # JSON: of a finished or imported game
    Column("rematch", Text),
    Column("origin", Text, nullable=False),  # a hash of the network it was made from
    Column("told", Text, nullable=False),  # the event for which a webhook was last called
    Column("library", Text),  # the map of the library that it is played on
    Index("games_due", "due"),
    Index("games_origin", "origin", "status"),
    Index("games_host", "host", "status"),
    Index("games_public", "public", "status"),
)

seats: Table = Table(
    "seats",
    metadata,
    _of_game(),
    Column("seat", Integer, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("owner", Text),
    Column("bot", Text),
    Column("key", Text),  # the hash of the secret that hands the seat over
    Column("left_by", Text),  # who played here until a bot took over for good
    Column("origin", Text, nullable=False),  # a hash of the network its owner took it from
    Column("would_end", Boolean, nullable=False),  # the owner agrees to end the game unfinished
    Index("seats_owner", "owner"),
)

entries: Table = Table(
    "entries",
    metadata,
    _of_game(),
    Column("seq", Integer, primary_key=True),  # the second writer of a `seq` fails
    Column("seat", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("at", Double, nullable=False),
    Column("by", Text, nullable=False),
    Column("turned", Text, nullable=False),
    Column("top", Text, nullable=False),
    Column("write", Text),  # the mark of the write that a client asked for, on its first entry
)

max_bids: Table = Table(
    "wishes",  # the name of the first databases
    metadata,
    _of_game(),
    Column("seat", Integer, primary_key=True),
    Column("card", Integer, primary_key=True),
    Column("round", Integer, nullable=False),
    Column("limit", Integer, nullable=False),
)

chat: Table = Table(
    "chat",
    metadata,
    _of_game(),
    Column("n", Integer, primary_key=True),
    Column("seat", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("at", Double, nullable=False),
    Column("who", Text),  # the identity that wrote it; unknown in old lines of spectators
    Column("origin", Text, nullable=False),  # a hash of the network it was written from
    Index("chat_who", "who"),
)

analyses: Table = Table(
    "analyses",
    metadata,
    _of_game(),
    Column("at", Double, nullable=False),  # its last progress
    Column("done", Double, nullable=False),  # the share of the work
    Column("found", Text),  # JSON: the results so far
)

_RATED: dict[str, Any] = dict.fromkeys(
    ("sqlite_where", "postgresql_where"), text("rated_as IS NOT NULL")
)
_PLAYED: dict[str, Any] = dict.fromkeys(
    ("sqlite_where", "postgresql_where"), text("who IS NOT NULL")
)
_SHOWN: dict[str, Any] = {"sqlite_where": text("shown = 1"), "postgresql_where": text("shown")}
_CHOSEN = ("rulebook", "board", "players", "bot", "rated_as")
results: Table = Table(
    "results",  # of finished games, a row for each seat
    metadata,
    _of_game(),
    Column("seat", Integer, primary_key=True),
    Column("who", Text),  # the identity of the player; empty for bots and deleted people
    Column("bot", Text),
    Column("left", Boolean, nullable=False),  # before the end; a bot played on
    Column("extra_seat", Boolean, nullable=False),  # the same person has a lower seat as well
    Column("place", Integer, nullable=False),  # from 1; those who tie have the same
    Column("rulebook", Text, nullable=False),
    Column("board", Text, nullable=False),
    Column("players", Integer, nullable=False),
    Column("plant", Text, nullable=False),  # the first one bought
    Column("city", Text, nullable=False),  # the first one built in
    Column("at", Double, nullable=False),  # the end of the game
    Column("seconds", Double, nullable=False),  # from the deal to the end
    Column("words", Text, nullable=False),  # title and names, casefolded, to search in
    Column("rated_as", Text),  # who it counts for, as long as others are rated by it; or a bot
    Column("mu", Double),  # the rating after this game, and its standard deviation
    Column("sigma", Double),
    Column("shown", Boolean, nullable=False),  # of each game of a public table its first winner
    Column("rounds", Text),  # JSON: income and cities by round
    Column("margin", Integer),  # to the best of the others, by what counts first, and then second
    Column("tie_margin", Integer),
    Index("results_who", "who", "at", "game", "extra_seat", "words", **_PLAYED),
    Index(
        "results_margin",
        "who",
        "extra_seat",
        "rulebook",
        "players",
        "margin",
        "tie_margin",
        "place",
        "game",
    ),
    Index(
        "results_played",  # with all that a profile counts, so that it reads nothing else
        "who",
        "extra_seat",
        "rulebook",
        "board",
        "players",
        "plant",
        "city",
        "place",
        "game",
    ),
    Index("results_rated", "rulebook", "at", "game", **_RATED),
    Index("results_rated_as", "rated_as", "rulebook", "at", "game", "mu", **_RATED),
    # with all that they are chosen by, so that others are not read
    Index("results_shown", "at", "game", *_CHOSEN[:3], "plant", "city", *_CHOSEN[3:], **_SHOWN),
    Index("results_shown_plant", "plant", "at", "game", *_CHOSEN, "city", **_SHOWN),
    Index("results_shown_city", "city", "at", "game", *_CHOSEN, "plant", **_SHOWN),
)

ratings: Table = Table(
    "ratings",  # the latest of each player
    metadata,
    Column("rulebook", Text, primary_key=True),
    Column("player", Text, primary_key=True),  # as in `results.rated_as`
    Column("who", Text),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Index("ratings_who", "who"),
    Index("ratings_mu", "rulebook", "mu"),
)

unrated: Table = Table(
    "unrated",  # the first game from which on ratings are to be made, or made again
    metadata,
    Column("rulebook", Text, primary_key=True),
    Column("at", Double, nullable=False),
    Column("from_game", Text, nullable=False),
)

uncounted: Table = Table(
    "uncounted",  # finished games whose results are to be made, or made again
    metadata,
    _of_game(),
)

accounts: Table = Table(
    "accounts",
    metadata,
    Column("login", Text, primary_key=True),
    Column("who", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("password", Text, nullable=False),  # argon2; empty: it has only passkeys
)

passkeys: Table = Table(
    "passkeys",
    metadata,
    Column("id", Text, primary_key=True),  # of the credential, in base64url
    Column("who", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("key", Text, nullable=False),  # its public key, in base64url
    Column("signs", BigInteger, nullable=False),  # how often it was used, if it counts that
    Column("made", Double, nullable=False),
    Column("used", Double),
    Index("passkeys_who", "who"),
)

profiles: Table = Table(
    "profiles",
    metadata,
    Column("who", Text, primary_key=True),
    Column("handle", Text, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("key", Text, nullable=False, unique=True),  # the same for handles that look alike
)

solved_puzzles: Table = Table(
    "solved_puzzles",
    metadata,
    Column("who", Text, primary_key=True),
    Column("puzzle", Text, primary_key=True),
    Column("day", Integer, primary_key=True),  # in UTC, since 1970
    Column("daily", Boolean, nullable=False),  # it was the puzzle of that day
)

logins: Table = Table(
    "logins",
    metadata,
    Column("id", Text, primary_key=True),  # the hash of the login id in the cookie
    Column("who", Text, nullable=False),
    Column("at", Double, nullable=False),
    Column("origin", Text, nullable=False),  # a hash of the network
    Index("logins_who", "who"),
)

bans: Table = Table(
    "bans",
    metadata,
    _of_game(),
    Column("who", Text, primary_key=True),  # may not take a seat here again
)

reports: Table = Table(
    "reports",
    metadata,
    _of_game(),
    Column("n", Integer, primary_key=True),  # the line of the chat
    Column("by", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("at", Double, nullable=False),
    Column("author", Text),  # the identity that wrote the line
)

outcasts: Table = Table(
    "outcasts",
    metadata,
    Column("who", Text, primary_key=True),  # may only watch
    Column("at", Double, nullable=False),
    Column("until", Double),  # empty: until pardoned
    Column("address", Boolean, nullable=False),  # and so may others from the same networks
    Column("reason", Text, nullable=False),
)

banned_origins: Table = Table(
    "banned_origins",
    metadata,
    Column("who", Text, primary_key=True),  # on whose account
    Column("origin", Text, primary_key=True),  # a hash of the network
)

library: Table = Table(
    "library",
    metadata,
    Column("id", Text, primary_key=True),
    Column("who", Text, nullable=False),  # the identity that published it
    Column("origin", Text, nullable=False),  # a hash of the network it was published from
    Column("author", Text, nullable=False),  # the name of that person then
    Column("name", Text, nullable=False),
    Column("licence", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("at", Double, nullable=False),  # when this version was published
    Column("map", Text, nullable=False),  # JSON: the map file
    Column("picture", Text, nullable=False),  # JSON: its thumbnail
    Column("words", Text, nullable=False),  # by which it is found
    Column("cities", Integer, nullable=False),
    Column("regions", Integer, nullable=False),
    Column("ruled", Boolean, nullable=False),  # it has special rules
    Column("played", Integer, nullable=False),  # games to the end
    Index("library_who", "who"),
    Index("library_origin", "origin"),
)


def _of_map() -> Column[str]:
    return Column("map", Text, ForeignKey("library.id", ondelete="CASCADE"), primary_key=True)


likes: Table = Table(
    "likes",
    metadata,
    _of_map(),
    Column("who", Text, primary_key=True),
    Column("at", Double, nullable=False),
)

map_reports: Table = Table(
    "map_reports",
    metadata,
    _of_map(),
    Column("by", Text, primary_key=True),
    Column("at", Double, nullable=False),
    Column("text", Text, nullable=False),
)

cups: Table = Table(
    "cups",
    metadata,
    Column("id", Text, primary_key=True),
    Column("host", Text, nullable=False),
    Column("origin", Text, nullable=False),  # a hash of the network it was made from
    Column("setup", Text, nullable=False),  # JSON: what it was made with
    Column("seed", Text, nullable=False),  # of its pairings
    Column("created", Double, nullable=False),
    Column("status", Text, nullable=False),  # open, running, over
    Column("round", Integer, nullable=False),  # the latest that has begun
    Column("played", Integer, nullable=False),  # rounds that are over
    Column("due", Double),  # when it is to be looked at
    Column("club", Text),  # whose members play
    Index("cups_due", "due"),
    Index("cups_host", "host", "status"),
    Index("cups_origin", "origin", "status"),
    Index("cups_club", "club"),
)


def _of_cup() -> Column[str]:
    return Column("cup", Text, ForeignKey("cups.id", ondelete="CASCADE"), primary_key=True)


cup_players: Table = Table(
    "cup_players",
    metadata,
    _of_cup(),
    Column("n", Integer, primary_key=True),  # in the order in which they signed up
    Column("who", Text),  # empty for deleted people
    Column("name", Text, nullable=False),
    Column("status", Text, nullable=False),  # in, out, removed
    Column("origin", Text, nullable=False),  # a hash of the network they signed up from
    Index("cup_players_who", "who", "cup", unique=True),
)

cup_seats: Table = Table(
    "cup_seats",  # at the tables of all rounds; they stay when a table is deleted
    metadata,
    _of_cup(),
    Column("round", Integer, primary_key=True),
    Column("table_id", Text, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("player", Integer),  # empty: a bot
    Column("place", Integer),  # empty until the game is counted
    Column("left", Boolean, nullable=False),  # before the end, or absent then
    Index("cup_seats_table", "table_id", "seat"),
)

clubs: Table = Table(
    "clubs",
    metadata,
    Column("id", Text, primary_key=True),
    Column("host", Text, nullable=False),
    Column("origin", Text, nullable=False),  # a hash of the network it was made from
    Column("name", Text, nullable=False),
    Column("created", Double, nullable=False),
    Index("clubs_host", "host"),
    Index("clubs_origin", "origin"),
)


def _of_club() -> Column[str]:
    return Column("club", Text, ForeignKey("clubs.id", ondelete="CASCADE"), primary_key=True)


club_members: Table = Table(
    "club_members",
    metadata,
    _of_club(),
    Column("n", Integer, primary_key=True),
    Column("who", Text),  # empty for deleted people
    Column("name", Text, nullable=False),
    Column("status", Text, nullable=False),  # in, out, removed
    Index("club_members_who", "who", "club", unique=True),
)

club_lines: Table = Table(
    "club_lines",
    metadata,
    _of_club(),
    Column("n", Integer, primary_key=True),
    Column("member", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("at", Double, nullable=False),
)

contacts: Table = Table(
    "contacts",
    metadata,
    Column("who", Text, primary_key=True),
    Column("other", Text, primary_key=True),
    Column("kind", Text, nullable=False),  # followed, blocked
    Index("contacts_other", "other"),
)

holidays: Table = Table(
    "holidays",  # a person's do not overlap
    metadata,
    Column("who", Text, primary_key=True),
    Column("begins", Double, primary_key=True),
    Column("ends", Double, nullable=False),
)

calendars: Table = Table(
    "calendars",  # those that programs may read
    metadata,
    Column("who", Text, primary_key=True),
    Column("key", Text, nullable=False, unique=True),  # the hash of the secret in its address
)

invitations: Table = Table(
    "invitations",
    metadata,
    _of_game(),
    Column("who", Text, primary_key=True),  # who is invited
    Column("by", Text, primary_key=True),
    Column("at", Double, nullable=False),
    Column("declined", Boolean, nullable=False),
    Index("invitations_who", "who"),
    Index("invitations_by", "by"),
)

subscriptions: Table = Table(
    "subscriptions",
    metadata,
    Column("endpoint", Text, primary_key=True),  # the URL that notifies a browser
    Column("who", Text, nullable=False),
    Column("key", Text, nullable=False),  # the public key of the browser
    Column("auth", Text, nullable=False),
    Column("origin", Text, nullable=False),  # a hash of the network it subscribed from
    Column("at", Double, nullable=False),
    Index("subscriptions_who", "who"),
)

addresses: Table = Table(
    "addresses",
    metadata,
    Column("who", Text, primary_key=True),
    Column("address", Text, nullable=False),
    Column("mailbox", Text, nullable=False),  # the same for addresses that lead to the same one
    Column("language", Text, nullable=False),
    Column("digest", Boolean, nullable=False),  # once a day instead of once for each turn
    Column("key", Text, nullable=False, unique=True),  # by which its owner ends it from a mail
    Column("asked", Double, nullable=False),  # when it was given
    Column("proof", Text, unique=True),  # the hash of what confirms it, once
    Column("confirmed", Double),  # when it was
    Column("due", Double),  # when to send what confirms it, or else the digest
    Column("tries", Integer, nullable=False),  # to send that
    Index("addresses_due", "due"),
    Index("addresses_mailbox", "mailbox", "asked"),
)

turn_mails: Table = Table(
    "turn_mails",  # of each player the latest turn in each game that word was sent of, or not
    metadata,
    _of_game(),
    Column("who", Text, primary_key=True),
    Column("turn", Integer, nullable=False),  # the `seq` of the decision that it followed
    Column("due", Double),  # when to send it; empty if nothing is left to send
    Column("tries", Integer, nullable=False),
    Index("turn_mails_due", "due"),
    Index("turn_mails_who", "who"),
)

writes = Table(
    "writes",
    metadata,
    Column("id", Text, primary_key=True),  # whoever repeats a write waits for the first here
    Column("at", Double, nullable=False),
    Column("result", Text),  # JSON: what became of it
    Index("writes_at", "at"),
)

servers = Table(
    "servers",
    metadata,
    Column("id", Text, primary_key=True),
    Column("at", Double, nullable=False),  # its last sign of life
)

notes = Table(
    "notes",  # because SQLite has no notifications between processes
    metadata,
    Column("n", Integer, primary_key=True),
    Column("note", Text, nullable=False),
)
