# Login, JWT, domains, requests, account, questions and notices.

login-title = Log in
login-submit = Log in
login-wait = Logging in
login-this-machine = { $address } (this machine)
login-kept = API token
login-origin-before = Address before
login-origin-now = Address now
login-origin-differs = The address of the service has changed. Check it before you type your password.
login-checking = Reading the vault and the records before sending.
login-memory = When you log in, balcão asks whether it may keep it in memory only.
secret-unused = { $name } is set, and this run does not use it. Start with --vault env to use it.
look-around = Just looking? { $key } enters without a login.
login-demo-enter = { $key } logs in
login-demo-story = { $key } logs in and tells the story, step by step
login-demo = In the demo, logging in also gives you a new JWT for links.
login-shared = Shared at { $origin }: phones on the same network open and pay the links, in the sandbox.
login-shared-here = Shared at { $origin }: only this computer reaches that address; phones do not.

keeper-asking = checking the keyring
keeper-keyring = is kept in this computer's keyring
keeper-keyutils = is kept in the Linux keyring until you log out of this computer
keeper-helper = is kept by the command you configured
keeper-env = from the environment (BALCAO_TOKEN); nothing is kept
keeper-memory = is kept in memory only, until you leave balcão
keeper-absent = will not be kept: this computer has no keyring
keeper-locked = will not be kept: the keyring is locked
keeper-hangs = will not be kept: the keyring did not answer
keeper-denied = will not be kept: kernel or container denies it
keeper-no-helper = will not be kept: the configured command is missing
keeper-helper-hangs = will not be kept: the command did not answer
keeper-helper-failed = will not be kept: the command reported an error
keeper-read-only = will not be kept: the credentials come from the environment
keeper-several = the keyring has it several times; logging in leaves one
keeper-other = will not be kept: the keyring reported an error

login-brings-jwt = Log in again to receive it.
jwt-title = JWT for links
jwt-why = To create links, the service asks for a JWT (Authorization: Bearer <JWT>). The documentation does not say how to get that JWT: ask the service.
    .absent = The reply to the login brought no JWT.
    .unread = But the reply to the login has a value that balcão does not read and that may be it: { $key } shows it.
    .found = The login of this service brings the JWT: go back and log in again ({ $key }).
jwt-field = JWT
jwt-submit = Save
jwt-wait = Saving it
jwt-next = Paste the JWT into the field above; { $key } saves it.
jwt-kept = The JWT { $where }.
    .asking = Checking the keyring…

account-profile = Profile
account-other-profiles = { $n ->
    [one] { $name } · another profile in the file ({ $key } switches)
   *[other] { $name } · { $n } other profiles ({ $key } switches)
}
account-proxy = Proxy
account-service = Service
account-kind = Kind
account-sandbox = sandbox: no real money
account-unproven = no longer the sandbox: nothing is sent until you open balcão again
account-this-machine = this machine: it did not prove to be the sandbox; the money may be real
account-live = live: the money is real
account-who = Account
account-nobody = nobody is logged in
account-kept = Access
account-contract = Format
account-contract-own = balcão's own
account-versions = Versions
    .what = balcão { $version }; journal of withdrawals { $money }, history { $history }
account-config = Settings
account-journal = Data
account-contract-accepted = { $n ->
    [one] { $n } line differs from the default, accepted by you
   *[other] { $n } lines differ from the default, accepted by you
}
account-contract-sandbox = { $n ->
    [one] { $n } line differs from the default; nothing to accept in the sandbox
   *[other] { $n } lines differ from the default; nothing to accept in the sandbox
}
account-contract-pending = { $n ->
    [one] { $n } line is not accepted yet: nothing is sent
   *[other] { $n } lines are not accepted yet: nothing is sent
}
account-history = Old history
account-history-means = It was damaged and is kept there. The lists of links and charges begin anew; this does not affect withdrawals or money.
account-history-missing = It was not in the folder when balcão was opened. The lists of links and charges begin anew; this does not affect withdrawals or money. If you have a copy of history.db, close balcão and put it there.

credential-api-token = API token
    .for = for withdrawals
    .absent = not there: { $key } logs in
    .refused = the service did not accept it: { $key } logs in again
credential-jwt = JWT
    .for = for links
    .absent = not there: { $key } pastes the JWT
    .refused = the service did not accept it: { $key } pastes a new one
credential-unknown = checking the keyring
credential-held = kept; its expiry is not known
credential-until = kept; valid until { $when }
credential-expired = expired: { $when }
credential-here = ready to use; when it expires is not known
credential-here-until = ready to use; valid until { $when }
credential-for-run = was not kept: it lasts until you leave balcão
credential-demo = put there by the demo

domains-top = Where your links open
domains-count = { $n ->
    [one] { $n } domain
   *[other] { $n } domains
}
domains-wait = Fetching the domains
domain-automatic = automatic
    .what = the service picks an active domain
domain-chosen = new links
domain-usable = can be used
domain-active = active
domain-pending = not active yet
domain-pending-word = not active yet: “{ $word }”
domain-default = default
domain-since = Since
domain-listed = Fetched
domain-lacks = Its DNS or its SSL is still to be set up. That is done in your account at the service.
domains-pick = Pick where new links open. Links that exist do not change.
domains-not-asked = The domains have not been fetched yet.
domains-paste-jwt = To create links and fetch the domains, you need the JWT: { $key } pastes one.
domains-log-in = To create links and fetch the domains, log in: key { $key }.
domains-none-found = No domain with “{ $query }”.
domains-none = The service listed no domain that can be used now.
domains-active-how = A domain becomes active once its DNS and SSL are set up. Without an active domain the service refuses new links.
domains-way-out = A charge needs no domain (key { $key }).

exchanges-none = No requests yet.
exchanges-what = Every request to the service and its reply appear here, whole, with secrets and personal data masked.
exchanges-kept = The newest 2,000 are kept on this computer after you leave.
exchanges-not-kept = The list lasts until you leave.
exchanges-top = { $n ->
    [one] { $n } request, only until you leave
   *[other] { $n } requests, only until you leave
}
exchanges-top-found = { $n ->
    [one] { $n } request found
   *[other] { $n } requests found
}
exchanges-top-kept = { $n ->
    [one] { $n } request kept, since { $since }
   *[other] { $n } requests kept, since { $since }
}
exchanges-top-of = { $n ->
    [one] { $n } request of this · { $key } shows all
   *[other] { $n } requests of this · { $key } shows all
}
exchanges-none-found = No request with “{ $query }”.
exchanges-none-of = No kept request of this. { $key } shows all requests.
exchanges-unread = The kept requests could not be read. The command “balcao doctor” says why.
exchange-too-large = Too large to be shown beside the list. { $key } shows the whole request.
exchange-lost = This request was deleted, or could not be read.
exchange-request-id = The service’s code of the request: { $id }
exchange-clock = clock { $difference }
exchange-clock-ahead = The service’s clock is { $difference } ahead of this computer’s clock.
exchange-clock-behind = The service’s clock is { $difference } behind this computer’s clock.
exchange-reply = Reply { $status }, in { $took }
exchange-after = After { $took }:
exchange-no-answer = no answer
exchange-not-sent = not sent
exchange-cancelled = cancelled
exchange-failed = failed
exchange-sent = sent { $bytes }
exchange-received = received { $bytes }
exchange-connecting = connection { $connecting }, waiting { $waiting }
compare-title = Comparison of two requests
compare-count = { $n ->
    [0] no differences
    [one] 1 difference
   *[other] { $n } differences
}
compare-request = Request
compare-reply = Reply
compare-address = address
compare-result = result
compare-took = total time
compare-connecting = connection
compare-waiting = waiting
compare-clock = clock difference
compare-size = size
compare-end = end of the body
compare-failure = reason
compare-body = body
compare-text = text
compare-differs = differs
exchange-no-body = (no body)
request-file = request
said-request-saved = ✓ Saved, secrets and personal data masked: { $name }
said-request-folder = in { $folder }
said-request-not-saved = The request was not saved.
curl-warning = This command does not go through the withdrawal journal: run by hand, it can pay twice. The key and the destination are only placeholders.
curl-key = WITHDRAWAL-CODE
curl-destination = DESTINATION
size-bytes = { $n ->
    [one] { $figure } byte
   *[other] { $figure } bytes
}
body-part-of = { $part } of { $whole } bytes
body-cut-limit = Reply cut by the size limit: { $part }
body-cut-clock = Reply cut by the time limit: { $part }
body-cut-connection = Reply cut by a lost connection: { $part }
body-encoded = The body arrived compressed, and balcão does not read it.
exchange-tree-goes-on = … only { $rows } rows are shown, folded ones included; the body is { $kib } KiB.
exchange-cut-text = { $n ->
    [one] … 1 more character
   *[other] … { $figure } more characters
}
exchange-cut-inside = { $n ->
    [one] … 1 more that is not shown
   *[other] … { $figure } more that are not shown
}
exchange-reading = reading a long reply…
exchange-text-none = not found in what is shown
exchange-body-goes-on = … what is shown ends here; the whole body is { $kib } KiB.
operation-login = Login
operation-domains = Domains
operation-link = Create link
operation-charge = Charge
operation-fee = Withdrawal fee
operation-withdrawal = Withdrawal

ask-drop-form = What you typed here will be lost.
    .title = Leave the form?
    .back = Keep editing
    .do = Discard
ask-drop-and-leave = What you typed will be lost. Ctrl-C once more leaves too.
    .title = Leave balcão?
    .back = Keep editing
    .do = Discard and leave
entry-over = { $what } expired
entry-ends = { $what } expires in { $minutes } min
entry-renewed-jwt = There is a new JWT now; the service checks it only in use. { $key } tries again.
entry-renewed-token = You are logged in again: { $key } tries again.
entry-over-since-jwt = It expired { $when }, by this computer's clock. Paste another one before you type; if the clock is wrong, go back and carry on.
entry-over-since-token = It expired { $when }, by this computer's clock. Log in again before you type: without that no withdrawal is sent.
first-title = Connect to your service
first-go-on = Continue
first-name = Profile
first-name-what = A profile is a service with its credentials. Give it a name, which stands at the top of the screen. Enter goes on and Esc goes back; you can leave at any time, and your answers are kept.
first-demo = Just want to try it first? Leave with Ctrl-C and run: balcao demo
first-address = Address
first-address-what = The address of your payments service's API, such as https://api.example.com. For this computer http will do too.
first-completed = Whole address: { $address }
first-reaching = Checking the address. You can continue already.
first-reached-encrypted = The address answered in { $millis } ms. The connection is encrypted, and the certificate is good for this address.
first-reached-here = This computer answered in { $millis } ms, without encryption. That is fine: nothing leaves this computer.
first-next-dns = Check that the address is typed right and that there is an internet connection.
first-next-tls = Check the address and this computer's clock. If the service has a certificate of its own, name it in ca-file, in the profile.
first-next-other = Check the address and the internet connection.
first-unreached = You can continue all the same and fix it later in config.toml.
first-contract = Format
first-contract-what = How the service writes requests and replies. If in doubt, keep the documented format.
first-contract-later = It can be changed later, and every line that affects money is shown before the first withdrawal.
first-documented = documented
first-preset-documented = The format of the public documentation.
first-preset-snake-case = Names with underscores: net_amount, fee_amount, access_token.
first-preset-sibling = Login by client id and secret; amounts like "97,95".
first-preset-enveloped = Each reply comes inside success and data; amounts as texts.
first-preset-key-headers = Keys in headers of their own; withdrawals as forms.
first-preset-no-content = Answers 204, without a body, to a withdrawal it accepted.
first-preset-centavos = Counts in centavos: 1010 is R$ 10,10.
first-vault = Credentials
first-vault-what = Where your login is kept. Only places that worked on this computer just now are listed.
first-vault-trying = The keyring is being tried, for 3 s at most.
first-vault-keyring = the computer's keyring
    .means = Your user's keyring keeps the login until you log out.
first-vault-keyutils = the Linux keyring
    .means = The kernel keeps the login until you end your session on this computer.
first-vault-memory = memory only
    .means = Nothing is kept: you log in again each time balcão starts.
first-write = Save and log in
first-write-what = The profile will be saved like this. What is in the file already stays as it is.
first-not-written = The profile was not saved:
ask-switch =
    .title = Switch profiles?
    .back = Stay in this profile
    .do = Switch profiles
ask-switch-typed = What you typed will be lost.
ask-switch-credentials = The login of this profile is in memory alone and will be forgotten: log in again when you come back.
ask-switch-records = There are links or charges that could not be saved: they go from the list. At the service they remain.
profiles-title = Profiles
profiles-here = This profile
profiles-what = Each profile has its service and its credentials. There is one journal of withdrawals for all. Choose another one to switch.
profiles-no-address = no address in config.toml
profiles-wrong = This profile does not open, and nothing changed:
ask-leave = A withdrawal is being sent right now. If you leave now, balcão waits for the reply and only then closes.
    .title = Leave with a withdrawal on its way?
    .back = Stay
    .do = Leave balcão
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
ask-share-odd = The message carries the address exactly as it is to WhatsApp. Open it only if you recognize the address.
    .title = Send this address by WhatsApp?
    .back = Do not open
    .do = Open WhatsApp
ask-qr-odd = The QR Code carries the address exactly as it is. Show it only if you recognize it.
    .title = Show the QR Code?
    .back = Do not show
    .do = Show
ask-copy-code = The code is copied exactly as it is, with this problem.
    .title = Copy this Pix code?
    .back = Do not copy
    .do = Copy anyway
ask-show-code = The QR Code carries the code exactly as it is, with this problem.
    .title = Show the QR Code?
    .back = Do not show
    .do = Show anyway
ask-share-code = The message carries the code exactly as it is, with this problem.
    .title = Send this code by WhatsApp?
    .back = Do not open
    .do = Open anyway
ask-discard = No money has moved through it, and this request will not be sent any more. To withdraw later, make a new withdrawal.
    .title = Discard the withdrawal?
    .back = Keep it
    .do = Discard
ask-found = Confirm only if you saw it in your account at the service or at the receiver's bank. It will not be sent again.
    .title = Was the withdrawal paid?
    .back = I do not know yet
    .do = It was paid
ask-found-either = Either counts: what you asked for ({ $sent }) or what the reply says ({ $got }).
ask-put-away-link = First look in your account at the service: if the link exists, whoever has its address can still pay. Here it leaves the list and the sums, and does not come back.
    .title = Take this link off the list?
    .back = Keep
    .do = Take it off
ask-put-away-charge = First look in your account at the service: if the charge exists, it can still be paid. Here it leaves the list and the sums, and does not come back.
    .title = Take this charge off the list?
    .back = Keep
    .do = Take it off
ask-put-away = Nothing reached the service: this does not exist there. The record leaves this list and does not come back.
    .title = Take it off the list?
    .back = Keep
    .do = Take it off
ask-use-memory = Without a keyring, credentials stay in this program's memory only. When you leave they are gone, and you need to log in again.
    .title = Keep in memory only?
    .back = Go back
    .do = Memory only
ask-withdrawal-of = Withdrawal of { $amount }

odd-not-an-address = cannot be read as a web address
odd-user-info = has a user name or a password in it
odd-ip = points to a number, not to a domain
odd-http = is not encrypted (http)
odd-not-web = is not an address of the web: only https is expected
odd-api-host = points to the service's own address
odd-shell = has a space or characters that a terminal acts on: { $signs }
odd-inactive-host = is on a domain of yours that is not active: buyers may not be able to open it
odd-unknown-host = is neither the chosen domain nor one known to be yours

palette-nothing = No match.
command-mask = Mask personal data on the screen
command-unmask = Show personal data on the screen
command-buyers-view = Buyer's view: the link's page as the buyer sees it
command-story = Story: begin
command-story-next = Story: go on
command-story-stop = Story: stop
command-captions-off = Story: hide the captions
command-captions-on = Story: show the captions
command-no-faults = Sandbox: remove the faults
command-domains-down = Sandbox: deactivate the domains
command-domains-up = Sandbox: reactivate the domains
command-forward = Sandbox: move the clock forward by 10 min
command-start-over = Sandbox: start over

said-copied-tmux = Copied through tmux: { $what }.
said-copied-tmux-only = Copied to tmux only: { $what }.
said-copied-terminal = Sent to your terminal's clipboard: { $what }.
said-copied-advice = If it did not arrive, select it with Shift and the mouse.
said-link-copied-desktop = ✓ Link created and copied.
said-link-copied-tmux = ✓ Link created and copied through tmux.
said-link-copied-tmux-only = ✓ Link created and copied to tmux only.
said-link-copied-terminal = ✓ Link created and sent to your terminal's clipboard.
said-charge-made = ✓ Charge created. { $key } copies the Pix code.
said-charge-made-odd = ✓ Charge created: check the Pix code before you use it.
said-link-made = ✓ Link created. { $key } copies the address.
said-link-made-odd = ✓ Link created, not copied: check the address.
clip-address = the link's address
    .copied = ✓ Address copied.
clip-message = a message for the buyer
    .copied = ✓ Message copied.
clip-pix-code = the Pix code
    .copied = ✓ Pix code copied.
clip-key = the withdrawal's code
    .copied = ✓ Withdrawal code copied.
clip-receipt = receipt
    .copied = ✓ Receipt copied.
clip-report = checkup
    .copied = ✓ Checkup copied.
clip-request = the request, secrets masked
    .copied = ✓ Request copied, secrets masked.
clip-curl = a curl command, secrets and personal data masked
    .copied = ✓ curl command copied, secrets and personal data masked.
clip-amount = the withdrawal's amount
    .copied = ✓ Amount copied.
clip-net = the net amount
    .copied = ✓ Net amount copied.
clip-said = what the service answered
    .copied = ✓ Service's answer copied.
clip-when = when it was sent
    .copied = ✓ Time of sending copied.
clip-destination = the Pix key it goes to
    .copied = ✓ Pix key copied.
said-not-copied-clean = Not copied: it holds invisible or control characters, marked on the screen.
said-not-copied-masked = Not copied: a part is missing (…): the service cut it, or put a credential of yours there.
said-not-copied-unseen = Not copied: too long to show in full (more than { $most } characters).
said-not-copied-long = Not copied: too long for the terminal.
said-not-copied-nothing = There is nothing to copy here.
said-marked = ✓ Marked as paid by you.
said-unmarked = The mark was taken away.
said-settled = Withdrawal of { $amount }: { $state }.
said-settled-elsewhere = Withdrawal of { $amount }: { $state }. { $key } shows it.
said-nicknamed = ✓ Nickname saved.
said-no-nickname = The destination has no nickname any more.
said-not-marked = The mark was not saved.
said-request-marked = Marked. On the other request, { $key } compares the two.
said-object-gone = What this request created or moved is no longer in the lists.
said-put-away = Taken off the list.
said-link-found = ✓ Address saved: the link is in the list.
said-charge-found = ✓ Code saved: the charge is in the list.
said-link-ready = ✓ The link is ready: it is in the list of links.
said-charge-ready = ✓ The charge is ready: it is in the list of charges.
said-opened = Opening in the browser.
said-amount-replaced = The pasted text replaced { $amount }.
said-not-opened = No browser could be opened. { $key } copies the address, { $message } the message.
said-not-opened-not-web = This is no web address: the browser was not opened.
said-logged-in = You are logged in.
said-logged-in-for-run = Done, but the access could not be kept: it lasts until you leave balcão.
said-logged-out = You are logged out. The credentials were deleted here.
said-consent-stored = Lines accepted. Now you can send.
said-jwt-kept = JWT saved. The service only checks it when it is used.
said-domain-automatic = New links: the service picks an active domain.
said-domain-pending = { $host } is not active yet: the service may refuse links.
said-domain-named = New links open on { $host }.
said-domain-added-at-service = Connect the domain in your account at the service; then it appears here.
said-domain-not-kept = The domain only counts until you leave: it could not be saved.
said-refreshed = Refreshed.
said-refreshed-list = List refreshed.
said-refreshed-keyring = The keyring was asked again.
said-taught = ✓ Learned, and saved in this profile's service format.
said-taught-log-in = ✓ Learned. Log in again ({ $key }) to receive the JWT.
said-taught-for-run = Learned, only until you leave: this profile has no file.
said-unit-confirmed = ✓ The expected amount arrived.
said-not-taught = It was not saved.
said-not-taught-now = A withdrawal is open. Teach once it has ended.
said-read-only = Read-only: nothing is created or paid. For that, open without --read-only.
said-send-later = Not yet: it can be sent in { $left }.
said-look-for-run = Only until you leave: the demo does not change your settings.
said-look-kept = Theme and language saved for the next times.
said-look-not-kept = Theme and language could not be saved:
said-close-form-first = Close the open form first.
said-balance = The service does not tell balcão the balance: see it in your account at the service.
said-export = To export, quit balcão and type balcao data export (or balcao journal export: withdrawals).
said-no-colours = Colours are turned off in this terminal (NO_COLOR).
said-not-here = { $key } ({ $action }) works in { $places }.
# In details, a key that works only in the list.
said-not-here-list = { $key } ({ $action }) works in the list: { $back } goes back to it.
# This is the list, but the row does not allow it, or there is no row.
said-not-here-row = { $key } ({ $action }) is to { $help }.
said-not-here-details = { $key } ({ $action }) works in the details: { $open } opens them.
said-not-here-form = { $key } ({ $action }) works in forms.
said-story-in-demo = The story exists only in the demo: balcao demo.
said-sandbox-paid = ✓ A buyer has paid { $amount } (sandbox):
said-fault-armed = { $what } (fault on)
said-faults-gone = Demo: the faults are gone.
said-started-over = All new: the sandbox's bank, and the demo's withdrawals and links.
said-domains-down = Demo: all domains are inactive.
said-domains-up = Demo: the domains are back.
said-forwarded = Demo: the clock was moved forward by 10 min.
said-step-failed = Demo: a step of the story could not be carried out.
said-not-granted = Demo: not possible now. Nothing changed.
said-history = The history failed: { $cause }. This does not affect money.
    .damaged = it is damaged
    .missing = it is gone
    .elsewhere = { said-history.io }
    .unmarked = { said-history.io }
    .other-machine = { said-history.io }
    .older = { said-history.damaged }
    .other-version = another version of balcão wrote it
    .read-only = it cannot be written
    .full = there is no room left
    .not-private = others may change its folder
    .busy = another program is using it
    .io = a disk error
    .maybe-missing = { said-history.missing }
    .network = { said-history.io }
said-system = The system said: “{ $text }”
said-not-switched-in-flight = A withdrawal is being sent: switch profiles once it has ended.
said-not-switched-waiting = The service has not replied here yet: wait, or cancel with Esc.
said-not-switched-wrong = That profile does not open. Nothing changed.
said-history-anew = Damaged history: a new one begins. This does not affect money. See Account.
said-requests = The file of stored requests cannot be used: { $cause }. This does not affect money.
said-requests-anew = Damaged file of requests: a new one begins. This does not affect money.
said-not-watching = What other windows do only shows when the list is refreshed.
said-zone-unreadable = TZ names no time zone that can be read: times are shown in UTC.
said-made-live = This is the withdrawal journal in use.
said-not-decided = Your decision was not recorded. No money moved by that.
said-sending-failed = Sending failed. { $moved } See Withdrawals.

palette-armed = On · { $what }
palette-armed-times = On { $n } times · { $what }
palette-armed-always = On until removed · { $what }
palette-armed-more = and { $n } more
fault-lose-answer = Withdrawal fault: lose the reply
    .armed = Next withdrawal: the reply is lost
fault-drop-before = Withdrawal fault: drop before it arrives
    .armed = Next withdrawal: the connection drops before it arrives
fault-slow = Withdrawal fault: take 5 s
    .armed = Next withdrawal: the reply takes 5 s
fault-cut-json = Withdrawal fault: cut the reply's JSON
    .armed = Next withdrawal: the reply's JSON is cut
fault-wrong-type = Withdrawal fault: right reply, wrong Content-Type
    .armed = Next withdrawal: the reply has the wrong Content-Type
fault-other-amount = Withdrawal fault: another amount in the reply
    .armed = Next withdrawal: the reply has another amount
fault-says-failed = Withdrawal fault: a success that says “failed”
    .armed = Next withdrawal: a success that says “failed”
fault-redirect = Withdrawal fault: answer 307, another address
    .armed = Next withdrawal: the answer is 307, another address
fault-answer-400 = Withdrawal fault: answer 400
    .armed = Next withdrawal: the answer is 400
fault-expire-token = Withdrawal fault: expire the token
    .armed = Next withdrawal: the token expires
fault-key-busy = Withdrawal fault: answer 409, code in use
    .armed = Next withdrawal: the answer is 409, code in use
fault-key-reused = Withdrawal fault: answer 422, code already used
    .armed = Next withdrawal: the answer is 422, code already used
fault-too-many = Withdrawal fault: answer 429, wait 5 s
    .armed = Next withdrawal: the answer is 429, wait 5 s
fault-answer-500 = Withdrawal fault: answer 500
    .armed = Next withdrawal: the answer is 500
fault-answer-503 = Withdrawal fault: answer 503
    .armed = Next withdrawal: the answer is 503
fault-no-quote = Fee fault: answer 503
    .armed = Next fee: the answer is 503
fault-wrong-quote = Fee fault: figures that do not add up
    .armed = Next fee: the figures do not add up
fault-lose-link = Link fault: lose the reply
    .armed = Next link: the reply is lost
fault-expire-jwt = Link fault: expire the JWT
    .armed = Next link: the JWT expires
fault-other-code = Charge fault: a Pix code of another amount
    .armed = Next charge: the Pix code has another amount
fault-broken-code = Charge fault: a broken Pix code
    .armed = Next charge: the Pix code is broken (CRC)
fault-refuse = Sandbox: refuse connections
    .armed = Sandbox: refuses all connections
