//! The sentences about a withdrawal's state: what it says about the money.
//!
//! The state comes from the model each time; a sentence here is true of its one state only.

use crate::app::Store;
use crate::app::store::withdrawals::rules;
use crate::app::ui::action::Action;
use crate::app::ui::text::{exactly, wrap};
use crate::app::ui::{Line, Role, Span};
use crate::trade::withdrawal::{Alarm, Attempt, Class, NoSend, WhyPerson, WithdrawalState};
use crate::trade::{ClockDoubt, Wall, Withdrawal};
use crate::words::{Words, attempts};

/// Says what the state means for the money, the most important sentence first.
pub fn said(store: &Store, withdrawal: &Withdrawal) -> Vec<String> {
    let is_alone = !store.is_another_open(Some(withdrawal.agreement.key));
    let when = |id: &str| {
        let at = withdrawal.decision.map_or(Wall(0), |(_, at)| at);
        store.with(id, &[("when", &store.reader().moment(at))])
    };
    let all = |ids: &[&str]| ids.iter().map(|id| store.text(id)).collect::<Vec<_>>();
    match store.state_of(withdrawal) {
        WithdrawalState::Prepared => prepared(store, withdrawal),
        WithdrawalState::Sending(_) if store.is_sent_elsewhere(withdrawal.agreement.key) => {
            let elsewhere = match sending(withdrawal) {
                "said-sending-again" => "said-sending-elsewhere-again",
                _ => "said-sending-elsewhere",
            };
            all(&[elsewhere, "said-sending-elsewhere-next"])
        }
        WithdrawalState::Sending(_) => all(&[sending(withdrawal), "sending-leave"]),
        WithdrawalState::Unknown => all(&["said-unknown"]),
        WithdrawalState::Accepted => all(&["said-accepted", "said-accepted-arrival"]),
        WithdrawalState::Rejected if is_alone => all(&["said-rejected", "said-rejected-next"]),
        WithdrawalState::Rejected => all(&["beside-rejected", "said-rejected-next"]),
        WithdrawalState::NeedsPerson(why) => {
            vec![store.text("said-needs-person"), why_person(store.words(), withdrawal, &why)]
        }
        WithdrawalState::Mismatch(Alarm::Amount { .. }) => {
            all(&["said-mismatch-amount", "said-mismatch-lock"])
        }
        WithdrawalState::Mismatch(Alarm::Destination { .. }) => {
            all(&["said-mismatch-destination", "said-mismatch-lock"])
        }
        WithdrawalState::Discarded if is_alone => vec![when("said-discarded")],
        WithdrawalState::Discarded => vec![when("beside-discarded")],
        WithdrawalState::ResolvedPaid => vec![when("said-resolved-paid")],
        WithdrawalState::ResolvedNotPaid => {
            vec![when("said-resolved-not-paid"), store.text("said-resolved-not-paid-later")]
        }
    }
}

/// Names what an attempt under way means: an earlier one may have paid already.
pub fn sending(withdrawal: &Withdrawal) -> &'static str {
    let earlier = withdrawal.attempts.split_last().map_or(&[][..], |(_, earlier)| earlier);
    if earlier.iter().any(Attempt::is_unclear) { "said-sending-again" } else { "said-sending" }
}

/// Nothing was taken yet; why not, and what is needed for it to be.
fn prepared(store: &Store, withdrawal: &Withdrawal) -> Vec<String> {
    let ends = withdrawal.attempts.iter().filter_map(|attempt| attempt.end.as_ref());
    let last_no = ends.clone().rfind(|end| !matches!(end.class, Class::NotSent(_)));
    let [alone, beside] = match last_no.map(|end| &end.class) {
        Some(Class::Throttled { .. }) => ["said-prepared-throttled", "beside-throttled"],
        Some(_) => ["said-prepared-no-entry", "beside-no-entry"],
        None if withdrawal.attempts.is_empty() => ["said-prepared-new", "beside-not-sent"],
        None => ["said-prepared-not-sent", "beside-not-reached"],
    };
    let is_beside = store.is_another_open(Some(withdrawal.agreement.key));
    let mut said = vec![store.text(if is_beside { beside } else { alone })];
    if let Err(why) = store.setup.window.left(&withdrawal.attempts, &store.now) {
        said.push(no_send(store.words(), withdrawal, why, "said-prepared-too-late"));
        said.push(store.text("said-prepared-discard"));
    } else if matches!(last_no.map(|end| &end.class), Some(Class::Unauthorized)) {
        let kind = store.setup.contract.withdrawal.call.credential;
        let is_in = kind.is_none_or(|kind| store.session.credential(kind).is_good(store.now.wall));
        if !is_in {
            said.push(store.text("said-prepared-log-in"));
        } else if rules::with_withdrawal(store, withdrawal).contains(&Action::Send) {
            said.push(store.text("said-prepared-is-in"));
        }
    }
    said
}

/// Says why it may not be sent any more; `window_over` is the message for a window that is over.
fn no_send(say: &Words, withdrawal: &Withdrawal, why: NoSend, window_over: &str) -> String {
    match why {
        NoSend::WindowOver => say.text(window_over),
        NoSend::TooManySends => {
            let sends = withdrawal.attempts.iter().filter(|attempt| attempt.counts()).count();
            say.count("why-too-many", sends as u64, &[])
        }
        NoSend::ClockInDoubt(ClockDoubt::AnotherBoot) => say.text("why-another-boot"),
        NoSend::ClockInDoubt(_) => say.text("why-clock-back"),
    }
}

fn why_person(say: &Words, withdrawal: &Withdrawal, why: &WhyPerson) -> String {
    match why {
        WhyPerson::NoSend(why) => no_send(say, withdrawal, *why, "why-window-over"),
        WhyPerson::Redirected(status) => {
            say.with("why-redirected", &[("status", &status.to_string())])
        }
        WhyPerson::KeyReused => say.text("why-key-reused"),
        WhyPerson::SaysFailed(said) => {
            say.with("why-says-failed", &[("said", &attempts::says_failed(say, said))])
        }
    }
}

/// Lays out what was asked for and what the reply says, side by side where both have room.
pub fn contradiction(say: &Words, alarm: &Alarm, width: usize) -> Vec<Line> {
    let (sent, got) = attempts::both_sides(say, alarm);
    let half = (width / 2).min(34);
    let columns = |left: String, right: String, roles: [Role; 2]| {
        Line::from(vec![Span::of(roles[0], exactly(&left, half)), Span::of(roles[1], right)])
    };
    let figures = [wrap(&sent, half.saturating_sub(2)), wrap(&got, half)];
    let rows = figures[0].len().max(figures[1].len());
    let labels = columns(say.text("alarm-sent"), say.text("alarm-got"), [Role::Dim, Role::Dim]);
    let mut lines = vec![labels];
    for row in 0..rows {
        let part = |n: usize| figures[n].get(row).cloned().unwrap_or_default();
        lines.push(columns(part(0), part(1), [Role::Strong, Role::Bad]));
    }
    lines
}

/// Says how long a sending takes, and how long it can take at most.
pub fn elapsed(store: &Store, seconds: u64) -> String {
    let limit = store.setup.window.deadline.as_secs().to_string();
    let seconds = seconds.to_string();
    store.with("sending-elapsed", &[("seconds", &seconds), ("limit", &limit)])
}
