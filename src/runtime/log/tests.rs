//! Tests of the log: its levels, its files, and the values of its events.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use tempfile::tempdir;

use super::file::MAX_BYTES;
use super::*;
use crate::app::store::first_run::SetUpAnswer;
use crate::app::ui::form::Slot;
use crate::app::ui::input::Input;
use crate::runtime::ExitReason;
use crate::trade::withdrawal::NotSent;
use crate::trade::{
    BodyEnd, ExchangeId, Failure, JournalTrouble, MaskedReply, NoAnswer, Operation, Refusal,
    Ticket, VaultKind, VaultTrouble,
};

const CANARY: &str = "canary 111.444.777-35";

/// A time in the summer of 2026.
const NOON: Wall = Wall(1_767_225_600_123);

fn refusal(status: u16) -> Refusal {
    Refusal {
        status,
        message: Some(CANARY.into()),
        hint: Some(CANARY.into()),
        retry_after: None,
    }
}

fn exchange(reply: Result<u16, Failure>) -> Exchange {
    let reply = reply.map(|status| MaskedReply {
        status,
        headers: vec![("x".into(), CANARY.into())],
        body: CANARY.into(),
        end: BodyEnd::Whole,
        received: 1,
        announced: None,
    });
    Exchange {
        id: ExchangeId::Run(3),
        took: Duration::from_millis(120),
        request_body: Some(CANARY.into()),
        ..Exchange::new(Operation::Login, "POST", "https://x.example/canary", reply)
    }
}

fn lines(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().mode() & 0o777
}

/// The values of an event, without the time and the id of the process.
fn values(event: &Event) -> String {
    let line = event.to_line(NOON);
    let (start, values) = line.split_once(" pid=").unwrap();
    let (level_and_name, values) = (&start[25..], values.split_once(' ').unwrap().1);
    assert!(start.starts_with("2026-01-01T00:00:00.123Z "), "{line}");
    format!("{level_and_name} {}", values.trim_end())
}

#[test]
fn each_level_writes_its_events() {
    for (level, expected) in [
        (Level::Off, &[][..]),
        (Level::Error, &["failed", "request"]),
        (Level::Info, &["vault", "failed", "request", "request"]),
        (
            Level::Debug,
            &["vault", "failed", "request", "request", "message", "effect"],
        ),
    ] {
        let dir = tempdir().unwrap();
        let state = dir.path().join("state");
        let log = Log::new(level, &state, DisplayEnvironment::default());
        log.write(Event::Vault(VaultKind::Keyring));
        log.write_message(&Msg::NotStored(VaultTrouble::Locked));
        log.write_exchange(&exchange(Ok(200)));
        log.write_exchange(&exchange(Ok(500)));
        log.write_message(&Msg::HistoryChanged);
        log.write_effect(&Effect::ReadConsent);
        log.close();
        let [path, older] = paths(&state);
        let written = lines(&path);
        let names = written.iter().map(|line| line.split(' ').nth(2).unwrap());
        assert_eq!(names.collect::<Vec<_>>(), expected, "{level:?}");
        assert_eq!(state.exists(), level != Level::Off);
        assert!(!older.exists());
    }
}

#[test]
fn only_names_of_levels_are_accepted() {
    for (value, level) in [
        ("", Some(Level::Error)),
        ("off", Some(Level::Off)),
        ("error", Some(Level::Error)),
        ("info", Some(Level::Info)),
        ("debug", Some(Level::Debug)),
        ("Debug", None),
        ("trace", None),
        ("off ", None),
        ("1", None),
    ] {
        assert_eq!(Level::parse(value).ok(), level, "{value}");
    }
}

#[test]
fn lines_are_in_two_files_of_a_mebibyte_at_most() {
    let dir = tempdir().unwrap();
    let [path, older] = paths(dir.path());
    fs::write(&path, "").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    let line = |number: u32| format!("{number:0>59999}\n");
    for number in 1..=40 {
        file::append(dir.path(), &line(number)).unwrap();
        assert_eq!(mode(&path), 0o600);
    }
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
    assert_eq!((mode(&path), mode(&older)), (0o600, 0o600));
    for path in [&path, &older] {
        assert!(fs::metadata(path).unwrap().len() <= MAX_BYTES);
    }
    let numbers = [lines(&older), lines(&path)].concat();
    let numbers: Vec<u32> = numbers.iter().map(|line| line.parse().unwrap()).collect();
    assert_eq!(
        numbers,
        (18..=40).collect::<Vec<_>>(),
        "the newest, in order"
    );
}

#[test]
fn only_a_regular_file_of_the_user_is_written() {
    let dir = tempdir().unwrap();
    let [path, _] = paths(dir.path());
    let other = dir.path().join("other");
    fs::write(&other, "text").unwrap();
    for target in [other.clone(), dir.path().join("nothing")] {
        symlink(&target, &path).unwrap();
        assert!(file::append(dir.path(), "line\n").is_err());
        fs::remove_file(&path).unwrap();
    }
    assert_eq!(fs::read_to_string(&other).unwrap(), "text");
    assert!(!dir.path().join("nothing").exists());
    fs::create_dir(&path).unwrap();
    assert!(file::append(dir.path(), "line\n").is_err());
    fs::remove_dir(&path).unwrap();
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o777)).unwrap();
    assert!(file::append(dir.path(), "line\n").is_err());
    assert!(!path.exists(), "others could replace it");
    // The program does not notice any of this.
    for state in [dir.path(), &other] {
        let log = Log::new(Level::Error, state, DisplayEnvironment::default());
        log.write(Event::Dropped(1));
        log.close();
    }
    assert_eq!(fs::read_to_string(&other).unwrap(), "text");
}

#[test]
fn events_without_room_are_counted() {
    let dir = tempdir().unwrap();
    let log = Log::new(Level::Error, dir.path(), DisplayEnvironment::default());
    log.close();
    (0..3).for_each(|_| log.write(Event::Dropped(9)));
    log.write(Event::Message("not of this level"));
    let (sender, queue) = mpsc::channel(2);
    sender
        .try_send((NOON, Event::Vault(VaultKind::Memory)))
        .unwrap();
    sender
        .try_send((NOON, Event::Vault(VaultKind::Keyring)))
        .unwrap();
    drop(sender);
    write_events(queue, dir.path(), &log.dropped);
    let written = lines(&paths(dir.path())[0]);
    let ends: Vec<_> = written
        .iter()
        .map(|line| line.rsplit(' ').next().unwrap())
        .collect();
    assert_eq!(ends, ["count=3", "kind=memory", "kind=keyring"]);
}

#[test]
fn requests_have_number_outcome_and_time() {
    let cut = Failure::NoAnswer(NoAnswer::Timeout);
    let offline = Failure::NotSent(NotSent::Dns);
    for (reply, expected) in [
        (
            Ok(201),
            "info request id=3 operation=login status=201 ms=120",
        ),
        (
            Ok(422),
            "error request id=3 operation=login status=422 ms=120",
        ),
        (
            Err(cut),
            "error request id=3 operation=login failure=no-answer detail=timeout ms=120",
        ),
        (
            Err(offline),
            "error request id=3 operation=login failure=not-sent detail=dns ms=120",
        ),
        (
            Err(Failure::Cancelled),
            "info request id=3 operation=login failure=cancelled ms=120",
        ),
    ] {
        assert_eq!(values(&Event::request(&exchange(reply))), expected);
    }
}

#[test]
fn messages_give_kinds_of_failures_without_texts() {
    let ticket = Ticket(1);
    let full = || JournalTrouble::Full(CANARY.into());
    for (msg, expected) in [
        (
            Msg::LoggedIn {
                ticket,
                result: Err(Failure::Refused(refusal(422))),
            },
            "error failed message=logged-in failure=refused status=422",
        ),
        (
            Msg::MarkedPaid(Err(full())),
            "error failed message=marked-paid failure=journal detail=full",
        ),
        (
            Msg::MadeLive {
                ticket,
                result: Err(Failure::Journal(full())),
            },
            "error failed message=made-live failure=journal detail=full",
        ),
        (
            Msg::NotStored(VaultTrouble::Other(CANARY.into())),
            "error failed message=not-stored failure=vault detail=other",
        ),
        (
            Msg::QrSaved(Err(CANARY.into())),
            "error failed message=qr-saved failure=other",
        ),
        (
            Msg::SetUp {
                ticket,
                answer: SetUpAnswer::Reached(Err(Failure::NotSent(NotSent::Tls))),
            },
            "error failed message=set-up failure=not-sent detail=tls",
        ),
        (
            Msg::LoggedIn {
                ticket,
                result: Err(Failure::Cancelled),
            },
            "info failed message=logged-in failure=cancelled",
        ),
        (
            Msg::DomainRead(Some(CANARY.into())),
            "debug message name=domain-read",
        ),
    ] {
        assert_eq!(values(&message::event(&msg).unwrap()), expected);
    }
    assert_eq!(
        values(&Event::Effect((&Effect::Browse(CANARY.into())).into())),
        "debug effect name=browse"
    );
}

/// The number of such messages would tell how long a password is.
#[test]
fn input_is_not_in_the_log() {
    let slot: Slot = "password".into();
    for msg in [
        Msg::Input(Input::Paste(CANARY.into())),
        Msg::SecretEdited {
            slot: slot.clone(),
            len: 8,
        },
        Msg::SecretFull(slot),
        Msg::Focused(true),
        Msg::Pulse,
    ] {
        assert_eq!(message::event(&msg), None, "{msg:?}");
    }
}

#[test]
fn end_of_a_run_has_its_reason() {
    let mut model = crate::runtime::tests::model();
    let broken = || Err(std::io::Error::other(CANARY));
    let end = |model: &Model, ended| values(&Event::end(model, &ended));
    assert_eq!(end(&model, Ok(ExitReason::Quit)), "info end reason=quit");
    assert_eq!(end(&model, broken()), "error end reason=not-drawn");
    let gone = "error end reason=terminal-gone";
    assert_eq!(end(&model, Ok(ExitReason::TerminalGone)), gone);
    model.profiles.next = Some(CANARY.into());
    assert_eq!(end(&model, Ok(ExitReason::Quit)), "info end reason=profile");
    model.hung_up = true;
    assert_eq!(end(&model, Ok(ExitReason::Quit)), gone);
}

#[test]
fn start_of_a_run_has_facts_and_no_names() {
    let mut model = crate::runtime::tests::model();
    model.setup.profile = CANARY.into();
    model.setup.title = CANARY.into();
    model.setup.theme = Some(CANARY.into());
    model.setup.masks = true;
    let display = DisplayEnvironment {
        tmux: true,
        ssh: true,
        ..DisplayEnvironment::default()
    };
    let start = values(&Event::start(&model, display));
    let expected = format!(
        "info start version={} os={} arch={} lang=pt-BR columns=80 rows=24 facts=tmux,ssh,masked",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS,
        std::env::consts::ARCH
    );
    assert_eq!(start, expected);
}

#[test]
fn place_of_a_panic_has_no_foreign_directory() {
    for (file, expected) in [
        ("src/app/update.rs", "src/app/update.rs"),
        (
            "/srv/ana/.cargo/registry/src/index-1/ratatui-0.30.0/src/buffer.rs",
            "ratatui-0.30.0/src/buffer.rs",
        ),
        (
            "/rustc/1234/library/core/src/option.rs",
            "core/src/option.rs",
        ),
        ("/srv/ana/other.rs", "other.rs"),
    ] {
        assert_eq!(SourcePlace::shorten(file), expected);
    }
}
