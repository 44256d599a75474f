### Withdrawals and the buyer's page.
### The rule of this house: a sentence about a withdrawal says whether money moved, and is true of its state only.

## Withdrawals

withdrawals-count = { $n ->
    [one] { $n } withdrawal
   *[other] { $n } withdrawals
}
withdrawals-empty-title = No withdrawals here yet
withdrawals-empty-hint = You see the fee first, review everything, and only then confirm.
withdrawals-empty-key = begins a withdrawal
withdrawals-none-found = No withdrawal with “{ $query }”.
withdrawals-locked = Withdrawals are locked on this computer
withdrawals-locked-money = No withdrawal will be sent until this is solved.
withdrawals-on-file = key on file at the service

state-prepared = prepared
state-sending = sending
state-sending-elsewhere = sending (other window)
state-unknown = outcome unknown
state-accepted = accepted by the service
state-rejected = refused
state-needs-person = check your account
state-mismatch = contradicting reply
state-discarded = discarded
state-resolved-paid = paid, you stated
state-resolved-not-paid = not paid, you stated

pix-kind-cpf = CPF
pix-kind-cnpj = CNPJ
pix-kind-phone = phone
pix-kind-email = e-mail
pix-kind-random = random key

## The withdrawal form

withdraw-title = New withdrawal
withdraw-submit = Review
withdraw-leaves = Leaves your balance
withdraw-fee = Fee
withdraw-receives = The receiver gets
withdraw-quote-none = Type the amount to see the fee.
withdraw-quote-due = The fee for { $amount } will be asked for when you stop typing.
withdraw-quote-asking = Asking for the fee of { $amount }… { $seconds } s
withdraw-quote-age = asked { $seconds } s ago
withdraw-quote-stale = asked over 2 min ago
withdraw-quote-failed = The fee for { $amount } could not be asked for.
withdraw-quote-failed-next = Ask again, or go on: the fee stays unknown, and the amount is typed again in the review.
withdraw-quote-fault = This withdrawal cannot be confirmed like this.
withdraw-nothing-sent = Nothing was sent. No money moved.
withdraw-refused-same-open = The same withdrawal is open: same amount, same destination. Settle that one first.
withdraw-refused-mismatch = The reply to a withdrawal contradicted the request. Settle that one first: until then nothing else leaves this account.
withdraw-refused-quote-wait = The fee is not here yet. Wait a moment and try again.
withdraw-refused-other-open = Another withdrawal is open: this may be a second payment.
withdraw-refused-same-open-elsewhere = The same withdrawal is open under another login or at another address: same amount, same destination.
withdraw-refused-same-decided = There was one like it within the last 24 h: same amount, same destination.
withdraw-refused-look-again = Something changed since the review, perhaps in another window. Review it again.

## The review

review-title = Review the withdrawal
review-to = To
review-holder = Holder
review-holder-unknown = cannot be checked here
review-key = Idempotency
review-json = In the JSON
review-untyped = fixed by the contract
review-body = Content
review-fee-unknown = unknown
review-fee-unknown-why = the service deducts it
review-net-unknown = amount minus the fee
review-stale = The fee was asked for over 2 minutes ago. It is asked for again before you confirm.
review-asking = Asking for the fee again… { $seconds } s
review-retype = Type the amount
review-retype-no-quote = The fee is unknown: the service deducts it.
review-retype-nothing = The net value is { $net }: the fee takes all of it.
review-retype-finer = The fee or the net value has a fraction of a centavo: what arrives may differ.
review-retype-another-open = Another withdrawal is open: this may be a second payment.
review-retype-same-open-elsewhere = The same withdrawal is open under another login or at another address: this may pay twice.
review-retype-same = One like it in the last 24 h: same amount, same destination.
review-retype-how = To confirm, type the amount again.
review-retype-differs = not yet { $amount }
review-retype-same-now = matches
review-back = Back
review-confirm = Withdraw { $amount }
review-confirm-short = Withdraw
agree-read-on = Read to the end to go on: { $key }.
review-nothing-yet = Nothing was sent. No money moved.
review-only-then = Money only leaves after the button Withdraw. Limits: the service decides.
review-go-back = Go back to ask for the fee again.

## The question before a withdrawal that is already recorded is sent

send-title = Send the withdrawal of { $amount }?
send-title-again = Resend the withdrawal of { $amount }?
send-does-not = This request cannot be sent.
send-does-first = This request, already recorded, will be sent for the first time.
send-does-after-no = This request, already recorded, will be sent again. The service has not taken it yet.
send-does-again = This same request will be resent. The withdrawal's code prevents a double payment.
send-does-replace = This request will not be sent: the fee is not the agreed one any more.
send-fee-agreed = the one you confirmed
send-fee-other = The fee is { $fee } now, and the net amount { $net }. Discard this request and review another one, with another withdrawal code.
send-fee-gone = The fee could not be fetched again. Discard this request and review another one, or go back and try later.
send-destination-other = The data of this request pay to another destination: { $other }. The destination kept beside them is { $stored }.
send-destination-gone = The destination kept beside it, { $stored }, is not in the data of this request.
send-do = Send { $amount }
send-do-short = Send
send-do-again = Resend { $amount }
send-do-again-short = Resend
send-replace = Discard and review another
send-replace-short = Discard

## On its way

preparing-title = Recording the withdrawal of { $amount }
preparing-what = The idempotency key and the content are being recorded on this computer, before anything is sent.
preparing-money = Nothing was sent yet. No money moved. As soon as it is recorded, it is sent.
preparing-elapsed = for { $seconds } s

sending-title = Sending the withdrawal of { $amount }
sending-elapsed = for { $seconds } s, { $limit } s at most
sending-leave = You can leave this screen: the sending goes on, and the outcome is under Withdrawals.

## The outcome

outcome-title = Withdrawal of { $amount }
outcome-window = safe to resend for { $left }
outcome-window-send = safe to send for { $left }
outcome-wait = can be sent in { $left }
outcome-wait-again = you can resend in { $left }
outcome-key = Idempotency
outcome-to = To
outcome-account = Account
outcome-quote = When confirmed
outcome-no-quote = without a fee preview: the service deducts it
outcome-id = At the service
outcome-status = Status
outcome-attempts = Attempts
outcome-attempts-hidden = { $n ->
    [one] { $n } more attempt before these: { $key } shows all
   *[other] { $n } more attempts before these: { $key } shows all
}
outcome-steps = Safe now
outcome-open = { $key } shows the safe steps.

said-prepared-new = Nothing was sent yet. No money moved.
said-prepared-not-sent = Nothing reached the service yet. No money moved.
said-prepared-no-entry = Not taken by the service yet. No money moved.
said-prepared-log-in = To send it, log in again.
said-prepared-is-in = You have logged in again: it can be sent now.
said-prepared-throttled = Not taken by the service yet, which asks you to wait. No money moved.
said-prepared-too-late = The time in which this may safely be sent is over.
said-prepared-discard = Discard it and, if you still want to, make another.
said-sending = Money may leave at any moment. Do not make this withdrawal again.
said-sending-elsewhere = Another window is sending this withdrawal. Money may leave at any moment. Do not make this withdrawal again.
said-sending-elsewhere-next = The outcome appears here as soon as it arrives there.
said-sending-again = Money may have left already, or may leave at any moment. Do not make this withdrawal again.
said-unknown = Money may or may not have left. Do not make this withdrawal again.
said-accepted = The service accepted this withdrawal. Treat the money as sent and do not make it again.
said-accepted-arrival = When it reaches the receiver cannot be seen here: check your account.
said-rejected = The service refused this withdrawal. No money moved.
said-rejected-next = To try another way, make a new withdrawal: it will have another idempotency key.
said-needs-person = Money may or may not have left. Do not make this withdrawal again. Before anything else, check your account.
said-mismatch-amount = The service answered with another amount. Money may have left, perhaps as that amount. Do not make this withdrawal again.
said-mismatch-destination = The service answered with another destination. Money may have left, perhaps to that one. Do not make this withdrawal again.
said-mismatch-lock = No other withdrawal leaves this account until you check and decide.
said-discarded = You discarded this withdrawal ({ $when }). The service had not taken it. No money moved.
said-resolved-paid = You stated ({ $when }): I found this withdrawal in my account, it was paid. The money left, as you say.
said-resolved-not-paid = You stated ({ $when }): this withdrawal was not paid. That is what you saw; the service did not say so.
said-resolved-not-paid-later = Should it appear in the account later, make no other: talk to the service's support.

why-window-over = The time in which the same idempotency key may safely be sent again is over.
why-too-many = It was sent { $n } times already, the most that is safe with the same idempotency key.
why-another-boot = The computer was restarted after the sending: nobody can tell how much time has passed.
why-clock-back = This computer's clock went backwards: nobody can tell how much time has passed.
why-redirected = The service pointed to another address ({ $status }). The base URL of this profile is likely wrong.
why-key-reused = The service may know this idempotency key with another content (422 after an earlier attempt).
why-says-failed = The service answered with a success and said “{ $said }” in the same reply. That is not documented as a refusal: the money may have left.
alarm-sent = You asked for
alarm-got = The reply says

attempt-running = being sent now
attempt-lost = no result on record
attempt-busy = another sending was under way
attempt-journal = could not be recorded here
attempt-no-credential = the API token is missing
attempt-other-account = the token belongs to another account
attempt-vault = the keyring did not answer
attempt-dns = service not found (DNS)
attempt-connect = no connection to the service
attempt-tls = identity not proved (TLS)
attempt-body-changed = the recorded content changed
attempt-timeout = no answer in { $seconds } s
attempt-no-answer = no answer in time
attempt-cut = the connection broke off
attempt-too-large = a reply too long to read
attempt-unreadable = { $status }, reply cannot be read
attempt-other-success = { $status }, success not foreseen
attempt-no-sign = { $status }, no sign that it was taken
attempt-status = { $status }
attempt-conflict = { $status }, conflict
attempt-throttled = { $status }, asks to wait
attempt-throttled-for = { $status }, asks to wait { $seconds } s
attempt-redirected = { $status }, points to another address
attempt-key-reused = { $status }, after another attempt
attempt-says-failed = { $status }, but it says “{ $said }”

class-running = under way
class-not-sent = not sent
class-unclear = unclear
class-confirmed = confirmed
class-alarm = alarm
class-no = refused
class-no-entry = no entry
class-throttled = put off
class-suspect = suspect

proves-may-pay = may pay at any moment
proves-may-have-paid = may have paid
proves-likely-paid = has probably paid
proves-not-sent = cannot have paid
proves-accepted = the service accepted
proves-not-paid = this one did not pay
proves-nothing = no. { $n } may still have paid
proves-assumed = may have paid; field not confirmed
proves-already-accepted = no. { $n } had been accepted
proves-conflict = may have paid, or may yet pay
proves-other-amount = may have paid another amount
proves-other-destination = may have paid another destination

step-send = send
step-send-why = sends the request already recorded (asks first)
step-send-again = resend this request
step-send-again-why = the withdrawal's code prevents a double payment
step-log-in = log in
step-paste-jwt = paste the JWT
step-entry-why = it can only be sent after that; this sends nothing
step-discard = discard
step-discard-why = closes it unpaid; this request never leaves again
step-found = found it there
step-found-why = closes this withdrawal as paid, after a question
step-found-unlocks-why = closes it as paid, unlocks this account
step-check = check the account
step-check-why = what to look for, line by line
step-check-decide-why = what to look for, and how to state “not paid”
step-not-paid = not paid
step-not-paid-why = you state it, typing the amount; allows another
step-copy-clue = copy the line
step-copy-clue-why = copies the line with the bar; the arrows move it
step-copy-key = copy idempotency key
step-copy-key-why = for the service's support
step-other-login = Only the login that made this withdrawal can resend it: log in with that one.
step-other-address = This withdrawal was made at another address: it can only be resent there.
step-other-open = Another withdrawal is open: this one can only be sent after it. Or discard this one and make a new one.
step-wait-again = Resending appears here when the wait is over: until then the service may be working on the attempt before.
step-other-destination = The data of this request pay to another destination than the one kept with it. Discard this request, or ask the service's support.
step-locked = You can only look: there is trouble with the journal on this computer.
step-busy = Another sending is under way. Wait until it ends.
step-busy-elsewhere = Another window is sending a withdrawal of this account. Wait until that ends.

## Checking the account, and the statement that it was not paid

guide-title = Check the withdrawal of { $amount }
guide-where = Look for this withdrawal in your account at the service and in the bank of whoever receives it.
guide-amount = Amount
guide-net = Arrives
guide-said = The reply says
guide-when = Sent
guide-between = { $begin } to { $end } ({ $exact })
guide-not-yet = It cannot be stated yet that it was not paid: the service may be paying it. It can when the time for resending is over, in { $left }.
guide-not-found = Not there? Wait and look again: it may take a while to appear. The service's support can tell it by its idempotency key.

not-paid-title = State that it was not paid
not-paid-about = Withdrawal of { $amount }, to { $to }
not-paid-says = You state: I checked my account at the service and the bank of whoever receives it, and this withdrawal was not paid.
not-paid-says-neither = You state: I checked my account at the service and the bank of whoever receives it, and this withdrawal was not paid: neither { $sent } nor { $got }.
not-paid-then = The counter closes it, never sends its request again and lets you make another.
not-paid-then-unlocks = The counter closes it, never sends its request again and unlocks the withdrawals of this account.
not-paid-risk = If you are mistaken and make another one, the money may leave twice.
not-paid-back = I do not know yet
not-paid-do = It was not paid

attempts-title = Attempts of the withdrawal of { $amount }
attempts-from-to = Attempt { $n }: { $begin } to { $end }
attempts-from = Attempt { $n }: { $begin }
attempts-server-date = On the service's clock: { $when }

## The groups of the list

group-open = Open
group-open-money = money may have left
group-prepared = Prepared
group-prepared-money = no money moved
group-decided = Closed

## The buyer's page

buyer-title = The buyer's page
buyer-sandbox = SANDBOX: play money
buyer-wait = Opening the page
buyer-pay = Pay { $amount }
buyer-paid = Paid. Thank you!
buyer-paid-hint = The sandbox says that this link was paid. At the real service no documented operation says so.
buyer-blocked = This page is not available.
buyer-blocked-why = The checkout's domain is not active, and a buyer cannot pay.
buyer-not-found = Page not found.
buyer-not-found-why = The sandbox does not know this address.
buyer-nothing = The page is not here yet.
buyer-paying = Paying in the sandbox
buyer-browser = The buyer's browser
attempt-other-amount = { $status }, says { $got }
attempt-other-destination = { $status }, another destination
attempt-headers = no header for the key
attempt-not-agreed = the lines of the contract were not accepted
attempt-not-safe = it was no longer safe to send
outcome-quote-figures = fee { $fee }, net { $net }
outcome-status-theirs = “{ $word }”, the service's word
link-qr-room = The QR code does not fit beside this. { $key } shows the code alone.

## The fields of forms that do not come from the contract

field-amount = Amount
field-description = Description
field-domain = Domain

# After the screen was left, with a withdrawal still on its way.
left-sending = A withdrawal is being sent: waiting for its reply… Ctrl-C ends without waiting.
left-accepted = Withdrawal of { $amount }: accepted by the service.
left-rejected = Withdrawal of { $amount }: refused by the service. No money moved.
left-prepared = Withdrawal of { $amount }: not accepted yet. No money moved. It is kept under Withdrawals, to be sent or discarded.
left-open = Withdrawal of { $amount }: outcome unknown. Money may or may not have left. Open balcao again before anything else, and do not make this withdrawal again.
left-open-until = Withdrawal of { $amount }: outcome unknown. The money may have left or not. Open balcão again before anything else: this same request can be resent until { $until }. Do not make another withdrawal like it.
left-person = Withdrawal of { $amount }: money may or may not have left. Check your account before anything else, and do not make this withdrawal again. Open balcao again: it says what to look for.
left-mismatch = Withdrawal of { $amount }: the service's reply contradicts what was sent. Money may have left, perhaps as another amount or to another destination. Do not make this withdrawal again. Open balcao again and check: until you decide, no other withdrawal leaves this account.
left-decided = Withdrawal of { $amount }: not sent now, because it was decided in another window already. The decision is under Withdrawals.
left-unwritten = How a sending ended is not written down yet, because another program holds the journal: waiting to write it down… Ctrl-C ends without waiting.
left-of = Withdrawal of { $amount }:
left-unrecorded = Note it down: opened again, balcao may take the outcome for unknown. Open balcao before anything else, and do not make this withdrawal again.
left-unknown = No reply yet: the outcome is unknown. Open balcao again before anything else, and do not make this withdrawal again.

## Other withdrawals, by name

other-named = { $amount } to { $to } ({ $when }; { $state })
other-of = { $other }, made by { $whose }
account-at = { $who } at { $place }
other-shows = { $other }. { $key } shows it.
other-more = { $n ->
    [one] { $n } more.
   *[other] { $n } more.
}

## Destinations that were paid to before

known-title = Keys used before: { $key } picks one, typing narrows them.
known-used-short = { $n ->
    [one] { $n } time, { $when }
   *[other] { $n } times, { $when }
}
known-used = { $n ->
    [one] used { $n } time, { $when }
   *[other] used { $n } times, last { $when }
}
known-used-on = { $n ->
    [one] used { $n } time, on { $when }
   *[other] used { $n } times, last on { $when }
}
review-first-time = first time
review-quote-changed = The fee changed: it was { $fee }, and the receiver got { $net }.

## The lines of the contract that steer money

money-lines-title = Contract: the lines that steer money
money-lines-why = The contract of this profile is not the one that comes with balcão. Read to the end what changes in requests about money. No withdrawal leaves before you accept it.
money-lines-why-again = Lines that steer money have changed since you last accepted them, in your file or in a new version of balcão. No withdrawal leaves before you accept them.
money-lines-accepted = You have accepted these lines in this profile. This is what they change in the contract that comes with balcão.
money-lines-not-you = You did not change this, or do not know why it changed? Do not accept: these lines decide how much leaves, and to whom.
money-lines-units = The fee is asked in { $preview } and the withdrawal in { $withdrawal }: if only one of them is right, the other is wrong by 100 times.
money-lines-reais = reais
money-lines-centavos = centavos
money-lines-confirmed = Your file says “confirmed”: that does not count. Only balcão confirms a line.
money-lines-file = File
money-lines-old = before
money-lines-new = now
money-lines-was-not = was not there
money-lines-is-not = is no longer there
money-lines-unit = A wrong unit is wrong by 100 times: in centavos, R$ 10,00 is sent as 1000.
money-lines-fixed = This field is in every request, always the same, and nobody types it.
money-lines-default = This is what is sent if nobody types anything else.
money-lines-retention = For how long the same code can be sent again. More than 24 h counts as 24 h.
money-lines-withdrawal = Withdrawal
money-lines-fee-preview = Fee preview
money-lines-direct-payment = Charge
money-lines-create-link = Payment link
money-lines-read-on = You can accept only after reading to the last line.
money-lines-too-long = Some lines are too long for anyone to read. They cannot be accepted: shorten them in the file.
money-lines-keeping = Keeping what you accepted
money-lines-not-kept = What you accepted was not kept. Nothing was sent.
money-lines-back = Back
money-lines-do = Accept these lines

## While another withdrawal is open: each sentence is about this one alone

beside-not-sent = This withdrawal has not been sent yet.
beside-preparing = This withdrawal has not been sent yet. As soon as it is recorded, it is sent.
beside-not-reached = This withdrawal has not reached the service yet.
beside-no-entry = The service has not taken this withdrawal yet: no money has moved for it.
beside-throttled = The service has not taken this withdrawal yet and asks you to wait: no money has moved for it.
beside-rejected = The service refused this withdrawal: no money has moved for it.
beside-discarded = You discarded this withdrawal ({ $when }). The service had not taken it: no money has moved for it.
