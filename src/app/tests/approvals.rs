//! Tests of the two-person rule: a withdrawal of a team is approved before it is sent.

use super::*;
use crate::trade::withdrawal::Approval;
use crate::trade::{Team, TeamStatus};

/// An app of this operator, in a team that requires approvals.
fn app_of(role: &str) -> App {
    let mut app = App::logged_in();
    app.model.withdrawals.team = Some(Team {
        status: TeamStatus::Connected,
        own_role: role.into(),
        needs_approval: true,
    });
    app
}

/// A withdrawal that Ana has prepared a moment ago.
fn prepared_by_ana(app: &mut App) -> Withdrawal {
    let mut withdrawal = unknown_withdrawal(7, 10_010, &app.now);
    withdrawal.attempts.clear();
    withdrawal.approvals.preparers = vec!["ana".into()];
    withdrawal.agreement.quote = Some(quote(brl(10_010), app.now.wall));
    withdrawal
}

fn approved_by_bia(withdrawal: &Withdrawal, at: Wall) -> Withdrawal {
    let mut withdrawal = withdrawal.clone();
    withdrawal.approvals.given.push(Approval {
        n: 1,
        by: Some(crate::trade::Author {
            role: "bia".into(),
            operator: "Bia".into(),
            machine: "caixa-2".into(),
        }),
        at,
        counts: true,
        is_taken_back: false,
    });
    withdrawal
}

#[test]
fn confirmed_withdrawal_waits_for_an_approval() {
    let mut app = app_of("ana");
    app.open_review("10010");
    let (agreement, _) = expect_prepare(app.press("Tab Enter"));
    let mut withdrawal = prepared_withdrawal(&agreement);
    withdrawal.approvals.preparers = vec!["ana".into()];
    let result = Ok(Box::new(withdrawal.clone()));
    let key = agreement.key;
    let effects = app.deliver(Msg::Prepared { key, result });
    assert!(
        matches!(effects[..], [Effect::Money(MoneyCommand::Load(_))]),
        "{effects:?}"
    );
    assert!(matches!(app.top(), Layer::Withdraw(Flow::Outcome(_))));
    assert!(!app.offers(Action::Send) && !app.offers(Action::Approve));
    assert_eq!(app.resend(), vec![]);
    // Bia approves, and the same screen offers to send.
    let approved = approved_by_bia(&withdrawal, app.now.wall);
    app.model.withdrawals.show(&approved);
    app.deliver(Msg::JournalChanged);
    assert!(app.offers(Action::Send));
    app.advance_ms(QUIET_MS);
    assert_eq!(app.resend(), attempt_effects(key));
}

#[test]
fn confirmed_preparation_is_not_sent_if_the_rule_ends() {
    let mut app = app_of("ana");
    app.open_review("10010");
    let (agreement, _) = expect_prepare(app.press("Tab Enter"));
    if let Some(team) = &mut app.model.withdrawals.team {
        team.needs_approval = false;
    }
    let result = Ok(Box::new(prepared_withdrawal(&agreement)));
    let key = agreement.key;
    let effects = app.deliver(Msg::Prepared { key, result });
    assert!(
        matches!(effects[..], [Effect::Money(MoneyCommand::Load(_))]),
        "{effects:?}"
    );
    assert!(app.offers(Action::Send));
}

#[test]
fn approval_is_confirmed_like_a_review() {
    let mut app = app_of("bia");
    let withdrawal = prepared_by_ana(&mut app);
    app.open_details(withdrawal.clone());
    assert!(!app.offers(Action::Send));
    let effects = app.press("w");
    assert!(
        matches!(effects[..], [Effect::Money(MoneyCommand::LookUpPast(_))]),
        "{effects:?}"
    );
    // Neither before the journal was asked, nor at once, nor with Enter alone.
    assert_eq!(app.press("Tab Enter"), vec![]);
    app.deliver_no_similar_withdrawals(key(7));
    assert_eq!(app.press("Enter"), vec![]);
    app.open_details(withdrawal.clone());
    app.press("w");
    app.deliver_no_similar_withdrawals(key(7));
    app.advance_ms(500);
    let approve = vec![Effect::Money(MoneyCommand::Approve { key: key(7) })];
    assert_eq!(app.press("Tab Enter"), approve);
    let approved = approved_by_bia(&withdrawal, app.now.wall);
    let result = Ok(Box::new(approved));
    app.deliver(Msg::Decided {
        key: key(7),
        result,
    });
    assert_eq!(shown_notice(&app), Some(&Notice::good("said-approved")));
}

#[test]
fn changed_fee_cannot_be_approved() {
    let mut app = app_of("bia");
    let withdrawal = prepared_by_ana(&mut app);
    app.advance_ms(3 * 60_000);
    app.open_details(withdrawal);
    let effects = app.press("w");
    let quote_request = effects.iter().find_map(|effect| match effect {
        Effect::Quote { ticket, amount, .. } => Some((*ticket, *amount)),
        _ => None,
    });
    let (ticket, amount) = quote_request.expect("the fee is asked for again");
    app.deliver_no_similar_withdrawals(key(7));
    let mut other = quote(amount, app.now.wall);
    (other.fee, other.net) = (brl(300), brl(9_710));
    app.deliver(Msg::Quoted {
        ticket,
        result: Ok(other),
    });
    app.advance_ms(500);
    assert_eq!(app.press("Tab Enter"), vec![]);
}

#[test]
fn own_approval_is_taken_back_with_the_same_key() {
    let mut app = app_of("bia");
    let withdrawal = prepared_by_ana(&mut app);
    let approved = approved_by_bia(&withdrawal, app.now.wall);
    app.open_details(approved.clone());
    assert!(app.offers(Action::Send) && app.offers(Action::Approve));
    let take_back = vec![Effect::Money(MoneyCommand::TakeApprovalBack {
        key: key(7),
    })];
    assert_eq!(app.press("w"), take_back);
    let mut taken_back = approved.clone();
    taken_back.approvals.given[0].is_taken_back = true;
    let result = Ok(Box::new(taken_back));
    app.deliver(Msg::Decided {
        key: key(7),
        result,
    });
    let notice = Notice::good("said-approval-taken-back");
    assert_eq!(shown_notice(&app), Some(&notice));
    assert!(!app.offers(Action::Send));
    // Ana cannot take it back.
    let mut app = app_of("ana");
    app.open_details(approved);
    assert!(app.offers(Action::Send) && !app.offers(Action::Approve));
}

#[test]
fn team_without_the_rule_offers_no_approval() {
    let mut app = app_of("bia");
    if let Some(team) = &mut app.model.withdrawals.team {
        team.needs_approval = false;
    }
    let withdrawal = prepared_by_ana(&mut app);
    app.open_details(withdrawal);
    assert!(app.offers(Action::Send) && !app.offers(Action::Approve));
}
