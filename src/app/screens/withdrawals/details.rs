//! The details screen of one withdrawal, and the screen that shows all its send attempts in full.

use std::time::Duration;

use super::show::{attempts, facts, outcome};
use super::{act_on, label_actions, open_other};
use crate::app::cx::Cx;
use crate::app::screen::{Actions, Info, Screen, ScreenEvent, ScreenLinks};
use crate::app::store::motion::Motion;
use crate::app::store::withdrawals::rules::{self, next_countdown_change, resend_wait};
use crate::app::store::{confirming, teaching};
use crate::app::ui::action::Action;
use crate::app::ui::list_pane::Look;
use crate::app::ui::parts::{title, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::text::wrap;
use crate::app::ui::{Area, Line, Page, Role};
use crate::app::{Pane, Store, to_next_second};
use crate::trade::withdrawal::{Blocker, WithdrawalState};
use crate::trade::{Failure, IdempotencyKey, MAX_QUOTE_AGE, Quote, Untrusted, Withdrawal};
use crate::words::{Catalogue, personal};

#[derive(Debug, Clone)]
pub struct Details {
    /// The withdrawal as stored in the journal.
    pub withdrawal: Withdrawal,
    /// The failure of the last send attempt on this computer: nothing was sent, or the result could
    /// not be stored.
    pub trouble: Option<Failure>,
    /// The motion of the line below the title, if the withdrawal was accepted while this screen was
    /// open.
    pub motion: Option<Motion>,
}

impl Details {
    pub fn of(withdrawal: Withdrawal) -> Details {
        Details {
            withdrawal,
            trouble: None,
            motion: None,
        }
    }

    /// Replaces the withdrawal with its version in the store, if that version differs.
    pub fn sync_with_store(&mut self, store: &Store) {
        let stored = store.withdrawals.find(self.withdrawal.agreement.key);
        if let Some(current) = stored.filter(|current| **current != self.withdrawal) {
            // The previous failure is about the old version of the withdrawal, so do not keep it.
            *self = Details::of(current.clone());
        }
    }

    /// The other withdrawal that prevented this one from being sent.
    fn blocking_withdrawal(&self) -> Option<&Withdrawal> {
        match &self.trouble {
            Some(Failure::Blocked(Blocker::Clash(clash))) => Some(&clash.other),
            _ => None,
        }
    }
}

impl Screen for Details {
    fn info(&self) -> Info {
        let about = Some(self.withdrawal.agreement.key);
        Info {
            about,
            ..Info::detail("withdrawal", Pane::Withdrawals)
        }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let trouble = self.trouble.as_ref();
        outcome::draw(
            store,
            &self.withdrawal,
            trouble,
            (area, Look::Entered),
            page,
        );
        let frame = self.motion.and_then(|motion| motion.frame(store));
        outcome::draw_cut(store, &self.withdrawal, frame, area, page);
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        let mut offered = rules::detail_actions(store, &self.withdrawal);
        offered.extend(
            self.withdrawal
                .agreement
                .destination
                .as_ref()
                .map(|_| Action::Nickname),
        );
        let asks_arrival = confirming::should_ask_arrived_amount(store, &self.withdrawal);
        offered.extend(asks_arrival.then_some(Action::Arrived));
        offered.extend(self.blocking_withdrawal().map(|_| Action::ShowOther));
        offered.push(Action::Related);
        let actions = label_actions(store, Some(&self.withdrawal), offered);
        actions
            .word(Action::Open, "attempts")
            .word(Action::Copy, "key")
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match action {
            Action::ShowOther => open_other(cx, self.blocking_withdrawal()),
            action => act_on(cx, &self.withdrawal, action),
        }
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        let ScreenEvent::StoreChanged = event else {
            return false;
        };
        self.sync_with_store(cx.store);
        true
    }

    fn next_deadline(&self, store: &Store, _: bool) -> Option<Duration> {
        let motion = self.motion.and_then(|motion| motion.time_left(store));
        let change = next_change(store, &self.withdrawal);
        motion.into_iter().chain(change).min()
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        let selected = store.withdrawals.list.selected();
        let key = self.withdrawal.agreement.key;
        ScreenLinks {
            exchange: teaching::after_withdrawal(store, &self.withdrawal),
            withdrawal: Some(&self.withdrawal),
            is_under_cursor: selected.is_some_and(|selected| selected.agreement.key == key),
            ..ScreenLinks::default()
        }
    }
}

/// Returns how long the displayed details stay correct. For example, a countdown changes at the
/// next full second.
pub fn next_change(store: &Store, withdrawal: &Withdrawal) -> Option<Duration> {
    let countdown_change = match (store.state_of(withdrawal), withdrawal.attempts.last()) {
        // The screen shows how many seconds the send has been running.
        (WithdrawalState::Sending(_), Some(last))
            if store.wait_for_team(withdrawal.agreement.key).is_none() =>
        {
            Some(to_next_second(last.began.boot_ms, store.now.boot_ms))
        }
        _ => next_countdown_change(store, withdrawal),
    };
    // The screen shows the seconds until the withdrawal may be sent again.
    let wait = resend_wait(store, withdrawal);
    let subsecond = Duration::from_millis(wait.subsec_millis().into());
    let until_next_second = if subsecond.is_zero() {
        Duration::from_secs(1)
    } else {
        subsecond
    };
    let resend_change = (!wait.is_zero()).then_some(until_next_second);
    [countdown_change, resend_change]
        .into_iter()
        .flatten()
        .min()
}

/// The time until the displayed age of a fee quote changes. The age is displayed in whole seconds.
pub fn until_age_changes(store: &Store, quote: &Quote) -> Duration {
    let age = store.now.wall.since(quote.at).unwrap_or(MAX_QUOTE_AGE);
    let second = Duration::from_secs(1);
    (second - Duration::from_millis(age.subsec_millis().into())).min(second)
}

#[derive(Debug, Clone, Copy)]
pub struct Attempts(pub IdempotencyKey);

impl Screen for Attempts {
    fn info(&self) -> Info {
        Info::in_pane("attempts", Pane::Withdrawals)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        if let Some(withdrawal) = store.withdrawals.find(self.0) {
            draw_attempts(store, withdrawal, area, page);
        }
    }

    fn actions(&self, _: &Store, _: bool) -> Actions {
        vec![Action::Down, Action::Up].into()
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        ScreenLinks {
            withdrawal: store.withdrawals.find(self.0),
            ..ScreenLinks::default()
        }
    }
}

/// The maximum number of characters that are shown of a text from the service.
const MAX_SERVICE_TEXT: usize = 4_000;

/// Draws all send attempts of a withdrawal, with the complete texts of the service and the ids that
/// its support needs.
fn draw_attempts(store: &Store, withdrawal: &Withdrawal, area: Area, page: &mut Page) {
    let amount = withdrawal.agreement.amount.to_string();
    let name = store.with("attempts-title", &[("amount", &amount)]);
    title(&name, Line::default(), area, page);
    let inner = area.text().split_top(2).1;
    let width = usize::from(inner.width);
    let mut lines = Vec::new();
    for index in 0..withdrawal.attempts.len() {
        lines.extend(attempt_lines(store, withdrawal, index, width));
        lines.push(Line::default());
    }
    lines.extend(facts::request_lines(store, &withdrawal.agreement, width));
    lines.extend(facts::key_and_status_lines(
        store.words(),
        withdrawal,
        width,
    ));
    Text::new(lines, inner).draw(store.render_cx(), page);
}

/// Lays out one send attempt: its times, the reply, what the reply proves about the money, and the
/// service's text.
fn attempt_lines(store: &Store, withdrawal: &Withdrawal, index: usize, width: usize) -> Vec<Line> {
    let attempt = &withdrawal.attempts[index];
    let n = attempt.n.to_string();
    let begin = store.render_cx().moment(attempt.began.wall);
    let head = match &attempt.end {
        Some(end) => {
            let end = store.render_cx().time_exact(end.at);
            let values = [("n", n.as_str()), ("begin", &begin), ("end", &end)];
            store.with("attempts-from-to", &values)
        }
        None => store.with("attempts-from", &[("n", &n), ("begin", &begin)]),
    };
    let mut lines = wrapped(Role::Strong, &head, width);
    let result = attempts::result_text(store, withdrawal, attempt);
    lines.extend(wrapped(Role::Text, &result, width));
    let (proof, symbol) = attempts::proof_and_symbol(store, withdrawal, index);
    let proof = wrap(&symbol.with_word(store.words(), &proof), width);
    lines.extend(proof.into_iter().map(|line| Line::from(symbol.span(line))));
    let Some(end) = &attempt.end else {
        return lines;
    };
    let service_texts = [("quote-service", &end.message), ("quote-hint", &end.hint)];
    for (label, text) in service_texts {
        if let Some(text) = text {
            lines.push(Line::of(Role::Dim, store.text(label)));
            lines.extend(wrapped(
                Role::Quote,
                &full_quote(store.words(), text),
                width,
            ));
        }
    }
    if let Some(date) = end.server_date {
        let when = store.render_cx().moment(date);
        let date_text = store.with("attempts-server-date", &[("when", &when)]);
        lines.extend(wrapped(Role::Dim, &date_text, width));
    }
    lines
}

fn full_quote(words: &Catalogue, text: &Untrusted) -> String {
    let text = personal::service_text(words, text).shown_within(MAX_SERVICE_TEXT);
    words.with("theirs-quote", &[("text", &text)])
}
