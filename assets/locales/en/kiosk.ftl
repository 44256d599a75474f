# The kiosk: a demo that is open to visitors.

## The first screen

login-kiosk-language = { $key } português

## With nobody there

kiosk-invitation = Automatic demo. Press any key to use it.

## At the end

farewell-left = Thank you for visiting balcão! Nothing here was real money.
farewell-idle = The demo closed after 10 minutes without use. Nothing here was real money; come back any time.
farewell-time = The 30 minutes of this demo are over. Nothing here was real money; come back any time.
farewell-memory = The demo closed because it reached its memory limit. Nothing here was real money; open it again to start over.
farewell-cpu = The demo closed because it reached its processing limit. Nothing here was real money; open it again to start over.
farewell-typed = The demo closed because it received too much text. Nothing here was real money; open it again to start over.

## Rules and limits

said-kiosk-ready = The demo is ready: log in to use it.
said-kiosk-withheld = This is switched off, because the demo is open to visitors.
said-kiosk-no-file = Nothing is saved to files here. The key that copies gives you the request as text.
reach-kiosk = This address exists only inside this demo: it opens nowhere else.
said-kiosk-qr = No browser is opened here: this is the QR Code.
receipt-kiosk = Nothing is saved to files here: { $key } copies the text of the receipt.
kiosk-help-qr = show the QR Code, because no browser is opened here
kiosk-help-copy = nothing is saved to files here: copy the text instead
said-kiosk-sales = This demo has { $limit } links and charges, its limit. To create more, start the demo over.
said-kiosk-withdrawals = This demo has { $limit } withdrawals, its limit. To make more, start the demo over.
said-kiosk-start-overs = The demo has already started over { $limit } times, the limit of each visit.
said-kiosk-forward = The clock is already a whole day ahead ({ $limit } times 10 minutes), the limit of this demo.
