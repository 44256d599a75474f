-- Appends events with their personal data, all or none. A row's predecessor may be in the same
-- statement: foreign keys are checked at its end. Personal data is inserted only after its event, so
-- that a row with a used number violates the constraint of the event and no other.
WITH given AS (
    SELECT *
    FROM unnest(
        $1::bigint[], $2::bytea[], $3::bigint[], $4::uuid[], $5::text[], $6::text[], $7::text[],
        $8::text[], $9::bytea[], $10::bytea[]
    ) AS given (n, before, at, key, kind, who, plain, personal, personal_sum, sum)
), appended AS (
    INSERT INTO balcao.event (n, before, at, key, kind, who, plain, personal_sum, sum, format)
    SELECT n, before, at, key, kind, who, plain, personal_sum, sum, $11::integer
    FROM given
    ORDER BY n
    RETURNING n
)
INSERT INTO balcao.personal (n, sum, text)
SELECT n, personal_sum, personal
FROM appended JOIN given USING (n)
WHERE personal IS NOT NULL
