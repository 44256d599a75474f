//! Lines that a seller teaches: what is looked for in a reply, where it was pointed to, and what
//! would be read there.

use serde_json::Value;

use super::reply::read_json;
use super::settings::{ContractError, ContractSettings, SettingValue};
use super::{
    AmountFormat, Contract, DomainsSpec, JsonPaths, MoneyLines, Pointer, operations, read_domains,
};
use crate::trade::{CheckoutDomain, Money, Operation, Untrusted};

/// A line as it is taught: its name, such as `fee_preview.net`, and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaughtLine {
    /// The name.
    pub name: String,
    /// The value.
    pub value: SettingValue,
}

/// One thing that is looked for in the reply of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SoughtLine {
    /// The line that says where, such as `fee_preview.net`.
    pub name: &'static str,
    /// What stands there.
    pub kind: SoughtKind,
    /// True when nothing comes of the operation without it.
    pub is_needed: bool,
}

/// The kind of what is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SoughtKind {
    /// A token, whose value nobody sees.
    Secret,
    /// A text or a number as it is written.
    Text,
    /// The address of a checkout.
    Address,
    /// An amount.
    Amount,
    /// The list of domains.
    List,
    /// The host of a domain, in an entry of the list.
    Host,
    /// Whether a domain can be used, in an entry of the list.
    State,
}

/// What is read in a reply by one line.
#[derive(Debug, Clone, PartialEq)]
pub enum ReadValue {
    /// Nothing.
    Nothing,
    /// A text that is not shown.
    Hidden,
    /// A text.
    Text(Untrusted),
    /// An amount.
    Amount(Money),
    /// These domains.
    Domains(Vec<CheckoutDomain>),
}

impl SoughtLine {
    const fn needed(name: &'static str, kind: SoughtKind) -> SoughtLine {
        SoughtLine { name, kind, is_needed: true }
    }

    const fn useful(name: &'static str, kind: SoughtKind) -> SoughtLine {
        SoughtLine { name, kind, is_needed: false }
    }

    /// Everything that is looked for in a reply of this operation, what is needed first.
    pub fn of(operation: Operation) -> &'static [SoughtLine] {
        use SoughtKind::{Address, Amount, Host, List, Secret, State, Text};
        const LOGIN: [SoughtLine; 4] = [
            SoughtLine::needed("login.token", Secret),
            SoughtLine::useful("login.jwt", Secret),
            SoughtLine::useful("login.expires_in", Text),
            SoughtLine::useful("login.expires_at", Text),
        ];
        const DOMAINS: [SoughtLine; 3] = [
            SoughtLine::needed("domains.under", List),
            SoughtLine::needed("domains.host", Host),
            SoughtLine::useful("domains.state", State),
        ];
        const CREATE_LINK: [SoughtLine; 1] = [SoughtLine::needed("create_link.url", Address)];
        const DIRECT_PAYMENT: [SoughtLine; 4] = [
            SoughtLine::needed("direct_payment.pix_code", Text),
            SoughtLine::useful("direct_payment.id", Text),
            SoughtLine::useful("direct_payment.status", Text),
            SoughtLine::useful("direct_payment.expires", Text),
        ];
        const FEE_PREVIEW: [SoughtLine; 2] = [
            SoughtLine::needed("fee_preview.net", Amount),
            SoughtLine::useful("fee_preview.fee", Amount),
        ];
        const WITHDRAWAL: [SoughtLine; 6] = [
            SoughtLine::useful("withdrawal.id", Text),
            SoughtLine::useful("withdrawal.status", Text),
            SoughtLine::useful("withdrawal.end_to_end", Text),
            SoughtLine::useful("withdrawal.receipt", Address),
            SoughtLine::useful("withdrawal.echo_amount", Amount),
            SoughtLine::useful("withdrawal.echo_destination", Text),
        ];
        match operation {
            Operation::Login => &LOGIN,
            Operation::Domains => &DOMAINS,
            Operation::CreateLink => &CREATE_LINK,
            Operation::DirectPayment => &DIRECT_PAYMENT,
            Operation::FeePreview => &FEE_PREVIEW,
            Operation::Withdrawal => &WITHDRAWAL,
        }
    }
}

impl Contract {
    /// The same contract with these lines in place of its own; an error says what one takes.
    ///
    /// As any line of the seller's they are assumed, and what steers money is agreed to first.
    pub fn taught(&self, lines: &[TaughtLine]) -> Result<Contract, ContractError> {
        let mut settings = ContractSettings::in_force(&self.settings, self.claims);
        for line in lines {
            settings.teach(&line.name, &line.value);
        }
        let shipped = self.shipped.clone().or_else(|| Some(MoneyLines::among(&self.settings)));
        let read = operations::read(settings)?;
        Ok(Contract { shipped, way: self.way.clone(), ..read })
    }

    /// The same contract on the way that another one is reached by.
    pub fn reached_as(self, other: &Contract) -> Contract {
        self.reached_by(&other.way)
    }

    /// Returns the value of a line in force.
    pub fn value(&self, name: &str) -> Option<&SettingValue> {
        self.settings.get(name).map(|setting| &setting.value)
    }

    /// Returns the lines by which what this pointer points to is read from now on.
    ///
    /// `None` where that line cannot point there: an entry's host outside the list, for example.
    pub fn pointed(&self, name: &str, pointer: &str, reply: &Value) -> Option<Vec<TaughtLine>> {
        let (operation, key) = name.split_once('.')?;
        let texts = |name: &str, all: Vec<String>| TaughtLine {
            name: name.to_owned(),
            value: SettingValue::Texts(all),
        };
        match (operation, key) {
            ("domains", "under") => {
                let entries = match reply.pointer(pointer)? {
                    Value::Array(_) => "items",
                    Value::Object(_) => "members",
                    _ => return None,
                };
                let value = SettingValue::Text(entries.to_owned());
                let entries = TaughtLine { name: "domains.entries".to_owned(), value };
                Some(vec![texts(name, vec![pointer.to_owned()]), entries])
            }
            ("domains", _) => {
                let (list, _) = self.domains.found_list(reply)?;
                let inside = pointer.strip_prefix(list.as_str())?.strip_prefix('/')?;
                let (_, inside) = inside.split_once('/')?;
                Some(vec![texts(name, vec![format!("/{inside}")])])
            }
            _ => {
                let under = format!("{operation}.under");
                let bases = match self.value(&under) {
                    Some(SettingValue::Texts(bases)) if !bases.is_empty() => bases.clone(),
                    _ => vec![String::new()],
                };
                let below = |base: &String| {
                    let inside = pointer.strip_prefix(base.as_str())?;
                    inside.starts_with('/').then(|| inside.to_owned())
                };
                match bases.iter().find_map(below) {
                    Some(inside) => Some(vec![texts(name, vec![inside])]),
                    None => {
                        let all = std::iter::once(String::new()).chain(bases).collect();
                        let place = texts(name, vec![pointer.to_owned()]);
                        Some(vec![texts(&under, all), place])
                    }
                }
            }
        }
    }

    /// Returns what one line reads in a reply.
    pub fn reads(&self, line: &SoughtLine, reply: &Value) -> ReadValue {
        let text =
            |places: &JsonPaths| places.text(reply).map_or(ReadValue::Nothing, ReadValue::Text);
        let amount = |places: &JsonPaths, amounts: AmountFormat| {
            places.money(reply, amounts).map_or(ReadValue::Nothing, ReadValue::Amount)
        };
        let hidden = |places: &JsonPaths| match places.str(reply) {
            Some(_) => ReadValue::Hidden,
            None => ReadValue::Nothing,
        };
        let (charge, paid) = (&self.direct_payment, &self.withdrawal);
        match line.name {
            "login.token" => hidden(&self.login.token),
            "login.jwt" => hidden(&self.login.jwt),
            "login.expires_in" => text(&self.login.expiry.seconds),
            "login.expires_at" => text(&self.login.expiry.date),
            "create_link.url" => text(&self.create_link.url),
            "direct_payment.pix_code" => text(&charge.pix_code),
            "direct_payment.id" => text(&charge.id),
            "direct_payment.status" => text(&charge.status),
            "direct_payment.expires" => text(&charge.expires),
            "fee_preview.net" => amount(&self.fee_preview.net, self.fee_preview.amounts),
            "fee_preview.fee" => amount(&self.fee_preview.fee, self.fee_preview.amounts),
            "withdrawal.id" => text(&paid.id),
            "withdrawal.status" => text(&paid.status),
            "withdrawal.end_to_end" => text(&paid.end_to_end),
            "withdrawal.receipt" => text(&paid.receipt),
            "withdrawal.echo_amount" => amount(&paid.echo_amount, paid.form.amounts),
            "withdrawal.echo_destination" => text(&paid.echo_destination),
            "domains.under" => match self.domains.found_list(reply) {
                Some((_, list)) => ReadValue::Text(list.len().to_string().into()),
                None => ReadValue::Nothing,
            },
            "domains.host" | "domains.state" => match read_domains(&self.domains, reply) {
                Some(domains) => ReadValue::Domains(domains),
                None => ReadValue::Nothing,
            },
            _ => ReadValue::Nothing,
        }
    }

    /// Reads a reply that is shown, its secrets masked; `None` where it is no JSON.
    pub fn shown_reply(body: &Untrusted) -> Option<Value> {
        read_json(body.raw().as_bytes())
    }
}

impl DomainsSpec {
    /// The list in a reply, and where it stands.
    fn found_list<'v>(&self, reply: &'v Value) -> Option<(&Pointer, Vec<&'v Value>)> {
        self.list.found(reply, |value| self.entries.of(value)).map(|(pointer, entries)| {
            (pointer, entries.into_iter().map(|(_, entry)| entry).collect())
        })
    }
}
