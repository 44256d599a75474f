# What Ctrl-K offers beyond what the keys say already.
command-new-link = New link
command-new-withdrawal = New withdrawal
command-new-charge = New charge

# Other words each line is found by, in either language; the beginning of one is enough.
also-links = links urls payments whatsapp checkout
also-domains = domains sites hosts
also-withdrawals = withdrawals withdraw payouts cash out transfers pix money
also-charges = charges direct payments pix buyer
also-exchanges = requests exchanges replies http json log support
also-account = account profile balance login log in sign logout log out password token jwt keyring settings
also-help = help keys shortcuts commands manual
also-redraw = redraw refresh screen clear
also-show-other = see other withdrawal
also-search = search find filter
also-open = see view open details pick attempts
also-repeat = repeat duplicate same again
also-refresh = refresh reload update read again
also-send = send resend withdrawal again
also-copy = copy link url address code
also-copy-message = copy message buyer whatsapp share text
also-browse = open browser link site page
also-qr = qr code qrcode
also-check = check look account withdrawal
also-found = found paid
also-not-paid = not paid
also-journals = journals records files withdrawals
also-discard = discard delete remove withdrawal
also-log-in = log in login sign password
also-log-out = log out logout sign signout forget credentials
also-paste-jwt = paste jwt token
also-contract = contract lines rules money
also-leave = leave quit exit close program
also-new-link = new create make link payment charge
also-new-withdrawal = new make create withdrawal withdraw payout pix fee transfer
also-new-charge = new make create direct payment charge pix buyer
also-buyers-view = buyer view page checkout pay
also-story = story begin start demo
also-story-next = story next step demo
also-story-stop = story stop demo
also-captions-off = story captions hide
also-captions-on = story captions show
also-fault = fault faults error
also-no-faults = sandbox take away remove faults error
also-domains-down = sandbox domains inactive down
also-domains-up = sandbox domains active back up
also-forward = sandbox move clock forward time
also-start-over = sandbox start over restart reset

# What undoes, ends or gets in the way is only found by one of these words, in full.
only-leave = leave quit exit close
only-log-out = logout signout forget
only-discard = discard delete
only-fault = fault faults sandbox
only-domains-down = inactive sandbox
only-forward = forward sandbox
only-start-over = restart reset sandbox
