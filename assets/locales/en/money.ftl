### Withdrawals and the buyer's page.
### Rule: each sentence about a withdrawal says whether money moved, and is used only for the state in which it is true.

## Withdrawals

withdrawals-count = { $n ->
    [one] { $n } withdrawal
   *[other] { $n } withdrawals
}
withdrawals-sum = accepted { $sum }
withdrawals-fees = fees { $sum }
withdrawals-open-beside = { $n } open
withdrawals-no-fee-beside = { $n } without a fee
withdrawals-found-beside = { $n } paid according to you
withdrawals-empty-title = No withdrawals here yet
withdrawals-empty-hint = You see the fee first, review everything, and only then confirm.
withdrawals-empty-key = starts a withdrawal
withdrawals-none-found = No withdrawal with “{ $query }”.
withdrawals-verifying = checking the withdrawal journal: { $percent }%
withdrawals-locked = Withdrawals are locked on this computer
withdrawals-locked-money = No withdrawal will be sent until this is resolved.
withdrawals-on-file = key on file at the service

state-prepared = prepared
state-sending = sending
state-sending-elsewhere = sending (other window)
    .by = maybe sending ({ $who })
state-unknown = outcome unknown
    .short = unknown
state-accepted = accepted by the service
    .short = accepted
state-rejected = refused
state-needs-person = check your account
    .short = check it
state-mismatch = contradictory reply
    .short = contradicts
state-discarded = discarded
state-resolved-paid = paid (declared by you)
    .short = paid
    .by = paid (declared by { $who })
state-resolved-not-paid = not paid (declared by you)
    .short = not paid
    .by = not paid (declared by { $who })

pix-kind-cpf = CPF
pix-kind-cnpj = CNPJ
pix-kind-phone = phone
pix-kind-email = e-mail
pix-kind-random = random key

## The withdrawal form

withdraw-title = New withdrawal
withdraw-submit = Review
withdraw-leaves = Amount taken
withdraw-fee = Fee
withdraw-receives = Net amount
withdraw-quote-none = Type the amount to see the fee.
withdraw-quote-due = The fee for { $amount } will be fetched when you stop typing.
withdraw-quote-asking = Fetching the fee for { $amount }… { $seconds } s
withdraw-quote-age = fetched { $seconds } s ago
withdraw-quote-stale = fetched over 2 min ago
withdraw-quote-failed = The fee for { $amount } could not be fetched.
withdraw-quote-failed-next = { $key } fetches it again. Or go on: the service will deduct the fee, and you type the amount once more in the review.
withdraw-quote-fault = This withdrawal cannot be confirmed like this: { $key } fetches the fee again. If it stays like this, talk to the service before you withdraw.
withdraw-quote-refused = The service refused to work out the fee for withdrawing { $amount }.
withdraw-quote-refused-next = Change the amount. If the reason is another one, { $places } shows the reply.
withdraw-nothing-sent = Nothing was sent. No money moved.
withdraw-refused-quote-wait = The fee is not here yet. The review opens when it arrives.
withdraw-refused-other-unit = An amount in another unit arrived from the last withdrawal: the unit in the service format is wrong, and no withdrawal is sent like this. Type an amount and use { $teach } to correct it. If you mistyped, open that withdrawal and say again how much arrived ({ $arrived }).
withdraw-doubt = The service may have read { $other } instead of { $amount }. balcão asks before the review.
withdraw-refused-look-again = Something changed since the review, perhaps in another window. Review it again.
withdraw-steps-fee = The fee is fetched when you stop typing the amount.
withdraw-steps-review = Then you review the amount, the fee and the destination.
withdraw-steps-leaves = No money leaves until you press Withdraw.
withdraw-steps-code = The withdrawal code prevents double payment.

## The review

review-title = Review the withdrawal
review-to = To
review-proxy = By the proxy
review-holder = Holder
review-holder-unknown = the service gives no name; check the key
review-key = Withdrawal code
review-json = In the request
review-unit-unproved = The unit of the amount is not proved yet: check afterwards how much arrived.
    .smaller = The unit of the amount is not proved yet: start with up to R$ 10,00.
review-untyped = fixed by the service format
review-body = Content
review-fee-unknown = unknown
review-fee-unknown-why = the service will deduct it
review-net-unknown = amount minus the fee
review-stale = The fee was fetched over 2 minutes ago. It will be fetched again before you confirm.
review-asking = Fetching the fee again… { $seconds } s
review-retype = Type the amount
review-retype-no-quote = The fee could not be fetched; the service will deduct it.
review-retype-not-arrived = The last withdrawal has not proved the unit of the amount yet: it may be wrong.
review-retype-nothing = The net amount is { $net }: the fee takes all of it.
review-retype-finer = The fee or the net amount has a fraction of a centavo: what arrives may differ.
review-retype-another-open = Another withdrawal is open: this may be a second payment.
review-retype-same-open-elsewhere = The same withdrawal is open under another login or at another address: this may pay twice.
review-retype-same = The same withdrawal was made in the last 24 h: same amount, same destination.
review-retype-how = To confirm, type the amount again.
review-retype-differs = not yet { $amount }
review-retype-same-now = matches
said-text-typed = Something was typed. To confirm, wait 1 s without a key.
review-back = Back
review-confirm = Withdraw { $amount }
agree-read-on = Read to the end to go on: { $key }.
review-nothing-yet = Nothing was sent. No money moved.
review-only-then = Nothing leaves until you choose Withdraw. The service sets limits and hours.
review-prepare = Prepare { $amount }
review-approval-first = Nothing leaves yet: once prepared, the withdrawal needs the approval of somebody else of the team.

## The confirmation before an already recorded withdrawal is sent

send-title = Send the withdrawal of { $amount }?
send-title-again = Resend the withdrawal of { $amount }?
send-does-not = This withdrawal cannot be sent.
send-does-first = This request, already recorded, will be sent for the first time.
send-does-after-no = This request, already recorded, will be sent again. The service has not accepted it yet.
send-does-again = This same request will be resent. The withdrawal code prevents double payment.
send-does-replace = This request will not be sent: the fee is no longer the one agreed.
send-does-unchecked = This request will not be sent: the fee could not be checked again.
send-fee-agreed = the one you confirmed
send-fee-other = The fee is { $fee } now, and the net amount { $net }. Discard this withdrawal and review another one, with another withdrawal code.
send-fee-gone = Discard this withdrawal and review another one, or go back and try later.
send-destination-other = This request would pay to another destination: { $other }. The destination kept with it is { $stored }.
send-destination-gone = The destination kept with this request, { $stored }, is not in its data.
send-do = Send { $amount }
send-do-again = Resend { $amount }
send-replace = Discard and review another

## The approval of a withdrawal that somebody else of the team prepared

approve-title = Approve the withdrawal of { $amount }?
approve-does = Nothing is sent now. With your approval, this withdrawal can be sent in the next 24 hours.
approve-does-not = This withdrawal cannot be approved: the fee is not the agreed one any more.
approve-does-not-unchecked = This withdrawal cannot be approved now: the fee could not be checked again.
approve-fee-agreed = the agreed one
approve-fee-other = The fee is now { $fee }, and the net amount { $net }. This withdrawal must be discarded and prepared again.
approve-fee-gone = Go back and try later.
approve-do = Approve { $amount }

## Sending

preparing-title = Recording the withdrawal of { $amount }
preparing-what = The withdrawal code and the request are being recorded on this computer, before anything is sent.
preparing-money = Nothing was sent yet. No money moved. As soon as it is recorded, the withdrawal will be sent.
preparing-elapsed = for { $seconds } s

sending-title = Sending the withdrawal of { $amount }
sending-elapsed = for { $seconds } s, { $limit } s at most
sending-leave = You can leave this screen: sending continues, and the outcome is under Withdrawals.

## The outcome

outcome-title = Withdrawal of { $amount }
outcome-window = time to resend: { $left }
outcome-window-send = time to send: { $left }
outcome-wait = sending opens in { $left }
outcome-wait-again = resending opens in { $left }
outcome-key = Withdrawal code
outcome-to = To
outcome-account = Account
outcome-quote = Agreed
outcome-no-quote = fee not fetched: the service will deduct it
outcome-id = Identifier
outcome-service-code = Code at the service
outcome-code-unproven = does not prove that it paid
outcome-state-unproven = { $word }: does not prove that it paid
outcome-shows-reply = { $key } shows the reply.
outcome-shows-requests = { $key } shows the requests of this withdrawal: teach from the reply.
outcome-status = Status
outcome-attempts = Attempts
outcome-attempts-of = Attempts · { $days }
outcome-attempts-hidden = { $n ->
    [one] { $n } more attempt before these: { $key } shows all
   *[other] { $n } more attempts before these: { $key } shows all
}
timeline-attempt = attempt { $n }
timeline-from = can be sent again
timeline-now = you can send it again now
timeline-until = the time to send it again ends
timeline-once = a single withdrawal: the same code in all { $n } attempts
outcome-steps = What you can safely do
outcome-open = { $key } shows what you can safely do.

said-prepared-new = Nothing was sent yet. No money moved.
said-prepared-not-sent = Nothing reached the service yet. No money moved.
said-prepared-no-entry = The service has not accepted this withdrawal yet. No money moved.
said-prepared-log-in = To send it, log in again.
said-prepared-is-in = You have logged in again: it can be sent now.
said-prepared-throttled = The service has not accepted this withdrawal yet and asks you to wait. No money moved.
said-prepared-too-late = The time in which this can safely be sent is over.
said-prepared-discard = Discard it and, if you still want to, make another.
said-sending = Money may leave at any moment. Do not make another withdrawal like it.
said-sending-elsewhere = Another window is sending this withdrawal. Money may leave at any moment. Do not make another withdrawal like it.
said-sending-elsewhere-again = Another window is sending this withdrawal. Money may have left already, or may leave at any moment. Do not make another withdrawal like it.
said-sending-elsewhere-next = The outcome appears here as soon as it arrives there.
said-sending-team = { $who } may be sending this withdrawal. The money can leave at any moment. Do not make the same withdrawal again.
    .left = You can decide in { $left }, unless the result arrives before.
    .somebody = Another computer of the team
said-sending-again = Money may have left already, or may leave at any moment. Do not make another withdrawal like it.
said-unknown = Money may or may not have left. Do not make another withdrawal like it.
said-accepted = The service accepted this withdrawal. Treat the money as sent. Do not make another withdrawal like it.
said-accepted-arrival = balcão does not see the money arrive: check your statement.
said-rejected = The service refused this withdrawal. No money moved.
said-rejected-next = To try another way, make a new withdrawal: it will have another code.
said-needs-person = Money may or may not have left. Do not make another withdrawal like it. Before anything else, check your account.
said-mismatch-amount = The service answered with another amount. Money may have left, perhaps as that amount. Do not make another withdrawal like it.
said-mismatch-destination = The service answered with another destination. Money may have left, perhaps to that one. Do not make another withdrawal like it.
said-mismatch-lock = No other withdrawal leaves this account until you check and decide.
said-discarded = You discarded this withdrawal ({ $when }). The service had not accepted it. No money moved.
said-resolved-paid = You declared ({ $when }): I found this withdrawal in my account, it was paid. According to you, the money left.
    .by = { $who } declared ({ $when }): I found this withdrawal in the account, it was paid. According to { $who }, the money left.
said-resolved-not-paid = You declared ({ $when }): this withdrawal was not paid. That is what you saw; the service did not confirm it.
    .by = { $who } declared ({ $when }): this withdrawal was not paid. That is what { $who } saw; the service did not confirm it.
said-resolved-not-paid-later = If it appears in the account later, do not make another: talk to the service's support.

why-window-over = The time in which this request can safely be resent is over.
why-too-many = This request was already sent { $n } times, the most that is safe with the same code.
why-another-boot = The computer was restarted after the attempt: it is not known how much time has passed.
    .team = The attempt is from another computer of the team, or from before this one was restarted: it is not known how much time has passed.
why-clock-back = This computer's clock was set back: it is not known how much time has passed.
why-redirected = The service redirected the request ({ $status }); balcão did not follow. The address of the service in this profile is probably wrong.
why-key-reused = The service may already have received this code with different content (422 after an earlier attempt).
why-says-failed = The service's reply contradicts itself: its status says one thing, and its content says “{ $said }”. It is not known which of the two counts: the money may have left.
alarm-sent = You asked for
alarm-got = The reply says

attempt-running = being sent now
attempt-lost = no result recorded
attempt-timeout = no answer in { $seconds } s
attempt-no-answer = no answer in time
attempt-cut = the connection dropped
attempt-too-large = the reply was too long to read
attempt-unreadable = { $status }, unreadable reply
attempt-not-http = unreadable head of the reply
attempt-other-success = { $status }, unexpected success
attempt-no-sign = { $status }, no sign of acceptance
attempt-status = { $status }
attempt-conflict = { $status }, conflict
attempt-throttled = { $status }, asks to wait
attempt-throttled-for = { $status }, asks to wait { $seconds } s
attempt-redirected = { $status }, redirected the request
attempt-key-reused = { $status }, after another attempt
attempt-says-failed = { $status }, but it says “{ $said }”

class-running = under way
class-not-sent = not sent
class-unclear = unclear
class-confirmed = confirmed
class-alarm = alarm
class-no = refused
class-no-entry = no access
class-throttled = deferred
class-suspect = doubtful

proves-may-pay = may pay at any moment
proves-may-have-paid = may have paid
proves-likely-paid = has probably paid
proves-not-sent = cannot have paid
proves-accepted = the service accepted
proves-not-paid = no money left in this attempt
proves-nothing = attempt { $n } may have paid
proves-assumed = may have paid; field not confirmed
proves-already-accepted = attempt { $n } was accepted
proves-conflict = may have paid, or may yet pay
proves-other-amount = may have paid another amount
proves-other-destination = may have paid to another destination

step-send = send
step-send-why = sends the recorded request (asks first)
step-approve = approve this withdrawal
step-approve-why = shows the terms (asks first)
step-approval-back = take your approval back
step-approval-back-why = without one, nobody sends it
step-send-again = resend this same request
step-send-again-why = the withdrawal code prevents double payment
step-log-in = log in
step-paste-jwt = paste the JWT
step-entry-why = only then can it be sent; this sends nothing
step-discard = discard
step-discard-why = closes it unpaid; this request is never sent
step-found = found it in my account
step-found-why = marks this withdrawal as paid (asks first)
step-found-unlocks-why = marks it as paid and unlocks withdrawals
step-check = check the account
step-check-why = what to look for, line by line
step-check-decide-why = what to look for; how to declare “not paid”
step-not-paid = not paid
step-not-paid-why = declare it, type the amount; allows another
step-copy-clue = copy the line
step-copy-clue-why = copies the marked line; the arrows move it
step-copy-key = copy withdrawal code
step-copy-key-why = for the service's support
step-other-login = This withdrawal was made by { $who }: it can only be sent with that login.
step-other-address = This withdrawal was made at another address: it can only be resent there.
step-other-open = Another withdrawal is open: this one can only be sent after it. Or discard this one and make a new one.
step-wait-again = Resending appears here when the wait is over: until then, the service may still be working on the previous attempt.
step-other-destination = This request would pay to a destination other than the one kept with it. Discard this withdrawal, or talk to the service's support.
step-locked = You can only look: there is a problem with the withdrawal journal on this computer.
step-busy = Another withdrawal is being sent. Wait for its result.
step-unapproved = To be sent, this withdrawal needs the approval of somebody else of the team.
step-unapproved-here = To be sent, this withdrawal needs your approval, or somebody else's of the team.
step-other-unit = The amount in this request is in a wrong unit. Discard this withdrawal and make another one.
step-busy-elsewhere = Another window is sending a withdrawal of this account. Wait for its result.

## Checking the account, and the statement that it was not paid

guide-title = Check the withdrawal of { $amount }
guide-where = Look in the statement of your account at the service and in the receiver's bank.
guide-amount = Amount
guide-net = Net amount
guide-said = The reply says
guide-when = Sent
guide-between = { $begin } to { $end } ({ $exact })
guide-not-yet = You cannot yet declare that it was not paid: the service may be paying it. You can when the time for resending is over, in { $left }.
guide-not-found = Not there? Wait and look again: it may take a while to appear. The service's support can find the withdrawal by its code.

not-paid-title = Declare that it was not paid
not-paid-about = Withdrawal of { $amount }, to { $to }
not-paid-says = You declare: I checked my account at the service and the receiver's bank, and this withdrawal was not paid.
not-paid-says-neither = You declare: I checked my account at the service and the receiver's bank, and this withdrawal was not paid: neither { $sent } nor { $got }.
not-paid-then = balcão closes this withdrawal, never sends its request again and lets you make another.
not-paid-then-unlocks = balcão closes this withdrawal, never sends its request again and unlocks the withdrawals of this account.
not-paid-risk = If it was paid after all and you make another one, the money leaves twice.
not-paid-back = I do not know yet
not-paid-do = It was not paid

attempts-title = Attempts at the withdrawal of { $amount }
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
buyer-paid-hint = The sandbox tells that this link was paid; the real service does not.
buyer-blocked = This page is not available.
buyer-blocked-why = The checkout's domain is not active, and a buyer cannot pay.
buyer-not-found = Page not found.
buyer-not-found-why = The sandbox does not know this address.
buyer-nothing = The page is not here yet.
buyer-paying = Paying in the sandbox
buyer-browser = The buyer's browser
attempt-other-amount = { $status }, says { $got }
attempt-other-destination = { $status }, another destination
outcome-quote-figures = fee { $fee }, net { $net }
outcome-status-theirs = “{ $word }” (said by the service)
    .pending = in progress
link-qr-room = The QR Code does not fit beside this. { $key } shows it alone.

## The fields of forms that do not come from the contract

field-amount = Amount
field-description = Description
field-domain = Domain

# Printed on the terminal after the screen was closed while a withdrawal is still in flight.
left-sending = A withdrawal is being sent: waiting for its reply… Ctrl-C ends without waiting.
left-accepted = Withdrawal of { $amount }: accepted by the service.
left-rejected = Withdrawal of { $amount }: refused by the service. No money moved.
left-prepared = Withdrawal of { $amount }: not accepted yet. No money moved. It is kept under Withdrawals, to be sent or discarded.
left-open = Withdrawal of { $amount }: outcome unknown. Money may or may not have left. Do not make another withdrawal like it. Before anything else, open balcão again.
left-open-until = Withdrawal of { $amount }: outcome unknown. Money may or may not have left. Do not make another withdrawal like it. Before anything else, open balcão again: this same request can be resent until { $until }.
left-person = Withdrawal of { $amount }: money may or may not have left. Do not make another withdrawal like it. Before anything else, check your account. Open balcão again: it says what to look for.
left-mismatch = Withdrawal of { $amount }: the service's reply does not match the request. Money may have left, perhaps as another amount or to another destination. Do not make another withdrawal like it. Open balcão again and check: until you decide, no other withdrawal leaves this account.
left-decided = Withdrawal of { $amount }: not sent now, because it was already decided in another window. The decision is under Withdrawals.
left-unwritten = The result of an attempt is not recorded yet, because another program is using the withdrawal journal: waiting to record it… Ctrl-C ends without waiting.
left-of = Withdrawal of { $amount }:
left-unrecorded = Write it down: opened again, balcão may show the outcome as unknown. Do not make another withdrawal like it. Before anything else, open balcão again.
left-unknown = No reply yet: the outcome is unknown. Do not make another withdrawal like it. Before anything else, open balcão again.

## References to other withdrawals

other-named = { $amount } to { $to } ({ $when }; { $state })
other-of = { $other }, made by { $whose }
account-at = { $who } at { $place }
other-shows = { $other }. { $key } shows it.
other-more = { $n ->
    [one] { $n } more.
   *[other] { $n } more.
}

## Destinations used before

known-title = Used before: ↓ and Enter pick one; type the key or the nickname.
known-used-short = { $n ->
    [one] { $n } time, { $when }
   *[other] { $n } times, { $when }
}
known-used = { $n ->
    [one] used once, { $when }
   *[other] used { $n } times, last { $when }
}
known-used-on = { $n ->
    [one] used once, on { $when }
   *[other] used { $n } times, last on { $when }
}
review-first-time = first time
review-quote-changed = The fee changed: it was { $fee }, and the net amount { $net }.

## The contract lines that the seller must accept

consent-title = Service format: read before use
consent-title-origin = Service address: check before use
consent-why-origin = Check the address of the service: your password goes there. You have not typed it now, nor accepted it before in this profile. Nothing is sent before you accept.
consent-why = This profile changes the service format that comes with balcão. Read to the end: these lines decide what is sent, where, and how the reply is read. Nothing is sent before you accept them.
consent-why-again = Something has changed since you last accepted, in your files or in a new version of balcão. Nothing is sent before you accept.
consent-accepted = You have accepted these lines in this profile. This is what they change in the format that comes with balcão.
consent-sandbox = This is what this profile changes in the default format. This is the sandbox: there is nothing to accept.
consent-not-you = You did not change this, or do not know why it changed? Do not accept: these lines decide where your password goes, how much leaves, and to whom.
consent-each-time = Without a keyring this comes back; with --vault keyutils it does not.
consent-taught-file = in the file that balcão writes when you teach it
consent-news = Changed since you last accepted:
consent-others = Accepted before:
consent-units = The fee is fetched in { $preview } and the withdrawal requested in { $withdrawal }: if only one of them is right, the other is 100 times too much or too little.
consent-reais = reais
consent-centavos = centavos
consent-confirmed = Your file says “confirmed”: that does not count. Only balcão confirms a line.
consent-file = File
consent-old = before
consent-new = now
consent-was-not = was not there
consent-no-origin = none in this profile
consent-is-not = is no longer there
consent-origin-means = Your password goes to { $value }.
consent-secret-name = Your password is sent as “{ $value }”.
consent-secret-shown = What you type in this field is shown on the screen and in Requests.
consent-fixed = This field is fixed: “{ $value }” is always sent, and nobody types it.
consent-default = “{ $value }” is sent if nobody types anything else.
consent-unit = R$ 49,90 is sent as { $value }. With the wrong unit the amount is 100 times too much or too little.
consent-address = The request goes to { $value }.
consent-headers = These headers are always sent, and nobody types them.
consent-credential-headers = The credential is sent in these headers.
consent-credential = The request carries the credential “{ $value }”.
consent-retention = For how long the same code can be sent again. More than 24 h counts as 24 h.
consent-proxy = Everything passes through { $value }.
consent-ca-file = The certificates in this file may vouch for any server: whoever has their keys can pose as the service.
consent-message-means = This is the text that a buyer receives.
consent-letters = Take care: some letters can be taken for others. They are shown by number: { $letters }.
consent-origin = Service address
consent-login = Login
consent-domains = Domains
consent-create-link = Payment link
consent-direct-payment = Charge
consent-fee-preview = Fee preview
consent-withdrawal = Withdrawal
consent-request = Every request
consent-connection = Connection
consent-message = Message for the buyer
consent-error = Error messages
consent-read-on = You can accept only after reading to the last line.
consent-was-read = Do not accept anything you do not recognize.
consent-too-long = Some lines are too long for anyone to read. They cannot be accepted: shorten them in the file.
consent-keeping = Saving what you accepted
consent-not-kept = What you accepted was not saved. Nothing was sent.
consent-back = Back
consent-do = Accept these lines

## While another withdrawal is open: each sentence is only about the current one

beside-not-sent = This withdrawal has not been sent yet.
beside-preparing = This withdrawal has not been sent yet. As soon as it is recorded, it is sent.
beside-not-reached = This withdrawal has not reached the service yet.
beside-no-entry = The service has not accepted this withdrawal yet: no money has moved for it.
beside-throttled = The service has not accepted this withdrawal yet and asks you to wait: no money has moved for it.
beside-rejected = The service refused this withdrawal: no money has moved for it.
beside-discarded = You discarded this withdrawal ({ $when }). The service had not accepted it: no money has moved for it.

nickname-title = Nickname of the destination
nickname-submit = Save
nickname-wait = Saving it
nickname-hint = Stays on this computer, always beside the key. Left empty, it is taken away.
field-nickname = Nickname

## Receipt

receipt-title = Receipt of a withdrawal
receipt-no-bank = A receipt from this program: it is not a bank's receipt.
receipt-sandbox = SANDBOX: no real money left.
receipt-asked = What you asked for
receipt-amount = Amount
receipt-purged = removed from the journal of this computer
receipt-agreed = You confirmed
receipt-sent = Sent
receipt-service = Service
receipt-said = What the service answered
receipt-answered = Answered
receipt-status = Answer
receipt-http = accepted (HTTP { $status })
receipt-id = Identifier
receipt-message = Message
receipt-hint = Hint
receipt-server-date = Service's clock
receipt-closing = The service accepted this request. This does not prove that the money arrived: check in the receiver's account.
receipt-file = receipt
receipt-writing = saving…
receipt-saved = ✓ Saved as text and picture; only you can open it:
receipt-not-saved = It could not be saved in the directory that balcão was opened in (system: { $why }). { $key } copies the text.
arrived-title = How much arrived?
arrived-of = Withdrawal
arrived-submit = Check
arrived-hint = See the statement of the account that received it. Only that shows whether the service read reais or centavos.
arrived-other-unit = It is about 100 times too much or too little: the unit of the amount in the service format must be wrong. Make no other withdrawal before the unit in the service format is corrected.
    .teach = It is about 100 times too much or too little: the unit of the amount in the service format must be wrong, and withdrawals wait until it is corrected. { $key } corrects the unit. Mistyped? Type it again.
arrived-yes = has arrived
arrived-not-yet = has not arrived yet
field-has-arrived = The money
field-unit-read = The service read
unit-doubt-title = { $amount } or { $other }?
unit-doubt-why = balcão asked for the fee of two amounts that differ by 1 centavo. By its answers, the service may have read { $other } instead of { $amount }:
unit-doubt-unsure = I do not know yet
unit-doubt-submit = Answer
unit-doubt-hint = If in doubt, ask the support of the service whether it counts in reais or in centavos. Asking for a fee moves no money.
arrived-other = { $expected } was expected. Check again; if that is what arrived, talk to the service. It is still not known whether the service reads reais or centavos.
field-arrived = Arrived
outcome-arrived = When the money arrives, say how much ({ $key }): that confirms that the amount is sent right.

# Who prepared, sent and decided a withdrawal, in a team.
outcome-who = Team
    .prepared = { $who } prepared it
    .approved = { $who } approved it
    .sent = { $who } sent it
    .decided = { $who } decided
team-author = { $who } ({ $machine })
# Who made a link, a direct payment or a batch, and who changed it later.
team-who = Team
    .created = { $who } created it
    .note = note by { $who }
    .batch = { $who } began the batch

# The connection to the team's database, in the header.
header-team = team
    .connecting = team: connecting
    .offline = team: no connection since { $since }
    .offline-short = no connection
