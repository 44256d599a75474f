//! Tables of messages, with the withdrawal states in which they are shown. In each state, the
//! screens of a withdrawal must show exactly the messages that the tables list.

use balcao::app::screen::Focus;
use balcao::app::{Model, Pane};
use balcao::trade::{ListPage, Withdrawal};
use balcao::words::{Catalogue, Lang, exit_report};

use super::forms::{another_login, other_address};
use super::withdrawals::{details, each, guide, pane, statement};
use crate::models::{running, screen, subject};

/// The messages of a withdrawal's details screen. Each row has a message id, and the states in
/// which this message is shown. A `*` matches the rest of a state's name.
const DETAILS: &[(&str, &[&str])] = &[
    ("said-prepared-new", &["prepared"]),
    ("said-prepared-not-sent", &["prepared-not-sent"]),
    ("said-prepared-no-entry", &["prepared-no-entry", "prepared-forbidden", "prepared-too-late"]),
    ("said-prepared-is-in", &["prepared-no-entry", "prepared-forbidden"]),
    ("said-prepared-log-in", &[]),
    ("said-prepared-throttled", &["prepared-early", "prepared-throttled", "prepared-too-many"]),
    ("said-prepared-too-late", &["prepared-too-late"]),
    ("said-prepared-discard", &["prepared-too-late", "prepared-too-many"]),
    ("said-sending", &[]),
    ("said-sending-again", &[]),
    ("said-unknown", &["unknown*", "waiting", "person-*"]),
    ("said-needs-person", &["person-*"]),
    ("why-window-over", &["person-window"]),
    ("why-too-many", &["person-sends", "prepared-too-many"]),
    ("why-another-boot", &["person-boot"]),
    ("why-clock-back", &["person-clock"]),
    ("why-redirected", &["person-redirected"]),
    ("why-key-reused", &["person-key-reused"]),
    ("why-says-failed", &["person-says-failed"]),
    ("said-mismatch-amount", &["mismatch"]),
    ("said-mismatch-destination", &["mismatch-destination"]),
    ("said-mismatch-lock", &["mismatch*"]),
    ("alarm-sent", &["mismatch*", "resolved-paid-mismatch", "resolved-not-paid-mismatch"]),
    ("said-accepted", &["accepted*"]),
    ("said-accepted-arrival", &["accepted*"]),
    ("said-rejected", &["rejected"]),
    ("said-rejected-next", &["rejected"]),
    ("said-discarded", &["discarded"]),
    ("said-resolved-paid", &["resolved-paid*"]),
    ("said-resolved-not-paid", &["resolved-not-paid*"]),
    ("said-resolved-not-paid-later", &["resolved-not-paid*"]),
    ("outcome-window", &["unknown*"]),
    ("outcome-window-send", &["prepared-no-entry", "prepared-forbidden", "prepared-early"]),
    ("outcome-wait", &["prepared-throttled"]),
    ("outcome-wait-again", &["waiting"]),
    ("step-wait-again", &["waiting"]),
    (
        "step-send-why",
        &[
            "prepared",
            "prepared-not-sent",
            "prepared-no-entry",
            "prepared-forbidden",
            "prepared-early",
        ],
    ),
    ("step-send-again-why", &["unknown*"]),
    ("step-discard-why", &["prepared*"]),
    ("step-check-why", &["unknown*", "waiting"]),
    ("step-check-decide-why", &["person-*", "mismatch*"]),
    ("step-found-why", &["unknown*", "waiting", "person-*"]),
    ("step-found-unlocks-why", &["mismatch*"]),
    ("step-not-paid-why", &[]),
    ("step-copy-key-why", &["*"]),
    ("step-locked", &[]),
    ("step-busy", &[]),
    ("not-paid-risk", &[]),
];

/// The messages of the guide for checking whether a withdrawal was paid. The rows are as in
/// [`DETAILS`]. Only a withdrawal that may have been paid has this guide.
const GUIDE: &[(&str, &[&str])] = &[
    ("guide-where", &["*"]),
    ("guide-said", &["mismatch*", "unknown-echo*"]),
    ("guide-not-yet", &["unknown*", "waiting"]),
    ("guide-not-found", &["person-*", "mismatch*"]),
    ("step-found-why", &["unknown*", "waiting", "person-*"]),
    ("step-found-unlocks-why", &["mismatch*"]),
    ("step-not-paid-why", &["person-*", "mismatch*"]),
    ("step-send-again-why", &[]),
    ("step-copy-clue-why", &["*"]),
    ("not-paid-risk", &[]),
];

/// The messages of the form with which the seller declares that a withdrawal was not paid. The rows
/// are as in [`DETAILS`]. Only a withdrawal that cannot be sent again has this form.
const STATEMENT: &[(&str, &[&str])] = &[
    ("not-paid-risk", &["*"]),
    ("not-paid-says", &["person-*"]),
    ("not-paid-says-neither", &["mismatch*"]),
    ("not-paid-then", &["person-*"]),
    ("not-paid-then-unlocks", &["mismatch*"]),
];

/// The messages about withdrawals that the app prints when it exits. The rows are as in
/// [`DETAILS`].
const LEFT: &[(&str, &[&str])] = &[
    ("left-accepted", &["accepted*"]),
    ("left-rejected", &["rejected"]),
    ("left-prepared", &["prepared*"]),
    ("left-open", &["unknown*", "waiting", "sending*"]),
    ("left-person", &["person-*"]),
    ("left-mismatch", &["mismatch*"]),
    ("left-decided", &["discarded", "resolved-*"]),
];

fn fits(name: &str, patterns: &[&str]) -> bool {
    patterns.iter().any(|pattern| match pattern.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => name == *pattern,
    })
}

/// Splits a message at its placeholders. If a screen contains all parts, it shows this message.
fn pieces(words: &Catalogue, id: &str) -> Vec<String> {
    const NAMES: [&str; 7] = ["n", "when", "status", "left", "sent", "got", "said"];
    let values: Vec<_> = NAMES.into_iter().map(|name| (name, "\u{1}")).collect();
    let text = if id == "why-too-many" { words.count(id, 4, &[]) } else { words.with(id, &values) };
    text.split('\u{1}').map(|piece| piece.trim().to_owned()).collect()
}

/// Returns the screen's text without the borders of dialogs. Repeated spaces are single.
fn unboxed(model: &Model) -> String {
    running(&screen(model).replace('│', " "))
}

fn check(table: &[(&str, &[&str])], lang: Lang, name: &str, model: &Model) {
    let words = Catalogue::of(lang);
    let screen = unboxed(model);
    for (id, states) in table {
        let mut pieces = pieces(words, id);
        // Add a space at the start, so that the message does not match inside a word, such as
        // "envio" in "reenvio".
        pieces[0].insert(0, ' ');
        let says = pieces.iter().all(|piece| screen.contains(piece.as_str()));
        assert_eq!(says, fits(name, states), "{name}, {id} in {}:\n{screen}", lang.tag());
    }
}

fn all(
    lang: Lang,
    chosen: &[&str],
    make: impl Fn(Lang, Withdrawal) -> Model,
) -> Vec<(&'static str, Model)> {
    let chosen = |name: &str| fits(name, chosen);
    each()
        .into_iter()
        .filter(|(name, _)| chosen(name))
        .map(|(name, one)| (name, make(lang, one)))
        .collect()
}

#[test]
fn details_show_only_facts_true_of_the_state() {
    for lang in Lang::ALL {
        for (name, model) in all(lang, &["*"], details) {
            check(DETAILS, lang, name, &model);
        }
    }
}

#[test]
fn guide_offers_statement_only_if_no_send_is_safe() {
    for lang in Lang::ALL {
        let open = ["unknown*", "waiting", "person-*", "mismatch*"];
        for (name, model) in all(lang, &open, |lang, one| guide(lang, one, 0)) {
            check(GUIDE, lang, name, &model);
        }
    }
}

#[test]
fn other_login_is_named_and_no_resend_is_offered() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        for (other, who) in [
            (another_login(0), "bia@loja.example"),
            (other_address(0), "https://api.pagamentos.example"),
        ] {
            let screen = unboxed(&details(lang, other.clone()));
            assert!(screen.contains(who), "{screen}");
            let mut pane = pane(lang);
            pane.withdrawals.open = vec![other.clone()];
            pane.withdrawals.list.page =
                ListPage { rows: [other].into(), first: 0, total: Some(1) };
            pane.withdrawals.list.cursor = 0;
            let mut banner = pane.clone();
            banner.pane = Pane::Links;
            for screen in [screen, unboxed(&pane), unboxed(&banner)] {
                for id in ["outcome-window", "outcome-window-send", "step-send-again-why"] {
                    let piece = &pieces(words, id)[0];
                    assert!(!screen.contains(piece.as_str()), "{id}: {screen}");
                }
            }
        }
    }
}

#[test]
fn statement_shows_its_meaning_and_its_risk() {
    for lang in Lang::ALL {
        let not_paid = |lang, one| statement(lang, one, Focus::Back, 0);
        for (name, model) in all(lang, &["person-*", "mismatch*"], not_paid) {
            check(STATEMENT, lang, name, &model);
        }
    }
}

#[test]
fn the_last_line_after_leaving_is_that_of_the_state() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        for (name, model) in all(lang, &["*"], details) {
            let withdrawal = subject(&model).expect("its details are open");
            let (state, amount) = (model.state_of(withdrawal), withdrawal.agreement.amount);
            let last = exit_report::state(words, &state, amount, None);
            for (id, states) in LEFT {
                let line = words.with(id, &[("amount", &amount.to_string())]);
                assert_eq!(last == line, fits(name, states), "{name}, {id}: {last}");
            }
        }
    }
}
