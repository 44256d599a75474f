//! What the app hears of an order: of the journal's answer, of its refusal, of an attempt's report.

use std::sync::{Mutex, PoisonError};

use super::{Context, Order, Place};
use crate::app::Msg;
use crate::app::list::Ask;
use crate::app::screens::withdrawals::known;
use crate::app::withdrawals::{Past, Refused, Snapshot};
use crate::cashier::{Clock, Report};
use crate::journal::money::{BeginRefused, DecideRefused, MoneyJournal, Objection, PrepareRefused};
use crate::trade::withdrawal::{Clash, NotSent};
use crate::trade::{Agreement, Failure, JournalTrouble, Wall};

/// How often a list is read until nobody wrote meanwhile; the next notice comes for the rest.
const TRIES: u32 = 3;

/// What the app hears of a report.
pub(super) fn reported(report: Report, journal: &Mutex<MoneyJournal>) -> Msg {
    let known = |key| {
        let mut journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
        journal.get(key).ok().flatten().map(Box::new)
    };
    match report {
        Report::Began { key, n } => Msg::AttemptBegan { key, n },
        Report::Settled(withdrawal) => Msg::Settled(Box::new(withdrawal)),
        Report::NotBegun { key, why } => {
            let trouble = not_begun(why, journal);
            Msg::AttemptTrouble { key, withdrawal: known(key), trouble }
        }
        Report::Unrecorded { key, n, end, trouble } => {
            let trouble = Failure::Unrecorded { n, end: Box::new(end), trouble };
            Msg::AttemptTrouble { key, withdrawal: known(key), trouble }
        }
    }
}

/// Why nothing was sent, as a failure that has words.
fn not_begun(why: BeginRefused, journal: &Mutex<MoneyJournal>) -> Failure {
    match why {
        BeginRefused::Objection(objection) => {
            let mut journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
            let clash = clash(objection, &mut journal);
            clash.map_or(Failure::NotSent(NotSent::NotSafe), Failure::Clash)
        }
        BeginRefused::Busy => Failure::NotSent(NotSent::Busy),
        BeginRefused::BodyChanged => Failure::NotSent(NotSent::BodyChanged),
        BeginRefused::Journal(trouble) => Failure::Journal(trouble),
        BeginRefused::TooSoon { wait } => Failure::TooSoon { wait },
        BeginRefused::NoSuchKey | BeginRefused::NotSendable | BeginRefused::NoSend(_) => {
            Failure::NotSent(NotSent::NotSafe)
        }
    }
}

/// What the journal answers to an order.
pub(super) fn answer<W, C: Clock>(
    order: Order,
    journal: &Mutex<MoneyJournal>,
    context: &Context<W, C>,
    place: &Place,
) -> Msg {
    // Let go with the answer: an attempt that reports meanwhile needs it.
    let mut journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
    let now = context.clock.now();
    match order {
        Order::Load(ask) => Msg::WithdrawalsLoaded {
            ticket: ask.ticket,
            result: load(&mut journal, &ask, context, place),
        },
        Order::LookUpPast(agreement) => {
            let past = past(&mut journal, &agreement, now.wall);
            Msg::Reviewed { key: agreement.key, past }
        }
        Order::LoadDestinations { ticket, account } => {
            let result = journal.destinations(&account, known::MOST);
            Msg::DestinationsLoaded { ticket, result }
        }
        Order::Prepare { agreement, retyped } => {
            let key = agreement.key;
            if !place.holding_back(now.wall).is_empty() {
                return Msg::Prepared { key, result: Err(Refused::OtherJournal) };
            }
            // Before there is anything to lose; that the configuration takes no writes is no
            // reason to stop.
            let _ = place.remember();
            let result = journal.prepare(*agreement, retyped);
            if result.is_ok() {
                context.others.told_own(&journal);
            }
            let result = result.map(Box::new).map_err(|why| refused(why, &mut journal));
            Msg::Prepared { key, result }
        }
        Order::Decide { key, choice } => {
            let result = journal.decide(key, choice, &now, &context.window.get());
            if result.is_ok() {
                context.others.told_own(&journal);
            }
            Msg::Decided { key, result: result.map(Box::new).map_err(not_decided) }
        }
        Order::Attempt(key) => {
            Msg::AttemptTrouble { key, withdrawal: None, trouble: Failure::NotSent(NotSent::Busy) }
        }
    }
}

fn load<W, C: Clock>(
    journal: &mut MoneyJournal,
    ask: &Ask,
    context: &Context<W, C>,
    place: &Place,
) -> Result<Snapshot, JournalTrouble> {
    let own = context.in_flight.lock().keys.clone();
    let mut tries = 0;
    loop {
        journal.catch_up()?;
        let as_of = journal.events();
        let page = journal.page(None, ask.search.clone(), ask.first, ask.rows)?;
        let open = journal.open_ones()?;
        let elsewhere = context.others.sending(journal, &open, &own)?;
        tries += 1;
        // Each part reads on: another window that wrote in between would be in some of them only.
        if journal.events() == as_of || tries == TRIES {
            let changed = context.others.changed(journal, as_of)?;
            // Who can read it only cannot write down how an attempt ended: nothing more leaves.
            let locked = journal.trouble().cloned().or_else(|| context.in_flight.held_up());
            let (beside, network) = (context.beside(place), journal.network());
            return Ok(Snapshot { page, open, elsewhere, changed, locked, beside, network });
        }
    }
}

/// What came before that a review should mention.
fn past(
    journal: &mut MoneyJournal,
    agreement: &Agreement,
    now: Wall,
) -> Result<Past, JournalTrouble> {
    let Agreement { account, amount, destination, .. } = agreement;
    let similar = journal.similar_decided(*amount, destination.as_ref(), now)?;
    let used = match destination {
        Some(key) => journal.destination(account, key)?,
        None => None,
    };
    Ok(Past { similar, used })
}

fn refused(why: PrepareRefused, journal: &mut MoneyJournal) -> Refused {
    match why {
        PrepareRefused::Objection(objection) => Refused::LookAgain(clash(objection, journal)),
        PrepareRefused::KeyKnown | PrepareRefused::EmptyBody | PrepareRefused::RetypedDiffers => {
            Refused::LookAgain(None)
        }
        PrepareRefused::Journal(trouble) => Refused::Journal(trouble),
    }
}

/// The other withdrawal, so that the seller is told which one it is.
fn clash(objection: Objection, journal: &mut MoneyJournal) -> Option<Clash> {
    let other = journal.get(objection.other).ok().flatten().map(Box::new)?;
    Some(Clash { kind: objection.kind, other })
}

fn not_decided(why: DecideRefused) -> Failure {
    match why {
        DecideRefused::Journal(trouble) => Failure::Journal(trouble),
        DecideRefused::Busy => Failure::NotSent(NotSent::Busy),
        DecideRefused::NoSuchKey | DecideRefused::NotNow => Failure::NotSent(NotSent::NotSafe),
    }
}

/// The answer to every order while the journal cannot be opened.
pub(super) fn refuse(order: Order, trouble: &JournalTrouble) -> Msg {
    let failure = Failure::Journal(trouble.clone());
    match order {
        Order::Load(ask) => {
            Msg::WithdrawalsLoaded { ticket: ask.ticket, result: Err(trouble.clone()) }
        }
        Order::LookUpPast(agreement) => {
            Msg::Reviewed { key: agreement.key, past: Err(trouble.clone()) }
        }
        Order::LoadDestinations { ticket, .. } => {
            Msg::DestinationsLoaded { ticket, result: Err(trouble.clone()) }
        }
        Order::Prepare { agreement, .. } => {
            Msg::Prepared { key: agreement.key, result: Err(Refused::Journal(trouble.clone())) }
        }
        Order::Attempt(key) => Msg::AttemptTrouble { key, withdrawal: None, trouble: failure },
        Order::Decide { key, .. } => Msg::Decided { key, result: Err(failure) },
    }
}

/// What the app hears of an order for which there is no room: nothing is wrong with the journal.
pub(super) fn no_room(order: Order) -> Msg {
    let failure = Failure::NotSent(NotSent::Busy);
    match order {
        Order::Prepare { agreement, .. } => {
            Msg::Prepared { key: agreement.key, result: Err(Refused::LookAgain(None)) }
        }
        Order::Attempt(key) => Msg::AttemptTrouble { key, withdrawal: None, trouble: failure },
        Order::Decide { key, .. } => Msg::Decided { key, result: Err(failure) },
        // A question takes the place of the one before it: there is always context.
        question => refuse(question, &JournalTrouble::Busy("too many questions".into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::money::samples::{agreement, confirmed, end, key, open};

    #[test]
    fn an_end_that_could_not_be_written_is_told_with_what_the_journal_knows() {
        let dir = tempfile::tempdir().unwrap();
        let mut journal = open(dir.path());
        let known = journal.prepare(agreement(1, 100), None).unwrap();
        let (end, trouble) = (end(9, confirmed()), JournalTrouble::Full("no room".into()));
        let report =
            Report::Unrecorded { key: key(1), n: 1, end: end.clone(), trouble: trouble.clone() };
        let told = reported(report, &Mutex::new(journal));
        let Msg::AttemptTrouble { key: of, withdrawal: Some(withdrawal), trouble: why } = told
        else {
            panic!("{told:?}")
        };
        assert_eq!((of, *withdrawal), (key(1), known));
        assert_eq!(why, Failure::Unrecorded { n: 1, end: Box::new(end), trouble });
    }
}
