//! The HTTP client, and everything it must never do.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures_util::future::BoxFuture;
use reqwest::{Certificate, ClientBuilder, NoProxy, Proxy};
use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;
use url::Url;

use super::in_time::in_time;
use super::sandbox_proof::SandboxProof;
use crate::contract::Contract;
use crate::trade::withdrawal::NotSent;
use crate::trade::{Clocks, Exchange, Failure, Secret, Wall};

/// The receiver of every exchange, already masked.
pub type Tracer = Arc<dyn Fn(Exchange) + Send + Sync>;

/// Reads the clocks.
pub type ReadClocks = Arc<dyn Fn() -> Clocks + Send + Sync>;

/// The seller behind a client, asked before each request.
///
/// No request that a contract shapes is sent without the consent to it.
pub trait Consent: Send + Sync {
    /// Checks that the seller agreed to every line of this contract.
    fn check<'a>(&'a self, contract: &'a Contract) -> BoxFuture<'a, Result<(), NotSent>>;

    /// Reads every credential that is at hand, to hide it in the reply: between requests no
    /// credential is in memory.
    fn credentials(&self) -> BoxFuture<'_, Vec<Secret>> {
        Box::pin(std::future::ready(vec![]))
    }
}

impl<F: Fn(&Contract) -> Result<(), NotSent> + Send + Sync> Consent for F {
    fn check<'a>(&'a self, contract: &'a Contract) -> BoxFuture<'a, Result<(), NotSent>> {
        Box::pin(std::future::ready(self(contract)))
    }
}

/// The consent of a client that sends nothing under a contract.
pub fn no_consent(_: &Contract) -> Result<(), NotSent> {
    Err(NotSent::NotAgreed)
}

/// The limits of a client, in time and bytes, and in what it may ask for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// One exchange in all, from name resolution to the last byte of the reply.
    pub total: Duration,
    /// Until a connection stands, TLS included.
    pub connect: Duration,
    /// The most bytes of a reply.
    pub reply_bytes: usize,
    /// The most bytes of a reply that is a list.
    pub list_bytes: usize,
    /// True when nothing but the login and plain GETs may leave.
    pub reads_only: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            total: Duration::from_secs(30),
            connect: Duration::from_secs(10),
            reply_bytes: 256 * 1024,
            list_bytes: 2 * 1024 * 1024,
            reads_only: false,
        }
    }
}

/// The two numbers of this machine; the port is the address's own.
const THIS_MACHINE: [SocketAddr; 2] = [
    SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0),
    SocketAddr::new(IpAddr::V6(Ipv6Addr::LOCALHOST), 0),
];

/// The client of all services; cheap to clone, and built when it is first used.
///
/// Building it reads the system's certificates, which takes longer than a frame.
#[derive(Clone)]
pub struct Client(Arc<Inner>);

struct Inner {
    plain: OnceLock<Option<reqwest::Client>>,
    secured: OnceCell<Option<reqwest::Client>>,
    limits: Limits,
    connection: NetworkSettings,
    consent: Arc<dyn Consent>,
    clocks: ReadClocks,
    tracer: Tracer,
}

impl Client {
    /// Creates a client with the given limits, route, consent and clocks; `tracer` receives every
    /// exchange.
    pub fn new(
        limits: Limits,
        connection: NetworkSettings,
        consent: Arc<dyn Consent>,
        clocks: ReadClocks,
        tracer: Tracer,
    ) -> Client {
        Client(Arc::new(Inner {
            plain: OnceLock::new(),
            secured: OnceCell::new(),
            limits,
            connection,
            consent,
            clocks,
            tracer,
        }))
    }

    /// Reads the credentials to hide in the reply to the next request.
    pub(super) async fn known_credentials(&self) -> Vec<Secret> {
        self.0.consent.credentials().await
    }

    /// Its limits.
    pub fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// Checks that the seller agreed to the contract that shaped a request.
    pub(super) async fn check_consent(&self, contract: &Contract) -> Result<(), Failure> {
        self.0.consent.check(contract).await.map_err(Failure::NotSent)
    }

    pub(super) fn now(&self) -> Wall {
        self.clocks().wall
    }

    pub(super) fn clocks(&self) -> Clocks {
        (self.0.clocks)()
    }

    pub(super) fn trace(&self, exchange: Exchange) {
        (self.0.tracer)(exchange);
    }

    /// The library's client for this address; without one (no certificates can be read, or the
    /// sandbox is not there any more) nothing is sent.
    ///
    /// Plain http goes to this machine only, and there no certificate is looked at: reading them
    /// all would cost a demo most of its memory.
    pub(super) async fn http(&self, url: &Url) -> Result<&reqwest::Client, Failure> {
        let limits = &self.0.limits;
        let proof = self.0.connection.proof();
        if let Some(proof) = proof {
            proof.allow().await?;
        }
        let built = if url.scheme() == "https" {
            // Reading every certificate takes longer than a frame, and frames are drawn here.
            let with_certificates = || async {
                let builder = self.0.connection.apply(build(limits, None));
                spawn_blocking(|| builder.build().ok()).await.unwrap_or_default()
            };
            self.0.secured.get_or_init(with_certificates).await
        } else {
            self.0.plain.get_or_init(|| build(limits, proof).tls_certs_only([]).build().ok())
        };
        built.as_ref().ok_or(Failure::NotSent(NotSent::Tls))
    }
}

/// No retries, no redirects, no kept connections, no proxy but a profile's own, no referer.
pub(super) fn build(limits: &Limits, proof: Option<&SandboxProof>) -> reqwest::ClientBuilder {
    in_time(reqwest::Client::builder(), proof.cloned())
        .retry(reqwest::retry::never())
        .redirect(reqwest::redirect::Policy::none())
        // A kept connection may be dead, and the library would then send once more by itself.
        .pool_max_idle_per_host(0)
        .no_proxy()
        // What goes to this machine in clear goes nowhere else, whatever a hosts file says.
        .resolve_to_addrs("localhost", &THIS_MACHINE)
        .referer(false)
        .http1_only()
        // A header over several lines is old and still allowed in a reply (RFC 9112, 5.2).
        .http1_allow_obsolete_multiline_headers_in_responses(true)
        // As the documentation writes them; some gateways look for nothing else.
        .http1_title_case_headers()
        // The library that is built in speaks nothing older anyway; another one may.
        .tls_version_min(reqwest::tls::Version::TLS_1_2)
        .connect_timeout(limits.connect)
        .timeout(limits.total)
}

/// What stays on this machine never passes a proxy.
const NOT_PROXIED: &str = "localhost,127.0.0.0/8,::1";

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
            Some(proxy) => builder.proxy(proxy.no_proxy(NoProxy::from_string(NOT_PROXIED))),
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
