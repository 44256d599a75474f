//! Tests of the terminal input decoder: keys, pastes, and replies that arrive late or incomplete.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use proptest::prelude::*;

use super::*;
use crate::runtime::keyboard::MAX_PASTE_BYTES;

const AT_ONCE: Duration = Duration::ZERO;

/// Replies to queries that contain a text (OSC, DCS and so on).
const TEXT_REPLIES: [&[u8]; 17] = [
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
const SEQUENCE_REPLIES: [&[u8]; 15] = [
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
    events: Vec<Event>,
}

impl EventRecorder {
    /// Passes these bytes to the decoder as the result of one read.
    fn read(&mut self, bytes: &[u8]) {
        self.decoder
            .read(bytes, self.now, &mut |event| self.events.push(event));
    }

    /// Advances the clock while no input arrives.
    fn wait(&mut self, span: Duration) {
        let until = self.now + span;
        while let Some(at) = self.decoder.deadline().filter(|at| *at <= until) {
            self.now = at;
            self.decoder
                .on_timeout(at, &mut |event| self.events.push(event));
        }
        self.now = until;
    }

    fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// The latest background colour that was reported since the previous call.
    fn background(&mut self) -> Option<[u8; 3]> {
        let mut colours =
            self.decoder
                .replies()
                .into_iter()
                .rev()
                .filter_map(|reply| match reply {
                    Reply::Background(colour) => Some(colour),
                    _ => None,
                });
        colours.next()
    }
}

fn decode(bytes: &[u8]) -> Vec<Event> {
    let mut recorder = EventRecorder::default();
    recorder.read(bytes);
    recorder.wait(ESC_TIMEOUT);
    recorder.take_events()
}

fn char_key(letter: char) -> Event {
    letter_key(letter, KeyModifiers::NONE)
}

fn replies() -> impl Iterator<Item = &'static [u8]> {
    TEXT_REPLIES.into_iter().chain(SEQUENCE_REPLIES)
}

#[test]
fn every_encoding_of_a_key_is_decoded() {
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
        (
            Left,
            ALT,
            &["\x1b[1;3D", "\x1b[3D", "\x1b\x1b[D", "\x1b\x1bOD"],
        ),
        (
            Right,
            ALT,
            &["\x1b[1;3C", "\x1b[3C", "\x1b\x1b[C", "\x1b\x1bOC"],
        ),
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
        (
            Backspace,
            ALT,
            &["\x1b\x7f", "\x1b[127;3u", "\x1b[27;3;127~"],
        ),
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
        (Char('='), NONE, &["=", "\x1bOX", "\x1b[57415u"]),
        (Char('3'), NONE, &["3", "\x1bOs", "\x1b[57402u"]),
        (Char(','), NONE, &["\x1b[57416u"]),
        (Char('+'), CTRL, &["\x1b[57413;5u", "\x1b[27;5;57413~"]),
        (Enter, NONE, &["\x1b[57414u"]),
        (Left, NONE, &["\x1b[57417u"]),
        (Down, CTRL, &["\x1b[57420;5u"]),
        (PageUp, NONE, &["\x1b[57421u"]),
        (Home, NONE, &["\x1b[57423u"]),
        (Delete, NONE, &["\x1b[57426u"]),
        // With Num Lock, with the event of a press or a repetition, and with alternate keys.
        (Char('1'), NONE, &["\x1b[57400;129u", "\x1b[57400;129;49u"]),
        (
            Enter,
            NONE,
            &["\x1b[57414;129u", "\x1b[57414;1:1u", "\x1b[13;1:2u"],
        ),
        (Char('!'), SHIFT, &["\x1b[49:33;2u"]),
        (Char('c'), CTRL, &["\x1b[99;5;99u"]),
    ];
    for (code, modifiers, encodings) in table {
        for bytes in *encodings {
            let expected = vec![key(*code, *modifiers)];
            assert_eq!(decode(bytes.as_bytes()), expected, "{bytes:?}");
        }
    }
}

/// Caps Lock, Print Screen, F13, the keypad's Insert and Begin, Play and left Shift, and the first
/// and last number that the protocol reserves.
#[test]
fn keys_without_text_in_kitty_protocol_type_nothing() {
    for code in [
        57_344, 57_358, 57_361, 57_376, 57_425, 57_427, 57_428, 57_441, 57_454, 63_743,
    ] {
        assert_eq!(decode(format!("\x1b[{code}u").as_bytes()), [], "{code}");
        assert_eq!(
            decode(format!("\x1b[27;2;{code}~").as_bytes()),
            [],
            "{code}"
        );
    }
}

/// The letters of a Brazilian keyboard (ABNT2): keys of their own, AltGr with Q, W and E, and dead
/// keys. A terminal sends them as text, or in the kitty protocol with their text.
#[test]
fn letters_of_a_brazilian_keyboard_are_text() {
    for (text, sequences) in [
        ("ç", ["ç", "\x1b[231;;231u", "\x1b[231u"]),
        ("Ç", ["Ç", "\x1b[231:199;2;199u", "\x1b[231:199;2:1;199u"]),
        ("/", ["/", "\x1b[113;1;47u", "\x1b[113;;47u"]),
        ("?", ["?", "\x1b[119;1;63u", "\x1b[47:63;2;63u"]),
        ("°", ["°", "\x1b[101;1;176u", "\x1b[101;129:2;176u"]),
        ("ã", ["ã", "\x1b[0;;227u", "\x1b[97;;227u"]),
        ("Ã", ["Ã", "\x1b[0;2;195u", "\x1b[97:65;2;195u"]),
        ("~a", ["~a", "\x1b[0;;126:97u", "\x1b[97;1:1;126:97u"]),
        (
            "日本",
            ["日本", "\x1b[0;;26085:26412u", "\x1b[0;1:1;26085:26412u"],
        ),
    ] {
        let expected: Vec<_> = text.chars().map(char_key).collect();
        for sequence in sequences {
            assert_eq!(decode(sequence.as_bytes()), expected, "{sequence:?}");
        }
    }
    // A released key, a dead key alone, and a reply to a query.
    for nothing in ["\x1b[97;1:3u", "\x1b[97;1:3;97u", "\x1b[0u", "\x1b[?15u"] {
        assert_eq!(decode(nothing.as_bytes()), [], "{nothing:?}");
    }
}

#[test]
fn clicks_and_wheel_have_their_positions() {
    let mouse = |kind, column, row| {
        Event::Mouse(MouseEvent {
            kind,
            column,
            row,
            modifiers: KeyModifiers::NONE,
        })
    };
    let left = MouseEventKind::Down(MouseButton::Left);
    assert_eq!(decode(b"\x1b[<0;300;2M"), [mouse(left, 299, 1)]);
    assert_eq!(decode(b"\x1b[<4;1;1M"), [mouse(left, 0, 0)]);
    assert_eq!(
        decode(b"\x1b[<64;5;6M"),
        [mouse(MouseEventKind::ScrollUp, 4, 5)]
    );
    assert_eq!(
        decode(b"\x1b[<65;5;6M"),
        [mouse(MouseEventKind::ScrollDown, 4, 5)]
    );
    // These mouse sequences are ignored. Each has an impossible position or button, uses another
    // encoding, or reports the release of a button.
    for ignored in [
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
        assert_eq!(decode(ignored.as_bytes()), [], "{ignored:?}");
    }
}

#[test]
fn lone_escape_byte_is_the_esc_key_after_timeout() {
    let mut recorder = EventRecorder::default();
    recorder.read(b"\x1b");
    assert_eq!(recorder.take_events(), []);
    assert_eq!(recorder.decoder.deadline(), Some(ESC_TIMEOUT));
    recorder.wait(ESC_TIMEOUT);
    assert_eq!(recorder.take_events(), [esc_key()]);
    assert_eq!(
        recorder.decoder.deadline(),
        None,
        "nothing wakes it any more"
    );
    recorder.read(b"j");
    recorder.read(b"\x1b\x1b");
    recorder.wait(ESC_TIMEOUT);
    assert_eq!(
        recorder.take_events(),
        [char_key('j'), esc_key(), esc_key()]
    );
    // The user pressed Esc and turned the mouse wheel immediately after it.
    assert_eq!(decode(b"\x1b\x1b[<64;1;1M").len(), 2);
    assert_eq!(decode(b"\x1b\x1b]11;?\x07"), [esc_key()]);
}

#[test]
fn invalid_utf8_is_skipped() {
    assert_eq!(
        decode(b"a\xc3b\xff\x80c\xe2\x82d\xc2\x9b\xed\xa0\x80e"),
        [
            char_key('a'),
            char_key('b'),
            char_key('c'),
            char_key('d'),
            char_key('e')
        ]
    );
}

#[test]
fn a_paste_is_one_event_however_long_it_is() {
    let mut recorder = EventRecorder::default();
    recorder.read(b"\x1b[200~\x1b[A\r q\x1b[201");
    assert_eq!(recorder.take_events(), []);
    recorder.read(b"~x");
    assert_eq!(
        recorder.take_events(),
        [Event::Paste("\x1b[A\r q".into()), char_key('x')]
    );
    recorder.read(b"\x1b[200~");
    for _ in 0..1_000 {
        recorder.read(&[b'a'; 4_096]);
    }
    recorder.read(b"\x1b[201~x");
    assert_eq!(
        recorder.take_events(),
        [Event::Paste("a".repeat(MAX_PASTE_BYTES)), char_key('x')]
    );
}

#[test]
fn unterminated_paste_times_out_and_yields_no_keys() {
    let mut recorder = EventRecorder::default();
    recorder.read(b"\x1b[200~senha");
    recorder.wait(PASTE_TIMEOUT / 2);
    recorder.read(b"q");
    recorder.wait(PASTE_TIMEOUT);
    assert_eq!(
        (recorder.take_events(), recorder.decoder.deadline()),
        (vec![], None)
    );
    // More bytes of the same paste arrive after the timeout.
    recorder.wait(LATE_REST_LIMIT / 4);
    recorder.read(b"qqq\rn");
    recorder.wait(PASTE_TIMEOUT);
    recorder.read(b"yyy\x1b[201~");
    assert_eq!(recorder.take_events(), []);
    recorder.read(b"j");
    assert_eq!(recorder.take_events(), [char_key('j')]);
    recorder.read(b"\x1b[200~b\x1b[201~");
    assert_eq!(recorder.take_events(), [Event::Paste("b".into())]);
}

#[test]
fn ctrl_c_aborts_a_paste_without_an_end() {
    let ctrl_c = control_key(CTRL_C, KeyModifiers::NONE);
    let mut recorder = EventRecorder::default();
    recorder.read(b"\x1b[200~senha");
    recorder.wait(MIN_PAUSE);
    recorder.read(b"\x03");
    assert_eq!(
        recorder.take_events(),
        std::slice::from_ref(&ctrl_c),
        "alone, it is at once"
    );
    recorder.read(b"yyy\x1b[201~");
    assert_eq!(recorder.take_events(), [], "the paste goes on");
    recorder.read(b"\x1b[200~senha\x03");
    recorder.wait(PASTE_TIMEOUT);
    assert_eq!(
        recorder.take_events(),
        [ctrl_c],
        "the last of what came in, it is when nothing more comes"
    );
    recorder.read(b"\x1b[200~a\x03b\x1b[201~");
    assert_eq!(
        recorder.take_events(),
        [Event::Paste("a\x03b".into())],
        "of a whole paste, it is text"
    );
}

#[test]
fn terminal_reply_is_no_key_and_next_keys_arrive() {
    for reply in replies() {
        let mut bytes = reply.to_vec();
        bytes.extend(b"x\r");
        let expected = [char_key('x'), key(KeyCode::Enter, KeyModifiers::NONE)];
        assert_eq!(decode(&bytes), expected, "{}", reply.escape_ascii());
    }
}

/// Splits each reply at every byte. The second part arrives at once or late, before or after the
/// decoder stops waiting for it.
#[test]
fn split_reply_yields_no_key_however_late() {
    let millisecond = Duration::from_millis(1);
    let almost = LATE_REST_LIMIT - Duration::from_millis(1);
    for reply in replies() {
        for cut in 1..reply.len() {
            for delay in [
                AT_ONCE,
                millisecond,
                ESC_TIMEOUT,
                SEQUENCE_TIMEOUT - millisecond,
                SEQUENCE_TIMEOUT,
                almost,
            ] {
                let mut recorder = EventRecorder::default();
                recorder.read(&reply[..cut]);
                recorder.wait(delay);
                // A lone escape byte can be the Esc key or the start of a reply. After a while it
                // counts as the Esc key.
                let was_lone_escape = cut == 1 && delay >= ESC_TIMEOUT;
                let expected = if was_lone_escape {
                    vec![esc_key()]
                } else {
                    vec![]
                };
                assert_eq!(
                    recorder.take_events(),
                    expected,
                    "{}, {delay:?}",
                    reply[..cut].escape_ascii()
                );
                recorder.read(&reply[cut..]);
                let text = reply.escape_ascii();
                // If the escape byte has already counted as the Esc key, the rest of some replies
                // can no longer be recognized.
                let is_recognizable = !was_lone_escape || follows_escape(reply[1], &reply[2..]);
                if is_recognizable {
                    assert_eq!(recorder.take_events(), [], "{text} cut at {cut}, {delay:?}");
                }
                recorder.take_events();
                recorder.wait(millisecond);
                recorder.read(b"x");
                assert_eq!(
                    recorder.take_events(),
                    [char_key('x')],
                    "{text} cut at {cut}, {delay:?}"
                );
            }
        }
    }
}

#[test]
fn unfinished_reply_does_not_swallow_keys() {
    for reply in replies() {
        for cut in 2..reply.len() {
            let text = reply[..cut].escape_ascii();
            let mut recorder = EventRecorder::default();
            recorder.read(&reply[..cut]);
            recorder.wait(MIN_PAUSE);
            recorder.read(b"\x03");
            assert_eq!(
                recorder.take_events(),
                [control_key(CTRL_C, KeyModifiers::NONE)],
                "{text}: at once"
            );
            recorder.read(&reply[..cut]);
            recorder.wait(SEQUENCE_TIMEOUT);
            recorder.read(b"\r");
            recorder.read(b"4");
            let expected = [key(KeyCode::Enter, KeyModifiers::NONE), char_key('4')];
            assert_eq!(recorder.take_events(), expected, "{text}: after a moment");
            recorder.read(&reply[..cut]);
            recorder.wait(LATE_REST_LIMIT);
            recorder.read(b"xy");
            assert_eq!(
                recorder.take_events(),
                [char_key('x'), char_key('y')],
                "{text}: later, whatever it is"
            );
        }
    }
}

#[test]
fn split_background_reply_in_time_is_returned_once() {
    let moment = Duration::from_millis(1);
    let reply = b"\x1b]11;rgb:1d1d/1f1f/2121\x1b\\";
    for cut in 2..reply.len() {
        for delay in [AT_ONCE, moment, SEQUENCE_TIMEOUT - moment] {
            let mut recorder = EventRecorder::default();
            recorder.read(&reply[..cut]);
            recorder.wait(delay);
            assert_eq!(recorder.background(), None, "cut at {cut}");
            recorder.read(&reply[cut..]);
            assert_eq!(
                recorder.background(),
                Some([0x1d, 0x1f, 0x21]),
                "cut at {cut}"
            );
            assert_eq!(recorder.background(), None, "told once");
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
    for (pieces, wait) in [
        (cut_off, SEQUENCE_TIMEOUT),
        (in_sequence, AT_ONCE),
        (pasted, AT_ONCE),
        (broken, AT_ONCE),
        (endless, AT_ONCE),
    ] {
        let mut recorder = EventRecorder::default();
        for piece in pieces {
            recorder.read(piece);
            recorder.wait(wait);
        }
        let text = pieces[0].escape_ascii();
        assert_eq!(recorder.background(), None, "{text}");
        recorder.read(b"\x1b]11;rgb:ff/ff/ff\x07x");
        assert_eq!(
            recorder.background(),
            Some([0xff; 3]),
            "{text}: the next one is whole"
        );
        assert_eq!(
            recorder.take_events().last(),
            Some(&char_key('x')),
            "{text}"
        );
    }
    for reply in replies().filter(|reply| !reply.starts_with(b"\x1b]11;")) {
        let mut recorder = EventRecorder::default();
        recorder.read(reply);
        assert_eq!(recorder.background(), None, "{}", reply.escape_ascii());
    }
}

#[test]
fn keys_work_after_alt_and_a_bracket() {
    let mut recorder = EventRecorder::default();
    for prefix in [b"\x1b]", b"\x1bP", b"\x1b_", b"\x1b[", b"\x1bO"] {
        recorder.read(prefix);
        recorder.wait(SEQUENCE_TIMEOUT);
        recorder.read(b"1");
        assert_eq!(
            recorder.take_events(),
            [char_key('1')],
            "{}",
            prefix.escape_ascii()
        );
    }
}

#[test]
fn reply_of_any_length_is_skipped() {
    let mut recorder = EventRecorder::default();
    recorder.read(b"\x1b]52;c;");
    for _ in 0..1_000 {
        recorder.read(&[b'q'; 4_096]);
    }
    recorder.read(b"\x07\x1b[");
    recorder.read(&[b'1'; 4_096]);
    recorder.read(b"~x");
    assert_eq!(recorder.take_events(), [char_key('x')]);
}

/// Generates random bytes that contain many valid sequences.
fn terminal_bytes() -> impl Strategy<Value = Vec<u8>> {
    let complete_replies: Vec<Vec<u8>> = replies().map(<[u8]>::to_vec).collect();
    let piece = prop_oneof![
        4 => any::<u8>().prop_map(|byte| vec![byte]),
        2 => Just(vec![ESC]),
        2 => prop::sample::select(b"[]OPX^_\\\x07<?>;:$0123456789MmuyR~ABZc".to_vec())
            .prop_map(|byte| vec![byte]),
        1 => prop::sample::select(complete_replies),
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
        bytes in terminal_bytes(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..20),
    ) {
        let expected = decode(&bytes);
        let mut recorder = EventRecorder::default();
        let mut indexes: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        indexes.extend([0, bytes.len()]);
        indexes.sort_unstable();
        for pair in indexes.windows(2) {
            recorder.read(&bytes[pair[0]..pair[1]]);
        }
        recorder.wait(ESC_TIMEOUT);
        prop_assert_eq!(recorder.take_events(), expected);
    }

    #[test]
    fn any_input_yields_few_events_and_recovers(
        reads in prop::collection::vec((terminal_bytes(), 0_u64..7_000), 0..20),
    ) {
        let mut recorder = EventRecorder::default();
        let mut count = 0;
        for (bytes, pause) in &reads {
            recorder.read(bytes);
            recorder.wait(Duration::from_millis(*pause));
            count += bytes.len();
        }
        prop_assert!(recorder.take_events().len() <= count);
        recorder.wait(LATE_REST_LIMIT * 2);
        recorder.take_events();
        recorder.read(b"q");
        prop_assert_eq!(recorder.take_events(), vec![char_key('q')]);
        prop_assert_eq!(recorder.decoder.deadline(), None);
    }

    #[test]
    fn typed_text_arrives_as_keys(text in "[^\\p{Cc}]{0,40}", cut in any::<prop::sample::Index>()) {
        let mut recorder = EventRecorder::default();
        let (head, tail) = text.as_bytes().split_at(cut.index(text.len() + 1));
        recorder.read(head);
        recorder.read(tail);
        let letters: Vec<Option<char>> = recorder.take_events().iter().map(|event| match event {
            Event::Key(key) => key.code.as_char(),
            _ => None,
        }).collect();
        prop_assert_eq!(letters, text.chars().map(Some).collect::<Vec<_>>());
    }
}

#[test]
fn only_a_single_key_counts_as_one_complete_input() {
    let is_single_key = |bytes: &[u8]| {
        let mut recorder = EventRecorder::default();
        recorder.read(bytes);
        recorder.decoder.input_count_if_complete() == Some(1)
    };
    for key in [
        "\r", "\t", "a", "ç", "\x1b[A", "\x1b[Z", "\x1bOM", "\x1b\r", "\x1b[13u",
    ] {
        assert!(is_single_key(key.as_bytes()), "{key:?}");
        for other in [
            "\r",
            "a",
            "\x1b[A",
            "\x1b[200~b\x1b[201~",
            "\x1b[201~",
            "\x1b[?1;2c",
        ] {
            for bytes in [format!("{key}{other}"), format!("{other}{key}")] {
                assert!(!is_single_key(bytes.as_bytes()), "{bytes:?}");
            }
        }
    }
    // Another key cuts off each sequence, so the read does not contain exactly one complete key.
    assert!(!is_single_key(b"\x1b[\r") && !is_single_key(b"\x1b]52;c;\x03"));
    assert!(!is_single_key(b"\x1b["), "nothing is whole");
}
