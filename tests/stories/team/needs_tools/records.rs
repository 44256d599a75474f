//! The log of the history: rights, appends and announcements.

use balcao::journal::history::{HistoryLog, Record};
use balcao::team::{Finding, MAX_RECORDS};
use balcao::trade::JournalTrouble;

use super::*;

fn record(n: i64, row: u128, part: &str) -> Record {
    Record {
        n,
        change: Uuid::from_u128(1_000 + n as u128),
        kind: "link".to_owned(),
        row: Uuid::from_u128(row),
        part: part.to_owned(),
        who: "{\"role\":\"ana\"}".to_owned(),
        state: (part != "deleted").then(|| format!("{{\"note\":\"joão \\u0000 {n}\"}}")),
        written_by: None,
    }
}

fn written_by(role: &str, record: &Record) -> Record {
    Record {
        written_by: Some(role.to_owned()),
        ..record.clone()
    }
}

/// The SQL that appends a record with a state, as an attacker could write it.
fn insert(n: i64, columns: &str, values: &str, format: i64) -> String {
    format!(
        "INSERT INTO balcao.record (n, change, kind, row_id, part, who, format{columns}) VALUES \
         ({n}, gen_random_uuid(), 'link', gen_random_uuid(), 'note', '{{}}', {format}{values})"
    )
}

/// A team whose log has the note of a link, and another link that was deleted.
fn team_with_records() -> Team {
    let team = Team::new();
    let ana = team.connect("ana").online();
    let records = [
        record(1, 1, "note"),
        record(2, 2, "note"),
        record(3, 2, "deleted"),
    ];
    ana.connection.records().append_records(&records).unwrap();
    team
}

#[test]
fn records_come_back_as_they_were_written() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let [ana, bia] = ["ana", "bia"].map(|role| team.connect(role).online());
    let [mut of_ana, mut of_bia] = [&ana, &bia].map(|machine| machine.connection.records());
    assert_eq!(of_ana.append_records(&[]), Ok(()));
    let records = [record(1, 1, "sale"), record(2, 1, "deleted")];
    of_ana.append_records(&records).unwrap();
    of_bia.append_records(&[record(3, 2, "note")]).unwrap();
    let read = of_ana.records_after(0, 100).unwrap();
    let expected = [
        written_by("ana", &records[0]),
        written_by("ana", &records[1]),
        written_by("bia", &record(3, 2, "note")),
    ];
    assert_eq!(read, expected);
    assert_eq!(of_bia.records_after(1, 1).unwrap(), expected[1..2]);
    assert_eq!(of_bia.records_after(3, 9), Ok(vec![]));

    // Somebody else was first, a number is missing, or one of several is taken.
    let outrun = Err(NotAppended::Outrun);
    for records in [
        vec![record(3, 9, "note")],
        vec![record(5, 9, "note")],
        vec![record(4, 9, "note"), record(6, 9, "note")],
        vec![record(3, 9, "note"), record(4, 9, "note")],
    ] {
        assert_eq!(of_bia.append_records(&records), outrun, "{records:?}");
    }
    assert_eq!(of_ana.records_after(0, 100).unwrap(), expected);
    // A change that is in the log already is no reason to try again with another number.
    let again = Record {
        n: 4,
        ..record(1, 1, "sale")
    };
    let refused = of_ana.append_records(&[again]);
    let is_refused = matches!(
        refused,
        Err(NotAppended::Trouble(JournalTrouble::Refused(_)))
    );
    assert!(is_refused, "{refused:?}");
}

#[test]
fn page_of_records_has_a_limited_size() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let ana = team.connect("ana").online();
    let mut log = ana.connection.records();
    let last = 2 * MAX_RECORDS as i64;
    let records: Vec<Record> = (1..=last).map(|n| record(n, 1, "note")).collect();
    log.append_records(&records).unwrap();
    let page = log.records_after(1, last).unwrap();
    assert_eq!(page.len(), MAX_RECORDS);
    let huge = |n: i64| Record {
        state: Some("x".repeat(40_000)),
        ..record(n, 1, "note")
    };
    for n in last + 1..=last + 4 {
        log.append_records(&[huge(n)]).unwrap();
    }
    let read: Vec<i64> = (0..2)
        .map(|page| log.records_after(last + 2 * page, 9).unwrap().len() as i64)
        .collect();
    assert_eq!(read, [2, 2]);
    let refused = log.append_records(&[Record {
        state: Some("x".repeat(70_000)),
        ..record(last + 5, 1, "note")
    }]);
    let is_refused = matches!(
        refused,
        Err(NotAppended::Trouble(JournalTrouble::Refused(_)))
    );
    assert!(is_refused, "{refused:?}");
}

#[test]
fn records_are_announced_apart_from_events() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let [mut ana, bia] = ["ana", "bia"].map(|role| team.connect(role).online());
    bia.wait_for_change(Change::Connected);
    let mut log = ana.connection.records();
    log.append_records(&[record(1, 1, "note")]).unwrap();
    bia.wait_for_change(Change::Records);
    ana.append(&[prepared(1, 1)], &start()).unwrap();
    bia.wait_for_change(Change::Events);
    log.append_records(&[record(2, 1, "note")]).unwrap();
    bia.wait_for_change(Change::Records);
    ana.wait_for_change(Change::Connected);
    assert!(ana.changes.try_recv().is_err());
    // Other texts on the channel are no announcements.
    for text in ["record", "record x", "records 1", "x"] {
        team.sql("ana", &format!("NOTIFY balcao_event, '{text}'"))
            .unwrap();
    }
    team.sql("ana", "NOTIFY balcao_event, 'record 3'").unwrap();
    bia.wait_for_change(Change::Records);
    assert!(bia.changes.try_recv().is_err());
}

#[test]
fn record_without_its_predecessor_is_refused() {
    if !has_postgres() {
        return;
    }
    let team = team_with_records();
    for role in ["ana", ADMIN] {
        // A gap, a fork, and a start before the first one.
        team.assert_refused(role, "23503", &insert(5, "", "", 1));
        team.assert_refused(role, "23505", &insert(3, "", "", 1));
        team.assert_refused(role, "23514", &insert(0, "", "", 1));
        team.assert_refused(role, "23514", &insert(-1, "", "", 1));
    }
    let fits = insert(4, "", "", 1);
    let group = format!("{}_operators", team.database);
    team.sql("bia", &format!("SET ROLE {group}; {fits}"))
        .unwrap();
    let last = "SELECT written_by FROM balcao.record WHERE n = 4";
    assert_eq!(team.sql(ADMIN, last).as_deref(), Ok("bia"));
}

#[test]
fn author_time_and_format_of_records_are_kept() {
    if !has_postgres() {
        return;
    }
    let team = team_with_records();
    for (code, column, value) in [
        ("42501", "written_by", "'bia'"),
        ("42501", "written", "now() - interval '1 day'"),
        ("428C9", "before_n", "1"),
    ] {
        let attack = insert(4, &format!(", {column}"), &format!(", {value}"), 1);
        team.assert_refused("ana", code, &attack);
    }
    let old = insert(4, "", "", 0);
    team.assert_refused("ana", "42501", &old);
    team.assert_refused("eva", "42501", &old);
    team.assert_refused("ana", "42501", &format!("SET row_security = off; {old}"));
    for role in ["bia", "eva", ADMIN] {
        let attack = format!("SET ROLE {role}; {}", insert(4, "", "", 1));
        team.assert_refused("ana", "42501", &attack);
    }
    team.sql(ADMIN, "UPDATE balcao.journal SET least_format = 2")
        .unwrap();
    team.assert_refused("ana", "42501", &insert(4, "", "", 1));
}

#[test]
fn records_and_states_cannot_be_changed() {
    if !has_postgres() {
        return;
    }
    let team = team_with_records();
    let dump = "SELECT * FROM balcao.record, balcao.record_state";
    let before = team.sql(ADMIN, dump).unwrap();
    for attack in [
        "UPDATE balcao.record SET part = 'deleted'",
        "UPDATE balcao.record SET written_by = 'bia'",
        "DELETE FROM balcao.record",
        "TRUNCATE balcao.record CASCADE",
        "SET row_security = off; DELETE FROM balcao.record",
        "SELECT * FROM balcao.record FOR UPDATE",
        "UPDATE balcao.record_state SET state = ''",
        "TRUNCATE balcao.record_state",
        "ALTER TABLE balcao.record DISABLE ROW LEVEL SECURITY",
        "ALTER TABLE balcao.record ALTER written_by SET DEFAULT 'bia'",
        "CREATE POLICY mine ON balcao.record FOR INSERT WITH CHECK (true)",
        "DROP POLICY record_append ON balcao.record",
        "DROP POLICY record_state_purge ON balcao.record_state",
        "DROP TABLE balcao.record_state",
        "CREATE TRIGGER mine BEFORE INSERT ON balcao.record FOR EACH ROW EXECUTE FUNCTION f()",
    ] {
        for role in ["ana", "eva"] {
            team.assert_refused(role, "42501", attack);
        }
    }
    team.assert_refused("ana", "42501", "DELETE FROM balcao.record_state");
    for table in ["record", "record_state"] {
        team.assert_refused("visitor", "42501", &format!("SELECT FROM balcao.{table}"));
    }
    assert_eq!(team.sql(ADMIN, dump).unwrap(), before);
    // The state of a deletion, a second state, and a state that the record was not appended with.
    let state = |n: i64, sum: &str| {
        format!(
            "INSERT INTO balcao.record_state (n, sum, state) VALUES ({n}, sha256('{sum}'), 'x')"
        )
    };
    team.assert_refused("ana", "23503", &state(3, "x"));
    team.assert_refused("ana", "23505", &state(1, "x"));
    team.assert_refused("ana", "23514", &state(3, "y"));
    team.sql("eva", "DELETE FROM balcao.record_state").unwrap();
    team.assert_refused("ana", "23503", &state(2, "x"));
}

#[test]
fn only_states_of_deleted_rows_can_be_erased() {
    if !has_postgres() {
        return;
    }
    let team = team_with_records();
    let mut ana = team.connect("ana").online();
    let mut log = ana.connection.records();
    let refused = log.erase_deleted(11);
    let is_refused = matches!(refused, Err(JournalTrouble::Refused(_)));
    assert!(is_refused, "{refused:?}");
    // A machine that did not know of the deletion appended record 4 after it.
    let of_kind = |kind: &str, record: Record| Record {
        kind: kind.to_owned(),
        ..record
    };
    let line_of = |n: i64, batch: u128| Record {
        state: Some(format!(
            "{{\"batch\":\"{:032X}\",\"number\":2}}",
            0xA000 + batch
        )),
        ..of_kind("batch_line", record(n, 70 + n as u128, "batch_line"))
    };
    let records = [
        record(4, 2, "note"),
        record(5, 3, "note"),
        of_kind("nickname", record(6, 6, "nickname")),
        of_kind("nickname", record(7, 6, "deleted")),
        // The Pix key got a nickname again.
        of_kind("nickname", record(8, 6, "nickname")),
        line_of(9, 1),
        line_of(10, 2),
        of_kind("batch", record(11, 0xA001, "deleted")),
    ];
    log.append_records(&records).unwrap();
    let states = "SELECT string_agg(n::text, ' ' ORDER BY n) FROM balcao.record_state";
    assert_eq!(team.sql(ADMIN, states).as_deref(), Ok("1 2 4 5 6 8 9 10"));
    // By hand, a purger erases no more than the program does.
    let by_hand = format!("BEGIN; DELETE FROM balcao.record_state; {states}; ROLLBACK");
    assert_eq!(team.sql("eva", &by_hand).as_deref(), Ok("1 5 8 10"));
    let eva = team.connect("eva").online();
    eva.connection.records().erase_deleted(11).unwrap();
    assert_eq!(team.sql(ADMIN, states).as_deref(), Ok("1 5 8 10"));
    // Nor does the program with a role that may do everything.
    let admin = team.connect(ADMIN).online();
    admin.connection.records().erase_deleted(11).unwrap();
    assert_eq!(team.sql(ADMIN, states).as_deref(), Ok("1 5 8 10"));
    let read = log.records_after(1, 9).unwrap();
    let erased = Record {
        state: None,
        ..written_by("ana", &record(2, 2, "note"))
    };
    assert_eq!(read[0], erased);
    // An event is still appended.
    ana.append(&[prepared(1, 1)], &start()).unwrap();
}

#[test]
fn lost_answer_about_records_is_a_doubt() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let relay = Relay::open(team.server.port());
    let ana = Machine::open(team.access_at("ana", relay.port())).online();
    let mut log = ana.connection.records();
    for (lost, n, later) in [
        (Relaying::CutAtAnswer, 1, Err(NotAppended::Outrun)),
        (Relaying::CutAtRequest, 2, Ok(())),
    ] {
        relay.set(lost);
        let result = log.append_records(&[record(n, 1, "note")]);
        assert!(matches!(result, Err(NotAppended::Doubt(_))), "{result:?}");
        ana.wait_for(is_online);
        assert_eq!(log.append_records(&[record(n, 1, "note")]), later);
        let read = log.records_after(n - 1, 9).unwrap();
        assert_eq!(read, [written_by("ana", &record(n, 1, "note"))]);
    }
}

#[test]
fn event_waits_for_no_queue_of_records() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let mut bia = team.connect("bia").online();
    // Each append of a record waits for this lock until the server gives up.
    let locked = std::thread::scope(|scope| {
        scope.spawn(|| {
            let lock = "BEGIN; LOCK TABLE balcao.record IN EXCLUSIVE MODE; SELECT pg_sleep(600)";
            // The session is ended below.
            let _ = team.sql(ADMIN, lock);
        });
        let waiting = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep%' \
                       AND wait_event = 'PgSleep' AND datname = current_database()";
        team.wait_until(waiting, "1");
        let threads: Vec<_> = (0..8)
            .map(|_| {
                let mut log = bia.connection.records();
                scope.spawn(move || log.append_records(&[record(1, 1, "note")]))
            })
            .collect();
        let blocked = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'bia' \
                       AND wait_event_type = 'Lock' AND datname = current_database()";
        team.wait_until(blocked, "1");
        let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                   WHERE wait_event = 'PgSleep' AND datname = current_database()";
        let appended = bia.append(&[prepared(1, 1)], &start());
        team.sql(ADMIN, end).unwrap();
        for thread in threads {
            let _ = thread.join().unwrap();
        }
        appended
    });
    // It waited only for the call in progress, which the server gave up.
    assert_eq!(locked, Ok(()));
}

#[test]
fn change_of_records_is_a_right_too_much() {
    if !has_postgres() {
        return;
    }
    for grant in [
        "UPDATE (part) ON balcao.record",
        "INSERT (written_by) ON balcao.record",
        "DELETE ON balcao.record",
        "UPDATE ON balcao.record_state",
    ] {
        let team = Team::new();
        assert!(
            !team
                .check("ana")
                .unwrap()
                .findings
                .contains(&Finding::CanChange)
        );
        team.sql(ADMIN, &format!("GRANT {grant} TO ana")).unwrap();
        let report = team.check("ana").unwrap();
        assert!(report.findings.contains(&Finding::CanChange), "{grant}");
    }
    let team = Team::new();
    let revoke = format!(
        "REVOKE INSERT (state) ON balcao.record_state FROM {}_operators",
        team.database
    );
    team.sql(ADMIN, &revoke).unwrap();
    let expected = Finding::MissingRight("INSERT (state) ON balcao.record_state".into());
    assert_eq!(team.check("ana").unwrap().findings[0], expected);
}
