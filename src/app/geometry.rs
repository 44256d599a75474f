//! Where things stand on the screen, as a pure function of the model and the size.
//!
//! The view draws into these areas, paging counts their rows, and a click is looked up in them; so
//! what a person clicks is what a person sees.

use super::input::Size;
use super::layer::{Layer, Question};
use super::ui::Area;
use super::{Model, Pane, scroll, seen};
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{Wall, Withdrawal};

/// The smallest terminal the app can be worked in.
pub const LEAST: Size = Size { columns: 46, rows: 14 };

/// From this width on the details stand beside the list.
pub const WIDE: u16 = 110;

/// Columns of each tab, wide enough for its name in every language.
const TABS: [u16; 6] = [11, 13, 15, 13, 15, 11];

/// The parts of the screen that are always there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Areas {
    /// The first line: whose counter this is.
    pub header: Area,
    /// The names of the panes.
    pub tabs: Area,
    /// The line under them.
    pub rule: Area,
    /// What is said while a withdrawal is open, or while none may leave; empty otherwise.
    pub banner: Area,
    /// The pane, or the layer over it.
    pub body: Area,
    /// What was just done.
    pub notice: Area,
    /// The keys.
    pub footer: Area,
}

/// The parts of a pane with a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaneAreas {
    /// Above the list: the search field and the count, or what the list is.
    pub top: Area,
    /// The list.
    pub list: Area,
    /// Below the list, where a pane says more of the row under the cursor; may be empty.
    pub below: Area,
    /// Beside the list, in a wide terminal: the details of the row under the cursor.
    pub aside: Option<Area>,
}

/// One line of a list on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListLine {
    /// The name of a day, as days since the epoch where the seller is.
    Day(i64),
    /// What the withdrawals below it have in common.
    Group(Group),
    /// A row, counted in the whole list.
    Row(u64),
}

/// What withdrawals of a list have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// Money may have left and nobody knows.
    Open,
    /// Nothing was taken yet.
    Prepared,
    /// Nothing further can happen.
    Decided,
}

/// The areas at this size; `None` when it is too small to work in.
pub fn areas(model: &Model, size: Size) -> Option<Areas> {
    if size.columns < LEAST.columns || size.rows < LEAST.rows {
        return None;
    }
    let all = Area { x: 0, y: 0, width: size.columns, height: size.rows };
    let (header, rest) = all.split_top(1);
    let (tabs, rest) = rest.split_top(1);
    let (rule, rest) = rest.split_top(1);
    let quiet = model.withdrawals.open.is_empty() && model.withdrawals.trouble.is_none();
    let (banner, rest) = rest.split_top(match quiet {
        true => 0,
        // What it says must be read to its end.
        false if size.columns < 80 => 2,
        false => 1,
    });
    let (rest, footer) = rest.split_bottom(1);
    let (body, notice) = rest.split_bottom(1);
    Some(Areas { header, tabs, rule, banner, body, notice, footer })
}

/// Where each pane's name stands.
pub fn tabs(area: Area) -> [(Pane, Area); 6] {
    let wide = TABS.iter().sum::<u16>() < area.width;
    let mut rest = area.split_left(1).1;
    Pane::ALL.map(|pane| {
        let columns = if wide { TABS[pane as usize] } else { (area.width - 1) / 6 };
        let (tab, right) = rest.split_left(columns);
        rest = right;
        (pane, tab)
    })
}

/// Whether the details of the row under the cursor stand beside the list in front.
pub fn has_aside(model: &Model) -> bool {
    areas(model, model.size).is_some_and(|areas| pane(model, areas.body).aside.is_some())
}

/// The parts of the pane in front.
pub fn pane(model: &Model, body: Area) -> PaneAreas {
    let (top, rest) = body.split_top(if model.pane == Pane::Domains { 2 } else { 1 });
    let may_have_aside = matches!(model.pane, Pane::Links | Pane::Charges | Pane::Withdrawals)
        || model.pane == Pane::Exchanges;
    if may_have_aside && body.width >= WIDE {
        let (list, aside) = rest.split_left(body.width * 3 / 5);
        let aside = aside.split_left(2).1;
        return PaneAreas { top, list, below: list.split_bottom(0).1, aside: Some(aside) };
    }
    let below = match model.pane {
        Pane::Links if rest.height > 6 => 2,
        // The domains take the rows they need, and what is said of them takes the rest.
        Pane::Domains => {
            let rows = domain_rows(model).min(rest.height.saturating_sub(5)).max(1);
            rest.height.saturating_sub(rows)
        }
        _ => 0,
    };
    let (list, below) = rest.split_bottom(below);
    PaneAreas { top, list, below, aside: None }
}

fn domain_rows(model: &Model) -> u16 {
    u16::try_from(row_count(model)).unwrap_or(u16::MAX).saturating_add(1)
}

/// How many rows the list in front has in all.
pub fn row_count(model: &Model) -> u64 {
    match model.pane {
        Pane::Links => model.links.list.page.total,
        Pane::Withdrawals => model.withdrawals.list.page.total,
        Pane::Charges => model.charges.page.total,
        Pane::Exchanges => model.exchanges.len() as u64,
        // The first line is "automatic".
        Pane::Domains => 1 + model.domains.listed.as_ref().map_or(0, Vec::len) as u64,
        Pane::Account => 0,
    }
}

/// The lines of the list in front; the one under the cursor is among them.
pub fn list_lines(model: &Model, height: u16) -> Vec<ListLine> {
    let day = |at: Wall| at.local_day(model.setup.utc_offset_s);
    let (lines, cursor) = match model.pane {
        Pane::Links => {
            let list = &model.links.list;
            let days = list.page.rows.iter().map(|link| day(link.at));
            return around(with_days(list.page.first, days), list.top, list.cursor, height);
        }
        Pane::Charges => {
            let list = &model.charges;
            let days = list.page.rows.iter().map(|charge| day(charge.at));
            return around(with_days(list.page.first, days), list.top, list.cursor, height);
        }
        Pane::Withdrawals => {
            let list = &model.withdrawals.list;
            let groups = list.page.rows.iter().map(|one| ListLine::Group(group(model, one)));
            let lines = with_headings(list.page.first, groups);
            return around(lines, list.top, list.cursor, height);
        }
        Pane::Domains => (rows_up_to(row_count(model)), model.domains.cursor as u64),
        Pane::Exchanges => (rows_up_to(row_count(model)), model.exchange_cursor as u64),
        Pane::Account => return Vec::new(),
    };
    let middle = cursor.saturating_sub(u64::from(height / 2));
    around(lines, middle, cursor, height)
}

fn rows_up_to(count: u64) -> Vec<ListLine> {
    (0..count).map(ListLine::Row).collect()
}

fn group(model: &Model, withdrawal: &Withdrawal) -> Group {
    match model.state_of(withdrawal) {
        state if state.is_open() => Group::Open,
        WithdrawalState::Prepared => Group::Prepared,
        _ => Group::Decided,
    }
}

fn with_days(first: u64, days: impl Iterator<Item = i64>) -> Vec<ListLine> {
    with_headings(first, days.map(ListLine::Day))
}

/// The rows, and each heading above the first row that has it.
fn with_headings(first: u64, headings: impl Iterator<Item = ListLine>) -> Vec<ListLine> {
    // A day or two on a screen, and this is made for every key.
    let mut lines = Vec::with_capacity(headings.size_hint().0 + 16);
    let mut last = None;
    for (row, heading) in (first..).zip(headings) {
        if last != Some(heading) {
            lines.push(heading);
            last = Some(heading);
        }
        lines.push(ListLine::Row(row));
    }
    lines
}

/// From the row at the top on, and further when the cursor would not be seen.
///
/// A heading above the first row is shown with it.
fn around(lines: Vec<ListLine>, top: u64, cursor: u64, height: u16) -> Vec<ListLine> {
    let height = usize::from(height);
    let line_of = |row| lines.iter().position(|line| *line == ListLine::Row(row));
    let with_heading = |at: usize| match at.checked_sub(1).map(|above| lines[above]) {
        Some(ListLine::Day(_) | ListLine::Group(_)) => at - 1,
        _ => at,
    };
    let at = line_of(cursor).unwrap_or(0);
    let first = with_heading(line_of(top).unwrap_or(at).min(at));
    let first = first.max((at + 1).saturating_sub(height));
    let first = first.min(lines.len().saturating_sub(height));
    lines.into_iter().skip(first).take(height).collect()
}

/// Remembers which row is at the top now, so that the list stands still while the cursor moves.
pub fn remember_top(model: &mut Model) {
    let Some(areas) = areas(model, model.size) else { return };
    let shown = list_lines(model, pane(model, areas.body).list.height);
    let first = shown.iter().find_map(|line| match line {
        ListLine::Row(row) => Some(*row),
        ListLine::Day(_) | ListLine::Group(_) => None,
    });
    let Some(first) = first else { return };
    match model.pane {
        Pane::Links => model.links.list.top = first,
        Pane::Withdrawals => model.withdrawals.list.top = first,
        Pane::Charges => model.charges.top = first,
        Pane::Domains | Pane::Exchanges | Pane::Account => {}
    }
}

/// The first of `count` lines shown in `height` rows when line `at` is kept in the middle.
pub fn scrolled(at: usize, count: usize, height: usize) -> usize {
    at.saturating_sub(height / 2).min(count.saturating_sub(height))
}

/// How many rows a page of the list or of the scrolled text in front has.
pub fn page_rows(model: &Model) -> u16 {
    let Some(areas) = areas(model, model.size) else { return 1 };
    let rows = match model.layers.last() {
        None if scroll::is_all_of_pane(model) => return text_rows(model),
        None => pane(model, areas.body).list.height,
        Some(Layer::Palette(_)) => palette_list(model, areas.body).height,
        Some(_) => return text_rows(model),
    };
    rows.saturating_sub(1).max(1)
}

/// A page of a text is what is shown of it at once.
fn text_rows(model: &Model) -> u16 {
    seen::in_front(model).map_or(1, |seen| seen.overflow.page.max(1))
}

/// The box of a question.
pub fn dialog(question: &Question, body: Area) -> Area {
    let rows = match question {
        Question::CopyOdd { oddities, .. } | Question::PassOdd { oddities, .. } => {
            11 + u16::try_from(oddities.len()).unwrap_or(5)
        }
        Question::Discard(_) | Question::Found(_) => 11,
        _ => 8,
    };
    // A narrow box needs more rows for the same words.
    let more = if body.width < 66 { 4 } else { 0 };
    body.middle(66, rows + more)
}

/// The box of the statement that a withdrawal was not paid.
pub fn statement(body: Area) -> Area {
    // A narrow box needs more rows for the same words.
    body.middle(70, if body.width < 70 { 21 } else { 15 })
}

/// The row of a box's or a review's buttons.
pub fn buttons(inside: Area) -> Area {
    inside.split_bottom(1).1
}

/// The inside of a box.
pub fn inside(boxed: Area) -> Area {
    boxed.narrowed(2).lowered(1)
}

/// The box of the palette.
pub fn palette(body: Area) -> Area {
    body.middle(64, 19)
}

/// The faults in wait, below the search field of the palette; the rows that are worth it.
pub fn palette_faults(model: &Model, body: Area) -> Area {
    let below = inside(palette(body)).split_top(1).1;
    let count = u16::try_from(model.faults.len()).unwrap_or(u16::MAX);
    below.split_top(count.min(4).min(below.height / 3)).0
}

/// The lines of the palette, below its search field and the faults in wait.
pub fn palette_list(model: &Model, body: Area) -> Area {
    let faults = palette_faults(model, body).height;
    inside(palette(body)).split_top(2 + faults).1
}
