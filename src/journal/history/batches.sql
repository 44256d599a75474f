-- The batches: many links from one file. source: the file and its columns, as JSON.
CREATE TABLE batch (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    origin TEXT NOT NULL,
    identity TEXT NOT NULL,
    source TEXT NOT NULL
) STRICT;

-- The lines of the files. A line is in the state 'sending' before its request is sent. request: the
-- link to create as JSON; NULL if the line describes none. link: the row of the link, from the
-- moment at which the line was taken for sending.
CREATE TABLE batch_line (
    batch INTEGER NOT NULL,
    number INTEGER NOT NULL,
    state TEXT NOT NULL,
    cells TEXT NOT NULL,
    request TEXT,
    reason TEXT NOT NULL,
    link INTEGER,
    PRIMARY KEY (batch, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX batch_line_by_state ON batch_line (batch, state, number);
