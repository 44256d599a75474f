//! The pages of the set-up.

use super::{FirstRun, SetUpStep};
use crate::app::Store;
use crate::app::ui::block::{Block, blocks};
use crate::app::ui::forms::{self, FormPage};
use crate::app::ui::parts::{pair, wrapped};
use crate::app::ui::sent_form::FAILED;
use crate::app::ui::text::capital;
use crate::app::ui::{Line, Page, Role};
use crate::contract::PRESETS;
use crate::trade::withdrawal::NotSent;
use crate::trade::{Failure, Untrusted, VaultKind};
use crate::words::failure::{self, Doing};
use crate::words::names;
use crate::words::{Words, personal};

/// The page in front, alone on the whole screen; the keys stand below it.
pub fn alone(store: &Store, first: &FirstRun, page: &mut Page) {
    let (body, foot) = page.whole.split_bottom(1);
    page.keys = Some(foot);
    let area = body.column();
    let progress = format!("{}/{}", first.answers.step + 1, SetUpStep::ALL.len());
    let width = forms::inside(area);
    let submit = match first.step() {
        SetUpStep::Write => "first-write",
        _ => "first-go-on",
    };
    let form = FormPage {
        title: store.text("first-title"),
        aside: Line::of(Role::Dim, progress),
        head: blocks(head(store.words(), first, width)),
        form: &first.form,
        submit: store.text(submit),
        below: vec![Block::cut(forms::BELOW, FAILED, below_form(store, first, width))],
    };
    form.draw(store.words(), area, page);
}

/// Says what the page is about.
fn head(say: &Words, first: &FirstRun, width: usize) -> Vec<Line> {
    let text = |id: &str| wrapped(Role::Text, &say.text(id), width);
    match first.step() {
        SetUpStep::Name => {
            let mut lines = text("first-name-what");
            lines.push(Line::default());
            lines.extend(wrapped(Role::Dim, &say.text("first-demo"), width));
            lines
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
    let vault = VaultKind::of_name(&answers.vault).map(super::vault_label);
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
                    let id = format!("{}.means", super::vault_label(*kind));
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
