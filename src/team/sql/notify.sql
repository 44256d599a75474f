-- Wakes the other machines. The transaction writes no row, so it waits neither for the disk nor for a
-- standby.
SELECT pg_catalog.pg_notify('balcao_event', $1)
