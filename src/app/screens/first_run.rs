//! The set-up of the first start: one short page for each thing that must be known.
//!
//! It can be left at any page and is taken up there again: the answers are the runtime's to keep.

use std::sync::Arc;
use std::time::Duration;

use crate::app::cx::Cx;
use crate::app::screen::{Actions, Info, Screen, ScreenEvent, body, in_form};
use crate::app::store::first_run::{Answers, Reached, SetUpAnswer, SetUpCommand};
use crate::app::ui::action::Action;
use crate::app::ui::block::{Block, blocks};
use crate::app::ui::form::{Choice, Field, Form, Label};
use crate::app::ui::forms::{self, FormPage};
use crate::app::ui::parts::{pair, paragraph, wrapped};
use crate::app::ui::sent_form::FAILED;
use crate::app::ui::text::capital;
use crate::app::ui::{Area, Line, Page, Role};
use crate::app::{Effect, Msg, Store};
use crate::contract::PRESETS;
use crate::trade::withdrawal::NotSent;
use crate::trade::{AddressFault, Failure, Ticket, Untrusted, VaultKind};
use crate::words::failure::{self, Doing};
use crate::words::{Lang, Words, names, personal};

/// The time the typing rests before an address is looked at.
const REST_MS: u64 = 400;

const NAME_MAX: usize = 32;

const ADDRESS_MAX: usize = 200;

/// A page, named after what it asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "a page is its name")]
pub enum SetUpStep {
    Name,
    Address,
    /// The shape of the requests.
    Contract,
    /// The place for credentials.
    Vault,
    /// The last look, before all of it is written.
    Write,
}

impl SetUpStep {
    /// All of them, in their order.
    pub const ALL: [SetUpStep; 5] = [
        SetUpStep::Name,
        SetUpStep::Address,
        SetUpStep::Contract,
        SetUpStep::Vault,
        SetUpStep::Write,
    ];
}

/// The state of the address that is typed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AddressState {
    /// The moment from which it is looked at.
    pub due_ms: Option<u64>,
    /// The question that is under way, and whether the next page comes once its shape is right.
    asked: Option<(Ticket, bool)>,
    /// Its shape, once that was looked at.
    pub shape: Option<Result<(), AddressFault>>,
    /// The answer from there, once there is one.
    pub reached: Option<Result<Reached, Failure>>,
}

impl AddressState {
    /// Returns true while an answer of the service is waited for.
    pub fn is_waiting(&self) -> bool {
        self.shape == Some(Ok(())) && self.reached.is_none()
    }
}

/// The set-up.
#[derive(Debug, Clone)]
pub struct FirstRun {
    /// The answers so far.
    pub answers: Answers,
    /// The field of the page in front.
    pub form: Form,
    /// The state of the address.
    pub address: AddressState,
    /// The vaults that took something; `None` before they were tried.
    pub vaults: Option<Vec<VaultKind>>,
    /// The question that is under way on the last two pages.
    asked: Option<Ticket>,
    /// The fault that was found when the profile was written.
    pub wrong: Option<Untrusted>,
}

impl FirstRun {
    /// The set-up from these answers on.
    pub fn open(cx: &mut Cx, mut answers: Answers) -> FirstRun {
        answers.step = answers.step.min(SetUpStep::ALL.len() - 1);
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

    /// The page in front.
    pub fn step(&self) -> SetUpStep {
        SetUpStep::ALL[self.answers.step.min(SetUpStep::ALL.len() - 1)]
    }

    /// The answers, with what stands in the field of the page in front.
    ///
    /// An address that is none may hold a password: it is not kept.
    pub fn answers_to_keep(&self) -> Answers {
        let mut answers = self.answers.clone();
        match self.step() {
            SetUpStep::Name => answers.name = self.form.value("name").trim().to_owned(),
            SetUpStep::Address if self.address.shape == Some(Ok(())) => {
                answers.address = self.form.value("address").trim().to_owned();
            }
            _ => {}
        }
        answers
    }

    /// Brings a page to the front.
    fn go_to(&mut self, cx: &mut Cx, step: usize) {
        self.answers.step = step;
        self.wrong = None;
        self.form = Form::new(self.fields());
        match self.step() {
            SetUpStep::Address if !self.answers.address.is_empty() => self.look(cx, false),
            SetUpStep::Contract => {
                let named = |preset: &str| *preset == *self.answers.contract;
                let at = PRESETS.iter().position(|preset| named(preset.name));
                self.form.choose("contract", at.map_or(0, |at| at + 1));
            }
            SetUpStep::Vault => self.try_vaults(cx),
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
            SetUpStep::Name => {
                vec![text("name", "first-name", NAME_MAX, &self.answers.name).personal()]
            }
            SetUpStep::Address => {
                vec![text("address", "first-address", ADDRESS_MAX, &self.answers.address)]
            }
            SetUpStep::Contract => {
                let mut options = vec![Choice::word("", "first-documented")];
                options.extend(PRESETS.iter().map(|preset| Choice::theirs(preset.name)));
                vec![Field::choice("contract", Label::Word("first-contract"), options)]
            }
            SetUpStep::Vault => {
                let Some(vaults) = &self.vaults else { return vec![] };
                let choice = |kind: &VaultKind| Choice::word(kind.name(), vault_label(*kind));
                let options = vaults.iter().map(choice).collect();
                vec![Field::choice("vault", Label::Word("first-vault"), options)]
            }
            SetUpStep::Write => vec![],
        }
    }

    /// Looks at the address that is typed; with `goes_on` the next page comes if it is one.
    fn look(&mut self, cx: &mut Cx, goes_on: bool) {
        let ticket = cx.store.ticket();
        let address: Arc<str> = self.form.value("address").trim().into();
        self.address = AddressState { asked: Some((ticket, goes_on)), ..AddressState::default() };
        cx.perform(Effect::SetUp(SetUpCommand::Look { ticket, address }))
    }

    /// A keyring may have been unlocked, or a kernel asked, since the page was seen last.
    fn try_vaults(&mut self, cx: &mut Cx) {
        let ticket = cx.store.ticket();
        (self.vaults, self.asked) = (None, Some(ticket));
        self.form = Form::new(vec![]);
        cx.perform(Effect::SetUp(SetUpCommand::TryVaults(ticket)))
    }

    fn next_page(&mut self, cx: &mut Cx) {
        self.go_to(cx, self.answers.step + 1)
    }

    fn address_heard(&mut self, cx: &mut Cx, ticket: Ticket, answer: &SetUpAnswer) {
        let asked = self.address.asked.filter(|(asked, _)| *asked == ticket);
        let Some((asked, goes_on)) = asked else { return };
        match answer {
            SetUpAnswer::Shape(shape) => {
                self.address.shape = Some(*shape);
                self.address.asked = shape.is_ok().then_some((asked, false));
                if goes_on && shape.is_ok() && self.step() == SetUpStep::Address {
                    self.address_is_good(cx);
                }
            }
            SetUpAnswer::Reached(reached) => {
                self.address.reached = Some(reached.clone());
                self.address.asked = None;
            }
            _ => {}
        }
    }

    /// A page back; from the first one the program is left, and goes on there next time.
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

    /// Goes on although there may be no answer from there: the address has the shape of one.
    fn address_is_good(&mut self, cx: &mut Cx) {
        self.answers.address = self.form.value("address").trim().to_owned();
        self.next_page(cx)
    }

    /// Hears the answer to a question of a step.
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
            answer => self.address_heard(cx, ticket, answer),
        }
    }
}

fn vault_label(kind: VaultKind) -> &'static str {
    match kind {
        VaultKind::Keyring => "first-vault-keyring",
        VaultKind::Keyutils => "first-vault-keyutils",
        // Nothing else is tried there, and memory always works.
        _ => "first-vault-memory",
    }
}

impl Screen for FirstRun {
    /// Nothing that is typed here is lost: it is kept, whichever way it is left.
    fn info(&self) -> Info {
        Info {
            is_alone: true,
            was_typed: Some(false),
            stays: true,
            has_no_way_back: self.answers.step == 0,
            ..Info::of("beginning")
        }
    }

    fn show(&self, store: &Store, _: Area, page: &mut Page) {
        let (body, foot) = page.whole.split_bottom(1);
        page.keys = Some(foot);
        let area = body.column();
        let progress = format!("{}/{}", self.answers.step + 1, SetUpStep::ALL.len());
        let width = forms::inside(area);
        let submit = match self.step() {
            SetUpStep::Write => "first-write",
            _ => "first-go-on",
        };
        let form = FormPage {
            title: store.text("first-title"),
            aside: Line::of(Role::Dim, progress),
            head: blocks(head(store.words(), self, width)),
            form: &self.form,
            submit: store.text(submit),
            below: vec![Block::cut(forms::BELOW, FAILED, below_form(store, self, width))],
        };
        form.draw(store.words(), area, page);
    }

    body!(Form(form));

    /// A page has one field at most: there is no other one to go to.
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
        let value = |name: &str| self.form.value(name).trim().to_owned();
        match self.step() {
            SetUpStep::Name => {
                self.answers.name = value("name");
                self.next_page(cx)
            }
            SetUpStep::Address => match self.address.shape {
                Some(Ok(())) => self.address_is_good(cx),
                Some(Err(_)) => {}
                None => self.look(cx, true),
            },
            SetUpStep::Contract => {
                let at = self.form.chosen("contract").unwrap_or(0);
                let preset = at.checked_sub(1).and_then(|at| PRESETS.get(at));
                self.answers.contract = preset.map_or("", |preset| preset.name).to_owned();
                self.next_page(cx)
            }
            SetUpStep::Vault => {
                let at = self.form.chosen("vault");
                let chosen = at.and_then(|at| self.vaults.as_ref()?.get(at).copied());
                let Some(kind) = chosen else { return };
                self.answers.vault = kind.name().to_owned();
                self.next_page(cx)
            }
            SetUpStep::Write if self.asked.is_some() => {}
            SetUpStep::Write => {
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
                if self.step() == SetUpStep::Address {
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

/// Says what the page is about.
fn head(say: &Words, first: &FirstRun, width: usize) -> Vec<Line> {
    let text = |id: &str| wrapped(Role::Text, &say.text(id), width);
    match first.step() {
        SetUpStep::Name => {
            [text("first-name-what"), paragraph(Role::Dim, &say.text("first-demo"), width)].concat()
        }
        SetUpStep::Address => text("first-address-what"),
        SetUpStep::Contract => text("first-contract-what"),
        SetUpStep::Vault => text("first-vault-what"),
        SetUpStep::Write => chosen(say, first, width),
    }
}

fn chosen(say: &Words, first: &FirstRun, width: usize) -> Vec<Line> {
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

/// Says what is known of the answer that stands in the field.
fn below_form(store: &Store, first: &FirstRun, width: usize) -> Vec<Line> {
    match first.step() {
        SetUpStep::Name => vec![],
        SetUpStep::Address => address(store.words(), first, width),
        SetUpStep::Contract => {
            let at = first.form.chosen("contract").unwrap_or(0);
            let id = match at.checked_sub(1).and_then(|at| PRESETS.get(at)) {
                Some(preset) => format!("first-preset-{}", preset.name),
                None => "first-preset-documented".to_owned(),
            };
            let mut lines = wrapped(Role::Text, &store.text(&id), width);
            lines.extend(wrapped(Role::Dim, &store.text("first-contract-later"), width));
            lines
        }
        SetUpStep::Vault => {
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
        SetUpStep::Write => written(store, first, width),
    }
}

/// Says what TLS said of the address, how long it took, or what is wrong and what to do.
fn address(say: &Words, first: &FirstRun, width: usize) -> Vec<Line> {
    match (&first.address.shape, &first.address.reached) {
        (Some(Err(fault)), _) => {
            // Elsewhere it follows the address itself.
            wrapped(Role::Bad, &capital(&say.text(names::address_fault(*fault))), width)
        }
        (_, Some(Ok(reached))) => {
            let millis = reached.millis.to_string();
            let id = match reached.is_encrypted {
                true => "first-reached-encrypted",
                false => "first-reached-here",
            };
            wrapped(Role::Good, &say.with(id, &[("millis", &millis)]), width)
        }
        (_, Some(Err(failure))) => {
            let told = failure::describe(say, failure, Doing::Question);
            let mut lines = wrapped(Role::Warn, &told.what, width);
            lines.extend(wrapped(Role::Text, &say.text(advice(failure)), width));
            lines.extend(wrapped(Role::Dim, &say.text("first-unreached"), width));
            lines
        }
        (Some(Ok(())), None) => wrapped(Role::Dim, &say.text("first-reaching"), width),
        (None, None) => vec![],
    }
}

/// Names what to check: there is no pane yet to look at, and nothing to send again.
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
