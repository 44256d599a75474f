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
    pub screen_actions: Actions,
}

impl Help {
    /// Lays out one group of actions. Actions of the current screen are left out, because they are
    /// listed first.
    fn group_lines(&self, store: &Store, name: &str, widths: (usize, usize)) -> Vec<Line> {
        let actions = Action::ALL.iter().filter(|action| {
            find_group(**action) == name
                && !self.screen_actions.offered.contains(action)
                && (**action != Action::StoryNext || store.setup.demo.is_some())
                && !kiosk::hides_action(store, **action)
        });
        let lines = actions.flat_map(|action| {
            action_lines(
                store,
                action.label_text(store.words().lang()),
                *action,
                widths,
            )
        });
        with_title(store, name, lines.collect())
    }
}

impl Screen for Help {
    fn info(&self) -> Info {
        Info {
            is_wide: true,
            ..Info::of("help")
        }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let words = store.words();
        let (head, rest) = area.split_top(2);
        put(
            vec![Line::of(
                Role::Title,
                format!(" {}", words.text("help-title")),
            )],
            head,
            page,
        );
        let rest = rest.without_right(1);
        let room = columns_that_fit(usize::from(rest.width), MIN_COLUMN_WIDTH);
        let key_widths = Action::ALL
            .iter()
            .map(|action| columns(&key_names(store, *action)));
        let widths = ((key_widths.max().unwrap_or(0) + 3).min(room.1 / 2), room.1);
        let here = self
            .screen_actions
            .offered
            .iter()
            .flat_map(|action| {
                action_lines(
                    store,
                    &self.screen_actions.label(words, *action),
                    *action,
                    widths,
                )
            })
            .collect();
        let groups = GROUPS.map(|(name, _)| self.group_lines(store, name, widths));
        let blocks = [vec![with_title(store, "aim-here", here)], groups.into()].concat();
        let blocks = blocks
            .into_iter()
            .filter(|block| !block.is_empty())
            .collect();
        Text::new(side_by_side(blocks, room), rest).draw(store.render_cx(), page);
    }

    fn actions(&self, _: &Store, _: bool) -> Actions {
        vec![Action::Down, Action::Up].into()
    }
}

/// The minimum width of a column of key bindings, in terminal cells.
const MIN_COLUMN_WIDTH: usize = 48;

fn key_names(store: &Store, action: Action) -> String {
    let keys = store.setup.keys.keys(action).iter();
    keys.map(|key| store.render_cx().key_name(*key))
        .collect::<Vec<_>>()
        .join("  ")
}

/// Lays out the key of an action, its label and its explanation. The two widths, in columns, are
/// for the keys and for a whole line. Returns no lines for an action without a key.
fn action_lines(store: &Store, label: &str, action: Action, widths: (usize, usize)) -> Vec<Line> {
    let keys = key_names(store, action);
    if keys.is_empty() {
        return vec![];
    }
    let explanation = match kiosk::explanation(store, action) {
        Some(id) => store.text(id),
        None => action.help_text(label, store.words()),
    };
    let keys = format!("   {}", exactly(&keys, widths.0));
    hanging(
        Span::of(Role::Key, keys),
        Role::Text,
        &explanation,
        widths.1,
    )
}

/// Puts a title above the lines of a group. Returns no lines if the group is empty.
fn with_title(store: &Store, title: &str, lines: Vec<Line>) -> Vec<Line> {
    if lines.is_empty() {
        lines
    } else {
        [
            vec![Line::of(Role::Strong, format!(" {}", store.text(title)))],
            lines,
        ]
        .concat()
    }
}

/// The groups of actions, with the text ids of their titles. Actions that are not listed here are
/// for navigation and belong to the first group.
#[rustfmt::skip]
const GROUPS: [(&str, &[Action]); 8] = {
    use Action::*;
    [
        (NAVIGATION_GROUP, &[]),
        ("aim-find", &[
            Up, Down, PageUp, PageDown, HalfPageUp, HalfPageDown, First, Last, Search, AsText,
            FilterPaid, FilterDay, FilterDomain, FilterPutAway, Open, Refresh, Report,
        ]),
        ("aim-sell", &[
            New, Repeat, Copy, CopyMessage, Share, Remind, Browse, Qr, MarkPaid, Note, Reconcile,
            MarkCertain, UndoMarks,
        ]),
        ("aim-follow", &[
            Approve, Send, Check, Found, NotPaid, Discard, ShowOther, MakeLive, Nickname, Arrived,
            Receipt, Save,
        ]),
        ("aim-enter", &[LogIn, LogOut, PasteJwt]),
        ("aim-fill", &[
            NextField, PrevField, PrevChoice, NextChoice, Enter, Submit, NextKnown, PrevKnown,
            AskFee,
        ]),
        ("aim-answer", &[NextButton, PrevButton, Press]),
        (
            "aim-program",
            &[
                Doctor,
                Redraw,
                Reveal,
                Compare,
                Teach,
                Contract,
                Profiles,
                StoryNext,
                Language,
                MarkMoment,
            ],
        ),
    ]
};

const NAVIGATION_GROUP: &str = "aim-go";

/// The name of the group that contains an action. The name is also the text id of the group's
/// title.
fn find_group(action: Action) -> &'static str {
    GROUPS
        .iter()
        .find(|(_, actions)| actions.contains(&action))
        .map_or(NAVIGATION_GROUP, |(name, _)| name)
}

/// The space between two columns of the help text, in terminal cells.
const COLUMN_GAP: usize = 3;

/// The number of columns that fit side by side, each at least `min_width` cells wide, and the width
/// of each.
fn columns_that_fit(width: usize, min_width: usize) -> (usize, usize) {
    let count = ((width + COLUMN_GAP) / (min_width + COLUMN_GAP)).max(1);
    (count, (width - COLUMN_GAP * (count - 1)) / count)
}

/// Arranges blocks in columns, from top to bottom and then to the right. The columns are about
/// equally high.
fn side_by_side(blocks: Vec<Vec<Line>>, (count, width): (usize, usize)) -> Vec<Line> {
    let total_height: usize = blocks.iter().map(|block| block.len() + 1).sum();
    let heights: Vec<usize> = blocks.iter().map(Vec::len).collect();
    let min_height = heights.iter().copied().max().unwrap_or(0);
    let height =
        (min_height..=total_height).find(|height| count_columns(&heights, *height) <= count);
    let mut columns: Vec<Vec<Line>> = vec![vec![]];
    for block in blocks {
        let Some(column) = columns.last_mut() else {
            break;
        };
        if column.is_empty() {
            *column = block;
        } else if column.len() + 1 + block.len() <= height.unwrap_or(total_height) {
            column.push(Line::default());
            column.extend(block);
        } else {
            columns.push(block);
        }
    }
    let rows = columns.iter().map(Vec::len).max().unwrap_or(0);
    (0..rows)
        .map(|row| join_row(&columns, row, width))
        .collect()
}

/// Returns how many columns are needed to place blocks of these heights, if a column has at most
/// `max_height` rows.
fn count_columns(heights: &[usize], max_height: usize) -> usize {
    let mut columns = 1;
    let mut column_height = 0;
    for height in heights {
        let gap = usize::from(column_height > 0);
        if column_height + gap + height <= max_height {
            column_height += gap + height;
        } else {
            (columns, column_height) = (columns + 1, *height);
        }
    }
    columns
}

/// Joins line number `row` of every column into one line.
fn join_row(columns: &[Vec<Line>], row: usize, width: usize) -> Line {
    let mut line = Line::default();
    for (n, column) in columns.iter().enumerate() {
        let Some(cell) = column.get(row).filter(|cell| cell.width() > 0) else {
            continue;
        };
        let start = n * (width + COLUMN_GAP);
        line.push(Span::plain(" ".repeat(start.saturating_sub(line.width()))));
        line.spans.extend(cell.spans.iter().cloned());
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(name: &str, lines: usize) -> Vec<Line> {
        (0..lines)
            .map(|n| Line::of(Role::Text, format!("{name}{n}")))
            .collect()
    }

    #[test]
    fn blocks_fill_as_many_columns_as_fit_in_order() {
        assert_eq!(columns_that_fit(80, 50), (1, 80));
        assert_eq!(columns_that_fit(103, 50), (2, 50));
        assert_eq!(columns_that_fit(20, 50), (1, 20));
        let blocks = || vec![block("a", 2), block("b", 1), block("c", 3)];
        let layout = |count| -> Vec<String> {
            side_by_side(blocks(), (count, 4))
                .iter()
                .map(Line::to_string)
                .collect()
        };
        assert_eq!(layout(1), ["a0", "a1", "", "b0", "", "c0", "c1", "c2"]);
        assert_eq!(layout(2), ["a0     c0", "a1     c1", "       c2", "b0"]);
        assert_eq!(
            layout(3),
            ["a0     b0     c0", "a1            c1", "              c2"]
        );
        assert!(side_by_side(vec![], (2, 10)).is_empty());
    }
}
