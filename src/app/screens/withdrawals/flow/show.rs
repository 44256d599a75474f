//! A withdrawal between the confirmation and its outcome.

use crate::app::ui::parts::{title, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::{Area, Line, Page, Role};
use crate::app::{Store, Wait};
use crate::trade::withdrawal::Agreement;
use crate::trade::{Money, Withdrawal};
use crate::words::Words;

use crate::app::screens::withdrawals::show::{facts, state};

/// Key and body are being made durable; nothing has left yet.
pub fn preparing(store: &Store, agreement: &Agreement, wait: Wait, area: Area, page: &mut Page) {
    let seconds = wait.seconds(store.now.boot_ms).to_string();
    let since = store.with("preparing-elapsed", &[("seconds", &seconds)]);
    head(store.words(), "preparing-title", agreement.amount, since, area, page);
    let money = match store.is_another_open(Some(agreement.key)) {
        true => "beside-preparing",
        false => "preparing-money",
    };
    text(store, [money, "preparing-what"], agreement, area).draw(store.reader(), page);
}

/// An attempt is under way.
pub fn sending(store: &Store, withdrawal: &Withdrawal, wait: Wait, area: Area, page: &mut Page) {
    let since = state::elapsed(store, wait.seconds(store.now.boot_ms));
    head(store.words(), "sending-title", withdrawal.agreement.amount, since, area, page);
    let said = [state::sending(withdrawal), "sending-leave"];
    text(store, said, &withdrawal.agreement, area).draw(store.reader(), page);
}

fn head(say: &Words, name: &str, amount: Money, since: String, area: Area, page: &mut Page) {
    let name = say.with(name, &[("amount", &amount.to_string())]);
    title(&name, Line::of(Role::Dim, since), area, page);
}

fn text(store: &Store, said: [&str; 2], agreement: &Agreement, area: Area) -> Text {
    let inner = area.narrowed(2).split_top(2).1;
    let width = usize::from(inner.width);
    let mut lines = wrapped(Role::Strong, &store.text(said[0]), width);
    lines.push(Line::default());
    lines.extend(wrapped(Role::Text, &store.text(said[1]), width));
    lines.push(Line::default());
    lines.extend(facts::destination(store, agreement, width));
    lines.extend(facts::key(store.words(), agreement, width));
    Text::tight(lines, inner)
}
