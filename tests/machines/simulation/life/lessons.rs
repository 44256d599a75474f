//! A seller who teaches the app to read replies while withdrawals are open: any row of any reply,
//! right or wrong, in one of the two windows. The production rules must refuse every lesson that
//! could let an unpaid withdrawal count as accepted.

use std::collections::HashMap;

use balcao::app::Model;
use balcao::app::store::teaching::{self, TeachScope};
use balcao::contract::reply_setting::{WITHDRAWAL_ID, WITHDRAWAL_STATUS};
use balcao::contract::{Lesson, ReadValue, ReplySetting, ReplyTree};
use balcao::trade::Exchange;
use balcao::trade::withdrawal::{Settled, settle};

use super::*;
use crate::seller;
use crate::simulation::outside::ReplyStyle;

/// The right places in a reply of the style [`ReplyStyle::Foreign`].
const RIGHT_CHOICES: [(&ReplySetting, &str); 2] = [
    (WITHDRAWAL_ID, "/data/payout_code"),
    (WITHDRAWAL_STATUS, "/data/state"),
];

/// A choice of the seller: the contract before it, the name of the setting, and the JSON Pointer.
type Choice = (*const Contract, &'static str, String);

/// The app model for the rules, and the contracts that were taught. Building a contract takes
/// longer than a life, so each is built only once.
pub struct Lessons {
    model: RefCell<Model>,
    taught: RefCell<HashMap<Choice, Option<Arc<Contract>>>>,
}

impl Lessons {
    pub fn new(window: ResendLimits) -> Lessons {
        let model = RefCell::new(seller::model(Contract::built_in(), window));
        Lessons {
            model,
            taught: RefCell::default(),
        }
    }

    /// Returns true if the app lets the seller teach from this exchange while these withdrawals
    /// are open.
    fn allows(&self, exchange: &Exchange, open: Vec<Withdrawal>, window: &Window) -> bool {
        let mut model = self.model.borrow_mut();
        model.now = window.now();
        model.setup.window.clone_from(window.resend_limits());
        model.withdrawals.open = open;
        teaching::scope(&model, exchange) == Ok(TeachScope::OpenWithdrawal)
    }

    /// Returns the contract with which the setting reads the value at this JSON Pointer, too.
    fn contract_with(
        &self,
        contract: &Arc<Contract>,
        setting: &ReplySetting,
        pointer: &str,
        reply: &ReplyTree,
    ) -> Option<Arc<Contract>> {
        let choice = (Arc::as_ptr(contract), setting.name, pointer.to_owned());
        let build = || {
            let lines = contract.settings_to_read_at(setting.name, pointer, reply)?;
            contract.with_taught(&lines).ok().map(Arc::new)
        };
        self.taught
            .borrow_mut()
            .entry(choice)
            .or_insert_with(build)
            .clone()
    }

    /// Returns the contract in which a reply with this status and no body is a success.
    fn contract_for_empty(&self, contract: &Arc<Contract>, status: u16) -> Option<Arc<Contract>> {
        let choice = (
            Arc::as_ptr(contract),
            "withdrawal.empty_success",
            status.to_string(),
        );
        let build = || {
            let line = contract.setting_for_empty_success(status)?;
            contract.with_taught(&[line]).ok().map(Arc::new)
        };
        self.taught
            .borrow_mut()
            .entry(choice)
            .or_insert_with(build)
            .clone()
    }
}

impl Life<'_> {
    /// Teaches from a random reply. Half of the lessons choose the right values.
    pub(super) fn teach(&mut self, index: usize) {
        let Some(window) = self.windows[index]
            .as_ref()
            .filter(|window| !window.is_sending())
        else {
            return;
        };
        let open = window
            .journal(|journal| journal.open_withdrawals())
            .unwrap_or_default();
        let kept = self.environment().kept.clone();
        if kept.is_empty() {
            return;
        }
        let exchange = &kept[self.environment().random.below(kept.len() as u64) as usize];
        let reply = exchange
            .reply
            .as_ref()
            .ok()
            .and_then(|reply| ReplyTree::read(&reply.body));
        let is_allowed = self.world.lessons.allows(exchange, open, window);
        let before = window.contract().clone();
        let Some(reply) = reply.filter(|_| is_allowed).map(Arc::new) else {
            self.environment().tally.refused_lessons += 1;
            return;
        };
        let choices = self.choices(&reply);
        let lesson = Lesson::new(exchange, reply.clone(), kept.iter().map(|other| &**other));
        let mut after = before.clone();
        for (setting, pointer) in &choices {
            let is_refused = lesson.value_fault(&after, setting, pointer).is_some();
            let taught = self
                .world
                .lessons
                .contract_with(&after, setting, pointer, &reply);
            let is_read =
                |taught: &Arc<Contract>| taught.read_value(setting, &reply) != ReadValue::Nothing;
            after = taught
                .filter(|taught| !is_refused && is_read(taught))
                .unwrap_or(after);
        }
        let fault = lesson.fault(&before, &after);
        let is_learnt = fault.is_none() && !Arc::ptr_eq(&before, &after);
        self.environment()
            .log(|| format!("window {index} is taught {choices:?}: {is_learnt}, {fault:?}"));
        if is_learnt {
            self.learn(index, after);
        } else {
            self.environment().tally.refused_lessons += 1;
        }
    }

    fn choices(&self, reply: &ReplyTree) -> Vec<(&'static ReplySetting, String)> {
        let mut environment = self.environment();
        if environment.random.percent_chance(50) {
            return RIGHT_CHOICES
                .map(|(setting, pointer)| (setting, pointer.to_owned()))
                .into();
        }
        let count = 1 + environment.random.below(3);
        let rows = reply.rows();
        let choice = |_| {
            let setting = environment.random.one_of(&RIGHT_CHOICES).0;
            let row = environment.random.below(rows.len() as u64) as usize;
            (setting, rows[row].pointer.clone())
        };
        (0..count).map(choice).collect()
    }

    /// Uses a taught contract in this window. The other one uses it once it is started again.
    fn learn(&mut self, index: usize, contract: Arc<Contract>) {
        self.environment().tally.lessons += 1;
        self.contract = contract.clone();
        if let Some(window) = &mut self.windows[index] {
            window.learn(contract);
        }
    }

    /// After the seller has found a withdrawal whose reply was empty, states that the service
    /// always replies like that.
    pub(super) fn teach_empty_success(&mut self, index: usize, key: IdempotencyKey) {
        let Some(window) = &self.windows[index] else {
            return;
        };
        let is_none_open = window.journal(|journal| journal.open_withdrawals());
        let is_none_open = is_none_open.is_ok_and(|open| open.is_empty());
        let is_empty = |exchange: &Arc<Exchange>| {
            let is_own = exchange
                .request_headers
                .iter()
                .any(|(_, value)| *value == key.to_string());
            let reply = exchange.reply.as_ref();
            is_own && reply.is_ok_and(|reply| reply.status == 204 && reply.body.is_empty())
        };
        let was_empty = self.environment().kept.iter().any(is_empty);
        if is_none_open && was_empty && self.environment().style == ReplyStyle::Empty {
            let taught = self
                .world
                .lessons
                .contract_for_empty(window.contract(), 204);
            taught
                .into_iter()
                .for_each(|contract| self.learn(index, contract));
        }
    }

    /// Checks what no lesson may change: a withdrawal with a contradicting reply is never accepted,
    /// and none counts as paid unless the seller looked it up.
    pub(super) fn check_lessons(&self, withdrawal: &Withdrawal, state: &WithdrawalState) {
        let key = withdrawal.agreement.key;
        let is_contradicted = !matches!(
            settle(&withdrawal.attempts),
            Settled::Accepted | Settled::Unknown | Settled::Rejected | Settled::Prepared
        );
        if is_contradicted {
            self.contradicted.borrow_mut().insert(key);
        }
        let is_allowed = match state {
            WithdrawalState::Accepted => !self.contradicted.borrow().contains(&key),
            WithdrawalState::ResolvedPaid => self.looked_up.borrow().contains(&key),
            _ => true,
        };
        if !is_allowed {
            self.report_violation(Violation::Allowed, || format!("{key} is {state:?}"));
        }
    }
}
