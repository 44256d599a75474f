//! The set-up at the first start: one short page for each setting.
//!
//! The seller can quit at any page and continue there later, because the runtime saves the answers.

use std::sync::Arc;
use std::time::Duration;

use crate::app::cx::Cx;
use crate::app::screen::{Actions, Info, Screen, ScreenEvent, body, in_form};
use crate::app::store::first_run::{Answers, Reached, SetUpAnswer, SetUpCommand};
use crate::app::ui::action::Action;
use crate::app::ui::block::{Block, blocks};
use crate::app::ui::form::{Choice, Field, Form, Label};
use crate::app::ui::form_page::{self, FormPage};
use crate::app::ui::parts::{pair, paragraph, wrapped};
use crate::app::ui::sent_form::MIN_FAILURE_ROWS;
use crate::app::ui::text::capital;
use crate::app::ui::{Area, Line, Page, Role};
use crate::app::{Effect, Msg, Store};
use crate::contract::PRESETS;
use crate::trade::withdrawal::NotSent;
use crate::trade::{AddressFault, Failure, Ticket, Untrusted, VaultKind};
use crate::words::failure::{self, Activity};
use crate::words::{Catalogue, Lang, names, personal};

/// How long typing must pause, in milliseconds, before the address is checked.
const REST_MS: u64 = 400;

const NAME_MAX: usize = 32;

const ADDRESS_MAX: usize = 200;

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
    asked: Option<(Ticket, bool)>,
    /// The valid address, completed with its scheme (such as `https://`), or its fault; `None`
    /// until checked.
    pub shape: Option<Result<Arc<str>, AddressFault>>,
    /// The result of connecting to the address; `None` before the first try.
    pub reached: Option<Result<Reached, Failure>>,
}

impl AddressState {
    /// Returns true while the program is trying to connect to the service.
    pub fn is_waiting(&self) -> bool {
        self.whole().is_some() && self.reached.is_none()
    }

    fn whole(&self) -> Option<&Arc<str>> {
        self.shape.as_ref()?.as_ref().ok()
    }
}

#[derive(Debug, Clone)]
pub struct FirstRun {
    pub answers: Answers,
    /// The form with the field of the current page.
    pub form: Form,
    pub address: AddressState,
    /// The credential stores that work on this computer; `None` until they were tested.
    pub vaults: Option<Vec<VaultKind>>,
    /// The ticket of the pending request, if the current page tests the vaults or writes the
    /// settings.
    asked: Option<Ticket>,
    /// The error that occurred when the profile was written.
    pub wrong: Option<Untrusted>,
}

impl FirstRun {
    /// Opens the set-up with these saved answers, at the page where the seller stopped.
    pub fn open(cx: &mut Cx, mut answers: Answers) -> FirstRun {
        answers.step = answers.step.min(SetupStep::ALL.len() - 1);
        if answers.name.is_empty() {
            answers.name = if cx.store.setup.lang == Lang::Pt { "loja" } else { "shop" }.into();
        }
        let mut page = FirstRun {
            answers,
            form: Form::new(vec![]),
            address: AddressState::default(),
            vaults: None,
            asked: None,
            wrong: None,
        };
        page.go_to(cx, page.answers.step);
        page
    }

    pub fn step(&self) -> SetupStep {
        SetupStep::ALL[self.answers.step.min(SetupStep::ALL.len() - 1)]
    }

    /// Returns the answers to save, including the text in the current field.
    ///
    /// An address that may contain a password or a token is left out.
    pub fn answers_to_keep(&self) -> Answers {
        let mut answers = self.answers.clone();
        let value = |name: &str| self.form.field(name).map(Field::value);
        match self.step() {
            SetupStep::Name => answers.name = value("name").unwrap_or_default(),
            SetupStep::Address => {
                let typed = self.form.value("address");
                let whole = self.address.whole().map_or(typed, |whole| whole.to_string());
                answers.address = if whole.contains(['@', '?', '#']) { "".into() } else { whole };
            }
            SetupStep::Contract => {
                answers.contract = value("contract").unwrap_or(answers.contract);
            }
            // The page has no field until the vaults were tested.
            SetupStep::Vault => answers.vault = value("vault").unwrap_or(answers.vault),
            SetupStep::Write => {}
        }
        answers
    }

    /// Opens a page and starts its background work, such as testing the vaults.
    fn go_to(&mut self, cx: &mut Cx, step: usize) {
        self.answers.step = step;
        self.wrong = None;
        self.form = Form::new(self.fields());
        match self.step() {
            SetupStep::Address if !self.answers.address.is_empty() => self.look(cx, false),
            SetupStep::Contract => {
                let named = |preset: &str| *preset == *self.answers.contract;
                let at = PRESETS.iter().position(|preset| named(preset.name));
                self.form.choose("contract", at.map_or(0, |at| at + 1));
            }
            SetupStep::Vault => self.try_vaults(cx),
            _ => {}
        }
    }

    fn fields(&self) -> Vec<Field> {
        let text = |name: &str, label, max, value: &str| {
            let mut field = Field::text(name, Label::Word(label), true, max);
            field.fill(value);
            field
        };
        match self.step() {
            SetupStep::Name => {
                vec![text("name", "first-name", NAME_MAX, &self.answers.name).personal()]
            }
            SetupStep::Address => {
                vec![text("address", "first-address", ADDRESS_MAX, &self.answers.address)]
            }
            SetupStep::Contract => {
                let mut options = vec![Choice::word("", "first-documented")];
                options.extend(PRESETS.iter().map(|preset| Choice::theirs(preset.name)));
                vec![Field::choice("contract", Label::Word("first-contract"), options)]
            }
            SetupStep::Vault => {
                let Some(vaults) = &self.vaults else { return vec![] };
                let choice = |kind: &VaultKind| Choice::word(kind.name(), vault_label(*kind));
                let options = vaults.iter().map(choice).collect();
                vec![Field::choice("vault", Label::Word("first-vault"), options)]
            }
            SetupStep::Write => vec![],
        }
    }

    /// Checks the typed address. If `goes_on` is true, a valid address opens the next page.
    fn look(&mut self, cx: &mut Cx, goes_on: bool) {
        let ticket = cx.store.ticket();
        let address: Arc<str> = self.form.value("address").trim().into();
        self.address = AddressState { asked: Some((ticket, goes_on)), ..AddressState::default() };
        cx.perform(Effect::SetUp(SetUpCommand::Look { ticket, address }))
    }

    /// Tests which credential stores work. The test runs on each visit to the page, because a
    /// keyring may have been unlocked since.
    fn try_vaults(&mut self, cx: &mut Cx) {
        let ticket = cx.store.ticket();
        (self.vaults, self.asked) = (None, Some(ticket));
        self.form = Form::new(vec![]);
        cx.perform(Effect::SetUp(SetUpCommand::TryVaults(ticket)))
    }

    /// Keeps the answer of the current page, and opens the next page.
    fn next_page(&mut self, cx: &mut Cx) {
        self.answers = self.answers_to_keep();
        self.go_to(cx, self.answers.step + 1)
    }

    fn on_address_reply(&mut self, cx: &mut Cx, ticket: Ticket, answer: &SetUpAnswer) {
        let asked = self.address.asked.filter(|(asked, _)| *asked == ticket);
        let Some((asked, goes_on)) = asked else { return };
        match answer {
            SetUpAnswer::Shape(shape) => {
                self.address.shape = Some(shape.clone());
                self.address.asked = shape.is_ok().then_some((asked, false));
                // A well-formed address is enough to go on. A failed connection does not block the
                // set-up, because the address may still be right.
                if goes_on && shape.is_ok() && self.step() == SetupStep::Address {
                    self.next_page(cx);
                }
            }
            SetUpAnswer::Reached(reached) => {
                self.address.reached = Some(reached.clone());
                self.address.asked = None;
            }
            _ => {}
        }
    }

    /// Returns to the previous page. On the first page, quits the program.
    fn page_back(&mut self, cx: &mut Cx) {
        self.answers = self.answers_to_keep();
        self.asked = None;
        match self.answers.step.checked_sub(1) {
            Some(before) => self.go_to(cx, before),
            None => {
                cx.store.leaving = true;
                cx.perform(Effect::Leave)
            }
        }
    }

    /// Handles the runtime's reply to a request of this screen.
    fn heard(&mut self, cx: &mut Cx, ticket: Ticket, answer: &SetUpAnswer) {
        match answer {
            SetUpAnswer::Vaults(vaults) if self.asked == Some(ticket) => {
                (self.asked, self.vaults) = (None, Some(vaults.clone()));
                self.form = Form::new(self.fields());
                let before = vaults.iter().position(|kind| *kind.name() == *self.answers.vault);
                self.form.choose("vault", before.unwrap_or(0));
            }
            SetUpAnswer::Written(result) if self.asked == Some(ticket) => {
                self.asked = None;
                match result {
                    Err(wrong) => self.wrong = Some(wrong.clone()),
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
        // Only the two vaults above can fail; keeping credentials in memory always works.
        _ => "first-vault-memory",
    }
}

impl Screen for FirstRun {
    /// Sets `was_typed` to false: closing the screen loses no input, because the answers are saved.
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
        let (body, foot) = page.whole.split_bottom(1);
        page.keys = Some(foot);
        let area = body.column();
        let progress = format!("{}/{}", self.answers.step + 1, SetupStep::ALL.len());
        let width = form_page::inside(area);
        let submit = match self.step() {
            SetupStep::Write => "first-write",
            _ => "first-go-on",
        };
        let form = FormPage {
            title: store.text("first-title"),
            aside: Line::of(Role::Dim, progress),
            head: blocks(head(store.words(), self, width)),
            form: &self.form,
            submit: store.text(submit),
            below: vec![Block::cut(
                form_page::BELOW,
                MIN_FAILURE_ROWS,
                below_form(store, self, width),
            )],
        };
        form.draw(store.words(), area, page);
    }

    body!(Form(form));

    /// Omits the action for the next field, because a page has at most one field.
    fn actions(&self, _: &Store, _: bool) -> Actions {
        let mut offered = in_form(&self.form, None);
        offered.retain(|action| *action != Action::NextField);
        offered.extend((self.answers.step == 0).then_some(Action::Leave));
        Actions::from(offered).word(Action::Submit, "continue")
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        if action != Action::Submit || !self.form.check() {
            return;
        }
        match self.step() {
            SetupStep::Address => match self.address.shape {
                Some(Ok(_)) => self.next_page(cx),
                Some(Err(_)) => {}
                None => self.look(cx, true),
            },
            // Do nothing until the vaults were tested.
            SetupStep::Vault if self.vaults.is_none() => {}
            SetupStep::Name | SetupStep::Contract | SetupStep::Vault => self.next_page(cx),
            SetupStep::Write if self.asked.is_some() => {}
            SetupStep::Write => {
                let (ticket, answers) = (cx.store.ticket(), Box::new(self.answers.clone()));
                (self.asked, self.wrong) = (Some(ticket), None);
                cx.perform(Effect::SetUp(SetUpCommand::Write { ticket, answers }))
            }
        }
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Edited => {
                self.form.touched = false;
                if self.step() == SetupStep::Address {
                    let due_ms = Some(cx.store.now.boot_ms + REST_MS);
                    self.address = AddressState { due_ms, ..AddressState::default() };
                }
            }
            ScreenEvent::Deadline => {
                if self.address.due_ms.is_some_and(|at| cx.store.now.boot_ms >= at) {
                    match self.form.value("address").trim().is_empty() {
                        true => self.address = AddressState::default(),
                        false => self.look(cx, false),
                    }
                }
            }
            ScreenEvent::Back => self.page_back(cx),
            ScreenEvent::Message(Msg::SetUp { ticket, answer }) => self.heard(cx, *ticket, answer),
            _ => return false,
        }
        true
    }

    fn next_deadline(&self, store: &Store, front: bool) -> Option<Duration> {
        let due = self.address.due_ms.filter(|_| front)?;
        Some(Duration::from_millis(due.saturating_sub(store.now.boot_ms)))
    }
}

/// Lays out the explanation at the top of the current page.
fn head(say: &Catalogue, first: &FirstRun, width: usize) -> Vec<Line> {
    let text = |id: &str| wrapped(Role::Text, &say.text(id), width);
    match first.step() {
        SetupStep::Name => {
            [text("first-name-what"), paragraph(Role::Dim, &say.text("first-demo"), width)].concat()
        }
        SetupStep::Address => text("first-address-what"),
        SetupStep::Contract => text("first-contract-what"),
        SetupStep::Vault => text("first-vault-what"),
        SetupStep::Write => chosen(say, first, width),
    }
}

fn chosen(say: &Catalogue, first: &FirstRun, width: usize) -> Vec<Line> {
    let answers = &first.answers;
    let theirs = |text: &str| Untrusted::from(text).shown();
    let mut lines = wrapped(Role::Text, &say.text("first-write-what"), width);
    lines.push(Line::default());
    lines.extend(pair(&say.text("first-name"), &personal::name(say, &answers.name).shown(), width));
    lines.extend(pair(&say.text("first-address"), &theirs(&answers.address), width));
    let contract = match answers.contract.as_str() {
        "" => say.text("first-documented"),
        named => theirs(named),
    };
    lines.extend(pair(&say.text("first-contract"), &contract, width));
    let vault = VaultKind::of_name(&answers.vault).map(vault_label);
    let vault = vault.map(|label| say.text(label)).unwrap_or_default();
    lines.extend(pair(&say.text("first-vault"), &vault, width));
    lines
}

/// Lays out the text below the field, which explains the current answer or states the result of
/// checking it.
fn below_form(store: &Store, first: &FirstRun, width: usize) -> Vec<Line> {
    match first.step() {
        SetupStep::Name => vec![],
        SetupStep::Address => address(store.words(), first, width),
        SetupStep::Contract => {
            let at = first.form.chosen("contract").unwrap_or(0);
            let id = match at.checked_sub(1).and_then(|at| PRESETS.get(at)) {
                Some(preset) => format!("first-preset-{}", preset.name),
                None => "first-preset-documented".to_owned(),
            };
            let mut lines = wrapped(Role::Text, &store.text(&id), width);
            lines.extend(wrapped(Role::Dim, &store.text("first-contract-later"), width));
            lines
        }
        SetupStep::Vault => {
            let at = first.form.chosen("vault");
            let chosen = at.and_then(|at| first.vaults.as_ref()?.get(at));
            match chosen {
                Some(kind) => {
                    let id = format!("{}.means", vault_label(*kind));
                    wrapped(Role::Text, &store.text(&id), width)
                }
                None => wrapped(Role::Dim, &store.text("first-vault-trying"), width),
            }
        }
        SetupStep::Write => written(store, first, width),
    }
}

/// Lays out the result of checking the service address: connected and how fast, or what is wrong
/// and what to do. If the program completed the typed address, also shows the complete address.
fn address(say: &Catalogue, first: &FirstRun, width: usize) -> Vec<Line> {
    let mut lines = match &first.address.shape {
        None => return vec![],
        Some(Err(fault)) => {
            // The text is usually part of a sentence and begins in lower case, so capitalize it
            // here.
            return wrapped(Role::Bad, &capital(&say.text(names::address_fault(*fault))), width);
        }
        Some(Ok(whole)) if **whole == *first.form.value("address") => vec![],
        Some(Ok(whole)) => {
            let whole = Untrusted::shown_of(whole);
            wrapped(Role::Text, &say.with("first-completed", &[("address", &whole)]), width)
        }
    };
    lines.extend(match &first.address.reached {
        Some(Ok(reached)) => {
            let millis = reached.millis.to_string();
            let id = match reached.is_encrypted {
                true => "first-reached-encrypted",
                false => "first-reached-here",
            };
            wrapped(Role::Good, &say.with(id, &[("millis", &millis)]), width)
        }
        Some(Err(failure)) => {
            let told = failure::describe(say, failure, Activity::Question);
            let mut lines = wrapped(Role::Warn, &told.what, width);
            lines.extend(wrapped(Role::Text, &say.text(advice(failure)), width));
            lines.extend(wrapped(Role::Dim, &say.text("first-unreached"), width));
            lines
        }
        None => wrapped(Role::Dim, &say.text("first-reaching"), width),
    });
    lines
}

/// Returns the advice after a failed connection. The usual advice refers to panes, which do not
/// exist during the set-up.
fn advice(failure: &Failure) -> &'static str {
    match failure {
        Failure::NotSent(NotSent::Dns) => "first-next-dns",
        Failure::NotSent(NotSent::Tls) => "first-next-tls",
        _ => "first-next-other",
    }
}

fn written(store: &Store, first: &FirstRun, width: usize) -> Vec<Line> {
    let Some(wrong) = &first.wrong else {
        return pair(&store.text("account-config"), &store.setup.config.shown(), width);
    };
    let mut lines = wrapped(Role::Bad, &store.text("first-not-written"), width);
    lines.extend(wrapped(Role::Text, &wrong.shown(), width));
    lines
}
