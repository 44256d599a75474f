//! `balcao links`: lists payment links, creates one, or creates many from a file.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Subcommand;

use super::complaint::{self, Complaint};
use super::filter::ListArgs;
use super::output::print_line;
use super::session::CommandSession;
use super::{GlobalArgs, block_on, import, lists};
use crate::journal::history::History;
use crate::rows::json_line::{link_json, to_line};
use crate::runtime::clocks::MachineClocks;
use crate::service::{BoundCredential, Limits, Service};
use crate::trade::amount::{AmountColumn, ColumnFault};
use crate::trade::{
    Account, CreatedLink, CredentialKind, Failure, JournalTrouble, LinkOutcome, LinkRequest,
    MAX_DESCRIPTION_LENGTH, Money, Operation, Outcome, RowId, Untrusted, Wall,
};
use crate::vault::StoredCredential;
use crate::words::failure::Activity;
use crate::words::{Catalogue, batch};

#[derive(Debug, Clone, Subcommand)]
pub enum LinksCommand {
    List(ListArgs),
    Create {
        #[arg(long, value_name = "AMOUNT", allow_hyphen_values = true)]
        amount: String,
        #[arg(long, value_name = "TEXT")]
        description: String,
        #[arg(long, value_name = "HOST")]
        domain: Option<String>,
        #[arg(long)]
        json: bool,
        #[arg(long, value_name = "SUM")]
        agree: Option<String>,
    },
    Import(import::ImportArgs),
}

pub fn run(args: &GlobalArgs, command: LinksCommand) -> Result<ExitCode, Complaint> {
    match command {
        LinksCommand::List(list) => lists::links(args, list).map(super::success),
        LinksCommand::Create {
            amount,
            description,
            domain,
            json,
            agree,
        } => {
            refuse_if_read_only(args)?;
            let session = CommandSession::open(args)?;
            let amount = parse_amount(session.words, &amount)?;
            let description = parse_description(session.words, &description)?;
            let credential = LinkCredential::read(&session)?;
            let request = LinkRequest {
                account: credential.account.clone(),
                amount,
                description,
                domain: domain.map(|domain| domain.trim().to_lowercase().into()),
            };
            create(&session, &credential, &request, agree.as_deref(), json)
        }
        LinksCommand::Import(import_args) => import::run(args, &import_args),
    }
}

/// An error if the program was started with `--read-only`.
pub(super) fn refuse_if_read_only(args: &GlobalArgs) -> Result<(), Complaint> {
    if args.read_only {
        return Err(Complaint::about("batch-read-only", []));
    }
    Ok(())
}

/// Opens the history for writing. A history of an older version is updated. A damaged one is an
/// error, because only the app replaces it.
pub(super) fn open_history(dir: &Path, now: Wall) -> Result<History, JournalTrouble> {
    match History::open_if_any(dir, now) {
        // A reader refuses every other version; a newer one is refused below, too.
        Ok(_) | Err(JournalTrouble::OtherVersion { .. }) => {}
        Err(trouble) => return Err(trouble),
    }
    History::open(dir, now).map(|(history, _)| history)
}

/// The credential with which links are created, and the account to which it belongs.
pub(super) struct LinkCredential {
    pub(super) account: Account,
    kind: CredentialKind,
    stored: Arc<StoredCredential>,
}

impl LinkCredential {
    /// Reads the credential from the vault. Returns `None` if nobody has stored it.
    pub(super) fn find(session: &CommandSession) -> Result<Option<LinkCredential>, Complaint> {
        let call = session.contract.call_of(Operation::CreateLink);
        let kind = call.credential.unwrap_or(CredentialKind::Jwt);
        let read = |kind| {
            let stored = block_on(session.vault.get(session.credential_name(kind)))?;
            stored.map_err(|trouble| session.vault_error(trouble))
        };
        let Some(stored) = read(kind)? else {
            return Ok(None);
        };
        // The app names the account like this, too.
        let token = read(CredentialKind::ApiToken)?;
        let owner = token.as_ref().unwrap_or(&stored);
        Ok(Some(LinkCredential {
            account: Account {
                origin: session.base.origin().clone(),
                identity: owner.identity.clone(),
            },
            kind,
            stored,
        }))
    }

    /// Like [`find`](Self::find), but a missing credential is an error.
    pub(super) fn read(session: &CommandSession) -> Result<LinkCredential, Complaint> {
        LinkCredential::find(session)?.ok_or_else(|| {
            let call = session.contract.call_of(Operation::CreateLink);
            let kind = call.credential.unwrap_or(CredentialKind::Jwt);
            let failure = Failure::NoCredential(kind);
            Complaint::refused(describe(session.words, &failure))
        })
    }

    /// Sends the request of a link.
    pub(super) async fn create(
        &self,
        service: &Service,
        row: RowId,
        request: &LinkRequest,
    ) -> Result<CreatedLink, Failure> {
        let credential = BoundCredential {
            kind: self.kind,
            origin: service.base().origin(),
            secret: &self.stored.secret,
        };
        service.create_link(credential, row, request).await
    }
}

fn describe(words: &Catalogue, failure: &Failure) -> String {
    complaint::describe_failure(words, failure, Activity::Link)
}

/// Parses an amount, such as `49,90`.
fn parse_amount(words: &Catalogue, text: &str) -> Result<Money, Complaint> {
    let fault = |why: String| Complaint::text(words.with("batch-amount", &[("why", &why)]));
    let column = AmountColumn::of([(1, text)], None).map_err(|fault| match fault {
        ColumnFault::UnitUnknown { readings, .. } => {
            let [reais, centavos] = readings.map(|amount| amount.to_string());
            let amount = Untrusted::shown_of(text);
            let values = [
                ("amount", &*amount),
                ("reais", &reais),
                ("centavos", &centavos),
            ];
            Complaint::text(words.with("batch-amount-whole", &values))
        }
        ColumnFault::TwoDecimals { .. } => Complaint::text(words.text("line-not-an-amount")),
    })?;
    column
        .read(text)
        .map_err(|reason| fault(batch::cell_fault(words, reason)))
}

fn parse_description(words: &Catalogue, text: &str) -> Result<String, Complaint> {
    let text = text.trim();
    let length = text.chars().count();
    if length == 0 {
        return Err(Complaint::about("batch-description-missing", []));
    }
    if length > MAX_DESCRIPTION_LENGTH {
        let text = batch::long_description(words, "batch-description-long", length);
        return Err(Complaint::text(text));
    }
    Ok(text.to_owned())
}

/// Creates a link, and prints its URL. The link is in the history before its request is sent.
fn create(
    session: &CommandSession,
    credential: &LinkCredential,
    request: &LinkRequest,
    agree: Option<&str>,
    json: bool,
) -> Result<ExitCode, Complaint> {
    let service = block_on(session.service(Limits::default(), agree))??;
    let dir = session.journal_dir()?;
    let now = MachineClocks::new().now().wall;
    let complain = |trouble| session.history_error(&dir, &trouble);
    let mut history = open_history(&dir, now).map_err(complain)?;
    let row = history.begin(request, now).map_err(complain)?;
    let result = block_on(credential.create(&service, row, request))?;
    let outcome = match &result {
        Ok(created) => LinkOutcome::Created(created.clone()),
        Err(failure) => Outcome::of_failure(failure),
    };
    let link = history
        .settle::<LinkRequest>(row, &outcome)
        .map_err(complain)?;
    if json {
        print_line(&to_line(&link_json(&link)))?;
    }
    match result {
        Ok(_) if json => Ok(ExitCode::SUCCESS),
        Ok(created) => print_line(&created.url.shown()).map(super::success),
        Err(failure) => Err(Complaint::refused(describe(session.words, &failure))),
    }
}
