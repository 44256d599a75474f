# Many links from one file.

# A file that cannot be read
file-too-large = The file has { $bytes } bytes; the maximum is { $max }.
file-not-text = The file is not CSV text. In the spreadsheet, save it as CSV and use the saved file.
file-too-long = The file has { $lines } lines; the maximum is { $max }. Split it into smaller files.
file-empty = The file has no lines below its header.
file-no-amount = The file has no column “amount” (or “valor”) in its first line.
file-no-description = The file has no column “description” (or “descrição”) in its first line.
file-same-columns = The columns “{ $one }” and “{ $other }” mean the same. Keep only one.
file-open-quote = The quotation mark opened in line { $line } is never closed.
file-two-decimals = Line { $comma } has a decimal comma, and line { $point } a decimal point. Write all of them in the same way.
file-unit = All amounts are whole numbers. Is the one in line { $line } { $reais } or { $centavos }?
    .script = All amounts are whole numbers: the one in line { $line } may be { $reais } or { $centavos }. Say which with --unit reais or --unit centavos.
    .ask = Type r (reais) or c (centavos):

# A line that becomes no link
line-empty = empty line
line-extra-cells = { $cells } cells, and the header has { $columns }
line-total = looks like a total: it has an amount and no description
line-no-description = the description is missing
line-long-description = description of { $length } letters; the maximum is { $max }
line-no-amount = the amount is missing
line-not-an-amount = the amount is not a number
line-ambiguous = the amount may be { $one } or { $other }: write it with centavos
line-zero = the amount is zero
line-negative = the amount is negative
line-large = the amount is too large
line-fraction = the amount has a fraction of a centavo
line-exists = exists already: equal link of { $when }
line-repeated = exists already: equal to line { $line }
line-number = line { $line }: { $text }

# The states of a line, in the result file
batch-url = url
batch-state = state
batch-reason = reason
batch-skipped = not sent
batch-waiting = waiting
batch-sending = being sent
batch-made = created
batch-refused = refused
batch-unknown = not known

# balcao links create, links import
batch-file = { $file }: { $n ->
    [one] 1 line
   *[other] { $n } lines
}
batch-will = { $n ->
    [one] 1 link to create: { $sum }
   *[other] { $n } links to create: { $sum } in all, from { $least } to { $most }
}
batch-none = No link to create.
batch-faults = { $n ->
    [one] 1 line with a problem:
   *[other] { $n } lines with a problem:
}
batch-existing = { $n ->
    [one] 1 link exists already and will not be created again:
   *[other] { $n } links exist already and will not be created again:
}
batch-more = { $n ->
    [one] and 1 line more
   *[other] and { $n } lines more
}
batch-account = Account { $identity }, at { $origin }.
batch-ask = To create them, type { $word } and press Enter:
batch-fix = Nothing was sent. Correct the lines, or leave them out with --skip-faults.
batch-not-compared = Not logged in: the file was not compared with the links created before.
batch-progress = { $done } of { $all } · { $rate }/s · { $left } left
    .failed = { $text } · { $failed } without a link
batch-done = { $n ->
    [one] 1 link created.
   *[other] { $n } links created.
} Result: { $file }
batch-failed = { $n ->
    [one] 1 line was refused by the service.
   *[other] { $n } lines were refused by the service.
}
batch-unsure = { $n ->
    [one] 1 line got no answer: its link may exist. Check before you create another.
   *[other] { $n } lines got no answer: their links may exist. Check before you create others.
}
batch-paused = Stopped: { $why } { $n ->
    [one] 1 line is left.
   *[other] { $n } lines are left.
}
    .login = the service does not accept the login. Log in again (balcao login, or in the app).
    .team-offline = no connection to the team's database.
    .failures = three lines in a row failed.
    .stopped = you interrupted it.
batch-resume = To continue: { $command }
batch-not-shared = The team does not see all of this batch yet. The rest goes when balcão opens with a connection.
batch-busy = This batch is already being sent by another process ({ $process }). Wait, or close the other one.
    .unknown = another
batch-unfinished = A batch of this file was begun { $when }, with { $n ->
    [one] 1 line
   *[other] { $n } lines
} to send. To continue it, use --resume.
batch-no-unfinished = No batch of this file was begun in this account.
batch-result-there = The file { $file } exists already. Name another one with --result.
batch-read-only = With --read-only nothing is created. Nothing was read or sent.
batch-amount = Amount: { $why }.
batch-amount-whole = Is the amount { $amount } { $reais } or { $centavos }? Write it with a comma.
batch-description-long = The description has { $length } letters; the maximum is { $max }.
batch-description-missing = The description is missing.

# balcao reconcile
reconcile-unknown = The file is not a statement: neither OFX, nor CSV with a date and an amount.
reconcile-first = A link that was paid through the service may not be in a bank's statement.
reconcile-entries = { $n ->
    [one] 1 entry in the statement
   *[other] { $n } entries in the statement
}
reconcile-payouts = { $n ->
    [one] 1 withdrawal with an entry
   *[other] { $n } withdrawals with an entry each
}
reconcile-payout = withdrawal of { $sent }, { $amount }: arrived { $day }, { $net }
reconcile-payout-unclear = withdrawal of { $sent }, { $amount }, without a result: it may be that of { $day }, { $net }
reconcile-certain = { $n ->
    [one] 1 charge whose code is in the statement
   *[other] { $n } charges whose codes are in the statement
}
reconcile-possible = { $n ->
    [one] 1 equal amount: it may be this payment
   *[other] { $n } equal amounts: they may be these payments
}
reconcile-sale = { $amount } · { $made }, { $description }
reconcile-line = { $day }, { $memo }
reconcile-groups = { $n ->
    [one] 1 amount that repeats, without a proposal
   *[other] { $n } amounts that repeat, without a proposal
}
reconcile-group = { $amount } · { $sales } without a mark, { $entries } in the statement
reconcile-nothing-marked = Nothing was marked.
reconcile-marked = { $n ->
    [0] Nothing was marked.
    [one] 1 charge marked as paid. To undo: balcao reconcile --undo
   *[other] { $n } charges marked as paid. To undo: balcao reconcile --undo
}
reconcile-used = { $n ->
    [one] 1 entry already used before
   *[other] { $n } entries already used before
}
reconcile-contradictions = { $n ->
    [one] 1 mark made by hand on another day; nothing changes
   *[other] { $n } marks made by hand on another day; nothing changes
}
reconcile-contradiction = { $sale }: marked { $marked }, in the statement { $day }
reconcile-undone = { $n ->
    [one] 1 mark from the last statement undone.
   *[other] { $n } marks from the last statement undone.
}
reconcile-kept = { $n ->
    [one] 1 was kept because it changed later.
   *[other] { $n } were kept because they changed later.
}
reconcile-nothing-undone = There are no marks from a statement to undo.
reconcile-no-file = The file could not be read.
reconcile-late = Reading took too long. Try again.

# The statement in the app
reconcile-title = Reconcile a statement
reconcile-submit = Compare
reconcile-hint = OFX or CSV, of a bank or of the service. Nothing is marked until you choose it.
reconcile-wait = Comparing the statement
reconcile-none = Nothing in this statement matches a sale without a mark.
field-statement = Statement file
said-statement-marked = { $n ->
    [0] Nothing was marked: these lines or sales have changed.
    [one] 1 sale marked as paid.
   *[other] { $n } sales marked as paid.
}
said-statement-saved = ✓ Statement saved: { $path }
said-statement-not-saved = The statement was not saved.
