//! Copies texts to the clipboard. Also contains the types for the results of copying, and of trying
//! to open the browser.

use std::sync::Arc;

use super::story::SellerEvent;
use super::withdrawals::lookup_hints::LookupHintKind;
use crate::app::cx::Cx;
use crate::app::message::RequestExport;
use crate::app::store::notice::Notice;
use crate::app::{Effect, Store};
use crate::trade::{Exchange, Untrusted};

/// The kind of text that was copied. The notice about the copy names this kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clip {
    Address,
    /// The URL of a payment link that was just created. It is copied automatically, without a key
    /// press.
    NewAddress,
    Message,
    /// The URLs of the links of a batch.
    BatchAddresses,
    /// The Pix code of a direct payment.
    PixCode,
    /// The idempotency key of a withdrawal.
    Key,
    Receipt,
    Request,
    /// An HTTP request as a curl command.
    Curl,
    /// The report of the `doctor` check, which examines this computer, the settings and the
    /// service.
    Report,
    /// A detail, such as the amount, by which the seller can find a withdrawal in the account at
    /// the service.
    LookupHint(LookupHintKind),
}

/// The reason the browser was not opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoBrowser {
    /// The text is not a web address.
    NotWeb,
    /// There is no graphical display for a browser.
    NoDisplay,
    /// The operating system could not start a browser.
    Failed,
}

/// The place where a copied text was put, as far as the program can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Copied {
    /// The text was put into the desktop's clipboard.
    Desktop,
    /// The text was put into tmux's buffer, and tmux forwarded it to the terminal.
    Tmux,
    /// The text was put only into tmux's buffer, because tmux has no access to the clipboard of the
    /// surrounding terminal.
    TmuxOnly,
    /// The text was sent to the terminal. The terminal does not confirm that it copied the text.
    SentToTerminal,
}

/// The reason a text was not copied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CopyTrouble {
    /// The text contains control characters or invisible characters.
    NotClean,
    /// A secret in the text was replaced by a mask, so a copy would differ from the original.
    Masked,
    /// The text is too long for the screen to show all of it, so the seller could not check it.
    NotInFull,
    /// The text is longer than the clipboards of most terminals accept.
    TooLong,
    /// No program accepts the text, and the terminal cannot be asked, because the app is a stream
    /// of lines.
    NoProgram,
    /// The current screen has nothing to copy.
    Nothing,
}

impl CopyTrouble {
    /// The reason why a text cannot be copied, or `None`. A text can be copied only if the screen
    /// shows all of it unchanged.
    pub fn of(text: &Untrusted) -> Option<CopyTrouble> {
        if text.is_clean() {
            None
        } else if text.is_masked() {
            Some(CopyTrouble::Masked)
        } else if text.is_too_long() {
            Some(CopyTrouble::NotInFull)
        } else {
            Some(CopyTrouble::NotClean)
        }
    }
}

/// The text that was copied last, and how many times in a row it was copied.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Copies {
    last: Option<(Clip, Untrusted)>,
    times: u32,
    /// True once a notice has explained what to do if the text is not in the clipboard.
    has_shown_advice: bool,
}

impl Copies {
    /// Forgets the last copy, so that the next copy does not count as a repetition.
    fn forget(&mut self) {
        (self.last, self.times) = (None, 0);
    }
}

/// Copies a text to the clipboard, and counts how many times in a row the same text was copied.
pub fn copy(cx: &mut Cx, clip: Clip, text: Untrusted) {
    let copy = Some((clip, text.clone()));
    let copies = &mut cx.store.copies;
    copies.times = if copies.last == copy {
        copies.times.saturating_add(1)
    } else {
        1
    };
    copies.last = copy;
    cx.perform(Effect::Copy(clip, text));
    cx.tell_story(SellerEvent::Copy);
}

/// Copies an HTTP request as a curl command. The runtime builds the command, because only the
/// runtime knows which secrets to mask. Unlike [`copy`], does not count repeated copies.
pub fn copy_curl(cx: &mut Cx, exchange: Arc<Exchange>) {
    cx.store.copies.forget();
    cx.perform(Effect::Export(RequestExport::Curl(
        exchange,
        cx.store.setup.lang,
    )));
}

/// Copies a text byte for byte, or shows a notice that explains why it cannot be copied.
pub fn copy_exactly(cx: &mut Cx, clip: Clip, text: Untrusted) {
    match CopyTrouble::of(&text) {
        None => copy(cx, clip, text),
        Some(trouble) => cx.store.not_copied(trouble),
    }
}

/// Handles the result of copying a text. Shows a notice that the text was copied, or why it was
/// not.
pub fn copied(store: &mut Store, clip: Clip, result: Result<Copied, CopyTrouble>) {
    let is_last = store
        .copies
        .last
        .as_ref()
        .is_some_and(|(last, _)| *last == clip);
    store.notice = Some(match result {
        Ok(place) => {
            let times = if is_last { store.copies.times } else { 1 };
            // The terminal does not confirm that the text was copied. Explain that only in the
            // first notice.
            let advises = place == Copied::SentToTerminal && !store.copies.has_shown_advice;
            store.copies.has_shown_advice |= advises;
            Notice::Copied {
                clip,
                how: place,
                times,
                shows_advice: advises,
            }
        }
        Err(trouble) => {
            store.copies.forget();
            Notice::NotCopied(trouble)
        }
    });
}
