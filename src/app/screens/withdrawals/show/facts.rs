//! The facts that were agreed about a withdrawal, as label and value.

use crate::app::Store;
use crate::app::screens::withdrawals::show::members;
use crate::app::store::withdrawals::rules::{self, Belongs};
use crate::app::store::{confirming, nicknames};
use crate::app::ui::action::Action;
use crate::app::ui::parts::{LABEL, above, pair, wrapped};
use crate::app::ui::text::{columns, fit};
use crate::app::ui::{Line, Role, Span};
use crate::trade::withdrawal::{Agreement, Destination};
use crate::trade::{Account, FigureSource, Money, Untrusted, Withdrawal};
use crate::words::{Words, personal};

/// What was asked for beside the amount: to whom, and every other member of what was sent.
pub fn asked(store: &Store, agreement: &Agreement, width: usize) -> Vec<Line> {
    let mut lines = destination(store, agreement, width);
    lines.extend(members::lines(store, agreement, width));
    lines
}

pub fn destination(store: &Store, agreement: &Agreement, width: usize) -> Vec<Line> {
    let to = nicknames::to(store, agreement);
    pair(&store.text("outcome-to"), &to, width)
}

/// Names the account and the address it belongs to, where it cannot be sent from here.
pub fn whose(store: &Store, withdrawal: &Withdrawal) -> Option<String> {
    let Account { origin, identity } = &withdrawal.agreement.account;
    let who = personal::name(store.words(), identity).shown_within(80);
    let place = Untrusted::from(&*origin.0).shown_within(80);
    match rules::belongs(store, withdrawal) {
        Belongs::Here => None,
        Belongs::OtherLogin => Some(who),
        Belongs::OtherAddress => {
            Some(store.with("account-at", &[("who", &who), ("place", &place)]))
        }
    }
}

/// The account and the address it belongs to, with their label, where it cannot be sent from here.
pub fn account(store: &Store, withdrawal: &Withdrawal, width: usize) -> Vec<Line> {
    let whose = whose(store, withdrawal);
    whose.map(|whose| pair(&store.text("outcome-account"), &whose, width)).unwrap_or_default()
}

/// The code of the withdrawal, with its label and the name that the service's support knows.
pub fn key(say: &Words, agreement: &Agreement, width: usize) -> Vec<Line> {
    let (label, key) = (say.text("outcome-key"), agreement.key.to_string());
    let header = Untrusted::from(&*agreement.key_header_name);
    let theirs = format!("  ({})", header.shown_within(40));
    if LABEL + key.len() > width {
        // A code that is broken in two is hard to read out and to select.
        let label = fit(&format!("{label} {}", theirs.trim_start()), width);
        return above(&label, &key, width);
    }
    let has_room = LABEL + key.len() + columns(&theirs) <= width;
    let mut lines = pair(&label, &key, width);
    if let (true, Some(line)) = (has_room, lines.first_mut()) {
        line.push(Span::of(Role::Dim, theirs));
    }
    lines
}

/// The code, the service's name and word for it, and the fee as it was quoted.
pub fn known(say: &Words, withdrawal: &Withdrawal, width: usize) -> Vec<Line> {
    let mut lines = key(say, &withdrawal.agreement, width);
    if let Some(id) = withdrawal.service_id() {
        lines.extend(pair(
            &say.text("outcome-id"),
            &personal::theirs(say, id).shown_within(120),
            width,
        ));
    }
    if let Some(status) = withdrawal.service_status() {
        let theirs = say.with(
            "outcome-status-theirs",
            &[("word", &personal::theirs(say, status).shown_within(60))],
        );
        lines.extend(pair(&say.text("outcome-status"), &theirs, width));
    }
    lines.extend(pair(&say.text("outcome-quote"), &quoted(say, &withdrawal.agreement), width));
    lines
}

/// Lays out the question how much arrived, while only the seller can tell.
pub fn arrival(store: &Store, withdrawal: &Withdrawal, width: usize) -> Vec<Line> {
    if !confirming::asks_what_arrived(store, withdrawal) {
        return vec![];
    }
    let key = store.reader().first_key(Action::Arrived);
    wrapped(Role::Warn, &store.with("outcome-arrived", &[("key", key)]), width)
}

/// Says what was known of the fee when the seller confirmed.
pub fn quoted(say: &Words, agreement: &Agreement) -> String {
    match &agreement.quote {
        Some(quote) => {
            let fee = labelled(say, quote.fee, quote.fee_source, "figure-computed.fee");
            let net = labelled(say, quote.net, quote.net_source, "figure-computed");
            say.with("outcome-quote-figures", &[("fee", &fee), ("net", &net)])
        }
        None => say.text("outcome-no-quote"),
    }
}

/// A figure, with this word where the service did not give it.
fn labelled(say: &Words, figure: Money, source: FigureSource, computed: &str) -> String {
    match source {
        FigureSource::Service => figure.to_string(),
        FigureSource::Computed => format!("{figure} ({})", say.text(computed)),
    }
}

/// Says how often it was paid to, and when last.
pub fn used(store: &Store, destination: &Destination) -> String {
    let when = store.reader().day_of(destination.last);
    let is_date = when.starts_with(|c: char| c.is_ascii_digit());
    let id = if is_date { "known-used-on" } else { "known-used" };
    store.words().count(id, destination.count, &[("when", &when)])
}
