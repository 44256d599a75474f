//! Copying: what goes to the clipboard, and what is said of it.

use super::update::say;
use super::withdrawals::guide::What;
use super::{Copied, CopyTrouble, Effect, Model, Said};
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
    Clue(What),
}

/// The last copy that was asked for, and how many times in a row.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Copies {
    last: Option<(Clip, Untrusted)>,
    times: u32,
}

/// Copies a text; that it is the same once more is said.
pub fn copy(model: &mut Model, clip: Clip, text: Untrusted) -> Vec<Effect> {
    let this = Some((clip, text.clone()));
    let copies = &mut model.copies;
    copies.times = if copies.last == this { copies.times.saturating_add(1) } else { 1 };
    copies.last = this;
    vec![Effect::Copy(clip, text)]
}

/// Something was copied, or not.
pub fn copied(model: &mut Model, clip: Clip, result: Result<Copied, CopyTrouble>) -> Vec<Effect> {
    let is_last = model.copies.last.as_ref().is_some_and(|(last, _)| *last == clip);
    let said = match result {
        Ok(how) => Said::Copied { clip, how, times: if is_last { model.copies.times } else { 1 } },
        Err(trouble) => {
            model.copies = Copies::default();
            Said::NotCopied(trouble)
        }
    };
    say(model, said)
}
