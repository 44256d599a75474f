//! Direct payments (paid by Pix code): what differs from payment links, and when a payment expires.

use std::time::Duration;

use crate::app::cx::Route;
use crate::app::store::clip::Clip;
use crate::app::store::list_export::ListKind;
use crate::app::store::payable_warnings::{self, PayableWarning};
use crate::app::store::query_expansion::Searched;
use crate::app::store::sales::{SaleKind, SalesState};
use crate::app::ui::list::PageRequest;
use crate::app::{Effect, Pane, Store};
use crate::trade::{BrCode, Charge, ChargeRequest, MessageFields, SaleOf, Untrusted, Wall};
use crate::words::dates;

impl SaleKind for ChargeRequest {
    const PANE: Pane = Pane::Charges;
    const SEARCHED: Searched = Searched::Charges;
    const LIST: ListKind = ListKind::Charges;
    const CLIP: Clip = Clip::PixCode;
    const MADE: [&'static str; 2] = ["said-charge-made", "said-charge-made-odd"];

    fn state(store: &Store) -> &SalesState<ChargeRequest> {
        &store.charges
    }

    fn state_mut(store: &mut Store) -> &mut SalesState<ChargeRequest> {
        &mut store.charges
    }

    fn load(request: PageRequest) -> Effect {
        Effect::LoadCharges(request)
    }

    fn details(charge: Box<Charge>) -> Route {
        Route::Charge(charge)
    }

    fn form(template: Option<Box<Charge>>) -> Route {
        Route::NewCharge(template)
    }

    fn payable(charge: &Charge) -> Option<&Untrusted> {
        charge.pix_code()
    }

    /// The expiry is written with a full date, because the buyer may read the message on another
    /// day.
    fn message(store: &Store, charge: &Charge, code: &Untrusted) -> Untrusted {
        let request = &charge.request;
        let expiry = charge.expires_at().and_then(|at| {
            let offset = store.setup.utc_offset_s;
            Some(format!(
                "{}, {}",
                dates::figures(at, offset)?,
                dates::time(at, offset)
            ))
        });
        let fields = MessageFields {
            description: &request.description,
            amount: request.amount,
            payable: code,
            buyer: request.customer.as_deref().unwrap_or_default(),
            expiry: expiry.as_deref().unwrap_or_default(),
            note: "",
        };
        store.setup.charge_message.fill(&fields).into()
    }

    fn warnings(store: &Store, charge: &Charge) -> Vec<PayableWarning> {
        payable_warnings::charge_warnings(store, charge)
    }

    fn expires_at(charge: &Charge) -> Option<Wall> {
        charge.expires_at()
    }
}

/// Returns how soon the screen must update the remaining time of a direct payment, such as "12
/// min".
pub fn next_change<R: SaleKind>(store: &Store, sale: &SaleOf<R>) -> Option<Duration> {
    let remaining = R::expires_at(sale)?.since(store.now.wall)?;
    (!remaining.is_zero()).then(|| dates::left_changes_in(remaining))
}

/// The text id of the list's mark for a Pix code that must be checked, or that cannot be read at
/// all.
pub fn code_mark(charge: &Charge) -> Option<&'static str> {
    if charge.has_odd_code() {
        return Some("charges-odd-code");
    }
    BrCode::parse(charge.pix_code()?)
        .is_none()
        .then_some("charges-unread-code")
}

/// True if a direct payment can no longer be paid because it expired.
pub fn is_expired(store: &Store, charge: &Charge) -> bool {
    charge.expires_at().is_some_and(|at| at <= store.now.wall)
}

/// The time until the first of these direct payments expires. Payments that have already expired
/// are ignored.
pub fn next_expiry<R: SaleKind>(store: &Store, sales: &[SaleOf<R>]) -> Option<Duration> {
    let remaining = sales
        .iter()
        .filter_map(|sale| R::expires_at(sale)?.since(store.now.wall));
    remaining.filter(|remaining| !remaining.is_zero()).min()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trade::{
        Account, ChargeOutcome, CreatedCharge, Money, Origin, RowId, SaleAuthors, Wall,
    };

    #[test]
    fn code_that_cannot_be_read_is_marked() {
        let with_code = |code: Option<&str>| Charge {
            id: RowId(1),
            at: Wall(0),
            request: ChargeRequest {
                account: Account {
                    origin: Origin("".into()),
                    identity: "".into(),
                },
                amount: Money::from_centavos(4_990),
                description: String::new(),
                customer: None,
                buyer: Default::default(),
            },
            outcome: ChargeOutcome::Created(CreatedCharge {
                id: None,
                status: Some("pending".into()),
                pix_code: code.map(Untrusted::from),
                expires: None,
            }),
            paid: None,
            note: None,
            put_away: None,
            authors: SaleAuthors::default(),
        };
        assert_eq!(
            code_mark(&with_code(Some("000201 not a code"))),
            Some("charges-unread-code")
        );
        assert_eq!(code_mark(&with_code(None)), None);
    }
}
