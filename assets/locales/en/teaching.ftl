# Teaching: where a reply has its values, and how a request is sent.

teach-title = Teach: { $what }
teach-intro-reply = See what balcão reads in this reply, and what it sends. Change what does not fit.
teach-intro-open = This withdrawal is still open. Its reply can now only teach where the code and the status are.
teach-intro-no-json = The service accepted it, but the reply is not JSON. Change what balcão sends.
teach-intro-refused = The service refused this request. Change what balcão sends.
teach-head-reply = Looked for in the reply
teach-head-request = In the request goes
teach-head-save = Ready?
teach-new-field = + new field in the body
teach-to-save =
    { $n ->
        [one] Look at 1 line and save it
       *[other] Look at { $n } lines and save them
    }
teach-missing = not found
teach-absent = not there
teach-hidden = hidden value
teach-empty = nothing
teach-entries =
    { $n ->
        [one] 1 entry
       *[other] { $n } entries
    }
teach-domains =
    { $n ->
        [0] no domains
        [one] 1 domain: { $hosts }
       *[other] { $n } domains: { $hosts }
    }
teach-where = Where is { $what }?
    .code = The service replied { $status }. Where is the withdrawal's code?
    .state = Where does it say whether the domain is active? Pick that of an active one.
teach-optional = It may be in this same reply. { $key }: it is not here.
    .figure = balcão computes this value from the other one. { $key }: it is not here.
teach-reads = Read as: { $value }
teach-valid-until = valid until { $when }
teach-valid-for = valid for { $time } (until { $when })
teach-figures-other-unit = This fits { $amount } only if the service counts in { $unit }. Enter asks.
teach-figures-off = { $value } does not fit the { $amount } that were sent. Choose another row.
teach-would-read = This reply is read like this:
teach-reads-nothing = Nothing is read from here.
teach-unfit = This cannot be { $what }. Choose another row.
lesson-says-failed = The reply says “{ $word }”: it is no example. Check your account.
lesson-no-code = Choose the withdrawal's code first.
lesson-not-a-code = This is not a code. A code has digits and differs for each withdrawal.
lesson-masked = This value did not come whole.
lesson-request-id = This is the code of the request, not of the withdrawal.
lesson-time = This is a date or a time, not a code.
lesson-sent = You sent this value: it is not a code of the service.
lesson-elsewhere = Other replies of the service have this too: it does not prove that it is a withdrawal.
lesson-not-a-state = This is not the withdrawal's status.
lesson-unread-state = Choose the status too, in { $name }: the code alone does not say whether the withdrawal was accepted.
teach-reply-itself = the reply
teach-list =
    { $n ->
        [one] list of 1
       *[other] list of { $n }
    }
teach-object =
    { $n ->
        [one] { "{...}" } 1 field
       *[other] { "{...}" } { $n } fields
    }
teach-intro-line = As it is in the service format. Nothing is sent now.
teach-asks-unit = These figures fit the { $amount } that were sent only if the service counts in { $unit }. Check on the website of the service.
teach-unit-off = Like this, fee and net amount do not add up to { $amount }.
teach-intro-headers = One header a line, such as X-Store: 12. In the credential's header, { $open } marks its place.
teach-intro-field = A field of the body. Always the same: the value goes with every request.
teach-line-submit = Use it
teach-refused = The service format does not accept it: { $why }
teach-field-name = Name in the request
teach-field-use = In the request
teach-field-label = Name on the screen
teach-field-value = Value
teach-use-asked = always ask
teach-use-optional = may stay empty
teach-use-fixed = always the same
teach-use-absent = do not send
teach-review-intro = These lines go into the format of this profile. Saving them accepts them:
teach-review-intro-for-run = These lines go into this profile's format. By saving you accept them until you quit, because no keyring keeps the agreement:
teach-was = before: { $old }
teach-would-leave = The next request leaves like this:
teach-body-unknown = The body depends on what is typed.
teach-writing = Saving…
teach-rename = The service wants “{ $new }”: is it the field { $field } (now “{ $old }”)?
teach-leave-out = The service does not know “{ $name }”. Leave out the field { $field }?
teach-key-words = The service calls the types of key { $words }. Use these words?
teach-change = { $name }: { $old } → { $new }
teach-question-back = No
teach-question-do = Yes, change it
teach-part-amount = Amount
teach-then-login = The login is then sent again.
teach-then-link = The link is then requested again.
teach-then-charge = The charge then comes back filled in. Nothing is sent now.
teach-then-withdrawal = Nothing is withdrawn now: the withdrawal comes back filled in, for you to review and confirm.
teach-untaught = The service named “{ $name }”. { $why }
teach-name-unreadable = This name is not used: it is too long, or has characters that mislead.
teach-name-documented = This name is in the service's documentation, and a refusal does not change it.
teach-name-taken = Another field has this name.
teach-name-secret = A password or secret code is sent only with the login.
teach-name-destination = The money only goes to the Pix key; there is no field for another receiver.
teach-name-amount = There is one amount in the request, and no field for another.
teach-intro-kinds = What does the service call each type of key? Leave empty what it does not accept.
teach-word-cpf = CPF
teach-word-cnpj = CNPJ
teach-word-phone = Phone
teach-word-email = E-mail
teach-word-random = Random key
teach-sought-token = the API token
teach-sought-jwt = the JWT
teach-sought-expires-in = the time it is valid
teach-sought-expires-at = the date it expires
teach-sought-expires = { teach-sought-expires-at }
teach-sought-under = the list of domains
teach-sought-host = the domain of each entry
teach-sought-state = whether the domain is active
teach-sought-next-page = the next page
teach-sought-url = the address of the link
teach-sought-pix-code = the Pix code
teach-sought-net = the net value
teach-sought-fee = the fee
teach-sought-id = the identifier
teach-sought-code = the withdrawal's code
teach-sought-status = the status
teach-sought-end-to-end = the endToEndId
teach-sought-receipt = the receipt
teach-sought-message = why it was refused
teach-sought-failed-flag = a "no" of the service
teach-sought-echo-amount = the amount repeated
teach-sought-echo-destination = the key repeated
teach-sent-field = Field
teach-sent-path = Path
teach-sent-method = Method
teach-sent-amount = Name of the amount
teach-sent-amounts = Amounts
teach-amounts-where = Counts for
teach-amounts-everywhere = all operations
teach-amounts-withdrawals = withdrawals and their fee
teach-amounts-here = this operation alone
teach-sent-description = Name of the description
teach-sent-domain = Name of the domain
teach-sent-unit = Unit of the amount
unit-reais = reais
unit-centavos = centavos
teach-sent-amount-sent = Amount sent as
teach-sent-amount-read = Amount read with
teach-sent-key-header = Header of the code
teach-sent-key-format = Form of the code
teach-sent-key-in-body = Code in the body
teach-sent-credential = Credential
teach-sent-credential-headers = Its headers
teach-sent-headers = Other headers
teach-sent-header = Header
teach-sent-encoding = Body written as
teach-sent-success = Statuses of success
teach-sent-pages = Pages of the list
teach-sent-token-header = Header with the token
