//! Tests that no secret remains in the app's memory after the user has logged out.

#![cfg(target_os = "linux")]

mod needs_tools {
    use std::fs::{self, File};
    use std::os::unix::fs::FileExt;
    use std::path::{Path, PathBuf};
    use std::time::Duration;

    use crate::helper_vault::{newest_token, start_bank};
    use crate::seller::{
        create_link, discard_form, launch_with_bank, log_out, paste_jwt, type_login,
        type_withdrawal,
    };
    use crate::support::bank::Bank;
    use crate::support::place::TestHome;
    use crate::support::pty::{Launch, Tui};
    use crate::support::tools::{has_tools, program_path, skip_unless};

    /// The length in bytes of the fragments that are searched for. Finding one fragment of a secret
    /// is a failure.
    const FRAGMENT_LENGTH: usize = 12;

    /// The number of bytes of memory that are read at a time.
    const READ_SIZE: usize = 1 << 20;

    /// The time for which the app must be idle before its memory is read.
    const IDLE_TIME: Duration = Duration::from_millis(500);

    /// A function that returns the process id of the running app.
    type Process<'a> = &'a dyn Fn() -> u32;

    /// A secret to search for, and its name for failure messages.
    struct NamedSecret(&'static str, String);

    impl NamedSecret {
        /// Returns overlapping fragments of the secret. Every sufficiently long part of the secret
        /// contains a whole fragment.
        fn fragments(&self) -> impl Iterator<Item = (&'static str, &[u8])> {
            let fragments = self
                .1
                .as_bytes()
                .windows(FRAGMENT_LENGTH)
                .step_by(FRAGMENT_LENGTH / 2);
            fragments.map(|fragment| (self.0, fragment))
        }
    }

    /// Searches a process's writable memory for these secrets. Returns `None` if the test has no
    /// permission to read the memory.
    fn find_in_memory(process: u32, secrets: &[&NamedSecret]) -> Option<Vec<String>> {
        let dir = PathBuf::from(format!("/proc/{process}"));
        let maps = fs::read_to_string(dir.join("maps")).ok()?;
        let memory = File::open(dir.join("mem")).ok()?;
        let fragments: Vec<_> = secrets
            .iter()
            .flat_map(|secret| secret.fragments())
            .collect();
        let mut findings = Vec::new();
        let mut bytes_read = 0;
        for (from, to, name) in maps.lines().filter_map(parse_writable_region) {
            // Let the reads overlap, so that each fragment is completely within one read.
            for at in (from..to).step_by(READ_SIZE) {
                let len = (to - at).min((READ_SIZE + FRAGMENT_LENGTH) as u64);
                let mut bytes = vec![0; usize::try_from(len).expect("a step")];
                // Treat the kernel's regions as empty, because a process cannot read them.
                let read = memory.read_at(&mut bytes, at).unwrap_or(0);
                bytes_read += read;
                let found = find_fragments(&bytes[..read], &fragments);
                findings.extend(found.map(|fragment| format!("a piece of {fragment} in {name}")));
            }
        }
        (bytes_read > 0).then_some(findings)
    }

    /// Parses a line of `/proc/PID/maps`. If the memory region is writable, returns its start, end
    /// and name.
    fn parse_writable_region(line: &str) -> Option<(u64, u64, &str)> {
        let (range, rest) = line.split_once(' ').expect("a range");
        let (from, to) = range.split_once('-').expect("two addresses");
        let [from, to] = [from, to].map(|at| u64::from_str_radix(at, 16).expect("an address"));
        rest.starts_with("rw").then_some((from, to, line))
    }

    /// Returns the name of the secret for each position at which a fragment of it begins.
    fn find_fragments<'a>(
        bytes: &[u8],
        fragments: &'a [(&'static str, &[u8])],
    ) -> impl Iterator<Item = &'static str> + use<'a> {
        let pair = |bytes: &[u8]| usize::from(bytes[0]) << 8 | usize::from(bytes[1]);
        let mut begins = vec![false; 1 << 16];
        fragments
            .iter()
            .for_each(|(_, fragment)| begins[pair(fragment)] = true);
        // Compare only positions whose first two bytes are also the first two bytes of a fragment,
        // because this is faster.
        let candidates = bytes
            .windows(FRAGMENT_LENGTH)
            .filter(|window| begins[pair(window)]);
        let candidates: Vec<Vec<u8>> = candidates.map(<[u8]>::to_vec).collect();
        let same = move |candidate: Vec<u8>| {
            fragments
                .iter()
                .filter(move |(_, fragment)| *fragment == candidate)
        };
        candidates.into_iter().flat_map(same).map(|(name, _)| *name)
    }

    /// Logs in, uses both credentials and logs out. Searches the app's memory before and after the
    /// logout.
    ///
    /// `is_in_memory` is true if the credentials stay in memory until the logout. With a keyring,
    /// the app reads them for each use and erases them afterwards.
    fn assert_logout_clears_memory(
        mut tui: Tui,
        bank: &Bank,
        file: &Path,
        is_in_memory: bool,
        process: Process,
    ) {
        let (email, password) = bank.credentials();
        let email = NamedSecret("the e-mail", email);
        let password = NamedSecret("the password", password);
        let jwt = NamedSecret("the JWT", bank.jwt());
        type_login(&mut tui, bank);
        let token = NamedSecret("the API token", newest_token(file));
        paste_jwt(&mut tui, bank);
        // Open the list of domains, and wait for the HTTP request of this list. The request needs
        // the JWT.
        tui.press("2");
        tui.wait_for("loja-da-ana.localhost");
        tui.wait_idle_for(IDLE_TIME);
        let Some(found_email) = find_in_memory(process(), &[&email]) else {
            skip_unless(false, "the right to read another process's memory");
            return;
        };
        // Check that the search works. It must find the e-mail address, which is still in use.
        assert!(!found_email.is_empty());
        for secret in [&token, &jwt] {
            let findings = find_in_memory(process(), &[secret]).unwrap();
            assert_eq!(
                !findings.is_empty(),
                is_in_memory,
                "{}: {findings:#?}",
                secret.0
            );
        }
        assert_eq!(
            find_in_memory(process(), &[&password]).unwrap(),
            [""; 0],
            "it was needed once"
        );
        use_both_credentials(&mut tui);
        tui.press("6");
        tui.wait_for("sair da conta");
        log_out(&mut tui, "sem login");
        tui.wait_idle_for(IDLE_TIME);
        let remaining = find_in_memory(process(), &[&password, &jwt, &token]).unwrap();
        assert!(remaining.is_empty(), "{remaining:#?}\n{}", tui.text());
        tui.quit();
    }

    /// Uses both credentials. Creating a payment link needs the JWT, and requesting a fee preview
    /// needs the token.
    fn use_both_credentials(tui: &mut Tui) {
        create_link(tui, "Bolo");
        tui.press("\x1b");
        tui.wait_for("1 link");
        type_withdrawal(tui);
        discard_form(tui, "Novo saque");
    }

    #[test]
    fn no_secret_is_in_memory_after_a_logout() {
        let home = TestHome::new();
        let (bank, file) = start_bank(&home);
        let tui = launch_with_bank(&home, &bank).start();
        let process = tui.process_id();
        assert_logout_clears_memory(tui, &bank, &file, true, &|| process);
    }

    #[test]
    fn logout_with_real_keyring_clears_secrets_in_memory() {
        if !has_tools(&["dbus-run-session", "gnome-keyring-daemon", "bash"]) {
            return;
        }
        let home = TestHome::new();
        let (bank, file) = start_bank(&home);
        let number = home.home_dir().join("process");
        let script = format!(
            "printf test-password |
               gnome-keyring-daemon --unlock --components=secrets --daemonize >/dev/null 2>&1
             echo $$ >{}; exec {} --base-url {} --vault keyring",
            number.display(),
            env!("CARGO_BIN_EXE_balcao"),
            bank.url()
        );
        let tui = Launch::program(&program_path("dbus-run-session"), &home)
            .args(&["--", "bash", "-c", &script])
            .env("PATH", "/usr/bin:/bin")
            .start();
        let process = || fs::read_to_string(&number).unwrap().trim().parse().unwrap();
        assert_logout_clears_memory(tui, &bank, &file, false, &process);
    }
}
