//! The two-person rule. The server refuses an attempt without the approval of another role,
//! whatever the program on an operator's machine does.

use balcao::journal::money::{Checksum, Log};
use balcao::trade::Author;

use super::*;

/// A team with the two-person rule, in which Ana has prepared withdrawal 1.
struct Ruled {
    team: Team,
    ana: Mirror,
    bia: Mirror,
    _machines: [Machine; 2],
}

impl Ruled {
    fn new() -> Ruled {
        let team = Team::new();
        team.require_approvals();
        let machines = ["ana", "bia"].map(|role| team.connect(role).online());
        let [mut ana, bia] = machines.each_ref().map(Mirror::of);
        ana.journal.prepare(agreement(1, 100, "ana"), None).unwrap();
        let mut ruled = Ruled {
            team,
            ana,
            bia,
            _machines: machines,
        };
        ruled.bia.journal.pull().unwrap();
        ruled
    }

    fn approve(&mut self, n: u128) {
        let approved = self.bia.journal.approve(key(n), &now("bia"), &WINDOW);
        approved.unwrap();
        self.ana.journal.pull().unwrap();
    }

    fn begin(&mut self, n: u128) -> Result<(), NotDone> {
        begin(&mut self.ana.journal, n)
    }

    /// Lets the approval be this old, by the clock of the database.
    fn age_approval(&self, hours: u32) {
        let sql = format!(
            "UPDATE balcao.event SET written = now() - interval '{hours} hours' \
             WHERE kind = 'approved'"
        );
        self.team.sql(ADMIN, &sql).unwrap();
    }

    fn kinds(&self) -> String {
        let sql = "SELECT string_agg(kind, ' ' ORDER BY n) FROM balcao.event";
        self.team.sql(ADMIN, sql).unwrap()
    }

    /// Tries to begin like a program that does not know the rule, and asserts that the server
    /// refuses.
    #[track_caller]
    fn assert_server_refuses(&mut self, n: u128) {
        let before = self.kinds();
        let log = Unruled(self._machines[0].connection.log());
        let boot_clock = Box::new(|| Duration::from_secs(1));
        self.ana.journal.attach_log(log, boot_clock, TAKEOVER_WAIT);
        let refused = self.begin(n);
        let Err(NotDone::Journal(JournalTrouble::Refused(text))) = refused else {
            panic!("{refused:?}");
        };
        assert!(text.contains("event_approval"), "{text}");
        assert_eq!(self.kinds(), before);
    }
}

impl Team {
    fn require_approvals(&self) {
        let members = Members {
            needs_approval: Some(true),
            ..Members::default()
        };
        self.init(ADMIN, &members).unwrap();
    }
}

/// The log as a program uses it that does not know the rule.
struct Unruled(TeamLog);

impl Log for Unruled {
    fn after(&mut self, n: i64, most: i64) -> Result<Vec<EventRow>, JournalTrouble> {
        self.0.after(n, most)
    }

    fn append(&mut self, rows: &[EventRow], before: &Checksum) -> Result<(), NotAppended> {
        self.0.append(rows, before)
    }

    fn erase_purged(&mut self) -> Result<(), JournalTrouble> {
        self.0.erase_purged()
    }

    fn liveness(&self) -> Arc<std::sync::atomic::AtomicBool> {
        self.0.liveness()
    }

    fn timeline(&self) -> Option<u32> {
        self.0.timeline()
    }

    fn needs_approval(&self) -> bool {
        false
    }

    fn author(&self) -> Author {
        self.0.author()
    }
}

fn key(n: u128) -> IdempotencyKey {
    IdempotencyKey(Uuid::from_u128(n))
}

fn begin(journal: &mut MoneyJournal, n: u128) -> Result<(), NotDone> {
    let lock = journal.lock(key(n))?;
    let permit = journal.begin(lock, key(n), None, &now("ana"), &WINDOW);
    permit.map(|permit| drop(permit.spend()))
}

fn unapproved() -> Result<(), NotDone> {
    Err(Blocker::Unapproved.into())
}

#[test]
fn attempt_begins_with_the_approval_of_another_role() {
    if !has_postgres() {
        return;
    }
    let mut ruled = Ruled::new();
    assert_eq!(ruled.begin(1), unapproved());
    ruled.approve(1);
    ruled.begin(1).unwrap();
    assert_eq!(ruled.kinds(), "prepared approved attempt_began");
}

#[test]
fn approval_with_an_odd_author_blocks_nothing() {
    if !has_postgres() {
        return;
    }
    let ruled = Ruled::new();
    let odd = "INSERT INTO balcao.event (n, before, at, key, kind, who, plain, sum, format) \
               SELECT n + 1, sum, 0, key, 'approved', 'no JSON', '{\"n\":1}', sha256(sum), 1 \
               FROM balcao.event WHERE kind = 'prepared'";
    ruled.team.sql("bia", odd).unwrap();
    let began = "INSERT INTO balcao.event (n, before, at, key, kind, plain, sum, format) \
                 SELECT n + 1, sum, 0, key, 'attempt_began', '{\"n\":1}', sha256(sum), 1 \
                 FROM balcao.event WHERE kind = 'approved'";
    ruled.team.assert_refused("ana", "event_approval", began);
}

#[test]
fn server_refuses_an_attempt_without_an_approval() {
    if !has_postgres() {
        return;
    }
    let mut ruled = Ruled::new();
    ruled.assert_server_refuses(1);
    // Discarded and prepared again, it needs an approval of its own.
    ruled.approve(1);
    let discard = balcao::trade::withdrawal::Decision::Discarded;
    let journal = &mut ruled.ana.journal;
    journal
        .decide(key(1), discard, &now("ana"), &WINDOW)
        .unwrap();
    journal.prepare(agreement(2, 100, "ana"), None).unwrap();
    ruled.assert_server_refuses(2);
}

#[test]
fn server_refuses_after_an_approval_was_taken_back() {
    if !has_postgres() {
        return;
    }
    let mut ruled = Ruled::new();
    ruled.approve(1);
    let journal = &mut ruled.bia.journal;
    journal
        .take_approval_back(key(1), &now("bia"), &WINDOW)
        .unwrap();
    ruled.ana.journal.pull().unwrap();
    assert_eq!(ruled.begin(1), unapproved());
    ruled.assert_server_refuses(1);
    ruled.bia.journal.pull().unwrap();
    ruled.approve(1);
    ruled.begin(1).unwrap();
}

#[test]
fn server_refuses_an_approval_that_is_a_day_old() {
    if !has_postgres() {
        return;
    }
    let mut ruled = Ruled::new();
    ruled.approve(1);
    ruled.age_approval(25);
    ruled.assert_server_refuses(1);
    ruled.age_approval(23);
    ruled.begin(1).unwrap();
}

/// Appends an approval with the operator's own SQL, as an attacker could write it.
fn forge(team: &Team, role: &str, claimed: &str, terms: &str) {
    let who = format!(r#"{{"role":"{claimed}","operator":"x","machine":"x"}}"#);
    let sql = format!(
        "INSERT INTO balcao.event (n, before, at, key, kind, who, plain, sum, format) \
         SELECT n + 1, sum, 0, key, 'approved', '{who}', \
         format('{{\"n\":1,\"terms\":\"%s\"}}', {terms}), sha256(sum), 1 \
         FROM balcao.event WHERE kind = 'prepared'"
    );
    team.sql(role, &sql).unwrap();
}

#[test]
fn server_takes_no_forged_approval() {
    if !has_postgres() {
        return;
    }
    let own_terms = "encode(sum, 'hex')";
    let began = "INSERT INTO balcao.event (n, before, at, key, kind, plain, sum, format) \
                 SELECT n + 1, sum, 0, key, 'attempt_began', '{\"n\":1}', sha256(sum), 1 \
                 FROM balcao.event WHERE kind = 'approved'";
    // Ana's own SQL appends the attempt.
    let begin_with = |role: &str, claimed: &str, terms: &str| {
        let ruled = Ruled::new();
        forge(&ruled.team, role, claimed, terms);
        ruled.team.sql("ana", began)
    };
    begin_with("bia", "bia", own_terms).unwrap();
    for (role, claimed, terms) in [
        // An own approval, also in the name of another role.
        ("ana", "ana", own_terms),
        ("ana", "bia", own_terms),
        // An approval of other terms.
        ("bia", "bia", "encode(sha256(sum), 'hex')"),
        // An approval that another role put back.
        ("bia", "eva", own_terms),
    ] {
        let refused = begin_with(role, claimed, terms);
        let is_refused = refused.is_err_and(|error| error.contains("event_approval"));
        assert!(is_refused, "{role} as {claimed}: {terms}");
    }
    // Ana's own approval, after Bia put the prepared withdrawal back.
    let restored = Ruled::new();
    let put_back = "UPDATE balcao.event SET written_by = 'bia'";
    restored.team.sql(ADMIN, put_back).unwrap();
    forge(&restored.team, "ana", "ana", own_terms);
    restored.team.assert_refused("ana", "event_approval", began);
}

#[test]
fn old_program_cannot_begin() {
    if !has_postgres() {
        return;
    }
    let mut ruled = Ruled::new();
    ruled.approve(1);
    let began = |format: i32| {
        format!(
            "INSERT INTO balcao.event (n, before, at, key, kind, plain, sum, format) \
             SELECT n + 1, sum, 0, key, 'attempt_began', '{{\"n\":1}}', sha256(sum), {format} \
             FROM balcao.event WHERE kind = 'approved'"
        )
    };
    ruled.team.assert_refused("ana", "42501", &began(0));
    ruled.team.sql("ana", &began(1)).unwrap();
}

#[test]
fn only_the_administrator_changes_the_rule() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let off = "UPDATE balcao.journal SET least_approvals = 0";
    for role in ["ana", "eva", "visitor"] {
        team.assert_refused(role, "42501", off);
    }
    // One operator alone could approve nothing.
    let server = &team.server;
    let alone = Team {
        database: server.create_database(),
        server: server.clone(),
    };
    let mut members = Members {
        operators: vec!["ana".into()],
        needs_approval: Some(true),
        ..Members::default()
    };
    let error = alone.init(ADMIN, &members).unwrap_err();
    assert!(matches!(error, InitError::NeedsTwoOperators(_)), "{error}");
    members.operators.push("bia".into());
    assert!(alone.init(ADMIN, &members).unwrap().is_new);
    let report = alone.check("ana").unwrap();
    assert_eq!(report.least_approvals, Some(1));
}

#[test]
fn machines_learn_at_once_that_the_rule_changed() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let ana = team.connect("ana").online();
    ana.wait_for_change(Change::Connected);
    assert!(!ana.log.needs_approval());
    team.require_approvals();
    ana.wait_for_change(Change::LeastApprovals);
    assert!(ana.log.needs_approval());
    // An operator can announce anything.
    for text in ["approvals", "approvals 0"] {
        let announced = team.sql("bia", &format!("NOTIFY balcao_event, '{text}'"));
        announced.unwrap();
    }
    ana.wait_for_change(Change::LeastApprovals);
    assert!(ana.log.needs_approval());
    team.sql(ADMIN, "UPDATE balcao.journal SET least_approvals = 0")
        .unwrap();
    ana.wait_for_change(Change::LeastApprovals);
    assert!(!ana.log.needs_approval());
}
