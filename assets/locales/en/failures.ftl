# What can go wrong: what happened, whether money moved, what to do now (.next).

# Nothing left this machine.
not-sent-busy = Another request of this account is on its way, here or in another window.
    .next = Wait for it to end and try again.
not-sent-journal = It could not be written to the journal before sending.
    .next = See whether the disk has room and the balcão folder can be written. Then try again.
not-sent-no-credential = The credential for this is not there.
    .next = Log in and try again.
not-sent-other-account = This withdrawal belongs to another account.
    .next = Log in to the account it was made in and try again.
not-sent-vault = The keyring did not hand over the credential.
    .next = Unlock the keyring and try again.
not-sent-dns = The address of the service was not found.
    .next = See whether you are online, and the address of the service in Account.
not-sent-connect = The service did not take the connection.
    .next = See whether you are online and try again in a moment.
not-sent-tls = The service did not prove who it is.
    .next = Do not insist. Check the address of the service and this computer's clock.
not-sent-not-safe = This withdrawal has changed since the screen was opened.
    .next = Open it again and see what is safe now.
not-sent-headers = The request does not leave: the header that its key would go in has another use.
    .next = Sending again will not help. Check your account, and close this withdrawal here.
not-sent-not-agreed = You have not accepted the lines of the contract this withdrawal would leave under.
    .next = Go back to this withdrawal: balcão shows the lines before it is sent.
not-sent-body-changed = The stored request is no longer what was confirmed.
    .next = Leave the files of balcão as they are and ask for help.
too-soon = It cannot be resent yet: the service may be working on the attempt before. { $left } to go.
    .next = Wait for the countdown; meanwhile, check your account.

no-credential-api-token = You need to be logged in for this.
    .next = Log in and try again.
no-credential-jwt = The JWT for links is needed for this.
    .next = Paste the JWT in Account and try again.

not-a-jwt = This is no JWT: a JWT has parts between dots, and begins with “eyJ”.
    .next = Copy the whole JWT again, without “Bearer” and without quotes, and paste it here.

no-answer-timeout = The service did not answer in time.
no-answer-cut = The connection ended before the whole reply was here.
no-answer-left = You stopped waiting for the reply.
no-answer-too-large = The reply is larger than balcão reads.

no-entry-login = The service did not take this login ({ $status }).
    .next = Check what you typed and try again.
no-entry-api-token = The service did not take the API token ({ $status }).
    .next = Log in again.
no-entry-jwt = The service did not take the JWT for links ({ $status }).
    .next = Paste a new JWT in Account.
no-entry-none = The service did not let this pass ({ $status }).
    .next = Log in and try again.

refused = The service refused ({ $status }).
    .next = Read what it says and change the request.
refused-question = The service answered { $status }, without what was asked for.
refused-unclear = The service answered { $status }, which does not say whether it acted.
redirected = The service sent us to another address ({ $status }). balcão does not follow.
    .next = The address of the service in Account is likely wrong. Check it before you try again.
unreadable = The service answered { $status }, but its reply lacks: { $fields }.
    .next = The whole reply is in Exchanges. The contract says where to look.
cancelled = You cancelled.
    .next = Try again whenever you like.

typed-stays = What you typed is still here.

quote-service = The service says:
quote-hint = The service suggests:
quote-location = The address it gave:
quote-body = Its reply:
quote-detail = Detail:

# Whether the service may have acted.
moved-not-sent = Nothing was sent.
moved-not-sent-withdrawal = Nothing was sent: no money has moved.
moved-no = Nothing changed in your account.
moved-no-link = The link was not created.
moved-no-charge = The charge was not created.
moved-no-withdrawal = No money has moved in this attempt.
moved-maybe = It was only a question: that moves no money.
moved-maybe-login = Logging in moves no money.
moved-maybe-link = The link may have been created.
moved-maybe-charge = The charge may have been created.
moved-maybe-withdrawal = The money may have moved.

next-read = Try again in a moment.
next-link = Before you repeat it, see in your account at the service whether it exists.
next-charge = Before you repeat it, see in your account at the service whether it exists.
next-withdrawal = Do not make another withdrawal. Open this one in Withdrawals: the next safe step is there.

# The vault of the credentials.
vault-absent = This computer has no keyring that answers.
vault-locked = The keyring is locked.
vault-hangs = The keyring did not answer.
vault-other = The keyring reported an error.
vault-moved = Nothing was kept. That moves no money.
vault-next = Unlock or install a keyring, or keep it in memory only until you leave the program.

# The journal of the withdrawals.
journal-damaged = The journal of the withdrawals is damaged.
    .next = Do not delete or change the files. Keep a copy of the folder and ask for help.
    .way = Leave and put money.db and money.head back together, from the same backup. Only a backup made after the last withdrawal will do.
    .else = Without such a backup: check in your account what was paid and run “balcao journal set-aside”. The files are kept apart, and then balcão begins another journal.
journal-missing = The journal of the withdrawals was there and is gone.
    .next = If you moved the folder, bring it back. An old copy will not do: withdrawals may be missing in it.
    .way = If you moved the folder, leave and bring it back. From a backup, put money.db and money.head back together; only one made after the last withdrawal will do.
    .else = If you deleted it on purpose: check in your account for open withdrawals and run “balcao journal forget-missing”. Only then balcão begins another journal.
journal-maybe-missing = There is no journal of the withdrawals here, and the keyring did not say whether there was one.
    .next = Unlock the keyring and refresh the list of withdrawals: balcão asks it again.
    .way = Unlock this computer's keyring and refresh this list: balcão asks it again, and you need not leave.
    .else = If you never made a withdrawal on this computer: leave and open “balcao --vault memory”. balcão then begins a journal without asking the keyring.
journal-several = This computer has more than one record of withdrawals, of earlier versions or in another folder, and balcão uses one only.
    .next = In Withdrawals, choose the one to use.
    .way = Look at the records and choose one: the others are kept, and what is open in them comes before any new withdrawal.
journal-newer = A newer version of balcão wrote the journal (format { $found }; this one reads up to { $known }).
    .next = Use the newer version.
    .way = Leave, update balcão and open it again. This version neither reads nor changes the journal.
journal-io = The journal of the withdrawals could not be opened, read or written.
    .next = See whether the disk has room and the folder can be written. Then start balcão again.
    .way = See whether the disk answers, has room, and lets you write in the folder. Then leave and open balcão again.
journal-read-only = balcão cannot write the journal of the withdrawals: a permission is missing, or the disk is read-only.
    .next = Give your user permission to write in the journal's folder and open balcão again.
    .way = Give your user permission to write in the folder and its files, or make the disk writable. Then leave and open balcão again.
journal-full = There is no room on the disk to write the journal of the withdrawals.
    .next = Make room on the disk and open balcão again.
    .way = Make room on the folder's disk, or raise your quota, without deleting anything in the folder. Then leave and open balcão again.
journal-not-private = The folder of the journal is not yours alone: somebody else may change its files.
    .next = Use a folder that only you can change, and open balcão again.
    .way = If the folder is yours, take from others the right to write in it (chmod go-w). If it is another user's, or everybody's, such as /tmp, choose another one. Then leave and open balcão again.
journal-network = The journal of the withdrawals is on a network disk.
    .next = To make new withdrawals, put the folder on a disk of this computer.
    .way = No new withdrawal is made here: on a network disk two computers may pay the same one. Those in the list can be sent again and settled. To make new withdrawals, put the folder on a disk of this computer (BALCAO_STATE_DIR).
journal-busy = Another window or another program held the journal of the withdrawals for too long.
    .next = Wait a moment or close the other windows of balcão, and try again.
    .way = Close the other windows of balcão and the program that copies or syncs the folder. Then refresh the list of withdrawals: balcão tries again, and you need not leave.
journal-moved-network = Nothing was sent. No money moved.
journal-moved = Withdrawals are locked, so that none is paid twice. The rest works.
journal-moved-busy = Nothing was sent now. While it is held, no withdrawal leaves.
unrecorded = How attempt { $n } ended is not safely in the journal: { $end }, { $class }.
    .next = Note it down: once you leave this screen, balcão may no longer know it.
    .held = balcão goes on trying to write it down as long as it is open: close its other windows, and the program that copies or syncs the folder. Before you leave, note it down.

# The history of links and charges.
history-next = See whether the disk has room and the folder can be written, and try again. If it fails still, leave and open balcão again.

# The question for the fee.
quote-missing = The service said neither the fee nor the net value.
quote-sum = The service's figures do not add up: of { $amount }, fee { $fee } and net { $net }.
quote-range = The fee the service gave makes no sense: { $fee } on { $amount }.
quote-unreadable-fee = The service gave the fee in a way that cannot be read.
quote-unreadable-net = The service gave the net value in a way that cannot be read.
quote-other = The service's reply is about another amount: { $said } instead of { $amount }.
quote-other-unreadable = The service's reply is about another amount, which cannot be read, instead of { $amount }.
quote-moved = It was only a question: that moves no money.
quote-next = Ask again. If it stays like this, talk to the service before you withdraw.

# A field.
field-missing = fill this in
field-ambiguous = could be { $first } or { $second }: type the amount
field-not-an-amount = not an amount in reais
field-at-least = needs at least { $limit } characters
field-at-most = takes at most { $limit } characters
field-characters = takes only { $allowed }
field-control = has a character that cannot be typed
field-choice = choose one of the options
field-positive = must be more than zero
field-centavo = has more than two decimal places
field-too-long = { $limit } at most
pix-empty = fill in the key
pix-length = has { $got } characters, needs { $want }
pix-digits = digits only
pix-letters-or-digits = letters and digits only
pix-check-letters = the last two are digits
pix-check = the check digits do not match
pix-same = one digit repeated is not valid
pix-phone-length = has { $got } digits; with the area code 10 or 11
pix-area-code = no such area code
pix-mobile = a mobile begins with 9 after the area code
pix-phone = use +, country and number
pix-email = not an e-mail address
pix-email-long = has { $got } characters, 77 is the most
pix-random = not a random key

# Another withdrawal speaks against this one: nothing was sent.
clash-mismatch = The reply to another withdrawal contradicted the request: { $amount } to { $to }.
    .next = Settle that one first: until then no other leaves this account.
clash-same-open = The same withdrawal is open already: { $amount } to { $to }.
    .next = Settle that one first.
clash-other-open = Another withdrawal is open: { $amount } to { $to }.
    .next = This could be a second payment. Settle that one first, or discard this one and make a new one.
clash-same-open-elsewhere = The same withdrawal is open under another login or at another address: { $amount } to { $to }.
    .next = This could be a second payment. Settle that one first, or discard this one and make a new one.
clash-same-decided = There was one like it within the last 24 h: { $amount } to { $to }.
    .next = This could be a second payment. Discard this one; if you still want it, make a new one and review it.

# Beside the key of a withdrawal, where it has the form of another kind.
hint-kind-cpf = looks like a CPF: change the kind of key
hint-kind-cnpj = looks like a CNPJ: change the kind of key
hint-kind-phone = looks like a phone: change the kind of key
hint-kind-email = looks like an e-mail: change the kind of key
hint-kind-random = looks like a random key: change the kind of key
hint-kind-either = looks like a CPF or a phone: change the kind of key
