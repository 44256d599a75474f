//! Tests of the changes that each state of a withdrawal allows or refuses.

use crate::journal::money::MoneyJournal;
use crate::journal::money::samples::*;
use crate::trade::search::{
    AmountBound, AmountRange, Period, Reading, RowLabel, Search, Term, TimeMatch,
};
use crate::trade::withdrawal::{
    Blocker, ClashKind, Class, Decision, NoSend, NotDone, NotSent, Retyped, WithdrawalState,
};
use crate::trade::{Agreement, Money, PixKey, PixKeyKind, Wall, Withdrawal};

fn state(withdrawal: &Withdrawal, at: i64) -> &'static str {
    withdrawal.state(&clocks(at), &WINDOW, false).name()
}

fn get(journal: &mut MoneyJournal, n: u128) -> Withdrawal {
    journal.get(key(n)).unwrap().unwrap()
}

#[test]
fn withdrawal_is_identical_after_restart() {
    let (dir, mut journal) = new_journal();
    for (n, class) in [
        confirmed(),
        wrong_destination(),
        timed_out(),
        Class::DefiniteNo,
    ]
    .into_iter()
    .enumerate()
    {
        let dir = tempfile::tempdir().unwrap();
        let mut other = open(dir.path());
        prepare_and_attempt(&mut other, n as u128 + 9, 100, class.clone());
        drop(other);
        let stored = get(&mut open(dir.path()), n as u128 + 9);
        assert_eq!(stored.agreement, agreement(n as u128 + 9, 100));
        assert_eq!(
            stored.attempts[0].end,
            Some(attempt_end(n as i64 + 9, class))
        );
    }
    journal.prepare(agreement(1, 10_010), None).unwrap();
    let lock = journal.lock(key(1)).unwrap();
    let permit = journal
        .begin(lock, key(1), None, &clocks(2), &WINDOW)
        .unwrap();
    let (_, request) = permit.spend();
    assert_eq!(*request.agreement(), agreement(1, 10_010));
    assert!(!request.sent_before());
    // The debug output must not contain personal data, because users share logs.
    assert_eq!(
        format!("{request:?}"),
        format!("Request({} attempt 1)", key(1))
    );
    drop(journal);
    // Reopen the journal, as after a crash during sending.
    let mut journal = open(dir.path());
    assert_eq!(state(&get(&mut journal, 1), 3), "unknown");
    let lock = journal.lock(key(1)).unwrap();
    let (_, request) = journal
        .begin(lock, key(1), None, &clocks(4), &WINDOW)
        .unwrap()
        .spend();
    assert_eq!(*request.agreement().body, *agreement(1, 10_010).body);
    assert!(request.sent_before());
    assert_eq!(request.n(), 2);
}

#[test]
fn a_known_key_is_never_prepared_again() {
    let (_dir, mut journal) = new_journal();
    journal.prepare(agreement(1, 100), None).unwrap();
    let result = journal.prepare(agreement(1, 100), None);
    assert_eq!(result, Err(NotDone::Blocked(Blocker::KeyKnown)));
    let mut empty = agreement(2, 100);
    empty.body = "".into();
    assert_eq!(
        journal.prepare(empty, None),
        Err(NotDone::Blocked(Blocker::EmptyBody))
    );
}

#[test]
fn while_open_same_is_refused_and_other_is_retyped() {
    let (_dir, mut journal) = new_journal();
    prepare_and_attempt(&mut journal, 1, 100, timed_out());
    let typed = retyped_amount(200, &[1]);
    let mut prepare = |n, centavos, typed| bare(journal.prepare(agreement(n, centavos), typed));
    assert_eq!(
        prepare(2, 100, None),
        Err(conflict_error(ClashKind::SameOpen, 1))
    );
    let retyped_same = retyped_amount(100, &[1]);
    assert_eq!(
        prepare(2, 100, retyped_same.clone()),
        Err(conflict_error(ClashKind::SameOpen, 1))
    );
    assert_eq!(
        prepare(2, 200, None),
        Err(conflict_error(ClashKind::OtherOpen, 1))
    );
    assert_eq!(
        prepare(2, 200, retyped_same),
        Err(NotDone::Blocked(Blocker::RetypedDiffers))
    );
    // The withdrawal conflicts with withdrawal 1. But the seller saw only withdrawal 9 when typing
    // the amount again.
    assert_eq!(
        prepare(2, 200, retyped_amount(200, &[9])),
        Err(conflict_error(ClashKind::OtherOpen, 1))
    );
    assert!(prepare(2, 200, typed).is_ok());
    assert_eq!(begin_attempt(&mut journal, 2, 5), Ok(1));
    // A withdrawal of another account causes no conflict.
    let bia = Agreement {
        account: account("bia"),
        ..agreement(3, 300)
    };
    assert!(journal.prepare(bia, None).is_ok());
}

#[test]
fn prepared_is_not_sent_while_another_is_open() {
    let (_dir, mut journal) = new_journal();
    for (n, centavos) in [(1, 100), (2, 200), (3, 100)] {
        journal.prepare(agreement(n, centavos), None).unwrap();
    }
    make_attempt(&mut journal, 1, 5, timed_out());
    assert_eq!(
        begin_attempt(&mut journal, 2, 6),
        Err(conflict_error(ClashKind::OtherOpen, 1))
    );
    assert_eq!(
        begin_attempt(&mut journal, 3, 6),
        Err(conflict_error(ClashKind::SameOpen, 1))
    );
    make_attempt(&mut journal, 1, 7, confirmed());
    assert_eq!(
        begin_attempt(&mut journal, 3, 8),
        Err(conflict_error(ClashKind::SameDecided, 1))
    );
    assert_eq!(begin_attempt(&mut journal, 2, 8), Ok(1));
}

#[test]
fn amount_retyped_before_a_send_is_recorded() {
    let (dir, mut journal) = new_journal();
    for (n, centavos) in [(1, 100), (2, 100), (3, 100)] {
        journal.prepare(agreement(n, centavos), None).unwrap();
    }
    make_attempt(&mut journal, 1, 5, confirmed());
    let begin_retyped = |journal: &mut MoneyJournal, n: u128, at, retyped: Option<Retyped>| {
        let lock = journal.lock(key(n)).unwrap();
        let permit = journal.begin(lock, key(n), retyped.as_ref(), &clocks(at), &WINDOW);
        permit.map(|permit| permit.spend().0)
    };
    let error_of = |begun: Result<_, NotDone>| bare(begun).map(drop).unwrap_err();
    let without_retyping = begin_retyped(&mut journal, 2, 6, None);
    assert_eq!(
        error_of(without_retyping),
        conflict_error(ClashKind::SameDecided, 1)
    );
    let other = begin_retyped(&mut journal, 2, 6, retyped_amount(100, &[3]));
    assert_eq!(error_of(other), conflict_error(ClashKind::SameDecided, 1));
    let differs = begin_retyped(&mut journal, 2, 6, retyped_amount(101, &[1]));
    assert_eq!(error_of(differs), NotDone::Blocked(Blocker::RetypedDiffers));
    let spent = begin_retyped(&mut journal, 2, 7, retyped_amount(100, &[1])).unwrap();
    journal
        .settle(spent, &attempt_end(7, Class::Unauthorized))
        .unwrap();
    // The retyped amount is stored, so an attempt after a restart does not need it again.
    drop(journal);
    let mut journal = open(dir.path());
    assert_eq!(journal.verify(), Ok(7));
    assert_eq!(begin_attempt(&mut journal, 2, 8), Ok(2));
    // While withdrawal 2 is open, the same payment is refused even if the amount is typed again.
    let same = begin_retyped(&mut journal, 3, 9, retyped_amount(100, &[1, 2]));
    assert_eq!(error_of(same), conflict_error(ClashKind::SameOpen, 2));
    // A mismatch (the service echoed other values than withdrawal 2 sent) blocks all sending.
    make_attempt(&mut journal, 2, 10, wrong_destination());
    let mismatch = begin_retyped(&mut journal, 3, 11, retyped_amount(100, &[1, 2]));
    assert_eq!(error_of(mismatch), conflict_error(ClashKind::Mismatch, 2));
}

#[test]
fn repeat_within_a_day_requires_amount_retyped() {
    let (_dir, mut journal) = new_journal();
    prepare_and_attempt(&mut journal, 1, 100, confirmed());
    let mut repeat = agreement(2, 100);
    let result = journal.prepare(repeat.clone(), None);
    assert_eq!(bare(result), Err(conflict_error(ClashKind::SameDecided, 1)));
    assert!(
        journal
            .prepare(repeat.clone(), retyped_amount(100, &[1]))
            .is_ok()
    );
    assert_eq!(begin_attempt(&mut journal, 2, 5), Ok(1));
    let day = 24 * 60 * 60;
    journal
        .decide(key(2), Decision::FoundPaid, &clocks(6), &WINDOW)
        .unwrap();
    repeat.key = key(3);
    repeat.agreed = clocks(6 + day);
    assert_eq!(
        bare(journal.prepare(repeat.clone(), None)),
        Err(conflict_error(ClashKind::SameDecided, 2))
    );
    repeat.agreed = clocks(7 + day);
    assert!(journal.prepare(repeat, None).is_ok());
}

#[test]
fn only_possible_payment_requires_retype_on_repeat() {
    let stated_not_paid = |journal: &mut MoneyJournal| {
        prepare_and_attempt(journal, 1, 100, timed_out());
        journal
            .decide(key(1), Decision::StatedNotPaid, &clocks(700), &WINDOW)
            .unwrap();
    };
    let refused =
        |journal: &mut MoneyJournal| prepare_and_attempt(journal, 1, 100, Class::DefiniteNo);
    let discarded = |journal: &mut MoneyJournal| {
        journal.prepare(agreement(1, 100), None).unwrap();
        journal
            .decide(key(1), Decision::Discarded, &clocks(2), &WINDOW)
            .unwrap();
    };
    let cases: [fn(&mut MoneyJournal); 3] = [stated_not_paid, refused, discarded];
    for (make_decided, is_conflict) in cases.into_iter().zip([true, false, false]) {
        let (_dir, mut journal) = new_journal();
        make_decided(&mut journal);
        let repeat = Agreement {
            agreed: clocks(701),
            ..agreement(2, 100)
        };
        let destination = repeat.destination.clone();
        // The review screen shows similar decided withdrawals even without a conflict.
        let similar = journal.similar_decided(repeat.amount, destination.as_ref(), Wall(0));
        assert_eq!(similar.unwrap().len(), 1);
        let result = bare(journal.prepare(repeat.clone(), None));
        assert_eq!(
            result == Err(conflict_error(ClashKind::SameDecided, 1)),
            is_conflict,
            "{result:?}"
        );
        if is_conflict {
            assert!(journal.prepare(repeat, retyped_amount(100, &[1])).is_ok());
        }
    }
}

#[test]
fn mismatch_blocks_all_sends_of_the_account() {
    let (_dir, mut journal) = new_journal();
    journal.prepare(agreement(2, 200), None).unwrap();
    journal.prepare(agreement(1, 100), None).unwrap();
    make_attempt(&mut journal, 1, 3, wrong_destination());
    let mismatch = Err(conflict_error(ClashKind::Mismatch, 1));
    assert_eq!(begin_attempt(&mut journal, 2, 5), mismatch);
    assert_eq!(
        begin_attempt(&mut journal, 1, 5),
        Err(NotDone::Blocked(Blocker::State))
    );
    let result = journal.prepare(agreement(3, 300), retyped_amount(300, &[1]));
    assert_eq!(bare(result), Err(conflict_error(ClashKind::Mismatch, 1)));
    journal
        .decide(key(1), Decision::StatedNotPaid, &clocks(6), &WINDOW)
        .unwrap();
    assert_eq!(begin_attempt(&mut journal, 2, 7), Ok(1));
}

#[test]
fn resend_is_limited_in_time_and_number() {
    let (_dir, mut journal) = new_journal();
    prepare_and_attempt(&mut journal, 1, 100, timed_out());
    assert_eq!(
        begin_attempt(&mut journal, 1, 572),
        Err(NotDone::Blocked(Blocker::Window(NoSend::WindowOver)))
    );
    for at in 2..5 {
        make_attempt(&mut journal, 1, at, Class::DefiniteNo);
    }
    assert_eq!(
        begin_attempt(&mut journal, 1, 5),
        Err(NotDone::Blocked(Blocker::Window(NoSend::TooManySends)))
    );
    assert_eq!(get(&mut journal, 1).attempts.len(), 4);
}

#[test]
fn unauthorized_attempt_also_starts_the_window() {
    let (_dir, mut journal) = new_journal();
    prepare_and_attempt(&mut journal, 1, 100, Class::Unauthorized);
    assert_eq!(
        begin_attempt(&mut journal, 1, 572),
        Err(NotDone::Blocked(Blocker::Window(NoSend::WindowOver)))
    );
    make_attempt(&mut journal, 1, 571, Class::NotSent(NotSent::Dns));
    assert_eq!(state(&get(&mut journal, 1), 572), "prepared");
    journal
        .decide(key(1), Decision::Discarded, &clocks(572), &WINDOW)
        .unwrap();
}

/// Begins an attempt of withdrawal 1. A resend must wait 30 seconds after the previous attempt.
fn begin_waiting(journal: &mut MoneyJournal, at: i64) -> Result<u32, NotDone> {
    let lock = journal.lock(key(1)).unwrap();
    journal
        .begin(lock, key(1), None, &clocks(at), &WINDOW_WITH_WAIT)
        .map(|permit| permit.n())
}

#[test]
fn resend_is_refused_until_the_wait_is_over() {
    let too_soon = |seconds| {
        Err(NotDone::Blocked(Blocker::TooSoon {
            wait: std::time::Duration::from_secs(seconds),
        }))
    };
    let (dir, mut journal) = new_journal();
    prepare_and_attempt(&mut journal, 1, 100, timed_out());
    assert_eq!(begin_waiting(&mut journal, 1), too_soon(30));
    assert_eq!(begin_waiting(&mut journal, 30), too_soon(1));
    assert_eq!(journal.verify(), Ok(3), "nothing was written");
    assert_eq!(begin_waiting(&mut journal, 31), Ok(2));
    // The process died during this attempt. The attempt counts as ended at its deadline.
    assert_eq!(begin_waiting(&mut open(dir.path()), 90), too_soon(1));
    assert_eq!(begin_waiting(&mut open(dir.path()), 91), Ok(3));
}

#[test]
fn unsent_or_unauthorized_is_resent_without_wait() {
    for class in [Class::NotSent(NotSent::Dns), Class::Unauthorized] {
        let (_dir, mut journal) = new_journal();
        prepare_and_attempt(&mut journal, 1, 100, class);
        assert_eq!(begin_waiting(&mut journal, 1), Ok(2));
    }
}

#[test]
fn decided_withdrawal_is_never_sent() {
    let (_dir, mut journal) = new_journal();
    prepare_and_attempt(&mut journal, 1, 100, confirmed());
    prepare_and_attempt(&mut journal, 2, 200, Class::DefiniteNo);
    journal.prepare(agreement(3, 300), None).unwrap();
    journal
        .decide(key(3), Decision::Discarded, &clocks(4), &WINDOW)
        .unwrap();
    prepare_and_attempt(&mut journal, 4, 400, timed_out());
    journal
        .decide(key(4), Decision::StatedNotPaid, &clocks(900), &WINDOW)
        .unwrap();
    for n in 1..5 {
        assert_eq!(
            begin_attempt(&mut journal, n, 5),
            Err(NotDone::Blocked(Blocker::State)),
            "{n}"
        );
    }
    assert_eq!(
        begin_attempt(&mut journal, 9, 5),
        Err(NotDone::Blocked(Blocker::NoSuchKey))
    );
}

#[test]
fn allowed_decisions_depend_on_the_state() {
    use Decision::{Discarded, FoundPaid, StatedNotPaid};
    type Make = fn(&mut MoneyJournal);
    let cases: [(&str, Make, i64, &[Decision]); 10] = [
        (
            "prepared",
            |j| drop(j.prepare(agreement(1, 100), None)),
            2,
            &[Discarded],
        ),
        (
            "prepared",
            |j| prepare_and_attempt(j, 1, 100, Class::Unauthorized),
            2,
            &[Discarded],
        ),
        (
            "unknown",
            |j| prepare_and_attempt(j, 1, 100, timed_out()),
            2,
            &[FoundPaid],
        ),
        (
            "needs-person",
            |j| prepare_and_attempt(j, 1, 100, timed_out()),
            900,
            &[FoundPaid, StatedNotPaid],
        ),
        (
            "needs-person",
            |j| prepare_and_attempt(j, 1, 100, Class::Redirected),
            2,
            &[FoundPaid, StatedNotPaid],
        ),
        (
            "needs-person",
            |j| prepare_and_attempt(j, 1, 100, Class::KeyReused),
            2,
            &[FoundPaid, StatedNotPaid],
        ),
        (
            "needs-person",
            |j| prepare_and_attempt(j, 1, 100, says_failed()),
            2,
            &[FoundPaid, StatedNotPaid],
        ),
        (
            "mismatch",
            |j| prepare_and_attempt(j, 1, 100, wrong_destination()),
            2,
            &[FoundPaid, StatedNotPaid],
        ),
        (
            "accepted",
            |j| prepare_and_attempt(j, 1, 100, confirmed()),
            2,
            &[],
        ),
        (
            "rejected",
            |j| prepare_and_attempt(j, 1, 100, Class::DefiniteNo),
            2,
            &[],
        ),
    ];
    for (name, prepare_state, at, allowed) in cases {
        for decision in [Discarded, FoundPaid, StatedNotPaid] {
            let (dir, mut journal) = new_journal();
            prepare_state(&mut journal);
            assert_eq!(state(&get(&mut journal, 1), at), name);
            let result = journal.decide(key(1), decision, &clocks(at), &WINDOW);
            if allowed.contains(&decision) {
                assert!(result.is_ok(), "{name} {decision:?}");
                let again = journal.decide(key(1), decision, &clocks(at), &WINDOW);
                assert_eq!(again, Err(NotDone::Blocked(Blocker::State)));
                assert!(
                    get(&mut open(dir.path()), 1)
                        .state(&clocks(at), &WINDOW, false)
                        .is_decided()
                );
            } else {
                assert_eq!(
                    result,
                    Err(NotDone::Blocked(Blocker::State)),
                    "{name} {decision:?}"
                );
            }
        }
    }
}

#[test]
fn attempt_in_flight_blocks_decisions() {
    let (_dir, mut journal) = new_journal();
    journal.prepare(agreement(1, 100), None).unwrap();
    let lock = journal.lock(key(1)).unwrap();
    let permit = journal
        .begin(lock, key(1), None, &clocks(2), &WINDOW)
        .unwrap();
    let later = clocks(900);
    for decision in [
        Decision::Discarded,
        Decision::FoundPaid,
        Decision::StatedNotPaid,
    ] {
        assert_eq!(
            journal.decide(key(1), decision, &later, &WINDOW),
            Err(NotDone::Blocked(Blocker::Busy))
        );
    }
    assert_eq!(journal.in_flight(&account("ana")), Ok(Some(key(1))));
    drop(permit);
    assert_eq!(journal.in_flight(&account("ana")), Ok(None));
    assert!(
        journal
            .decide(key(1), Decision::StatedNotPaid, &later, &WINDOW)
            .is_ok()
    );
}

#[test]
fn found_paid_decision_resolves_as_paid() {
    let (_dir, mut journal) = new_journal();
    prepare_and_attempt(&mut journal, 1, 100, timed_out());
    journal
        .decide(key(1), Decision::FoundPaid, &clocks(2), &WINDOW)
        .unwrap();
    let found = get(&mut journal, 1);
    assert_eq!(
        found.state(&clocks(3), &WINDOW, false),
        WithdrawalState::ResolvedPaid
    );
    assert_eq!(found.decision, Some((Decision::FoundPaid, Wall(2_000))));
}

#[test]
fn list_order_is_open_then_prepared_then_newest() {
    let (dir, mut journal) = new_journal();
    prepare_and_attempt(&mut journal, 1, 123_456, confirmed());
    prepare_and_attempt(&mut journal, 2, 200, Class::DefiniteNo);
    journal.prepare(agreement(3, 300), None).unwrap();
    prepare_and_attempt(&mut journal, 4, 400, confirmed());
    prepare_and_attempt(&mut journal, 5, 500, timed_out());
    let keys = |numbers: &[u128]| numbers.iter().map(|n| key(*n)).collect::<Vec<_>>();
    for mut journal in [journal, open(dir.path())] {
        assert_eq!(search_keys(&mut journal, ""), keys(&[5, 3, 4, 2, 1]));
        // Results are sorted like the whole list.
        assert_eq!(search_keys(&mut journal, "ana@"), keys(&[5, 3, 4, 2, 1]));
        // State words such as "accepted" are translated, so the searchable text omits them.
        assert_eq!(search_keys(&mut journal, "accepted"), keys(&[]));
        assert_eq!(search_keys(&mut journal, "1.234,56"), keys(&[1]));
        assert_eq!(search_keys(&mut journal, "R$ 1234,56 ÁNA@"), keys(&[1]));
        assert_eq!(search_keys(&mut journal, "000000000005"), keys(&[5]));
        assert_eq!(search_keys(&mut journal, "nobody"), keys(&[]));
        let page = journal.page(Some(&account("ana")), "", 1, 2).unwrap();
        assert_eq!((page.total, page.first, page.rows.len()), (Some(5), 1, 2));
        assert_eq!(page.rows[0].agreement.key, key(3));
        assert_eq!(
            journal.page(Some(&account("bia")), "", 0, 9).unwrap().total,
            Some(0)
        );
        assert_eq!(journal.open_withdrawals().unwrap().len(), 1);
    }
}

#[test]
fn paid_destinations_and_similar_decided_are_found() {
    let (_dir, mut journal) = new_journal();
    prepare_and_attempt(&mut journal, 1, 100, confirmed());
    prepare_and_attempt(&mut journal, 2, 200, confirmed());
    prepare_and_attempt(&mut journal, 3, 300, Class::DefiniteNo);
    let ana = account("ana");
    let destinations = journal.destinations(&ana, 9).unwrap();
    assert_eq!((destinations.len(), destinations[0].count), (1, 2));
    assert_eq!(destinations[0].last, Wall(2_000));
    let destination = agreement(1, 1).destination;
    let mut similar = |centavos, since: i64| {
        let amount = Money::from_centavos(centavos);
        let now = Wall(since + 24 * 60 * 60 * 1_000);
        let found = journal
            .similar_decided(amount, destination.as_ref(), now)
            .unwrap();
        found.first().map(|withdrawal| withdrawal.agreement.key)
    };
    assert_eq!(similar(100, 1_000), Some(key(1)));
    assert_eq!(similar(100, 1_001), None);
    assert_eq!(similar(300, 0), Some(key(3)));
    assert_eq!(similar(400, 0), None);
}

#[test]
fn destinations_are_sorted_by_use_until_purged() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = open(dir.path());
    let mut other = open(dir.path());
    let day = 24 * 60 * 60;
    let mut pay = |n: u128, to: &str, at: i64| {
        let destination = PixKey::parse(PixKeyKind::Email, to).unwrap();
        let agreed = clocks(at);
        let agreement_to = Agreement {
            destination: Some(destination),
            agreed,
            ..agreement(n, 100 + n as i64)
        };
        journal.prepare(agreement_to, None).unwrap();
        make_attempt(&mut journal, n, at, confirmed());
    };
    for (n, destination, at) in [
        (1, "old@a.br", 1),
        (2, "one@a.br", 5 * day),
        (3, "two@a.br", 6 * day),
    ] {
        pay(n, destination, at);
    }
    pay(4, "two@a.br", 7 * day);
    pay(5, "late@a.br", 7 * day + 1);
    let ana = account("ana");
    let destination_texts = |journal: &mut MoneyJournal, limit| -> Vec<String> {
        let destinations = journal.destinations(&ana, limit).unwrap();
        destinations
            .iter()
            .map(|known| known.key.as_str().to_owned())
            .collect()
    };
    assert_eq!(
        destination_texts(&mut other, 9),
        ["two@a.br", "late@a.br", "one@a.br", "old@a.br"]
    );
    assert_eq!(destination_texts(&mut other, 2), ["two@a.br", "late@a.br"]);
    let two = PixKey::parse(PixKeyKind::Email, "two@a.br").unwrap();
    let known = other.destination(&ana, &two).unwrap().unwrap();
    assert_eq!((known.count, known.last), (2, Wall(7 * day * 1_000)));
    assert_eq!(other.destination(&account("bia"), &two).unwrap(), None);
    // Another process deleted this destination, so this process omits it too.
    journal
        .purge(Wall(2 * day * 1_000), Wall(9 * day * 1_000))
        .unwrap();
    for journal in [&mut journal, &mut other] {
        assert_eq!(
            destination_texts(journal, 9),
            ["two@a.br", "late@a.br", "one@a.br"]
        );
    }
}

#[test]
fn rows_are_found_by_label_and_by_time() {
    let (_dir, mut journal) = new_journal();
    prepare_and_attempt(&mut journal, 1, 100, confirmed());
    prepare_and_attempt(&mut journal, 2, 200, Class::DefiniteNo);
    prepare_and_attempt(&mut journal, 3, 300, timed_out());
    journal
        .decide(key(3), Decision::FoundPaid, &clocks(2), &WINDOW)
        .unwrap();
    prepare_and_attempt(&mut journal, 4, 400, Class::KeyReused);
    journal
        .decide(key(4), Decision::StatedNotPaid, &clocks(2), &WINDOW)
        .unwrap();
    journal.prepare(agreement(5, 500), None).unwrap();
    journal
        .decide(key(5), Decision::Discarded, &clocks(2), &WINDOW)
        .unwrap();
    journal.prepare(agreement(6, 600), None).unwrap();
    prepare_and_attempt(&mut journal, 7, 700, timed_out());
    let mut found = |term: Term, and: &str| {
        let terms = [vec![term], Search::from(and).terms].concat();
        let search = Search {
            terms,
            utc_offset_s: 3_600,
            ..Search::default()
        };
        let page = journal.page(None, search, 0, 100).unwrap();
        page.rows
            .iter()
            .map(|one| one.agreement.key)
            .collect::<Vec<_>>()
    };
    let by_labels = |labels| Term {
        text: "no such text".into(),
        labels,
        ..Term::default()
    };
    for (one, n) in [
        (RowLabel::Accepted, 1),
        (RowLabel::Rejected, 2),
        (RowLabel::FoundPaid, 3),
        (RowLabel::StatedNotPaid, 4),
        (RowLabel::Discarded, 5),
        (RowLabel::Prepared, 6),
    ] {
        assert_eq!(found(by_labels(vec![one]), ""), [key(n)], "{one:?}");
    }
    let accepted_or_rejected = || by_labels(vec![RowLabel::Accepted, RowLabel::Rejected]);
    assert_eq!(found(accepted_or_rejected(), ""), [key(2), key(1)]);
    assert_eq!(found(accepted_or_rejected(), "2,00"), [key(2)]);
    assert_eq!(found(by_labels(vec![]), ""), []);
    let kind = agreement(1, 100).destination.map(|to| to.kind());
    let to = by_labels(vec![kind.map_or(RowLabel::OnFile, RowLabel::To)]);
    assert_eq!(found(to, "").len(), 7);
    assert_eq!(
        found(by_labels(vec![RowLabel::To(PixKeyKind::Cnpj)]), ""),
        []
    );
    let open = Term {
        text: "no such text".into(),
        open: vec![key(7)],
        ..Term::default()
    };
    assert_eq!(found(open, ""), [key(7)]);
    let ours = agreement(1, 100);
    let mut theirs = agreement(1, 100);
    theirs.account.identity = "bia@loja.example".into();
    let by_nickname = |by: Agreement| Term {
        text: "no such text".into(),
        destinations: [(by.destination.unwrap(), vec![by.account.normalized()])].into(),
        ..Term::default()
    };
    assert_eq!(found(by_nickname(ours), "7,00"), [key(7)]);
    assert_eq!(
        found(by_nickname(theirs), ""),
        [],
        "a nickname is of the account that gave it"
    );
    let by_time = |moments| Term {
        text: "?".into(),
        moments: vec![moments],
        ..Term::default()
    };
    // At a UTC offset of one hour, the local time of all these withdrawals is shortly after 01:00.
    assert_eq!(
        found(by_time(TimeMatch::Contains("01/01/1970 01:0".into())), "").len(),
        7
    );
    assert_eq!(
        found(by_time(TimeMatch::StartsWith("01/01".into())), "7,00"),
        [key(7)]
    );
    assert_eq!(found(by_time(TimeMatch::StartsWith("/01".into())), ""), []);
    let mut found_by = |reading| {
        let search = Search {
            reading,
            utc_offset_s: -3_600,
            ..Search::default()
        };
        journal.page(None, search, 0, 100).unwrap().rows.len()
    };
    // At a UTC offset of minus one hour, the local day is the one before.
    for (day, count) in [(-1, 7), (0, 0)] {
        let period = Period {
            first: day,
            last: day,
        };
        let reading = Reading {
            period: Some(period),
            ..Reading::default()
        };
        assert_eq!(found_by(reading), count, "{day}");
    }
    let bound = |centavos, is_included| {
        Some(AmountBound {
            amount: Money::from_centavos(centavos),
            is_included,
        })
    };
    let amounts = AmountRange {
        min: bound(200, false),
        max: bound(500, true),
    };
    let reading = Reading {
        amounts,
        ..Reading::default()
    };
    assert_eq!(found_by(reading), 3);
}
