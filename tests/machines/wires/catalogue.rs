//! A list of every fault at every position, with the class that the app must give to each attempt.

use super::certificates::CertificateKind;
use super::fault::{
    AttemptClass, Body, BodyFraming, ClientDeadlines, Ends, Expected, Fault, Handshake,
    ServerOutput, Way,
};
use super::reply::reply;
use crate::bank::Fate;
use crate::chance::Random;

/// The lengths of the messages that faults cut off, and the port number of the server to which
/// redirects lead.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    pub request: usize,
    /// The number of bytes in the bank's reply to a withdrawal.
    pub reply: usize,
    /// The number of bytes in a gateway's reply.
    pub gateway: usize,
    /// The port number of a server that the client must never contact.
    pub elsewhere: u16,
}

/// The web page of a captive portal, as on a hotel's Wi-Fi.
const PORTAL: &str = "<html><body>Bem-vindo ao Wi-Fi</body></html>";

/// A response body that reports a completed payment.
const YES: &str = r#"{"id":"w-9","status":"done"}"#;

/// Returns a fault object for an attempt without any fault.
pub fn none() -> Fault {
    Fault {
        name: "nothing".into(),
        door: Handshake::Open,
        reads: None,
        acts: Some(Fate::Pays),
        says: whole(),
        ends: Ends::Closed,
        patience: ClientDeadlines::Ample,
        expected: Expected::Bank,
    }
}

fn whole() -> ServerOutput {
    framed(BodyFraming::ByLength)
}

fn framed(framed: BodyFraming) -> ServerOutput {
    ServerOutput::Bank { framed, body: Body::True, cut: None }
}

fn named(name: impl Into<String>) -> Fault {
    Fault { name: name.into(), ..none() }
}

/// Creates a fault in which a gateway replies, and the request never reaches the bank.
fn in_front(name: impl Into<String>, says: ServerOutput, expected: Expected) -> Fault {
    Fault { acts: None, says, expected, ..named(name) }
}

const UNCLEAR: Expected = Expected::This(AttemptClass::Unclear);

/// Returns all faults that are possible only over TLS.
pub fn of_tls() -> Vec<Fault> {
    let mut all = greetings();
    all.extend(framings(true));
    all
}

/// Returns all faults that can happen to a connection, with TLS if `tls` is true.
pub fn all(sizes: Sizes, tls: bool) -> Vec<Fault> {
    let mut all = vec![none(), Fault { door: Handshake::Refused, ..not_sent("refused") }];
    all.extend(requests(sizes));
    all.extend(replies(sizes));
    all.extend(if tls { of_tls() } else { framings(false) });
    all.extend(silences());
    all.extend(statuses());
    all.extend(redirects(sizes));
    all.extend(pages());
    all.extend(against_itself());
    all.extend(interim(sizes));
    all.extend(garbage());
    all
}

fn not_sent(name: impl Into<String>) -> Fault {
    let expected = Expected::This(AttemptClass::NotSent);
    Fault { acts: None, says: ServerOutput::Nothing, expected, ..named(name) }
}

/// Returns faults that end the connection after each byte of the request, and faults that end it
/// after the whole request without a reply.
fn requests(sizes: Sizes) -> Vec<Fault> {
    let at = |at: usize, ends| Fault {
        reads: Some(at),
        acts: None,
        says: ServerOutput::Nothing,
        ends,
        expected: UNCLEAR,
        ..named(format!("{ends:?} at byte {at} of the request"))
    };
    let ends = [Ends::Reset, Ends::HalfClosed];
    let mut all: Vec<_> =
        (0..=sizes.request).flat_map(|byte| ends.map(|ends| at(byte, ends))).collect();
    for ends in [Ends::Reset, Ends::HalfClosed, Ends::Closed, Ends::Dropped] {
        for acts in [None, Some(Fate::Pays), Some(Fate::PaysAndFails), Some(Fate::Fails)] {
            let name = format!("{ends:?} without an answer, {acts:?}");
            all.push(Fault {
                acts,
                says: ServerOutput::Nothing,
                ends,
                expected: UNCLEAR,
                ..named(name)
            });
        }
    }
    all
}

/// Returns faults that end the connection after each byte of a reply. The reply comes from the bank
/// or a gateway.
fn replies(sizes: Sizes) -> Vec<Fault> {
    let at = |at: usize, most: usize, acts: Option<Fate>, ends| {
        let expected = match (acts, ends) {
            (None, _) => UNCLEAR,
            (Some(_), Ends::Reset) if at == most => Expected::SpoiledOrBank,
            (Some(_), _) if at == most => Expected::Bank,
            (Some(_), _) => Expected::Cut(None),
        };
        let says =
            ServerOutput::Bank { framed: BodyFraming::ByLength, body: Body::True, cut: Some(at) };
        let name = format!("{ends:?} at byte {at} of the reply, {acts:?}");
        Fault { acts, says, ends, expected, ..named(name) }
    };
    let mut all = Vec::new();
    for ends in [Ends::Reset, Ends::Closed] {
        let (before, after) = (0..=sizes.gateway, 0..=sizes.reply);
        all.extend(before.map(|byte| at(byte, sizes.gateway, None, ends)));
        all.extend(after.map(|byte| at(byte, sizes.reply, Some(Fate::Pays), ends)));
    }
    // Use only every twelfth byte, because each of these faults lasts until a deadline.
    for byte in (0..sizes.reply).step_by(12) {
        let silent = at(byte, sizes.reply, Some(Fate::Pays), Ends::Never);
        all.push(Fault { patience: ClientDeadlines::ShortInAll, ..silent });
    }
    all
}

/// Returns faults for every correct and incorrect way to mark the end of a reply's body.
fn framings(tls: bool) -> Vec<Fault> {
    let says =
        |name: &str, framing, expected| Fault { says: framed(framing), expected, ..named(name) };
    let by_the_end = says("a body to the end", BodyFraming::ByTheEnd, Expected::Bank);
    // Over TLS, an attacker may have cut a connection that ends without a close message.
    let expected = if tls { UNCLEAR } else { Expected::Bank };
    let dropped = Fault { ends: Ends::Dropped, expected, ..by_the_end.clone() };
    let too_long = says("a length 7 too long", BodyFraming::TooLong(7), Expected::Cut(None));
    let waits =
        Fault { ends: Ends::Never, patience: ClientDeadlines::ShortInAll, ..too_long.clone() };
    let mut all = vec![
        says("a body in chunks", BodyFraming::InChunks, Expected::Bank),
        Fault { name: "a body to a dropped end".into(), ..dropped },
        Fault { name: "a length 7 too long, and silence".into(), ..waits },
        says("a length 1 too short", BodyFraming::TooShort(1), Expected::Spoiled),
        says("a length 9 too short", BodyFraming::TooShort(9), Expected::Spoiled),
        by_the_end,
        too_long,
    ];
    for cut in [20, 60, 86, 88, 89, 100, 120, 140, 160] {
        for framed in [BodyFraming::InChunks, BodyFraming::ByTheEnd] {
            let says = ServerOutput::Bank { framed, body: Body::True, cut: Some(cut) };
            // Here the end of the connection marks the end of the body, so a body that was cut
            // looks complete.
            let expected = match framed {
                BodyFraming::ByTheEnd => Expected::CutUnseen,
                _ => Expected::Cut(None),
            };
            let name = format!("{framed:?}, cut at {cut}");
            all.push(Fault { says, expected, ..named(name) });
        }
    }
    for body in [Body::OtherAmount, Body::OtherDestination, Body::Masked] {
        let says = ServerOutput::Bank { framed: BodyFraming::ByLength, body, cut: None };
        let expected = if body == Body::Masked { Expected::Bank } else { Expected::Contradicted };
        all.push(Fault { says, expected, ..named(format!("{body:?} in the answer")) });
    }
    all
}

/// Returns faults in which the reply is missing or very slow.
fn silences() -> Vec<Fault> {
    let hole = |name: &str, reads, acts| Fault {
        reads,
        acts,
        says: ServerOutput::Nothing,
        ends: Ends::Never,
        patience: ClientDeadlines::ShortInAll,
        expected: UNCLEAR,
        ..named(name)
    };
    let slow =
        |name: &str, says, patience, expected| Fault { says, patience, expected, ..named(name) };
    vec![
        hole("a black hole", Some(0), None),
        hole("a black hole behind the request", None, None),
        hole("a black hole behind the bank", None, Some(Fate::Pays)),
        slow(
            "a byte at a time, too slowly",
            ServerOutput::BankSlowly(50),
            ClientDeadlines::ShortInAll,
            UNCLEAR,
        ),
        slow(
            "a byte at a time",
            ServerOutput::BankSlowly(1),
            ClientDeadlines::Ample,
            Expected::Bank,
        ),
    ]
}

/// Returns replies with every HTTP status that the app classifies, and with some others. Some
/// replies are sent after the bank has paid.
fn statuses() -> Vec<Fault> {
    let said = |status: u16, acts: Option<Fate>, body: &str| {
        let says = ServerOutput::This(reply(status, "Retry-After: 3\r\n", body));
        let name = format!("{status} with {body:?}, {acts:?}");
        Fault { acts, says, expected: Expected::Status(status), ..named(name) }
    };
    let unclear = [204, 205, 206, 207, 208, 226, 299, 407, 408, 409, 412, 418, 421, 423, 426, 428];
    let broken = [431, 444, 499, 500, 501, 502, 503, 504, 507, 508, 511, 520, 524, 599, 600, 999];
    let no = [400, 402, 404, 405, 406, 410, 411, 413, 414, 415, 422, 451];
    let entry = [401, 403, 425, 429];
    let mut all = Vec::new();
    for status in unclear.into_iter().chain(broken) {
        // Replies with status 204 or 205 have no body.
        let body = if matches!(status, 204 | 205) { "" } else { YES };
        all.push(said(status, None, body));
        all.push(said(status, Some(Fate::Pays), body));
    }
    // Test these statuses only without a payment. A correct server never sends them after it has
    // paid.
    for status in no.into_iter().chain(entry) {
        all.push(said(status, None, "{}"));
        all.push(said(status, None, PORTAL));
    }
    for fate in [Fate::PaysAndFails, Fate::Fails, Fate::Refuses(402), Fate::Refuses(422)] {
        all.push(Fault { acts: Some(fate), ..named(format!("the bank: {fate:?}")) });
    }
    all
}

/// Returns redirects in every form.
fn redirects(sizes: Sizes) -> Vec<Fault> {
    let port = sizes.elsewhere;
    let ways = [
        format!("Location: http://127.0.0.1:{port}/x\r\n"),
        format!("Location: https://127.0.0.1:{port}/x\r\n"),
        format!("Location: //127.0.0.1:{port}/x\r\n"),
        format!("Location: http://ana:x@localhost:{port}/x\r\nSet-Cookie: a=b\r\n"),
        format!("Refresh: 0; url=http://127.0.0.1:{port}/\r\nAlt-Svc: h2=\":{port}\"\r\n"),
    ];
    let mut all = Vec::new();
    for status in 300..=308 {
        for way in &ways {
            for acts in [None, Some(Fate::Pays)] {
                let says = ServerOutput::This(reply(status, way, ""));
                let name = format!("{status}, {}, {acts:?}", way.trim());
                let expected = Expected::This(AttemptClass::Redirected);
                all.push(Fault { acts, says, expected, ..named(name) });
            }
        }
        let mut cut = reply(status, &ways[0], YES);
        cut.pop();
        let expected = Expected::Cut(Some(status));
        all.push(in_front(format!("{status}, cut"), ServerOutput::This(cut), expected));
    }
    let refresh = ServerOutput::This(reply(200, &ways[4], PORTAL));
    all.push(in_front("a page that refreshes", refresh, UNCLEAR));
    all
}

/// Returns success replies with a body that does not prove a payment, such as a captive portal's
/// page.
fn pages() -> Vec<Fault> {
    let nested = format!("{}1{}", "{\"a\":".repeat(40_000), "}".repeat(40_000));
    let json = "Content-Type: application/json\r\n";
    let bodies = [
        ("a captive portal", "Content-Type: text/html\r\n", PORTAL),
        ("a portal that says JSON", json, PORTAL),
        ("no body", json, ""),
        ("white space", json, " \r\n\t"),
        ("an array", json, "[]"),
        ("a text", json, "\"done\""),
        ("null", json, "null"),
        ("half an object", json, r#"{"id":"w-1","amo"#),
        ("an object and more", json, r#"{"id":"w-1"}{}"#),
        ("objects in objects", json, &nested),
        ("gzip that was not asked for", "Content-Encoding: gzip\r\n", "\u{1f}\u{8b}\u{8}\0\0\0"),
        ("an empty object", json, "{}"),
        ("an object without a sign", json, r#"{"message":"ok","success":true}"#),
        ("a lie about gzip", "Content-Encoding: gzip\r\n", YES),
        ("a lie about brotli", "Content-Encoding: br\r\nContent-Type: text/plain\r\n", YES),
    ];
    let mut all = Vec::new();
    for (name, head, body) in bodies {
        for status in [200, 201, 202] {
            for acts in [None, Some(Fate::Pays)] {
                let says = ServerOutput::This(reply(status, head, body));
                let name = format!("{status}, {name}, {acts:?}");
                all.push(Fault { acts, says, expected: UNCLEAR, ..named(name) });
            }
        }
    }
    all
}

/// Returns contradictory replies: the status reports success, but the body reports a failure. In
/// some cases, the bank has paid.
fn against_itself() -> Vec<Fault> {
    let bodies = [
        r#"{"status":"failed"}"#,
        r#"{"id":"w-1","data":{"status":"RECUSADO"}}"#,
        r#"{"success":false}"#,
        r#"{"error":"insufficient_balance"}"#,
        r#"{"statusCode":400}"#,
    ];
    let mut all = Vec::new();
    for (body, acts) in bodies.iter().flat_map(|body| [(body, None), (body, Some(Fate::Pays))]) {
        let says = ServerOutput::This(reply(202, "Content-Type: application/json\r\n", body));
        let expected = Expected::This(AttemptClass::SaysFailed);
        all.push(Fault { acts, says, expected, ..named(format!("202 with {body}, {acts:?}")) });
    }
    all
}

/// Returns replies with interim (1xx) responses before the final one, or with extra bytes after it.
fn interim(sizes: Sizes) -> Vec<Fault> {
    let hint =
        format!("HTTP/1.1 103 Early\r\nLink: <http://127.0.0.1:{}/>\r\n\r\n", sizes.elsewhere);
    let go_on = "HTTP/1.1 100 Continue\r\n\r\n";
    let storm = |text: &str, times| ServerOutput::BankAfter(text.repeat(times).into_bytes());
    let after = |text: &[u8]| ServerOutput::BankBefore(text.to_vec());
    let bank = |name: &str, says| Fault { says, ..named(name) };
    let ever = |ever: bool, acts: Option<Fate>| Fault {
        acts,
        says: ServerOutput::Flood {
            first: Vec::new(),
            piece: go_on.repeat(2_000).into_bytes(),
            ever,
        },
        patience: ClientDeadlines::ShortInAll,
        ends: Ends::Never,
        expected: UNCLEAR,
        ..named(format!("1xx for ever: {ever}, {acts:?}"))
    };
    let switch = ServerOutput::This(
        b"HTTP/1.1 101 So\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n".into(),
    );
    let switched = Fault { says: switch, expected: UNCLEAR, ..named("101") };
    vec![
        bank("one 100 before the answer", storm(go_on, 1)),
        bank("2,000 times 100 before the answer", storm(go_on, 2_000)),
        bank("200 times 103 before the answer", storm(&hint, 200)),
        ever(true, None),
        ever(true, Some(Fate::Pays)),
        Fault { acts: None, ..switched.clone() },
        switched,
        bank("the answer twice", after(&reply(201, "", YES))),
        bank("the answer and then a no", after(&reply(400, "", "{}"))),
        bank("the answer and then a redirect", after(&reply(307, "Location: /x\r\n", ""))),
        bank("the answer and then nonsense", after(b"\0\0\0 what is this?")),
    ]
}

/// Returns replies that are not valid HTTP, and unusual replies that some parsers accept.
fn garbage() -> Vec<Fault> {
    let cannot = [
        "",
        "\n",
        "\0",
        "SSH-2.0-x\r\n\r\n",
        "220 mail\r\n",
        "HTTP/1.1",
        "HTTP/1.1 \r\n\r\n",
        "HTTP/1.1 20\r\n\r\n",
        "HTTP/1.1 099 So\r\n\r\n",
        "HTTP/1.1 2000 So\r\n\r\n",
        "HTTP/1.1 2x1 So\r\n\r\n",
        "HTTP/3.7 201 So\r\n\r\n",
        "HTTP/2.0 201 So\r\n\r\n",
        "<html>",
        "{\"id\":\"w-1\"}",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "HTTP/1.1 201 So\r\nContent-Length: -1\r\n\r\n{}",
        "HTTP/1.1 201 So\r\nContent-Length: 2x\r\n\r\n{}",
        "HTTP/1.1 201 So\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} ",
        "HTTP/1.1 201 So\r\nContent-Length: 99999999999999999999\r\n\r\n{}",
        "HTTP/1.1 201 So\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
        "HTTP/1.1 201 So\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}",
        "HTTP/1.1 201 So\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
        "HTTP/1.1 201 So\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 201 So\r\nno colon here\r\n\r\n",
        "HTTP/1.1 201 So\r\nName\0: x\r\n\r\n",
    ];
    let mut all = Vec::new();
    for text in cannot {
        for acts in [None, Some(Fate::Pays)] {
            let says = ServerOutput::This(text.as_bytes().to_vec());
            let name = format!("{text:?}, {acts:?}");
            all.push(Fault { acts, says, expected: UNCLEAR, ..named(name) });
        }
    }
    let ways: [(&str, Way); 6] = [
        ("an empty line first", |text| format!("\r\n{text}")),
        ("lines without a return", |text| text.replace('\r', "")),
        ("a folded line", |text| text.replace("Date: ", "Date: \r\n ")),
        ("no reason", |text| text.replacen(" So", "", 1)),
        ("HTTP/1.0", |text| text.replacen("HTTP/1.1", "HTTP/1.0", 1)),
        ("the length twice", |text| {
            let line = text.lines().find(|line| line.starts_with("Content-Length"));
            text.replacen("\r\n", &format!("\r\n{}\r\n", line.unwrap_or_default()), 1)
        }),
    ];
    for (name, way) in ways {
        let expected = Expected::SpoiledOrBank;
        all.push(Fault { says: ServerOutput::BankAs(way), expected, ..named(name) });
    }
    all
}

/// Returns faults in which the TLS handshake fails. The client must then not send any byte of its
/// request.
fn greetings() -> Vec<Fault> {
    let mut all: Vec<_> = CertificateKind::ALL
        .into_iter()
        .filter(|proof| !matches!(proof, CertificateKind::Good | CertificateKind::Afresh))
        .map(|proof| Fault { door: Handshake::Bad(proof), ..not_sent(format!("{proof:?}")) })
        .collect();
    for ends in [Ends::Reset, Ends::Dropped, Ends::HalfClosed] {
        for at in (0..=200).step_by(8) {
            let name = format!("{ends:?} at byte {at} of the client's greeting");
            all.push(Fault { door: Handshake::Unheard(at), ends, ..not_sent(name) });
        }
    }
    for at in (0..=400).step_by(8) {
        let name = format!("reset at byte {at} of the host's greeting");
        all.push(Fault { door: Handshake::Unfinished(at), ..not_sent(name) });
    }
    for text in ["HTTP/1.1 400 Bad\r\n\r\n", "SSH-2.0-x\r\n", "\u{15}\u{3}\u{1}\0\u{2}\u{2}\u{28}"]
    {
        let says = ServerOutput::This(text.as_bytes().to_vec());
        all.push(Fault {
            door: Handshake::Nonsense,
            says,
            ..not_sent(format!("{text:?} for a greeting"))
        });
    }
    let silent =
        Fault { door: Handshake::Unheard(0), ends: Ends::Never, ..not_sent("no greeting") };
    all.push(Fault { patience: ClientDeadlines::ShortToConnect, ..silent });
    all
}

/// Returns a random fault: random bytes, a reply that stops in the middle, or an element of `all`.
pub fn draw(all: &[Fault], sizes: Sizes, chance: &mut Random) -> Fault {
    match chance.below(100) {
        0..25 => drawn_garbage(chance),
        25..40 => {
            let at = chance.below(sizes.reply as u64) as usize;
            let says = ServerOutput::Bank {
                framed: BodyFraming::ByLength,
                body: Body::True,
                cut: Some(at),
            };
            Fault {
                says,
                ends: Ends::Never,
                patience: ClientDeadlines::ShortInAll,
                expected: Expected::Cut(None),
                ..named(format!("silence at byte {at} of the reply"))
            }
        }
        _ => all[chance.below(all.len() as u64) as usize].clone(),
    }
}

/// Returns a fault in which the server sends random bytes, sometimes after a valid reply header.
fn drawn_garbage(chance: &mut Random) -> Fault {
    let length = chance.below(3_000);
    let mut bytes: Vec<u8> = (0..length).map(|_| chance.next() as u8).collect();
    let ends = chance.one_of(&[Ends::Closed, Ends::Reset, Ends::Dropped]);
    if chance.percent(30) {
        let mut head = reply(201, "", "");
        head.truncate(head.len() - "Content-Length: 0\r\n\r\n".len());
        head.extend_from_slice(b"\r\n");
        head.append(&mut bytes);
        bytes = head;
    }
    let acts = chance.one_of(&[None, Some(Fate::Pays), Some(Fate::Fails)]);
    let name = format!("{length} bytes by chance, {ends:?}, {acts:?}");
    Fault { acts, says: ServerOutput::This(bytes), ends, expected: UNCLEAR, ..named(name) }
}

/// Returns huge replies of 100 MiB, as bodies, headers or interim responses. If `slow` is true,
/// some of the replies take several seconds.
pub fn floods(slow: bool) -> Vec<Fault> {
    let flood = |name: &str, first: &str, piece: &str| Fault {
        says: ServerOutput::Flood { first: first.into(), piece: piece.into(), ever: false },
        expected: UNCLEAR,
        ..named(name)
    };
    let blank = " ".repeat(1 << 16);
    let chunk = format!("10000\r\n{blank}\r\n");
    let chunked = "HTTP/1.1 201 So\r\nTransfer-Encoding: chunked\r\n\r\n";
    let header = format!("X-{}: {}\r\n", "a".repeat(100), "b".repeat(1_000));
    let storm = "HTTP/1.1 100 Continue\r\n\r\n".repeat(2_000);
    let announced = "HTTP/1.1 201 So\r\nContent-Length: 104857600\r\n\r\n";
    let mut all = vec![
        flood("100 MiB, announced", announced, &blank),
        flood("100 MiB to the end", "HTTP/1.1 201 So\r\n\r\n", &blank),
        flood("100 MiB in chunks", chunked, &chunk),
        flood("100 MiB of an error", "HTTP/1.1 500 So\r\n\r\n", &blank),
        flood("100 MiB beside a chunk's length", &format!("{chunked}1;"), &"a".repeat(1 << 16)),
        flood("100 MiB behind the last chunk", &format!("{chunked}2\r\n{{}}\r\n0\r\n"), &header),
        flood("100 MiB of one header", "HTTP/1.1 201 So\r\nX: ", &"a".repeat(1 << 16)),
        flood("100 MiB of headers", "HTTP/1.1 201 So\r\n", &header),
        flood("100 MiB of a reason", "HTTP/1.1 201 ", &"a".repeat(1 << 16)),
        flood("100 MiB of empty lines", "", &"\r\n".repeat(1 << 15)),
    ];
    if slow {
        all.push(flood("100 MiB in tiny chunks", chunked, &"1\r\n \r\n".repeat(9_000)));
        all.push(flood("100 MiB of 1xx", "", &storm));
    }
    let redirect = flood("100 MiB of a redirect", "HTTP/1.1 307 So\r\n\r\n", &blank);
    all.push(Fault { expected: Expected::This(AttemptClass::Redirected), ..redirect });
    all
}

/// Returns faults that last until one of the client's real deadlines, which are 30 seconds for the
/// whole exchange and 10 seconds for connecting.
pub fn real_deadlines(tls: bool) -> Vec<Fault> {
    let silent =
        |name: &str, says| Fault { says, ends: Ends::Never, expected: UNCLEAR, ..named(name) };
    let mut all = vec![
        silent("a black hole behind the bank, 30 s", ServerOutput::Nothing),
        silent("a byte a second", ServerOutput::BankSlowly(1_000)),
    ];
    if tls {
        let door = Handshake::Unheard(0);
        all.push(Fault { door, ends: Ends::Never, ..not_sent("no greeting, 10 s") });
    }
    all
}
