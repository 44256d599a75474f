//! The oddities of an address or a Pix code: a person should know them before passing it on.

use super::Store;
use super::reach::{is_loopback, is_shared};
use crate::app::ui::Role;
use crate::trade::{BrCode, Charge, CheckoutDomain, Money, PaymentLink, Untrusted};
use crate::words::Words;

/// Something about an address or a Pix code that a person should know before passing it on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "a field is its name")]
pub enum Oddity {
    /// It cannot be read as a web address.
    NotAnAddress,
    /// It holds a user name or a password.
    UserInfo,
    /// Its host is a number.
    IpLiteral,
    /// It is not encrypted.
    Http,
    /// It is neither https nor http.
    NotWeb,
    /// Its host is the API's own.
    ApiHost,
    /// Its host is a domain of the seller's that is not active.
    InactiveHost,
    /// Its host is neither the chosen domain nor one of the seller's.
    UnknownHost,
    /// It holds white space, or a sign that a shell acts on and that is not usual in an address.
    ShellSigns,
    /// It cannot be read as a Pix code.
    Unreadable,
    /// Its checksum is not that of what it says: the code was cut or changed.
    NotIntact,
    /// The code is not about reais.
    NotInReais,
    /// The amount in the code is not the one that the direct payment asked for.
    OtherAmount { asked: Money, code: Money },
}

impl Oddity {
    /// Says what is odd about this address or code.
    pub fn describe(self, say: &Words, text: &Untrusted) -> String {
        say.text(match self {
            Oddity::ShellSigns => {
                return say.with("odd-shell", &[("signs", &shell_signs(text))]);
            }
            Oddity::OtherAmount { asked, code } => {
                let (asked, code) = (asked.to_string(), code.to_string());
                return say.with("code-odd-amount", &[("asked", &asked), ("code", &code)]);
            }
            Oddity::NotAnAddress => "odd-not-an-address",
            Oddity::UserInfo => "odd-user-info",
            Oddity::IpLiteral => "odd-ip",
            Oddity::Http => "odd-http",
            Oddity::NotWeb => "odd-not-web",
            Oddity::ApiHost => "odd-api-host",
            Oddity::InactiveHost => "odd-inactive-host",
            Oddity::UnknownHost => "odd-unknown-host",
            Oddity::Unreadable => "code-odd-unreadable",
            Oddity::NotIntact => "code-odd-checksum",
            Oddity::NotInReais => "code-odd-currency",
        })
    }

    /// Returns true where a code contradicts itself or what was asked for; what cannot be read may
    /// be of a kind that this program does not know.
    pub fn contradicts(self) -> bool {
        matches!(self, Oddity::NotIntact | Oddity::NotInReais | Oddity::OtherAmount { .. })
    }

    /// The look of the words.
    pub fn role(self) -> Role {
        if self.contradicts() { Role::Bad } else { Role::Warn }
    }
}

/// Signs that a shell acts on, and that hardly any address holds.
///
/// Others are signs of a shell too (`? & # ~ % = [ ]`), and usual in addresses: to ask about each
/// of them would teach people to say yes.
const SHELL_SIGNS: &str = ";|$`<>(){}'\"\\*!^";

/// The sign that stands for white space in an address, where it would not be seen.
const SPACE: char = '\u{2423}';

/// The address with its white space to be seen; of a message, its last line.
pub fn marked(address: &Untrusted) -> Untrusted {
    let shown = Untrusted::in_full(|| address.shown());
    let (before, last) = last_line(address, &shown);
    let last = last.replace(char::is_whitespace, &SPACE.to_string());
    format!("{before}{last}").into()
}

/// The unusual signs in an address, each once.
pub fn shell_signs(address: &Untrusted) -> String {
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

/// Divides a text into the words before the address and the address: only a message has lines.
fn last_line<'s>(address: &Untrusted, shown: &'s str) -> (&'s str, &'s str) {
    match shown.rfind('\u{240a}').filter(|_| !address.is_clean()) {
        Some(at) => shown.split_at(at + '\u{240a}'.len_utf8()),
        None => ("", shown),
    }
}

/// The host of an address as it would be looked up, in ASCII.
pub fn host(url: &Untrusted) -> Option<String> {
    url::Url::parse(url.raw()).ok()?.host_str().map(str::to_owned)
}

/// Returns the oddities of a link's address.
///
/// Plain http and numbers are allowed to the machine itself, for the sandbox, and to the one
/// address at which a demo serves the checkout pages to phones.
pub fn oddities(store: &Store, link: &PaymentLink) -> Vec<Oddity> {
    let chosen = link.request.domain.as_ref();
    link.url().map(|url| oddities_of(store, url, chosen)).unwrap_or_default()
}

/// Returns the oddities of an address; `chosen` is the domain that was asked for with it.
pub fn oddities_of(store: &Store, address: &Untrusted, chosen: Option<&Untrusted>) -> Vec<Oddity> {
    let signs = (!shell_signs(address).is_empty()).then_some(Oddity::ShellSigns);
    let Some(url) = url::Url::parse(address.raw()).ok().filter(|url| url.has_host()) else {
        return std::iter::once(Oddity::NotAnAddress).chain(signs).collect();
    };
    let host = without_final_dot(url.host_str().unwrap_or_default());
    let shared = is_shared(store, &url);
    let at_home = shared || is_loopback(&url);
    let api_host = url::Url::parse(&store.setup.base_url);
    let chosen = chosen.and_then(listed_host).is_some_and(|chosen| chosen == host);
    let listed = store.domains.listed.as_ref().and_then(|listed| listed.naming(host));
    let known = shared || chosen || listed.is_some_and(CheckoutDomain::is_usable);
    let by_number = !matches!(url.host(), Some(url::Host::Domain(_)));
    let is_api = !shared && api_host.is_ok_and(|api| api.host_str() == Some(host));
    let found = [
        (!url.username().is_empty() || url.password().is_some(), Oddity::UserInfo),
        (by_number && !at_home, Oddity::IpLiteral),
        (url.scheme() == "http" && !at_home, Oddity::Http),
        (!matches!(url.scheme(), "https" | "http"), Oddity::NotWeb),
        (is_api, Oddity::ApiHost),
        (!known && !is_api && listed.is_some(), Oddity::InactiveHost),
        (!known && !is_api && listed.is_none(), Oddity::UnknownHost),
    ];
    let found = found.into_iter().filter(|(is_so, _)| *is_so).map(|(_, oddity)| oddity);
    found.chain(signs).collect()
}

/// Returns the host that a domain names, in ASCII: services also list an address, such as
/// `https://loja.example:8443/`.
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

/// Returns the oddities of a direct payment's code; none where it has none.
pub fn of_charge(charge: &Charge) -> Vec<Oddity> {
    let code = charge.pix_code();
    code.map(|code| of_code(code, Some(charge.request.amount))).unwrap_or_default()
}

/// Returns the oddities of a Pix code; `asked` is the amount of its direct payment, where that is
/// at hand.
pub fn of_code(code: &Untrusted, asked: Option<Money>) -> Vec<Oddity> {
    let Some(read) = BrCode::parse(code) else { return vec![Oddity::Unreadable] };
    let other = asked.zip(read.amount).filter(|(asked, code)| asked != code);
    let other = other.filter(|_| read.is_in_reais);
    let found = [
        other.map(|(asked, code)| Oddity::OtherAmount { asked, code }),
        (!read.is_intact).then_some(Oddity::NotIntact),
        (!read.is_in_reais).then_some(Oddity::NotInReais),
    ];
    found.into_iter().flatten().collect()
}
