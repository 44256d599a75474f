-- The facts about the server that decide whether its journal may be used. Each new line of servers
-- ("timeline") begins when a standby takes over.
SELECT
    (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now,
    pg_backend_pid() AS backend,
    pg_is_in_recovery() AS is_standby,
    current_setting('server_encoding') AS encoding,
    CASE
        WHEN pg_is_in_recovery() THEN '0'
        ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)
    END AS timeline
