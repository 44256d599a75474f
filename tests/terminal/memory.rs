//! Tests that no secret remains in the app's memory after the user has logged out.

#![cfg(target_os = "linux")]

mod needs_tools {
    use std::fs::{self, File};
    use std::os::unix::fs::FileExt;
    use std::path::{Path, PathBuf};
    use std::time::Duration;

    use crate::helper_vault::{bank, token_in};
    use crate::seller::{
        at, discard_form, log_out, make_link, paste_jwt, type_login, type_withdrawal,
    };
    use crate::support::bank::Bank;
    use crate::support::place::TestHome;
    use crate::support::pty::{Launch, Tui};
    use crate::support::tools::{needs, needs_that, path_of};

    /// The length of the fragments that are searched for, in bytes. If one fragment of a secret is
    /// found, the secret has leaked.
    const PIECE: usize = 12;

    /// The number of bytes of memory that are read at a time.
    const STEP: usize = 1 << 20;

    /// The time for which the app must be idle before its memory is read.
    const A_MOMENT: Duration = Duration::from_millis(500);

    /// A function that returns the process id of the running app.
    type Process<'a> = &'a dyn Fn() -> u32;

    /// A secret to search for, and its name for failure messages.
    struct Mark(&'static str, String);

    impl Mark {
        /// Returns overlapping fragments of the secret. Every sufficiently long part of the secret
        /// contains a whole fragment.
        fn pieces(&self) -> impl Iterator<Item = (&'static str, &[u8])> {
            let pieces = self.1.as_bytes().windows(PIECE).step_by(PIECE / 2);
            pieces.map(|piece| (self.0, piece))
        }
    }

    /// Searches a process's writable memory for these secrets. Returns `None` if the test has no
    /// permission to read the memory.
    fn found(process: u32, marks: &[&Mark]) -> Option<Vec<String>> {
        let dir = PathBuf::from(format!("/proc/{process}"));
        let maps = fs::read_to_string(dir.join("maps")).ok()?;
        let memory = File::open(dir.join("mem")).ok()?;
        let pieces: Vec<_> = marks.iter().flat_map(|mark| mark.pieces()).collect();
        let (mut found, mut looked_at) = (Vec::new(), 0);
        for (from, to, name) in maps.lines().filter_map(writable) {
            // Let the reads overlap, so that each fragment is completely within one read.
            for at in (from..to).step_by(STEP) {
                let len = (to - at).min((STEP + PIECE) as u64);
                let mut bytes = vec![0; usize::try_from(len).expect("a step")];
                // Treat the kernel's regions as empty, because a process cannot read them.
                let read = memory.read_at(&mut bytes, at).unwrap_or(0);
                looked_at += read;
                let seen = pieces_in(&bytes[..read], &pieces);
                found.extend(seen.map(|piece| format!("a piece of {piece} in {name}")));
            }
        }
        (looked_at > 0).then_some(found)
    }

    /// Parses a line of `/proc/PID/maps`. If the memory region is writable, returns its start, end
    /// and name.
    fn writable(line: &str) -> Option<(u64, u64, &str)> {
        let (range, rest) = line.split_once(' ').expect("a range");
        let (from, to) = range.split_once('-').expect("two addresses");
        let [from, to] = [from, to].map(|at| u64::from_str_radix(at, 16).expect("an address"));
        rest.starts_with("rw").then_some((from, to, line))
    }

    /// Returns the name of the secret for each position at which a fragment of it begins.
    fn pieces_in<'a>(
        bytes: &[u8],
        pieces: &'a [(&'static str, &[u8])],
    ) -> impl Iterator<Item = &'static str> + use<'a> {
        let pair = |bytes: &[u8]| usize::from(bytes[0]) << 8 | usize::from(bytes[1]);
        let mut begins = vec![false; 1 << 16];
        pieces.iter().for_each(|(_, piece)| begins[pair(piece)] = true);
        // Compare only positions whose first two bytes are also the first two bytes of a fragment,
        // because this is faster.
        let places = bytes.windows(PIECE).filter(|window| begins[pair(window)]);
        let places: Vec<Vec<u8>> = places.map(<[u8]>::to_vec).collect();
        let same = move |place: Vec<u8>| pieces.iter().filter(move |(_, piece)| *piece == place);
        places.into_iter().flat_map(same).map(|(name, _)| *name)
    }

    /// Logs in, uses both credentials and logs out. Searches the app's memory before and after the
    /// logout.
    ///
    /// `is_kept` is true if the credentials stay in memory until the logout. With a keyring, the
    /// app reads them for each use and erases them afterwards.
    fn come_and_go(mut tui: Tui, bank: &Bank, file: &Path, is_kept: bool, process: Process) {
        let (email, password) = bank.credentials();
        let [email, password] = [Mark("the e-mail", email), Mark("the password", password)];
        let jwt = Mark("the JWT", bank.jwt());
        type_login(&mut tui, bank);
        let token = Mark("the API token", token_in(file));
        paste_jwt(&mut tui, bank);
        // Open the list of domains, and wait for the HTTP request of this list. The request needs
        // the JWT.
        tui.press("2");
        tui.wait_for("loja-da-ana.localhost");
        tui.wait_asleep(A_MOMENT);
        let Some(shown) = found(process(), &[&email]) else {
            needs_that(false, "the right to read another process's memory");
            return;
        };
        // Check that the search works. It must find the e-mail address, which is still in use.
        assert!(!shown.is_empty());
        for mark in [&token, &jwt] {
            let kept = found(process(), &[mark]).unwrap();
            assert_eq!(!kept.is_empty(), is_kept, "{}: {kept:#?}", mark.0);
        }
        assert_eq!(found(process(), &[&password]).unwrap(), [""; 0], "it was needed once");
        use_both(&mut tui);
        tui.press("6");
        tui.wait_for("sair da conta");
        log_out(&mut tui, "sem login");
        tui.wait_asleep(A_MOMENT);
        let left = found(process(), &[&password, &jwt, &token]).unwrap();
        assert!(left.is_empty(), "{left:#?}\n{}", tui.text());
        tui.leave();
    }

    /// Uses both credentials. Creating a payment link needs the JWT, and requesting a fee preview
    /// needs the token.
    fn use_both(tui: &mut Tui) {
        make_link(tui, "Bolo");
        tui.press("\x1b");
        tui.wait_for("1 link");
        type_withdrawal(tui);
        discard_form(tui, "Novo saque");
    }

    #[test]
    fn no_secret_is_in_memory_after_a_logout() {
        let place = TestHome::new();
        let (bank, file) = bank(&place);
        let tui = at(&place, &bank).start();
        let process = tui.process();
        come_and_go(tui, &bank, &file, true, &|| process);
    }

    #[test]
    fn logout_with_real_keyring_clears_secrets_in_memory() {
        if !needs(&["dbus-run-session", "gnome-keyring-daemon", "bash"]) {
            return;
        }
        let place = TestHome::new();
        let (bank, file) = bank(&place);
        let number = place.home().join("process");
        let script = format!(
            "printf test-password |
               gnome-keyring-daemon --unlock --components=secrets --daemonize >/dev/null 2>&1
             echo $$ >{}; exec {} --base-url {} --vault keyring",
            number.display(),
            env!("CARGO_BIN_EXE_balcao"),
            bank.url()
        );
        let tui = Launch::program(&path_of("dbus-run-session"), &place)
            .args(&["--", "bash", "-c", &script])
            .env("PATH", "/usr/bin:/bin")
            .start();
        let process = || fs::read_to_string(&number).unwrap().trim().parse().unwrap();
        come_and_go(tui, &bank, &file, false, &process);
    }
}
