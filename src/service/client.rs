//! The HTTP client, its limits, and the network settings of a profile.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures_util::future::BoxFuture;
use reqwest::{Certificate, ClientBuilder, NoProxy, Proxy};
use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;
use url::Url;

use super::sandbox_proof::SandboxProof;
use super::send_condition::add_send_condition;
use super::system_roots::{self, ReadSystemRoots};
use crate::contract::Contract;
use crate::trade::withdrawal::NotSent;
use crate::trade::{Clocks, Exchange, ExchangeId, Failure, Secret, Wall};

/// A callback that receives a record of every request and its reply, with secrets already masked.
pub type Tracer = Arc<dyn Fn(Exchange) + Send + Sync>;

/// A callback that returns the current time of several clocks.
pub type ReadClocks = Arc<dyn Fn() -> Clocks + Send + Sync>;

/// Checks before each request whether the seller has agreed to the API contract. The settings of
/// the contract determine how requests are built. Without the seller's consent, nothing is sent.
pub trait Consent: Send + Sync {
    /// An error if the seller has not agreed to every setting of this API contract.
    fn check<'a>(&'a self, contract: &'a Contract) -> BoxFuture<'a, Result<(), NotSent>>;

    /// The stored credentials, so that the client can mask them in replies.
    ///
    /// They are loaded again for each request, because the client keeps no credential in memory
    /// between requests.
    fn credentials(&self) -> BoxFuture<'_, Vec<Secret>> {
        Box::pin(std::future::ready(vec![]))
    }
}

impl<F: Fn(&Contract) -> Result<(), NotSent> + Send + Sync> Consent for F {
    fn check<'a>(&'a self, contract: &'a Contract) -> BoxFuture<'a, Result<(), NotSent>> {
        Box::pin(std::future::ready(self(contract)))
    }
}

/// A [`Consent`] that rejects every request.
pub fn no_consent(_: &Contract) -> Result<(), NotSent> {
    Err(NotSent::NotAgreed)
}

/// The limits of a client: its time limits, the maximum length of replies, and whether it is
/// read-only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// The time limit of a request, from the DNS lookup to the last byte of the reply.
    pub request_timeout: Duration,
    /// The time limit for opening a connection, including the TLS handshake.
    pub connect_timeout: Duration,
    /// The maximum length of a reply's body, in bytes.
    pub max_reply_bytes: usize,
    /// The maximum length of a reply's body that contains a list, such as the checkout domains, in
    /// bytes.
    pub max_list_bytes: usize,
    /// True in read-only mode, which allows only logins and plain `GET` requests.
    pub is_read_only: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            request_timeout: Duration::from_secs(30),
            connect_timeout: Duration::from_secs(10),
            max_reply_bytes: 256 * 1024,
            max_list_bytes: 2 * 1024 * 1024,
            is_read_only: false,
        }
    }
}

/// The two loopback addresses. The HTTP library replaces the port 0 with the port of the URL.
const THIS_MACHINE: [SocketAddr; 2] = [
    SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0),
    SocketAddr::new(IpAddr::V6(Ipv6Addr::LOCALHOST), 0),
];

/// The HTTP client for all services. It is cheap to clone.
///
/// The HTTP library's client is created on first use, because reading the system's certificates
/// takes longer than drawing a frame.
#[derive(Clone)]
pub struct Client(Arc<Inner>, Tracer);

struct Inner {
    http_client: OnceLock<Option<reqwest::Client>>,
    https_client: OnceCell<Option<reqwest::Client>>,
    limits: Limits,
    network: NetworkSettings,
    consent: Arc<dyn Consent>,
    clocks: ReadClocks,
    /// The number of exchanges so far.
    exchange_count: AtomicU64,
}

impl Client {
    /// Creates a client with these limits, network settings, consent check and clocks. `tracer`
    /// receives a record of every request.
    pub fn new(
        limits: Limits,
        network: NetworkSettings,
        consent: Arc<dyn Consent>,
        clocks: ReadClocks,
        tracer: Tracer,
    ) -> Client {
        let inner = Inner {
            http_client: OnceLock::new(),
            https_client: OnceCell::new(),
            limits,
            network,
            consent,
            clocks,
            exchange_count: AtomicU64::new(0),
        };
        Client(Arc::new(inner), tracer)
    }

    /// Returns this client with another receiver of the records of its requests.
    pub(super) fn with_tracer(&self, tracer: Tracer) -> Client {
        Client(self.0.clone(), tracer)
    }

    /// The stored credentials. They must be masked in the next reply.
    pub(super) async fn stored_credentials(&self) -> Vec<Secret> {
        self.0.consent.credentials().await
    }

    /// The limits of the client.
    pub fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// An error if the seller has not agreed to this API contract.
    pub(super) async fn check_consent(&self, contract: &Contract) -> Result<(), Failure> {
        self.0
            .consent
            .check(contract)
            .await
            .map_err(Failure::NotSent)
    }

    pub(super) fn now(&self) -> Wall {
        self.clocks().wall
    }

    pub(super) fn clocks(&self) -> Clocks {
        (self.0.clocks)()
    }

    pub(super) fn trace(&self, exchange: Exchange) {
        let number = self.0.exchange_count.fetch_add(1, Ordering::Relaxed) + 1;
        (self.1)(Exchange {
            id: ExchangeId::Run(number),
            ..exchange
        });
    }

    /// The HTTP library's client for this URL.
    ///
    /// Plain http is used only for this machine. The client for plain http does not load the
    /// system's certificates, which would take most of the memory that a demo uses.
    ///
    /// # Errors
    ///
    /// Returns an error if the certificates cannot be read. Also returns an error if the service
    /// proved earlier that it is the sandbox, but later failed to repeat the proof.
    pub(super) async fn http(&self, url: &Url) -> Result<&reqwest::Client, Failure> {
        let limits = &self.0.limits;
        let proof = self.0.network.proof();
        if let Some(proof) = proof {
            proof.check_not_lost().await?;
        }
        let client = if url.scheme() == "https" {
            // Create the client on another thread, because this thread draws the frames.
            self.0
                .https_client
                .get_or_init(|| async {
                    let network = &self.0.network;
                    let builder = network.add_proxy(client_builder(limits, None));
                    let system = network.system_roots;
                    let own = network.roots.clone();
                    spawn_blocking(move || system_roots::trust(builder, system, own)?.build().ok())
                        .await
                        .unwrap_or_default()
                })
                .await
        } else {
            self.0.http_client.get_or_init(|| {
                let builder = client_builder(limits, proof).tls_certs_only([]);
                self.0.network.connect(builder).build().ok()
            })
        };
        client.as_ref().ok_or(Failure::NotSent(NotSent::Tls))
    }
}

/// A builder for an HTTP client. The client never retries, follows redirects or reuses connections.
/// It sends no referer and uses no proxy from the environment.
pub(super) fn client_builder(
    limits: &Limits,
    proof: Option<&SandboxProof>,
) -> reqwest::ClientBuilder {
    add_send_condition(reqwest::Client::builder(), proof.cloned())
        .retry(reqwest::retry::never())
        .redirect(reqwest::redirect::Policy::none())
        // Never reuse a connection: if the server had closed it, the library would send the request
        // again.
        .pool_max_idle_per_host(0)
        .no_proxy()
        // Requests to `localhost` must stay on this machine, even if the hosts file maps the name
        // to another machine.
        .resolve_to_addrs("localhost", &THIS_MACHINE)
        .referer(false)
        .http1_only()
        // Accept header values that span several lines. Such headers are obsolete, but a reply may
        // contain them (RFC 9112, 5.2).
        .http1_allow_obsolete_multiline_headers_in_responses(true)
        // Write header names with capital letters, as in the API documentation. Some gateways
        // accept no other spelling.
        .http1_title_case_headers()
        // Set the minimum TLS version explicitly, because another TLS library might have a lower
        // default.
        .tls_version_min(reqwest::tls::Version::TLS_1_2)
        .connect_timeout(limits.connect_timeout)
        .timeout(limits.request_timeout)
}

/// The host names and addresses of this machine. They are never reached through a proxy.
const NO_PROXY_HOSTS: &str = "localhost,127.0.0.0/8,::1";

/// The settings for connecting to a service, such as additional certificates, a proxy, and the
/// proof that the service is the sandbox.
#[derive(Debug, Clone, Default)]
pub struct NetworkSettings {
    system_roots: Option<ReadSystemRoots>,
    /// The certificates that are trusted in addition to the system's.
    roots: Vec<Certificate>,
    proxy: Option<Url>,
    /// The network settings to which the seller must agree. The keys are their names, such as
    /// `profile.ca-file`.
    lines: BTreeMap<String, String>,
    /// The state of the proof that the service is the sandbox. `None` if the service is not on this
    /// machine.
    proof: Option<SandboxProof>,
    /// The Unix socket of the service, or `None` to connect to the address in the URL.
    socket: Option<PathBuf>,
}

/// The reason why a network setting is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// The file contains no valid certificate.
    #[error("it holds no certificate in PEM that can be used")]
    NoCertificates,
    /// The proxy URL is not made up of exactly a scheme, a host and a port.
    #[error("a proxy is named by scheme, host and port, such as http://proxy.example:3128")]
    ProxyAddress,
    /// The proxy URL contains a user name or a password.
    #[error("the address of a proxy must not hold a user name or password")]
    ProxySecret,
}

impl NetworkSettings {
    /// Trusts the system's certificates, which this function reads.
    pub fn with_system_roots(self, read: ReadSystemRoots) -> NetworkSettings {
        NetworkSettings {
            system_roots: Some(read),
            ..self
        }
    }

    /// Trusts the certificates in a PEM file in addition to the system's certificates. `name` is
    /// the name of the file.
    pub fn with_root_certificates(
        mut self,
        name: &str,
        pem: &[u8],
    ) -> Result<NetworkSettings, NetworkError> {
        let roots = Certificate::from_pem_bundle(pem).map_err(|_| NetworkError::NoCertificates)?;
        if roots.is_empty() {
            return Err(NetworkError::NoCertificates);
        }
        // The HTTP library reports an invalid certificate only when a client is created. Create one
        // now.
        let builder = reqwest::Client::builder().tls_certs_only(roots.clone());
        builder.build().map_err(|_| NetworkError::NoCertificates)?;
        // The seller must agree to the file's checksum, because a changed certificate could let
        // another host receive a withdrawal.
        let checksum: String = Sha256::digest(pem)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        self.lines.insert(
            "profile.ca-file".into(),
            format!("{name} (SHA-256 {checksum})"),
        );
        self.roots = roots;
        Ok(self)
    }

    /// Adds a proxy, such as `http://proxy.example:3128`.
    pub fn with_proxy(mut self, proxy: &str) -> Result<NetworkSettings, NetworkError> {
        // Reject control characters and white space here. The URL parser would silently remove
        // them.
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
        let proxy_url = url.as_str().trim_end_matches('/').to_owned();
        self.lines
            .insert(crate::contract::PROXY_SETTING.into(), proxy_url);
        self.proxy = Some(url);
        Ok(self)
    }

    /// Sets the proof that the service is the sandbox. After the first valid proof, the service
    /// must repeat the proof on every new connection.
    pub fn with_proof(self, proof: Option<SandboxProof>) -> NetworkSettings {
        NetworkSettings { proof, ..self }
    }

    /// Sets the Unix socket to which the client connects, instead of the address in the URL.
    pub fn with_socket(self, socket: Option<PathBuf>) -> NetworkSettings {
        NetworkSettings { socket, ..self }
    }

    /// Adds the Unix socket to the builder of the client for this machine.
    fn connect(&self, builder: ClientBuilder) -> ClientBuilder {
        match self.socket.clone() {
            Some(socket) => builder.unix_socket(socket),
            None => builder,
        }
    }

    pub(super) fn proof(&self) -> Option<&SandboxProof> {
        self.proof.as_ref()
    }

    /// The network settings to which the seller must agree. The keys are their names, such as
    /// `profile.ca-file`.
    pub fn consent_settings(&self) -> &BTreeMap<String, String> {
        &self.lines
    }

    /// Adds the proxy to the builder of the client for other machines.
    fn add_proxy(&self, builder: ClientBuilder) -> ClientBuilder {
        let proxy = self
            .proxy
            .as_ref()
            .and_then(|url| Proxy::all(url.as_str()).ok());
        match proxy {
            Some(proxy) => builder.proxy(proxy.no_proxy(NoProxy::from_string(NO_PROXY_HOSTS))),
            None => builder,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_is_scheme_host_and_port_without_a_secret() {
        let consent_lines = |proxy| {
            NetworkSettings::default()
                .with_proxy(proxy)
                .map(|network| network.lines)
        };
        for (proxy, line) in [
            ("http://proxy.example:3128", "http://proxy.example:3128"),
            ("https://proxy.example/", "https://proxy.example"),
            ("http://[::1]:8080", "http://[::1]:8080"),
        ] {
            assert_eq!(consent_lines(proxy).unwrap()["profile.proxy"], line);
        }
        for proxy in [
            "proxy.example",
            "",
            "socks5://x:1",
            "http://x/p",
            "http://x?a",
            "http://x\n",
            "http:",
        ] {
            assert_eq!(
                consent_lines(proxy).unwrap_err(),
                NetworkError::ProxyAddress,
                "{proxy}"
            );
        }
        for proxy in ["http://ana:x@proxy.example", "http://ana@proxy.example"] {
            assert_eq!(
                consent_lines(proxy).unwrap_err(),
                NetworkError::ProxySecret,
                "{proxy}"
            );
        }
    }

    #[test]
    fn certificate_file_is_identified_by_content() {
        let certificate = || rcgen::generate_simple_self_signed(vec!["x.example".into()]).unwrap();
        let first = certificate().cert.pem();
        let second = certificate().cert.pem();
        let trusting =
            |pem: &str| NetworkSettings::default().with_root_certificates("ca.pem", pem.as_bytes());
        let consent_line = |pem| trusting(pem).unwrap().lines["profile.ca-file"].clone();
        assert!(
            consent_line(&first).starts_with("ca.pem (SHA-256 "),
            "{}",
            consent_line(&first)
        );
        assert_ne!(consent_line(&first), consent_line(&second));
        let damaged = first.replacen("MII", "AAA", 1);
        for pem in ["", "no certificate", &first[..first.len() / 2], &damaged] {
            assert_eq!(
                trusting(pem).unwrap_err(),
                NetworkError::NoCertificates,
                "{pem:.40}"
            );
        }
    }
}
