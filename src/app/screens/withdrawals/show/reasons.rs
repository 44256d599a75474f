//! Other withdrawals that speak against this one, each named so that the seller knows it again.

use super::facts;
use crate::app::Store;
use crate::app::store::nicknames;
use crate::app::store::withdrawals::WhyRetype;
use crate::app::ui::action::Action;
use crate::app::ui::parts::wrapped;
use crate::app::ui::{Line, Role};
use crate::trade::Withdrawal;
use crate::trade::withdrawal::Clash;
use crate::words::failure::clash_id;

/// Names another withdrawal: when, how much, where to, its state, and another login if it has one.
fn named(store: &Store, other: &Withdrawal) -> String {
    let agreement = &other.agreement;
    let values = [
        ("amount", &*agreement.amount.to_string()),
        ("to", &nicknames::to(store, agreement)),
        ("when", &store.reader().moment(agreement.agreed.wall)),
        ("state", &store.state_word(other)),
    ];
    let named = store.with("other-named", &values);
    match facts::whose(store, other) {
        Some(whose) => store.with("other-of", &[("other", &named), ("whose", &whose)]),
        None => named,
    }
}

/// Another withdrawal that stands in the way of a draft, and the key that shows it.
pub fn clash(store: &Store, clash: &Clash, width: usize) -> Vec<Line> {
    let id = clash_id(clash.kind);
    let mut lines = wrapped(Role::Bad, &store.text(&format!("{id}.refused")), width);
    let key = store.reader().first_key(Action::ShowOther);
    let named = named(store, &clash.other);
    let shows = store.with("other-shows", &[("other", &named), ("key", key)]);
    lines.extend(wrapped(Role::Text, &shows, width));
    lines
}

/// Everything the amount is typed again for.
pub fn retype(store: &Store, why: &[WhyRetype], width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let open = others(why, |why| matches!(why, WhyRetype::AnotherOpen(_)));
    lines.extend(group(store, "review-retype-another-open", &open, width));
    let elsewhere = others(why, |why| matches!(why, WhyRetype::SameOpenElsewhere(_)));
    lines.extend(group(store, "review-retype-same-open-elsewhere", &elsewhere, width));
    let same = others(why, |why| matches!(why, WhyRetype::SameWithinADay(_)));
    lines.extend(group(store, "review-retype-same", &same, width));
    for why in why {
        let said = match why {
            WhyRetype::NoQuote => store.text("review-retype-no-quote"),
            WhyRetype::NothingArrives { net } => {
                store.with("review-retype-nothing", &[("net", &net.to_string())])
            }
            WhyRetype::FinerThanCentavos { .. } => store.text("review-retype-finer"),
            WhyRetype::AnotherOpen(_)
            | WhyRetype::SameOpenElsewhere(_)
            | WhyRetype::SameWithinADay(_) => continue,
        };
        lines.extend(wrapped(Role::Warn, &said, width));
    }
    lines
}

fn others(why: &[WhyRetype], is_it: impl Fn(&WhyRetype) -> bool) -> Vec<&Withdrawal> {
    why.iter().filter(|why| is_it(why)).filter_map(WhyRetype::other).collect()
}

/// The first of them by name, and how many more there are: those are in the list.
fn group(store: &Store, sentence: &str, others: &[&Withdrawal], width: usize) -> Vec<Line> {
    let [first, more @ ..] = others else { return Vec::new() };
    let mut sentence = store.text(sentence);
    if !more.is_empty() {
        let count = store.words().count("other-more", more.len() as u64, &[]);
        sentence = format!("{sentence} {count}");
    }
    let mut lines = wrapped(Role::Warn, &sentence, width);
    lines.extend(wrapped(Role::Text, &named(store, first), width));
    lines
}
