//! `balcao domains list`: asks the service for the checkout domains, and prints them.

use std::io;
use std::num::NonZeroUsize;

use clap::Subcommand;
use serde_json::{Value, json};

use super::complaint::{self, Complaint};
use super::lists::json_row;
use super::output::{print_note, write_lines};
use super::session::CommandSession;
use super::{GlobalArgs, block_on};
use crate::rows::json_line::FORMAT;
use crate::service::{BoundCredential, Limits};
use crate::trade::{
    CheckoutDomain, CredentialKind, DomainList, DomainState, Failure, Operation, Untrusted,
};
use crate::words::failure::Activity;
use crate::words::{Catalogue, names};

/// The words that `--state` accepts.
pub const STATES: [&str; 4] = ["active", "usable", "unread", "pending"];

#[derive(Debug, Clone, Subcommand)]
pub enum DomainsCommand {
    List {
        #[arg(long)]
        json: bool,
        #[arg(long, value_name = "STATE")]
        state: Option<String>,
        #[arg(long, value_name = "N")]
        limit: Option<NonZeroUsize>,
        #[arg(long, value_name = "SUM")]
        agree: Option<String>,
    },
}

pub fn run(args: &GlobalArgs, command: DomainsCommand) -> Result<(), Complaint> {
    let DomainsCommand::List {
        json,
        state,
        limit,
        agree,
    } = command;
    let session = CommandSession::open(args)?;
    let words = session.words;
    // Forbid POST requests only with `--read-only`: an API contract may use POST for the list.
    let limits = Limits {
        is_read_only: args.read_only,
        ..Limits::default()
    };
    let listed = block_on(fetch(&session, limits, agree.as_deref()))??;
    if listed.has_more_pages {
        print_note(&words.text("list-more-pages"));
    }
    let is_listed = |domain: &&CheckoutDomain| {
        state
            .as_deref()
            .is_none_or(|word| word == state_name(&domain.state))
    };
    let domains = listed.domains.iter().filter(is_listed);
    let domains = domains.take(limit.map_or(usize::MAX, NonZeroUsize::get));
    let mut lines: Vec<String> = domains
        .map(|domain| {
            if json {
                json_row(words, domain_json(domain))
            } else {
                plain_row(words, domain)
            }
        })
        .collect();
    if lines.is_empty() && !json {
        let id = if listed.domains.is_empty() {
            "domains-none"
        } else {
            "list-none-found"
        };
        lines.push(words.text(id));
    }
    write_lines(io::stdout().lock(), lines.into_iter().map(Ok)).map(drop)
}

async fn fetch(
    session: &CommandSession,
    limits: Limits,
    agree: Option<&str>,
) -> Result<DomainList, Complaint> {
    let service = session.service(limits, agree).await?;
    let refused = |failure| {
        let text = complaint::describe_failure(session.words, &failure, Activity::Question);
        Complaint::refused(text)
    };
    let call = session.contract.call_of(Operation::Domains);
    let kind = call.credential.unwrap_or(CredentialKind::Jwt);
    let stored = session.vault.get(session.credential_name(kind)).await;
    let stored = stored.map_err(|trouble| session.vault_error(trouble))?;
    let stored = stored.ok_or_else(|| refused(Failure::NoCredential(kind)))?;
    let credential = BoundCredential {
        kind,
        origin: service.base().origin(),
        secret: &stored.secret,
    };
    service.domains(credential).await.map_err(refused)
}

fn state_name(state: &DomainState) -> &'static str {
    match state {
        DomainState::Usable => "usable",
        DomainState::Unread => "unread",
        DomainState::Active => "active",
        DomainState::Pending(_) => "pending",
    }
}

fn plain_row(words: &Catalogue, domain: &CheckoutDomain) -> String {
    let default = domain.is_default.then(|| words.text("domain-default"));
    let parts = [
        domain.host.shown(),
        names::full_domain_state(words, &domain.state),
    ];
    let parts: Vec<_> = parts.into_iter().chain(default).collect();
    parts.join(" · ")
}

fn domain_json(domain: &CheckoutDomain) -> Value {
    let service_state = match &domain.state {
        DomainState::Pending(word) => word.as_ref().map(Untrusted::raw),
        _ => None,
    };
    json!({
        "format": FORMAT,
        "domain": domain.host.raw(),
        "state": state_name(&domain.state),
        "serviceState": service_state,
        "default": domain.is_default,
    })
}
