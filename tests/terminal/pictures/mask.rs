//! Masks the parts of a picture that differ between runs. Pictures of different runs can then be
//! compared.

use balcao::words::dates::MONTHS;

/// Abbreviated days of the week, as in HTTP headers.
const DAYS: [&str; 7] = ["Mon,", "Tue,", "Wed,", "Thu,", "Fri,", "Sat,", "Sun,"];

/// Returns the texts of a picture with their styles. Ports, idempotency keys, times and amounts are
/// masked.
///
/// The columns of the texts are left out, because they depend on the lengths of amounts. The
/// snapshot tests check the columns.
pub fn masked_lines(svg: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut last_element = String::new();
    for line in svg.lines().filter(|line| !draws_qr_code(line)) {
        let (element, text) = line.split_once('>').unwrap_or((line, ""));
        let element = without_columns(element);
        let text = mask_text(text.trim_end_matches("</text>"));
        // Join adjacent texts of the same style. Two amounts may be drawn as one text or as two,
        // depending on the gap between them.
        match lines.last_mut() {
            Some(last) if element == last_element && element.starts_with("<text") => {
                last.push(' ');
                last.push_str(&text);
            }
            _ => lines.push(format!("{element}>{text}")),
        }
        last_element = element;
    }
    mask_weekdays(&mut lines);
    lines
}

/// Masks the initials of weekdays below the chart of the last days. The chart ends with today,
/// which has a style of its own.
fn mask_weekdays(lines: &mut [String]) {
    let mut follows_days = false;
    for line in lines {
        let Some((element, text)) = line.split_once('>') else {
            continue;
        };
        let is_today = follows_days && text.len() == 1;
        follows_days = are_weekdays(text);
        if is_today || follows_days {
            *line = format!("{element}>?");
        }
    }
}

/// Returns true if this SVG line draws the squares of a QR code. Nothing else in a picture is pure
/// black or white.
fn draws_qr_code(line: &str) -> bool {
    line.starts_with("<path") && (line.contains("#000000") || line.contains("#ffffff"))
}

fn without_columns(element: &str) -> String {
    let is_column = |part: &str| {
        ["x=", "d=", "textLength="]
            .iter()
            .any(|at| part.starts_with(at))
    };
    let parts = element.split(' ').filter(|part| !is_column(part));
    parts.collect::<Vec<&str>>().join(" ")
}

/// True if this is a row of the initials of weekdays, in Portuguese or English.
fn are_weekdays(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let is_initial = |word: &str| word.len() == 1 && "dstqSMTWF".contains(word);
    words.clone().count() >= 7 && words.all(is_initial)
}

fn mask_text(text: &str) -> String {
    text.split_whitespace()
        .map(mask_word)
        .collect::<Vec<String>>()
        .join(" ")
}

/// Masks a word. Numbers become `0`. Keys, ids, codes, addresses and dates become `?`.
///
/// Time zones become `?` too, because they depend on the time of day at which the test runs.
fn mask_word(word: &str) -> String {
    let is_zone = word.starts_with("(UTC");
    let is_key = word.len() >= 20 && word.contains(|c: char| c.is_ascii_digit());
    // If a URL wraps, its second row begins with one of these texts.
    let is_link = ["link-", "checkout/link-"]
        .iter()
        .any(|begin| word.starts_with(begin));
    let is_named = is_link
        || ["/checkout/", "/balcao-demo-"]
            .iter()
            .any(|name| word.contains(name));
    if is_key || is_zone || is_named || MONTHS.contains(&word) || DAYS.contains(&word) {
        return "?".to_owned();
    }
    let mut masked = String::new();
    for c in word.chars() {
        match c {
            '0'..='9' | '.' if masked.ends_with('0') => {}
            '0'..='9' => masked.push('0'),
            _ => masked.push(c),
        }
    }
    masked
}

#[test]
fn only_varying_texts_are_masked() {
    let line = |words: &str, style: &str| format!("<text x=\"9\" y=\"15\"{style}>{words}</text>");
    let same = |one: &str, other: &str| masked_lines(one) == masked_lines(other);
    let date = "<text x=\"18\" y=\"15\">21 Nov 2026, 9:05</text>";
    assert!(same(&line("3 Dec 2026, 14:30", ""), date));
    assert!(same(
        &line("R$ 9,00 R$ 10,00", ""),
        &[line("R$ 9,00", ""), line("R$ 1,00", "")].join("\n")
    ));
    assert!(same(&line("link-typwpx", ""), &line("link-bmez0n", "")));
    assert!(same(
        &line("checkout/link-zzwgvr", ""),
        &line("checkout/link-zz1gvr", "")
    ));
    assert!(!same(&line("hyperlink-a", ""), &line("hyperlink-b", "")));
    assert!(same(&line("R$ 10.624,20", ""), &line("R$ 9,00", "")));
    assert!(same(
        &line("14:30:07 (UTC-00:54)", ""),
        &line("14:30:07 (UTC+11:30)", "")
    ));
    assert!(!same(&line("hoje", ""), &line("ontem", "")));
    let days = |before: &str, today: &str| {
        let before = before.split(' ').map(|day| line(day, ""));
        let today = line(today, " font-weight=\"bold\"");
        before.chain([today]).collect::<Vec<_>>().join("\n")
    };
    assert!(!same(&days("d", "t"), &days("d", "s")), "keys are no days");
    let week = days("q q s s d s t", "q");
    assert!(same(&week, &days("t q q s s d s", "t")));
    assert!(!same(&week, &days("t q q s s d s", "total")));
    assert!(!same(
        &line("Saque", ""),
        &line("Saque", " fill=\"#ff0000\"")
    ));
    assert!(!same(
        &line("Saque", ""),
        &line("Saque", "").replace("15", "35")
    ));
    assert!(!same(&line("Saque 5 s", ""), &line("Saque", "")));
}
