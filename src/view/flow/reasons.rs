//! Other withdrawals that speak against this one, each named so that the seller knows it again.

use ratatui::text::Line;

use super::facts;
use crate::app::Model;
use crate::app::action::Action;
use crate::app::withdrawals::WhyRetype;
use crate::trade::Withdrawal;
use crate::trade::withdrawal::{Clash, ClashKind};
use crate::view::parts::{first_key, wrapped};
use crate::view::{Look, Role, dates};
use crate::words::names;

/// When, how much, where to, how it stands, and whose it is where that is another login's.
fn named(model: &Model, look: &Look, other: &Withdrawal) -> String {
    let agreement = &other.agreement;
    let values = [
        ("amount", &*agreement.amount.to_string()),
        ("to", &facts::destination_text(look, agreement.destination.as_ref())),
        ("when", &dates::moment(model, look, agreement.agreed.wall)),
        ("state", &names::state(look.words, &model.state_of(other))),
    ];
    let named = look.words.with("other-named", &values);
    match facts::whose(model, look, other) {
        Some(whose) => look.words.with("other-of", &[("other", &named), ("whose", &whose)]),
        None => named,
    }
}

/// Another withdrawal that stands in the way of a draft, and the key that shows it.
pub(super) fn clash(model: &Model, look: &Look, clash: &Clash, width: usize) -> Vec<Line<'static>> {
    let mut lines = wrapped(look, Role::Bad, &look.say(sentence(clash.kind)), width);
    let key = first_key(model, look, Action::ShowOther);
    let named = named(model, look, &clash.other);
    let shows = look.words.with("other-shows", &[("other", &named), ("key", &key)]);
    lines.extend(wrapped(look, Role::Text, &shows, width));
    lines
}

fn sentence(kind: ClashKind) -> &'static str {
    match kind {
        ClashKind::Mismatch => "withdraw-refused-mismatch",
        ClashKind::SameOpen => "withdraw-refused-same-open",
        ClashKind::OtherOpen => "withdraw-refused-other-open",
        ClashKind::SameOpenElsewhere => "withdraw-refused-same-open-elsewhere",
        ClashKind::SameDecided => "withdraw-refused-same-decided",
    }
}

/// Everything the amount is typed again for.
pub(super) fn retype(
    model: &Model,
    look: &Look,
    why: &[WhyRetype],
    width: usize,
) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let open = others(why, |why| matches!(why, WhyRetype::AnotherOpen(_)));
    lines.extend(group(model, look, "review-retype-another-open", &open, width));
    let elsewhere = others(why, |why| matches!(why, WhyRetype::SameOpenElsewhere(_)));
    lines.extend(group(model, look, "review-retype-same-open-elsewhere", &elsewhere, width));
    let same = others(why, |why| matches!(why, WhyRetype::SameWithinADay(_)));
    lines.extend(group(model, look, "review-retype-same", &same, width));
    for why in why {
        let said = match why {
            WhyRetype::NoQuote => look.say("review-retype-no-quote"),
            WhyRetype::NothingArrives { net } => {
                look.words.with("review-retype-nothing", &[("net", &net.to_string())])
            }
            WhyRetype::FinerThanCentavos { .. } => look.say("review-retype-finer"),
            WhyRetype::AnotherOpen(_)
            | WhyRetype::SameOpenElsewhere(_)
            | WhyRetype::SameWithinADay(_) => continue,
        };
        lines.extend(wrapped(look, Role::Warn, &said, width));
    }
    lines
}

fn others(why: &[WhyRetype], is_it: impl Fn(&WhyRetype) -> bool) -> Vec<&Withdrawal> {
    why.iter().filter(|why| is_it(why)).filter_map(WhyRetype::other).collect()
}

/// The first of them by name, and how many more there are: those are in the list.
fn group(
    model: &Model,
    look: &Look,
    sentence: &str,
    others: &[&Withdrawal],
    width: usize,
) -> Vec<Line<'static>> {
    let [first, more @ ..] = others else { return Vec::new() };
    let mut sentence = look.say(sentence);
    if !more.is_empty() {
        let count = look.words.count("other-more", more.len() as u64, &[]);
        sentence = format!("{sentence} {count}");
    }
    let mut lines = wrapped(look, Role::Warn, &sentence, width);
    lines.extend(wrapped(look, Role::Text, &named(model, look, first), width));
    lines
}
