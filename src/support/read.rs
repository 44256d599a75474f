//! Reads a support file that comes from a stranger.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_with_limit};
use rawzip::{
    CompressionMethod, ZipArchive, ZipFileHeaderRecord, ZipSliceArchive, ZipVerification, crc32,
};

use super::{FORMAT, MAX_PACKED, MAX_UNPACKED, SupportFile};
use crate::trade::{SupportMember, Untrusted};

/// The first bytes of a zip with members.
const FIRST_BYTES: &[u8] = b"PK\x03\x04";

/// The maximum number of entries that are read. A support file has fewer members.
const MAX_ENTRIES: usize = 100;

/// The bits of a Unix mode that contain the type of the file, and the type of a regular file.
const TYPE_BITS: u32 = 0o170_000;
const REGULAR_FILE: u32 = 0o100_000;

/// The reason why a part of a support file was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The name is not that of a member, for example because it is a path.
    UnknownName(Untrusted),
    /// The member is not a regular file, but for example a symbolic link.
    NotFile(SupportMember),
    /// Several members have this name, so none of them was taken.
    Twice(SupportMember),
    /// The member is encrypted.
    Encrypted(SupportMember),
    /// The member is compressed in an unknown way.
    UnknownPacking(SupportMember),
    /// The members would be too large together if this one was unpacked too.
    TooLarge(SupportMember),
    /// The member cannot be unpacked, or its content was changed.
    Damaged(SupportMember),
    /// The list of members is damaged, so some may be missing.
    DamagedList,
    /// There are too many entries, and the last ones were not read.
    TooMany,
    /// A newer version of the program wrote the file, and may have written more.
    Newer,
}

/// The reason why nothing of a support file could be read.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is larger than [`MAX_PACKED`].
    #[error("too large")]
    TooLarge,
    /// The file begins like a zip, but its end is missing, as after an interrupted download.
    #[error("cut")]
    Cut,
    /// The file is not a zip.
    #[error("not a zip")]
    NotZip,
}

impl SupportFile {
    /// Reads a support file. Returns its content, and what was left out.
    ///
    /// # Errors
    ///
    /// Fails if nothing of the file can be used.
    pub fn open(path: &Path) -> Result<(SupportFile, Vec<Fault>), OpenError> {
        let mut bytes = Vec::new();
        // Read one byte more than the limit, to detect a file that is too large.
        File::open(path)?
            .take(MAX_PACKED + 1)
            .read_to_end(&mut bytes)?;
        SupportFile::read(&bytes)
    }

    /// Reads the bytes of a support file. Returns its content, and what was left out.
    ///
    /// # Errors
    ///
    /// Fails if nothing of the file can be used.
    pub fn read(bytes: &[u8]) -> Result<(SupportFile, Vec<Fault>), OpenError> {
        SupportFile::read_within(bytes, MAX_UNPACKED)
    }

    /// Like [`read`](SupportFile::read), but unpacks at most `max_unpacked` bytes.
    pub(super) fn read_within(
        bytes: &[u8],
        max_unpacked: u64,
    ) -> Result<(SupportFile, Vec<Fault>), OpenError> {
        if bytes.len() as u64 > MAX_PACKED {
            return Err(OpenError::TooLarge);
        }
        let archive = ZipArchive::from_slice(bytes).map_err(|_| {
            if bytes.starts_with(FIRST_BYTES) {
                OpenError::Cut
            } else {
                OpenError::NotZip
            }
        })?;
        let mut faults = Vec::new();
        let mut file = SupportFile::default();
        let mut left = max_unpacked;
        for (member, entries) in find_members(&archive, &mut faults) {
            let unpacked = match &entries[..] {
                [entry] => unpack(&archive, member, entry, left),
                _ => Err(Fault::Twice(member)),
            };
            match unpacked {
                Ok(bytes) => {
                    left -= bytes.len() as u64;
                    file.add(member, bytes);
                }
                Err(fault) => faults.push(fault),
            }
        }
        file.check_about(&mut faults);
        Ok((file, faults))
    }

    /// Removes `about.json` if it cannot be parsed, and adds a fault if it names a newer format.
    fn check_about(&mut self, faults: &mut Vec<Fault>) {
        match self.about() {
            Some(about) if about.format > FORMAT => faults.push(Fault::Newer),
            Some(_) => {}
            None if self.members.remove(&SupportMember::About).is_some() => {
                faults.push(Fault::Damaged(SupportMember::About));
            }
            None => {}
        }
    }
}

/// Finds the entries of each member. All other entries become faults.
fn find_members<'a>(
    archive: &'a ZipSliceArchive<&[u8]>,
    faults: &mut Vec<Fault>,
) -> BTreeMap<SupportMember, Vec<ZipFileHeaderRecord<'a>>> {
    let mut found: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (index, entry) in archive.entries().enumerate() {
        if index == MAX_ENTRIES {
            faults.push(Fault::TooMany);
            break;
        }
        let Ok(entry) = entry else {
            faults.push(Fault::DamagedList);
            break;
        };
        let path = entry.file_path();
        let name = path.as_bytes();
        let member = SupportMember::ALL
            .into_iter()
            .find(|member| member.file_name().as_bytes() == name);
        match member {
            Some(member) => found.entry(member).or_default().push(entry),
            None => {
                let name = String::from_utf8_lossy(name).into_owned();
                faults.push(Fault::UnknownName(name.into()));
            }
        }
    }
    found
}

/// Unpacks a member of at most `left` bytes.
fn unpack(
    archive: &ZipSliceArchive<&[u8]>,
    member: SupportMember,
    entry: &ZipFileHeaderRecord<'_>,
    left: u64,
) -> Result<Vec<u8>, Fault> {
    if ![0, REGULAR_FILE].contains(&(entry.mode().value() & TYPE_BITS)) {
        return Err(Fault::NotFile(member));
    }
    let flags = entry.flags();
    if flags.is_encrypted() || flags.has_strong_encryption() || flags.is_masked() {
        return Err(Fault::Encrypted(member));
    }
    let packed = archive.get_entry(entry.wayfinder());
    let packed = packed.map_err(|_| Fault::Damaged(member))?;
    let limit = usize::try_from(left).unwrap_or(usize::MAX);
    let bytes =
        match entry.compression_method() {
            CompressionMethod::STORE if packed.data().len() > limit => {
                return Err(Fault::TooLarge(member));
            }
            CompressionMethod::STORE => packed.data().to_vec(),
            CompressionMethod::DEFLATE => decompress_to_vec_with_limit(packed.data(), limit)
                .map_err(|error| match error.status {
                    TINFLStatus::HasMoreOutput => Fault::TooLarge(member),
                    _ => Fault::Damaged(member),
                })?,
            _ => return Err(Fault::UnknownPacking(member)),
        };
    let found = ZipVerification {
        crc: crc32(&bytes),
        uncompressed_size: bytes.len() as u64,
    };
    let verified = packed.claim_verifier().valid(found);
    verified.map_err(|_| Fault::Damaged(member))?;
    Ok(bytes)
}
