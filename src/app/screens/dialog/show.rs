//! Questions: what is asked before it is done. The harmless button stands left and first.

use super::Dialog;
use crate::app::Store;
use crate::app::cx::{Onward, Question};
use crate::app::store::oddity;
use crate::app::store::profiles::Losses;
use crate::app::ui::parts::{boxed, paragraph, point, wrapped};
use crate::app::ui::scrolled::{Agreed, Text};
use crate::app::ui::{Area, Line, Page, Role, geometry};
use crate::trade::{IdempotencyKey, Untrusted, Withdrawal};
use crate::words::{Words, attempts, personal};

/// Columns of the box.
const WIDTH: u16 = 66;

/// Draws the question over what is there.
pub fn draw(store: &Store, say: &Words, ask: &Dialog, area: Area, page: &mut Page) {
    let id = id(&ask.question);
    let width = usize::from(geometry::inside(area.middle(WIDTH, 0)).width);
    let lines = lines(store, say, &ask.question, width);
    let area = geometry::question(area, WIDTH, lines.len());
    let inside = boxed(&say.text(&format!("{id}.title")), area, page);
    let agreed = laid(lines, inside);
    let row = geometry::buttons(inside, agreed.end());
    agreed.draw(store.reader(), Line::default(), page);
    let confirm = ask.buttons.confirm(ask.buttons.are_armed(store), page);
    let (back, does) = (say.text(&format!("{id}.back")), say.text(&format!("{id}.do")));
    ask.buttons.show([&back, &does], confirm, row, page);
}

/// The words in the box, above a row for the buttons.
fn laid(lines: Vec<Line>, inside: Area) -> Agreed {
    let area = inside.without_bottom(1);
    let text = Text::tight(lines, area);
    match text.overflow().lines {
        0 => Agreed::whole(text),
        _ => Agreed::paged(text),
    }
}

fn id(question: &Question) -> &'static str {
    match question {
        Question::DropForm => "ask-drop-form",
        Question::LeaveInFlight => "ask-leave",
        Question::DropAndLeave => "ask-drop-and-leave",
        Question::LogOut => "ask-log-out",
        Question::CopyOdd { .. } => "ask-copy-odd",
        Question::PassOdd { to: Onward::Browser, .. } => "ask-browse-odd",
        Question::PassOdd { to: Onward::WhatsApp, .. } => "ask-share-odd",
        Question::PassOdd { to: Onward::Qr, .. } => "ask-qr-odd",
        Question::CopyOddCode { .. } => "ask-copy-code",
        Question::ShowOddCode { .. } => "ask-show-code",
        Question::Discard(_) => "ask-discard",
        Question::Found(_) => "ask-found",
        Question::UseMemory => "ask-use-memory",
        Question::SwitchProfile { .. } => "ask-switch",
    }
}

fn lines(store: &Store, say: &Words, question: &Question, width: usize) -> Vec<Line> {
    match question {
        Question::CopyOdd { url, oddities, .. } | Question::PassOdd { url, oddities, .. } => {
            let url_lines = Untrusted::in_full(|| oddity::marked(url).shown_within(width * 3));
            let url_lines = wrapped(Role::Strong, &url_lines, width);
            let said = oddities.iter().map(|one| (Role::Warn, one.describe(say, url)));
            odd(url_lines, said, &say.text(id(question)), width)
        }
        Question::CopyOddCode { code, oddities, .. } | Question::ShowOddCode { code, oddities } => {
            let said = oddities.iter().map(|one| (one.role(), one.describe(say)));
            let code_line = Untrusted::in_full(|| code.shown_within(width));
            let code_line = vec![Line::of(Role::Strong, code_line)];
            odd(code_line, said, &say.text(id(question)), width)
        }
        Question::Discard(key) | Question::Found(key) => about(store, say, question, *key, width),
        Question::SwitchProfile { to, losses } => switching(say, to, *losses, width),
        question => wrapped(Role::Text, &say.text(id(question)), width),
    }
}

/// Names the profile that comes next, and each thing that is lost with this run.
fn switching(say: &Words, to: &str, losses: Losses, width: usize) -> Vec<Line> {
    let name = personal::name(say, to).shown_within(width);
    let mut lines = vec![Line::of(Role::Strong, name), Line::default()];
    let all = [
        (losses.typed, "ask-switch-typed"),
        (losses.credentials, "ask-switch-credentials"),
        (losses.records, "ask-switch-records"),
    ];
    for (_, id) in all.iter().filter(|(is_lost, _)| *is_lost) {
        lines.extend(point(Role::Warn, &say.text(id), width));
    }
    lines
}

/// A question about one withdrawal: its amount where it is at hand, and its key always.
fn about(
    store: &Store,
    say: &Words,
    question: &Question,
    key: IdempotencyKey,
    width: usize,
) -> Vec<Line> {
    let found = store.withdrawals.find(key);
    let mut lines = Vec::new();
    if let Some(found) = found {
        let amount = found.agreement.amount.to_string();
        let text = say.with("ask-withdrawal-of", &[("amount", &amount)]);
        lines.extend(wrapped(Role::Strong, &text, width));
    }
    lines.extend(wrapped(Role::Text, &say.text(id(question)), width));
    let contradiction = found.and_then(Withdrawal::contradiction);
    if let (Question::Found(_), Some(alarm)) = (question, contradiction) {
        // It does not matter which of both was found.
        let (sent, got) = attempts::both_sides(say, alarm);
        let either = say.with("ask-found-either", &[("sent", &sent), ("got", &got)]);
        lines.extend(wrapped(Role::Bad, &either, width));
    }
    lines.extend(paragraph(Role::Dim, &key.to_string(), width));
    lines
}

/// A question about a text that has something odd about it: what that is stands below it.
fn odd(
    mut lines: Vec<Line>,
    oddities: impl Iterator<Item = (Role, String)>,
    question: &str,
    width: usize,
) -> Vec<Line> {
    lines.push(Line::default());
    for (role, said) in oddities {
        lines.extend(point(role, &said, width));
    }
    lines.extend(paragraph(Role::Text, question, width));
    lines
}
