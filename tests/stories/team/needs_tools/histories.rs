//! The histories of several computers, which the program keeps in step.

use std::path::Path;

use balcao::app::Msg;
use balcao::config::Dirs;
use balcao::journal::history::History;
use balcao::journal::money::{Files, MoneyJournal};
use balcao::runtime::Inbox;
use balcao::runtime::history::{self, HistoryWorker, in_history};
use balcao::runtime::journal_location::JournalLocation;
use balcao::runtime::shared_history::{self, Start, exchange};
use balcao::runtime::team::{TeamMirror, TeamPassword};
use balcao::runtime::watch::{ChangeNotifier, Watch};
use balcao::service::BaseUrl;
use balcao::trade::{
    Account, CreatedLink, JournalTrouble, LinkRequest, Money, Nickname, Origin, Outcome,
    PaymentLink, PixKey, PixKeyKind, RowId, Sale,
};
use balcao::vault::VaultHandle;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio::sync::mpsc as tokio_mpsc;
use tokio::task::JoinSet;

use super::*;

/// The result of a job on the history's thread.
type Done<R> = Result<R, JournalTrouble>;

fn account() -> Account {
    Account {
        origin: Origin("https://pay.example".into()),
        identity: "loja".into(),
    }
}

fn request(description: &str) -> LinkRequest {
    LinkRequest {
        account: account(),
        amount: Money::from_centavos(4_990),
        description: description.to_owned(),
        domain: None,
    }
}

fn created(description: &str) -> Outcome<CreatedLink> {
    Outcome::Created(CreatedLink {
        url: format!("https://loja.example/{description}").into(),
    })
}

/// The links of a history as text, newest first, with their marks.
fn describe(history: &History) -> Result<String, JournalTrouble> {
    let links: Result<Vec<PaymentLink>, _> = history.all::<LinkRequest>().collect();
    let lines = links?.into_iter().map(|link| {
        let outcome = match link.outcome {
            Outcome::Created(_) => "",
            Outcome::Unknown => "?",
            Outcome::Refused(_) | Outcome::NotSent => "!",
        };
        let paid = if link.paid.is_some() { " paid" } else { "" };
        let away = if link.put_away.is_some() { " away" } else { "" };
        let note = link.note.map(|note| format!(" ({note})"));
        let description = link.request.description;
        format!(
            "{description}{outcome}{paid}{away}{}",
            note.unwrap_or_default()
        )
    });
    Ok(lines.collect::<Vec<_>>().join(", "))
}

/// A window of the program, without its screen.
struct Window {
    history: HistoryWorker,
    location: Arc<JournalLocation>,
    inbox: tokio_mpsc::Receiver<Msg>,
    _journal: MoneyJournal,
    _watch: Watch,
    _tasks: JoinSet<()>,
    runtime: Runtime,
}

impl Window {
    /// Opens a window of the computer with these files.
    fn open(dir: &Path, database: TeamDatabase, team: Uuid) -> Window {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let files = Files::new(dir.join("journal"));
        let vault = VaultHandle::memory();
        let password = TeamPassword {
            from_environment: Some(password()),
            vault: vault.clone(),
        };
        let mirror = TeamMirror::new(team, files, database, password);
        let dirs = Dirs {
            config: dir.join("config"),
            state: dir.join("state"),
        };
        let base = BaseUrl::parse("https://pay.example").unwrap();
        let location = JournalLocation::for_service(&base, &dirs, vault, Some(mirror));
        let location = Arc::new(location);
        let (sender, inbox) = tokio_mpsc::channel(1_000);
        let sender = Inbox::new(sender);
        let changes = Arc::new(ChangeNotifier::default());
        let journal = runtime.block_on(async {
            let mirror = location.team_mirror().unwrap();
            mirror.open(&changes, &mut |_| ()).await.unwrap()
        });
        let watch = Watch::start(location.files().dir(), changes.clone()).unwrap();
        let history = history::open(location.clone(), Wall(0), None, sender.clone());
        let mut tasks = JoinSet::new();
        let handle = runtime.handle();
        tasks.spawn_on(
            history::report_changes(history.clone(), changes.clone(), sender.clone()),
            handle,
        );
        tasks.spawn_on(
            shared_history::keep_in_step(location.clone(), history.clone(), changes, sender),
            handle,
        );
        Window {
            history,
            location,
            inbox,
            _journal: journal,
            _watch: watch,
            _tasks: tasks,
            runtime,
        }
    }

    fn run<R: Send + 'static>(
        &self,
        job: impl FnOnce(&mut History) -> Result<R, JournalTrouble> + Send + 'static,
    ) -> R {
        let done = in_history(&self.history, job);
        self.runtime.block_on(done).unwrap()
    }

    /// Creates a link, as the app does.
    fn create(&self, description: &'static str) {
        self.run(move |history| {
            let at = MachineClocks::new().now().wall;
            let row = history.begin(&request(description), at)?;
            history.settle::<LinkRequest>(row, &created(description))
        });
    }

    /// Changes the link with this description.
    fn change<R: Send + 'static>(
        &self,
        description: &'static str,
        change: impl FnOnce(&mut History, PaymentLink) -> Done<R> + Send + 'static,
    ) {
        self.run(move |history| {
            let links: Vec<_> = history.all::<LinkRequest>().collect::<Result<_, _>>()?;
            let found = links
                .into_iter()
                .find(|link| link.request.description == description);
            change(history, found.expect(description)).map(drop)
        });
    }

    fn mark_paid(&self, description: &'static str) {
        self.change(description, |history, link| {
            history.mark_paid(&Sale::Link(link), Some(Wall(5)))
        });
    }

    fn links(&self) -> String {
        self.run(|history| describe(history))
    }

    fn last_record(&self) -> i64 {
        self.run(|history| history.last_record())
    }

    /// Waits until the log has all changes of this window, and this window knows it.
    fn wait_until_sent(&self) {
        let deadline = clocks::instant() + WAIT_TIMEOUT;
        let pending = || self.run(|history| history.pending_records(9, usize::MAX));
        while !pending().is_empty() {
            assert!(clocks::instant() < deadline, "{:?}", pending());
        }
    }

    /// Waits until the list of the links is this one. The app loads its lists after each message.
    #[track_caller]
    fn wait_for_links(&mut self, expected: &str) {
        self.wait_until(expected, |window| window.links() == expected);
    }

    #[track_caller]
    fn wait_until(&mut self, what: &str, is_met: impl Fn(&Window) -> bool) {
        while !is_met(self) {
            let message = self
                .runtime
                .block_on(async { timeout(WAIT_TIMEOUT, self.inbox.recv()).await });
            assert!(
                message.is_ok(),
                "{what}: {} {}",
                self.links(),
                self.last_record()
            );
        }
    }

    /// Waits for the message that the history is not shared.
    fn wait_for_refusal(&mut self) {
        let inbox = &mut self.inbox;
        let refused = async {
            loop {
                if let Msg::HistoryNotShared(why) = inbox.recv().await.expect("a message") {
                    return why;
                }
            }
        };
        let why = self
            .runtime
            .block_on(async { timeout(WAIT_TIMEOUT, refused).await });
        assert!(why.expect("a message").contains("42501"));
    }

    /// Like [`wait_for_links`](Self::wait_for_links), but no message may report that the history is
    /// not shared.
    #[track_caller]
    fn wait_for_links_without_refusal(&mut self, expected: &str) {
        while self.links() != expected {
            let message = self
                .runtime
                .block_on(async { timeout(WAIT_TIMEOUT, self.inbox.recv()).await });
            let is_refusal = matches!(message, Ok(Some(Msg::HistoryNotShared(_))) | Err(_));
            assert!(!is_refusal, "{expected}: {message:?}");
        }
    }

    fn wait_for_status(&self, is_met: impl FnMut(&Presence) -> bool) {
        let mut presence = self.location.team_mirror().unwrap().presence();
        let met = async {
            timeout(WAIT_TIMEOUT, presence.wait_for(is_met))
                .await
                .is_ok()
        };
        assert!(self.runtime.block_on(met));
    }
}

/// A computer of an operator.
struct Computer {
    dir: TempDir,
    database: TeamDatabase,
    team: Uuid,
}

impl Computer {
    fn new(team: &Team, role: &str) -> Computer {
        let id = team.sql(ADMIN, "SELECT team FROM balcao.journal").unwrap();
        Computer {
            dir: tempfile::tempdir().unwrap(),
            database: TeamDatabase {
                machine: format!("caixa de {role}").into(),
                ..team.access(role)
            },
            team: id.parse().unwrap(),
        }
    }

    fn window(&self) -> Window {
        Window::open(self.dir.path(), self.database.clone(), self.team)
    }
}

impl Team {
    fn windows(&self) -> ([Computer; 2], [Window; 2]) {
        let computers = ["ana", "bia"].map(|role| Computer::new(self, role));
        let windows = computers.each_ref().map(Computer::window);
        (computers, windows)
    }

    /// Waits until the log has records of this number of parts of rows. A link that is settled at
    /// once may have one record or two.
    fn wait_for_parts(&self, n: usize) {
        let parts = "SELECT count(DISTINCT (row_id, part)) FROM balcao.record";
        self.wait_until(parts, &n.to_string());
    }
}

#[test]
fn every_change_of_a_link_is_seen_by_the_other() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let (_computers, [mut ana, mut bia]) = team.windows();
    ana.create("Boné");
    bia.wait_for_links("Boné");
    bia.mark_paid("Boné");
    ana.wait_for_links("Boné paid");
    bia.change("Boné", |history, link| {
        history.set_note(&link, Some("azul"))
    });
    ana.wait_for_links("Boné paid (azul)");
    ana.change("Boné", |history, link| {
        history.mark_paid(&Sale::Link(link), None)
    });
    bia.wait_for_links("Boné (azul)");
    ana.change("Boné", |history, link| {
        history.put_away(&link, Some(Wall(7)))
    });
    bia.wait_for_links("Boné away (azul)");
    // A link whose request got no answer can be removed.
    bia.run(|history| history.begin(&request("Tênis"), MachineClocks::new().now().wall));
    ana.wait_for_links("Tênis?, Boné away (azul)");
    ana.change("Tênis", |history, link| {
        history.remove_sale(&Sale::Link(link))
    });
    bia.wait_for_links("Boné away (azul)");

    let key = PixKey::parse(PixKeyKind::Cpf, "52998224725").unwrap();
    let nicknamed = key.clone();
    bia.run(move |history| {
        let name = Nickname::parse("Padaria").unwrap();
        history.set_nickname(&account(), &nicknamed, Some(&name), Wall(9))
    });
    ana.wait_until("the nickname", |ana| {
        let wanted = vec![(account(), key.clone())];
        let names = ana.run(move |history| history.nicknames_of(wanted));
        names.of(&account(), &key).is_some()
    });
    for window in [&ana, &bia] {
        window.wait_until_sent();
    }
    assert_eq!(ana.last_record(), bia.last_record());
}

#[test]
fn changes_made_offline_are_exchanged_later() {
    if !has_postgres() {
        return;
    }
    let server = Arc::new(Postgres::start(&[]));
    let team = Team::on(server.clone());
    let (_computers, [mut ana, mut bia]) = team.windows();
    ana.create("Boné");
    bia.wait_for_links("Boné");
    for round in 0..2 {
        server.kill();
        for window in [&ana, &bia] {
            window.wait_for_status(|presence| matches!(presence, Presence::Offline { .. }));
        }
        if round == 0 {
            ana.create("Tênis");
            bia.mark_paid("Boné");
            ana.change("Boné", |history, link| {
                history.set_note(&link, Some("azul"))
            });
        } else {
            bia.create("Meia");
            ana.mark_paid("Tênis");
        }
        server.restart();
        let expected = [
            "Tênis, Boné paid (azul)",
            "Meia, Tênis paid, Boné paid (azul)",
        ][round];
        ana.wait_for_links(expected);
        bia.wait_for_links(expected);
    }
    team.wait_for_parts(6);
    for window in [&ana, &bia] {
        window.wait_until_sent();
    }
    assert_eq!(ana.last_record(), bia.last_record());
}

#[test]
fn lost_answers_repeat_no_record() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let relay = Relay::open(team.server.port());
    let mut computers = ["ana", "bia"].map(|role| Computer::new(&team, role));
    computers[0].database.url = url("ana", relay.port(), &team.database);
    let [ana, mut bia] = computers.each_ref().map(Computer::window);
    ana.wait_for_status(is_online);
    ana.create("Boné");
    team.wait_for_parts(1);
    for (n, (lost, link)) in [
        (Relaying::CutAtAnswer, "Tênis"),
        (Relaying::CutAtRequest, "Meia"),
    ]
    .into_iter()
    .enumerate()
    {
        ana.wait_for_status(is_online);
        relay.set(lost);
        ana.create(link);
        team.wait_for_parts(n + 2);
    }
    bia.wait_for_links("Meia, Tênis, Boné");
}

#[test]
fn two_windows_of_a_computer_send_each_change_once() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let (computers, [mut first, mut bia]) = team.windows();
    let mut second = computers[0].window();
    for window in [&first, &second, &bia] {
        window.wait_for_status(is_online);
    }
    first.create("Boné");
    second.create("Tênis");
    // A command writes to the same file, without a connection of its own.
    let mut command = History::open(&computers[0].dir.path().join("journal"), Wall(0))
        .unwrap()
        .0;
    let at = MachineClocks::new().now().wall;
    command.begin(&request("Meia"), at).unwrap();
    bia.wait_until("three links", |bia| bia.links().matches(',').count() == 2);
    bia.change("Meia", |history, link| {
        history.set_note(&link, Some("azul"))
    });
    for window in [&mut first, &mut second] {
        window.wait_until("the note", |window| window.links().contains("Meia? (azul)"));
        window.wait_until_sent();
    }
    assert_eq!(first.links(), bia.links());
    // The links may have been settled before or after they were sent.
    let repeated = "SELECT count(*) FROM balcao.record WHERE kind <> 'link'";
    assert_eq!(team.sql(ADMIN, repeated).as_deref(), Ok("0"));
    let n: usize = team
        .sql(ADMIN, "SELECT count(*) FROM balcao.record")
        .unwrap()
        .parse()
        .unwrap();
    assert!((4..=6).contains(&n), "{n}");
}

#[test]
fn trouble_of_sharing_is_said_once_and_passes() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let (_computers, [mut ana, mut bia]) = team.windows();
    ana.create("Boné");
    bia.wait_for_links("Boné");
    ana.wait_until_sent();
    let refuse = "CREATE POLICY not_ana ON balcao.record AS RESTRICTIVE FOR INSERT TO ana \
                  WITH CHECK (false)";
    team.sql(ADMIN, refuse).unwrap();
    ana.create("Tênis");
    ana.wait_for_refusal();
    // What the others write still arrives, and each time the link is refused again.
    bia.create("Meia");
    ana.wait_for_links_without_refusal("Meia, Tênis, Boné");
    bia.create("Luva");
    ana.wait_for_links_without_refusal("Luva, Meia, Tênis, Boné");
    team.sql(ADMIN, "DROP POLICY not_ana ON balcao.record")
        .unwrap();
    bia.mark_paid("Boné");
    bia.wait_for_links("Luva, Meia, Tênis, Boné paid");
    ana.wait_for_links_without_refusal("Luva, Meia, Tênis, Boné paid");
}

#[test]
fn join_from_empty_reads_twenty_thousand_records() {
    if !has_postgres() {
        return;
    }
    const LINKS: u64 = 10_000;
    let team = Team::new();
    let [ana, bia] = ["ana", "bia"].map(|role| team.connect(role).online());
    let dir = tempfile::tempdir().unwrap();
    let mut history = History::open(dir.path(), Wall(0)).unwrap().0;
    // Each link has a note, so it has two records.
    let links = (1..=LINKS as i64).map(|n| PaymentLink {
        id: RowId(0),
        at: Wall(1_772_377_200_000 + n),
        request: request(&format!("Boné {n}")),
        outcome: created(&n.to_string()),
        paid: None,
        note: Some(format!("nota {n}")),
        put_away: None,
        authors: Default::default(),
    });
    history.seed(&links.collect::<Vec<_>>(), &[]).unwrap();
    history.share(&ana.log.author()).unwrap();
    let expected = describe(&history).unwrap();
    let worker = HistoryWorker::with_owned("history", 8, move || Ok(history));
    let log = ana.connection.records();
    let mut reports = Vec::new();
    let sent = exchange(&worker, &log, Start::Send, |exchanged| {
        reports.push(exchanged.sent);
    });
    block_on(sent).unwrap();
    assert_eq!(reports.last(), Some(&(2 * LINKS)));

    let dir = tempfile::tempdir().unwrap();
    let mut history = History::open(dir.path(), Wall(0)).unwrap().0;
    history.share(&bia.log.author()).unwrap();
    let worker = HistoryWorker::with_owned("history", 8, move || Ok(history));
    // The first try is stopped in the middle, and the second one goes on.
    let log = bia.connection.records();
    let (stopper, stopped) = tokio::sync::oneshot::channel::<()>();
    let mut stopper = Some(stopper);
    block_on(async {
        let first = exchange(&worker, &log, Start::Receive, |exchanged| {
            if exchanged.received > LINKS {
                drop(stopper.take());
            }
        });
        tokio::select! {
            biased;
            _ = stopped => {}
            _ = first => panic!("not stopped"),
        }
    });
    let first = block_on(in_history(&worker, |history| history.last_record())).unwrap();
    assert!((LINKS as i64..2 * LINKS as i64).contains(&first), "{first}");
    let mut received = 0;
    let rest = exchange(&worker, &log, Start::Receive, |exchanged| {
        received = exchanged.received;
    });
    block_on(rest).unwrap();
    assert_eq!(first as u64 + received, 2 * LINKS);
    let found = block_on(in_history(&worker, |history| describe(history)));
    assert!(found.unwrap() == expected);
}

#[test]
fn purged_rows_leave_the_server_and_the_others() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let computers = ["eva", "bia", "ana"].map(|role| Computer::new(&team, role));
    let [mut eva, mut bia] = [&computers[0], &computers[1]].map(Computer::window);
    bia.create("Boné");
    bia.change("Boné", |history, link| {
        history.set_note(&link, Some("João"))
    });
    bia.wait_until_sent();
    eva.wait_for_links("Boné (João)");
    bia.create("Tênis");
    eva.wait_for_links("Tênis, Boné (João)");
    eva.change("Boné", |history, link| history.prune(Wall(link.at.0 + 1)));
    bia.wait_for_links("Tênis");
    let personal = "SELECT count(*) FROM balcao.record_state WHERE state LIKE '%Jo_o%' \
                    OR state LIKE '%Bon_%'";
    assert_ne!(team.sql(ADMIN, personal).as_deref(), Ok("0"));
    let machine = team.connect("eva").online();
    let last = eva.last_record();
    machine.connection.records().erase_deleted(last).unwrap();
    assert_eq!(team.sql(ADMIN, personal).as_deref(), Ok("0"));
    let kept = "SELECT count(*) > 0 FROM balcao.record_state WHERE state LIKE '%T_nis%'";
    assert_eq!(team.sql(ADMIN, kept).as_deref(), Ok("t"));
    // A computer that joins later sees what was kept.
    computers[2].window().wait_for_links("Tênis");
}

#[test]
fn records_that_the_log_lost_are_appended_again() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let computers = ["ana", "bia", "eva"].map(|role| Computer::new(&team, role));
    let [mut ana, mut bia] = [&computers[0], &computers[1]].map(Computer::window);
    ana.create("Boné");
    bia.wait_for_links("Boné");
    bia.mark_paid("Boné");
    bia.run(|history| history.begin(&request("Meia"), MachineClocks::new().now().wall));
    ana.wait_for_links("Meia?, Boné paid");
    bia.change("Meia", |history, link| {
        history.remove_sale(&Sale::Link(link))
    });
    ana.wait_for_links("Boné paid");
    for window in [&ana, &bia] {
        window.wait_until_sent();
    }
    // Like a standby that takes over without the last records.
    team.sql(
        ADMIN,
        "DELETE FROM balcao.record_state WHERE n > 1; DELETE FROM balcao.record WHERE n > 1",
    )
    .unwrap();
    let mut eva = computers[2].window();
    eva.wait_for_status(is_online);
    eva.create("Chapéu");
    eva.wait_until_sent();
    for window in [&mut ana, &mut bia, &mut eva] {
        window.wait_for_links("Chapéu, Boné paid");
    }
    bia.create("Tênis");
    for window in [&mut ana, &mut bia, &mut eva] {
        window.wait_for_links("Tênis, Chapéu, Boné paid");
        window.wait_until_sent();
    }
}
