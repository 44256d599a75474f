//! `balcao support`: saves a file with what a helper needs, and shows what is in such a file.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Subcommand;
use uuid::Uuid;

use super::complaint::Complaint;
use super::doctor::{self, Examination};
use super::output::{confirm_with_enter, print_line, print_note, print_wrapped, prompt};
use super::requests::{self, ExportFilter, Selection};
use super::{GlobalArgs, block_on, error_language, path_text, play, unreadable_file};
use crate::contract::Contract;
use crate::har::StrictMask;
use crate::recording::Recording;
use crate::runtime::support_contents::{self, SupportFacts};
use crate::runtime::world::ProfileVault;
use crate::runtime::{clocks, receipt_files};
use crate::support::{About, FORMAT, Fault, OpenError, SupportFile};
use crate::trade::{Exchange, SupportMember, SupportSummary, Untrusted};
use crate::words::{Catalogue, support};

/// The number of letters in the code of a file. Receipts use as many of a withdrawal's code.
const CODE_LENGTH: usize = 8;

/// The maximum number of letters that are shown of an unknown name in a file.
const MAX_NAME: usize = 60;

#[derive(Debug, Clone, Subcommand)]
pub enum SupportCommand {
    Save {
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
        #[arg(long, value_name = "CODE")]
        of: Option<String>,
        #[arg(long, value_name = "FILE")]
        recording: Option<PathBuf>,
        #[arg(long)]
        yes: bool,
    },
    Show {
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
}

pub fn run(args: &GlobalArgs, command: SupportCommand) -> Result<(), Complaint> {
    let words = args.words_in(error_language(args.lang.as_deref()));
    match command {
        SupportCommand::Save {
            file,
            of,
            recording,
            yes,
        } => {
            let recording = recording.as_deref().map(play::open).transpose()?;
            save(args, words, (file, of, recording), yes)
        }
        SupportCommand::Show { file } => show(words, &file),
    }
}

/// Collects the content of a support file, tells the seller what is in it, and writes it.
fn save(
    args: &GlobalArgs,
    words: &'static Catalogue,
    (file, of, recording): (Option<PathBuf>, Option<String>, Option<Recording>),
    yes: bool,
) -> Result<(), Complaint> {
    if !yes && !io::stdin().is_terminal() {
        return Err(Complaint::about("purge-wants-yes", []));
    }
    if let Some(path) = file
        .as_deref()
        .filter(|path| path.symlink_metadata().is_ok())
    {
        return Err(file_there(path));
    }
    let selection = select_requests(args, words, of)?;
    let sentence = if yes {
        None
    } else {
        prompt(&words.text("support-ask-sentence"))?.filter(|sentence| !sentence.is_empty())
    };
    print_line(&words.text("support-wait"))?;
    let added = (recording.as_ref(), sentence.as_deref());
    let (content, summary, about) = collect(args, words, selection.as_ref(), added)?;
    let zip = content
        .to_zip()
        .map_err(|_| Complaint::about("support-too-large", []).into_refused())?;

    print_line(&words.text("support-contents"))?;
    let lines = support::member_lines(words, &summary);
    lines.iter().try_for_each(|line| print_line(line))?;
    print_wrapped(&support::masked(words, &summary))?;
    if !yes && !confirm_with_enter(&words.text("support-ask"))? {
        return Err(Complaint::refused(words.text("given-up")));
    }
    let path = write(words, file, &about, &zip)?;
    print_line(&words.with("support-saved", &[("file", &path_text(&path).shown())]))
}

/// The stored requests. If there are none, prints the reason and returns `None`, because the other
/// members are useful without them. With a code that the seller named, returns an error.
fn select_requests(
    args: &GlobalArgs,
    words: &Catalogue,
    of: Option<String>,
) -> Result<Option<Selection>, Complaint> {
    let is_named = of.is_some();
    match Selection::find(args, &ExportFilter::about(of)) {
        Ok(selection) => Ok(Some(selection)),
        Err(complaint) if is_named => Err(complaint),
        Err(complaint) => {
            print_note(&complaint.describe(words));
            Ok(None)
        }
    }
}

/// Examines this computer, and collects the content of the file.
fn collect(
    args: &GlobalArgs,
    words: &'static Catalogue,
    selection: Option<&Selection>,
    (recording, sentence): (Option<&Recording>, Option<&str>),
) -> Result<(SupportFile, SupportSummary, About), Complaint> {
    let args = selection.map_or(args, |selection| &selection.chosen.args);
    let Examination {
        chosen,
        examiner,
        mut targets,
        checkup,
        now,
    } = doctor::examine(args, words)?;
    let contract = targets.contract.clone();
    let contract = contract.unwrap_or_else(|| Arc::new(Contract::built_in()));
    let vault = targets.vault.take().zip(targets.base.as_ref());
    let vault = vault.map(|(vault, base)| ProfileVault::new(&chosen.name, base.origin(), vault));
    let secrets = match vault {
        Some(vault) => block_on(vault.secrets())?,
        None => vec![],
    };
    let environment = requests::environment(&chosen, words, &examiner, targets);
    let environment = block_on(environment)?;
    let date = now.rfc3339(clocks::utc_offset_s(now)).unwrap_or_default();
    let withdrawal = selection.and_then(|selection| selection.withdrawal);
    let code = withdrawal.map_or_else(|| Uuid::new_v4().to_string(), |key| key.to_string());
    let about = About {
        format: FORMAT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        date,
        code: code.chars().take(CODE_LENGTH).collect(),
        language: words.lang().tag().to_owned(),
        size: doctor::window_size(),
    };
    let exchanges: Vec<&Exchange> = selection
        .iter()
        .flat_map(|selection| &selection.exchanges)
        .collect();
    let facts = SupportFacts {
        recording: recording.map(Recording::bytes),
        exchanges: &exchanges,
        environment: &environment,
        checkup: &checkup,
        contract: &contract,
        sentence,
        about,
    };
    let mask = StrictMask::new(&contract, &secrets);
    let (content, summary) = support_contents::collect(&facts, mask);
    Ok((content, summary, facts.about))
}

/// Writes the file, completely or not at all, and never over another one. Without a path, the name
/// has the date and the code, and a number if it is taken. Returns the path.
fn write(
    words: &Catalogue,
    file: Option<PathBuf>,
    about: &About,
    zip: &[u8],
) -> Result<PathBuf, Complaint> {
    let failed = |error: io::Error| {
        let why = Untrusted::from(error.to_string()).shown();
        Complaint::unread(words.with("export-not-saved", &[("why", &why)]))
    };
    let path = std::path::absolute(file.as_deref().unwrap_or(Path::new("."))).map_err(failed)?;
    if file.is_none() {
        let date = about.date.get(..10).unwrap_or_default();
        let name = format!("{}-{date}-{}", words.text("support-file"), about.code);
        return receipt_files::save_file(&path, (&name, "zip"), zip).map_err(failed);
    }
    let dir = path.parent().unwrap_or(&path);
    if receipt_files::create_file(dir, &path, zip).map_err(failed)? {
        Ok(path)
    } else {
        Err(file_there(&path))
    }
}

fn file_there(path: &Path) -> Complaint {
    Complaint::about("complaint-file-there", [("path", path_text(path))])
}

/// Prints the members of a support file, and what cannot be used.
fn show(words: &Catalogue, file: &Path) -> Result<(), Complaint> {
    let (content, faults) = SupportFile::open(file).map_err(|error| open_error(file, error))?;
    for (member, bytes) in content.members() {
        let meaning = match member {
            SupportMember::Words => {
                let sentence = String::from_utf8_lossy(bytes);
                support::own_sentence(words, &sentence.trim_end().into())
            }
            _ => support::meaning(words, member),
        };
        print_line(&support::member_line(member, bytes.len() as u64, &meaning))?;
    }
    let faults = faults.iter().map(|fault| fault_text(words, fault));
    faults.into_iter().try_for_each(|text| print_line(&text))
}

/// The text that tells what was left out of a support file, and why.
fn fault_text(words: &Catalogue, fault: &Fault) -> String {
    let (id, member) = match fault {
        Fault::UnknownName(name) => {
            let name = name.shown_within(MAX_NAME);
            return words.with("support-fault-name", &[("name", &name)]);
        }
        Fault::NotFile(member) => ("support-fault-not-file", member),
        Fault::Twice(member) => ("support-fault-twice", member),
        Fault::Encrypted(member) => ("support-fault-encrypted", member),
        Fault::UnknownPacking(member) => ("support-fault-packing", member),
        Fault::TooLarge(member) => ("support-fault-large", member),
        Fault::Damaged(member) => ("support-fault-damaged", member),
        Fault::DamagedList => return words.text("support-fault-list"),
        Fault::TooMany => return words.text("support-fault-many"),
        Fault::Newer => return words.text("support-fault-newer"),
    };
    words.with(id, &[("name", member.file_name())])
}

/// The error for a support file that cannot be used at all.
fn open_error(file: &Path, error: OpenError) -> Complaint {
    let id = match error {
        OpenError::Io(error) => return unreadable_file(file, error),
        OpenError::TooLarge => "complaint-support-large",
        OpenError::Cut => "complaint-support-cut",
        OpenError::NotZip => "complaint-support-not",
    };
    Complaint::about(id, [("file", path_text(file))])
}
