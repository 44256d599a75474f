//! Tests of `balcao team` with a real PostgreSQL server.

mod approvals;
mod histories;
mod two_programs;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};

use balcao::journal::money::{Export, Files, Log, MoneyJournal, TAKEOVER_WAIT};
use balcao::runtime::clocks::MachineClocks;
use balcao::runtime::marker::machine_name;
use balcao::runtime::team::boot_clock;
use balcao::team::{TeamAccess, TeamConnection, TeamDatabase};
use balcao::trade::Secret;
use balcao::trade::withdrawal::{AttemptEnd, Class, Decision, NotSent};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::super::helper_vault::Helper;
use super::super::support::in_play;
use super::super::support::journal::{
    DISCARDED_CPF, WINDOW, agreement, clocks, create_live_journal, key, make_live,
};
use super::super::support::postgres::{ADMIN, PASSWORD, Postgres, has_postgres};
use super::super::support::pty::{Launch, WAIT_TIMEOUT};
use super::*;

/// A database with the journal of a team, which the program created. Its operators are Ana and Bia;
/// Eva may also delete personal data.
struct Team {
    server: Arc<Postgres>,
    database: String,
}

impl Team {
    fn new() -> Team {
        Team::on(Postgres::shared())
    }

    fn on(server: Arc<Postgres>) -> Team {
        in_play::register(PASSWORD);
        let database = server.create_database();
        for role in ["ana", "bia", "eva", "visitor"] {
            server.create_role(role);
        }
        let team = Team { server, database };
        let home = TestHome::new();
        let url = team.url(ADMIN);
        let mut args = vec!["team", "init", "--database", &url, "--password-stdin"];
        args.extend(["--operator", "ana", "--operator", "bia", "--purger", "eva"]);
        let (code, out, err) = run_with_lines(&home, &args, &[PASSWORD]);
        assert_eq!(code, 0, "{out}{err}");
        for expected in ["foi criado", "postgres://bia@127.0.0.1", "REVOKE"] {
            assert!(out.contains(expected), "{expected}: {out}");
        }
        let (code, out, _) = run_with_lines(&home, &args, &[PASSWORD]);
        assert!(code == 0 && out.contains("já existia"), "{out}");
        team
    }

    fn url(&self, role: &str) -> String {
        format!(
            "postgres://{role}@127.0.0.1:{}/{}",
            self.server.port(),
            self.database
        )
    }

    fn sql(&self, sql: &str) -> String {
        self.server.sql(&self.database, ADMIN, sql).unwrap()
    }

    /// Runs `balcao team` with the password and other lines on standard input.
    fn run(
        &self,
        home: &TestHome,
        command: &str,
        role: &str,
        lines: &[&str],
    ) -> (i32, String, String) {
        let url = self.url(role);
        let args = [
            "team",
            command,
            "--database",
            &url,
            "--name",
            "Ana da Loja",
            "--password-stdin",
        ];
        run_with_lines(home, &args, &[&[PASSWORD], lines].concat())
    }

    fn mirror(&self, home: &TestHome) -> PathBuf {
        let id = self.sql("SELECT team FROM balcao.journal");
        home.state_dir().join("teams").join(id)
    }

    /// The number of events in the log.
    fn events(&self) -> String {
        self.sql("SELECT count(*) FROM balcao.event")
    }
}

/// A computer whose profile keeps credentials with a helper command.
fn computer() -> (TestHome, Helper) {
    let home = TestHome::new();
    let helper = Helper::at(&home, SERVICE, "vault = 'helper' # here\n");
    (home, helper)
}

fn config(home: &TestHome) -> String {
    fs::read_to_string(home.config_dir().join("config.toml")).unwrap()
}

fn check(home: &TestHome) -> (i32, Value) {
    let output = run(home, &["team", "check", "--json"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}"));
    (output.status.code().unwrap(), value)
}

/// The entries of the helper command that belong to a team's database.
fn stored_passwords(helper: &Helper) -> usize {
    let entries = fs::read_dir(&helper.folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let is_entry = |path: &PathBuf| path.to_string_lossy().contains("/entry-");
    let texts = paths
        .filter(is_entry)
        .map(|path| fs::read_to_string(path).unwrap());
    texts
        .filter(|text| text.contains("balcao.invalid/team/"))
        .count()
}

#[test]
fn operators_join_check_and_leave() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let (ana, helper) = computer();
    let before = config(&ana);
    let (code, out, err) = team.run(&ana, "join", "ana", &[]);
    assert_eq!(code, 0, "{out}{err}");
    for expected in ["como Ana da Loja", "nenhum saque", "comando que você"] {
        assert!(out.contains(expected), "{expected}: {out}");
    }
    assert!(config(&ana).starts_with(&before), "{}", config(&ana));
    assert_eq!(stored_passwords(&helper), 1);
    let (code, report) = check(&ana);
    assert_eq!(code, 0, "{report}");
    assert_eq!(report["mirror"]["state"], "same");
    assert_eq!(report["operator"], "Ana da Loja");
    assert_eq!(report["encrypted"], false);
    let id = team.sql("SELECT team FROM balcao.journal");
    assert_eq!(report["team"], *id);
    // It can be repeated, even without the address.
    let again = ["team", "join", "--password-stdin"];
    let (code, out, err) = run_with_lines(&ana, &again, &[PASSWORD]);
    assert_eq!(code, 0, "{out}{err}");

    let (bia, _helper) = computer();
    let untouched = config(&bia);
    let (code, out, _) = run_with_lines(
        &bia,
        &[
            "team",
            "join",
            "--database",
            &team.url("bia"),
            "--password-stdin",
        ],
        &["errada"],
    );
    assert!(
        code == 1 && out.contains("recusou o usuário ou a senha"),
        "{out}"
    );
    let (code, out, _) = team.run(&bia, "join", "visitor", &[]);
    assert!(code == 1 && out.contains("USAGE ON SCHEMA balcao"), "{out}");
    assert_eq!(config(&bia), untouched);
    assert!(!bia.state_dir().join("teams").exists());
    assert_eq!(team.run(&bia, "join", "bia", &[]).0, 0);

    let group = format!("{}_operators", team.database);
    team.sql(&format!("REVOKE INSERT (who) ON balcao.event FROM {group}"));
    let output = run(&bia, &["team", "check"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("INSERT (who) ON balcao.event"), "{text}");
    assert_eq!(check(&bia).1["usable"], false);

    let other = Team::new();
    let (code, out, _) = other.run(&ana, "join", "ana", &[]);
    assert!(code == 1 && out.contains("balcao team leave"), "{out}");
    let (code, _, _) = run_with_lines(&ana, &["team", "leave"], &["lojas"]);
    assert_eq!((code, stored_passwords(&helper)), (1, 1));
    let (code, out, _) = run_with_lines(&ana, &["team", "leave"], &["loja"]);
    assert_eq!(code, 0, "{out}");
    let mirror = team.mirror(&ana);
    assert!(out.contains(mirror.to_str().unwrap()), "{out}");
    assert_eq!(config(&ana).trim_end(), before.trim_end());
    assert_eq!(stored_passwords(&helper), 0);
    let dir = mirror.to_str().unwrap();
    let verified = run(&ana, &["journal", "verify", "--journal", dir]);
    assert!(verified.status.success(), "{verified:?}");
    assert_eq!(other.run(&ana, "join", "ana", &[]).0, 0);
}

#[test]
fn leaving_waits_for_the_results_of_this_computer() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let (home, _helper) = computer();
    assert_eq!(team.run(&home, "join", "ana", &[]).0, 0);
    let settings = config(&home);
    let leave = |expected: &str| {
        let (code, out, _) = run_with_lines(&home, &["team", "leave"], &["loja"]);
        assert!(code == 1 && out.contains(expected), "{out}");
        assert_eq!(config(&home), settings);
    };
    let mut journal = MoneyJournal::open(Files::new(team.mirror(&home)), true).unwrap();
    let connection = connect(&team, &machine_name());
    journal.attach_log(connection.log(), boot_clock(), TAKEOVER_WAIT);
    let withdrawal = agreement(1, 100, DISCARDED_CPF);
    journal.prepare(withdrawal, None).unwrap();
    let lock = journal.lock(key(1)).unwrap();
    let permit = journal.begin(lock, key(1), None, &clocks(2), &WINDOW);
    let (spent, _) = permit.unwrap().spend();
    leave("está sendo enviado agora");
    drop(connection);
    let end = AttemptEnd {
        at: clocks(3).wall,
        boot_ms: clocks(3).boot_ms,
        class: Class::NotSent(NotSent::Dns),
        status: None,
        server_date: None,
        message: None,
        hint: None,
    };
    drop(journal.settle(spent, &end).unwrap_err());
    leave("1 resultado ainda não está no banco de dados");
    assert_eq!(check(&home).1["mirror"]["unwrittenEnds"], 1);

    let connection = connect(&team, &machine_name());
    journal.attach_log(connection.log(), boot_clock(), TAKEOVER_WAIT);
    journal.flush_ends().unwrap();
    let lock = journal.lock(key(1)).unwrap();
    drop(
        journal
            .begin(lock, key(1), None, &clocks(4), &WINDOW)
            .unwrap(),
    );
    leave("1 saque enviado deste computador está sem resultado");
    journal
        .decide(key(1), Decision::FoundPaid, &clocks(90), &WINDOW)
        .unwrap();
    leave("Feche as janelas do balcão");
    drop(journal);
    let (code, out, _) = run_with_lines(&home, &["team", "leave"], &["loja"]);
    assert!(code == 0 && out.contains("1 saque."), "{out}");
}

#[test]
fn password_is_typed_unseen_and_can_be_given_up() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let (home, helper) = computer();
    let before = config(&home);
    let url = team.url("ana");
    let start = || {
        let tui = Launch::new(&home)
            .args(&["team", "join", "--database", &url])
            .start();
        tui.wait_for("Senha de ana no banco de dados");
        tui
    };
    let mut tui = start();
    tui.type_text("\u{3}");
    assert_eq!(tui.wait_exit().exit_code(), 1);
    assert!(tui.text().contains("Nada mudou"), "{}", tui.text());
    assert_eq!(config(&home), before);
    let mut tui = start();
    tui.type_text(&format!("{PASSWORD}\r"));
    assert!(tui.wait_exit().success());
    let text = tui.text();
    assert!(text.contains("está na equipe como ana"), "{text}");
    assert!(!text.contains(PASSWORD), "{text}");
    assert_eq!(stored_passwords(&helper), 1);
}

#[test]
fn password_of_the_environment_is_not_stored() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let (home, helper) = computer();
    let url = team.url("bia");
    let run_with_variable = |args: &[&str]| {
        let mut command = run::command(&home, args);
        let output = run::output(command.env("BALCAO_TEAM_PASSWORD", PASSWORD));
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{text}");
        text
    };
    let text = run_with_variable(&["team", "join", "--database", &url]);
    assert!(text.contains("não foi guardada"), "{text}");
    assert_eq!(stored_passwords(&helper), 0);
    run_with_variable(&["team", "check"]);
    let (code, out, _) = run_with_lines(&home, &["team", "check"], &[]);
    assert!(code == 1 && out.contains("não está guardada aqui"), "{out}");
    let forgets = ["--vault", "memory", "team", "join", "--password-stdin"];
    let (code, out, _) = run_with_lines(&home, &forgets, &[PASSWORD]);
    assert!(code == 0 && out.contains("se perdeu"), "{out}");
}

#[test]
fn journal_is_imported_and_seen_by_the_other() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let (ana, _helper) = computer();
    // An earlier copy of the team is kept aside later.
    assert_eq!(team.run(&ana, "join", "ana", &[]).0, 0);
    assert_eq!(run_with_lines(&ana, &["team", "leave"], &["loja"]).0, 0);
    let live = create_live_journal(&ana);
    let settings = config(&ana);
    let (code, out, _) = team.run(&ana, "join", "ana", &[]);
    assert!(code == 1 && out.contains("1 saque em aberto"), "{out}");
    let window = MoneyJournal::open(Files::new(&live), true).unwrap();
    let (code, out, _) = team.run(&ana, "join", "ana", &[]);
    assert!(code == 1 && out.contains("Feche as janelas"), "{out}");
    drop(window);
    assert_eq!(config(&ana), settings);
    let (other, _helper) = computer();
    make_live(&other, &other_journal(&other));
    let (code, _, err) = team.run(&other, "join", "ana", &[]);
    assert!(code == 0 && err.contains("1 saque no próprio"), "{err}");

    let (code, out, _) = team.run(&ana, "import", "ana", &["outra"]);
    assert!(code == 1 && out.contains("Nada mudou"), "{out}");
    assert!(live.exists() && team.events() == "0");
    let window = MoneyJournal::open(Files::new(&live), true).unwrap();
    let (code, out, _) = team.run(&ana, "import", "ana", &["journal"]);
    assert!(code == 1 && out.contains("Feche as janelas"), "{out}");
    drop(window);
    assert!(live.exists() && team.events() == "0");
    let (code, out, err) = team.run(&ana, "import", "ana", &["journal"]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(
        out.contains("2 saques") && out.contains(".aside-1"),
        "{out}"
    );
    assert_eq!((team.events(), live.exists()), ("4".into(), false));
    let files = Files::new(team.mirror(&ana));
    assert!(files.is_mirror() && files.dir().join("history.db").exists());
    let marker = fs::read_to_string(ana.config_dir().join("live-journal.toml")).unwrap();
    assert!(!marker.contains("journal = "), "{marker}");
    let (code, report) = check(&ana);
    assert_eq!((code, &report["mirror"]["state"]), (0, &"same".into()));
    let listed = run(&ana, &["withdrawals", "list", "--json"]);
    assert_eq!(String::from_utf8(listed.stdout).unwrap().lines().count(), 2);
    let (code, out, _) = team.run(&ana, "import", "ana", &[]);
    assert!(code == 1 && out.contains("já está na equipe"), "{out}");

    let (bia, _helper) = computer();
    let (code, out, _) = team.run(&bia, "import", "bia", &[]);
    assert!(code == 1 && out.contains("balcao team join"), "{out}");
    let (code, out, _) = team.run(&bia, "join", "bia", &[]);
    assert!(code == 0 && out.contains("2 saques"), "{out}");

    // A team with events does not take another journal.
    let (eva, _helper) = computer();
    let dir = make_live(&eva, &other_journal(&eva));
    let settings = config(&eva);
    let (code, out, _) = team.run(&eva, "import", "eva", &["journal"]);
    assert!(code == 1 && out.contains("já tem outros saques"), "{out}");
    assert!(dir.exists() && team.events() == "4" && config(&eva) == settings);
}

#[test]
fn purge_reaches_the_server_and_the_other_mirror() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let (ana, _helper) = computer();
    create_live_journal(&ana);
    assert_eq!(team.run(&ana, "import", "ana", &["journal"]).0, 0);
    let (eva, _helper) = computer();
    assert_eq!(team.run(&eva, "join", "eva", &[]).0, 0);
    let has_personal_data = |home: &TestHome| {
        let bytes = fs::read(team.mirror(home).join("money.db")).unwrap();
        let cpf = DISCARDED_CPF.as_bytes();
        bytes.windows(cpf.len()).any(|window| window == cpf)
    };
    let personal = "SELECT count(*) FROM balcao.personal WHERE text LIKE '%11144477735%'";
    let purge = ["data", "purge", "--before", "2026-04-01", "--yes"];

    // An operator who may not purge deletes nothing, not even on this computer.
    let (code, out, _) = run_with_lines(&ana, &purge, &[]);
    assert!(code == 1 && out.contains("--purger"), "{out}");
    assert!(has_personal_data(&ana) && team.sql(personal) == "1");
    let history = |home: &TestHome| fs::read(team.mirror(home).join("history.db")).unwrap();
    let rows = history(&ana);
    let mut offline = run::command(&eva, &purge);
    let output = run::output(offline.env("BALCAO_TEAM_PASSWORD", "errada-errada"));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("é preciso conexão"), "{text}");
    assert!(has_personal_data(&eva) && history(&ana) == rows);

    let (code, out, err) = run_with_lines(&eva, &purge, &[]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(!has_personal_data(&eva));
    assert_eq!(team.sql(personal), "0");
    assert_eq!(team.events(), "5");
    assert!(has_personal_data(&ana));
    let again = ["team", "join", "--password-stdin"];
    assert_eq!(run_with_lines(&ana, &again, &[PASSWORD]).0, 0);
    assert!(!has_personal_data(&ana));

    let mirror = team.mirror(&ana);
    let dir = mirror.to_str().unwrap();
    let before = fs::read(mirror.join("money.db")).unwrap();
    for args in [
        &["journal", "set-aside"][..],
        &["journal", "make-live"],
        &["journal", "forget-missing"],
        &["journal", "set-aside", "--journal", dir],
        &["journal", "forget-missing", "--journal", dir],
    ] {
        let (code, out, _) = run_with_lines(&ana, args, &[dir]);
        assert!(
            code == 1 && out.contains("cópia do registro"),
            "{args:?}: {out}"
        );
    }
    assert_eq!(fs::read(mirror.join("money.db")).unwrap(), before);
    // Another profile may not purge the mirror.
    assert_eq!(run_with_lines(&ana, &["team", "leave"], &["loja"]).0, 0);
    let (code, out, _) = run_with_lines(&ana, &[&purge[..], &["--journal", dir]].concat(), &[]);
    assert!(code == 1 && out.contains("não está"), "{out}");
}

#[test]
fn interrupted_import_is_finished() {
    if !has_postgres() {
        return;
    }
    // The first events arrived before the command was interrupted.
    let team = Team::new();
    let (ana, _helper) = computer();
    let dir = create_live_journal(&ana);
    append(&team, &dir, 3);
    let (code, out, err) = team.run(&ana, "import", "ana", &["journal"]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("primeiros 3 eventos"), "{out}");
    assert_eq!(team.events(), "4");

    // All events arrived, and the directory was moved.
    let team = Team::new();
    let (ana, _helper) = computer();
    let dir = create_live_journal(&ana);
    append(&team, &dir, 4);
    let mirror = team.mirror(&ana);
    fs::create_dir_all(mirror.parent().unwrap()).unwrap();
    fs::rename(&dir, &mirror).unwrap();
    let (code, out, err) = team.run(&ana, "import", "ana", &[]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(Files::new(&mirror).is_mirror());
    let marker = fs::read_to_string(ana.config_dir().join("live-journal.toml")).unwrap();
    assert!(!marker.contains("journal = "), "{marker}");
    assert_eq!(check(&ana).1["mirror"]["events"], 4);

    // A directory that is not the one that was moved takes no place of a lost journal.
    let (bia, _helper) = computer();
    let dir = make_live(&bia, &other_journal(&bia));
    fs::remove_dir_all(&dir).unwrap();
    assert_eq!(team.run(&bia, "join", "bia", &[]).0, 0);
    assert_eq!(run_with_lines(&bia, &["team", "leave"], &["loja"]).0, 0);
    let settings = config(&bia);
    let (code, out, _) = team.run(&bia, "import", "bia", &[]);
    assert!(code == 1 && out.contains("existia e sumiu"), "{out}");
    assert_eq!(config(&bia), settings);
}

/// Appends the first `count` events of a journal to the log.
fn append(team: &Team, journal: &Path, count: usize) {
    let (rows, error) = Export::open(&Files::new(journal)).unwrap().read_more();
    assert_eq!(error, None);
    let connection = connect(team, "caixa-1");
    let start = Sha256::digest(b"balcao money journal").into();
    let appended = connection.log().append(&rows[..count], &start);
    assert_eq!(appended, Ok(()));
}

/// Connects to the database as Ana, from a machine with this name.
fn connect(team: &Team, machine: &str) -> TeamConnection {
    let database = TeamDatabase {
        url: team.url("ana").parse().unwrap(),
        ca: None,
        system_roots: None,
        operator: "Ana".into(),
        machine: machine.into(),
    };
    let access = TeamAccess {
        database,
        password: Secret::new(PASSWORD.to_owned()),
        team: None,
        wall: Arc::new(|| MachineClocks::new().now().wall),
    };
    let (sender, connected) = mpsc::sync_channel(1);
    let connection = TeamConnection::open(access, move |_| _ = sender.try_send(()));
    connected.recv_timeout(WAIT_TIMEOUT).expect("a connection");
    connection
}

/// A journal with other events than the sample journal.
fn other_journal(home: &TestHome) -> PathBuf {
    let dir = home.home_dir().join("other");
    let mut journal = MoneyJournal::open(Files::new(&dir), false).unwrap();
    journal
        .prepare(agreement(9, 900, DISCARDED_CPF), None)
        .unwrap();
    dir
}
