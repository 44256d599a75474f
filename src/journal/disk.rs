//! The durable write steps of the money journal, as an interface that tests can make fail.

use std::io;

/// A durable step of a write, in the order in which the steps happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DiskStep {
    /// Creates the journal's directory if it does not exist.
    MakeDir,
    /// Creates an empty `money.db` if it does not exist.
    CreateDatabase,
    /// Creates the tables of a new `money.db`.
    CreateSchema,
    /// `BEGIN IMMEDIATE`: from here on no other process can write.
    Begin,
    /// Inserts the row of the event.
    Append,
    /// Blanks the personal data of one old withdrawal.
    Purge,
    /// `COMMIT`: SQLite makes the change durable.
    Commit,
    /// Writes the new `money.head` to a temporary file.
    HeadWrite,
    /// Syncs the temporary file.
    HeadSync,
    /// Renames the temporary file to `money.head`.
    HeadRename,
    /// Syncs the directory, which makes the rename durable.
    DirSync,
}

impl DiskStep {
    /// All steps.
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

/// The disk of the money journal.
///
/// Every durable step goes through this trait. A test can make a step fail before or after it acts,
/// or end the process there, while all other code is the code used in production.
pub trait Disk: Send {
    /// Runs `act`, which performs the step.
    fn step(&self, step: DiskStep, act: &mut dyn FnMut() -> io::Result<()>) -> io::Result<()>;
}

/// A disk that skips the syncs, for files that are removed when the program ends.
pub(super) struct NotDurable;

impl Disk for NotDurable {
    fn step(&self, step: DiskStep, act: &mut dyn FnMut() -> io::Result<()>) -> io::Result<()> {
        match step {
            DiskStep::HeadSync | DiskStep::DirSync => Ok(()),
            _ => act(),
        }
    }
}

/// The real disk: runs every step.
#[derive(Debug, Clone, Copy, Default)]
pub struct OsDisk;

impl Disk for OsDisk {
    fn step(&self, _: DiskStep, act: &mut dyn FnMut() -> io::Result<()>) -> io::Result<()> {
        act()
    }
}
