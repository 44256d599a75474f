//! A full screen with a QR code and, if there is room, the text of the code.

use std::time::Duration;

use crate::app::Store;
use crate::app::cx::{CodeText, Cx};
use crate::app::screen::{Actions, Info, Screen, ScreenLinks};
use crate::app::store::clip::Clip;
use crate::app::store::payable::{Payable, PayableUse, use_payable};
use crate::app::store::payable_warnings::PayableWarning;
use crate::app::store::{charges, paid, share_hint};
use crate::app::ui::input::Size;
use crate::app::ui::list_pane::qr_needs;
use crate::app::ui::parts::{put, wrapped};
use crate::app::ui::picture::QrPicture;
use crate::app::ui::text::{broken, capital};
use crate::app::ui::{Action, Area, Line, Page, Role};
use crate::trade::{Charge, PaidSource, Sale, Untrusted};

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
        Qr { code: CodeText { text: address.into(), clip: Clip::Address }, sale: None }
    }

    /// Returns the direct payment that the code belongs to.
    fn charge(&self) -> Option<&Charge> {
        match self.sale.as_deref() {
            Some(Sale::Charge(charge)) => Some(charge),
            _ => None,
        }
    }

    /// Lays out why the code need not be scanned any more: it was paid, or its direct payment
    /// expired.
    fn no_more_needed(&self, store: &Store, width: usize) -> Vec<Line> {
        let (say, text) = (store.words(), &self.code.text);
        let (links, charges) = (&store.links.list.page.rows, &store.charges.page.rows);
        let link = links.iter().find(|link| link.url() == Some(text)).and_then(|link| link.paid);
        let charge = charges.iter().find(|charge| charge.pix_code() == Some(text));
        let paid = link.or(charge.and_then(|charge| charge.paid)).map(|paid| paid.source);
        let id = match paid {
            Some(PaidSource::Seller) => "links-marked",
            Some(PaidSource::Sandbox) => "links-paid",
            None if store.paid.is_paid_address(text) => "links-paid",
            None if self.charge().is_some_and(|charge| charges::is_expired(store, charge)) => {
                let warning = PayableWarning::Expired;
                return wrapped(warning.role(), &capital(&warning.describe(say, text)), width);
            }
            None => return vec![],
        };
        vec![Line::of(paid::role(store, Some(text)), say.text(id))]
    }
}

impl Screen for Qr {
    fn info(&self) -> Info {
        Info { is_fullscreen: true, ..Info::of("qr") }
    }

    fn show(&self, store: &Store, _: Area, page: &mut Page) {
        let (say, text) = (store.words(), &self.code.text);
        let code = store.picture.of(text);
        let (caption, whole) = split_caption(store, text, page.whole);
        page.caption = (caption.height > 0).then_some(caption);
        let (area, foot) = whole.split_bottom(1);
        let measure = usize::from(area.narrowed(1).readable().width);
        // Show that the code was paid or has expired even if this leaves no room for the QR code.
        let notice = self.no_more_needed(store, measure);
        let needs_all = |code: &QrPicture| !code.fits(area) && notice.is_empty();
        if code.is_some_and(|code| needs_all(code) && page.picture(code.within(whole))) {
            return;
        }
        page.keys = Some(foot);
        let width = usize::from(area.width).saturating_sub(2);
        // A Pix code may contain spaces. Word wrapping would drop some of them, so break at a fixed
        // width.
        let shown = Untrusted::in_full(|| text.shown());
        let pieces = broken(&shown, width.max(1)).into_iter();
        let address: Vec<_> = pieces.map(|piece| Line::of(Role::Text, piece)).collect();
        let warning = share_hint::local_only_warning(store, say, text);
        let warning =
            warning.map_or_else(Vec::new, |warning| wrapped(Role::Strong, &warning, measure));
        let all = vec![notice.clone(), address.clone(), warning];
        // Show as much text as fits below the QR code. If there is too little room, leave out the
        // warning first and then the address.
        for below in [all, vec![notice.clone(), address.clone()], vec![notice.clone()]] {
            let rows = below.iter().map(Vec::len).sum::<usize>();
            let (over, under) = area.split_bottom(u16::try_from(rows).unwrap_or(u16::MAX));
            if let Some(picture) = code.and_then(|code| code.within(over)) {
                let y = picture.area.bottom().saturating_add(1).min(under.y);
                page.picture(Some(picture));
                put_centred(below, Area { y, ..under }.narrowed(1), page);
                return;
            }
        }
        let said = match code {
            Some(code) => format!("{} {}", qr_needs(say, code), say.text("qr-its-text")),
            None => say.text("qr-too-long"),
        };
        let mut lines = notice;
        lines.extend(wrapped(Role::Strong, &said, width));
        lines.push(Line::default());
        lines.extend(address);
        put(lines, area.narrowed(1), page);
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        let Size { columns, rows } = store.size;
        let whole = Area { width: columns, height: rows, ..Area::default() };
        let caption = split_caption(store, &self.code.text, whole).0;
        let hides_caption = store.story.shown(store.setup.lang).is_some() && caption.height == 0;
        ScreenLinks { hides_caption, ..ScreenLinks::default() }
    }

    fn actions(&self, _: &Store, _: bool) -> Actions {
        vec![Action::Copy].into()
    }

    fn qr_text<'s>(&'s self, _: &'s Store) -> Option<&'s Untrusted> {
        Some(&self.code.text)
    }

    /// Copies the text of the QR code. If there are warnings about the text, a dialog asks first,
    /// as it does everywhere else.
    fn act(&mut self, cx: &mut Cx, action: Action) {
        if action == Action::Copy {
            let known = self.sale.as_ref().and_then(|sale| Payable::of_sale(cx.store, sale));
            let payable = known.unwrap_or_else(|| Payable::of_text(cx.store, &self.code));
            use_payable(cx, Some(payable), PayableUse::Copy);
        }
    }

    fn next_deadline(&self, store: &Store, _: bool) -> Option<Duration> {
        charges::next_change(store, self.charge()?)
    }
}

/// Splits the screen into the caption of the demo's guided story and the rest. The caption gets no
/// rows if the QR code needs the whole screen.
fn split_caption(store: &Store, text: &Untrusted, whole: Area) -> (Area, Area) {
    let rows = u16::try_from(store.caption(whole.size()).len()).unwrap_or_default();
    let (bar, rest) = whole.split_top(rows);
    let needs_all = |code: &QrPicture| code.fits(whole) && !code.fits(rest);
    if store.picture.of(text).is_some_and(needs_all) { whole.split_top(0) } else { (bar, rest) }
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
