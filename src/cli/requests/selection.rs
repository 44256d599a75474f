//! Selects the stored HTTP requests of an export, and collects what describes them.

use std::num::NonZeroUsize;
use std::sync::Arc;

use super::{ExportFilter, all_requests, owner, requests_error, requests_owner};
use crate::cli::complaint::Complaint;
use crate::cli::journal::CommandContext;
use crate::cli::lists::open_history;
use crate::cli::output::print_note;
use crate::cli::{AUTOMATIC, ChosenProfile, GlobalArgs, block_on, doctor};
use crate::har::{Environment, StrictMask};
use crate::journal::history::History;
use crate::journal::requests::{RequestOwner, Requests};
use crate::runtime::clocks::MachineClocks;
use crate::runtime::doctor::{CheckupTargets, Examiner};
use crate::runtime::export_environment::{ScreenLook, collect_environment};
use crate::runtime::journal_location::JournalLocation;
use crate::runtime::world::ProfileVault;
use crate::trade::{
    ChargeRequest, CreatedCharge, Exchange, ExchangeSubject, IdempotencyKey, JournalTrouble,
    LinkRequest, Operation, RequestRow, RequestsPage, RowId, Untrusted, Wall,
};
use crate::words::Catalogue;

/// The stored HTTP requests that an export contains, and the profile that sent them.
pub(in crate::cli) struct Selection {
    pub chosen: ChosenProfile,
    pub context: CommandContext,
    owner: RequestOwner,
    /// The withdrawal that the requests are about, if the filter names one.
    pub withdrawal: Option<IdempotencyKey>,
    /// The requests, oldest first.
    pub exchanges: Vec<Exchange>,
}

impl Selection {
    /// Finds the requests, and prints a note if another version stored more. Returns an error with
    /// the reason if there are none.
    pub fn find(args: &GlobalArgs, filter: &ExportFilter) -> Result<Selection, Complaint> {
        let chosen = owner::chosen_profile(args)?;
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
        let withdrawal = subjects.iter().flatten().find_map(Subject::withdrawal);
        Ok(Selection {
            chosen,
            context,
            owner,
            withdrawal,
            exchanges,
        })
    }

    /// The description of this computer and the settings, and the mask for all values.
    pub fn environment_and_mask(&self) -> Result<(Environment, StrictMask), Complaint> {
        let ChosenProfile { settings, name, .. } = &self.chosen;
        let base = self.chosen.base_url()?;
        let contract = &self.context.contract;
        let (vault, vault_source) = self.chosen.vault_and_source(&self.owner.origin)?;
        let team = self.chosen.team_mirror(&vault)?;
        let location = JournalLocation::for_service(&base, &settings.dirs, vault.clone(), team);
        let targets = CheckupTargets {
            contract: Some(Arc::new(contract.clone())),
            base: Some(base),
            location: Some(Arc::new(location)),
            ..CheckupTargets::default()
        };
        let examiner = doctor::examiner(&self.chosen, vault_source);
        let environment = environment(&self.chosen, self.context.words, &examiner, targets);
        let environment = block_on(environment)?;
        let vault = ProfileVault::new(name, &self.owner.origin, vault);
        let secrets = block_on(vault.secrets())?;
        Ok((environment, StrictMask::new(contract, &secrets)))
    }
}

/// Collects what the file says about this computer and the settings.
pub(in crate::cli) async fn environment(
    chosen: &ChosenProfile,
    words: &Catalogue,
    examiner: &Examiner,
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
    collect_environment(examiner, targets, look, MachineClocks::new().now().wall).await
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
    fn withdrawal(&self) -> Option<IdempotencyKey> {
        match self {
            Subject::Withdrawal(key) => Some(*key),
            Subject::Sale(..) => None,
        }
    }

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
