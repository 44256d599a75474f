# balcao report and the page Report.
report-order = The start (--from) is after the end (--to).
report-days = { $first } to { $last }
report-no-domain = no known domain
report-by =
    .day = Day
    .week = Week
    .month = Month
    .domain = Domain
    .description = Description
    .state = State
report-column =
    .links = links
    .links_sum = sum (R$)
    .marked = marked
    .charges_sum = charges
    .withdrawals = withdrawals
report-line =
    .links-made = Links created
    .links-marked = { "  " }marked as paid
    .links-unmarked = { "  " }without a mark
    .charges-made = Charges created
    .charges-marked = { "  " }marked as paid
    .charges-unmarked = { "  " }without a mark
    .accepted = Withdrawals accepted
    .fees = { "  " }fees
    .net = { "  " }net amount
report-mark-means = A mark comes from you, from a statement or from the sandbox. The service does not say when somebody pays.
# Counted beside: nothing of this is in a sum.
report-inexact = { $n ->
    [one] Not in the sums: 1 with a fraction of a centavo
   *[other] Not in the sums: { $n } with a fraction of a centavo
}
report-without-fee = { $n ->
    [one] Not in the sums: 1 accepted withdrawal without a known fee
   *[other] Not in the sums: { $n } accepted withdrawals without a known fee
}
report-found-paid = { $n ->
    [one] Not in the sums: 1 withdrawal that is paid according to you
   *[other] Not in the sums: { $n } withdrawals that are paid according to you
}
report-open = { $n ->
    [one] Not in the sums: 1 open withdrawal
   *[other] Not in the sums: { $n } open withdrawals
}
report-unknown = { $n ->
    [one] { "  " }its outcome is unknown
   *[other] { "  " }the outcome of { $n } is unknown
}
report-put-away = { $n ->
    [one] Not in the sums: 1 link that you keep out of the list
   *[other] Not in the sums: { $n } links that you keep out of the list
}
report-state =
    .created = created, no mark
    .paid = marked as paid
    .refused = refused
    .not-sent = not sent
    .unknown = outcome unknown
    .prepared = prepared
    .sending = being sent
    .accepted = accepted by the service
    .rejected = refused by the service
    .needs-person = check your account
    .mismatch = reply does not match
    .discarded = discarded
    .resolved-paid = paid, according to you
    .resolved-not-paid = not paid, according to you
# The columns of the CSV file.
report-csv =
    .from = from
    .to = to
report-csv-links =
    .made = links created
    .made_sum = sum of links (R$)
    .marked = links marked as paid
    .marked_sum = sum of marked links (R$)
    .unmarked = links without a mark
    .unmarked_sum = sum of links without a mark (R$)
    .inexact = links not in the sum (fraction of a centavo)
    .count = links
    .sum = sum of links (R$)
report-csv-charges =
    .made = charges created
    .made_sum = sum of charges (R$)
    .marked = charges marked as paid
    .marked_sum = sum of marked charges (R$)
    .unmarked = charges without a mark
    .unmarked_sum = sum of charges without a mark (R$)
    .inexact = charges not in the sum (fraction of a centavo)
    .count = charges
    .sum = sum of charges (R$)
report-csv-withdrawals =
    .accepted = withdrawals accepted
    .accepted_sum = sum of accepted withdrawals (R$)
    .fees = fees (R$)
    .net = net amount (R$)
    .without_fee = accepted withdrawals without a known fee (not in the sum)
    .inexact = withdrawals not in the sum (fraction of a centavo)
    .found_paid = withdrawals paid according to you (not in the sum)
    .open = open withdrawals (not in the sum)
    .unknown = of these, outcome unknown
    .count = withdrawals
    .sum = sum of withdrawals (R$)
# The page Report.
report-title = Report
report-wait = Adding up the amounts
report-this = period
report-before = period before
report-bars = Links created
report-period = Period
report-period-submit = Show
report-period-hint = For example: november, 7 days, 01/11/2026 or 16/11-22/11
report-period-wrong = That was not understood. For example: november, 7 days, 01/11/2026 or 16/11-22/11
