# The command line. The message of a command is `help-` and its path; an argument is an attribute of its command or of a parent command.
help-balcao = balcão, the counter: payment links and Pix withdrawals from your terminal
    .long = balcão, the counter: payment links and Pix withdrawals from your terminal.

        Without a command the full-screen app opens on the service that --base-url or the profile names. To look around without an account, with a service simulated on this very machine:

        {"  "}balcao demo
    .profile = The profile of config.toml to use
    .base_url = The address of the payments service (https, or http on this machine only)
    .lang = The language; otherwise that of the system
    .theme = The theme: auto, default, light, dark, high-contrast, mono, mocha, gruvbox, or a file of your own
    .ascii = Draw with plain letters only, for fonts without lines and symbols
    .accessible = Only lines of text, for screen readers
    .vault = Where to keep credentials: keyring (the operating system's; still there at the next start), keyutils (the Linux kernel, until you end the session), helper (the profile's own command, such as one for pass), env (keeps nothing: reads BALCAO_TOKEN, BALCAO_JWT and BALCAO_LOGIN; BALCAO_ORIGIN says for which address) or memory (gone when you leave). Without it, where the last login was kept
    .read_only = Only to look: sends only the login and plain GETs
    .redact = To show the screen to others: Pix keys, documents, e-mails, names and balances are masked on it
    .record = Records the screen into this new file, for support, without names, keys and addresses
    .since = Only from this day or time on, in your time zone
    .until = Only until the end of this day, or before this time, in your time zone
    .limit = At most N rows, from the newest on
    .help = Print this help
    .help-more = Print this help (more with --help)
    .help-less = Print this help (a summary with -h)
    .version = Print the version
help-demo = Open the app on a sandbox of its own; nothing to set up, no real money
    .keep = Keep the demo's journal in this directory instead of a temporary one; such a demo does not start over
    .faults = Faults to set up in the sandbox (TOML)
    .script = Play the story in this file (TOML): faults, domains, payments and captions, step by step
    .share = Serve the links' payment pages on this address of this computer too, so that phones in the room open and pay them in the sandbox; nothing else is served there
    .dialect = The sandbox's dialect: the name of a format that comes with the program
    .kiosk = For strangers, such as over SSH: reads no settings, no environment but TERM and LANG, and no file of the account; starts no program; keeps nothing. Takes no --keep, --faults, --script, --share, --profile, --base-url or --vault
    .room = With --kiosk, on the screen of a room: without limits on time
    .time_zone = With --kiosk, the time zone, such as America/Sao_Paulo; the variable TZ is not read
    .show_keys = Show the pressed keys on the screen, for an audience; never those of a secret field
help-sandbox = Simulate the payments service on this machine, for tests and for the curious
    .listen = Where to listen: IP and port, on this machine only
    .data = Keep what happens in the sandbox in this file
    .faults = Faults to set up (TOML)
    .dialect = The dialect it answers in: the name of a format that comes with the program, or a file (TOML)
    .statement = At the end, write a statement (OFX) of what the sandbox's bank received to this new file
    .from_har = Play the requests and answers of an exported file (HAR), to see somebody else's problem; takes no --data, --faults or --dialect
    .delays = Wait before each answer as long as it took in the recording, at most a minute
    .at = Start with the recorded request of this number; logins, domains and fees from before it are still answered
    .last_failure = Start with the last recorded request that failed
help-login = Logs in to the profile's account without opening the screen
    .long = Logs in to the profile's account without opening the screen

        Asks for what the service wants and keeps what it gives, in the same place as the program does. Whether it can be kept is checked before the password is asked for. Exits with 0 if you are logged in, with 1 if the service refused, with 2 if it cannot be kept or if the service format of this profile is not accepted yet: then nothing is sent.
    .user = The account, such as an e-mail; without it you are asked
    .password_stdin = Reads the password from standard input, to the end of the line
    .agree = Accepts the address and the service format of this profile, by the sum that balcao contract show prints
help-logout = Logs out of the profile's account: deletes the credentials that are kept
help-whoami = Shows who is logged in and until when, never the token; exits with 1 if nobody is
    .json = One JSON object
help-doctor = Examines terminal, settings, credentials, journals and network, and says what to do
    .long = Examines terminal, settings, credentials, journals and network, and says what to do

        It only looks: it creates nothing, does not log in and moves no money. All it asks of the service is a sign of life, without a credential. Every check has a time limit. It exits with 0 if everything works, notes or not, and with 1 if there is a problem.
    .json = One JSON object, for support: without secrets and without personal data
help-play = Show a recording of balcão, screen by screen, forward and back
    .long = Show a recording of balcão, screen by screen, forward and back

        It does nothing but show: it reads no credentials, logs in nowhere and uses no network. Space plays and pauses, the arrows step by screen and by event, m, x and r go to the next mark, error and request, / finds a text and t goes to a time; `e` lists the events and all keys. Of a file that is cut, damaged or of a newer version, it shows what it can.
    .file = The file of the recording
    .screen = Print the screen with this number as text
    .cast = Write the recording as asciicast v2, which asciinema plays
help-completions = Print the completions for a shell
    .shell = Its name: bash, zsh or fish
help-man = Write the man pages, one for each command
    .directory = The directory to write them into; it is created if it is not there
man-name = NAME
man-synopsis = SYNOPSIS
man-description = DESCRIPTION
man-version = VERSION
help-value-shell = SHELL
help-value-amount = AMOUNT
help-value-host = HOST
help-value-login = LOGIN
help-value-sum = SUM
help-links = The payment links created here
help-links-list = List the links, newest first
    .json = One JSON object per line
    .state = Only the links in this state: created, paid (marked as paid), refused, not-sent or unknown (may exist)
    .journal = List the journal in this directory, such as one that `demo --keep` left
help-links-create = Create a link and print its address
    .amount = The amount, such as 49,90
    .description = What the buyer sees on the payment page
    .domain = The link's domain; without it, the service chooses
    .json = Print a JSON object
    .agree = Accept the lines of the service format with this sum, without asking
help-links-import = Create the links of a CSV file: one line, one link
    .long = Create the links of a CSV file. The header names the columns: amount and description, and if you like domain and note.
        Before sending, it shows how many links will be created, their sum and the lines with problems. A line that equals a link of the last 30 days is not sent again. The result is a file like yours, with the address of each link.
        Ends with 0 if all links were created, 1 if the service refused some, 2 if there are lines with problems, 3 if it stopped before the end.
    .file = The spreadsheet's CSV file
    .dry_run = Only check the file; nothing is sent
    .result = Where to write the result (without this, the name of the file with -resultado)
    .resume = Continue a batch that stopped; lines without an answer are not sent again
    .skip_faults = Leave out the lines with problems
    .again = Create again also the links that exist already
    .unit = The unit of a column of whole numbers only: reais or centavos
    .rate = Links per second, at most
    .json = Print a JSON object for each link, as soon as it is created
    .agree = Accept the lines of the service format with this sum, without asking
help-charges = The charges created here
help-charges-list = List the charges, newest first; --json also prints the Pix code
    .json = One JSON object per line
    .state = Only the charges in this state: created, paid (marked as paid), refused, not-sent or unknown (may exist)
    .journal = List the journal in this directory, such as one that `demo --keep` left
help-withdrawals = The withdrawals made here, and what each state proves
help-withdrawals-list = List the withdrawals: open ones first, then prepared ones, then the rest, newest first
    .json = One JSON object per line
    .state = Only the withdrawals in this state: prepared, sending, unknown, accepted, rejected, needs-person, mismatch, discarded, resolved-paid or resolved-not-paid
    .limit = Only the N newest withdrawals, newest first
    .journal = List the journal in this directory, such as one that `demo --keep` left
help-reconcile = Compare a statement with links, charges and withdrawals; without --mark, only show
    .file = The statement: OFX or CSV, of a bank or of the service
    .mark = Mark charges as paid whose code is in the statement; an equal amount is not enough
    .undo = Undo the marks from the last statement that nobody changed since
    .json = One JSON object per line
    .journal = Compare with the journal in this directory, such as one that `demo --keep` left
help-report = The figures of a period: links, paid marks, charges, withdrawals and fees
    .long = Sums up what was made here in a period: links and charges, with and without a paid mark, and accepted withdrawals with fees and net amount. Without dates, the current month.
        A mark comes from you, from a statement or from the sandbox; the service does not say. Withdrawals that are open or without a known fee are counted beside, not in the sums. It only reads and changes nothing.
    .from = The first day
    .to = The last day
    .by = A row for each day, week, month, domain, description or state
    .json = One JSON object; with --by, one a line
    .csv = CSV for the accountant's spreadsheet: semicolons, decimal commas
    .plain = With --csv, for programs: commas, decimal points, no byte order mark
    .journal = Reads the journal in this directory, such as what `demo --keep` left
help-domains = The domains on which your links open
help-domains-list = Ask the service for its domains and list them; nothing is stored
    .json = One JSON object per line
    .state = Only the domains in this state: active, usable (the reply has no states), unread (the reply may have the state, but it is not read) or pending (not active yet)
    .limit = At most N domains
    .agree = Accepts the address and the service format of this profile, by the sum that balcao contract show prints
help-journal = Take care of the withdrawal journal, which keeps a withdrawal from being paid twice
    .journal = The journal's directory, instead of that of the profile's service
help-journal-verify = Say whether the journal is intact
    .long = Say whether the journal is intact

        Reads every event, checks the chain of checksums, the file money.head and what each event means, and writes nothing: it works on a read-only disk and beside open windows. Prints how many withdrawals are in each state and where the chain ends. Ends with 0 when the journal is intact. When it is not, or there is none, it ends with 1 and says what to do.
help-journal-export = Write out every event, one JSON object per line
    .long = Write out every event, one JSON object per line

        Nothing is left out: Pix keys, the content of requests and the service's replies are in it. `plain` and `personal` are JSON texts exactly as they stand in the journal (with jq: `.plain|fromjson`), because the checksums are over these bytes. From a damaged journal comes what can be read up to the damage; the command ends with 1 and says where that is.
    .out = Write into this new file, which only you can read; `-` is standard output, as without this option
help-journal-forget-missing = Give up a journal that is gone, so that a new one can begin
    .long = Give up a journal that is gone, so that a new one can begin

        For when the files were deleted on purpose and withdrawals are locked because balcão remembers them. Withdrawals made before are then unknown here: check in your account for open ones first. The command explains what it means and asks you to type the directory's name. It does nothing while any file of a journal is there.
help-journal-make-live = Make the journal of this folder the one in use, in the place of another
    .long = Make the journal of this folder the one in use, in the place of another
help-journal-set-aside = Move a damaged journal aside, so that a new one can begin
    .long = Move a damaged journal aside, so that a new one can begin

        The files go into a directory beside it as they are; nothing is deleted. Withdrawals made before are then unknown here: check in your account for open ones first, and put a backup back instead if there is one made after the last withdrawal. The command explains what it means and asks you to type the directory's name. It does nothing when the journal is intact.
help-contract = Show, share and check the service format: what the program assumes about the service
help-contract-show = Show every line in force and where it comes from
    .long = Show every line in force and where it comes from

        After each line: whether the service's documentation has it, whether it was confirmed, or whether it is assumed; and whether it came with the program, from a format with a name, or from a file of yours, with the line's number.
    .json = One JSON object per line
help-contract-share = Write the service format without anything of yours, to give to somebody else
    .long = Write the service format without anything of yours, to give to somebody else

        Only the lines that change something, as a file. It has no address of the service and no credentials; fixed values, those of headers, and those after “?” in a path give way to a mark. Read it before you give it away: a path or a label can also say who you are.
help-contract-check = Compare the format with the service, by questions alone
    .long = Compare the format with the service, by questions alone

        With the stored credentials it asks for the list of domains and for the fee of a withdrawal of R$ 100,00. Nothing is created and no money leaves. Ends with 0 when everything fits, else with 1. If the service format of this profile is not accepted yet, nothing is sent and it ends with 2.
    .agree = Accepts the address and the service format of this profile, by the sum that balcao contract show prints
help-data = The data on this computer: take it elsewhere, or delete it
help-data-export = Write links, charges and nicknames, one JSON object a line
    .long = Write links, charges and nicknames, one JSON object a line

        All that the history knows of each: links with their mark of being paid, their note and the time since when they are put away, charges with the buyer's data, Pix keys with the nickname that you gave them. `kind` says what a line is. Withdrawals come out with balcao journal export.
    .out = Write into this new file, which only you can read; `-` is standard output, as without this option
    .journal = The journal's directory, instead of that of the profile's service
help-data-purge = Delete old personal data, forever
    .long = Delete old personal data, forever

        Of withdrawals that were decided before the date: the Pix key, the content of the request and the service's replies. Amount, dates and result stay, and the journal still verifies. Of links, charges and nicknames from before the date: everything. A withdrawal that is open, prepared or decided within the last 24 hours is never touched. It works with other windows open; until they are opened again, they may still find what was deleted by its Pix key.
    .before = The first day to keep, in your time zone
    .journal = The journal's directory, instead of that of the profile's service
    .yes = Do not ask
help-requests = The stored requests: list them, export them for support, or search such a file
help-requests-list = List the stored requests, newest first; --json also prints what was sent and received
    .json = One JSON object per line, with credentials masked
    .state = Only the requests with this result: ok (status 2xx), error (another status), no-answer, cancelled, not-sent or failed
help-requests-export = Write the stored requests with their replies to a file for support
    .long = Write the stored requests with their replies to a file for support

        The file is a HAR, which browsers and many tools read. Credentials and personal data become their kind and a number, such as ‹cpf 1›; amounts, states, times, the codes of withdrawals and the known words of messages, such as “balance”, stay. The file also says with which version, terminal, language and settings the requests were made. Only the profile's requests to its service are in it.
    .har = Write to this new file, which only you can read; `-` is standard output
    .last = Only the newest N requests
    .since = Only requests from this day or time on, in your time zone
    .of = Only the requests of the link, charge or withdrawal with this code; a link's address will do too
    .strict = Mask the words of the service too: states, codes and messages
help-requests-check = Find out whether a text occurs in a file, even encoded or compressed
    .long = Find out whether a text occurs in a file, even encoded or compressed

        Is my CPF in it? Each text is searched for as it is, in any case, with and without accents and separators such as dots, hyphens and spaces, and inside JSON, HTML, addresses, hexadecimal, base64, gzip and deflate, in UTF-8, UTF-16 or Latin-1. A date is searched for in both orders. A phone is also searched for without its area code, and of a text with several words, each word with at least 4 letters; these are marked as part of the text. A text on the command line stays in the history of your shell: with `-` as the text, the texts are read from standard input, one a line. Ends with 0 if nothing was found, else with 1 and the places.
    .file = The file to search, such as a HAR file
    .texts = What to search for, with at least 3 letters or digits; `-` reads it from standard input
help-help = Print this help, or that of a command

# Headings of the help, and the placeholders in brackets.
help-usage = Usage:
help-commands = Commands
help-options = Options
help-everywhere = With any command
help-any-options = [OPTIONS]
help-any-command = COMMAND
help-env = { $help } [env { $name }]
help-default = { $help } [default: { $value }]
help-value-name = NAME
help-value-url = URL
help-value-where = WHERE
help-value-dir = DIR
help-value-file = FILE
help-value-dialect = NAME|FILE
help-value-addr = IP:PORT
help-value-ip = IP[:PORT]
help-value-text = TEXT
help-value-date = YYYY-MM-DD
help-value-time = "YYYY-MM-DD HH:MM"
help-value-n = N
help-value-state = STATE
help-value-code = CODE
help-value-zone = ZONE

# Errors in a command line.
mistake-argument = There is no argument “{ $what }” here.
mistake-command = There is no command “{ $what }”.
mistake-nearest = Did you mean { $what }?
mistake-no-value = The value of { $what } is missing.
mistake-value = The value “{ $value }” is not valid for { $what }.
mistake-allowed = Valid values: { $values }.
mistake-example = Example: { $value }
mistake-takes-none = { $what } takes no value.
mistake-twice = { $what } is given more than once.
mistake-missing = Missing: { $what }
mistake-no-command = The command is missing: { $values }
mistake-other = The command line was not understood.
mistake-help = To see everything there is: --help

# Reasons why a command failed.
complaint-not-a-demo = { $dir } holds your own records, not those of a demo. Name another folder in --keep.
complaint-relative = { $variable } holds the relative path “{ $path }”: use one that starts at the root, or leave the variable unset.
complaint-no-home = There is no home directory. Say in BALCAO_CONFIG_DIR and BALCAO_STATE_DIR where files may be kept.
complaint-temporary = The demo needs a temporary folder, and { $dir } cannot be used: the folder must exist, have room and be writable. Name another one in the variable TMPDIR.
complaint-kiosk-with = { $flag } cannot be used with --kiosk: a kiosk reads nothing from outside and keeps nothing. Leave one of them out.
complaint-kiosk-time-zone = The kiosk does not know the time zone { $zone }. Use a name such as America/Sao_Paulo; the package tzdata has the names.
complaint-kiosk-full = Too many visitors are here now. Try again in a few minutes.
complaint-kiosk-dir = The kiosk needs the folder { $dir } for its files while it runs, and it cannot be used: { $why }. It must belong to this account, be closed to others (mode 700) and have room. Remove what is there, and the kiosk makes it again.
login-hidden = { $label } (not shown while you type):
login-blank = { $label }: empty.
login-not-utf-8 = The password is not in UTF-8: check the encoding of the file or the terminal.
login-too-long = The password is longer than 16 KiB.
login-wants-terminal = There is no terminal to ask on. Use --user with the account, and --password-stdin with the password on standard input.
login-into-memory = With --vault memory the login would end with this command. Choose where to keep it: --vault keyring, keyutils or helper.
login-done = You are logged in as { $identity }. The access { $place }.
list-when = Date and time
list-state = State
list-request = Request
list-none-found = Nothing in the list with these filters.
list-more-pages = The list continues on another page, which was not read.
list-key = Code { $key }
logout-nobody = Nobody was logged in: no credentials were stored here.
logout-done = You are logged out: the credentials were deleted here.
whoami-none = none
complaint-no-address = Where is the payments service? Say it with --base-url https://…, or as `base-url` of [profiles.{ $profile }] in config.toml.
    To look around without an account: balcao demo
complaint-no-helper = Which command keeps the credentials? Say it as `vault-helper` of [profiles.{ $profile }], in { $file }: a whole path, or the name of a program on PATH.
complaint-ca-file = { $file }: holds no certificate in PEM that can be used. Check what `ca-file` names.
complaint-team-database = { $file }: the address of the team's database cannot be used ({ $why }). Write it as postgres://ana@db.shop.example/shop, without the password.
complaint-proxy = { $file }: `proxy` takes scheme, name and port alone, such as http://proxy.example:3128.
complaint-proxy-secret = { $file }: `proxy` must hold no user name or password: this file keeps no secrets.
complaint-helper = { $file }: `vault-helper = "{ $command }"` is neither a whole path nor the name of a program on PATH. Arguments are not accepted.
complaint-environment-login = Whose is BALCAO_TOKEN? It does not say. Put its account into BALCAO_LOGIN, such as the e-mail you log in with: balcão does not mix the withdrawals of different accounts.
complaint-environment-no-origin = Which service are the credentials in the environment for? Put its address into { $variable }. The address in use is { $origin }. Nothing was sent.
complaint-environment-origin = The credentials in the environment are for another service: { $variable } says { $named }, and the address in use is { $origin }. Nothing was sent.
complaint-environment-value = { $variable } is not a token: it has a blank, a line break or an accented letter in it, or is too long.
complaint-environment-jwt = { $variable } is not a JWT: a JWT has parts separated by dots, and begins with “eyJ”. Copy the whole JWT again.
complaint-environment = The secrets could not be taken out of the environment before starting: { $why }. balcão does not open like this, as other programs would inherit them.
complaint-vault-file = It cannot be told where the last login is kept: { $why }. Say it with --vault.
complaint-with-address = These profiles have an address, choose with --profile: { $known }
complaint-address = --base-url { $address }: { $why }
complaint-address-of-profile = { $place }: in [profiles.{ $profile }], base-url { $address }: { $why }
complaint-line = { $file }, line { $line }
complaint-lines = { $file }, lines { $line } and { $other }
address-not-one = not an address such as https://api.example.com.
address-scheme = only https addresses are used.
address-not-encrypted = http is only used to this machine; use https.
address-user-info = the address must not hold a user name or password.
address-query = the address must not have a query (`?`).
address-fragment = the address must not have a fragment (`#`).
complaint-file-there = { $path } is there already and was left as it is: choose another name.
complaint-export-masked = An export holds personal data in full: run it again without --redact.
complaint-record-app = --record records the screen: it works only with balcao and with balcao demo.
complaint-log = { $variable } holds “{ $value }”, which is no level: use { $known }, or leave the variable unset.
complaint-language = balcão does not speak { $tag }: only pt-BR and en.
complaint-contract = There is no format { $name }. Those that come with the program: { $known }. It can also be a file beside the configuration.
    .near = There is no format { $name }; did you mean { $nearest }? Those that come with the program: { $known }. It can also be a file beside the configuration.
complaint-dialect = The sandbox does not speak the dialect { $name }. Those that come with the program: { $known }.
    .near = The sandbox does not speak the dialect { $name }; did you mean { $nearest }? Those that come with the program: { $known }.
complaint-theme = There is no theme { $name } (the program's own are { $known }), and { $file } cannot be read: { $why }
complaint-profile = There is no profile { $name }; the profiles: { $known }.
complaint-no-profiles = There is no profile { $name }. Profiles are kept in config.toml, as [profiles.NAME].
complaint-template = { $file }, line { $line }: the message of the links (message, in [links]) is not valid. { $why }
complaint-template-reminder = { $file }, line { $line }: the message of the reminder (message, in [reminder]) is not valid. { $why }
complaint-template-charge = { $file }, line { $line }: the message of the charges (message, in [charges]) is not valid. { $why }
template-fields = { $open }description{ $close }, { $open }amount{ $close }, { $open }url{ $close } and { $open }note{ $close }
template-fields-charge = { $open }description{ $close }, { $open }amount{ $close }, { $open }code{ $close }, { $open }buyer{ $close } and { $open }expiry{ $close }
template-no-field = There is no field { $name }; use { $fields }.
template-not-closed = A { $open } is not closed; the fields are { $fields }.
template-no-address = The address is missing: include { $url }.
template-no-code = The Pix code is missing: include { $open }code{ $close }.
complaint-text-short = Each text to search for needs at least { $least } letters or digits, such as 529.982.247-25 or ana@loja.example.
complaint-not-text = { $file } cannot be searched: it is not text. If it is compressed, unpack it and check it again.
complaint-nothing-to-search = There is nothing to search in { $file }: the file is empty.
complaint-unreadable = { $file } cannot be read: { $why }
complaint-not-a-recording = { $file } is not a recording of balcão.
complaint-recording-large = { $file } is too large: a recording has at most { $limit } MiB.
complaint-no-screen = Screen { $number } cannot be shown: the recording has { $frames }.
complaint-play-lines = The player needs the whole screen. In accessible mode, use balcao play --screen N.
complaint-no-folder = There is no directory { $folder }.
complaint-not-yet = --before { $date }: that day has not begun yet.
complaint-kiosk-no-terminal = This kiosk needs a terminal: connect with `ssh -t`. (Este quiosque precisa de um terminal: conecte com `ssh -t`.)
complaint-no-input = Standard input is not a terminal: start balcão in one, without `<` or a pipe before it.
complaint-no-output = Standard output is not a terminal: start balcão in one, without `>` or a pipe after it.
complaint-dumb-terminal = This terminal calls itself TERM=dumb, which can only print one line after another: open balcão in another terminal, or correct TERM (TERM=xterm-256color, for example).
complaint-beyond = The sandbox does not listen on { $address }: other machines could reach it. Use 127.0.0.1 or [::1].
complaint-cannot-listen = The sandbox cannot listen on { $address }: { $why }
complaint-data-busy = Another sandbox is using { $file }. Stop it or name another file.
complaint-no-data = { $file } is not a sandbox data file that this version can read ({ $why }). It was left as it is: move it away or name another.
complaint-har-with = { $flag } cannot be used with --from-har: what is answered is in the recording. Leave one of them out.
complaint-har-large = { $file } is too large: the limit is 64 MiB. Export fewer requests, with --last, --since or --of.
complaint-har-not = { $file } is not a recording of requests (HAR) that can be used. Ask for a new export: with balcao requests export --har, or in a browser with "Save all as HAR". Detail: { $why }
complaint-har-no-entries = { $file } has no list of requests at log.entries, where a HAR file has it. Ask for the whole file: from balcao requests export --har, or from a browser with "Save all as HAR".
complaint-har-many = { $file } has { $why } requests; at most 20000 can be played. Export fewer: balcao requests export has --last and --since; in a browser, clear the list before you repeat the problem.
complaint-replay-dir = A replay needs the folder { $dir } for its files, and it cannot be used: { $why }. It must belong to this account, be closed to others (mode 700) and have room. Remove what is there, and the next start makes it again.
complaint-replay-at = --at { $n }: { $file } has { $count } requests that can be played. Without --at, the list shows their numbers.
complaint-replay-no-failure = In { $file } no request failed, so there is no last failure to start with. Use --at with a number from the list.
complaint-har-contract = The service format in { $file } is not valid in this version. Use the version of balcão that exported the file. Detail: { $why }
complaint-har-unusable = { $file } has no request that can be played. The first that cannot: { $why }
complaint-har-empty = { $file } has no request that was sent. Ask for a new export, made after the problem was repeated.
complaint-share = --share { $address }: { $why }
share-not-an-address = not an IP address. Use the one that this computer has on the room's network, such as 192.168.0.10 or 192.168.0.10:8080.
share-unspecified = this address stands for all of them, and links need one. Use the one that this computer has on the room's network.
share-of-many = this is the address of many computers at once. Use the one that this computer has on the room's network.
share-link-local = a phone cannot open this address. Use another one of this computer, such as one that begins with 192.168.
share-not-here = this computer does not have this address. The network settings show which ones it has.
share-in-use = another program already uses this port. Use another one, or leave the port out: balcão finds a free one.
share-refused = the system does not allow it: { $why }
share-means = This demo will also be served at { $origin }, for the phones in the room.

    Everyone who reaches this address over the network can open the payment pages of the links that you create, and pay in the sandbox. No real money moves.
    Only these pages can be reached there: not the login, not the withdrawals, not the sandbox's commands. The connection is not encrypted (http).
    It ends when you leave balcão.
share-this-machine = Note: only this computer reaches { $origin }; phones do not.
share-ask = Enter opens balcão; Ctrl-C cancels.
complaint-secret = The sandbox cannot identify itself with { $file }: { $why }. Look at the file and delete it: a new one is made the next time.
secret-no-file = it is a link, or not a file
secret-not-private = others can read or change what is in it, or it is not yours
secret-malformed = its content is not a sandbox's
unproven-loopback = No sandbox identified itself at { $address }: this is the live account. To list a sandbox that is not running, use --journal { $folder }
keys-place = [{ $place }] is not a place; the places are anywhere, lists, forms, dialogs.
keys-action = In [{ $place }] there is no action { $action }.
keys-key = { $key } (for { $action }) is not a key; write it like a, G, Ctrl-K, F1, Enter, PgUp.
keys-twice = { $key } stands for both { $first } and { $second } in [{ $place }].
keys-way-out = { $key } stands for { $action } in [{ $place }] and also for { $way }: the key that goes back, leaves or quits may do nothing else.
theme-no-colour = “{ $name }” is not a colour. Write it like red, light-blue, 208 or #d75f00.
theme-faint = in [{ $role }], the text { $text } cannot be read on the ground { $ground }: its contrast is { $contrast }; the least is { $least }.
    .cursor = in [{ $role }], the text { $text } cannot be read in the cursor's row, whose ground is { $ground }: its contrast is { $contrast }; the least is { $least }.
theme-same = in [{ $role }], text ({ $text }) and ground ({ $ground }) have the same colour. The contrast of the terminal's 16 colours is not known: they must at least differ.
history-moved = The history was damaged ({ $why }) and a new one has begun; the old one is now { $to }
history-aside = A damaged history is kept aside ({ $file }). Its links and charges are not listed here.

contract-documented = documented
contract-confirmed = confirmed
contract-assumed = assumed
contract-built-in = built-in
contract-preset = preset { $name }
contract-unasked = What was confirmed already is shown as assumed here. { $why }
contract-sum = sum for --agree: { $sum }
consent-news-mark = {" "}(changed since you last accepted)
consent-ask = Have you read these lines, and do you accept them? Type { $word } and press Enter. Anything else cancels:
consent-given-up = You have not accepted these lines. Nothing was sent.
consent-name-sum = Nothing was sent. Read the lines. To accept them, run the command at a terminal, or give --agree with the sum that balcao contract show prints.
consent-unkept = This vault does not keep what you accept: in a script, give --agree to each command.
consent-other-sum = Nothing was sent: the sum of --agree is of other lines. Read the lines of now; balcao contract show prints their sum.
contract-claims = Your file says “confirmed”; that does not count.
contract-share-heading = A service format for balcão, without an address and without credentials.
contract-share-nothing = No line differs from the program's own: there is nothing to share.
contract-share-blank = here was a value of who shared it
contract-check-token = API token
contract-check-jwt = JWT for links
contract-check-domains = Domains
contract-check-fee = Fee of a withdrawal of R$ 100,00
contract-check-stored = stored
contract-check-expired = expired; log in again
contract-check-absent = there is none; log in with this profile first
contract-check-unasked = not asked: the credential is missing
contract-check-listed = fits; domains in the list: { $count }
contract-check-quote = reads in { $unit }; the unit is not proved; fee { $fee }, net { $net }
    .proved = reads in { $unit }, the unit that you checked; fee { $fee }, net { $net }
contract-check-all = balcão read all replies with this format. This check created nothing and moved no money.
contract-check-not-all = Not everything fits the service format, or it could not be found out. This check created nothing and moved no money. balcao contract show says where each line is.

requests-export-done = { $n ->
    [one] { $n } request is in { $file }, secrets and personal data masked. Before you pass it on, look for your own data with balcao requests check.
   *[other] { $n } requests are in { $file }, secrets and personal data masked. Before you pass it on, look for your own data with balcao requests check.
}
requests-export-printed = { $n ->
    [one] { $n } request was written to standard output, secrets and personal data masked. Before you pass it on, look for your own data with balcao requests check.
   *[other] { $n } requests were written to standard output, secrets and personal data masked. Before you pass them on, look for your own data with balcao requests check.
}
requests-export-no-code = No link, charge or withdrawal here has the code { $code }. A link's address or its last part, a charge's code and a withdrawal's code are known.
requests-moved = The file of stored requests was damaged. It is now kept aside in the folder requests, beside the withdrawal journal: { $name }. This does not affect money. If you do not need it, delete it.
requests-export-off = Nothing to export: the requests last until you leave, because config.toml has keep = false in [requests].
requests-export-none = Nothing to export: no request of profile { $profile } to { $origin } is stored.
requests-export-other-version = { $n ->
    [one] { $n } request stored by another version is left out.
   *[other] { $n } requests stored by another version are left out.
}
requests-export-none-found = { $n ->
    [one] Nothing to export: { $n } request is stored, which --since or --of leaves out.
   *[other] Nothing to export: { $n } requests are stored, and --since or --of leaves all out.
}
requests-check-clean = { $n ->
    [one] Not found: the text is not in { $file }.
   *[other] Not found: none of the { $n } texts is in { $file }.
}
requests-check-limits = Not searched: pictures, what is encrypted or compressed in another way than gzip or deflate, and what unpacks to more than 64 MiB.
requests-check-found = Found in { $file }:
requests-check-hit = text { $n }: { $place } ({ $encoding })
    .part = part of text { $n }, a word or a phone without its area code: { $place } ({ $encoding })
requests-check-hit-line = text { $n }: line { $place } ({ $encoding })
    .part = part of text { $n }, a word or a phone without its area code: line { $place } ({ $encoding })
requests-check-more = { $n ->
    [one] and in { $n } more place
   *[other] and in { $n } more places
}
encoding-plain = as plain text
encoding-json = as escaped JSON
encoding-html = as escaped HTML
encoding-percent = encoded as in an address
encoding-hex = in hexadecimal
encoding-base64 = in base64
encoding-latin1 = with garbled accents

replay-steps = What was recorded, in order (> starts here, ! failed), and what to press in the app:
replay-no-reply = no reply
replay-keys-login = log in with the values above
replay-keys-domains = comes after the login; again: { $pane }, { $refresh }
replay-keys-fee = comes while you type the amount of a withdrawal
replay-matched = { $request }: matched { $n }
replay-login-accepted = { $request }: accepted, as no login was recorded for it
replay-unmatched = { $request }: nothing like it was recorded
replay-nearest-amount = { $request }: nothing like it; the nearest is { $n }, with { $amount }
replay-nearest-played = { $request }: nothing like it is left; { $n } was answered already
replay-nearest-content = { $request }: nothing like it; the nearest is { $n }, with other fields or values
