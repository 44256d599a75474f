//! The sentences about a journal or a history that cannot be used.

use super::{FailureText, details};
use crate::trade::withdrawal::AttemptEnd;
use crate::trade::{Failure, JournalTrouble, Moved};
use crate::words::{Words, attempts};

/// The sentences about a journal of withdrawals that cannot be used.
pub fn journal(words: &Words, trouble: &JournalTrouble) -> FailureText {
    let (id, detail) = message(trouble);
    let what = match trouble {
        JournalTrouble::OtherVersion { found, known } => {
            let (found, known) = (found.to_string(), known.to_string());
            words.with(id, &[("found", &found), ("known", &known)])
        }
        JournalTrouble::Older { missing } => words.count(id, *missing, &[]),
        _ => words.text(id),
    };
    let moved = words.text(match trouble {
        // It may be free by now.
        JournalTrouble::Busy(_) => "journal-moved-busy",
        JournalTrouble::Network(_) => "journal-moved-network",
        _ => "journal-moved",
    });
    let next = words.text(&format!("{}.next", advice(trouble)));
    let quotes = match trouble {
        JournalTrouble::Elsewhere(path) => {
            vec![(words.text("journal-elsewhere.folder"), path.display().to_string().into())]
        }
        _ => details(words, detail),
    };
    FailureText { what, moved, next, quotes }
}

/// The ways out of a trouble with the journal, the one to try first before the others.
pub fn ways_out(words: &Words, trouble: &JournalTrouble) -> Vec<String> {
    use JournalTrouble::{Elsewhere, MaybeMissing, Missing};
    let id = advice(trouble);
    let way = words.text(&format!("{id}.way"));
    let has_other =
        trouble.is_damage() || matches!(trouble, Missing | MaybeMissing(_) | Elsewhere(_));
    let other = has_other.then(|| words.text(&format!("{id}.else")));
    std::iter::once(way).chain(other).collect()
}

/// The message whose attributes say what to do about a trouble.
fn advice(trouble: &JournalTrouble) -> &'static str {
    if trouble.is_damage() { "journal-damaged" } else { message(trouble).0 }
}

/// The sentence about a history that cannot be used, on which no money depends, and the detail that
/// the system gave.
pub fn history<'t>(words: &Words, trouble: &'t JournalTrouble) -> (String, Option<&'t str>) {
    let (id, detail) = message(trouble);
    let cause = id.trim_start_matches("journal-");
    let cause = words.text(&format!("said-history.{cause}"));
    (words.with("said-history", &[("cause", &cause)]), detail)
}

/// The message for what to do about a history that cannot be used.
pub(super) fn history_next(trouble: &JournalTrouble) -> &'static str {
    match trouble {
        JournalTrouble::OtherVersion { .. } => "history-next.other-version",
        JournalTrouble::Busy(_) => "journal-busy.next",
        _ => "history-next",
    }
}

/// The sentences about the end of an attempt that is not in the journal: once the program ends, it
/// is forgotten.
pub(super) fn unrecorded(
    words: &Words,
    failure: &Failure,
    n: u32,
    end: &AttemptEnd,
    trouble: &JournalTrouble,
) -> FailureText {
    let (ended, class) = (attempts::ended(words, end), words.text(attempts::class(end)));
    let values = [("n", &*n.to_string()), ("end", &*ended), ("class", &*class)];
    let why = journal(words, trouble);
    let next = match trouble {
        // The program tries again by itself.
        JournalTrouble::Busy(_) => [why.what, words.text("unrecorded.held")].join(" "),
        _ => [why.what, why.next, words.text("unrecorded.next")].join(" "),
    };
    let theirs = [("quote-service", &end.message), ("quote-hint", &end.hint)];
    let theirs = theirs.into_iter().filter_map(|(label, text)| {
        let text = text.clone().filter(|text| !text.is_empty())?;
        Some((words.text(label), text))
    });
    // It was a withdrawal, whatever it interrupts now. This is true of this attempt alone: one
    // before it may have paid.
    let moved = match failure.may_have_acted() {
        Moved::Maybe => "moved-maybe-withdrawal",
        Moved::No => "moved-no-withdrawal",
    };
    FailureText {
        what: words.with("unrecorded", &values),
        moved: words.text(moved),
        next,
        quotes: theirs.chain(why.quotes).collect(),
    }
}

/// The message that names a trouble, and the detail that the system gave.
fn message(trouble: &JournalTrouble) -> (&'static str, Option<&str>) {
    match trouble {
        JournalTrouble::Damaged(detail) => ("journal-damaged", Some(detail)),
        JournalTrouble::Missing => ("journal-missing", None),
        JournalTrouble::MaybeMissing(trouble) => ("journal-maybe-missing", trouble.detail()),
        JournalTrouble::Elsewhere(_) => ("journal-elsewhere", None),
        JournalTrouble::Older { .. } => ("journal-older", None),
        JournalTrouble::OtherVersion { .. } => ("journal-other-version", None),
        JournalTrouble::ReadOnly(detail) => ("journal-read-only", Some(detail)),
        JournalTrouble::Full(detail) => ("journal-full", Some(detail)),
        JournalTrouble::NotPrivate(detail) => ("journal-not-private", Some(detail)),
        JournalTrouble::Network(name) => ("journal-network", Some(name)),
        JournalTrouble::Busy(detail) => ("journal-busy", Some(detail)),
        JournalTrouble::Io(detail) => ("journal-io", Some(detail)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trade::VaultTrouble;
    use crate::words::Lang;

    #[test]
    fn of_a_history_a_network_is_no_other_trouble_than_a_disk() {
        for words in Lang::ALL.map(Words::of) {
            let told = |trouble: JournalTrouble| history(words, &trouble).0;
            let disk = told(JournalTrouble::Io("full".into()));
            assert_eq!(told(JournalTrouble::Network("nfs".into())), disk);
            let gone = JournalTrouble::MaybeMissing(VaultTrouble::Locked);
            assert_eq!(told(gone), told(JournalTrouble::Missing));
            assert_ne!(told(JournalTrouble::Missing), disk);
        }
    }
}
