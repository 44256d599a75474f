//! Tests with a full disk and with a read-only disk. Each is a small real file system in its own
//! mount namespace.

mod needs_tools {
    use std::path::Path;

    use crate::first_run::complete_setup;
    use crate::seller::type_login;
    use crate::support::bank::Bank;
    use crate::support::journal::{DISCARDED_CPF, create_live_journal, create_sample_journal};
    use crate::support::place::TestHome;
    use crate::support::pty::{Launch, Tui};
    use crate::support::run::program;
    use crate::support::tools::{has_tools, program_path};

    const TOOLS: [&str; 7] = ["unshare", "mount", "sh", "cp", "dd", "ls", "true"];

    /// Returns true if the system lets an unprivileged user mount a file system in a mount
    /// namespace.
    fn can_mount(home: &TestHome) -> bool {
        if !has_tools(&TOOLS) {
            return false;
        }
        let home_dir = home.home_dir();
        let mounted =
            mount_namespace_command(home, "mount -t tmpfs none \"$1\"", &home_dir).output();
        mounted.expect("unshare starts").status.success() || !has_tools(&["unshare -rm mount"])
    }

    /// Returns a command that runs a shell script in a new mount namespace, with `path` as its
    /// `$1`.
    fn mount_namespace_command(
        home: &TestHome,
        script: &str,
        path: &Path,
    ) -> std::process::Command {
        let args = [
            "-rm",
            "sh",
            "-ec",
            script,
            "sh",
            path.to_str().expect("a path"),
        ];
        let mut command = program(&program_path("unshare"), home, &args);
        command.env("PATH", "/usr/bin:/bin");
        command
    }

    /// Runs a shell script like [`mount_namespace_command`], in a pseudo-terminal.
    fn start_in_mount_namespace(home: &TestHome, script: &str, path: &Path) -> Tui {
        let args = [
            "-rm",
            "sh",
            "-ec",
            script,
            "sh",
            path.to_str().expect("a path"),
        ];
        let launch = Launch::program(&program_path("unshare"), home).args(&args);
        launch.env("PATH", "/usr/bin:/bin").start()
    }

    #[test]
    fn journal_on_read_only_disk_is_verified_and_exported() {
        let home = TestHome::new();
        if !can_mount(&home) {
            return;
        }
        let dir = create_sample_journal(&home.home_dir());
        for (subcommand, words) in [("verify", "íntegro"), ("export", DISCARDED_CPF)] {
            let script = format!(
                "mount --bind \"$1\" \"$1\"; mount -o remount,bind,ro \"$1\"
                 ! touch \"$1/x\" 2>/dev/null
                 exec {} journal {subcommand} --journal \"$1\"",
                env!("CARGO_BIN_EXE_balcao")
            );
            let output = mount_namespace_command(&home, &script, &dir)
                .output()
                .expect("unshare starts");
            let stdout = String::from_utf8_lossy(&output.stdout);
            assert!(
                output.status.success() && stdout.contains(words),
                "{output:?}"
            );
        }
    }

    #[test]
    fn mounted_settings_file_is_written() {
        let home = TestHome::new();
        let bank = Bank::open();
        if !can_mount(&home) {
            return;
        }
        let mounted = home.home_dir().join("own.toml");
        let config = home.config_dir().join("config.toml");
        std::fs::write(&mounted, "theme = 'mono' # at night\n").unwrap();
        std::fs::write(&config, "").unwrap();
        let script = format!(
            "mount --bind \"$1\" {}; exec {}",
            config.display(),
            env!("CARGO_BIN_EXE_balcao")
        );
        let mut tui = start_in_mount_namespace(&home, &script, &mounted);
        complete_setup(&mut tui, &bank);
        tui.press("\x03");
        tui.wait_exit();
        let text = std::fs::read_to_string(&mounted).unwrap();
        assert!(
            text.starts_with("theme = 'mono' # at night\n") && text.contains(&bank.url()),
            "{text}"
        );
        let file_count = std::fs::read_dir(home.config_dir()).unwrap().count();
        assert_eq!(file_count, 1, "no copy is left");
    }

    /// Mounts a disk of 1 MiB as the state directory, runs these shell commands, and starts
    /// the app.
    fn start_on_small_disk(home: &TestHome, bank: &Bank, commands: &str) -> Tui {
        let state = home.state_dir();
        let url = bank.url();
        let script = format!(
            "cp -a \"$1\" \"$1.old\"; mount -t tmpfs -o size=1m,mode=700 none \"$1\"
             cp -a \"$1.old/.\" \"$1\"; {commands}
             exec {} --base-url {url} --vault memory",
            env!("CARGO_BIN_EXE_balcao")
        );
        let mut tui = start_in_mount_namespace(home, &script, &state);
        // The unfinished withdrawal appears when the app has read the journal.
        tui.wait_for("Saque de R$ 200,00");
        type_login(&mut tui, bank);
        tui.press("3");
        tui
    }

    #[test]
    fn read_only_disk_shows_open_ones_and_sends_nothing() {
        let home = TestHome::new();
        let bank = Bank::open();
        if !can_mount(&home) {
            return;
        }
        create_live_journal(&home);
        let mut tui = start_on_small_disk(&home, &bank, "mount -o remount,ro \"$1\"");
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
        let home = TestHome::new();
        let bank = Bank::open();
        if !can_mount(&home) {
            return;
        }
        create_live_journal(&home);
        let fill = "dd if=/dev/zero of=\"$1/filler\" bs=4k 2>/dev/null || true";
        let mut tui = start_on_small_disk(&home, &bank, fill);
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
        tui.wait_until_gone("Tentativas · ");
        tui.wait_for("R$ 200,00");
        tui.press("\x03");
        tui.wait_exit();
        assert!(bank.ledger().requests.is_empty());
    }

    #[test]
    fn full_disk_leaves_no_part_of_a_support_file() {
        let home = TestHome::new();
        if !can_mount(&home) {
            return;
        }
        let dir = home.home_dir().join("disk");
        std::fs::create_dir(&dir).unwrap();
        let script = format!(
            "mount -t tmpfs -o size=64k none \"$1\"
             dd if=/dev/zero of=\"$1/filler\" bs=4k 2>/dev/null || true
             ! {} support save \"$1/a.zip\" --yes >/dev/null
             ls -A \"$1\"",
            env!("CARGO_BIN_EXE_balcao")
        );
        let output = mount_namespace_command(&home, &script, &dir)
            .output()
            .expect("unshare starts");
        let [stdout, stderr] =
            [&output.stdout, &output.stderr].map(|it| String::from_utf8_lossy(it));
        assert!(output.status.success(), "{output:?}");
        assert!(
            stderr.contains("Não deu para salvar o arquivo: No space"),
            "{stderr}"
        );
        assert_eq!(stdout, "filler\n");
    }
}
