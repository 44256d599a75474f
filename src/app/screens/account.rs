//! The account pane: the login, where each credential is stored, the API contract, and the paths of
//! the program's files.

use std::time::Duration;

use crate::app::cx::{Cx, Question, Route};
use crate::app::screen::{Actions, Info, Screen};
use crate::app::store::session::{Credential, CredentialDetails, VaultStatus};
use crate::app::store::{consent, credentials, kiosk};
use crate::app::ui::list_pane;
use crate::app::ui::parts::{LABEL_WIDTH, all_quoted, hanging, pair, paragraph, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::text::exactly;
use crate::app::ui::{Action, Area, Line, Page, Role, Span, bar};
use crate::app::{Pane, Store};
use crate::trade::{CredentialKind, Untrusted, VaultKind};
use crate::words::{checkup, failure, personal};

#[derive(Debug, Clone, Copy)]
pub struct AccountPane;

impl Screen for AccountPane {
    fn info(&self) -> Info {
        Info::in_pane("account", Pane::Account)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let words = store.words();
        let area = area.text();
        let width = usize::from(area.width);
        let mut lines = vec![Line::default()];
        let mut line = |id: &str, value: &str| lines.extend(pair(&words.text(id), value, width));
        let profile = personal::name(words, &store.setup.profile).shown();
        match store.setup.others.len() {
            0 => line("account-profile", &profile),
            n => {
                let key = store.render_cx().first_key(Action::Profiles);
                let values = [("name", &*profile), ("key", key)];
                line(
                    "account-profile",
                    &words.count("account-other-profiles", n as u64, &values),
                );
            }
        }
        let service = Untrusted::shown_of(&store.setup.base_url);
        line("account-service", &service);
        if let Some(proxy) = store.setup.contract.proxy() {
            line("account-proxy", &Untrusted::shown_of(proxy));
        }
        let kind = match (store.sandbox, store.setup.this_machine) {
            _ if store.unproven => "account-unproven",
            (true, _) => "account-sandbox",
            (false, true) => "account-this-machine",
            (false, false) => "account-live",
        };
        line("account-kind", &words.text(kind));
        let login = store
            .session
            .identity()
            .map(|login| personal::name(words, &login).shown());
        line(
            "account-who",
            &login.unwrap_or_else(|| words.text("account-nobody")),
        );
        line(
            "account-kept",
            &words.text(&store.session.vault_status.message()),
        );
        if let Some(name) = store.setup.unused_secret {
            let unused = words.with("secret-unused", &[("name", name)]);
            lines.extend(pair("", &unused, width));
        }
        lines.extend(contract_lines(store, width));
        for kind in CREDENTIALS {
            lines.push(Line::default());
            lines.extend(credential_lines(store, kind, width));
        }
        if let VaultStatus::Trouble(trouble) = &store.session.vault_status {
            let text = failure::vault(words, trouble);
            lines.extend(paragraph(Role::Bad, &text.what, width));
            lines.extend(all_quoted(&text.quotes, width));
            lines.extend(wrapped(Role::Text, &text.next, width));
        }
        lines.push(Line::default());
        lines.extend(program_lines(store, width));
        if let Some(lost) = store
            .lost_history
            .as_ref()
            .filter(|_| store.setup.kiosk().is_none())
        {
            lines.push(Line::default());
            lines.extend(list_pane::lost_history(words, lost, width));
        }
        Text::compact(lines, area).draw(store.render_cx(), page);
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        let in_trouble = matches!(store.session.vault_status, VaultStatus::Trouble(_));
        let actions = [
            (in_trouble, Action::Refresh),
            (true, Action::LogIn),
            (true, Action::PasteJwt),
            (store.session.identity().is_some(), Action::LogOut),
            (!consent::lines_to_show(store).is_empty(), Action::Contract),
            (!store.setup.others.is_empty(), Action::Profiles),
            (!kiosk::hides_action(store, Action::Doctor), Action::Doctor),
        ];
        Actions::offered_if(actions).word(Action::Refresh, "keyring")
    }

    fn next_deadline(&self, store: &Store, _: bool) -> Option<Duration> {
        let lifetimes = CREDENTIALS
            .into_iter()
            .filter_map(|kind| remaining_lifetime(store, kind));
        lifetimes
            .map(|(left, total)| bar::to_next_cell(left, total, LIFETIME_BAR_WIDTH))
            .min()
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match action {
            Action::Refresh => credentials::read_again(cx),
            Action::LogOut => cx.ask(Question::LogOut),
            Action::Profiles => cx.open(Route::Profiles),
            Action::Contract => cx.open(Route::Consent(None)),
            _ => {}
        }
    }
}

/// Lays out the program's version and the paths of its files.
fn program_lines(store: &Store, width: usize) -> Vec<Line> {
    let [money, history] = store.setup.schemas.map(|schema| schema.to_string());
    let version = env!("CARGO_PKG_VERSION");
    let values = [
        ("version", version),
        ("money", &money),
        ("history", &history),
    ];
    let versions = store.with("account-versions.what", &values);
    let mut lines = pair(&store.text("account-versions"), &versions, width);
    // Visitors of a kiosk must not see file paths of this computer.
    if store.setup.kiosk().is_some() {
        return lines;
    }
    lines.extend(pair(
        &store.text("account-config"),
        &store.setup.config.shown(),
        width,
    ));
    lines.extend(pair(
        &store.text("account-journal"),
        &store.journal_path.shown(),
        width,
    ));
    lines
}

/// Lays out a credential: its purpose, its state, and when it expires.
fn credential_lines(store: &Store, kind: CredentialKind, width: usize) -> Vec<Line> {
    let id = match kind {
        CredentialKind::ApiToken => "credential-api-token",
        CredentialKind::Jwt => "credential-jwt",
    };
    let credential = store.session.credential(kind);
    let mut lines = pair(&store.text(id), &store.text(&format!("{id}.for")), width);
    // The action that provides this credential: logging in, or pasting the JWT. In the demo it is
    // always logging in, because the demo's login also returns a JWT.
    let entry = store.entry_action(kind);
    let id = if entry == Action::PasteJwt {
        "credential-jwt"
    } else {
        "credential-api-token"
    };
    let to = store.render_cx();
    let (role, text) = match credential {
        Credential::Unknown => (Role::Dim, store.text("credential-unknown")),
        Credential::Absent => (Role::Warn, to.with_key(&format!("{id}.absent"), entry)),
        Credential::Stored(stored) => stored_credential_text(store, stored),
        Credential::Refused(_) => (Role::Bad, to.with_key(&format!("{id}.refused"), entry)),
    };
    let room = width.saturating_sub(LABEL_WIDTH);
    lines.extend(
        wrapped(role, &text, room)
            .into_iter()
            .map(|line| line.indented(LABEL_WIDTH)),
    );
    if let Some((left, total)) = remaining_lifetime(store, kind) {
        let mut line = Line::default();
        line.spans.extend(bar::spans(bar::time_bar(
            left,
            total,
            LIFETIME_BAR_WIDTH.min(room),
        )));
        lines.push(line.indented(LABEL_WIDTH));
    }
    if let (Credential::Stored(_), VaultStatus::Trouble(_)) =
        (credential, &store.session.vault_status)
    {
        lines.extend(pair("", &store.text("credential-for-run"), width));
    }
    if let Credential::Stored(CredentialDetails {
        from_demo: true, ..
    }) = credential
    {
        lines.extend(pair("", &store.text("credential-demo"), width));
    }
    lines
}

const CREDENTIALS: [CredentialKind; 2] = [CredentialKind::ApiToken, CredentialKind::Jwt];

const LIFETIME_BAR_WIDTH: usize = 32;

/// The remaining and the total lifetime of a valid credential.
fn remaining_lifetime(store: &Store, kind: CredentialKind) -> Option<(Duration, Duration)> {
    match store.session.credential(kind) {
        Credential::Stored(stored) if !stored.is_expired(store.now.wall) => {
            stored.life(store.now.wall)
        }
        _ => None,
    }
}

fn stored_credential_text(store: &Store, credential: &CredentialDetails) -> (Role, String) {
    // Without a working vault, the credential exists only in memory or in an environment variable,
    // so the text must not claim that it is stored.
    let may_be_unstored = matches!(
        store.session.vault_status,
        VaultStatus::Trouble(_) | VaultStatus::Kept(VaultKind::Environment)
    );
    let Some(expires) = credential.expires else {
        let id = if may_be_unstored {
            "credential-here"
        } else {
            "credential-held"
        };
        return (Role::Good, store.text(id));
    };
    let (role, id) = if store.now.wall >= expires {
        (Role::Warn, "credential-expired")
    } else if may_be_unstored {
        (Role::Good, "credential-here-until")
    } else {
        (Role::Good, "credential-until")
    };
    (
        role,
        store.with(id, &[("when", &store.render_cx().moment(expires))]),
    )
}

/// Lays out the current API contract: its presets and files, the number of settings that differ
/// from the built-in contract, and whether the seller agreed to them.
fn contract_lines(store: &Store, width: usize) -> Vec<Line> {
    let agreement = consent::agreement(store);
    let is_pending = agreement.pending.is_some_and(|pending| pending > 0);
    let role = if is_pending { Role::Warn } else { Role::Text };
    let (presets, files) = store.setup.contract.sources();
    let presets = presets.join(", ");
    let parts = [
        (!presets.is_empty())
            .then(|| store.with("doctor-contract-lines.presets", &[("presets", &presets)])),
        (files > 0).then(|| {
            store
                .words()
                .count("doctor-contract-lines.files", files as u64, &[])
        }),
        Some(checkup::agreement(store.words(), &agreement)),
    ];
    let text = parts.into_iter().flatten().collect::<Vec<_>>().join(" · ");
    let label = |text: &str| Span::of(Role::Dim, exactly(text, LABEL_WIDTH));
    let mut lines = hanging(label(&store.text("account-contract")), role, &text, width);
    if store.setup.contract.claims_confirmed() {
        lines.extend(hanging(
            label(""),
            Role::Warn,
            &store.text("consent-confirmed"),
            width,
        ));
    }
    lines
}
