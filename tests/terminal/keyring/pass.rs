//! Tests of the vault with a helper command that calls the real password manager `pass` and the
//! real `gpg`.

mod needs_tools {
    use std::ffi::OsString;
    use std::path::{Path, PathBuf};
    use std::process::{Command, Output, Stdio};
    use std::sync::Arc;

    use balcao::trade::{CredentialKind, CredentialName, Origin, Secret, VaultKind, VaultTrouble};
    use balcao::vault::{HelperCommand, StoredCredential, VaultHandle};

    use crate::support::tools::{has_tools, program_path};

    const TOOLS: [&str; 3] = ["pass", "gpg", "gpgconf"];

    const PASSPHRASE: &str = "correct horse";

    /// A temporary password store with its own encryption key. Dropping it stops the gpg-agent that
    /// it uses.
    struct PasswordStore {
        home: tempfile::TempDir,
    }

    impl PasswordStore {
        fn new() -> PasswordStore {
            let home = tempfile::tempdir().unwrap();
            let store = PasswordStore { home };
            std::fs::create_dir(store.path("gnupg")).unwrap();
            // `gpg` requires that only its owner can access this directory.
            store.run("chmod", &["700", store.path("gnupg").to_str().unwrap()]);
            let unlocked = [
                "--batch",
                "--pinentry-mode",
                "loopback",
                "--passphrase",
                PASSPHRASE,
            ];
            let key = [
                "--quick-generate-key",
                "Ana",
                "future-default",
                "default",
                "never",
            ];
            store.run("gpg", &[unlocked, key].concat());
            store.run("pass", &["init", "Ana"]);
            store.run(
                "sh",
                &["-c", "echo other | pass insert -m another-programs"],
            );
            store.unlock();
            store
        }

        fn path(&self, name: &str) -> PathBuf {
            self.home.path().join(name)
        }

        /// Returns the value of an environment variable for programs that use the password store.
        /// Only `PATH` is inherited from the test process.
        fn variable(&self, name: &str) -> Option<OsString> {
            match name {
                "PATH" => std::env::var_os("PATH"),
                "HOME" => Some(self.home.path().into()),
                "GNUPGHOME" => Some(self.path("gnupg").into()),
                "PASSWORD_STORE_DIR" => Some(self.path("store").into()),
                _ => None,
            }
        }

        fn command(&self, program: &str, args: &[&str]) -> Output {
            let names = ["PATH", "HOME", "GNUPGHOME", "PASSWORD_STORE_DIR"];
            let env = names
                .into_iter()
                .filter_map(|name| Some((name, self.variable(name)?)));
            let mut command = Command::new(program_path(program));
            command
                .env_clear()
                .envs(env)
                .args(args)
                .stdin(Stdio::null());
            command.output().expect("it starts")
        }

        #[track_caller]
        fn run(&self, program: &str, args: &[&str]) -> String {
            let output = self.command(program, args);
            assert!(output.status.success(), "{program} {args:?}: {output:?}");
            String::from_utf8(output.stdout).unwrap()
        }

        fn vault(&self) -> VaultHandle {
            let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support");
            let helper = tests.join("docker-credential-on-pass");
            let command = HelperCommand::new(helper.to_str().unwrap(), |name| self.variable(name));
            VaultHandle::helper(command.expect("a whole path"))
        }

        /// Makes gpg-agent forget the passphrase, which it normally does after some time.
        fn lock(&self) {
            self.run("gpgconf", &["--kill", "gpg-agent"]);
        }

        /// Gives gpg-agent the passphrase, as a user would do in a dialog.
        fn unlock(&self) {
            let file = self.path("store/another-programs.gpg");
            let unlocked = [
                "--batch",
                "--pinentry-mode",
                "loopback",
                "--passphrase",
                PASSPHRASE,
            ];
            self.run(
                "gpg",
                &[&unlocked[..], &["-d", file.to_str().unwrap()]].concat(),
            );
        }

        /// Returns the files in the password store that contain balcao's entries.
        fn files(&self) -> Vec<PathBuf> {
            let Ok(entries) = std::fs::read_dir(self.path("store/balcao")) else {
                return vec![];
            };
            entries.map(|entry| entry.unwrap().path()).collect()
        }
    }

    impl Drop for PasswordStore {
        fn drop(&mut self) {
            self.command("gpgconf", &["--kill", "gpg-agent"]);
        }
    }

    fn credential_name() -> CredentialName {
        let origin = Origin("https://pay.example".into());
        CredentialName {
            profile: "loja".into(),
            origin,
            kind: CredentialKind::ApiToken,
        }
    }

    fn credential(secret: &str) -> Arc<StoredCredential> {
        Arc::new(StoredCredential {
            identity: "ana".into(),
            secret: Secret::new(secret.into()),
            expires: None,
            since: None,
            note: None,
        })
    }

    #[tokio::test]
    async fn pass_stores_and_deletes() {
        if !has_tools(&TOOLS) {
            return;
        }
        let store = PasswordStore::new();
        let vault = store.vault();
        assert_eq!(vault.status().await, Ok(VaultKind::Helper));
        assert!(vault.get(credential_name()).await.unwrap().is_none());
        vault
            .put(credential_name(), credential("s3cr3t-ç"))
            .await
            .unwrap();
        vault.put_marker("journal", "/j").await.unwrap();
        let text = "ç".repeat(5_000);
        vault.put_text("contract", text.clone()).await.unwrap();

        // Open the vault again, as the app would do after a restart.
        let vault = store.vault();
        let stored = vault.get(credential_name()).await.unwrap().expect("kept");
        assert_eq!(
            (stored.secret.expose(), &*stored.identity),
            ("s3cr3t-ç", "ana")
        );
        assert_eq!(vault.get_text("journal").await, Ok(Some("/j".into())));
        assert_eq!(vault.get_text("contract").await, Ok(Some(text)));
        assert_eq!(store.files().len(), 3);
        for file in store.files() {
            let bytes = std::fs::read(&file).unwrap();
            assert!(
                !bytes.windows(6).any(|piece| piece == b"s3cr3t"),
                "{}",
                file.display()
            );
        }

        vault.delete(credential_name()).await.unwrap();
        vault.delete(credential_name()).await.unwrap();
        assert!(vault.get(credential_name()).await.unwrap().is_none());
        assert_eq!(store.files().len(), 2);
    }

    #[tokio::test]
    async fn locked_store_is_reported_and_read_after_unlock() {
        if !has_tools(&TOOLS) {
            return;
        }
        let store = PasswordStore::new();
        let vault = store.vault();
        vault
            .put(credential_name(), credential("s3cr3t"))
            .await
            .unwrap();
        store.lock();
        // `gpg` cannot ask for the passphrase, because the helper command has no terminal and no
        // dialog.
        let error = vault.get(credential_name()).await.unwrap_err();
        assert!(matches!(&error, VaultTrouble::HelperFailed(why) if why.contains("gpg")));
        assert!(vault.status().await.is_err());
        store.unlock();
        let stored = vault.get(credential_name()).await.unwrap().expect("kept");
        assert_eq!(stored.secret.expose(), "s3cr3t");
    }

    #[tokio::test]
    async fn foreign_entry_is_named_and_can_be_replaced() {
        if !has_tools(&TOOLS) {
            return;
        }
        let store = PasswordStore::new();
        let vault = store.vault();
        vault
            .put(credential_name(), credential("s3cr3t"))
            .await
            .unwrap();
        let file = store.files().pop().unwrap();
        let entry = file.file_stem().unwrap().to_str().unwrap().to_owned();
        store.run(
            "sh",
            &[
                "-c",
                &format!("echo foreign | pass insert -f -m 'balcao/{entry}'"),
            ],
        );
        let error = vault.get(credential_name()).await.unwrap_err();
        assert!(matches!(error, VaultTrouble::HelperFailed(_)), "{error:?}");
        vault
            .put(credential_name(), credential("again"))
            .await
            .unwrap();
        assert_eq!(
            vault
                .get(credential_name())
                .await
                .unwrap()
                .expect("kept")
                .secret
                .expose(),
            "again"
        );
    }
}
