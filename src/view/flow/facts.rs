//! What was agreed about a withdrawal, as label and value.

use ratatui::text::Line;

use crate::app::Model;
use crate::app::withdrawals::flow::{self, Belongs};
use crate::trade::withdrawal::Agreement;
use crate::trade::{Account, FigureSource, Money, PixKey, Untrusted, Withdrawal};
use crate::view::parts::{LABEL, pair};
use crate::view::text::{columns, fit};
use crate::view::{Look, Role};
use crate::words::names;

/// Where it goes: the kind in words and the key in its normal form.
pub(in crate::view) fn destination_text(look: &Look, key: Option<&PixKey>) -> String {
    match key {
        Some(key) => format!("{} {}", names::pix_key_kind(look.words, key.kind()), key.pretty()),
        None => look.say("withdrawals-on-file"),
    }
}

/// Where it goes, with its label.
pub(super) fn destination(look: &Look, agreement: &Agreement, width: usize) -> Vec<Line<'static>> {
    let to = destination_text(look, agreement.destination.as_ref());
    pair(look, &look.say("outcome-to"), &to, width)
}

/// Whose it is and where, in words, where it can not be sent from here.
pub(super) fn whose(model: &Model, look: &Look, withdrawal: &Withdrawal) -> Option<String> {
    let Account { origin, identity } = &withdrawal.agreement.account;
    let who = Untrusted::from(&**identity).shown_within(80);
    let place = Untrusted::from(&*origin.0).shown_within(80);
    match flow::belongs(model, withdrawal) {
        Belongs::Here => None,
        Belongs::OtherLogin => Some(who),
        Belongs::OtherAddress => {
            Some(look.words.with("account-at", &[("who", &who), ("place", &place)]))
        }
    }
}

/// Whose it is and where, with its label, where that is not who is logged in here.
pub(super) fn account(
    model: &Model,
    look: &Look,
    withdrawal: &Withdrawal,
    width: usize,
) -> Vec<Line<'static>> {
    let whose = whose(model, look, withdrawal);
    whose.map(|whose| pair(look, &look.say("outcome-account"), &whose, width)).unwrap_or_default()
}

/// The code of the withdrawal, with its label and the name that the service's support knows.
pub(super) fn key(look: &Look, agreement: &Agreement, width: usize) -> Vec<Line<'static>> {
    let (label, key) = (look.say("outcome-key"), agreement.key.to_string());
    let header = agreement.key_header_name.as_deref();
    let theirs = header.map(|name| format!("  ({})", Untrusted::from(name).shown_within(40)));
    let theirs = theirs.unwrap_or_default();
    if LABEL + key.len() > width {
        // A code that is broken in two is hard to read out and to select.
        let label = fit(&format!("{label} {}", theirs.trim_start()), width);
        return vec![look.line(Role::Dim, label), look.line(Role::Text, key)];
    }
    let has_room = LABEL + key.len() + columns(&theirs) <= width;
    let mut lines = pair(look, &label, &key, width);
    if let (true, Some(line)) = (has_room, lines.first_mut()) {
        line.push_span(look.span(Role::Dim, theirs));
    }
    lines
}

/// The fee as it was quoted when the seller confirmed.
pub(super) fn quote(look: &Look, agreement: &Agreement, width: usize) -> Vec<Line<'static>> {
    let said = match &agreement.quote {
        Some(quote) => {
            let fee = labelled(look, quote.fee, quote.fee_source, "figure-computed.fee");
            let net = labelled(look, quote.net, quote.net_source, "figure-computed");
            look.words.with("outcome-quote-figures", &[("fee", &fee), ("net", &net)])
        }
        None => look.say("outcome-no-quote"),
    };
    pair(look, &look.say("outcome-quote"), &said, width)
}

/// A figure, with this word where it was not the service that said it.
fn labelled(look: &Look, figure: Money, source: FigureSource, computed: &str) -> String {
    match source {
        FigureSource::Service => figure.to_string(),
        FigureSource::Computed => format!("{figure} ({})", look.say(computed)),
    }
}

/// What the service calls it: by that its support finds it.
pub(super) fn id(look: &Look, withdrawal: &Withdrawal, width: usize) -> Vec<Line<'static>> {
    let id = withdrawal.service_id().map(|id| id.shown_within(120));
    id.map(|id| pair(look, &look.say("outcome-id"), &id, width)).unwrap_or_default()
}

/// Its state in the service's own word.
pub(super) fn status(look: &Look, withdrawal: &Withdrawal, width: usize) -> Vec<Line<'static>> {
    let Some(status) = withdrawal.service_status() else { return Vec::new() };
    let theirs = look.words.with("outcome-status-theirs", &[("word", &status.shown_within(60))]);
    pair(look, &look.say("outcome-status"), &theirs, width)
}
