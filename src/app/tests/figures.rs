//! Figures of a quote that are not as usual.

use super::review::confirms;
use super::*;
use crate::app::store::withdrawals::Past;
use crate::trade::{Money, Quote, Wall};

/// At a review of R$ 100,10 with this fee.
fn reviews_with_a_fee(fee: &str) -> Counter {
    let mut counter = Counter::open();
    counter.types_withdrawal("10010");
    let [Effect::Quote { ticket, .. }] = counter.rests(300)[..] else { panic!() };
    counter.tell(Msg::Quoted { ticket, result: Ok(with_a_fee(fee, counter.now.wall)) });
    let agreement = counter.submits();
    counter.tell(Msg::Reviewed { key: agreement.key, past: Ok(Past::default()) });
    counter.passes(500);
    counter
}

fn with_a_fee(fee: &str, at: Wall) -> Quote {
    Quote::new(brl(10_010), Money::parse_wire(fee), None, at).unwrap()
}

#[test]
fn figures_that_leave_nothing_or_are_finer_than_centavos_want_the_amount_typed_again() {
    for (fee, reasons) in [
        ("100.10", vec!["arrives R$ 0,00"]),
        ("2.005", vec!["finer 2.005"]),
        ("2.0500", vec![]),
        ("0", vec![]),
    ] {
        let mut counter = reviews_with_a_fee(fee);
        assert_eq!(counter.reasons(), reasons, "{fee}");
        if !reasons.is_empty() {
            assert_eq!(confirms(&mut counter), vec![], "{fee}");
            counter.keys("Shift-Tab");
            counter.types("10010");
        }
        let wanted = confirms(&mut counter);
        let [Effect::Money(MoneyCommand::Prepare { agreement, retyped: None })] = &wanted[..]
        else {
            panic!("{fee}: {wanted:?}")
        };
        assert_eq!(agreement.quote.as_ref().map(|quote| quote.fee), Money::parse_wire(fee));
    }
}

#[test]
fn an_amount_that_was_typed_for_other_figures_answers_nothing() {
    let mut counter = reviews_with_a_fee("2.005");
    counter.keys("Tab");
    counter.types("10010");
    let [Effect::Quote { ticket, .. }] = counter.rests(120_000)[..] else { panic!() };
    let other = with_a_fee("90.005", counter.now.wall);
    counter.tell(Msg::Quoted { ticket, result: Ok(other) });
    counter.passes(1_000);
    assert_eq!(counter.reasons(), ["finer 90.005"]);
    assert_eq!(confirms(&mut counter), vec![]);
}
