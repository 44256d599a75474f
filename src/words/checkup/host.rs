//! The sentences about the service: address, name, answer and clock.

use super::FindingText;
use crate::trade::Untrusted;
use crate::trade::checkup::{
    AddressFound, CertificateFault, CheckupFinding, ClockFound, HostFault, HostReply, NameFound,
    Verdict,
};
use crate::words::Words;

/// The sentences about the address.
pub fn address(words: &Words, found: &AddressFound) -> FindingText {
    let (id, origin) = match found {
        AddressFound::None => {
            return FindingText::new(words.text("doctor-address.none"))
                .next(words.text("doctor-address.none-next"));
        }
        AddressFound::ThisMachine(origin) => ("doctor-address.machine", origin),
        AddressFound::Secured(origin) => ("doctor-address.named", origin),
    };
    let origin = Untrusted::from(&*origin.0).shown_within(120);
    FindingText::new(words.with(id, &[("origin", &origin)]))
}

/// The sentences about the name of the host.
pub fn name(words: &Words, found: NameFound) -> FindingText {
    match found {
        NameFound::NotNeeded => FindingText::new(words.text("doctor-name.not-needed")),
        NameFound::ByProxy => FindingText::new(words.text("doctor-name.proxy")),
        NameFound::Found { v4: 0, v6: 0 } | NameFound::Unknown => {
            FindingText::new(words.text("doctor-name.unknown"))
                .next(words.text("doctor-name.unknown-next"))
        }
        NameFound::Found { v4, v6 } => {
            let [v4, v6] = [v4, v6].map(|count| count.to_string());
            let counts = [("four", v4.as_str()), ("six", v6.as_str())];
            FindingText::new(words.with("doctor-name.found", &counts))
        }
        NameFound::Late => FindingText::new(words.text("doctor-name.late"))
            .next(words.text("doctor-name.late-next")),
    }
}

/// The sentences about the answer of the service.
pub fn reply(words: &Words, found: HostReply) -> FindingText {
    let fault = match found {
        HostReply::Answered { status, is_encrypted } => {
            let with =
                |id: &str| FindingText::new(words.with(id, &[("status", &status.to_string())]));
            return match is_encrypted {
                _ if found.is_troubled() => {
                    with("doctor-host.troubled").next(words.text("doctor-host.troubled-next"))
                }
                true => with("doctor-host.encrypted"),
                false => with("doctor-host.plain"),
            };
        }
        HostReply::Failed(fault) => fault,
    };
    let (what, next) = match fault {
        HostFault::Name => ("doctor-host.no-name", "doctor-name.unknown-next"),
        HostFault::Connect => ("doctor-host.connect", "doctor-host.connect-next"),
        HostFault::Certificate(fault) => certificate(fault),
        HostFault::Encryption => ("doctor-host.encryption", "doctor-host.encryption-next"),
        HostFault::OwnCertificates => {
            ("doctor-host.own-certificates", "doctor-host.own-certificates-next")
        }
        HostFault::Late => ("doctor-host.late", "doctor-host.late-next"),
        HostFault::Cut => ("doctor-host.cut", "doctor-host.cut-next"),
    };
    FindingText::new(words.text(what)).next(words.text(next))
}

/// The messages about a certificate that proves nothing: what is wrong with it, and what to do.
fn certificate(fault: CertificateFault) -> (&'static str, &'static str) {
    match fault {
        CertificateFault::Expired => ("doctor-host.expired", "doctor-host.expired-next"),
        CertificateFault::NotYetValid => ("doctor-host.early", "doctor-host.early-next"),
        CertificateFault::OtherName => ("doctor-host.other-name", "doctor-host.other-name-next"),
        CertificateFault::UnknownIssuer => ("doctor-host.issuer", "doctor-host.issuer-next"),
        CertificateFault::Revoked => ("doctor-host.revoked", "doctor-host.revoked-next"),
        CertificateFault::Other => ("doctor-host.certificate", "doctor-host.certificate-next"),
    }
}

/// The sentences about the clock.
pub fn clock(words: &Words, found: ClockFound) -> FindingText {
    let ClockFound::Ahead(ahead) = found else {
        return FindingText::new(words.text("doctor-clock.unknown"))
            .next(words.text("doctor-clock.unknown-next"));
    };
    let seconds = ahead.unsigned_abs();
    if CheckupFinding::Clock(found).verdict() == Verdict::Fine {
        let seconds = seconds.to_string();
        return FindingText::new(words.with("doctor-clock.same", &[("seconds", &seconds)]));
    }
    let id = if ahead > 0 { "doctor-clock.ahead" } else { "doctor-clock.behind" };
    let what = words.with(id, &[("span", &span(words, seconds))]);
    FindingText::new(what).next(words.text("doctor-clock.next"))
}

/// A span in its largest unit of which there are at least two.
fn span(words: &Words, seconds: u64) -> String {
    let (id, unit) = match seconds {
        0..120 => ("doctor-clock.seconds", 1),
        120..7_200 => ("doctor-clock.minutes", 60),
        7_200..172_800 => ("doctor-clock.hours", 3_600),
        _ => ("doctor-clock.days", 86_400),
    };
    words.count(id, seconds / unit, &[])
}
