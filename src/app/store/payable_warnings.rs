//! Warnings about the URL of a payment link, or about a Pix code. The seller sees them before
//! sharing it with a buyer. Start reading at [`url_warnings_of`] and [`pix_code_warnings`].

use super::share_hint::{is_loopback, is_shared};
use super::{Store, charges};
use crate::app::ui::Role;
use crate::trade::{
    BrCode, BrokenRule, Charge, CheckoutDomain, CodePart, Money, PaymentLink, Untrusted,
};
use crate::words::Catalogue;

/// A reason to warn the seller before a URL or Pix code is shared with a buyer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PayableWarning {
    /// The text cannot be parsed as a URL with a host.
    NotAnAddress,
    /// The URL contains a user name or a password.
    UserInfo,
    /// The URL's host is an IP address.
    IpLiteral,
    /// The URL uses http, so the connection is not encrypted.
    Http,
    /// The URL's scheme is not https or http.
    NotWeb,
    /// The URL's host is the host of the service's API. A buyer needs the host of a checkout page.
    ApiHost,
    /// The URL's host is one of the seller's checkout domains, but that domain is not active.
    InactiveHost,
    /// The URL's host is unknown: it is neither the domain chosen for the link nor in the seller's
    /// list of domains.
    UnknownHost,
    /// The text contains white space, or a character such as `$` that is special in a shell and
    /// unusual in URLs.
    ShellSigns,
    /// The Pix code cannot be parsed.
    Unreadable,
    /// The checksum of the Pix code is wrong, because the code was cut or changed.
    NotIntact,
    /// The currency of the Pix code is not BRL (Brazilian real).
    NotInReais,
    /// The amount in the Pix code differs from the amount in the request for the direct payment.
    OtherAmount { asked: Money, code: Money },
    /// The Pix code breaks a rule of the standard, so some banks refuse it.
    Broken(BrokenRule),
    /// The direct payment has expired, so the buyer may not be able to pay.
    Expired,
}

impl PayableWarning {
    /// The warning as text for the seller. `text` is the URL or Pix code that the warning is about.
    pub fn describe(self, words: &Catalogue, text: &Untrusted) -> String {
        words.text(match self {
            PayableWarning::ShellSigns => {
                return words.with("odd-shell", &[("signs", &shell_characters(text))]);
            }
            PayableWarning::OtherAmount {
                asked: requested,
                code,
            } => {
                let requested = requested.to_string();
                let code = code.to_string();
                return words.with("code-odd-amount", &[("asked", &requested), ("code", &code)]);
            }
            PayableWarning::Broken(rule) => return describe_broken_rule(words, rule),
            PayableWarning::NotAnAddress => "odd-not-an-address",
            PayableWarning::UserInfo => "odd-user-info",
            PayableWarning::IpLiteral => "odd-ip",
            PayableWarning::Http => "odd-http",
            PayableWarning::NotWeb => "odd-not-web",
            PayableWarning::ApiHost => "odd-api-host",
            PayableWarning::InactiveHost => "odd-inactive-host",
            PayableWarning::UnknownHost => "odd-unknown-host",
            PayableWarning::Unreadable => "code-odd-unreadable",
            PayableWarning::NotIntact => "code-odd-checksum",
            PayableWarning::NotInReais => "code-odd-currency",
            PayableWarning::Expired => "code-odd-expired",
        })
    }

    /// True if the Pix code contradicts itself or the request, for example if it has another
    /// amount. An unreadable Pix code is not a contradiction, because this program may simply not
    /// support its format.
    pub fn contradicts(self) -> bool {
        matches!(
            self,
            PayableWarning::NotIntact
                | PayableWarning::NotInReais
                | PayableWarning::OtherAmount { .. }
        )
    }

    /// The style (role) of the warning. It is stronger for a contradiction.
    pub fn role(self) -> Role {
        if self.contradicts() {
            Role::Bad
        } else {
            Role::Warn
        }
    }
}

fn describe_broken_rule(words: &Catalogue, rule: BrokenRule) -> String {
    match rule {
        BrokenRule::Missing(part) => {
            words.with("code-odd-missing", &[("part", &part_name(words, part))])
        }
        BrokenRule::Characters(part) => {
            words.with("code-odd-signs", &[("part", &part_name(words, part))])
        }
        BrokenRule::TooLong { part, got, max } => {
            let part = part_name(words, part);
            let got = got.to_string();
            let max = max.to_string();
            let values = [("part", &*part), ("got", &got), ("max", &max)];
            words.with("code-odd-long", &values)
        }
    }
}

fn part_name(words: &Catalogue, part: CodePart) -> String {
    words.text(match part {
        CodePart::Name => "code-part-name",
        CodePart::City => "code-part-city",
        CodePart::Reference => "code-part-reference",
        CodePart::Key => "code-part-key",
        CodePart::Description => "code-part-description",
        CodePart::Url => "code-part-url",
        CodePart::Whole => "code-part-whole",
    })
}

/// The characters that cause the warning [`PayableWarning::ShellSigns`].
///
/// The characters `? & # ~ % = [ ]` also have a meaning in a shell, but they are common in URLs.
/// Warning about them would train users to ignore the warning.
const SHELL_CHARACTERS: &str = ";|$`<>(){}'\"\\*!^";

/// The character that is shown instead of white space in a URL.
const VISIBLE_SPACE: char = '\u{2423}';

/// A URL, or a message that ends with a URL, as it is shown on the screen. White space in the URL
/// is replaced by the visible character `␣`.
pub fn mark_unsafe_characters(address: &Untrusted) -> Untrusted {
    let visible_text = Untrusted::without_masking(|| address.shown());
    let (text_before_url, url) = split_before_url(address, &visible_text);
    let url = url.replace(char::is_whitespace, &VISIBLE_SPACE.to_string());
    format!("{text_before_url}{url}").into()
}

/// The characters in the URL that cause the warning about shell characters. Each character is
/// returned once.
pub fn shell_characters(address: &Untrusted) -> String {
    let visible_text = Untrusted::without_masking(|| address.shown());
    let mut found: Vec<char> = Vec::new();
    for character in split_before_url(address, &visible_text).1.chars() {
        let symbol = if character.is_whitespace() {
            VISIBLE_SPACE
        } else {
            character
        };
        if (symbol == VISIBLE_SPACE || SHELL_CHARACTERS.contains(symbol))
            && !found.contains(&symbol)
        {
            found.push(symbol);
        }
    }
    found
        .iter()
        .map(char::to_string)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Splits the text before the last newline mark (`␊`), which replaces a line break, from the URL
/// after it. Only a message to the buyer has lines before the URL.
fn split_before_url<'s>(address: &Untrusted, visible_text: &'s str) -> (&'s str, &'s str) {
    match visible_text
        .rfind('\u{240a}')
        .filter(|_| !address.is_clean())
    {
        Some(position) => visible_text.split_at(position + '\u{240a}'.len_utf8()),
        None => ("", visible_text),
    }
}

/// The URL's host in the ASCII form that is used for DNS.
pub fn host(url: &Untrusted) -> Option<String> {
    url::Url::parse(url.raw())
        .ok()?
        .host_str()
        .map(str::to_owned)
}

/// The warnings about the URL of a payment link.
///
/// Plain http and IP addresses cause no warning in two cases: the host is this machine (where the
/// sandbox runs), or it is the address where the demo serves checkout pages to phones.
pub fn url_warnings(store: &Store, link: &PaymentLink) -> Vec<PayableWarning> {
    let chosen = link.request.domain.as_ref();
    link.url()
        .map(|url| url_warnings_of(store, url, chosen))
        .unwrap_or_default()
}

/// The warnings about a URL. `chosen` is the domain that the seller chose for the link.
pub fn url_warnings_of(
    store: &Store,
    address: &Untrusted,
    chosen: Option<&Untrusted>,
) -> Vec<PayableWarning> {
    let shell_warning =
        (!shell_characters(address).is_empty()).then_some(PayableWarning::ShellSigns);
    let Some(url) = url::Url::parse(address.raw())
        .ok()
        .filter(|url| url.has_host())
    else {
        return std::iter::once(PayableWarning::NotAnAddress)
            .chain(shell_warning)
            .collect();
    };
    let host = without_final_dot(url.host_str().unwrap_or_default());
    let is_shared_origin = is_shared(store, &url);
    let is_local = is_shared_origin || is_loopback(&url);
    let api_host = url::Url::parse(&store.setup.base_url);
    let has_known_domains = store.domains.listed.is_some() || chosen.is_some();
    let is_chosen = chosen
        .and_then(listed_host)
        .is_some_and(|chosen| chosen == host);
    let listed = store
        .domains
        .listed
        .as_ref()
        .and_then(|listed| listed.find_by_host(host));
    let is_known = is_shared_origin || is_chosen || listed.is_some_and(CheckoutDomain::is_usable);
    let is_ip_address = !matches!(url.host(), Some(url::Host::Domain(_)));
    let is_api = !is_shared_origin && api_host.is_ok_and(|api| api.host_str() == Some(host));
    let warnings = [
        (
            !url.username().is_empty() || url.password().is_some(),
            PayableWarning::UserInfo,
        ),
        (is_ip_address && !is_local, PayableWarning::IpLiteral),
        (url.scheme() == "http" && !is_local, PayableWarning::Http),
        (
            !matches!(url.scheme(), "https" | "http"),
            PayableWarning::NotWeb,
        ),
        (is_api, PayableWarning::ApiHost),
        (
            !is_known && !is_api && listed.is_some(),
            PayableWarning::InactiveHost,
        ),
        (
            has_known_domains && !is_known && !is_api && listed.is_none(),
            PayableWarning::UnknownHost,
        ),
    ];
    let warnings = warnings
        .into_iter()
        .filter(|(applies, _)| *applies)
        .map(|(_, warning)| warning);
    warnings.chain(shell_warning).collect()
}

/// The host of a checkout domain in ASCII. In the service's list, a domain may also be a URL, such
/// as `https://loja.example:8443/`.
pub fn listed_host(domain: &Untrusted) -> Option<String> {
    let text = domain.raw().trim();
    if text.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return None;
    }
    let scheme = if text.contains("://") { "" } else { "https://" };
    let url = url::Url::parse(&format!("{scheme}{text}")).ok()?;
    let is_plain = url.username().is_empty() && url.password().is_none();
    is_plain.then(|| without_final_dot(url.host_str().unwrap_or_default()).to_owned())
}

fn without_final_dot(host: &str) -> &str {
    host.strip_suffix('.').unwrap_or(host)
}

/// The warnings about the Pix code of a direct payment. The list is empty if the payment has no Pix
/// code.
pub fn charge_warnings(store: &Store, charge: &Charge) -> Vec<PayableWarning> {
    let Some(code) = charge.pix_code() else {
        return vec![];
    };
    let expiry_warning = charges::is_expired(store, charge).then_some(PayableWarning::Expired);
    pix_code_warnings(code, Some(charge.request.amount))
        .into_iter()
        .chain(expiry_warning)
        .collect()
}

/// The warnings about a Pix code. `requested` is the amount in the request for the direct payment,
/// if it is known.
pub fn pix_code_warnings(code: &Untrusted, requested: Option<Money>) -> Vec<PayableWarning> {
    let Some(parsed) = BrCode::parse(code) else {
        return vec![PayableWarning::Unreadable];
    };
    let different = requested
        .zip(parsed.amount)
        .filter(|(requested, code)| requested != code);
    let different = different.filter(|_| parsed.is_in_reais);
    let warnings = [
        different.map(|(requested, code)| PayableWarning::OtherAmount {
            asked: requested,
            code,
        }),
        (!parsed.is_intact).then_some(PayableWarning::NotIntact),
        (!parsed.is_in_reais).then_some(PayableWarning::NotInReais),
    ];
    let broken = BrCode::broken_rules(code)
        .into_iter()
        .map(PayableWarning::Broken);
    warnings.into_iter().flatten().chain(broken).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trade::{ChargeOutcome, CreatedCharge};

    #[test]
    fn pix_code_is_odd_if_a_warning_contradicts() {
        const CODE: &str = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000\
            520400005303986540549.905802BR5911LOJA DA ANA6008BRASILIA62070503***6304CA90";
        let codes = [
            (CODE.to_owned(), 4_990, false),
            (CODE.to_owned(), 5_090, true),
            (CODE.replace("CA90", "CA91"), 4_990, true),
            (CODE.replace("5303986", "5303840"), 4_990, true),
            (CODE.replace("540549.90", ""), 4_990, true),
            ("some other code".to_owned(), 4_990, false),
        ];
        for (code, centavos, is_odd) in codes {
            let code = Untrusted::from(code);
            let requested = Money::from_centavos(centavos);
            let warnings = pix_code_warnings(&code, Some(requested));
            let contradicts = warnings.into_iter().any(PayableWarning::contradicts);
            let created = CreatedCharge {
                pix_code: Some(code),
                ..CreatedCharge::default()
            };
            let outcome = ChargeOutcome::Created(created);
            assert_eq!(
                (contradicts, outcome.has_odd_code(requested)),
                (is_odd, is_odd),
                "{outcome:?}"
            );
        }
    }
}
