//! The quote: what leaves the balance, the fee, what the receiver gets.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Failure, Money, Wall};

/// A quote older than this is asked again, in view, before anything can be confirmed.
pub const STALE_AFTER: Duration = Duration::from_secs(120);

/// The source of a figure of a quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FigureSource {
    /// The service gave it.
    Service,
    /// Computed by the documented rule, net = amount - fee.
    Computed,
}

/// Three figures that add up but for a part of a centavo, and when they were asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quote {
    /// The amount that leaves the seller's balance.
    pub amount: Money,
    /// The fee that the service keeps.
    pub fee: Money,
    /// The source of the fee.
    pub fee_source: FigureSource,
    /// The amount that the receiver gets.
    pub net: Money,
    /// The source of the net value.
    pub net_source: FigureSource,
    /// The time at which the service answered.
    pub at: Wall,
}

/// A figure of a quote that the service says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The fee that the service keeps.
    Fee,
    /// The amount that the receiver gets.
    Net,
}

/// The reason there is no quote.
#[derive(Debug, Clone, PartialEq)]
pub enum NoQuote {
    /// The question failed.
    Failure(Failure),
    /// The service answered with figures that make no quote.
    Fault(QuoteFault),
}

/// The reason a preview's figures make no quote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuoteFault {
    /// Neither the fee nor the net could be found in the reply.
    Missing,
    /// Fee and net do not add up to the amount.
    DoesNotAddUp {
        /// The request.
        amount: Money,
        /// The fee in the reply.
        fee: Money,
        /// The net in the reply.
        net: Money,
    },
    /// A figure is there and cannot be read: what is there is not computed.
    Unreadable(Part),
    /// The reply is about another amount than the one asked about, and than its net.
    OtherAmount {
        /// The request.
        amount: Money,
        /// The figure in the reply; `None` where that number is no amount.
        said: Option<Money>,
    },
    /// A negative fee, or a fee larger than the amount.
    OutOfRange {
        /// The request.
        amount: Money,
        /// The fee, as the service gave it or as it follows from the net.
        fee: Money,
    },
}

impl Quote {
    /// Makes a quote of a reply's figures; of fee and net a missing one is computed and labelled as
    /// computed.
    pub fn new(
        amount: Money,
        fee: Option<Money>,
        net: Option<Money>,
        at: Wall,
    ) -> Result<Quote, QuoteFault> {
        let (fee, fee_source, net, net_source) = match (fee, net) {
            (None, None) => return Err(QuoteFault::Missing),
            (Some(fee), Some(net)) => (fee, FigureSource::Service, net, FigureSource::Service),
            (Some(fee), None) => {
                let net = amount.checked_sub(fee).ok_or(QuoteFault::OutOfRange { amount, fee })?;
                (fee, FigureSource::Service, net, FigureSource::Computed)
            }
            (None, Some(net)) => {
                let fee = amount.checked_sub(net).ok_or(QuoteFault::Missing)?;
                (fee, FigureSource::Computed, net, FigureSource::Service)
            }
        };
        // A service that rounds one of them is off by less than a centavo.
        let left = amount.checked_sub(fee);
        if !left.is_some_and(|left| left.differs_by_less(Money::CENTAVO, net)) {
            return Err(QuoteFault::DoesNotAddUp { amount, fee, net });
        }
        if fee.is_negative() || net.is_negative() {
            return Err(QuoteFault::OutOfRange { amount, fee });
        }
        Ok(Quote { amount, fee, fee_source, net, net_source, at })
    }

    /// Returns true when the receiver gets nothing of it.
    pub fn leaves_nothing(&self) -> bool {
        !self.net.is_positive()
    }

    /// Returns true when fee or net have a part below a centavo, which cannot be paid.
    pub fn is_finer_than_centavos(&self) -> bool {
        self.fee.centavos().is_none() || self.net.centavos().is_none()
    }

    /// Returns true while this quote may be confirmed; a clock that went backwards makes it stale.
    pub fn is_fresh(&self, now: Wall) -> bool {
        now.since(self.at).is_some_and(|age| age < STALE_AFTER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brl(centavos: i64) -> Money {
        Money::from_centavos(centavos)
    }

    #[test]
    fn the_missing_figure_is_computed_and_says_so() {
        let quote = Quote::new(brl(10_000), Some(brl(205)), None, Wall(0)).unwrap();
        assert_eq!((quote.net, quote.net_source), (brl(9_795), FigureSource::Computed));
        let quote = Quote::new(brl(10_000), None, Some(brl(9_795)), Wall(0)).unwrap();
        assert_eq!((quote.fee, quote.fee_source), (brl(205), FigureSource::Computed));
    }

    #[test]
    fn parts_that_do_not_add_up_are_no_quote() {
        assert_eq!(
            Quote::new(brl(10_000), Some(brl(205)), Some(brl(9_794)), Wall(0)),
            Err(QuoteFault::DoesNotAddUp { amount: brl(10_000), fee: brl(205), net: brl(9_794) })
        );
        assert!(matches!(
            Quote::new(brl(100), Some(brl(205)), None, Wall(0)),
            Err(QuoteFault::OutOfRange { .. })
        ));
        assert!(matches!(
            Quote::new(brl(100), Some(brl(-5)), None, Wall(0)),
            Err(QuoteFault::OutOfRange { .. })
        ));
        assert_eq!(Quote::new(brl(100), None, None, Wall(0)), Err(QuoteFault::Missing));
    }

    #[test]
    fn less_than_a_centavo_is_no_fault_and_is_told() {
        let figure = |text: &str| Money::parse_wire(text).unwrap();
        for (amount, fee, net) in [
            ("100.10", "3.0029999999999997", "97.097"),
            ("199.99", "2.00", "197.9901"),
            ("199.99", "2.00", "197.9801"),
            ("100.00", "0.30000000000000004", "99.70"),
            ("9999999999.99", "0.30000000000000004", "9999999999.69"),
        ] {
            let [amount, fee, net] = [amount, fee, net].map(figure);
            let quote = Quote::new(amount, Some(fee), Some(net), Wall(0)).unwrap();
            assert!(quote.is_finer_than_centavos(), "{fee}");
            assert_eq!((quote.fee, quote.net), (fee, net));
        }
        for (fee, net) in [("2.00", "197.98"), ("2.00", "197.9799999999"), ("2.00", "198.00")] {
            let quote = Quote::new(brl(19_999), Some(figure(fee)), Some(figure(net)), Wall(0));
            assert!(matches!(quote, Err(QuoteFault::DoesNotAddUp { .. })), "{net}");
        }
    }

    #[test]
    fn a_quote_goes_stale_and_never_comes_from_the_future() {
        let quote = Quote::new(brl(10_000), Some(brl(205)), None, Wall(1_000)).unwrap();
        assert!(quote.is_fresh(Wall(120_999)));
        assert!(!quote.is_fresh(Wall(121_000)));
        assert!(!quote.is_fresh(Wall(999)));
    }
}
