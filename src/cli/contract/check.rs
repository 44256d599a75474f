//! `balcao contract check`: the contract against the live service, by questions alone.
//!
//! Nothing is made and no money moves: the list of domains and a fee preview are asked for, with
//! what is stored, and nothing else is sent.

use std::process::ExitCode;
use std::sync::Arc;

use super::super::complaint::Complaint;
use super::super::output::print_line;
use super::super::{GlobalArgs, Settings, address, consent};
use crate::config::Profile;
use crate::contract::Contract;
use crate::runtime::clocks::MachineClocks;
use crate::service::{BoundCredential, Client, Limits, NetworkSettings, Service};
use crate::trade::{
    CredentialKind, CredentialName, Failure, Money, NoQuote, Untrusted, VaultTrouble, Wall,
};
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
pub fn run(
    args: &GlobalArgs,
    settings: &Settings,
    (name, profile): (&str, &Profile),
    (contract, connection): (Contract, NetworkSettings),
    agree: Option<&str>,
) -> Result<ExitCode, Complaint> {
    let words = args.words(settings)?;
    let base = address::base_url(args, settings, (name, profile))?;
    let vault = args.vault(settings, (name, profile), base.origin())?;
    let clocks = Arc::new(MachineClocks::new());
    let now = clocks.now().wall;
    // No operation is asked for here that creates or pays; a question may be a POST, though.
    let limits = Limits { reads_only: args.read_only, ..Limits::default() };
    let contract = Arc::new(contract);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(Complaint::of)?;
    let asked = consent::require(words, &contract, (name, base.origin()), &vault, agree);
    let consent = runtime.block_on(asked)?;
    let now_of = Arc::new(move || clocks.now());
    let client = Client::new(limits, connection, consent, now_of, Arc::new(|_| ()));
    let service = Service::new(base, contract, client);
    let findings = runtime.block_on(async {
        let stored = |kind| {
            let (profile, origin) = (name.into(), service.base().origin().clone());
            vault.get(CredentialName { profile, origin, kind })
        };
        let api_token = stored(CredentialKind::ApiToken).await;
        let pair = StoredPair { api_token, jwt: stored(CredentialKind::Jwt).await };
        looked_at(words, &service, &pair, now).await
    });
    findings.iter().try_for_each(|finding| print_line(&finding.text))?;
    let all_fit = findings.iter().all(|finding| finding.fits);
    let end = if all_fit { "contract-check-all" } else { "contract-check-not-all" };
    print_line(&words.text(end))?;
    Ok(if all_fit { ExitCode::SUCCESS } else { ExitCode::from(1) })
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
    fn of(&self, kind: Option<CredentialKind>) -> Option<&StoredCredential> {
        let found = match kind? {
            CredentialKind::ApiToken => &self.api_token,
            CredentialKind::Jwt => &self.jwt,
        };
        found.as_ref().ok()?.as_deref()
    }
}

fn credential(words: &Words, label: &str, found: &StoredAnswer, now: Wall) -> CheckResult {
    let text = match found {
        Err(trouble) => return misfit(words, label, failure::vault(words, trouble)),
        Ok(None) => "contract-check-absent",
        Ok(Some(one)) if one.expires.is_some_and(|end| end <= now) => "contract-check-expired",
        Ok(Some(_)) => "contract-check-stored",
    };
    let fits = text == "contract-check-stored";
    CheckResult { fits, text: format!("{}: {}", words.text(label), words.text(text)) }
}

async fn domains(words: &Words, service: &Service, pair: &StoredPair) -> CheckResult {
    let label = "contract-check-domains";
    let Some(stored) = pair.of(service.contract().domains.call.credential) else {
        return unasked(words, label);
    };
    let kind = service.contract().domains.call.credential.unwrap_or(CredentialKind::Jwt);
    match service.domains(bound(service, kind, stored)).await {
        Ok(domains) => {
            let count = domains.len().to_string();
            fit(words, label, &words.with("contract-check-listed", &[("count", &count)]))
        }
        Err(failure) => failed(words, label, &failure),
    }
}

async fn preview(words: &Words, service: &Service, pair: &StoredPair) -> CheckResult {
    let label = "contract-check-fee";
    let kind = service.contract().fee_preview.call.credential.unwrap_or(CredentialKind::ApiToken);
    let Some(stored) = pair.of(Some(kind)) else { return unasked(words, label) };
    let amount = Money::from_centavos(ASKED);
    match service.fee_preview(bound(service, kind, stored), amount).await {
        Ok(quote) => {
            let (fee, net) = (quote.fee.to_string(), quote.net.to_string());
            fit(words, label, &words.with("contract-check-quote", &[("fee", &fee), ("net", &net)]))
        }
        Err(NoQuote::Failure(failure)) => failed(words, label, &failure),
        Err(NoQuote::Fault(fault)) => misfit(words, label, failure::quote_fault(words, &fault)),
    }
}

fn bound<'a>(
    service: &'a Service,
    kind: CredentialKind,
    stored: &'a StoredCredential,
) -> BoundCredential<'a> {
    BoundCredential { kind, origin: service.base().origin(), secret: &stored.secret }
}

fn fit(words: &Words, label: &str, text: &str) -> CheckResult {
    CheckResult { fits: true, text: format!("{}: {text}", words.text(label)) }
}

fn unasked(words: &Words, label: &str) -> CheckResult {
    let text = words.text("contract-check-unasked");
    CheckResult { fits: false, text: format!("{}: {text}", words.text(label)) }
}

fn failed(words: &Words, label: &str, failure: &Failure) -> CheckResult {
    misfit(words, label, failure::describe(words, failure, Doing::Question))
}

/// What was wrong, in the words of the screens, and the service's own below it.
fn misfit(words: &Words, label: &str, told: FailureText) -> CheckResult {
    let mut text = format!("{}: {}", words.text(label), told.what);
    let quote = |(label, quote): &(String, Untrusted)| format!("\n  {label}: {}", quote.shown());
    text.extend(told.quotes.iter().map(quote));
    CheckResult { fits: false, text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::Preset;
    use crate::sandbox::{self, Dialect, Options};
    use crate::service::BaseUrl;
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
