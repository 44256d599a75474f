# balcao doctor, and the same page in the app.
doctor-title = Checkup
doctor-wait = Examining
doctor-verdict-fine = ok
doctor-verdict-note = note
doctor-verdict-broken = problem
doctor-all-fine = Everything is fine.
doctor-notes = { $n ->
    [one] Nothing stands in your way, with 1 note.
   *[other] Nothing stands in your way, with { $n } notes.
}
doctor-broken = { $n ->
    [one] 1 problem needs to be solved.
   *[other] { $n } problems need to be solved.
}
doctor-sent-nothing = The checkup creates nothing and moves no money.

doctor-group-terminal = Terminal
doctor-group-configuration = Configuration
doctor-group-contract = Service format
doctor-group-vault = Credentials
doctor-group-journals = Journals
doctor-group-network = Network
doctor-group-program = Program

doctor-terminal-size = size
    .size = { $columns } columns by { $rows } rows
    .small = { $columns } columns by { $rows } rows is too little
    .small-next = Make the window larger or its letters smaller: balcão needs { $leastColumns } by { $leastRows }.
    .none = not examined: the output is no terminal
    .none-next = Run the command right in the terminal in which you use balcão.

doctor-terminal-kind = kind
    .named = { $term }
    .unnamed = without a name (TERM)
    .dumb = dumb
    .dumb-next = This terminal only writes line after line. Open balcão in another one, or set TERM to its right name.
    .tmux = inside tmux
    .ssh = over SSH

doctor-terminal-colours = colours
    .many = 256 or more
    .none = none, by NO_COLOR
    .few = the terminal's own 16
    .few-next = If your terminal has more colours, set COLORTERM to truecolor.

doctor-terminal-letters = letters
    .all = all
    .choice = plain letters only, by your settings
    .console = plain letters only: the console of Linux lacks the other signs
    .console-next = To see everything, open balcão in a graphical terminal or over SSH.
    .locale = plain letters only: the locale { $locale } is not UTF-8
    .locale-next = Accents may look wrong. Set LC_ALL or LANG to a locale in UTF-8, such as pt_BR.UTF-8.

doctor-terminal-time-zone = time zone
    .unread = TZ ({ $value }) names no time zone that can be read; times are shown in UTC
    .unread-next = Unset TZ, or set it to a name such as America/Sao_Paulo.

doctor-terminal-clipboard = copying
    .program = by the program { $way }
    .terminal = by asking the terminal (OSC 52), which may ignore it
    .missing-next = If copying does not work, install { $missing }.

doctor-configuration-directory = directory
doctor-configuration-file = file
doctor-configuration-keys = keys
doctor-configuration-theme = theme
doctor-configuration-contract = service format
doctor-configuration-ca-file = certificates
doctor-configuration-state = data directory
doctor-configuration-vaults = last login
doctor-configuration-log = log
doctor-configuration-log-level = log level
    .off = off: nothing is written
    .error = error: only failures
    .info = info: failures, starts and requests
    .debug = debug: everything
doctor-place =
    .own = { $path }
    .absent = { $path } (none yet)
    .missing = { $path } is not there
    .missing-next = Put the file in that place, or take its name out of the configuration.
    .unseen = { $path } could not be looked at
    .unseen-next = Check that your account may read that path.
    .root = { $path } (the administrator's)
    .other = { $path } is somebody else's
    .other-next = Its owner can change what is in it. Use a copy of your own, or make it yours with chown.
    .others = anybody on this computer can change { $path }
    .others-next = Take that right away: chmod go-w { $path }
    .group = its group can change { $path } too
    .group-next = If anybody else is in that group, take the right away: chmod g-w { $path }

doctor-configuration-settings = reading
    .profiles = { $n ->
        [0] no errors; no profile
        [one] no errors; 1 profile
       *[other] no errors; { $n } profiles
    }
    .directories = the directories of balcão could not be found
    .files = a file of the configuration has an error
    .keys = the keys in keys.toml have an error
    .appearance = there is no such theme or language
    .profile = there is no such profile
    .address = the address of the service has an error
    .contract = the service format of the profile has an error
    .network = the certificate or the proxy of the profile has an error
    .vault = the place of the credentials cannot be used like this
    .log = there is no such level of the log
    .fault-next = balcão's message says where. Correct it, and run the checkup again.
    .told = Message:

doctor-contract-lines = lines
    .presets = formats: { $presets }
    .files = { $n ->
        [one] 1 file of yours
       *[other] { $n } files of yours
    }
    .own = balcão's own
    .differing = { $n ->
        [one] { $n } line differs from the default
       *[other] { $n } lines differ from the default
    }
    .for-run = { $n ->
        [one] { $n } line differs from the default; the agreement lasts until you quit
       *[other] { $n } lines differ from the default; the agreement lasts until you quit
    }
    .accepted = { $n ->
        [one] { $n } line differs from the default, accepted by you
       *[other] { $n } lines differ from the default, accepted by you
    }
    .sandbox = { $n ->
        [one] { $n } line differs from the default; nothing to accept in the sandbox
       *[other] { $n } lines differ from the default; nothing to accept in the sandbox
    }
    .pending = { $n ->
        [one] { $n } line is not accepted yet: nothing is sent
       *[other] { $n } lines are not accepted yet: nothing is sent
    }
    .pending-next = balcão shows these lines and asks.
    .each-time-next = No keyring keeps the agreement: it lasts until you quit, and balcão asks again at every start. To end that, open it with --vault keyring, keyutils or helper.

doctor-vault-kind = place
    .flag = chosen by --vault
    .profile = chosen in the profile
    .last-login = that of the last login
    .default = the usual one, chosen by nobody
    .demo = the demo keeps nothing
    .stores = works
    .reads = answers
    .kind = { $name ->
        [keyring] keyring of the system
        [keyutils] keyring of the kernel
        [helper] the profile's command
        [env] environment variables
        [memory] in memory only, until you leave
       *[other] { $name }
    }

doctor-vault-api-token = API token
    .good = ready to use
    .until = valid until { $expires }
    .absent = none
    .absent-next = Log in to balcão with this profile.
    .expired = expired: { $expires }
    .expired-next = Log in to balcão again.
    .unknown = could not be found out
    .unknown-next = First solve the place of the credentials, above.

doctor-vault-jwt = JWT for links
    .good = { doctor-vault-api-token.good }
    .until = { doctor-vault-api-token.until }
    .absent = { doctor-vault-api-token.absent }
    .absent-next = Paste the JWT in Account, or log in again if the login yields one.
    .expired = { doctor-vault-api-token.expired }
    .expired-next = Paste a new JWT in Account, or log in again if the login yields one.
    .unknown = { doctor-vault-api-token.unknown }
    .unknown-next = { doctor-vault-api-token.unknown-next }

doctor-journals-withdrawals = withdrawals
    .none = none yet
    .whole = { $n ->
        [one] whole; 1 withdrawal
       *[other] whole; { $n } withdrawals
    }
    .open = { $n ->
        [one] 1 open
       *[other] { $n } open
    }
    .open-next = The pane Withdrawals of balcão shows what you can safely do.
    .schema = version { $schema }
    .copy = the last write was cut short
    .copy-next = balcão undoes that write when it opens; nothing is lost.
    .unmarked = there is nowhere to record that this is the journal in use, neither in the configuration nor in a keyring: an old copy put back would not be noticed
    .unmarked-next = Give your user permission to write in the configuration folder, or use a keyring. If there are withdrawals already, then run “balcao journal make-live”.
    .late = not read in time
    .late-next = Run balcao journal verify, which waits to the end.

doctor-journals-history = links and charges
    .none = none yet
    .whole = whole; { $links }, { $charges }
    .late = { doctor-journals-withdrawals.late }
    .aside = { doctor-journals-requests.aside }
    .aside-next = { doctor-journals-requests.aside-next }

doctor-journals-copies = copies
    .kept = { $copies }, from before an update
    .kept-next = If you do not go back to the older version of balcão, delete it. “balcao data purge” does so too.

doctor-journals-requests = requests
    .none = none yet
    .whole = whole; { $requests }
    .damaged = the file is damaged; at its next use balcão moves it aside and starts another
    .trouble = the file cannot be used, and new ones are not kept
    .trouble-next = Move requests/requests.db out of the folder of the withdrawal journal, and balcão starts another file.
    .aside = damaged file, kept aside: { $file }
    .aside-next = If you do not need it, delete it.
    .late = { doctor-journals-withdrawals.late }

doctor-network-address = address
    .named = { $origin }
    .machine = { $origin }, on this computer
    .none = none
    .none-next = Say where the service is: base-url in the profile, or --base-url. To get to know balcão: balcao demo

doctor-network-name = name
    .proxy = looked up by the profile's proxy
    .not-needed = does not need to be looked up
    .found = found; IPv4 addresses: { $ipv4 }, IPv6: { $ipv6 }
    .unknown = not found
    .unknown-next = Check this computer's internet, and that the service's address is written correctly.
    .late = the lookup did not end in time
    .late-next = Check this computer's internet and its DNS server.

doctor-network-service = service
    .encrypted = is up, and its certificate is valid (code { $status })
    .plain = is up (code { $status })
    .troubled = answered, but with an error of its own (code { $status })
    .troubled-next = Try again in some minutes. If it stays like this, tell the service.
    .no-name = did not answer: its name was not found
    .no-name-next = { doctor-network-name.unknown-next }
    .connect = no connection could be made
    .connect-next = Check this computer's internet, that address and port are right, and that the service is up.
    .expired = its certificate has expired
    .expired-next = Check this computer's date. If it is right, tell the service.
    .early = its certificate is not valid yet
    .early-next = Check this computer's date. If it is right, tell the service.
    .other-name = the certificate is for another name
    .other-name-next = Check the service's address. If it is right, another machine may be answering: do not type your password on this network.
    .issuer = nobody whom this computer trusts vouches for the certificate
    .issuer-next = On a company's network, ask for its certificate and name the file in `ca-file`, in the profile. On any other, do not type your password.
    .revoked = its certificate was revoked
    .revoked-next = Do not type your password, and tell the service.
    .certificate = its certificate does not prove who it is
    .certificate-next = Try on another network. If the service has a certificate of its own, name its file in `ca-file`, in the profile. If it stays like this, tell the service.
    .encryption = the encryption could not be agreed on
    .encryption-next = Check that address and port are those of a service with https.
    .own-certificates = this computer's own certificates cannot be read
    .own-certificates-next = Install the system's certificates (ca-certificates), or name the service's in `ca-file`, in the profile.
    .late = did not answer in time
    .late-next = Check this computer's internet, and try again in some minutes.
    .cut = the connection ended before the reply
    .cut-next = Try again. If it stays like this, check the network or tell the service.

doctor-network-variables = certificates
    .ignored = without effect here: { $ignored }
    .ignored-next = To trust one more certificate, name its file in `ca-file`, in the profile.

doctor-network-clock = clock
    .same = { $seconds } s apart from the service
    .ahead = { $span } ahead of the service
    .behind = { $span } behind the service
    .wrong-next = Set this computer's time: it decides until when a withdrawal can be sent again.
    .unknown = the service did not say its time
    .unknown-next = Check yourself that this computer's time is right.
    .seconds = { $n } s
    .minutes = { $n } min
    .hours = { $n } h
    .days = { $n } days

doctor-program-versions = versions
    .what = balcão { $balcao }, { $os } { $arch }, SQLite { $sqlite }; journal of withdrawals { $moneySchema }, history { $historySchema }
