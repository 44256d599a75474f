//! Tests of the terminal input decoder: keys, pastes, and replies that arrive late or incomplete.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use proptest::prelude::*;

use super::*;
use crate::runtime::keyboard::PASTE_MAX;

const NOW: Duration = Duration::ZERO;

/// Replies to queries that contain a text (OSC, DCS and so on).
const TEXTS: [&[u8]; 17] = [
    b"\x1b]10;rgb:c5c5/c8c8/c6c6\x07",
    b"\x1b]10;rgb:c5c5/c8c8/c6c6\x1b\\",
    b"\x1b]11;rgb:1d1d/1f1f/2121\x07",
    b"\x1b]11;rgb:1d1d/1f1f/2121\x1b\\",
    b"\x1b]4;1;rgb:cccc/6666/6666\x07",
    b"\x1b]4;255;rgb:eeee/eeee/eeee\x1b\\",
    b"\x1b]52;c;cHJvY3VyYWRv\x07",
    b"\x1b]52;c;cHJv\r\nY3VyYWRv\x1b\\",
    b"\x1b]l q y n \xc3\xa1 title\x1b\\",
    b"\x1bP>|XTerm(390)\x1b\\",
    b"\x1bP1$r0;1m\x1b\\",
    b"\x1bP1$r2 q\x1b\\",
    b"\x1bP1+r544e=787465726d\x1b\\",
    b"\x1bP!|7E565445\x1b\\",
    b"\x1b_Gi=31;OK\x1b\\",
    b"\x1b^private\x1b\\",
    b"\x1bXstring\x1b\\",
];

/// Replies to queries that terminals send as escape sequences.
const SEQUENCES: [&[u8]; 15] = [
    b"\x1b[?62;22;52c",
    b"\x1b[?1;2c",
    b"\x1b[>41;390;0c",
    b"\x1b[=1c",
    b"\x1b[0n",
    b"\x1b[?997;1n",
    b"\x1b[24;80R",
    b"\x1b[1;1R",
    b"\x1b[?1;1R",
    b"\x1b[?2026;2$y",
    b"\x1b[4;1$y",
    b"\x1b[?0u",
    b"\x1b[8;24;80t",
    b"\x1b[?1;0;256S",
    b"\x1b[>4;2m",
];

/// A decoder with a simulated clock, which records all events.
#[derive(Default)]
struct EventRecorder {
    decoder: Decoder,
    now: Duration,
    heard: Vec<Event>,
}

impl EventRecorder {
    /// Passes these bytes to the decoder as the result of one read.
    fn read(&mut self, bytes: &[u8]) {
        self.decoder.read(bytes, self.now, &mut |event| self.heard.push(event));
    }

    /// Advances the clock while no input arrives.
    fn wait(&mut self, span: Duration) {
        let until = self.now + span;
        while let Some(at) = self.decoder.deadline().filter(|at| *at <= until) {
            self.now = at;
            self.decoder.on_timeout(at, &mut |event| self.heard.push(event));
        }
        self.now = until;
    }

    fn take(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.heard)
    }

    /// Returns the latest background colour that was reported since the previous call.
    fn background(&mut self) -> Option<[u8; 3]> {
        let mut colours =
            self.decoder.replies().into_iter().rev().filter_map(|reply| match reply {
                Reply::Background(colour) => Some(colour),
                _ => None,
            });
        colours.next()
    }
}

fn heard(bytes: &[u8]) -> Vec<Event> {
    let mut ear = EventRecorder::default();
    ear.read(bytes);
    ear.wait(ESC_WAIT);
    ear.take()
}

fn plain(letter: char) -> Event {
    typed(letter, KeyModifiers::NONE)
}

fn replies() -> impl Iterator<Item = &'static [u8]> {
    TEXTS.into_iter().chain(SEQUENCES)
}

#[test]
fn every_spelling_of_a_key_is_that_key() {
    use KeyCode::*;
    const NONE: KeyModifiers = KeyModifiers::NONE;
    const SHIFT: KeyModifiers = KeyModifiers::SHIFT;
    const ALT: KeyModifiers = KeyModifiers::ALT;
    const CTRL: KeyModifiers = KeyModifiers::CONTROL;
    let table: &[(KeyCode, KeyModifiers, &[&str])] = &[
        (Up, NONE, &["\x1b[A", "\x1bOA", "\x1b[1;1A"]),
        (Left, NONE, &["\x1b[D", "\x1bOD"]),
        (Left, CTRL, &["\x1b[1;5D", "\x1b[5D", "\x1bOd", "\x1bO5D"]),
        (Right, CTRL, &["\x1b[1;5C", "\x1b[5C", "\x1bOc", "\x1bO5C"]),
        (Left, ALT, &["\x1b[1;3D", "\x1b[3D", "\x1b\x1b[D", "\x1b\x1bOD"]),
        (Right, ALT, &["\x1b[1;3C", "\x1b[3C", "\x1b\x1b[C", "\x1b\x1bOC"]),
        (Down, CTRL, &["\x1b[1;5B", "\x1bOb", "\x1bO5B"]),
        (Right, SHIFT, &["\x1b[1;2C"]),
        (Up, ALT, &["\x1b[1;3A", "\x1b\x1b[A", "\x1b\x1bOA"]),
        (Home, NONE, &["\x1b[H", "\x1bOH", "\x1b[1~", "\x1b[7~"]),
        (End, NONE, &["\x1b[F", "\x1bOF", "\x1b[4~", "\x1b[8~"]),
        (End, CTRL, &["\x1b[1;5F", "\x1b[4;5~"]),
        (Home, SHIFT, &["\x1b[1;2H"]),
        (PageUp, NONE, &["\x1b[5~"]),
        (PageDown, NONE, &["\x1b[6~"]),
        (PageDown, SHIFT | CTRL, &["\x1b[6;6~"]),
        (Delete, NONE, &["\x1b[3~"]),
        (BackTab, SHIFT, &["\x1b[Z", "\x1b[9;2u", "\x1b[27;2;9~"]),
        (Tab, NONE, &["\t", "\x1b[9u", "\x1bOI"]),
        (Enter, NONE, &["\r", "\x1b[13u", "\x1bOM"]),
        (Enter, ALT, &["\x1b\r", "\x1b[13;3u"]),
        (Esc, NONE, &["\x1b", "\x1b[27u"]),
        (Backspace, NONE, &["\x7f", "\x1b[127u"]),
        (Backspace, ALT, &["\x1b\x7f", "\x1b[127;3u", "\x1b[27;3;127~"]),
        (Backspace, CTRL, &["\x1b[127;5u", "\x1b[27;5;127~"]),
        (Char('h'), CTRL | ALT, &["\x1b\x08"]),
        (Char('b'), ALT, &["\x1bb", "\x1b[98;3u", "\x1b[27;3;98~"]),
        (Char('f'), ALT, &["\x1bf", "\x1b[102;3u", "\x1b[27;3;102~"]),
        (Char('w'), CTRL, &["\x17", "\x1b[119;5u", "\x1b[27;5;119~"]),
        (F(1), NONE, &["\x1bOP", "\x1b[11~", "\x1b[[A", "\x1b[P"]),
        (F(3), NONE, &["\x1bOR", "\x1b[13~", "\x1b[[C"]),
        (F(5), NONE, &["\x1b[15~", "\x1b[[E"]),
        (F(6), SHIFT, &["\x1b[17;2~"]),
        (F(12), NONE, &["\x1b[24~"]),
        (F(4), CTRL, &["\x1b[1;5S", "\x1bO5S"]),
        (Char('c'), CTRL, &["\x03", "\x1b[99;5u", "\x1b[27;5;99~"]),
        (Char('h'), CTRL, &["\x08"]),
        (Char('j'), CTRL, &["\n"]),
        (Char(' '), CTRL, &["\0"]),
        (Char('4'), CTRL, &["\x1c"]),
        (Char('7'), CTRL, &["\x1f"]),
        (Char('a'), NONE, &["a", "\x1b[97u"]),
        (Char('A'), SHIFT, &["A", "\x1b[97;2u"]),
        (Char('x'), ALT, &["\x1bx", "\x1b[120;3u"]),
        (Char('ç'), NONE, &["ç", "\x1b[231u"]),
        (Char('ç'), ALT, &["\x1bç"]),
        (Char('€'), NONE, &["€"]),
        (Char('😀'), NONE, &["😀", "\x1b[128512u"]),
        (Char('0'), NONE, &["0", "\x1bOp"]),
        (Char('9'), NONE, &["9", "\x1bOy"]),
        (Char('*'), NONE, &["*", "\x1bOj"]),
        (Char(','), NONE, &[",", "\x1bOl"]),
        (Char('='), NONE, &["=", "\x1bOX"]),
    ];
    for (code, held, spellings) in table {
        for spelling in *spellings {
            let wanted = vec![key(*code, *held)];
            assert_eq!(heard(spelling.as_bytes()), wanted, "{spelling:?}");
        }
    }
}

#[test]
fn clicks_and_the_wheel_have_their_places() {
    let at = |kind, column, row| {
        Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE })
    };
    let left = MouseEventKind::Down(MouseButton::Left);
    assert_eq!(heard(b"\x1b[<0;300;2M"), [at(left, 299, 1)]);
    assert_eq!(heard(b"\x1b[<4;1;1M"), [at(left, 0, 0)]);
    assert_eq!(heard(b"\x1b[<64;5;6M"), [at(MouseEventKind::ScrollUp, 4, 5)]);
    assert_eq!(heard(b"\x1b[<65;5;6M"), [at(MouseEventKind::ScrollDown, 4, 5)]);
    // These mouse sequences are ignored. Each has an impossible position or button, uses another
    // encoding, or reports the release of a button.
    for nonsense in [
        "\x1b[<0;0;0M",
        "\x1b[<0;1M",
        "\x1b[<9999;1;1M",
        "\x1b[<0;99999;1M",
        "\x1b[<0;1;1m",
        "\x1b[<2;1;1M",
        "\x1b[32;5;6M",
        "\x1b[M !\"",
        "\x1b[M\0\0\0",
    ] {
        assert_eq!(heard(nonsense.as_bytes()), [], "{nonsense:?}");
    }
}

#[test]
fn an_escape_is_the_key_when_nothing_follows_in_time() {
    let mut ear = EventRecorder::default();
    ear.read(b"\x1b");
    assert_eq!(ear.take(), []);
    assert_eq!(ear.decoder.deadline(), Some(ESC_WAIT));
    ear.wait(ESC_WAIT);
    assert_eq!(ear.take(), [esc()]);
    assert_eq!(ear.decoder.deadline(), None, "nothing wakes it any more");
    ear.read(b"j");
    ear.read(b"\x1b\x1b");
    ear.wait(ESC_WAIT);
    assert_eq!(ear.take(), [plain('j'), esc(), esc()]);
    // The user pressed Esc and turned the mouse wheel immediately after it.
    assert_eq!(heard(b"\x1b\x1b[<64;1;1M").len(), 2);
    assert_eq!(heard(b"\x1b\x1b]11;?\x07"), [esc()]);
}

#[test]
fn letters_that_are_none_are_left_out() {
    assert_eq!(
        heard(b"a\xc3b\xff\x80c\xe2\x82d\xc2\x9b\xed\xa0\x80e"),
        [plain('a'), plain('b'), plain('c'), plain('d'), plain('e')]
    );
}

#[test]
fn a_paste_is_one_event_however_long_it_is() {
    let mut ear = EventRecorder::default();
    ear.read(b"\x1b[200~\x1b[A\r q\x1b[201");
    assert_eq!(ear.take(), []);
    ear.read(b"~x");
    assert_eq!(ear.take(), [Event::Paste("\x1b[A\r q".into()), plain('x')]);
    ear.read(b"\x1b[200~");
    for _ in 0..1_000 {
        ear.read(&[b'a'; 4_096]);
    }
    ear.read(b"\x1b[201~x");
    assert_eq!(ear.take(), [Event::Paste("a".repeat(PASTE_MAX)), plain('x')]);
}

#[test]
fn unterminated_paste_times_out_and_yields_no_keys() {
    let mut ear = EventRecorder::default();
    ear.read(b"\x1b[200~senha");
    ear.wait(PASTE_WAIT / 2);
    ear.read(b"q");
    ear.wait(PASTE_WAIT);
    assert_eq!((ear.take(), ear.decoder.deadline()), (vec![], None));
    // More bytes of the same paste arrive after the timeout.
    ear.wait(LATE / 4);
    ear.read(b"qqq\rn");
    ear.wait(PASTE_WAIT);
    ear.read(b"yyy\x1b[201~");
    assert_eq!(ear.take(), []);
    ear.read(b"j");
    assert_eq!(ear.take(), [plain('j')]);
    ear.read(b"\x1b[200~b\x1b[201~");
    assert_eq!(ear.take(), [Event::Paste("b".into())]);
}

#[test]
fn ctrl_c_is_heard_in_a_paste_without_an_end() {
    let ctrl_c = control(CTRL_C, KeyModifiers::NONE);
    let mut ear = EventRecorder::default();
    ear.read(b"\x1b[200~senha");
    ear.wait(PAUSE);
    ear.read(b"\x03");
    assert_eq!(ear.take(), std::slice::from_ref(&ctrl_c), "alone, it is at once");
    ear.read(b"yyy\x1b[201~");
    assert_eq!(ear.take(), [], "the paste goes on");
    ear.read(b"\x1b[200~senha\x03");
    ear.wait(PASTE_WAIT);
    assert_eq!(ear.take(), [ctrl_c], "the last of what came in, it is when nothing more comes");
    ear.read(b"\x1b[200~a\x03b\x1b[201~");
    assert_eq!(ear.take(), [Event::Paste("a\x03b".into())], "of a whole paste, it is text");
}

#[test]
fn terminal_reply_is_no_key_and_next_keys_arrive() {
    for reply in replies() {
        let mut bytes = reply.to_vec();
        bytes.extend(b"x\r");
        let wanted = [plain('x'), key(KeyCode::Enter, KeyModifiers::NONE)];
        assert_eq!(heard(&bytes), wanted, "{}", reply.escape_ascii());
    }
}

/// Splits each reply at every byte. The second part arrives at once or late, before or after the
/// decoder stops waiting for it.
#[test]
fn split_reply_yields_no_key_however_late() {
    let (moment, almost) = (Duration::from_millis(1), LATE - Duration::from_millis(1));
    for reply in replies() {
        for cut in 1..reply.len() {
            for late in [NOW, moment, ESC_WAIT, CUT_WAIT - moment, CUT_WAIT, almost] {
                let mut ear = EventRecorder::default();
                ear.read(&reply[..cut]);
                ear.wait(late);
                // A lone escape byte can be the Esc key or the start of a reply. After a while it
                // counts as the Esc key.
                let was_alone = cut == 1 && late >= ESC_WAIT;
                let may_be = if was_alone { vec![esc()] } else { vec![] };
                assert_eq!(ear.take(), may_be, "{}, {late:?}", reply[..cut].escape_ascii());
                ear.read(&reply[cut..]);
                let text = reply.escape_ascii();
                // If the escape byte has already counted as the Esc key, the rest of some replies
                // can no longer be recognized.
                let is_named = !was_alone || follows_escape(reply[1], &reply[2..]);
                if is_named {
                    assert_eq!(ear.take(), [], "{text} cut at {cut}, {late:?}");
                }
                ear.take();
                ear.wait(moment);
                ear.read(b"x");
                assert_eq!(ear.take(), [plain('x')], "{text} cut at {cut}, {late:?}");
            }
        }
    }
}

#[test]
fn unfinished_reply_does_not_swallow_keys() {
    for reply in replies() {
        for cut in 2..reply.len() {
            let text = reply[..cut].escape_ascii();
            let mut ear = EventRecorder::default();
            ear.read(&reply[..cut]);
            ear.wait(PAUSE);
            ear.read(b"\x03");
            assert_eq!(ear.take(), [control(CTRL_C, KeyModifiers::NONE)], "{text}: at once");
            ear.read(&reply[..cut]);
            ear.wait(CUT_WAIT);
            ear.read(b"\r");
            ear.read(b"4");
            let wanted = [key(KeyCode::Enter, KeyModifiers::NONE), plain('4')];
            assert_eq!(ear.take(), wanted, "{text}: after a moment");
            ear.read(&reply[..cut]);
            ear.wait(LATE);
            ear.read(b"xy");
            assert_eq!(ear.take(), [plain('x'), plain('y')], "{text}: later, whatever it is");
        }
    }
}

#[test]
fn split_background_reply_in_time_is_returned_once() {
    let (moment, reply) = (Duration::from_millis(1), b"\x1b]11;rgb:1d1d/1f1f/2121\x1b\\");
    for cut in 2..reply.len() {
        for late in [NOW, moment, CUT_WAIT - moment] {
            let mut ear = EventRecorder::default();
            ear.read(&reply[..cut]);
            ear.wait(late);
            assert_eq!(ear.background(), None, "cut at {cut}");
            ear.read(&reply[cut..]);
            assert_eq!(ear.background(), Some([0x1d, 0x1f, 0x21]), "cut at {cut}");
            assert_eq!(ear.background(), None, "told once");
        }
    }
}

#[test]
fn other_or_broken_replies_give_no_background() {
    let cut_off: &[&[u8]] = &[b"\x1b]11;rgb:", b"ffff/ffff/ffff\x07"];
    let in_sequence: &[&[u8]] = &[b"\x1b[11;rgb:ff/ff/ff\x07"];
    let pasted: &[&[u8]] = &[b"\x1b[200~\x1b]11;rgb:ff/ff/ff\x07\x1b[201~"];
    let broken: &[&[u8]] = &[b"\x1b]11;rgb:ff/\x1b]11;rgb:\x03ff/ff\x07"];
    let endless: &[&[u8]] = &[b"\x1b]11;rgb:", &[b'f'; 4_096], b"/ff/ff\x07"];
    for (pieces, wait) in
        [(cut_off, CUT_WAIT), (in_sequence, NOW), (pasted, NOW), (broken, NOW), (endless, NOW)]
    {
        let mut ear = EventRecorder::default();
        for piece in pieces {
            ear.read(piece);
            ear.wait(wait);
        }
        let text = pieces[0].escape_ascii();
        assert_eq!(ear.background(), None, "{text}");
        ear.read(b"\x1b]11;rgb:ff/ff/ff\x07x");
        assert_eq!(ear.background(), Some([0xff; 3]), "{text}: the next one is whole");
        assert_eq!(ear.take().last(), Some(&plain('x')), "{text}");
    }
    for reply in replies().filter(|reply| !reply.starts_with(b"\x1b]11;")) {
        let mut ear = EventRecorder::default();
        ear.read(reply);
        assert_eq!(ear.background(), None, "{}", reply.escape_ascii());
    }
}

#[test]
fn after_alt_and_a_bracket_the_keyboard_lives_on() {
    let mut ear = EventRecorder::default();
    for begins in [b"\x1b]", b"\x1bP", b"\x1b_", b"\x1b[", b"\x1bO"] {
        ear.read(begins);
        ear.wait(CUT_WAIT);
        ear.read(b"1");
        assert_eq!(ear.take(), [plain('1')], "{}", begins.escape_ascii());
    }
}

#[test]
fn an_answer_is_let_pass_however_long_it_is() {
    let mut ear = EventRecorder::default();
    ear.read(b"\x1b]52;c;");
    for _ in 0..1_000 {
        ear.read(&[b'q'; 4_096]);
    }
    ear.read(b"\x07\x1b[");
    ear.read(&[b'1'; 4_096]);
    ear.read(b"~x");
    assert_eq!(ear.take(), [plain('x')]);
}

/// Generates random bytes that contain many valid sequences.
fn stream() -> impl Strategy<Value = Vec<u8>> {
    let whole: Vec<Vec<u8>> = replies().map(<[u8]>::to_vec).collect();
    let piece = prop_oneof![
        4 => any::<u8>().prop_map(|byte| vec![byte]),
        2 => Just(vec![ESC]),
        2 => prop::sample::select(b"[]OPX^_\\\x07<?>;:$0123456789MmuyR~ABZc".to_vec())
            .prop_map(|byte| vec![byte]),
        1 => prop::sample::select(whole),
        1 => Just(b"\x1b[200~".to_vec()),
        1 => Just(b"\x1b[201~".to_vec()),
        1 => "\\PC{0,4}".prop_map(String::into_bytes),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, ..ProptestConfig::default() })]

    #[test]
    fn events_do_not_depend_on_read_boundaries(
        bytes in stream(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..20),
    ) {
        let whole = heard(&bytes);
        let mut ear = EventRecorder::default();
        let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        places.extend([0, bytes.len()]);
        places.sort_unstable();
        for pair in places.windows(2) {
            ear.read(&bytes[pair[0]..pair[1]]);
        }
        ear.wait(ESC_WAIT);
        prop_assert_eq!(ear.take(), whole);
    }

    #[test]
    fn any_input_yields_few_events_and_recovers(
        reads in prop::collection::vec((stream(), 0_u64..7_000), 0..20),
    ) {
        let mut ear = EventRecorder::default();
        let mut count = 0;
        for (bytes, pause) in &reads {
            ear.read(bytes);
            ear.wait(Duration::from_millis(*pause));
            count += bytes.len();
        }
        prop_assert!(ear.take().len() <= count);
        ear.wait(LATE * 2);
        ear.take();
        ear.read(b"q");
        prop_assert_eq!(ear.take(), vec![plain('q')]);
        prop_assert_eq!(ear.decoder.deadline(), None);
    }

    #[test]
    fn typed_text_arrives_as_keys(text in "[^\\p{Cc}]{0,40}", cut in any::<prop::sample::Index>()) {
        let mut ear = EventRecorder::default();
        let (head, tail) = text.as_bytes().split_at(cut.index(text.len() + 1));
        ear.read(head);
        ear.read(tail);
        let letters: Vec<Option<char>> = ear.take().iter().map(|event| match event {
            Event::Key(key) => key.code.as_char(),
            _ => None,
        }).collect();
        prop_assert_eq!(letters, text.chars().map(Some).collect::<Vec<_>>());
    }
}

#[test]
fn only_a_single_key_counts_as_one_whole() {
    let is_one = |bytes: &[u8]| {
        let mut ear = EventRecorder::default();
        ear.read(bytes);
        ear.decoder.read_whole() == Some(1)
    };
    for one in ["\r", "\t", "a", "ç", "\x1b[A", "\x1b[Z", "\x1bOM", "\x1b\r", "\x1b[13u"] {
        assert!(is_one(one.as_bytes()), "{one:?}");
        for beside in ["\r", "a", "\x1b[A", "\x1b[200~b\x1b[201~", "\x1b[201~", "\x1b[?1;2c"] {
            for bytes in [format!("{one}{beside}"), format!("{beside}{one}")] {
                assert!(!is_one(bytes.as_bytes()), "{bytes:?}");
            }
        }
    }
    // Another key cuts off each sequence, so the read does not contain exactly one complete key.
    assert!(!is_one(b"\x1b[\r") && !is_one(b"\x1b]52;c;\x03"));
    assert!(!is_one(b"\x1b["), "nothing is whole");
}
