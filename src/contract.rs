//! The contract: what the program believes about the service, as plain values.
//!
//! The documentation leaves much unsaid. Each such thing is a line of `assets/contract.toml`, never
//! a constant in the code; a file of the seller's own replaces lines one by one.

mod amount_format;
mod body;
mod confirmed;
mod consent;
mod domains;
mod expiry;
mod field;
mod headers;
mod members;
mod operations;
mod reply;
mod sent_lines;
mod settings;
mod sharing;
mod teaching;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

pub use amount_format::{AmountFormat, ReadAmounts, SentAmounts, Unit};
pub use body::{Body, BodySpec, Encoding, FieldInput};
pub use confirmed::ConfirmedLines;
pub use consent::{
    CA_FILE_LINE, CHARGE_MESSAGE_LINE, ContractLines, LINK_MESSAGE_LINE, LineChange, PROXY_LINE,
    foreign_letters, is_foreign_letter,
};
pub use domains::{DomainEntries, NextPage, PageStyle, Pages, read_domains};
pub use expiry::{Expiry, from_base64, is_jwt, jwt_expiry, jwt_issued, jwt_subject, rfc3339};
pub use field::{
    FieldFault, FieldKind, FieldOption, FieldSpec, InvalidField, KEY_FIELD, key_kind_id,
};
pub use headers::{
    CredentialHeader, FixedHeader, WithdrawalOnly, is_reserved_header, is_same_header, resource,
};
pub use members::{Member, MemberValue, members};
pub use reply::{Figure, JsonPaths, Pointer, read_json};
pub use sent_lines::{FieldUse, SampleRequest, SentLine, TaughtField, setting_of};
pub use settings::{ContractError, PRESETS, Preset, Provenance, Setting, SettingValue};
use settings::{ContractSettings, Whose};
pub use sharing::SharedLine;
pub use teaching::{ReadValue, ReplyTree, SoughtKind, SoughtLine, TaughtLine, TreeRow, TreeValue};

use crate::trade::{CredentialKind, KeyFormat, Operation};

/// The contract the program is built with.
const BUILT_IN: &str = include_str!("../assets/contract.toml");

/// The name of that file in errors.
const BUILT_IN_NAME: &str = "contract.toml";

/// Everything the program believes about one service.
#[derive(Debug, Clone, PartialEq)]
pub struct Contract {
    /// API login.
    pub login: LoginSpec,
    /// List available checkout domains.
    pub domains: DomainsSpec,
    /// Create payment link.
    pub create_link: CreateLinkSpec,
    /// Direct payment.
    pub direct_payment: DirectPaymentSpec,
    /// Withdrawal fee preview.
    pub fee_preview: FeePreviewSpec,
    /// Request a PIX withdrawal.
    pub withdrawal: WithdrawalSpec,
    /// The paths and headers that no other operation may have.
    pub withdrawal_only: WithdrawalOnly,
    /// The text of an error.
    pub error: ErrorBody,
    /// True when a text that is pasted as the JWT must look like one.
    pub jwt_looks_like_one: bool,
    settings: BTreeMap<String, Setting>,
    /// True if a line is the seller's, and so has to be agreed to.
    needs_consent: bool,
    /// What a profile adds to the contract: the way to its service, and its messages for buyers.
    of_profile: BTreeMap<String, String>,
    /// True when a file of the seller's claims to confirm lines.
    claims: bool,
    /// The lines that the program confirmed.
    confirmed: ConfirmedLines,
}

/// The parts that every operation has.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The method.
    pub method: Method,
    /// The path, after the base URL, with its query if it has one.
    pub path: String,
    /// The way the body is written.
    pub encoding: Encoding,
    /// The credential it is sent with, if any.
    pub credential: Option<CredentialKind>,
    /// The headers that carry it.
    pub credential_headers: Vec<CredentialHeader>,
    /// The headers that always have the same value.
    pub fixed_headers: Vec<FixedHeader>,
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
    /// Creates, with a body.
    Put,
    /// Changes, with a body.
    Patch,
}

/// API login.
#[derive(Debug, Clone, PartialEq)]
pub struct LoginSpec {
    /// The HTTP call.
    pub call: Call,
    /// The fields that are typed and sent.
    pub form: BodySpec,
    /// The id of the field that names whose account it is.
    pub identity: String,
    /// The place of the API token.
    pub token: JsonPaths,
    /// The reply's header to look in when the body has no token.
    pub token_header: Option<String>,
    /// The place of the token's end.
    pub expiry: Expiry,
    /// The place of the JWT for links; empty when the login does not yield it.
    pub jwt: JsonPaths,
}

/// List available checkout domains.
#[derive(Debug, Clone, PartialEq)]
pub struct DomainsSpec {
    /// The HTTP call.
    pub call: Call,
    /// The place of the list.
    pub list: JsonPaths,
    /// The way the list holds its entries.
    pub entries: DomainEntries,
    /// The place of an entry's host.
    pub host: JsonPaths,
    /// The place at which an entry says whether it can be used.
    pub state: JsonPaths,
    /// The words that mean it can.
    pub active_words: Vec<String>,
    /// The place at which an entry says that it is the default.
    pub default: JsonPaths,
    /// The way to the next page.
    pub pages: Pages,
}

/// Create payment link.
#[derive(Debug, Clone, PartialEq)]
pub struct CreateLinkSpec {
    /// The HTTP call.
    pub call: Call,
    /// The way the amount is written.
    pub amounts: AmountFormat,
    /// The amount's name.
    pub amount: String,
    /// The description's name.
    pub description: String,
    /// The domain's name; absent from the body when the choice is automatic.
    pub domain: String,
    /// The place of the checkout's address.
    pub url: JsonPaths,
    /// The place of a status word.
    pub status: JsonPaths,
    /// The signs by which a success says that it is none.
    pub failed: Failed,
}

/// Direct payment.
#[derive(Debug, Clone, PartialEq)]
pub struct DirectPaymentSpec {
    /// The HTTP call.
    pub call: Call,
    /// The fields that are typed and sent.
    pub form: BodySpec,
    /// The id of the field that says who pays.
    pub customer: String,
    /// The place of the identifier.
    pub id: JsonPaths,
    /// The place of the status word.
    pub status: JsonPaths,
    /// The place of the PIX copy-and-paste code.
    pub pix_code: JsonPaths,
    /// The place of the end of its time.
    pub expires: JsonPaths,
    /// True when a success without an identifier is not taken for one.
    pub id_required: bool,
    /// The signs by which a success says that it is none.
    pub failed: Failed,
}

/// Withdrawal fee preview.
#[derive(Debug, Clone, PartialEq)]
pub struct FeePreviewSpec {
    /// The HTTP call.
    pub call: Call,
    /// The way amounts are written, both ways.
    pub amounts: AmountFormat,
    /// The amount's name, in the query of a GET and in the body of a POST.
    pub amount: String,
    /// The place of the fee.
    pub fee: JsonPaths,
    /// The place of the net value.
    pub net: JsonPaths,
    /// The places where the reply repeats the amount (or its net).
    pub echo_amount: JsonPaths,
    /// The place of a status word.
    pub status: JsonPaths,
    /// The signs by which a success says that it is none.
    pub failed: Failed,
}

/// Request a PIX withdrawal.
#[derive(Debug, Clone, PartialEq)]
pub struct WithdrawalSpec {
    /// The HTTP call.
    pub call: Call,
    /// The fields that are typed and sent.
    pub form: BodySpec,
    /// The header that carries the key.
    pub key_header: String,
    /// The format of the key in it.
    pub key_format: KeyFormat,
    /// The time for which the service is taken to remember a key.
    pub retention: Duration,
    /// The shortest wait after an attempt that may have paid, before the next one begins.
    pub resend_after: Duration,
    /// True when a success without a body counts as one.
    pub empty_success: bool,
    /// True when a success without an identifier is no acceptance.
    pub id_required: bool,
    /// The place of the identifier.
    pub id: JsonPaths,
    /// The place of the status word.
    pub status: JsonPaths,
    /// The place of the payment's end-to-end id.
    pub end_to_end: JsonPaths,
    /// The place of the receipt's address.
    pub receipt: JsonPaths,
    /// The places where the reply repeats the amount (or its net).
    pub echo_amount: JsonPaths,
    /// The places where the reply repeats the destination.
    pub echo_destination: JsonPaths,
    /// The signs by which a success says that it is none.
    pub failed: Failed,
}

/// The signs by which a success says in its body that it is none.
#[derive(Debug, Clone, PartialEq)]
pub struct Failed {
    /// Words of the status that mean it, in any case.
    pub words: Vec<String>,
    /// The place of an error.
    pub error: JsonPaths,
    /// The place of a number that is read as a status of HTTP.
    pub code: JsonPaths,
    /// The place at which `false` means it.
    pub flag: JsonPaths,
}

/// The text of an error.
#[derive(Debug, Clone, PartialEq)]
pub struct ErrorBody {
    /// The place of the message.
    pub message: JsonPaths,
    /// The place of the hint.
    pub hint: JsonPaths,
}

/// The same error, on the seller's line that causes it.
///
/// The built-in contract is right by itself: an error on a line of it belongs to the first of the
/// seller's lines without which it would not occur.
fn blame(error: ContractError, settings: &ContractSettings) -> ContractError {
    let (true, Ok(built_in)) = (*error.file == *BUILT_IN_NAME, laid(&[], Whose::Program)) else {
        return error;
    };
    let is_gone = |without| operations::read(without).err().as_ref() != Some(&error);
    let mut lines = settings.own().into_iter();
    match lines.find(|(name, _)| is_gone(settings.without(name, &built_in))) {
        Some((_, setting)) => {
            // What is missing stands on no line to clash with.
            let clash = (error.number > 1).then_some(error.number);
            ContractError { file: setting.file, number: setting.number, clash, ..error }
        }
        None => error,
    }
}

/// The settings of the built-in contract, with these files of one author laid over it.
fn laid(files: &[(&str, &str)], whose: Whose) -> Result<ContractSettings, ContractError> {
    let mut settings = ContractSettings::default();
    settings.lay_over(BUILT_IN_NAME, BUILT_IN, Whose::Program)?;
    for (file, text) in files {
        settings.lay_over(file, text, whose)?;
    }
    Ok(settings)
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

    /// The built-in contract with the settings of these files in place of its own, in this order.
    ///
    /// Each is a file's name (for errors) and its text. All but the presets are the seller's: their
    /// lines have to be [agreed to](Contract::to_agree), and they confirm nothing.
    pub fn with(files: &[(&str, &str)]) -> Result<Contract, ContractError> {
        let is_preset = |file: &(&str, &str)| PRESETS.iter().any(|it| (it.file, it.text) == *file);
        let needs_consent = !files.iter().all(is_preset);
        let settings = laid(files, Whose::Seller)?;
        let read = operations::read(settings.clone()).map_err(|error| blame(error, &settings))?;
        Ok(Contract { needs_consent, ..read })
    }

    /// The same with files that come with the program, which may confirm lines of theirs.
    pub fn own(files: &[(&str, &str)]) -> Result<Contract, ContractError> {
        operations::read(laid(files, Whose::Program)?)
    }

    /// Returns the same contract with what a profile adds to it: names and values of lines.
    pub fn of_profile(mut self, lines: &BTreeMap<String, String>) -> Contract {
        self.needs_consent |= !lines.is_empty();
        self.of_profile.clone_from(lines);
        self
    }

    /// The lines that a profile adds: the way to its service, and its messages for buyers.
    pub fn profile_lines(&self) -> &BTreeMap<String, String> {
        &self.of_profile
    }

    /// The proxy that everything to the service goes by, if a profile names one.
    pub fn proxy(&self) -> Option<&str> {
        self.of_profile.get(PROXY_LINE).map(String::as_str)
    }

    /// The files beside the built-in one that lines come from.
    pub fn own_files(&self) -> BTreeSet<&str> {
        let files = self.settings.values().map(|setting| &*setting.file);
        files.filter(|file| *file != BUILT_IN_NAME).collect()
    }

    /// Returns true when a file of the seller's claims to confirm lines; that counts for nothing.
    pub fn claims_confirmed(&self) -> bool {
        self.claims
    }

    /// Returns the provenance of a setting: documented, confirmed or assumed.
    ///
    /// An unknown name is assumed: nothing vouches for it.
    pub fn provenance(&self, setting: &str) -> Provenance {
        self.settings.get(setting).map_or(Provenance::Assumed, |setting| setting.provenance)
    }

    /// Every setting by its name, such as `withdrawal.echo_amount`.
    pub fn settings(&self) -> &BTreeMap<String, Setting> {
        &self.settings
    }
}

/// The contract that counts now, for all who hold a clone of this.
///
/// Whoever begins something takes the contract of that moment and ends with the same.
#[derive(Debug, Clone)]
pub struct ContractInForce(Arc<RwLock<Arc<Contract>>>);

impl ContractInForce {
    /// The contract of this moment.
    pub fn now(&self) -> Arc<Contract> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Puts another one in force.
    pub fn replace(&self, contract: Arc<Contract>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = contract;
    }
}

impl From<Arc<Contract>> for ContractInForce {
    fn from(contract: Arc<Contract>) -> ContractInForce {
        ContractInForce(Arc::new(RwLock::new(contract)))
    }
}

impl Default for Contract {
    fn default() -> Contract {
        Contract::built_in()
    }
}

impl Method {
    /// The methods that can create something.
    pub(crate) const CREATING: [Method; 3] = [Method::Post, Method::Put, Method::Patch];

    /// The methods that an operation may have.
    fn of(operation: Operation) -> &'static [Method] {
        match operation {
            Operation::Login => &[Method::Post],
            Operation::Domains | Operation::FeePreview => &[Method::Get, Method::Post],
            _ => &Method::CREATING,
        }
    }

    /// The method of this name, if it can create something.
    pub fn creating(name: &str) -> Option<Method> {
        Method::CREATING.into_iter().find(|method| method.as_str() == name)
    }

    /// The method's name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Post => "POST",
            Method::Put => "PUT",
            Method::Patch => "PATCH",
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
