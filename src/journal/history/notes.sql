-- note: the seller's note about a link. put_away_at: the time since when the seller keeps a link out
-- of the list. Both are NULL for charges. statement_day: the local day of the statement's line that
-- shows the payment, as days since 1970; NULL if no statement shows it.
ALTER TABLE link ADD COLUMN note TEXT;
ALTER TABLE link ADD COLUMN put_away_at INTEGER;
ALTER TABLE link ADD COLUMN statement_day INTEGER;
ALTER TABLE charge ADD COLUMN note TEXT;
ALTER TABLE charge ADD COLUMN put_away_at INTEGER;
ALTER TABLE charge ADD COLUMN statement_day INTEGER;
-- note: the note that the link of this line gets; NULL if the file has none.
ALTER TABLE batch_line ADD COLUMN note TEXT;

-- The lines of statements that marked a sale as paid. id: a checksum of what identifies the line, and
-- no text of it. import: the statement that was read; all its lines have the same number. sale: the
-- table of the marked row. paid_at: the time that the mark has, if nobody changed it since.
CREATE TABLE statement_line (
    id TEXT PRIMARY KEY,
    import INTEGER NOT NULL,
    sale TEXT NOT NULL,
    row INTEGER NOT NULL,
    day INTEGER NOT NULL,
    centavos INTEGER NOT NULL,
    paid_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX statement_line_by_import ON statement_line (import);
CREATE INDEX statement_line_by_row ON statement_line (sale, row);

-- The links that are kept out of the list, with the columns for their totals. The totals of the list
-- are those of all links minus those of this index, so the other indexes need no change.
CREATE INDEX link_put_away ON link (id, put_away_at, at, host, paid_at, centavos, created)
    WHERE put_away_at IS NOT NULL;
