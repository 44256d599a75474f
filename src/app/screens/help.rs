//! The help screen: the key bindings of the screen below it, then all others, grouped by purpose.

use crate::app::Store;
use crate::app::screen::{Actions, Info, Screen};
use crate::app::store::kiosk;
use crate::app::ui::parts::{hanging, put};
use crate::app::ui::scrolled::Text;
use crate::app::ui::text::{columns, exactly};
use crate::app::ui::{Action, Area, Line, Page, Role, Span};

#[derive(Debug, Clone)]
pub struct Help {
    /// The actions of the screen below the help. They are listed first.
    pub here: Actions,
}

impl Help {
    /// Lays out one group of actions, without the actions of the current screen, which are listed
    /// first.
    fn group(&self, store: &Store, name: &str, widths: (usize, usize)) -> Vec<Line> {
        let is_shown = |action: &&Action| {
            group_of(**action) == name
                && !self.here.offered.contains(action)
                && (**action != Action::StoryNext || store.setup.demo.is_some())
                && !kiosk::hides_action(store, **action)
        };
        let actions = Action::ALL.iter().filter(is_shown);
        let line =
            |action: &Action| lines_of(store, action.word(store.words().lang()), *action, widths);
        titled(store, name, actions.flat_map(line).collect())
    }
}

impl Screen for Help {
    fn info(&self) -> Info {
        Info { is_wide: true, ..Info::of("help") }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let say = store.words();
        let (head, rest) = area.split_top(2);
        put(vec![Line::of(Role::Title, format!(" {}", say.text("help-title")))], head, page);
        let rest = rest.without_right(1);
        let room = fitting(usize::from(rest.width), LEAST);
        let keys = Action::ALL.iter().map(|action| columns(&keys_of(store, *action)));
        let widths = ((keys.max().unwrap_or(0) + 3).min(room.1 / 2), room.1);
        let line =
            |action: &Action| lines_of(store, &self.here.label(say, *action), *action, widths);
        let here = self.here.offered.iter().flat_map(line).collect();
        let groups = GROUPS.map(|(name, _)| self.group(store, name, widths));
        let blocks = [vec![titled(store, "aim-here", here)], groups.into()].concat();
        let blocks = blocks.into_iter().filter(|block| !block.is_empty()).collect();
        Text::new(side_by_side(blocks, room), rest).draw(store.render_cx(), page);
    }

    fn actions(&self, _: &Store, _: bool) -> Actions {
        vec![Action::Down, Action::Up].into()
    }
}

/// The minimum width of a group of key bindings, in columns.
const LEAST: usize = 48;

/// Returns the names of all keys that are bound to an action.
fn keys_of(store: &Store, action: Action) -> String {
    let keys = store.setup.keys.keys(action).iter();
    keys.map(|key| store.render_cx().key_name(*key)).collect::<Vec<_>>().join("  ")
}

/// Lays out the key of an action, its label and its explanation. The two widths, in columns, are
/// for the keys and for a whole line. Returns no lines for an action without a key.
fn lines_of(store: &Store, label: &str, action: Action, widths: (usize, usize)) -> Vec<Line> {
    let keys = keys_of(store, action);
    if keys.is_empty() {
        return vec![];
    }
    let what = match kiosk::explanation(store, action) {
        Some(id) => store.text(id),
        None => action.explained(label, store.words()),
    };
    let keys = format!("   {}", exactly(&keys, widths.0));
    hanging(Span::of(Role::Key, keys), Role::Text, &what, widths.1)
}

/// Puts a title above the lines of a group. Returns no lines if the group is empty.
fn titled(store: &Store, title: &str, lines: Vec<Line>) -> Vec<Line> {
    match lines.is_empty() {
        true => lines,
        false => [vec![Line::of(Role::Strong, format!(" {}", store.text(title)))], lines].concat(),
    }
}

/// The groups of actions, with the text ids of their titles. Actions that are not listed here are
/// for navigation and belong to the first group.
#[rustfmt::skip]
const GROUPS: [(&str, &[Action]); 8] = {
    use Action::*;
    [
        (GO, &[]),
        ("aim-find", &[
            Up, Down, PageUp, PageDown, First, Last, Search, FilterPaid, FilterDay, FilterDomain,
            Open, Refresh,
        ]),
        ("aim-sell", &[New, Repeat, Copy, CopyMessage, Share, Browse, Qr, MarkPaid]),
        ("aim-follow", &[
            Send, Check, Found, NotPaid, Discard, ShowOther, MakeLive, Nickname, Arrived, Receipt,
            Save,
        ]),
        ("aim-enter", &[LogIn, LogOut, PasteJwt]),
        ("aim-fill", &[
            NextField, PrevField, PrevChoice, NextChoice, Enter, Submit, NextKnown, PrevKnown,
            AskFee,
        ]),
        ("aim-answer", &[NextButton, PrevButton, Press]),
        (
            "aim-program",
            &[Doctor, Redraw, Reveal, Compare, Teach, Contract, Profiles, StoryNext, Language],
        ),
    ]
};

const GO: &str = "aim-go";

/// Returns the text id of the title of an action's group.
fn group_of(action: Action) -> &'static str {
    GROUPS.iter().find(|(_, own)| own.contains(&action)).map_or(GO, |(name, _)| name)
}

/// The space between two columns of the help text, in terminal cells.
const BETWEEN: usize = 3;

/// Returns how many columns of text, each at least `least` cells wide, fit side by side, and the
/// width of each.
fn fitting(width: usize, least: usize) -> (usize, usize) {
    let count = ((width + BETWEEN) / (least + BETWEEN)).max(1);
    (count, (width - BETWEEN * (count - 1)) / count)
}

/// Arranges blocks in columns, from top to bottom and then to the right. The columns are about
/// equally high.
fn side_by_side(blocks: Vec<Vec<Line>>, (count, wide): (usize, usize)) -> Vec<Line> {
    let all: usize = blocks.iter().map(|block| block.len() + 1).sum();
    let heights: Vec<usize> = blocks.iter().map(Vec::len).collect();
    let least = heights.iter().copied().max().unwrap_or(0);
    let height = (least..=all).find(|height| columns_of(&heights, *height) <= count);
    let mut columns: Vec<Vec<Line>> = vec![vec![]];
    for block in blocks {
        let Some(column) = columns.last_mut() else { break };
        if column.is_empty() {
            *column = block;
        } else if column.len() + 1 + block.len() <= height.unwrap_or(all) {
            column.push(Line::default());
            column.extend(block);
        } else {
            columns.push(block);
        }
    }
    let rows = columns.iter().map(Vec::len).max().unwrap_or(0);
    (0..rows).map(|row| joined(&columns, row, wide)).collect()
}

/// Returns the number of columns that blocks of these heights need if a column has at most `most`
/// rows.
fn columns_of(heights: &[usize], most: usize) -> usize {
    let (mut columns, mut used) = (1, 0);
    for height in heights {
        let gap = usize::from(used > 0);
        if used + gap + height <= most {
            used += gap + height;
        } else {
            (columns, used) = (columns + 1, *height);
        }
    }
    columns
}

/// Joins the same row of all columns into one line.
fn joined(columns: &[Vec<Line>], row: usize, wide: usize) -> Line {
    let mut line = Line::default();
    for (n, column) in columns.iter().enumerate() {
        let Some(part) = column.get(row).filter(|part| part.width() > 0) else { continue };
        let begins = n * (wide + BETWEEN);
        line.push(Span::plain(" ".repeat(begins.saturating_sub(line.width()))));
        line.spans.extend(part.spans.iter().cloned());
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(name: &str, lines: usize) -> Vec<Line> {
        (0..lines).map(|n| Line::of(Role::Text, format!("{name}{n}"))).collect()
    }

    #[test]
    fn blocks_fill_as_many_columns_as_fit_in_order() {
        assert_eq!(fitting(80, 50), (1, 80));
        assert_eq!(fitting(103, 50), (2, 50));
        assert_eq!(fitting(20, 50), (1, 20));
        let blocks = || vec![block("a", 2), block("b", 1), block("c", 3)];
        let shown = |count| -> Vec<String> {
            side_by_side(blocks(), (count, 4)).iter().map(Line::to_string).collect()
        };
        assert_eq!(shown(1), ["a0", "a1", "", "b0", "", "c0", "c1", "c2"]);
        assert_eq!(shown(2), ["a0     c0", "a1     c1", "       c2", "b0"]);
        assert_eq!(shown(3), ["a0     b0     c0", "a1            c1", "              c2"]);
        assert!(side_by_side(vec![], (2, 10)).is_empty());
    }
}
