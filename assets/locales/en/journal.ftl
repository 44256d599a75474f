# Problems of the withdrawal journal, and the commands for it.
banner-locked = Withdrawals are locked on this computer: key { $key } says why and what to do
banner-history = Incomplete history: key { $key } says why
locked-open = What is open stays in the list, only to look at: check it in your account.
locked-none-open = According to the journal, no withdrawal is open.
locked-not-known = It is not known from here whether a withdrawal is open: check your account before you withdraw by other means.
locked-until = Until you open balcão again, withdrawals are only to look at.
locked-folder = Folder:
locked-commands = To see more: balcao journal verify · balcao journal export

# balcao journal verify
verify-healthy = The withdrawal journal is intact.
verify-ahead = The file money.db has one event more than money.head: a window was closed while writing, or is writing now. Harmless: the next write puts it right.
journal-copy = A write was cut short. What is shown here was read in a temporary copy, as it was before that write; the original was not touched. The next start of balcão undoes that write.
verify-file = journal
verify-last = last event
verify-sum = checksum
verify-count = withdrawals
verify-prepared = { $n } prepared
verify-sending = { $n } being sent
verify-unknown = { $n } with outcome unknown
verify-accepted = { $n } accepted
verify-rejected = { $n } refused
verify-needs-person = { $n } to check in your account
verify-mismatch = { $n } with a contradictory reply
verify-discarded = { $n } discarded
verify-resolved-paid = { $n } paid (declared by you)
verify-resolved-not-paid = { $n } not paid (declared by you)
verify-none-here = There is no withdrawal journal in this folder. If there should be one, check the folder before you withdraw.
verify-backup = Before you touch anything, keep a copy of the whole folder.

# balcao journal export
export-personal = Careful: what comes out contains personal data (Pix keys, names). Keep and send it with care.
export-until = { $n ->
    [0] No event could be read.
    [one] Only the first event could be read; the rest did not come out.
   *[other] Only the first { $n } events could be read; the rest did not come out.
}
export-whole = { $n ->
    [one] { $n } event.
   *[other] { $n } events.
}

# balcao data export
export-rows = { $rows }.
export-no-rows = There are no links, charges or nicknames on this computer.
rows-links = { $n ->
    [one] { $n } link
   *[other] { $n } links
}
rows-charges = { $n ->
    [one] { $n } charge
   *[other] { $n } charges
}
rows-nicknames = { $n ->
    [one] { $n } nickname
   *[other] { $n } nicknames
}
rows-requests = { $n ->
    [one] { $n } request
   *[other] { $n } requests
}
rows-batches = { $n ->
    [one] { $n } batch of links
   *[other] { $n } batches of links
}

# balcao journal forget-missing, balcao journal set-aside
forget-means = balcão remembers that there was a withdrawal journal in { $dir }, and it is not there.
    If you go on, the withdrawals made before are no longer known on this computer. If one was left open, balcão will not tell you any more, and nothing here keeps you from making the same one again.
    Check your account, now, for open withdrawals. If you can still bring the folder back, do not go on.
forget-replace = balcão remembers a withdrawal journal that is no longer where it was, and the one in { $dir } is another one, or an old copy of it.
    If you go on, the journal in { $dir } becomes the one in use. Withdrawals that were only in the other one are no longer known on this computer. If one was left open, balcão no longer says so, and nothing here keeps you from making the same withdrawal again.
    Check in your account, now, whether a withdrawal is open. If you can still bring the other one back, do not go on.
forget-done = Done. Next time balcão begins a new journal in that folder.
forget-nothing = There is nothing to forget: neither the keyring nor the configuration remembers a journal in { $dir }.
forget-there = There are files of the journal in { $dir }. This command is only for when none is left. Look first: balcao journal verify
make-live-means = The journal in use on this computer is in { $other }.
    If you go on, the journal in { $dir } becomes the one in use, and the other one is locked. Withdrawals that are only in the other one are not known here: nothing keeps you from making the same withdrawal again.
    Check in your account, now, the withdrawals made with the other one. If this one is a copy of it, do not go on.
    .unmarked = Neither the keyring nor the configuration remembers the journal in { $dir }: their record may have been deleted, and this journal may be an old copy.
    If you go on, it becomes the journal in use on this computer. Withdrawals that are missing in it are not known here: nothing keeps you from making the same withdrawal again.
    Check in your account, now, whether its last withdrawal is the last one you made. If it is not, do not go on.
    .other-machine = The journal in { $dir } was in use on another computer or in another container.
    If you go on, it becomes the journal in use on this computer. Withdrawals made later on the other one are not known here: nothing keeps you from making the same withdrawal again.
    Check in your account, now, whether the last withdrawal in this journal is the last one you made. If the other one stays in use, do not go on.
make-live-done = Done. The journal in use is the one in { $dir }.
make-live-is = The journal in { $dir } is already the one in use on this computer.
set-aside-means = The withdrawal journal in { $dir } is damaged.
    If you go on, its files move as they are to a folder beside it; nothing is deleted. The withdrawals made before are no longer known on this computer. If one was left open, balcão will not tell you any more, and nothing here keeps you from making the same one again.
    Check your account, now, for open withdrawals. If you have a backup made after the last withdrawal, do not go on: put the backup back.
set-aside-done = Done. The files are in { $to }. Next time balcão begins a new journal.
set-aside-marked = The keyring or the configuration still remembers the old journal: it could not be changed now. If balcão says that the journal is gone, run: balcao journal forget-missing
set-aside-healthy = The withdrawal journal in { $dir } is intact and stays where it is.
set-aside-in-flight = A withdrawal is being sent now. Wait for its result and run this again.
type-name = To go on, type { $name } and press Enter. Anything else cancels:
given-up = Nothing has changed.

# balcao data purge
purge-will = The data from before { $date } will be deleted forever:
purge-withdrawals = { $n ->
    [one] { $n } closed withdrawal: Pix key, content of the request and replies of the service. Amount, dates and result stay.
   *[other] { $n } closed withdrawals: Pix key, content of the request and replies of the service. Amount, dates and result stay.
}
purge-history = { $rows }: everything.
purge-copy = { $name }, the copy from before an update: everything.
purge-log = { $name }, the log: everything.
purge-kept = Withdrawals that are open, prepared, or closed within the last 24 hours stay as they are.
purge-nothing = There is nothing to delete from before { $date }.
purge-ask = Delete? Type yes and press Enter. Anything else cancels:
purge-yes = yes
purge-wants-yes = There is no terminal to ask on: run this again with --yes.
purge-done = { $n ->
    [one] Done. The journal was verified: { $n } event, in order.
   *[other] Done. The journal was verified: { $n } events, all in order.
}
purge-done-history = Done.
purge-held = An open window was using the files, and remains of what was deleted may still be in those that end with .db-wal. Close balcão and run this again.
purge-aside = What is kept aside was not touched: { $name }

# More than one withdrawal journal: which one is live
make-live-title = Use this withdrawal journal
make-live-here = This one:
make-live-what = Withdrawals that are only in the journal in use will not be known here and could leave again: check in your account first. The other journal stays where it is, locked.
    .unmarked = If this is an old copy, withdrawals that are missing in it could leave again: check in your account first whether the last one is the last you made.
    .other-machine = Withdrawals made later on the other computer are not known here and could leave again: check in your account first, and make no more on the other one.
make-live-type = To use this one, type its path.
make-live-submit = Use this journal
make-live-wait = Changing the journal
make-live-key = { $key } makes this the journal in use.
field-journal-path = Path
field-differs = That is not the path above.
