//! Withdrawals: the pane, and the details of one.

use crate::app::Store;
use crate::app::screen::Screen;
use crate::app::screens::withdrawals::WithdrawalsPane;
use crate::app::screens::withdrawals::show::locked;
use crate::app::screens::withdrawals::show::rows::COLUMNS;
use crate::app::ui::action::Action;
use crate::app::ui::geometry::{self, PaneAreas};
use crate::app::ui::list::{Group, ListLine};
use crate::app::ui::lists::Look;
use crate::app::ui::parts::{rule, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::text::{columns, fit, right};
use crate::app::ui::{Area, Line, Page, PageItem, Role, Span, lists, mark, table};
use crate::words::Words;

/// Rows of the list that stay above the words while withdrawals are locked.
const ROWS_KEPT: u16 = 2;

pub fn areas(body: Area) -> PaneAreas {
    geometry::list_pane(body)
}

pub fn pane(store: &Store, area: Area, page: &mut Page) {
    let areas = areas(area);
    let list = &store.withdrawals.list;
    let count = lists::count(store.words(), list, "withdrawals-count");
    list.field(true).draw(store.words(), &count, areas.top, page);
    if list.is_empty() {
        match locked_text(store, area) {
            Some(text) => text.draw(store.reader(), page),
            None => empty(store, areas.list, page),
        }
        return;
    }
    if let Some(rows) = WithdrawalsPane.rows(store, area) {
        let heading = |line, width| match line {
            ListLine::Group(of) => group(store.words(), of, width),
            _ => Line::default(),
        };
        table::put_list(store, (list, &COLUMNS), rows, heading, page);
    }
    if let (Some(aside), Some(selected)) = (areas.aside, list.selected()) {
        super::outcome::draw(store, selected, None, (aside, Look::Beside), page);
    }
    if let Some(text) = locked_text(store, area) {
        let foot = areas.list.split_bottom(text.area.height + 1).1;
        page.items.push(PageItem::Blank(foot));
        rule(foot.row(0), page);
        text.draw(store.reader(), page);
    }
}

/// Lays out the words while withdrawals are locked, or no new one is begun: below the rows, or in
/// their place where there are none.
pub fn locked_text(store: &Store, area: Area) -> Option<Text> {
    if !store.withdrawals.is_locked() {
        return None;
    }
    let list = areas(area).list;
    if store.withdrawals.list.is_empty() {
        let inner = list.narrowed(2).readable().split_top(1).1;
        let said = locked::lines(store, usize::from(inner.width));
        return Some(Text::new(said, inner));
    }
    let words = list.narrowed(1).readable();
    let said = locked::lines(store, usize::from(words.width));
    // The rows under the cursor stay in sight above it.
    let most = list.height.saturating_sub(ROWS_KEPT);
    let rows = u16::try_from(said.len() + 1).unwrap_or(u16::MAX).min(most);
    let inner = words.split_bottom(rows).1.split_top(1).1;
    Some(Text { down: Action::PageDown, ..Text::new(said, inner) })
}

/// Lays out the name of a group, and at the right what it means for the money.
fn group(say: &Words, group: Group, width: usize) -> Line {
    let (name, meaning) = match group {
        Group::Open => ("group-open", Some("group-open-money")),
        Group::Prepared => ("group-prepared", Some("group-prepared-money")),
        Group::Decided => ("group-decided", None),
    };
    let name = say.text(name);
    let shown = format!(" {name}");
    let shown = match group {
        Group::Open => mark::CHECK.span(shown),
        Group::Prepared | Group::Decided => Span::of(Role::Strong, shown),
    };
    let room = width.saturating_sub(columns(&name) + 2);
    let meaning = meaning.map(|id| say.text(id)).unwrap_or_default();
    Line::from(vec![shown, Span::of(Role::Dim, right(&fit(&meaning, room), room))])
}

fn empty(store: &Store, area: Area, page: &mut Page) {
    let (list, say) = (&store.withdrawals.list, store.words());
    let lines = |width| {
        if !list.loaded {
            return wrapped(Role::Dim, &say.text("links-not-loaded"), width);
        }
        let key = store.withdrawals.can_begin().then_some(Action::New);
        let words = ["withdrawals-empty-title", "withdrawals-empty-hint", "withdrawals-empty-key"];
        lists::none_found(say, (list, true), "withdrawals-none-found", width)
            .unwrap_or_else(|| lists::invitation(store.reader(), words, key, width))
    };
    lists::put_empty(area, lines, page);
}
