-- Requests as version 2 of their schema stored them.
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
CREATE INDEX request_sizes ON request (id, bytes);
INSERT INTO request VALUES (1, 1772377200000, 'loja', 'https://x', 'withdrawal', 'POST', 'https://x/9', NULL, 'cancelled', 0, 0, NULL, '00000000-0000-0000-0000-000000000009', NULL, NULL, NULL, 225, ' post /9   ', '{"at":1772377200000,"operation":"withdrawal","method":"POST","url":"https://x/9","request_headers":[],"request_body":null,"request_bytes":0,"took":{"secs":0,"nanos":0},"connecting":null,"reply":{"Err":"cancelled"}}');
INSERT INTO request VALUES (2, 1777561200000, 'loja', 'https://x', 'withdrawal', 'POST', 'https://x/1', NULL, 'cancelled', 0, 0, NULL, '00000000-0000-0000-0000-000000000001', NULL, NULL, NULL, 225, ' post /1   ', '{"at":1777561200000,"operation":"withdrawal","method":"POST","url":"https://x/1","request_headers":[],"request_body":null,"request_bytes":0,"took":{"secs":0,"nanos":0},"connecting":null,"reply":{"Err":"cancelled"}}');
INSERT INTO request VALUES (3, 1777561200000, 'loja', 'https://x', 'withdrawal', 'POST', 'https://x/2', NULL, 'cancelled', 0, 0, NULL, '00000000-0000-0000-0000-000000000002', NULL, NULL, NULL, 225, ' post /2   ', '{"at":1777561200000,"operation":"withdrawal","method":"POST","url":"https://x/2","request_headers":[],"request_body":null,"request_bytes":0,"took":{"secs":0,"nanos":0},"connecting":null,"reply":{"Err":"cancelled"}}');
PRAGMA user_version = 2;
