//! Looks for signs that the service counts amounts in another unit, such as centavos.
//!
//! The fee of one amount is asked for, and then the fee of an amount that is one centavo larger. A
//! service that reads whole centavos refuses the second amount, or ignores the centavo. The answers
//! prove nothing about a withdrawal: they only lead to a question to the seller.

use super::{Failure, FigureSource, Money, NoQuote, Quote, QuoteFault};

/// The result of comparing the answers for an amount and for its probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnitSign {
    /// The answers cannot be compared, for example because one is missing.
    NoPair,
    /// Nothing speaks against the unit.
    None,
    /// The service may count in another unit.
    Doubt,
}

/// An answer to a fee preview.
type Answer = Result<Quote, NoQuote>;

/// The amount that is asked for besides `amount`. It differs by one centavo, and has centavos if
/// `amount` has none.
pub fn probe_amount(amount: Money) -> Option<Money> {
    let probe = match amount.centavos()? % 100 {
        0 => amount.checked_add(Money::CENTAVO),
        _ => amount.checked_sub(Money::CENTAVO),
    };
    probe.filter(|probe| probe.is_positive())
}

/// Compares the answers for an amount and for its probe. `is_limit` is true if the refusal of the
/// probe mentions a limit or the balance.
pub fn compare(amount: Money, quote: &Answer, probe: &Answer, is_limit: bool) -> UnitSign {
    if !is_answered(quote) {
        return UnitSign::NoPair;
    }
    let is_doubted = match probe {
        answer if is_answered(answer) => ignores_centavo(amount, quote, answer),
        Err(NoQuote::Failure(Failure::Refused(refusal)))
            if refusal.is_of_input() || (200..300).contains(&refusal.status) =>
        {
            if is_limit {
                return UnitSign::NoPair;
            }
            true
        }
        _ => return UnitSign::NoPair,
    };
    if is_doubted || is_hundredfold(amount, quote) {
        UnitSign::Doubt
    } else {
        UnitSign::None
    }
}

/// True if the service accepted the amount, even if its figures cannot be used.
pub fn is_answered(answer: &Answer) -> bool {
    matches!(answer, Ok(_) | Err(NoQuote::Fault(_)))
}

/// True if the answer to the probe is about the amount without the probe's centavo.
fn ignores_centavo(amount: Money, quote: &Answer, probe: &Answer) -> bool {
    match (quote, probe) {
        (Ok(_), Err(NoQuote::Fault(QuoteFault::DoesNotAddUp { fee, net, .. }))) => fee
            .checked_add(*net)
            .is_some_and(|sum| is_same(sum, amount)),
        (Ok(_), Err(NoQuote::Fault(QuoteFault::OtherAmount { replied_amount, .. }))) => {
            replied_amount.is_some_and(|replied| is_same(replied, amount))
        }
        // The net amount alone. If the service also sent the fee, the sum was checked already.
        (Ok(quote), Ok(probe)) => is_net_alone(quote) && is_same(quote.net, probe.net),
        _ => false,
    }
}

/// True if the figures are about a hundred times as large as the amount, or a hundredth.
fn is_hundredfold(amount: Money, quote: &Answer) -> bool {
    let [hundredth, hundred] = hundredfolds(amount);
    let is_other = |figure: Money| {
        [hundredth, hundred]
            .iter()
            .flatten()
            .any(|other| is_same(figure, *other))
    };
    match quote {
        Err(NoQuote::Fault(QuoteFault::DoesNotAddUp { fee, net, .. })) => {
            fee.checked_add(*net).is_some_and(is_other)
        }
        Err(NoQuote::Fault(QuoteFault::OtherAmount { replied_amount, .. })) => {
            replied_amount.is_some_and(is_other)
        }
        // Only the net amount is in the reply. It is somewhat smaller than the amount.
        Err(NoQuote::Fault(QuoteFault::OutOfRange { fee, .. })) => {
            let net = amount.checked_sub(*fee);
            let least = amount.checked_add(amount);
            net.is_some_and(|net| hundred.is_some_and(|most| net <= most) && Some(net) > least)
        }
        Ok(quote) if is_net_alone(quote) => {
            let sum = quote.net.checked_add(quote.net);
            hundredth.is_some_and(|most| quote.net <= most && sum >= Some(most))
        }
        _ => false,
    }
}

fn is_net_alone(quote: &Quote) -> bool {
    quote.net_source == FigureSource::Service && quote.fee_source == FigureSource::Computed
}

/// A hundredth of the amount, and the hundredfold amount.
pub fn hundredfolds(amount: Money) -> [Option<Money>; 2] {
    let hundred = amount
        .centavos()
        .and_then(|centavos| centavos.checked_mul(100));
    [
        amount.centavos_to_reais(),
        hundred.map(Money::from_centavos),
    ]
}

fn is_same(first: Money, second: Money) -> bool {
    first.differs_by_less(Money::HALF_CENTAVO, second)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trade::{NoAnswer, Refusal, Wall};

    fn brl(centavos: i64) -> Money {
        Money::from_centavos(centavos)
    }

    fn answer(amount: i64, fee: Option<i64>, net: Option<i64>) -> Answer {
        Quote::new(brl(amount), fee.map(brl), net.map(brl), Wall(0)).map_err(NoQuote::Fault)
    }

    fn echo(amount: i64, replied: i64) -> Answer {
        let replied_amount = Some(brl(replied));
        Err(NoQuote::Fault(QuoteFault::OtherAmount {
            amount: brl(amount),
            replied_amount,
        }))
    }

    fn refused(status: u16) -> Answer {
        let refusal = Refusal {
            status,
            message: None,
            hint: None,
            retry_after: None,
        };
        Err(NoQuote::Failure(match status {
            401 | 403 => Failure::Unauthorized {
                credential: None,
                refusal,
            },
            _ => Failure::Refused(refusal),
        }))
    }

    fn timeout() -> Answer {
        Err(NoQuote::Failure(Failure::NoAnswer(NoAnswer::Timeout)))
    }

    #[test]
    fn probe_differs_by_one_centavo_and_has_centavos() {
        for (amount, probe) in [(10_000, 10_001), (10_010, 10_009), (100, 101), (99, 98)] {
            assert_eq!(probe_amount(brl(amount)), Some(brl(probe)));
        }
        assert_eq!(probe_amount(brl(1)), None);
        assert_eq!(probe_amount(Money::parse_wire("1.005").unwrap()), None);
    }

    #[test]
    fn pair_of_answers_decides() {
        use UnitSign::{Doubt, NoPair, None as Nothing};
        let whole = || answer(10_000, Some(205), Some(9_795));
        let [fee_only, net_only] = [(Some(205), None), (None, Some(9_795))];
        for (quote, probe, expected) in [
            // Both amounts are answered.
            (whole(), answer(10_001, Some(205), Some(9_796)), Nothing),
            (
                answer(10_000, fee_only.0, None),
                answer(10_001, Some(205), None),
                Nothing,
            ),
            (
                answer(10_000, None, net_only.1),
                answer(10_001, None, Some(9_796)),
                Nothing,
            ),
            // The fee takes the centavo.
            (whole(), answer(10_001, Some(206), Some(9_795)), Nothing),
            // The whole amount is answered and the other one is refused.
            (whole(), refused(400), Doubt),
            (whole(), refused(422), Doubt),
            (whole(), refused(200), Doubt),
            // The centavo is ignored.
            (whole(), answer(10_001, Some(205), Some(9_795)), Doubt),
            (whole(), echo(10_001, 10_000), Doubt),
            (
                answer(10_000, None, Some(9_795)),
                answer(10_001, None, Some(9_795)),
                Doubt,
            ),
            // The figures are a hundred times off.
            (
                answer(10_000, Some(20_500), Some(979_500)),
                timeout(),
                NoPair,
            ),
            (
                answer(10_000, Some(20_500), Some(979_500)),
                answer(10_001, Some(20_500), Some(979_600)),
                Doubt,
            ),
            (
                answer(10_000, Some(2), Some(98)),
                answer(10_001, Some(2), Some(98)),
                Doubt,
            ),
            (echo(10_000, 100), echo(10_001, 100), Doubt),
            (echo(10_000, 1_000_000), echo(10_001, 1_000_100), Doubt),
            (
                answer(10_000, None, Some(979_500)),
                answer(10_001, None, Some(979_600)),
                Doubt,
            ),
            (
                answer(10_000, None, Some(98)),
                answer(10_001, None, Some(99)),
                Doubt,
            ),
            // Other faults say nothing about the unit.
            (
                answer(10_000, Some(205), Some(9_794)),
                answer(10_001, Some(205), Some(9_795)),
                Nothing,
            ),
            (
                answer(300, Some(350), None),
                answer(301, Some(350), None),
                Nothing,
            ),
            // There is no pair.
            (whole(), refused(401), NoPair),
            (whole(), refused(403), NoPair),
            (whole(), refused(404), NoPair),
            (whole(), refused(409), NoPair),
            (whole(), refused(429), NoPair),
            (whole(), refused(500), NoPair),
            (whole(), timeout(), NoPair),
            (refused(400), refused(400), NoPair),
            (refused(400), answer(10_001, Some(205), Some(9_796)), NoPair),
            (refused(429), whole(), NoPair),
            (timeout(), whole(), NoPair),
        ] {
            assert_eq!(
                compare(brl(10_000), &quote, &probe, false),
                expected,
                "{quote:?} {probe:?}"
            );
        }
        // A refusal because of a limit, a minimum or the balance says nothing about the unit.
        assert_eq!(compare(brl(10_000), &whole(), &refused(422), true), NoPair);
        let ignored = answer(10_001, Some(205), Some(9_795));
        assert_eq!(compare(brl(10_000), &whole(), &ignored, true), Doubt);
    }
}
