use std::io::Write;
use std::os::unix::net::UnixStream;

use crossterm::event::{Event, KeyCode};
use futures_util::{FutureExt, StreamExt};

use super::*;
use crate::app::ui::input::Pace;
use crate::runtime::clocks;
use crate::runtime::keys::decoder::ESC_WAIT;

/// A terminal, and the hands that type at it.
fn terminal() -> (PolledTty, UnixStream) {
    let (ours, theirs) = UnixStream::pair().unwrap();
    ours.set_nonblocking(true).unwrap();
    (PolledTty::new(register(ours.into()).unwrap(), TypedBytes::new(None)), theirs)
}

fn key(code: KeyCode) -> Event {
    Event::Key(code.into())
}

async fn next(tty: &mut PolledTty) -> Event {
    tty.next().await.unwrap().unwrap().event
}

#[tokio::test]
async fn keys_come_in_order_and_the_end_of_the_terminal_is_an_error_each_time() {
    let (mut tty, mut hands) = terminal();
    hands.write_all("aç\x1b[5~".as_bytes()).unwrap();
    for code in [KeyCode::Char('a'), KeyCode::Char('ç'), KeyCode::PageUp] {
        assert_eq!(next(&mut tty).await, key(code));
    }
    assert!(tty.next().now_or_never().is_none(), "nobody typed");
    hands.write_all(b"b").unwrap();
    assert_eq!(next(&mut tty).await, key(KeyCode::Char('b')));
    drop(hands);
    for _ in 0..2 {
        let end = tty.next().await.unwrap().unwrap_err();
        assert_eq!(end.kind(), io::ErrorKind::UnexpectedEof);
    }
}

#[tokio::test]
async fn an_escape_alone_is_a_key_once_it_has_waited_for_more() {
    let (mut tty, mut hands) = terminal();
    let typed = clocks::instant();
    hands.write_all(b"\x1b").unwrap();
    assert_eq!(next(&mut tty).await, key(KeyCode::Esc));
    assert!(typed.elapsed() >= ESC_WAIT);
    // The wait of the one before is over: this one begins its own.
    let typed = clocks::instant();
    hands.write_all(b"\x1b").unwrap();
    assert_eq!(next(&mut tty).await, key(KeyCode::Esc));
    assert!(typed.elapsed() >= ESC_WAIT);
    hands.write_all(b"\x1b[A").unwrap();
    assert_eq!(next(&mut tty).await, key(KeyCode::Up));
}

#[tokio::test]
async fn many_keys_at_once_lose_none() {
    let (mut tty, mut hands) = terminal();
    let typing = std::thread::spawn(move || {
        let keys: Vec<u8> = (b'a'..=b'z').cycle().take(100_000).collect();
        hands.write_all(&keys).unwrap();
        hands
    });
    for letter in (b'a'..=b'z').cycle().take(100_000) {
        let typed = next(&mut tty).await;
        assert_eq!(typed, key(KeyCode::Char(char::from(letter))));
    }
    drop(typing.join().unwrap());
    assert!(tty.next().await.unwrap().is_err());
}

async fn next_pace(tty: &mut PolledTty) -> Pace {
    tty.next().await.unwrap().unwrap().pace
}

#[tokio::test]
async fn key_is_deliberate_only_after_a_silence_that_was_seen() {
    let (mut tty, mut hands) = terminal();
    hands.write_all(b"a").unwrap();
    assert_eq!(next_pace(&mut tty).await, Pace::Close, "nobody knows what came before the start");
    let read = clocks::instant();
    assert!(tokio::time::timeout(PAUSE * 2, tty.next()).await.is_err(), "nobody types");
    assert!(read.elapsed() >= PAUSE);
    hands.write_all(b"\r").unwrap();
    assert_eq!(next_pace(&mut tty).await, Pace::Deliberate);
    hands.write_all(b"\r").unwrap();
    assert_eq!(next_pace(&mut tty).await, Pace::Close, "close behind the other");
}

#[tokio::test]
async fn key_that_waited_for_a_busy_loop_is_not_deliberate() {
    let (mut tty, mut hands) = terminal();
    assert!(tokio::time::timeout(PAUSE * 2, tty.next()).await.is_err());
    hands.write_all(b"\t").unwrap();
    assert_eq!(next_pace(&mut tty).await, Pace::Deliberate);
    // It came at once, and was read long after.
    hands.write_all(b"\r").unwrap();
    let busy_since = clocks::instant();
    while busy_since.elapsed() < PAUSE * 2 {
        std::hint::spin_loop();
    }
    assert_eq!(next_pace(&mut tty).await, Pace::Close);
}
