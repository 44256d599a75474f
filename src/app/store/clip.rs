//! Copying to the clipboard and opening in the browser: the kinds, the results and the troubles.

use super::story::SellerEvent;
use super::withdrawals::clues::ClueKind;
use crate::app::cx::Cx;
use crate::app::store::notice::Notice;
use crate::app::{Effect, Store};
use crate::trade::Untrusted;

/// The kind of a copied text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "most kinds are their names")]
pub enum Clip {
    Address,
    /// The address of a link that was just made: no key was pressed for it.
    NewAddress,
    Message,
    /// The Pix code of a direct payment.
    PixCode,
    /// The code of a withdrawal.
    Key,
    Receipt,
    Request,
    /// The findings of a checkup.
    Report,
    /// One thing to look for in the account.
    Clue(ClueKind),
}

/// The reason no browser was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoBrowser {
    /// It is not a web address.
    NotWeb,
    /// There is no screen here on which one could appear.
    NoDisplay,
    /// The system could not start one.
    Failed,
}

/// The way something was copied; it claims no more than is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Copied {
    /// It is in the desktop's clipboard.
    Desktop,
    /// It is in tmux's buffer, and tmux passed it on to the terminal.
    Tmux,
    /// It is in tmux's buffer; the terminal around it has no clipboard that tmux knows.
    TmuxOnly,
    /// It was sent to the terminal, which does not say what it did with it.
    SentToTerminal,
}

/// The reason something was not copied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CopyTrouble {
    /// It holds control characters, or others that are not seen on a screen.
    NotClean,
    /// A secret was taken out of it.
    Masked,
    /// It is longer than what is shown: not all of it could be seen.
    NotInFull,
    /// It is longer than clipboards of terminals take.
    TooLong,
    /// There is nothing to copy here.
    Nothing,
}

impl CopyTrouble {
    /// Returns the reason a text is not copied: only one that can be seen in full, as it came, is.
    pub fn of(text: &Untrusted) -> Option<CopyTrouble> {
        match text.is_clean() {
            true => text.is_masked().then_some(CopyTrouble::Masked),
            false if text.is_too_long() => Some(CopyTrouble::NotInFull),
            false => Some(CopyTrouble::NotClean),
        }
    }
}

/// The last copy that was asked for, and how many times in a row.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Copies {
    last: Option<(Clip, Untrusted)>,
    times: u32,
}

/// Copies a text; the notice counts how many times in a row it was the same one.
pub fn copy(cx: &mut Cx, clip: Clip, text: Untrusted) {
    let this = Some((clip, text.clone()));
    let copies = &mut cx.store.copies;
    copies.times = if copies.last == this { copies.times.saturating_add(1) } else { 1 };
    copies.last = this;
    cx.perform(Effect::Copy(clip, text));
    cx.tell_story(SellerEvent::Copy);
}

/// Copies a text exactly as it came, or not at all.
pub fn exactly(cx: &mut Cx, clip: Clip, text: Untrusted) {
    match CopyTrouble::of(&text) {
        None => copy(cx, clip, text),
        Some(trouble) => cx.store.not_copied(trouble),
    }
}

/// Something was copied, or not.
pub fn copied(store: &mut Store, clip: Clip, result: Result<Copied, CopyTrouble>) {
    let is_last = store.copies.last.as_ref().is_some_and(|(last, _)| *last == clip);
    store.notice = Some(match result {
        Ok(how) => {
            Notice::Copied { clip, how, times: if is_last { store.copies.times } else { 1 } }
        }
        Err(trouble) => {
            store.copies = Copies::default();
            Notice::NotCopied(trouble)
        }
    });
}
