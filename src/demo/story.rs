//! The story: a script that the demo plays on its running sandbox for an audience.
//!
//! A story is a task that ends after its last step. While no story plays, nothing runs
//! periodically.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::runtime::Handle;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{Receiver, Sender};
use tokio::sync::{Notify, watch};

use super::DemoConfig;
use super::script::{StepTrigger, StoryAction, StoryKey};
use crate::app::Msg;
use crate::app::store::story::{SellerEvent, StoryEvent};
use crate::app::ui::input::{Code, Key};
use crate::runtime::Inbox;
use crate::sandbox::{
    Control, ControlError, Domain, DomainSetup, Fault, FaultRule, FinishedRequest, NotPaid,
    PaidItem,
};

/// The inbox of the run of the app that was opened last. When the demo starts over, the story goes
/// on in the next run.
pub type AppInbox = watch::Receiver<Option<Inbox>>;

/// Sends an event to the app. An event between two runs is sent to the next run.
fn send(app: &AppInbox, event: StoryEvent) {
    let open_inbox = app.borrow().clone().filter(Inbox::is_open);
    if let Some(inbox) = open_inbox {
        return inbox.post(Msg::Story(event));
    }
    let Ok(runtime) = Handle::try_current() else {
        return;
    };
    let mut app = app.clone();
    app.mark_unchanged();
    runtime.spawn(async move {
        if app.changed().await.is_ok()
            && let Some(inbox) = &*app.borrow()
        {
            inbox.post(Msg::Story(event));
        }
    });
}

pub struct StoryPlayer {
    /// The demo's configuration, with the script and the key bindings.
    pub config: Arc<DemoConfig>,
    /// Notified when the presenter skips the wait for the next step.
    pub go_on: Arc<Notify>,
    /// The seller's actions, such as opening a screen, that the sandbox cannot see.
    pub seller: Sender<SellerEvent>,
    pub app: AppInbox,
    /// The timing, if the story plays by itself without a presenter.
    pub alone: Option<AutoplayPace>,
}

/// The timing of a story that plays by itself.
#[derive(Debug, Clone, Copy)]
pub struct AutoplayPace {
    /// The time for which a caption is shown before the story presses keys.
    pub reading: Duration,
    /// The pause after each key press, and after typed text.
    pub key: Duration,
    /// The pause after each letter of typed text.
    pub letter: Duration,
    /// The maximum wait where the script names a time. The script's own times may be longer,
    /// because a presenter needs time to talk.
    pub longest: Duration,
    /// The maximum wait for an event. If the event has not happened by then, something went wrong,
    /// and the story goes on without it.
    pub stuck: Duration,
}

impl Default for AutoplayPace {
    fn default() -> AutoplayPace {
        AutoplayPace {
            reading: Duration::from_secs(6),
            key: Duration::from_millis(1_500),
            letter: Duration::from_millis(120),
            longest: Duration::from_secs(4),
            stuck: Duration::from_secs(30),
        }
    }
}

impl StoryPlayer {
    /// Plays the script to its end.
    ///
    /// If the presenter skips the wait for a time or for a caption's `until`, the next step comes
    /// at once. If the presenter skips the wait for an event, the step that waits for it is left
    /// out, because its caption would not be true. The steps that depend on it are left out too.
    pub async fn play(self, control: Control) {
        send(&self.app, StoryEvent::Began);
        let script_steps = &self.config.script.parsed().steps;
        let total = script_steps.iter().filter(|step| step.chapter).count();
        let mut number = 0;
        let mut is_skipped = false;
        let mut is_left_out = false;
        let mut is_caption_shown = true;
        let mut changes = Changes::none(&control, &self.app);
        let mut steps = script_steps.iter();
        // The faults that this story has armed so far. A request that meets one of them behaves as
        // the script expects.
        let mut armed = Vec::new();
        let mut next = steps
            .next()
            .map(|step| (step, self.start_wait(None, step.after, &armed, &control)));
        let mut keys: &[StoryKey] = &[];
        while let Some((step, pause)) = next {
            let waits_for_time = matches!(step.after, StepTrigger::Time(_));
            if !is_skipped {
                is_skipped = self.await_step(pause, keys).await;
            }
            is_left_out = is_skipped && !waits_for_time || is_left_out && step.follows;
            match &step.action {
                _ if is_left_out => armed.clear(),
                Some(StoryAction::Fault(rule)) => armed.push(rule.fault.clone()),
                _ => {}
            }
            // Start to wait for the next step before this step acts, so that an event caused by
            // this step is not missed.
            next = steps.next().map(|next| {
                (
                    next,
                    self.start_wait(step.until, next.after, &armed, &control),
                )
            });
            let text = step
                .caption
                .as_ref()
                .map(|caption| caption.text(&self.config.keys));
            keys = &[];
            number += usize::from(step.chapter);
            if is_left_out {
                changes.revert();
                continue;
            }
            keys = &step.keys;
            if let Some(text) = text {
                (is_skipped, is_caption_shown) = (false, !text.is_empty());
                send(
                    &self.app,
                    StoryEvent::Caption {
                        text,
                        step: (number, total),
                    },
                );
            }
            if let Some(action) = &step.action {
                perform_action(action, &mut changes);
            }
        }
        changes.end(is_caption_shown);
        send(&self.app, StoryEvent::Ended);
    }

    /// Waits until the next step is due or the presenter skips the wait. Returns true if it was
    /// skipped.
    ///
    /// A story that plays by itself presses its keys meanwhile. If an expected event does not
    /// happen, the story skips it and closes all screens.
    async fn await_step(&self, pause: BoxFuture<'static, ()>, keys: &[StoryKey]) -> bool {
        let Some(pace) = self.alone else {
            return tokio::select! {
                biased;
                () = pause => false,
                () = self.go_on.notified() => true,
            };
        };
        let play_step = async {
            self.press(keys, pace).await;
            tokio::time::timeout(pace.stuck, pause).await.is_err()
        };
        let is_stuck = play_step.await;
        if is_stuck {
            send(&self.app, StoryEvent::Stuck);
        }
        is_stuck
    }

    /// Presses the keys of a step, with pauses like a seller who reads the caption first.
    async fn press(&self, keys: &[StoryKey], pace: AutoplayPace) {
        if keys.is_empty() {
            return;
        }
        tokio::time::sleep(pace.reading).await;
        let keymap = &self.config.keys;
        for key in keys {
            match key {
                StoryKey::Action(action) => {
                    if let Some(key) = keymap.keys(*action).first() {
                        send(&self.app, StoryEvent::Key(*key));
                    }
                }
                StoryKey::Text(text) => {
                    for letter in text.chars() {
                        let key = Key::plain(Code::Char(letter));
                        send(&self.app, StoryEvent::Key(key));
                        tokio::time::sleep(pace.letter).await;
                    }
                }
            }
            tokio::time::sleep(pace.key).await;
        }
    }

    /// Waits for `until`, the event that ends the current caption, and then for `next`, the event
    /// or time of the next step. An event counts if it happens after this call, even before the
    /// future is polled.
    fn start_wait(
        &self,
        until: Option<StepTrigger>,
        next: StepTrigger,
        armed: &[Fault],
        control: &Control,
    ) -> BoxFuture<'static, ()> {
        let until = until.map(|until| self.wait_for(until, armed, control));
        let next = self.wait_for(next, armed, control);
        async move {
            if let Some(until) = until {
                until.await;
            }
            next.await;
        }
        .boxed()
    }

    /// Waits for a time or an event. `armed` are the faults that the story has armed.
    fn wait_for(
        &self,
        after: StepTrigger,
        armed: &[Fault],
        control: &Control,
    ) -> BoxFuture<'static, ()> {
        let armed = armed.to_vec();
        let control = control.clone();
        match after {
            StepTrigger::Time(span) => {
                let span = self.alone.map_or(span, |pace| span.min(pace.longest));
                async move { tokio::time::sleep(span).await }.boxed()
            }
            StepTrigger::Answered(operation) => {
                wait_for_event(control.finished_requests(), move |event| {
                    event.operation == operation && fits_script(event, &armed)
                })
                .boxed()
            }
            StepTrigger::LinkPaid => wait_for_event(control.subscribe_payments(), |event| {
                event.of == PaidItem::Link
            })
            .boxed(),
            StepTrigger::PaidOnce => {
                wait_for_event(control.finished_requests(), move |_| is_paid_once(&control)).boxed()
            }
            StepTrigger::Seller(expected) => {
                wait_for_event(self.seller.subscribe(), move |event| *event == expected).boxed()
            }
        }
    }
}

/// True if a request ended as the script expects, so that the next caption is true. Returns false
/// if it was refused, or met a fault that the presenter armed.
fn fits_script(request: &FinishedRequest, armed: &[Fault]) -> bool {
    match &request.fault {
        Some(fault) if armed.contains(fault) => true,
        Some(Fault::Delay(_)) | None => request.is_success,
        Some(_) => false,
    }
}

/// True if the last withdrawal was requested several times but paid only once.
fn is_paid_once(control: &Control) -> bool {
    let ledger = control.ledger();
    let Some(key) = ledger.requests.last().and_then(|last| last.key.clone()) else {
        return false;
    };
    let requests = ledger
        .requests
        .iter()
        .filter(|request| request.key.as_ref() == Some(&key));
    let payouts = ledger.payouts.iter().filter(|payout| payout.key == key);
    requests.count() > 1 && payouts.count() == 1
}

/// Waits for an event for which `is_expected` returns true. Also returns if the sandbox has ended,
/// because the story must not wait forever.
async fn wait_for_event<T: Clone>(mut receiver: Receiver<T>, is_expected: impl Fn(&T) -> bool) {
    loop {
        match receiver.recv().await {
            Ok(event) if is_expected(&event) => return,
            Ok(_) | Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => return,
        }
    }
}

/// The changes that the story made in the sandbox. They are reverted when steps are left out or the
/// story is stopped.
struct Changes {
    control: Control,
    app: AppInbox,
    faults: Vec<FaultRule>,
    /// The checkout domains that the story has changed, each with its state before the change.
    domains: Vec<Domain>,
}

impl Changes {
    fn none(control: &Control, app: &AppInbox) -> Changes {
        let control = control.clone();
        let app = app.clone();
        Changes {
            control,
            app,
            faults: Vec::new(),
            domains: Vec::new(),
        }
    }

    fn arm(&mut self, rule: FaultRule) -> Result<(), ControlError> {
        self.control.arm_rule(rule.clone())?;
        self.faults.push(rule);
        Ok(())
    }

    fn move_domain(&mut self, host: &str, state: DomainSetup) -> Result<(), ControlError> {
        let is_domain = |domain: &Domain| domain.host.eq_ignore_ascii_case(host);
        let previous = self.control.domains().into_iter().find(is_domain);
        self.control.set_domain(host, state)?;
        if !self.domains.iter().any(is_domain) {
            self.domains.extend(previous);
        }
        Ok(())
    }

    fn revert(&mut self) {
        for rule in self.faults.drain(..) {
            // Ignore errors: the fault is no longer armed if a request has already met it.
            self.control.disarm(&rule).ok();
        }
        let current = self.control.domains();
        self.domains.retain(|previous| !current.contains(previous));
        let mut is_reverted = false;
        for previous in self.domains.drain(..) {
            // Ignore errors: the list of domains shows the actual state when it is next loaded.
            self.control.set_domain(&previous.host, previous.state).ok();
            is_reverted = true;
        }
        if is_reverted {
            send(&self.app, StoryEvent::DomainsMoved);
        }
    }

    /// Ends the story. Armed faults stay armed. If the last caption is still shown, the domains
    /// keep their changed states, so that the caption stays true; otherwise their earlier states
    /// are restored.
    fn end(&mut self, is_caption_shown: bool) {
        self.faults.clear();
        if is_caption_shown {
            self.domains.clear();
        }
        self.revert();
    }
}

impl Drop for Changes {
    fn drop(&mut self) {
        self.revert();
    }
}

/// Makes the change of a step in the sandbox. The app shows no notice about the change, because a
/// notice would reveal the next event.
fn perform_action(action: &StoryAction, changes: &mut Changes) {
    let result = match action {
        StoryAction::Fault(rule) => changes.arm(rule.clone()),
        StoryAction::Domain { host, state } => changes.move_domain(host, *state),
        StoryAction::PayLastLink => {
            let last_link = changes.control.ledger().links.pop();
            let id = last_link.map(|link| link.id).unwrap_or_default();
            match changes.control.pay_link(&id) {
                // Not an error: somebody in the audience has already paid the link with a phone.
                Ok(_) | Err(ControlError::NotPaid(NotPaid::AlreadyPaid)) => Ok(()),
                Err(error) => Err(error),
            }
        }
    };
    let event = match result {
        Ok(()) if matches!(action, StoryAction::Domain { .. }) => StoryEvent::DomainsMoved,
        Ok(()) => return,
        Err(_) => StoryEvent::Failed,
    };
    send(&changes.app, event);
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn event_between_two_runs_is_sent_to_the_next() {
        let (closed_sender, _) = mpsc::channel(1);
        let (runs, app) = watch::channel(Some(Inbox::new(closed_sender)));
        send(&app, StoryEvent::Ended);
        let (sender, mut inbox) = mpsc::channel(1);
        runs.send_replace(Some(Inbox::new(sender)));
        let msg = inbox.recv().await;
        assert!(
            matches!(msg, Some(Msg::Story(StoryEvent::Ended))),
            "{msg:?}"
        );
    }
}
