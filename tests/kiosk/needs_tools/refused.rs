//! Tests that a visitor can use only the kiosk over SSH, and nothing else.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::{UnixListener, UnixStream};
use std::process::Output;
use std::thread;

use crate::sshd::{Sshd, has_sshd, script};
use crate::support::place::TestHome;

/// The program's error message if it is started without a terminal.
const NO_TERMINAL: &str = "A entrada padrão não é um terminal";

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn command_without_terminal_is_refused() {
    if !has_sshd() {
        return;
    }
    let (sshd, place) = (Sshd::start(), TestHome::new());
    for args in [&["127.0.0.1", "id"][..], &["-T", "127.0.0.1"], &["-N", "-s", "127.0.0.1", "x"]] {
        let output = sshd.client("ssh", &place, args);
        assert!(!output.status.success() && output.stdout.is_empty(), "{args:?}: {output:?}");
    }
    let output = sshd.client("ssh", &place, &["127.0.0.1", "id"]);
    assert!(errors(&output).contains(NO_TERMINAL), "{output:?}");
    let mut tui = sshd.ssh(&place, &["-tt", "-o", "RemoteCommand=id"]).start();
    tui.wait_for("[ Entrar ]");
    tui.leave();
}

#[test]
fn files_are_not_copied() {
    if !has_sshd() {
        return;
    }
    let (sshd, place) = (Sshd::start(), TestHome::new());
    let (there, here) = (place.home().join("there"), place.home().join("here"));
    fs::write(&here, "a file").unwrap();
    let [there, here] = [&there, &here].map(|path| path.to_str().expect("a path"));
    let (from, to) = (format!("127.0.0.1:{here}"), format!("127.0.0.1:{there}"));
    let tries = [
        ("sftp", vec!["127.0.0.1"]),
        ("scp", vec![here, &to]),
        ("scp", vec!["-O", here, &to]),
        ("scp", vec![&from, there]),
        ("scp", vec!["-O", &from, there]),
    ];
    for (program, args) in tries {
        let output = sshd.client(program, &place, &args);
        assert!(!output.status.success(), "{program} {args:?}: {output:?}");
        assert!(fs::metadata(there).is_err(), "{program} {args:?}");
    }
}

#[test]
fn forwarding_reaches_nothing() {
    if !has_sshd() {
        return;
    }
    let (sshd, place) = (Sshd::start(), TestHome::new());
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let unix = UnixListener::bind(place.home().join("unix")).unwrap();
    tcp.set_nonblocking(true).unwrap();
    unix.set_nonblocking(true).unwrap();
    let target = tcp.local_addr().unwrap().to_string();
    let output = sshd.client("ssh", &place, &["-W", &target, "127.0.0.1"]);
    assert!(errors(&output).contains("stdio forwarding failed"), "{output:?}");
    // Let the client listen on Unix sockets, because another program could take a free TCP port.
    let at = |name: &str| place.home().join(name).display().to_string();
    let to_tcp = format!("{}:{target}", at("to-tcp"));
    let to_unix = format!("{}:{}", at("to-unix"), at("unix"));
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (control, socks) = (at("control"), free.to_string());
    let master = ["-M", "-S", &control, "-f", "-N", "-o", "ExitOnForwardFailure=yes"];
    let local = ["-L", &to_tcp, "-L", &to_unix, "-D", &socks, "127.0.0.1"];
    // With `-f`, `ssh` returns only after its client is listening.
    assert!(sshd.client("ssh", &place, &[&master[..], &local[..]].concat()).status.success());
    let mut end = Vec::new();
    for name in ["to-tcp", "to-unix"] {
        let mut stream = UnixStream::connect(at(name)).unwrap();
        stream.read_to_end(&mut end).unwrap();
    }
    let mut stream = TcpStream::connect(free).unwrap();
    let port = tcp.local_addr().unwrap().port().to_be_bytes();
    stream.write_all(&[4, 1, port[0], port[1], 127, 0, 0, 1, 0]).unwrap();
    stream.read_to_end(&mut end).unwrap();
    for remote in ["0:127.0.0.1:9".to_owned(), format!("{}:127.0.0.1:9", at("remote"))] {
        let forward = ["-S", &control, "-O", "forward", "-R", &remote, "127.0.0.1"];
        let output = sshd.client("ssh", &place, &forward);
        assert!(errors(&output).contains("forwarding failed"), "{output:?}");
    }
    sshd.client("ssh", &place, &["-S", &control, "-O", "exit", "127.0.0.1"]);
    assert!(tcp.accept().is_err() && unix.accept().is_err(), "somebody came through");
    assert!(!place.home().join("remote").exists());
    sshd.wait_logged(&format!("target {}", target.replace(':', " port ")));
}

#[test]
fn connection_has_one_session() {
    if !has_sshd() {
        return;
    }
    let (sshd, place) = (Sshd::start(), TestHome::new());
    let control = place.home().join("control").display().to_string();
    let mut first = sshd.ssh(&place, &["-M", "-S", &control]).start();
    first.wait_for("[ Entrar ]");
    let second = sshd.client("ssh", &place, &["-S", &control, "127.0.0.1"]);
    assert!(errors(&second).contains("Session open refused by peer"), "{second:?}");
    first.leave();
}

#[test]
fn client_sets_no_variable_but_the_terminal() {
    if !has_sshd() {
        return;
    }
    let place = TestHome::new();
    let probe = place.home().join("probe");
    script(&probe, "#!/bin/sh\ntr '\\0' '\\n' </proc/$$/environ\necho the end\nread x\n");
    let probe = probe.to_str().expect("a path");
    let wanted = [
        ["-X", "-A"],
        ["-o", "SendEnv=BALCAO_* LANG LC_* TZ"],
        ["-o", "SetEnv=BALCAO_TOKEN=t LC_ALL=C TMPDIR=/x"],
    ];
    // Without the wrapper script, sshd passes its own variables on to the program. None of the
    // client's variables may be among them.
    let agent = place.home().join("agent");
    let keys = UnixListener::bind(&agent).unwrap();
    thread::spawn(move || keys.incoming().for_each(drop));
    let agent = agent.to_str().expect("a path");
    for (change, term) in [("program", "xterm-256color"), ("ForceCommand", "xterm id;id")] {
        let sshd = Sshd::with(&[(change, probe)]);
        let launch = sshd.ssh(&place, &wanted.concat()).env("TERM", term).size(200, 50);
        let tui = launch.env("DISPLAY", "127.0.0.1:9").env("SSH_AUTH_SOCK", agent).start();
        tui.wait_for("the end");
        let text = tui.text();
        assert!(text.contains("X11 forwarding request failed"), "{text}");
        for name in ["BALCAO_", "LC_", "TMPDIR", "DISPLAY", "SSH_AUTH_SOCK"] {
            assert!(!text.contains(&format!("\n{name}")), "{text}");
        }
        if change == "program" {
            let variables = text.lines().filter(|line| line.contains('='));
            assert_eq!(variables.collect::<Vec<_>>(), ["TERM=xterm-256color"]);
        }
    }
}
