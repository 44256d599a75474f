//! A dialog that asks for confirmation. The button that goes back is on the left and has the focus
//! at first.

use crate::app::cx::{Cx, Question};
use crate::app::screen::{Buttons, Info, Offer, Screen, ScreenEvent, body};
use crate::app::store::clip::Clip;
use crate::app::store::frame_snapshot::Terms;
use crate::app::store::imports::{self, ImportCommand, LinksToCreate};
use crate::app::store::payable::{Payable, PayableUse};
use crate::app::store::profiles::{self, UnsavedWork};
use crate::app::store::withdrawals::WithdrawalsState;
use crate::app::store::{credential_trial, links, payable, payable_warnings, sales, teaching};
use crate::app::ui::parts::{all_quoted, boxed, paragraph, point, wrapped};
use crate::app::ui::scrolled::{TermsText, Text};
use crate::app::ui::{Action, Area, Line, Page, Role, geometry};
use crate::app::{Effect, HistoryCommand, MoneyCommand, Store};
use crate::trade::withdrawal::{Decision, WithdrawalState};
use crate::trade::{
    CredentialKind, Failure, IdempotencyKey, Money, Operation, Sale, Untrusted, Withdrawal,
};
use crate::words::{Catalogue, attempts, batch, failure, names, personal};

#[derive(Debug, Clone)]
pub struct Dialog {
    pub question: Question,
    /// The buttons for declining and for confirming.
    pub buttons: Buttons,
}

impl Dialog {
    pub fn new(question: Question) -> Dialog {
        Dialog {
            question,
            buttons: Buttons::armed_at(0),
        }
    }

    /// Opens the dialog at this time of the boot clock. A question whose answer creates links can
    /// be confirmed only after a delay, because the seller must have read it.
    pub fn open(question: Question, now_ms: u64) -> Dialog {
        let mut dialog = Dialog::new(question);
        if matches!(
            dialog.question,
            Question::CreateLinks(_) | Question::SendLineAgain { .. }
        ) {
            dialog.buttons.disable_for_delay(now_ms);
        }
        dialog
    }

    /// False if the question no longer applies, for example because the withdrawal now has a final
    /// outcome.
    fn is_relevant(&self, store: &Store) -> bool {
        let state = |key| {
            store
                .withdrawals
                .find(key)
                .map(|withdrawal| store.state_of(withdrawal))
        };
        match &self.question {
            Question::LeaveInFlight => store.withdrawals.in_flight.is_some(),
            Question::LeaveBatch => store.imports.is_sending(),
            Question::Found(key) => {
                state(*key).is_none_or(|state| WithdrawalsState::is_unclear(&state))
            }
            Question::Discard(key) => {
                state(*key).is_none_or(|state| state == WithdrawalState::Prepared)
            }
            Question::UsePayable {
                to: PayableUse::Remind,
                payable,
            } => !is_paid_meanwhile(store, payable.sale.as_deref()),
            Question::AlwaysEmpty { .. } => {
                store.withdrawals.in_flight.is_none() && store.withdrawals.open.is_empty()
            }
            _ => true,
        }
    }
}

/// True if the list shows that this link was paid after the dialog was opened.
fn is_paid_meanwhile(store: &Store, sale: Option<&Sale>) -> bool {
    let Some(Sale::Link(link)) = sale else {
        return false;
    };
    let mut rows = store.links.list.page.rows.iter();
    rows.any(|row| row.is_same(link) && row.paid.is_some())
}

fn decide(cx: &mut Cx, key: IdempotencyKey, choice: Decision) {
    cx.perform(Effect::Money(MoneyCommand::Decide { key, choice }));
}

impl Screen for Dialog {
    fn info(&self) -> Info {
        let confirms_by_click = !self.question.is_irreversible();
        Info {
            floats: true,
            blocks_pane_switch: true,
            confirms_by_click,
            ..Info::of("dialog")
        }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let words = store.words();
        let id = text_id(&self.question);
        let width = usize::from(geometry::inside(area.middle(WIDTH, 0)).width);
        let lines = question_lines(store, &self.question, width);
        let area = geometry::dialog_area(area, WIDTH, lines.len());
        let inside = boxed(&words.text(&format!("{id}.title")), area, page);
        // Reserve the last row for the buttons.
        let text = Text::compact(lines, inside.without_bottom(1));
        let terms = match text.overflow().lines {
            0 => TermsText::whole(text),
            _ => TermsText::paged(text),
        };
        let row = geometry::buttons(inside, terms.end());
        terms.draw(store.render_cx(), Line::default(), page);
        let confirm = self
            .buttons
            .confirm_button_state(self.buttons.are_armed(store), page);
        let back_label = words.text(&format!("{id}.back"));
        let confirm_label = words.text(&format!("{id}.do"));
        self.buttons
            .show([&back_label, &confirm_label], confirm, row, page);
    }

    body!(Dialog(buttons), None);

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            // Ignore a paste. In other dialogs it disables the buttons for a moment, but nothing
            // can be typed into this dialog.
            ScreenEvent::Pasted => {}
            ScreenEvent::StoreChanged if !self.is_relevant(cx.store) => cx.close(),
            ScreenEvent::Back => {
                let Question::TryCredential {
                    operation, failure, ..
                } = &self.question
                else {
                    return false;
                };
                cx.close();
                credential_trial::decline(cx, *operation, failure);
            }
            _ => return false,
        }
        true
    }

    /// Runs the action that the dialog asked about.
    fn act(&mut self, cx: &mut Cx, action: Action) {
        if action != Action::Press {
            return;
        }
        cx.close();
        match self.question.clone() {
            Question::DropForm => cx.close_front(),
            Question::LeaveInFlight | Question::DropAndLeave => {
                cx.store.leaving = true;
                cx.perform(Effect::Leave);
            }
            Question::LeaveBatch => {
                cx.store.imports.leaves_when_stopped = true;
                imports::stop(cx);
            }
            Question::CreateLinks(links) => imports::begin(cx, &links),
            Question::SendLineAgain { batch, line } => {
                let line = line.number;
                cx.perform(Effect::Import(ImportCommand::SendAgain { batch, line }));
            }
            Question::EndBatch { batch, .. } => {
                let lang = cx.store.setup.lang;
                cx.perform(Effect::Import(ImportCommand::End { batch, lang }));
            }
            Question::LogOut => cx.perform(Effect::LogOut),
            Question::UsePayable { to, payable } => payable::perform_use(cx, *payable, to),
            Question::Discard(key) => decide(cx, key, Decision::Discarded),
            Question::Found(key) => decide(cx, key, Decision::FoundPaid),
            Question::PutAway(link) => {
                let since = Some(cx.store.now.wall);
                cx.perform(Effect::History(HistoryCommand::PutAway { link, since }));
            }
            Question::RemoveSale(sale) => {
                cx.perform(Effect::History(HistoryCommand::RemoveSale(sale)))
            }
            Question::UseMemory => cx.perform(Effect::UseMemory),
            Question::TryCredential {
                operation, other, ..
            } => credential_trial::begin(cx, operation, other),
            Question::AlwaysEmpty {
                lines, exchange, ..
            } => {
                let ticket = cx.store.next_ticket();
                cx.perform(Effect::Teach {
                    ticket,
                    lines,
                    exchange,
                })
            }
            Question::SwitchProfile { to, losses } => {
                let effect = profiles::ask(cx.store, to, losses);
                cx.perform(effect);
            }
        }
    }

    fn offer(&self, store: &Store) -> Option<Offer> {
        let withdrawal = match &self.question {
            Question::Found(key) => store.withdrawals.find(*key),
            _ => None,
        };
        Some(Offer {
            terms: Terms::Question(self.question.clone()),
            may_confirm: true,
            amount: withdrawal.map(|withdrawal| withdrawal.agreement.amount),
        })
    }
}

/// The width of the dialog box, in columns.
const WIDTH: u16 = 66;

fn text_id(question: &Question) -> &'static str {
    match question {
        Question::DropForm => "ask-drop-form",
        Question::LeaveInFlight => "ask-leave",
        Question::DropAndLeave => "ask-drop-and-leave",
        Question::CreateLinks(_) => "ask-create-links",
        Question::SendLineAgain { .. } => "ask-line-again",
        Question::EndBatch { .. } => "ask-end-batch",
        Question::LeaveBatch => "ask-leave-batch",
        Question::LogOut => "ask-log-out",
        Question::UsePayable { to, payable } => {
            let is_code = payable.code.clip == Clip::PixCode;
            match to {
                PayableUse::Remind => "ask-remind",
                PayableUse::Copy | PayableUse::Message if is_code => "ask-copy-code",
                PayableUse::Copy | PayableUse::Message => "ask-copy-odd",
                PayableUse::WhatsApp if is_code => "ask-share-code",
                _ if is_code => "ask-show-code",
                PayableUse::Browser => "ask-browse-odd",
                PayableUse::WhatsApp => "ask-share-odd",
                PayableUse::Qr => "ask-qr-odd",
            }
        }
        Question::Discard(_) => "ask-discard",
        Question::Found(_) => "ask-found",
        Question::PutAway(_) => "ask-put-away",
        Question::RemoveSale(sale) => match (&**sale, sales::may_exist(sale)) {
            (Sale::Link(_), true) => "ask-remove-link",
            (Sale::Charge(_), true) => "ask-remove-charge",
            (_, false) => "ask-remove",
        },
        Question::UseMemory => "ask-use-memory",
        Question::TryCredential {
            other: CredentialKind::Jwt,
            ..
        } => "ask-try-jwt",
        Question::TryCredential {
            other: CredentialKind::ApiToken,
            ..
        } => "ask-try-token",
        Question::AlwaysEmpty { .. } => "ask-always-empty",
        Question::SwitchProfile { .. } => "ask-switch",
    }
}

fn question_lines(store: &Store, question: &Question, width: usize) -> Vec<Line> {
    match question {
        Question::UsePayable {
            to: PayableUse::Remind,
            payable,
        } => reminder_lines(store, payable, &store.text(text_id(question)), width),
        Question::UsePayable { payable, .. } => suspicious_code_lines(
            store.words(),
            payable,
            &store.text(text_id(question)),
            width,
        ),
        Question::Discard(key) | Question::Found(key) => {
            withdrawal_lines(store, question, *key, width)
        }
        Question::PutAway(link) => {
            let what = (link.request.amount, &*link.request.description);
            sale_lines(store, question, what, width)
        }
        Question::RemoveSale(sale) => {
            sale_lines(store, question, sale.amount_and_description(), width)
        }
        Question::CreateLinks(links) => links_to_create_lines(store, links, width),
        Question::SendLineAgain { line, .. } => {
            let what = format!(
                "{} · {}",
                line.amount,
                Untrusted::shown_of(&line.description)
            );
            let number = line.number.to_string();
            let text = store.with(text_id(question), &[("line", &number)]);
            [
                wrapped(Role::Strong, &what, width),
                paragraph(Role::Warn, &text, width),
            ]
            .concat()
        }
        Question::EndBatch { waiting, .. } => {
            let text = store.words().count(text_id(question), *waiting, &[]);
            wrapped(Role::Text, &text, width)
        }
        Question::SwitchProfile { to, losses } => {
            profile_switch_lines(store.words(), to, *losses, width)
        }
        Question::TryCredential {
            operation,
            other,
            failure,
        } => trial_lines(store, question, (*operation, *other, failure), width),
        Question::AlwaysEmpty { status, .. } => {
            let status = status.to_string();
            let text = store.with(text_id(question), &[("status", &status)]);
            wrapped(Role::Text, &text, width)
        }
        question => wrapped(Role::Text, &store.text(text_id(question)), width),
    }
}

/// Lays out a question about a payment link or direct payment: its amount and description, and the
/// question.
fn sale_lines(
    store: &Store,
    question: &Question,
    (amount, description): (Money, &str),
    width: usize,
) -> Vec<Line> {
    let what = format!("{amount} · {}", Untrusted::shown_of(description));
    let mut lines = wrapped(Role::Strong, &what, width);
    lines.extend(paragraph(Role::Text, &store.text(text_id(question)), width));
    lines
}

/// Lays out the question whether to create the links of a file: their number and sum, the account,
/// and the lines that are left out or created again.
fn links_to_create_lines(store: &Store, links: &LinksToCreate, width: usize) -> Vec<Line> {
    let words = store.words();
    let identity = personal::name(words, &links.account.identity).shown();
    let origin = Untrusted::shown_of(&links.account.origin.0);
    let values = [("identity", &*identity), ("origin", &origin)];
    let mut lines = wrapped(Role::Strong, &batch::figures(words, &links.figures), width);
    let account = words.with("batch-account", &values);
    lines.extend(wrapped(Role::Text, &account, width));
    let existing_id = if links.sends_existing {
        "ask-create-links-existing"
    } else {
        "ask-create-links-skipped"
    };
    for (id, count) in [
        ("ask-create-links-faults", links.faults),
        (existing_id, links.existing),
    ] {
        if count > 0 {
            lines.extend(paragraph(Role::Warn, &words.count(id, count, &[]), width));
        }
    }
    let text = words.text("ask-create-links");
    lines.extend(paragraph(Role::Dim, &text, width));
    lines
}

/// Lays out the question whether to switch to another profile: its name, and a warning for each
/// kind of data that would be lost, such as typed text.
fn profile_switch_lines(
    words: &Catalogue,
    to: &str,
    losses: UnsavedWork,
    width: usize,
) -> Vec<Line> {
    let name = personal::name(words, to).shown_within(width);
    let mut lines = vec![Line::of(Role::Strong, name), Line::default()];
    let warnings = [
        (losses.typed, "ask-switch-typed"),
        (losses.credentials, "ask-switch-credentials"),
        (losses.records, "ask-switch-records"),
    ];
    for (_, id) in warnings.iter().filter(|(is_lost, _)| *is_lost) {
        lines.extend(point(Role::Warn, &words.text(id), width));
    }
    lines
}

/// Lays out the question whether to try another credential: the service's own text, the question,
/// and the setting of the API contract that changes, old beside new.
fn trial_lines(
    store: &Store,
    question: &Question,
    (operation, other, failure): (Operation, CredentialKind, &Failure),
    width: usize,
) -> Vec<Line> {
    let words = store.words();
    let id = text_id(question);
    let what = names::operation(words, operation);
    let mut lines = wrapped(Role::Text, &words.with(id, &[("what", &what)]), width);
    if let Failure::Unauthorized { refusal, .. } = failure {
        lines.extend(all_quoted(&failure::quotes(words, refusal), width));
    }
    lines.extend(paragraph(
        Role::Text,
        &words.text(&format!("{id}.offer")),
        width,
    ));
    lines.push(Line::default());
    let new = credential_trial::setting(operation, other);
    lines.extend(wrapped(
        Role::Good,
        &format!("{} = {}", new.name, new.value.text()),
        width,
    ));
    if let Some(old) = store.setup.contract.value(&new.name) {
        let old = words.with("teach-was", &[("old", &old.text())]);
        lines.extend(wrapped(Role::Dim, &old, width));
    }
    lines
}

/// Lays out a question about one withdrawal: its amount if known, the question and its idempotency
/// key.
fn withdrawal_lines(
    store: &Store,
    question: &Question,
    key: IdempotencyKey,
    width: usize,
) -> Vec<Line> {
    let withdrawal = store.withdrawals.find(key);
    let mut lines = Vec::new();
    if let Some(withdrawal) = withdrawal {
        let amount = withdrawal.agreement.amount.to_string();
        let text = store.with("ask-withdrawal-of", &[("amount", &amount)]);
        lines.extend(wrapped(Role::Strong, &text, width));
    }
    lines.extend(wrapped(Role::Text, &store.text(text_id(question)), width));
    let contradiction = withdrawal.and_then(Withdrawal::contradiction);
    if let (Question::Found(_), Some(alarm)) = (question, contradiction) {
        // The reply named another amount or destination than the request. The withdrawal that the
        // seller found may have either value, so show both.
        let (sent, got) = attempts::both_sides(store.words(), alarm);
        let either = store.with("ask-found-either", &[("sent", &sent), ("got", &got)]);
        lines.extend(wrapped(Role::Bad, &either, width));
    }
    let unproven = withdrawal.and_then(|withdrawal| teaching::unproven_code(store, withdrawal));
    if let (Question::Found(_), Some(unproven)) = (question, unproven) {
        let code = personal::service_text(store.words(), &unproven.code).shown_within(60);
        lines.extend(wrapped(
            Role::Text,
            &store.with("ask-found-code", &[("code", &code)]),
            width,
        ));
    }
    lines.extend(paragraph(Role::Dim, &key.to_string(), width));
    lines
}

/// Lays out the reminder of a payment link, the warnings about its URL, and the question.
fn reminder_lines(store: &Store, payable: &Payable, question: &str, width: usize) -> Vec<Line> {
    let words = store.words();
    let url = &payable.code.text;
    let mut lines = Vec::new();
    if let Some(Sale::Link(link)) = payable.sale.as_deref() {
        let note = personal::note(words, link.note.as_deref().unwrap_or_default()).shown();
        for text in links::reminder(store, link, url, &note).lines() {
            lines.extend(wrapped(Role::Text, &Untrusted::shown_of(text), width));
        }
        lines.push(Line::default());
    }
    for warning in &payable.warnings {
        lines.extend(point(warning.role(), &warning.describe(words, url), width));
    }
    lines.extend(wrapped(Role::Strong, question, width));
    lines
}

/// Lays out a question about a suspicious URL or Pix code, followed by the warnings about it.
fn suspicious_code_lines(
    words: &Catalogue,
    payable: &Payable,
    question: &str,
    width: usize,
) -> Vec<Line> {
    let text = &payable.code.text;
    let mut lines = Untrusted::without_masking(|| match payable.code.clip {
        Clip::PixCode => vec![Line::of(Role::Strong, text.shown_within(width))],
        _ => wrapped(
            Role::Strong,
            &payable_warnings::mark_unsafe_characters(text).shown_within(width * 3),
            width,
        ),
    });
    lines.push(Line::default());
    for warning in &payable.warnings {
        lines.extend(point(warning.role(), &warning.describe(words, text), width));
    }
    lines.extend(paragraph(Role::Text, question, width));
    lines
}
