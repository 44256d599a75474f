//! The base URL of a service. The URL must use https. It may use http only if the service is on
//! this machine.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use url::{Host, Url};

use crate::contract::normalize_path;
use crate::trade::{AddressFault, Origin};

/// The base URL of a service. The paths of all operations are appended to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrl {
    url: Url,
    origin: Origin,
}

impl BaseUrl {
    /// Parses the base URL of a service. A [missing scheme](add_missing_scheme) is added, and a
    /// trailing slash is ignored.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a URL, or if it uses http for another machine. Also
    /// returns an error if it contains a user name, a query or a fragment.
    pub fn parse(text: &str) -> Result<BaseUrl, AddressFault> {
        // Reject control characters and white space here. The URL parser would silently remove
        // them.
        if text.chars().any(|c| c.is_control() || c.is_whitespace()) {
            return Err(AddressFault::NotAnAddress);
        }
        let url = Url::parse(&add_missing_scheme(text)).map_err(|_| AddressFault::NotAnAddress)?;
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

    /// The scheme, host and port.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The URL without a trailing slash.
    pub fn as_str(&self) -> &str {
        self.url.as_str().trim_end_matches('/')
    }

    /// True if the service is on this machine.
    pub fn is_loopback(&self) -> bool {
        is_loopback(&self.url)
    }

    /// The host name and the port if the name needs a DNS lookup. Returns `None` for an IP address
    /// or for this machine.
    pub fn name_to_look_up(&self) -> Option<(&str, u16)> {
        match self.url.host()? {
            Host::Domain(name) if !self.is_loopback() => {
                Some((name, self.url.port_or_known_default()?))
            }
            _ => None,
        }
    }

    /// The IP address and the port if a sandbox can have this URL. Such a URL uses http, has a
    /// loopback IP address, and has no path.
    ///
    /// The name `localhost` is excluded, because it can stand for two addresses.
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

    /// Appends a path to the base URL. The path may contain a query.
    pub(super) fn join(&self, path: &str) -> Url {
        let mut url = self.url.clone();
        let (path, query) = match path.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (path, None),
        };
        let full_path = format!("{}{path}", url.path().trim_end_matches('/'));
        url.set_path(&full_path);
        url.set_query(query);
        url
    }

    /// The path of `url` without the path of this base URL at its beginning. Returns `None` if the
    /// path of `url` begins differently.
    pub(super) fn path_below_base<'u>(&self, url: &'u Url) -> Option<&'u str> {
        url.path()
            .strip_prefix(self.url.path().trim_end_matches('/'))
    }

    /// True if the path of `url` equals the path of `other`, or is below that path. For example,
    /// `/a/b` is below `/a`.
    pub(super) fn is_at_or_below(&self, url: &Url, other: &Url) -> bool {
        let paths = [url, other].map(|url| normalize_path(self.path_below_base(url)?));
        let [Some(path), Some(other)] = paths else {
            return false;
        };
        path.strip_prefix(&*other)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

/// Adds the missing scheme to an address: http for this machine, https for any other host. Any
/// other text is returned unchanged.
pub fn add_missing_scheme(text: &str) -> String {
    let address = match text.parse::<Ipv6Addr>() {
        Ok(ip) => format!("[{ip}]"),
        Err(_) => text.to_owned(),
    };
    let authority = address.split(['/', '?', '#']).next().unwrap_or_default();
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !authority.ends_with(']') => (host, Some(port)),
        _ => (authority, None),
    };
    let is_port_valid = port
        .is_none_or(|port| !port.is_empty() && port.bytes().all(|digit| digit.is_ascii_digit()));
    // Leave a single word unchanged. The user is probably still typing a host name.
    let is_host = host == "localhost" || host.contains(['.', '[']) || port.is_some();
    if host.is_empty() || !is_host || !is_port_valid || address.contains("://") {
        return text.to_owned();
    }
    let encrypted = format!("https://{address}");
    match Url::parse(&encrypted) {
        Ok(url) if is_loopback(&url) => format!("http://{address}"),
        _ => encrypted,
    }
}

/// The scheme, host and port of a URL, or `None` if the URL has no host.
pub fn origin_of(url: &Url) -> Option<Origin> {
    url.host()?;
    let origin = url.origin();
    origin
        .is_tuple()
        .then(|| Origin(origin.ascii_serialization().into()))
}

/// An error if a credential may not be sent to this URL. The URL must use https, or http on this
/// machine. It must not contain a user name or a password.
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

/// True if the host is an address in 127.0.0.0/8, `::1` or `localhost`.
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
            (
                "https://api.example.com:8443/pay/",
                "https://api.example.com:8443",
            ),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("http://[::1]:8080", "http://[::1]:8080"),
            ("http://localhost:1", "http://localhost:1"),
            ("API.Example.com", "https://api.example.com"),
            ("api.example.com:8443/pay", "https://api.example.com:8443"),
            ("pagamentos:8443", "https://pagamentos:8443"),
            ("192.168.0.1", "https://192.168.0.1"),
            ("localhost", "http://localhost"),
            ("localhost:8787/", "http://localhost:8787"),
            ("127.0.0.1:8787", "http://127.0.0.1:8787"),
            ("[::1]:8787", "http://[::1]:8787"),
            ("::1", "http://[::1]"),
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
            ("ana@api.example.com", AddressFault::UserInfo),
            ("api.example.com?a=1", AddressFault::Query),
            ("loja", AddressFault::NotAnAddress),
            ("https:", AddressFault::NotAnAddress),
            ("/srv/loja.example", AddressFault::NotAnAddress),
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
            assert_eq!(
                BaseUrl::parse(text).unwrap().sandbox_address(),
                address,
                "{text}"
            );
        }
    }

    #[test]
    fn path_is_appended_to_the_base() {
        for (base, joined) in [
            ("https://a.example", "https://a.example/api/v1/x"),
            ("https://a.example/", "https://a.example/api/v1/x"),
            ("https://a.example/pay/", "https://a.example/pay/api/v1/x"),
        ] {
            assert_eq!(
                BaseUrl::parse(base).unwrap().join("/api/v1/x").as_str(),
                joined
            );
        }
    }
}
