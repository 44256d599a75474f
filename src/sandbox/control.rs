//! The control: what a demo or a test can do to a running sandbox from inside the program.

use std::io;
use std::sync::Arc;

use tokio::sync::{broadcast, watch};

use super::bank::Bank;
use super::bank::checkout::{self, Checkout, NotPaid};
use super::bank::ledger::{Ledger, Payment};
use super::bank::request::BankOperation;
use super::bank::scene::{Domain, DomainSetup};
use super::bank::tokens::TokenKind;
use super::clock::Moment;
use super::faults::{BadRule, Fault, FaultRule, Scope, Times};
use super::shared_state::{AnsweredRequest, SharedState};

/// A handle on a running sandbox; clones act on the same one.
///
/// With a data file, what changes the bank also waits for the disk.
#[derive(Clone)]
pub struct Control(pub(super) Arc<SharedState>);

impl Control {
    /// Lays a fault in wait, behind those that are there already.
    pub fn arm(
        &self,
        fault: Fault,
        scope: impl Into<Scope>,
        times: Times,
    ) -> Result<(), ControlError> {
        self.arm_rule(FaultRule { fault, scope: scope.into(), times })
    }

    /// Lays a fault in wait, as a fault file names it.
    pub fn arm_rule(&self, rule: FaultRule) -> Result<(), ControlError> {
        let mut state = self.0.state();
        state.plan.arm(rule).map_err(ControlError::BadRule)?;
        if state.plan.closes_the_port() {
            self.0.port.close().map_err(ControlError::Port)?;
        }
        Ok(())
    }

    /// Takes one such fault away, if one still lies in wait; a port that it had closed is opened.
    pub fn disarm(&self, rule: &FaultRule) -> Result<(), ControlError> {
        let mut state = self.0.state();
        let was_closed = state.plan.closes_the_port();
        state.plan.disarm(rule);
        match was_closed && !state.plan.closes_the_port() {
            true => self.0.port.open().map_err(ControlError::Port),
            false => Ok(()),
        }
    }

    /// Takes all faults away and opens the port again if one had closed it.
    pub fn disarm_all(&self) -> Result<(), ControlError> {
        let mut state = self.0.state();
        state.plan.disarm_all();
        self.0.port.open().map_err(ControlError::Port)
    }

    /// The faults that still lie in wait.
    pub fn armed(&self) -> Vec<FaultRule> {
        self.0.state().plan.armed()
    }

    /// The same at each moment: it changes when one is armed, met or taken away.
    pub fn watch_armed(&self) -> watch::Receiver<Vec<FaultRule>> {
        self.0.state().plan.watch()
    }

    /// Returns the record of payments, payouts and requests.
    pub fn ledger(&self) -> Ledger {
        self.0.state().bank.ledger().clone()
    }

    /// The checkout at a link's address, as the page in a browser shows it.
    pub fn page(&self, url_or_id: &str) -> Option<Checkout> {
        checkout::visit(&self.0.state().bank, checkout::id_of(url_or_id))
    }

    /// Pays a link, as the button on its page does.
    pub fn pay_link(&self, url_or_id: &str) -> Result<Payment, ControlError> {
        let id = checkout::id_of(url_or_id);
        self.pay(|bank, now| checkout::pay_link(bank, id, now))
    }

    /// Pays a direct payment, as a buyer's bank app does.
    pub fn pay_charge(&self, id: &str) -> Result<Payment, ControlError> {
        self.pay(|bank, now| checkout::pay_charge(bank, id, now))
    }

    /// The domains as they are now.
    pub fn domains(&self) -> Vec<Domain> {
        self.0.state().bank.domains().cloned().collect()
    }

    /// The domains of the opening scene, without an address that is shared.
    pub fn first_domains(&self) -> Vec<Domain> {
        self.0.state().bank.scene().domains.clone()
    }

    /// Moves a domain to another state, or adds it.
    pub fn set_domain(&self, host: &str, state: DomainSetup) -> Result<(), ControlError> {
        self.change(|bank, _| bank.set_domain(host, state))
    }

    /// The e-mail and password that log in.
    pub fn credentials(&self) -> (String, String) {
        let state = self.0.state();
        let scene = state.bank.scene();
        (scene.email.clone(), scene.password.clone())
    }

    /// A JWT for links that is good now, as it is pasted into the app.
    pub fn jwt(&self) -> Result<String, ControlError> {
        Ok(self.0.dialect.pasted(&self.change(Bank::jwt)?))
    }

    /// An API token that is good now, as a login yields it.
    pub fn api_token(&self) -> Result<String, ControlError> {
        self.change(|bank, now| bank.token(TokenKind::ApiToken, now))
    }

    /// Every token that was given out and not forgotten, for whoever looks where one was left.
    pub fn given_out(&self) -> Vec<String> {
        self.0.state().bank.tokens().texts().map(str::to_owned).collect()
    }

    /// Ends the life of every token, the JWT among them.
    pub fn expire_tokens(&self) -> Result<(), ControlError> {
        self.change(Bank::expire_tokens)
    }

    /// Goes back to the opening scene: faults are gone, tokens stay good.
    pub fn start_over(&self) -> Result<(), ControlError> {
        self.disarm_all()?;
        self.change(|bank, _| bank.start_over())
    }

    /// Subscribes to the payments by buyers from now on.
    pub fn notices(&self) -> broadcast::Receiver<Payment> {
        self.0.notices.subscribe()
    }

    /// The number of payments by buyers at each moment: it changes when one is made or forgotten.
    pub fn watch_payments(&self) -> watch::Receiver<usize> {
        self.0.paid.subscribe()
    }

    /// The addresses of the links that were paid, exactly as the seller got them.
    pub fn paid_links(&self) -> Vec<String> {
        let state = self.0.state();
        let paid = state.bank.ledger().links.iter().filter(|link| link.paid_at.is_some());
        paid.map(|link| link.url.clone()).collect()
    }

    /// The operations that are asked for from now on, each as soon as the bank had it.
    pub fn asked(&self) -> broadcast::Receiver<BankOperation> {
        self.0.asked.subscribe()
    }

    /// The same with what became of them, each as soon as its answer is over.
    pub fn answered(&self) -> broadcast::Receiver<AnsweredRequest> {
        self.0.answered.subscribe()
    }

    fn pay(
        &self,
        pay: impl FnOnce(&mut Bank, Moment) -> Result<Payment, NotPaid>,
    ) -> Result<Payment, ControlError> {
        let payment = self.change(pay)?.map_err(ControlError::NotPaid)?;
        // Nobody may be listening, which is fine.
        self.0.notices.send(payment.clone()).ok();
        Ok(payment)
    }

    pub(super) fn change<T>(
        &self,
        act: impl FnOnce(&mut Bank, Moment) -> T,
    ) -> Result<T, ControlError> {
        let now = self.0.now();
        let mut state = self.0.state();
        let done = state.change(|bank| act(bank, now)).map_err(ControlError::NotKept);
        let payments = state.bank.ledger().payments.len();
        self.0.paid.send_if_modified(|known| std::mem::replace(known, payments) != payments);
        done
    }
}

/// The reason the sandbox did not do what its control asked.
#[derive(Debug, thiserror::Error)]
pub enum ControlError {
    /// The fault rule makes no sense.
    #[error(transparent)]
    BadRule(BadRule),
    /// It could not be paid.
    #[error(transparent)]
    NotPaid(NotPaid),
    /// The data file could not be written; nothing was changed.
    #[error("the sandbox data file could not be written, nothing changed: {0}")]
    NotKept(io::Error),
    /// The port could not be closed or opened.
    #[error("the sandbox port could not be closed or opened: {0}")]
    Port(io::Error),
}
