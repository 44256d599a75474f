//! A list of every fault at every position, with the class that the app must give to each attempt.

use super::certificates::CertificateKind;
use super::fault::{
    AttemptClass, Body, BodyFraming, ClientDeadlines, Ending, Expected, Fault, Handshake,
    ReplyEdit, ServerOutput,
};
use super::reply::build_reply;
use crate::bank::Fate;
use crate::chance::Random;

/// The lengths of the messages that faults cut off, and the port to which redirects lead.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    pub request: usize,
    /// The number of bytes in the bank's reply to a withdrawal.
    pub reply: usize,
    /// The number of bytes in a gateway's reply.
    pub gateway: usize,
    /// The port number of a server that the client must never contact.
    pub forbidden_port: u16,
}

/// The web page of a captive portal, as on a hotel's Wi-Fi.
const PORTAL_PAGE: &str = "<html><body>Bem-vindo ao Wi-Fi</body></html>";

/// A response body that reports a completed payment.
const SUCCESS_BODY: &str = r#"{"id":"w-9","status":"done"}"#;

/// Returns the behavior of a server without any fault.
pub fn no_fault() -> Fault {
    Fault {
        name: "nothing".into(),
        handshake: Handshake::Open,
        read_limit: None,
        bank_action: Some(Fate::Pays),
        output: whole_reply(),
        ending: Ending::Closed,
        deadlines: ClientDeadlines::Ample,
        expected: Expected::Bank,
    }
}

fn whole_reply() -> ServerOutput {
    with_framing(BodyFraming::ByLength)
}

fn with_framing(framing: BodyFraming) -> ServerOutput {
    ServerOutput::Bank {
        framing,
        body: Body::True,
        cut: None,
    }
}

fn fault_named(name: impl Into<String>) -> Fault {
    Fault {
        name: name.into(),
        ..no_fault()
    }
}

/// Creates a fault in which a gateway replies, and the request never reaches the bank.
fn gateway_fault(name: impl Into<String>, output: ServerOutput, expected: Expected) -> Fault {
    Fault {
        bank_action: None,
        output,
        expected,
        ..fault_named(name)
    }
}

const UNCLEAR: Expected = Expected::This(AttemptClass::Unclear);

/// Returns all faults that are possible only over TLS.
pub fn tls_faults() -> Vec<Fault> {
    let mut faults = handshake_faults();
    faults.extend(framing_faults(true));
    faults
}

/// Returns all faults that are possible on a connection, with TLS if `tls` is true.
pub fn all_faults(sizes: Sizes, tls: bool) -> Vec<Fault> {
    let mut faults = vec![
        no_fault(),
        Fault {
            handshake: Handshake::Refused,
            ..not_sent_fault("refused")
        },
    ];
    faults.extend(request_cuts(sizes));
    faults.extend(reply_cuts(sizes));
    faults.extend(if tls {
        tls_faults()
    } else {
        framing_faults(false)
    });
    faults.extend(silent_servers());
    faults.extend(status_replies());
    faults.extend(redirect_replies(sizes));
    faults.extend(unproven_successes());
    faults.extend(contradictory_replies());
    faults.extend(interim_replies(sizes));
    faults.extend(invalid_replies());
    faults
}

fn not_sent_fault(name: impl Into<String>) -> Fault {
    let expected = Expected::This(AttemptClass::NotSent);
    Fault {
        bank_action: None,
        output: ServerOutput::Nothing,
        expected,
        ..fault_named(name)
    }
}

/// Returns faults that end the connection after each byte of the request, and faults that end it
/// after the whole request without a reply.
fn request_cuts(sizes: Sizes) -> Vec<Fault> {
    let fault_at = |position: usize, ending| Fault {
        read_limit: Some(position),
        bank_action: None,
        output: ServerOutput::Nothing,
        ending,
        expected: UNCLEAR,
        ..fault_named(format!("{ending:?} at byte {position} of the request"))
    };
    let endings = [Ending::Reset, Ending::HalfClosed];
    let mut faults: Vec<_> = (0..=sizes.request)
        .flat_map(|byte| endings.map(|ending| fault_at(byte, ending)))
        .collect();
    for ending in [
        Ending::Reset,
        Ending::HalfClosed,
        Ending::Closed,
        Ending::Dropped,
    ] {
        for bank_action in [
            None,
            Some(Fate::Pays),
            Some(Fate::PaysAndFails),
            Some(Fate::Fails),
        ] {
            let name = format!("{ending:?} without an answer, {bank_action:?}");
            faults.push(Fault {
                bank_action,
                output: ServerOutput::Nothing,
                ending,
                expected: UNCLEAR,
                ..fault_named(name)
            });
        }
    }
    faults
}

/// Returns faults that end the connection after each byte of a reply. The reply comes from the bank
/// or a gateway.
fn reply_cuts(sizes: Sizes) -> Vec<Fault> {
    let fault_at = |position: usize, length: usize, bank_action: Option<Fate>, ending| {
        let expected = match (bank_action, ending) {
            (None, _) => UNCLEAR,
            (Some(_), Ending::Reset) if position == length => Expected::SpoiledOrBank,
            (Some(_), _) if position == length => Expected::Bank,
            (Some(_), _) => Expected::Cut(None),
        };
        let output = ServerOutput::Bank {
            framing: BodyFraming::ByLength,
            body: Body::True,
            cut: Some(position),
        };
        let name = format!("{ending:?} at byte {position} of the reply, {bank_action:?}");
        Fault {
            bank_action,
            output,
            ending,
            expected,
            ..fault_named(name)
        }
    };
    let mut faults = Vec::new();
    for ending in [Ending::Reset, Ending::Closed] {
        let before = 0..=sizes.gateway;
        let after = 0..=sizes.reply;
        faults.extend(before.map(|byte| fault_at(byte, sizes.gateway, None, ending)));
        faults.extend(after.map(|byte| fault_at(byte, sizes.reply, Some(Fate::Pays), ending)));
    }
    // Use only every twelfth byte, because each of these faults lasts until a deadline.
    for byte in (0..sizes.reply).step_by(12) {
        let silent_fault = fault_at(byte, sizes.reply, Some(Fate::Pays), Ending::Never);
        faults.push(Fault {
            deadlines: ClientDeadlines::ShortInAll,
            ..silent_fault
        });
    }
    faults
}

/// Returns faults for every correct and incorrect way to mark the end of a reply's body.
fn framing_faults(tls: bool) -> Vec<Fault> {
    let output = |name: &str, framing, expected| Fault {
        output: with_framing(framing),
        expected,
        ..fault_named(name)
    };
    let until_close = output("a body to the end", BodyFraming::ByTheEnd, Expected::Bank);
    // Over TLS, an attacker may have cut a connection that ends without a close message.
    let expected = if tls { UNCLEAR } else { Expected::Bank };
    let dropped = Fault {
        ending: Ending::Dropped,
        expected,
        ..until_close.clone()
    };
    let too_long = output(
        "a length 7 too long",
        BodyFraming::TooLong(7),
        Expected::Cut(None),
    );
    let silent_after = Fault {
        ending: Ending::Never,
        deadlines: ClientDeadlines::ShortInAll,
        ..too_long.clone()
    };
    let mut faults = vec![
        output("a body in chunks", BodyFraming::InChunks, Expected::Bank),
        Fault {
            name: "a body to a dropped end".into(),
            ..dropped
        },
        Fault {
            name: "a length 7 too long, and silence".into(),
            ..silent_after
        },
        output(
            "a length 1 too short",
            BodyFraming::TooShort(1),
            Expected::Spoiled,
        ),
        output(
            "a length 9 too short",
            BodyFraming::TooShort(9),
            Expected::Spoiled,
        ),
        until_close,
        too_long,
    ];
    for cut in [20, 60, 86, 88, 89, 100, 120, 140, 160] {
        for framing in [BodyFraming::InChunks, BodyFraming::ByTheEnd] {
            let output = ServerOutput::Bank {
                framing,
                body: Body::True,
                cut: Some(cut),
            };
            // Here the end of the connection marks the end of the body, so a body that was cut
            // looks complete.
            let expected = match framing {
                BodyFraming::ByTheEnd => Expected::CutUnseen,
                _ => Expected::Cut(None),
            };
            let name = format!("{framing:?}, cut at {cut}");
            faults.push(Fault {
                output,
                expected,
                ..fault_named(name)
            });
        }
    }
    for body in [Body::OtherAmount, Body::OtherDestination, Body::Masked] {
        let output = ServerOutput::Bank {
            framing: BodyFraming::ByLength,
            body,
            cut: None,
        };
        let expected = if body == Body::Masked {
            Expected::Bank
        } else {
            Expected::Contradicted
        };
        faults.push(Fault {
            output,
            expected,
            ..fault_named(format!("{body:?} in the answer"))
        });
    }
    faults
}

/// Returns faults in which the reply is missing or very slow.
fn silent_servers() -> Vec<Fault> {
    let silent_server = |name: &str, read_limit, bank_action| Fault {
        read_limit,
        bank_action,
        output: ServerOutput::Nothing,
        ending: Ending::Never,
        deadlines: ClientDeadlines::ShortInAll,
        expected: UNCLEAR,
        ..fault_named(name)
    };
    let slow_reply = |name: &str, output, deadlines, expected| Fault {
        output,
        deadlines,
        expected,
        ..fault_named(name)
    };
    vec![
        silent_server("a black hole", Some(0), None),
        silent_server("a black hole behind the request", None, None),
        silent_server("a black hole behind the bank", None, Some(Fate::Pays)),
        slow_reply(
            "a byte at a time, too slowly",
            ServerOutput::BankSlowly(50),
            ClientDeadlines::ShortInAll,
            UNCLEAR,
        ),
        slow_reply(
            "a byte at a time",
            ServerOutput::BankSlowly(1),
            ClientDeadlines::Ample,
            Expected::Bank,
        ),
    ]
}

/// Returns replies with every HTTP status that the app classifies, and with some others. Some
/// replies are sent after the bank has paid.
fn status_replies() -> Vec<Fault> {
    let status_fault = |status: u16, bank_action: Option<Fate>, body: &str| {
        let output = ServerOutput::This(build_reply(status, "Retry-After: 3\r\n", body));
        let name = format!("{status} with {body:?}, {bank_action:?}");
        Fault {
            bank_action,
            output,
            expected: Expected::Status(status),
            ..fault_named(name)
        }
    };
    let unclear = [
        204, 205, 206, 207, 208, 226, 299, 407, 408, 409, 412, 418, 421, 423, 426, 428,
    ];
    let server_errors = [
        431, 444, 499, 500, 501, 502, 503, 504, 507, 508, 511, 520, 524, 599, 600, 999,
    ];
    let refusals = [400, 402, 404, 405, 406, 410, 411, 413, 414, 415, 422, 451];
    let access_errors = [401, 403, 425, 429];
    let mut faults = Vec::new();
    for status in unclear.into_iter().chain(server_errors) {
        // Replies with status 204 or 205 have no body.
        let body = if matches!(status, 204 | 205) {
            ""
        } else {
            SUCCESS_BODY
        };
        faults.push(status_fault(status, None, body));
        faults.push(status_fault(status, Some(Fate::Pays), body));
    }
    // Test these statuses only without a payment. A correct server never sends them after it has
    // paid.
    for status in refusals.into_iter().chain(access_errors) {
        faults.push(status_fault(status, None, "{}"));
        faults.push(status_fault(status, None, PORTAL_PAGE));
    }
    for fate in [
        Fate::PaysAndFails,
        Fate::Fails,
        Fate::Refuses(402),
        Fate::Refuses(422),
    ] {
        faults.push(Fault {
            bank_action: Some(fate),
            ..fault_named(format!("the bank: {fate:?}"))
        });
    }
    faults
}

/// Returns redirects in every form.
fn redirect_replies(sizes: Sizes) -> Vec<Fault> {
    let port = sizes.forbidden_port;
    let headers = [
        format!("Location: http://127.0.0.1:{port}/x\r\n"),
        format!("Location: https://127.0.0.1:{port}/x\r\n"),
        format!("Location: //127.0.0.1:{port}/x\r\n"),
        format!("Location: http://ana:x@localhost:{port}/x\r\nSet-Cookie: a=b\r\n"),
        format!("Refresh: 0; url=http://127.0.0.1:{port}/\r\nAlt-Svc: h2=\":{port}\"\r\n"),
    ];
    let mut faults = Vec::new();
    for status in 300..=308 {
        for header in &headers {
            for bank_action in [None, Some(Fate::Pays)] {
                let output = ServerOutput::This(build_reply(status, header, ""));
                let name = format!("{status}, {}, {bank_action:?}", header.trim());
                let expected = Expected::This(AttemptClass::Redirected);
                faults.push(Fault {
                    bank_action,
                    output,
                    expected,
                    ..fault_named(name)
                });
            }
        }
        let mut cut = build_reply(status, &headers[0], SUCCESS_BODY);
        cut.pop();
        let expected = Expected::Cut(Some(status));
        faults.push(gateway_fault(
            format!("{status}, cut"),
            ServerOutput::This(cut),
            expected,
        ));
    }
    let refresh = ServerOutput::This(build_reply(200, &headers[4], PORTAL_PAGE));
    faults.push(gateway_fault("a page that refreshes", refresh, UNCLEAR));
    faults
}

/// Returns success replies with a body that does not prove a payment, such as a captive portal's
/// page.
fn unproven_successes() -> Vec<Fault> {
    let nested = format!("{}1{}", "{\"a\":".repeat(40_000), "}".repeat(40_000));
    let json = "Content-Type: application/json\r\n";
    let bodies = [
        (
            "a captive portal",
            "Content-Type: text/html\r\n",
            PORTAL_PAGE,
        ),
        ("a portal that says JSON", json, PORTAL_PAGE),
        ("no body", json, ""),
        ("white space", json, " \r\n\t"),
        ("an array", json, "[]"),
        ("a text", json, "\"done\""),
        ("null", json, "null"),
        ("half an object", json, r#"{"id":"w-1","amo"#),
        ("an object and more", json, r#"{"id":"w-1"}{}"#),
        ("objects in objects", json, &nested),
        (
            "gzip that was not asked for",
            "Content-Encoding: gzip\r\n",
            "\u{1f}\u{8b}\u{8}\0\0\0",
        ),
        ("an empty object", json, "{}"),
        (
            "an object without a sign",
            json,
            r#"{"message":"ok","success":true}"#,
        ),
        (
            "a lie about gzip",
            "Content-Encoding: gzip\r\n",
            SUCCESS_BODY,
        ),
        (
            "a lie about brotli",
            "Content-Encoding: br\r\nContent-Type: text/plain\r\n",
            SUCCESS_BODY,
        ),
    ];
    let mut faults = Vec::new();
    for (name, headers, body) in bodies {
        for status in [200, 201, 202] {
            for bank_action in [None, Some(Fate::Pays)] {
                let output = ServerOutput::This(build_reply(status, headers, body));
                let name = format!("{status}, {name}, {bank_action:?}");
                faults.push(Fault {
                    bank_action,
                    output,
                    expected: UNCLEAR,
                    ..fault_named(name)
                });
            }
        }
    }
    faults
}

/// Returns contradictory replies: the status reports success, but the body reports a failure. In
/// some cases, the bank has paid.
fn contradictory_replies() -> Vec<Fault> {
    let bodies = [
        r#"{"status":"failed"}"#,
        r#"{"id":"w-1","data":{"status":"RECUSADO"}}"#,
        r#"{"success":false}"#,
        r#"{"error":"insufficient_balance"}"#,
        r#"{"statusCode":400}"#,
    ];
    let mut faults = Vec::new();
    for (body, bank_action) in bodies
        .iter()
        .flat_map(|body| [(body, None), (body, Some(Fate::Pays))])
    {
        let output =
            ServerOutput::This(build_reply(202, "Content-Type: application/json\r\n", body));
        let expected = Expected::This(AttemptClass::SaysFailed);
        faults.push(Fault {
            bank_action,
            output,
            expected,
            ..fault_named(format!("202 with {body}, {bank_action:?}"))
        });
    }
    faults
}

/// Returns replies with interim (1xx) responses before the final one, or with extra bytes after it.
fn interim_replies(sizes: Sizes) -> Vec<Fault> {
    let early_hints = format!(
        "HTTP/1.1 103 Early\r\nLink: <http://127.0.0.1:{}/>\r\n\r\n",
        sizes.forbidden_port
    );
    let continue_reply = "HTTP/1.1 100 Continue\r\n\r\n";
    let after_interim =
        |text: &str, times| ServerOutput::BankAfter(text.repeat(times).into_bytes());
    let followed_by = |text: &[u8]| ServerOutput::BankBefore(text.to_vec());
    let bank_fault = |name: &str, output| Fault {
        output,
        ..fault_named(name)
    };
    let endless_interim = |is_endless: bool, bank_action: Option<Fate>| Fault {
        bank_action,
        output: ServerOutput::Flood {
            first: Vec::new(),
            piece: continue_reply.repeat(2_000).into_bytes(),
            is_endless,
        },
        deadlines: ClientDeadlines::ShortInAll,
        ending: Ending::Never,
        expected: UNCLEAR,
        ..fault_named(format!("1xx for ever: {is_endless}, {bank_action:?}"))
    };
    let switch_reply = ServerOutput::This(
        b"HTTP/1.1 101 So\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n".into(),
    );
    let switch_fault = Fault {
        output: switch_reply,
        expected: UNCLEAR,
        ..fault_named("101")
    };
    vec![
        bank_fault(
            "one 100 before the answer",
            after_interim(continue_reply, 1),
        ),
        bank_fault(
            "2,000 times 100 before the answer",
            after_interim(continue_reply, 2_000),
        ),
        bank_fault(
            "200 times 103 before the answer",
            after_interim(&early_hints, 200),
        ),
        endless_interim(true, None),
        endless_interim(true, Some(Fate::Pays)),
        Fault {
            bank_action: None,
            ..switch_fault.clone()
        },
        switch_fault,
        bank_fault(
            "the answer twice",
            followed_by(&build_reply(201, "", SUCCESS_BODY)),
        ),
        bank_fault(
            "the answer and then a no",
            followed_by(&build_reply(400, "", "{}")),
        ),
        bank_fault(
            "the answer and then a redirect",
            followed_by(&build_reply(307, "Location: /x\r\n", "")),
        ),
        bank_fault(
            "the answer and then nonsense",
            followed_by(b"\0\0\0 what is this?"),
        ),
    ]
}

/// Returns replies that are not valid HTTP, and unusual replies that some parsers accept.
fn invalid_replies() -> Vec<Fault> {
    let invalid = [
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
    let mut faults = Vec::new();
    for text in invalid {
        for bank_action in [None, Some(Fate::Pays)] {
            let output = ServerOutput::This(text.as_bytes().to_vec());
            let name = format!("{text:?}, {bank_action:?}");
            faults.push(Fault {
                bank_action,
                output,
                expected: UNCLEAR,
                ..fault_named(name)
            });
        }
    }
    let edits: [(&str, ReplyEdit); 6] = [
        ("an empty line first", |text| format!("\r\n{text}")),
        ("lines without a return", |text| text.replace('\r', "")),
        ("a folded line", |text| {
            text.replace("Date: ", "Date: \r\n ")
        }),
        ("no reason", |text| text.replacen(" So", "", 1)),
        ("HTTP/1.0", |text| text.replacen("HTTP/1.1", "HTTP/1.0", 1)),
        ("the length twice", |text| {
            let line = text.lines().find(|line| line.starts_with("Content-Length"));
            text.replacen("\r\n", &format!("\r\n{}\r\n", line.unwrap_or_default()), 1)
        }),
    ];
    for (name, edit) in edits {
        let expected = Expected::SpoiledOrBank;
        faults.push(Fault {
            output: ServerOutput::BankAs(edit),
            expected,
            ..fault_named(name)
        });
    }
    faults
}

/// Returns faults in which the TLS handshake fails. The client must then not send any byte of its
/// request.
fn handshake_faults() -> Vec<Fault> {
    let mut faults: Vec<_> = CertificateKind::ALL
        .into_iter()
        .filter(|kind| !matches!(kind, CertificateKind::Good | CertificateKind::NoResumption))
        .map(|kind| Fault {
            handshake: Handshake::Bad(kind),
            ..not_sent_fault(format!("{kind:?}"))
        })
        .collect();
    for ending in [Ending::Reset, Ending::Dropped, Ending::HalfClosed] {
        for position in (0..=200).step_by(8) {
            let name = format!("{ending:?} at byte {position} of the client's greeting");
            faults.push(Fault {
                handshake: Handshake::Unheard(position),
                ending,
                ..not_sent_fault(name)
            });
        }
    }
    for position in (0..=400).step_by(8) {
        let name = format!("reset at byte {position} of the host's greeting");
        faults.push(Fault {
            handshake: Handshake::Unfinished(position),
            ..not_sent_fault(name)
        });
    }
    for text in [
        "HTTP/1.1 400 Bad\r\n\r\n",
        "SSH-2.0-x\r\n",
        "\u{15}\u{3}\u{1}\0\u{2}\u{2}\u{28}",
    ] {
        let output = ServerOutput::This(text.as_bytes().to_vec());
        faults.push(Fault {
            handshake: Handshake::Nonsense,
            output,
            ..not_sent_fault(format!("{text:?} for a greeting"))
        });
    }
    let silent_server = Fault {
        handshake: Handshake::Unheard(0),
        ending: Ending::Never,
        ..not_sent_fault("no greeting")
    };
    faults.push(Fault {
        deadlines: ClientDeadlines::ShortToConnect,
        ..silent_server
    });
    faults
}

/// Returns a random fault: random bytes, a reply that stops in the middle, or an element of
/// `faults`.
pub fn random_fault(faults: &[Fault], sizes: Sizes, random: &mut Random) -> Fault {
    match random.below(100) {
        0..25 => random_bytes(random),
        25..40 => {
            let position = random.below(sizes.reply as u64) as usize;
            let output = ServerOutput::Bank {
                framing: BodyFraming::ByLength,
                body: Body::True,
                cut: Some(position),
            };
            Fault {
                output,
                ending: Ending::Never,
                deadlines: ClientDeadlines::ShortInAll,
                expected: Expected::Cut(None),
                ..fault_named(format!("silence at byte {position} of the reply"))
            }
        }
        _ => faults[random.below(faults.len() as u64) as usize].clone(),
    }
}

/// Returns a fault in which the server sends random bytes, sometimes after a valid reply header.
fn random_bytes(random: &mut Random) -> Fault {
    let length = random.below(3_000);
    let mut bytes: Vec<u8> = (0..length).map(|_| random.next() as u8).collect();
    let ending = random.one_of(&[Ending::Closed, Ending::Reset, Ending::Dropped]);
    if random.percent_chance(30) {
        let mut header = build_reply(201, "", "");
        header.truncate(header.len() - "Content-Length: 0\r\n\r\n".len());
        header.extend_from_slice(b"\r\n");
        header.append(&mut bytes);
        bytes = header;
    }
    let bank_action = random.one_of(&[None, Some(Fate::Pays), Some(Fate::Fails)]);
    let name = format!("{length} bytes by chance, {ending:?}, {bank_action:?}");
    Fault {
        bank_action,
        output: ServerOutput::This(bytes),
        ending,
        expected: UNCLEAR,
        ..fault_named(name)
    }
}

/// Returns huge replies of 100 MiB, as bodies, headers or interim responses. If `slow` is true,
/// some of the replies take several seconds.
pub fn huge_replies(slow: bool) -> Vec<Fault> {
    let flood = |name: &str, first: &str, piece: &str| Fault {
        output: ServerOutput::Flood {
            first: first.into(),
            piece: piece.into(),
            is_endless: false,
        },
        expected: UNCLEAR,
        ..fault_named(name)
    };
    let blank = " ".repeat(1 << 16);
    let chunk = format!("10000\r\n{blank}\r\n");
    let chunked = "HTTP/1.1 201 So\r\nTransfer-Encoding: chunked\r\n\r\n";
    let header = format!("X-{}: {}\r\n", "a".repeat(100), "b".repeat(1_000));
    let interim = "HTTP/1.1 100 Continue\r\n\r\n".repeat(2_000);
    let announced = "HTTP/1.1 201 So\r\nContent-Length: 104857600\r\n\r\n";
    let mut faults = vec![
        flood("100 MiB, announced", announced, &blank),
        flood("100 MiB to the end", "HTTP/1.1 201 So\r\n\r\n", &blank),
        flood("100 MiB in chunks", chunked, &chunk),
        flood("100 MiB of an error", "HTTP/1.1 500 So\r\n\r\n", &blank),
        flood(
            "100 MiB beside a chunk's length",
            &format!("{chunked}1;"),
            &"a".repeat(1 << 16),
        ),
        flood(
            "100 MiB behind the last chunk",
            &format!("{chunked}2\r\n{{}}\r\n0\r\n"),
            &header,
        ),
        flood(
            "100 MiB of one header",
            "HTTP/1.1 201 So\r\nX: ",
            &"a".repeat(1 << 16),
        ),
        flood("100 MiB of headers", "HTTP/1.1 201 So\r\n", &header),
        flood("100 MiB of a reason", "HTTP/1.1 201 ", &"a".repeat(1 << 16)),
        flood("100 MiB of empty lines", "", &"\r\n".repeat(1 << 15)),
    ];
    if slow {
        faults.push(flood(
            "100 MiB in tiny chunks",
            chunked,
            &"1\r\n \r\n".repeat(9_000),
        ));
        faults.push(flood("100 MiB of 1xx", "", &interim));
    }
    let redirect = flood("100 MiB of a redirect", "HTTP/1.1 307 So\r\n\r\n", &blank);
    faults.push(Fault {
        expected: Expected::This(AttemptClass::Redirected),
        ..redirect
    });
    faults
}

/// Returns faults that last until one of the client's real deadlines, which are 30 seconds for the
/// whole exchange and 10 seconds for connecting.
pub fn real_deadline_faults() -> Vec<Fault> {
    let silent = |name: &str, output| Fault {
        output,
        ending: Ending::Never,
        expected: UNCLEAR,
        ..fault_named(name)
    };
    let handshake = Handshake::Unheard(0);
    vec![
        silent("a black hole behind the bank, 30 s", ServerOutput::Nothing),
        silent("a byte a second", ServerOutput::BankSlowly(1_000)),
        Fault {
            handshake,
            ending: Ending::Never,
            ..not_sent_fault("no greeting, 10 s")
        },
    ]
}
