CREATE TABLE link (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    origin TEXT NOT NULL,
    identity TEXT NOT NULL,
    amount TEXT NOT NULL,
    created INTEGER NOT NULL,
    request TEXT NOT NULL,
    outcome TEXT NOT NULL
) STRICT;
CREATE INDEX link_by_time ON link (at);
CREATE VIRTUAL TABLE link_words USING fts5 (folded, tokenize = 'trigram');

CREATE TABLE charge (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    origin TEXT NOT NULL,
    identity TEXT NOT NULL,
    amount TEXT NOT NULL,
    created INTEGER NOT NULL,
    request TEXT NOT NULL,
    outcome TEXT NOT NULL
) STRICT;
CREATE INDEX charge_by_time ON charge (at);
CREATE VIRTUAL TABLE charge_words USING fts5 (folded, tokenize = 'trigram');
