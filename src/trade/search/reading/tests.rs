use proptest::prelude::*;

use super::*;

/// The number of a day that is written as `2026-11-21`.
fn day(text: &str) -> i64 {
    day_of(text.parse().unwrap())
}

fn days(first: &str, last: &str) -> Option<Period> {
    Some(Period {
        first: day(first),
        last: day(last),
    })
}

fn bound(centavos: i64, is_included: bool) -> Option<AmountBound> {
    Some(AmountBound {
        amount: Money::from_centavos(centavos),
        is_included,
    })
}

/// A Saturday.
fn today() -> i64 {
    day("2026-11-21")
}

/// The words that are left of a search text.
fn words_in(text: &str) -> Vec<&str> {
    let (_, pieces) = read(text, today(), true);
    let words = pieces
        .into_iter()
        .filter(|piece| piece.kind != PieceKind::Read);
    words.map(|piece| &text[piece.span]).collect()
}

#[test]
fn phrase_of_either_language_is_read_as_period() {
    for (text, first, last) in [
        ("hoje", "2026-11-21", "2026-11-21"),
        ("Today", "2026-11-21", "2026-11-21"),
        ("hoje,", "2026-11-21", "2026-11-21"),
        ("ontem", "2026-11-20", "2026-11-20"),
        ("yesterday", "2026-11-20", "2026-11-20"),
        ("semana passada", "2026-11-09", "2026-11-15"),
        ("LAST  week", "2026-11-09", "2026-11-15"),
        ("7 dias", "2026-11-15", "2026-11-21"),
        ("7 days", "2026-11-15", "2026-11-21"),
        ("1 dia", "2026-11-21", "2026-11-21"),
        ("novembro", "2026-11-01", "2026-11-30"),
        ("November", "2026-11-01", "2026-11-30"),
        ("dezembro", "2025-12-01", "2025-12-31"),
        ("março", "2026-03-01", "2026-03-31"),
        ("MARCO", "2026-03-01", "2026-03-31"),
        ("may 2026", "2026-05-01", "2026-05-31"),
        ("february 2024", "2024-02-01", "2024-02-29"),
        ("fevereiro de 2025", "2025-02-01", "2025-02-28"),
        ("nov 2025", "2025-11-01", "2025-11-30"),
        ("11/2026", "2026-11-01", "2026-11-30"),
        ("1/2027", "2027-01-01", "2027-01-31"),
        ("21/11", "2026-11-21", "2026-11-21"),
        ("22/11", "2025-11-22", "2025-11-22"),
        ("22/11/2026", "2026-11-22", "2026-11-22"),
        ("29/2", "2024-02-29", "2024-02-29"),
        ("21 de novembro de 2025", "2025-11-21", "2025-11-21"),
        ("21 Nov 2026,", "2026-11-21", "2026-11-21"),
        ("3 nov", "2026-11-03", "2026-11-03"),
        ("november 3", "2026-11-03", "2026-11-03"),
        ("16/11-22/11", "2026-11-16", "2026-11-22"),
        ("16/11 - 22/11", "2026-11-16", "2026-11-22"),
        ("16/11–22/11", "2026-11-16", "2026-11-22"),
        ("22/11-16/11", "2026-11-16", "2026-11-22"),
        ("23/11-30/11", "2025-11-23", "2025-11-30"),
        ("28/12-03/01", "2025-12-28", "2026-01-03"),
        ("16/11/2025-22/11", "2025-11-16", "2025-11-22"),
        ("22/11/2025-16/11/2025", "2025-11-16", "2025-11-22"),
        ("10/2026-11/2026", "2026-10-01", "2026-11-30"),
        ("setembro-outubro", "2026-09-01", "2026-10-31"),
    ] {
        let (reading, pieces) = read(text, today(), true);
        assert_eq!(reading.period, days(first, last), "{text}");
        assert_eq!(reading.amounts, AmountRange::default(), "{text}");
        assert_eq!(pieces.len(), 1, "{text}");
    }
    let monday = read("semana passada", day("2026-11-23"), true).0;
    assert_eq!(monday.period, days("2026-11-16", "2026-11-22"));
    let sunday = read("last week", day("2026-11-22"), true).0;
    assert_eq!(sunday.period, days("2026-11-09", "2026-11-15"));
}

#[test]
fn comparison_or_range_is_read_as_amounts() {
    for (text, min, max) in [
        (">100", bound(10_000, false), None),
        ("> 100", bound(10_000, false), None),
        (">R$ 100", bound(10_000, false), None),
        (">=100", bound(10_000, true), None),
        ("<50", None, bound(5_000, false)),
        ("<=49,90", None, bound(4_990, true)),
        (">1.234,56", bound(123_456, false), None),
        (">1.234", bound(123_400, false), None),
        (">1234.56", bound(123_456, false), None),
        ("50-80", bound(5_000, true), bound(8_000, true)),
        (
            "R$ 50,00 - R$ 80,00",
            bound(5_000, true),
            bound(8_000, true),
        ),
        ("50–80", bound(5_000, true), bound(8_000, true)),
        ("80-50", bound(5_000, true), bound(8_000, true)),
        ("1000-2000", bound(100_000, true), bound(200_000, true)),
        (">50 <=100", bound(5_000, false), bound(10_000, true)),
    ] {
        let (reading, _) = read(text, today(), true);
        assert_eq!(reading.amounts, AmountRange { min, max }, "{text}");
        assert_eq!(reading.period, None, "{text}");
        assert!(words_in(text).is_empty(), "{text}");
    }
}

#[test]
fn anything_else_stays_a_word() {
    for text in [
        "2026",
        "21",
        "100",
        "49,90",
        "nov",
        "mar",
        "set",
        "novo",
        "may",
        "semana",
        "dias",
        "0 dias",
        "-7 dias",
        "dia 7",
        "31/02",
        "32/11",
        "11/13",
        "21/",
        "/11",
        "/2026",
        "21/11/",
        "1/2/26",
        ">",
        ">=",
        ">abc",
        ">-5",
        "50-",
        "-80",
        "a-b",
        "e-mail",
        "10:42",
        "1-2-3",
        "529.982.247-25",
        "000.000.001-91",
        "01310-100",
        "98765-4321",
        "12.345.678/0001-95",
        "de",
        "\"",
        "\"hoje\"",
        "\"novembro",
        "\">100\"",
        "\"semana passada\"",
    ] {
        let (reading, pieces) = read(text, today(), true);
        assert!(reading.is_empty(), "{text}: {reading:?}");
        assert!(!pieces.is_empty(), "{text}");
    }
    assert_eq!(words_in("de novembro"), ["de"]);
    assert_eq!(words_in("novembro de camiseta"), ["de", "camiseta"]);
    assert_eq!(words_in("hoje Camiseta >100 azul"), ["Camiseta", "azul"]);
    assert_eq!(words_in("hoje ontem"), ["ontem"], "one period");
    assert_eq!(words_in(">50 >80 <90 50-80"), [">80", "50-80"]);
    assert_eq!(
        words_in("\"hoje\" ontem \"a b\"c"),
        ["\"hoje\"", "\"a b\"", "c"]
    );
    let (reading, pieces) = read("hoje >100", today(), false);
    assert_eq!(reading.amounts, AmountRange::default());
    assert_eq!(pieces[1].kind, PieceKind::Word, "a list without amounts");
}

#[test]
fn amount_at_an_excluded_bound_is_outside() {
    let contains = |text, centavos| {
        let (reading, _) = read(text, today(), true);
        reading.amounts.contains(Money::from_centavos(centavos))
    };
    assert_eq!([10_000, 10_001].map(|c| contains(">100", c)), [false, true]);
    assert_eq!([9_999, 10_000].map(|c| contains(">=100", c)), [false, true]);
    assert_eq!([4_999, 5_000].map(|c| contains("<50", c)), [true, false]);
    let in_range = [4_999, 5_000, 8_000, 8_001].map(|c| contains("50-80", c));
    assert_eq!(in_range, [false, true, true, false]);
    assert!(contains("", 1));
}

#[test]
fn quotes_turn_everything_that_was_read_into_words() {
    let quoted = |text| quote_all(text, today());
    assert_eq!(quoted("novembro"), "\"novembro\"");
    assert_eq!(
        quoted(" hoje  camiseta >50 <R$ 80"),
        " \"hoje\"  camiseta \">50\" \"<R$ 80\""
    );
    assert_eq!(quoted("semana passada"), "\"semana passada\"");
    assert_eq!(quoted("hoje ontem"), "\"hoje\" \"ontem\"");
    assert_eq!(quoted("\"hoje\" camiseta"), "\"hoje\" camiseta");
}

/// Search texts of parts that are read, parts that are nearly read, and any other text.
fn any_text() -> impl Strategy<Value = String> {
    let parts = [
        "hoje",
        "semana",
        "passada",
        "7",
        "dias",
        "novembro",
        "de",
        "2026",
        "16/11-22/11",
        "-",
        "29/02",
        "31/12-01/01",
        ">",
        ">100",
        "R$",
        "50-80",
        "<=49,90",
        "\"",
        "Ü",
        "ﬁ",
        "nov",
    ];
    let part = prop_oneof![
        3 => proptest::sample::select(parts.to_vec()).prop_map(str::to_owned),
        1 => any::<String>(),
        1 => "[0-9/.,<>=$R\"-]{0,12}",
    ];
    proptest::collection::vec((part, "[ \t]{0,2}"), 0..8).prop_map(|parts| {
        parts
            .into_iter()
            .map(|(part, space)| part + &space)
            .collect()
    })
}

proptest! {
    #[test]
    fn pieces_cover_any_text(text in any_text(), today in any::<i32>(), has_amounts: bool) {
        let (reading, pieces) = read(&text, today.into(), has_amounts);
        let mut end = 0;
        for Piece { span, .. } in &pieces {
            prop_assert_eq!(text[end..span.start].trim(), "");
            prop_assert!(!text[span.clone()].trim().is_empty());
            end = span.end;
        }
        prop_assert_eq!(text[end..].trim(), "");
        let is_read = pieces.iter().any(|piece| piece.kind == PieceKind::Read);
        prop_assert_eq!(is_read, !reading.is_empty());
        if let Some(period) = reading.period {
            prop_assert!(period.first <= period.last);
        }
        let quoted = quote_all(&text, today.into());
        prop_assert!(read(&quoted, today.into(), true).0.is_empty());
        prop_assert_eq!(quoted.replace('"', ""), text.replace('"', ""));
    }
}
