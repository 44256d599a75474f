//! Judges the answer to a question that confirms something, such as a withdrawal.
//!
//! A line confirms only if it repeats the amount of the terms, or says *accept* if they have none.
//! It must also come after a second without input, because an earlier line may have been typed or
//! pasted before the person heard the question.

use crate::app::ui::input::Pace;
use crate::trade::search::searchable;
use crate::trade::{Money, PasteError, read_pasted};
use crate::words::Catalogue;

#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// The person accepts the terms.
    Accepted,
    /// The person goes back.
    Back,
    /// The line came too early, or together with other input.
    Early,
    /// The line is another amount.
    OtherAmount(Money),
    /// The line is not an amount.
    NoAmount(PasteError),
    /// The line has no use here.
    OtherWord,
}

/// Judges a line. `amount` is the amount of the terms, if they have one. The pace of the line is
/// deliberate if there was no input for a second before it.
pub fn judge(words: &Catalogue, amount: Option<Money>, line: &str, pace: Pace) -> Answer {
    let word = searchable(line.trim());
    let goes_back = ["stream-back-words", "stream-yes-words"]
        .into_iter()
        .any(|id| is_one_of(words, id, &word));
    if goes_back {
        return Answer::Back;
    }
    if pace != Pace::Deliberate {
        return Answer::Early;
    }
    if word.is_empty() {
        return Answer::Back;
    }
    let Some(amount) = amount else {
        let accept = searchable(&words.text("stream-accept"));
        return if word == accept {
            Answer::Accepted
        } else {
            Answer::OtherWord
        };
    };
    match read_pasted(line) {
        Ok(typed) if typed == amount => Answer::Accepted,
        Ok(typed) => Answer::OtherAmount(typed),
        Err(error) => Answer::NoAmount(error),
    }
}

/// True if the word is in the list of words that this message contains.
pub fn is_one_of(words: &Catalogue, id: &str, word: &str) -> bool {
    words
        .text(id)
        .split_whitespace()
        .any(|one| searchable(one) == word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Lang;

    fn judge_line(lang: Lang, amount: Option<i64>, line: &str) -> Answer {
        let amount = amount.map(Money::from_centavos);
        judge(Catalogue::of(lang), amount, line, Pace::Deliberate)
    }

    #[test]
    fn only_the_amount_accepts_terms_with_an_amount() {
        for line in ["100,00", " 100,00 ", "100.00", "R$ 100,00", "r$100,00"] {
            assert_eq!(
                judge_line(Lang::Pt, Some(10_000), line),
                Answer::Accepted,
                "{line}"
            );
        }
        let other = Answer::OtherAmount(Money::from_centavos(1_000));
        assert_eq!(judge_line(Lang::Pt, Some(10_000), "10,00"), other);
        for line in [
            "100",
            "10000",
            "aceito",
            "accept",
            "sacar",
            "100,00 100,00",
            "100,001",
        ] {
            let answer = judge_line(Lang::Pt, Some(10_000), line);
            assert!(matches!(answer, Answer::NoAmount(_)), "{line}: {answer:?}");
        }
    }

    #[test]
    fn a_yes_goes_back() {
        let lines = ["", "  ", "s", "S", "sim", "Sim", "y", "yes", "YES"];
        for lang in Lang::ALL {
            for amount in [None, Some(10_000)] {
                for line in lines {
                    assert_eq!(judge_line(lang, amount, line), Answer::Back, "{line}");
                }
            }
        }
        assert_eq!(judge_line(Lang::Pt, None, "voltar"), Answer::Back);
        assert_eq!(judge_line(Lang::En, None, "back"), Answer::Back);
    }

    #[test]
    fn terms_without_an_amount_need_their_word() {
        assert_eq!(judge_line(Lang::Pt, None, "Aceito"), Answer::Accepted);
        assert_eq!(judge_line(Lang::En, None, "accept"), Answer::Accepted);
        for line in ["aceit", "ok", "accept", "100,00", "1"] {
            assert_eq!(
                judge_line(Lang::Pt, None, line),
                Answer::OtherWord,
                "{line}"
            );
        }
    }

    #[test]
    fn line_with_other_input_before_it_never_counts() {
        let words = Catalogue::of(Lang::Pt);
        let paces = [
            Pace::Close,
            Pace::Together,
            Pace::Unknown,
            Pace::Text { begins: true },
        ];
        for pace in paces {
            for (amount, line) in [(Some(10_000), "100,00"), (None, "aceito"), (None, "")] {
                let amount = amount.map(Money::from_centavos);
                assert_eq!(judge(words, amount, line, pace), Answer::Early, "{pace:?}");
            }
        }
    }
}
