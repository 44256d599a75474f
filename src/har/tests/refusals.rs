//! Tests with made-up refusals: which words of a service are in the exported file. The refusals
//! were written before the list of known words.

use super::*;

/// A line of a file with made-up refusals. Its `«marks»` surround either private words, or the
/// reason of the refusal.
struct MadeRefusal {
    exchange: Exchange,
    marked: Vec<String>,
}

fn read_refusals(file: &str) -> Vec<MadeRefusal> {
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    let refusal = |line: &str| {
        let (status, body) = line.split_once(' ').unwrap();
        let marked = body
            .split('«')
            .skip(1)
            .map(|part| part.split('»').next().unwrap().to_owned());
        let marked = marked.collect();
        let body = body.replace(['«', '»'], "");
        let url = "https://api.example/api/v1/integrations/withdrawals";
        let exchange = with_reply(
            exchange(Operation::Withdrawal, url),
            status.parse().unwrap(),
            &body,
        );
        MadeRefusal { exchange, marked }
    };
    lines.map(refusal).collect()
}

fn private_refusals() -> Vec<MadeRefusal> {
    read_refusals(include_str!("private_refusals.txt"))
}

fn plain_refusals() -> Vec<MadeRefusal> {
    read_refusals(include_str!("plain_refusals.txt"))
}

fn exported_body(mask: &mut StrictMask, exchange: &Exchange) -> String {
    let har: Value = serde_json::from_str(&file(&[exchange], &CONTRACT, mask)).unwrap();
    har["log"]["entries"][0]["response"]["content"]["text"]
        .as_str()
        .unwrap()
        .to_owned()
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text
        .split(|c: char| !c.is_alphabetic())
        .filter(|word| word.chars().count() > 1);
    words.map(str::to_lowercase)
}

/// The private words of these refusals that are in the exported files.
fn leaked_words(refusals: &[MadeRefusal]) -> Vec<(String, String)> {
    let mut leaks = Vec::new();
    for MadeRefusal { exchange, marked } in refusals {
        let body = exported_body(&mut mask(), exchange);
        let exported: Vec<String> = words(&body).collect();
        let is_connector = |word: &String| ["da", "de", "do", "dos"].contains(&word.as_str());
        let private = marked
            .iter()
            .flat_map(|text| words(text))
            .filter(|word| !is_connector(word));
        let leaked = private.filter(|word| exported.contains(word));
        leaks.extend(leaked.map(|word| (word, body.clone())));
    }
    leaks
}

#[test]
fn no_private_word_of_a_refusal_is_exported() {
    let refusals = private_refusals();
    assert_eq!((refusals.len(), leaked_words(&refusals)), (100, vec![]));
    let hard_refusals = read_refusals(include_str!("hard_refusals.txt"));
    assert_eq!(leaked_words(&hard_refusals), []);
}

#[test]
fn reasons_of_plain_refusals_stay_readable() {
    let refusals = plain_refusals();
    assert_eq!(refusals.len(), 100);
    let is_masked = |refusal: &&MadeRefusal| {
        let body = exported_body(&mut mask(), &refusal.exchange);
        !refusal.marked.iter().all(|reason| body.contains(&**reason))
    };
    let masked = refusals.iter().filter(is_masked);
    let masked: Vec<String> = masked
        .map(|refusal| exported_body(&mut mask(), &refusal.exchange))
        .collect();
    assert!(
        masked.len() <= 20,
        "{} reasons are masked: {masked:#?}",
        masked.len()
    );
}

#[test]
fn mask_without_words_keeps_no_word_of_a_refusal() {
    for MadeRefusal { exchange, marked } in private_refusals().iter().chain(&plain_refusals()) {
        let body = exported_body(&mut mask().without_words(), exchange);
        let kept = marked.iter().find(|text| body.contains(&***text));
        assert_eq!(kept, None, "{body}");
    }
}
