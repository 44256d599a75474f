//! Tests of changes made by another window (instance of the program): they are loaded when a
//! notification arrives, never by polling.

use super::*;
use crate::app::screens::withdrawals::Details;
use crate::app::store::withdrawals::rules;

/// Answers the running request for the list of withdrawals.
fn is_told(counter: &mut Counter, known: Snapshot) {
    let ticket = counter.model.withdrawals.list.asked.expect("a reload is under way");
    counter.tell(Msg::WithdrawalsLoaded { ticket, result: Ok(known) });
}

fn known(all: &[&Withdrawal]) -> Snapshot {
    snapshot(all.iter().map(|one| (*one).clone()).collect())
}

#[test]
fn sending_in_other_window_shown_and_nothing_offered() {
    let mut counter = Counter::open();
    let (old, other) = (unknown(7, 100, &counter.now), unknown(8, 200, &counter.now));
    counter.has_open(vec![old.clone(), other.clone()]);
    counter.keys("3 Enter");
    let wanted = counter.tell(Msg::JournalChanged);
    assert!(matches!(wanted[..], [Effect::Money(MoneyCommand::Load(_))]), "{wanted:?}");
    let sent = on_its_way(&old, &counter.now);
    let elsewhere = Snapshot {
        elsewhere: vec![key(7)],
        changed: vec![sent.clone()],
        ..known(&[&sent, &other])
    };
    is_told(&mut counter, elsewhere);
    let Layer::Withdrawal(shown) = counter.top() else { panic!("{:?}", counter.top()) };
    assert_eq!(counter.model.state_of(&shown.withdrawal), WithdrawalState::Sending(2));
    assert!(counter.model.is_sent_elsewhere(key(7)));
    assert_eq!(rules::with_withdrawal(&counter.model, &shown.withdrawal), [Action::Copy]);
    // Looking for the withdrawal in the account is always safe.
    let offered = rules::with_withdrawal(&counter.model, &other);
    assert_eq!(offered, [Action::Check, Action::Copy]);
    let mut theirs = other;
    theirs.agreement.account.identity = "bia@loja.example".into();
    assert!(rules::with_withdrawal(&counter.model, &theirs).contains(&Action::Found));
    assert_eq!(counter.resends(), vec![]);
    counter.passes(400);
    counter.model.now = counter.now.clone();
    assert_eq!(
        next_deadline(&counter.model),
        Some(Duration::from_millis(600)),
        "its time is counted"
    );
    // The other window is sending the withdrawal, so this window quits without a question.
    counter.keys("Ctrl-C");
    assert!(counter.model.leaving);
}

#[test]
fn unknown_and_resendable_after_other_window_closes() {
    let mut counter = Counter::open();
    let sent = on_its_way(&unknown(7, 100, &counter.now), &counter.now);
    counter.has_open(vec![sent.clone()]);
    counter.keys("3 Enter");
    counter.tell(Msg::JournalChanged);
    is_told(&mut counter, Snapshot { elsewhere: vec![key(7)], ..known(&[&sent]) });
    counter.tell(Msg::JournalChanged);
    is_told(&mut counter, known(&[&sent]));
    let Layer::Withdrawal(shown) = counter.top() else { panic!("{:?}", counter.top()) };
    assert_eq!(counter.model.state_of(&shown.withdrawal), WithdrawalState::Unknown);
    assert_eq!(counter.resends(), attempt(key(7)));
}

#[test]
fn outcome_changed_by_other_window_clears_trouble() {
    let mut counter = Counter::open();
    let sent = counter.sends("10010");
    let trouble = Failure::NotSent(NotSent::Busy);
    let withdrawal = Some(Box::new(sent.clone()));
    counter.tell(Msg::AttemptTrouble { key: sent.agreement.key, withdrawal, trouble });
    let accepted = attempted(&sent, &counter.now, ACCEPTED);
    counter.tell(Msg::JournalChanged);
    is_told(&mut counter, Snapshot { changed: vec![sent.clone()], ..known(&[]) });
    let shown = |counter: &Counter| match counter.top() {
        Layer::Withdraw(Flow::Outcome(outcome)) => Details::clone(outcome),
        other => panic!("{other:?}"),
    };
    assert!(shown(&counter).trouble.is_some(), "nothing happened to it");
    counter.tell(Msg::JournalChanged);
    is_told(&mut counter, Snapshot { changed: vec![accepted.clone()], ..known(&[]) });
    assert_eq!(shown(&counter).withdrawal, accepted);
    assert!(shown(&counter).trouble.is_none());
}

#[test]
fn withdrawal_sent_here_stays_in_front_on_reload() {
    let mut counter = Counter::open();
    let sent = counter.sends("10010");
    let running = on_its_way(&sent, &counter.now);
    counter.tell(Msg::JournalChanged);
    is_told(&mut counter, Snapshot { changed: vec![running.clone()], ..known(&[&running]) });
    assert!(matches!(counter.top(), Layer::Withdraw(Flow::Sending { .. })));
}

#[test]
fn open_review_rechecked_and_briefly_disabled() {
    let mut counter = Counter::open();
    let agreement = counter.reviews("10010");
    assert!(counter.review().may_confirm(counter.now.boot_ms, counter.now.wall));
    let wanted = counter.tell(Msg::JournalChanged);
    let [Effect::Money(MoneyCommand::Load(_)), Effect::Money(MoneyCommand::LookUpPast(asked))] =
        &wanted[..]
    else {
        panic!("{wanted:?}")
    };
    assert_eq!(**asked, agreement);
    counter.is_reviewed(agreement.key);
    assert!(!counter.review().may_confirm(counter.now.boot_ms, counter.now.wall));
}

#[test]
fn cursor_stays_on_row_when_other_window_adds_one() {
    let mut counter = Counter::open();
    let named = |id: u64| PaymentLink { id: RowId(id as _), ..link("https://loja.example/x") };
    counter.has_links(vec![named(2), named(1)]);
    counter.keys("Down");
    let wanted = counter.tell(Msg::HistoryChanged);
    assert!(matches!(wanted[..], [Effect::ReadNicknames, Effect::LoadLinks(_)]), "{wanted:?}");
    let ticket = counter.ticket();
    let rows: Vec<PaymentLink> = vec![named(3), named(2), named(1)];
    let page = ListPage { total: Some(3), rows: rows.into(), first: 0 };
    counter.tell(Msg::LinksLoaded {
        ticket,
        result: Ok(LinksRead { page: page.clone(), ..LinksRead::default() }),
    });
    assert_eq!(counter.model.links.list.selected().map(|link| link.id), Some(RowId(1)));
    // After a manual refresh the cursor stays at its position on the screen.
    let Some([Effect::LoadLinks(ask)]) = counter.keys("r").first_chunk::<1>().cloned() else {
        panic!("no reload")
    };
    let page = ListPage { rows: page.rows.iter().rev().cloned().collect(), ..page };
    counter.tell(Msg::LinksLoaded {
        ticket: ask.ticket,
        result: Ok(LinksRead { page, ..LinksRead::default() }),
    });
    assert_eq!(counter.model.links.list.cursor, 2);
    // A pane that is not shown loads its list when it is shown next.
    counter.keys("3");
    assert_eq!(counter.tell(Msg::HistoryChanged), vec![Effect::ReadNicknames]);
}

#[test]
fn cursor_moves_to_new_link_unless_not_listed() {
    let named = |id: u64| PaymentLink { id: RowId(id as _), ..link("https://loja.example/x") };
    let after = |rows: Vec<PaymentLink>| {
        let mut counter = Counter::open();
        counter.has_links(vec![named(2), named(1)]);
        counter.keys("Down");
        let (ticket, _) = counter.asks_for_link();
        let wanted = counter.tell(Msg::LinkMade { ticket, result: Ok(named(4)) });
        let [Effect::LoadLinks(ask), ..] = &wanted[..] else { panic!("{wanted:?}") };
        let page = page_of(rows);
        let result = Ok(LinksRead { page, ..LinksRead::default() });
        counter.tell(Msg::LinksLoaded { ticket: ask.ticket, result });
        counter.model.links.list.selected().map(|link| link.id)
    };
    // Another window created link 5.
    assert_eq!(after([5, 4, 2, 1].map(named).into()), Some(RowId(4)));
    // The filter hides the new link and shows link 3, which another window marked.
    assert_eq!(after([3, 2, 1].map(named).into()), Some(RowId(1)));
}

#[test]
fn cursor_follows_sent_withdrawal_until_moved() {
    let after = |keys: &str| {
        let mut counter = Counter::open();
        let old = [7, 8].map(|n| attempted(&unknown(n, 100, &counter.now), &counter.now, LOST));
        counter.keys("3");
        let told = known(&[&old[0], &old[1]]);
        counter.tell(Msg::JournalChanged);
        is_told(&mut counter, Snapshot { open: vec![], ..told });
        counter.keys("Down");
        let sent = counter.sends("10010");
        let began = counter.tell(Msg::AttemptBegan { key: sent.agreement.key, n: 1 });
        assert!(matches!(began[..], [Effect::Money(MoneyCommand::Load(_))]), "{began:?}");
        is_told(&mut counter, Snapshot { open: vec![], ..known(&[&sent, &old[0], &old[1]]) });
        counter.keys(keys);
        let class = ACCEPTED;
        let settled = attempted(&sent, &counter.now.clone(), class);
        counter.tell(Msg::Settled(Box::new(settled.clone())));
        is_told(&mut counter, Snapshot { open: vec![], ..known(&[&settled, &old[0], &old[1]]) });
        let on = counter.model.withdrawals.list.selected().map(|on| on.agreement.key);
        (on == Some(settled.agreement.key), on == Some(old[1].agreement.key))
    };
    assert_eq!(after(""), (true, false));
    // If the seller closes the screen while the withdrawal is being sent, the cursor moves to the
    // sent withdrawal.
    assert_eq!(after("Esc"), (true, false));
    assert_eq!(after("Esc Down Down"), (false, true));
}

#[test]
fn not_watching_reported_and_continue_redraws() {
    let mut counter = Counter::open();
    assert_eq!(counter.tell(Msg::NotWatching("no".into())), vec![]);
    let said = counter.model.notice.clone();
    assert_eq!(said, Some(Notice::WithDetail("said-not-watching", "no".into())));
    assert_eq!(counter.tell(Msg::Continued), vec![Effect::Redraw]);
}

#[test]
fn opened_journal_clears_only_temporary_trouble() {
    use crate::trade::{JournalTrouble, VaultTrouble};
    let doubt = JournalTrouble::MaybeMissing(VaultTrouble::Locked);
    let full = JournalTrouble::Full("no room".into());
    let held = JournalTrouble::Busy("by a backup".into());
    for (trouble, after) in [(doubt, None), (held, None), (full.clone(), Some(full))] {
        let mut counter = Counter::open();
        counter.tell(Msg::JournalChanged);
        is_told(&mut counter, Snapshot { locked: Some(trouble.clone()), ..known(&[]) });
        assert_eq!(counter.model.withdrawals.trouble, Some(trouble.clone()));
        // Load the list again while the journal's error persists.
        counter.tell(Msg::JournalChanged);
        is_told(&mut counter, Snapshot { locked: Some(trouble), ..known(&[]) });
        counter.keys("3");
        assert!(!counter.offers(Action::New));
        let wanted = counter.keys("r");
        assert!(matches!(wanted[..], [Effect::Money(MoneyCommand::Load(_))]), "{wanted:?}");
        is_told(&mut counter, known(&[]));
        assert_eq!(counter.model.withdrawals.trouble, after);
        assert_eq!(counter.offers(Action::New), after.is_none());
    }
}

#[test]
fn stale_trouble_answer_locks_nothing() {
    let mut counter = Counter::open();
    counter.has_open(vec![]);
    counter.keys("3 r");
    let old = counter.ticket();
    counter.keys("r");
    let trouble = || Err(JournalTrouble::Io("x".into()));
    counter.tell(Msg::WithdrawalsLoaded { ticket: old, result: trouble() });
    assert_eq!(counter.model.withdrawals.trouble, None);
    assert!(counter.model.withdrawals.was_read);
    let ticket = counter.ticket();
    counter.tell(Msg::WithdrawalsLoaded { ticket, result: trouble() });
    assert!(counter.model.withdrawals.trouble.is_some() && !counter.model.withdrawals.was_read);
}

#[test]
fn moved_history_reported_and_its_path_kept() {
    let mut counter = Counter::open();
    assert_eq!(counter.tell(Msg::HistoryMovedAside("/srv/h.db".into())), vec![]);
    let said = counter.model.notice.clone();
    assert_eq!(said, Some(Notice::warn("said-history-anew")));
    counter.keys("6 1");
    assert_eq!(counter.model.notice, None);
    assert_eq!(counter.model.history_aside, Some("/srv/h.db".into()));
}

#[test]
fn it_is_the_sandbox_once_it_is_proved_and_not_before() {
    let mut counter = Counter::closed();
    counter.model.setup.this_machine = true;
    assert!(!counter.model.sandbox);
    let live = counter.model.journal.clone();
    let wanted = counter.tell(Msg::Proven { sandbox: false, journal: live.clone() });
    assert_eq!((wanted, counter.model.sandbox, &counter.model.journal), (vec![], false, &live));
    let journal = "/srv/balcao/sandbox/http-127.0.0.1-8787";
    let wanted = counter.tell(Msg::Proven { sandbox: true, journal: journal.into() });
    assert_eq!((wanted, counter.model.sandbox), (vec![], true));
    assert_eq!(counter.model.journal.shown(), journal);
}

#[test]
fn sandbox_without_its_proof_is_marked_for_the_run() {
    let mut counter = Counter::open();
    let journal = "/srv/balcao/sandbox/http-127.0.0.1-8787";
    counter.tell(Msg::Proven { sandbox: true, journal: journal.into() });
    let ends = |why| {
        let reply = Err(Failure::NotSent(why));
        Msg::Exchanged(Arc::new(Exchange { reply, ..exchange(Operation::Domains, 0, "") }))
    };
    counter.tell(ends(NotSent::Connect));
    assert!(!counter.model.unproven);
    counter.tell(ends(NotSent::Unproven));
    counter.tell(ends(NotSent::Connect));
    assert!(counter.model.unproven);
    assert_eq!(counter.model.journal.shown(), journal, "the journal stays what it was");
}

#[test]
fn network_disk_blocks_new_but_not_open_withdrawals() {
    let mut counter = Counter::open();
    let open = unknown(7, 500, &counter.now);
    counter.tell(Msg::JournalChanged);
    is_told(&mut counter, Snapshot { network: Some("NFS"), ..known(&[&open]) });
    assert_eq!(counter.model.withdrawals.trouble, None, "nothing else is locked");
    let offered = rules::with_withdrawal(&counter.model, &open);
    assert!(offered.contains(&Action::Send) && offered.contains(&Action::Found), "{offered:?}");
    counter.types_withdrawal("10010");
    counter.is_quoted();
    assert_eq!(counter.keys("Ctrl-S"), vec![]);
    let network = JournalTrouble::Network("NFS".into());
    assert_eq!(counter.draft().refused, Some(Refused::Journal(network)));
    // The seller moved the journal to a local disk and restarted the app.
    counter.tell(Msg::JournalChanged);
    is_told(&mut counter, known(&[]));
    counter.submits();
}
