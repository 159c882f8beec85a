BEGIN TRANSACTION;
CREATE TABLE accounts (
	login TEXT NOT NULL, 
	who TEXT NOT NULL, 
	name TEXT NOT NULL, 
	password TEXT NOT NULL, 
	PRIMARY KEY (login), 
	UNIQUE (who)
);
INSERT INTO "accounts" VALUES('ann','owner0','Ann','x');
CREATE TABLE addresses (
	who TEXT NOT NULL, 
	address TEXT NOT NULL, 
	mailbox TEXT NOT NULL, 
	language TEXT NOT NULL, 
	digest BOOLEAN NOT NULL, 
	"key" TEXT NOT NULL, 
	asked DOUBLE NOT NULL, 
	proof TEXT, 
	confirmed DOUBLE, 
	due DOUBLE, 
	tries INTEGER NOT NULL, 
	PRIMARY KEY (who), 
	UNIQUE ("key"), 
	UNIQUE (proof)
);
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0028');
CREATE TABLE analyses (
	game TEXT NOT NULL, 
	at DOUBLE NOT NULL, 
	done DOUBLE NOT NULL, 
	found TEXT, 
	PRIMARY KEY (game), 
	FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
CREATE TABLE banned_origins (
	who TEXT NOT NULL, 
	origin TEXT NOT NULL, 
	PRIMARY KEY (who, origin)
);
CREATE TABLE bans (
	game TEXT NOT NULL, 
	who TEXT NOT NULL, 
	PRIMARY KEY (game, who), 
	FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
CREATE TABLE calendars (
	who TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	PRIMARY KEY (who), 
	UNIQUE ("key")
);
CREATE TABLE chat (
	game TEXT NOT NULL, 
	n INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	text TEXT NOT NULL, 
	at DOUBLE NOT NULL, who TEXT, origin TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (game, n), 
	FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
INSERT INTO "chat" VALUES('kept',1,0,'Ann','hello',1.0,'owner0','');
CREATE TABLE club_lines (
	club TEXT NOT NULL, 
	n INTEGER NOT NULL, 
	member INTEGER NOT NULL, 
	text TEXT NOT NULL, 
	at DOUBLE NOT NULL, 
	PRIMARY KEY (club, n), 
	FOREIGN KEY(club) REFERENCES clubs (id) ON DELETE CASCADE
);
CREATE TABLE club_members (
	club TEXT NOT NULL, 
	n INTEGER NOT NULL, 
	who TEXT, 
	name TEXT NOT NULL, 
	status TEXT NOT NULL, 
	PRIMARY KEY (club, n), 
	FOREIGN KEY(club) REFERENCES clubs (id) ON DELETE CASCADE
);
CREATE TABLE clubs (
	id TEXT NOT NULL, 
	host TEXT NOT NULL, 
	origin TEXT NOT NULL, 
	name TEXT NOT NULL, 
	created DOUBLE NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE contacts (
	who TEXT NOT NULL, 
	other TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	PRIMARY KEY (who, other)
);
CREATE TABLE cup_players (
	cup TEXT NOT NULL, 
	n INTEGER NOT NULL, 
	who TEXT, 
	name TEXT NOT NULL, 
	status TEXT NOT NULL, 
	origin TEXT NOT NULL, 
	PRIMARY KEY (cup, n), 
	FOREIGN KEY(cup) REFERENCES cups (id) ON DELETE CASCADE
);
CREATE TABLE cup_seats (
	cup TEXT NOT NULL, 
	round INTEGER NOT NULL, 
	table_id TEXT NOT NULL, 
	seat INTEGER NOT NULL, 
	player INTEGER, 
	place INTEGER, 
	"left" BOOLEAN NOT NULL, 
	PRIMARY KEY (cup, round, table_id, seat), 
	FOREIGN KEY(cup) REFERENCES cups (id) ON DELETE CASCADE
);
CREATE TABLE cups (
	id TEXT NOT NULL, 
	host TEXT NOT NULL, 
	origin TEXT NOT NULL, 
	setup TEXT NOT NULL, 
	seed TEXT NOT NULL, 
	created DOUBLE NOT NULL, 
	status TEXT NOT NULL, 
	round INTEGER NOT NULL, 
	played INTEGER NOT NULL, 
	due DOUBLE, club TEXT, 
	PRIMARY KEY (id)
);
CREATE TABLE entries (
	game TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	text TEXT NOT NULL, 
	at DOUBLE NOT NULL, 
	"by" TEXT NOT NULL, 
	turned TEXT NOT NULL, top TEXT DEFAULT '' NOT NULL, write TEXT, 
	PRIMARY KEY (game, seq), 
	FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
INSERT INTO "entries" VALUES('kept',0,0,'nominate 3 @3',1.0,'person','','',NULL);
INSERT INTO "entries" VALUES('kept',1,1,'pass',1.0,'person','13','',NULL);
INSERT INTO "entries" VALUES('kept',2,1,'nominate 4 @4',1.0,'person','37','',NULL);
CREATE TABLE games (
	id TEXT NOT NULL, 
	status TEXT NOT NULL, 
	rulebook TEXT NOT NULL, 
	setup TEXT NOT NULL, 
	seed TEXT NOT NULL, 
	public BOOLEAN NOT NULL, 
	host TEXT NOT NULL, 
	created DOUBLE NOT NULL, 
	started DOUBLE, 
	opening TEXT, 
	turn INTEGER, 
	due DOUBLE, 
	moves INTEGER NOT NULL, 
	record TEXT, 
	rematch TEXT, origin TEXT DEFAULT '' NOT NULL, told TEXT DEFAULT '' NOT NULL, listed TEXT, library TEXT, 
	PRIMARY KEY (id)
);
INSERT INTO "games" VALUES('kept','running','classic','{"rulebook": "classic", "map": null, "options": {}, "auto": false}','1',1,'host',1.0,1.0,'{"rulebook":"classic","version":2,"names":["Ann","Bob"],"options":{"map":"germany","regions":"random","money":"open","demolition":false,"central_europe_rules":true},"drawn":{"order":[0,1],"regions":["west","southwest","south"]},"turned":["3","4","5","6","7","8","9","10"],"moves":[],"top":"","result":[],"scores":[],"format":1}',0,NULL,3,NULL,NULL,'','',NULL,NULL);
CREATE TABLE holidays (
	who TEXT NOT NULL, 
	begins DOUBLE NOT NULL, 
	ends DOUBLE NOT NULL, 
	PRIMARY KEY (who, begins)
);
CREATE TABLE invitations (
	game TEXT NOT NULL, 
	who TEXT NOT NULL, 
	"by" TEXT NOT NULL, 
	at DOUBLE NOT NULL, 
	declined BOOLEAN NOT NULL, 
	PRIMARY KEY (game, who, "by"), 
	FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
CREATE TABLE library (
	id TEXT NOT NULL, 
	who TEXT NOT NULL, 
	origin TEXT NOT NULL, 
	author TEXT NOT NULL, 
	name TEXT NOT NULL, 
	licence TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	at DOUBLE NOT NULL, 
	map TEXT NOT NULL, 
	picture TEXT NOT NULL, 
	words TEXT NOT NULL, 
	cities INTEGER NOT NULL, 
	regions INTEGER NOT NULL, 
	ruled BOOLEAN NOT NULL, 
	played INTEGER NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE likes (
	map TEXT NOT NULL, 
	who TEXT NOT NULL, 
	at DOUBLE NOT NULL, 
	PRIMARY KEY (map, who), 
	FOREIGN KEY(map) REFERENCES library (id) ON DELETE CASCADE
);
CREATE TABLE logins (
	id TEXT NOT NULL, 
	who TEXT NOT NULL, 
	at DOUBLE NOT NULL, origin TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE map_reports (
	map TEXT NOT NULL, 
	"by" TEXT NOT NULL, 
	at DOUBLE NOT NULL, 
	text TEXT NOT NULL, 
	PRIMARY KEY (map, "by"), 
	FOREIGN KEY(map) REFERENCES library (id) ON DELETE CASCADE
);
CREATE TABLE notes (
	n INTEGER NOT NULL, 
	note TEXT NOT NULL, 
	PRIMARY KEY (n)
);
CREATE TABLE outcasts (
	who TEXT NOT NULL, 
	at DOUBLE NOT NULL, until DOUBLE, address BOOLEAN DEFAULT 0 NOT NULL, reason TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (who)
);
CREATE TABLE passkeys (
	id TEXT NOT NULL, 
	who TEXT NOT NULL, 
	name TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	signs BIGINT NOT NULL, 
	made DOUBLE NOT NULL, 
	used DOUBLE, 
	PRIMARY KEY (id)
);
CREATE TABLE profiles (
	who TEXT NOT NULL, 
	handle TEXT NOT NULL, 
	public BOOLEAN NOT NULL, 
	"key" TEXT NOT NULL, 
	PRIMARY KEY (who), 
	UNIQUE ("key")
);
CREATE TABLE ratings (
	rulebook TEXT NOT NULL, 
	player TEXT NOT NULL, 
	who TEXT, 
	mu DOUBLE NOT NULL, 
	sigma DOUBLE NOT NULL, 
	PRIMARY KEY (rulebook, player)
);
CREATE TABLE reports (
	game TEXT NOT NULL, 
	n INTEGER NOT NULL, 
	"by" TEXT NOT NULL, 
	name TEXT NOT NULL, 
	text TEXT NOT NULL, 
	at DOUBLE NOT NULL, author TEXT, 
	PRIMARY KEY (game, n, "by"), 
	FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
CREATE TABLE results (
	game TEXT NOT NULL, 
	seat INTEGER NOT NULL, 
	who TEXT, 
	bot TEXT, 
	"left" BOOLEAN NOT NULL, 
	extra_seat BOOLEAN NOT NULL, 
	place INTEGER NOT NULL, 
	rulebook TEXT NOT NULL, 
	board TEXT NOT NULL, 
	players INTEGER NOT NULL, 
	plant TEXT NOT NULL, 
	city TEXT NOT NULL, 
	at DOUBLE NOT NULL, 
	seconds DOUBLE NOT NULL, 
	words TEXT NOT NULL, rated_as TEXT, mu DOUBLE, sigma DOUBLE, shown BOOLEAN DEFAULT 0 NOT NULL, rounds TEXT, margin INTEGER, tie_margin INTEGER, 
	PRIMARY KEY (game, seat), 
	FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
CREATE TABLE seats (
	game TEXT NOT NULL, 
	seat INTEGER NOT NULL, 
	kind TEXT NOT NULL, 
	name TEXT NOT NULL, 
	owner TEXT, 
	bot TEXT, 
	"key" TEXT, left_by TEXT, origin TEXT DEFAULT '' NOT NULL, would_end BOOLEAN DEFAULT 0 NOT NULL, 
	PRIMARY KEY (game, seat), 
	FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
INSERT INTO "seats" VALUES('kept',0,'person','Ann','owner0',NULL,NULL,NULL,'',0);
INSERT INTO "seats" VALUES('kept',1,'person','Bob','owner1',NULL,NULL,NULL,'',0);
CREATE TABLE servers (
	id TEXT NOT NULL, 
	at DOUBLE NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE solved_puzzles (
	who TEXT NOT NULL, 
	puzzle TEXT NOT NULL, 
	day INTEGER NOT NULL, 
	daily BOOLEAN NOT NULL, 
	PRIMARY KEY (who, puzzle, day)
);
CREATE TABLE subscriptions (
	endpoint TEXT NOT NULL, 
	who TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	auth TEXT NOT NULL, 
	origin TEXT NOT NULL, 
	at DOUBLE NOT NULL, 
	PRIMARY KEY (endpoint)
);
CREATE TABLE turn_mails (
	game TEXT NOT NULL, 
	who TEXT NOT NULL, 
	turn INTEGER NOT NULL, 
	due DOUBLE, 
	tries INTEGER NOT NULL, 
	PRIMARY KEY (game, who), 
	FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
CREATE TABLE uncounted (
	game TEXT NOT NULL, 
	PRIMARY KEY (game), 
	FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
CREATE TABLE unrated (
	rulebook TEXT NOT NULL, 
	at DOUBLE NOT NULL, 
	from_game TEXT NOT NULL, 
	PRIMARY KEY (rulebook)
);
CREATE TABLE wishes (
	game TEXT NOT NULL, 
	seat INTEGER NOT NULL, 
	card INTEGER NOT NULL, 
	round INTEGER NOT NULL, 
	"limit" INTEGER NOT NULL, 
	PRIMARY KEY (game, seat, card), 
	FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
CREATE TABLE writes (
	id TEXT NOT NULL, 
	at DOUBLE NOT NULL, 
	result TEXT, 
	PRIMARY KEY (id)
);
CREATE INDEX games_due ON games (due);
CREATE INDEX games_public ON games (public, status);
CREATE INDEX seats_owner ON seats (owner);
CREATE INDEX games_origin ON games (origin, status);
CREATE INDEX games_host ON games (host, status);
CREATE INDEX logins_who ON logins (who);
CREATE INDEX subscriptions_who ON subscriptions (who);
CREATE INDEX chat_who ON chat (who);
CREATE INDEX writes_at ON writes (at);
CREATE INDEX library_who ON library (who);
CREATE INDEX library_origin ON library (origin);
CREATE INDEX ratings_who ON ratings (who);
CREATE INDEX ratings_mu ON ratings (rulebook, mu);
CREATE INDEX results_played ON results (who, extra_seat, rulebook, board, players, plant, city, place, game);
CREATE INDEX results_rated ON results (rulebook, at, game) WHERE rated_as IS NOT NULL;
CREATE INDEX cups_due ON cups (due);
CREATE INDEX cups_host ON cups (host, status);
CREATE INDEX cups_origin ON cups (origin, status);
CREATE UNIQUE INDEX cup_players_who ON cup_players (who, cup);
CREATE INDEX cup_seats_table ON cup_seats (table_id, seat);
CREATE INDEX results_shown ON results (at, game, rulebook, board, players, plant, city, bot, rated_as) WHERE shown = 1;
CREATE INDEX clubs_host ON clubs (host);
CREATE INDEX clubs_origin ON clubs (origin);
CREATE UNIQUE INDEX club_members_who ON club_members (who, club);
CREATE INDEX cups_club ON cups (club);
CREATE INDEX results_margin ON results (who, extra_seat, rulebook, players, margin, tie_margin, place, game);
CREATE INDEX contacts_other ON contacts (other);
CREATE INDEX invitations_who ON invitations (who);
CREATE INDEX invitations_by ON invitations ("by");
CREATE INDEX results_who ON results (who, at, game, extra_seat, words) WHERE who IS NOT NULL;
CREATE INDEX results_rated_as ON results (rated_as, rulebook, at, game, mu) WHERE rated_as IS NOT NULL;
CREATE INDEX results_shown_plant ON results (plant, at, game, rulebook, board, players, bot, rated_as, city) WHERE shown = 1;
CREATE INDEX results_shown_city ON results (city, at, game, rulebook, board, players, bot, rated_as, plant) WHERE shown = 1;
CREATE INDEX addresses_due ON addresses (due);
CREATE INDEX addresses_mailbox ON addresses (mailbox, asked);
CREATE INDEX turn_mails_due ON turn_mails (due);
CREATE INDEX turn_mails_who ON turn_mails (who);
CREATE INDEX passkeys_who ON passkeys (who);
COMMIT;
