//! The durable steps of the money journal, each of which can fail or be the last.

use std::io;

/// One durable step, in the order in which a write takes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DiskStep {
    /// The journal's directory is made, when it is not there yet.
    MakeDir,
    /// An empty `money.db` is made, when there was none.
    CreateDatabase,
    /// Its tables are made.
    CreateSchema,
    /// `BEGIN IMMEDIATE`: no other window can write from here on.
    Begin,
    /// The event's row is inserted.
    Append,
    /// The personal parts of one old withdrawal are blanked.
    Purge,
    /// `COMMIT`: SQLite makes the change durable.
    Commit,
    /// The new head is written beside the old one.
    HeadWrite,
    /// The new head's bytes are made durable.
    HeadSync,
    /// The new head takes the old one's name.
    HeadRename,
    /// The directory, and with it that name, is made durable.
    DirSync,
}

impl DiskStep {
    /// Every step.
    pub const ALL: [DiskStep; 11] = [
        DiskStep::MakeDir,
        DiskStep::CreateDatabase,
        DiskStep::CreateSchema,
        DiskStep::Begin,
        DiskStep::Append,
        DiskStep::Purge,
        DiskStep::Commit,
        DiskStep::HeadWrite,
        DiskStep::HeadSync,
        DiskStep::HeadRename,
        DiskStep::DirSync,
    ];
}

/// The disk under the money journal.
///
/// Every durable step goes through here by its name, so that a test can make one fail before or
/// after it acted, or end the process there, while all other code is the one that runs with money.
pub trait Disk: Send {
    /// Does `act`, which is the step.
    fn step(&self, step: DiskStep, act: &mut dyn FnMut() -> io::Result<()>) -> io::Result<()>;
}

/// A disk whose files end with the program: nothing is made durable on it.
pub(super) struct NotDurable;

impl Disk for NotDurable {
    fn step(&self, step: DiskStep, act: &mut dyn FnMut() -> io::Result<()>) -> io::Result<()> {
        match step {
            DiskStep::HeadSync | DiskStep::DirSync => Ok(()),
            _ => act(),
        }
    }
}

/// The disk as it is.
#[derive(Debug, Clone, Copy, Default)]
pub struct OsDisk;

impl Disk for OsDisk {
    fn step(&self, _: DiskStep, act: &mut dyn FnMut() -> io::Result<()>) -> io::Result<()> {
        act()
    }
}
