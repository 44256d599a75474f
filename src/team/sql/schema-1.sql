-- The shared journal of a team, format 1. An administrator runs this once in the team's database.
--
-- Operators can read events and append them, nothing else. Each event names the event before it, so
-- that only one event can follow another: an append is a compare-and-swap.
BEGIN;
SET LOCAL search_path = pg_catalog;

-- Roles belong to the whole server, so their names contain the name of the database.
CREATE ROLE @operators@ NOLOGIN;
CREATE ROLE @purgers@ NOLOGIN;
GRANT @operators@ TO @purgers@;

CREATE SCHEMA balcao;
REVOKE ALL ON SCHEMA balcao FROM PUBLIC;

CREATE TABLE balcao.journal (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    team uuid NOT NULL DEFAULT pg_catalog.gen_random_uuid(),
    format integer NOT NULL,
    -- Programs that write an older format can no longer append.
    least_format integer NOT NULL,
    least_approvals integer NOT NULL DEFAULT 0 CHECK (least_approvals IN (0, 1))
);
INSERT INTO balcao.journal (format, least_format) VALUES (1, 1);

CREATE TABLE balcao.event (
    -- The first unique index that an append checks. Its violation means that another machine
    -- appended first.
    n bigint CONSTRAINT event_pkey PRIMARY KEY,
    before_n bigint GENERATED ALWAYS AS (nullif(n - 1, 0)) STORED,
    before bytea NOT NULL,
    at bigint NOT NULL,
    key uuid NOT NULL,
    kind text NOT NULL,
    -- The number of an attempt or approval is the first member of its JSON. It is not parsed as
    -- JSON, because the server refuses some texts that JSON allows.
    number integer NOT NULL GENERATED ALWAYS AS (
        CASE
            WHEN kind IN ('attempt_began', 'settled', 'approved', 'approval_taken_back')
            THEN substring(plain FROM '^{"n":([0-9]{1,9})[,}]')::integer
            ELSE 0
        END
    ) STORED,
    who text,
    written_by text NOT NULL DEFAULT session_user,
    plain text NOT NULL,
    personal_sum bytea,
    sum bytea NOT NULL,
    format integer NOT NULL,
    written timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    CONSTRAINT event_link UNIQUE (n, sum),
    CONSTRAINT event_personal UNIQUE (n, personal_sum),
    CONSTRAINT event_once UNIQUE (key, kind, number),
    -- The predecessor of the first event is the start of the chain, which has no row.
    CONSTRAINT event_before FOREIGN KEY (before_n, before) REFERENCES balcao.event (n, sum),
    CONSTRAINT event_start CHECK (
        n > 1 OR (
            n = 1
            AND before = '\x1fdc6cdf3335e1121d739b4369906ce28075cefcb1b936dae7e7e137de5ff7a0'
        )
    ),
    CONSTRAINT event_sums CHECK (
        octet_length(sum) = 32 AND (personal_sum IS NULL OR octet_length(personal_sum) = 32)
    ),
    -- Each machine reads every event into memory.
    CONSTRAINT event_size CHECK (
        octet_length(kind) <= 32 AND octet_length(who) <= 4096 AND octet_length(plain) <= 65536
    )
);

-- Personal data can be deleted, and can only be what the event's checksum covers.
CREATE TABLE balcao.personal (
    n bigint CONSTRAINT personal_pkey PRIMARY KEY,
    sum bytea NOT NULL,
    text text NOT NULL CONSTRAINT personal_size CHECK (octet_length(text) <= 262144),
    CONSTRAINT personal_event FOREIGN KEY (n, sum) REFERENCES balcao.event (n, personal_sum),
    CONSTRAINT personal_sum CHECK (sum = pg_catalog.sha256(pg_catalog.convert_to(text, 'UTF8')))
);

-- The history: links, direct payments, batches, nicknames and statement lines. A record tells the
-- new state of a part of a row. Of two records of the same part, the later one counts.
CREATE TABLE balcao.record (
    n bigint CONSTRAINT record_pkey PRIMARY KEY,
    before_n bigint GENERATED ALWAYS AS (nullif(n - 1, 0)) STORED,
    -- Identifies the record if its append is repeated.
    change uuid NOT NULL CONSTRAINT record_change UNIQUE,
    kind text NOT NULL,
    row_id uuid NOT NULL,
    part text NOT NULL,
    who text NOT NULL,
    written_by text NOT NULL DEFAULT session_user,
    state_sum bytea,
    format integer NOT NULL,
    written timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    CONSTRAINT record_state_sum UNIQUE (n, state_sum),
    CONSTRAINT record_before FOREIGN KEY (before_n) REFERENCES balcao.record (n),
    CONSTRAINT record_start CHECK (n > 0),
    CONSTRAINT record_size CHECK (
        octet_length(kind) <= 32 AND octet_length(part) <= 32 AND octet_length(who) <= 4096
    )
);
CREATE INDEX record_deleted ON balcao.record (kind, row_id) WHERE part = 'deleted';

-- States can contain personal data, so they can be deleted. A state can only be the one that its
-- record was appended with.
CREATE TABLE balcao.record_state (
    n bigint CONSTRAINT record_state_pkey PRIMARY KEY,
    sum bytea NOT NULL,
    state text NOT NULL CONSTRAINT record_state_size CHECK (octet_length(state) <= 65536),
    CONSTRAINT record_state_record FOREIGN KEY (n, sum) REFERENCES balcao.record (n, state_sum),
    CONSTRAINT record_state_sum CHECK (
        sum = pg_catalog.sha256(pg_catalog.convert_to(state, 'UTF8'))
    )
);

REVOKE ALL ON ALL TABLES IN SCHEMA balcao FROM PUBLIC;
GRANT USAGE ON SCHEMA balcao TO @operators@;
GRANT SELECT ON balcao.journal, balcao.event, balcao.personal TO @operators@;
-- Neither `written_by` nor `written`: the server fills them in.
GRANT INSERT (n, before, at, key, kind, who, plain, personal_sum, sum, format) ON balcao.event
    TO @operators@;
GRANT INSERT (n, sum, text) ON balcao.personal TO @operators@;
GRANT DELETE ON balcao.personal TO @purgers@;

ALTER TABLE balcao.event ENABLE ROW LEVEL SECURITY;
CREATE POLICY event_read ON balcao.event FOR SELECT TO @operators@ USING (true);
CREATE POLICY event_append ON balcao.event FOR INSERT TO @operators@ WITH CHECK (
    kind <> 'purged' AND format >= (SELECT least_format FROM balcao.journal)
);
CREATE POLICY event_purge ON balcao.event FOR INSERT TO @purgers@ WITH CHECK (
    kind = 'purged' AND format >= (SELECT least_format FROM balcao.journal)
);

-- The two-person rule. If it is on, an attempt can begin only with an approval of a role that did not
-- prepare the withdrawal. The approval names the checksum of the event with the confirmed terms. It
-- must not be taken back, or older than a day. An event that another role put back after the log
-- lost it has the names of two roles: a preparer is neither, and an approver must be both.
CREATE POLICY event_approval ON balcao.event AS RESTRICTIVE FOR INSERT TO @operators@ WITH CHECK (
    kind <> 'attempt_began'
    OR (SELECT least_approvals FROM balcao.journal) = 0
    OR EXISTS (
        SELECT
        FROM balcao.event AS prepared JOIN balcao.event AS approved USING (key)
        WHERE prepared.key = event.key AND prepared.kind = 'prepared'
            AND approved.kind = 'approved'
            AND approved.plain = format(
                '{"n":%s,"terms":"%s"}', approved.number, encode(prepared.sum, 'hex')
            )
            AND approved.written_by = substring(approved.who FROM '^{"role":"([^"\\]*)"')
            AND approved.written_by <> prepared.written_by
            AND approved.written_by IS DISTINCT FROM
                substring(prepared.who FROM '^{"role":"([^"\\]*)"')
            AND approved.written > clock_timestamp() - interval '24 hours'
            AND NOT EXISTS (
                SELECT
                FROM balcao.event AS taken_back
                WHERE taken_back.key = event.key AND taken_back.kind = 'approval_taken_back'
                    AND taken_back.number = approved.number
            )
    )
);

-- The rule can be switched on only if somebody else can approve. All machines learn of a change.
CREATE FUNCTION balcao.on_journal_change() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF new.least_approvals > 0 AND 2 > (
        SELECT count(*)
        FROM pg_roles
        WHERE rolcanlogin AND NOT rolsuper
            AND has_column_privilege(oid, 'balcao.event', 'n', 'INSERT')
            AND oid <> (SELECT relowner FROM pg_class WHERE pg_class.oid = 'balcao.journal'::regclass)
    ) THEN
        RAISE 'approvals need at least two operators with roles of their own';
    END IF;
    PERFORM pg_notify('balcao_event', 'approvals');
    RETURN new;
END $$;
CREATE TRIGGER journal_change BEFORE UPDATE ON balcao.journal
    FOR EACH ROW EXECUTE FUNCTION balcao.on_journal_change();

-- A purger deletes only the personal data of withdrawals that have a `purged` event, which every
-- machine follows.
ALTER TABLE balcao.personal ENABLE ROW LEVEL SECURITY;
CREATE POLICY personal_read ON balcao.personal FOR SELECT TO @operators@ USING (true);
CREATE POLICY personal_append ON balcao.personal FOR INSERT TO @operators@ WITH CHECK (true);
CREATE POLICY personal_purge ON balcao.personal FOR DELETE TO @purgers@ USING (
    EXISTS (
        SELECT FROM balcao.event AS owner JOIN balcao.event AS purged USING (key)
        WHERE owner.n = personal.n AND purged.kind = 'purged'
    )
);

GRANT SELECT ON balcao.record, balcao.record_state TO @operators@;
GRANT INSERT (n, change, kind, row_id, part, who, state_sum, format) ON balcao.record
    TO @operators@;
GRANT INSERT (n, sum, state) ON balcao.record_state TO @operators@;
GRANT DELETE ON balcao.record_state TO @purgers@;

ALTER TABLE balcao.record ENABLE ROW LEVEL SECURITY;
CREATE POLICY record_read ON balcao.record FOR SELECT TO @operators@ USING (true);
CREATE POLICY record_append ON balcao.record FOR INSERT TO @operators@ WITH CHECK (
    format >= (SELECT least_format FROM balcao.journal)
);

-- A purger deletes only the states of rows that were deleted. A deleted link, direct payment or batch
-- stays deleted, even if a machine that did not know of it appended a state later. The lines of a
-- batch are deleted with it, and have no `deleted` records.
ALTER TABLE balcao.record_state ENABLE ROW LEVEL SECURITY;
CREATE POLICY record_state_read ON balcao.record_state FOR SELECT TO @operators@ USING (true);
CREATE POLICY record_state_append ON balcao.record_state FOR INSERT TO @operators@ WITH CHECK (true);
CREATE POLICY record_state_purge ON balcao.record_state FOR DELETE TO @purgers@ USING (
    EXISTS (
        SELECT FROM balcao.record AS owner JOIN balcao.record AS deleted USING (kind, row_id)
        WHERE owner.n = record_state.n AND deleted.part = 'deleted'
            AND (deleted.n > owner.n OR kind IN ('link', 'charge', 'batch'))
    )
    OR EXISTS (
        SELECT FROM balcao.record AS owner, balcao.record AS deleted
        WHERE owner.n = record_state.n AND owner.kind = 'batch_line'
            AND deleted.part = 'deleted' AND deleted.kind = 'batch'
            AND deleted.row_id = substring(state FROM '^{"batch":"([0-9A-F]{32})"')::uuid
    )
);
@grants@
COMMIT;
