# balcao team
help-team = The journal that the operators of a shop share, in a PostgreSQL database
    .database = The address of the database with your user, without the password: postgres://ana@db.shop.example/shop
    .ca = The certificate (PEM) of whoever issued the server's; the file must be in the configuration folder
    .password_stdin = Read the database password from standard input, up to the end of the line
    .json = A JSON object
help-team-init = Create the journal of a team in an empty database; the administrator runs this once
    .long = Create the journal of a team in an empty database; the administrator runs this once

        The operators' users must exist in the database. Running it again only adds operators. The password is asked for without being shown, or comes from --password-stdin or from BALCAO_TEAM_PASSWORD.
    .operator = A user of the database who may see and record withdrawals; can be repeated
    .purger = A user who may also delete old personal data; can be repeated
    .approvals = 1: somebody else must approve each withdrawal before it is sent; 0: nobody must
    .print = Do not connect: write the SQL, for the administrator to read and run
help-team-join = Make the profile a member of a team: withdrawals, links and direct payments are then recorded in its database
    .long = Make the profile a member of a team: withdrawals, links and direct payments are then recorded in its database

        Checks the database, copies the events to this computer, keeps the password where the profile keeps credentials, and writes the team to config.toml. If it is interrupted, the profile stays as it was and the same command goes on. If the profile is in the team already, it checks, keeps the password and copies what is missing.
    .name = The name under which the others see you; without it, the user of the database
help-team-import = Take this computer's withdrawal journal along into an empty team, and make the profile a member
    .long = Take this computer's withdrawal journal along into an empty team, and make the profile a member

        The events go as they are, and so do links, direct payments and nicknames. The folder of the journal becomes the copy of the team; requests stay on this computer only. If it is interrupted, the same command goes on. The other profiles of this computer begin a new journal. The command explains what this means and asks you to type the name of the folder.
    .name = The name under which the others see you; without it, the user of the database
help-team-check = Check the team's database and the copy on this computer
    .long = Check the team's database and the copy on this computer

        Tells the server's version, the response time, whether the connection is encrypted, the difference of the clocks, missing rights, and what could lose events. Ends with 0 if it can be used, also with warnings, and with 1 if it cannot.
help-team-leave = Take the profile out of its team; the copy of the withdrawals stays on this computer
    .long = Take the profile out of its team; the copy of the withdrawals stays on this computer

        Deletes the password and takes the team out of config.toml. Does nothing while a withdrawal of this computer waits for its result. Ask the database administrator to revoke the rights of your user.
help-value-role = USER

complaint-team-url = --database: { $why } Write it as postgres://ana@db.shop.example/shop, without the password.
complaint-team-ca = { $file }: the certificate must be in the configuration folder. Copy the file to { $folder } and give --ca only its name.
team-url-not-one = this is not an address.
team-url-scheme = the address begins with postgres://
team-url-password = the password does not belong in the address: it is asked for and kept elsewhere.
team-url-user = the user is missing.
team-url-host = the server is missing.
team-url-database = the name of the database is missing.
team-url-parameter = balcão knows no parameters in this address.

team-none = The profile { $profile } is in no team. To join one: balcao team join
team-other = The profile { $profile } is in another team. Leave it first: balcao team leave
team-wants-address = A team needs a profile with the address of the service: write base-url in [profiles.{ $profile }] in config.toml.
team-wants-database = Which is the team's database? Name it with --database postgres://ana@db.shop.example/shop, without the password.
team-password = Password of { $role } in the database (not shown while you type):
team-password-terminal = There is no terminal here to ask for the database password. Use --password-stdin, or the variable BALCAO_TEAM_PASSWORD.
team-password-empty = The database password is blank.
team-password-none = The database password is not kept here. Keep it again with balcao team join, or pass it in BALCAO_TEAM_PASSWORD.
team-password-stored = The database password { $place }.
team-password-environment = The password came from the environment (BALCAO_TEAM_PASSWORD) and was not kept: balcão needs the variable at each start.
team-password-forgotten = This vault keeps in memory only: the password was lost at the end of this command. Without it, balcão shows the withdrawals but makes none. Pass the password in BALCAO_TEAM_PASSWORD, or choose another vault with --vault.
team-withdrawals = { $n ->
    [0] no withdrawals
    [one] { $n } withdrawal
   *[other] { $n } withdrawals
}

team-offline-unreachable = Could not connect to the team's database. Check the address and the network.
team-offline-timeout = The team's database did not answer in time. Check the network and try again.
team-offline-lost = The connection to the team's database dropped. Try again.
team-offline-tls = The identity of the database could not be confirmed, or it does not encrypt the connection. The password was not sent. If it has a certificate of its own, give the file with --ca.
team-offline-plain = The server on this computer asks for the password itself, without encryption. It was not sent: another program may be in the place of the server. The administrator sets scram-sha-256 in pg_hba.conf.
team-offline-no-password = This computer does not have the password of the team's database. balcao team join asks for it and stores it.
team-offline-password = The database refused the user or the password. Check both.
team-offline-denied = The database does not let this user in. Show this to the database administrator.
team-offline-database = No database has this name. Check the end of the address.
team-offline-unavailable = The database server is busy, starting or stopping. Try again in a minute.
team-offline-empty = This database has no journal of a team. The database administrator creates it with balcao team init.
team-offline-other = This database belongs to another team. Check the address.
team-offline-format = The team's journal needs a newer version of balcão. Update balcão on this computer.
team-offline-standby = This server is a standby, which can only be read. Use the address of the primary server.
team-offline-encoding = The database does not store texts as UTF-8. The administrator must create another one, with ENCODING 'UTF8'.
team-offline-clock = The clocks of this computer and the database differ by more than a minute. Correct the one that is wrong.
team-offline-pooler = Between this computer and the server, a pooler does not pass on notifications, perhaps in transaction mode. Use the address of the server itself, or a pooler in session mode.
team-offline-refused = The database refused the request. Show this to the database administrator.

team-mark = [warning]
    .refused = [refused]
team-finding-right = The right { $name } is missing.
    .next = The administrator runs balcao team init again with --operator and this user.
team-finding-superuser = This user is a superuser: it can change everything, and nothing that it records is proven.
    .next = Use an ordinary user for each operator.
team-finding-owner = This user owns the tables of the journal and can change them.
    .next = Use an ordinary user for each operator, and another one only to administrate.
team-finding-change = This user can change recorded events, or who recorded them.
    .next = Revoke its rights beyond those that balcao team init gives.
team-finding-encoding = The database stores texts as { $name }, not as UTF-8.
    .next = The administrator must create another one, with ENCODING 'UTF8'.
team-finding-clock = The clocks of this computer and the database differ by more than a minute.
    .next = Correct the clock that is wrong.
team-finding-pooler = A pooler does not pass on notifications between the computers, perhaps because it is in transaction mode.
    .next = Use the address of the server itself, or a pooler in session mode.
team-finding-format = The team's journal needs a newer version of balcão.
    .next = Update balcão on this computer.
team-finding-old = The version of the server is too old for balcão.
    .next = Update the server to PostgreSQL 13 or newer.
team-finding-fsync = fsync is off: a power failure of the server can lose or damage everything.
    .next = Turn fsync on in the server.
team-finding-pages = full_page_writes is off: a power failure of the server can damage everything.
    .next = Turn full_page_writes on in the server.
team-finding-commit = synchronous_commit is { $name } for this user; balcão turns it on in its own connections.
    .next = Leave synchronous_commit on in the server too.
team-finding-alone = The server has no standby: if its disk is lost, so is the team's journal.
    .next = Make backups, or set up a synchronous standby.
team-finding-asynchronous = The standbys are not synchronous: if one takes the server's place, the last events can be lost.
    .next = Set synchronous_standby_names in the server.
team-finding-waiting = The server waits for a synchronous standby, and none is connected: nothing can be recorded.
    .next = Connect the standby again.
team-finding-hidden = This user cannot see whether the standbys are synchronous.
    .next = To see it, grant it pg_read_all_stats; balcão does not need that.
team-finding-unencrypted = The connection is not encrypted; this is accepted only because the server is this computer.
    .next = Nothing to do as long as the server is this computer.

team-init-done = The team's journal was created. Team: { $team }
team-init-members = The team's journal existed already; only the operators were added. Team: { $team }
team-init-join = Now each operator, on their own computer:
team-init-nobody = No operator was added. Run this again with --operator and the user of each one.
team-init-lost = If a computer is lost, revoke its user in the database:
      {"  "}REVOKE "{ $group }" FROM "user"; ALTER ROLE "user" NOLOGIN;
    Whatever that computer had not recorded yet never counts.
team-init-long = A name is too long for the database. Use shorter names.
team-init-name = The name of a user or of the database is blank or contains a character that it cannot have.
team-init-exists = A user with the name of the group that balcão creates exists already, perhaps from a deleted database. Its members would get access. Drop the group, or use a database with another name. Nothing changed.
team-init-two = Approvals need at least two operators, each with a database user of their own. Nothing changed.
team-init-missing = A user does not exist. Create the user in the database and run this again. Nothing changed.
team-init-denied = This user may not create the journal. Use the database administrator, or give them the SQL that --print writes. Nothing changed.

team-reading = Copying the team's events. Ctrl-C stops; the same command goes on later.
team-progress = { $n ->
    [one] { $n } event copied
   *[other] { $n } events copied
}
team-history-progress = { $n ->
    [one] { $n } change of links and direct payments copied
   *[other] { $n } changes of links and direct payments copied
}
team-join-done = The profile { $profile } is in the team as { $operator }. The team's journal has { $count }.
team-join-open = { $n ->
    [one] This computer has { $n } open withdrawal in its own journal, which the team would not see: it could pay the same again. Decide it first, or take the journal along into an empty team with balcao team import. Nothing changed.
   *[other] This computer has { $n } open withdrawals in its own journal, which the team would not see: it could pay the same again. Decide them first, or take the journal along into an empty team with balcao team import. Nothing changed.
}
team-join-own = { $n ->
    [one] This computer has { $n } withdrawal in its own journal. The team will not see it; without the team, it stays visible here. To take it along, into an empty team only: balcao team import
   *[other] This computer has { $n } withdrawals in its own journal. The team will not see them; without the team, they stay visible here. To take them along, into an empty team only: balcao team import
}

team-import-means = The withdrawal journal in { $dir }, with { $count }, goes to the team as a whole.
    If you go on, all operators of the team see its withdrawals, with their Pix keys, and the links, direct payments and nicknames of the folder. It becomes the copy of the team on this computer.
    The other profiles of this computer begin a new journal, which does not know these withdrawals. This cannot be undone.
team-import-goes-on = { $n ->
    [one] The team has the first event already, from a time that was interrupted.
   *[other] The team has the first { $n } events already, from a time that was interrupted.
}
team-import-progress = { $n ->
    [one] { $n } event sent to the team
   *[other] { $n } events sent to the team
}
team-import-member = This profile is in the team already. A journal can only be taken along before joining.
team-import-approvals = The team requires approvals, and the sends in this computer's journal have none. The administrator switches the rule off (balcao team init --approvals 0) until the journal is in the team.
team-import-nothing = This computer's journal has no withdrawals to take along. To join the team: balcao team join
team-import-occupied = The team has other withdrawals already, and two journals cannot be merged. To join without taking this computer's along: balcao team join
team-import-aside = An earlier copy of this team is now in { $to }.

team-approvals = Approval
    .on = Each withdrawal needs the approval of somebody else of the team before it is sent.
    .off = Withdrawals need no approval.
    .needed = of somebody else, for each withdrawal
    .unneeded = not needed

team-check-of = Profile { $profile }, operator { $operator }, { $database }
team-check-server = Server
team-check-id = Team
team-check-time = Response time
team-check-clock = Server's clock
team-check-tls = Connection
    .on = encrypted, with a verified certificate
    .off = not encrypted, on this computer
team-check-fine = All is well.
team-check-warned = It can be used. Read the warnings.
team-check-refused = It cannot be used like this: solve what is marked and try again.
team-mirror = Copy on this computer: up to event { $n }.
    .same = Copy on this computer: up to event { $n }, the same as the team's.
    .behind = Copy on this computer: up to event { $n }; the team is at event { $last }. balcão copies the rest when you open it.
    .short = Copy on this computer: up to event { $n }; the database lost events and ends at { $last }. balcão puts back what is missing when you open it.
    .forked = Copy on this computer: up to event { $n }, and the database has another one in its place. Withdrawals are locked: show this to the database administrator.
team-ends = { $n ->
    [one] { $n } result waits for the connection; balcão records it when you open it.
   *[other] { $n } results wait for the connection; balcão records them when you open it.
}

team-leave-means = The profile { $profile } is about to leave the team.
    If you go on, this computer no longer sees what the team does: nothing here prevents a withdrawal that the team has made. The copy of the withdrawals, links and direct payments stays here; what this computer has sent stays with the team.
team-leave-unsent = { $n ->
    [one] { $n } change of links and direct payments is not with the team yet, and stays here only. To send it first, open balcão while the connection works.
   *[other] { $n } changes of links and direct payments are not with the team yet, and stay here only. To send them first, open balcão while the connection works.
}
team-leave-ends = { $n ->
    [one] { $n } result is not in the team's database yet. Open balcão while the connection works, and leave after that.
   *[other] { $n } results are not in the team's database yet. Open balcão while the connection works, and leave after that.
}
team-leave-open = { $n ->
    [one] { $n } withdrawal that this computer sent has no result. Check in your account and decide in balcão (key 3), and leave after that.
   *[other] { $n } withdrawals that this computer sent have no result. Check in your account and decide in balcão (key 3), and leave after that.
}
team-leave-windows = Another window is using this journal of withdrawals. Close balcão's windows of this profile and run this again. Nothing changed.
team-leave-done = The profile { $profile } left the team, and the password was deleted here.
    The copy is in { $dir }, with { $count }. To check it: balcao journal verify --journal and the folder
    Ask the database administrator to revoke the rights of the user { $role }.

team-purge-member = This folder is the copy of the journal of a team that the profile is not in. Use the profile of the team, with a user who may delete data.
team-purge-offline = Deleting a team's data needs a connection to its database, because the data is there too. Nothing was deleted.
team-purge-refused = This user may not delete the team's data. The database administrator gives the right with balcao team init and --purger. Nothing was deleted.
team-mirror-only = The folder { $dir } is the copy of a team's journal, not the journal of a single computer. If the copy is damaged, move the folder elsewhere: balcao team join copies everything again.
