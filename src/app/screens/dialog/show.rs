//! Questions: what is asked before it is done. The harmless button stands left and first.

use super::Dialog;
use crate::app::Store;
use crate::app::next::{Onward, Question};
use crate::app::store::code_oddity::CodeOddity;
use crate::app::store::oddity::{self, Oddity};
use crate::app::store::profiles::Losses;
use crate::app::ui::parts::{boxed, wrapped};
use crate::app::ui::scrolled::{Agreed, Text};
use crate::app::ui::{Area, Line, Page, Role, geometry};
use crate::trade::withdrawal::Alarm;
use crate::trade::{IdempotencyKey, Untrusted, Withdrawal};
use crate::words::{Words, attempts};

/// Columns of the box.
const WIDTH: u16 = 66;

/// Draws the question over what is there.
pub fn draw(store: &Store, say: &Words, ask: &Dialog, area: Area, page: &mut Page) {
    let id = id(&ask.question);
    let lines = lines(
        store,
        say,
        &ask.question,
        usize::from(geometry::inside(area.middle(WIDTH, 0)).width),
    );
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
    let text = Text::tight(lines, inside.without_bottom(1));
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
        Question::PickJournal(_) => "ask-pick-journal",
        Question::SwitchProfile { .. } => "ask-switch",
    }
}

fn lines(store: &Store, say: &Words, question: &Question, width: usize) -> Vec<Line> {
    match question {
        Question::CopyOdd { url, oddities, .. } | Question::PassOdd { url, oddities, .. } => {
            odd(say, id(question), (url, oddities), width)
        }
        Question::CopyOddCode { code, oddities, .. } | Question::ShowOddCode { code, oddities } => {
            odd_code(say, id(question), (code, oddities), width)
        }
        Question::Discard(key) | Question::Found(key) => about(store, say, question, *key, width),
        Question::PickJournal(dir) => {
            let folder = Untrusted::from(dir.display().to_string()).shown();
            let mut lines = wrapped(Role::Strong, &folder, width);
            lines.extend(wrapped(Role::Text, &say.text(id(question)), width));
            lines
        }
        Question::SwitchProfile { to, losses } => switching(say, to, *losses, width),
        question => wrapped(Role::Text, &say.text(id(question)), width),
    }
}

/// What is lost with this run, thing by thing.
fn switching(say: &Words, to: &str, losses: Losses, width: usize) -> Vec<Line> {
    let name = Untrusted::from(to).shown_within(width);
    let mut lines = vec![Line::of(Role::Strong, name), Line::default()];
    for (is_lost, id) in [
        (losses.typed, "ask-switch-typed"),
        (losses.credentials, "ask-switch-credentials"),
        (losses.records, "ask-switch-records"),
    ] {
        if is_lost {
            lines.extend(wrapped(Role::Warn, &format!("• {}", say.text(id)), width));
        }
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
    let amount = store.withdrawals.find(key).map(|found| found.agreement.amount.to_string());
    let mut lines = match amount {
        Some(amount) => {
            let text = say.with("ask-withdrawal-of", &[("amount", &amount)]);
            wrapped(Role::Strong, &text, width)
        }
        None => Vec::new(),
    };
    lines.extend(wrapped(Role::Text, &say.text(id(question)), width));
    if let (Question::Found(_), Some(alarm)) =
        (question, store.withdrawals.find(key).and_then(Withdrawal::contradiction))
    {
        lines.extend(wrapped(Role::Bad, &either_counts(say, alarm), width));
    }
    lines.push(Line::default());
    lines.extend(wrapped(Role::Dim, &key.to_string(), width));
    lines
}

/// Says, of a reply that contradicts the request, that it does not matter which of both was found.
fn either_counts(say: &Words, alarm: &Alarm) -> String {
    let (sent, got) = attempts::both_sides(alarm);
    say.with("ask-found-either", &[("sent", &sent), ("got", &got)])
}

/// A question about an address that has something odd about it.
fn odd(say: &Words, id: &str, (url, oddities): (&Untrusted, &[Oddity]), width: usize) -> Vec<Line> {
    let shown = oddity::marked(url).shown_within(width * 3);
    let mut lines = wrapped(Role::Strong, &shown, width);
    lines.push(Line::default());
    for found in oddities {
        let text = format!("• {}", found.describe(say, url));
        lines.extend(wrapped(Role::Warn, &text, width));
    }
    lines.push(Line::default());
    lines.extend(wrapped(Role::Text, &say.text(id), width));
    lines
}

/// A question about a Pix code that has something odd about it.
fn odd_code(
    say: &Words,
    id: &str,
    (code, oddities): (&Untrusted, &[CodeOddity]),
    width: usize,
) -> Vec<Line> {
    let mut lines = vec![Line::of(Role::Strong, code.shown_within(width))];
    lines.push(Line::default());
    for found in oddities {
        lines.extend(wrapped(found.role(), &format!("• {}", found.describe(say)), width));
    }
    lines.push(Line::default());
    lines.extend(wrapped(Role::Text, &say.text(id), width));
    lines
}
