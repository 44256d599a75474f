//! The steps of a durable write to the journal of withdrawals. Tests replace the [`Disk`] to make a
//! step fail.

use std::io;

/// A step of a durable write. The variants are in the order of the steps. `Purge`
/// takes the place of `Append`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DiskStep {
    /// Creates the journal's directory if it does not exist.
    MakeDir,
    /// Creates an empty `money.db` if it does not exist.
    CreateDatabase,
    /// Creates the tables of a new `money.db`.
    CreateSchema,
    /// `BEGIN IMMEDIATE`: from now on no other process can write.
    Begin,
    /// Inserts the row of the new event.
    Append,
    /// Erases the personal data of an old withdrawal.
    Purge,
    /// `COMMIT`: SQLite makes the change durable.
    Commit,
    /// Writes the new `money.head`, or another small file, to a temporary file.
    HeadWrite,
    /// Syncs the temporary file.
    HeadSync,
    /// Renames the temporary file to its final name.
    HeadRename,
    /// Syncs the directory, which makes the rename durable.
    DirSync,
}

impl DiskStep {
    /// All steps, in the order in which they are executed.
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

/// The disk to which the journal of withdrawals is written.
///
/// Every step of a durable write goes through this trait. Tests can therefore make a step fail
/// before or after it takes effect, or end the process at that point.
pub trait Disk: Send + Sync {
    /// Performs the step by calling `act`. A test disk may fail instead of calling `act`.
    fn step(&self, step: DiskStep, act: &mut dyn FnMut() -> io::Result<()>) -> io::Result<()>;
}

/// A disk that skips all syncs. It is used for files that are deleted when the program ends.
pub(super) struct UnsyncedDisk;

impl Disk for UnsyncedDisk {
    fn step(&self, step: DiskStep, act: &mut dyn FnMut() -> io::Result<()>) -> io::Result<()> {
        match step {
            DiskStep::HeadSync | DiskStep::DirSync => Ok(()),
            _ => act(),
        }
    }
}

/// The real disk: performs every step.
#[derive(Debug, Clone, Copy, Default)]
pub struct OsDisk;

impl Disk for OsDisk {
    fn step(&self, _: DiskStep, act: &mut dyn FnMut() -> io::Result<()>) -> io::Result<()> {
        act()
    }
}
