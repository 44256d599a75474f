//! Making, losing and refusing connections.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::sync::atomic::Ordering;

use balcao::trade::JournalTrouble;

use super::*;

fn assert_offline(result: Result<(), NotAppended>) {
    match result {
        Err(NotAppended::Trouble(JournalTrouble::Offline(_))) => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn killed_server_is_noticed_and_used_again() {
    if !has_postgres() {
        return;
    }
    let server = Arc::new(Postgres::start(&[]));
    let team = Team::on(server.clone());
    let mut ana = team.connect("ana").online();
    ana.append(&[prepared(1, 1)], &start()).unwrap();
    let liveness = ana.log.liveness();
    assert!(liveness.load(Ordering::SeqCst));
    assert_eq!(ana.log.timeline(), Some(1));
    let id = ana.connection.team().unwrap();
    server.kill();
    ana.assert_lost();
    assert!(!liveness.load(Ordering::SeqCst));
    assert!(!ana.log.liveness().load(Ordering::SeqCst));
    assert_eq!(ana.log.timeline(), None);
    assert_offline(ana.append(&[prepared(2, 2)], &[1; 32]));
    let read = ana.log.after(0, 1);
    assert!(matches!(read, Err(JournalTrouble::Offline(_))), "{read:?}");

    server.restart();
    let mut ana = ana.online();
    assert!(!liveness.load(Ordering::SeqCst));
    assert!(ana.log.liveness().load(Ordering::SeqCst));
    assert_eq!(ana.connection.team(), Some(id));
    assert_eq!(ana.rows(), [written_by("ana", &prepared(1, 1))]);
    ana.append(&[prepared(2, 2)], &[1; 32]).unwrap();
}

#[test]
fn change_is_announced_to_other_machines() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let mut ana = team.connect("ana").online();
    let mut bia = team.connect("bia").online();
    ana.wait_for_change(Change::Connected);
    bia.wait_for_change(Change::Connected);
    ana.append(&[prepared(1, 1)], &start()).unwrap();
    bia.wait_for_change(Change::Events);
    assert_eq!(bia.rows().len(), 1);
    bia.append(&[prepared(2, 2)], &[1; 32]).unwrap();
    ana.wait_for_change(Change::Events);
    assert_eq!(ana.rows().len(), 2);
    // The announcements of a machine's own events came first, and were ignored.
    assert!(ana.changes.try_recv().is_err());
}

#[test]
fn reason_of_a_failed_connection_is_named() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let reason = |database: TeamDatabase| Machine::open(database).offline_reason();
    let visitor = reason(team.access("visitor"));
    assert!(matches!(visitor, OfflineReason::NotAllowed(_)), "{visitor}");
    let empty = TeamDatabase {
        url: url("ana", team.server.port(), &team.server.create_database()),
        ..team.access("ana")
    };
    assert_eq!(reason(empty), OfflineReason::NoJournal);
    let missing = TeamDatabase {
        url: url("ana", team.server.port(), "nothing"),
        ..team.access("ana")
    };
    assert_eq!(reason(missing), OfflineReason::NoDatabase);
    let nobody = reason(team.access("nobody"));
    assert_eq!(nobody, OfflineReason::WrongPassword);
    let closed = reason(team.access_at("ana", 1));
    assert!(matches!(closed, OfflineReason::Unreachable(_)), "{closed}");

    let with = |change: fn(&mut TeamAccess)| {
        let mut access = TeamAccess {
            database: team.access("ana"),
            password: password(),
            team: None,
            wall: wall(),
        };
        change(&mut access);
        Machine::with(access)
    };
    let wrong = with(|access| access.password = Secret::new("wrong".into()));
    assert_eq!(wrong.offline_reason(), OfflineReason::WrongPassword);
    let other = with(|access| access.team = Some(Uuid::from_u128(1)));
    assert_eq!(other.offline_reason(), OfflineReason::OtherTeam);
    for ms in [75_000, -75_000] {
        let mut ahead = Machine::with(TeamAccess {
            database: team.access("ana"),
            password: password(),
            team: None,
            wall: clock_ahead_by(ms),
        });
        let reason = ahead.offline_reason();
        let OfflineReason::Clock { difference_ms } = reason else {
            panic!("{reason}");
        };
        assert!((difference_ms + ms).abs() < 10_000, "{difference_ms}");
        assert_offline(ahead.append(&[prepared(1, 1)], &start()));
    }
    with(|access| access.wall = clock_ahead_by(45_000)).online();
    team.sql(ADMIN, "UPDATE balcao.journal SET format = 2")
        .unwrap();
    let newer = with(|_| ()).offline_reason();
    let expected = OfflineReason::OtherFormat {
        needed: 2,
        known: 1,
    };
    assert_eq!(newer, expected);
}

#[test]
fn password_itself_is_not_sent_without_tls() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = std::thread::spawn(move || {
        let (mut client, _) = listener.accept().unwrap();
        let mut received = vec![0; 1_000];
        let length = client.read(&mut received).unwrap();
        received.truncate(length);
        // A request for the password, in two parts.
        client.write_all(b"R\0\0\0\x08\0").unwrap();
        client.write_all(b"\0\0\x03").unwrap();
        client.read_to_end(&mut received).unwrap();
        String::from_utf8_lossy(&received).into_owned()
    });
    let ana = Machine::open(TeamDatabase {
        url: url("ana", port, "loja"),
        ca: None,
        system_roots: None,
        operator: "Ana".into(),
        machine: "caixa-1".into(),
    });
    assert_eq!(ana.offline_reason(), OfflineReason::PlainPassword);
    let received = server.join().unwrap();
    assert!(received.contains("loja") && !received.contains(PASSWORD));
}

#[test]
fn closed_connection_ends_its_thread() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let mut ana = team.connect("ana").online();
    let thread = ana.connection.close().unwrap();
    assert!(thread.wait_at_most(WAIT_TIMEOUT));
    assert_offline(ana.append(&[prepared(1, 1)], &start()));
    assert!(ana.connection.close().is_none());
    assert!(!ana.log.liveness().load(Ordering::SeqCst));
    // While it waits to connect again, too.
    let offline = Machine::open(team.access_at("ana", 1));
    offline.offline_reason();
    let thread = offline.connection.close().unwrap();
    assert!(thread.wait_at_most(WAIT_TIMEOUT));
}

#[test]
fn standby_is_refused_until_it_is_promoted() {
    if !has_postgres() {
        return;
    }
    let primary = Arc::new(Postgres::start(&[]));
    let team = Team::on(primary.clone());
    let mut ana = team.connect("ana").online();
    ana.append(&[prepared(1, 1)], &start()).unwrap();
    let standby = primary.start_standby(&[]);
    let on_standby = Machine::open(team.access_at("bia", standby.port()));
    assert_eq!(on_standby.offline_reason(), OfflineReason::Standby);
    primary.kill();
    standby.promote();
    let mut bia = on_standby.online();
    assert_eq!(bia.log.timeline(), Some(2));
    assert_eq!(bia.rows(), [written_by("ana", &prepared(1, 1))]);
    bia.append(&[prepared(2, 2)], &[1; 32]).unwrap();
}
