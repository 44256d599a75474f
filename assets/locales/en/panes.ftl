# Login, JWT, domains, exchanges, account, questions and notices.

login-title = Log in
login-submit = Log in
login-wait = Logging in
login-kept = The token goes
login-memory = When you log in, balcão asks whether it may keep it in memory only.
look-around = You can look around without logging in ({ $key }).

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
account-who = Account
account-nobody = nobody is logged in
account-kept = Credentials go

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
domains-not-asked = Not asked for yet. The credential in Account is needed for that.
domains-none = The service listed no domain that can be used now.
domains-active-how = A domain becomes active once its DNS and SSL are set up. Without an active domain the service refuses new links.
domains-way-out = A direct payment needs no domain (key { $key }).

exchanges-none = No exchange yet.
exchanges-what = Every request to the service and its reply appear here, whole, with secrets masked. The list lasts until you leave.
exchanges-top = { $n ->
    [one] { $n } exchange since the start, secrets masked
   *[other] { $n } exchanges since the start, secrets masked
}
exchange-reply = Reply { $status }, in { $took }
exchange-after = After { $took }:
exchange-no-answer = no answer
exchange-not-sent = not sent
exchange-cancelled = cancelled
exchange-failed = failed
exchange-no-body = (no body)
operation-login = Login
operation-domains = Domains
operation-link = Create link
operation-charge = Direct payment
operation-fee = Withdrawal fee
operation-withdrawal = Withdrawal

ask-drop-form = What you typed here will be lost.
    .title = Leave the form?
    .back = Stay
    .do = Leave, drop it
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
ask-discard = No money has moved through it. Its key will not be used again. To withdraw later, make a new withdrawal.
    .title = Discard the withdrawal?
    .back = Keep it
    .do = Discard
ask-found = Confirm only if you saw it in your account at the service or at the receiver's bank. It will not be sent again.
    .title = Was the withdrawal paid?
    .back = I do not know yet
    .do = It was paid
ask-use-memory = Without a keyring, credentials stay in this program's memory only. When you leave they are gone, and you need to log in again.
    .title = Keep in memory only?
    .back = Do not keep
    .do = Memory only
ask-withdrawal-of = Withdrawal of { $amount }

odd-not-an-address = cannot be read as a web address
odd-user-info = has a user name or a password in it
odd-ip = points to a number, not to a domain
odd-http = is not encrypted (http)
odd-api-host = points to the service's own address
odd-unknown-host = is neither the chosen domain nor one of those known to be yours

palette-nothing = Nothing of that name now.
wish-buyers-view = Buyer's view: the link's page as the buyer sees it
wish-fault = Demo: { $name }
wish-no-faults = Demo: no faults
wish-start-over = Demo: start the sandbox over
wish-domains-down = Demo: make the domains inactive
wish-domains-up = Demo: bring the domains back

said-copied-desktop = Copied to the clipboard.
said-copied-tmux = Copied to tmux and passed on to your terminal.
said-copied-terminal = Sent to your terminal's clipboard.
said-not-copied = It could not be copied.
said-not-copied-clean = Not copied: the address holds control characters.
said-not-copied-long = Not copied: too long for the terminal. It is on the screen in full.
said-not-copied-nothing = There is nothing to copy here.
said-opened = The browser was asked to open it.
said-not-opened = No browser could be asked.
said-logged-in = You are logged in.
said-logged-out = You are logged out. The credentials are deleted here.
said-jwt-kept = The JWT is kept. You can create links now.
said-domain-automatic = New links: the service picks your active domain.
said-domain-named = New links open on { $host }.
said-sandbox-paid = The sandbox says that a link was paid: { $amount }.
said-fault-armed = Demo armed: { $name }.
said-faults-gone = Demo: the faults are gone.
said-started-over = Demo: the sandbox started over.
said-domains-down = Demo: all domains are inactive.
said-domains-up = Demo: the domains are back.
said-history = The history failed; money is not affected.
said-not-watching = What other windows do only shows when the list is refreshed.

fault-lose-answer = lose the reply
fault-answer-500 = answer 500
fault-answer-503 = answer 503
fault-cut-json = cut the reply's JSON
fault-wrong-type = answer with the wrong content type
fault-drop-before = drop before it arrives
fault-slow = take 5 s
fault-expire-token = expire the token
fault-other-amount = another amount in the reply
fault-refuse = refuse connections
