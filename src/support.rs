//! The support file: one zip with what a helper needs to see what a seller saw.
//!
//! [`SupportFile`] is its content. It has at most one member of each [`SupportMember`], under a
//! fixed name. The callers mask the members before they add them.
//!
//! A helper receives the file from a stranger, so [`SupportFile::open`] keeps everything in memory
//! and writes nothing. It reads at most [`MAX_PACKED`] bytes and unpacks at most [`MAX_UNPACKED`]
//! bytes, which it counts itself. Each other member is left out and named in a [`Fault`].

#![warn(missing_docs)]

mod about;
mod read;
mod write;

use std::collections::BTreeMap;

pub use about::{About, FORMAT};
pub use read::{Fault, OpenError};
pub use write::TooLarge;

use crate::trade::SupportMember;

/// The maximum size of a support file, in bytes.
pub const MAX_PACKED: u64 = 64 * 1024 * 1024;

/// The maximum size of all members of a support file together, in bytes.
pub const MAX_UNPACKED: u64 = 256 * 1024 * 1024;

/// The content of a support file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SupportFile {
    members: BTreeMap<SupportMember, Vec<u8>>,
}

impl SupportFile {
    /// Adds a member, or replaces it.
    pub fn add(&mut self, member: SupportMember, bytes: impl Into<Vec<u8>>) {
        self.members.insert(member, bytes.into());
    }

    /// The content of a member, if the file has it.
    pub fn bytes(&self, member: SupportMember) -> Option<&[u8]> {
        self.members.get(&member).map(Vec::as_slice)
    }

    /// The members with their content, in the order in which they are written.
    pub fn members(&self) -> impl Iterator<Item = (SupportMember, &[u8])> {
        let members = self.members.iter();
        members.map(|(member, bytes)| (*member, bytes.as_slice()))
    }
}

#[cfg(test)]
mod tests;
