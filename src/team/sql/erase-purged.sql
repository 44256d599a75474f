-- Deletes the personal data of all withdrawals with a `purged` event.
DELETE FROM balcao.personal
USING balcao.event AS owner, balcao.event AS purged
WHERE owner.n = personal.n AND purged.key = owner.key AND purged.kind = 'purged'
