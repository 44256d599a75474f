# Failures: what happened, whether money moved, and what to do now (.next).

# Failures before anything was sent.
not-sent-busy = Another withdrawal of this account was being sent, here or in another window.
    .attempt = another withdrawal was being sent
    .next = Wait for its result and try again.
not-sent-journal = The withdrawal journal could not be written before sending.
    .attempt = could not be recorded here
    .next = Check that the disk has room and that balcão's folder can be written. Then try again.
not-sent-no-credential = The credential for this is missing.
    .attempt = the API token is missing
    .next = Log in and try again.
not-sent-other-account = This withdrawal belongs to another account.
    .attempt = the token belongs to another account
    .next = Log in to the account it was made in and try again.
not-sent-vault = The keyring did not hand over the credential.
    .attempt = the keyring did not answer
    .next = Unlock the keyring and try again.
not-sent-dns = The address of the service was not found.
    .attempt = service not found (DNS)
    .next = Check that you are online, and the address of the service in Account.
    .command = Check that you are online, and the address of the service: `base-url` in config.toml, or --base-url.
not-sent-connect = Could not connect to the service.
    .attempt = no connection to the service
    .next = Check that you are online and try again in a moment.
not-sent-tls = The identity of the service could not be confirmed.
    .attempt = identity not confirmed (TLS)
    .next = Do not keep trying. Check the address of the service and this computer's clock. If the service or your network has a certificate of its own, name its file in `ca-file`, in the profile.
not-sent-not-safe = This withdrawal has changed since the screen was opened.
    .attempt = it was no longer safe to send
    .next = Open it again and see what you can safely do now.
not-sent-headers = The request was not sent: the header for the withdrawal's code has another use.
    .attempt = the header for the code is not usable
    .next = Sending again will not help. Check your account, and close this withdrawal here.
not-sent-not-agreed = You have not accepted this profile's service format yet.
    .attempt = the service format was not accepted
    .next = balcão shows the lines: read to the end and accept them. Then you can send.
not-sent-read-only = balcão was opened read-only.
    .attempt = balcão was open read-only
    .next = To send it, leave and open without --read-only.
not-sent-unproven = This address is no longer the sandbox: nothing more is sent.
    .attempt = the address was no longer the sandbox
    .next = Check what answers at this address. Then leave balcão and open it again.
not-sent-body-changed = The stored request is no longer what was confirmed.
    .attempt = the recorded request changed
    .next = Leave balcão's files as they are and ask for help.
blocked-key-known = This withdrawal is already recorded. Nothing was recorded again.
    .next = Open Withdrawals and see what you can do with it.
blocked-no-such-key = This withdrawal is not in the withdrawal journal in use.
    .next = Open Withdrawals and see the ones that are there.
blocked-empty-body = The request of this withdrawal is empty.
    .next = Look at the service format of this profile and review it again.
blocked-retyped-differs = The amount typed again is not the amount of this withdrawal.
    .next = Review it again and type the same amount.
blocked-window-over = The time in which this withdrawal can safely be sent again is over.
blocked-too-many = This withdrawal was already sent as many times as is safe with the same code.
blocked-clock = The computer was restarted or its clock was set back: it is not known how much time has passed since the attempt.
too-soon = It cannot be resent yet: the service may still be working on the previous attempt. { $left } to go.
    .next = Wait for the countdown; meanwhile, check your account.

sent-elsewhere = Another computer of the team may be sending a withdrawal. { $left } to go.
    .by = { $who } may be sending a withdrawal. { $left } to go until you can decide.
    .next = Wait for the countdown, or for that withdrawal's result.

unapproved = This withdrawal needs the approval of somebody else of the team.
    .next = Ask for the approval, then send it again.

server-changed = The team's database moved to another server, and a computer of the team may be sending a withdrawal. { $left } to go.
    .next = Wait for the countdown and try again.

no-credential-api-token = You need to be logged in for this.
    .next = Log in and try again.
no-credential-jwt = The JWT for links is needed for this.
    .next = Paste the JWT in Account and try again.

not-a-jwt = This is not a JWT: a JWT has parts separated by dots, and begins with “eyJ”.
    .next = Copy the whole JWT again, without “Bearer” and without quotes, and paste it here.

no-answer-timeout = The service did not answer in time.
no-answer-cut = The connection ended before the whole reply arrived.
no-answer-left = You stopped waiting for the reply.
no-answer-too-large = The reply is too large for balcão to read.
no-answer-encoded = The reply came compressed (Content-Encoding); balcão does not ask for that and cannot read it.
no-answer-not-http = The head of the reply cannot be read: it has more than 100 lines, or is not HTTP.

no-entry-login = The service did not accept this login ({ $status }).
    .next = Check what you typed and try again.
no-entry-api-token = The service did not accept the API token ({ $status }).
    .next = Log in again.
no-entry-jwt = The service did not accept the JWT for links ({ $status }).
    .next = Paste a new JWT in Account.
no-entry-none = The service denied access ({ $status }).
    .next = Log in and try again.

refused = The service refused ({ $status }).
    .next = Read what it says and change what you typed.
refused-question = The service answered { $status } and did not send what was asked for.
refused-problem = The service has a problem ({ $status }).
    .fee = The service has a problem ({ $status }) and did not give the fee.
refused-unclear = The service answered { $status }; that does not say whether it acted.
refused-contradicted = The service answered { $status } and said that it refused, but also sent what was asked for.
redirected = The service redirected the request ({ $status }); balcão did not follow.
    .next = The address of the service in Account is probably wrong. Check it before you try again.
    .command = The address of the service is probably wrong. Check `base-url` in config.toml, or --base-url, before you try again.
unreadable = What was asked for was not found in the reply.
    .next = Teach where to look, or read the whole reply in Requests.
    .command = Open balcão and log in there: the screen shows the whole reply and lets you teach where to look.
unreadable-untold = { unreadable }
    .next = Read the whole reply in Requests.
unreadable-status = The service answered { $status }: balcão does not know whether that means yes.
unreadable-token = The API token was not found in the reply.
unreadable-domains = The list of domains was not found in the reply.
unreadable-pages = The list of domains has more pages than balcão reads.
unreadable-page = The rest of the list of domains was not found.
unreadable-page-elsewhere = The rest of the list of domains is at another address. It was not requested, because the credential would go along.
unreadable-link = The address of the link was not found in the reply.
unreadable-code = The Pix code was not found in the reply.
unreadable-charge = The identifier of the charge was not found in the reply.
unreadable-fee = The fee was not found in the reply.
cancelled = You cancelled.
    .next = Try again whenever you like.

typed-stays = What you typed is still here.

quote-service = The service says:
quote-hint = The service suggests:
quote-location = The address it gave:
quote-body = The service's reply:
quote-detail = Detail:

# Whether the service may have acted: added to a failure.
moved-not-sent = Nothing was sent.
moved-not-sent-withdrawal = Nothing was sent: no money has moved.
moved-no = Nothing changed in your account.
moved-no-link = The link was not created.
moved-no-charge = The charge was not created.
moved-no-withdrawal = No money has moved in this attempt.
moved-maybe = It was only a query: that moves no money.
moved-maybe-login = Logging in moves no money.
moved-maybe-link = The link may have been created.
moved-maybe-charge = The charge may have been created.
moved-maybe-withdrawal = The money may have moved.

next-read = Try again in a moment.
next-link = Before you try again, check in your account at the service whether it exists.
next-charge = Before you try again, check in your account at the service whether it exists.
next-withdrawal = Do not make another withdrawal like it. Open this one in Withdrawals and see what you can safely do.

# The vault of the credentials.
vault-absent = No keyring is available on this computer.
vault-locked = The keyring is locked.
vault-hangs = The keyring did not answer.
vault-denied = This computer's kernel, or the container balcão runs in, does not allow keeping keys.
    .next = Use another place (--vault keyring or memory), or run balcão outside the container.
vault-no-helper = The command that keeps the credentials was not found, or cannot be run.
    .next = Check `vault-helper` in config.toml: a whole path, or the name of a program on PATH. Or keep it in memory only until you leave the program.
vault-helper-hangs = The command that keeps the credentials did not answer in time and was ended.
    .next = It may be waiting for a password: unlock what it uses in another window and try again. Or keep it in memory only until you leave the program.
vault-helper-failed = The command that keeps the credentials reported an error.
    .next = Run the command in another window to see what it needs (unlocking, perhaps) and try again. Or keep it in memory only until you leave the program.
vault-read-only = The credentials come from the environment (BALCAO_TOKEN and BALCAO_JWT): nothing is kept or deleted here.
    .next = To use others, change the variables and open balcão again. To log in with a password, open it without --vault env.
vault-several = The keyring has several different credentials with one name.
    .next = Log in again: the new login replaces all of them by one. Or remove the repeated ones in the keyring's own program.
vault-other = The keyring reported an error.
vault-moved = Nothing was kept. That moves no money.
    .logout = The login may still be in the keyring. That moves no money.
vault-next = Unlock or install a keyring, or keep it in memory only until you leave the program.
    .command = Unlock or install a keyring, or choose another place with --vault.
    .logout = Unlock the keyring and log out again, or remove the login in the keyring's own program.

# The journal of the withdrawals.
journal-damaged = The withdrawal journal is damaged.
    .next = Do not delete or change the files. Keep a copy of the folder and ask for help.
    .way = Leave and put money.db and money.head back together, from the same backup. Only a backup made after the last withdrawal will do.
    .else = Without such a backup: check in your account what was paid and run “balcao journal set-aside”. The files are kept aside, and then balcão begins a new journal.
journal-missing = The withdrawal journal was here and is gone.
    .next = If you moved the folder, bring it back. An old copy will not do: withdrawals may be missing in it.
    .way = If you moved the folder, leave and bring it back. From a backup, put money.db and money.head back together; only one made after the last withdrawal will do.
    .else = If it will not come back: check in your account for open withdrawals and run “balcao journal forget-missing”. Only then will balcão use another journal.
journal-maybe-missing = The keyring did not confirm which withdrawal journal is this computer's.
    .next = Unlock the keyring and refresh the list of withdrawals: balcão asks it again.
    .way = Unlock this computer's keyring and refresh this list: balcão asks it again, and you need not leave.
    .else = If you never made a withdrawal on this computer: leave and open “balcao --vault memory”. balcão then uses the usual folder without asking the keyring.
journal-elsewhere = Another withdrawal journal is in use on this computer.
    .folder = In use:
    .next = In Withdrawals, see where it is.
    .way = If this one is a copy, leave and open balcão with the folder of the journal in use (BALCAO_STATE_DIR). With two journals, the same withdrawal could leave twice.
    .else = If this is the one that counts: check in your account the withdrawals made with the other one, close its windows and run “balcao journal make-live”.
journal-unmarked = Nothing on this computer confirms that this is the withdrawal journal in use: it may be an old copy.
    .next = In Withdrawals, see which withdrawal is its last one.
    .way = Check in your account whether its last withdrawal is the last one you made. If so, run “balcao journal make-live”.
    .else = If a withdrawal is missing, do not use this journal: leave and put money.db and money.head back together, from a backup made after the last withdrawal.
journal-other-machine = This withdrawal journal was in use on another computer or in another container.
    .next = In Withdrawals, see which withdrawal is its last one.
    .way = If the other one makes no more withdrawals, check in your account whether the last withdrawal in this journal is the last one you made. If so, run “balcao journal make-live”.
    .else = If the other one stays in use, use another folder on this computer (BALCAO_STATE_DIR). With the same journal on both, the same withdrawal could leave twice.
# What is in a journal that may be an old copy.
journal-contents = { $n ->
    [one] { $n } withdrawal, { $open } open; made on { $last }
   *[other] { $n } withdrawals, { $open } open; the last on { $last }
}
    .label = Contains:
journal-older = { $n ->
    [one] { $n } event is missing at the end of the withdrawal journal: an old copy took its place.
   *[other] { $n } events are missing at the end of the withdrawal journal: an old copy took its place.
}
journal-other-version = Another version of balcão wrote the journal (format { $found }; this one uses { $known }).
    .next = Use the version of balcão that wrote the journal.
    .way = Leave and open the journal with the version of balcão that wrote it. This version neither reads nor changes the journal.
journal-io = The withdrawal journal could not be opened, read or written.
    .next = Check that the disk has room and that the folder can be written. Then start balcão again.
    .way = Check that the disk responds, has room, and lets you write in the folder. Then leave and open balcão again.
journal-read-only = balcão cannot write to the withdrawal journal: permission is missing, or the disk is read-only.
    .next = Give your user permission to write in the journal's folder and open balcão again.
    .way = Give your user permission to write in the folder and its files, or make the disk writable. Then leave and open balcão again.
journal-full = There is no room on the disk to write the withdrawal journal.
    .next = Make room on the disk and open balcão again.
    .way = Make room on the folder's disk, or raise your quota, without deleting anything in the folder. Then leave and open balcão again.
journal-not-private = The folder of the withdrawal journal is not yours alone: somebody else could change its files.
    .next = Use a folder that only you can change, and open balcão again.
    .way = If the folder is yours, remove other users' permission to write in it (chmod go-w). If it belongs to another user, or to everybody, such as /tmp, choose another one. Then leave and open balcão again.
journal-network = The withdrawal journal is on a network disk.
    .next = To make new withdrawals, put the folder on a disk of this computer.
    .way = No new withdrawal is made here: on a network disk two computers may pay the same one. Those in the list can be resent and settled. To make new withdrawals, put the folder on a disk of this computer (BALCAO_STATE_DIR).
journal-busy = Another window or another program has been using the withdrawal journal for too long.
    .next = Wait a moment or close the other windows of balcão, and try again.
    .way = Close the other windows of balcão and the program that copies or syncs the folder. Then refresh the list of withdrawals: balcão tries again, and you need not leave.
journal-offline = The team's database cannot be reached.
    .next = Check the connection and try again.
    .way = Check this computer's connection to the team's database. Then refresh the list of withdrawals: balcão tries again, and you need not leave.
journal-doubt = The connection to the team's database dropped during a write.
    .next = Refresh the list of withdrawals, and see there what was recorded.
    .way = Check this computer's connection to the team's database. Then refresh the list of withdrawals: balcão tries again, and you need not leave.
journal-refused = The team's database refused the request.
    .next = Show this to the database's administrator.
    .way = Show this to the database's administrator: a permission may be missing. Then refresh the list of withdrawals: balcão tries again, and you need not leave.
journal-lost-approval = The team's database lost an attempt that was approved, and does not record it again without the approval.
    .next = The database's administrator switches the approval off for a moment: balcao team init --approvals 0
    .way = The database's administrator switches the approval off (balcao team init --approvals 0), waits until each computer has connected, and switches it on again (--approvals 1). Until then, do not withdraw on any computer.
journal-forked = { $n ->
    [one] The team's database lost { $n } event that this computer has seen.
   *[other] The team's database lost { $n } events that this computer has seen.
}
    .next = Do not withdraw on any computer until the database's administrator has found out what is missing.
    .way = Check in your account what was paid, and ask the database's administrator for the events that are missing. This computer keeps them.
journal-moved-network = Nothing was sent. No money moved.
journal-moved = Withdrawals are locked, so that none is paid twice. The rest works.
journal-moved-busy = Nothing was sent now. While this lasts, no withdrawal leaves.
journal-moved-doubt = Nothing was sent now. It is not certain that it was recorded.
unrecorded = The result of attempt { $n } may not have been recorded in the withdrawal journal: { $end }, { $class }.
    .next = Write it down: once you leave this screen, balcão may no longer know it.
    .held = balcão keeps trying to record it for as long as it is open: close its other windows, and the program that copies or syncs the folder. Before you leave, write it down.
    .kept = The result is kept on this computer, and balcão records it as soon as the team's database answers.

# The history of links and charges.
history-next = Check that the disk has room and that the folder can be written, and try again. If it still fails, leave and open balcão again.
    .older-version = Open balcão: it updates the history and keeps a copy. If it refuses, use the version of balcão that wrote the history.
    .other-version = Use the version of balcão that wrote the history.
    .damaged = When balcão is opened, it keeps the damaged file aside and starts another. If you have a copy of history.db, put it in place first.
    .missing = If you have a copy of history.db, put it in that folder. Otherwise open balcão, which starts another.

# The fee preview.
quote-missing = The service gave neither the fee nor the net amount.
quote-sum = The service's figures do not add up: of { $amount }, fee { $fee } and net { $net }.
quote-range = The fee the service gave is not plausible: { $fee } on { $amount }.
quote-unreadable-fee = The service gave an unreadable fee.
quote-unreadable-net = The service gave an unreadable net amount.
quote-other = The service's reply is about another amount: { $said } instead of { $amount }.
quote-other-unreadable = The service's reply is about another, unreadable amount instead of { $amount }.
quote-moved = It was only a query: that moves no money.
quote-next = Fetch the fee again. If it stays like this, talk to the service before you withdraw.

# Errors of a form field.
field-missing = fill this in
field-ambiguous = Is it { $first } or { $second }? Type it with a comma.
field-not-an-amount = not an amount in reais
field-at-least = at least { $limit } characters
field-at-most = at most { $limit } characters
field-characters = takes only { $allowed }
field-control = has a character that is not accepted here
field-choice = choose one of the options
field-choose = choose
field-by-key = follows from the key
field-positive = must be more than zero
field-centavo = has more than two decimal places
field-other-key = looks like a Pix key, which goes only in its own field
field-second-amount = looks like an amount of money, which goes only in its own field
field-too-long = { $limit } at most
pix-empty = fill in the key
pix-no-kind = not a Pix key that works here: check it or choose its type
pix-length = has { $got } characters; it needs { $want }
pix-digits = digits only
pix-letters-or-digits = letters and digits only
pix-check-letters = the last two must be digits
pix-check = not a { $kind }: the check digits do not match
pix-same = the same digit repeated is not valid
pix-phone-length = has { $got } digits; with the area code 10 or 11
pix-area-code = no such area code
pix-mobile = a mobile begins with 9 after the area code
pix-ten-digits = mobiles have 9 digits after the area code; landlines begin with 2 to 5
pix-phone = begin with + and the country code
pix-email = not an e-mail address
pix-email-long = has { $got } characters; the most is 77
pix-random = not a random key
pix-service-number = numbers such as 0800 and 0300 are not Pix keys
pix-extra-text = there is other text: leave only the key
pix-other-label = another key type is written there: check it
pix-code = this is a Pix code, not a key

# Another withdrawal blocks this one: nothing was sent.
clash-mismatch = The service's reply to another withdrawal does not match the request: { $amount } to { $to }.
    .refused = The service's reply to a withdrawal does not match the request. Settle that one first: until then, no other withdrawal leaves this account.
    .next = Settle that one first: until then, no other withdrawal leaves this account.
clash-same-open = The same withdrawal is open already: { $amount } to { $to }.
    .refused = The same withdrawal is open: same amount, same destination. Settle that one first.
    .next = Settle that one first.
clash-other-open = Another withdrawal is open: { $amount } to { $to }.
    .refused = Another withdrawal is open: this may be a second payment.
    .next = This could be a second payment. Settle that one first, or discard this one and make a new one.
clash-same-open-elsewhere = The same withdrawal is open under another login or at another address: { $amount } to { $to }.
    .refused = The same withdrawal is open under another login or at another address: same amount, same destination.
    .next = This could be a second payment. Settle that one first, or discard this one and make a new one.
clash-same-decided = The same withdrawal was made less than 24 h ago: { $amount } to { $to }.
    .refused = The same withdrawal was made less than 24 h ago: same amount, same destination.
    .next = This could be a second payment. Discard this one; if you still want it, make a new one and review it.
clash-same-prepared = Another computer of the team prepared the same withdrawal: { $amount } to { $to }.
    .by = { $who } prepared the same withdrawal: { $amount } to { $to }.
    .refused = Another computer of the team prepared the same withdrawal: same amount, same destination.
    .next = This could be a second payment. Send that one, or discard one of the two.

# Shown beside a Pix key that looks like another type of key.
hint-kind-cpf = looks like a CPF: change the key type
hint-kind-cnpj = looks like a CNPJ: change the key type
hint-kind-phone = looks like a phone: change the key type
hint-kind-email = looks like an e-mail: change the key type
hint-kind-random = looks like a random key: change the key type
hint-kind-choose = choose: { $first } or { $second }
hint-kind-confirm = is it { $key }? choose the key type
hint-kind-as-before = { $kind }, as on { $day }
hint-read-as = read as { $key }
hint-kind-cnpj-or-phone = looks like a CNPJ or a phone: change the key type
hint-kind-either = looks like a CPF or a phone: change the key type
hint-called = you call this key { $name }
hint-check-amount = Arrived together: { $amount }. Check it.
    .again = Arrived together: { $amount }. Check it. Repeat to create.
