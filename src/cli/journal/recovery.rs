//! `balcao journal forget-missing`, `make-live` and `set-aside`: going on without the journal that
//! was the live one, with open eyes.
//!
//! Each wants the journal's directory typed, by its name or by its path.

use super::{CommandContext, verify};
use crate::cli::block_on;
use crate::cli::complaint::Complaint;
use crate::cli::output::{print_line, prompt};
use crate::journal::money::{self, NotSetAside};
use crate::runtime::clocks::MachineClocks;
use crate::trade::{JournalTrouble, Untrusted};

/// Gives up a journal that is gone. One that is here takes its place.
pub fn forget(context: &CommandContext) -> Result<(), Complaint> {
    let is_there = money::is_there(&context.dir);
    let looked = context.open();
    match context.check(looked.as_ref().map(|look| &look.journal))? {
        Err(JournalTrouble::Missing) => {}
        Err(trouble) => return Err(context.trouble(&trouble)),
        Ok(()) if is_there => return Err(refused(context, "forget-there")),
        Ok(()) => return Err(refused(context, "forget-nothing")),
    }
    let (means, done) = match is_there {
        true => ("forget-replace", "make-live-done"),
        false => ("forget-means", "forget-done"),
    };
    print_line(&about_dir(context, means))?;
    take_place(context, &dir_name(context), done)
}

/// Makes the journal here the live one, in the place of another.
pub fn make_live(context: &CommandContext) -> Result<(), Complaint> {
    // Not that it is damaged: whether it is the live one is decided by the markers.
    match context.check_unopened()? {
        Err(JournalTrouble::Elsewhere(other)) => {
            let other = Untrusted::from(other.display().to_string());
            let values = [("dir", &*context.shown().shown()), ("other", &other.shown())];
            print_line(&context.words.with("make-live-means", &values))?;
        }
        Err(trouble) => return Err(context.trouble(&trouble)),
        Ok(()) => {
            let looked = context.open();
            let checked = context.check(looked.as_ref().map(|look| &look.journal))?;
            let checked = checked.and(looked.map(|_| ()));
            return match checked {
                Ok(()) => Err(refused(context, "make-live-is")),
                Err(trouble) => Err(context.trouble(&trouble)),
            };
        }
    }
    take_place(context, &context.dir.display().to_string(), "make-live-done")
}

/// Makes the journal here the live one once this text is typed.
fn take_place(context: &CommandContext, text: &str, done: &str) -> Result<(), Complaint> {
    require_typed(context, text)?;
    let taken = block_on(context.location().make_live())?;
    taken.map_err(|trouble| context.trouble(&trouble))?;
    print_line(&about_dir(context, done))
}

/// Moves a damaged journal aside.
pub fn set_aside(context: &CommandContext) -> Result<(), Complaint> {
    if !money::is_there(&context.dir) {
        return Err(verify::nothing(context));
    }
    // Where another journal is the live one, none may begin here.
    context.check_unopened()?.map_err(|trouble| context.trouble(&trouble))?;
    let not_set_aside = |why| match why {
        NotSetAside::Healthy => refused(context, "set-aside-healthy"),
        NotSetAside::InFlight => refused(context, "set-aside-in-flight"),
        NotSetAside::Trouble(trouble) => context.trouble(&trouble),
    };
    let event = context.location().remembered_event();
    let event = event.map_err(|trouble| context.trouble(&trouble))?;
    money::is_damaged(&context.dir, event).map_err(not_set_aside)?;
    print_line(&about_dir(context, "set-aside-means"))?;
    require_typed(context, &dir_name(context))?;
    let now = MachineClocks::new().now().wall;
    let to = money::set_aside(&context.dir, event, now).map_err(not_set_aside)?;
    let to = Untrusted::from(to.display().to_string());
    print_line(&context.words.with("set-aside-done", &[("to", &to.shown())]))?;
    if block_on(context.location().forget_set_aside())?.is_err() {
        print_line(&context.words.text("set-aside-marked"))?;
    }
    Ok(())
}

/// A sentence about the journal's directory.
fn about_dir(context: &CommandContext, id: &str) -> String {
    context.words.with(id, &[("dir", &context.shown().shown())])
}

fn refused(context: &CommandContext, id: &str) -> Complaint {
    Complaint::refused(about_dir(context, id))
}

fn dir_name(context: &CommandContext) -> String {
    context.dir.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Gives up unless a text is typed as it is asked for.
fn require_typed(context: &CommandContext, text: &str) -> Result<(), Complaint> {
    let name = Untrusted::from(text).shown();
    let typed = prompt(&context.words.with("type-name", &[("name", &name)]))?;
    match !text.is_empty() && typed.is_some_and(|typed| typed == text) {
        true => Ok(()),
        false => Err(Complaint::refused(context.words.text("given-up"))),
    }
}
