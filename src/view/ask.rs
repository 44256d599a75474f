//! Questions: what is asked before it is done. The harmless button stands left and first.

use ratatui::Frame;
use ratatui::text::Line;

use super::flow::state::alarm_texts;
use super::parts::{boxed, button, dead_button, wrapped};
use super::scrolled::{Agreed, Text};
use super::{Look, Role};
use crate::app::Model;
use crate::app::geometry::{self, Area};
use crate::app::layer::{Ask, Question};
use crate::app::links::Oddity;
use crate::app::withdrawals::guide;
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
    let missing = agreed.missing;
    agreed.draw(model, look, scroll, frame);
    let [back, place] = [0, 1].map(|n| geometry::button(geometry::buttons(inside), n));
    button(look, &look.say(&format!("{id}.back")), !ask.on_do, back, frame);
    if missing == 0 {
        let draw = if ask.may_be_done(model.now.boot_ms) { button } else { dead_button };
        draw(look, &look.say(&format!("{id}.do")), ask.on_do, place, frame);
    }
}

/// Whether all of what would be said yes to is on the screen.
pub(super) fn is_legible(model: &Model, look: &Look, ask: &Ask, area: Area) -> bool {
    laid(model, look, &ask.question, area).missing == 0
}

/// All of what is asked.
pub(super) fn text(model: &Model, look: &Look, ask: &Ask, area: Area) -> Text {
    laid(model, look, &ask.question, area).text
}

fn laid(model: &Model, look: &Look, question: &Question, area: Area) -> Agreed {
    let inside = geometry::inside(geometry::dialog(question, area));
    let room = inside.without_bottom(geometry::buttons(inside).height);
    let text = Text::tight(lines(model, look, question, usize::from(room.width)), room);
    match usize::from(text.overflow().lines) {
        0 => Agreed::whole(text),
        missing => Agreed::cut(look, text, missing),
    }
}

fn id(question: &Question) -> &'static str {
    match question {
        Question::DropForm => "ask-drop-form",
        Question::LeaveInFlight => "ask-leave",
        Question::LogOut => "ask-log-out",
        Question::CopyOdd { .. } => "ask-copy-odd",
        Question::Discard(_) => "ask-discard",
        Question::Found(_) => "ask-found",
        Question::UseMemory => "ask-use-memory",
    }
}

fn lines(model: &Model, look: &Look, question: &Question, width: usize) -> Vec<Line<'static>> {
    match question {
        Question::CopyOdd { url, oddities } => copy_odd(look, url, oddities, width),
        Question::Discard(key) | Question::Found(key) => about(model, look, question, *key, width),
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

fn copy_odd(look: &Look, url: &Untrusted, odd: &[Oddity], width: usize) -> Vec<Line<'static>> {
    let mut lines = wrapped(look, Role::Strong, &url.shown_within(width * 3), width);
    lines.push(Line::default());
    for oddity in odd {
        let text = format!("• {}", look.say(oddity_id(*oddity)));
        lines.extend(wrapped(look, Role::Warn, &text, width));
    }
    lines.push(Line::default());
    lines.extend(wrapped(look, Role::Text, &look.say("ask-copy-odd"), width));
    lines
}

/// What is odd about an address.
pub(super) fn oddity_id(oddity: Oddity) -> &'static str {
    match oddity {
        Oddity::NotAnAddress => "odd-not-an-address",
        Oddity::UserInfo => "odd-user-info",
        Oddity::IpLiteral => "odd-ip",
        Oddity::Http => "odd-http",
        Oddity::ApiHost => "odd-api-host",
        Oddity::UnknownHost => "odd-unknown-host",
    }
}
