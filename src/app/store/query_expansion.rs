//! Expands a search text, because the database contains only raw values. The search then also finds
//! texts that only the screen shows, such as the name of a state, a nickname or a date.

use crate::app::Store;
use crate::app::ui::list::PageRequest;
use crate::trade::search::{RowLabel, Term, TimeMatch, searchable};
use crate::trade::{Operation, PixKeyKind, RequestResult, RowId, Search, Wall};
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
const LEAST_LETTERS: usize = 3;

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// The states of withdrawals that are not open, each with the message id of the state's name.
const WITHDRAWALS: [(RowLabel, &str); 7] = [
    (RowLabel::Prepared, "state-prepared"),
    (RowLabel::Accepted, "state-accepted"),
    (RowLabel::Rejected, "state-rejected"),
    (RowLabel::Discarded, "state-discarded"),
    (RowLabel::FoundPaid, "state-resolved-paid"),
    (RowLabel::StatedNotPaid, "state-resolved-not-paid"),
    (RowLabel::OnFile, "withdrawals-on-file"),
];

const LINKS: [(RowLabel, &str); 6] = [
    (RowLabel::SandboxPaid, "links-paid"),
    (RowLabel::MarkedPaid, "links-marked"),
    (RowLabel::Made, "links-automatic"),
    (RowLabel::MayExist, "links-unknown"),
    (RowLabel::Refused, "links-refused"),
    (RowLabel::NotSent, "links-not-sent"),
];

const CHARGES: [(RowLabel, &str); 6] = [
    (RowLabel::MarkedPaid, "links-marked"),
    (RowLabel::OddCode, "charges-odd-code"),
    (RowLabel::Made, "charges-created"),
    (RowLabel::MayExist, "links-unknown"),
    (RowLabel::Refused, "charges-refused"),
    (RowLabel::NotSent, "charges-not-sent"),
];

/// The results of requests that got no reply, each with the message id of the result's name.
const REQUESTS: [(RowLabel, &str); 4] = [
    (RowLabel::EndsWith(RequestResult::NoAnswer), "exchange-no-answer"),
    (RowLabel::EndsWith(RequestResult::Cancelled), "exchange-cancelled"),
    (RowLabel::EndsWith(RequestResult::NotSent), "exchange-not-sent"),
    (RowLabel::EndsWith(RequestResult::Failed), "exchange-failed"),
];

/// Expands the search text of a page request for this list. A request without a search text is
/// returned unchanged.
pub fn expand_request(store: &Store, list: Searched, ask: PageRequest) -> PageRequest {
    match ask.query.trim().is_empty() {
        true => ask,
        false => PageRequest { search: expand(store, list, &ask.query), ..ask },
    }
}

/// Parses a search text. Each word is also compared with texts that only the screen shows: states,
/// kinds of Pix key, operations, nicknames and dates.
pub fn expand(store: &Store, list: Searched, typed: &str) -> Search {
    let spoken = Catalogue::of(store.setup.lang);
    let words: Vec<String> = typed.split_whitespace().map(word).collect();
    let names_month = spoken.lang() == Lang::En && words.iter().any(|word| month(word).is_some());
    let term = |(text, word): (&str, &String)| Term {
        text: text.into(),
        labels: called(store, spoken, list, word),
        open: if list == Searched::Withdrawals { open(store, word) } else { Vec::new() },
        destinations: match list {
            Searched::Withdrawals => store.nicknames.with(text),
            Searched::Links | Searched::Charges | Searched::Requests => Vec::new(),
        },
        moments: moments(store, spoken, word, names_month),
    };
    let terms = typed.split_whitespace().zip(&words).map(term).collect();
    Search { terms, utc_offset_s: store.setup.utc_offset_s, ..Search::default() }
}

/// Normalizes a search word: lower case, without accents, and without punctuation around it. `:`
/// and `/` are kept, because times and dates such as `10:` and `21/` contain them.
fn word(typed: &str) -> String {
    let is_around = |c: char| !c.is_alphanumeric() && !matches!(c, ':' | '/');
    searchable(typed).trim_matches(is_around).to_owned()
}

/// Returns true if any word of the label begins with the search word. Hyphens are ignored: `email`
/// matches `e-mail`.
fn has(label: &str, word: &str) -> bool {
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).replace('-', "");
    let word = bare(word);
    let begins = |of: &str| bare(of).starts_with(&word);
    word.chars().count() >= LEAST_LETTERS && searchable(label).split_whitespace().any(begins)
}

fn called(store: &Store, words: &Catalogue, list: Searched, word: &str) -> Vec<RowLabel> {
    let states: &[(RowLabel, &str)] = match list {
        Searched::Links => &LINKS,
        Searched::Charges => &CHARGES,
        Searched::Withdrawals => &WITHDRAWALS,
        Searched::Requests => &REQUESTS,
    };
    let is_called = |id: &str| {
        let short = format!("{id}.short");
        has(&words.text(id), word) || words.knows(&short) && has(&words.text(&short), word)
    };
    let states = states.iter().filter(|(_, id)| is_called(id)).map(|(called, _)| *called);
    let changing = changing(store, list).filter(|(_, id)| is_called(id)).map(|(called, _)| called);
    let kinds = PixKeyKind::ALL.into_iter().filter(|_| list == Searched::Withdrawals);
    let kinds = kinds.filter(|kind| has(&names::pix_key_kind(words, *kind), word));
    let operations = Operation::ALL.into_iter().filter(|_| list == Searched::Requests);
    let operations = operations.filter(|one| has(&names::operation(words, *one), word));
    let named = kinds.map(RowLabel::To).chain(operations.map(RowLabel::Sends));
    states.chain(changing).chain(named).collect()
}

/// Returns the states that are not in the database, because they depend on the clock or on this
/// run. Each state comes with the message id of its name.
fn changing(store: &Store, list: Searched) -> impl Iterator<Item = (RowLabel, &'static str)> {
    let unsaved: Vec<RowId> = match list {
        Searched::Links => store.unsaved.links.iter().map(|link| link.id).collect(),
        Searched::Charges => store.unsaved.charges.iter().map(|charge| charge.id).collect(),
        Searched::Withdrawals | Searched::Requests => Vec::new(),
    };
    let expired = (RowLabel::Expired(store.now.wall), "charges-expired");
    let expired = (list == Searched::Charges).then_some(expired);
    let unsaved = unsaved.into_iter().map(|id| (RowLabel::NotSaved(id), "links-not-saved"));
    expired.into_iter().chain(unsaved)
}

/// Returns the idempotency keys of the open withdrawals whose state name matches the search word.
/// These states depend on the clock, so the database cannot search for them.
fn open(store: &Store, word: &str) -> Vec<crate::trade::IdempotencyKey> {
    let open = store.withdrawals.open.iter();
    let short = |one| names::short_state(Catalogue::of(store.setup.lang), &store.state_of(one));
    let shown = open.filter(|one| has(&store.state_word(one), word) || has(&short(one), word));
    shown.map(|one| one.agreement.key).collect()
}

fn moments(store: &Store, words: &Catalogue, word: &str, names_month: bool) -> Vec<TimeMatch> {
    let mut moments = Vec::new();
    let mut near = |id: &str, at: Wall| {
        if word.chars().count() >= LEAST_LETTERS && searchable(&words.text(id)).starts_with(word) {
            moments.extend(dates::figures(at, store.setup.utc_offset_s).map(TimeMatch::Begin));
        }
    };
    near("day-today", store.now.wall);
    near("day-yesterday", Wall(store.now.wall.0 - DAY_MS));
    let is_figures = |sign: char| {
        word.contains(sign)
            && word.chars().any(|c| c.is_ascii_digit())
            && word.chars().all(|c| c == sign || c.is_ascii_digit())
    };
    if is_figures(':') {
        moments.push(TimeMatch::Have(format!(" {word}")));
    }
    match words.lang() {
        Lang::Pt if is_figures('/') => moments.push(TimeMatch::Have(word.to_owned())),
        Lang::En => moments.extend(in_english(word, names_month)),
        Lang::Pt => {}
    }
    moments
}

/// Parses an English search word as a part of a date, such as the day or the month in `21 Nov
/// 2026`. A number counts only if the search also contains the name of a month.
fn in_english(word: &str, names_month: bool) -> Option<TimeMatch> {
    if let Some(month) = month(word) {
        return Some(TimeMatch::Have(format!("/{month:02}/")));
    }
    let figure: u16 = word.parse().ok().filter(|_| names_month)?;
    match word.len() {
        1 | 2 => Some(TimeMatch::Begin(format!("{figure:02}/"))),
        4 => Some(TimeMatch::Have(format!("/{figure} "))),
        _ => None,
    }
}

/// Returns the number of the month with this short English name, such as 11 for `Nov`.
fn month(word: &str) -> Option<usize> {
    dates::MONTHS.iter().position(|name| word.eq_ignore_ascii_case(name)).map(|at| at + 1)
}
