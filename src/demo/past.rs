//! The demo's past: links of the last days, so that a list is a list from the first screen.

use serde::Deserialize;

use crate::sandbox::Control;
use crate::trade::{Account, LinkOutcome, LinkRequest, Money, PaymentLink, RowId, Untrusted, Wall};

/// A link as a script has it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PastLink {
    /// Its age.
    minutes: i64,
    /// The amount to pay, in reais.
    amount: String,
    /// The description.
    description: String,
}

/// The links of the past, oldest first; they exist in the sandbox too and can be opened.
pub fn links(
    past: &[PastLink],
    control: &Control,
    account: &Account,
    now: Wall,
) -> Vec<PaymentLink> {
    let wanted: Vec<(&PastLink, Money)> =
        past.iter().filter_map(|link| Some((link, Money::parse_wire(&link.amount)?))).collect();
    let asked: Vec<(i64, String)> = wanted
        .iter()
        .filter_map(|(link, amount)| Some((amount.centavos()?, link.description.clone())))
        .collect();
    let urls = control.put_up_links(&asked).unwrap_or_default();
    let made = wanted.into_iter().zip(urls).map(|((link, amount), url)| PaymentLink {
        id: RowId(0),
        at: Wall(now.0 - link.minutes * 60_000),
        request: LinkRequest {
            account: account.clone(),
            amount,
            description: link.description.clone(),
            domain: None,
        },
        outcome: LinkOutcome::Created { url: Untrusted::from(url) },
        paid: None,
    });
    made.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::Script;
    use crate::sandbox::{Options, start};
    use crate::trade::Origin;

    #[tokio::test]
    async fn every_link_of_the_past_can_be_opened() {
        let sandbox = start(Options::default()).await.unwrap();
        let account = Account { origin: Origin(sandbox.base_url().into()), identity: "ana".into() };
        let script = Script::built_in();
        let links = links(script.links(), &sandbox.control(), &account, Wall(1_000_000_000_000));
        assert_eq!(links.len(), script.links().len());
        for link in &links {
            let page = sandbox.control().page(link.url().unwrap().raw()).unwrap();
            assert_eq!(page.amount.to_string(), link.request.amount.wire());
            assert_eq!(page.description, link.request.description);
        }
        assert!(links.is_sorted_by_key(|link| link.at));
    }
}
