//! Questions: what is asked before it is done. The harmless button stands left and first.

use super::Ask;
use crate::app::Store;
use crate::app::geometry;
use crate::app::links::{self, Oddity};
use crate::app::screen::route::Onward;
use crate::app::screen::{Focus, Question};
use crate::app::screens::withdrawals::show::state::alarm_texts;
use crate::app::ui::parts::{Confirm, boxed, two_buttons, wrapped};
use crate::app::ui::scrolled::{Agreed, Text};
use crate::app::ui::{Area, Line, Page, Role};
use crate::trade::withdrawal::Alarm;
use crate::trade::{IdempotencyKey, Untrusted, Withdrawal};
use crate::words::Words;

/// Draws the question over what is there.
pub fn draw(store: &Store, say: &Words, ask: &Ask, area: Area, page: &mut Page) {
    let id = id(&ask.question);
    let body = area;
    let area = geometry::dialog(&ask.question, body);
    let inside = boxed(&say.text(&format!("{id}.title")), area, page);
    let agreed = laid(store, say, &ask.question, body);
    agreed.draw(store, say, Line::default(), page);
    let on_do = ask.buttons.focus == Focus::Confirm && !page.holds_back();
    let is_new = on_do && !page.may_press;
    let confirm = match ask.buttons.are_armed(store) && !is_new {
        _ if !page.is_read() => Confirm::Absent,
        true => Confirm::Live,
        false => Confirm::Dead,
    };
    let (back, does) = (say.text(&format!("{id}.back")), say.text(&format!("{id}.do")));
    let row = geometry::buttons(inside);
    two_buttons((&back, !on_do), (&does, on_do), confirm, row, page);
}

fn laid(store: &Store, say: &Words, question: &Question, area: Area) -> Agreed {
    let inside = geometry::inside(geometry::dialog(question, area));
    let room = inside.without_bottom(geometry::buttons(inside).height);
    let text = Text::tight(lines(store, say, question, usize::from(room.width)), room);
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
        Question::PassOdd { to: Onward::Qr, .. } => "ask-qr-odd",
        Question::Discard(_) => "ask-discard",
        Question::Found(_) => "ask-found",
        Question::UseMemory => "ask-use-memory",
        Question::PickJournal(_) => "ask-pick-journal",
    }
}

fn lines(store: &Store, say: &Words, question: &Question, width: usize) -> Vec<Line> {
    match question {
        Question::CopyOdd { url, oddities, .. } | Question::PassOdd { url, oddities, .. } => {
            odd(say, id(question), (url, oddities), width)
        }
        Question::Discard(key) | Question::Found(key) => about(store, say, question, *key, width),
        Question::PickJournal(dir) => {
            let folder = Untrusted::from(dir.display().to_string()).shown();
            let mut lines = wrapped(Role::Strong, &folder, width);
            lines.extend(wrapped(Role::Text, &say.text(id(question)), width));
            lines
        }
        question => wrapped(Role::Text, &say.text(id(question)), width),
    }
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

/// A reply said something else than what was asked for: which of both was found does not matter.
fn either_counts(say: &Words, alarm: &Alarm) -> String {
    let (sent, got) = alarm_texts(alarm);
    say.with("ask-found-either", &[("sent", &sent), ("got", &got)])
}

/// A question about an address that has something odd about it.
fn odd(say: &Words, id: &str, (url, oddities): (&Untrusted, &[Oddity]), width: usize) -> Vec<Line> {
    let shown = links::marked(url).shown_within(width * 3);
    let mut lines = wrapped(Role::Strong, &shown, width);
    lines.push(Line::default());
    for found in oddities {
        let text = format!("• {}", oddity(say, *found, url));
        lines.extend(wrapped(Role::Warn, &text, width));
    }
    lines.push(Line::default());
    lines.extend(wrapped(Role::Text, &say.text(id), width));
    lines
}

/// What is odd about an address.
pub fn oddity(say: &Words, oddity: Oddity, url: &Untrusted) -> String {
    say.text(match oddity {
        Oddity::ShellSigns => {
            return say.with("odd-shell", &[("signs", &links::shell_signs(url))]);
        }
        Oddity::NotAnAddress => "odd-not-an-address",
        Oddity::UserInfo => "odd-user-info",
        Oddity::IpLiteral => "odd-ip",
        Oddity::Http => "odd-http",
        Oddity::NotWeb => "odd-not-web",
        Oddity::ApiHost => "odd-api-host",
        Oddity::UnknownHost => "odd-unknown-host",
    })
}
