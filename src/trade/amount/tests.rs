//! Tests of typed and pasted amounts.

use super::*;
use proptest::prelude::*;

fn type_keys(keys: &str) -> AmountField {
    let mut field = AmountField::default();
    for key in keys.chars() {
        field.push(key);
    }
    field
}

fn money(text: &str) -> Money {
    Money::parse_wire(text).unwrap()
}

#[test]
fn digits_fill_the_amount_from_the_right() {
    for (keys, expected) in [
        ("", "0,00"),
        ("4", "0,04"),
        ("49", "0,49"),
        ("4990", "49,90"),
        ("123456", "1.234,56"),
    ] {
        assert_eq!(type_keys(keys).to_string(), expected);
    }
    assert_eq!(type_keys("4990").money().unwrap().wire(), "49.90");
    assert_eq!(type_keys("0049"), type_keys("49"));
    assert_eq!(type_keys("").money(), None);
    assert_eq!(type_keys("00").money(), None);
}

#[test]
fn backspace_and_clear_remove_digits() {
    let mut field = type_keys("4990");
    field.backspace();
    assert_eq!(field.to_string(), "4,99");
    field.clear();
    assert_eq!(field, AmountField::default());
    field.backspace();
    assert_eq!(field, AmountField::default());
}

#[test]
fn field_accepts_at_most_twelve_digits() {
    let mut field = type_keys("999999999999");
    assert_eq!(field.to_string(), "9.999.999.999,99");
    assert!(!field.push('0'));
    assert_eq!(field.to_string(), "9.999.999.999,99");
    for key in ["a", "-", "٣", "１"] {
        assert_eq!(type_keys(key), AmountField::default(), "{key}");
    }
}

#[test]
fn full_text_refuses_further_characters() {
    let mut field = type_keys(",");
    while field.push('0') {}
    let full = field.clone();
    assert!(!field.push('1'));
    assert_eq!(field, full);
    field.backspace();
    assert!(field.push('1'));
}

#[test]
fn typed_separator_is_followed_by_two_places() {
    for (keys, expected) in [
        ("49,", "49,00"),
        ("49,9", "49,90"),
        ("49.9", "49,90"),
        ("49,90", "49,90"),
        ("100.", "100,00"),
        ("100,5", "100,50"),
        (",5", "0,50"),
        ("0,05", "0,05"),
        ("1.234,56", "1.234,56"),
        ("1.000,", "1.000,00"),
        ("1.000.000", "1.000.000,00"),
        ("9999999999,99", "9.999.999.999,99"),
    ] {
        let field = type_keys(keys);
        assert_eq!(
            (field.to_string().as_str(), field.fault()),
            (expected, None),
            "{keys}"
        );
    }
}

#[test]
fn ambiguous_typed_text_is_no_amount() {
    let ambiguous = |larger, smaller| {
        Some(PasteError::Ambiguous {
            readings: [money(larger), money(smaller)],
        })
    };
    for (keys, fault) in [
        ("1.000", ambiguous("1000", "1.000")),
        ("49,905", ambiguous("49905", "49.905")),
        ("12,3456", Some(PasteError::NotAnAmount)),
        ("0,125", Some(PasteError::NotAnAmount)),
        ("49,,", Some(PasteError::NotAnAmount)),
        ("99999999999,0", Some(PasteError::TooLarge)),
    ] {
        let field = type_keys(keys);
        assert_eq!((field.money(), field.fault()), (None, fault), "{keys}");
        assert_eq!(field.to_string(), keys);
    }
    let mut field = type_keys("1.000");
    field.backspace();
    assert_eq!(field.to_string(), "1,00");
    // Typing `,` after a filled-in amount of 49,90 must not give 4990,00.
    assert!(field.set(money("49.90")));
    field.push(',');
    assert_eq!(
        (field.money(), field.fault()),
        (None, Some(PasteError::NotAnAmount))
    );
    field.backspace();
    assert_eq!(field.to_string(), "49,90");
}

#[test]
fn first_digit_replaces_a_proposed_amount() {
    let proposed = || {
        let mut field = AmountField::default();
        field.propose(money("10"));
        field
    };
    let mut field = proposed();
    assert!(field.push('5') && field.push('0'));
    assert_eq!(field, type_keys("50"));
    let mut field = proposed();
    add_group(&mut field, "100");
    assert_eq!(
        field.fault(),
        Some(PasteError::Ambiguous {
            readings: [money("100"), money("1")]
        })
    );
    // An edited or pasted amount is the seller's own.
    let mut field = proposed();
    field.backspace();
    assert!(field.push('7'));
    assert_eq!(field.to_string(), "10,07");
    assert!(field.set(money("10")) && field.push('7'));
    assert_eq!(field.to_string(), "100,07");
}

/// Adds a group of characters that arrived together.
fn add_group(field: &mut AmountField, group: &str) {
    for (index, typed) in group.chars().enumerate() {
        field.push_grouped(typed, index == 0);
    }
}

#[test]
fn group_in_an_empty_field_is_parsed_as_a_paste() {
    let group = |text: &str| {
        let mut field = type_keys("0");
        add_group(&mut field, text);
        assert!(!field.must_be_checked());
        field
    };
    for (text, wire) in [
        ("49,90", "49.90"),
        ("R$\u{a0}1.234,56", "1234.56"),
        ("100,", "100.00"),
    ] {
        assert_eq!(
            group(text).money().map(Money::wire).as_deref(),
            Some(wire),
            "{text}"
        );
    }
    let readings = [money("100"), money("1")];
    assert_eq!(
        group("100").fault(),
        Some(PasteError::Ambiguous { readings })
    );
    assert_eq!(group("\u{1b}[31m7\u{202e}").to_string(), "??31?7?");
    for text in ["100", "Bolo", "00,05", &"1".repeat(100_000)] {
        assert_eq!(group(text).money(), None);
    }
    let mut field = group("100");
    for _ in 0..3 {
        field.backspace();
    }
    assert_eq!(field, AmountField::default());
}

#[test]
fn group_in_a_filled_field_is_appended() {
    for (typed, group, expected) in [
        ("4", "9,9", "49,90"),
        ("1", "000", "10,00"),
        ("4990", "100", "49.901,00"),
        ("49,", "90", "49,90"),
    ] {
        let mut field = type_keys(typed);
        add_group(&mut field, group);
        assert_eq!(field.to_string(), expected);
        assert!(field.must_be_checked());
        field.push('0');
        assert!(field.must_be_checked(), "later characters do not hide it");
        for _ in 0..10 {
            field.backspace();
        }
        assert_eq!(field, AmountField::default());
    }
}

#[test]
fn digit_after_a_whole_group_must_be_checked() {
    for (typed, must_be_checked) in [(",", false), (",00", false), ("100,00", true)] {
        let mut field = AmountField::default();
        add_group(&mut field, "100");
        for typed in typed.chars() {
            field.push(typed);
        }
        assert!(field.money().is_some());
        assert_eq!(field.must_be_checked(), must_be_checked, "{typed}");
    }
}

#[test]
fn emptied_amount_is_no_longer_filled_in() {
    let mut field = AmountField::default();
    assert!(field.set(money("0.49")));
    field.backspace();
    field.backspace();
    for typed in "0,50".chars() {
        field.push(typed);
    }
    assert_eq!(field.to_string(), "0,50");
}

#[test]
fn set_accepts_only_amounts_that_can_be_typed() {
    let mut field = AmountField::default();
    assert!(field.set(money("49.9")));
    for amount in ["-1", "0.001", "10000000000"] {
        assert!(!field.set(money(amount)), "{amount}");
        assert_eq!(field.to_string(), "49,90");
    }
}

#[test]
fn paste_with_one_reading_is_accepted() {
    for (text, wire) in [
        ("R$ 1.234,56", "1234.56"),
        ("R$\u{a0}1.234,56", "1234.56"),
        ("r$49,90", "49.90"),
        ("  1234.56\n", "1234.56"),
        ("1.234,56", "1234.56"),
        ("1,234.56", "1234.56"),
        ("1,234,567.8", "1234567.80"),
        ("49,90", "49.90"),
        ("0,05", "0.05"),
        ("49,9", "49.90"),
        ("1.234.567", "1234567.00"),
        ("1,234,567", "1234567.00"),
        ("R$ 100", "100.00"),
        ("9.999.999.999,99", "9999999999.99"),
        ("0", "0.00"),
    ] {
        assert_eq!(
            read_pasted(text).map(Money::wire),
            Ok(wire.to_owned()),
            "{text}"
        );
    }
}

#[test]
fn paste_with_two_readings_is_refused_with_both() {
    for (text, larger, smaller) in [
        ("1.234", "1234", "1.234"),
        ("1,234", "1234", "1.234"),
        ("R$ 12.345", "12345", "12.345"),
        ("100", "100", "1"),
        ("4990", "4990", "49.90"),
        ("7", "7", "0.07"),
    ] {
        let readings = [money(larger), money(smaller)];
        assert_eq!(
            read_pasted(text),
            Err(PasteError::Ambiguous { readings }),
            "{text}"
        );
    }
}

#[test]
fn invalid_amount_is_refused() {
    for text in [
        "",
        "R$",
        "R$ R$ 1,00",
        "-1,00",
        "R$ -1,00",
        "-R$ 1,00",
        "+1,00",
        "abc",
        "1,00 reais",
        "1.234,567",
        "1234,567",
        "0,123",
        "0.001",
        "12,3456",
        "1.23.456",
        "1.2345,00",
        ",50",
        "50,",
        "1..234",
        "1.234.56",
        "1,234.567,89",
        "12.34,56",
        "1 234,56",
        "01,50",
        "0100",
        "1e3",
        "１,00",
        "1.234,5a",
        "0.123.456",
        "$ 1,00",
        "1,23€",
    ] {
        assert_eq!(read_pasted(text), Err(PasteError::NotAnAmount), "{text}");
    }
    assert_eq!(read_pasted(&"1".repeat(100)), Err(PasteError::NotAnAmount));
}

#[test]
fn an_amount_too_long_to_type_is_refused() {
    for text in [
        "10.000.000.000,00",
        "10000000000",
        "99999999999999999999999999999,00",
    ] {
        assert_eq!(read_pasted(text), Err(PasteError::TooLarge), "{text}");
    }
}

proptest! {
    #[test]
    fn shown_amount_can_be_pasted(centavos in 0_i64..=MAX_CENTAVOS) {
        let amount = Money::from_centavos(centavos);
        prop_assert_eq!(read_pasted(&amount.to_string()), Ok(amount));
        prop_assert_eq!(read_pasted(&amount.format_number()), Ok(amount));
        prop_assert_eq!(read_pasted(&amount.wire()), Ok(amount));
        let mut prefilled = AmountField::default();
        prop_assert!(prefilled.set(amount));
        prop_assert_eq!(prefilled.money(), type_keys(&centavos.to_string()).money());
        let with_comma = amount.format_number().replace('.', "");
        prop_assert_eq!(prefilled.money(), type_keys(&with_comma).money());
        prop_assert_eq!(prefilled.money(), type_keys(&amount.format_number()).money());
    }

    #[test]
    fn every_accepted_paste_fits_the_field(text in "(R\\$ ?)?[0-9.,]{0,18}") {
        match read_pasted(&text) {
            Ok(amount) => prop_assert!(AmountField::default().set(amount)),
            Err(PasteError::Ambiguous { readings: [larger, smaller] }) => {
                prop_assert!(larger > smaller)
            }
            Err(_) => {}
        }
    }

    #[test]
    fn no_paste_panics(text in ".{0,70}") {
        let _ = read_pasted(&text);
    }

    #[test]
    fn typed_text_is_parsed_by_the_paste_rules(text in "[1-9][0-9]{0,5}[.,][0-9.,]{0,8}") {
        let field = type_keys(&text);
        match field.money() {
            Some(amount) => {
                let padded = format!("{text}00");
                prop_assert!([text, padded].iter().any(|text| read_pasted(text) == Ok(amount)));
            }
            None => prop_assert!(field.fault().is_some() || field.centavos == 0),
        }
    }
}
