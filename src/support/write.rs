//! Writes the content of a support file as a zip.

use std::io::Write;

use miniz_oxide::deflate::compress_to_vec;
use rawzip::time::UtcDateTime;
use rawzip::{CompressionMethod, DataDescriptorOutput, ZipArchiveWriter, crc32};

use super::{MAX_PACKED, MAX_UNPACKED, SupportFile};
use crate::trade::Wall;

/// The level of the compression, from 0 to 10.
const LEVEL: u8 = 6;

/// The permissions of a member after it was unpacked: only the user can read it.
const MODE: u32 = 0o600;

/// The error for members that are so large that the file could not be opened again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the support file would be too large")]
pub struct TooLarge;

impl SupportFile {
    /// The bytes of the zip. Equal members give equal bytes.
    ///
    /// # Errors
    ///
    /// Fails if the file would be larger than [`MAX_PACKED`], or its members together larger than
    /// [`MAX_UNPACKED`].
    pub fn to_zip(&self) -> Result<Vec<u8>, TooLarge> {
        let total: u64 = self.members().map(|(_, bytes)| bytes.len() as u64).sum();
        if total > MAX_UNPACKED {
            return Err(TooLarge);
        }
        // Writing to memory fails only beyond the limits of the zip format.
        let zip = self.write_members().map_err(|_| TooLarge)?;
        if zip.len() as u64 > MAX_PACKED {
            return Err(TooLarge);
        }
        Ok(zip)
    }

    fn write_members(&self) -> Result<Vec<u8>, rawzip::Error> {
        // Without a date, the zip format has a month 0, which some programs refuse.
        let date = self.about().map(|about| about.date).unwrap_or_default();
        let date = Wall::parse_rfc3339(&date).unwrap_or(Wall(0));
        let date = UtcDateTime::from_unix(date.0.div_euclid(1000));
        let mut archive = ZipArchiveWriter::new(Vec::new());
        for (member, bytes) in self.members() {
            let (mut entry, _) = archive
                .new_file(member.file_name())
                .compression_method(CompressionMethod::DEFLATE)
                .unix_permissions(MODE)
                .last_modified(date)
                .start()?;
            entry.write_all(&compress_to_vec(bytes, LEVEL))?;
            entry.finish(DataDescriptorOutput::new(crc32(bytes), bytes.len() as u64))?;
        }
        archive.finish()
    }
}
