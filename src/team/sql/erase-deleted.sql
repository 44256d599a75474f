-- Deletes the states of all rows that were deleted, among the records after number $1, up to number
-- $2. The conditions are those of the policy `record_state_purge`. They are repeated here, because an
-- owner of the table has no policies.
DELETE FROM balcao.record_state
USING balcao.record AS owner
WHERE owner.n = record_state.n AND record_state.n > $1 AND record_state.n <= $2 AND (
    EXISTS (
        SELECT FROM balcao.record AS deleted
        WHERE deleted.kind = owner.kind AND deleted.row_id = owner.row_id
            AND deleted.part = 'deleted'
            AND (deleted.n > owner.n OR owner.kind IN ('link', 'charge', 'batch'))
    )
    OR owner.kind = 'batch_line' AND EXISTS (
        SELECT FROM balcao.record AS deleted
        WHERE deleted.kind = 'batch' AND deleted.part = 'deleted'
            AND deleted.row_id = substring(state FROM '^{"batch":"([0-9A-F]{32})"')::uuid
    )
)
