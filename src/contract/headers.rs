//! Header names that every request needs for itself.

/// Names in small letters that mean something to the request, the connection or the credential.
const RESERVED: [&str; 12] = [
    "accept",
    "authorization",
    "connection",
    "cookie",
    "expect",
    "host",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
];

/// The prefixes of whole families of such headers.
const FAMILIES: [&str; 3] = ["accept-", "content-", "proxy-"];

/// Says that a header of this name has a use of its own, so that no key may be put in it.
///
/// A key in one of them replaces the value that belongs there, or is removed on the way: then money
/// is sent without its key. Gateways read `_` as `-`: the two are one name here.
pub fn is_reserved_header(name: &str) -> bool {
    let name = name.to_ascii_lowercase().replace('_', "-");
    RESERVED.contains(&&*name) || FAMILIES.iter().any(|family| name.starts_with(family))
}
