//! The guide for checking in the bank account whether a withdrawal was paid.
//!
//! The documented API has no request for that, so the seller has to look. The guide lists the exact
//! values to look for (the lookup hints), which can be copied.

use std::time::Duration;

use super::details::next_change;
use super::show::{outcome, unproven};
use crate::app::cx::{Cx, Question, Route};
use crate::app::screen::{Actions, Info, Screen, ScreenEvent, ScreenLinks};
use crate::app::store::clip::{self, Clip};
use crate::app::store::nicknames;
use crate::app::store::withdrawals::lookup_hints::{
    LookupHint, LookupHintKind, lookup_hints, sent_between,
};
use crate::app::store::withdrawals::{WithdrawalsState, rules};
use crate::app::ui::action::Action;
use crate::app::ui::block::{self, Block};
use crate::app::ui::list::{Move, moved_above_text};
use crate::app::ui::parts::{LABEL_WIDTH, labelled, row, title, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::text::columns;
use crate::app::ui::{Area, Line, Page, Role};
use crate::app::{CopyTrouble, Pane, Store};
use crate::trade::withdrawal::{Alarm, WithdrawalState};
use crate::trade::{FigureSource, IdempotencyKey, Withdrawal};
use crate::words::{dates, personal};

#[derive(Debug, Clone, Copy)]
pub struct Guide {
    pub key: IdempotencyKey,
    /// The index of the lookup hint (a value to look for in the account) under the cursor.
    pub cursor: usize,
}

impl Guide {
    fn withdrawal<'s>(&self, store: &'s Store) -> Option<&'s Withdrawal> {
        store.withdrawals.find(self.key)
    }

    /// Moves the cursor to another value to look for. After the last value, scrolls the text.
    fn move_cursor(&mut self, store: &mut Store, to: Move) -> bool {
        let count = self
            .withdrawal(store)
            .map_or(0, |withdrawal| lookup_hints(store, withdrawal).len());
        let last = count.saturating_sub(1);
        let moved = moved_above_text(self.cursor, last, store.scroll, to);
        let Some(cursor) = moved else { return false };
        self.cursor = cursor;
        store.scroll = 0;
        true
    }
}

impl Screen for Guide {
    fn info(&self) -> Info {
        Info::in_pane("guide", Pane::Withdrawals)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        if let Some(withdrawal) = self.withdrawal(store) {
            draw(store, withdrawal, self.cursor, area, page);
        }
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        self.withdrawal(store)
            .map(|withdrawal| rules::guide_actions(store, withdrawal))
            .unwrap_or_default()
            .into()
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match action {
            Action::Found => cx.ask(Question::Found(self.key)),
            Action::NotPaid => cx.open(Route::NotPaid(self.key)),
            // Scroll to the top, so that the copied value is visible.
            Action::Copy => {
                cx.store.scroll = 0;
                let lookup_hints = self
                    .withdrawal(cx.store)
                    .map(|withdrawal| lookup_hints(cx.store, withdrawal))
                    .unwrap_or_default();
                match lookup_hints.into_iter().nth(self.cursor) {
                    Some(hint) => clip::copy_exactly(cx, Clip::LookupHint(hint.what), hint.text),
                    None => cx.store.not_copied(CopyTrouble::Nothing),
                }
            }
            _ => {}
        }
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Moved(to) => return self.move_cursor(cx.store, to),
            ScreenEvent::StoreChanged => {
                let state = self
                    .withdrawal(cx.store)
                    .map(|withdrawal| cx.store.state_of(withdrawal));
                if state.is_some_and(|state| !WithdrawalsState::is_unclear(&state)) {
                    cx.close();
                }
            }
            _ => return false,
        }
        true
    }

    fn next_deadline(&self, store: &Store, _: bool) -> Option<Duration> {
        next_change(store, self.withdrawal(store)?)
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        ScreenLinks {
            withdrawal: self.withdrawal(store),
            ..ScreenLinks::default()
        }
    }
}

fn draw(store: &Store, withdrawal: &Withdrawal, cursor: usize, area: Area, page: &mut Page) {
    let name = store.with(
        "guide-title",
        &[("amount", &withdrawal.agreement.amount.to_string())],
    );
    let room = outcome::free_columns(&name, area);
    title(
        &name,
        outcome::countdown(store, withdrawal, room),
        area,
        page,
    );
    let (text, visible_line) = layout(store, withdrawal, cursor, area);
    text.draw_around(visible_line, store.render_cx(), page);
}

/// Lays out the guide's text. Also returns the index of the text line that must be visible.
fn layout(store: &Store, withdrawal: &Withdrawal, cursor: usize, area: Area) -> (Text, usize) {
    // Reserve the first column for the cursor bar.
    let inner = area.narrowed(1).split_top(2).1.without_right(1);
    let width = usize::from(inner.width).saturating_sub(1);
    let rows = usize::from(inner.height);
    let head = wrapped(Role::Text, &store.text("guide-where"), width);
    let lookup_hints = hint_lines(store, withdrawal, cursor, width);
    let visible_line = head.len()
        + lookup_hints
            .iter()
            .take(cursor)
            .map(Vec::len)
            .sum::<usize>();
    let parts = vec![
        indented(head).without_gap(),
        Block::new(lookup_hints.concat()),
        indented(outcome::guide_step_lines(store, withdrawal, width)),
        indented(remark_lines(store, withdrawal, width)),
    ];
    let text = Text::new(block::fit_scrollable_text(parts, rows), inner);
    // Keep the text above the values visible while the first value is selected.
    let visible_line = if cursor == 0 { 0 } else { visible_line };
    (text, visible_line)
}

fn indented(lines: Vec<Line>) -> Block {
    Block::new(lines.into_iter().map(|line| line.indented(1)).collect())
}

/// Lays out the values to look for, such as the amount, with a cursor bar beside the selected
/// value.
fn hint_lines(
    store: &Store,
    withdrawal: &Withdrawal,
    cursor: usize,
    width: usize,
) -> Vec<Vec<Line>> {
    let lookup_hints = lookup_hints(store, withdrawal);
    let widest = lookup_hints
        .iter()
        .map(|hint| columns(&store.text(label_id(hint.what))))
        .max()
        .unwrap_or(0);
    let label_width = LABEL_WIDTH.min(width / 3).max(widest + 2).min(width / 2);
    lookup_hints
        .into_iter()
        .enumerate()
        .map(|(n, hint)| -> Vec<Line> {
            let text = value_text(store, withdrawal, &hint);
            let mut lines = labelled(
                (&store.text(label_id(hint.what)), label_width),
                &text,
                width,
            );
            if hint.what == LookupHintKind::RepliedValue {
                let values = lines.iter_mut().filter_map(|line| line.spans.last_mut());
                values.for_each(|value| value.role = Some(Role::Bad));
            }
            lines
                .into_iter()
                .map(|line| row(n == cursor, line.spans))
                .collect()
        })
        .collect()
}

fn label_id(what: LookupHintKind) -> &'static str {
    match what {
        LookupHintKind::Amount => "guide-amount",
        LookupHintKind::Net => "guide-net",
        LookupHintKind::RepliedValue => "guide-said",
        LookupHintKind::When => "guide-when",
        LookupHintKind::Destination => "outcome-to",
        LookupHintKind::Key => "outcome-key",
        LookupHintKind::UnprovenCode => "outcome-service-code",
    }
}

/// A value to look for, such as the amount, as the screen shows it. The copy key copies only the
/// bare value.
fn value_text(store: &Store, withdrawal: &Withdrawal, hint: &LookupHint) -> String {
    let agreement = &withdrawal.agreement;
    match hint.what {
        LookupHintKind::Amount => agreement.amount.to_string(),
        LookupHintKind::Net => match &agreement.quote {
            Some(quote) if quote.net_source == FigureSource::Computed => {
                format!("{} ({})", quote.net, store.text("figure-computed"))
            }
            _ => format!("R$ {}", hint.text.shown()),
        },
        LookupHintKind::RepliedValue => match withdrawal.contradiction() {
            Some(Alarm::Amount { got, .. }) => got.to_string(),
            _ => personal::typed_within(store.words(), &hint.text, 80),
        },
        LookupHintKind::When => sent_time_text(store, withdrawal, hint),
        LookupHintKind::Destination => nicknames::destination_text(store, agreement),
        LookupHintKind::Key => hint.text.shown(),
        LookupHintKind::UnprovenCode => unproven::code_text(store, withdrawal),
    }
}

/// Returns when the withdrawal was sent: in the seller's format, and in an exact format for the
/// service's support.
fn sent_time_text(store: &Store, withdrawal: &Withdrawal, hint: &LookupHint) -> String {
    let Some((first, last)) = sent_between(withdrawal) else {
        return String::new();
    };
    let begin = store.render_cx().moment(first.wall);
    let exact_time = hint.text.shown();
    if first == last {
        return format!("{begin} ({exact_time})");
    }
    let end = store.render_cx().time_exact(last.wall);
    store.with(
        "guide-between",
        &[("begin", &begin), ("end", &end), ("exact", &exact_time)],
    )
}

/// Lays out what to do if the withdrawal is not in the bank account. If it is too early to decide,
/// shows how long to wait.
fn remark_lines(store: &Store, withdrawal: &Withdrawal, width: usize) -> Vec<Line> {
    let text = match (
        store.state_of(withdrawal),
        rules::window_left(store, withdrawal),
    ) {
        (WithdrawalState::Unknown, Some(left)) => {
            store.with("guide-not-yet", &[("left", &dates::spelled(left))])
        }
        _ => store.text("guide-not-found"),
    };
    wrapped(Role::Dim, &text, width)
}
