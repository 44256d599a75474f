//! When a test ends, searches everything that the test has written for secrets.
//!
//! The search leaves out the memory of the vault and of the service, and the requests recorded by
//! the [proxy](crate::tap), because these must contain secrets.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use std::sync::{Arc, Mutex};

use balcao::sandbox::Control;
use tempfile::TempDir;

use crate::secrets::SecretSearch;

/// The data that a test has written: its files, and the app's frames, messages, effects and other
/// outputs.
pub struct Leftovers {
    control: Control,
    dirs: Mutex<Vec<Arc<TempDir>>>,
    outputs: Mutex<BTreeMap<&'static str, BTreeSet<String>>>,
}

impl Leftovers {
    /// Adds an output of the app. `source` is the name of the output. An output that occurs several
    /// times is stored only once.
    pub fn add(&self, source: &'static str, text: impl Into<String>) {
        self.outputs
            .lock()
            .unwrap()
            .entry(source)
            .or_default()
            .insert(text.into());
    }

    pub fn add_dir(&self, dir: &Arc<TempDir>) {
        self.dirs.lock().unwrap().push(dir.clone());
    }

    /// Returns the sandbox's password and all of its tokens.
    pub fn secrets(&self) -> Vec<String> {
        let (_, password) = self.control.credentials();
        let tokens = self.control.stored_tokens();
        assert!(
            !tokens.is_empty(),
            "every sandbox gives out a JWT at its start"
        );
        tokens.into_iter().chain([password]).collect()
    }

    /// Searches all files and outputs for secrets. Returns a message for each place that contains a
    /// secret, with the secret's encoding.
    pub fn find_secrets(&self) -> Vec<String> {
        let secrets = self.secrets();
        let expected = SecretSearch::new(secrets.iter().map(String::as_str));
        let mut found = Vec::new();
        for dir in &*self.dirs.lock().unwrap() {
            found.extend(expected.find_in_folder(dir.path(), &|_| false));
        }
        for (source, texts) in &*self.outputs.lock().unwrap() {
            let forms = texts
                .iter()
                .find_map(|text| expected.find_in(text.as_bytes()));
            found.extend(forms.map(|form| format!("{form} of a secret is in {source}")));
        }
        found
    }
}

/// A guard that searches the leftovers for secrets when it is dropped. Panics if there is a secret.
pub struct LeftoverGuard {
    leftovers: Arc<Leftovers>,
    is_checked: bool,
}

impl LeftoverGuard {
    pub fn of(control: Control, dir: &Arc<TempDir>) -> LeftoverGuard {
        let dirs = Mutex::new(vec![dir.clone()]);
        let leftovers = Leftovers {
            control,
            dirs,
            outputs: Mutex::default(),
        };
        LeftoverGuard {
            leftovers: Arc::new(leftovers),
            is_checked: false,
        }
    }

    /// Returns a shared handle, with which the app can add its outputs.
    pub fn shared(&self) -> Arc<Leftovers> {
        self.leftovers.clone()
    }

    /// Checks that each of these places contains a secret, and turns off the search at the end of
    /// the test. This is for tests that write secrets on purpose.
    ///
    /// A place may be only the beginning of a path, because SQLite stores parts of `NAME.db` in
    /// files such as `NAME.db-wal`.
    #[track_caller]
    pub fn assert_secrets_in(&mut self, places: &[&str]) {
        let found = self.find_secrets();
        for place in places {
            let message = format!("is in {place}");
            assert!(
                found.iter().any(|it| it.contains(&message)),
                "none {message}: {found:#?}"
            );
        }
        self.is_checked = !places.is_empty();
    }
}

impl Deref for LeftoverGuard {
    type Target = Leftovers;

    fn deref(&self) -> &Leftovers {
        &self.leftovers
    }
}

impl Drop for LeftoverGuard {
    fn drop(&mut self) {
        if !self.is_checked && !std::thread::panicking() {
            let found = self.find_secrets();
            assert!(found.is_empty(), "{found:#?}");
        }
    }
}

mod tests {
    use std::fs;

    use balcao::trade::{MessageKind, MessageTemplate};
    use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD, Engine};
    use rusqlite::Connection;
    use url::form_urlencoded;

    use super::*;
    use crate::test_env::{PASSWORD, TestEnv};

    /// Returns the secret in every encoding that the search must find. The encodings are computed
    /// here without the code under test.
    fn encodings(secret: &str) -> Vec<String> {
        let hex = |text: &str| {
            text.bytes()
                .map(|byte| format!("{byte:02x}"))
                .collect::<String>()
        };
        let middle = secret.chars().count() / 2 + 1;
        let cut: String = secret.chars().take(middle.max(12)).collect();
        let mut encodings = vec![
            format!("a{secret}b"),
            format!("a\n{cut}\nb"),
            serde_json::to_string(&[secret]).unwrap(),
            format!("{:?}", Some(secret)),
            hex(&format!("a{secret}b")),
            hex(&format!("a{secret}b")).to_uppercase(),
            form_urlencoded::Serializer::new(String::new())
                .append_pair("a", secret)
                .finish(),
            secret.bytes().map(|byte| format!("%{byte:02X}")).collect(),
        ];
        let mut path = url::Url::parse("https://a.example/").unwrap();
        path.path_segments_mut().unwrap().push(secret);
        encodings.push(path.into());
        for before in ["", "a", "ab", "abc"] {
            let text = format!("{before}{secret}:{before}");
            encodings.extend([
                BASE64_STANDARD.encode(&text),
                BASE64_URL_SAFE_NO_PAD.encode(&text),
            ]);
        }
        encodings
    }

    /// The search must find each secret in every encoding and in every place to which a test writes
    /// it.
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn planted_secret_is_found_in_any_form_and_place() {
        let (env, app) = TestEnv::new().await.into_logged_in().await;
        app.close().await;
        let control = &env.control;
        let secrets = [
            PASSWORD.into(),
            control.jwt().unwrap(),
            control.api_token().unwrap(),
        ];
        let assert_found = |plant: &dyn Fn(&LeftoverGuard, &std::path::Path), place: &str| {
            let dir = Arc::new(tempfile::tempdir().unwrap());
            let mut leftovers = LeftoverGuard::of(control.clone(), &dir);
            assert!(leftovers.find_secrets().is_empty());
            plant(&leftovers, dir.path());
            leftovers.assert_secrets_in(&[place]);
        };
        let texts: Vec<String> = secrets
            .iter()
            .flat_map(|secret| encodings(secret))
            .collect();
        for text in &texts {
            let expected = SecretSearch::new(secrets.iter().map(String::as_str));
            assert!(
                expected.find_in(text.as_bytes()).is_some(),
                "nothing in {text}"
            );
            for source in [
                "the screen",
                "the terminal",
                "a message",
                "an effect",
                "the model",
            ] {
                assert_found(&|leftovers, _| leftovers.add(source, &*text), source);
            }
            let file = |_: &LeftoverGuard, dir: &std::path::Path| {
                fs::create_dir(dir.join("receipts")).unwrap();
                fs::write(dir.join("receipts/a.svg"), format!("\u{0}{text}")).unwrap();
            };
            assert_found(&file, "receipts/a.svg");
            let database = |_: &LeftoverGuard, dir: &std::path::Path| {
                let history = Connection::open(dir.join("history.db")).unwrap();
                history.execute_batch("CREATE TABLE a (b TEXT)").unwrap();
                history
                    .execute("INSERT INTO a VALUES (?1)", [&text])
                    .unwrap();
            };
            assert_found(&database, "history.db");
        }
        assert_found(
            &|_, dir| fs::create_dir(dir.join(&secrets[2])).unwrap(),
            &secrets[2],
        );
    }

    /// The search must find a secret in all outputs of the app if the user types it into the wrong
    /// field.
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn typed_secret_is_found_in_all_program_outputs() {
        let mut env = TestEnv::new().await;
        env.links.message =
            MessageTemplate::parse(MessageKind::Link, "{descricao}: {url}").unwrap();
        let mut app = env.open_logged_in().await;
        let token = env.control.api_token().unwrap();
        app.create_link("4990", &token).await;
        app.wait_for_localized("said-link-copied-terminal").await;
        app.press("Y").await;
        app.wait_for_copy_notice("clip-message").await;
        app.close().await;
        let sources = [
            "the screen",
            "the terminal",
            "a message",
            "an effect",
            "the model",
        ];
        env.leftovers
            .assert_secrets_in(&[&sources[..], &["journal/history.db"]].concat());
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    #[should_panic = "the text of a secret is in journal/left"]
    async fn secret_left_in_a_file_fails_the_test() {
        let env = TestEnv::new().await;
        fs::create_dir(env.journal_dir()).unwrap();
        fs::write(env.journal_dir().join("left"), PASSWORD).unwrap();
    }
}
