//! Tests of the terminal reader. It reads from a socket instead of a terminal.

use std::io::Write;
use std::os::unix::net::UnixStream;

use crossterm::event::{Event, KeyCode};
use futures_util::{FutureExt, StreamExt};

use super::*;
use crate::app::ui::input::Pace;
use crate::runtime::clocks;
use crate::runtime::keys::decoder::ESC_TIMEOUT;

/// A terminal reader, and the socket that simulates the keyboard.
fn terminal() -> (TtyReader, UnixStream) {
    let (ours, theirs) = UnixStream::pair().unwrap();
    ours.set_nonblocking(true).unwrap();
    (reader(ours.into()), theirs)
}

fn reader(tty: OwnedFd) -> TtyReader {
    TtyReader::new(register(tty).unwrap(), TypedBytes::new(Box::new(|_| false)))
}

fn key(code: KeyCode) -> Event {
    Event::Key(code.into())
}

async fn next(tty: &mut TtyReader) -> Event {
    tty.next().await.unwrap().unwrap().event
}

#[tokio::test]
async fn keys_are_ordered_and_terminal_end_is_an_error() {
    let (mut tty, mut keyboard) = terminal();
    keyboard.write_all("aç\x1b[5~".as_bytes()).unwrap();
    for code in [KeyCode::Char('a'), KeyCode::Char('ç'), KeyCode::PageUp] {
        assert_eq!(next(&mut tty).await, key(code));
    }
    assert!(tty.next().now_or_never().is_none(), "nobody typed");
    keyboard.write_all(b"b").unwrap();
    assert_eq!(next(&mut tty).await, key(KeyCode::Char('b')));
    drop(keyboard);
    for _ in 0..2 {
        let end = tty.next().await.unwrap().unwrap_err();
        assert_eq!(end.kind(), io::ErrorKind::UnexpectedEof);
    }
}

#[tokio::test]
async fn lone_escape_is_a_key_after_its_wait() {
    let (mut tty, mut keyboard) = terminal();
    let start = clocks::instant();
    keyboard.write_all(b"\x1b").unwrap();
    assert_eq!(next(&mut tty).await, key(KeyCode::Esc));
    assert!(start.elapsed() >= ESC_TIMEOUT);
    // The wait after the first escape byte is over, so the second escape byte must start a new
    // wait.
    let start = clocks::instant();
    keyboard.write_all(b"\x1b").unwrap();
    assert_eq!(next(&mut tty).await, key(KeyCode::Esc));
    assert!(start.elapsed() >= ESC_TIMEOUT);
    keyboard.write_all(b"\x1b[A").unwrap();
    assert_eq!(next(&mut tty).await, key(KeyCode::Up));
}

#[tokio::test]
async fn many_keys_at_once_are_all_read() {
    let (mut tty, mut keyboard) = terminal();
    let keyboard_thread = std::thread::spawn(move || {
        let keys: Vec<u8> = (b'a'..=b'z').cycle().take(100_000).collect();
        keyboard.write_all(&keys).unwrap();
        keyboard
    });
    for letter in (b'a'..=b'z').cycle().take(100_000) {
        let event = next(&mut tty).await;
        assert_eq!(event, key(KeyCode::Char(char::from(letter))));
    }
    drop(keyboard_thread.join().unwrap());
    assert!(tty.next().await.unwrap().is_err());
}

async fn next_pace(tty: &mut TtyReader) -> Pace {
    tty.next().await.unwrap().unwrap().pace
}

#[tokio::test]
async fn key_is_deliberate_only_after_a_measured_silence() {
    let (mut tty, mut keyboard) = terminal();
    keyboard.write_all(b"a").unwrap();
    assert_eq!(
        next_pace(&mut tty).await,
        Pace::Close,
        "nobody knows what came before the start"
    );
    let start = clocks::instant();
    assert!(
        tokio::time::timeout(MIN_PAUSE * 2, tty.next())
            .await
            .is_err(),
        "nobody types"
    );
    assert!(start.elapsed() >= MIN_PAUSE);
    keyboard.write_all(b"\r").unwrap();
    assert_eq!(next_pace(&mut tty).await, Pace::Deliberate);
    keyboard.write_all(b"\r").unwrap();
    assert_eq!(
        next_pace(&mut tty).await,
        Pace::Close,
        "close behind the other"
    );
}

#[tokio::test]
async fn key_during_a_busy_loop_is_not_deliberate() {
    let (mut tty, mut keyboard) = terminal();
    assert!(
        tokio::time::timeout(MIN_PAUSE * 2, tty.next())
            .await
            .is_err()
    );
    keyboard.write_all(b"\t").unwrap();
    assert_eq!(next_pace(&mut tty).await, Pace::Deliberate);
    // The key press arrives at once, but the busy thread reads it much later.
    keyboard.write_all(b"\r").unwrap();
    let busy_since = clocks::instant();
    while busy_since.elapsed() < MIN_PAUSE * 2 {
        std::hint::spin_loop();
    }
    assert_eq!(next_pace(&mut tty).await, Pace::Close);
}

#[tokio::test]
async fn copied_terminal_gives_its_keys_and_its_end() {
    for is_nonblocking in [false, true] {
        let (ours, mut keyboard) = UnixStream::pair().unwrap();
        ours.set_nonblocking(is_nonblocking).unwrap();
        let mut tty = reader(spawn_copy_thread(ours.into()).unwrap());
        assert!(tty.next().now_or_never().is_none(), "nobody typed");
        keyboard.write_all("aç".as_bytes()).unwrap();
        for letter in ['a', 'ç'] {
            assert_eq!(next(&mut tty).await, key(KeyCode::Char(letter)));
        }
        drop(keyboard);
        let end = tty.next().await.unwrap().unwrap_err();
        assert_eq!(end.kind(), io::ErrorKind::UnexpectedEof);
    }
}
