//! The fault of an address that is none of a service.

/// The reason an address cannot be a service's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressFault {
    /// It is not an absolute address.
    NotAnAddress,
    /// It is neither https nor http.
    Scheme,
    /// It is http, and not to this machine: everybody on the way could read the credentials.
    NotEncrypted,
    /// It holds a user name or a password.
    UserInfo,
    /// It has a query (`?`).
    Query,
    /// It has a fragment (`#`).
    Fragment,
}
