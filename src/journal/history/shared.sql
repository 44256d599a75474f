-- The tables of a mirror of a team's history. Only a mirror has them.
--
-- who: the person who uses this machine, as JSON. is_applying: 1 while records are applied, which
-- are not captured.
CREATE TABLE shared_log (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    who TEXT NOT NULL,
    is_applying INTEGER NOT NULL
) STRICT;

-- The records of the log that this history contains, without their states. id: the row's id on
-- every machine.
CREATE TABLE shared_record (
    n INTEGER PRIMARY KEY,
    change BLOB NOT NULL,
    kind TEXT NOT NULL,
    id BLOB NOT NULL,
    part TEXT NOT NULL
) STRICT;

-- Records that this history contains, while the log is read again because it lost some of them.
CREATE TABLE shared_lost (
    n INTEGER NOT NULL,
    change BLOB PRIMARY KEY NOT NULL,
    kind TEXT NOT NULL,
    id BLOB NOT NULL,
    part TEXT NOT NULL
) STRICT;
CREATE INDEX shared_lost_by_id ON shared_lost (id);

-- The rows with the ids that they have on every machine. row: the row in this file; NULL after its
-- deletion. is_foreign: 1 if another machine made the row.
CREATE TABLE shared_row (
    id BLOB NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    row ANY,
    is_foreign INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX shared_row_by_row ON shared_row (kind, row) WHERE row IS NOT NULL;

-- The parts that changed and are not in the log yet. row: the row in this file, or for a deleted
-- link, charge or batch its id on every machine. change: a new id for each change.
CREATE TABLE shared_pending (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    row ANY NOT NULL,
    part TEXT NOT NULL,
    change BLOB NOT NULL UNIQUE,
    who TEXT NOT NULL,
    UNIQUE (kind, row, part)
) STRICT;

-- The author of each part: who made a sale or a batch, and who changed the other parts last.
CREATE TABLE shared_author (
    kind TEXT NOT NULL,
    row ANY NOT NULL,
    part TEXT NOT NULL,
    who TEXT NOT NULL,
    PRIMARY KEY (kind, row, part)
) STRICT, WITHOUT ROWID;

-- Every part of every row. The parts that need a row follow it.
CREATE VIEW shared_part (kind, row, part) AS
    SELECT 'link', id, 'sale' FROM link
    UNION ALL SELECT 'link', id, 'paid' FROM link WHERE paid_at IS NOT NULL
    UNION ALL SELECT 'link', id, 'note' FROM link WHERE note IS NOT NULL
    UNION ALL SELECT 'link', id, 'put_away' FROM link WHERE put_away_at IS NOT NULL
    UNION ALL SELECT 'charge', id, 'sale' FROM charge
    UNION ALL SELECT 'charge', id, 'paid' FROM charge WHERE paid_at IS NOT NULL
    UNION ALL SELECT 'charge', id, 'note' FROM charge WHERE note IS NOT NULL
    UNION ALL SELECT 'charge', id, 'put_away' FROM charge WHERE put_away_at IS NOT NULL
    UNION ALL SELECT 'batch', id, 'batch' FROM batch
    UNION ALL SELECT 'batch_line', json_array(batch, number), 'batch_line' FROM batch_line
    UNION ALL SELECT 'nickname', json_array(origin, identity, destination), 'nickname' FROM nickname
    UNION ALL SELECT 'statement_line', id, 'statement_line' FROM statement_line
    UNION ALL SELECT kind, id, 'deleted' FROM shared_row WHERE row IS NULL;

-- The triggers insert each change into this view. A part that is pending keeps its place, because
-- the parts that follow may need the row. A pending sale keeps its author: it may be the sale of
-- another person that the log has lost.
CREATE VIEW shared_change (kind, row, part) AS SELECT kind, row, part FROM shared_pending;
CREATE TRIGGER shared_capture INSTEAD OF INSERT ON shared_change
WHEN NOT (SELECT is_applying FROM shared_log)
BEGIN
    DELETE FROM shared_pending
    WHERE kind = NEW.kind AND row = NEW.row AND (part = 'deleted') <> (NEW.part = 'deleted');
    INSERT INTO shared_pending (kind, row, part, change, who)
    VALUES (NEW.kind, NEW.row, NEW.part, randomblob(16), (SELECT who FROM shared_log))
    ON CONFLICT (kind, row, part) DO UPDATE SET change = excluded.change,
        who = iif(part = 'sale', who, excluded.who);
    INSERT INTO shared_author (kind, row, part, who)
    SELECT NEW.kind, NEW.row, NEW.part, who FROM shared_log
    WHERE NEW.part IN ('sale', 'paid', 'note', 'batch')
    ON CONFLICT DO UPDATE SET who = excluded.who WHERE part <> 'sale';
END;

CREATE TRIGGER shared_batch_made AFTER INSERT ON batch BEGIN
    INSERT INTO shared_change VALUES ('batch', NEW.id, 'batch');
END;
CREATE TRIGGER shared_batch_deleted AFTER DELETE ON batch BEGIN
    DELETE FROM shared_pending WHERE kind = 'batch' AND row = OLD.id;
    DELETE FROM shared_author WHERE kind = 'batch' AND row = OLD.id;
    INSERT INTO shared_change
    SELECT 'batch', id, 'deleted' FROM shared_row WHERE kind = 'batch' AND row = OLD.id;
    UPDATE shared_row SET row = NULL WHERE kind = 'batch' AND row = OLD.id;
END;

-- A changed line goes to the end, after the link that it now has.
CREATE TRIGGER shared_line_made AFTER INSERT ON batch_line BEGIN
    INSERT INTO shared_change VALUES ('batch_line', json_array(NEW.batch, NEW.number), 'batch_line');
END;
CREATE TRIGGER shared_line_changed AFTER UPDATE ON batch_line BEGIN
    DELETE FROM shared_pending
    WHERE kind = 'batch_line' AND row = json_array(NEW.batch, NEW.number);
    INSERT INTO shared_change VALUES ('batch_line', json_array(NEW.batch, NEW.number), 'batch_line');
END;
-- The lines are deleted with their batch, so they need no records of their own.
CREATE TRIGGER shared_line_deleted AFTER DELETE ON batch_line BEGIN
    DELETE FROM shared_pending
    WHERE kind = 'batch_line' AND row = json_array(OLD.batch, OLD.number);
END;

CREATE TRIGGER shared_nickname_made AFTER INSERT ON nickname BEGIN
    INSERT INTO shared_change
    VALUES ('nickname', json_array(NEW.origin, NEW.identity, NEW.destination), 'nickname');
END;
CREATE TRIGGER shared_nickname_changed AFTER UPDATE ON nickname BEGIN
    INSERT INTO shared_change
    VALUES ('nickname', json_array(NEW.origin, NEW.identity, NEW.destination), 'nickname');
END;
CREATE TRIGGER shared_nickname_deleted AFTER DELETE ON nickname BEGIN
    DELETE FROM shared_row
    WHERE kind = 'nickname' AND row = json_array(OLD.origin, OLD.identity, OLD.destination);
    INSERT INTO shared_change
    VALUES ('nickname', json_array(OLD.origin, OLD.identity, OLD.destination), 'deleted');
END;

CREATE TRIGGER shared_statement_made AFTER INSERT ON statement_line BEGIN
    INSERT INTO shared_change VALUES ('statement_line', NEW.id, 'statement_line');
END;
CREATE TRIGGER shared_statement_changed AFTER UPDATE ON statement_line BEGIN
    INSERT INTO shared_change VALUES ('statement_line', NEW.id, 'statement_line');
END;
CREATE TRIGGER shared_statement_deleted AFTER DELETE ON statement_line BEGIN
    INSERT INTO shared_change VALUES ('statement_line', OLD.id, 'deleted');
END;
