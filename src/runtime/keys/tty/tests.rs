use std::io::Write;
use std::os::unix::net::UnixStream;

use crossterm::event::{Event, KeyCode};

use super::*;
use crate::app::ui::input::Pace;

fn source() -> (TtyReader, UnixStream) {
    let (ours, theirs) = UnixStream::pair().unwrap();
    (TtyReader { tty: ours.into(), was_empty: false, can_poll: true }, theirs)
}

/// All events until the end, which comes.
fn told(source: TtyReader) -> Vec<io::Result<Event>> {
    let mut told = Vec::new();
    let mut tell = |arrived: io::Result<Arrived>| {
        told.push(arrived.map(|arrived| arrived.event));
        true
    };
    read_until_gone(source, &mut TypedBytes::new(None), &mut tell);
    told
}

fn key(code: KeyCode) -> Event {
    Event::Key(code.into())
}

#[test]
fn keys_are_sent_and_terminal_end_is_an_error() {
    let (source, mut hands) = source();
    hands.write_all("aç\x1b[5~\x1b".as_bytes()).unwrap();
    drop(hands);
    let told = told(source);
    let (end, keys) = told.split_last().unwrap();
    let keys: Vec<&Event> = keys.iter().map(|key| key.as_ref().unwrap()).collect();
    let wanted = [KeyCode::Char('a'), KeyCode::Char('ç'), KeyCode::PageUp].map(key);
    assert_eq!(keys, wanted.iter().collect::<Vec<_>>());
    assert_eq!(end.as_ref().unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
}

#[test]
fn a_lone_escape_is_told_while_the_terminal_is_silent() {
    let (source, mut hands) = source();
    hands.write_all(b"\x1b").unwrap();
    let mut told = Vec::new();
    // The hands stay: only the wait for what follows ends this.
    let mut tell = |arrived: io::Result<Arrived>| {
        told.push(arrived.unwrap().event);
        false
    };
    read_until_gone(source, &mut TypedBytes::new(None), &mut tell);
    assert_eq!(told, [key(KeyCode::Esc)]);
    drop(hands);
}

#[test]
fn nobody_who_listens_ends_the_reading() {
    let (source, mut hands) = source();
    hands.write_all(b"abc").unwrap();
    let mut count = 0;
    let mut tell = |_| {
        count += 1;
        false
    };
    read_until_gone(source, &mut TypedBytes::new(None), &mut tell);
    assert_eq!(count, 1);
}

#[test]
fn a_terminal_that_does_not_wait_is_waited_for() {
    let (ours, mut hands) = UnixStream::pair().unwrap();
    ours.set_nonblocking(true).unwrap();
    let mut source = TtyReader { tty: ours.into(), was_empty: false, can_poll: true };
    let typing = thread::spawn(move || {
        hands.write_all(b"x").unwrap();
        hands
    });
    let mut bytes = [0; 8];
    assert_eq!(source.read(&mut bytes, None).unwrap(), Some(1));
    let soon = clocks::instant() + Duration::from_millis(20);
    assert_eq!(source.read(&mut bytes, Some(soon)).unwrap(), None);
    assert!(clocks::instant() >= soon, "it does not come back too early");
    drop(typing.join().unwrap());
    assert!(source.read(&mut bytes, None).is_err());
}

#[test]
fn key_after_a_wait_is_deliberate() {
    let (source, mut hands) = source();
    let typing = thread::spawn(move || {
        let nobody = Duration::from_millis(120);
        thread::park_timeout(nobody);
        hands.write_all(b"\r").unwrap();
    });
    let mut paces = Vec::new();
    let begun = clocks::instant();
    let mut tell = |arrived: io::Result<Arrived>| {
        paces.extend(arrived.ok().map(|arrived| arrived.pace));
        true
    };
    read_until_gone(source, &mut TypedBytes::new(None), &mut tell);
    typing.join().unwrap();
    let expected = if begun.elapsed() >= PAUSE { Pace::Deliberate } else { Pace::Close };
    assert_eq!(paces, [expected]);
}

#[test]
fn key_during_a_busy_read_is_not_deliberate() {
    let (source, mut hands) = source();
    hands.write_all(b"a").unwrap();
    let mut paces = Vec::new();
    let mut tell = |arrived: io::Result<Arrived>| {
        paces.extend(arrived.ok().map(|arrived| arrived.pace));
        if paces.len() == 1 {
            hands.write_all(b"\r").unwrap();
            thread::park_timeout(PAUSE * 2);
        }
        paces.len() < 2
    };
    read_until_gone(source, &mut TypedBytes::new(None), &mut tell);
    assert_eq!(paces, [Pace::Close; 2], "nobody knows either what came before the start");
}
