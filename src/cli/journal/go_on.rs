//! `balcao journal forget-missing` and `set-aside`: going on without a journal, with open eyes.
//!
//! Both want the name of the journal's directory typed, and neither can be had from the app.

use std::process::ExitCode;

use super::{Ground, answer, say, verify};
use crate::cli::commands::{self, GoOn};
use crate::cli::complaint::Complaint;
use crate::journal::money::{self, NotSetAside};
use crate::runtime::clocks::MachineClocks;
use crate::runtime::marker::Forgotten;
use crate::trade::Untrusted;
use crate::words::failure;

/// Gives up a journal that is gone.
pub fn forget(ground: &Ground) -> Result<ExitCode, Complaint> {
    let step = |step| commands::go_on(ground.words, step, &ground.shown());
    if money::is_there(&ground.dir) {
        return ground.not_done(&step(GoOn::StillThere));
    }
    let place = ground.place();
    match ground.ask(place.is_missing())? {
        Ok(true) => {}
        Ok(false) => return ground.not_done(&step(GoOn::NotKnown)),
        Err(trouble) => return ground.not_done(&failure::vault(ground.words, &trouble).what),
    }
    say(&step(GoOn::ForgetMeans))?;
    if !is_meant(ground)? {
        return ground.not_done(&commands::given_up(ground.words));
    }
    match ground.ask(place.forget_missing())? {
        Ok(Forgotten::Done) => say(&step(GoOn::Forgotten)).map(|()| ExitCode::SUCCESS),
        Ok(Forgotten::NotKnown) => ground.not_done(&step(GoOn::NotKnown)),
        Ok(Forgotten::StillThere) => ground.not_done(&step(GoOn::StillThere)),
        Err(trouble) => ground.not_done(&failure::vault(ground.words, &trouble).what),
    }
}

/// Moves a damaged journal aside.
pub fn set_aside(ground: &Ground) -> Result<ExitCode, Complaint> {
    if !money::is_there(&ground.dir) {
        return verify::nothing(ground);
    }
    if let Err(why) = money::is_damaged(&ground.dir) {
        return stays(ground, &why);
    }
    say(&commands::go_on(ground.words, GoOn::AsideMeans, &ground.shown()))?;
    if !is_meant(ground)? {
        return ground.not_done(&commands::given_up(ground.words));
    }
    let to = match money::set_aside(&ground.dir, MachineClocks::new().now().wall) {
        Ok(to) => to.display().to_string().into(),
        Err(why) => return stays(ground, &why),
    };
    say(&commands::go_on(ground.words, GoOn::Aside, &to))?;
    if ground.ask(ground.place().forget_missing())?.is_err() {
        say(&commands::still_marked(ground.words))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn stays(ground: &Ground, why: &NotSetAside) -> Result<ExitCode, Complaint> {
    let step = |step| ground.not_done(&commands::go_on(ground.words, step, &ground.shown()));
    match why {
        NotSetAside::Healthy => step(GoOn::Healthy),
        NotSetAside::InFlight => step(GoOn::InFlight),
        NotSetAside::Trouble(trouble) => ground.trouble(trouble),
    }
}

/// Whether the directory's name is typed.
fn is_meant(ground: &Ground) -> Result<bool, Complaint> {
    let name = ground.dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let question = commands::type_name(ground.words, &Untrusted::from(name.as_str()));
    Ok(!name.is_empty() && answer(&question)? == name)
}
