# Login, JWT, domains, exchanges, account, questions and notices.

login-title = Log in
login-submit = Log in
login-wait = Logging in
login-this-machine = { $address } (this machine)
login-kept = The token goes
login-memory = When you log in, balcão asks whether it may keep it in memory only.
look-around = You can look around without logging in ({ $key }).
login-demo = In the demo, logging in also puts a new JWT for links in place.

keeper-asking = not known yet: the keyring is being asked
keeper-keyring = into this system's keyring
keeper-memory = into memory only, until you leave the program
keeper-absent = nowhere: this computer has no keyring
keeper-locked = nowhere: the keyring is locked
keeper-hangs = nowhere: the keyring did not answer
keeper-other = nowhere: the keyring reported an error

jwt-title = JWT for links
jwt-why = To create links the service wants a JWT (Authorization: Bearer <JWT>). The documentation does not say how that JWT is obtained: ask the service. The login here yields the API token only, which is for withdrawals.
jwt-field = JWT
jwt-submit = Keep it
jwt-wait = Keeping it
jwt-kept = It goes { $where }.

account-profile = Profile
account-service = Service
account-kind = Kind
account-sandbox = sandbox: no real money
account-this-machine = this machine: it did not prove to be the sandbox; the money may be real
account-live = live: the money is real
account-who = Account
account-nobody = nobody is logged in
account-kept = Credentials go
account-contract = Contract
account-contract-accepted = { $n ->
    [one] { $n } line of yours steers money, accepted by you
   *[other] { $n } lines of yours steer money, accepted by you
}
account-contract-pending = { $n ->
    [one] { $n } line that steers money is not accepted yet
   *[other] { $n } lines that steer money are not accepted yet
}
account-history = Old history
account-history-means = It was damaged and is kept there. The lists of links and charges begin anew; withdrawals and money are not affected.

credential-api-token = API token
    .for = for withdrawals
    .absent = not there: log in
    .refused = the service did not take it: log in again
credential-jwt = JWT
    .for = for links
    .absent = not there: paste the JWT
    .refused = the service did not take it: paste a new one
credential-unknown = not known yet
credential-held = kept; when it expires is not known
credential-until = kept; good until { $when }
credential-expired = expired: { $when }
credential-demo = put here by the demo

domains-top = Where the buyer opens your links
domains-wait = Asking for the domains
domain-automatic = automatic
    .what = the service picks one
domain-chosen = new links
domain-usable = can be used
domain-active = active
domain-pending = not active yet
domain-pending-word = not active yet: “{ $word }”
domain-default = default
domains-pick = Pick where new links open. Links that exist do not change.
domains-not-asked = The domains were not asked for yet.
domains-paste-jwt = Creating links and asking for the domains needs the JWT: { $key } pastes one.
domains-log-in = Creating links and asking for the domains needs a login: key { $key }.
domains-none = The service listed no domain that can be used now.
domains-active-how = A domain becomes active once its DNS and SSL are set up. Without an active domain the service refuses new links.
domains-way-out = A charge needs no domain (key { $key }).

exchanges-none = No exchange yet.
exchanges-what = Every request to the service and its reply appear here, whole, with secrets masked. The list lasts until you leave.
exchanges-top = { $n ->
    [one] { $n } exchange since the start, secrets masked
   *[other] { $n } exchanges since the start, secrets masked
}
exchanges-top-kept = { $n ->
    [one] { $n } request kept · older ones dropped: { $dropped }
   *[other] { $n } requests kept · older ones dropped: { $dropped }
}
exchange-reply = Reply { $status }, in { $took }
exchange-after = After { $took }:
exchange-no-answer = no answer
exchange-not-sent = not sent
exchange-cancelled = cancelled
exchange-failed = failed
exchange-no-body = (no body)
exchange-body-goes-on = … what is shown ends here; the whole body has { $kib } KiB.
operation-login = Login
operation-domains = Domains
operation-link = Create link
operation-charge = Charge
operation-fee = Withdrawal fee
operation-withdrawal = Withdrawal

ask-drop-form = What you typed here will be lost.
    .title = Leave the form?
    .back = Stay
    .do = Leave, drop it
ask-drop-and-leave = What you typed will be lost. Ctrl-C once more leaves too.
    .title = Leave balcão?
    .back = Keep editing
    .do = Discard and leave
ask-leave = A withdrawal is being sent right now. If you leave the screen, the program waits for the send to finish and only then ends.
    .title = Leave with a withdrawal on its way?
    .back = Stay
    .do = Leave the screen
ask-log-out = The API token and the JWT will be deleted from this computer. The history and open withdrawals stay.
    .title = Log out?
    .back = Stay logged in
    .do = Log out
ask-copy-odd = The address goes exactly as it is. Copy it only if you recognize it.
    .title = Copy this address?
    .back = Do not copy
    .do = Copy
ask-browse-odd = The address goes to the browser exactly as it is. Open it only if you recognize it.
    .title = Open this address?
    .back = Do not open
    .do = Open
ask-qr-odd = The QR code carries the address exactly as it is. Show it only if you recognize it.
    .title = Show the QR code?
    .back = Do not show
    .do = Show
ask-discard = No money has moved through it. Its key will not be used again. To withdraw later, make a new withdrawal.
    .title = Discard the withdrawal?
    .back = Keep it
    .do = Discard
ask-found = Confirm only if you saw it in your account at the service or at the receiver's bank. It will not be sent again.
    .title = Was the withdrawal paid?
    .back = I do not know yet
    .do = It was paid
ask-found-either = Either counts: what you asked for ({ $sent }) or what the reply says ({ $got }).
ask-use-memory = Without a keyring, credentials stay in this program's memory only. When you leave they are gone, and you need to log in again.
    .title = Keep in memory only?
    .back = Do not keep
    .do = Memory only
ask-pick-journal = This becomes the record of withdrawals. The present one is kept beside it, and what is open in it stays in view. No money leaves.
    .title = Use this record?
    .back = Back
    .do = Use this one
ask-withdrawal-of = Withdrawal of { $amount }

odd-not-an-address = cannot be read as a web address
odd-user-info = has a user name or a password in it
odd-ip = points to a number, not to a domain
odd-http = is not encrypted (http)
odd-not-web = is not an address of the web: only https is expected
odd-api-host = points to the service's own address
odd-shell = has a space or signs that a terminal acts on: { $signs }
odd-unknown-host = is neither the chosen domain nor one of those known to be yours

palette-nothing = Nothing of that name now.
wish-buyers-view = Buyer's view: the link's page as the buyer sees it
wish-story = Story: begin
wish-story-stop = Story: stop
wish-captions-off = Story: hide the captions
wish-captions-on = Story: show the captions
wish-no-faults = Sandbox: take the faults away
wish-domains-down = Sandbox: make the domains inactive
wish-domains-up = Sandbox: bring the domains back
wish-forward = Sandbox: move the clock on by 10 min
wish-start-over = Sandbox: start over

said-copied-desktop = Copied to the clipboard: { $what }.
said-copied-tmux = Copied to tmux and passed on to the terminal: { $what }.
said-copied-terminal = Sent to your terminal's clipboard: { $what }.
clip-address = the link's address
clip-message = a message for the buyer
clip-pix-code = the Pix code
clip-key = the withdrawal's code
clip-request = the request, secrets masked
clip-amount = the withdrawal's amount
clip-net = the net amount
clip-said = what the service answered
clip-when = when it was sent
clip-destination = the Pix key it goes to
said-not-copied-clean = Not copied: it holds invisible or control characters, marked on the screen.
said-not-copied-unseen = Not copied: too long to show in full (more than { $most } characters).
said-not-copied-long = Not copied: too long for the terminal. It is on the screen in full.
said-not-copied-nothing = There is nothing to copy here.
said-opened = The browser was asked to open it.
said-not-opened = No browser could be asked.
said-logged-in = You are logged in.
said-logged-out = You are logged out. The credentials are deleted here.
said-lines-agreed = Lines accepted. Nothing was sent: now it can be sent.
said-jwt-kept = The JWT is kept. The service judges it only when it is used.
said-domain-automatic = New links: the service picks your active domain.
said-domain-pending = { $host } is not active yet: the service may refuse links.
said-domain-named = New links open on { $host }.
said-domain-not-kept = The domain only counts until you leave: it could not be kept.
said-refreshed = Refreshed.
said-refreshed-list = List refreshed.
said-refreshed-keyring = The keyring was asked again.
said-not-here = { $key } ({ $action }) does nothing here right now.
said-sandbox-paid = The sandbox says that a link was paid: { $amount }.
said-fault-armed = Armed. { $name }.
said-faults-gone = Demo: the faults are gone.
said-started-over = All new: the sandbox's bank, and the demo's withdrawals and links.
said-domains-down = Demo: all domains are inactive.
said-domains-up = Demo: the domains are back.
said-forwarded = Demo: the clock was moved on by 10 min.
said-domain-moved = Demo: { $host } has another state now.
said-step-failed = Demo: a step of the story could not be done.
said-not-granted = Demo: not possible now. Nothing changed.
said-history = The history failed: { $cause }. Money is not affected.
    .damaged = it is damaged
    .missing = it is gone
    .several = there is more than one, and none is chosen
    .newer = a newer version wrote it
    .read-only = it cannot be written
    .full = there is no room left
    .not-private = others may change its folder
    .busy = another program is using it
    .io = a disk error
said-system = The system said: “{ $text }”
said-history-anew = Damaged history: a new one begins. Money is not affected. See Account.
said-not-watching = What other windows do only shows when the list is refreshed.
said-journal-picked = Record of withdrawals chosen.
said-journal-not-picked = The record of withdrawals did not change.
said-not-decided = Your decision was not recorded.

palette-armed = Armed · { $what }
palette-armed-times = Armed { $n } times · { $what }
palette-armed-always = Armed for good · { $what }
palette-armed-more = and { $n } more armed
palette-armed-count = { $n } faults armed
fault-lose-answer = Withdrawal fault: lose the reply
fault-drop-before = Withdrawal fault: drop before it arrives
fault-slow = Withdrawal fault: take 5 s
fault-cut-json = Withdrawal fault: cut the reply's JSON
fault-wrong-type = Withdrawal fault: right reply, wrong Content-Type
fault-other-amount = Withdrawal fault: another amount in the reply
fault-says-failed = Withdrawal fault: a success that says “failed”
fault-redirect = Withdrawal fault: answer 307, another address
fault-answer-400 = Withdrawal fault: answer 400
fault-expire-token = Withdrawal fault: expire the token
fault-key-busy = Withdrawal fault: answer 409, key in use
fault-key-reused = Withdrawal fault: answer 422, key already used
fault-too-many = Withdrawal fault: answer 429, wait 5 s
fault-answer-500 = Withdrawal fault: answer 500
fault-answer-503 = Withdrawal fault: answer 503
fault-no-quote = Fee fault: answer 503
fault-wrong-quote = Fee fault: figures that do not add up
fault-lose-link = Link fault: lose the reply
fault-expire-jwt = Link fault: expire the JWT
fault-refuse = Sandbox: refuse connections
