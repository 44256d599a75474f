//! Warnings about the URL of a payment link, or about a Pix code. The seller sees them before
//! sharing it with a buyer. Start reading at [`url_warnings_of`] and [`of_code`].

use super::share_hint::{is_loopback, is_shared};
use super::{Store, charges};
use crate::app::ui::Role;
use crate::trade::{BrCode, Charge, CheckoutDomain, Money, PaymentLink, Untrusted};
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
    /// The direct payment has expired, so the buyer may not be able to pay.
    Expired,
}

impl PayableWarning {
    /// Returns the warning as text for the seller. The warning is about the URL or Pix code `text`.
    pub fn describe(self, say: &Catalogue, text: &Untrusted) -> String {
        say.text(match self {
            PayableWarning::ShellSigns => {
                return say.with("odd-shell", &[("signs", &shell_characters(text))]);
            }
            PayableWarning::OtherAmount { asked, code } => {
                let (asked, code) = (asked.to_string(), code.to_string());
                return say.with("code-odd-amount", &[("asked", &asked), ("code", &code)]);
            }
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

    /// Returns true if the warning is that the Pix code contradicts itself or the request. An
    /// unreadable Pix code is not a contradiction, because this program may simply not support its
    /// format.
    pub fn contradicts(self) -> bool {
        matches!(
            self,
            PayableWarning::NotIntact
                | PayableWarning::NotInReais
                | PayableWarning::OtherAmount { .. }
        )
    }

    /// Returns the style (role) of the warning. It is stronger for a contradiction.
    pub fn role(self) -> Role {
        if self.contradicts() { Role::Bad } else { Role::Warn }
    }
}

/// The characters that cause the warning [`PayableWarning::ShellSigns`].
///
/// The characters `? & # ~ % = [ ]` also have a meaning in a shell, but they are common in URLs.
/// Warning about them would train users to ignore the warning.
const SHELL_SIGNS: &str = ";|$`<>(){}'\"\\*!^";

/// The character that is shown instead of white space in a URL.
const SPACE: char = '\u{2423}';

/// Returns a URL, or a message that ends with a URL, for the screen. White space in the URL is made
/// visible.
pub fn marked(address: &Untrusted) -> Untrusted {
    let shown = Untrusted::in_full(|| address.shown());
    let (before, last) = last_line(address, &shown);
    let last = last.replace(char::is_whitespace, &SPACE.to_string());
    format!("{before}{last}").into()
}

/// Returns the characters in the URL that cause the warning about shell characters. Each character
/// is returned once.
pub fn shell_characters(address: &Untrusted) -> String {
    let shown = Untrusted::in_full(|| address.shown());
    let mut signs: Vec<char> = Vec::new();
    for c in last_line(address, &shown).1.chars() {
        let sign = if c.is_whitespace() { SPACE } else { c };
        if (sign == SPACE || SHELL_SIGNS.contains(sign)) && !signs.contains(&sign) {
            signs.push(sign);
        }
    }
    signs.iter().map(char::to_string).collect::<Vec<_>>().join(" ")
}

/// Splits the shown text into the lines before the URL, and the URL. Only a message to the buyer
/// has lines before the URL.
fn last_line<'s>(address: &Untrusted, shown: &'s str) -> (&'s str, &'s str) {
    match shown.rfind('\u{240a}').filter(|_| !address.is_clean()) {
        Some(at) => shown.split_at(at + '\u{240a}'.len_utf8()),
        None => ("", shown),
    }
}

/// Returns the URL's host in the ASCII form that is used for DNS.
pub fn host(url: &Untrusted) -> Option<String> {
    url::Url::parse(url.raw()).ok()?.host_str().map(str::to_owned)
}

/// Returns the warnings about the URL of a payment link.
///
/// Plain http and IP addresses cause no warning in two cases: the host is this machine (where the
/// sandbox runs), or it is the address where the demo serves checkout pages to phones.
pub fn url_warnings(store: &Store, link: &PaymentLink) -> Vec<PayableWarning> {
    let chosen = link.request.domain.as_ref();
    link.url().map(|url| url_warnings_of(store, url, chosen)).unwrap_or_default()
}

/// Returns the warnings about a URL. `chosen` is the domain that the seller chose for the link.
pub fn url_warnings_of(
    store: &Store,
    address: &Untrusted,
    chosen: Option<&Untrusted>,
) -> Vec<PayableWarning> {
    let signs = (!shell_characters(address).is_empty()).then_some(PayableWarning::ShellSigns);
    let Some(url) = url::Url::parse(address.raw()).ok().filter(|url| url.has_host()) else {
        return std::iter::once(PayableWarning::NotAnAddress).chain(signs).collect();
    };
    let host = without_final_dot(url.host_str().unwrap_or_default());
    let shared = is_shared(store, &url);
    let at_home = shared || is_loopback(&url);
    let api_host = url::Url::parse(&store.setup.base_url);
    let has_own = store.domains.listed.is_some() || chosen.is_some();
    let is_chosen = chosen.and_then(listed_host).is_some_and(|chosen| chosen == host);
    let listed = store.domains.listed.as_ref().and_then(|listed| listed.naming(host));
    let known = shared || is_chosen || listed.is_some_and(CheckoutDomain::is_usable);
    let by_number = !matches!(url.host(), Some(url::Host::Domain(_)));
    let is_api = !shared && api_host.is_ok_and(|api| api.host_str() == Some(host));
    let found = [
        (!url.username().is_empty() || url.password().is_some(), PayableWarning::UserInfo),
        (by_number && !at_home, PayableWarning::IpLiteral),
        (url.scheme() == "http" && !at_home, PayableWarning::Http),
        (!matches!(url.scheme(), "https" | "http"), PayableWarning::NotWeb),
        (is_api, PayableWarning::ApiHost),
        (!known && !is_api && listed.is_some(), PayableWarning::InactiveHost),
        (has_own && !known && !is_api && listed.is_none(), PayableWarning::UnknownHost),
    ];
    let found = found.into_iter().filter(|(is_so, _)| *is_so).map(|(_, warning)| warning);
    found.chain(signs).collect()
}

/// Returns the host of a checkout domain in ASCII. In the service's list, a domain may also be a
/// URL, such as `https://loja.example:8443/`.
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

/// Returns the warnings about the Pix code of a direct payment. The list is empty if the payment
/// has no Pix code.
pub fn of_charge(store: &Store, charge: &Charge) -> Vec<PayableWarning> {
    let Some(code) = charge.pix_code() else { return vec![] };
    let expired = charges::is_expired(store, charge).then_some(PayableWarning::Expired);
    of_code(code, Some(charge.request.amount)).into_iter().chain(expired).collect()
}

/// Returns the warnings about a Pix code. `asked` is the amount that the seller requested, if it is
/// known.
pub fn of_code(code: &Untrusted, asked: Option<Money>) -> Vec<PayableWarning> {
    let Some(read) = BrCode::parse(code) else { return vec![PayableWarning::Unreadable] };
    let other = asked.zip(read.amount).filter(|(asked, code)| asked != code);
    let other = other.filter(|_| read.is_in_reais);
    let found = [
        other.map(|(asked, code)| PayableWarning::OtherAmount { asked, code }),
        (!read.is_intact).then_some(PayableWarning::NotIntact),
        (!read.is_in_reais).then_some(PayableWarning::NotInReais),
    ];
    found.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trade::ChargeOutcome;

    #[test]
    fn code_is_odd_if_a_warning_contradicts() {
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
            let (code, asked) = (Untrusted::from(code), Money::from_centavos(centavos));
            let warnings = of_code(&code, Some(asked));
            let contradicts = warnings.into_iter().any(PayableWarning::contradicts);
            let pix_code = Some(code);
            let made = ChargeOutcome::Created { id: None, status: None, pix_code, expires: None };
            assert_eq!((contradicts, made.has_odd_code(asked)), (is_odd, is_odd), "{made:?}");
        }
    }
}
