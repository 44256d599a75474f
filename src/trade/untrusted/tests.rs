//! Tests of text from outside.

use super::*;
use proptest::prelude::*;

fn shown_text(raw: &str) -> String {
    Untrusted::from(raw).shown()
}

#[test]
fn harmless_text_is_unchanged() {
    for text in [
        "",
        "Camiseta azul, tamanho M",
        "Domínio de checkout obrigatório. Ação à espera: R$\u{a0}1.234,56 – “sim”, 2ª via",
        "ac\u{327}a\u{303}o decomposto",
        "Привет, 日本語, हिन्दी, ไทย, שלום",
        "💙 🇧🇷 👍🏽",
        "{\"amount\": 10.10}",
    ] {
        assert_eq!(shown_text(text), text);
        assert!(Untrusted::from(text).is_clean(), "{text}");
        assert_eq!(Untrusted::from(text).raw(), text);
    }
}

#[test]
fn terminal_control_characters_are_marked() {
    assert_eq!(shown_text("a\x1b[2Jb"), "a␛[2Jb");
    assert_eq!(shown_text("\0\r\n\t\x07\x7f"), "␀␍␊␉␇␡");
    assert_eq!(shown_text("\u{9b}2J\u{85}"), "‹U+009B›2J‹U+0085›");
    assert!(!Untrusted::from("a\nb").is_clean());
}

#[test]
fn invisible_and_direction_characters_are_marked() {
    assert_eq!(shown_text("conta\u{202e}gpj.exe"), "conta‹U+202E›gpj.exe");
    let invisible = concat!(
        "\u{ad}\u{34f}\u{61c}\u{115f}\u{180e}\u{200b}\u{200d}\u{200f}\u{2028}\u{2029}",
        "\u{202a}\u{2060}\u{2066}\u{2069}\u{2800}\u{3164}\u{e000}\u{fdd0}\u{fe0e}",
        "\u{fe0f}\u{feff}\u{ffa0}\u{fff9}\u{ffff}\u{1d173}\u{50000}\u{e0041}\u{e01ef}",
        "\u{f0000}\u{10fffe}",
    );
    for invisible in invisible.chars() {
        let code = format!("a‹U+{:04X}›b", u32::from(invisible));
        assert_eq!(shown_text(&format!("a{invisible}b")), code);
    }
}

#[test]
fn emoji_colour_selector_is_removed() {
    assert_eq!(shown_text("Amor ❤\u{fe0f}!"), "Amor ❤!");
    assert_eq!(shown_text("❤\u{fe0f}\u{fe0f}"), "❤‹U+FE0F›");
    assert_eq!(shown_text("1\u{fe0f}"), "1‹U+FE0F›");
    // Phones append the colour selector U+FE0F to all three symbols, although the first two are
    // drawn as wide emoji without it.
    assert_eq!(shown_text("⭐\u{fe0f}☕\u{fe0f}©\u{fe0f}"), "⭐☕©");
    assert_eq!(
        shown_text("1\u{fe0f}\u{20e3} #\u{fe0f}\u{20e3}"),
        "1\u{20e3} #\u{20e3}"
    );
    assert_eq!(shown_text("a\u{fe0f}\u{20e3}"), "a‹U+FE0F›‹U+20E3›");
    assert_eq!(
        shown_text("1\u{fe0f}\u{fe0f}\u{20e3}"),
        "1‹U+FE0F›‹U+FE0F›‹U+20E3›"
    );
}

#[test]
fn joiner_is_allowed_only_between_emoji() {
    for allowed in [
        "👩\u{200d}🍳",
        "👩🏽\u{200d}🔧!",
        "👨\u{200d}👩\u{200d}👧",
        "a 🐈\u{200d}⬛ b",
    ] {
        assert_eq!(shown_text(allowed), allowed);
        assert!(Untrusted::from(allowed).is_clean());
    }
    assert_eq!(shown_text("🏃\u{200d}♀\u{fe0f}"), "🏃\u{200d}♀");
    assert_eq!(shown_text("❤\u{fe0f}\u{200d}🔥"), "❤\u{200d}🔥");
    assert_eq!(shown_text("🏳\u{fe0f}\u{200d}🌈"), "🏳\u{200d}🌈");
    for (raw, marked) in [
        ("pay\u{200d}pal", "pay‹U+200D›pal"),
        ("👩\u{200d}a", "👩‹U+200D›a"),
        ("a\u{200d}👩", "a‹U+200D›👩"),
        ("👩\u{200d}", "👩‹U+200D›"),
        ("\u{200d}👩", "‹U+200D›👩"),
        ("👩\u{200d}\u{200d}🍳", "👩‹U+200D›‹U+200D›🍳"),
        ("👩\u{301}\u{200d}🍳", "👩\u{301}‹U+200D›🍳"),
        ("🇧\u{200d}🇷", "🇧‹U+200D›🇷"),
        ("→\u{200d}→", "→‹U+200D›→"),
        ("日\u{200d}本", "日‹U+200D›本"),
        ("1\u{200d}1", "1‹U+200D›1"),
    ] {
        assert_eq!(shown_text(raw), marked);
    }
}

#[test]
fn shortened_emoji_does_not_join_the_ellipsis() {
    let cook = Untrusted::from("ab👩\u{200d}🍳🍳");
    assert_eq!(cook.shown_within(5), "ab👩…");
    let many = Untrusted::from(format!("{}👩\u{200d}🍳", "a".repeat(4_093)));
    assert_eq!(many.shown_whole().chars().count(), 4_096);
    assert_eq!(many.shown().chars().count(), 4_096);
    let longer = Untrusted::from(format!("{}👩\u{200d}🍳🍳", "a".repeat(4_093)));
    assert!(longer.shown().ends_with("a👩…"));
}

#[test]
fn combining_marks_are_limited_and_need_a_base() {
    assert_eq!(shown_text("\u{301}a"), "‹U+0301›a");
    assert_eq!(shown_text("\x1b\u{301}"), "␛‹U+0301›");
    let pile = format!("e{}", "\u{301}".repeat(6));
    let four = format!("e{}", "\u{301}".repeat(4));
    assert_eq!(shown_text(&pile), format!("{four}‹U+0301›‹U+0301›"));
}

#[test]
fn a_long_text_is_cut_with_an_ellipsis() {
    assert_eq!(shown_text(&"a".repeat(4096)), "a".repeat(4096));
    assert_eq!(
        shown_text(&"a".repeat(4097)),
        format!("{}…", "a".repeat(4095))
    );
    assert_eq!(shown_text(&"é".repeat(4096)), "é".repeat(4096));
    assert_eq!(
        shown_text(&"\u{202e}".repeat(100_000)).chars().count(),
        4096
    );
    assert!(!Untrusted::from("a".repeat(4097)).is_clean());
}

#[test]
fn text_is_shortened_to_its_columns() {
    let within = |raw: &str, columns| Untrusted::from(raw).shown_within(columns);
    assert_eq!(within("camiseta", 8), "camiseta");
    assert_eq!(within("camiseta", 7), "camise…");
    assert_eq!(within("camiseta", 1), "…");
    assert_eq!(within("camiseta", 0), "");
    assert_eq!(within("", 0), "");
    assert_eq!(within("日本語", 6), "日本語");
    assert_eq!(within("日本語", 5), "日本…");
    assert_eq!(within("日本語", 4), "日…");
}

#[test]
fn shown_lines_keeps_line_breaks() {
    let lines = |raw: &str| Untrusted::from(raw).shown_lines();
    assert_eq!(lines("{\r\n\t\"a\": 1\n}"), "{\n    \"a\": 1\n}");
    assert_eq!(lines("a\rb\x1b\u{2028}c"), "a␍b␛‹U+2028›c");
    assert_eq!(lines("a\n\u{301}"), "a\n‹U+0301›");
    assert_eq!(
        lines(&"x\n".repeat(300_000)).chars().count(),
        MAX_SHOWN_IN_LINES
    );
}

#[test]
fn masking_ends_with_its_function() {
    let text = Untrusted::from("fale com ana@loja.example");
    let masked = Untrusted::masking(true, || {
        assert!(text.is_clean() && Untrusted::without_masking(|| text.shown()).contains("ana@"));
        [text.shown(), text.shown_within(80), text.shown_lines()]
    });
    assert_eq!(masked, ["fale com •••"; 3].map(str::to_owned));
    std::panic::catch_unwind(|| Untrusted::masking(true, || panic!("in a frame"))).unwrap_err();
    assert!(text.shown().contains("ana@"));
}

#[test]
fn mark_is_shown_as_an_ellipsis_and_is_not_one() {
    let link = Untrusted::from("https://loja.example/?t=\u{FDEF}");
    assert_eq!(
        [link.shown(), link.shown_whole()],
        ["https://loja.example/?t=…"; 2]
    );
    assert!(link.is_masked() && !link.is_clean());
    let code = Untrusted::from("Bolo…");
    assert!(!code.is_masked() && code.is_clean());
}

#[test]
fn stored_ellipsis_is_a_mask_only_as_the_whole_value() {
    let stored = |json| serde_json::from_str::<Untrusted>(json).unwrap();
    assert_eq!(stored("\"…\""), Untrusted::from(Untrusted::MASKED));
    assert_eq!(stored("\"eyJ…\""), Untrusted::from(Untrusted::MASKED_JWT));
    assert!(!stored("\"https://loja.example/bolo…\"").is_masked());
}

#[test]
fn debug_is_safe_and_serde_keeps_the_text() {
    assert_eq!(
        format!("{:?}", Untrusted::from("a\x1b\u{202e}")),
        "Untrusted(\"a␛‹U+202E›\")"
    );
    let text: Untrusted = serde_json::from_str("\"a\\u001b\"").unwrap();
    assert_eq!(text, Untrusted::from("a\x1b"));
    assert_eq!(serde_json::to_string(&text).unwrap(), "\"a\\u001b\"");
    assert!(Untrusted::default().is_empty());
}

/// True if a character may be shown. This test function uses its own list of code points, not
/// the tables above.
fn is_showable(c: char) -> bool {
    let code = u32::from(c);
    !c.is_control()
        && !matches!(code, 0x200B..=0x200F | 0x2028..=0x202E | 0x2060..=0x206F)
        && !matches!(code, 0xFE00..=0xFE0F | 0xAD | 0x61C | 0x180E | 0xFEFF)
        && !matches!(code, 0xE000..=0xF8FF | 0xE0000..)
}

/// True if every character of the text may be shown. A zero-width joiner may be shown only
/// between two emoji.
fn is_text_showable(text: &str) -> bool {
    let is_emoji = |c: char| !c.is_alphanumeric() && format!("{c}\u{fe0f}").width() == 2;
    let chars: Vec<char> = text.chars().collect();
    let joins = |index: usize| {
        let neighbours = [index.wrapping_sub(1), index + 1].map(|index| chars.get(index).copied());
        chars[index] == '\u{200D}' && neighbours.iter().all(|c| c.is_some_and(is_emoji))
    };
    (0..chars.len()).all(|index| is_showable(chars[index]) || joins(index))
}

/// Generates texts with as many hostile characters as letters.
fn hostile_text() -> impl Strategy<Value = String> {
    let character = prop_oneof![
        any::<char>(),
        proptest::char::range('\0', '\u{ff}'),
        proptest::char::range('\u{300}', '\u{36f}'),
        proptest::char::range('\u{2000}', '\u{206f}'),
        proptest::char::range('\u{fe00}', '\u{feff}'),
        proptest::char::range('\u{e0000}', '\u{e01ff}'),
        proptest::char::range('\u{1f300}', '\u{1f9ff}'),
        Just('❤'),
        Just('\u{200d}'),
        Just('👩'),
    ];
    proptest::collection::vec(character, 0..80).prop_map(|chars| chars.into_iter().collect())
}

proptest! {
    #[test]
    fn hostile_characters_are_never_shown(raw in hostile_text()) {
        let text = Untrusted::from(raw);
        prop_assert!(is_text_showable(&text.shown()));
        let lines = text.shown_lines();
        prop_assert!(lines.split('\n').all(is_text_showable));
    }

    #[test]
    fn shown_text_is_shown_unchanged_again(raw in hostile_text()) {
        let once = shown_text(&raw);
        prop_assert_eq!(shown_text(&once), once);
    }

    #[test]
    fn columns_are_never_exceeded(raw in hostile_text(), columns in 0_usize..100) {
        let text = Untrusted::from(raw);
        prop_assert!(text.shown_within(columns).width() <= columns);
        prop_assert_eq!(text.shown_within(100_000), text.shown());
    }

    #[test]
    fn portuguese_text_is_unchanged(
        text in "[ -~áàâãéêíóôõúüçÁÀÂÃÉÊÍÓÔÕÚÜÇºª°–—“”‘’…€]{0,200}",
    ) {
        prop_assert!(Untrusted::from(text).is_clean());
    }
}
