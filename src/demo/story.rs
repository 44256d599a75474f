//! The story: a script played on the running sandbox, before an audience.
//!
//! It is a task of its own that lives as long as its steps; without one there is nothing that
//! could wake the program.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use super::caption::Caption;
use super::faults;
use super::script::{After, Deed, Script, ScriptStep};
use crate::app::Msg;
use crate::app::store::story::StoryEvent;
use crate::app::ui::keys::Keymap;
use crate::runtime::Inbox;
use crate::sandbox::{BankOperation, Control, ControlError, FaultRule, PaymentNotice};
use crate::trade::Untrusted;
use crate::words::Lang;

/// A story as it is played: its steps, its language, and the keys that its captions name.
pub struct Playing {
    /// The steps.
    pub script: Script,
    /// The language of the captions.
    pub lang: Lang,
    /// The keys that they name.
    pub keys: Arc<Keymap>,
    /// Wakes it to go on without what its next step waits for.
    pub go_on: Arc<Notify>,
}

impl Playing {
    /// Plays the script to its end.
    ///
    /// Somebody who wants to go on does not wait: a time is over then. What should have happened
    /// and did not is left out with all that follows from it, for its caption would not be true.
    pub async fn play(self, control: Control, inbox: Inbox) {
        inbox.send(Msg::Story(StoryEvent::Began)).await;
        let captions = self.script.steps().iter().filter_map(|step| step.caption.as_ref());
        let of = captions.filter(|caption| !self.words(caption).is_empty()).count();
        let (mut n, mut hurries) = (0, false);
        let mut armed = ArmedFaults { control: control.clone(), rules: Vec::new() };
        let mut steps = self.script.steps().iter();
        let mut next = steps.next().map(|step| (step, Cue::of(step.after, &control)));
        while let Some((step, cue)) = next {
            let waits_for_time = matches!(cue, Cue::Time(_));
            if !hurries {
                tokio::select! {
                    biased;
                    () = cue.comes() => {}
                    () = self.go_on.notified() => hurries = true,
                }
            }
            // Listened for from here on: what this step sets off is heard by the next one.
            next = steps.next().map(|step| (step, Cue::of(step.after, &control)));
            let words = step.caption.as_ref().map(|caption| self.words(caption));
            n += usize::from(words.as_ref().is_some_and(|words| !words.is_empty()));
            if hurries && !waits_for_time {
                armed.take_back();
                continue;
            }
            if let Some(words) = words {
                hurries = false;
                let (words, step) = (Untrusted::from(words), (n, of));
                inbox.send(Msg::Story(StoryEvent::Caption { words, step })).await;
            }
            act(step, &control, &mut armed, &inbox).await;
        }
        // What the last step armed is for whatever comes after it.
        armed.rules.clear();
        inbox.send(Msg::Story(StoryEvent::Ended)).await;
    }

    fn words(&self, caption: &Caption) -> String {
        caption.words(self.lang, &self.keys)
    }
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
            After::Quote => Cue::Asked(BankOperation::FeePreview, control.asked()),
            After::Withdrawal => Cue::Asked(BankOperation::Withdrawal, control.asked()),
            After::Charge => Cue::Asked(BankOperation::DirectPayment, control.asked()),
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

/// The faults that a story armed. One that was not met is taken back where what it was for is left
/// out, and when the story is stopped: a withdrawal of later must not meet it.
struct ArmedFaults {
    control: Control,
    rules: Vec<FaultRule>,
}

impl ArmedFaults {
    fn take_back(&mut self) {
        for rule in self.rules.drain(..) {
            // One that was met is gone. A port that cannot be opened says so to whoever asks there.
            self.control.disarm(&rule).ok();
        }
    }
}

impl Drop for ArmedFaults {
    fn drop(&mut self) {
        self.take_back();
    }
}

async fn act(step: &ScriptStep, control: &Control, armed: &mut ArmedFaults, inbox: &Inbox) {
    let Some(deed) = &step.deed else { return };
    match done(deed, control, armed) {
        Ok(None) => {}
        Ok(Some(said)) => inbox.send(said).await,
        Err(_) => inbox.send(Msg::Story(StoryEvent::Failed)).await,
    }
}

/// Does it, and gives what the audience hears of it where the sandbox does not say it itself.
fn done(
    deed: &Deed,
    control: &Control,
    armed: &mut ArmedFaults,
) -> Result<Option<Msg>, ControlError> {
    match deed {
        Deed::Fault(name) => {
            if let Some(rule) = faults::named(name) {
                control.arm_rule(rule.clone())?;
                armed.rules.push(rule);
            }
            // A notice of it would give away what the audience is about to see.
            Ok(None)
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
