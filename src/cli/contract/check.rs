//! `balcao contract check`: the contract against the live service, by questions alone.
//!
//! Nothing is made and no money moves: the list of domains and a fee preview are asked for, with
//! what is stored, and nothing else is sent.

use std::process::ExitCode;
use std::sync::Arc;

use crate::cli::complaint::{Complaint, REFUSED};
use crate::cli::output::print_line;
use crate::cli::session::CommandSession;
use crate::cli::{GlobalArgs, block_on};
use crate::runtime::clocks::MachineClocks;
use crate::service::{BoundCredential, Limits, Service};
use crate::trade::{CredentialKind, Failure, Money, NoQuote, Untrusted, VaultTrouble, Wall};
use crate::vault::StoredCredential;
use crate::words::Words;
use crate::words::failure::{self, Doing, FailureText};

/// The withdrawal whose fee is asked for: R$ 100,00. It is not made.
const ASKED: i64 = 10_000;

/// What the vault has under the name of a credential.
type StoredAnswer = Result<Option<Arc<StoredCredential>>, VaultTrouble>;

/// The credentials of a profile at its service.
struct StoredPair {
    api_token: StoredAnswer,
    jwt: StoredAnswer,
}

/// One thing that was looked at.
struct CheckResult {
    fits: bool,
    text: String,
}

/// Asks the service, and prints what fits and what does not; 1 where not all of it does.
pub fn run(args: &GlobalArgs, agree: Option<&str>) -> Result<ExitCode, Complaint> {
    let session = CommandSession::open(args)?;
    let words = session.words;
    let now = MachineClocks::new().now().wall;
    // No operation is asked for here that creates or pays; a question may be a POST, though.
    let limits = Limits { reads_only: args.read_only, ..Limits::default() };
    let findings = block_on(async {
        let service = session.service(limits, agree).await?;
        let stored = |kind| session.vault.get(session.name(kind));
        let api_token = stored(CredentialKind::ApiToken).await;
        let pair = StoredPair { api_token, jwt: stored(CredentialKind::Jwt).await };
        Ok(looked_at(words, &service, &pair, now).await)
    })??;
    findings.iter().try_for_each(|finding| print_line(&finding.text))?;
    let all_fit = findings.iter().all(|finding| finding.fits);
    let end = if all_fit { "contract-check-all" } else { "contract-check-not-all" };
    print_line(&words.text(end))?;
    Ok(if all_fit { ExitCode::SUCCESS } else { ExitCode::from(REFUSED) })
}

/// The credentials, then what is asked for with them.
async fn looked_at(
    words: &Words,
    service: &Service,
    pair: &StoredPair,
    now: Wall,
) -> Vec<CheckResult> {
    vec![
        credential(words, "contract-check-token", &pair.api_token, now),
        credential(words, "contract-check-jwt", &pair.jwt, now),
        domains(words, service, pair).await,
        preview(words, service, pair).await,
    ]
}

impl StoredPair {
    /// The credential of this kind for the service, if there is one.
    fn bound<'a>(
        &'a self,
        service: &'a Service,
        kind: Option<CredentialKind>,
    ) -> Option<BoundCredential<'a>> {
        let kind = kind?;
        let found = match kind {
            CredentialKind::ApiToken => &self.api_token,
            CredentialKind::Jwt => &self.jwt,
        };
        let stored = found.as_ref().ok()?.as_deref()?;
        Some(BoundCredential { kind, origin: service.base().origin(), secret: &stored.secret })
    }
}

fn credential(words: &Words, label: &str, found: &StoredAnswer, now: Wall) -> CheckResult {
    let text = match found {
        Err(trouble) => return misfit(words, label, failure::vault(words, trouble)),
        Ok(None) => "contract-check-absent",
        Ok(Some(one)) if one.expires.is_some_and(|end| end <= now) => "contract-check-expired",
        Ok(Some(_)) => "contract-check-stored",
    };
    result(words, label, text == "contract-check-stored", &words.text(text))
}

async fn domains(words: &Words, service: &Service, pair: &StoredPair) -> CheckResult {
    let label = "contract-check-domains";
    let kind = service.contract().domains.call.credential;
    let Some(bound) = pair.bound(service, kind) else { return unasked(words, label) };
    match service.domains(bound).await {
        Ok(domains) => {
            let count = domains.len().to_string();
            result(words, label, true, &words.with("contract-check-listed", &[("count", &count)]))
        }
        Err(failure) => failed(words, label, &failure),
    }
}

async fn preview(words: &Words, service: &Service, pair: &StoredPair) -> CheckResult {
    let label = "contract-check-fee";
    let kind = service.contract().fee_preview.call.credential;
    let kind = kind.or(Some(CredentialKind::ApiToken));
    let Some(bound) = pair.bound(service, kind) else { return unasked(words, label) };
    match service.fee_preview(bound, Money::from_centavos(ASKED)).await {
        Ok(quote) => {
            let (fee, net) = (quote.fee.to_string(), quote.net.to_string());
            let text = words.with("contract-check-quote", &[("fee", &fee), ("net", &net)]);
            result(words, label, true, &text)
        }
        Err(NoQuote::Failure(failure)) => failed(words, label, &failure),
        Err(NoQuote::Fault(fault)) => misfit(words, label, failure::quote_fault(words, &fault)),
    }
}

fn result(words: &Words, label: &str, fits: bool, text: &str) -> CheckResult {
    CheckResult { fits, text: format!("{}: {text}", words.text(label)) }
}

fn unasked(words: &Words, label: &str) -> CheckResult {
    result(words, label, false, &words.text("contract-check-unasked"))
}

fn failed(words: &Words, label: &str, failure: &Failure) -> CheckResult {
    misfit(words, label, failure::describe(words, failure, Doing::Question))
}

/// What was wrong, in the words of the screens, and the service's own below it.
fn misfit(words: &Words, label: &str, told: FailureText) -> CheckResult {
    let quote = |(label, quote): &(String, Untrusted)| format!("\n  {label}: {}", quote.shown());
    let quotes: String = told.quotes.iter().map(quote).collect();
    result(words, label, false, &(told.what + &quotes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::{Contract, Preset};
    use crate::sandbox::{self, Dialect, Options};
    use crate::service::{BaseUrl, Client, NetworkSettings};
    use crate::trade::Secret;
    use crate::words::Lang;

    fn stored(secret: String, expires: Option<Wall>) -> StoredAnswer {
        let identity = "ana".into();
        let secret = Secret::new(secret);
        Ok(Some(Arc::new(StoredCredential { identity, secret, since: None, expires, note: None })))
    }

    /// What is found of the sandbox in one dialect under the contract of another.
    async fn found(dialect: &str, preset: &str, expires: Option<Wall>) -> (Vec<bool>, String) {
        let options =
            Options { dialect: Dialect::named(dialect).unwrap_or_default(), ..Options::default() };
        let sandbox = sandbox::start(options).await.unwrap();
        let files = Preset::named(preset).map(|preset| (preset.file, preset.text));
        let contract = Contract::with(&files.into_iter().collect::<Vec<_>>()).unwrap();
        let clocks = Arc::new(MachineClocks::new());
        let client = Client::new(
            Limits::default(),
            NetworkSettings::default(),
            Arc::new(|_: &Contract| Ok(())),
            Arc::new(move || clocks.now()),
            Arc::new(|_| ()),
        );
        let base = BaseUrl::parse(&sandbox.base_url()).unwrap();
        let service = Service::new(base, Arc::new(contract), client);
        let token = sandbox.control().api_token().unwrap();
        let jwt = sandbox.control().jwt().unwrap();
        let pair = StoredPair { api_token: stored(token, expires), jwt: stored(jwt, None) };
        let findings = looked_at(Words::of(Lang::En), &service, &pair, Wall(1_000)).await;
        let ledger = sandbox.control().ledger();
        assert!(ledger.links.is_empty() && ledger.charges.is_empty());
        assert!(ledger.payouts.is_empty() && ledger.requests.is_empty());
        let text = findings.iter().map(|finding| finding.text.clone() + "\n").collect();
        (findings.iter().map(|finding| finding.fits).collect(), text)
    }

    #[tokio::test]
    async fn a_contract_that_fits_is_seen_to_fit_and_nothing_is_made() {
        for name in ["", "snake-case", "sibling", "enveloped", "key-headers", "centavos"] {
            let (fits, text) = found(name, name, None).await;
            assert_eq!(fits, [true; 4], "{name}: {text}");
            assert!(text.contains("97.95") || text.contains("97,95"), "{text}");
        }
    }

    #[tokio::test]
    async fn what_does_not_fit_is_told_in_the_services_own_words() {
        let (fits, text) = found("snake-case", "sibling", None).await;
        assert_eq!(fits, [true, true, true, false], "{text}");
        let (fits, text) = found("centavos", "", None).await;
        assert_eq!(fits, [true, true, true, false], "{text}");
        assert!(text.contains("não tem a forma que este serviço espera"), "{text}");
        let (fits, text) = found("key-headers", "", None).await;
        assert_eq!(fits, [true, true, false, false], "{text}");
        let (fits, text) = found("", "", Some(Wall(999))).await;
        assert_eq!(fits, [false, true, true, true], "{text}");
    }
}
