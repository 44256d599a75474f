//! The address at which phones open the checkout pages. It is an address of this machine that the
//! user chose. Its port is reserved before the sandbox listens on it.

use std::io;
use std::net::{IpAddr, SocketAddr, UdpSocket};

use tokio::net::TcpSocket;

use crate::sandbox::port::bind_socket;

/// The address for phones, as the user typed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShareAddress {
    /// The IP address of this machine.
    pub ip: IpAddr,
    /// The port, if the user entered one.
    pub port: Option<u16>,
}

/// The reason why an address cannot be used for phones.
#[derive(Debug, thiserror::Error)]
pub enum ShareFault {
    /// The text is not an IP address.
    #[error("not an address such as 192.168.0.10:8080")]
    NotAnAddress,
    /// The address means all addresses of the machine, as `0.0.0.0` does. But a payment link needs
    /// a single address.
    #[error("it stands for all addresses")]
    Unspecified,
    /// The address is a multicast or broadcast address.
    #[error("it is the address of many machines")]
    NotUnicast,
    /// The address is link-local. To open it, a browser would also need the name of a network
    /// interface.
    #[error("a browser cannot open an address like this")]
    LinkLocal,
    /// The address does not belong to this machine.
    #[error("it is not an address of this machine")]
    NotHere,
    /// Another program listens on the address.
    #[error("another program listens there")]
    InUse,
    /// The operating system does not permit the address.
    #[error(transparent)]
    Refused(io::Error),
}

impl ShareAddress {
    /// Parses an address such as `192.168.0.10`, `192.168.0.10:8080`, `fd00::2` or
    /// `[fd00::2]:8080`.
    pub fn parse(text: &str) -> Result<ShareAddress, ShareFault> {
        let without_brackets = text
            .strip_prefix('[')
            .and_then(|text| text.strip_suffix(']'));
        let address = match (
            without_brackets.unwrap_or(text).parse::<IpAddr>(),
            text.parse::<SocketAddr>(),
        ) {
            (Ok(ip), _) if without_brackets.is_none() || ip.is_ipv6() => {
                ShareAddress { ip, port: None }
            }
            (_, Ok(address)) => ShareAddress {
                ip: address.ip(),
                port: Some(address.port()),
            },
            _ => return Err(ShareFault::NotAnAddress),
        };
        // Treat an IPv4-mapped IPv6 address as IPv4, as browsers do.
        let ip = address.ip.to_canonical();
        match ip {
            _ if ip.is_unspecified() => Err(ShareFault::Unspecified),
            _ if ip.is_multicast() => Err(ShareFault::NotUnicast),
            IpAddr::V4(ip) if ip.is_broadcast() => Err(ShareFault::NotUnicast),
            IpAddr::V6(ip) if ip.is_unicast_link_local() => Err(ShareFault::LinkLocal),
            _ => Ok(ShareAddress { ip, ..address }),
        }
    }
}

/// The reserved address for phones. No other program can use it. It does not accept connections
/// yet.
#[derive(Debug)]
pub struct ShareSocket {
    pub(super) socket: TcpSocket,
    address: SocketAddr,
}

impl ShareSocket {
    /// Reserves an address. If the user entered no port, selects a free one.
    pub fn reserve(address: ShareAddress) -> Result<ShareSocket, ShareFault> {
        let requested = SocketAddr::new(address.ip, address.port.unwrap_or(0));
        let socket = bind_socket(requested).map_err(ShareFault::from_io_error)?;
        if is_network_broadcast(address.ip) {
            return Err(ShareFault::NotUnicast);
        }
        let address = socket.local_addr().map_err(ShareFault::from_io_error)?;
        Ok(ShareSocket { socket, address })
    }

    /// The reserved address, including its port.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The origin of payment links on this address, such as `http://192.168.0.10:8080`.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }
}

/// An IP address in the form that URLs contain. An IPv6 address gets brackets.
pub(super) fn host(ip: IpAddr) -> String {
    match ip {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
    }
}

/// True if this is the broadcast address of a network. A socket can be bound to such an address,
/// but the system does not permit connecting to it.
fn is_network_broadcast(ip: IpAddr) -> bool {
    let connected =
        UdpSocket::bind((ip, 0)).and_then(|socket| socket.connect(socket.local_addr()?));
    connected.is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied)
}

impl ShareFault {
    pub(super) fn from_io_error(error: io::Error) -> ShareFault {
        match error.kind() {
            io::ErrorKind::AddrNotAvailable => ShareFault::NotHere,
            io::ErrorKind::AddrInUse => ShareFault::InUse,
            _ => ShareFault::Refused(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_result(text: &str) -> String {
        match ShareAddress::parse(text) {
            Ok(address) => format!("{address:?}"),
            Err(fault) => format!("{fault:?}"),
        }
    }

    #[test]
    fn an_address_is_a_number_with_or_without_a_port() {
        for (text, ip, port) in [
            ("192.168.0.10", "192.168.0.10", None),
            ("192.168.0.10:8080", "192.168.0.10", Some(8080)),
            ("127.0.0.2:0", "127.0.0.2", Some(0)),
            ("fd00::2", "fd00::2", None),
            ("[fd00::2]", "fd00::2", None),
            ("[fd00::2]:8080", "fd00::2", Some(8080)),
            ("::ffff:192.168.0.10", "192.168.0.10", None),
            ("[::ffff:192.168.0.10]:8080", "192.168.0.10", Some(8080)),
        ] {
            let expected = ShareAddress {
                ip: ip.parse().unwrap(),
                port,
            };
            assert_eq!(ShareAddress::parse(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn address_not_of_a_single_machine_is_refused() {
        for (expected_fault, texts) in [
            (
                "NotAnAddress",
                &[
                    "",
                    " ",
                    "loja.example",
                    "localhost",
                    "192.168.0",
                    "192.168.0.256",
                    "192.168.0.10:99999",
                    "192.168.0.10:",
                    "192.168.0.10/24",
                    " 192.168.0.10",
                    "[192.168.0.10]",
                    "[192.168.0.10]:80",
                    "[fd00::2",
                    "http://192.168.0.10",
                    "192.168.0.10\u{1b}[2J",
                    "fd00::2%eth0",
                ][..],
            ),
            (
                "Unspecified",
                &["0.0.0.0", "0.0.0.0:80", "::", "[::]:80", "::ffff:0.0.0.0"],
            ),
            (
                "NotUnicast",
                &["224.0.0.1", "239.1.2.3:80", "ff02::1", "255.255.255.255"],
            ),
            ("LinkLocal", &["fe80::1", "[fe80::1]:80", "[fe80::1%2]:80"]),
        ] {
            for text in texts {
                assert_eq!(parse_result(text), expected_fault, "{text:?}");
            }
        }
    }

    #[test]
    fn only_free_local_addresses_are_bound() {
        let hold = |text: &str| ShareSocket::reserve(ShareAddress::parse(text).unwrap());
        let socket = hold("127.0.0.2").unwrap();
        assert_eq!(socket.address().ip().to_string(), "127.0.0.2");
        assert_ne!(socket.address().port(), 0);
        assert_eq!(socket.origin(), format!("http://{}", socket.address()));
        // The first address is reserved for documentation, and the second is the broadcast address
        // of the loopback network.
        assert!(matches!(hold("203.0.113.7"), Err(ShareFault::NotHere)));
        let broadcast = hold("127.255.255.255");
        assert!(
            matches!(broadcast, Err(ShareFault::NotUnicast | ShareFault::NotHere)),
            "{broadcast:?}"
        );
        let other = std::net::TcpListener::bind("127.0.0.2:0").unwrap();
        let used_address = other.local_addr().unwrap().to_string();
        assert!(matches!(hold(&used_address), Err(ShareFault::InUse)));
    }
}
