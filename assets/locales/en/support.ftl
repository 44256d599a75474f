# The support file: a zip for a helper (balcao support).
help-support = A file for your helper: save one, or show what is in it
help-support-save = Save a file for your helper, without secrets and personal data
    .long = Save a file for your helper, without secrets and personal data

        The file, a zip, has the stored requests as requests export --strict writes them, what doctor examined, the service format, the settings and, if you like, a sentence of yours. Before it is saved, you see what is in it and what was masked. Nothing is sent: it is you who passes the file on.
    .file = Save in this new file, which only you can read; without it, the name has the date and a code
    .of = Only the requests of the link, charge or withdrawal with this code; a link's address works too
    .recording = Also this recording of the screens (balcao --record)
    .yes = Ask nothing
help-support-show = Show what is in a support file, and what cannot be used
    .file = The support file

# The beginning of the file's name, without accents.
support-file = balcao-help
support-ask-sentence = In one sentence: what went wrong? (Enter leaves it out)
support-wait = Examining this computer and the service…
support-contents = The file will have:
support-ask = Nothing is sent: the file stays on this computer. Enter saves it; anything else cancels.
support-saved = ✓ Saved as { $file }. Pass this file to your helper.
support-too-large = The file would be too large. Choose a link, a charge or a withdrawal with --of.
support-requests = { $n ->
    [one] { $n } request with its reply
   *[other] { $n } requests with their replies
}
support-sentence = the sentence, as it was typed: “{ $text }”
support-member-recording = the recorded screens
support-member-requests = the requests with their replies
support-member-doctor = what was examined on this computer
support-member-contract = the lines of the service format that differ
support-member-settings = the settings
support-member-words = the sentence of who asks for help
support-member-about = version, date, language and size of the screen
support-masked = Masked: { $counts }. Passwords and tokens are not in the file.
    .nothing = There was nothing to mask. Passwords and tokens are not in the file.
support-masked-cpf = { $n ->
    [one] { $n } CPF
   *[other] { $n } CPFs
}
support-masked-cnpj = { $n ->
    [one] { $n } CNPJ
   *[other] { $n } CNPJs
}
support-masked-phone = { $n ->
    [one] { $n } phone number
   *[other] { $n } phone numbers
}
support-masked-email = { $n ->
    [one] { $n } e-mail address
   *[other] { $n } e-mail addresses
}
support-masked-uuid = { $n ->
    [one] { $n } UUID
   *[other] { $n } UUIDs
}
support-masked-pix-code = { $n ->
    [one] { $n } Pix code
   *[other] { $n } Pix codes
}
support-masked-picture = { $n ->
    [one] { $n } picture
   *[other] { $n } pictures
}
support-masked-token = { $n ->
    [one] { $n } long code
   *[other] { $n } long codes
}
support-masked-host = { $n ->
    [one] { $n } site
   *[other] { $n } sites
}
support-masked-amount = { $n ->
    [one] { $n } amount
   *[other] { $n } amounts
}
support-masked-number = { $n ->
    [one] { $n } number
   *[other] { $n } numbers
}
support-masked-text = { $n ->
    [one] { $n } text
   *[other] { $n } texts
}
# What cannot be used in a support file, and why.
support-fault-name = Left out: “{ $name }” is not part of a support file.
support-fault-not-file = Left out: { $name } is not a regular file.
support-fault-twice = Left out: { $name } is there more than once.
support-fault-encrypted = Left out: { $name } is encrypted.
support-fault-packing = Left out: { $name } is compressed in an unknown way.
support-fault-large = Left out: with { $name } it would be more than 256 MiB.
support-fault-damaged = Left out: { $name } is damaged.
support-fault-list = The list of what is in the file is damaged: something may be missing.
support-fault-many = There is too much in the file: only the beginning was read.
support-fault-newer = A newer version of balcão wrote this file: something may be missing.
complaint-support-large = { $file } is too large: the limit is 64 MiB.
complaint-support-cut = { $file } is incomplete: its end is missing. Ask for it again.
complaint-support-not = { $file } is not a support file of balcão. Ask for the file that balcao support save wrote.
