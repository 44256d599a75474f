//! Tests of changes by another window (a second instance of the app). A notification triggers the
//! loading of such changes; the app never polls.

use super::*;
use crate::app::screens::withdrawals::Details;
use crate::app::store::withdrawals::rules;

/// Delivers this snapshot as the reply to the running request for the list of withdrawals.
fn is_told(app: &mut App, known: Snapshot) {
    let ticket = app.model.withdrawals.list.asked.expect("a reload is under way");
    app.tell(Msg::WithdrawalsLoaded { ticket, result: Ok(known) });
}

fn known(all: &[&Withdrawal]) -> Snapshot {
    snapshot(all.iter().map(|one| (*one).clone()).collect())
}

#[test]
fn sending_in_other_window_shown_and_nothing_offered() {
    let mut app = App::open();
    let (old, other) = (unknown(7, 100, &app.now), unknown(8, 200, &app.now));
    app.has_open(vec![old.clone(), other.clone()]);
    app.keys("3 Enter");
    let wanted = app.tell(Msg::JournalChanged);
    assert!(matches!(wanted[..], [Effect::Money(MoneyCommand::Load(_))]), "{wanted:?}");
    let sent = on_its_way(&old, &app.now);
    let elsewhere = Snapshot {
        elsewhere: vec![key(7)],
        changed: vec![sent.clone()],
        ..known(&[&sent, &other])
    };
    is_told(&mut app, elsewhere);
    let Layer::Withdrawal(shown) = app.top() else { panic!("{:?}", app.top()) };
    assert_eq!(app.model.state_of(&shown.withdrawal), WithdrawalState::Sending(2));
    assert!(app.model.is_sent_elsewhere(key(7)));
    assert_eq!(rules::safe_actions(&app.model, &shown.withdrawal), [Action::Copy]);
    // The action for checking another withdrawal at the service is still offered, because it is
    // always safe.
    let offered = rules::safe_actions(&app.model, &other);
    assert_eq!(offered, [Action::Check, Action::Copy]);
    let mut theirs = other;
    theirs.agreement.account.identity = "bia@loja.example".into();
    assert!(rules::safe_actions(&app.model, &theirs).contains(&Action::Found));
    assert_eq!(app.resends(), vec![]);
    app.passes(400);
    app.model.now = app.now.clone();
    assert_eq!(next_deadline(&app.model), Some(Duration::from_millis(600)), "its time is counted");
    // The withdrawal is being sent by the other window, so this window quits without asking.
    app.keys("Ctrl-C");
    assert!(app.model.leaving);
}

#[test]
fn unknown_and_resendable_after_other_window_closes() {
    let mut app = App::open();
    let sent = on_its_way(&unknown(7, 100, &app.now), &app.now);
    app.has_open(vec![sent.clone()]);
    app.keys("3 Enter");
    app.tell(Msg::JournalChanged);
    is_told(&mut app, Snapshot { elsewhere: vec![key(7)], ..known(&[&sent]) });
    app.tell(Msg::JournalChanged);
    is_told(&mut app, known(&[&sent]));
    let Layer::Withdrawal(shown) = app.top() else { panic!("{:?}", app.top()) };
    assert_eq!(app.model.state_of(&shown.withdrawal), WithdrawalState::Unknown);
    assert_eq!(app.resends(), attempt(key(7)));
}

#[test]
fn outcome_changed_by_other_window_clears_trouble() {
    let mut app = App::open();
    let sent = app.sends("10010");
    let trouble = Failure::NotSent(NotSent::Busy);
    let withdrawal = Some(Box::new(sent.clone()));
    app.tell(Msg::AttemptTrouble { key: sent.agreement.key, withdrawal, trouble });
    let accepted = attempted(&sent, &app.now, ACCEPTED);
    app.tell(Msg::JournalChanged);
    is_told(&mut app, Snapshot { changed: vec![sent.clone()], ..known(&[]) });
    let shown = |app: &App| match app.top() {
        Layer::Withdraw(Flow::Outcome(outcome)) => Details::clone(outcome),
        other => panic!("{other:?}"),
    };
    assert!(shown(&app).trouble.is_some(), "nothing happened to it");
    app.tell(Msg::JournalChanged);
    is_told(&mut app, Snapshot { changed: vec![accepted.clone()], ..known(&[]) });
    assert_eq!(shown(&app).withdrawal, accepted);
    assert!(shown(&app).trouble.is_none());
}

#[test]
fn withdrawal_sent_here_stays_in_front_on_reload() {
    let mut app = App::open();
    let sent = app.sends("10010");
    let running = on_its_way(&sent, &app.now);
    app.tell(Msg::JournalChanged);
    is_told(&mut app, Snapshot { changed: vec![running.clone()], ..known(&[&running]) });
    assert!(matches!(app.top(), Layer::Withdraw(Flow::Sending { .. })));
}

#[test]
fn open_review_rechecked_and_briefly_disabled() {
    let mut app = App::open();
    let agreement = app.reviews("10010");
    assert!(app.review().may_confirm(app.now.boot_ms, app.now.wall));
    let wanted = app.tell(Msg::JournalChanged);
    let [Effect::Money(MoneyCommand::Load(_)), Effect::Money(MoneyCommand::LookUpPast(asked))] =
        &wanted[..]
    else {
        panic!("{wanted:?}")
    };
    assert_eq!(**asked, agreement);
    app.is_reviewed(agreement.key);
    assert!(!app.review().may_confirm(app.now.boot_ms, app.now.wall));
}

#[test]
fn cursor_stays_on_row_when_other_window_adds_one() {
    let mut app = App::open();
    let named = |id: u64| PaymentLink { id: RowId(id as _), ..link("https://loja.example/x") };
    app.has_links(vec![named(2), named(1)]);
    app.keys("Down");
    let wanted = app.tell(Msg::HistoryChanged);
    assert!(matches!(wanted[..], [Effect::ReadNicknames, Effect::LoadLinks(_)]), "{wanted:?}");
    let ticket = app.ticket();
    let rows: Vec<PaymentLink> = vec![named(3), named(2), named(1)];
    let page = ListPage { total: Some(3), rows: rows.into(), first: 0 };
    app.tell(Msg::LinksLoaded {
        ticket,
        result: Ok(LinksRead { page: page.clone(), ..LinksRead::default() }),
    });
    assert_eq!(app.model.links.list.selected().map(|link| link.id), Some(RowId(1)));
    // After a refresh by key, the cursor stays at the same position in the list.
    let Some([Effect::LoadLinks(ask)]) = app.keys("r").first_chunk::<1>().cloned() else {
        panic!("no reload")
    };
    let page = ListPage { rows: page.rows.iter().rev().cloned().collect(), ..page };
    app.tell(Msg::LinksLoaded {
        ticket: ask.ticket,
        result: Ok(LinksRead { page, ..LinksRead::default() }),
    });
    assert_eq!(app.model.links.list.cursor, 2);
    // The list of a hidden pane is loaded only when the pane is shown again.
    app.keys("3");
    assert_eq!(app.tell(Msg::HistoryChanged), vec![Effect::ReadNicknames]);
}

#[test]
fn cursor_moves_to_new_link_unless_not_listed() {
    let named = |id: u64| PaymentLink { id: RowId(id as _), ..link("https://loja.example/x") };
    let after = |rows: Vec<PaymentLink>| {
        let mut app = App::open();
        app.has_links(vec![named(2), named(1)]);
        app.keys("Down");
        let (ticket, _) = app.asks_for_link();
        let wanted = app.tell(Msg::LinkMade { ticket, result: Ok(named(4)) });
        let [Effect::LoadLinks(ask), ..] = &wanted[..] else { panic!("{wanted:?}") };
        let page = page_of(rows);
        let result = Ok(LinksRead { page, ..LinksRead::default() });
        app.tell(Msg::LinksLoaded { ticket: ask.ticket, result });
        app.model.links.list.selected().map(|link| link.id)
    };
    // Another window created link 5.
    assert_eq!(after([5, 4, 2, 1].map(named).into()), Some(RowId(4)));
    // The filter hides link 5. It now shows link 3, because another window marked link 3 as paid.
    assert_eq!(after([3, 2, 1].map(named).into()), Some(RowId(1)));
}

#[test]
fn cursor_follows_sent_withdrawal_until_moved() {
    let after = |keys: &str| {
        let mut app = App::open();
        let old = [7, 8].map(|n| attempted(&unknown(n, 100, &app.now), &app.now, LOST));
        app.keys("3");
        let told = known(&[&old[0], &old[1]]);
        app.tell(Msg::JournalChanged);
        is_told(&mut app, Snapshot { open: vec![], ..told });
        app.keys("Down");
        let sent = app.sends("10010");
        let began = app.tell(Msg::AttemptBegan { key: sent.agreement.key, n: 1 });
        assert!(matches!(began[..], [Effect::Money(MoneyCommand::Load(_))]), "{began:?}");
        is_told(&mut app, Snapshot { open: vec![], ..known(&[&sent, &old[0], &old[1]]) });
        app.keys(keys);
        let class = ACCEPTED;
        let settled = attempted(&sent, &app.now.clone(), class);
        app.tell(Msg::Settled(Box::new(settled.clone())));
        is_told(&mut app, Snapshot { open: vec![], ..known(&[&settled, &old[0], &old[1]]) });
        let on = app.model.withdrawals.list.selected().map(|on| on.agreement.key);
        (on == Some(settled.agreement.key), on == Some(old[1].agreement.key))
    };
    assert_eq!(after(""), (true, false));
    // If the seller closes the screen while the withdrawal is being sent, the cursor moves to its
    // row.
    assert_eq!(after("Esc"), (true, false));
    assert_eq!(after("Esc Down Down"), (false, true));
}

#[test]
fn not_watching_reported_and_continue_redraws() {
    let mut app = App::open();
    assert_eq!(app.tell(Msg::NotWatching("no".into())), vec![]);
    let said = app.model.notice.clone();
    assert_eq!(said, Some(Notice::WithDetail("said-not-watching", "no".into())));
    assert_eq!(app.tell(Msg::Continued), vec![Effect::Redraw]);
}

#[test]
fn opened_journal_clears_only_temporary_trouble() {
    use crate::trade::{JournalTrouble, VaultTrouble};
    let doubt = JournalTrouble::MaybeMissing(VaultTrouble::Locked);
    let full = JournalTrouble::Full("no room".into());
    let held = JournalTrouble::Busy("by a backup".into());
    for (trouble, after) in [(doubt, None), (held, None), (full.clone(), Some(full))] {
        let mut app = App::open();
        app.tell(Msg::JournalChanged);
        is_told(&mut app, Snapshot { locked: Some(trouble.clone()), ..known(&[]) });
        assert_eq!(app.model.withdrawals.trouble, Some(trouble.clone()));
        // The list is loaded again while the journal still has the error.
        app.tell(Msg::JournalChanged);
        is_told(&mut app, Snapshot { locked: Some(trouble), ..known(&[]) });
        app.keys("3");
        assert!(!app.offers(Action::New));
        let wanted = app.keys("r");
        assert!(matches!(wanted[..], [Effect::Money(MoneyCommand::Load(_))]), "{wanted:?}");
        is_told(&mut app, known(&[]));
        assert_eq!(app.model.withdrawals.trouble, after);
        assert_eq!(app.offers(Action::New), after.is_none());
    }
}

#[test]
fn stale_trouble_answer_locks_nothing() {
    let mut app = App::open();
    app.has_open(vec![]);
    app.keys("3 r");
    let old = app.ticket();
    app.keys("r");
    let trouble = || Err(JournalTrouble::Io("x".into()));
    app.tell(Msg::WithdrawalsLoaded { ticket: old, result: trouble() });
    assert_eq!(app.model.withdrawals.trouble, None);
    assert!(app.model.withdrawals.was_read);
    let ticket = app.ticket();
    app.tell(Msg::WithdrawalsLoaded { ticket, result: trouble() });
    assert!(app.model.withdrawals.trouble.is_some() && !app.model.withdrawals.was_read);
}

#[test]
fn moved_history_reported_and_its_path_kept() {
    let mut app = App::open();
    assert_eq!(app.tell(Msg::HistoryMovedAside("/srv/h.db".into())), vec![]);
    let said = app.model.notice.clone();
    assert_eq!(said, Some(Notice::warn("said-history-anew")));
    app.keys("6 1");
    assert_eq!(app.model.notice, None);
    assert_eq!(app.model.history_aside, Some("/srv/h.db".into()));
}

#[test]
fn it_is_the_sandbox_once_it_is_proved_and_not_before() {
    let mut app = App::closed();
    app.model.setup.this_machine = true;
    assert!(!app.model.sandbox);
    let live = app.model.journal.clone();
    let wanted = app.tell(Msg::Proven { sandbox: false, journal: live.clone() });
    assert_eq!((wanted, app.model.sandbox, &app.model.journal), (vec![], false, &live));
    let journal = "/srv/balcao/sandbox/http-127.0.0.1-8787";
    let wanted = app.tell(Msg::Proven { sandbox: true, journal: journal.into() });
    assert_eq!((wanted, app.model.sandbox), (vec![], true));
    assert_eq!(app.model.journal.shown(), journal);
}

#[test]
fn sandbox_without_its_proof_is_marked_for_the_run() {
    let mut app = App::open();
    let journal = "/srv/balcao/sandbox/http-127.0.0.1-8787";
    app.tell(Msg::Proven { sandbox: true, journal: journal.into() });
    let ends = |why| {
        let reply = Err(Failure::NotSent(why));
        Msg::Exchanged(Arc::new(Exchange { reply, ..exchange(Operation::Domains, 0, "") }))
    };
    app.tell(ends(NotSent::Connect));
    assert!(!app.model.unproven);
    app.tell(ends(NotSent::Unproven));
    app.tell(ends(NotSent::Connect));
    assert!(app.model.unproven);
    assert_eq!(app.model.journal.shown(), journal, "the journal stays what it was");
}

#[test]
fn network_disk_blocks_new_but_not_open_withdrawals() {
    let mut app = App::open();
    let open = unknown(7, 500, &app.now);
    app.tell(Msg::JournalChanged);
    is_told(&mut app, Snapshot { network: Some("NFS"), ..known(&[&open]) });
    assert_eq!(app.model.withdrawals.trouble, None, "nothing else is locked");
    let offered = rules::safe_actions(&app.model, &open);
    assert!(offered.contains(&Action::Send) && offered.contains(&Action::Found), "{offered:?}");
    app.types_withdrawal("10010");
    app.is_quoted();
    assert_eq!(app.keys("Ctrl-S"), vec![]);
    let network = JournalTrouble::Network("NFS".into());
    assert_eq!(app.draft().refused, Some(Refused::Journal(network)));
    // The seller moved the journal to a local disk and restarted the app.
    app.tell(Msg::JournalChanged);
    is_told(&mut app, known(&[]));
    app.submits();
}
