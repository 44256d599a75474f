-- The domain that a link asked for; nothing where the service chooses one.
ALTER TABLE link ADD COLUMN domain TEXT GENERATED ALWAYS AS (json_extract(request, '$.domain')) VIRTUAL;
CREATE INDEX link_by_domain ON link (domain);
-- What a seller calls a destination of withdrawals; it says whose key that is.
CREATE TABLE nickname (
    at INTEGER NOT NULL,
    origin TEXT NOT NULL,
    identity TEXT NOT NULL,
    destination TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (origin, identity, destination)
) STRICT, WITHOUT ROWID;
