//! `balcao contract`: the contract in force, what of it can be given to somebody else, and whether
//! the live service fits it.

mod check;

use std::process::ExitCode;

use clap::Subcommand;

use super::complaint::Complaint;
use super::output::{print_line, print_note};
use super::{ChosenProfile, GlobalArgs, block_on};
use crate::contract::{Contract, PRESETS, Provenance, Setting};
use crate::runtime::world::confirmed_lines;
use crate::trade::Untrusted;
use crate::words::{Words, failure};

/// The subcommands of `balcao contract`.
#[derive(Debug, Clone, Subcommand)]
pub enum ContractCommand {
    Show,
    Share,
    Check {
        #[arg(long, value_name = "SUM")]
        agree: Option<String>,
    },
}

/// Runs a subcommand; returns the exit code.
pub fn run(args: &GlobalArgs, command: &ContractCommand) -> Result<ExitCode, Complaint> {
    if let ContractCommand::Check { agree } = command {
        return check::run(args, agree.as_deref());
    }
    let chosen = args.chosen()?;
    let words = chosen.words()?;
    let contract = chosen.contract()?;
    let lines = match command {
        ContractCommand::Share => shared(words, &contract),
        _ => {
            let contract = with_confirmed(words, &chosen, contract)?;
            if contract.claims_confirmed() {
                print_note(&words.text("contract-claims"));
            }
            shown(words, &contract)
        }
    };
    lines.iter().try_for_each(|line| print_line(line))?;
    Ok(ExitCode::SUCCESS)
}

/// The same with the lines that the program confirmed, as far as the vault can be asked.
fn with_confirmed(
    words: &Words,
    chosen: &ChosenProfile,
    contract: Contract,
) -> Result<Contract, Complaint> {
    // A contract can be looked at before there is a service.
    let Ok(base) = chosen.base_url() else { return Ok(contract) };
    let vault = chosen.vault(base.origin())?;
    match block_on(confirmed_lines(&vault, &chosen.name, base.origin()))? {
        Ok(lines) => Ok(contract.confirmed_by(&lines)),
        Err(trouble) => {
            let why = failure::vault(words, &trouble).what;
            print_note(&words.with("contract-unasked", &[("why", &why)]));
            Ok(contract)
        }
    }
}

/// Every line in force, with what vouches for it and where it comes from.
fn shown(words: &Words, contract: &Contract) -> Vec<String> {
    let lines = contract.settings().iter();
    let line = |(name, setting): (&String, &Setting)| {
        let text = Untrusted::from(setting.line(name)).shown();
        let vouched = words.text(match setting.provenance {
            Provenance::Documented => "contract-documented",
            Provenance::Confirmed => "contract-confirmed",
            Provenance::Assumed => "contract-assumed",
        });
        format!("{text}  # {vouched}, {}", source(words, setting))
    };
    let of_profile = contract.profile_lines().iter();
    let of_profile =
        of_profile.map(|(name, value)| format!("# {name} = {}", Untrusted::shown_of(value)));
    let sum = words.with("contract-sum", &[("sum", &*contract.lines().sum())]);
    let sum = contract.needs_consent().then(|| format!("# {sum}"));
    lines.map(line).chain(of_profile).chain(sum).collect()
}

/// Where a line comes from.
fn source(words: &Words, setting: &Setting) -> String {
    if setting.is_built_in() {
        return words.text("contract-built-in");
    }
    match PRESETS.iter().find(|preset| *preset.file == *setting.file) {
        Some(preset) => words.with("contract-preset", &[("name", preset.name)]),
        None => {
            let file = Untrusted::shown_of(&setting.file);
            format!("{file}:{}", setting.number)
        }
    }
}

/// The lines that differ from the built-in ones, without what is the seller's.
fn shared(words: &Words, contract: &Contract) -> Vec<String> {
    let lines = contract.shared_lines();
    if lines.is_empty() {
        return vec![format!("# {}", words.text("contract-share-nothing"))];
    }
    let line = |line: &crate::contract::SharedLine| {
        let text = Untrusted::from(line.text.as_str()).shown();
        match line.is_blanked {
            true => format!("{text}  # {}", words.text("contract-share-blank")),
            false => text,
        }
    };
    let heading = format!("# {}", words.text("contract-share-heading"));
    std::iter::once(heading).chain(lines.iter().map(line)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::Preset;
    use crate::words::Lang;

    fn contract() -> Contract {
        let preset = Preset::named("snake-case").unwrap();
        let own = "\n[withdrawal]\nunit = 'centavos'\nfield.key.default = \"ana\\u202e\"\n";
        Contract::with(&[(preset.file, preset.text), ("/srv/loja.toml", own)]).unwrap()
    }

    #[test]
    fn what_was_confirmed_is_shown_so() {
        let contract = Contract::built_in();
        let confirmed = contract.confirmed_by(&contract.unit_lines());
        let line = "withdrawal.unit = \"reais\"  # confirmed, built-in";
        assert!(shown(Words::of(Lang::En), &confirmed).iter().any(|own| own == line));
        assert!(!shown(Words::of(Lang::En), &contract).iter().any(|own| own == line));
    }

    #[test]
    fn every_line_says_what_vouches_for_it_and_where_it_comes_from() {
        let lines = shown(Words::of(Lang::En), &contract());
        for line in [
            "withdrawal.unit = \"centavos\"  # assumed, /srv/loja.toml:3",
            "withdrawal.field.key.name = \"pix_key\"  # assumed, preset snake-case",
            "withdrawal.path = \"/api/v1/integrations/withdrawals\"  # documented, built-in",
            "withdrawal.echo_amount = [\"/amount\"]  # assumed, built-in",
        ] {
            assert!(lines.iter().any(|own| own == line), "{line} in {lines:#?}");
        }
        assert!(lines.iter().all(|line| !line.contains('\u{202e}') && !line.contains('\n')));
        let pt = shown(Words::of(Lang::Pt), &Contract::built_in());
        assert!(pt[0].contains("  # ") && pt.len() > 100, "{}", pt[0]);
        assert!(!pt.iter().any(|line| line.starts_with("documented")));
    }

    #[test]
    fn what_is_given_away_is_read_again_as_a_contract() {
        let text = shared(Words::of(Lang::Pt), &contract()).join("\n");
        assert!(!text.contains("ana") && !text.contains("/srv"), "{text}");
        let again = Contract::with(&[("shared.toml", &text)]).unwrap();
        assert_eq!(again.withdrawal.form.field("key").unwrap().name, "pix_key");
        let nothing = shared(Words::of(Lang::En), &Contract::built_in());
        assert_eq!(nothing.len(), 1);
        assert!(nothing[0].starts_with("# "));
    }
}
