//! The quote of a withdrawal: the amount, the fee, and the net amount for the receiver.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Failure, Money, Wall};

/// The maximum age of a quote. After that, a new quote must be requested and shown before the
/// seller can confirm the withdrawal.
pub const MAX_QUOTE_AGE: Duration = Duration::from_secs(120);

/// The origin of a fee or net amount in a quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FigureSource {
    /// The service sent the figure.
    Service,
    /// The figure was computed with the documented formula: net = amount - fee.
    Computed,
}

/// The amount, the fee and the net amount of a withdrawal, with the time of the response. Fee plus
/// net amount equals the amount, with a tolerance of less than one centavo.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quote {
    /// The amount taken from the seller's balance.
    pub amount: Money,
    /// The fee that the service charges.
    pub fee: Money,
    /// The origin of the fee.
    pub fee_source: FigureSource,
    /// The amount that the receiver gets.
    pub net: Money,
    /// The origin of the net amount.
    pub net_source: FigureSource,
    /// The time when the service's response arrived.
    pub at: Wall,
}

/// A figure in the response to a fee preview: the fee or the net amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuoteFigure {
    /// The fee that the service charges.
    Fee,
    /// The amount that the receiver gets.
    Net,
}

/// The reason why a fee preview did not result in a quote.
#[derive(Debug, Clone, PartialEq)]
pub enum NoQuote {
    /// The request failed.
    Failure(Failure),
    /// The service sent figures that do not form a valid quote.
    Fault(QuoteFault),
}

/// The reason why the figures of a fee preview do not form a valid quote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuoteFault {
    /// The response contains no fee and no net amount.
    Missing,
    /// The sum of the fee and the net amount is not the requested amount.
    DoesNotAddUp {
        /// The requested amount.
        amount: Money,
        /// The fee in the response.
        fee: Money,
        /// The net amount in the response.
        net: Money,
    },
    /// The response contains this figure, but its value cannot be parsed or has too many digits. It
    /// is an error even if the other figure is valid.
    Unreadable(QuoteFigure),
    /// The amount in the response is neither the requested amount nor the net amount.
    OtherAmount {
        /// The requested amount.
        amount: Money,
        /// The amount in the response; `None` if the response contains a number that is not a valid
        /// amount.
        replied_amount: Option<Money>,
    },
    /// The fee or the net amount is negative.
    OutOfRange {
        /// The requested amount.
        amount: Money,
        /// The fee, either sent by the service or computed from the net amount.
        fee: Money,
    },
}

impl NoQuote {
    /// True if a withdrawal of this amount cannot be confirmed: the service refused the amount, or
    /// sent unreadable or contradictory figures.
    ///
    /// In all other cases only the fee is unknown, and the seller may accept that.
    pub fn blocks(&self) -> bool {
        match self {
            NoQuote::Failure(Failure::Refused(refusal)) => {
                refusal.is_of_input() || (200..300).contains(&refusal.status)
            }
            NoQuote::Failure(_) => false,
            NoQuote::Fault(fault) => *fault != QuoteFault::Missing,
        }
    }
}

impl Quote {
    /// Creates a quote from the response to a fee preview. If the fee or the net amount is missing,
    /// computes it from the other one.
    ///
    /// # Errors
    ///
    /// Returns a [`QuoteFault`] if both are missing, if one is negative, or if they do not add up
    /// to the amount. Also returns a fault if the missing figure cannot be computed exactly.
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
                let net = amount
                    .checked_sub(fee)
                    .ok_or(QuoteFault::OutOfRange { amount, fee })?;
                (fee, FigureSource::Service, net, FigureSource::Computed)
            }
            (None, Some(net)) => {
                let fee = amount
                    .checked_sub(net)
                    .ok_or(QuoteFault::Unreadable(QuoteFigure::Net))?;
                (fee, FigureSource::Computed, net, FigureSource::Service)
            }
        };
        // The service may round the fee or the net amount, so accept a difference below one
        // centavo.
        let remainder = amount.checked_sub(fee);
        if !remainder.is_some_and(|remainder| remainder.differs_by_less(Money::CENTAVO, net)) {
            return Err(QuoteFault::DoesNotAddUp { amount, fee, net });
        }
        if fee.is_negative() || net.is_negative() {
            return Err(QuoteFault::OutOfRange { amount, fee });
        }
        Ok(Quote {
            amount,
            fee,
            fee_source,
            net,
            net_source,
            at,
        })
    }

    /// True if the fee takes the whole amount and the receiver gets nothing.
    pub fn leaves_nothing(&self) -> bool {
        !self.net.is_positive()
    }

    /// True if the fee or the net amount has a fraction of a centavo, which cannot be paid.
    pub fn is_finer_than_centavos(&self) -> bool {
        self.fee.centavos().is_none() || self.net.centavos().is_none()
    }

    /// True if the quote is recent enough to be confirmed. Returns false if the wall clock went
    /// backwards, because the age of the quote is then unknown.
    pub fn is_fresh(&self, now: Wall) -> bool {
        now.since(self.at).is_some_and(|age| age < MAX_QUOTE_AGE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brl(centavos: i64) -> Money {
        Money::from_centavos(centavos)
    }

    #[test]
    fn refused_amount_blocks_whatever_its_status() {
        let refused = |status| {
            let refusal = crate::trade::Refusal {
                status,
                message: None,
                hint: None,
                retry_after: None,
            };
            NoQuote::Failure(Failure::Refused(refusal)).blocks()
        };
        assert_eq!(
            [200, 400, 422, 404, 500].map(refused),
            [true, true, true, false, false]
        );
    }

    #[test]
    fn missing_figure_is_computed_and_marked() {
        let quote = Quote::new(brl(10_000), Some(brl(205)), None, Wall(0)).unwrap();
        assert_eq!(
            (quote.net, quote.net_source),
            (brl(9_795), FigureSource::Computed)
        );
        let quote = Quote::new(brl(10_000), None, Some(brl(9_795)), Wall(0)).unwrap();
        assert_eq!(
            (quote.fee, quote.fee_source),
            (brl(205), FigureSource::Computed)
        );
    }

    #[test]
    fn figures_that_do_not_add_up_are_no_quote() {
        assert_eq!(
            Quote::new(brl(10_000), Some(brl(205)), Some(brl(9_794)), Wall(0)),
            Err(QuoteFault::DoesNotAddUp {
                amount: brl(10_000),
                fee: brl(205),
                net: brl(9_794)
            })
        );
        assert!(matches!(
            Quote::new(brl(100), Some(brl(205)), None, Wall(0)),
            Err(QuoteFault::OutOfRange { .. })
        ));
        assert!(matches!(
            Quote::new(brl(100), Some(brl(-5)), None, Wall(0)),
            Err(QuoteFault::OutOfRange { .. })
        ));
        assert_eq!(
            Quote::new(brl(100), None, None, Wall(0)),
            Err(QuoteFault::Missing)
        );
        // Computing the fee from this net amount would need too many digits. The error is therefore
        // `Unreadable`, not `Missing`.
        let net = Money::parse_wire("0.00000000000000000000000001").unwrap();
        let max = Money::parse_wire("9999999999.99").unwrap();
        assert!(max.checked_sub(net).is_none());
        let unreadable = Err(QuoteFault::Unreadable(QuoteFigure::Net));
        assert_eq!(Quote::new(max, None, Some(net), Wall(0)), unreadable);
    }

    #[test]
    fn difference_below_a_centavo_is_accepted() {
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
        for (fee, net) in [
            ("2.00", "197.98"),
            ("2.00", "197.9799999999"),
            ("2.00", "198.00"),
        ] {
            let quote = Quote::new(brl(19_999), Some(figure(fee)), Some(figure(net)), Wall(0));
            assert!(
                matches!(quote, Err(QuoteFault::DoesNotAddUp { .. })),
                "{net}"
            );
        }
    }

    #[test]
    fn quote_is_stale_after_two_minutes_or_if_future() {
        let quote = Quote::new(brl(10_000), Some(brl(205)), None, Wall(1_000)).unwrap();
        assert!(quote.is_fresh(Wall(120_999)));
        assert!(!quote.is_fresh(Wall(121_000)));
        assert!(!quote.is_fresh(Wall(999)));
    }
}
