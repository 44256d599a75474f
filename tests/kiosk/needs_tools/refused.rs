//! Tests that a visitor can use only the kiosk over SSH, and nothing else.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::{UnixListener, UnixStream};
use std::process::Output;
use std::thread;

use crate::sshd::{Sshd, has_sshd, write_script};
use crate::support::place::TestHome;

/// The program's error message if it is started without a terminal.
const NO_TERMINAL: &str = "Este quiosque precisa de um terminal: conecte com `ssh -t`.";

fn stderr_text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn command_without_terminal_is_refused() {
    if !has_sshd() {
        return;
    }
    let sshd = Sshd::start();
    let home = TestHome::new();
    for args in [
        &["127.0.0.1", "id"][..],
        &["-T", "127.0.0.1"],
        &["-N", "-s", "127.0.0.1", "x"],
    ] {
        let output = sshd.run_client("ssh", &home, args);
        assert!(
            !output.status.success() && output.stdout.is_empty(),
            "{args:?}: {output:?}"
        );
    }
    let output = sshd.run_client("ssh", &home, &["127.0.0.1", "id"]);
    assert!(stderr_text(&output).contains(NO_TERMINAL), "{output:?}");
    let mut tui = sshd.ssh(&home, &["-tt", "-o", "RemoteCommand=id"]).start();
    tui.wait_for("[ Entrar ]");
    tui.quit();
}

#[test]
fn files_are_not_copied() {
    if !has_sshd() {
        return;
    }
    let sshd = Sshd::start();
    let home = TestHome::new();
    let copied_file = home.home_dir().join("there");
    let existing_file = home.home_dir().join("here");
    fs::write(&existing_file, "a file").unwrap();
    let [copied_file, existing_file] =
        [&copied_file, &existing_file].map(|path| path.to_str().expect("a path"));
    let from = format!("127.0.0.1:{existing_file}");
    let to = format!("127.0.0.1:{copied_file}");
    let commands = [
        ("sftp", vec!["127.0.0.1"]),
        ("scp", vec![existing_file, &to]),
        ("scp", vec!["-O", existing_file, &to]),
        ("scp", vec![&from, copied_file]),
        ("scp", vec!["-O", &from, copied_file]),
    ];
    for (program, args) in commands {
        let output = sshd.run_client(program, &home, &args);
        assert!(!output.status.success(), "{program} {args:?}: {output:?}");
        assert!(fs::metadata(copied_file).is_err(), "{program} {args:?}");
    }
}

#[test]
fn forwarding_reaches_nothing() {
    if !has_sshd() {
        return;
    }
    let sshd = Sshd::start();
    let home = TestHome::new();
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let unix = UnixListener::bind(home.home_dir().join("unix")).unwrap();
    tcp.set_nonblocking(true).unwrap();
    unix.set_nonblocking(true).unwrap();
    let target = tcp.local_addr().unwrap().to_string();
    let output = sshd.run_client("ssh", &home, &["-W", &target, "127.0.0.1"]);
    assert!(
        stderr_text(&output).contains("stdio forwarding failed"),
        "{output:?}"
    );
    // Let the client listen on Unix sockets, because another program could take a free TCP port.
    let path = |name: &str| home.home_dir().join(name).display().to_string();
    let to_tcp = format!("{}:{target}", path("to-tcp"));
    let to_unix = format!("{}:{}", path("to-unix"), path("unix"));
    let free_address = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let control = path("control");
    let socks = free_address.to_string();
    let master = [
        "-M",
        "-S",
        &control,
        "-f",
        "-N",
        "-o",
        "ExitOnForwardFailure=yes",
    ];
    let local = ["-L", &to_tcp, "-L", &to_unix, "-D", &socks, "127.0.0.1"];
    // With `-f`, `ssh` returns only after its client is listening.
    assert!(
        sshd.run_client("ssh", &home, &[&master[..], &local[..]].concat())
            .status
            .success()
    );
    let mut received = Vec::new();
    for name in ["to-tcp", "to-unix"] {
        let mut stream = UnixStream::connect(path(name)).unwrap();
        stream.read_to_end(&mut received).unwrap();
    }
    let mut stream = TcpStream::connect(free_address).unwrap();
    let port = tcp.local_addr().unwrap().port().to_be_bytes();
    stream
        .write_all(&[4, 1, port[0], port[1], 127, 0, 0, 1, 0])
        .unwrap();
    stream.read_to_end(&mut received).unwrap();
    for remote in [
        "0:127.0.0.1:9".to_owned(),
        format!("{}:127.0.0.1:9", path("remote")),
    ] {
        let forward = ["-S", &control, "-O", "forward", "-R", &remote, "127.0.0.1"];
        let output = sshd.run_client("ssh", &home, &forward);
        assert!(
            stderr_text(&output).contains("forwarding failed"),
            "{output:?}"
        );
    }
    sshd.run_client("ssh", &home, &["-S", &control, "-O", "exit", "127.0.0.1"]);
    assert!(
        tcp.accept().is_err() && unix.accept().is_err(),
        "somebody came through"
    );
    assert!(!home.home_dir().join("remote").exists());
    sshd.wait_logged(&format!("target {}", target.replace(':', " port ")));
}

#[test]
fn connection_has_one_session() {
    if !has_sshd() {
        return;
    }
    let sshd = Sshd::start();
    let home = TestHome::new();
    let control = home.home_dir().join("control").display().to_string();
    let mut first = sshd.ssh(&home, &["-M", "-S", &control]).start();
    first.wait_for("[ Entrar ]");
    let second = sshd.run_client("ssh", &home, &["-S", &control, "127.0.0.1"]);
    assert!(
        stderr_text(&second).contains("Session open refused by peer"),
        "{second:?}"
    );
    first.quit();
}

#[test]
fn client_sets_no_variable_but_the_terminal() {
    if !has_sshd() {
        return;
    }
    let home = TestHome::new();
    let probe = home.home_dir().join("probe");
    write_script(
        &probe,
        "#!/bin/sh\ntr '\\0' '\\n' </proc/$$/environ\necho the end\nread x\n",
    );
    let probe = probe.to_str().expect("a path");
    let options = [
        ["-X", "-A"],
        ["-o", "SendEnv=BALCAO_* LANG LC_* TZ"],
        ["-o", "SetEnv=BALCAO_TOKEN=t LC_ALL=C TMPDIR=/x"],
    ];
    // Without the wrapper script, the program gets the variables that sshd sets itself. They must
    // include none of the client's variables.
    let agent_path = home.home_dir().join("agent");
    let agent_socket = UnixListener::bind(&agent_path).unwrap();
    thread::spawn(move || agent_socket.incoming().for_each(drop));
    let agent_path = agent_path.to_str().expect("a path");
    for (keyword, term) in [
        ("program", "xterm-256color"),
        ("ForceCommand", "xterm id;id"),
    ] {
        let sshd = Sshd::with(&[(keyword, probe)]);
        let launch = sshd
            .ssh(&home, &options.concat())
            .env("TERM", term)
            .size(200, 50);
        let tui = launch
            .env("DISPLAY", "127.0.0.1:9")
            .env("SSH_AUTH_SOCK", agent_path)
            .start();
        tui.wait_for("the end");
        let text = tui.text();
        assert!(text.contains("X11 forwarding request failed"), "{text}");
        for name in ["BALCAO_", "LC_", "TMPDIR", "DISPLAY", "SSH_AUTH_SOCK"] {
            assert!(!text.contains(&format!("\n{name}")), "{text}");
        }
        if keyword == "program" {
            let variables = text.lines().filter(|line| line.contains('='));
            assert_eq!(variables.collect::<Vec<_>>(), ["TERM=xterm-256color"]);
        }
    }
}
