//! Selecting the row of the reply from which a setting of the API contract should read.

use super::setting_form::SettingForm;
use super::{Stage, Teaching};
use crate::app::ui::list::{Move, moved_cursor};
use crate::contract::reply_setting::{TOKEN, WITHDRAWAL_ID, WITHDRAWAL_STATUS};
use crate::contract::{
    FigureFit, ReadValue, ReplySetting, RequestPart, TaughtSetting, may_carry_token,
};
use crate::trade::Operation;
use crate::words::Lang;

impl Teaching {
    pub(super) fn open_value_selection(&mut self, line: &'static ReplySetting, is_optional: bool) {
        if let Some(tree) = self.reply() {
            let lesson = self.lesson.as_ref();
            let cursor = lesson
                .and_then(|lesson| lesson.suggest_row(&self.contract, line))
                .or_else(|| self.contract.suggest_row(line, tree, &self.sent))
                .unwrap_or(0);
            let (preview, fit) = self.preview(line, cursor);
            let fault = self.value_fault(line, cursor);
            self.stage = Stage::SelectValue {
                line,
                cursor,
                is_optional,
                preview,
                fault,
                is_unfit: false,
                fit,
            };
        }
    }

    /// Changes a setting of the API contract so that it reads the value in the row under the
    /// cursor.
    pub(super) fn pick_row(&mut self, lang: Lang) {
        let Stage::SelectValue {
            line, cursor, fit, ..
        } = self.stage
        else {
            return;
        };
        let is_allowed = self.value_fault(line, cursor).is_none();
        let correction = self
            .corrections_for_row(line, cursor)
            .filter(|_| is_allowed);
        let lines = correction.filter(|(_, value)| *value != ReadValue::Nothing);
        if let (Some((lines, _)), FigureFit::FitsInOtherUnit) = (&lines, fit) {
            return self.open_unit_form(lines.clone(), lang);
        }
        let result = lines
            .filter(|_| fit == FigureFit::Fits)
            .map(|(lines, _)| self.apply_corrections(lines));
        if result == Some(Ok(())) {
            if line == WITHDRAWAL_ID {
                let state = self
                    .lesson
                    .as_ref()
                    .and_then(|lesson| lesson.only_state_row());
                self.propose_row(WITHDRAWAL_STATUS, state);
            }
            self.open_next_page();
        } else if let Stage::SelectValue { is_unfit, .. } = &mut self.stage {
            *is_unfit = true;
        }
    }

    pub(super) fn move_cursor(&mut self, to: Move) -> bool {
        let Some(last) = self.last_row() else {
            return false;
        };
        let Stage::SelectValue { line, cursor, .. } = self.stage else {
            self.cursor = moved_cursor(self.cursor, last, to);
            return true;
        };
        let row = moved_cursor(cursor, last, to);
        let (new_preview, new_fit) = self.preview(line, row);
        let new_fault = self.value_fault(line, row);
        if let Stage::SelectValue {
            cursor,
            preview,
            fault,
            is_unfit,
            fit,
            ..
        } = &mut self.stage
        {
            (*cursor, *preview, *is_unfit, *fit) = (row, new_preview, false, new_fit);
            *fault = new_fault;
        }
        true
    }

    /// The value that the setting `line` would read from the given row of the reply, and how it
    /// fits what was sent.
    pub(super) fn preview(&self, line: &ReplySetting, row: usize) -> (ReadValue, FigureFit) {
        match self.corrections_for_row(line, row) {
            Some((lines, value)) => (value, self.figure_fit(&lines)),
            None => (ReadValue::Nothing, FigureFit::Fits),
        }
    }

    /// The corrections with which the setting `line` reads the given row of the reply. Also returns
    /// the value that the setting then reads.
    pub(super) fn corrections_for_row(
        &self,
        line: &ReplySetting,
        row: usize,
    ) -> Option<(Vec<TaughtSetting>, ReadValue)> {
        let tree = self.reply()?;
        let row = tree.rows().get(row)?;
        let lines = self
            .contract
            .settings_to_read_at(line.name, &row.pointer, tree)?;
        if lines.iter().any(TaughtSetting::is_too_long) {
            return None;
        }
        let value = self
            .contract
            .with_taught(&lines)
            .ok()?
            .read_value(line, tree);
        Some((lines, value))
    }

    /// Opens the form for the header with the API token, if the body of a login has no token but a
    /// header may have it.
    pub(super) fn open_token_header(&mut self, lang: Lang) {
        let is_sought = match &self.stage {
            Stage::SelectValue { line, .. } => {
                *line == TOKEN
                    && self
                        .reply()
                        .is_some_and(|tree| !self.contract.can_be_taught(line, tree))
            }
            _ => self.operation() == Operation::Login && self.tree.is_none(),
        };
        let Ok(reply) = &self.exchange.reply else {
            return;
        };
        let mut names = reply.headers.iter().map(|(name, _)| name);
        let Some(name) = names.find(|name| is_sought && may_carry_token(name)) else {
            return;
        };
        let part = RequestPart::Setting {
            name: "login.token_header".to_owned(),
            words: vec![],
        };
        let mut form = SettingForm::of(&self.contract, self.operation(), &part, lang);
        if let Some(field) = form.form.field_mut("value") {
            field.fill(name);
        }
        self.stage = Stage::Edit(Box::new(form));
    }

    /// Remembers that a member which differs between the domains says nothing about their state.
    pub(super) fn remember_no_state(&mut self) {
        let setting = self
            .reply()
            .and_then(|tree| self.contract.setting_without_state(tree));
        // The contract accepts this setting, because its path was read from the reply.
        let _ = setting.map(|setting| self.apply_corrections(vec![setting]));
    }
}
