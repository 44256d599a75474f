# Teaching: where a reply has its values, and how a request is sent.

teach-title = Teach: { $what }
teach-intro-reply = See what balcão reads in this reply, and what it sends. Change what does not fit.
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
    .state = Where does it say whether the domain is active?
teach-optional = It may be in this same reply. { $key }: it is not here.
teach-looked-for = Looked in: { $places }
teach-reads = Read as: { $value }
teach-would-read = This reply is read like this:
teach-reads-nothing = Nothing is read from here.
teach-unfit = This cannot be { $what }. Choose another row.
teach-reply-itself = the reply
teach-list =
    { $n ->
        [one] list of 1
       *[other] list of { $n }
    }
teach-object =
    { $n ->
        [one] object with 1 member
       *[other] object with { $n } members
    }
teach-intro-line = As it is in the service format. Nothing is sent now.
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
teach-was = before: { $old }
teach-would-leave = The next request leaves like this:
teach-body-unknown = The body depends on what is typed.
teach-writing = Saving…
teach-sought-token = the API token
teach-sought-jwt = the JWT
teach-sought-expires-in = the time left in seconds
teach-sought-expires-at = the date it expires
teach-sought-expires = { teach-sought-expires-at }
teach-sought-under = the list of domains
teach-sought-host = the domain of each entry
teach-sought-state = whether the domain is active
teach-sought-url = the address of the link
teach-sought-pix-code = the Pix code
teach-sought-net = the net value
teach-sought-fee = the fee
teach-sought-id = the identifier
teach-sought-status = the status
teach-sought-end-to-end = the endToEndId
teach-sought-receipt = the receipt
teach-sought-echo-amount = the amount repeated
teach-sought-echo-destination = the key repeated
teach-sent-field = Field
teach-sent-path = Path
teach-sent-method = Method
teach-sent-amount = Name of the amount
teach-sent-amounts = Amounts
teach-amounts-where = Counts for
teach-amounts-everywhere = all operations
teach-amounts-here = this operation alone
teach-sent-description = Name of the description
teach-sent-domain = Name of the domain
teach-sent-unit = Unit of the amount
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
