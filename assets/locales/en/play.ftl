# The player of recordings (balcao play).

play-playing = playing
play-paused = paused
play-searching = searching
play-frame = screen { $frame } of { $frames }
play-part = only a part of the screen: Tab shows another
play-no-more = There is no other.
play-bad-time = Type the time like 1:30.
play-empty = There is no screen that can be shown.
play-ask-text = Find on the screen: { $text }
play-ask-time = Go to (min:s): { $text }

play-key-pause = Space plays and pauses
play-key-frames = ← → screen
play-key-events = ↑ ↓ event
play-key-marks = m M mark
play-key-errors = x X error
play-key-requests = r R request
play-key-text = / finds, n N repeats
play-key-time = t time
play-key-ends = Home End start and end
play-key-speed = + - speed
play-key-details = e details
play-key-quit = q quits

play-about = Recording of balcão { $version }
play-clock = { $date }, { $time }
play-look = { $language }, theme { $theme }
play-events = Events until here
play-keys = Keys
play-event-key = key { $name }
play-event-message = message { $name }
play-event-effect = effect { $name }
play-event-request = request { $id }: { $operation }, { $outcome }
play-event-failed = failed ({ $name })
play-event-mark = mark: here it went wrong
play-event-unknown = event of a newer version

play-fault-newer = A newer version of balcão wrote this file (format { $format }): what this one does not know is left out.
play-fault-header = The start of the file is damaged: version, language and size are missing.
play-fault-damaged = A part of the file is damaged and left out.
play-fault-cut = The end of the file is missing.
