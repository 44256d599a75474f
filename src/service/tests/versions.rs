//! Tests that the client does not offer or accept TLS versions before 1.2, which are insecure.

use super::super::client::client_builder;
use super::ends::request_failure;
use super::*;

/// TLS versions, as the numbers that a handshake contains.
const TLS_1_3: usize = 0x0304;
const TLS_1_2: usize = 0x0303;
const TLS_1_1: usize = 0x0302;

/// The handshake extension that lists the offered TLS versions.
const SUPPORTED_VERSIONS: usize = 0x002b;

/// Reads numbers and parts from the start of a byte slice.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> &'a [u8] {
        let (bytes, rest) = self.0.split_at(count);
        self.0 = rest;
        bytes
    }

    fn number(&mut self, width: usize) -> usize {
        self.take(width)
            .iter()
            .fold(0, |number, byte| number << 8 | usize::from(*byte))
    }

    /// Reads a length field of `width` bytes and returns a reader for that many following bytes.
    fn length_prefixed(&mut self, width: usize) -> Bytes<'a> {
        let length = self.number(width);
        Bytes(self.take(length))
    }
}

/// The TLS versions that the client offers in the first record of a connection.
fn offered_versions(record: &[u8]) -> Vec<usize> {
    let mut record = Bytes(record);
    assert_eq!(record.number(1), 22, "a handshake");
    // Skip the record version. It is an old version number that is sent only for compatibility.
    record.take(2);
    let mut handshake = record.length_prefixed(2);
    assert!(record.0.is_empty());
    assert_eq!(handshake.number(1), 1, "the client's greeting");
    let mut hello = handshake.length_prefixed(3);
    assert!(handshake.0.is_empty());
    // For compatibility, this field always contains version 1.2 (RFC 8446, 4.1.2). Only servers
    // without TLS 1.3 use it.
    assert_eq!(hello.number(2), TLS_1_2);
    hello.take(32);
    for (_field, width) in [("session", 1), ("ciphers", 2), ("compressions", 1)] {
        hello.length_prefixed(width);
    }
    let mut extensions = hello.length_prefixed(2);
    assert!(hello.0.is_empty());
    while !extensions.0.is_empty() {
        let kind = extensions.number(2);
        let mut extension = extensions.length_prefixed(2);
        if kind == SUPPORTED_VERSIONS {
            let mut list = extension.length_prefixed(1);
            return (0..list.0.len() / 2).map(|_| list.number(2)).collect();
        }
    }
    panic!("without a list, every older version is offered too");
}

/// The handshake reply of a server whose newest TLS version is 1.1.
fn server_hello_of_tls_1_1() -> Vec<u8> {
    let mut hello = vec![3, 2];
    hello.extend([7; 32]);
    // An empty session id, a cipher that the client offered, and no compression.
    hello.extend([0, 0xc0, 0x2f, 0]);
    let mut record = vec![22, 3, 2, 0, 42, 2, 0, 0, 38];
    record.extend(hello);
    record
}

/// Reads one TLS record, including its header.
async fn read_record(stream: &mut TcpStream) -> Vec<u8> {
    let mut record = vec![0; 5];
    stream.read_exact(&mut record).await.unwrap();
    let length = usize::from(u16::from_be_bytes([record[3], record[4]]));
    record.resize(5 + length, 0);
    stream.read_exact(&mut record[5..]).await.unwrap();
    record
}

#[tokio::test]
async fn tls_below_1_2_is_neither_offered_nor_accepted() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("https://{}", listener.local_addr().unwrap());
    let host = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let client_hello = read_record(&mut stream).await;
        stream.write_all(&server_hello_of_tls_1_1()).await.unwrap();
        (client_hello, read_record(&mut stream).await)
    });
    let base = BaseUrl::parse(&base).unwrap();
    let failure = request_failure(&RecordingClient::new(), &base).await;
    let (client_hello, alert) = host.await.unwrap();
    assert_eq!(offered_versions(&client_hello), [TLS_1_3, TLS_1_2]);
    assert_eq!(failure, Failure::NotSent(NotSent::Tls));
    // The client aborts with the fatal alert "protocol version" (RFC 8446, 6.2).
    assert_eq!((alert[0], &alert[5..]), (21, [2, 70].as_slice()));

    // Check the function `offered_versions` itself: it must find TLS 1.1 in a changed record.
    let versions = [0, 0x2b, 0, 5, 4, 3, 4, 3, 3];
    let start = client_hello
        .windows(9)
        .position(|bytes| bytes == versions)
        .unwrap();
    let mut changed = client_hello;
    changed[start + 8] = 2;
    assert_eq!(offered_versions(&changed), [TLS_1_3, TLS_1_1]);
}

/// Checks that the client sets a minimum TLS version. A handshake cannot show this, because the
/// current TLS library never offers a version before 1.2. Another library might.
#[test]
fn minimum_tls_version_is_set_explicitly() {
    let minimum = format!("tls_version_min: {:?}", reqwest::tls::Version::TLS_1_2);
    let builder = format!("{:?}", client_builder(&Limits::default(), None));
    assert!(builder.contains(&minimum), "{builder}");
}
