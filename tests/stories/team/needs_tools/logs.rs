//! Reading from and appending to the log.

use balcao::trade::{JournalTrouble, Untrusted};

use super::*;

fn refusal(result: Result<(), NotAppended>) -> String {
    match result {
        Err(NotAppended::Trouble(JournalTrouble::Refused(text))) => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn rows_come_back_as_they_were_written() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let mut ana = team.connect("ana").online();
    assert_eq!(ana.append(&[], &start()), Ok(()));
    let purged = EventRow {
        personal: None,
        ..prepared(2, 2)
    };
    let rows = [
        prepared(1, 1),
        purged,
        row(3, 1, "attempt_began", "{\"n\":1,\"ção\":\"\\u0000\"}"),
    ];
    ana.append(&rows, &start()).unwrap();
    ana.append(&[row(4, 1, "settled", "{\"n\":1}")], &[3; 32])
        .unwrap();
    let mut bia = team.connect("bia").online();
    bia.append(&[row(5, 2, "discarded", "null")], &[4; 32])
        .unwrap();
    let read = ana.rows();
    for (read, row) in read.iter().zip(&rows) {
        assert_eq!(*read, written_by("ana", row));
    }
    assert_eq!(read.len(), 5);
    assert_eq!(read[4].written_by.as_deref(), Some("bia"));
    let part = bia.log.after(1, 2).unwrap();
    assert_eq!(part, read[1..3]);
    assert_eq!(bia.log.after(5, 2), Ok(vec![]));
    let attempts = "SELECT string_agg(number::text, ' ' ORDER BY n) FROM balcao.event";
    assert_eq!(team.sql(ADMIN, attempts).as_deref(), Ok("0 0 1 1 0"));
    let author = ana.log.author();
    let labels = [&author.role, &author.operator, &author.machine].map(Untrusted::raw);
    assert_eq!(labels, ["ana", "Ana", "caixa-1"]);
}

#[test]
fn second_writer_is_outrun_and_writes_nothing() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let mut ana = team.connect("ana").online();
    let mut bia = team.connect("bia").online();
    ana.append(&[prepared(1, 1)], &start()).unwrap();
    let outrun = Err(NotAppended::Outrun);
    assert_eq!(bia.append(&[prepared(1, 2)], &start()), outrun);
    // The same row a second time, a gap, and another predecessor.
    assert_eq!(ana.append(&[prepared(1, 1)], &start()), outrun);
    assert_eq!(bia.append(&[prepared(3, 2)], &[2; 32]), outrun);
    assert_eq!(bia.append(&[prepared(2, 2)], &[9; 32]), outrun);
    ana.append(&[prepared(2, 3)], &[1; 32]).unwrap();
    // A row that would fit is not written without the others.
    let rows = [prepared(2, 4), prepared(3, 5)];
    assert_eq!(bia.append(&rows, &[1; 32]), outrun);
    let rows = [prepared(3, 4), prepared(5, 5)];
    assert_eq!(bia.append(&rows, &[2; 32]), outrun);
    assert_eq!(team.events(), "1|prepared|ana 2|prepared|ana");
    let personal = "SELECT count(*) FROM balcao.personal";
    assert_eq!(team.sql(ADMIN, personal).as_deref(), Ok("2"));
}

#[test]
fn second_event_of_a_kind_is_refused_not_outrun() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let mut ana = team.connect("ana").online();
    let began = |n, attempt: u32| row(n, 1, "attempt_began", &format!("{{\"n\":{attempt}}}"));
    let rows = [prepared(1, 1), began(2, 1), began(3, 2)];
    ana.append(&rows, &start()).unwrap();
    let text = refusal(ana.append(&[began(4, 2)], &[3; 32]));
    assert!(
        text.contains("event_once") && text.contains("23505"),
        "{text}"
    );
    let text = refusal(ana.append(&[prepared(4, 1)], &[3; 32]));
    assert!(text.contains("event_once"), "{text}");
    // No text of the row is part of the message.
    assert!(!text.contains("joão"), "{text}");
    refusal(ana.append(&[row(4, 1, "settled", "no JSON")], &[3; 32]));
    refusal(ana.append(&[row(4, 1, "settled", "{}")], &[3; 32]));
    ana.append(&[began(4, 3)], &[3; 32]).unwrap();
}

#[test]
fn lost_answer_is_settled_at_the_same_number() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let relay = Relay::open(team.server.port());
    let mut ana = Machine::open(team.access_at("ana", relay.port())).online();
    for (lost, n, later) in [
        // The row was written, and only the answer was lost.
        (Relaying::CutAtAnswer, 1, Err(NotAppended::Outrun)),
        // The row was not written.
        (Relaying::CutAtRequest, 2, Ok(())),
    ] {
        let before = if n == 1 { start() } else { [1; 32] };
        let liveness = ana.log.liveness();
        assert!(liveness.load(std::sync::atomic::Ordering::SeqCst));
        relay.set(lost);
        let result = ana.append(&[prepared(n, 1 + n as u128)], &before);
        assert!(matches!(result, Err(NotAppended::Doubt(_))), "{result:?}");
        assert!(!liveness.load(std::sync::atomic::Ordering::SeqCst));
        ana.wait_for(is_online);
        assert_eq!(ana.append(&[prepared(n, 1 + n as u128)], &before), later);
        let read = ana.rows().pop().unwrap();
        assert_eq!(read, written_by("ana", &prepared(n, 1 + n as u128)));
    }
}

#[test]
fn silent_server_leaves_a_doubt() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let relay = Relay::open(team.server.port());
    let mut ana = Machine::open(team.access_at("ana", relay.port())).online();
    let liveness = ana.log.liveness();
    relay.set(Relaying::SwallowAnswers);
    let result = ana.append(&[prepared(1, 1)], &start());
    assert!(matches!(result, Err(NotAppended::Doubt(_))), "{result:?}");
    assert!(!liveness.load(std::sync::atomic::Ordering::SeqCst));
    // The next call fails at once, because there is no connection.
    let result = ana.append(&[prepared(1, 1)], &start());
    let is_offline =
        |it: &NotAppended| matches!(it, NotAppended::Trouble(JournalTrouble::Offline(_)));
    assert!(result.as_ref().is_err_and(is_offline), "{result:?}");
    assert_eq!(ana.offline_reason(), OfflineReason::TimedOut);
    assert_eq!(team.events(), "1|prepared|ana");
}

#[test]
fn append_that_no_standby_has_is_in_doubt() {
    if !has_postgres() {
        return;
    }
    let team = Team::on(Arc::new(Postgres::start(&[])));
    let mut ana = team.connect("ana").online();
    let mut bia = team.connect("bia").online();
    // From now on, each commit waits for a standby that does not exist.
    let set = "ALTER SYSTEM SET synchronous_standby_names = 'nowhere'";
    team.sql(ADMIN, set).unwrap();
    team.sql(ADMIN, "SELECT pg_reload_conf()").unwrap();
    team.wait_until("SHOW synchronous_standby_names", "nowhere");
    for (n, end) in [(1, "pg_cancel_backend"), (2, "pg_terminate_backend")] {
        let liveness = ana.log.liveness();
        let waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND usename = 'ana'";
        let result = std::thread::scope(|scope| {
            let before = if n == 1 { start() } else { [1; 32] };
            let machine = &mut ana;
            let append = scope.spawn(move || machine.append(&[prepared(n, n as u128)], &before));
            team.wait_until(&format!("SELECT count(*) {waiting}"), "1");
            team.sql(ADMIN, &format!("SELECT {end}(pid) {waiting}"))
                .unwrap();
            append.join().unwrap()
        });
        assert!(matches!(result, Err(NotAppended::Doubt(_))), "{result:?}");
        // A cancelled wait does not end the connection. The event is visible all the same.
        assert_eq!(liveness.load(std::sync::atomic::Ordering::SeqCst), n == 1);
        assert_eq!(bia.rows().len() as i64, n);
    }
    // A machine can connect, although no commit succeeds.
    ana.wait_for(is_online);
    team.connect("eva").online();
}

#[test]
fn refused_append_keeps_the_connection() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let mut ana = team.connect("ana").online();
    team.sql(ADMIN, "UPDATE balcao.journal SET least_format = 2")
        .unwrap();
    let text = refusal(ana.append(&[prepared(1, 1)], &start()));
    assert!(text.contains("42501"), "{text}");
    team.sql(ADMIN, "UPDATE balcao.journal SET least_format = 1")
        .unwrap();
    ana.append(&[prepared(1, 1)], &start()).unwrap();
    let revoke = format!("REVOKE {}_operators FROM ana", team.database);
    team.sql(ADMIN, &revoke).unwrap();
    refusal(ana.append(&[prepared(2, 2)], &[1; 32]));
    let read = ana.log.after(0, 1);
    assert!(matches!(read, Err(JournalTrouble::Refused(_))), "{read:?}");
    assert_eq!(team.events(), "1|prepared|ana");
}

#[test]
fn locked_table_is_busy_not_in_doubt() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let mut ana = team.connect("ana").online();
    let locked = std::thread::scope(|scope| {
        scope.spawn(|| {
            let lock = "BEGIN; LOCK TABLE balcao.event; SELECT pg_sleep(600)";
            // The session is ended below.
            let _ = team.sql(ADMIN, lock);
        });
        let waiting = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep%' \
                       AND wait_event = 'PgSleep' AND datname = current_database()";
        team.wait_until(waiting, "1");
        let result = ana.append(&[prepared(1, 1)], &start());
        let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                   WHERE wait_event = 'PgSleep' AND datname = current_database()";
        team.sql(ADMIN, end).unwrap();
        result
    });
    let is_busy = |it: &NotAppended| matches!(it, NotAppended::Trouble(JournalTrouble::Busy(_)));
    assert!(locked.as_ref().is_err_and(is_busy), "{locked:?}");
    ana.append(&[prepared(1, 1)], &start()).unwrap();
}

#[test]
fn purger_erases_personal_data() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let mut ana = team.connect("ana").online();
    let mut eva = team.connect("eva").online();
    ana.append(&[prepared(1, 1), prepared(2, 2)], &start())
        .unwrap();
    eva.erase_purged();
    assert!(ana.rows().iter().all(|row| row.personal.is_some()));
    let purged = row(3, 1, "purged", "null");
    refusal(ana.append(std::slice::from_ref(&purged), &[2; 32]));
    eva.append(&[purged], &[2; 32]).unwrap();
    eva.erase_purged();
    let read = ana.rows();
    let personal: Vec<bool> = read.iter().map(|row| row.personal.is_some()).collect();
    assert_eq!(personal, [false, true, false]);
    assert_eq!(read[0].personal_sum, prepared(1, 1).personal_sum);
    let refused = ana.log.erase_purged();
    assert!(
        matches!(refused, Err(JournalTrouble::Refused(_))),
        "{refused:?}"
    );
}

impl Machine {
    fn erase_purged(&mut self) {
        self.log.erase_purged().unwrap();
    }
}
