//! `balcao journal forget-missing` and `set-aside`: going on without a journal, with open eyes.
//!
//! Both want the name of the journal's directory typed, and neither can be had from the app.

use std::process::ExitCode;

use super::{CommandContext, verify};
use crate::cli::commands::{self, RecoveryStep};
use crate::cli::complaint::Complaint;
use crate::cli::output::{print_line, prompt};
use crate::journal::money::{self, NotSetAside};
use crate::runtime::clocks::MachineClocks;
use crate::runtime::marker::Forgotten;
use crate::trade::Untrusted;
use crate::words::failure;

/// Gives up a journal that is gone.
pub fn forget(context: &CommandContext) -> Result<ExitCode, Complaint> {
    let step = |step| commands::recovery_step(context.words, step, &context.shown());
    if money::is_there(&context.dir) {
        return context.not_done(&step(RecoveryStep::StillThere));
    }
    let location = context.location();
    match context.block_on(location.is_missing())? {
        Ok(true) => {}
        Ok(false) => return context.not_done(&step(RecoveryStep::NotKnown)),
        Err(trouble) => return context.not_done(&failure::vault(context.words, &trouble).what),
    }
    print_line(&step(RecoveryStep::ForgetMeans))?;
    if !is_meant(context)? {
        return context.not_done(&commands::given_up(context.words));
    }
    match context.block_on(location.forget_missing())? {
        Ok(Forgotten::Done) => {
            print_line(&step(RecoveryStep::Forgotten)).map(|()| ExitCode::SUCCESS)
        }
        Ok(Forgotten::NotKnown) => context.not_done(&step(RecoveryStep::NotKnown)),
        Ok(Forgotten::StillThere) => context.not_done(&step(RecoveryStep::StillThere)),
        Err(trouble) => context.not_done(&failure::vault(context.words, &trouble).what),
    }
}

/// Moves a damaged journal aside.
pub fn set_aside(context: &CommandContext) -> Result<ExitCode, Complaint> {
    if !money::is_there(&context.dir) {
        return verify::nothing(context);
    }
    if let Err(why) = money::is_damaged(&context.dir) {
        return not_set_aside(context, &why);
    }
    print_line(&commands::recovery_step(
        context.words,
        RecoveryStep::AsideMeans,
        &context.shown(),
    ))?;
    if !is_meant(context)? {
        return context.not_done(&commands::given_up(context.words));
    }
    let to = match money::set_aside(&context.dir, MachineClocks::new().now().wall) {
        Ok(to) => to.display().to_string().into(),
        Err(why) => return not_set_aside(context, &why),
    };
    print_line(&commands::recovery_step(context.words, RecoveryStep::Aside, &to))?;
    if context.block_on(context.location().forget_missing())?.is_err() {
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

/// Returns true if the directory's name is typed.
fn is_meant(context: &CommandContext) -> Result<bool, Complaint> {
    let name = context.dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let question = commands::type_name(context.words, &Untrusted::from(name.as_str()));
    Ok(!name.is_empty() && prompt(&question)?.is_some_and(|typed| typed == name))
}
