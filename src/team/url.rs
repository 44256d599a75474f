//! Parses the address of a team's database.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

/// The port of PostgreSQL.
const DEFAULT_PORT: u16 = 5432;

/// The address of a team's database, such as `postgres://ana@db.loja.example/loja`. It never
/// contains a password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabaseUrl {
    /// The text as it was parsed.
    text: String,
    user: String,
    host: String,
    port: u16,
    database: String,
}

/// The reason an address of a database was refused. No message contains text of the address, which
/// may contain a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UrlError {
    /// The text is no URL.
    #[error("this is not a URL")]
    NotAUrl,
    /// The URL does not begin with `postgres:` or `postgresql:`.
    #[error("the URL of a database begins with postgres://")]
    Scheme,
    /// The URL contains a password, which must be stored in the vault.
    #[error("a password does not belong in the URL, but in the vault")]
    PasswordInside,
    /// The URL names no user.
    #[error("the URL names no user")]
    NoUser,
    /// The URL names no host.
    #[error("the URL names no host")]
    NoHost,
    /// The URL names no database, or something else than a single name.
    #[error("the URL names no database")]
    NoDatabase,
    /// The URL has parameters. None are known.
    #[error("the URL has parameters, which balcao does not know")]
    UnknownParameter,
}

impl DatabaseUrl {
    /// The role of the operator.
    pub fn user(&self) -> &str {
        &self.user
    }

    /// The name or address of the server. An IPv6 address has no brackets.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The port of the server.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The name of the database.
    pub fn database(&self) -> &str {
        &self.database
    }

    /// True if the server is on this machine. Only then may the connection be without TLS.
    pub fn is_loopback(&self) -> bool {
        match self.host.parse::<IpAddr>() {
            Ok(address) => address.is_loopback(),
            Err(_) => self.host.eq_ignore_ascii_case("localhost"),
        }
    }
}

impl FromStr for DatabaseUrl {
    type Err = UrlError;

    fn from_str(text: &str) -> Result<DatabaseUrl, UrlError> {
        let url = ::url::Url::parse(text).map_err(|_| UrlError::NotAUrl)?;
        if !matches!(url.scheme(), "postgres" | "postgresql") {
            return Err(UrlError::Scheme);
        }
        if url.password().is_some() {
            return Err(UrlError::PasswordInside);
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(UrlError::UnknownParameter);
        }
        let host = url.host_str().unwrap_or_default();
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let host = decode(host).ok_or(UrlError::NoHost)?;
        let user = decode(url.username()).ok_or(UrlError::NoUser)?;
        let database = url.path().strip_prefix('/').unwrap_or_default();
        let database = Some(database).filter(|name| !name.contains('/'));
        Ok(DatabaseUrl {
            text: url.as_str().to_owned(),
            user,
            host,
            port: url.port().unwrap_or(DEFAULT_PORT),
            database: database.and_then(decode).ok_or(UrlError::NoDatabase)?,
        })
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Decodes a part of a URL in which some bytes may be written as `%` and two digits. Returns `None`
/// if the part is empty or no text, or contains a control character.
fn decode(part: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        if first == b'%' {
            let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &rest[2..];
        } else {
            bytes.push(first);
        }
    }
    let text = String::from_utf8(bytes).ok()?;
    (!text.is_empty() && !text.contains(char::is_control)).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<DatabaseUrl, UrlError> {
        text.parse()
    }

    #[test]
    fn parts_are_decoded() {
        let url = parse("postgres://ana@db.loja.example:5433/loja").unwrap();
        assert_eq!((url.user(), url.host()), ("ana", "db.loja.example"));
        assert_eq!((url.port(), url.database()), (5433, "loja"));
        assert_eq!(url.to_string(), "postgres://ana@db.loja.example:5433/loja");
        let url = parse("postgresql://jo%C3%A3o@[::1]/a%20b").unwrap();
        assert_eq!((url.user(), url.host()), ("joão", "::1"));
        assert_eq!((url.port(), url.database()), (5432, "a b"));
    }

    #[test]
    fn incomplete_or_unsafe_urls_are_refused() {
        for (text, expected) in [
            ("", UrlError::NotAUrl),
            ("db.loja.example/loja", UrlError::NotAUrl),
            ("https://ana@db/loja", UrlError::Scheme),
            ("postgres://ana:secret@db/loja", UrlError::PasswordInside),
            ("postgres://db/loja", UrlError::NoUser),
            ("postgres://%00@db/loja", UrlError::NoUser),
            ("postgres:///loja", UrlError::NoHost),
            ("postgres://ana@db", UrlError::NoDatabase),
            ("postgres://ana@db/", UrlError::NoDatabase),
            ("postgres://ana@db/a/b", UrlError::NoDatabase),
            (
                "postgres://ana@db/loja?sslmode=disable",
                UrlError::UnknownParameter,
            ),
            ("postgres://ana@db/loja#x", UrlError::UnknownParameter),
        ] {
            assert_eq!(parse(text), Err(expected), "{text}");
            assert!(!expected.to_string().contains("secret"));
        }
    }

    #[test]
    fn only_this_machine_is_loopback() {
        for (host, expected) in [
            ("localhost", true),
            ("127.0.0.1", true),
            ("127.8.0.1", true),
            ("[::1]", true),
            ("localhost.loja.example", false),
            ("10.0.0.1", false),
        ] {
            let url = parse(&format!("postgres://ana@{host}/loja")).unwrap();
            assert_eq!(url.is_loopback(), expected, "{host}");
        }
    }
}
