-- The settings that durability depends on, and whether this role can do more than an operator.
WITH relation AS (
    SELECT pg_class.oid, relname, relowner
    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = 'balcao' AND relkind = 'r'
)
SELECT
    current_setting('server_version') AS version,
    current_setting('server_version_num')::integer AS version_number,
    current_setting('fsync') AS fsync,
    current_setting('full_page_writes') AS full_page_writes,
    (SELECT reset_val FROM pg_settings WHERE name = 'synchronous_commit') AS synchronous_commit,
    current_setting('synchronous_standby_names') AS synchronous_standbys,
    (SELECT count(*) FROM pg_stat_replication) AS standbys,
    (SELECT count(*) FROM pg_stat_replication WHERE state IS NULL) AS hidden_standbys,
    (SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum'))
        AS in_step_standbys,
    (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = session_user) AS is_superuser,
    EXISTS (SELECT FROM relation WHERE pg_has_role(relowner, 'MEMBER')) AS is_owner,
    EXISTS (
        SELECT FROM relation
        WHERE CASE relname
            WHEN 'event' THEN
                has_table_privilege(oid, 'INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER')
                OR has_any_column_privilege(oid, 'UPDATE')
                OR has_column_privilege(oid, 'written_by', 'INSERT')
                OR has_column_privilege(oid, 'written', 'INSERT')
            WHEN 'record' THEN
                has_table_privilege(oid, 'INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER')
                OR has_any_column_privilege(oid, 'UPDATE')
                OR has_column_privilege(oid, 'written_by', 'INSERT')
                OR has_column_privilege(oid, 'written', 'INSERT')
            WHEN 'record_state' THEN
                has_table_privilege(oid, 'UPDATE, TRUNCATE, TRIGGER')
                OR has_any_column_privilege(oid, 'UPDATE')
            WHEN 'personal' THEN
                has_table_privilege(oid, 'UPDATE, TRUNCATE, TRIGGER')
                OR has_any_column_privilege(oid, 'UPDATE')
            WHEN 'journal' THEN
                has_table_privilege(oid, 'DELETE, TRUNCATE, TRIGGER')
                OR has_any_column_privilege(oid, 'INSERT, UPDATE')
            ELSE false
        END
    ) AS can_change
