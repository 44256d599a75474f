//! Poolers between the program and the server.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::process::{Child, Stdio};

use balcao::team::Finding;

use super::*;
use crate::postgres::{give_to_server, user_command};
use crate::tools::{has_tools, program_path};

/// A running pooler.
struct Pooler {
    process: Child,
    port: u16,
    _folder: tempfile::TempDir,
}

impl Pooler {
    /// Starts a pooler for the server of a team. Another program may take its port first.
    fn start(team: &Team, mode: &str) -> Pooler {
        let mut tries = (0..20).filter_map(|_| Pooler::try_start(team, mode));
        tries.next().expect("a pooler")
    }

    fn try_start(team: &Team, mode: &str) -> Option<Pooler> {
        let folder = tempfile::tempdir().unwrap();
        give_to_server(folder.path());
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        let users = folder.path().join("users");
        fs::write(&users, format!("\"ana\" \"{PASSWORD}\"\n")).unwrap();
        let settings = folder.path().join("settings");
        let text = format!(
            "[databases]\n* = host=127.0.0.1 port={}\n[pgbouncer]\nlisten_addr = 127.0.0.1\n\
             listen_port = {port}\nunix_socket_dir =\nauth_type = scram-sha-256\n\
             auth_file = {}\npool_mode = {mode}\n",
            team.server.port(),
            users.display(),
        );
        fs::write(&settings, text).unwrap();
        for file in [&users, &settings] {
            give_to_server(file);
        }
        let mut command = user_command(Path::new(&program_path("pgbouncer")));
        command.arg(&settings).stderr(Stdio::piped());
        let mut process = command.stdout(Stdio::null()).spawn().unwrap();
        let log = BufReader::new(process.stderr.take().unwrap());
        let mut lines = log.lines().map_while(Result::ok);
        if !lines.any(|line| line.contains("process up")) {
            process.wait().unwrap();
            return None;
        }
        std::thread::spawn(move || lines.for_each(drop));
        Some(Pooler {
            process,
            port,
            _folder: folder,
        })
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

#[test]
fn pooler_that_swallows_notifications_is_refused() {
    if !has_postgres() || !has_tools(&["pgbouncer"]) {
        return;
    }
    let team = Team::new();
    let pooler = Pooler::start(&team, "transaction");
    let access = team.access_at("ana", pooler.port);
    let ana = Machine::open(access.clone());
    assert_eq!(ana.offline_reason(), OfflineReason::Pooler);
    let report = block_on(team::check(&access, &password(), &wall())).unwrap();
    assert!(report.findings.contains(&Finding::Pooler));
    assert!(Finding::Pooler.is_refusal());
}

#[test]
fn pooler_that_keeps_sessions_is_accepted() {
    if !has_postgres() || !has_tools(&["pgbouncer"]) {
        return;
    }
    let team = Team::new();
    let pooler = Pooler::start(&team, "session");
    let mut ana = Machine::open(team.access_at("ana", pooler.port)).online();
    let mut bia = team.connect("bia").online();
    ana.wait_for_change(Change::Connected);
    bia.wait_for_change(Change::Connected);
    ana.append(&[prepared(1, 1)], &start()).unwrap();
    bia.wait_for_change(Change::Events);
    bia.append(&[prepared(2, 2)], &[1; 32]).unwrap();
    ana.wait_for_change(Change::Events);
    assert!(ana.changes.try_recv().is_err());
    let liveness = ana.log.liveness();
    drop(pooler);
    ana.assert_lost();
    assert!(!liveness.load(std::sync::atomic::Ordering::SeqCst));
}
