//! The seller's own command keeps the entries, by the protocol of docker-credential-helpers.
//!
//! `COMMAND get`, `store` and `erase` speak JSON on standard input and output; a secret is never an
//! argument or a variable. A command with a dialog of its own (a graphical pinentry, an agent) is
//! waited for; one that wants this terminal does not get it, and is to be unlocked before.

mod command;

use std::borrow::Cow;

use base64::prelude::{BASE64_STANDARD, Engine};
use serde::{Deserialize, Serialize};
use url::form_urlencoded::byte_serialize;

pub use command::HelperCommand;
use command::{HelperAction, HelperAnswer};

use super::call_limit::CallLimit;
use super::{Vault, words_of_another};
use crate::trade::{VaultKind, VaultTrouble};

/// The user that every entry is of; the place of an entry makes it another one.
const USER: &str = "balcao";

/// What a helper answers, by the protocol, where it has no such entry.
const NOT_FOUND: &str = "credentials not found";

/// The beginning of every credential that was stored, as the helper sees it.
///
/// Words with it quote a secret, and are not shown.
const LOOKS_SECRET: &str = "eyJpZGVudGl0eSI6";

/// The vault that another program is.
pub(super) struct Helper {
    command: HelperCommand,
    limit: CallLimit,
    runtime: Option<tokio::runtime::Runtime>,
}

/// What is asked to be stored.
#[derive(Serialize)]
struct Stored<'a> {
    #[serde(rename = "ServerURL")]
    place: &'a str,
    #[serde(rename = "Username")]
    user: &'a str,
    #[serde(rename = "Secret")]
    secret: &'a str,
}

/// What came back.
#[derive(Deserialize)]
struct Found<'a> {
    #[serde(rename = "Username", default, borrow)]
    user: Cow<'a, str>,
    #[serde(rename = "Secret", borrow)]
    secret: Cow<'a, str>,
}

impl Helper {
    pub(super) fn new(command: HelperCommand, limit: CallLimit) -> Helper {
        Helper { command, limit, runtime: None }
    }

    /// Runs the command once.
    fn ask(&mut self, action: HelperAction, input: &[u8]) -> Result<HelperAnswer, VaultTrouble> {
        let runtime = match self.runtime.take() {
            Some(runtime) => runtime,
            None => tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .map_err(|error| VaultTrouble::HelperFailed(error.to_string()))?,
        };
        let answer = runtime.block_on(self.command.ask(action, input, &self.limit));
        self.runtime = Some(runtime);
        answer
    }
}

impl Vault for Helper {
    fn kind(&self) -> VaultKind {
        VaultKind::Helper
    }

    fn odd(&self, detail: String) -> VaultTrouble {
        VaultTrouble::HelperFailed(detail)
    }

    fn value(&mut self, service: &str, user: &str) -> Result<Option<Vec<u8>>, VaultTrouble> {
        let place = place(service, user);
        let answer = self.ask(HelperAction::Get, place.as_bytes())?;
        match &answer.failure {
            Some(_) if is_not_found(&answer) => return Ok(None),
            Some(why) => return Err(refused(why, &answer, None)),
            None => {}
        }
        let found: Found<'_> = serde_json::from_slice(&answer.output).map_err(|_| {
            // The reader's message may quote the value.
            VaultTrouble::HelperFailed("what it answered is not that of a credential helper".into())
        })?;
        // Some helpers succeed with nothing where they have nothing.
        if found.secret.is_empty() && found.user.is_empty() {
            return Ok(None);
        }
        let secret = found.secret.trim();
        // What is not ours is handed on as it is, to be named as that.
        let value = BASE64_STANDARD.decode(secret);
        Ok(Some(value.unwrap_or_else(|_| secret.as_bytes().to_vec())))
    }

    fn set(&mut self, service: &str, user: &str, value: &[u8]) -> Result<(), VaultTrouble> {
        let place = place(service, user);
        // Letters that no program on the way changes.
        let secret = BASE64_STANDARD.encode(value);
        let stored = Stored { place: &place, user: USER, secret: &secret };
        let input = serde_json::to_vec(&stored).expect("texts, written to memory");
        let answer = self.ask(HelperAction::Store, &input);
        if let Err(VaultTrouble::HelperHangs) = answer {
            // It was killed, and may have stored it: the seller is told that it is not kept.
            let _ = self.ask(HelperAction::Erase, place.as_bytes());
        }
        let answer = answer?;
        match &answer.failure {
            Some(why) => Err(refused(why, &answer, Some(&secret))),
            None => Ok(()),
        }
    }

    fn remove(&mut self, service: &str, user: &str) -> Result<(), VaultTrouble> {
        let answer = self.ask(HelperAction::Erase, place(service, user).as_bytes())?;
        match &answer.failure {
            None => Ok(()),
            Some(_) if is_not_found(&answer) => Ok(()),
            Some(why) => {
                let trouble = refused(why, &answer, None);
                // Helpers differ about an entry that is not there; what is not there is gone.
                match self.value(service, user) {
                    Ok(None) => Ok(()),
                    _ => Err(trouble),
                }
            }
        }
    }
}

/// The place of an entry: an address that leads nowhere, since helpers take addresses only.
fn place(service: &str, user: &str) -> String {
    let service = service.strip_prefix("balcao/").unwrap_or(service);
    let part = |name: &str| byte_serialize(name.as_bytes()).collect::<String>();
    format!("https://balcao.invalid/{}/{}", part(service), part(user))
}

fn is_not_found(answer: &HelperAnswer) -> bool {
    [&answer.output[..], &answer.words]
        .iter()
        .any(|said| String::from_utf8_lossy(said).to_ascii_lowercase().contains(NOT_FOUND))
}

/// A refusal, with the helper's own words where they hold nothing of a secret.
fn refused(why: &str, answer: &HelperAnswer, secret: Option<&str>) -> VaultTrouble {
    // By the protocol the reason stands on standard output; where it is JSON, it is an answer.
    let output = String::from_utf8_lossy(&answer.output);
    let words = String::from_utf8_lossy(&answer.words);
    let said = if words.trim().is_empty() { output.trim() } else { words.trim() };
    let holds_secret = said.contains(LOOKS_SECRET)
        || said.contains(['{', '"'])
        || secret.is_some_and(|secret| share_a_piece(said, secret));
    let text = match (said.is_empty(), holds_secret) {
        (true, _) => why.to_owned(),
        (_, true) => format!("{why}; its words are not shown, they may hold the credential"),
        (_, false) => format!("{why}: {said}"),
    };
    VaultTrouble::HelperFailed(words_of_another(&text))
}

/// Returns true if a good part of a secret stands in these words.
fn share_a_piece(said: &str, secret: &str) -> bool {
    /// So many letters of a secret are a secret.
    const LETTERS: usize = 8;
    let pieces = secret.as_bytes().windows(LETTERS);
    let said = said.as_bytes();
    pieces.into_iter().any(|piece| said.windows(LETTERS).any(|window| window == piece))
}

#[cfg(test)]
mod tests;
