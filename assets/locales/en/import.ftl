# Links from a file, in the app.

header-batch = batch { $done } of { $all }
    .paused = batch stopped: { $done } of { $all }
links-filter-batch = only the newest batch

# The file
import-title = Import links
import-what = A CSV file with the columns amount and description and, if you like, domain and note. Tab completes the path; you can also paste or drop the file.
import-check = Check the file
field-import-file = File
field-import-unit = The amount is
import-choose-unit = choose
import-reading = reading the file
import-unreadable = The file could not be read: { $why }
import-outdated = Check the file again: it or the result file has changed.
import-unfinished = A batch of this file was begun { $when }, with { $n ->
    [one] 1 line
   *[other] { $n } lines
} to send. { $key } opens the batch.
import-newest = Newest batch: { $when }. { $key } opens it.
import-newest-waiting = Newest batch: { $when }, with { $n ->
    [one] 1 line
   *[other] { $n } lines
} to send. { $key } opens it.
import-more-names = { $n ->
    [one] and 1 more name
   *[other] and { $n } more names
}
said-no-such-file = No file begins like this.

# The check
import-check-title = Check before you create
import-result = The result will be in { $file }
import-storing = storing the batch
import-faults = { $n ->
    [one] 1 line with a problem is left out:
   *[other] { $n } lines with a problem are left out:
}
import-existing = { $n ->
    [one] 1 link exists already and will not be created again. { $key } includes it.
   *[other] { $n } links exist already and will not be created again. { $key } includes them.
}
    .again = { $n ->
    [one] 1 link exists already and will be created again. { $key } leaves it out.
   *[other] { $n } links exist already and will be created again. { $key } leaves them out.
}
import-line = line { $line }
import-more-lines = { $n ->
    [one] and 1 more line; the result file has all
   *[other] and { $n } more lines; the result file has all
}

# The batch
batch-title = Batch of links
batch-ended = you ended the batch
import-made = Created
import-waiting = To send
import-refused = Refused
import-unknown = No answer
import-skipped = Left out
import-file = File
import-result-file = Result
import-stopping = Stopping: one link has not been answered yet.
import-slowed = The service asked to slow down. The batch continues by itself.
import-finished = Finished.
import-stopped = { $n ->
    [one] Stopped: 1 line is left. { $key } continues.
   *[other] Stopped: { $n } lines are left. { $key } continues.
}
import-elsewhere = { $n ->
    [one] 1 line is left.
   *[other] { $n } lines are left.
} Only the computer { $machine } continues or ends this batch.
import-paused-login = Stopped: the service does not accept the login. { $login } logs in; then { $key } continues.
import-paused-failures = Stopped: three lines in a row failed. See the reason; { $key } continues.
import-paused-team = Stopped: no connection to the team's database. Once it is back, { $key } continues.
import-broken = Stopped: { $why }
import-no-result = The result file could not be written: { $why }
import-failed = { $n ->
    [one] 1 line without a link
   *[other] { $n } lines without a link
}
import-unknown-hint = A link without an answer may exist. Check in your account; if it does not exist, { $key } puts the line back into the batch.

said-batch-finished = ✓ Batch finished. { $key } in Links shows the result.
said-batch-paused = The batch stopped. In Links, { $key } shows the reason.
said-batch-login = The batch stopped: the service does not accept the login. Log in again and continue.
said-batch-other-account = This batch belongs to another account. Log in to it to continue.
clip-addresses = the addresses of the batch
    .copied = ✓ Addresses of the batch copied.

ask-create-links = The links are created one by one, up to 5 a second. You can stop at any time.
    .title = Create the links?
    .back = Back
    .do = Create the links
ask-create-links-faults = { $n ->
    [one] 1 line with a problem is left out.
   *[other] { $n } lines with a problem are left out.
}
ask-create-links-existing = { $n ->
    [one] 1 link that exists already will be created again.
   *[other] { $n } links that exist already will be created again.
}
ask-create-links-skipped = { $n ->
    [one] 1 link that exists already is left out.
   *[other] { $n } links that exist already are left out.
}
ask-line-again = The link of line { $line } may exist already: the service did not answer. If it exists, this will be a second equal link.
    .title = Create this link again?
    .back = Leave it
    .do = Create again
ask-end-batch = { $n ->
    [one] 1 line that was not sent yet will not be sent. The created links stay.
   *[other] { $n } lines that were not sent yet will not be sent. The created links stay.
}
    .title = End the batch?
    .back = Keep it
    .do = End the batch
ask-leave-batch = A batch of links is being sent. balcão waits for the reply to the link on its way, and closes. The other lines stay for later.
    .title = Stop the batch and leave?
    .back = Stay
    .do = Stop and leave
