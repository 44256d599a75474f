//! The interface with which a demo or a test controls a running sandbox from inside the program.

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
use super::shared_state::{FinishedRequest, SharedState};

/// A handle to a running sandbox. Clones control the same sandbox.
///
/// If the sandbox has a data file, every method that changes the simulated bank blocks until the
/// change is on disk.
#[derive(Clone)]
pub struct Control(pub(super) Arc<SharedState>);

impl Control {
    /// Activates a fault. If several faults are active, the one that was activated first is used
    /// first.
    pub fn arm(
        &self,
        fault: Fault,
        scope: impl Into<Scope>,
        times: Times,
    ) -> Result<(), ControlError> {
        self.arm_rule(FaultRule {
            fault,
            scope: scope.into(),
            times,
        })
    }

    /// Activates the fault that a rule describes, such as a rule from a fault file.
    pub fn arm_rule(&self, rule: FaultRule) -> Result<(), ControlError> {
        let mut state = self.0.state();
        state.plan.arm(rule).map_err(ControlError::BadRule)?;
        if state.plan.closes_the_port() {
            self.0.port.close().map_err(ControlError::Port)?;
        }
        Ok(())
    }

    /// Removes one active fault that equals this rule. Reopens the port, unless another fault keeps
    /// it closed.
    pub fn disarm(&self, rule: &FaultRule) -> Result<(), ControlError> {
        let mut state = self.0.state();
        let was_closed = state.plan.closes_the_port();
        state.plan.disarm(rule);
        if was_closed && !state.plan.closes_the_port() {
            self.0.port.open().map_err(ControlError::Port)
        } else {
            Ok(())
        }
    }

    /// Removes all active faults. Reopens the port if a fault had closed it.
    pub fn disarm_all(&self) -> Result<(), ControlError> {
        let mut state = self.0.state();
        state.plan.disarm_all();
        self.0.port.open().map_err(ControlError::Port)
    }

    /// The faults that are active now.
    pub fn armed(&self) -> Vec<FaultRule> {
        self.0.state().plan.armed()
    }

    /// A receiver that always has the current list of active faults. It is notified when a fault is
    /// activated, used or removed.
    pub fn watch_armed(&self) -> watch::Receiver<Vec<FaultRule>> {
        self.0.state().plan.watch()
    }

    /// A copy of the bank's ledger: the record of payments, payouts and requests.
    pub fn ledger(&self) -> Ledger {
        self.0.state().bank.ledger().clone()
    }

    /// The content of a payment link's checkout page.
    pub fn checkout_page(&self, url_or_id: &str) -> Option<Checkout> {
        checkout::checkout_page(&self.0.state().bank, checkout::link_id(url_or_id))
    }

    /// Pays a payment link, as if a buyer had pressed the button on the checkout page.
    pub fn pay_link(&self, url_or_id: &str) -> Result<Payment, ControlError> {
        let id = checkout::link_id(url_or_id);
        self.pay(|bank, now| checkout::pay_link(bank, id, now))
    }

    /// Pays a direct payment, as if a buyer had used a bank app.
    pub fn pay_charge(&self, id: &str) -> Result<Payment, ControlError> {
        self.pay(|bank, now| checkout::pay_charge(bank, id, now))
    }

    /// The current checkout domains.
    pub fn domains(&self) -> Vec<Domain> {
        self.0.state().bank.domains().cloned().collect()
    }

    /// The checkout domains in the bank's initial data. They do not include the address that is
    /// shared with phones.
    pub fn initial_domains(&self) -> Vec<Domain> {
        self.0.state().bank.scene().domains.clone()
    }

    /// Sets the state of a checkout domain. A domain that does not exist is added.
    pub fn set_domain(&self, host: &str, state: DomainSetup) -> Result<(), ControlError> {
        self.change(|bank, _| bank.set_domain(host, state))
    }

    /// The e-mail address and password for the login.
    pub fn credentials(&self) -> (String, String) {
        let state = self.0.state();
        let scene = state.bank.scene();
        (scene.email.clone(), scene.password.clone())
    }

    /// A valid JWT for payment links, as text that the seller can paste into the app.
    pub fn jwt(&self) -> Result<String, ControlError> {
        Ok(self.0.dialect.jwt_to_paste(&self.change(Bank::jwt)?))
    }

    /// A valid API token, as a login does.
    pub fn api_token(&self) -> Result<String, ControlError> {
        self.change(|bank, now| bank.token(TokenKind::ApiToken, now))
    }

    /// Every stored token. A test can then search the program's output for leaked tokens.
    pub fn stored_tokens(&self) -> Vec<String> {
        self.0
            .state()
            .bank
            .tokens()
            .texts()
            .map(str::to_owned)
            .collect()
    }

    /// Makes every token expire, including the JWTs.
    pub fn expire_tokens(&self) -> Result<(), ControlError> {
        self.change(Bank::expire_tokens)
    }

    /// Resets the bank to its initial data and removes all faults. Tokens stay valid.
    pub fn reset_bank(&self) -> Result<(), ControlError> {
        self.disarm_all()?;
        self.change(|bank, _| bank.start_over())
    }

    /// A receiver of the payments that buyers make.
    pub fn subscribe_payments(&self) -> broadcast::Receiver<Payment> {
        self.0.payments.subscribe()
    }

    /// A receiver that always has the current number of payments by buyers. The number also changes
    /// when the bank is reset.
    pub fn watch_payments(&self) -> watch::Receiver<usize> {
        self.0.payment_count.subscribe()
    }

    /// The URLs of the paid payment links, exactly as the seller received them.
    pub fn paid_links(&self) -> Vec<String> {
        let state = self.0.state();
        let paid = state
            .bank
            .ledger()
            .links
            .iter()
            .filter(|link| link.paid_at.is_some());
        paid.map(|link| link.url.clone()).collect()
    }

    /// A receiver that gets the operation of each API request, such as a login. It gets the
    /// operation before the reply is sent, but after the bank has processed the request or a fault
    /// has dropped it.
    pub fn subscribe_requests(&self) -> broadcast::Receiver<BankOperation> {
        self.0.processed.subscribe()
    }

    /// A receiver of finished requests. A request is finished when its reply is ready or the client
    /// has disconnected.
    pub fn finished_requests(&self) -> broadcast::Receiver<FinishedRequest> {
        self.0.finished.subscribe()
    }

    fn pay(
        &self,
        pay: impl FnOnce(&mut Bank, Moment) -> Result<Payment, NotPaid>,
    ) -> Result<Payment, ControlError> {
        let payment = self.change(pay)?.map_err(ControlError::NotPaid)?;
        // Ignore an error. `send` fails only if there is no receiver.
        self.0.payments.send(payment.clone()).ok();
        Ok(payment)
    }

    pub(super) fn change<T>(
        &self,
        edit: impl FnOnce(&mut Bank, Moment) -> T,
    ) -> Result<T, ControlError> {
        let now = self.0.now();
        let mut state = self.0.state();
        let result = state
            .change(|bank| edit(bank, now))
            .map_err(ControlError::NotSaved);
        let payments = state.bank.ledger().payments.len();
        self.0
            .payment_count
            .send_if_modified(|count| std::mem::replace(count, payments) != payments);
        result
    }
}

/// The reason why a method of [`Control`] failed.
#[derive(Debug, thiserror::Error)]
pub enum ControlError {
    /// The fault rule is invalid.
    #[error(transparent)]
    BadRule(BadRule),
    /// The bank refused the payment.
    #[error(transparent)]
    NotPaid(NotPaid),
    /// The data file could not be written, so nothing was changed.
    #[error("the sandbox data file could not be written, nothing changed: {0}")]
    NotSaved(io::Error),
    #[error("the sandbox port could not be closed or opened: {0}")]
    Port(io::Error),
}
