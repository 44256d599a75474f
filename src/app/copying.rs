//! Copying: what goes to the clipboard, and what is said of it.

use super::screen::route::Next;
use super::withdrawals::clues::ClueKind;
use super::{Copied, CopyTrouble, Effect, Said, Store};
use crate::trade::Untrusted;

/// What is copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clip {
    /// A link's address.
    Address,
    /// A message for a link's buyer.
    Message,
    /// The Pix code of a direct payment.
    PixCode,
    /// The code of a withdrawal.
    Key,
    /// A request and its reply.
    Request,
    /// One thing to look for in the account.
    Clue(ClueKind),
}

/// The last copy that was asked for, and how many times in a row.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Copies {
    last: Option<(Clip, Untrusted)>,
    times: u32,
}

/// Copies a text; that it is the same once more is said.
pub fn copy(store: &mut Store, clip: Clip, text: Untrusted) -> Next {
    let this = Some((clip, text.clone()));
    let copies = &mut store.copies;
    copies.times = if copies.last == this { copies.times.saturating_add(1) } else { 1 };
    copies.last = this;
    Effect::Copy(clip, text).into()
}

/// Copies a text exactly as it came, or not at all.
pub fn exactly(store: &mut Store, clip: Clip, text: Untrusted) -> Next {
    match CopyTrouble::of(&text) {
        None => copy(store, clip, text),
        Some(trouble) => store.not_copied(trouble),
    }
}

/// Something was copied, or not.
pub fn copied(store: &mut Store, clip: Clip, result: Result<Copied, CopyTrouble>) {
    let is_last = store.copies.last.as_ref().is_some_and(|(last, _)| *last == clip);
    store.notice = Some(match result {
        Ok(how) => Said::Copied { clip, how, times: if is_last { store.copies.times } else { 1 } },
        Err(trouble) => {
            store.copies = Copies::default();
            Said::NotCopied(trouble)
        }
    });
}
