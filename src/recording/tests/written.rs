//! Tests of what is written, and of reading it back.

use super::*;

#[test]
fn screens_and_events_read_back() {
    let bold = Style::new()
        .fg(Color::Red)
        .bg(Color::Rgb(1, 2, 3))
        .add_modifier(Modifier::BOLD | Modifier::UNDERLINED);
    let larger = Size {
        columns: 30,
        rows: 2,
    };
    let failed = request(Outcome::Failed("no answer".into()));
    let bytes = file(|it| {
        let rows = [row(0, "balcão 日 x", bold), plain(3, "R$ 49,90")];
        it.frame(ms(5), SIZE, rows).unwrap();
        it.event(ms(7), Event::Key("a letter".into())).unwrap();
        it.event(ms(9), failed.clone()).unwrap();
        it.frame(ms(10), SIZE, [plain(3, "")]).unwrap();
        it.frame(ms(12), larger, [plain(1, "fim")]).unwrap();
    });
    let recording = Recording::open(bytes).unwrap();
    assert_eq!((recording.frames(), recording.last()), (3, 12));
    assert_eq!(recording.faults(), []);
    let chunk = recording.unpack(0).unwrap();
    let times: Vec<_> = chunk.entries.iter().map(|entry| entry.at).collect();
    assert_eq!(times, [5, 7, 9, 10, 12]);
    assert_eq!(chunk.entries[2].what, What::Event(failed));
    let screen = chunk.screen_after(0);
    assert_eq!(screen.text(), "balcão 日 x\n\n\nR$ 49,90\n");
    let mut buffer = Buffer::empty(Rect::new(0, 0, 20, 4));
    screen.draw((0, 0), buffer.area, &mut buffer);
    let mut expected = Buffer::empty(Rect::new(0, 0, 20, 4));
    expected.set_string(0, 0, "balcão 日 x", bold.fg(Color::Indexed(1)));
    expected.set_string(0, 3, "R$ 49,90", Style::new());
    expected[(8, 0)].reset();
    let mut drawn = buffer.clone();
    drawn[(8, 0)].reset();
    assert_eq!(drawn, expected);
    assert_eq!(chunk.screen_after(3).text(), "balcão 日 x\n\n\n\n");
    assert_eq!(chunk.screen_after(4).text(), "\nfim\n");
    assert_eq!(chunk.screen_after(9).size(), larger);
}

#[test]
fn unchanged_rows_are_no_frame() {
    let mut writer = ChunkWriter::default();
    for at in 0..3 {
        writer.frame(ms(at), SIZE, [plain(1, "igual")]);
    }
    let chunk = writer.close().unwrap();
    assert_eq!((chunk.info().frames, chunk.info().events), (1, 0));
    assert!(writer.close().is_none());
}

#[test]
fn only_one_character_of_a_cell_is_kept() {
    for (symbol, kept) in [
        ("a\u{303}", "a|"),
        ("👍🏽", "👍|"),
        ("🇧🇷", "\u{fffd}\u{fffd}|"),
        ("❤\u{fe0f}", "\u{fffd}\u{fffd}|"),
        ("日", "日|"),
    ] {
        assert_eq!(plain(0, &format!("{symbol}|")).1.text(), kept, "{symbol}");
    }
}

#[test]
fn chunks_close_by_entries_bytes_and_time() {
    let mut writer = ChunkWriter::default();
    let closed = (0..600).filter_map(|at| writer.event(ms(at), Event::Mark));
    let marks: Vec<_> = closed.map(|chunk| chunk.info().marks).collect();
    assert_eq!(marks, [256, 256]);
    let text = "x".repeat(40_000);
    let mut add = |at| writer.event(ms(at), Event::Message(Untrusted::from(&*text)));
    assert!(add(600).is_none(), "the chunk has less than 64 KiB");
    assert!(
        add(601).is_none(),
        "the chunk is closed before the next entry"
    );
    assert_eq!(add(602).unwrap().info().entries(), 90);
    assert!(add(60_601).is_none());
    assert_eq!(add(60_602).unwrap().info().entries(), 2);
}

#[test]
fn times_never_go_back() {
    let mut writer = ChunkWriter::default();
    writer.event(ms(500), Event::Mark);
    writer.event(ms(20), Event::Mark);
    let entries = writer.close().unwrap().unpack().unwrap().entries;
    assert_eq!(entries[1].at, 500);
}

/// A writer that fails after some bytes.
struct FullDisk(usize);

impl Write for FullDisk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self
            .0
            .checked_sub(bytes.len())
            .ok_or(io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn full_disk_is_reported_once() {
    let mut it = FileRecording::start(FullDisk(400), &Header::default()).unwrap();
    let results: Vec<_> = (0..2_000).map(|at| it.event(ms(at), Event::Mark)).collect();
    let errors = results.iter().filter(|result| result.is_err());
    assert_eq!(errors.count(), 1);
    let Some(Err(Ended::Failed(error))) = results.iter().find(|result| result.is_err()) else {
        panic!("an error of the disk")
    };
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    assert!(it.flush().is_ok());
}

#[test]
fn file_stays_within_its_limit() {
    let mut bytes = Vec::new();
    let mut it = FileRecording::start_within(2_000, &mut bytes, &Header::default()).unwrap();
    let results: Vec<_> = (0..9_000).map(|at| it.event(ms(at), Event::Mark)).collect();
    let full = results.iter().filter(|it| matches!(it, Err(Ended::Full)));
    assert_eq!(full.count(), 1);
    assert!((1_500..=2_000).contains(&bytes.len()), "{}", bytes.len());
    let recording = Recording::open(bytes).unwrap();
    assert_eq!(recording.faults(), [], "the last chunk is whole");
}

/// A text that does not become shorter when it is packed.
fn noise(seed: u64, length: usize) -> Untrusted {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let letters = std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        char::from(b'!' + u8::try_from(state % 90).unwrap())
    });
    Untrusted::from(letters.take(length).collect::<String>())
}

#[test]
fn ring_keeps_ten_minutes_in_four_mib() {
    let mut ring = Ring::default();
    ring.frame(ms(0), SIZE, [plain(0, "começo")]);
    for n in 0..100 {
        ring.event(ms(n * 1_000), Event::Message(noise(n, 70_000)));
        assert!(ring.bytes() <= 4 * 1024 * 1024, "{n}: {}", ring.bytes());
    }
    let bytes = |ring: &mut Ring, now| {
        let mut bytes = Vec::new();
        ring.write(ms(now), &Header::default(), &mut bytes).unwrap();
        bytes
    };
    let kept = bytes(&mut ring, 100_000);
    assert!(kept.len() > 3 * 1024 * 1024, "{}", kept.len());
    let cursor = open(kept);
    assert!(
        cursor.entry().unwrap().at > 10_000,
        "the oldest are dropped"
    );
    assert_eq!(
        cursor.screen().text(),
        "começo\n\n\n\n",
        "every chunk has it"
    );
    // Later, only the screen of the newest chunk is left.
    let cursor = open(bytes(&mut ring, 5_000_000));
    assert_eq!(cursor.entry().unwrap().at, 99_000);
    assert_eq!(cursor.screen().text(), "começo\n\n\n\n");
}

#[test]
fn wiped_ring_has_nothing_of_before() {
    let mut ring = Ring::default();
    ring.frame(ms(0), SIZE, [plain(0, "segredo")]);
    ring.event(ms(1), Event::Key("segredo".into()));
    ring.wipe();
    assert!(ring.chunks(ms(2)).is_empty());
    ring.frame(ms(2), SIZE, [plain(1, "novo")]);
    let mut bytes = Vec::new();
    ring.write(ms(3), &Header::default(), &mut bytes).unwrap();
    assert_eq!(screens(bytes), ["\nnovo\n\n\n"]);
}
