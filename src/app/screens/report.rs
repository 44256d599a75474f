//! The report: the figures of a day, a week, a month or any period, beside those of the period
//! before.
//!
//! The figures are computed by the history and by the journal of withdrawals, and arrive in two
//! messages. Until they arrive, the previous figures stay visible.

mod show;

use crate::app::cx::Cx;
use crate::app::message::ReportRequest;
use crate::app::screen::{Actions, BodyMut, Info, Screen, ScreenBody, ScreenEvent, form_actions};
use crate::app::ui::form::{Field, Form, Label};
use crate::app::ui::{Action, Area, Page};
use crate::app::{Effect, MoneyCommand, Msg, Pane, Store, Wait};
use crate::trade::JournalTrouble;
use crate::trade::report::{SalesReport, Step, WithdrawalFigures};
use crate::trade::search::{Period, reading};

/// The name of the field in which a period is typed.
const FIELD: &str = "period";

/// The maximum number of letters of a typed period.
const MAX_TYPED: usize = 40;

#[derive(Debug, Clone)]
pub struct Report {
    /// The length of the period; `None` if the seller typed it.
    step: Option<Step>,
    /// The days that the report is about.
    days: Period,
    /// The figures of links and charges, with the days that they belong to.
    sales: Option<(Period, Box<SalesReport>)>,
    /// The figures of withdrawals: of the period, and of the one before.
    withdrawals: Option<(Period, [WithdrawalFigures; 2])>,
    /// The reason why the figures of links and charges, or of withdrawals, could not be read.
    troubles: [Option<JournalTrouble>; 2],
    wait: Option<Wait>,
    /// Whether the figures of links and charges, and those of withdrawals, are still to come.
    awaited: [bool; 2],
    /// The form in which the seller types another period.
    form: Option<Form>,
    /// True if the text of the form was not understood.
    is_not_understood: bool,
}

impl Report {
    /// Opens the page for the current month, and loads its figures.
    pub fn open(cx: &mut Cx) -> Report {
        let mut page = Report {
            step: Some(Step::Month),
            days: Step::Month.period_of(today(cx.store)),
            sales: None,
            withdrawals: None,
            troubles: [None, None],
            wait: None,
            awaited: [false; 2],
            form: None,
            is_not_understood: false,
        };
        page.load(cx);
        page
    }

    fn load(&mut self, cx: &mut Cx) {
        self.troubles = [None, None];
        let wait = cx.store.wait();
        self.wait = Some(wait);
        self.awaited = [true; 2];
        let request = ReportRequest {
            ticket: wait.ticket,
            days: self.days,
            before: self.neighbour(false),
            utc_offset_s: cx.store.setup.utc_offset_s,
        };
        cx.perform(Effect::LoadReport(request));
        cx.perform(Effect::Money(MoneyCommand::Report(request)));
    }

    /// The period of the same length before this one, or after it.
    fn neighbour(&self, is_after: bool) -> Period {
        let Period { first, last } = self.days;
        if let Some(step) = self.step {
            return step.period_of(if is_after { last + 1 } else { first - 1 });
        }
        let length = last - first + 1;
        let by = if is_after { length } else { -length };
        Period {
            first: first + by,
            last: last + by,
        }
    }

    fn show_days(&mut self, cx: &mut Cx, step: Option<Step>, days: Period) {
        self.step = step;
        self.days = days;
        self.load(cx);
    }

    /// Changes the length: from a day to a week, a month, and a day again. The new period contains
    /// today if the old one did, and otherwise its last day.
    fn change_length(&mut self, cx: &mut Cx) {
        let step = match self.step {
            Some(Step::Day) => Step::Week,
            Some(Step::Week) => Step::Month,
            Some(Step::Month) | None => Step::Day,
        };
        let day = today(cx.store).clamp(self.days.first, self.days.last);
        self.show_days(cx, Some(step), step.period_of(day));
    }

    /// Shows the period that the seller has typed.
    fn submit(&mut self, cx: &mut Cx) {
        let Some(form) = &mut self.form else {
            return;
        };
        if !form.check() {
            return;
        }
        let (reading, _) = reading::read(&form.value(FIELD), today(cx.store), false);
        match reading.period {
            Some(days) => {
                self.form = None;
                self.show_days(cx, None, days);
            }
            None => self.is_not_understood = true,
        }
    }

    /// Stores figures that have arrived. The page waits until both parts are there.
    fn on_message(&mut self, msg: &Msg) -> bool {
        let ticket = self.wait.map(|wait| wait.ticket);
        match msg {
            Msg::ReportLoaded { ticket: of, result } if Some(*of) == ticket => {
                self.awaited[0] = false;
                match result {
                    Ok(sales) => {
                        self.sales = Some((self.days, sales.clone()));
                        self.troubles[0] = None;
                    }
                    Err(trouble) => self.troubles[0] = Some(trouble.clone()),
                }
            }
            Msg::WithdrawalsReported { ticket: of, result } if Some(*of) == ticket => {
                self.awaited[1] = false;
                match result {
                    Ok(figures) => {
                        self.withdrawals = Some((self.days, *figures));
                        self.troubles[1] = None;
                    }
                    Err(trouble) => self.troubles[1] = Some(trouble.clone()),
                }
            }
            _ => return false,
        }
        if self.awaited == [false; 2] {
            self.wait = None;
        }
        true
    }

    /// The figures of links and charges. Those of other days are not shown.
    pub fn shown_sales(&self) -> Option<&SalesReport> {
        let (days, sales) = self.sales.as_ref()?;
        (*days == self.days).then_some(sales)
    }

    /// The figures of withdrawals, like [`shown_sales`](Self::shown_sales).
    pub fn shown_withdrawals(&self) -> Option<&[WithdrawalFigures; 2]> {
        let (days, figures) = self.withdrawals.as_ref()?;
        (*days == self.days).then_some(figures)
    }
}

fn today(store: &Store) -> i64 {
    store.now.wall.local_day(store.setup.utc_offset_s)
}

impl Screen for Report {
    fn info(&self) -> Info {
        Info {
            cancels: self.wait.map(|wait| wait.ticket),
            was_typed: Some(false),
            submits: Some("period"),
            ..Info::in_pane("report", Pane::Links)
        }
    }

    fn body(&self) -> ScreenBody<'_> {
        self.form
            .as_ref()
            .map_or(ScreenBody::Text, ScreenBody::Form)
    }

    fn body_mut(&mut self) -> BodyMut<'_> {
        self.form.as_mut().map_or(BodyMut::Text, BodyMut::Form)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        match &self.form {
            Some(form) => show::draw_form(store, form, self.is_not_understood, area, page),
            None => self.draw(store, area, page),
        }
    }

    fn actions(&self, _: &Store, _: bool) -> Actions {
        if let Some(form) = &self.form {
            return Actions::from(form_actions(form, None)).word(Action::Submit, "period");
        }
        let offered = vec![
            Action::PrevPane,
            Action::NextPane,
            Action::FilterDay,
            Action::Search,
            Action::Refresh,
            Action::Down,
            Action::Up,
        ];
        Actions::from(offered)
            .word(Action::PrevPane, "period")
            .word(Action::NextPane, "period")
            .word(Action::FilterDay, "length")
            .word(Action::Search, "period")
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match action {
            Action::PrevPane => self.show_days(cx, self.step, self.neighbour(false)),
            Action::NextPane => self.show_days(cx, self.step, self.neighbour(true)),
            Action::FilterDay => self.change_length(cx),
            Action::Refresh => self.load(cx),
            Action::Search => {
                let label = Label::Word("report-period");
                let field = Field::text(FIELD, label, true, MAX_TYPED);
                self.form = Some(Form::new(vec![field]));
                self.is_not_understood = false;
            }
            Action::Submit => self.submit(cx),
            _ => {}
        }
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Back if self.form.is_some() => self.form = None,
            ScreenEvent::Edited => self.is_not_understood = false,
            ScreenEvent::Message(Msg::HistoryChanged | Msg::JournalChanged) => self.load(cx),
            ScreenEvent::Message(msg) => return self.on_message(msg),
            _ => return false,
        }
        true
    }
}
