use std::io::Write;

use miniz_oxide::deflate::compress_to_vec;
use proptest::prelude::*;
use rawzip::path::EntryPath;
use rawzip::{CompressionMethod, DataDescriptorOutput, ZipArchive, ZipArchiveWriter, crc32};

use super::*;

/// An entry of a zip, as a stranger could write it.
#[derive(Clone)]
struct Entry {
    name: String,
    content: Vec<u8>,
    method: CompressionMethod,
    mode: u32,
    is_encrypted: bool,
}

impl Entry {
    fn new(name: &str, content: &[u8]) -> Entry {
        Entry {
            name: name.to_owned(),
            content: content.to_owned(),
            method: CompressionMethod::DEFLATE,
            mode: 0o100_600,
            is_encrypted: false,
        }
    }
}

fn zip(entries: &[Entry]) -> Vec<u8> {
    let mut archive = ZipArchiveWriter::new(Vec::new());
    for one in entries {
        let (mut entry, _) = archive
            .new_file(EntryPath::verbatim(one.name.as_bytes()))
            .compression_method(one.method)
            .unix_permissions(one.mode)
            .encrypted(one.is_encrypted)
            .start()
            .unwrap();
        let packed = match one.method {
            CompressionMethod::DEFLATE => compress_to_vec(&one.content, 1),
            _ => one.content.clone(),
        };
        entry.write_all(&packed).unwrap();
        let size = one.content.len() as u64;
        entry
            .finish(DataDescriptorOutput::new(crc32(&one.content), size))
            .unwrap();
    }
    archive.finish().unwrap()
}

/// An entry that is valid, and that is read in spite of the faults of others.
fn words() -> Entry {
    Entry::new("words.txt", b"the total is wrong")
}

/// Reads a zip with these entries and [`words`], which must be the only member that is read.
/// Returns the faults.
#[track_caller]
fn faults_of(entries: &[Entry]) -> Vec<Fault> {
    let all = [entries, &[words()]].concat();
    let (file, faults) = SupportFile::read(&zip(&all)).unwrap();
    let members: Vec<_> = file.members().collect();
    assert_eq!(
        members,
        [(SupportMember::Words, &b"the total is wrong"[..])]
    );
    faults
}

fn sample() -> SupportFile {
    let mut file = SupportFile::default();
    for (member, n) in SupportMember::ALL.into_iter().zip(1..) {
        file.add(member, vec![n; usize::from(n) * 1000]);
    }
    file.add_about(&About {
        format: FORMAT,
        version: "0.1.0".into(),
        date: "2026-12-01T10:00:00-03:00".into(),
        code: "1a2b3c4d".into(),
        language: "pt-BR".into(),
        size: Some([80, 24]),
    });
    file
}

#[test]
fn written_file_is_read_without_faults() {
    let file = sample();
    let bytes = file.to_zip().unwrap();
    assert_eq!(bytes, sample().to_zip().unwrap(), "equal bytes");
    let archive = ZipArchive::from_slice(&bytes).unwrap();
    let dates = archive
        .entries()
        .map(|entry| entry.unwrap().last_modified());
    let dates: Vec<_> = dates.map(|date| date.to_string()).collect();
    assert_eq!(dates, ["2026-12-01T13:00:00Z"; 7]);
    let (read, faults) = SupportFile::read(&bytes).unwrap();
    assert_eq!((&read, &*faults), (&file, &[][..]));
    assert_eq!(read.about().unwrap().size, Some([80, 24]));
}

#[test]
fn names_that_are_paths_are_left_out() {
    for name in [
        "../words.txt",
        "/etc/words.txt",
        "C:\\words.txt",
        "a/words.txt",
        "./words.txt",
        "words.txt/",
        "Words.txt",
        "words.txt\0",
        "config.toml",
        "",
    ] {
        let expected = [Fault::UnknownName(name.into())];
        assert_eq!(faults_of(&[Entry::new(name, b"x")]), expected);
    }
}

#[test]
fn links_and_other_special_files_are_left_out() {
    for mode in [0o120_777, 0o040_700, 0o010_600, 0o060_600, 0o140_600] {
        let link = Entry {
            mode,
            ..Entry::new("doctor.json", b"/etc/passwd")
        };
        let expected = [Fault::NotFile(SupportMember::Doctor)];
        assert_eq!(faults_of(&[link]), expected, "{mode:o}");
    }
}

#[test]
fn members_of_one_name_are_all_left_out() {
    let [first, second] = [&b"{}"[..], b"[]"].map(|text| Entry::new("doctor.json", text));
    let expected = [Fault::Twice(SupportMember::Doctor)];
    assert_eq!(faults_of(&[first.clone(), second]), expected);
    assert_eq!(faults_of(&[first.clone(), first]), expected);
}

#[test]
fn encrypted_or_unknown_packing_is_left_out() {
    let encrypted = Entry {
        is_encrypted: true,
        ..Entry::new("doctor.json", b"{}")
    };
    let expected = [Fault::Encrypted(SupportMember::Doctor)];
    assert_eq!(faults_of(&[encrypted]), expected);
    for method in [CompressionMethod::ZSTD, CompressionMethod::new(1234)] {
        let packed = Entry {
            method,
            ..Entry::new("doctor.json", b"{}")
        };
        let expected = [Fault::UnknownPacking(SupportMember::Doctor)];
        assert_eq!(faults_of(&[packed]), expected);
    }
}

#[test]
fn stored_member_is_read() {
    let stored = Entry {
        method: CompressionMethod::STORE,
        ..words()
    };
    let (file, faults) = SupportFile::read(&zip(&[stored])).unwrap();
    assert_eq!(
        file.bytes(SupportMember::Words),
        Some(&b"the total is wrong"[..])
    );
    assert_eq!(faults, []);
}

/// A zip with these members, which are compressed already. The headers name the size 1.
fn bombs(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipArchiveWriter::new(Vec::new());
    for (name, packed) in members {
        let (mut entry, _) = archive
            .new_file(EntryPath::verbatim(name.as_bytes()))
            .compression_method(CompressionMethod::DEFLATE)
            .start()
            .unwrap();
        entry.write_all(packed).unwrap();
        entry
            .finish(DataDescriptorOutput::new(crc32(b"x"), 1))
            .unwrap();
    }
    archive.finish().unwrap()
}

#[test]
fn bomb_is_left_out_whatever_its_headers_say() {
    let size = usize::try_from(MAX_UNPACKED + 1).unwrap();
    let bomb = compress_to_vec(&vec![0; size], 1);
    let words = compress_to_vec(b"x", 1);
    let bytes = bombs(&[("doctor.json", &bomb), ("words.txt", &words)]);
    assert!(bytes.len() < 3_000_000, "{} bytes", bytes.len());
    let (file, faults) = SupportFile::read(&bytes).unwrap();
    assert_eq!(file.bytes(SupportMember::Words), Some(&b"x"[..]));
    assert_eq!(faults, [Fault::TooLarge(SupportMember::Doctor)]);
}

#[test]
fn limit_is_for_all_members_together() {
    for method in [CompressionMethod::STORE, CompressionMethod::DEFLATE] {
        let names = ["recording.balcao", "requests.har", "doctor.json"];
        let entries = names.map(|name| Entry {
            method,
            ..Entry::new(name, &[0; 5_000])
        });
        let bytes = zip(&[&entries[..], &[words()]].concat());
        for (limit, left_out) in [(15_018, None), (15_017, Some(SupportMember::Words))] {
            let (file, faults) = SupportFile::read_within(&bytes, limit).unwrap();
            assert_eq!(file.members().count(), 4 - left_out.iter().count());
            let expected: Vec<_> = left_out.into_iter().map(Fault::TooLarge).collect();
            assert_eq!(faults, expected);
        }
        // A member that is too large takes nothing from the limit of those after it.
        let (file, faults) = SupportFile::read_within(&bytes, 4_999).unwrap();
        assert_eq!((file.members().count(), faults.len()), (1, 3));
    }
}

#[test]
fn too_large_content_is_not_written() {
    let mut file = SupportFile::default();
    let limit = usize::try_from(MAX_UNPACKED).unwrap();
    file.add(SupportMember::Recording, vec![0; limit]);
    file.add(SupportMember::Words, "x");
    assert_eq!(file.to_zip(), Err(TooLarge));
}

#[test]
fn changed_byte_damages_only_its_member() {
    let noise: Vec<u8> = (0..2_000_u32)
        .map(|n| n.wrapping_mul(2_654_435_761).to_be_bytes()[0])
        .collect();
    let bytes = zip(&[Entry::new("doctor.json", &noise), words()]);
    let mut damaged = bytes.clone();
    damaged[500] ^= 0x10;
    let (file, faults) = SupportFile::read(&damaged).unwrap();
    assert_eq!(file.members().count(), 1);
    assert_eq!(faults, [Fault::Damaged(SupportMember::Doctor)]);
    // A wrong checksum in the list of members, and content that is longer than named there.
    let bytes = bombs(&[("words.txt", &compress_to_vec(b"xy", 1))]);
    let (_, faults) = SupportFile::read(&bytes).unwrap();
    assert_eq!(faults, [Fault::Damaged(SupportMember::Words)]);
}

#[test]
fn damaged_about_is_left_out_and_newer_one_is_named() {
    for text in ["", "{", "[]", r#"{"format":"1"}"#] {
        let about = Entry::new("about.json", text.as_bytes());
        let expected = [Fault::Damaged(SupportMember::About)];
        assert_eq!(faults_of(&[about]), expected, "{text}");
    }
    let mut file = sample();
    let about = About {
        format: FORMAT + 1,
        ..file.about().unwrap()
    };
    file.add_about(&about);
    let (read, faults) = SupportFile::read(&file.to_zip().unwrap()).unwrap();
    assert_eq!((read.about(), &*faults), (Some(about), &[Fault::Newer][..]));
}

#[test]
fn cut_file_and_other_files_are_told_apart() {
    let bytes = sample().to_zip().unwrap();
    for length in [4, bytes.len() / 2, bytes.len() - 1] {
        let error = SupportFile::read(&bytes[..length]).unwrap_err();
        assert!(matches!(error, OpenError::Cut), "{length}: {error}");
    }
    for other in [&b""[..], b"PK", b"{\"log\":{}}", &[0; 1000]] {
        let error = SupportFile::read(other).unwrap_err();
        assert!(matches!(error, OpenError::NotZip), "{error}");
    }
}

#[test]
fn large_and_endless_files_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("large.zip");
    // The file has a hole, so it takes no room on the disk.
    let file = std::fs::File::create(&path).unwrap();
    file.set_len(MAX_PACKED + 1).unwrap();
    for path in [&*path, "/dev/zero".as_ref()] {
        let error = SupportFile::open(path).unwrap_err();
        assert!(matches!(error, OpenError::TooLarge), "{error}");
    }
    let error = SupportFile::open(&dir.path().join("none")).unwrap_err();
    assert!(matches!(error, OpenError::Io(_)), "{error}");
}

#[test]
fn number_of_entries_is_bounded() {
    let mut entries = vec![Entry::new("x", b""); 500];
    entries.push(words());
    let (file, faults) = SupportFile::read(&zip(&entries)).unwrap();
    assert_eq!((file.members().count(), faults.len()), (0, 101));
    assert_eq!(faults.last(), Some(&Fault::TooMany));
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        let _ = SupportFile::read(&bytes);
    }

    /// Changes bytes of a valid file, mostly in its headers, and cuts it.
    #[test]
    fn changed_file_never_panics(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        end in any::<prop::sample::Index>(),
        is_cut in any::<bool>(),
    ) {
        let mut bytes = zip(&[Entry::new("doctor.json", b"{}"), words()]);
        for (index, byte) in changes {
            let index = index.index(bytes.len());
            bytes[index] = byte;
        }
        if is_cut {
            bytes.truncate(end.index(bytes.len()));
        }
        if let Ok((file, faults)) = SupportFile::read(&bytes) {
            prop_assert!(file.members().count() + faults.len() <= 4);
        }
    }

    #[test]
    fn any_content_is_read_as_it_was_written(
        members in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..300), 0..6),
    ) {
        let mut file = SupportFile::default();
        for (member, bytes) in SupportMember::ALL.into_iter().zip(members) {
            file.add(member, bytes);
        }
        prop_assert_eq!(SupportFile::read(&file.to_zip().unwrap()).unwrap(), (file, vec![]));
    }
}
