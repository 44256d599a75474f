### Payment links, charges, and the status words of the service.

## Links

links-count = { $n ->
    [one] { $n } link
   *[other] { $n } links
}
links-made = { $n ->
    [one] { $n } created
   *[other] { $n } created
}
links-automatic = automatic
links-not-saved = ! not saved
links-unknown = ? may exist
links-refused = × refused
links-not-sent = – not sent
links-paid = ✓ paid (sandbox)
    .short = ✓ paid
links-marked = ✓ marked as paid
    .short = ✓ marked
links-put-away = put away
links-awaited = awaiting payment
    .short = awaiting
links-filters = { $n ->
    [one] { $n } filter
   *[other] { $n } filters
}
links-filter-paid = ✓ paid
links-filter-unpaid = not marked as paid
links-filter-put-away = put away
links-filter-day = only { $day }
links-filter-domain = only { $domain }
links-sum = total { $sum }
links-sum-paid = ✓ paid { $sum }
links-day-paid = ✓ all paid
links-none-paid = No link is marked as paid. { $key } shows all.
links-none-unpaid = All links are marked as paid. { $key } shows those marked.
links-none-put-away = No link is put away. { $key } shows the list.
links-none-filtered = No links: { $filters }. { $key } shows all.
strip-day = today
strip-week = 7 days
strip-month = this month
strip-days = 14 days
strip-links = links
strip-sum = total
strip-sum-unit = total (R$)
strip-marked = ✓ paid
strip-others = not marked
strip-most = max. { $sum }
strip-weekdays = S M T W T F S
links-empty-title = No links here yet
links-empty-hint = A link is a payment page on your own domain. You send its address to the buyer.
links-empty-key = creates the first one
links-none-found = No link with “{ $query }”.
links-none-found-filtered = No link with “{ $query }” under these filters.
links-not-loaded = reading the history…
history-meanwhile = Until then no link or charge can be created: each one is written down before the service is asked for it. Withdrawals, domains and the account work.
history-meanwhile-locked = Until then no link or charge can be created: each one is written down before the service is asked for it. Domains and the account work.
history-way = Check the disk space and the folder's permissions, then close balcão and open it again.
history-detail = The system:
links-no-url-unknown = It is not known if the service created this link.
links-no-url-refused = The service refused: this link does not exist.
links-no-url-not-sent = Nothing reached the service: this link does not exist.

new-link-title = New payment link
new-link-json = In the request
new-link-automatic-hint = The service picks one of your active domains.
new-link-named-hint = The checkout opens on this domain.
new-link-pending-hint = This domain is not active yet: the service may refuse the link.
new-link-note-hint = The note is only for you: it is not sent to the service.
new-link-submit = Create link
new-link-wait = Creating the link
new-link-domain-how = A domain becomes active when its DNS and SSL are ready.
new-link-domain-other = A charge needs no domain: see Charges.
new-link-steps-copy = The service creates the link. Its address is copied at once, unless it needs a check.
new-link-steps-create = The service creates the link, and its address appears on the screen.
new-link-steps-send = You send the address to the buyer.

note-title = Note about the link
note-submit = Save
note-wait = Saving it
note-hint = Only for you: it stays on this computer and is not sent to the service. Left empty, it is taken away.
field-note = Note
known-links-title = Earlier links: { $key } picks one, type to filter.
link-reminder =
    Hi! This is a reminder of a payment:
    { $description }
    { $amount }
    { $url }
    If you have already paid, please ignore this message.

link-title = Payment link
link-made = Created
link-asked = Requested
link-domain = Domain
link-host = Opens on
reach-this-machine = Only this computer opens this page. To open it on phones, start the demo with --share.
reach-shared-here = Only this computer opens this page. To open it on phones, give --share this computer's address on the network.
reach-shared-elsewhere = Only this computer opens this page. For phones, create a link with the automatic domain: it opens at { $origin }.
link-never-paid = The service does not tell when a link is paid: check your account.
link-paid-says = Here the sandbox tells; the real service does not.
link-marked = ✓ marked as paid by you ({ $when }). The service does not say so.
    .team = ✓ marked as paid by { $who } ({ $when }). The service does not say so.
link-marked-by-statement = ✓ marked as paid: statement, { $day }. The service does not say so.
    .team = ✓ marked as paid by { $who }: statement, { $day }. The service does not say so.
link-put-away = Put away ({ $when }): not in the list or the sums. The link stays valid.
link-note = Note
link-unknown = It is not known whether the service created this link. It may or may not exist; creating it again may make a second one. Look in your account at the service first.
link-refused = The service refused. The link does not exist.
link-not-sent = Nothing reached the service. The link does not exist.
link-host-unreadable = no host can be read from this address
link-not-saved = The link exists, but it was not saved in the history (the disk may be full). Copy its address now: it will be gone from here when balcão closes.
link-not-clean = The address has invisible or control characters, marked here. It cannot be copied or opened.
link-too-long = The address has more than { $most } characters: too long to show in full. It cannot be copied or opened.
link-masked = A part of this address is missing (…): the service cut it, or put a credential of yours there. It cannot be copied or opened.
oddity-title = ! Check this address


## Charges

charges-count = { $n ->
    [one] { $n } charge
   *[other] { $n } charges
}
charges-made = { $n } created
charges-empty-title = No charges here yet
charges-empty-hint = A charge (a direct payment) makes a Pix code at once. It needs no domain.
charges-empty-key = creates the first one
charges-none-found = No charge with “{ $query }”.
charges-created = created
charges-refused = × refused
charges-not-sent = – not sent
charges-expired = – expired
charges-odd-code = ! check the code
charges-unread-code = ! unreadable code

new-charge-title = New charge
new-charge-hint = Makes a Pix code at once: no checkout page, no domain.
new-charge-submit = Create charge
new-charge-wait = Creating the charge
new-charge-json = In the request
new-charge-steps-code = balcão asks the service for a Pix code for this amount.
new-charge-steps-send = You send the code to the buyer, or show the QR Code.

charge-title = Charge
charge-made = Created
charge-asked = Requested
charge-customer = Buyer
charge-id = Identifier
charge-status = Status
charge-status-theirs = “{ $word }” (said by the service when created)
    .pending = waiting for payment when created
    .short = waiting
charge-status-none = the service did not say
charge-expires = Valid until
charge-expires-in = { $moment } · { $left } left
charge-expired = Expired
charge-in-code = In the code
charge-code-pays = { $amount } to { $receiver }
charge-code-for = to { $receiver }
charge-code-open = The code has no amount: the buyer types it.
charge-code-dynamic = The code has no amount: the buyer's bank fetches it when it is paid.
charge-code = Pix Copia e Cola
charge-code-none = The service sent no Pix code in this reply. The whole reply is in Requests.
charge-not-saved = The charge exists, but it was not saved in the history (the disk may be full). Copy its code now: it will be gone from here when balcão closes.
charge-code-not-clean = The code has invisible or control characters, marked here. It cannot be copied.
charge-code-too-long = The code has more than { $most } characters: too long to show in full. It cannot be copied.
charge-code-masked = A part of this code is missing (…): the service cut it, or put a credential of yours there. It cannot be copied.
charge-unknown = It is not known whether the service created this charge. It may or may not exist; creating it again may make a second one. Look in your account at the service first.
charge-refused = The service refused. The charge does not exist.
charge-not-sent = Nothing reached the service. The charge does not exist.

code-odd-title = ! Check this Pix code
code-odd-amount = asks for { $code }, and this charge is for { $asked }
code-odd-checksum = was cut or changed: the check at its end (CRC) does not match
code-odd-currency = is not in reais
code-odd-unreadable = cannot be read as a Pix code (BR Code): it may be cut, or of another kind
code-odd-long = some banks refuse it: { $part } has { $got } characters; the limit is { $max }
code-odd-signs = some banks refuse it: { $part } has accents or other non-standard characters
code-odd-missing = some banks refuse it: { $part } is missing
code-part-name = the name
code-part-city = the city
code-part-reference = the identifier (txid)
code-part-key = the Pix key
code-part-description = the description
code-part-url = the address (URL)
code-part-whole = the whole code
code-odd-expired = has expired: the buyer may be unable to pay
code-odd-do = Do not send this code to anyone. Check the charge in your account at the service, or create another one.
code-unreadable-do = Before you send it to anyone, check in your account at the service.
code-broken-do = Many banks accept it, so you can send it. The service makes the code: ask it for a correction.
code-expired-do = Create another charge: { $key } repeats this one, with the buyer filled in.

found-link-title = This link exists
found-link-hint = If your account at the service shows the link, paste its address here. It then is a link like the others.
found-charge-title = This charge exists
found-charge-hint = If your account at the service shows the charge, paste its Pix code here. It then is a charge like the others.
found-sale-submit = Save
found-sale-wait = Saving
field-address = Address
field-pix-code = Pix code
field-not-an-address = is not a web address: paste the whole address
field-not-a-pix-code = is not a Pix code: paste the whole code
field-other-amount = is a code for another amount: copy the one of this charge
known-buyers-title = Earlier buyers: { $key } picks one, type to filter.

## Status words of the service

theirs-quote = “{ $text }”
figure-computed = computed
    .fee = computed
