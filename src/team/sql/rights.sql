-- The rights that an operator needs, and whether this role has them. Objects are found by their
-- number, because finding them by name would need a right too.
WITH relation AS (
    SELECT pg_class.oid, relname::text AS table_name
    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = 'balcao'
), appended (table_name, column_name) AS (
    VALUES
        ('event', 'n'), ('event', 'before'), ('event', 'at'), ('event', 'key'), ('event', 'kind'),
        ('event', 'who'), ('event', 'plain'), ('event', 'personal_sum'), ('event', 'sum'),
        ('event', 'format'), ('personal', 'n'), ('personal', 'sum'), ('personal', 'text'),
        ('record', 'n'), ('record', 'change'), ('record', 'kind'), ('record', 'row_id'),
        ('record', 'part'), ('record', 'who'), ('record', 'state_sum'), ('record', 'format'),
        ('record_state', 'n'), ('record_state', 'sum'), ('record_state', 'state')
)
SELECT 'USAGE ON SCHEMA balcao' AS name, has_schema_privilege(oid, 'USAGE') AS is_granted
FROM pg_namespace
WHERE nspname = 'balcao'
UNION ALL
SELECT 'SELECT ON balcao.' || table_name, has_table_privilege(oid, 'SELECT')
FROM relation
WHERE table_name IN ('journal', 'event', 'personal', 'record', 'record_state')
UNION ALL
SELECT
    'INSERT (' || column_name || ') ON balcao.' || table_name,
    has_column_privilege(oid, column_name, 'INSERT')
FROM relation JOIN appended USING (table_name)
