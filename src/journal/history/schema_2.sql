-- When a person marked a link as paid; nothing where nobody did.
ALTER TABLE link ADD COLUMN paid_at INTEGER;
-- The amount as a number that adds up exactly; nothing for one that is written in another way.
ALTER TABLE link ADD COLUMN centavos INTEGER GENERATED ALWAYS AS (
    CASE
        WHEN length(amount) <= 16
            AND amount GLOB '[0-9]*.[0-9][0-9]'
            AND replace(amount, '.', '') NOT GLOB '*[^0-9]*'
            AND length(replace(amount, '.', '')) = length(amount) - 1
        THEN CAST(replace(amount, '.', '') AS INTEGER)
    END
) VIRTUAL;
CREATE INDEX link_by_mark ON link (paid_at, centavos) WHERE created;
