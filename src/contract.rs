//! The contract: what the program believes about the service, as plain values.
//!
//! The documentation leaves much unsaid. Each such thing is a line of `assets/contract.toml`, never
//! a constant in the code; a file of the seller's own replaces lines one by one.

mod body;
mod dates;
mod domains;
mod expiry;
mod field;
mod headers;
mod json_text;
mod lines;
mod members;
mod money_lines;
mod operations;
mod pointer;
mod reply;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

pub use body::{Body, Form, Typed};
pub use dates::rfc3339;
pub use domains::read_domains;
pub use expiry::{Expiry, is_jwt, jwt_expiry, jwt_subject};
pub use field::{Choice, Field, FieldError, FieldFault, FieldKind, key_kind_id};
pub use headers::is_reserved_header;
use lines::Whose;
pub use lines::{ContractError, Line, Problem, Standing};
pub use members::{Member, MemberValue, members};
pub use money_lines::{Change, MoneyLines, Section};
pub use pointer::{Places, Pointer};
pub use reply::{Figure, read_json};

use crate::trade::{CredentialKind, KeyFormat};

/// The contract the program is built with.
const BUILT_IN: &str = include_str!("../assets/contract.toml");

/// What that file is called in errors.
const BUILT_IN_NAME: &str = "contract.toml";

/// Everything the program believes about one service.
#[derive(Debug, Clone, PartialEq)]
pub struct Contract {
    /// API login.
    pub login: Login,
    /// List available checkout domains.
    pub domains: Domains,
    /// Create payment link.
    pub create_link: CreateLink,
    /// Direct payment.
    pub direct_payment: DirectPayment,
    /// Withdrawal fee preview.
    pub fee_preview: FeePreview,
    /// Request a PIX withdrawal.
    pub withdrawal: Withdrawal,
    /// What an error says.
    pub error: ErrorBody,
    lines: BTreeMap<String, Line>,
    /// The money lines that come with the program; `None` where these here are no others.
    shipped: Option<MoneyLines>,
    /// Whether a file of the seller's claims to confirm lines.
    claims: bool,
}

/// What every operation has.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// GET or POST.
    pub method: Method,
    /// The path, after the base URL.
    pub path: String,
    /// The credential it is sent with, if any.
    pub credential: Option<CredentialKind>,
    /// The statuses that mean it worked.
    pub success: Vec<u16>,
}

/// The HTTP methods an operation may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Asks, with a query.
    Get,
    /// Does, with a body.
    Post,
}

/// What an amount on the wire counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A decimal number, such as `10.10`.
    Reais,
    /// A whole number a hundred times as large, such as `1010`.
    Centavos,
}

/// API login.
#[derive(Debug, Clone, PartialEq)]
pub struct Login {
    /// How it is called.
    pub call: Call,
    /// What is typed and sent.
    pub form: Form,
    /// The id of the field that names whose account it is.
    pub identity: String,
    /// Where the API token stands.
    pub token: Places,
    /// The reply's header to look in when the body has no token.
    pub token_header: Option<String>,
    /// Where the token's end stands.
    pub expiry: Expiry,
    /// Where the JWT for links stands; empty when the login does not yield it.
    pub jwt: Places,
}

/// List available checkout domains.
#[derive(Debug, Clone, PartialEq)]
pub struct Domains {
    /// How it is called.
    pub call: Call,
    /// Where the list stands.
    pub list: Places,
    /// Where an entry's host stands.
    pub host: Places,
    /// Where an entry says whether it can be used.
    pub state: Places,
    /// The words that mean it can.
    pub active_words: Vec<String>,
    /// Where an entry says that it is the default.
    pub default: Places,
}

/// Create payment link.
#[derive(Debug, Clone, PartialEq)]
pub struct CreateLink {
    /// How it is called.
    pub call: Call,
    /// What the amount counts.
    pub unit: Unit,
    /// The amount's name.
    pub amount: String,
    /// The description's name.
    pub description: String,
    /// The domain's name; absent from the body when the choice is automatic.
    pub domain: String,
    /// Where the checkout's address stands.
    pub url: Places,
}

/// Direct payment.
#[derive(Debug, Clone, PartialEq)]
pub struct DirectPayment {
    /// How it is called.
    pub call: Call,
    /// What is typed and sent.
    pub form: Form,
    /// The id of the field that says who pays.
    pub customer: String,
    /// Where the identifier stands.
    pub id: Places,
    /// Where the status word stands.
    pub status: Places,
    /// Where the PIX copy-and-paste code stands.
    pub pix_code: Places,
    /// Where the end of its time stands.
    pub expires: Places,
}

/// Withdrawal fee preview.
#[derive(Debug, Clone, PartialEq)]
pub struct FeePreview {
    /// How it is called.
    pub call: Call,
    /// What amounts count, both ways.
    pub unit: Unit,
    /// The amount's name, in the query of a GET and in the body of a POST.
    pub amount: String,
    /// Where the fee stands.
    pub fee: Places,
    /// Where the net value stands.
    pub net: Places,
    /// Where the amount asked about (or its net) is said back.
    pub echo_amount: Places,
}

/// Request a PIX withdrawal.
#[derive(Debug, Clone, PartialEq)]
pub struct Withdrawal {
    /// How it is called.
    pub call: Call,
    /// What is typed and sent.
    pub form: Form,
    /// The header that carries the key.
    pub key_header: String,
    /// How the key is written in it.
    pub key_format: KeyFormat,
    /// How long the service is taken to remember a key.
    pub retention: Duration,
    /// How long after an attempt that may have paid the next one begins at the soonest.
    pub resend_after: Duration,
    /// Whether a success without a body counts as one.
    pub empty_success: bool,
    /// Where the identifier stands.
    pub id: Places,
    /// Where the status word stands.
    pub status: Places,
    /// Where the payment's end-to-end id stands.
    pub end_to_end: Places,
    /// Where the receipt's address stands.
    pub receipt: Places,
    /// Where the amount (or its net) is said back.
    pub echo_amount: Places,
    /// Where the destination is said back.
    pub echo_destination: Places,
    /// How a success says that it is none.
    pub failed: Failed,
}

/// The signs by which a success says in its body that it is none.
#[derive(Debug, Clone, PartialEq)]
pub struct Failed {
    /// Words of the status that mean it, in any case.
    pub words: Vec<String>,
    /// Where an error stands.
    pub error: Places,
    /// Where a number that a status of HTTP would be stands.
    pub code: Places,
    /// Where `false` means it.
    pub flag: Places,
}

/// What an error says.
#[derive(Debug, Clone, PartialEq)]
pub struct ErrorBody {
    /// Where the message stands.
    pub message: Places,
    /// Where the hint stands.
    pub hint: Places,
}

/// The same error, said of the seller's line that brings it about.
///
/// The built-in contract is right by itself: what seems to be wrong with a line of it is wrong with
/// the first line of the seller's without which it would not be said.
fn blame(error: ContractError, files: &[(&str, &str)]) -> ContractError {
    let Ok(built_in) = lines::Lines::read_built_in(BUILT_IN_NAME, BUILT_IN) else { return error };
    if *error.file != *BUILT_IN_NAME {
        return error;
    }
    let mut laid = built_in.clone();
    if files.iter().any(|(file, text)| laid.lay_over(file, text, Whose::Seller).is_err()) {
        return error;
    }
    let is_gone = |without| operations::read(without).err().as_ref() != Some(&error);
    let mut own = laid.own().into_iter();
    match own.find(|(name, _)| is_gone(laid.without(name, &built_in))) {
        Some((_, line)) => {
            // What is missing stands on no line to clash with.
            let clash = (!matches!(error.problem, Problem::Missing(_))).then_some(error.number);
            ContractError { file: line.file, number: line.number, clash, ..error }
        }
        None => error,
    }
}

impl Contract {
    /// The contract the program is built with.
    ///
    /// # Panics
    ///
    /// Never in a released program: a test reads the same text.
    pub fn built_in() -> Contract {
        Contract::with(&[]).expect("the built-in contract is tested")
    }

    /// The built-in contract with the lines of these files in place of its own, in this order.
    ///
    /// Each is a file's name (for errors) and its text. They are the seller's: what in them steers
    /// money has to be [agreed to](Contract::to_agree), and they confirm nothing.
    pub fn with(files: &[(&str, &str)]) -> Result<Contract, ContractError> {
        let mut lines = lines::Lines::read_built_in(BUILT_IN_NAME, BUILT_IN)?;
        let shipped = (!files.is_empty()).then(|| lines.money_lines());
        for (file, text) in files {
            lines.lay_over(file, text, Whose::Seller)?;
        }
        let read = operations::read(lines).map_err(|error| blame(error, files))?;
        Ok(Contract { shipped, ..read })
    }

    /// The same with files that come with the program, which may confirm lines of theirs.
    pub fn own(files: &[(&str, &str)]) -> Result<Contract, ContractError> {
        let mut lines = lines::Lines::read_built_in(BUILT_IN_NAME, BUILT_IN)?;
        for (file, text) in files {
            lines.lay_over(file, text, Whose::Program)?;
        }
        operations::read(lines)
    }

    /// The lines in force that steer money.
    pub fn money_lines(&self) -> MoneyLines {
        MoneyLines::among(&self.lines)
    }

    /// What the seller has to agree to before money leaves: what is in force, compared with what
    /// was agreed to last, else with what comes with the program.
    pub fn to_agree(&self, agreed: Option<&MoneyLines>) -> Vec<Change> {
        match (agreed, &self.shipped) {
            (None, None) => vec![],
            (Some(last), _) | (None, Some(last)) => self.money_lines().changes_from(last),
        }
    }

    /// What differs from what comes with the program, agreed to or not.
    pub fn own_changes(&self) -> Vec<Change> {
        self.to_agree(None)
    }

    /// How long a key is taken to be remembered, given what was agreed to last: a file that nobody
    /// agreed to says nothing about it.
    pub fn retention(&self, agreed: Option<&MoneyLines>) -> Duration {
        if self.to_agree(agreed).is_empty() {
            return self.withdrawal.retention;
        }
        let last = agreed.or(self.shipped.as_ref());
        last.map_or(self.withdrawal.retention, MoneyLines::retention)
    }

    /// How long a resend waits, given what was agreed to last.
    ///
    /// A wait past the window leaves the withdrawal to a person: a file that nobody agreed to does
    /// not decide that either.
    pub fn resend_after(&self, agreed: Option<&MoneyLines>) -> Duration {
        if self.to_agree(agreed).is_empty() {
            return self.withdrawal.resend_after;
        }
        let last = agreed.or(self.shipped.as_ref());
        last.map_or(self.withdrawal.resend_after, MoneyLines::resend_after)
    }

    /// The files beside the built-in one that lines come from.
    pub fn own_files(&self) -> BTreeSet<&str> {
        let files = self.lines.values().map(|line| &*line.file);
        files.filter(|file| *file != BUILT_IN_NAME).collect()
    }

    /// Whether a file of the seller's claims to confirm lines; that counts for nothing.
    pub fn claims_confirmed(&self) -> bool {
        self.claims
    }

    /// Whether a line is documented, confirmed or assumed.
    ///
    /// A name that is no line is assumed: nobody has vouched for it.
    pub fn standing(&self, line: &str) -> Standing {
        self.lines.get(line).map_or(Standing::Assumed, |line| line.standing)
    }

    /// Every line by its name, such as `withdrawal.echo_amount`.
    pub fn lines(&self) -> &BTreeMap<String, Line> {
        &self.lines
    }
}

impl Default for Contract {
    fn default() -> Contract {
        Contract::built_in()
    }
}

impl Method {
    /// The method's name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Post => "POST",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests;
