//! The meaning of the words of a search: a row is found by its state, its key or its day too.

use crate::app::Store;
use crate::app::ui::list::PageRequest;
use crate::trade::search::{Called, Moments, Term, searchable};
use crate::trade::{PixKeyKind, Search, Wall};
use crate::words::{Lang, Words, dates, names};

/// A list that can be searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "a list is its name")]
pub enum Searched {
    Links,
    Charges,
    Withdrawals,
}

/// Fewer letters than these mean nothing more: they are in every other word.
const LEAST_LETTERS: usize = 3;

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// The states of withdrawals that are not open, and the message that names each on the screen.
const WITHDRAWALS: [(Called, &str); 7] = [
    (Called::Prepared, "state-prepared"),
    (Called::Accepted, "state-accepted"),
    (Called::Rejected, "state-rejected"),
    (Called::Discarded, "state-discarded"),
    (Called::FoundPaid, "state-resolved-paid"),
    (Called::StatedNotPaid, "state-resolved-not-paid"),
    (Called::OnFile, "withdrawals-on-file"),
];

const LINKS: [(Called, &str); 5] = [
    (Called::MarkedPaid, "links-marked"),
    (Called::Made, "links-automatic"),
    (Called::MayExist, "links-unknown"),
    (Called::Refused, "links-refused"),
    (Called::NotSent, "links-not-sent"),
];

const CHARGES: [(Called, &str); 4] = [
    (Called::Made, "charges-created"),
    (Called::MayExist, "links-unknown"),
    (Called::Refused, "charges-refused"),
    (Called::NotSent, "charges-not-sent"),
];

/// Gives a question for rows of this list the meaning of its words as of now.
pub fn understood(store: &Store, list: Searched, ask: PageRequest) -> PageRequest {
    match ask.query.trim().is_empty() {
        true => ask,
        false => PageRequest { search: meaning(store, list, &ask.query), ..ask },
    }
}

/// Returns the typed words, each with everything that rows of this list show under that word.
pub fn meaning(store: &Store, list: Searched, typed: &str) -> Search {
    let spoken = Words::of(store.setup.lang);
    let words: Vec<String> = typed.split_whitespace().map(word).collect();
    let names_month = spoken.lang() == Lang::En && words.iter().any(|word| month(word).is_some());
    let term = |(text, word): (&str, &String)| Term {
        text: text.into(),
        called: called(spoken, list, word),
        open: if list == Searched::Withdrawals { open(store, word) } else { Vec::new() },
        destinations: match list {
            Searched::Withdrawals => store.nicknames.with(text),
            Searched::Links | Searched::Charges => Vec::new(),
        },
        moments: moments(store, spoken, word, names_month),
    };
    let terms = typed.split_whitespace().zip(&words).map(term).collect();
    Search { terms, utc_offset_s: store.setup.utc_offset_s, ..Search::default() }
}

/// A typed word without the signs that stand around it in a sentence; `10:` and `21/` keep theirs.
fn word(typed: &str) -> String {
    let is_around = |c: char| !c.is_alphanumeric() && !matches!(c, ':' | '/');
    searchable(typed).trim_matches(is_around).to_owned()
}

/// Returns true when a label has a word that begins like this one; `email` and `e-mail` are equal.
fn has(label: &str, word: &str) -> bool {
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).replace('-', "");
    let word = bare(word);
    let begins = |of: &str| bare(of).starts_with(&word);
    word.chars().count() >= LEAST_LETTERS && searchable(label).split_whitespace().any(begins)
}

fn called(words: &Words, list: Searched, word: &str) -> Vec<Called> {
    let states: &[(Called, &str)] = match list {
        Searched::Links => &LINKS,
        Searched::Charges => &CHARGES,
        Searched::Withdrawals => &WITHDRAWALS,
    };
    let states = states.iter().filter(|(_, id)| has(&words.text(id), word));
    let kinds = PixKeyKind::ALL.into_iter().filter(|_| list == Searched::Withdrawals);
    let kinds = kinds.filter(|kind| has(&names::pix_key_kind(words, *kind), word));
    states.map(|(called, _)| *called).chain(kinds.map(Called::To)).collect()
}

/// Open withdrawals, whose state needs a clock: all of them are at hand.
fn open(store: &Store, word: &str) -> Vec<crate::trade::IdempotencyKey> {
    let open = store.withdrawals.open.iter();
    let shown = open.filter(|one| has(&store.state_word(one), word));
    shown.map(|one| one.agreement.key).collect()
}

fn moments(store: &Store, words: &Words, word: &str, names_month: bool) -> Vec<Moments> {
    let mut moments = Vec::new();
    let mut near = |id: &str, at: Wall| {
        if word.chars().count() >= LEAST_LETTERS && searchable(&words.text(id)).starts_with(word) {
            moments.extend(dates::figures(at, store.setup.utc_offset_s).map(Moments::Begin));
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
        moments.push(Moments::Have(format!(" {word}")));
    }
    match words.lang() {
        Lang::Pt if is_figures('/') => moments.push(Moments::Have(word.to_owned())),
        Lang::En => moments.extend(in_english(word, names_month)),
        Lang::Pt => {}
    }
    moments
}

/// `21 Nov 2026`: a figure is part of a date only beside the name of a month.
fn in_english(word: &str, names_month: bool) -> Option<Moments> {
    if let Some(month) = month(word) {
        return Some(Moments::Have(format!("/{month:02}/")));
    }
    let figure: u16 = word.parse().ok().filter(|_| names_month)?;
    match word.len() {
        1 | 2 => Some(Moments::Begin(format!("{figure:02}/"))),
        4 => Some(Moments::Have(format!("/{figure} "))),
        _ => None,
    }
}

/// The number of a month by its name, as far as it was typed.
fn month(word: &str) -> Option<usize> {
    dates::MONTHS.iter().position(|name| word.eq_ignore_ascii_case(name)).map(|at| at + 1)
}
