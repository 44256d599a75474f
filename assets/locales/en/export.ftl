# Exporting a list to a file (e in Links, Withdrawals and Charges).
export-title-links = Export links
export-title-charges = Export charges
export-title-withdrawals = Export withdrawals
export-what = The file gets everything the list shows, with its search and filters and in the same order.
field-export-format = Format
export-csv = CSV (spreadsheet)
export-json = JSON (one object a line)
field-export-personal = Personal data
export-masked = masked
export-unmasked = in full
export-masked-means = Names, documents, Pix keys, notes and messages are masked.
export-unmasked-means = The file will have names, documents and Pix keys in full. Keep and send it with care.
export-submit = Export
export-wait = Writing the file
export-not-saved = The file could not be saved: { $why }
# The beginning of the file's name.
export-file-links = links
export-file-charges = charges
export-file-withdrawals = withdrawals
said-list-exported = { $n ->
    [one] ✓ 1 row exported
   *[other] ✓ { $n } rows exported
}
said-list-put-away = { $n ->
    [one] without 1 link that is put away
   *[other] without { $n } links that are put away
}
said-list-path = { $count }: { $path }
# How many of the links that a command wrote are not in the app's list.
list-put-away = { $n ->
    [one] 1 of these links is put away, and not in the app's list.
   *[other] { $n } of these links are put away, and not in the app's list.
}
# The columns of a list's CSV file.
rows-csv =
    .at = created
    .account = account
    .amount = amount (R$)
    .description = description
    .checkoutDomain = domain
    .state = state
    .outcome = outcome
    .url = address
    .message = service's message
    .markedPaid = marked as paid
    .sandboxPaid = paid in the sandbox
    .note = note
    .putAway = put away
    .customer = buyer
    .buyer = buyer's details
    .serviceState = state at the service
    .id = code at the service
    .status = state, as it came
    .pixCode = Pix code
    .expires = expires
    .agreed = confirmed
    .key = withdrawal code
    .open = open
    .origin = service
    .fee = fee (R$)
    .net = net amount (R$)
    .destination = destination
    .nickname = nickname
    .attempts = attempts
rows-csv-outcome =
    .created = created
    .refused = refused
    .not-sent = not sent
    .unknown = unknown
rows-csv-yes = yes
rows-csv-no = no
