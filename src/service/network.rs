//! The way to a service, as a profile has it: further certificates, and a proxy.
//!
//! Without a word of the profile a connection goes straight to the service and trusts the roots of
//! the system alone; what the environment says of proxies does not count.

use std::collections::BTreeMap;

use reqwest::{Certificate, ClientBuilder, NoProxy, Proxy};
use sha2::{Digest, Sha256};
use url::Url;

use super::sandbox_proof::SandboxProof;

/// What stays on this machine never passes a proxy.
const THIS_MACHINE: &str = "localhost,127.0.0.0/8,::1";

/// The way to a service.
#[derive(Debug, Clone, Default)]
pub struct NetworkSettings {
    roots: Vec<Certificate>,
    proxy: Option<Url>,
    /// What of it steers money, as it is agreed to.
    lines: BTreeMap<String, String>,
    /// What the service proves on every connection, if it is on this machine.
    proof: Option<SandboxProof>,
}

/// The reason a way cannot be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// The file holds no certificate, or one that is damaged.
    #[error("it holds no certificate in PEM that can be used")]
    NoCertificates,
    /// The proxy is named by no address, or one with more than scheme, host and port.
    #[error("a proxy is named by scheme, host and port, such as http://proxy.example:3128")]
    ProxyAddress,
    /// The address of the proxy holds a name or a password.
    #[error("the address of a proxy must not hold a user name or password")]
    ProxySecret,
}

impl NetworkSettings {
    /// Takes the certificates of this file as well (its name, and its text in PEM).
    pub fn trusting(mut self, name: &str, pem: &[u8]) -> Result<NetworkSettings, NetworkError> {
        let no_certificates = |_| NetworkError::NoCertificates;
        let roots = Certificate::from_pem_bundle(pem).map_err(no_certificates)?;
        if roots.is_empty() {
            return Err(NetworkError::NoCertificates);
        }
        // What is damaged is found by the library only when it is used.
        let alone = reqwest::Client::builder().tls_certs_only(roots.clone());
        alone.build().map_err(|_| NetworkError::NoCertificates)?;
        // Whoever can change the file could send the next withdrawal elsewhere: its content counts.
        let sum: String = Sha256::digest(pem).iter().map(|byte| format!("{byte:02x}")).collect();
        self.lines.insert("profile.ca-file".into(), format!("{name} (SHA-256 {sum})"));
        self.roots = roots;
        Ok(self)
    }

    /// Goes by this proxy.
    pub fn through(mut self, proxy: &str) -> Result<NetworkSettings, NetworkError> {
        // The parser would drop control characters and white space in silence.
        if proxy.chars().any(|c| c.is_control() || c.is_whitespace()) {
            return Err(NetworkError::ProxyAddress);
        }
        let url = Url::parse(proxy).map_err(|_| NetworkError::ProxyAddress)?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(NetworkError::ProxySecret);
        }
        let is_plain = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
        if !matches!(url.scheme(), "http" | "https") || url.host().is_none() || !is_plain {
            return Err(NetworkError::ProxyAddress);
        }
        let shown = url.as_str().trim_end_matches('/').to_owned();
        self.lines.insert(crate::contract::PROXY_LINE.into(), shown);
        self.proxy = Some(url);
        Ok(self)
    }

    /// Goes only to a service that proves to be the sandbox, if it did so once.
    pub fn proving(self, proof: Option<SandboxProof>) -> NetworkSettings {
        NetworkSettings { proof, ..self }
    }

    pub(super) fn proof(&self) -> Option<&SandboxProof> {
        self.proof.as_ref()
    }

    /// Returns what of it steers money: a name and a value for each.
    pub fn lines(&self) -> &BTreeMap<String, String> {
        &self.lines
    }

    /// Adds it to the client of what is not on this machine.
    pub(super) fn apply(&self, builder: ClientBuilder) -> ClientBuilder {
        let builder = builder.tls_certs_merge(self.roots.iter().cloned());
        let proxy = self.proxy.as_ref().and_then(|url| Proxy::all(url.as_str()).ok());
        match proxy {
            Some(proxy) => builder.proxy(proxy.no_proxy(NoProxy::from_string(THIS_MACHINE))),
            None => builder,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_is_scheme_host_and_port_without_a_secret() {
        let said = |proxy| NetworkSettings::default().through(proxy).map(|way| way.lines);
        for (proxy, line) in [
            ("http://proxy.example:3128", "http://proxy.example:3128"),
            ("https://proxy.example/", "https://proxy.example"),
            ("http://[::1]:8080", "http://[::1]:8080"),
        ] {
            assert_eq!(said(proxy).unwrap()["profile.proxy"], line);
        }
        for proxy in
            ["proxy.example", "", "socks5://x:1", "http://x/p", "http://x?a", "http://x\n", "http:"]
        {
            assert_eq!(said(proxy).unwrap_err(), NetworkError::ProxyAddress, "{proxy}");
        }
        for proxy in ["http://ana:x@proxy.example", "http://ana@proxy.example"] {
            assert_eq!(said(proxy).unwrap_err(), NetworkError::ProxySecret, "{proxy}");
        }
    }

    #[test]
    fn a_file_of_certificates_counts_by_its_content() {
        let made = || rcgen::generate_simple_self_signed(vec!["x.example".into()]).unwrap();
        let (one, other) = (made().cert.pem(), made().cert.pem());
        let said = |pem: &str| NetworkSettings::default().trusting("ca.pem", pem.as_bytes());
        let line = |pem| said(pem).unwrap().lines["profile.ca-file"].clone();
        assert!(line(&one).starts_with("ca.pem (SHA-256 "), "{}", line(&one));
        assert_ne!(line(&one), line(&other));
        let damaged = one.replacen("MII", "AAA", 1);
        for pem in ["", "no certificate", &one[..one.len() / 2], &damaged] {
            assert_eq!(said(pem).unwrap_err(), NetworkError::NoCertificates, "{pem:.40}");
        }
    }
}
