-- Prepares a session. Names are found only in the system's catalogue, so that no function of
-- another user can take the place of one of the server's.
SET search_path = pg_catalog, pg_temp;
SET synchronous_commit = on;
SET statement_timeout = '8s';
SET lock_timeout = '8s';
SET client_min_messages = warning;
-- A quiet listener is no reason to end the session. Servers before version 14 lack the setting.
SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'idle_session_timeout';
