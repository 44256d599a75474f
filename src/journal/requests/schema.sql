-- The columns before the exchange are for lists, so that a list reads no long text. status: the
-- HTTP status of the reply; NULL without a reply. failure: the word for a missing reply. withdrawal:
-- the idempotency key. sale: the row id of the link or charge, depending on the operation.
-- request_id: the service's id of the request. clock_ms: by how much the service's clock is ahead.
-- words: the status, the address and the bodies, normalised for the search. exchange: the whole
-- record as JSON. bytes: the length of the last two columns.
CREATE TABLE request (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    profile TEXT NOT NULL,
    origin TEXT NOT NULL,
    operation TEXT NOT NULL,
    method TEXT NOT NULL,
    url TEXT NOT NULL,
    status INTEGER,
    failure TEXT,
    took_ms INTEGER NOT NULL,
    request_bytes INTEGER NOT NULL,
    reply_bytes INTEGER,
    withdrawal TEXT,
    sale INTEGER,
    request_id TEXT,
    clock_ms INTEGER,
    bytes INTEGER NOT NULL,
    words TEXT NOT NULL,
    exchange TEXT NOT NULL
) STRICT;
CREATE INDEX request_by_time ON request (at);
CREATE INDEX request_by_withdrawal ON request (withdrawal) WHERE withdrawal IS NOT NULL;
-- Covers the limits, so that no row is read for them.
CREATE INDEX request_sizes ON request (id, bytes);
