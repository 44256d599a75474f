//! Tests of recordings: what they hold, and what they leave out.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use balcao::recording::{Cursor, Event, Goal, Outcome, Recording, What};
use balcao::runtime::Recorder;
use balcao::runtime::recorder::RecordedFile;

use crate::secrets::SecretSearch;
use crate::test_env::TestEnv;

/// A recording of a run, unpacked.
struct Recorded {
    cursor: Cursor,
    events: Vec<Event>,
    /// The text of every screen and event.
    text: String,
}

fn read(path: &Path) -> Recorded {
    let recording = Recording::open(fs::read(path).unwrap()).unwrap();
    assert_eq!(recording.faults(), []);
    let (mut events, mut text) = (vec![], format!("{:?}\n", recording.header()));
    for chunk in 0..recording.chunks() {
        let unpacked = recording.unpack(chunk).unwrap();
        text.push_str(&unpacked.screen.text());
        for entry in unpacked.entries {
            match entry.what {
                What::Event(event) => {
                    text.push_str(&format!("{event:?}\n"));
                    events.push(event);
                }
                What::Frame(frame) => {
                    let rows = frame.rows.iter().map(|(_, row)| row.text() + "\n");
                    text.extend(rows);
                }
                What::Unknown => {}
            }
        }
    }
    Recorded {
        cursor: Cursor::new(recording),
        events,
        text,
    }
}

/// Makes the environment record into a file.
fn record(env: &mut TestEnv) -> PathBuf {
    let path = env.dir.path().join("run.balcao");
    let file = RecordedFile::create(&path).unwrap();
    env.recorder = Recorder::new(env.dir.path().to_owned(), Some(file));
    path
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn recording_has_screens_and_events_but_no_names() {
    let mut env = TestEnv::new().await;
    let path = record(&mut env);
    let mut app = env.open_logged_in().await;
    app.create_link("4990", "Camiseta da Zulmira").await;
    app.press("Q").await;
    app.wait_until("a QR code", |frame| frame.text().contains('▀'))
        .await;
    app.press("Esc Esc").await;
    app.withdraw(&env, "10010").await;
    app.assert_shows("111.444.777-35");
    app.press("F9").await;
    app.wait_for_localized("said-moment-marked").await;
    app.close().await;
    // The file is complete when the recorder ends.
    env.recorder = Recorder::new(PathBuf::default(), None);

    assert_eq!(
        fs::metadata(&path).unwrap().permissions().mode() & 0o777,
        0o600
    );
    let mut recorded = read(&path);
    for text in [
        "R$ 49,90",
        "R$ 100,10",
        "ACEITO PELO SERVIÇO",
        "Sacar",
        "•••",
    ] {
        assert!(recorded.text.contains(text), "{text} in {}", recorded.text);
    }
    let (login, password) = env.control.credentials();
    for text in ["/checkout/", "Camiseta", "Zulmira"] {
        assert!(!recorded.text.contains(text), "{text} in {}", recorded.text);
    }
    let personal = [&*login, &*password, "11144477735", "111.444.777-35"];
    let search = SecretSearch::for_personal_data(personal);
    assert_eq!(
        search.find_in(recorded.text.as_bytes()),
        None,
        "{}",
        recorded.text
    );
    // A row of a QR code has more such symbols than the large digits of an amount.
    let is_code = |line: &&str| line.matches(['█', '▀', '▄']).count() > 30;
    assert_eq!(recorded.text.lines().find(is_code), None);

    let is_request = |event: &&Event| {
        matches!(event, Event::Request { operation, outcome: Outcome::Status(201 | 200), .. }
            if operation.raw() == "withdrawal")
    };
    assert_eq!(recorded.events.iter().filter(is_request).count(), 1);
    assert!(recorded.events.contains(&Event::Key("letter".into())));
    assert!(!recorded.events.contains(&Event::Key("Z".into())));
    assert!(recorded.cursor.finish(&mut Cursor::from_start(Goal::Mark)));
    let screen = recorded.cursor.screen().text();
    assert!(screen.contains("ACEITO PELO SERVIÇO"), "{screen}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn seller_starts_and_ends_a_recording() {
    let mut env = TestEnv::new().await;
    let dir = env.dir.path().join("recorded");
    env.recorder = Recorder::new(dir.clone(), None);
    let mut app = env.open_logged_in().await;
    // The directory does not exist yet.
    app.run_command("gravar").await;
    app.wait_for("A tela não está sendo gravada").await;
    fs::create_dir(&dir).unwrap();
    app.run_command("gravar").await;
    app.wait_for("GRAVANDO").await;
    app.press("3").await;
    app.run_command("parar de gravar").await;
    app.wait_for("A gravação está em").await;
    app.close().await;
    let files: Vec<_> = fs::read_dir(&dir)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    let [file] = &files[..] else {
        panic!("{files:?}")
    };
    assert!(file.ends_with("balcao-2026-11-21T12-00.balcao"), "{file:?}");
    let mut recorded = read(file);
    // The first frame is whole, although the recording began in the middle of a run.
    assert!(
        recorded
            .cursor
            .finish(&mut recorded.cursor.to_frame(1).unwrap())
    );
    let first = recorded.cursor.screen().text();
    assert!(
        first.contains("SANDBOX") && first.contains("Nenhum link"),
        "{first}"
    );
    assert!(recorded.text.contains("Saques"));
}
