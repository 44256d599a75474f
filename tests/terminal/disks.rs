//! Tests with a full disk and with a read-only disk. Each is a small real file system in its own
//! mount namespace.

mod needs_tools {
    use std::path::Path;

    use crate::first_run::set_up;
    use crate::seller::type_login;
    use crate::support::bank::Bank;
    use crate::support::journal::{OLD, of_march};
    use crate::support::place::TestHome;
    use crate::support::pty::{Launch, Tui};
    use crate::support::run::program;
    use crate::support::tools::{needs, path_of};

    const TOOLS: [&str; 6] = ["unshare", "mount", "sh", "cp", "dd", "true"];

    /// Returns true if the system lets an unprivileged user mount a file system in a mount
    /// namespace.
    fn can_mount(place: &TestHome) -> bool {
        if !needs(&TOOLS) {
            return false;
        }
        let home = place.home();
        let mounted = in_its_own(place, "mount -t tmpfs none \"$1\"", &home).output();
        mounted.expect("unshare starts").status.success() || !needs(&["unshare -rm mount"])
    }

    /// Returns a command that runs a shell script in a new mount namespace, with `path` as its
    /// `$1`.
    fn in_its_own(place: &TestHome, script: &str, path: &Path) -> std::process::Command {
        let args = ["-rm", "sh", "-ec", script, "sh", path.to_str().expect("a path")];
        let mut command = program(&path_of("unshare"), place, &args);
        command.env("PATH", "/usr/bin:/bin");
        command
    }

    /// Runs a shell script like [`in_its_own`], in a pseudo-terminal.
    fn start_in_its_own(place: &TestHome, script: &str, path: &Path) -> Tui {
        let args = ["-rm", "sh", "-ec", script, "sh", path.to_str().expect("a path")];
        let launch = Launch::program(&path_of("unshare"), place).args(&args);
        launch.env("PATH", "/usr/bin:/bin").start()
    }

    #[test]
    fn journal_on_read_only_disk_is_verified_and_exported() {
        let place = TestHome::new();
        if !can_mount(&place) {
            return;
        }
        let dir = of_march(&place.home());
        for (order, words) in [("verify", "íntegro"), ("export", OLD)] {
            let script = format!(
                "mount --bind \"$1\" \"$1\"; mount -o remount,bind,ro \"$1\"
                 ! touch \"$1/x\" 2>/dev/null
                 exec {} journal {order} --journal \"$1\"",
                env!("CARGO_BIN_EXE_balcao")
            );
            let output = in_its_own(&place, &script, &dir).output().expect("unshare starts");
            let said = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success() && said.contains(words), "{output:?}");
        }
    }

    #[test]
    fn settings_that_are_a_mount_of_their_own_are_written() {
        let (place, bank) = (TestHome::new(), Bank::open());
        if !can_mount(&place) {
            return;
        }
        let (mounted, config) = (place.home().join("own.toml"), place.config().join("config.toml"));
        std::fs::write(&mounted, "theme = 'mono' # at night\n").unwrap();
        std::fs::write(&config, "").unwrap();
        let script = format!(
            "mount --bind \"$1\" {}; exec {}",
            config.display(),
            env!("CARGO_BIN_EXE_balcao")
        );
        let mut tui = start_in_its_own(&place, &script, &mounted);
        set_up(&mut tui, &bank);
        tui.press("\x03");
        tui.wait_exit();
        let text = std::fs::read_to_string(&mounted).unwrap();
        assert!(
            text.starts_with("theme = 'mono' # at night\n") && text.contains(&bank.url()),
            "{text}"
        );
        let beside = std::fs::read_dir(place.config()).unwrap().count();
        assert_eq!(beside, 1, "no copy is left");
    }

    /// Mounts a disk of 1 MiB as the state directory, runs the shell commands `then`, and starts
    /// the app.
    fn on_a_small_disk(place: &TestHome, bank: &Bank, then: &str) -> Tui {
        let (state, url) = (place.state(), bank.url());
        let script = format!(
            "cp -a \"$1\" \"$1.old\"; mount -t tmpfs -o size=1m,mode=700 none \"$1\"
             cp -a \"$1.old/.\" \"$1\"; {then}
             exec {} --base-url {url} --vault memory",
            env!("CARGO_BIN_EXE_balcao")
        );
        let mut tui = start_in_its_own(place, &script, &state);
        // The open withdrawal appears once the journal has been read.
        tui.wait_for("Saque de R$ 200,00");
        type_login(&mut tui, bank);
        tui.press("3");
        tui
    }

    fn with_open_one(place: &TestHome) {
        std::fs::rename(of_march(&place.home()), place.state().join("journal")).unwrap();
    }

    #[test]
    fn read_only_disk_shows_open_ones_and_sends_nothing() {
        let (place, bank) = (TestHome::new(), Bank::open());
        if !can_mount(&place) {
            return;
        }
        with_open_one(&place);
        let mut tui = on_a_small_disk(&place, &bank, "mount -o remount,ro \"$1\"");
        tui.wait_for("só de leitura");
        tui.wait_for("R$ 200,00");
        tui.press("\r");
        tui.wait_for("permissão de gravar");
        tui.press("s");
        tui.press("f");
        tui.press("\x03");
        tui.wait_exit();
        assert!(bank.ledger().requests.is_empty());
    }

    #[test]
    fn a_full_disk_refuses_the_decision_and_sends_nothing() {
        let (place, bank) = (TestHome::new(), Bank::open());
        if !can_mount(&place) {
            return;
        }
        with_open_one(&place);
        let fill = "dd if=/dev/zero of=\"$1/filler\" bs=4k 2>/dev/null || true";
        let mut tui = on_a_small_disk(&place, &bank, fill);
        tui.wait_for("R$ 200,00");
        tui.press("\r");
        tui.wait_for("f   ");
        tui.press("f");
        tui.wait_for("[ Ainda não sei ]");
        tui.press("\t");
        tui.wait_for("[ Foi pago ]");
        tui.press("\r");
        tui.wait_for("Não há espaço no disco");
        tui.press("\x1b");
        tui.wait_gone("Tentativas · ");
        tui.wait_for("R$ 200,00");
        tui.press("\x03");
        tui.wait_exit();
        assert!(bank.ledger().requests.is_empty());
    }
}
