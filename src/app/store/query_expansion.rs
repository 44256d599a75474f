//! Prepares a search text for the database, which contains only raw values. The search then also
//! finds texts that only the screen shows, such as the name of a state or a date.

use std::collections::HashMap;

use crate::app::Store;
use crate::app::ui::list::PageRequest;
use crate::trade::search::reading::{self, PieceKind};
use crate::trade::search::{RowLabel, Term, TimeMatch, searchable};
use crate::trade::{Operation, PixKeyKind, RequestResult, RowId, Search};
use crate::words::{Catalogue, Lang, dates, names};

/// A list that can be searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Searched {
    Links,
    Charges,
    Withdrawals,
    Requests,
}

/// The minimum length of a search word that is compared with labels, such as the names of states.
/// Shorter words would match too many labels.
const MIN_LABEL_WORD: usize = 3;

/// The states of withdrawals that the database can search for, each with the message id of the
/// state's name. The states of open withdrawals are missing, because they depend on the clock.
const WITHDRAWAL_LABELS: [(RowLabel, &str); 7] = [
    (RowLabel::Prepared, "state-prepared"),
    (RowLabel::Accepted, "state-accepted"),
    (RowLabel::Rejected, "state-rejected"),
    (RowLabel::Discarded, "state-discarded"),
    (RowLabel::FoundPaid, "state-resolved-paid"),
    (RowLabel::StatedNotPaid, "state-resolved-not-paid"),
    (RowLabel::OnFile, "withdrawals-on-file"),
];

const LINK_LABELS: [(RowLabel, &str); 6] = [
    (RowLabel::SandboxPaid, "links-paid"),
    (RowLabel::MarkedPaid, "links-marked"),
    (RowLabel::Created, "links-automatic"),
    (RowLabel::MayExist, "links-unknown"),
    (RowLabel::Refused, "links-refused"),
    (RowLabel::NotSent, "links-not-sent"),
];

const CHARGE_LABELS: [(RowLabel, &str); 6] = [
    (RowLabel::MarkedPaid, "links-marked"),
    (RowLabel::OddCode, "charges-odd-code"),
    (RowLabel::Created, "charges-created"),
    (RowLabel::MayExist, "links-unknown"),
    (RowLabel::Refused, "charges-refused"),
    (RowLabel::NotSent, "charges-not-sent"),
];

/// The results of requests that got no reply, each with the message id of the result's name.
const REQUEST_LABELS: [(RowLabel, &str); 4] = [
    (
        RowLabel::WithResult(RequestResult::NoAnswer),
        "exchange-no-answer",
    ),
    (
        RowLabel::WithResult(RequestResult::Cancelled),
        "exchange-cancelled",
    ),
    (
        RowLabel::WithResult(RequestResult::NotSent),
        "exchange-not-sent",
    ),
    (
        RowLabel::WithResult(RequestResult::Failed),
        "exchange-failed",
    ),
];

/// Expands the search text of a request for a page of this list. Returns a request without a search
/// text unchanged.
pub fn expand_request(store: &Store, list: Searched, request: PageRequest) -> PageRequest {
    if request.query.trim().is_empty() {
        request
    } else {
        PageRequest {
            search: expand(store, list, &request.query),
            ..request
        }
    }
}

/// Parses a search text. Each word is also compared with texts that only the screen shows, such as
/// states and times. A word in quotes is compared only with stored text.
pub fn expand(store: &Store, list: Searched, query: &str) -> Search {
    let catalogue = Catalogue::of(store.setup.lang);
    let today = store.now.wall.local_day(store.setup.utc_offset_s);
    let has_amounts = list != Searched::Requests;
    let (reading, pieces) = reading::read(query, today, has_amounts);
    let words = pieces
        .iter()
        .filter(|piece| piece.kind != PieceKind::Read)
        .flat_map(|piece| {
            let text = &query[piece.span.clone()];
            let is_quoted = piece.kind == PieceKind::Quoted;
            let text = if is_quoted {
                text.trim_matches('"')
            } else {
                text
            };
            text.split_whitespace().map(move |text| (text, is_quoted))
        });
    let terms = words
        .map(|(text, is_quoted)| {
            if is_quoted {
                return Term {
                    text: text.into(),
                    ..Term::default()
                };
            }
            let word = normalize_word(text);
            Term {
                text: text.into(),
                labels: matching_labels(store, catalogue, list, &word),
                open: if list == Searched::Withdrawals {
                    find_open_withdrawals(store, &word)
                } else {
                    Vec::new()
                },
                destinations: HashMap::new(),
                moments: parse_moments(catalogue, &word),
            }
        })
        .collect();
    Search {
        terms,
        reading,
        utc_offset_s: store.setup.utc_offset_s,
        ..Search::default()
    }
}

/// Normalizes a search word: lower case, without accents, and without punctuation around it. `:`
/// and `/` are kept, because times and dates such as `10:` and `21/` contain them.
fn normalize_word(text: &str) -> String {
    searchable(text)
        .trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, ':' | '/'))
        .to_owned()
}

/// True if any word of the label begins with the search word. Hyphens are ignored, so `email`
/// matches `e-mail`.
fn has_word_prefix(label: &str, word: &str) -> bool {
    let word = without_punctuation(word);
    word.chars().count() >= MIN_LABEL_WORD
        && searchable(label)
            .split_whitespace()
            .any(|label_word| without_punctuation(label_word).starts_with(&word))
}

fn without_punctuation(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric())
        .replace('-', "")
}

fn matching_labels(
    store: &Store,
    catalogue: &Catalogue,
    list: Searched,
    word: &str,
) -> Vec<RowLabel> {
    let states: &[(RowLabel, &str)] = match list {
        Searched::Links => &LINK_LABELS,
        Searched::Charges => &CHARGE_LABELS,
        Searched::Withdrawals => &WITHDRAWAL_LABELS,
        Searched::Requests => &REQUEST_LABELS,
    };
    let labels = states.iter().copied().chain(unstored_labels(store, list));
    let matching = labels.filter(|(_, id)| {
        let short = format!("{id}.short");
        has_word_prefix(&catalogue.text(id), word)
            || catalogue.has_message(&short) && has_word_prefix(&catalogue.text(&short), word)
    });
    let kinds = PixKeyKind::ALL
        .into_iter()
        .filter(|_| list == Searched::Withdrawals);
    let kinds = kinds.filter(|kind| has_word_prefix(&names::pix_key_kind(catalogue, *kind), word));
    let operations = Operation::ALL
        .into_iter()
        .filter(|_| list == Searched::Requests);
    let operations = operations
        .filter(|operation| has_word_prefix(&names::operation(catalogue, *operation), word));
    let other_labels = kinds
        .map(RowLabel::To)
        .chain(operations.map(RowLabel::ForOperation));
    matching
        .map(|(label, _)| label)
        .chain(other_labels)
        .collect()
}

/// The labels that the database does not contain: "expired" depends on the clock, and "not saved"
/// applies only in this run. Each label comes with the message id of its name.
fn unstored_labels(
    store: &Store,
    list: Searched,
) -> impl Iterator<Item = (RowLabel, &'static str)> {
    let unsaved_ids: Vec<RowId> = match list {
        Searched::Links => store.links.unsaved.iter().map(|link| link.id).collect(),
        Searched::Charges => store
            .charges
            .unsaved
            .iter()
            .map(|charge| charge.id)
            .collect(),
        Searched::Withdrawals | Searched::Requests => Vec::new(),
    };
    let expired_label = (RowLabel::Expired(store.now.wall), "charges-expired");
    let expired_label = (list == Searched::Charges).then_some(expired_label);
    let unsaved_ids = unsaved_ids
        .into_iter()
        .map(|id| (RowLabel::NotSaved(id), "links-not-saved"));
    expired_label.into_iter().chain(unsaved_ids)
}

/// The idempotency keys of the open withdrawals whose state name matches the search word. These
/// states depend on the clock, so the database cannot search for them.
fn find_open_withdrawals(store: &Store, word: &str) -> Vec<crate::trade::IdempotencyKey> {
    let withdrawals = store.withdrawals.open.iter();
    let matching = withdrawals.filter(|withdrawal| {
        has_word_prefix(&store.state_word(withdrawal), word)
            || has_word_prefix(
                &names::short_state(Catalogue::of(store.setup.lang), &store.state_of(withdrawal)),
                word,
            )
    });
    matching
        .map(|withdrawal| withdrawal.agreement.key)
        .collect()
}

/// The parts of times that a word is, such as `10:42` or the `/11` of a date. A whole date is read
/// as a period before.
fn parse_moments(catalogue: &Catalogue, word: &str) -> Vec<TimeMatch> {
    let mut moments = Vec::new();
    if is_number_with(word, ':') {
        moments.push(TimeMatch::Contains(format!(" {word}")));
    }
    match catalogue.lang() {
        Lang::Pt if is_number_with(word, '/') => moments.push(TimeMatch::Contains(word.to_owned())),
        Lang::En => moments
            .extend(month_number(word).map(|month| TimeMatch::Contains(format!("/{month:02}/")))),
        Lang::Pt => {}
    }
    moments
}

fn is_number_with(word: &str, separator: char) -> bool {
    word.contains(separator)
        && word.chars().any(|c| c.is_ascii_digit())
        && word.chars().all(|c| c == separator || c.is_ascii_digit())
}

/// The number of the month with this short English name, such as 11 for `Nov`.
fn month_number(word: &str) -> Option<usize> {
    dates::MONTHS
        .iter()
        .position(|name| word.eq_ignore_ascii_case(name))
        .map(|at| at + 1)
}
