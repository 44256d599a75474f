//! Copying: the text that goes to the clipboard, and the notice about it.

use crate::app::next::Next;
use crate::app::store::clip::Clip;
use crate::app::store::notice::Notice;
use crate::app::{Copied, CopyTrouble, Effect, Store};
use crate::trade::Untrusted;

/// The last copy that was asked for, and how many times in a row.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Copies {
    last: Option<(Clip, Untrusted)>,
    times: u32,
}

/// Copies a text; the notice counts how many times in a row it was the same one.
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
        Ok(how) => {
            Notice::Copied { clip, how, times: if is_last { store.copies.times } else { 1 } }
        }
        Err(trouble) => {
            store.copies = Copies::default();
            Notice::NotCopied(trouble)
        }
    });
}
