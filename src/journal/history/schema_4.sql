-- The host of a link: of its address, or where none was made of the request; nothing where neither has one.
ALTER TABLE link ADD COLUMN host TEXT GENERATED ALWAYS AS (
    CASE
        WHEN json_extract(outcome, '$.created.url') LIKE '%://%' THEN lower(
            substr(
                substr(json_extract(outcome, '$.created.url'), instr(json_extract(outcome, '$.created.url'), '://') + 3),
                1,
                instr(
                    replace(replace(
                        substr(json_extract(outcome, '$.created.url'), instr(json_extract(outcome, '$.created.url'), '://') + 3),
                        ':', '/'), '?', '/') || '/',
                    '/'
                ) - 1
            )
        )
        ELSE lower(json_extract(request, '$.domain'))
    END
) VIRTUAL;
CREATE INDEX link_by_host ON link (host);
-- Since when a domain has been seen in its state, without a break.
CREATE TABLE domain_seen (
    origin TEXT NOT NULL,
    identity TEXT NOT NULL,
    host TEXT NOT NULL,
    state TEXT NOT NULL,
    since INTEGER NOT NULL,
    PRIMARY KEY (origin, identity, host)
) STRICT, WITHOUT ROWID;
