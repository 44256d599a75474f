//! A withdrawal between the confirmation and its outcome.

use ratatui::Frame;
use ratatui::text::Line;

use crate::app::geometry::Area;
use crate::app::{Model, Wait};
use crate::trade::withdrawal::Agreement;
use crate::trade::{Money, Withdrawal};
use crate::view::parts::{title, wrapped};
use crate::view::scrolled::Text;
use crate::view::{Look, Role};

use super::{facts, state};

/// Key and body are being made durable; nothing has left yet.
pub(super) fn preparing(
    model: &Model,
    look: &Look,
    agreement: &Agreement,
    wait: Wait,
    scroll: u16,
    area: Area,
    frame: &mut Frame,
) {
    let seconds = wait.seconds(model.now.boot_ms).to_string();
    let since = look.words.with("preparing-elapsed", &[("seconds", &seconds)]);
    head(look, "preparing-title", agreement.amount, since, area, frame);
    preparing_text(model, look, agreement, area).draw(model, look, scroll, frame);
}

/// What is said below the title.
pub(super) fn preparing_text(
    model: &Model,
    look: &Look,
    agreement: &Agreement,
    area: Area,
) -> Text {
    let money = match model.is_another_open(Some(agreement.key)) {
        true => "beside-preparing",
        false => "preparing-money",
    };
    text(look, [money, "preparing-what"], agreement, area)
}

/// An attempt is under way.
pub(super) fn sending(
    model: &Model,
    look: &Look,
    withdrawal: &Withdrawal,
    wait: Wait,
    scroll: u16,
    area: Area,
    frame: &mut Frame,
) {
    let since = elapsed(model, look, wait.seconds(model.now.boot_ms));
    head(look, "sending-title", withdrawal.agreement.amount, since, area, frame);
    sending_text(look, withdrawal, area).draw(model, look, scroll, frame);
}

/// What is said below the title.
pub(super) fn sending_text(look: &Look, withdrawal: &Withdrawal, area: Area) -> Text {
    let said = [state::sending(withdrawal), "sending-leave"];
    text(look, said, &withdrawal.agreement, area)
}

/// For how long, and how long it can be at most.
pub(super) fn elapsed(model: &Model, look: &Look, seconds: u64) -> String {
    let limit = model.setup.window.deadline.as_secs().to_string();
    let seconds = seconds.to_string();
    look.words.with("sending-elapsed", &[("seconds", &seconds), ("limit", &limit)])
}

fn head(look: &Look, name: &str, amount: Money, since: String, area: Area, frame: &mut Frame) {
    let name = look.words.with(name, &[("amount", &amount.to_string())]);
    title(look, &name, look.line(Role::Dim, since), area, frame);
}

fn text(look: &Look, said: [&str; 2], agreement: &Agreement, area: Area) -> Text {
    let inner = area.narrowed(2).split_top(2).1;
    let width = usize::from(inner.width);
    let mut lines = wrapped(look, Role::Strong, &look.say(said[0]), width);
    lines.push(Line::default());
    lines.extend(wrapped(look, Role::Text, &look.say(said[1]), width));
    lines.push(Line::default());
    lines.extend(facts::destination(look, agreement, width));
    lines.extend(facts::key(look, agreement, width));
    Text::tight(lines, inner)
}
