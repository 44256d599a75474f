//! Questions: what is asked before it is done. The harmless button stands left and first.

use ratatui::Frame;
use ratatui::text::Line;

use super::flow::state::alarm_texts;
use super::parts::{boxed, button, dead_button, wrapped};
use super::scrolled::{Agreed, Text};
use super::{Look, Role};
use crate::app::geometry::{self, Area};
use crate::app::layer::{Ask, Question};
use crate::app::links::{self, Oddity, Onward};
use crate::app::withdrawals::guide;
use crate::app::{Model, offers, seen};
use crate::trade::withdrawal::Alarm;
use crate::trade::{IdempotencyKey, Untrusted, Withdrawal};

/// Draws the question over what is there.
pub(super) fn draw(
    model: &Model,
    look: &Look,
    ask: &Ask,
    scroll: u16,
    area: Area,
    frame: &mut Frame,
) {
    let id = id(&ask.question);
    let body = area;
    let area = geometry::dialog(&ask.question, body);
    let inside = boxed(look, &look.say(&format!("{id}.title")), area, frame);
    let agreed = laid(model, look, &ask.question, body);
    agreed.draw(model, look, Line::default(), scroll, frame);
    let [back, place] = [0, 1].map(|n| geometry::button(geometry::buttons(inside), n));
    button(look, &look.say(&format!("{id}.back")), !ask.on_do, back, frame);
    if offers::can_agree(model) {
        let is_new = ask.on_do && !seen::may_press(model);
        let is_live = ask.may_be_done(model.now.boot_ms) && !is_new;
        let draw = if is_live { button } else { dead_button };
        draw(look, &look.say(&format!("{id}.do")), ask.on_do, place, frame);
    }
}

/// All of what is asked.
pub(super) fn text(model: &Model, look: &Look, ask: &Ask, area: Area) -> Text {
    laid(model, look, &ask.question, area).text
}

fn laid(model: &Model, look: &Look, question: &Question, area: Area) -> Agreed {
    let inside = geometry::inside(geometry::dialog(question, area));
    let room = inside.without_bottom(geometry::buttons(inside).height);
    let text = Text::tight(lines(model, look, question, usize::from(room.width)), room);
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

fn lines(model: &Model, look: &Look, question: &Question, width: usize) -> Vec<Line<'static>> {
    match question {
        Question::CopyOdd { url, oddities, .. } | Question::PassOdd { url, oddities, .. } => {
            odd(look, id(question), (url, oddities), width)
        }
        Question::Discard(key) | Question::Found(key) => about(model, look, question, *key, width),
        Question::PickJournal(dir) => {
            let folder = Untrusted::from(dir.display().to_string()).shown();
            let mut lines = wrapped(look, Role::Strong, &folder, width);
            lines.extend(wrapped(look, Role::Text, &look.say(id(question)), width));
            lines
        }
        question => wrapped(look, Role::Text, &look.say(id(question)), width),
    }
}

/// A question about one withdrawal: its amount where it is at hand, and its key always.
fn about(
    model: &Model,
    look: &Look,
    question: &Question,
    key: IdempotencyKey,
    width: usize,
) -> Vec<Line<'static>> {
    let amount = find(model, key).map(|found| found.agreement.amount.to_string());
    let mut lines = match amount {
        Some(amount) => {
            let text = look.words.with("ask-withdrawal-of", &[("amount", &amount)]);
            wrapped(look, Role::Strong, &text, width)
        }
        None => Vec::new(),
    };
    lines.extend(wrapped(look, Role::Text, &look.say(id(question)), width));
    if let (Question::Found(_), Some(alarm)) =
        (question, find(model, key).and_then(Withdrawal::contradiction))
    {
        lines.extend(wrapped(look, Role::Bad, &either_counts(look, alarm), width));
    }
    lines.push(Line::default());
    lines.extend(wrapped(look, Role::Dim, &key.to_string(), width));
    lines
}

/// A reply said something else than what was asked for: which of both was found does not matter.
fn either_counts(look: &Look, alarm: &Alarm) -> String {
    let (sent, got) = alarm_texts(alarm);
    look.words.with("ask-found-either", &[("sent", &sent), ("got", &got)])
}

fn find(model: &Model, key: IdempotencyKey) -> Option<&Withdrawal> {
    let all = guide::subject(model).into_iter().chain(&model.withdrawals.open);
    all.chain(model.withdrawals.list.page.rows.iter()).find(|one| one.agreement.key == key)
}

/// A question about an address that has something odd about it.
fn odd(
    look: &Look,
    id: &str,
    (url, oddities): (&Untrusted, &[Oddity]),
    width: usize,
) -> Vec<Line<'static>> {
    let shown = links::marked(url).shown_within(width * 3);
    let mut lines = wrapped(look, Role::Strong, &shown, width);
    lines.push(Line::default());
    for found in oddities {
        let text = format!("• {}", oddity(look, *found, url));
        lines.extend(wrapped(look, Role::Warn, &text, width));
    }
    lines.push(Line::default());
    lines.extend(wrapped(look, Role::Text, &look.say(id), width));
    lines
}

/// What is odd about an address.
pub(super) fn oddity(look: &Look, oddity: Oddity, url: &Untrusted) -> String {
    look.say(match oddity {
        Oddity::ShellSigns => {
            return look.words.with("odd-shell", &[("signs", &links::shell_signs(url))]);
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
