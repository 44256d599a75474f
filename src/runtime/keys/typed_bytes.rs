//! Passes the bytes of each read from the terminal to the decoder, and adds the timing to the
//! decoded events.

use std::time::Instant;

use crossterm::event::Event;

use super::decoder::Decoder;
use super::{OnReply, TimedEvent};
use crate::app::ui::input::Pace;
use crate::runtime::{clocks, keyboard};

/// The size of the read buffer in bytes. A terminal never returns more bytes in one read.
const BUFFER_BYTES: usize = 4_096;

/// The read buffer for the terminal's bytes, and the decoder for them.
pub struct TypedBytes {
    /// The start of the decoder's clock. The decoder counts all times from this time.
    start: Instant,
    decoder: Decoder,
    /// The only buffer for input bytes. It is erased after each read, because the bytes may be a
    /// password.
    bytes: Box<[u8; BUFFER_BYTES]>,
    on_reply: OnReply,
}

impl TypedBytes {
    pub fn new(on_reply: OnReply) -> TypedBytes {
        let bytes = Box::new([0; BUFFER_BYTES]);
        TypedBytes {
            start: clocks::instant(),
            decoder: Decoder::default(),
            bytes,
            on_reply,
        }
    }

    /// The time until which the decoder waits for the rest of an incomplete sequence.
    pub fn deadline(&self) -> Option<Instant> {
        self.decoder.deadline().map(|at| self.start + at)
    }

    /// The buffer for the next read.
    pub fn buffer(&mut self) -> &mut [u8] {
        &mut self.bytes[..]
    }

    /// Decodes the first `count` bytes of the buffer. `after_silence` is true if these bytes
    /// arrived after a pause. Returns false if the bytes contained only expected replies and focus
    /// reports, which do not count as input.
    ///
    /// A full buffer never counts as a single key press, because more bytes may be waiting.
    pub fn decode(
        &mut self,
        count: usize,
        after_silence: bool,
        emit: &mut dyn FnMut(TimedEvent),
    ) -> bool {
        let mut events = Vec::new();
        let mut collect = |event| events.push(event);
        let was_complete = self.decoder.input_count_if_complete().is_some();
        self.decoder
            .read(&self.bytes[..count], self.start.elapsed(), &mut collect);
        self.bytes[..count].fill(0);
        let (reports, events): (Vec<_>, Vec<_>) =
            events.into_iter().partition(keyboard::is_focus_report);
        // A click may arrive together with the release of the mouse button. The release creates no
        // event, so both count as one input.
        let is_click = matches!(events[..], [Event::Mouse(_)]);
        let replies = self.decoder.replies();
        let expected = replies
            .into_iter()
            .filter(|reply| (self.on_reply)(*reply))
            .count()
            + reports.len();
        for event in reports {
            let pace = Pace::Unknown;
            emit(TimedEvent { event, pace });
        }
        let input_count = self
            .decoder
            .input_count_if_complete()
            .map(|input_count| input_count.saturating_sub(expected));
        let is_single_input = count < BUFFER_BYTES && (input_count == Some(1) || is_click);
        let mut events = events.into_iter().peekable();
        let mut follows_text = false;
        while let Some(event) = events.next() {
            let has_text = is_text(&event);
            let pace = match (is_single_input, after_silence) {
                (true, true) => Pace::Deliberate,
                (true, false) => Pace::Close,
                _ if has_text && (follows_text || events.peek().is_some_and(is_text)) => {
                    Pace::Text {
                        begins: !follows_text,
                    }
                }
                _ => Pace::Together,
            };
            follows_text = has_text;
            emit(TimedEvent { event, pace });
        }
        !was_complete || input_count != Some(0)
    }

    /// Handles the timeout of an incomplete sequence. The resulting key press, such as Esc, never
    /// counts as deliberate, so it cannot confirm anything.
    pub fn on_timeout(&mut self, emit: &mut dyn FnMut(TimedEvent)) {
        let pace = Pace::Close;
        let now = self.decoder.deadline().unwrap_or_default();
        self.decoder
            .on_timeout(now, &mut |event| emit(TimedEvent { event, pace }));
    }
}

fn is_text(event: &Event) -> bool {
    let Event::Key(key) = event else { return false };
    keyboard::to_key(key).is_some_and(|key| key.text().is_some())
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use crossterm::event::KeyCode;

    use super::*;
    use crate::app::ui::form::{Field, Form, Label};
    use crate::app::ui::input::Input;
    use crate::runtime::keys::Reply;

    #[test]
    fn replies_among_keys_are_no_keys() {
        let (sender, received) = mpsc::sync_channel(8);
        let on_reply = move |reply| sender.send(reply).is_err();
        let mut typed_bytes = TypedBytes::new(Box::new(on_reply));
        let mut typed = Vec::new();
        for bytes in [
            b"a\x1b]11;rgb:ffff/ffff/ffff\x1b\\b\x1b[0n\x1b]11;rgb:0/0/0\x07c".as_slice(),
            b"\x1b[3n\x1b[?2026;2$y\x1b[?2026;0$y\x1b[1n\x1b[?0n\x1b[0;0n",
            b"\x1b[200~\x1b[0n\x1b[201~",
        ] {
            typed_bytes.buffer()[..bytes.len()].copy_from_slice(bytes);
            typed_bytes.decode(bytes.len(), true, &mut |event| typed.push(event.event));
            assert!(
                typed_bytes.buffer().iter().all(|byte| *byte == 0),
                "nothing of it stays"
            );
        }
        let pasted = typed.pop();
        assert_eq!(
            pasted,
            Some(Event::Paste("\x1b[0n".into())),
            "a forged reply is text"
        );
        assert_eq!(
            typed,
            ['a', 'b', 'c'].map(|letter| Event::Key(KeyCode::Char(letter).into()))
        );
        let background = Reply::Background;
        let expected = [
            background([0xff; 3]),
            Reply::Status,
            background([0; 3]),
            Reply::Status,
            Reply::Synchronized,
        ];
        assert_eq!(received.try_iter().collect::<Vec<_>>(), expected);
    }

    /// Decodes one read that contains status reports. Only the first `expected` of these reports
    /// are expected. Returns the pace of the last event, and true if the read counts as input.
    fn decode_with_reports(bytes: &[u8], mut expected: u32) -> (Option<Pace>, bool) {
        let on_reply = move |_| {
            let is_expected = expected > 0;
            expected = expected.saturating_sub(1);
            is_expected
        };
        let mut typed_bytes = TypedBytes::new(Box::new(on_reply));
        typed_bytes.buffer()[..bytes.len()].copy_from_slice(bytes);
        let mut last_pace = None;
        let is_input =
            typed_bytes.decode(bytes.len(), true, &mut |event| last_pace = Some(event.pace));
        (last_pace, is_input)
    }

    #[test]
    fn expected_report_is_not_input() {
        let alone = b"\x1b[0n".as_slice();
        assert_eq!(decode_with_reports(alone, 1), (None, false));
        assert_eq!(
            decode_with_reports(alone, 0),
            (None, true),
            "a forged one delays a key"
        );
        let with_key = b"\x1b[0n\r".as_slice();
        assert_eq!(
            decode_with_reports(with_key, 1),
            (Some(Pace::Deliberate), true)
        );
        assert_eq!(
            decode_with_reports(with_key, 0),
            (Some(Pace::Together), true)
        );
        assert_eq!(
            decode_with_reports(b"\x1b[0n\x1b[0n\r", 1),
            (Some(Pace::Together), true)
        );
        assert_eq!(
            decode_with_reports(b"x\x1b[0n\r", 1),
            (Some(Pace::Together), true)
        );
    }

    #[test]
    fn report_of_the_focus_is_not_input() {
        let read = |bytes: &[u8]| {
            let mut typed_bytes = TypedBytes::new(Box::new(|_| false));
            typed_bytes.buffer()[..bytes.len()].copy_from_slice(bytes);
            let mut events = Vec::new();
            let is_input = typed_bytes.decode(bytes.len(), true, &mut |event| events.push(event));
            (events, is_input)
        };
        let timed = |event, pace| TimedEvent { event, pace };
        let gained = timed(Event::FocusGained, Pace::Unknown);
        let lost = timed(Event::FocusLost, Pace::Unknown);
        assert_eq!(read(b"\x1b[O"), (vec![lost], false));
        let enter = timed(Event::Key(KeyCode::Enter.into()), Pace::Deliberate);
        assert_eq!(read(b"\x1b[I\r"), (vec![gained.clone(), enter], true));
        // The click that gives the window the focus also acts, with its release in the same read.
        let (events, is_input) = read(b"\x1b[I\x1b[<0;5;5M\x1b[<0;5;5m");
        assert_eq!(
            (&events[0], events[1].pace, is_input),
            (&gained, Pace::Deliberate, true)
        );
        let (events, _) = read(b"x\x1b[I\r");
        assert_eq!(events[2].pace, Pace::Together, "a paste stays one");
    }

    #[test]
    fn report_at_the_end_of_a_paste_leaves_it_input() {
        let mut typed_bytes = TypedBytes::new(Box::new(|_| true));
        let mut read = |bytes: &[u8]| {
            typed_bytes.buffer()[..bytes.len()].copy_from_slice(bytes);
            typed_bytes.decode(bytes.len(), true, &mut |_| ())
        };
        assert!(read(b"\x1b[200~a"));
        assert!(read(b"b\x1b[201~\x1b[0n"));
        assert!(!read(b"\x1b[0n"));
    }

    fn paces(bytes: &[u8], after_silence: bool) -> Vec<Pace> {
        let mut typed_bytes = TypedBytes::new(Box::new(|_| false));
        typed_bytes.buffer()[..bytes.len()].copy_from_slice(bytes);
        let mut paces = Vec::new();
        typed_bytes.decode(bytes.len(), after_silence, &mut |event| {
            paces.push(event.pace)
        });
        paces
    }

    #[test]
    fn single_key_after_silence_is_deliberate() {
        for (bytes, after_silence, expected) in [
            (b"\r".as_slice(), true, Pace::Deliberate),
            (b"\r", false, Pace::Close),
            (b"\x1b[B", true, Pace::Deliberate),
            (b"\x1b[<0;5;5M", true, Pace::Deliberate),
            // A press of the mouse button and its release count as one deliberate click.
            (b"\x1b[<0;5;5M\x1b[<0;5;5m", true, Pace::Deliberate),
        ] {
            assert_eq!(
                paces(bytes, after_silence),
                [expected],
                "{}",
                bytes.escape_ascii()
            );
        }
        assert_eq!(paces(b"\x1b[B\r", true), [Pace::Together; 2]);
        assert_eq!(paces(b"\x1b[201~\r", true), [Pace::Together]);
        let full = [b'\r'; BUFFER_BYTES];
        assert!(
            paces(&full, true)
                .iter()
                .all(|pace| *pace == Pace::Together)
        );
    }

    /// Types `text` into an amount field. Each bit of `cuts` that is 1 ends a read after the
    /// character at that index.
    fn type_in_reads(text: &str, cuts: usize) -> Form {
        let mut typed_bytes = TypedBytes::new(Box::new(|_| false));
        let mut form = Form::new(vec![Field::amount("amount", Label::Word("field-amount"))]);
        let mut first = 0;
        for end in 1..=text.len() {
            if end < text.len() && cuts >> (end - 1) & 1 == 0 {
                continue;
            }
            let read = &text.as_bytes()[first..end];
            typed_bytes.buffer()[..read.len()].copy_from_slice(read);
            typed_bytes.decode(read.len(), false, &mut |TimedEvent { event, pace }| {
                let Some(Input::Key(key)) = keyboard::to_input(event) else {
                    panic!("a key")
                };
                form.edit(key, pace);
            });
            first = end;
        }
        form
    }

    #[test]
    fn price_in_any_reads_is_whole_or_refused() {
        for (text, may_be_refused) in [
            ("1299,90", false),
            ("49,90", false),
            ("0000050", true),
            ("R$ 1.234,56", true),
        ] {
            let cuts = (1 << (text.len() - 1)) - 1;
            let typed = type_in_reads(text, cuts).money();
            assert!(typed.is_some(), "{text}");
            for cuts in 0..=cuts {
                let form = type_in_reads(text, cuts);
                let is_refused = form.fields[0].error.is_some();
                assert!(!is_refused || may_be_refused, "{text}, {cuts:b}");
                assert_eq!(
                    form.money(),
                    typed.filter(|_| !is_refused),
                    "{text}, {cuts:b}"
                );
            }
        }
    }

    #[test]
    fn characters_of_one_read_are_a_text() {
        let begins = Pace::Text { begins: true };
        let follows = Pace::Text { begins: false };
        assert_eq!(paces(b"49,9", true), [begins, follows, follows, follows]);
        // The character and the Tab key arrived in one read, so neither counts as deliberate.
        assert_eq!(paces(b"0\t", false), [Pace::Together; 2]);
        let expected = [begins, follows, Pace::Together, begins, follows];
        assert_eq!(paces(b"10\tab", true), expected);
    }
}
