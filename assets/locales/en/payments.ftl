### Links, charges, and what the service says of them.

## Links

links-count = { $n ->
    [one] { $n } link
   *[other] { $n } links
}
links-made = { $n ->
    [one] { $n } made
   *[other] { $n } made
}
links-automatic = automatic
links-not-saved = ! not saved
links-unknown = ? may exist
links-refused = × refused
links-not-sent = – not sent
links-empty-title = No links here yet
links-empty-hint = A link is a payment page on your own domain. You send its address to the buyer.
links-empty-key = makes the first one
links-none-found = No link with “{ $query }”.
links-not-loaded = reading the history…
links-no-url-unknown = Nobody knows if the service made this link: it may or may not exist.
links-no-url-refused = The service refused: this link does not exist.
links-no-url-not-sent = Nothing reached the service: this link does not exist.

new-link-title = New payment link
new-link-json = In the JSON
new-link-automatic-hint = The service uses your active domain. The field checkoutDomain is not sent.
new-link-named-hint = The checkout opens on this domain.
new-link-pending-hint = This domain is not active yet: the service may refuse the link.
new-link-submit = Create link
new-link-wait = Creating the link
new-link-domain-how = A domain becomes active when its DNS and SSL are ready.
new-link-domain-other = A charge needs no domain: see Charges.

link-title = Payment link
link-made = Created
link-asked = Asked for
link-domain = Domain
link-host = Opens on
link-never-paid = A link never turns “paid” here: no documented operation says so.
link-unknown = Nobody knows whether the service made this link. It may or may not exist; creating it again may make a second one. Look in your account at the service first.
link-refused = The service refused. The link does not exist.
link-not-sent = Nothing reached the service. The link does not exist.
link-host-unreadable = no host can be read from this address
link-not-saved = The link exists, but it was not saved in the history (the disk may be full). Copy its address now: it is gone from here when balcão closes.
link-not-clean = The address holds invisible or control characters, marked here. It cannot be copied or opened.
link-too-long = The address has more than { $most } characters: too long to show in full. It cannot be copied or opened.
oddity-title = Attention: this address


## Charges

charges-count = { $n ->
    [one] { $n } charge
   *[other] { $n } charges
}
charges-empty-title = No charges here yet
charges-empty-hint = A charge (a direct payment) makes a PIX code at once. It needs no domain.
charges-empty-key = makes the first one
charges-none-found = No charge with “{ $query }”.
charges-created = created
charges-refused = × refused
charges-not-sent = – not sent

new-charge-title = New charge
new-charge-hint = The service charges directly: no checkout page, no domain.
new-charge-submit = Create charge
new-charge-wait = Creating the charge
new-charge-json = Amount in JSON

charge-title = Charge
charge-made = Created
charge-asked = Asked for
charge-customer = Payer
charge-id = Identifier
charge-status = Status
charge-status-theirs = “{ $word }”, the service's word when made
charge-status-none = the service did not say
charge-expires = Valid until
charge-code = PIX copy and paste
charge-code-none = The service sent no PIX code in this reply. The whole reply is under Exchanges.
charge-not-saved = The payment exists, but it was not saved in the history (the disk may be full). Copy its code now: it is gone from here when balcão closes.
charge-code-not-clean = The code holds invisible or control characters, marked here. It cannot be copied.
charge-code-too-long = The code has more than { $most } characters: too long to show in full. It cannot be copied.
charge-unknown = Nobody knows whether the service made this charge. It may or may not exist; creating it again may make a second one. Look in your account at the service first.
charge-refused = The service refused. The charge does not exist.
charge-not-sent = Nothing reached the service. The charge does not exist.

## The service's words

theirs-quote = “{ $text }”
figure-computed = computed
