# The kiosk: a demo that is open to visitors.

## At the end

farewell-left = Thank you for visiting balcão! Nothing here was real money.
farewell-idle = The demo closed after 10 minutes without use. Nothing here was real money; come back any time.
farewell-time = The 30 minutes of this demo are over. Nothing here was real money; come back any time.
farewell-memory = The demo closed because it reached its memory limit. Nothing here was real money; open it again to start over.
farewell-cpu = The demo closed because it reached its processing limit. Nothing here was real money; open it again to start over.
farewell-typed = The demo closed because it received too much text. Nothing here was real money; open it again to start over.
