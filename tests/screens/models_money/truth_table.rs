//! Tables of messages, with the withdrawal states in which they are shown. In each state, the
//! screens of a withdrawal must show exactly the messages that the tables list.

use balcao::app::screen::Focus;
use balcao::app::{Model, Pane};
use balcao::trade::{ListPage, Withdrawal};
use balcao::words::{Catalogue, Lang, exit_report};

use super::forms::{open_at_other_address, open_with_other_login};
use super::withdrawals::{all_withdrawals, details, guide, not_paid_form, pane};
use crate::models::{front_withdrawal, normalize_spaces, screen_text};

/// The messages of a withdrawal's details screen. Each row has a message id, and the states in
/// which this message is shown. A `*` matches the rest of a state's name.
const DETAILS_MESSAGES: &[(&str, &[&str])] = &[
    ("said-prepared-new", &["prepared"]),
    ("said-prepared-not-sent", &["prepared-not-sent"]),
    (
        "said-prepared-no-entry",
        &[
            "prepared-no-entry",
            "prepared-forbidden",
            "prepared-too-late",
        ],
    ),
    (
        "said-prepared-is-in",
        &["prepared-no-entry", "prepared-forbidden"],
    ),
    ("said-prepared-log-in", &[]),
    (
        "said-prepared-throttled",
        &["prepared-early", "prepared-throttled", "prepared-too-many"],
    ),
    ("said-prepared-too-late", &["prepared-too-late"]),
    (
        "said-prepared-discard",
        &["prepared-too-late", "prepared-too-many"],
    ),
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
    (
        "why-says-failed",
        &["person-says-failed", "person-says-accepted"],
    ),
    ("said-mismatch-amount", &["mismatch"]),
    ("said-mismatch-destination", &["mismatch-destination"]),
    ("said-mismatch-lock", &["mismatch*"]),
    (
        "alarm-sent",
        &[
            "mismatch*",
            "resolved-paid-mismatch",
            "resolved-not-paid-mismatch",
        ],
    ),
    ("said-accepted", &["accepted*"]),
    ("said-accepted-arrival", &["accepted*"]),
    ("said-rejected", &["rejected"]),
    ("said-rejected-next", &["rejected"]),
    ("said-discarded", &["discarded"]),
    ("said-resolved-paid", &["resolved-paid*"]),
    ("said-resolved-not-paid", &["resolved-not-paid*"]),
    ("said-resolved-not-paid-later", &["resolved-not-paid*"]),
    ("outcome-window", &["unknown*"]),
    (
        "outcome-window-send",
        &["prepared-no-entry", "prepared-forbidden", "prepared-early"],
    ),
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
/// [`DETAILS_MESSAGES`]. Only a withdrawal that may have been paid has this guide.
const GUIDE_MESSAGES: &[(&str, &[&str])] = &[
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
/// are as in [`DETAILS_MESSAGES`]. Only a withdrawal that cannot be sent again has this form.
const NOT_PAID_FORM_MESSAGES: &[(&str, &[&str])] = &[
    ("not-paid-risk", &["*"]),
    ("not-paid-says", &["person-*"]),
    ("not-paid-says-neither", &["mismatch*"]),
    ("not-paid-then", &["person-*"]),
    ("not-paid-then-unlocks", &["mismatch*"]),
];

/// The messages about withdrawals that the app prints when it exits. The rows are as in
/// [`DETAILS_MESSAGES`].
const EXIT_MESSAGES: &[(&str, &[&str])] = &[
    ("left-accepted", &["accepted*"]),
    ("left-rejected", &["rejected"]),
    ("left-prepared", &["prepared*"]),
    ("left-open", &["unknown*", "waiting", "sending*"]),
    ("left-person", &["person-*"]),
    ("left-mismatch", &["mismatch*"]),
    ("left-decided", &["discarded", "resolved-*"]),
];

fn matches_any(name: &str, patterns: &[&str]) -> bool {
    patterns
        .iter()
        .any(|pattern| match pattern.strip_suffix('*') {
            Some(beginning) => name.starts_with(beginning),
            None => name == *pattern,
        })
}

/// Splits a message at its placeholders. If a screen contains all parts, it shows this message.
fn message_pieces(words: &Catalogue, id: &str) -> Vec<String> {
    const NAMES: [&str; 7] = ["n", "when", "status", "left", "sent", "got", "said"];
    let values: Vec<_> = NAMES.into_iter().map(|name| (name, "\u{1}")).collect();
    let text = if id == "why-too-many" {
        words.count(id, 4, &[])
    } else {
        words.with(id, &values)
    };
    text.split('\u{1}')
        .map(|piece| piece.trim().to_owned())
        .collect()
}

/// Returns the screen's text without the borders of dialogs, and without repeated spaces.
fn text_without_borders(model: &Model) -> String {
    normalize_spaces(&screen_text(model).replace('│', " "))
}

fn assert_messages(table: &[(&str, &[&str])], lang: Lang, name: &str, model: &Model) {
    let words = Catalogue::of(lang);
    let screen = text_without_borders(model);
    for (id, states) in table {
        let mut pieces = message_pieces(words, id);
        // Add a space at the start, so that the message does not match inside a word, such as
        // "envio" in "reenvio".
        pieces[0].insert(0, ' ');
        let is_shown = pieces.iter().all(|piece| screen.contains(piece.as_str()));
        assert_eq!(
            is_shown,
            matches_any(name, states),
            "{name}, {id} in {}:\n{screen}",
            lang.tag()
        );
    }
}

fn models_in_states(
    lang: Lang,
    patterns: &[&str],
    build_model: impl Fn(Lang, Withdrawal) -> Model,
) -> Vec<(&'static str, Model)> {
    let is_selected = |name: &str| matches_any(name, patterns);
    all_withdrawals()
        .into_iter()
        .filter(|(name, _)| is_selected(name))
        .map(|(name, withdrawal)| (name, build_model(lang, withdrawal)))
        .collect()
}

#[test]
fn details_show_only_facts_true_of_the_state() {
    for lang in Lang::ALL {
        for (name, model) in models_in_states(lang, &["*"], details) {
            assert_messages(DETAILS_MESSAGES, lang, name, &model);
        }
    }
}

#[test]
fn guide_offers_statement_only_if_no_send_is_safe() {
    for lang in Lang::ALL {
        let patterns = ["unknown*", "waiting", "person-*", "mismatch*"];
        for (name, model) in models_in_states(lang, &patterns, |lang, withdrawal| {
            guide(lang, withdrawal, 0)
        }) {
            assert_messages(GUIDE_MESSAGES, lang, name, &model);
        }
    }
}

#[test]
fn other_login_is_named_and_no_resend_is_offered() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        for (other, expected) in [
            (open_with_other_login(0), "bia@loja.example"),
            (open_at_other_address(0), "https://api.pagamentos.example"),
        ] {
            let screen = text_without_borders(&details(lang, other.clone()));
            assert!(screen.contains(expected), "{screen}");
            let mut pane = pane(lang);
            pane.withdrawals.open = vec![other.clone()];
            pane.withdrawals.list.page = ListPage {
                rows: [other].into(),
                first: 0,
                total: Some(1),
            };
            pane.withdrawals.list.cursor = 0;
            let mut with_banner = pane.clone();
            with_banner.pane = Pane::Links;
            for screen in [
                screen,
                text_without_borders(&pane),
                text_without_borders(&with_banner),
            ] {
                for id in [
                    "outcome-window",
                    "outcome-window-send",
                    "step-send-again-why",
                ] {
                    let piece = &message_pieces(words, id)[0];
                    assert!(!screen.contains(piece.as_str()), "{id}: {screen}");
                }
            }
        }
    }
}

#[test]
fn statement_shows_its_meaning_and_its_risk() {
    for lang in Lang::ALL {
        let build_form = |lang, withdrawal| not_paid_form(lang, withdrawal, Focus::Back, 0);
        for (name, model) in models_in_states(lang, &["person-*", "mismatch*"], build_form) {
            assert_messages(NOT_PAID_FORM_MESSAGES, lang, name, &model);
        }
    }
}

#[test]
fn exit_line_matches_the_withdrawal_state() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        for (name, model) in models_in_states(lang, &["*"], details) {
            let withdrawal = front_withdrawal(&model).expect("its details are open");
            let state = model.state_of(withdrawal);
            let amount = withdrawal.agreement.amount;
            let exit_line = exit_report::exit_line(words, &state, amount, None);
            for (id, states) in EXIT_MESSAGES {
                let line = words.with(id, &[("amount", &amount.to_string())]);
                assert_eq!(
                    exit_line == line,
                    matches_any(name, states),
                    "{name}, {id}: {exit_line}"
                );
            }
        }
    }
}
