//! Checks the fee and the net amount that the seller selects against the amount that was sent.

use super::setting_form::SettingForm;
use super::{Stage, Teaching};
use crate::contract::reply_setting::{DOMAIN_LIST, FEE, HOST, JWT, NET};
use crate::contract::{Contract, FigureFit, ReplySetting, ReplyValueKind, TaughtSetting};
use crate::trade::Operation;
use crate::words::Lang;

impl Teaching {
    /// Compares the figures of a fee preview with the amount that was sent, if the API contract had
    /// these corrections.
    pub(super) fn figure_fit(&self, corrections: &[TaughtSetting]) -> FigureFit {
        if self.operation() != Operation::FeePreview {
            return FigureFit::Fits;
        }
        self.contract
            .with_taught(corrections)
            .map_or(FigureFit::Fits, |it| self.fit_of(&it))
    }

    fn fit_of(&self, contract: &Contract) -> FigureFit {
        match (self.operation(), self.reply(), self.sent.amount) {
            (Operation::FeePreview, Some(tree), Some(amount)) => contract.figure_fit(tree, amount),
            _ => FigureFit::Fits,
        }
    }

    /// True if this contract reads other figures than the current one, and they do not add up.
    pub(super) fn reads_wrong_figures(&self, contract: &Contract) -> bool {
        let reads_others = self
            .reply()
            .is_some_and(|tree| contract.figures_read(tree) != self.contract.figures_read(tree));
        reads_others && self.fit_of(contract) != FigureFit::Fits
    }

    /// Opens the form for the unit of amounts, with the other unit already chosen. `pending` are
    /// the corrections that need this unit.
    pub(super) fn open_unit_form(&mut self, pending: Vec<TaughtSetting>, lang: Lang) {
        self.stage = Stage::Edit(Box::new(SettingForm {
            pending,
            asked_amount: self.sent.amount,
            ..SettingForm::other_unit(&self.contract, self.operation(), lang)
        }));
    }

    /// Corrects the unit of amounts, because the seller has said which amount the service read or
    /// how much arrived. Only the review is left.
    pub(super) fn propose_other_unit(&mut self, lang: Lang) {
        self.open_unit_form(vec![], lang);
        self.apply_form();
    }

    /// Corrects the settings whose values speak for themselves, so that only the review is left:
    /// two figures that add up to the amount that was sent, or the only list, if its entries have
    /// hosts.
    pub(super) fn propose(&mut self) {
        let Some(tree) = self.tree.clone() else {
            return;
        };
        if !self.corrections.is_empty() {
            return;
        }
        let is_certain = match self.operation() {
            Operation::FeePreview if self.sent.amount.is_some() => {
                for figure in [NET, FEE] {
                    let row = self.contract.suggest_row(figure, &tree, &self.sent);
                    self.propose_row(figure, row);
                }
                self.is_read(NET)
                    && self.is_read(FEE)
                    && self.fit_of(&self.contract) == FigureFit::Fits
            }
            Operation::Domains => {
                self.propose_row(DOMAIN_LIST, tree.only_domain_list());
                self.is_read(HOST)
            }
            _ => return,
        };
        if !is_certain {
            self.drop_corrections();
        }
    }

    /// Corrects a setting so that it reads this row, if it reads nothing yet.
    pub(super) fn propose_row(&mut self, line: &'static ReplySetting, row: Option<usize>) {
        let row = row.filter(|_| !self.is_read(line));
        if let Some((lines, _)) = row.and_then(|row| self.corrections_for_row(line, row)) {
            // If the settings do not fit together, nothing is proposed.
            let _ = self.apply_corrections(lines);
        }
    }

    /// True if the seller can leave this value out: it is optional, or another value of the reply
    /// is enough.
    pub(super) fn can_be_absent(&self, line: &ReplySetting) -> bool {
        let other = line.alternative();
        !self.is_required(line) || other.is_some_and(|other| !self.absent.contains(&other))
    }

    /// True if the seller should be asked where this value is.
    pub(super) fn is_due(&self, line: &ReplySetting) -> bool {
        let Some(tree) = self.reply() else {
            return false;
        };
        if line.kind == ReplyValueKind::Flag {
            return false;
        }
        let is_changed = !self.corrections.is_empty();
        if line == JWT {
            return self.contract.needs_jwt()
                && (is_changed && tree.has_two_secrets()
                    || self.contract.can_be_taught(line, tree));
        }
        let other = line.alternative();
        let has_other = other.is_some_and(|other| self.is_read(other));
        if self.is_required(line) && !has_other || self.contract.is_unread(line, tree) {
            return true;
        }
        // A token has one end, so its second setting is not asked for.
        let is_answered = line.kind == ReplyValueKind::Time
            && (has_other || other.is_some_and(|other| self.absent.contains(&other)));
        is_changed && !is_answered && self.contract.is_suggested(line, tree, &self.sent)
    }
}
