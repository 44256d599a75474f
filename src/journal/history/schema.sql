-- The tables of links and charges have the same columns, so that the same statements work for both.
--
-- created: 1 if the service created the link or charge. label: the status that the row shows, if it
-- shows nothing more specific (`label_number` in `table.rs`). centavos: the amount; NULL if it has
-- a fraction of a centavo or is too large for sums. host: the host of the link's url, or else of
-- the requested domain. paid_at: the time at which the link or charge was paid, according to the
-- seller, or according to the sandbox if sandbox_paid is 1. expires_at: the time at which the charge
-- expires; NULL for links, and for charges without a readable time.
CREATE TABLE link (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    origin TEXT NOT NULL,
    identity TEXT NOT NULL,
    centavos INTEGER,
    created INTEGER NOT NULL,
    label INTEGER,
    paid_at INTEGER,
    sandbox_paid INTEGER NOT NULL DEFAULT 0,
    expires_at INTEGER,
    host TEXT,
    request TEXT NOT NULL,
    outcome TEXT NOT NULL
) STRICT;
-- Indexes for pages of filtered rows, newest first. The row id is an implicit last column.
CREATE INDEX link_by_time ON link (at);
CREATE INDEX link_by_host ON link (host);
CREATE INDEX link_by_label ON link (label) WHERE label IS NOT NULL;
CREATE INDEX link_by_mark ON link (id) WHERE paid_at IS NOT NULL AND NOT sandbox_paid;
CREATE INDEX link_by_sandbox ON link (id) WHERE sandbox_paid;
-- Covering indexes for totals, so that no row is read.
CREATE INDEX link_totals ON link (id, paid_at, centavos, created) WHERE created;
CREATE INDEX link_time_totals ON link (at, paid_at, centavos, created) WHERE created;
CREATE INDEX link_host_totals ON link (host, paid_at, centavos, created) WHERE created;
-- The normalised text for searches. Two spaces are appended, so that every letter of the text
-- begins a trigram. This makes texts of one or two letters searchable too.
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
    sandbox_paid INTEGER NOT NULL DEFAULT 0,
    expires_at INTEGER,
    host TEXT,
    request TEXT NOT NULL,
    outcome TEXT NOT NULL
) STRICT;
CREATE INDEX charge_by_time ON charge (at);
CREATE INDEX charge_by_label ON charge (label) WHERE label IS NOT NULL;
CREATE INDEX charge_by_expiry ON charge (id, expires_at)
    WHERE expires_at IS NOT NULL AND paid_at IS NULL;
CREATE INDEX charge_by_mark ON charge (id) WHERE paid_at IS NOT NULL AND NOT sandbox_paid;
CREATE VIRTUAL TABLE charge_words USING fts5 (folded, tokenize = 'trigram case_sensitive 1');
CREATE VIRTUAL TABLE charge_grams USING fts5vocab ('charge_words', 'instance');

-- The seller's nicknames for withdrawal destinations. They may reveal who owns a PIX key.
CREATE TABLE nickname (
    at INTEGER NOT NULL,
    origin TEXT NOT NULL,
    identity TEXT NOT NULL,
    destination TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (origin, identity, destination)
) STRICT, WITHOUT ROWID;

-- The time since when a domain has been in its current state without a break.
CREATE TABLE domain_seen (
    origin TEXT NOT NULL,
    identity TEXT NOT NULL,
    host TEXT NOT NULL,
    state TEXT NOT NULL,
    since INTEGER NOT NULL,
    PRIMARY KEY (origin, identity, host)
) STRICT, WITHOUT ROWID;
