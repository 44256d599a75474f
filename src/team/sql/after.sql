-- The events after number $1, at most $2 of them.
SELECT
    event.n, event.at, event.key, event.kind, event.plain, personal.text, event.personal_sum,
    event.who, event.written_by, event.sum
FROM balcao.event LEFT JOIN balcao.personal ON personal.n = event.n
WHERE event.n > $1
ORDER BY event.n
LIMIT $2
