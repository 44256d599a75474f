-- The columns before the exchange are for lists, so that a list reads no long text. status: the
-- HTTP status of the reply; NULL without a reply. failure: the word for a missing reply. withdrawal:
-- the idempotency key. sale: the row id of the link or charge, depending on the operation. bytes:
-- the length of the exchange, which is the whole record as JSON.
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
    bytes INTEGER NOT NULL,
    exchange TEXT NOT NULL
) STRICT;
CREATE INDEX request_by_time ON request (at);
CREATE INDEX request_by_withdrawal ON request (withdrawal) WHERE withdrawal IS NOT NULL;
-- Covers the limits, so that no row is read for them.
CREATE INDEX request_sizes ON request (id, bytes);
