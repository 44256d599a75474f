//! What is looked for in the replies of the operations.

use crate::trade::Operation;

/// One thing that is looked for in the reply of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SoughtLine {
    /// The line that says where, such as `fee_preview.net`.
    pub name: &'static str,
    /// The text that stands there.
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
    /// The usability of a domain, in an entry of the list.
    State,
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
