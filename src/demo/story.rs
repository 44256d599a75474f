//! The story: a script played on the running sandbox, before an audience.
//!
//! It is a task of its own that lives as long as its steps; without one there is nothing that
//! could wake the program.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use super::faults;
use super::script::{After, Deed, Script, ScriptStep};
use crate::app::Msg;
use crate::app::store::commands::Command;
use crate::app::store::story::StoryEvent;
use crate::app::ui::keys::Keymap;
use crate::runtime::Inbox;
use crate::sandbox::{BankOperation, Control, ControlError, PaymentNotice};
use crate::trade::Untrusted;
use crate::words::Lang;

/// Plays a script to its end, in a language and with the keys that its captions name.
pub async fn play(
    script: Script,
    (lang, keys): (Lang, Arc<Keymap>),
    control: Control,
    inbox: Inbox,
) {
    inbox.send(Msg::Story(StoryEvent::Began)).await;
    let mut steps = script.steps().iter();
    let mut next = steps.next().map(|step| (step, Cue::of(step.after, &control)));
    while let Some((step, cue)) = next {
        cue.comes().await;
        // Listened for from here on: what this step sets off is heard by the next one.
        next = steps.next().map(|step| (step, Cue::of(step.after, &control)));
        if let Some(caption) = &step.caption {
            let words = Untrusted::from(caption.words(lang, &keys));
            inbox.send(Msg::Story(StoryEvent::Caption(words))).await;
        }
        act(step, &control, &inbox).await;
    }
    inbox.send(Msg::Story(StoryEvent::Ended)).await;
}

/// The event that a step waits for, already subscribed to.
enum Cue {
    Time(Duration),
    Asked(BankOperation, Receiver<BankOperation>),
    Paid(Receiver<PaymentNotice>),
    PaidOnce(Control, Receiver<BankOperation>),
}

impl Cue {
    fn of(after: After, control: &Control) -> Cue {
        match after {
            After::Time(span) => Cue::Time(span),
            After::Login => Cue::Asked(BankOperation::Login, control.asked()),
            After::Link => Cue::Asked(BankOperation::CreateLink, control.asked()),
            After::Withdrawal => Cue::Asked(BankOperation::Withdrawal, control.asked()),
            After::LinkPaid => Cue::Paid(control.notices()),
            After::PaidOnce => Cue::PaidOnce(control.clone(), control.asked()),
        }
    }

    async fn comes(self) {
        match self {
            Cue::Time(span) => tokio::time::sleep(span).await,
            Cue::Asked(wanted, mut asked) => heard(&mut asked, |had| *had == wanted).await,
            Cue::PaidOnce(control, mut asked) => {
                heard(&mut asked, |_| is_paid_once(&control)).await
            }
            Cue::Paid(mut notices) => {
                heard(&mut notices, |had| matches!(had, PaymentNotice::LinkPaid { .. })).await;
            }
        }
    }
}

/// Returns true when the last withdrawal that was requested came more than once, and was paid once.
fn is_paid_once(control: &Control) -> bool {
    let ledger = control.ledger();
    let Some(key) = ledger.requests.last().and_then(|last| last.key.clone()) else { return false };
    let asked = ledger.requests.iter().filter(|request| request.key.as_ref() == Some(&key));
    let paid = ledger.payouts.iter().filter(|payout| payout.key == key);
    asked.count() > 1 && paid.count() == 1
}

/// Waits for one that is meant. A sandbox that is gone says nothing more: the story goes on.
async fn heard<T: Clone>(receiver: &mut Receiver<T>, is_meant: impl Fn(&T) -> bool) {
    loop {
        match receiver.recv().await {
            Ok(had) if is_meant(&had) => return,
            Ok(_) | Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => return,
        }
    }
}

async fn act(step: &ScriptStep, control: &Control, inbox: &Inbox) {
    let Some(deed) = &step.deed else { return };
    match done(deed, control) {
        Ok(None) => {}
        Ok(Some(said)) => inbox.send(said).await,
        Err(_) => inbox.send(Msg::Story(StoryEvent::Failed)).await,
    }
}

/// Does it, and gives what the audience hears of it where the sandbox does not say it itself.
fn done(deed: &Deed, control: &Control) -> Result<Option<Msg>, ControlError> {
    match deed {
        Deed::Fault(name) => {
            if let Some(rule) = faults::named(name) {
                control.arm_rule(rule)?;
            }
            Ok(Some(Msg::DemoDone(Command::Fault((*name).into()))))
        }
        Deed::Domain { host, state } => {
            control.set_domain(host, *state)?;
            Ok(Some(Msg::Story(StoryEvent::DomainMoved(Untrusted::from(host.as_str())))))
        }
        Deed::PayLastLink => {
            let last = control.ledger().links.pop();
            let id = last.map(|link| link.id).unwrap_or_default();
            control.pay_link(&id).map(|_| None)
        }
    }
}
