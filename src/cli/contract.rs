//! The command `balcao contract`: shows the API contract (the description of the service's API),
//! prints its settings for sharing, and checks it against the live service.

use std::io;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Subcommand;
use serde_json::{Value, json};

use super::complaint::{Complaint, REFUSED};
use super::output::{print_line, print_note, write_lines};
use super::session::CommandSession;
use super::{ChosenProfile, GlobalArgs, block_on};
use crate::contract::{BASE_URL_SETTING, Contract, PRESETS, Provenance, Setting, Unit};
use crate::rows::json_line::{self, FORMAT};
use crate::rows::row_mask;
use crate::runtime::clocks::MachineClocks;
use crate::runtime::world::{ProfileVault, confirmed_lines};
use crate::service::{BoundCredential, Limits, Service};
use crate::trade::{CredentialKind, Money, NoQuote, Untrusted, VaultTrouble, Wall};
use crate::vault::StoredCredential;
use crate::words::Catalogue;
use crate::words::failure::{self, Activity, FailureText};

#[derive(Debug, Clone, Subcommand)]
pub enum ContractCommand {
    Show {
        #[arg(long)]
        json: bool,
    },
    Share,
    Check {
        #[arg(long, value_name = "SUM")]
        agree: Option<String>,
    },
}

pub fn run(args: &GlobalArgs, command: &ContractCommand) -> Result<ExitCode, Complaint> {
    let chosen = args.chosen_profile()?;
    let words = chosen.words()?;
    let contract = chosen.contract()?;
    let lines = match command {
        ContractCommand::Check { agree } => return check(args, agree.as_deref()),
        ContractCommand::Share => shared_lines(words, &contract),
        ContractCommand::Show { json } => {
            let contract = with_confirmed(words, &chosen, contract)?;
            if contract.claims_confirmed() {
                print_note(&words.text("contract-claims"));
            }
            if *json {
                json_lines(words, &contract)
            } else {
                setting_lines(words, &contract)
            }
        }
    };
    write_lines(io::stdout().lock(), lines.into_iter().map(Ok))?;
    Ok(ExitCode::SUCCESS)
}

/// Marks the settings of the API contract that live responses confirmed in earlier runs. If the
/// vault cannot be read, prints a note instead.
fn with_confirmed(
    words: &Catalogue,
    chosen: &ChosenProfile,
    contract: Contract,
) -> Result<Contract, Complaint> {
    // Confirmed settings are stored for each base URL. Without one, no setting is confirmed.
    let Ok(base) = chosen.base_url() else {
        return Ok(contract);
    };
    let vault = chosen.vault(base.origin())?;
    let vault = ProfileVault::new(&chosen.name, base.origin(), vault);
    match block_on(confirmed_lines(&vault))? {
        Ok(confirmed) => Ok(contract.confirmed_by(&confirmed)),
        Err(trouble) => {
            let why = failure::vault(words, &trouble).what;
            print_note(&words.with("contract-unasked", &[("why", &why)]));
            Ok(contract)
        }
    }
}

/// All settings of the API contract as text. Each setting has its source file and its status:
/// documented, confirmed or assumed.
fn setting_lines(words: &Catalogue, contract: &Contract) -> Vec<String> {
    let settings = contract.settings().iter().map(|(name, setting)| {
        let text = Untrusted::from(setting.toml_text(name)).shown();
        let provenance = words.text(match setting.provenance {
            Provenance::Documented => "contract-documented",
            Provenance::Confirmed => "contract-confirmed",
            Provenance::Assumed => "contract-assumed",
        });
        format!("{text}  # {provenance}, {}", source(words, setting))
    });
    let profile_settings = profile_settings(contract)
        .map(|(name, value)| format!("# {name} = {}", Untrusted::shown_of(value)));
    let checksum = words.with(
        "contract-sum",
        &[("sum", &*contract.all_settings().checksum())],
    );
    let checksum = contract.needs_consent().then(|| format!("# {checksum}"));
    settings.chain(profile_settings).chain(checksum).collect()
}

/// The settings of the profile to which the seller agrees too.
fn profile_settings(contract: &Contract) -> impl Iterator<Item = (&str, &str)> {
    let base_url = contract
        .base_url()
        .map(|base_url| (BASE_URL_SETTING, base_url));
    let settings = contract.profile_settings().iter();
    base_url
        .into_iter()
        .chain(settings.map(|(name, value)| (name.as_str(), value.as_str())))
}

/// The API contract as lines of JSON: an object for each setting, and one with the checksum for
/// `--agree`.
fn json_lines(words: &Catalogue, contract: &Contract) -> Vec<String> {
    let settings = contract.settings().iter();
    let settings = settings.map(|(name, setting)| setting_json(name, setting));
    let profile_settings = profile_settings(contract)
        .map(|(name, value)| line_json(name, value.into(), None, ("profile", None, None)));
    let checksum = contract.all_settings().checksum();
    let checksum = contract
        .needs_consent()
        .then(|| line_json("agree", (&*checksum).into(), None, ("sum", None, None)));
    let objects = settings.chain(profile_settings).chain(checksum);
    let lines = objects.map(|object| {
        json_line::to_line(&if words.masks() {
            row_mask::masked_texts(object)
        } else {
            object
        })
    });
    lines.collect()
}

fn setting_json(name: &str, setting: &Setting) -> Value {
    let preset = PRESETS.iter().find(|preset| *preset.file == *setting.file);
    let source = match preset {
        _ if setting.is_built_in() => ("built-in", None, None),
        Some(preset) => ("preset", Some(preset.name), None),
        None => ("file", Some(&*setting.file), Some(setting.line_number)),
    };
    let state = match setting.provenance {
        Provenance::Documented => "documented",
        Provenance::Confirmed => "confirmed",
        Provenance::Assumed => "assumed",
    };
    line_json(name, setting.json_value(), Some(state), source)
}

/// A line of the API contract, with its kind of source, its file and the line number there.
fn line_json(
    name: &str,
    value: Value,
    state: Option<&str>,
    (source, file, line): (&str, Option<&str>, Option<usize>),
) -> Value {
    json!({
        "format": FORMAT,
        "name": name,
        "value": value,
        "state": state,
        "source": source,
        "file": file,
        "line": line,
    })
}

/// The source of a setting of the API contract: built in, a preset, or a file and line number.
fn source(words: &Catalogue, setting: &Setting) -> String {
    if setting.is_built_in() {
        return words.text("contract-built-in");
    }
    match PRESETS.iter().find(|preset| *preset.file == *setting.file) {
        Some(preset) => words.with("contract-preset", &[("name", preset.name)]),
        None => {
            let file = Untrusted::shown_of(&setting.file);
            format!("{file}:{}", setting.line_number)
        }
    }
}

/// The settings to share: every setting that differs from the built-in API contract, without
/// personal data.
fn shared_lines(words: &Catalogue, contract: &Contract) -> Vec<String> {
    let settings = contract.shared_settings();
    if settings.is_empty() {
        return vec![format!("# {}", words.text("contract-share-nothing"))];
    }
    let lines = settings.iter().map(|setting| {
        let text = Untrusted::from(setting.text.as_str()).shown();
        if setting.is_blanked {
            format!("{text}  # {}", words.text("contract-share-blank"))
        } else {
            text
        }
    });
    let heading = format!("# {}", words.text("contract-share-heading"));
    std::iter::once(heading).chain(lines).collect()
}

/// The amount of the test fee preview, in centavos: R$ 100.00. A fee preview moves no money.
const PREVIEW_AMOUNT: i64 = 10_000;

/// The result of reading a credential from the vault.
type StoredResult = Result<Option<Arc<StoredCredential>>, VaultTrouble>;

/// The result of one check: the message id of its label, and the text of its success or failure.
type CheckResult = (&'static str, Result<String, String>);

/// Checks the API contract against the live service, and prints the results. The exit code is 1 if
/// a check failed.
///
/// The check requests only the list of checkout domains and a fee preview, so nothing is created
/// and no money moves.
fn check(args: &GlobalArgs, agree: Option<&str>) -> Result<ExitCode, Complaint> {
    let session = CommandSession::open(args)?;
    let words = session.words;
    let now = MachineClocks::new().now().wall;
    // Forbid POST requests only with `--read-only`. The checks create nothing, but an API contract
    // may use POST for some of their requests.
    let limits = Limits {
        is_read_only: args.read_only,
        ..Limits::default()
    };
    let contract = Contract::clone(&session.contract);
    let contract = Arc::new(with_confirmed(words, &args.chosen_profile()?, contract)?);
    let results = block_on(async {
        let service = session
            .service(limits, agree)
            .await?
            .with_contract(contract);
        let api_token = session
            .vault
            .get(session.credential_name(CredentialKind::ApiToken))
            .await;
        let jwt = session
            .vault
            .get(session.credential_name(CredentialKind::Jwt))
            .await;
        Ok(run_checks(words, &service, [&api_token, &jwt], now).await)
    })??;
    results
        .iter()
        .try_for_each(|result| print_line(&result_line(words, result)))?;
    let all_passed = results.iter().all(|(_, result)| result.is_ok());
    let summary = if all_passed {
        "contract-check-all"
    } else {
        "contract-check-not-all"
    };
    print_line(&words.text(summary))?;
    Ok(if all_passed {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(REFUSED)
    })
}

/// Checks the stored credentials, and then sends the test requests that need these credentials.
async fn run_checks(
    words: &Catalogue,
    service: &Service,
    [api_token, jwt]: [&StoredResult; 2],
    now: Wall,
) -> [CheckResult; 4] {
    let bound_credential = |kind: Option<CredentialKind>| {
        let kind = kind?;
        let result = if kind == CredentialKind::Jwt {
            jwt
        } else {
            api_token
        };
        let stored = result.as_ref().ok()?.as_deref()?;
        Some(BoundCredential {
            kind,
            origin: service.base().origin(),
            secret: &stored.secret,
        })
    };
    let contract = service.contract();
    let domains_credential = bound_credential(contract.domains.call.credential);
    let fee_credential = bound_credential(contract.fee_preview.call.credential);
    [
        (
            "contract-check-token",
            check_credential(words, api_token, now),
        ),
        ("contract-check-jwt", check_credential(words, jwt, now)),
        (
            "contract-check-domains",
            check_domains(words, service, domains_credential).await,
        ),
        (
            "contract-check-fee",
            check_fee_preview(words, service, fee_credential).await,
        ),
    ]
}

fn check_credential(words: &Catalogue, stored: &StoredResult, now: Wall) -> Result<String, String> {
    match stored {
        Err(trouble) => Err(describe_mismatch(failure::vault(words, trouble))),
        Ok(None) => Err(words.text("contract-check-absent")),
        Ok(Some(credential)) if credential.expires.is_some_and(|end| end <= now) => {
            Err(words.text("contract-check-expired"))
        }
        Ok(Some(_)) => Ok(words.text("contract-check-stored")),
    }
}

async fn check_domains(
    words: &Catalogue,
    service: &Service,
    credential: Option<BoundCredential<'_>>,
) -> Result<String, String> {
    let credential = credential.ok_or_else(|| words.text("contract-check-unasked"))?;
    let listed = service.domains(credential).await.map_err(|failure| {
        describe_mismatch(failure::describe(words, &failure, Activity::Question))
    })?;
    let count = listed.domains.len().to_string();
    Ok(words.with("contract-check-listed", &[("count", &count)]))
}

async fn check_fee_preview(
    words: &Catalogue,
    service: &Service,
    credential: Option<BoundCredential<'_>>,
) -> Result<String, String> {
    let credential = credential.ok_or_else(|| words.text("contract-check-unasked"))?;
    let quote = service
        .fee_preview(credential, Money::from_centavos(PREVIEW_AMOUNT))
        .await
        .map_err(|error| match error {
            NoQuote::Failure(failure) => {
                describe_mismatch(failure::describe(words, &failure, Activity::Fee))
            }
            NoQuote::Fault(fault) => describe_mismatch(failure::quote_fault(words, &fault)),
        })?;
    let contract = service.contract();
    let unit = words.text(match contract.fee_preview.amounts.unit {
        Unit::Reais => "unit-reais",
        Unit::Centavos => "unit-centavos",
    });
    let is_same_unit = contract.fee_preview.amounts.unit == contract.withdrawal.form.amounts.unit;
    let is_proved = is_same_unit && !contract.unit_is_assumed();
    let id = if is_proved {
        "contract-check-quote.proved"
    } else {
        "contract-check-quote"
    };
    let fee = quote.fee.to_string();
    let net = quote.net.to_string();
    Ok(words.with(id, &[("fee", &fee), ("net", &net), ("unit", &unit)]))
}

/// Describes a response that does not fit the API contract, and quotes the parts that do not fit.
fn describe_mismatch(failure: FailureText) -> String {
    let quotes: String = failure
        .quotes
        .iter()
        .map(|(label, quote)| format!("\n  {label} {}", quote.shown()))
        .collect();
    failure.what + &quotes
}

fn result_line(words: &Catalogue, (label, result): &CheckResult) -> String {
    let (Ok(text) | Err(text)) = result;
    format!("{}: {text}", words.text(label))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::{Contract, Preset};
    use crate::sandbox;
    use crate::sandbox::{Dialect, Options};
    use crate::service::{BaseUrl, Client, NetworkSettings};
    use crate::trade::Secret;
    use crate::words::Lang;

    fn contract() -> Contract {
        let preset = Preset::named("snake-case").unwrap();
        let own = "\n[withdrawal]\nunit = 'centavos'\nfield.key.default = \"ana\\u202e\"\n";
        Contract::with(&[(preset.file, preset.text), ("/srv/loja.toml", own)]).unwrap()
    }

    #[test]
    fn confirmed_setting_is_shown_as_confirmed() {
        let contract = Contract::built_in();
        let confirmed = contract.confirmed_by(&contract.unit_settings());
        let line = "withdrawal.unit = \"reais\"  # confirmed, built-in";
        assert!(
            setting_lines(Catalogue::of(Lang::En), &confirmed)
                .iter()
                .any(|it| it == line)
        );
        assert!(
            !setting_lines(Catalogue::of(Lang::En), &contract)
                .iter()
                .any(|it| it == line)
        );
    }

    #[test]
    fn each_setting_shows_its_provenance_and_source() {
        let lines = setting_lines(Catalogue::of(Lang::En), &contract());
        for line in [
            "withdrawal.unit = \"centavos\"  # assumed, /srv/loja.toml:3",
            "withdrawal.field.key.name = \"pix_key\"  # assumed, preset snake-case",
            "withdrawal.path = \"/api/v1/integrations/withdrawals\"  # documented, built-in",
            "withdrawal.echo_amount = [\"/amount\"]  # assumed, built-in",
        ] {
            assert!(lines.iter().any(|it| it == line), "{line} in {lines:#?}");
        }
        assert!(
            lines
                .iter()
                .all(|line| !line.contains('\u{202e}') && !line.contains('\n'))
        );
        let pt = setting_lines(Catalogue::of(Lang::Pt), &Contract::built_in());
        assert!(pt[0].contains("  # ") && pt.len() > 100, "{}", pt[0]);
        assert!(!pt.iter().any(|line| line.starts_with("documented")));
    }

    #[test]
    fn shared_contract_can_be_read_again() {
        let text = shared_lines(Catalogue::of(Lang::Pt), &contract()).join("\n");
        assert!(!text.contains("ana") && !text.contains("/srv"), "{text}");
        let again = Contract::with(&[("shared.toml", &text)]).unwrap();
        assert_eq!(again.withdrawal.form.field("key").unwrap().name, "pix_key");
        let nothing = shared_lines(Catalogue::of(Lang::En), &Contract::built_in());
        assert_eq!(nothing.len(), 1);
        assert!(nothing[0].starts_with("# "));
    }

    fn stored(secret: String, expires: Option<Wall>) -> StoredResult {
        let identity = "ana".into();
        let secret = Secret::new(secret);
        Ok(Some(Arc::new(StoredCredential {
            identity,
            secret,
            since: None,
            expires,
            note: None,
        })))
    }

    /// Runs all checks of the API contract against a sandbox. The sandbox uses `dialect`, and the
    /// contract is the preset named `preset`.
    async fn check_sandbox(
        dialect: &str,
        preset: &str,
        expires: Option<Wall>,
    ) -> (Vec<bool>, String) {
        let options = Options {
            dialect: Dialect::named(dialect).unwrap_or_default(),
            ..Options::default()
        };
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
        let token = stored(token, expires);
        let jwt = stored(jwt, None);
        let words = Catalogue::of(Lang::En);
        let results = run_checks(words, &service, [&token, &jwt], Wall(1_000)).await;
        let ledger = sandbox.control().ledger();
        assert!(ledger.links.is_empty() && ledger.charges.is_empty());
        assert!(ledger.payouts.is_empty() && ledger.requests.is_empty());
        let text = results
            .iter()
            .map(|result| result_line(words, result) + "\n")
            .collect();
        (
            results.iter().map(|(_, result)| result.is_ok()).collect(),
            text,
        )
    }

    #[tokio::test]
    async fn matching_contract_passes_every_check() {
        for name in [
            "",
            "snake-case",
            "sibling",
            "enveloped",
            "key-headers",
            "centavos",
        ] {
            let (passed, text) = check_sandbox(name, name, None).await;
            assert_eq!(passed, [true; 4], "{name}: {text}");
            assert!(text.contains("97.95") || text.contains("97,95"), "{text}");
        }
    }

    #[tokio::test]
    async fn mismatch_fails_checks_and_quotes_service() {
        let (passed, text) = check_sandbox("snake-case", "sibling", None).await;
        assert_eq!(passed, [true, true, true, false], "{text}");
        let (passed, text) = check_sandbox("centavos", "", None).await;
        assert_eq!(passed, [true, true, true, false], "{text}");
        assert!(
            text.contains("não tem a forma que este serviço espera"),
            "{text}"
        );
        let (passed, text) = check_sandbox("key-headers", "", None).await;
        assert_eq!(passed, [true, true, false, false], "{text}");
        let (passed, text) = check_sandbox("", "", Some(Wall(999))).await;
        assert_eq!(passed, [false, true, true, true], "{text}");
    }
}
