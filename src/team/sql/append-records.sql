-- Appends records with their states, all or none. A record's predecessor may be in the same statement:
-- foreign keys are checked at its end.
WITH given AS (
    SELECT *
    FROM unnest(
        $1::bigint[], $2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::text[], $7::text[]
    ) AS given (n, change, kind, row_id, part, who, state)
), appended AS (
    INSERT INTO balcao.record (n, change, kind, row_id, part, who, state_sum, format)
    SELECT
        n, change, kind, row_id, part, who, sha256(convert_to(state, 'UTF8')), $8::integer
    FROM given
    ORDER BY n
    RETURNING n, state_sum
)
INSERT INTO balcao.record_state (n, sum, state)
SELECT n, state_sum, state
FROM appended JOIN given USING (n)
WHERE state IS NOT NULL
