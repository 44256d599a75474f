//! `balcao journal forget-missing`, `make-live` and `set-aside`: going on without the journal that
//! was the live one, with open eyes.
//!
//! Each wants the journal's directory typed, by its name or by its path.

use std::process::ExitCode;

use super::{CommandContext, verify};
use crate::cli::commands::{self, RecoveryStep};
use crate::cli::complaint::Complaint;
use crate::cli::output::{print_line, prompt};
use crate::journal::money::{self, NotSetAside};
use crate::runtime::clocks::MachineClocks;
use crate::trade::{JournalTrouble, Untrusted};

/// Gives up a journal that is gone. One that is here takes its place.
pub fn forget(context: &CommandContext) -> Result<ExitCode, Complaint> {
    let step = |step| commands::recovery_step(context.words, step, &context.shown());
    match context.check(&verify::open(context))? {
        Err(JournalTrouble::Missing) => {}
        Err(trouble) => return context.trouble(&trouble),
        Ok(()) if money::is_there(&context.dir) => {
            return context.not_done(&step(RecoveryStep::StillThere));
        }
        Ok(()) => return context.not_done(&step(RecoveryStep::NotKnown)),
    }
    let (means, done) = match money::is_there(&context.dir) {
        true => (RecoveryStep::ReplaceMeans, RecoveryStep::MadeLive),
        false => (RecoveryStep::ForgetMeans, RecoveryStep::Forgotten),
    };
    print_line(&step(means))?;
    let name = context.dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
    take_place(context, &name, done)
}

/// Makes the journal here the live one, in the place of another.
pub fn make_live(context: &CommandContext) -> Result<ExitCode, Complaint> {
    // Not that it is damaged: whether it is the live one is decided by the markers.
    match context.check_unopened()? {
        Err(JournalTrouble::Elsewhere(other)) => {
            let other = other.display().to_string().into();
            print_line(&commands::make_live_means(context.words, &context.shown(), &other))?;
        }
        Err(trouble) => return context.trouble(&trouble),
        Ok(()) => {
            let looked = verify::open(context);
            return match context.check(&looked)?.and(looked.map(|_| ())) {
                Ok(()) => {
                    let is_live = RecoveryStep::IsLive;
                    let shown = context.shown();
                    context.not_done(&commands::recovery_step(context.words, is_live, &shown))
                }
                Err(trouble) => context.trouble(&trouble),
            };
        }
    }
    take_place(context, &context.dir.display().to_string(), RecoveryStep::MadeLive)
}

/// Makes the journal here the live one once this text is typed.
fn take_place(
    context: &CommandContext,
    text: &str,
    done: RecoveryStep,
) -> Result<ExitCode, Complaint> {
    if !is_typed(context, text)? {
        return context.not_done(&commands::given_up(context.words));
    }
    match context.block_on(context.location().make_live())? {
        Ok(()) => print_line(&commands::recovery_step(context.words, done, &context.shown()))
            .map(|()| ExitCode::SUCCESS),
        Err(trouble) => context.trouble(&trouble),
    }
}

/// Moves a damaged journal aside.
pub fn set_aside(context: &CommandContext) -> Result<ExitCode, Complaint> {
    if !money::is_there(&context.dir) {
        return verify::nothing(context);
    }
    // Where another journal is the live one, none may begin here.
    if let Err(trouble) = context.check_unopened()? {
        return context.trouble(&trouble);
    }
    let event = match context.location().remembered_event() {
        Ok(event) => event,
        Err(trouble) => return context.trouble(&trouble),
    };
    if let Err(why) = money::is_damaged(&context.dir, event) {
        return not_set_aside(context, &why);
    }
    print_line(&commands::recovery_step(
        context.words,
        RecoveryStep::AsideMeans,
        &context.shown(),
    ))?;
    let name = context.dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if !is_typed(context, &name)? {
        return context.not_done(&commands::given_up(context.words));
    }
    let to = match money::set_aside(&context.dir, event, MachineClocks::new().now().wall) {
        Ok(to) => to.display().to_string().into(),
        Err(why) => return not_set_aside(context, &why),
    };
    print_line(&commands::recovery_step(context.words, RecoveryStep::Aside, &to))?;
    if context.block_on(context.location().forget_set_aside())?.is_err() {
        print_line(&commands::still_marked(context.words))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn not_set_aside(context: &CommandContext, why: &NotSetAside) -> Result<ExitCode, Complaint> {
    let step =
        |step| context.not_done(&commands::recovery_step(context.words, step, &context.shown()));
    match why {
        NotSetAside::Healthy => step(RecoveryStep::Healthy),
        NotSetAside::InFlight => step(RecoveryStep::InFlight),
        NotSetAside::Trouble(trouble) => context.trouble(trouble),
    }
}

/// Returns true if a text is typed as it is asked for.
fn is_typed(context: &CommandContext, text: &str) -> Result<bool, Complaint> {
    let question = commands::type_name(context.words, &Untrusted::from(text));
    Ok(!text.is_empty() && prompt(&question)?.is_some_and(|typed| typed == text))
}
