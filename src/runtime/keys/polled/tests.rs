use std::io::Write;
use std::os::unix::net::UnixStream;

use crossterm::event::KeyCode;
use futures_util::{FutureExt, StreamExt};

use super::*;
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

#[tokio::test]
async fn keys_come_in_order_and_the_end_of_the_terminal_is_an_error_each_time() {
    let (mut tty, mut hands) = terminal();
    hands.write_all("aç\x1b[5~".as_bytes()).unwrap();
    for code in [KeyCode::Char('a'), KeyCode::Char('ç'), KeyCode::PageUp] {
        assert_eq!(tty.next().await.unwrap().unwrap(), key(code));
    }
    assert!(tty.next().now_or_never().is_none(), "nobody typed");
    hands.write_all(b"b").unwrap();
    assert_eq!(tty.next().await.unwrap().unwrap(), key(KeyCode::Char('b')));
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
    assert_eq!(tty.next().await.unwrap().unwrap(), key(KeyCode::Esc));
    assert!(typed.elapsed() >= ESC_WAIT);
    // The wait of the one before is over: this one begins its own.
    let typed = clocks::instant();
    hands.write_all(b"\x1b").unwrap();
    assert_eq!(tty.next().await.unwrap().unwrap(), key(KeyCode::Esc));
    assert!(typed.elapsed() >= ESC_WAIT);
    hands.write_all(b"\x1b[A").unwrap();
    assert_eq!(tty.next().await.unwrap().unwrap(), key(KeyCode::Up));
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
        let typed = tty.next().await.unwrap().unwrap();
        assert_eq!(typed, key(KeyCode::Char(char::from(letter))));
    }
    drop(typing.join().unwrap());
    assert!(tty.next().await.unwrap().is_err());
}
