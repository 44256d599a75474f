//! The two-person rule: an attempt needs the approval of a person who did not prepare the
//! withdrawal.

use super::*;
use crate::journal::money::chain;
use crate::trade::Wall;

/// Bia has a role of her own.
fn bia() -> Author {
    Author {
        role: "bia".into(),
        operator: "Bia".into(),
        machine: "caixa-2".into(),
    }
}

/// Ana's and Bia's machines, in a team that requires approvals. Ana has prepared withdrawal 1.
fn prepared_by_ana() -> Two {
    let mut two = two_machines();
    two.log.shared().needs_approval = true;
    let log = TestLog {
        author: Some(bia()),
        ..two.log.clone()
    };
    two.bia = mirror(two.bia_dir.path(), &log, &two.seconds);
    two.ana.prepare(agreement(1, 100), None).unwrap();
    two.bia.pull().unwrap();
    two
}

fn approve(journal: &mut MoneyJournal, now: &Clocks) -> Result<(), NotDone> {
    journal.approve(key(1), now, &WINDOW).map(drop)
}

fn unapproved() -> Result<(), NotDone> {
    Err(Blocker::Unapproved.into())
}

fn try_begin(journal: &mut MoneyJournal, now: &Clocks) -> Result<(), NotDone> {
    begin(journal, 1, now).map(drop)
}

/// Appends an event to the log as any program of this operator could.
fn append_by(two: &mut Two, author: &Author, kind: &str, plain: &str) {
    let mut shared = two.log.shared();
    let (last, _) = shared.rows.last().unwrap().clone();
    let mut row = EventRow {
        n: last.n + 1,
        kind: kind.into(),
        plain: plain.into(),
        personal: None,
        personal_sum: None,
        who: Some(serde_json::to_string(author).unwrap()),
        written_by: Some(author.role.shown()),
        ..last.clone()
    };
    row.sum = row.compute_sum(&last.sum);
    shared.rows.push((row, last.sum));
}

#[test]
fn attempt_needs_the_approval_of_somebody_else() {
    let mut two = prepared_by_ana();
    assert_eq!(try_begin(&mut two.ana, &clocks(2)), unapproved());
    assert_eq!(approve(&mut two.ana, &clocks(2)), unapproved());
    assert_eq!(two.log.kinds(), ["prepared"]);
    approve(&mut two.bia, &at_bia(3)).unwrap();
    let again = approve(&mut two.bia, &at_bia(3));
    assert_eq!(again, Err(Blocker::State.into()), "it is approved");
    // Ana's mirror does not contain the approval yet.
    two.ana.pull().unwrap();
    try_begin(&mut two.ana, &clocks(4)).unwrap();
    assert_eq!(two.log.kinds(), ["prepared", "approved", "attempt_began"]);
    let approved = two.ana.get(key(1)).unwrap().unwrap().approvals.given;
    assert_eq!(approved[0].by, Some(bia()));
}

#[test]
fn approver_may_send_too() {
    let mut two = prepared_by_ana();
    approve(&mut two.bia, &at_bia(3)).unwrap();
    try_begin(&mut two.bia, &at_bia(4)).unwrap();
}

#[test]
fn rule_that_was_switched_on_meanwhile_is_kept() {
    let mut two = prepared_by_ana();
    two.log.shared().needs_approval = false;
    two.log.shared().switch_on_at_append = true;
    assert_eq!(try_begin(&mut two.ana, &clocks(2)), unapproved());
    assert_eq!(two.log.kinds(), ["prepared"]);
}

#[test]
fn approval_can_be_taken_back_until_the_attempt() {
    let mut two = prepared_by_ana();
    let take_back = |journal: &mut MoneyJournal, now: &Clocks| {
        journal
            .take_approval_back(key(1), now, &WINDOW)
            .map(|withdrawal| withdrawal.approvals.given.len())
    };
    let nothing = Err(Blocker::State.into());
    assert_eq!(take_back(&mut two.bia, &at_bia(2)), nothing);
    approve(&mut two.bia, &at_bia(3)).unwrap();
    two.ana.pull().unwrap();
    assert_eq!(take_back(&mut two.ana, &clocks(3)), nothing, "not hers");
    assert_eq!(take_back(&mut two.bia, &at_bia(4)), Ok(1));
    two.ana.pull().unwrap();
    assert_eq!(try_begin(&mut two.ana, &clocks(5)), unapproved());
    approve(&mut two.bia, &at_bia(6)).unwrap();
    two.ana.pull().unwrap();
    try_begin(&mut two.ana, &clocks(7)).unwrap();
    two.bia.pull().unwrap();
    assert_eq!(take_back(&mut two.bia, &at_bia(8)), nothing, "may be paid");
}

#[test]
fn approval_ends_after_a_day() {
    let mut two = prepared_by_ana();
    approve(&mut two.bia, &at_bia(3)).unwrap();
    two.ana.pull().unwrap();
    let day = 24 * 3_600;
    assert_eq!(try_begin(&mut two.ana, &clocks(day + 3)), unapproved());
    let mut is_valid = |seconds: i64| {
        let withdrawal = two.ana.get(key(1)).unwrap().unwrap();
        withdrawal.approvals.valid(clocks(seconds).wall).is_some()
    };
    assert!(is_valid(day + 2));
    approve(&mut two.bia, &at_bia(day + 4)).unwrap();
}

#[test]
fn forged_approvals_count_for_nothing() {
    let terms = |two: &Two| chain::sum_text(&two.log.shared().rows[0].0.sum);
    let of = |terms: &str| format!(r#"{{"n":1,"terms":"{terms}"}}"#);
    let claims_bia = Author {
        role: "bia".into(),
        ..ana()
    };
    let mut own = prepared_by_ana();
    let plain = of(&terms(&own));
    append_by(&mut own, &ana(), "approved", &plain);
    let mut other_terms = prepared_by_ana();
    append_by(&mut other_terms, &bia(), "approved", &of(&"0".repeat(64)));
    let mut claimed = prepared_by_ana();
    append_by(&mut claimed, &claims_bia, "approved", &plain);
    // The database names the role that wrote the event.
    let mut shared = claimed.log.shared();
    shared.rows[1].0.written_by = Some("ana".into());
    drop(shared);
    for mut two in [own, other_terms, claimed] {
        two.ana.pull().unwrap();
        let given = two.ana.get(key(1)).unwrap().unwrap().approvals.given;
        assert!(!given[0].counts, "{given:?}");
        assert_eq!(try_begin(&mut two.ana, &clocks(2)), unapproved());
        two.bia.pull().unwrap();
        approve(&mut two.bia, &at_bia(3)).unwrap();
        two.ana.pull().unwrap();
        try_begin(&mut two.ana, &clocks(4)).unwrap();
    }
}

#[test]
fn new_withdrawal_needs_an_approval_of_its_own() {
    let mut two = prepared_by_ana();
    approve(&mut two.bia, &at_bia(2)).unwrap();
    two.ana.pull().unwrap();
    let discarded = Decision::Discarded;
    two.ana
        .decide(key(1), discarded, &clocks(3), &WINDOW)
        .unwrap();
    two.ana.prepare(agreement(2, 100), None).unwrap();
    let refused = begin(&mut two.ana, 2, &clocks(4)).map(drop);
    assert_eq!(refused, unapproved());
    let decided = approve(&mut two.bia, &at_bia(5));
    assert_eq!(decided, Err(Blocker::State.into()));
}

#[test]
fn resend_needs_a_valid_approval_too() {
    let mut two = prepared_by_ana();
    approve(&mut two.bia, &at_bia(2)).unwrap();
    two.ana.pull().unwrap();
    // The attempt begins in the last second of the approval.
    let day = 24 * 3_600;
    let spent = begin(&mut two.ana, 1, &clocks(day + 1)).unwrap();
    let end = attempt_end(day + 2, timed_out());
    two.ana.settle(spent, &end).unwrap();
    let resent = day + 2 + WINDOW.deadline.as_secs() as i64 + 10;
    assert_eq!(try_begin(&mut two.ana, &clocks(resent)), unapproved());
    // The approval of a withdrawal that may be paid is one of its resend.
    two.bia.pull().unwrap();
    approve(&mut two.bia, &clocks(resent)).unwrap();
    two.ana.pull().unwrap();
    try_begin(&mut two.ana, &clocks(resent)).unwrap();
}

#[test]
fn journal_without_a_team_knows_no_approvals() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = open(dir.path());
    journal.prepare(agreement(1, 100), None).unwrap();
    let refused = approve(&mut journal, &clocks(2));
    assert_eq!(refused, Err(Blocker::State.into()));
    try_begin(&mut journal, &clocks(2)).unwrap();
    let withdrawal = journal.get(key(1)).unwrap().unwrap();
    assert_eq!(withdrawal.approvals, Default::default());
    assert_eq!(withdrawal.approvals.valid(Wall(0)), None);
}

/// Without the approval, the log accepts the attempt again only if the rule is off.
#[test]
fn lost_approval_has_a_trouble_of_its_own() {
    let mut two = prepared_by_ana();
    approve(&mut two.bia, &at_bia(3)).unwrap();
    two.ana.pull().unwrap();
    try_begin(&mut two.ana, &clocks(4)).unwrap();
    two.log.shared().rows.truncate(2);
    two.log.fail(&[Fault::Refused]);
    let lost = JournalTrouble::LostApproval("policy".into());
    assert_eq!(two.ana.pull(), Err(lost));
    two.log.shared().needs_approval = false;
    two.ana.pull().unwrap();
    assert_eq!(two.log.kinds(), ["prepared", "approved", "attempt_began"]);
}
