//! Tests of damaged and hostile files.

use proptest::prelude::*;

use super::*;

#[test]
fn cut_file_plays_what_is_left() {
    let bytes = mixed_file();
    let all = screens(bytes.clone());
    let header = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let mut whole = chunk_starts(&bytes);
    whole.push(bytes.len());
    for end in 0..bytes.len() {
        let Ok(recording) = Recording::open(bytes[..end].to_vec()) else {
            assert!(end < header, "{end}");
            continue;
        };
        let expected: &[Fault] = if whole.contains(&end) {
            &[]
        } else {
            &[Fault::Cut]
        };
        assert_eq!(recording.faults(), expected, "{end}");
        let left = screens(bytes[..end].to_vec());
        assert_eq!(left, all[..left.len()], "{end}");
    }
}

/// A short recording of three chunks.
fn mixed_file() -> Vec<u8> {
    file(|it| {
        for n in 0..6 {
            let text = plain(0, &format!("tela {n}"));
            it.frame(ms(n * 30_000), SIZE, [text]).unwrap();
            it.event(ms(n * 30_000 + 5), request(Outcome::Status(500)))
                .unwrap();
        }
    })
}

proptest! {
    #[test]
    fn changed_bytes_never_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = mixed_file();
        for (index, byte) in changes {
            let index = index.index(bytes.len());
            bytes[index] = byte;
        }
        if let Ok(recording) = Recording::open(bytes) {
            let mut cursor = Cursor::new(recording);
            let mut scan = cursor.from_end(Goal::Frame);
            while cursor.finish(&mut scan) {
                prop_assert!(cursor.screen().text().contains("tela"));
                scan = cursor.from_here(Goal::Frame, true);
            }
        }
    }
}

#[test]
fn damaged_chunk_is_left_out() {
    let bytes = mixed_file();
    let all = screens(bytes.clone());
    let starts = chunk_starts(&bytes);
    assert_eq!(starts.len(), 3);
    // The header of a chunk, its checksum, its payload.
    for offset in [1, 12, 41, 60] {
        let mut damaged = bytes.clone();
        damaged[starts[1] + offset] ^= 0xFF;
        let left = screens(damaged.clone());
        assert_eq!(left, [&all[..2], &all[4..]].concat(), "{offset}");
        let mut cursor = open(damaged);
        assert!(cursor.finish(&mut Cursor::from_start(Goal::text("tela 5"))));
        assert_eq!(cursor.recording().faults(), [Fault::Damaged], "{offset}");
    }
    let mut damaged = bytes;
    damaged[0] = b'!';
    let recording = Recording::open(damaged.clone()).unwrap();
    assert_eq!(recording.faults(), [Fault::Header, Fault::Damaged]);
    assert_eq!(screens(damaged), all);
}

/// A file with the lines of a payload that this program would not write.
fn crafted(format: u32, lines: &[&str], frames: u32, events: u32) -> Vec<u8> {
    let header = Header {
        format,
        ..Header::default()
    };
    let info = ChunkInfo {
        frames,
        events,
        ..ChunkInfo::default()
    };
    let mut bytes = header.line();
    let chunk = Chunk::pack(info, lines.join("\n").as_bytes());
    chunk.write(&mut bytes).unwrap();
    bytes
}

#[test]
fn cells_of_a_file_are_printable_or_marks() {
    let hostile = r"\u001b[31mA\u0007\u202eB\u200b\u0301\u009bC\n\r\t日\ufe0f\ud83c\udde7\ue000";
    let mark = '\u{fffd}';
    let clean = format!(
        "{mark}[31mA{mark}{mark}B{mark}{mark}{mark}C{mark}{mark}{mark}日{mark}{mark}{mark}"
    );
    let run = format!(r#"{{"t":"{hostile}","f":4294967295,"m":65535}}"#);
    let key_frame = format!(r#"{{"size":{{"columns":24,"rows":2}},"rows":[[{run}]]}}"#);
    let frame =
        format!(r#"{{"at":0,"what":{{"frame":{{"rows":[[1,[{{"t":"{hostile}"}}]],[9,[]]]}}}}}}"#);
    let cursor = open(crafted(1, &[&key_frame, &frame], 1, 0));
    assert_eq!(cursor.screen().text(), format!("{clean}\n{clean}\n"));
    let mut buffer = Buffer::empty(Rect::new(0, 0, 24, 2));
    cursor.screen().draw((0, 0), buffer.area, &mut buffer);
    let hidden = Modifier::HIDDEN | Modifier::SLOW_BLINK | Modifier::RAPID_BLINK;
    for cell in &buffer.content {
        assert!(cell.symbol().chars().count() == 1, "{:?}", cell.symbol());
        assert!(!cell.modifier.intersects(hidden));
    }
    assert_eq!(buffer[(0, 0)].fg, Color::Reset);
}

#[test]
fn size_of_a_screen_is_bounded() {
    let key_frame = r#"{"size":{"columns":65535,"rows":65535},"rows":[]}"#;
    let long = "x".repeat(70_000);
    let size = r#"{"columns":65535,"rows":9}"#;
    let rows = format!(r#"[[8,[{{"t":"{long}"}}]]]"#);
    let frame = format!(r#"{{"at":0,"what":{{"frame":{{"size":{size},"rows":{rows}}}}}}}"#);
    let recording = Recording::open(crafted(1, &[key_frame, &frame], 1, 0)).unwrap();
    let chunk = recording.unpack(0).unwrap();
    assert_eq!(chunk.screen.size(), Size::MAX);
    let screen = chunk.screen_after(0);
    let size = Size {
        columns: 500,
        rows: 9,
    };
    assert_eq!(screen.size(), size);
    assert_eq!(screen.rows()[8].text().len(), 500);
}

#[test]
fn bomb_is_refused() {
    // Without its limit, this chunk could be unpacked: empty lines are passed over.
    let mut text = br#"{"size":{"columns":9,"rows":1},"rows":[]}"#.to_vec();
    text.extend(b"\n{\"at\":0,\"what\":{\"event\":\"mark\"}}");
    text.resize(64 * 1024 * 1024, b'\n');
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(&text, 1);
    assert!(packed.len() < 1024 * 1024);
    let info = |unpacked_bytes| ChunkInfo {
        unpacked_bytes,
        packed_bytes: u32::try_from(packed.len()).unwrap(),
        events: 1,
        ..ChunkInfo::default()
    };
    assert_eq!(info(16 * 1024 * 1024).unpack(&packed, false), Err(Damaged));
    assert!(ChunkInfo::read(&info(16 * 1024 * 1024).to_bytes()).is_some());
    assert!(ChunkInfo::read(&info(16 * 1024 * 1024 + 1).to_bytes()).is_none());
}

#[test]
fn rest_after_many_damaged_chunks_is_left_out() {
    let info = ChunkInfo {
        events: 1,
        ..ChunkInfo::default()
    };
    let mut bytes = Header::default().line();
    for _ in 0..1_000 {
        Chunk::pack(info, b"nothing").write(&mut bytes).unwrap();
    }
    let cursor = open(bytes);
    assert_eq!(cursor.unpack_count(), 100);
    assert!(cursor.entry().is_none());
    assert_eq!(cursor.screen(), Screen::default());
}

#[test]
fn newer_file_plays_what_is_known() {
    let lines = [
        r#"{"size":{"columns":9,"rows":1},"rows":[],"depth":3}"#,
        r#"{"at":0,"what":{"frame":{"rows":[[0,[{"t":"oi"}]]]}}}"#,
        r#"{"at":0,"what":{"thought":{"by":"seller"}}}"#,
    ];
    let cursor = open(crafted(7, &lines, 1, 1));
    assert_eq!(cursor.recording().faults(), [Fault::Newer(7)]);
    assert_eq!(cursor.screen().text(), "oi\n");
    let chunk = cursor.recording().unpack(0).unwrap();
    assert_eq!(chunk.entries[1].what, What::Unknown);
    // In a file of this version, such a line is damage.
    let recording = Recording::open(crafted(1, &lines, 1, 1)).unwrap();
    assert_eq!(recording.unpack(0), Err(Damaged));
}

#[test]
fn chunk_that_contradicts_its_header_is_damaged() {
    let lines = [
        r#"{"size":{"columns":9,"rows":1},"rows":[]}"#,
        r#"{"at":0,"what":{"event":"mark"}}"#,
    ];
    let unpack = |frames, events| {
        let recording = Recording::open(crafted(1, &lines, frames, events)).unwrap();
        recording.unpack(0).map(|chunk| chunk.entries.len())
    };
    assert_eq!(unpack(0, 1), Ok(1));
    for (frames, events) in [(1, 0), (1, 1), (0, 2)] {
        assert_eq!(unpack(frames, events), Err(Damaged), "{frames} {events}");
    }
}

#[test]
fn other_files_are_no_recordings() {
    for bytes in [&b""[..], b"\n", b"{}\n", b"[1]\nchk", &[0; 5_000]] {
        let opened = Recording::open(bytes.to_vec());
        assert!(matches!(opened, Err(OpenError::NotARecording)), "{bytes:?}");
    }
    let opened = Recording::read(io::repeat(0));
    assert!(matches!(opened, Err(OpenError::TooLarge)));
}
