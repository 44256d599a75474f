//! `balcao requests`: exports the stored HTTP requests to a file, and searches such a file for
//! secrets.

mod list;
mod owner;
mod selection;

use std::io::{self, BufRead};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

pub(super) use selection::{Selection, environment};

use super::complaint::{self, Complaint};
use super::filter::{RowFilter, parse_time};
use super::journal::CommandContext;
use super::output::{create_output, print_line, print_note, write_lines};
use super::replay::recording_error;
use super::{ChosenProfile, GlobalArgs, path_text};
use crate::har::{self, Encoding, Extent, Hit, MIN_LETTERS, Needle, check, file_text};
use crate::journal::requests::{MAX_ROWS, RequestOwner};
use crate::replay;
use crate::trade::{Exchange, JournalTrouble, RequestQuery, Wall};
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

impl ExportFilter {
    /// Selects all requests, or those about what has this code.
    pub fn about(code: Option<String>) -> ExportFilter {
        ExportFilter {
            last: None,
            since: None,
            of: code,
        }
    }
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
    let selection = Selection::find(args, filter)?;
    let contract = &selection.context.contract;
    let (environment, mut mask) = selection.environment_and_mask()?;
    if is_strict {
        mask = mask.without_words();
    }
    let exchanges: Vec<&Exchange> = selection.exchanges.iter().collect();
    let text = har::file_with(&environment, &exchanges, contract, &mut mask);
    let is_printed = file == Path::new("-");
    let done = if is_printed {
        "requests-export-printed"
    } else {
        "requests-export-done"
    };
    let name = path_text(&file).shown();
    let out = create_output(Some(file))?;
    if write_lines(out, std::iter::once(Ok(text.trim_end().to_owned())))?.is_some() {
        let count = u64::try_from(exchanges.len()).unwrap_or(u64::MAX);
        let words = selection.context.words;
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
