-- The records after number $1, at most $2 of them. Further records are left out if the states before
-- them have $3 bytes or more.
SELECT n, change, kind, row_id, part, who, state, written_by
FROM (
    SELECT *, coalesce(sum(octet_length(state)) OVER before, 0) AS bytes_before
    FROM (
        SELECT
            record.n, record.change, record.kind, record.row_id, record.part, record.who,
            record_state.state, record.written_by
        FROM balcao.record LEFT JOIN balcao.record_state ON record_state.n = record.n
        WHERE record.n > $1
        ORDER BY record.n
        LIMIT $2
    ) AS page
    WINDOW before AS (ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
) AS counted
WHERE bytes_before < $3
ORDER BY n
