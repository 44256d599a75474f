-- Wakes the other machines.
SELECT pg_catalog.pg_notify('balcao_event', $1)
