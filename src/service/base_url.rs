//! Where a service is: https, or http to this very machine.

use std::net::{IpAddr, SocketAddr};

use url::{Host, Url};

use crate::contract::resource;
use crate::trade::{AddressFault, Origin};

/// The address under which all paths of a service stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrl {
    url: Url,
    origin: Origin,
}

impl BaseUrl {
    /// Reads a service's address; a slash at its end makes no difference.
    pub fn parse(text: &str) -> Result<BaseUrl, AddressFault> {
        // The parser would drop control characters and white space in silence.
        if text.chars().any(|c| c.is_control() || c.is_whitespace()) {
            return Err(AddressFault::NotAnAddress);
        }
        let url = Url::parse(text).map_err(|_| AddressFault::NotAnAddress)?;
        check_transport(&url)?;
        if url.query().is_some() {
            return Err(AddressFault::Query);
        }
        if url.fragment().is_some() {
            return Err(AddressFault::Fragment);
        }
        let origin = origin_of(&url).ok_or(AddressFault::NotAnAddress)?;
        Ok(BaseUrl { url, origin })
    }

    /// Scheme, host and port.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The address itself, without a slash at its end.
    pub fn as_str(&self) -> &str {
        self.url.as_str().trim_end_matches('/')
    }

    /// Returns true when it is on this machine.
    pub fn is_loopback(&self) -> bool {
        is_loopback(&self.url)
    }

    /// The name and the port that are looked up before a connection; none where the address has a
    /// number, or is this machine.
    pub fn name_to_look_up(&self) -> Option<(&str, u16)> {
        match self.url.host()? {
            Host::Domain(name) if !self.is_loopback() => {
                Some((name, self.url.port_or_known_default()?))
            }
            _ => None,
        }
    }

    /// The number and port where a sandbox of this machine would listen.
    ///
    /// The name `localhost` may lead to two of them, and a path below one is no sandbox's.
    pub(super) fn sandbox_address(&self) -> Option<SocketAddr> {
        let ip = match self.url.host()? {
            Host::Ipv4(ip) => IpAddr::V4(ip),
            Host::Ipv6(ip) => IpAddr::V6(ip),
            Host::Domain(_) => return None,
        };
        let is_plain = self.url.scheme() == "http" && self.as_str() == &*self.origin.0;
        let port = self.url.port_or_known_default()?;
        (is_plain && ip.is_loopback()).then(|| SocketAddr::new(ip, port))
    }

    /// The address of a path below it, with the path's query.
    pub(super) fn join(&self, path: &str) -> Url {
        let mut url = self.url.clone();
        let (path, query) = match path.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (path, None),
        };
        let below = format!("{}{path}", url.path().trim_end_matches('/'));
        url.set_path(&below);
        url.set_query(query);
        url
    }

    /// Returns the path of an address without that of this one; `None` for one that is not below.
    pub(super) fn path_of<'u>(&self, url: &'u Url) -> Option<&'u str> {
        url.path().strip_prefix(self.url.path().trim_end_matches('/'))
    }

    /// Returns true if one address below this one is another one's, or below that.
    pub(super) fn is_at_or_below(&self, url: &Url, other: &Url) -> bool {
        let reached = |url| resource(self.path_of(url)?);
        let (Some(one), Some(other)) = (reached(url), reached(other)) else { return false };
        one.strip_prefix(&*other).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

/// Scheme, host and port of an address; `None` for one that has no host.
pub fn origin_of(url: &Url) -> Option<Origin> {
    url.host()?;
    let origin = url.origin();
    origin.is_tuple().then(|| Origin(origin.ascii_serialization().into()))
}

/// Refuses an address to which no credential may ever go.
pub(super) fn check_transport(url: &Url) -> Result<(), AddressFault> {
    if !matches!(url.scheme(), "https" | "http") {
        return Err(AddressFault::Scheme);
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(AddressFault::UserInfo);
    }
    if url.scheme() == "http" && !is_loopback(url) {
        return Err(AddressFault::NotEncrypted);
    }
    Ok(())
}

/// Returns true when the host is this machine: 127.0.0.0/8, ::1 or `localhost` itself.
fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(ip)) => IpAddr::V4(ip).is_loopback(),
        Some(Host::Ipv6(ip)) => IpAddr::V6(ip).is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn https_anywhere_and_http_to_this_machine() {
        for (text, origin) in [
            ("https://api.example.com", "https://api.example.com"),
            ("https://API.Example.com:443/", "https://api.example.com"),
            ("https://api.example.com:8443/pay/", "https://api.example.com:8443"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("http://[::1]:8080", "http://[::1]:8080"),
            ("http://localhost:1", "http://localhost:1"),
        ] {
            assert_eq!(&*BaseUrl::parse(text).unwrap().origin().0, origin, "{text}");
        }
    }

    #[test]
    fn unsafe_addresses_are_refused() {
        for (text, error) in [
            ("http://api.example.com", AddressFault::NotEncrypted),
            ("http://192.168.0.1", AddressFault::NotEncrypted),
            ("http://0.0.0.0:80", AddressFault::NotEncrypted),
            ("http://127.0.0.1.example.com", AddressFault::NotEncrypted),
            ("http://localhost.example.com", AddressFault::NotEncrypted),
            ("http://loja.localhost", AddressFault::NotEncrypted),
            ("ftp://127.0.0.1", AddressFault::Scheme),
            ("file:///etc/passwd", AddressFault::Scheme),
            ("https://user@api.example.com", AddressFault::UserInfo),
            ("https://:pass@api.example.com", AddressFault::UserInfo),
            ("http://127.0.0.1@api.example.com", AddressFault::UserInfo),
            ("https://api.example.com/?a=1", AddressFault::Query),
            ("https://api.example.com/?", AddressFault::Query),
            ("https://api.example.com/#a", AddressFault::Fragment),
            ("api.example.com", AddressFault::NotAnAddress),
            ("https://", AddressFault::NotAnAddress),
            ("https://api.exam\tple.com", AddressFault::NotAnAddress),
            ("", AddressFault::NotAnAddress),
        ] {
            assert_eq!(BaseUrl::parse(text).unwrap_err(), error, "{text}");
        }
    }

    #[test]
    fn only_loopback_ip_can_be_a_sandbox_address() {
        for (text, address) in [
            ("http://127.0.0.1:8787", Some("127.0.0.1:8787")),
            ("http://127.0.0.1:8787/", Some("127.0.0.1:8787")),
            ("http://127.1.2.3", Some("127.1.2.3:80")),
            ("http://[::1]:8787", Some("[::1]:8787")),
            ("http://localhost:8787", None),
            ("https://127.0.0.1:8787", None),
            ("http://127.0.0.1:8787/pay", None),
            ("https://api.example.com", None),
        ] {
            let address = address.map(|address| address.parse().unwrap());
            assert_eq!(BaseUrl::parse(text).unwrap().sandbox_address(), address, "{text}");
        }
    }

    #[test]
    fn paths_stand_below_the_base() {
        for (base, joined) in [
            ("https://a.example", "https://a.example/api/v1/x"),
            ("https://a.example/", "https://a.example/api/v1/x"),
            ("https://a.example/pay/", "https://a.example/pay/api/v1/x"),
        ] {
            assert_eq!(BaseUrl::parse(base).unwrap().join("/api/v1/x").as_str(), joined);
        }
    }
}
