//! Copying: the text that goes to the clipboard, and the notice about it.

use crate::app::cx::Cx;
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
pub fn copy(cx: &mut Cx, clip: Clip, text: Untrusted) {
    let this = Some((clip, text.clone()));
    let copies = &mut cx.store.copies;
    copies.times = if copies.last == this { copies.times.saturating_add(1) } else { 1 };
    copies.last = this;
    cx.perform(Effect::Copy(clip, text));
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
