//! Lays out a whole frame: the header, the banner, the open screens, the notice and the key hints.
//! Start reading at [`page`].

pub mod banner;
pub mod footer;
pub mod notices;

use compact_str::{CompactString, CompactStringExt};

use crate::app::router::{self, read_tracker};
use crate::app::screen::Screen;
use crate::app::store::session::{Credential, VaultStatus};
use crate::app::store::setup::UNNAMED;
use crate::app::store::story::key_hint;
use crate::app::store::{kiosk, origin};
use crate::app::ui::geometry::{self, MIN_SIZE};
use crate::app::ui::parts::{put, put_right, rule, wrapped};
use crate::app::ui::text::{columns, exactly, fit, fit_end};
use crate::app::ui::{Area, Line, Page, PageItem, Role, Span, Target};
use crate::app::{Model, Pane, Size, Store};
use crate::batch::BatchStage;
use crate::trade::withdrawal::NotSent;
use crate::trade::{CredentialKind, Exchange, Failure, TeamStatus, Untrusted};
use crate::words::{Catalogue, Lang, personal};

/// Lays out the whole screen for a terminal of this size. If masking is on, personal data is
/// masked.
pub fn page(model: &Model, size: Size) -> Page {
    Untrusted::masking(model.is_masked, || lay_out_page(model, size))
}

fn lay_out_page(model: &Model, size: Size) -> Page {
    let words = model.words();
    let screen_area = Area {
        x: 0,
        y: 0,
        width: size.columns,
        height: size.rows,
    };
    let mut page = Page {
        scroll: model.scroll,
        read: read_tracker::read_so_far(model),
        can_confirm: read_tracker::may_press(model),
        awaits_quiet: read_tracker::time_until_quiet(model).is_some(),
        ..Page::new(screen_area)
    };
    let Some(areas) = model.areas(size) else {
        put_too_small_message(words, size, &mut page);
        return page;
    };
    let mut tabs = Pane::ALL.map(|pane| Tab::of(model, words, pane));
    shorten_tabs(&mut tabs, highlighted_pane(model), words.lang(), areas.tabs);
    let tab_areas = geometry::tabs(areas.tabs, tabs.each_ref().map(Tab::width));
    for (tab, area) in tabs.iter().zip(tab_areas) {
        page.add_click_target(area, Target::Tab(tab.pane));
    }
    lay_out_screens(model, areas.body, &mut page);
    if router::with_front_screen(model, |screen, _| screen.info().is_fullscreen) {
        if let Some(caption_area) = page.caption {
            put_caption(model, caption_area, &mut page);
        }
        if let Some(key_row) = page.keys {
            put_notice_and_key_hints(model, words, key_row, &mut page);
        }
        return page;
    }
    put_header(model, words, areas.header, &mut page);
    match model.story.shown(words.lang()) {
        Some(_) => put_caption(model, areas.rule, &mut page),
        None => rule(areas.rule, &mut page),
    }
    banner::draw(model, words, areas.banner, &mut page);
    let height = areas.notice.height + areas.footer.height;
    put_notice_and_key_hints(
        model,
        words,
        Area {
            height,
            ..areas.notice
        },
        &mut page,
    );
    put_tabs(model, tabs, tab_areas, &mut page);
    page
}

/// The number of rows for the notice. A long notice takes rows from the body until the next input
/// removes it. A body that contains terms to confirm, or fills the terminal, keeps its rows, and
/// the notice covers the key hints.
pub fn notice_rows(model: &Model) -> u16 {
    let area = Area {
        x: 0,
        y: 0,
        width: model.size.columns,
        height: 2,
    };
    let count = notices::lines(model, model.words(), area).len();
    // Most updates have no long notice, so look at the front screen only if there is one.
    if count <= 1 {
        return 1;
    }
    let is_fullscreen = router::with_front_screen(model, |screen, _| screen.info().is_fullscreen);
    if is_fullscreen || read_tracker::terms(model).is_some() {
        return 1;
    }
    u16::try_from(count).unwrap_or(1).min(MAX_NOTICE_ROWS)
}

/// The maximum number of rows for a notice.
const MAX_NOTICE_ROWS: u16 = 3;

/// Lays out the notice (a message about the last action) and the key hints below it. A notice that
/// has too few rows covers the key hints until the next input removes it.
fn put_notice_and_key_hints(model: &Model, words: &Catalogue, area: Area, page: &mut Page) {
    let (rows_above, last_row) = area.split_bottom(1);
    // While nobody uses the kiosk, the last row invites visitors to press any key. No notice may
    // cover this invitation.
    let is_unattended = kiosk::is_story_autoplaying(model);
    // However many rows there are, the texts are chosen for two.
    let room = Area {
        height: area.height.min(2),
        ..area
    };
    let notice = notices::lines(model, words, if is_unattended { rows_above } else { room });
    if is_unattended {
        let invitation = [" ", &words.text("kiosk-invitation")].concat_compact();
        let line = exactly(&invitation, usize::from(area.width));
        put(vec![Line::of(Role::Badge, line)], last_row, page);
    } else if notice.len() < usize::from(area.height) {
        footer::draw(model, words, last_row, page);
    }
    put(notice, area, page);
}

fn put_header(model: &Model, words: &Catalogue, area: Area, page: &mut Page) {
    let (symbol, role, status_id) = connection_status(model);
    let status = words.text(status_id);
    let mut right_part = Line::default();
    right_part.spans.extend(batch_progress(model));
    right_part.spans.extend(team_status(model, area));
    let badges = [
        (model.setup.read_only, "badge-read-only"),
        (model.recording.is_some(), "badge-recording"),
        (model.is_masked, "badge-masked"),
    ];
    for (_, id) in badges.into_iter().filter(|(is_shown, _)| *is_shown) {
        right_part.push(Span::of(
            Role::Strong,
            [&words.text(id), "  "].concat_compact(),
        ));
    }
    let (badge_role, badge_id) = badge(model, area);
    right_part.push(Span::of(
        badge_role,
        [" ", &words.text(badge_id), " "].concat_compact(),
    ));
    right_part.push(Span::of(Role::Text, "    "));
    right_part.push(Span::of(role, [symbol, " "].concat_compact()));
    right_part.push(Span::of(Role::Text, status));
    let width = usize::from(area.width).saturating_sub(right_part.width() + 3);
    let title = fit_title(model, width);
    let title = Line::of(Role::Strong, [" ", &title].concat_compact());
    let width = usize::from(area.width).saturating_sub(title.width() + right_part.width() + 4);
    if let Some(keys) = pressed_keys(model, width) {
        right_part
            .spans
            .splice(0..0, [keys, Span::of(Role::Text, "  ")]);
    }
    put(vec![title], area, page);
    put_right(right_part, area.without_right(1), page);
}

/// The progress of a batch of links that is being sent, or that paused by itself.
fn batch_progress(model: &Model) -> Option<Span> {
    let progress = model.imports.progress.as_ref()?;
    let (role, id) = match progress.stage {
        BatchStage::Sending => (Role::Accent, "header-batch"),
        BatchStage::Paused(_) => (Role::Warn, "header-batch.paused"),
        _ => return None,
    };
    let [done, all] = [progress.counts.done(), progress.counts.to_create()];
    let values = [("done", &*done.to_string()), ("all", &all.to_string())];
    let text = model.words().with(id, &values);
    Some(Span::of(role, [" ", &text, "  "].concat_compact()))
}

/// The connection to the team's log. Without a team, there is nothing to show.
fn team_status(model: &Model, area: Area) -> Option<Span> {
    const MIN_WIDTH_OF_LONG_TEXT: u16 = 80;
    let words = model.words();
    let (role, text) = match model.withdrawals.team.as_ref()?.status {
        TeamStatus::Connecting => (Role::Dim, words.text("header-team.connecting")),
        TeamStatus::Connected => (Role::Good, words.text("header-team")),
        TeamStatus::Offline(_) if area.width < MIN_WIDTH_OF_LONG_TEXT => {
            (Role::Warn, words.text("header-team.offline-short"))
        }
        TeamStatus::Offline(since) => {
            let since = model.render_cx().time(since);
            let text = words.with("header-team.offline", &[("since", &since)]);
            (Role::Warn, text)
        }
    };
    Some(Span::of(role, [" ", &text, "  "].concat_compact()))
}

/// The program's name, at the beginning of the header.
const NAME: &str = "balcão";

const SEPARATOR: &str = " · ";

/// The minimum width of the program's name with a shortened title. With less room, the title is
/// left out.
const MIN_TITLE_WIDTH: usize = 14;

/// The left part of the header, at most `width` columns wide: the program's name, the seller's
/// title and, until a login has succeeded there, the host of the service.
fn fit_title(model: &Model, width: usize) -> CompactString {
    let title = [NAME, SEPARATOR, &seller_title(model)].concat_compact();
    let Some(host) = origin::unproven_host(&model.store) else {
        return fit(&title, width);
    };
    // The end of a host names its owner, so keep it, and shorten the title first.
    let host_width = width.saturating_sub(columns(NAME) + columns(SEPARATOR));
    let host = [SEPARATOR, &fit_end(&Untrusted::shown_of(host), host_width)].concat_compact();
    let title_width = width.saturating_sub(columns(&host));
    let title = if title_width < MIN_TITLE_WIDTH {
        fit(NAME, title_width)
    } else {
        fit(&title, title_width)
    };
    [title, host].concat_compact()
}

/// A header badge with the most recently pressed keys, which a demo shows to its audience. Older
/// keys are left out if the badge would exceed `max_width` columns.
fn pressed_keys(model: &Model, max_width: usize) -> Option<Span> {
    let keys = model.shown_keys.now(model.now.boot_ms);
    let mut texts =
        (0..keys.len()).map(|first| [" ", &keys[first..].join_compact(" "), " "].concat_compact());
    let text = texts.find(|text| columns(text) <= max_width)?;
    Some(Span::of(Role::Caption, text))
}

/// The title in the header, with the profile name before it if there are several profiles. If the
/// title is only the base URL, any profile name except `default` is added too.
fn seller_title(model: &Model) -> String {
    let setup = &model.setup;
    // The shop's name is not masked: its addresses and Pix codes, which stay visible, have it too.
    let title = Untrusted::shown_of(&setup.title);
    let is_title_enough = setup.title != setup.base_url || *setup.profile == *UNNAMED;
    if setup.others.is_empty() && is_title_enough {
        return title;
    }
    let profile = personal::name(model.words(), &setup.profile).shown_within(MAX_PROFILE_WIDTH);
    format!("{profile} · {title}")
}

const MAX_PROFILE_WIDTH: usize = 24;

/// The style and the message id of the badge in the header, such as "live" or "sandbox". The
/// sandbox badge is shown only if the service is known to be a sandbox.
fn badge(model: &Model, area: Area) -> (Role, &'static str) {
    const MIN_WIDTH_OF_LONG_BADGE: u16 = 80;
    match (
        model.sandbox,
        model.setup.this_machine && area.width >= MIN_WIDTH_OF_LONG_BADGE,
    ) {
        (_, true) if model.unproven => (Role::Live, "badge-unproven"),
        (_, false) if model.unproven => (Role::Live, "badge-locked"),
        (true, _) => (Role::Badge, "badge-sandbox"),
        (false, true) => (Role::Live, "badge-this-machine"),
        (false, false) => (Role::Live, "badge-live"),
    }
}

/// The symbol (such as `○`), the style and the message id of the login status in the header.
fn connection_status(model: &Model) -> (&'static str, Role, &'static str) {
    match (&model.session.vault_status, &model.session.api_token) {
        (VaultStatus::Trouble(_), _) => ("○", Role::Warn, "state-vault"),
        (VaultStatus::Asking, _) | (_, Credential::Unknown) => ("○", Role::Dim, "state-asking"),
        (_, Credential::Stored(credential) | Credential::Refused(credential))
            if credential.is_expired(model.now.wall) =>
        {
            ("○", Role::Warn, "state-expired")
        }
        (_, Credential::Stored(_)) => logged_in_status(model),
        (_, Credential::Refused(_)) => ("○", Role::Warn, "state-refused"),
        (_, Credential::Absent) => ("○", Role::Dim, "state-out"),
    }
}

/// The login status for a seller whose API token is valid. An unreachable service is shown as a
/// warning, and so is a missing or expired JWT that an operation needs.
fn logged_in_status(model: &Model) -> (&'static str, Role, &'static str) {
    if !is_service_reachable(&model.store) {
        return ("○", Role::Warn, "state-unreachable");
    }
    let jwt = CredentialKind::Jwt;
    let needs_jwt = model.setup.contract.credentials().contains(&jwt);
    let id = match (
        model.store.missing_credential(needs_jwt.then_some(jwt)),
        &model.session.jwt,
    ) {
        (None, _) => return ("●", Role::Good, "state-in"),
        (Some(_), Credential::Stored(_)) => "state-jwt-expired",
        (Some(_), Credential::Refused(_)) => "state-jwt-refused",
        (Some(_), Credential::Absent | Credential::Unknown) => "state-no-jwt",
    };
    ("○", Role::Warn, id)
}

/// A pane's tab in the header: its name and the key that opens it.
struct Tab {
    pane: Pane,
    key: CompactString,
    name: &'static str,
    /// The number of items that wait for the seller, such as ` ·1`.
    count: Option<Span>,
}

impl Tab {
    fn of(model: &Model, words: &Catalogue, pane: Pane) -> Tab {
        let key = [model.render_cx().first_key(pane.action()), " "].concat_compact();
        Tab {
            pane,
            key,
            name: pane.name(words.lang()),
            count: waiting_count(model, pane),
        }
    }

    fn width(&self) -> usize {
        let count_width = self.count.as_ref().map_or(0, Span::width);
        columns(&self.key) + columns(self.name) + count_width
    }
}

/// The number of open withdrawals, whose outcome the seller has to find out.
fn waiting_count(model: &Model, pane: Pane) -> Option<Span> {
    let count = model.withdrawals.open.len();
    if pane != Pane::Withdrawals || count == 0 {
        return None;
    }
    // The ASCII form of the dot looks like a minus sign.
    let text = if model.setup.ascii {
        format!(" ({count})")
    } else {
        format!(" ·{count}")
    };
    Some(Span::of(Role::Warn, text))
}

/// Shortens the inactive tabs if the area is too narrow. First the counts of all tabs are left out.
/// Then the other tabs show a short name or, if their keys are long, only the key.
fn shorten_tabs(tabs: &mut [Tab; Pane::ALL.len()], active: Pane, lang: Lang, area: Area) {
    if !geometry::tabs_fit(area, tabs.each_ref().map(Tab::width)) {
        tabs.iter_mut().for_each(|tab| tab.count = None);
    }
    for has_name in [true, false] {
        if geometry::tabs_fit(area, tabs.each_ref().map(Tab::width)) {
            return;
        }
        for tab in tabs.iter_mut().filter(|tab| tab.pane != active) {
            tab.name = if has_name {
                tab.pane.short_name(lang)
            } else {
                ""
            };
        }
    }
}

fn put_tabs<const N: usize>(model: &Model, tabs: [Tab; N], areas: [Area; N], page: &mut Page) {
    let highlighted = highlighted_pane(model);
    for (tab, area) in tabs.into_iter().zip(areas) {
        let Tab {
            pane,
            key,
            name,
            count,
        } = tab;
        let name_width = usize::from(area.width).saturating_sub(columns(&key) + 1);
        let name = fit(name, name_width);
        let role = if pane == highlighted {
            Role::Tab
        } else {
            Role::Text
        };
        let mut line = Line::from(vec![Span::of(Role::Key, key), Span::of(role, name)]);
        line.spans.extend(count);
        put(vec![line], area, page);
    }
}

/// Lays out the caption of the demo's guided story as a bar across the terminal. The bar ends with
/// the key that continues the story.
fn put_caption(model: &Model, area: Area, page: &mut Page) {
    let width = usize::from(area.width);
    let lines = model.caption(page.area.size());
    let mut rows: Vec<_> = lines.iter().map(|line| exactly(line, width)).collect();
    if let Some((key, last_row)) = router::story_key(model).zip(rows.last_mut()) {
        let hint = key_hint(&model.render_cx().key_name(key));
        let readable_width = usize::from(area.readable().width);
        let text = exactly(
            last_row.trim_end(),
            readable_width.saturating_sub(columns(&hint)),
        );
        *last_row = exactly(&[&text, &*hint].concat_compact(), width);
    }
    put(
        rows.into_iter()
            .map(|line| Line::of(Role::Caption, line))
            .collect(),
        area,
        page,
    );
}

fn put_too_small_message(words: &Catalogue, size: Size, page: &mut Page) {
    let [columns, rows] = [MIN_SIZE.columns, MIN_SIZE.rows].map(|n| n.to_string());
    let [width, height] = [size.columns, size.rows].map(|n| n.to_string());
    let required = [("columns", &*columns), ("rows", &*rows)];
    let current = [("width", &*width), ("height", &*height)];
    let text = words.with("too-small", &[required, current].concat());
    put(
        wrapped(Role::Text, &text, usize::from(size.columns)),
        page.area,
        page,
    );
}

/// False if the most recent network request could not reach the service.
fn is_service_reachable(store: &Store) -> bool {
    store
        .exchanges
        .iter()
        .find_map(|exchange| has_reached_service(exchange))
        .unwrap_or(true)
}

fn has_reached_service(exchange: &Exchange) -> Option<bool> {
    match &exchange.reply {
        Err(Failure::NotSent(NotSent::Dns | NotSent::Connect | NotSent::Tls)) => Some(false),
        // The request never used the network, so it does not show whether the service is reachable.
        Err(failure) if failure.nothing_was_sent() => None,
        Ok(_) | Err(_) => Some(true),
    }
}

/// The pane whose tab is highlighted in the header: the pane of the topmost open screen that has
/// one, or else the current pane.
fn highlighted_pane(model: &Model) -> Pane {
    model
        .layers
        .iter()
        .rev()
        .find_map(|layer| layer.screen().info().pane)
        .unwrap_or(model.pane)
}

/// The area of an open screen, and whether the screens below it stay visible.
struct LayerPlacement {
    area: Area,
    /// True if the screen shows the details of the selected row beside the list.
    is_beside: bool,
    is_see_through: bool,
}

/// Lays out the front screen and every screen below it that stays visible.
fn lay_out_screens(model: &Model, body: Area, page: &mut Page) {
    let store = &model.store;
    let pane = model.pane.screen();
    let Some(front) = model.layers.len().checked_sub(1) else {
        return pane.show(store, pane.info().place(body), page);
    };
    let placement = placement(model, front, body);
    model.layers[front]
        .screen()
        .show(store, placement.area, page);
    if !placement.is_see_through {
        return;
    }
    let front_layer = page.begin_lower_layer();
    let mut lower_layers = vec![];
    let mut is_covered = false;
    for index in (0..front).rev() {
        let placement = self::placement(model, index, body);
        // Stop at the first screen that hides everything below it.
        is_covered = !placement.is_see_through;
        lower_layers.push((index, placement));
        if is_covered {
            break;
        }
    }
    if !is_covered {
        pane.show(store, pane.info().place(body), page);
    }
    let visible_layers = lower_layers
        .iter()
        .rev()
        .filter(|(_, placement)| !placement.is_see_through || placement.is_beside);
    for (index, placement) in visible_layers {
        page.items.push(PageItem::Blank(placement.area));
        model.layers[*index]
            .screen()
            .show(store, placement.area, page);
    }
    page.items.push(PageItem::Faded(body));
    if placement.is_beside {
        page.items.push(PageItem::Blank(placement.area));
    }
    page.restore_front(front_layer);
}

fn placement(model: &Model, index: usize, body: Area) -> LayerPlacement {
    let store = &model.store;
    let screen = model.layers[index].screen();
    let info = screen.info();
    // Show the details beside the list only if they are for the row under the list's cursor.
    let is_its_list = index == 0 && info.is_detail && info.pane == Some(model.pane);
    let is_its_row = is_its_list && screen.links(store).is_under_cursor;
    let details_area = geometry::details(body).filter(|_| is_its_row);
    let normal_area = details_area.unwrap_or_else(|| info.place(body));
    // If the QR code needs the full width, do not place the screen beside the list.
    let wide_area = geometry::area_with_details(body).filter(|wide_area| {
        has_picture(screen, store, *wide_area) && !has_picture(screen, store, normal_area)
    });
    let is_beside = details_area.is_some() && wide_area.is_none();
    let is_see_through = info.floats || is_beside;
    LayerPlacement {
        area: wide_area.unwrap_or(normal_area),
        is_beside,
        is_see_through,
    }
}

fn has_picture(screen: &dyn Screen, store: &Store, area: Area) -> bool {
    let mut page = Page::new(area);
    screen.show(store, area, &mut page);
    page.items
        .iter()
        .any(|item| matches!(item, PageItem::Picture(_)))
}
