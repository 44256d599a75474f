# Accessible mode: lines of text instead of screens.

stream-begin = balcão in accessible mode: only lines of text. To return to the screens, type quit, and open balcão without --accessible, without accessible = true and without the variable ACCESSIBLE. Enter tells what you can do.
stream-command = What next?
stream-search = Search for what?
stream-choose = Number, or another word?
stream-confirm = Confirm
stream-accept = accept
stream-ask-amount = { $label }? Type the amount again and Enter. Enter alone goes back. Amount?
stream-ask-accept = { $label }? Type { $accept } and Enter. Enter alone goes back. Answer?
stream-submit = { $label }? Enter confirms; the number of a field returns to it. Answer?
stream-submit-help = Here: Enter confirms, the number of a field returns to it, and back leaves the form.
stream-field = { $label }, { $number } of { $count }
stream-field-value = , now { $value }
stream-secret-typed = hidden text
stream-key-up = up arrow
stream-key-down = down arrow
stream-key-left = left arrow
stream-key-right = right arrow
stream-row = { $number }: { $row }
stream-more = There are more lines: type more.
stream-no-more = There are no more lines.
stream-no-row = There is no line { $number } here.
stream-no-choice = There is no such option: type its number.
stream-no-command = Nothing here is called { $word }. Enter tells what you can do.
stream-changed = The screen changed before the answer. Answer again.
stream-list-changed = The list has changed. See the numbers again.
stream-early = Too early: nothing was confirmed. Wait one second after the question.
stream-other-amount = { $amount } is not the amount asked for. Nothing was confirmed.
stream-other-word = Nothing was confirmed.
stream-not-confirmed = It could not be confirmed. Check it and answer again.
stream-waiting = Still waiting: { $seconds } s.
stream-waited = The wait is over: { $seconds } s.
stream-help-here = Here: { $actions }.
stream-help-panes = Panes: { $panes }.
stream-help-always = Always: the number of a line, more, show, back, quit, or another word.
stream-help-field = In a field: Enter keeps the value, a hyphen clears it, back leaves, and a colon before a word does something else. A space before a word makes it the value.

# The words that work everywhere, separated by spaces.
stream-back-words = back
# In a question, these words go back, too: a yes is not enough.
stream-yes-words = s sim y yes
stream-quit-words = quit
stream-help-words = help
stream-again-words = show
stream-more-words = more
