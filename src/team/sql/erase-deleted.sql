-- Deletes the states of all rows with a `deleted` record.
DELETE FROM balcao.record_state
USING balcao.record AS owner, balcao.record AS deleted
WHERE owner.n = record_state.n AND deleted.kind = owner.kind AND deleted.row_id = owner.row_id
    AND deleted.part = 'deleted'
