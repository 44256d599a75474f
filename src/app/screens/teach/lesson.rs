//! The rules for teaching from the reply to a withdrawal: the code and the state that the seller
//! selects there will later mean that the service accepted a withdrawal.

use std::sync::Arc;

use super::Teaching;
use crate::app::cx::Cx;
use crate::app::store::teaching::{self, TeachScope};
use crate::app::{Effect, Notice, Store};
use crate::contract::reply_setting::{ERROR_MESSAGE, WITHDRAWAL_ID, WITHDRAWAL_STATUS};
use crate::contract::{Lesson, LessonFault, ReplySetting};
use crate::trade::Operation;

impl Teaching {
    /// The rules for this reply, if it is the reply to a withdrawal.
    pub(super) fn prepare_lesson(&self, store: &Store) -> Option<Arc<Lesson>> {
        let is_withdrawal = self.was_accepted() && self.operation() == Operation::Withdrawal;
        let reply = self.tree.clone().filter(|_| is_withdrawal)?;
        let kept = store.exchanges.iter().map(|exchange| &**exchange);
        Some(Arc::new(Lesson::new(&self.exchange, reply, kept)))
    }

    /// The settings that may be taught from the reply. A refusal teaches only where its message is.
    pub(super) fn settings(&self) -> impl Iterator<Item = &'static ReplySetting> + use<> {
        let scope = self.scope;
        let was_accepted = self.was_accepted();
        let lesson_settings = [WITHDRAWAL_ID, WITHDRAWAL_STATUS];
        let settings = ReplySetting::of(self.operation()).filter(move |setting| {
            was_accepted && (scope == TeachScope::Operation || lesson_settings.contains(setting))
        });
        let message = (!was_accepted).then_some(ERROR_MESSAGE);
        settings.chain(message)
    }

    /// True if the seller must choose a value for this setting.
    pub(super) fn is_required(&self, line: &ReplySetting) -> bool {
        let is_code = line == WITHDRAWAL_ID;
        line.is_required || is_code && self.scope == TeachScope::OpenWithdrawal
    }

    /// The reason why the corrections may not be saved, if they concern a withdrawal.
    pub(super) fn fault(&self) -> Option<LessonFault> {
        self.lesson.as_ref()?.fault(&self.original, &self.contract)
    }

    /// The reason why the setting `line` may not be taught to read the given row.
    pub(super) fn value_fault(&self, line: &ReplySetting, row: usize) -> Option<LessonFault> {
        let row = self.reply()?.rows().get(row)?;
        self.lesson
            .as_ref()?
            .value_fault(&self.contract, line, &row.pointer)
    }

    /// Saves the corrections, unless they may not be saved while a withdrawal is open.
    pub(super) fn save(&mut self, cx: &mut Cx) {
        if !teaching::may_save(cx.store, self.scope, &self.corrections) {
            return cx.store.notify(Notice::warn("said-not-taught-open"));
        }
        let wait = cx.store.wait();
        self.saving = Some(wait);
        let lines = self.corrections.clone();
        let exchange = self.exchange.clone();
        cx.perform(Effect::Teach {
            ticket: wait.ticket,
            lines,
            exchange,
        })
    }
}
