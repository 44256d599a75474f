//! `balcao requests`: exports the stored HTTP requests to a file, and searches such a file for
//! secrets.

mod list;
mod owner;

use std::io::{self, BufRead};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand};

use super::complaint::{self, Complaint};
use super::filter::{RowFilter, parse_time};
use super::journal::CommandContext;
use super::lists::open_history;
use super::output::{create_output, print_line, print_note, write_lines};
use super::replay::recording_error;
use super::{AUTOMATIC, ChosenProfile, GlobalArgs, block_on, doctor, path_text};
use crate::har::{
    self, Encoding, Environment, Extent, Hit, MIN_LETTERS, Needle, StrictMask, check, file_text,
};
use crate::journal::history::History;
use crate::journal::requests::{MAX_ROWS, RequestOwner, Requests};
use crate::replay;
use crate::runtime::clocks::MachineClocks;
use crate::runtime::doctor::{CheckupTargets, Examiner};
use crate::runtime::export_environment::{ScreenLook, collect_environment};
use crate::runtime::journal_location::JournalLocation;
use crate::runtime::world::ProfileVault;
use crate::trade::{
    ChargeRequest, CreatedCharge, Exchange, ExchangeSubject, IdempotencyKey, JournalTrouble,
    LinkRequest, Operation, RequestQuery, RequestRow, RequestsPage, RowId, Untrusted, Wall,
};
use crate::words::Catalogue;

/// The maximum number of hits that are printed.
const MAX_PRINTED_HITS: usize = 20;

#[derive(Debug, Clone, Subcommand)]
pub enum RequestsCommand {
    #[command(mut_arg("state", |arg| arg.value_parser(list::STATES)))]
    List(RequestListArgs),
    Export {
        #[arg(long, value_name = "FILE")]
        har: PathBuf,
        #[command(flatten)]
        filter: ExportFilter,
        #[arg(long)]
        strict: bool,
    },
    Check {
        #[arg(value_name = "FILE")]
        file: PathBuf,
        #[arg(value_name = "TEXT", required = true)]
        texts: Vec<String>,
    },
}

#[derive(Debug, Clone, Args)]
pub struct RequestListArgs {
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    filter: RowFilter,
}

/// The flags that select the requests of an export.
#[derive(Debug, Clone, Args)]
pub struct ExportFilter {
    #[arg(long, value_name = "N")]
    last: Option<NonZeroUsize>,
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    since: Option<Wall>,
    #[arg(long, value_name = "CODE")]
    of: Option<String>,
}

pub fn run(args: &GlobalArgs, command: RequestsCommand) -> Result<(), Complaint> {
    match command {
        RequestsCommand::List(list) => list::run(args, list.json, &list.filter),
        RequestsCommand::Export {
            har,
            filter,
            strict,
        } => export(args, har, &filter, strict),
        RequestsCommand::Check { file, texts } => search(args, file, texts),
    }
}

/// Writes the profile's stored requests to a HAR file. In the whole file, equal private values are
/// replaced by equal masks.
fn export(
    args: &GlobalArgs,
    file: PathBuf,
    filter: &ExportFilter,
    is_strict: bool,
) -> Result<(), Complaint> {
    let chosen = owner::chosen_profile(args)?;
    let base = chosen.base_url()?;
    let context = CommandContext::without_vault(&chosen, None)?;
    let words = context.words;
    let owner = requests_owner(&chosen)?;
    let subjects = filter
        .of
        .as_deref()
        .map(|code| find_subjects(&context, code))
        .transpose()?;
    let stored = find_requests(&context, &owner, filter, subjects.as_deref());
    let StoredRequests {
        total,
        of_other_version,
        exchanges,
    } = stored.map_err(|trouble| requests_error(&context, &trouble))?;
    if of_other_version > 0 {
        print_note(&words.count("requests-export-other-version", of_other_version, &[]));
    }
    if exchanges.is_empty() {
        return Err(no_requests_error(words, &chosen, &owner, total));
    }
    let (vault, vault_source) = chosen.vault_and_source(&owner.origin)?;
    let team = chosen.team_mirror(&vault)?;
    let dirs = &chosen.settings.dirs;
    let location = JournalLocation::for_service(&base, dirs, vault.clone(), team);
    let targets = CheckupTargets {
        contract: Some(Arc::new(context.contract.clone())),
        base: Some(base),
        location: Some(Arc::new(location)),
        ..CheckupTargets::default()
    };
    let environment = environment(
        &chosen,
        words,
        doctor::examiner(&chosen, vault_source),
        targets,
    );
    let environment = block_on(environment)?;
    let vault = ProfileVault::new(&chosen.name, &owner.origin, vault);
    let secrets = block_on(vault.secrets())?;
    let mut mask = StrictMask::new(&context.contract, &secrets);
    if is_strict {
        mask = mask.without_words();
    }
    let exchange_refs: Vec<&Exchange> = exchanges.iter().collect();
    let text = har::file_with(&environment, &exchange_refs, &context.contract, &mut mask);
    let is_printed = file == Path::new("-");
    let done = if is_printed {
        "requests-export-printed"
    } else {
        "requests-export-done"
    };
    let name = path_text(&file).shown();
    let out = create_output(Some(file))?;
    if write_lines(out, std::iter::once(Ok(text.trim_end().to_owned())))?.is_some() {
        let count = u64::try_from(exchange_refs.len()).unwrap_or(u64::MAX);
        print_note(&words.count(done, count, &[("file", &name)]));
    }
    Ok(())
}

/// The profile and the service whose requests are listed or exported.
fn requests_owner(chosen: &ChosenProfile) -> Result<RequestOwner, Complaint> {
    Ok(RequestOwner {
        profile: chosen.name.as_str().into(),
        origin: chosen.base_url()?.origin().clone(),
    })
}

fn requests_error(context: &CommandContext, trouble: &JournalTrouble) -> Complaint {
    complaint::requests_error(context.words, &context.dir_text(), trouble)
}

fn all_requests() -> RequestQuery {
    RequestQuery {
        rows: MAX_ROWS,
        ..RequestQuery::default()
    }
}

/// Collects what the file says about this computer and the settings.
async fn environment(
    chosen: &ChosenProfile,
    words: &Catalogue,
    examiner: Examiner,
    targets: CheckupTargets,
) -> Environment {
    let theme = chosen
        .args
        .theme
        .as_deref()
        .or(chosen.settings.config.file.theme.as_deref());
    let look = ScreenLook {
        lang: words.lang(),
        theme: Some(theme.unwrap_or(AUTOMATIC).into()),
        size: doctor::window_size(),
    };
    collect_environment(&examiner, targets, look, MachineClocks::new().now().wall).await
}

/// The stored HTTP requests of a profile and its service.
#[derive(Default)]
struct StoredRequests {
    /// The number of stored requests, before filtering.
    total: usize,
    /// The number of further requests, which another version of the program stored.
    of_other_version: u64,
    /// The filtered requests, oldest first.
    exchanges: Vec<Exchange>,
}

/// The link, direct payment or withdrawal whose requests are exported.
enum Subject {
    Withdrawal(IdempotencyKey),
    /// A row of the history, and the time at which it was created.
    Sale(Operation, RowId, Wall),
}

impl Subject {
    fn is_of(&self, row: &RequestRow) -> bool {
        match *self {
            Subject::Withdrawal(key) => row.subject == Some(ExchangeSubject::Withdrawal(key)),
            // A new history uses the row ids of a damaged one again, but later.
            Subject::Sale(operation, id, at) => {
                row.operation == operation
                    && row.subject == Some(ExchangeSubject::Sale(id))
                    && row.at >= at
            }
        }
    }
}

/// Returns what has this code: the withdrawal, the links with this address or its last part, and
/// the direct payments with this id or Pix code.
fn find_subjects(context: &CommandContext, code: &str) -> Result<Vec<Subject>, Complaint> {
    let key = code
        .parse()
        .ok()
        .map(|key| Subject::Withdrawal(IdempotencyKey(key)));
    let history = open_history(context);
    let sales = history.and_then(|history| match history {
        Some(history) => find_sales(&history, code),
        None => Ok(vec![]),
    });
    let sales = match sales {
        // The code of a withdrawal is enough, so ignore that the history cannot be read.
        Err(_) if key.is_some() => vec![],
        sales => sales.map_err(|trouble| context.history_error(&trouble))?,
    };
    let subjects: Vec<Subject> = key.into_iter().chain(sales).collect();
    if subjects.is_empty() {
        Err(Complaint::about("requests-export-no-code", [("code", code.into())]).into_refused())
    } else {
        Ok(subjects)
    }
}

fn find_sales(history: &History, code: &str) -> Result<Vec<Subject>, JournalTrouble> {
    let mut sales = vec![];
    for link in history.all::<LinkRequest>() {
        let link = link?;
        if let Some(url) = link.url()
            && (url.raw() == code || url.raw().rsplit('/').next() == Some(code))
        {
            sales.push(Subject::Sale(Operation::CreateLink, link.id, link.at));
        }
    }
    for charge in history.all::<ChargeRequest>() {
        let charge = charge?;
        if let Some(CreatedCharge { id, pix_code, .. }) = charge.outcome.created()
            && [id, pix_code]
                .into_iter()
                .flatten()
                .any(|own| own.raw() == code)
        {
            sales.push(Subject::Sale(
                Operation::DirectPayment,
                charge.id,
                charge.at,
            ));
        }
    }
    Ok(sales)
}

fn find_requests(
    context: &CommandContext,
    owner: &RequestOwner,
    filter: &ExportFilter,
    subjects: Option<&[Subject]>,
) -> Result<StoredRequests, JournalTrouble> {
    let Some(mut requests) = Requests::open_to_read(&context.dir)? else {
        return Ok(StoredRequests::default());
    };
    let RequestsPage {
        page,
        of_other_version,
        ..
    } = requests.page(owner, &all_requests())?;
    let mut rows = page.rows.to_vec();
    let total = rows.len();
    rows.retain(|row| {
        filter.since.is_none_or(|since| row.at >= since)
            && subjects.is_none_or(|subjects| subjects.iter().any(|subject| subject.is_of(row)))
    });
    rows.truncate(filter.last.map_or(usize::MAX, NonZeroUsize::get));
    let mut exchanges = vec![];
    for row in rows.iter().rev() {
        exchanges.extend(requests.exchange(row.id)?);
    }
    Ok(StoredRequests {
        total,
        of_other_version,
        exchanges,
    })
}

/// The error for an export that would contain no requests, with the reason.
fn no_requests_error(
    words: &Catalogue,
    chosen: &ChosenProfile,
    owner: &RequestOwner,
    total: usize,
) -> Complaint {
    let count = u64::try_from(total).unwrap_or(u64::MAX);
    Complaint::refused(match total {
        0 if !chosen.settings.config.file.requests.keep => words.text("requests-export-off"),
        0 => {
            let profile = Untrusted::shown_of(&chosen.name);
            let origin = Untrusted::shown_of(&owner.origin.0);
            words.with(
                "requests-export-none",
                &[("profile", &profile), ("origin", &origin)],
            )
        }
        _ => words.count("requests-export-none-found", count, &[]),
    })
}

fn search(args: &GlobalArgs, file: PathBuf, texts: Vec<String>) -> Result<(), Complaint> {
    let words = args.words(&args.settings()?)?;
    let needles = needles(texts)?;
    let bytes = replay::read_file(&file).map_err(|error| recording_error(&file, error))?;
    let about_file = |id| Complaint::about(id, [("file", path_text(&file))]);
    let text = file_text(bytes).ok_or_else(|| about_file("complaint-not-text"))?;
    if text.trim().is_empty() {
        return Err(about_file("complaint-nothing-to-search"));
    }
    let hits = check(&text, &needles);
    if hits.is_empty() {
        print_line(&clean_report(words, &file, needles.len()))
    } else {
        Err(Complaint::refused(report(words, &file, &hits)))
    }
}

/// The texts to search for. A single `-` means the lines of standard input.
fn needles(texts: Vec<String>) -> Result<Vec<Needle>, Complaint> {
    let mut all_texts = Vec::new();
    for text in texts {
        match &*text {
            "-" => {
                let lines = io::stdin().lock().lines().collect::<Result<Vec<_>, _>>();
                let lines = lines.map_err(Complaint::from_error)?.into_iter();
                all_texts.extend(lines.filter(|line| !line.trim().is_empty()));
            }
            _ => all_texts.push(text),
        }
    }
    let needles: Option<Vec<Needle>> = all_texts.iter().map(|text| Needle::of(text)).collect();
    let min_letters = MIN_LETTERS.to_string();
    needles
        .filter(|needles| !needles.is_empty())
        .ok_or_else(|| Complaint::about("complaint-text-short", [("least", min_letters.into())]))
}

fn clean_report(words: &Catalogue, file: &Path, count: usize) -> String {
    let count = u64::try_from(count).unwrap_or(u64::MAX);
    let result = words.count(
        "requests-check-clean",
        count,
        &[("file", &path_text(file).shown())],
    );
    format!("{result} {}", words.text("requests-check-limits"))
}

/// Formats a report that is safe to share. A text that was found is identified only by its number;
/// the text itself is not shown.
fn report(words: &Catalogue, file: &Path, hits: &[Hit]) -> String {
    let mut lines = vec![words.with(
        "requests-check-found",
        &[("file", &path_text(file).shown())],
    )];
    for hit in hits.iter().take(MAX_PRINTED_HITS) {
        let n = (hit.needle + 1).to_string();
        let encoding = words.text(encoding_message(hit.encoding));
        let values = [("n", &*n), ("place", &*hit.place), ("encoding", &*encoding)];
        let is_line = hit.place.bytes().all(|b| b.is_ascii_digit());
        let id = if is_line {
            "requests-check-hit-line"
        } else {
            "requests-check-hit"
        };
        let id = if hit.extent == Extent::Part {
            format!("{id}.part")
        } else {
            id.to_owned()
        };
        lines.push(format!("  {}", words.with(&id, &values)));
    }
    if let Some(more) = hits
        .len()
        .checked_sub(MAX_PRINTED_HITS)
        .filter(|more| *more > 0)
    {
        let more = u64::try_from(more).unwrap_or(u64::MAX);
        lines.push(format!(
            "  {}",
            words.count("requests-check-more", more, &[])
        ));
    }
    lines.join("\n")
}

fn encoding_message(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Plain => "encoding-plain",
        Encoding::Json => "encoding-json",
        Encoding::Html => "encoding-html",
        Encoding::Percent => "encoding-percent",
        Encoding::Hex => "encoding-hex",
        Encoding::Base64 => "encoding-base64",
        Encoding::Latin1 => "encoding-latin1",
    }
}
