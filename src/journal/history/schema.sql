-- Links and charges have the same columns, so that one set of statements serves both.
--
-- created: 1 if the service made it. label: what its row is called, where that is all a row says
-- of it (`record.rs`). centavos: the amount; NULL if it is finer, or too large to be added up.
-- host: the host of a link's address, or of the domain that was asked for.
CREATE TABLE link (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    origin TEXT NOT NULL,
    identity TEXT NOT NULL,
    centavos INTEGER,
    created INTEGER NOT NULL,
    label INTEGER,
    paid_at INTEGER,
    host TEXT,
    request TEXT NOT NULL,
    outcome TEXT NOT NULL
) STRICT;
-- Pages of the filters, newest first: an index ends with the row's number.
CREATE INDEX link_by_time ON link (at);
CREATE INDEX link_by_host ON link (host);
CREATE INDEX link_by_label ON link (label) WHERE label IS NOT NULL;
-- Totals, added up without reading a row.
CREATE INDEX link_totals ON link (id, paid_at, centavos, created) WHERE created;
CREATE INDEX link_time_totals ON link (at, paid_at, centavos, created) WHERE created;
CREATE INDEX link_host_totals ON link (host, paid_at, centavos, created) WHERE created;
-- The text that a search looks at, folded already; two spaces end it, so that each of its letters
-- begins a trigram, and a text of one or two letters is found among them.
CREATE VIRTUAL TABLE link_words USING fts5 (folded, tokenize = 'trigram case_sensitive 1');
CREATE VIRTUAL TABLE link_grams USING fts5vocab ('link_words', 'instance');

CREATE TABLE charge (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    origin TEXT NOT NULL,
    identity TEXT NOT NULL,
    centavos INTEGER,
    created INTEGER NOT NULL,
    label INTEGER,
    paid_at INTEGER,
    host TEXT,
    request TEXT NOT NULL,
    outcome TEXT NOT NULL
) STRICT;
CREATE INDEX charge_by_time ON charge (at);
CREATE INDEX charge_by_label ON charge (label) WHERE label IS NOT NULL;
CREATE VIRTUAL TABLE charge_words USING fts5 (folded, tokenize = 'trigram case_sensitive 1');
CREATE VIRTUAL TABLE charge_grams USING fts5vocab ('charge_words', 'instance');

-- What a seller calls a destination of withdrawals; it says whose key that is.
CREATE TABLE nickname (
    at INTEGER NOT NULL,
    origin TEXT NOT NULL,
    identity TEXT NOT NULL,
    destination TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (origin, identity, destination)
) STRICT, WITHOUT ROWID;

-- Since when a domain has been seen in its state, without a break.
CREATE TABLE domain_seen (
    origin TEXT NOT NULL,
    identity TEXT NOT NULL,
    host TEXT NOT NULL,
    state TEXT NOT NULL,
    since INTEGER NOT NULL,
    PRIMARY KEY (origin, identity, host)
) STRICT, WITHOUT ROWID;
