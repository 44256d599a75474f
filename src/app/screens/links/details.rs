//! The details of a payment link: its complete URL, its host, and its QR code.

use super::{act_on, link_actions};
use crate::app::cx::Cx;
use crate::app::screen::{Actions, Info, Screen, ScreenEvent, ScreenLinks};
use crate::app::store::unsaved::HistoryRecord;
use crate::app::store::{paid, payable_warnings, sales, share_hint};
use crate::app::ui::list_pane::{Look, in_full, named_pair, not_copied, put_details};
use crate::app::ui::parts::{all_quoted, paragraph, point, wrapped};
use crate::app::ui::{Action, Area, Line, Page, Role, symbols};
use crate::app::{CopyTrouble, Msg, Pane, Store};
use crate::trade::{LinkOutcome, Paid, PaidSource, PaymentLink, Sale, Untrusted};
use crate::words::{failure, names};

#[derive(Debug, Clone)]
pub struct LinkDetails(pub PaymentLink);

impl Screen for LinkDetails {
    fn info(&self) -> Info {
        Info::detail("link", Pane::Links)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        draw_details(store, &self.0, (area, Look::Entered), page);
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        let other_actions = [Action::Repeat, Action::Related];
        let offered = link_actions(store, &self.0).into_iter().chain(other_actions);
        sales::label_actions(offered.collect(), self.0.paid.is_some())
    }

    /// Shows changes of the payment link that were made here or by another instance of the program.
    /// Closes the screen if the link was removed.
    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        let current = match event {
            ScreenEvent::StoreChanged => {
                cx.store.links.list.page.rows.iter().find(|row| row.is_same(&self.0))
            }
            ScreenEvent::Message(Msg::SandboxPaymentsRecorded(Ok(Some(link)))) => {
                Some(&**link).filter(|link| link.is_same(&self.0))
            }
            ScreenEvent::Message(Msg::LinkMade { result: Ok(link), .. }) => {
                if link.is_same(&self.0) {
                    self.0 = link.clone();
                }
                return true;
            }
            ScreenEvent::Message(
                Msg::SaleFound { result: Ok(sale), .. } | Msg::MarkedPaid(Ok(sale)),
            ) => match &**sale {
                Sale::Link(link) if link.is_same(&self.0) => Some(link),
                _ => return true,
            },
            ScreenEvent::Message(Msg::SaleRemoved(Ok(sale))) => {
                if sale.is_same(&Sale::Link(self.0.clone())) {
                    cx.close();
                }
                return true;
            }
            _ => return false,
        };
        if let Some(current) = current {
            if self.0.url().is_none() {
                self.0.outcome = current.outcome.clone();
            }
            self.0.paid = current.paid;
        }
        true
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        act_on(cx, &self.0, action);
    }

    fn qr_text<'s>(&'s self, store: &'s Store) -> Option<&'s Untrusted> {
        qr_url(store, &self.0)
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        let selected = store.links.list.selected();
        let is_under_cursor = selected.is_some_and(|link| link.is_same(&self.0));
        ScreenLinks { url: self.0.url(), is_under_cursor, ..ScreenLinks::default() }
    }
}

pub fn draw_details(
    store: &Store,
    link: &PaymentLink,
    (area, look): (Area, Look),
    page: &mut Page,
) {
    let url = link.url();
    let details = |width| detail_lines(store, link, width);
    let url_text = |width| {
        url.map_or_else(Vec::new, |url| {
            in_full(&payable_warnings::mark_unsafe_characters(url), width)
        })
    };
    let code = qr_url(store, link).and_then(|url| store.qr_code.place_of(url));
    let title = ("link-title", look);
    put_details(store.render_cx(), title, (url, code), (details, url_text), area, page);
}

/// Returns the URL that is shown as a QR code.
///
/// Returns `None` for a suspicious URL. Copying such a URL requires a confirmation, which a QR code
/// would bypass.
pub fn qr_url<'l>(store: &Store, link: &'l PaymentLink) -> Option<&'l Untrusted> {
    let can_be_copied = |url: &&Untrusted| CopyTrouble::of(url).is_none();
    link.url()
        .filter(can_be_copied)
        .filter(|_| payable_warnings::url_warnings(store, link).is_empty())
}

/// Lays out everything about the payment link except its URL.
fn detail_lines(store: &Store, link: &PaymentLink, width: usize) -> Vec<Line> {
    let (words, request) = (store.words(), &link.request);
    let paragraph_of = |role, id: &str| paragraph(role, &words.text(id), width);
    let mut lines = vec![Line::of(Role::Money, request.amount.to_string())];
    lines.extend(wrapped(Role::Text, &Untrusted::shown_of(&request.description), width));
    lines.push(Line::default());
    let is_created = matches!(link.outcome, LinkOutcome::Created { .. });
    let time_label = if is_created { "link-made" } else { "link-asked" };
    lines.extend(named_pair(words, time_label, &store.render_cx().moment(link.at), width));
    lines.extend(named_pair(words, "link-domain", &names::link_domain(words, link), width));
    match &link.outcome {
        LinkOutcome::Created { url } => lines.extend(created_lines(store, link, url, width)),
        LinkOutcome::Unknown => lines.extend(paragraph_of(Role::Warn, "link-unknown")),
        LinkOutcome::NotSent => lines.extend(paragraph_of(Role::Text, "link-not-sent")),
        LinkOutcome::Refused(refusal) => {
            lines.extend(paragraph_of(Role::Bad, "link-refused"));
            lines.extend(all_quoted(&failure::quotes(words, refusal), width));
        }
    }
    lines
}

/// Lays out the details of a created link: the URL's host, the warnings about the URL, and whether
/// the link was paid.
fn created_lines(store: &Store, link: &PaymentLink, url: &Untrusted, width: usize) -> Vec<Line> {
    let words = store.words();
    let paragraph_of = |role, id: &str| paragraph(role, &words.text(id), width);
    let host = payable_warnings::host(url).unwrap_or_else(|| words.text("link-host-unreadable"));
    let mut lines = named_pair(words, "link-host", &Untrusted::from(host).shown(), width);
    if let Some(warning) = share_hint::local_only_warning(store, words, url) {
        lines.extend(paragraph(Role::Text, &warning, width));
    }
    if store.unsaved.links.has(link) {
        lines.extend(paragraph_of(Role::Bad, "link-not-saved"));
    }
    let ids = ["link-not-clean", "link-too-long", "link-masked"];
    lines.extend(not_copied(words, url, ids, width));
    let warnings = payable_warnings::url_warnings(store, link);
    if !warnings.is_empty() {
        lines.extend([Line::default(), symbols::CHECK.span(words.text("oddity-title")).into()]);
    }
    for warning in warnings {
        lines.extend(point(Role::Warn, &warning.describe(words, url), width));
    }
    match link.paid {
        None => lines.extend(paragraph_of(Role::Dim, "link-never-paid")),
        Some(Paid { at, source: PaidSource::Seller }) => {
            let marked = words.with("link-marked", &[("when", &store.render_cx().moment(at))]);
            lines.extend(paragraph(Role::Good, &marked, width));
        }
        Some(Paid { source: PaidSource::Sandbox, .. }) => {
            lines.push(Line::default());
            lines.push(Line::of(paid::role(store, Some(url)), words.text("links-paid")));
            lines.extend(paragraph_of(Role::Dim, "link-paid-says"));
        }
    }
    lines
}
