//! What is looked for in the replies of the operations.

use SoughtKind::{Address, Amount, Host, List, PixCode, Secret, State, Text};

use super::sent_lines::setting_of;
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
    /// Parts of names under which services keep it, the likeliest first.
    hints: &'static str,
}

/// The kind of what is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SoughtKind {
    /// A token, whose value nobody sees.
    Secret,
    /// A text or a number as it is written.
    Text,
    /// A Pix code.
    PixCode,
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

/// The names of some places that several operations have.
const ID: &str = "id protocol transa";
const STATUS: &str = "status state situa";

/// Everything that is looked for, what is needed first in each operation.
static SOUGHT: [SoughtLine; 20] = [
    needed("login.token", Secret, "token access acesso api chave credenc"),
    useful("login.jwt", Secret, "jwt links access token"),
    useful("login.expires_in", Text, "expires_in expiresin expira expir valid"),
    useful("login.expires_at", Text, "expires_at expiresat expira expir valid"),
    needed("domains.under", List, "domain domin host items data"),
    needed("domains.host", Host, "domain domin host name nome"),
    useful("domains.state", State, "status state situa active ativ verif"),
    needed("create_link.url", Address, "url link checkout href"),
    needed("direct_payment.pix_code", PixCode, "qr emv copia copy brcode pix"),
    useful("direct_payment.id", Text, ID),
    useful("direct_payment.status", Text, STATUS),
    useful("direct_payment.expires", Text, "expir venc valid"),
    needed("fee_preview.net", Amount, "net liquid líquid receb final payout"),
    useful("fee_preview.fee", Amount, "fee taxa tarifa cost custo"),
    useful("withdrawal.id", Text, ID),
    useful("withdrawal.status", Text, STATUS),
    useful("withdrawal.end_to_end", Text, "endtoend end_to_end e2e"),
    useful("withdrawal.receipt", Address, "receipt comprov recibo"),
    useful("withdrawal.echo_amount", Amount, "amount valor"),
    useful("withdrawal.echo_destination", Text, "key chave dest"),
];

const fn needed(name: &'static str, kind: SoughtKind, hints: &'static str) -> SoughtLine {
    SoughtLine { name, kind, is_needed: true, hints }
}

const fn useful(name: &'static str, kind: SoughtKind, hints: &'static str) -> SoughtLine {
    SoughtLine { name, kind, is_needed: false, hints }
}

impl SoughtLine {
    /// Everything that is looked for in a reply of this operation, what is needed first.
    pub fn of(operation: Operation) -> impl Iterator<Item = &'static SoughtLine> {
        SOUGHT.iter().filter(move |line| line.name.split('.').next() == Some(setting_of(operation)))
    }

    /// Returns how well a name sounds like what is looked for; 0 where it does not.
    pub(super) fn likeness(&self, name: &str) -> usize {
        let (name, count) = (name.to_lowercase(), self.hints.split(' ').count());
        let found = self.hints.split(' ').position(|hint| name.contains(hint));
        found.map_or(0, |at| count - at)
    }
}
