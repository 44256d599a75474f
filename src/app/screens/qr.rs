//! A full screen with a QR code and, if there is room, the text of the code.

use std::time::Duration;

use crate::app::cx::{CodeText, Cx};
use crate::app::screen::{Actions, Info, Screen, ScreenLinks};
use crate::app::store::clip::Clip;
use crate::app::store::payable::{Payable, PayableUse, use_payable};
use crate::app::store::payable_warnings::PayableWarning;
use crate::app::store::{charges, paid, share_hint};
use crate::app::ui::input::Size;
use crate::app::ui::list_pane::qr_needs;
use crate::app::ui::parts::{put, wrapped};
use crate::app::ui::text::{break_word, capital};
use crate::app::ui::{Action, Area, Line, Page, Role};
use crate::app::{Effect, Store};
use crate::trade::{Charge, Sale, Untrusted};
use crate::words::names;

#[derive(Debug, Clone)]
pub struct Qr {
    pub code: CodeText,
    /// The payment link or direct payment that the code belongs to, as it was when the screen
    /// opened.
    pub sale: Option<Box<Sale>>,
}

impl Qr {
    /// Creates a screen that shows a URL as a QR code.
    pub fn of(address: impl Into<Untrusted>) -> Qr {
        Qr {
            code: CodeText {
                text: address.into(),
                clip: Clip::Address,
            },
            sale: None,
        }
    }

    fn payable(&self, store: &Store) -> Payable {
        let sale = self.sale.as_ref();
        let payable = sale.and_then(|sale| Payable::of_sale(store, sale));
        payable.unwrap_or_else(|| Payable::of_text(store, &self.code))
    }

    /// The direct payment that the code belongs to.
    fn charge(&self) -> Option<&Charge> {
        match self.sale.as_deref() {
            Some(Sale::Charge(charge)) => Some(charge),
            _ => None,
        }
    }

    /// Lays out the notice that the code need not be scanned any more, because it was paid or has
    /// expired. Returns no lines for other codes.
    fn obsolete_notice(&self, store: &Store, width: usize) -> Vec<Line> {
        let words = store.words();
        let text = &self.code.text;
        let links = &store.links.list.page.rows;
        let charges = &store.charges.list.page.rows;
        let link = links
            .iter()
            .find(|link| link.url() == Some(text))
            .and_then(|link| link.paid);
        let charge = charges
            .iter()
            .find(|charge| charge.pix_code() == Some(text));
        let paid = link
            .or(charge.and_then(|charge| charge.paid))
            .map(|paid| paid.source);
        let id = match paid {
            Some(source) => names::paid_message(source),
            None if store.paid.is_paid_address(text) => "links-paid",
            None if self
                .charge()
                .is_some_and(|charge| charges::is_expired(store, charge)) =>
            {
                let warning = PayableWarning::Expired;
                return wrapped(
                    warning.role(),
                    &capital(&warning.describe(words, text)),
                    width,
                );
            }
            None => return vec![],
        };
        vec![Line::of(
            paid::role(store, Some(text)),
            paid::state_text(store, Some(text), id),
        )]
    }
}

impl Screen for Qr {
    fn info(&self) -> Info {
        Info {
            is_fullscreen: true,
            ..Info::of("qr")
        }
    }

    fn show(&self, store: &Store, _: Area, page: &mut Page) {
        let words = store.words();
        let text = &self.code.text;
        let code = store.qr_code.built_code(text);
        let (caption, area_below_caption) = split_caption(store, text, page.area);
        page.caption = (caption.height > 0).then_some(caption);
        let (area, foot) = area_below_caption.split_bottom(1);
        let text_width = usize::from(area.narrowed(1).readable().width);
        // If the code was paid or has expired, show that notice, even if it leaves no room for the
        // QR code.
        let notice = self.obsolete_notice(store, text_width);
        if code.is_some_and(|code| {
            !code.fits(area)
                && notice.is_empty()
                && page.add_picture(code.within(area_below_caption))
        }) {
            return;
        }
        page.keys = Some(foot);
        let width = usize::from(area.width).saturating_sub(2);
        // A Pix code may contain spaces. Word wrapping would drop some of them, so break at a fixed
        // width.
        let shown = Untrusted::without_masking(|| text.shown());
        let address_rows = break_word(&shown, width.max(1)).into_iter();
        let link = self.payable(store).link(store);
        let address: Vec<_> = address_rows
            .map(|piece| Line::of(Role::Text, piece).linked(link.as_ref()))
            .collect();
        let warning = share_hint::local_only_warning(store, words, text);
        let warning = warning.map_or_else(Vec::new, |warning| {
            wrapped(Role::Strong, &warning, text_width)
        });
        let texts = vec![notice.clone(), address.clone(), warning];
        // Show as much text as fits below the QR code. If there is too little room, leave out the
        // warning first and then the address.
        for below in [
            texts,
            vec![notice.clone(), address.clone()],
            vec![notice.clone()],
        ] {
            let rows = below.iter().map(Vec::len).sum::<usize>();
            let (upper, lower) = area.split_bottom(u16::try_from(rows).unwrap_or(u16::MAX));
            if let Some(picture) = code.and_then(|code| code.within(upper)) {
                let y = picture.area.bottom().saturating_add(1).min(lower.y);
                page.add_picture(Some(picture));
                put_centred(below, Area { y, ..lower }.narrowed(1), page);
                return;
            }
        }
        let message = match code {
            Some(code) => format!("{} {}", qr_needs(words, code), words.text("qr-its-text")),
            None => words.text("qr-too-long"),
        };
        let mut lines = notice;
        lines.extend(wrapped(Role::Strong, &message, width));
        lines.push(Line::default());
        lines.extend(address);
        put(lines, area.narrowed(1), page);
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        let Size { columns, rows } = store.size;
        let screen = Area {
            width: columns,
            height: rows,
            ..Area::default()
        };
        let caption = split_caption(store, &self.code.text, screen).0;
        let hides_caption = store.story.shown(store.setup.lang).is_some() && caption.height == 0;
        ScreenLinks {
            hides_caption,
            ..ScreenLinks::default()
        }
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        let has_code = store.qr_code.built_code(&self.code.text).is_some();
        let may_save = has_code && store.setup.kiosk().is_none();
        Actions::offered_if([(true, Action::Copy), (may_save, Action::Save)])
            .word(Action::Save, "svg")
    }

    fn qr_text<'s>(&'s self, _: &'s Store) -> Option<&'s Untrusted> {
        Some(&self.code.text)
    }

    /// Copies the text of the QR code, or saves the code as an image. If there are warnings about
    /// the text, a dialog asks before it is copied; this screen was opened after such a question.
    fn act(&mut self, cx: &mut Cx, action: Action) {
        if action == Action::Save
            && let Some(code) = cx.store.qr_code.built_code(&self.code.text)
        {
            let svg = code.to_svg();
            cx.perform(Effect::SaveQr(svg));
        }
        if action == Action::Copy {
            let payable = self.payable(cx.store);
            use_payable(cx, Some(payable), PayableUse::Copy);
        }
    }

    fn next_deadline(&self, store: &Store, _: bool) -> Option<Duration> {
        charges::next_change(store, self.charge()?)
    }
}

/// Splits the screen into the caption of the demo's guided story and the rest. The caption gets no
/// rows if the QR code needs the whole screen.
fn split_caption(store: &Store, text: &Untrusted, screen: Area) -> (Area, Area) {
    let rows = u16::try_from(store.caption(screen.size()).len()).unwrap_or_default();
    let (caption, rest) = screen.split_top(rows);
    let code = store.qr_code.built_code(text);
    if code.is_some_and(|code| code.fits(screen) && !code.fits(rest)) {
        screen.split_top(0)
    } else {
        (caption, rest)
    }
}

/// Draws blocks of lines below each other. Each block is centered as a whole, so that the lines of
/// a wrapped URL stay aligned.
fn put_centred(blocks: Vec<Vec<Line>>, mut area: Area, page: &mut Page) {
    for lines in blocks {
        let widest = lines.iter().map(Line::width).max().unwrap_or(0);
        let (block, rest) = area.split_top(u16::try_from(lines.len()).unwrap_or(u16::MAX));
        let width = u16::try_from(widest).unwrap_or(u16::MAX);
        put(lines, block.middle(width, block.height), page);
        area = rest;
    }
}
