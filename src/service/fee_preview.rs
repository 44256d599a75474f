//! The preview of a withdrawal's fee (section 4.5 of the API documentation).

use super::exchange::ApiRequest;
use super::{BoundCredential, Service};
use crate::contract::reply_setting::{FEE, NET, PREVIEWED_AMOUNT};
use serde_json::Value;

use crate::contract::{AmountRead, Contract, Method};
use crate::trade::withdrawal::NotSent;
use crate::trade::{Failure, Money, NoQuote, Operation, Quote, QuoteFault, QuoteFigure, Wall};

impl Service {
    /// Asks the service for the fee and the net amount of a withdrawal of `amount`.
    ///
    /// # Errors
    ///
    /// Returns an error if the request fails, or if the figures in the reply cannot be used: both
    /// are missing, one is not an amount, they contradict each other, or they are for another
    /// amount.
    pub async fn fee_preview(
        &self,
        credential: BoundCredential<'_>,
        amount: Money,
    ) -> Result<Quote, NoQuote> {
        let spec = &self.contract.fee_preview;
        // This error never occurs, because the form rejects amounts with a fraction of a centavo.
        let wire = spec
            .amounts
            .wire(amount)
            .ok_or(NoQuote::Failure(Failure::NotSent(NotSent::BodyChanged)))?;
        let mut url = self.operation_url(Operation::FeePreview);
        let mut body = None;
        match spec.call.method {
            Method::Get => _ = url.query_pairs_mut().append_pair(&spec.amount, &wire),
            _ => body = spec.body(amount),
        }
        let api_request = ApiRequest {
            url,
            body: body.as_deref().map(|body| (body, body)),
            ..self.api_request(Operation::FeePreview, Some(credential))
        };
        let success = self.success(api_request).await.map_err(NoQuote::Failure)?;
        let quote = read_quote(&self.contract, &success.json, amount, self.client.now());
        if quote.is_err() {
            success.check_body(false).map_err(NoQuote::Failure)?;
        }
        quote.map_err(|fault| match fault {
            // If both the fee and the net amount are missing, the API contract may look for them in
            // the wrong place. The error names the two settings of the API contract that determine
            // the place.
            QuoteFault::Missing => {
                let settings = [FEE, NET].map(|setting| setting.name);
                NoQuote::Failure(success.unreadable(&settings))
            }
            fault => NoQuote::Fault(fault),
        })
    }
}

/// Reads the fee and the net amount from a reply. If only one of them is present, the other is
/// computed.
///
/// Returns an error if the figures cannot be used, as described at [`Service::fee_preview`].
fn read_quote(
    contract: &Contract,
    reply: &Value,
    amount: Money,
    at: Wall,
) -> Result<Quote, QuoteFault> {
    let figure = |setting| {
        contract
            .paths(setting)
            .figure(reply, contract.fee_preview.amounts)
    };
    let fee = readable(figure(FEE), QuoteFigure::Fee)?;
    let net = readable(figure(NET), QuoteFigure::Net)?;
    let quote = Quote::new(amount, fee, net, at)?;
    let is_expected = |echo: Money| {
        [amount, quote.net]
            .iter()
            .any(|expected| echo.differs_by_less(Money::HALF_CENTAVO, *expected))
    };
    match figure(PREVIEWED_AMOUNT) {
        AmountRead::Amount(echo) if !is_expected(echo) => Err(QuoteFault::OtherAmount {
            amount,
            replied_amount: Some(echo),
        }),
        // A number that is not an exact amount cannot be the requested amount. An unreadable text
        // is ignored, because it may be a masked amount.
        AmountRead::InexactNumber => Err(QuoteFault::OtherAmount {
            amount,
            replied_amount: None,
        }),
        AmountRead::Absent | AmountRead::Amount(_) | AmountRead::NotAnAmount => Ok(quote),
    }
}

fn readable(figure: AmountRead, name: QuoteFigure) -> Result<Option<Money>, QuoteFault> {
    match figure {
        AmountRead::Absent => Ok(None),
        AmountRead::Amount(money) => Ok(Some(money)),
        AmountRead::InexactNumber | AmountRead::NotAnAmount => Err(QuoteFault::Unreadable(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::read_json;
    use crate::trade::FigureSource;

    fn brl(text: &str) -> Money {
        Money::parse_wire(text).unwrap()
    }

    /// Reads the reply to a fee preview of R$ 100,00, and describes the quote or the error as text.
    fn describe_quote(contract: &Contract, reply: &str) -> String {
        let json = read_json(reply.as_bytes()).expect(reply);
        match read_quote(contract, &json, brl("100.00"), Wall(0)) {
            Ok(quote) => {
                let suffix = |source| {
                    if source == FigureSource::Computed {
                        " computed"
                    } else {
                        ""
                    }
                };
                let fee = quote.fee.wire();
                let net = quote.net.wire();
                let fee_from = suffix(quote.fee_source);
                let net_from = suffix(quote.net_source);
                format!("{fee}{fee_from}, {net}{net_from}")
            }
            Err(QuoteFault::Unreadable(figure)) => format!("unreadable {figure:?}"),
            Err(QuoteFault::OtherAmount {
                replied_amount: echo,
                ..
            }) => {
                format!(
                    "other amount {}",
                    echo.map_or("unreadable".into(), Money::wire)
                )
            }
            Err(QuoteFault::Missing) => "missing".into(),
            Err(QuoteFault::DoesNotAddUp { .. }) => "does not add up".into(),
            Err(QuoteFault::OutOfRange { .. }) => "out of range".into(),
        }
    }

    #[test]
    fn only_what_is_not_there_is_computed() {
        let contract = Contract::built_in();
        for (fee, expected) in [
            ("2.05", "2.05, 97.95 computed"),
            (r#""2.05""#, "2.05, 97.95 computed"),
            ("0", "0, 100.00 computed"),
            ("-0", "0, 100.00 computed"),
            ("2e0", "2, 98.00 computed"),
            ("10.005", "10.005, 89.995 computed"),
            ("null", "missing"),
            ("1e999999999", "unreadable Fee"),
            ("1e400", "unreadable Fee"),
            ("1e-400", "unreadable Fee"),
            ("0.00000000000000000000000000000000000001", "unreadable Fee"),
            (r#""abc""#, "unreadable Fee"),
            (r#""""#, "unreadable Fee"),
            (r#""R$ 2,05""#, "unreadable Fee"),
            (r#"{"value": 2.05}"#, "unreadable Fee"),
            ("[2.05]", "unreadable Fee"),
            ("true", "unreadable Fee"),
            ("-1", "out of range"),
            ("100.01", "out of range"),
        ] {
            assert_eq!(
                describe_quote(&contract, &format!(r#"{{"fee": {fee}}}"#)),
                expected,
                "{fee}"
            );
            // An unreadable fee is an error even if the net amount is readable. An unreadable net
            // amount is an error even if the fee is readable.
            if expected == "unreadable Fee" {
                let both = format!(r#"{{"fee": {fee}, "net": 97.95}}"#);
                assert_eq!(describe_quote(&contract, &both), expected, "{fee}");
                let net = format!(r#"{{"net": {fee}, "fee": 2.05}}"#);
                assert_eq!(describe_quote(&contract, &net), "unreadable Net", "{fee}");
            }
        }
        let null = r#"{"fee": null, "net": 97.95}"#;
        assert_eq!(describe_quote(&contract, null), "2.05 computed, 97.95");
        let elsewhere = r#"{"fee": {"percent": 2}, "feeAmount": 2.05}"#;
        assert_eq!(describe_quote(&contract, elsewhere), "2.05, 97.95 computed");
        assert_eq!(describe_quote(&contract, "{}"), "missing");
        let centavos = Contract::with(&[("c", "fee_preview.unit = 'centavos'")]).unwrap();
        assert_eq!(
            describe_quote(&centavos, r#"{"fee": 205}"#),
            "2.05, 97.95 computed"
        );
        assert_eq!(
            describe_quote(&centavos, r#"{"fee": 205.5}"#),
            "unreadable Fee"
        );
    }

    #[test]
    fn comma_figures_are_read_only_if_contract_allows() {
        let comma = Contract::with(&[("c", "fee_preview.amount_read = 'comma'")]).unwrap();
        let either = Contract::with(&[("c", "fee_preview.amount_read = 'either'")]).unwrap();
        for (fee, in_comma, in_either) in [
            ("\"2,05\"", "2.05, 97.95 computed", "2.05, 97.95 computed"),
            ("\"2.05\"", "unreadable Fee", "2.05, 97.95 computed"),
            ("2.05", "2.05, 97.95 computed", "2.05, 97.95 computed"),
            ("\"0.001,5\"", "unreadable Fee", "unreadable Fee"),
            ("\"1.005\"", "unreadable Fee", "unreadable Fee"),
            ("\"1,005\"", "1.005, 98.995 computed", "unreadable Fee"),
        ] {
            let reply = format!("{{\"fee\": {fee}}}");
            assert_eq!(describe_quote(&comma, &reply), in_comma, "{fee}");
            assert_eq!(describe_quote(&either, &reply), in_either, "{fee}");
        }
        let echo = r#"{"fee": "2,05", "amount": "1.100,00"}"#;
        assert_eq!(describe_quote(&comma, echo), "other amount 1100.00");
        assert_eq!(
            describe_quote(&Contract::built_in(), echo),
            "unreadable Fee"
        );
    }

    #[test]
    fn a_reply_about_another_amount_is_a_fault() {
        let contract = Contract::built_in();
        let accepted = "2.05, 97.95 computed";
        for (echo, expected) in [
            ("100", accepted),
            ("\"100.00\"", accepted),
            ("97.95", accepted),
            ("null", accepted),
            ("\"***\"", accepted),
            ("{}", accepted),
            ("100.00000000000001", accepted),
            ("97.94999999999999", accepted),
            ("100.005", "other amount 100.005"),
            ("100.01", "other amount 100.01"),
            ("10000", "other amount 10000"),
            ("2.05", "other amount 2.05"),
            ("1e999999999", "other amount unreadable"),
        ] {
            let reply = format!(r#"{{"fee": 2.05, "amount": {echo}}}"#);
            assert_eq!(describe_quote(&contract, &reply), expected, "{echo}");
            let nested = format!(r#"{{"data": {{"amount": {echo}, "fee": 2.05}}}}"#);
            assert_eq!(describe_quote(&contract, &nested), expected, "{echo}");
        }
        let without_echo = Contract::with(&[("c", "fee_preview.echo_amount = []")]).unwrap();
        assert_eq!(
            describe_quote(&without_echo, r#"{"fee": 2.05, "amount": 5}"#),
            accepted
        );
    }
}
