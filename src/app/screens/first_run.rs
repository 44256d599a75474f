//! The set-up at the first start: one short page for each setting.
//!
//! The seller can quit at any page and continue there later, because the runtime saves the answers.

use std::sync::Arc;
use std::time::Duration;

use crate::app::cx::Cx;
use crate::app::screen::{Actions, Info, Screen, ScreenEvent, body, form_actions};
use crate::app::store::first_run::{ConnectionResult, SetUpAnswer, SetUpCommand, SetupAnswers};
use crate::app::ui::action::Action;
use crate::app::ui::block::{Block, blocks};
use crate::app::ui::form::{Choice, Field, Form, Label};
use crate::app::ui::form_page::{self, FormPage};
use crate::app::ui::parts::{pair, paragraph, wrapped};
use crate::app::ui::text::capital;
use crate::app::ui::{Area, Line, Page, Role, panel, sent_form};
use crate::app::{Effect, Msg, Notice, Store};
use crate::contract::PRESETS;
use crate::trade::withdrawal::NotSent;
use crate::trade::{AddressFault, Failure, Ticket, Untrusted, VaultKind};
use crate::words::failure::{self, Activity};
use crate::words::{Catalogue, Lang, names, personal};

/// How long typing must pause, in milliseconds, before the address is checked.
const TYPING_PAUSE_MS: u64 = 400;

const MAX_NAME: usize = 32;

const MAX_ADDRESS: usize = 200;

/// The steps in the panel beside the pages.
const STEPS: [&str; 3] = [
    "first-steps-save",
    "first-steps-secret",
    "first-steps-login",
];

/// A page of the set-up, named after the setting that it asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetupStep {
    Name,
    Address,
    /// The choice of a preset (ready-made settings) for the API contract.
    Contract,
    /// The choice of the vault that stores the credentials.
    Vault,
    /// The summary, shown before the settings are written.
    Write,
}

impl SetupStep {
    pub const ALL: [SetupStep; 5] = [
        SetupStep::Name,
        SetupStep::Address,
        SetupStep::Contract,
        SetupStep::Vault,
        SetupStep::Write,
    ];
}

/// The progress of checking the typed service address.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AddressState {
    /// When the check starts, in milliseconds of the boot clock.
    pub due_ms: Option<u64>,
    /// The ticket of the pending check, and whether a valid address opens the next page.
    pending_check: Option<(Ticket, bool)>,
    /// The valid address, completed with its scheme (such as `https://`), or its fault; `None`
    /// until checked.
    pub parsed_address: Option<Result<Arc<str>, AddressFault>>,
    /// The result of connecting to the address; `None` before the first try.
    pub connection_result: Option<Result<ConnectionResult, Failure>>,
}

impl AddressState {
    /// True while the program is trying to connect to the service.
    pub fn is_connecting(&self) -> bool {
        self.valid_address().is_some() && self.connection_result.is_none()
    }

    fn valid_address(&self) -> Option<&Arc<str>> {
        self.parsed_address.as_ref()?.as_ref().ok()
    }
}

#[derive(Debug, Clone)]
pub struct FirstRun {
    pub answers: SetupAnswers,
    /// The form with the field of the current page.
    pub form: Form,
    pub address: AddressState,
    /// The credential stores that work on this computer; `None` until they were tested.
    pub vaults: Option<Vec<VaultKind>>,
    /// The ticket of the pending request to test the vaults or to write the settings.
    pending: Option<Ticket>,
    /// The error that occurred when the profile was written.
    pub write_error: Option<Untrusted>,
}

impl FirstRun {
    /// Opens the set-up with these saved answers, at the page where the seller stopped.
    pub fn open(cx: &mut Cx, mut answers: SetupAnswers) -> FirstRun {
        answers.step = answers.step.min(SetupStep::ALL.len() - 1);
        if answers.name.is_empty() {
            answers.name = if cx.store.setup.lang == Lang::Pt {
                "loja"
            } else {
                "shop"
            }
            .into();
        }
        let mut page = FirstRun {
            answers,
            form: Form::new(vec![]),
            address: AddressState::default(),
            vaults: None,
            pending: None,
            write_error: None,
        };
        page.go_to(cx, page.answers.step);
        page
    }

    pub fn step(&self) -> SetupStep {
        SetupStep::ALL[self.answers.step.min(SetupStep::ALL.len() - 1)]
    }

    /// The answers to save, including the text in the current field.
    ///
    /// An address that may contain a password or a token is left out.
    pub fn answers_to_save(&self) -> SetupAnswers {
        let mut answers = self.answers.clone();
        match self.step() {
            SetupStep::Name => answers.name = self.form.value("name"),
            SetupStep::Address => {
                let typed = self.form.value("address");
                let address = self
                    .address
                    .valid_address()
                    .map_or(typed, |valid| valid.to_string());
                answers.address = if address.contains(['@', '?', '#']) {
                    "".into()
                } else {
                    address
                };
            }
            SetupStep::Contract => {
                answers.contract = self
                    .form
                    .field("contract")
                    .map_or(answers.contract, Field::value);
            }
            // The page has no field until the vaults were tested.
            SetupStep::Vault => {
                answers.vault = self.form.field("vault").map_or(answers.vault, Field::value)
            }
            SetupStep::Write => {}
        }
        answers
    }

    /// Opens a page and starts its background work, such as testing the vaults.
    fn go_to(&mut self, cx: &mut Cx, step: usize) {
        self.answers.step = step;
        self.write_error = None;
        self.form = Form::new(self.fields());
        match self.step() {
            SetupStep::Address if !self.answers.address.is_empty() => self.check_address(cx, false),
            SetupStep::Contract => {
                let index = PRESETS
                    .iter()
                    .position(|preset| *preset.name == *self.answers.contract);
                self.form
                    .choose("contract", index.map_or(0, |index| index + 1));
            }
            SetupStep::Vault => self.test_vaults(cx),
            _ => {}
        }
    }

    fn fields(&self) -> Vec<Field> {
        match self.step() {
            SetupStep::Name => {
                vec![text_field("name", "first-name", MAX_NAME, &self.answers.name).personal()]
            }
            SetupStep::Address => {
                vec![text_field(
                    "address",
                    "first-address",
                    MAX_ADDRESS,
                    &self.answers.address,
                )]
            }
            SetupStep::Contract => {
                let mut options = vec![Choice::from_message("", "first-documented")];
                options.extend(
                    PRESETS
                        .iter()
                        .map(|preset| Choice::from_external_text(preset.name)),
                );
                vec![Field::choice(
                    "contract",
                    Label::Word("first-contract"),
                    options,
                )]
            }
            SetupStep::Vault => {
                let Some(vaults) = &self.vaults else {
                    return vec![];
                };
                let options = vaults
                    .iter()
                    .map(|kind| Choice::from_message(kind.name(), vault_label(*kind)))
                    .collect();
                vec![Field::choice("vault", Label::Word("first-vault"), options)]
            }
            SetupStep::Write => vec![],
        }
    }

    /// Checks the typed address. If `go_on` is true, a valid address opens the next page.
    fn check_address(&mut self, cx: &mut Cx, go_on: bool) {
        let ticket = cx.store.next_ticket();
        let address: Arc<str> = self.form.value("address").trim().into();
        self.address = AddressState {
            pending_check: Some((ticket, go_on)),
            ..AddressState::default()
        };
        cx.perform(Effect::SetUp(SetUpCommand::CheckAddress {
            ticket,
            address,
        }))
    }

    /// Tests which credential stores work. The test runs on each visit to the page, because a
    /// keyring may have been unlocked since.
    fn test_vaults(&mut self, cx: &mut Cx) {
        let ticket = cx.store.next_ticket();
        (self.vaults, self.pending) = (None, Some(ticket));
        self.form = Form::new(vec![]);
        cx.perform(Effect::SetUp(SetUpCommand::TryVaults(ticket)))
    }

    /// Saves the answer of the current page, and opens the next page.
    fn next_page(&mut self, cx: &mut Cx) {
        self.answers = self.answers_to_save();
        self.go_to(cx, self.answers.step + 1)
    }

    fn on_address_reply(&mut self, cx: &mut Cx, ticket: Ticket, answer: &SetUpAnswer) {
        let check = self
            .address
            .pending_check
            .filter(|(pending, _)| *pending == ticket);
        let Some((_, go_on)) = check else { return };
        match answer {
            SetUpAnswer::AddressChecked(parsed) => {
                self.address.parsed_address = Some(parsed.clone());
                self.address.pending_check = parsed.is_ok().then_some((ticket, false));
                // A well-formed address is enough to go on. A failed connection does not block the
                // set-up, because the address may still be right.
                if go_on && parsed.is_ok() && self.step() == SetupStep::Address {
                    self.next_page(cx);
                }
            }
            SetUpAnswer::Reached(reached) => {
                self.address.connection_result = Some(reached.clone());
                self.address.pending_check = None;
            }
            _ => {}
        }
    }

    /// Returns to the previous page. On the first page, quits the program.
    fn page_back(&mut self, cx: &mut Cx) {
        self.answers = self.answers_to_save();
        self.pending = None;
        match self.answers.step.checked_sub(1) {
            Some(previous) => self.go_to(cx, previous),
            None => {
                cx.store.leaving = true;
                cx.perform(Effect::Leave)
            }
        }
    }

    fn on_reply(&mut self, cx: &mut Cx, ticket: Ticket, answer: &SetUpAnswer) {
        match answer {
            SetUpAnswer::Vaults(vaults) if self.pending == Some(ticket) => {
                (self.pending, self.vaults) = (None, Some(vaults.clone()));
                self.form = Form::new(self.fields());
                let earlier_choice = vaults
                    .iter()
                    .position(|kind| *kind.name() == *self.answers.vault);
                self.form.choose("vault", earlier_choice.unwrap_or(0));
            }
            SetUpAnswer::Written(result) if self.pending == Some(ticket) => {
                self.pending = None;
                match result {
                    Err(error) => self.write_error = Some(error.clone()),
                    Ok(()) => {
                        cx.store.profiles.next = Some(self.answers.name.as_str().into());
                        cx.store.leaving = true;
                        cx.perform(Effect::Leave)
                    }
                }
            }
            answer => self.on_address_reply(cx, ticket, answer),
        }
    }
}

fn vault_label(kind: VaultKind) -> &'static str {
    match kind {
        VaultKind::Keyring => "first-vault-keyring",
        VaultKind::Keyutils => "first-vault-keyutils",
        // The set-up offers only three kinds of vault. The third keeps the credentials in memory.
        _ => "first-vault-memory",
    }
}

fn text_field(name: &str, label: &'static str, max: usize, value: &str) -> Field {
    let mut field = Field::text(name, Label::Word(label), true, max);
    field.fill(value);
    field
}

impl Screen for FirstRun {
    /// Sets `was_typed` to false, so that no dialog warns about lost input. The typed answers are
    /// saved.
    fn info(&self) -> Info {
        Info {
            is_fullscreen: true,
            was_typed: Some(false),
            blocks_pane_switch: true,
            has_no_way_back: self.answers.step == 0,
            ..Info::of("beginning")
        }
    }

    fn show(&self, store: &Store, _: Area, page: &mut Page) {
        let (body, foot) = page.area.split_bottom(1);
        page.keys = Some(foot);
        let area = panel::put_steps(store.render_cx(), &STEPS, body.readable(), page);
        let progress = format!("{}/{}", self.answers.step + 1, SetupStep::ALL.len());
        let width = form_page::inner_width(area);
        let submit = match self.step() {
            SetupStep::Write => "first-write",
            _ => "first-go-on",
        };
        let form = FormPage {
            title: store.text("first-title"),
            aside: Line::of(Role::Dim, progress),
            head: blocks(head_lines(store.words(), self, width)),
            form: &self.form,
            submit: store.text(submit),
            below: vec![Block::cut(
                form_page::BELOW_PRIORITY,
                sent_form::MIN_FAILURE_ROWS,
                below_form_lines(store, self, width),
            )],
        };
        form.draw(store.words(), area, page);
    }

    body!(Form(form));

    /// Omits the action for the next field, because a page has at most one field.
    fn actions(&self, _: &Store, _: bool) -> Actions {
        let mut offered = form_actions(&self.form, None);
        offered.retain(|action| *action != Action::NextField);
        offered.extend((self.answers.step == 0).then_some(Action::Leave));
        Actions::from(offered).word(Action::Submit, "continue")
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        if action != Action::Submit || !self.form.check() {
            return;
        }
        match self.step() {
            SetupStep::Address => match self.address.parsed_address {
                Some(Ok(_)) => self.next_page(cx),
                Some(Err(_)) => cx.store.notify(Notice::warn("said-see-field")),
                None => self.check_address(cx, true),
            },
            SetupStep::Vault if self.vaults.is_none() => {
                cx.store.notify(Notice::warn("first-vault-trying"));
            }
            SetupStep::Name | SetupStep::Contract | SetupStep::Vault => self.next_page(cx),
            SetupStep::Write if self.pending.is_some() => {}
            SetupStep::Write => {
                let ticket = cx.store.next_ticket();
                let answers = Box::new(self.answers.clone());
                (self.pending, self.write_error) = (Some(ticket), None);
                cx.perform(Effect::SetUp(SetUpCommand::Write { ticket, answers }))
            }
        }
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Edited => {
                self.form.touched = false;
                if self.step() == SetupStep::Address {
                    let due_ms = Some(cx.store.now.boot_ms + TYPING_PAUSE_MS);
                    self.address = AddressState {
                        due_ms,
                        ..AddressState::default()
                    };
                }
            }
            ScreenEvent::Deadline => {
                if self
                    .address
                    .due_ms
                    .is_some_and(|due_ms| cx.store.now.boot_ms >= due_ms)
                {
                    if self.form.value("address").trim().is_empty() {
                        self.address = AddressState::default();
                    } else {
                        self.check_address(cx, false);
                    }
                }
            }
            ScreenEvent::Back => self.page_back(cx),
            ScreenEvent::Message(Msg::SetUp { ticket, answer }) => {
                self.on_reply(cx, *ticket, answer)
            }
            _ => return false,
        }
        true
    }

    fn next_deadline(&self, store: &Store, front: bool) -> Option<Duration> {
        let due = self.address.due_ms.filter(|_| front)?;
        Some(Duration::from_millis(due.saturating_sub(store.now.boot_ms)))
    }
}

fn head_lines(words: &Catalogue, first: &FirstRun, width: usize) -> Vec<Line> {
    let id = match first.step() {
        SetupStep::Name => "first-name-what",
        SetupStep::Address => "first-address-what",
        SetupStep::Contract => "first-contract-what",
        SetupStep::Vault => "first-vault-what",
        SetupStep::Write => return summary_lines(words, first, width),
    };
    let mut lines = wrapped(Role::Text, &words.text(id), width);
    if first.step() == SetupStep::Name {
        lines.extend(paragraph(Role::Dim, &words.text("first-demo"), width));
    }
    lines
}

fn summary_lines(words: &Catalogue, first: &FirstRun, width: usize) -> Vec<Line> {
    let answers = &first.answers;
    let mut lines = wrapped(Role::Text, &words.text("first-write-what"), width);
    lines.push(Line::default());
    let name = personal::name(words, &answers.name);
    lines.extend(pair(&words.text("first-name"), &name.shown(), width));
    lines.extend(pair(
        &words.text("first-address"),
        &Untrusted::shown_of(&answers.address),
        width,
    ));
    let contract = match answers.contract.as_str() {
        "" => words.text("first-documented"),
        preset => Untrusted::shown_of(preset),
    };
    lines.extend(pair(&words.text("first-contract"), &contract, width));
    let vault = VaultKind::of_name(&answers.vault).map(vault_label);
    let vault = vault.map(|label| words.text(label)).unwrap_or_default();
    lines.extend(pair(&words.text("first-vault"), &vault, width));
    lines
}

/// Lays out the text below the field: an explanation of the answer, or the result of a check.
fn below_form_lines(store: &Store, first: &FirstRun, width: usize) -> Vec<Line> {
    match first.step() {
        SetupStep::Name => vec![],
        SetupStep::Address => address_lines(store.words(), first, width),
        SetupStep::Contract => {
            let index = first.form.chosen("contract").unwrap_or(0);
            let id = match index.checked_sub(1).and_then(|index| PRESETS.get(index)) {
                Some(preset) => format!("first-preset-{}", preset.name),
                None => "first-preset-documented".to_owned(),
            };
            let mut lines = wrapped(Role::Text, &store.text(&id), width);
            lines.extend(wrapped(
                Role::Dim,
                &store.text("first-contract-later"),
                width,
            ));
            lines
        }
        SetupStep::Vault => {
            let index = first.form.chosen("vault");
            let chosen = index.and_then(|index| first.vaults.as_ref()?.get(index));
            match chosen {
                Some(kind) => {
                    let id = format!("{}.means", vault_label(*kind));
                    wrapped(Role::Text, &store.text(&id), width)
                }
                None => wrapped(Role::Dim, &store.text("first-vault-trying"), width),
            }
        }
        SetupStep::Write => write_result_lines(store, first, width),
    }
}

/// Lays out the result of checking the service address: connected and how fast, or what is wrong
/// and what to do. If the program completed the typed address, also shows the complete address.
fn address_lines(words: &Catalogue, first: &FirstRun, width: usize) -> Vec<Line> {
    let mut lines = match &first.address.parsed_address {
        None => return vec![],
        Some(Err(fault)) => {
            // The text is usually part of a sentence and begins in lower case, so capitalize it
            // here.
            return wrapped(
                Role::Bad,
                &capital(&words.text(names::address_fault(*fault))),
                width,
            );
        }
        Some(Ok(address)) if **address == *first.form.value("address") => vec![],
        Some(Ok(address)) => {
            let address = Untrusted::shown_of(address);
            wrapped(
                Role::Text,
                &words.with("first-completed", &[("address", &address)]),
                width,
            )
        }
    };
    lines.extend(match &first.address.connection_result {
        Some(Ok(reached)) => {
            let millis = reached.millis.to_string();
            let id = if reached.is_encrypted {
                "first-reached-encrypted"
            } else {
                "first-reached-here"
            };
            wrapped(Role::Good, &words.with(id, &[("millis", &millis)]), width)
        }
        Some(Err(failure)) => {
            let text = failure::describe(words, failure, Activity::Question);
            let mut lines = wrapped(Role::Warn, &text.what, width);
            lines.extend(wrapped(Role::Text, &words.text(advice_id(failure)), width));
            lines.extend(wrapped(Role::Dim, &words.text("first-unreached"), width));
            lines
        }
        None => wrapped(Role::Dim, &words.text("first-reaching"), width),
    });
    lines
}

/// The text id of the advice after a failed connection. The usual advice refers to panes, which do
/// not exist during the set-up.
fn advice_id(failure: &Failure) -> &'static str {
    match failure {
        Failure::NotSent(NotSent::Dns) => "first-next-dns",
        Failure::NotSent(NotSent::Tls) => "first-next-tls",
        _ => "first-next-other",
    }
}

fn write_result_lines(store: &Store, first: &FirstRun, width: usize) -> Vec<Line> {
    let Some(error) = &first.write_error else {
        return pair(
            &store.text("account-config"),
            &store.setup.config.shown(),
            width,
        );
    };
    let mut lines = wrapped(Role::Bad, &store.text("first-not-written"), width);
    lines.extend(wrapped(Role::Text, &error.shown(), width));
    lines
}
