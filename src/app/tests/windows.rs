//! Tests of changes by another window (a second instance of the app). The app loads such changes
//! when it receives a notification. It never polls.

use super::*;
use crate::app::screens::withdrawals::Details;
use crate::app::store::withdrawals::{SentByTeam, rules};
use crate::trade::{Team, TeamStatus};

/// Delivers this snapshot as the reply to the running request for the list of withdrawals.
fn deliver_snapshot(app: &mut App, snapshot: Snapshot) {
    let ticket = app
        .model
        .withdrawals
        .list
        .pending_ticket
        .expect("a reload is under way");
    app.deliver(Msg::WithdrawalsLoaded {
        ticket,
        result: Ok(snapshot),
    });
}

fn snapshot_of(withdrawals: &[&Withdrawal]) -> Snapshot {
    snapshot(
        withdrawals
            .iter()
            .map(|withdrawal| (*withdrawal).clone())
            .collect(),
    )
}

#[test]
fn sending_in_other_window_shown_and_nothing_offered() {
    let mut app = App::logged_in();
    let old = unknown_withdrawal(7, 100, &app.now);
    let other = unknown_withdrawal(8, 200, &app.now);
    app.load_open_withdrawals(vec![old.clone(), other.clone()]);
    app.press("3 Enter");
    let effects = app.deliver(Msg::JournalChanged);
    assert!(
        matches!(effects[..], [Effect::Money(MoneyCommand::Load(_))]),
        "{effects:?}"
    );
    let sent = with_running_attempt(&old, &app.now);
    let elsewhere = Snapshot {
        elsewhere: vec![key(7)],
        changed: vec![sent.clone()],
        ..snapshot_of(&[&sent, &other])
    };
    deliver_snapshot(&mut app, elsewhere);
    let Layer::Withdrawal(shown) = app.top() else {
        panic!("{:?}", app.top())
    };
    assert_eq!(
        app.model.state_of(&shown.withdrawal),
        WithdrawalState::Sending(2)
    );
    assert!(app.model.is_sent_elsewhere(key(7)));
    assert_eq!(
        rules::safe_actions(&app.model, &shown.withdrawal),
        [Action::Copy]
    );
    // The action for checking another withdrawal at the service is still offered, because it is
    // always safe.
    let offered = rules::safe_actions(&app.model, &other);
    assert_eq!(offered, [Action::Check, Action::Copy]);
    let mut theirs = other;
    theirs.agreement.account.identity = "bia@loja.example".into();
    assert!(rules::safe_actions(&app.model, &theirs).contains(&Action::Found));
    assert_eq!(app.resend(), vec![]);
    app.advance_ms(400);
    app.model.now = app.now.clone();
    assert_eq!(
        next_deadline(&app.model),
        Some(Duration::from_millis(600)),
        "its time is counted"
    );
    // The withdrawal is being sent by the other window, so this window quits without asking.
    app.press("Ctrl-C");
    assert!(app.model.leaving);
}

#[test]
fn unknown_and_resendable_after_other_window_closes() {
    let mut app = App::logged_in();
    let sent = with_running_attempt(&unknown_withdrawal(7, 100, &app.now), &app.now);
    app.load_open_withdrawals(vec![sent.clone()]);
    app.press("3 Enter");
    app.deliver(Msg::JournalChanged);
    deliver_snapshot(
        &mut app,
        Snapshot {
            elsewhere: vec![key(7)],
            ..snapshot_of(&[&sent])
        },
    );
    app.deliver(Msg::JournalChanged);
    deliver_snapshot(&mut app, snapshot_of(&[&sent]));
    let Layer::Withdrawal(shown) = app.top() else {
        panic!("{:?}", app.top())
    };
    assert_eq!(
        app.model.state_of(&shown.withdrawal),
        WithdrawalState::Unknown
    );
    assert_eq!(app.resend(), attempt_effects(key(7)));
}

#[test]
fn sending_in_the_team_counts_down_and_ends_by_itself() {
    let mut app = App::logged_in();
    let mut sent = with_running_attempt(&unknown_withdrawal(7, 100, &app.now), &app.now);
    sent.attempts.last_mut().unwrap().began.boot_id = "another machine".into();
    app.load_open_withdrawals(vec![sent.clone()]);
    app.press("3 Enter");
    app.deliver(Msg::JournalChanged);
    let until_ms = app.now.boot_ms + 48_000;
    let by_team = vec![SentByTeam {
        key: key(7),
        until_ms,
    }];
    let team = Some(Team {
        status: TeamStatus::Connected,
        own_role: "ana".into(),
        needs_approval: false,
    });
    let loaded = Snapshot {
        by_team,
        team,
        ..snapshot_of(&[&sent])
    };
    deliver_snapshot(&mut app, loaded);
    let sending = WithdrawalState::Sending(2);
    assert_eq!(app.model.state_of(&sent), sending);
    assert_eq!(rules::safe_actions(&app.model, &sent), [Action::Copy]);
    app.advance_ms(47_999);
    app.model.now = app.now.clone();
    assert_eq!(app.model.state_of(&sent), sending);
    let next = next_deadline(&app.model);
    assert_eq!(next, Some(Duration::from_millis(1)), "the wait ends");
    app.advance_ms(1);
    app.model.now = app.now.clone();
    let state = app.model.state_of(&sent);
    assert!(
        matches!(state, WithdrawalState::NeedsPerson(_)),
        "{state:?}"
    );
    assert_eq!(app.resend(), vec![], "another machine never resends");
}

#[test]
fn outcome_changed_by_other_window_clears_trouble() {
    let mut app = App::logged_in();
    let sent = app.send_withdrawal("10010");
    let trouble = Failure::NotSent(NotSent::Busy);
    let withdrawal = Some(Box::new(sent.clone()));
    app.deliver(Msg::AttemptTrouble {
        key: sent.agreement.key,
        withdrawal,
        trouble,
    });
    let accepted = with_attempt(&sent, &app.now, ACCEPTED);
    app.deliver(Msg::JournalChanged);
    deliver_snapshot(
        &mut app,
        Snapshot {
            changed: vec![sent.clone()],
            ..snapshot_of(&[])
        },
    );
    let outcome_details = |app: &App| match app.top() {
        Layer::Withdraw(Flow::Outcome(outcome)) => Details::clone(outcome),
        other => panic!("{other:?}"),
    };
    assert!(
        outcome_details(&app).trouble.is_some(),
        "nothing happened to it"
    );
    app.deliver(Msg::JournalChanged);
    deliver_snapshot(
        &mut app,
        Snapshot {
            changed: vec![accepted.clone()],
            ..snapshot_of(&[])
        },
    );
    assert_eq!(outcome_details(&app).withdrawal, accepted);
    assert!(outcome_details(&app).trouble.is_none());
}

#[test]
fn withdrawal_sent_here_stays_in_front_on_reload() {
    let mut app = App::logged_in();
    let sent = app.send_withdrawal("10010");
    let running = with_running_attempt(&sent, &app.now);
    app.deliver(Msg::JournalChanged);
    deliver_snapshot(
        &mut app,
        Snapshot {
            changed: vec![running.clone()],
            ..snapshot_of(&[&running])
        },
    );
    assert!(matches!(app.top(), Layer::Withdraw(Flow::Sending { .. })));
}

#[test]
fn open_review_rechecked_and_briefly_disabled() {
    let mut app = App::logged_in();
    let agreement = app.open_review("10010");
    assert!(app.review().may_confirm(app.now.boot_ms, app.now.wall));
    let effects = app.deliver(Msg::JournalChanged);
    let [
        Effect::Money(MoneyCommand::Load(_)),
        Effect::Money(MoneyCommand::LookUpPast(looked_up)),
    ] = &effects[..]
    else {
        panic!("{effects:?}")
    };
    assert_eq!(**looked_up, agreement);
    app.deliver_no_similar_withdrawals(agreement.key);
    assert!(!app.review().may_confirm(app.now.boot_ms, app.now.wall));
}

#[test]
fn cursor_stays_on_row_when_other_window_adds_one() {
    let mut app = App::logged_in();
    let numbered_link = |id: u64| PaymentLink {
        id: RowId(id as _),
        ..link("https://loja.example/x")
    };
    app.load_links(vec![numbered_link(2), numbered_link(1)]);
    app.press("Down");
    let effects = app.deliver(Msg::HistoryChanged);
    assert!(matches!(effects[..], [Effect::LoadLinks(_)]), "{effects:?}");
    let ticket = app.last_ticket();
    let rows: Vec<PaymentLink> = vec![numbered_link(3), numbered_link(2), numbered_link(1)];
    let page = ListPage {
        total: Some(3),
        rows: rows.into(),
        first: 0,
    };
    app.deliver(Msg::LinksLoaded {
        ticket,
        result: Ok(SalesPage {
            page: page.clone(),
            ..SalesPage::default()
        }),
    });
    assert_eq!(
        app.model.links.list.selected().map(|link| link.id),
        Some(RowId(1))
    );
    // After a refresh by key, the cursor stays at the same position in the list.
    let Some([Effect::LoadLinks(request)]) = app.press("r").first_chunk::<1>().cloned() else {
        panic!("no reload")
    };
    let page = ListPage {
        rows: page.rows.iter().rev().cloned().collect(),
        ..page
    };
    app.deliver(Msg::LinksLoaded {
        ticket: request.ticket,
        result: Ok(SalesPage {
            page,
            ..SalesPage::default()
        }),
    });
    assert_eq!(app.model.links.list.cursor, 2);
    // A notification does not reload the list of a hidden pane. It is loaded when the pane is shown
    // again.
    app.press("3");
    assert_eq!(app.deliver(Msg::HistoryChanged), vec![]);
}

#[test]
fn cursor_moves_to_new_link_unless_not_listed() {
    let numbered_link = |id: u64| PaymentLink {
        id: RowId(id as _),
        ..link("https://loja.example/x")
    };
    let after = |rows: Vec<PaymentLink>| {
        let mut app = App::logged_in();
        app.load_links(vec![numbered_link(2), numbered_link(1)]);
        app.press("Down");
        let (ticket, _) = app.submit_link_form();
        let effects = app.deliver(link_made(ticket, Ok(numbered_link(4))));
        let [Effect::LoadLinks(request), ..] = &effects[..] else {
            panic!("{effects:?}")
        };
        let page = page_of(rows);
        let result = Ok(SalesPage {
            page,
            ..SalesPage::default()
        });
        app.deliver(Msg::LinksLoaded {
            ticket: request.ticket,
            result,
        });
        app.model.links.list.selected().map(|link| link.id)
    };
    // Another window created link 5.
    assert_eq!(
        after([5, 4, 2, 1].map(numbered_link).into()),
        Some(RowId(4))
    );
    // A filter hides the new link 4, so the cursor stays on link 1.
    assert_eq!(after([3, 2, 1].map(numbered_link).into()), Some(RowId(1)));
}

#[test]
fn cursor_follows_sent_withdrawal_until_moved() {
    let after = |keys: &str| {
        let mut app = App::logged_in();
        let old = [7, 8]
            .map(|n| with_attempt(&unknown_withdrawal(n, 100, &app.now), &app.now, TIMED_OUT));
        app.press("3");
        let loaded = snapshot_of(&[&old[0], &old[1]]);
        app.deliver(Msg::JournalChanged);
        deliver_snapshot(
            &mut app,
            Snapshot {
                open: vec![],
                ..loaded
            },
        );
        app.press("Down");
        let sent = app.send_withdrawal("10010");
        let effects = app.deliver(Msg::AttemptBegan {
            key: sent.agreement.key,
            n: 1,
        });
        assert!(
            matches!(effects[..], [Effect::Money(MoneyCommand::Load(_))]),
            "{effects:?}"
        );
        deliver_snapshot(
            &mut app,
            Snapshot {
                open: vec![],
                ..snapshot_of(&[&sent, &old[0], &old[1]])
            },
        );
        app.press(keys);
        let class = ACCEPTED;
        let settled = with_attempt(&sent, &app.now.clone(), class);
        app.deliver(Msg::Settled(Box::new(settled.clone())));
        deliver_snapshot(
            &mut app,
            Snapshot {
                open: vec![],
                ..snapshot_of(&[&settled, &old[0], &old[1]])
            },
        );
        let on = app
            .model
            .withdrawals
            .list
            .selected()
            .map(|on| on.agreement.key);
        (
            on == Some(settled.agreement.key),
            on == Some(old[1].agreement.key),
        )
    };
    assert_eq!(after(""), (true, false));
    // If the seller closes the details while the withdrawal is being sent, the cursor moves to the
    // row of that withdrawal.
    assert_eq!(after("Esc"), (true, false));
    assert_eq!(after("Esc Down Down"), (false, true));
}

#[test]
fn not_watching_reported_and_continue_redraws() {
    let mut app = App::logged_in();
    assert_eq!(app.deliver(Msg::NotWatching("no".into())), vec![]);
    let notice = app.model.notice.clone();
    assert_eq!(
        notice,
        Some(Notice::WithDetail("said-not-watching", "no".into()))
    );
    let refused = Msg::HistoryNotShared("denied".into());
    assert_eq!(app.deliver(refused), vec![]);
    assert_eq!(
        app.model.notice,
        Some(Notice::WithDetail("said-not-shared", "denied".into()))
    );
    assert_eq!(app.deliver(Msg::Continued), vec![Effect::Redraw]);
}

#[test]
fn unreadable_time_zone_is_reported() {
    let mut app = App::logged_in();
    assert_eq!(app.deliver(Msg::ZoneUnreadable), vec![]);
    assert_eq!(app.model.notice, Some(Notice::warn("said-zone-unreadable")));
}

#[test]
fn opened_journal_clears_only_temporary_trouble() {
    use crate::trade::{JournalTrouble, VaultTrouble};
    let doubt = JournalTrouble::MaybeMissing(VaultTrouble::Locked);
    let full = JournalTrouble::Full("no room".into());
    let busy = JournalTrouble::Busy("by a backup".into());
    for (trouble, after) in [(doubt, None), (busy, None), (full.clone(), Some(full))] {
        let mut app = App::logged_in();
        app.deliver(Msg::JournalChanged);
        deliver_snapshot(
            &mut app,
            Snapshot {
                locked: Some(trouble.clone()),
                ..snapshot_of(&[])
            },
        );
        assert_eq!(app.model.withdrawals.trouble, Some(trouble.clone()));
        // The list is loaded again while the journal still has the error.
        app.deliver(Msg::JournalChanged);
        deliver_snapshot(
            &mut app,
            Snapshot {
                locked: Some(trouble),
                ..snapshot_of(&[])
            },
        );
        app.press("3");
        assert!(!app.offers(Action::New));
        let effects = app.press("r");
        assert!(
            matches!(effects[..], [Effect::Money(MoneyCommand::Load(_))]),
            "{effects:?}"
        );
        deliver_snapshot(&mut app, snapshot_of(&[]));
        assert_eq!(app.model.withdrawals.trouble, after);
        assert_eq!(app.offers(Action::New), after.is_none());
    }
}

#[test]
fn stale_trouble_answer_locks_nothing() {
    let mut app = App::logged_in();
    app.load_open_withdrawals(vec![]);
    app.press("3 r");
    let old = app.last_ticket();
    app.press("r");
    let trouble = || Err(JournalTrouble::Io("x".into()));
    app.deliver(Msg::WithdrawalsLoaded {
        ticket: old,
        result: trouble(),
    });
    assert_eq!(app.model.withdrawals.trouble, None);
    assert!(app.model.withdrawals.was_read);
    let ticket = app.last_ticket();
    app.deliver(Msg::WithdrawalsLoaded {
        ticket,
        result: trouble(),
    });
    assert!(app.model.withdrawals.trouble.is_some() && !app.model.withdrawals.was_read);
}

#[test]
fn lost_history_is_reported_as_long_as_it_lacks_rows() {
    use crate::trade::LostHistory;
    for (lost, is_new, notice) in [
        (
            LostHistory::Aside("/srv/h.db".into()),
            true,
            Some(Notice::warn("said-history-anew")),
        ),
        (LostHistory::Aside("/srv/h.db".into()), false, None),
        (LostHistory::Missing, false, None),
    ] {
        let mut app = App::logged_in();
        app.model.notice = None;
        assert_eq!(
            app.deliver(Msg::HistoryLost {
                lost: lost.clone(),
                is_new
            }),
            vec![]
        );
        assert_eq!(app.model.notice, notice);
        app.press("6 1");
        assert_eq!(
            (&app.model.notice, &app.model.lost_history),
            (&None, &Some(lost))
        );
    }
}

#[test]
fn service_is_sandbox_only_once_proven() {
    let mut app = App::new();
    app.model.setup.this_machine = true;
    assert!(!app.model.sandbox);
    let live = app.model.journal_path.clone();
    let effects = app.deliver(Msg::Proven {
        sandbox: false,
        journal: live.clone(),
    });
    assert_eq!(
        (effects, app.model.sandbox, &app.model.journal_path),
        (vec![], false, &live)
    );
    let journal = "/srv/balcao/sandbox/http-127.0.0.1-8787";
    let effects = app.deliver(Msg::Proven {
        sandbox: true,
        journal: journal.into(),
    });
    assert_eq!((effects, app.model.sandbox), (vec![], true));
    assert_eq!(app.model.journal_path.shown(), journal);
}

#[test]
fn unproven_sandbox_is_marked_for_the_run() {
    let mut app = App::logged_in();
    let journal = "/srv/balcao/sandbox/http-127.0.0.1-8787";
    app.deliver(Msg::Proven {
        sandbox: true,
        journal: journal.into(),
    });
    let failed_exchange = |why| {
        let reply = Err(Failure::NotSent(why));
        Msg::Exchanged(Arc::new(Exchange {
            reply,
            ..exchange(Operation::Domains, 0, "")
        }))
    };
    app.deliver(failed_exchange(NotSent::Connect));
    assert!(!app.model.unproven);
    app.deliver(failed_exchange(NotSent::Unproven));
    app.deliver(failed_exchange(NotSent::Connect));
    assert!(app.model.unproven);
    assert_eq!(
        app.model.journal_path.shown(),
        journal,
        "the journal stays what it was"
    );
}

#[test]
fn network_disk_blocks_new_but_not_open_withdrawals() {
    let mut app = App::logged_in();
    let open = unknown_withdrawal(7, 500, &app.now);
    app.deliver(Msg::JournalChanged);
    deliver_snapshot(
        &mut app,
        Snapshot {
            network: Some("NFS"),
            ..snapshot_of(&[&open])
        },
    );
    assert_eq!(
        app.model.withdrawals.trouble, None,
        "nothing else is locked"
    );
    let offered = rules::safe_actions(&app.model, &open);
    assert!(
        offered.contains(&Action::Send) && offered.contains(&Action::Found),
        "{offered:?}"
    );
    app.fill_withdrawal_form("10010");
    app.deliver_quote();
    assert_eq!(app.press("Ctrl-S"), vec![]);
    let network = JournalTrouble::Network("NFS".into());
    assert_eq!(app.draft().refusal, Some(Refused::Journal(network)));
    // The seller moved the journal to a local disk and restarted the app.
    app.deliver(Msg::JournalChanged);
    deliver_snapshot(&mut app, snapshot_of(&[]));
    app.submit_form();
}
