//! Lays out a whole frame: the header, the banner, the open screens, the notice and the key hints.
//! Start reading at [`page`].

pub mod banner;
pub mod footer;
pub mod notices;

use compact_str::{CompactString, CompactStringExt};

use crate::app::router::{self, read_tracker};
use crate::app::store::kiosk;
use crate::app::store::session::{Credential, VaultStatus};
use crate::app::store::setup::UNNAMED;
use crate::app::store::story::key_hint;
use crate::app::ui::geometry::{self, MIN_SIZE};
use crate::app::ui::parts::{put, put_right, rule, wrapped};
use crate::app::ui::text::{columns, exactly, fit};
use crate::app::ui::{Area, Line, Page, PageItem, Role, Span, Target};
use crate::app::{Model, Pane, Size, Store};
use crate::trade::withdrawal::NotSent;
use crate::trade::{CredentialKind, Exchange, Failure, Untrusted};
use crate::words::{Catalogue, personal};

/// Lays out the whole screen for a terminal of this size. If masking is on, personal data is
/// masked.
pub fn page(model: &Model, size: Size) -> Page {
    Untrusted::masking(model.masks, || laid_out(model, size))
}

fn laid_out(model: &Model, size: Size) -> Page {
    let say = model.words();
    let whole = Area { x: 0, y: 0, width: size.columns, height: size.rows };
    let mut page = Page {
        scroll: model.scroll,
        read: read_tracker::read_so_far(model),
        can_confirm: read_tracker::may_press(model),
        ..Page::new(whole)
    };
    let Some(areas) = model.areas(size) else {
        too_small(say, size, &mut page);
        return page;
    };
    let mut tabs = Pane::ALL.map(|pane| Tab::of(model, say, pane));
    if !geometry::tabs_fit(areas.tabs, tabs.each_ref().map(Tab::width)) {
        // If the header is too narrow for all pane names, inactive tabs show only their key.
        let front = front(model);
        tabs.iter_mut().filter(|tab| tab.pane != front).for_each(|tab| tab.name = "");
    }
    let places = geometry::tabs(areas.tabs, tabs.each_ref().map(Tab::width));
    for (tab, area) in tabs.iter().zip(places) {
        page.target(area, Target::Tab(tab.pane));
    }
    lay_screens(model, areas.body, &mut page);
    if router::front(model, |screen, _| screen.info().is_fullscreen) {
        if let Some(bar) = page.caption {
            caption(model, bar, &mut page);
        }
        if let Some(keys) = page.keys {
            foot(model, say, keys, &mut page);
        }
        return page;
    }
    header(model, say, areas.header, &mut page);
    match model.story.shown(say.lang()) {
        Some(_) => caption(model, areas.rule, &mut page),
        None => rule(areas.rule, &mut page),
    }
    banner::draw(model, say, areas.banner, &mut page);
    let height = areas.notice.height + areas.footer.height;
    foot(model, say, Area { height, ..areas.notice }, &mut page);
    put_tabs(model, tabs, places, &mut page);
    page
}

/// Lays out the notice (a message about the last action) and the key hints below it. A long notice
/// covers the key hints until the next input removes it.
fn foot(model: &Model, say: &Catalogue, area: Area, page: &mut Page) {
    let (above, last) = area.split_bottom(1);
    // While nobody uses the kiosk, the last row invites visitors to press any key. No notice may
    // cover this invitation.
    let is_alone = kiosk::plays_alone(model);
    let notice = notices::lines(model, say, if is_alone { above } else { area });
    if is_alone {
        let invitation = [" ", &say.text("kiosk-invitation")].concat_compact();
        let line = exactly(&invitation, usize::from(area.width));
        put(vec![Line::of(Role::Badge, line)], last, page);
    } else if notice.len() < usize::from(area.height) {
        footer::draw(model, say, last, page);
    }
    put(notice, area, page);
}

fn header(model: &Model, say: &Catalogue, area: Area, page: &mut Page) {
    let (sign, role, id) = connection(model);
    let state = say.text(id);
    let mut right = Line::default();
    if model.setup.read_only {
        right.push(Span::of(Role::Strong, [&say.text("badge-read-only"), "  "].concat_compact()));
    }
    if model.masks {
        right.push(Span::of(Role::Strong, [&say.text("badge-masked"), "  "].concat_compact()));
    }
    let (badge_role, badge) = badge(model, area);
    right.push(Span::of(badge_role, [" ", &say.text(badge), " "].concat_compact()));
    right.push(Span::of(Role::Text, "    "));
    right.push(Span::of(role, [sign, " "].concat_compact()));
    right.push(Span::of(Role::Text, state));
    let room = usize::from(area.width).saturating_sub(right.width() + 3);
    let left = fit(&["balcão · ", &seller(model)].concat_compact(), room);
    let left = Line::of(Role::Strong, [" ", &left].concat_compact());
    let room = usize::from(area.width).saturating_sub(left.width() + right.width() + 4);
    if let Some(keys) = pressed_keys(model, room) {
        right.spans.splice(0..0, [keys, Span::of(Role::Text, "  ")]);
    }
    put(vec![left], area, page);
    put_right(right, area.without_right(1), page);
}

/// Returns a header badge with the most recently pressed keys, which a demo shows to its audience.
/// Older keys are left out if the badge would exceed `room` columns.
fn pressed_keys(model: &Model, room: usize) -> Option<Span> {
    let keys = model.shown_keys.now(model.now.boot_ms);
    let mut shown =
        (0..keys.len()).map(|first| [" ", &keys[first..].join_compact(" "), " "].concat_compact());
    let shown = shown.find(|shown| columns(shown) <= room)?;
    Some(Span::of(Role::Caption, shown))
}

/// Returns the title in the header. The profile name comes first if there are several profiles. It
/// is also added if the title is only the base URL and the profile is not named `default`.
fn seller(model: &Model) -> String {
    let setup = &model.setup;
    let title = match setup.title == setup.base_url {
        true => Untrusted::shown_of(&setup.title),
        false => personal::name(model.words(), &setup.title).shown(),
    };
    let says_all = setup.title != setup.base_url || *setup.profile == *UNNAMED;
    if setup.others.is_empty() && says_all {
        return title;
    }
    let profile = personal::name(model.words(), &setup.profile).shown_within(MOST_PROFILE);
    format!("{profile} · {title}")
}

/// The maximum width of a profile name in the header, in columns.
const MOST_PROFILE: usize = 24;

/// Returns the style and the text id of the badge in the header, such as "live" or "sandbox". The
/// sandbox badge is shown only if the service is known to be a sandbox.
fn badge(model: &Model, area: Area) -> (Role, &'static str) {
    /// The minimum header width, in columns, for the longer badge texts.
    const WIDE: u16 = 80;
    match (model.sandbox, model.setup.this_machine && area.width >= WIDE) {
        (_, true) if model.unproven => (Role::Live, "badge-unproven"),
        (_, false) if model.unproven => (Role::Live, "badge-locked"),
        (true, _) => (Role::Badge, "badge-sandbox"),
        (false, true) => (Role::Live, "badge-this-machine"),
        (false, false) => (Role::Live, "badge-live"),
    }
}

/// Returns the symbol (such as `○`), the style and the text id for the login status in the header.
fn connection(model: &Model) -> (&'static str, Role, &'static str) {
    match (&model.session.vault_status, &model.session.api_token) {
        (VaultStatus::Trouble(_), _) => ("○", Role::Warn, "state-vault"),
        (VaultStatus::Asking, _) | (_, Credential::Unknown) => ("○", Role::Dim, "state-asking"),
        (_, Credential::Held(held) | Credential::Refused(held))
            if held.is_expired(model.now.wall) =>
        {
            ("○", Role::Warn, "state-expired")
        }
        (_, Credential::Held(_)) => logged_in_status(model),
        (_, Credential::Refused(_)) => ("○", Role::Warn, "state-refused"),
        (_, Credential::Absent) => ("○", Role::Dim, "state-out"),
    }
}

/// Returns the login status for a seller whose API token is valid. The status is a warning if the
/// service was unreachable. A missing or expired JWT is also a warning if any operation needs it.
fn logged_in_status(model: &Model) -> (&'static str, Role, &'static str) {
    if !is_reached(&model.store) {
        return ("○", Role::Warn, "state-unreachable");
    }
    let jwt = CredentialKind::Jwt;
    let is_needed = model.setup.contract.credentials().contains(&jwt);
    let id = match (model.store.missing(is_needed.then_some(jwt)), &model.session.jwt) {
        (None, _) => return ("●", Role::Good, "state-in"),
        (Some(_), Credential::Held(_)) => "state-jwt-expired",
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
}

impl Tab {
    fn of(model: &Model, say: &Catalogue, pane: Pane) -> Tab {
        let key = [model.render_cx().first_key(pane.action()), " "].concat_compact();
        Tab { pane, key, name: pane.name(say.lang()) }
    }

    fn width(&self) -> usize {
        columns(&self.key) + columns(self.name)
    }
}

fn put_tabs<const N: usize>(model: &Model, tabs: [Tab; N], areas: [Area; N], page: &mut Page) {
    let front = front(model);
    for (Tab { pane, key, name }, area) in tabs.into_iter().zip(areas) {
        let room = usize::from(area.width).saturating_sub(columns(&key) + 1);
        let name = fit(name, room);
        let role = if pane == front { Role::Tab } else { Role::Text };
        let line = Line::from(vec![Span::of(Role::Key, key), Span::of(role, name)]);
        put(vec![line], area, page);
    }
}

/// Lays out the caption of the demo's guided story as a bar across the terminal. The bar ends with
/// the key that continues the story.
fn caption(model: &Model, area: Area, page: &mut Page) {
    let width = usize::from(area.width);
    let lines = model.caption(page.whole.size());
    let mut bar: Vec<_> = lines.iter().map(|line| exactly(line, width)).collect();
    if let Some((key, last)) = router::next_key(model).zip(bar.last_mut()) {
        let key = key_hint(&model.render_cx().key_name(key));
        let read = usize::from(area.readable().width);
        let text = exactly(last.trim_end(), read.saturating_sub(columns(&key)));
        *last = exactly(&[&text, &*key].concat_compact(), width);
    }
    put(bar.into_iter().map(|line| Line::of(Role::Caption, line)).collect(), area, page);
}

/// Lays out the message that the terminal is too small, with the required size.
fn too_small(say: &Catalogue, size: Size, page: &mut Page) {
    let [columns, rows] = [MIN_SIZE.columns, MIN_SIZE.rows].map(|n| n.to_string());
    let [width, height] = [size.columns, size.rows].map(|n| n.to_string());
    let wanted = [("columns", &*columns), ("rows", &*rows)];
    let here = [("width", &*width), ("height", &*height)];
    let text = say.with("too-small", &[wanted, here].concat());
    put(wrapped(Role::Text, &text, usize::from(size.columns)), page.whole, page);
}

/// Returns false if the most recent network request could not reach the service.
fn is_reached(store: &Store) -> bool {
    store.exchanges.iter().find_map(|exchange| reached(exchange)).unwrap_or(true)
}

fn reached(exchange: &Exchange) -> Option<bool> {
    match &exchange.reply {
        Err(Failure::NotSent(NotSent::Dns | NotSent::Connect | NotSent::Tls)) => Some(false),
        // The request never used the network, so it does not show whether the service is reachable.
        Err(failure) if failure.nothing_was_sent() => None,
        Ok(_) | Err(_) => Some(true),
    }
}

/// Returns the pane whose tab is highlighted in the header. An open screen that belongs to a pane
/// takes precedence over the current pane.
fn front(model: &Model) -> Pane {
    model.layers.iter().rev().find_map(|layer| layer.screen().info().pane).unwrap_or(model.pane)
}

/// The area of an open screen, and whether the screens below it stay visible.
struct LayerPlacement {
    place: Area,
    /// True if the screen shows the details of the selected row beside the list.
    is_beside: bool,
    is_see_through: bool,
}

/// Lays out the front screen and every screen below it that stays visible.
fn lay_screens(model: &Model, body: Area, page: &mut Page) {
    let (store, pane) = (&model.store, model.pane.screen());
    let Some(front) = model.layers.len().checked_sub(1) else {
        return pane.show(store, pane.info().place(body), page);
    };
    let placement = placement(model, front, body);
    model.layers[front].screen().show(store, placement.place, page);
    if !placement.is_see_through {
        return;
    }
    let before = page.begin_lower_layer();
    let (mut under, mut is_covered) = (vec![], false);
    for n in (0..front).rev() {
        let placement = self::placement(model, n, body);
        // Stop at the first screen that hides everything below it.
        is_covered = !placement.is_see_through;
        under.push((n, placement));
        if is_covered {
            break;
        }
    }
    if !is_covered {
        pane.show(store, pane.info().place(body), page);
    }
    let shown = |(_, placement): &&(usize, LayerPlacement)| {
        !placement.is_see_through || placement.is_beside
    };
    for (n, placement) in under.iter().rev().filter(shown) {
        page.items.push(PageItem::Blank(placement.place));
        model.layers[*n].screen().show(store, placement.place, page);
    }
    page.items.push(PageItem::Faded(body));
    if placement.is_beside {
        page.items.push(PageItem::Blank(placement.place));
    }
    page.restore_front(before);
}

fn placement(model: &Model, n: usize, body: Area) -> LayerPlacement {
    let (store, screen) = (&model.store, model.layers[n].screen());
    let info = screen.info();
    // Show the details beside the list only if they are for the row under the list's cursor.
    let is_its_list = n == 0 && info.is_detail && info.pane == Some(model.pane);
    let is_its_row = is_its_list && screen.links(store).is_under_cursor;
    let beside = geometry::details(body).filter(|_| is_its_row);
    let here = beside.unwrap_or_else(|| info.place(body));
    let has_picture = |area: &Area| {
        let mut page = Page::new(*area);
        screen.show(store, *area, &mut page);
        page.items.iter().any(|item| matches!(item, PageItem::Picture(_)))
    };
    // If the QR code needs the full width, do not place the screen beside the list.
    let wide =
        geometry::with_details_width(body).filter(|wide| has_picture(wide) && !has_picture(&here));
    let is_beside = beside.is_some() && wide.is_none();
    let is_see_through = info.floats || is_beside;
    LayerPlacement { place: wide.unwrap_or(here), is_beside, is_see_through }
}
