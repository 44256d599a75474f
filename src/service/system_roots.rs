//! Chooses the certificates that the client trusts: those of the operating system, and those of the
//! profile.
//!
//! On Linux, the HTTP library would let the environment variables `SSL_CERT_FILE` and
//! `SSL_CERT_DIR` name other certificates. Whoever can set them could then pose as the service, and
//! the seller would see nothing. So this module reads the system's certificates itself. A
//! certificate is added only by `ca-file`, which the seller agrees to.

use reqwest::{Certificate, ClientBuilder};

/// The environment variables that other programs use for their certificates. This program ignores
/// them.
pub const IGNORED_VARIABLES: [&str; 2] = ["SSL_CERT_FILE", "SSL_CERT_DIR"];

/// Trusts the certificates of the system, and these certificates. Returns `None` if there is no
/// certificate at all. May take some tens of milliseconds.
#[cfg(target_os = "linux")]
pub(super) fn trust(builder: ClientBuilder, own: Vec<Certificate>) -> Option<ClientBuilder> {
    let system = linux::read(&linux::FILES, &linux::DIRECTORIES).into_iter();
    let system = system.filter_map(|certificate| Certificate::from_der(&certificate).ok());
    let certificates: Vec<Certificate> = system.chain(own).collect();
    (!certificates.is_empty()).then(|| builder.tls_certs_only(certificates))
}

/// Trusts the certificates of the system, and these certificates.
#[cfg(not(target_os = "linux"))]
pub(super) fn trust(builder: ClientBuilder, own: Vec<Certificate>) -> Option<ClientBuilder> {
    Some(builder.tls_certs_merge(own))
}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::HashSet;
    use std::fs;
    use std::path::PathBuf;

    use rustls::RootCertStore;
    use rustls::pki_types::CertificateDer;
    use rustls::pki_types::pem::PemObject;

    /// The files that have all certificates of the system. Each distribution has one of them.
    pub const FILES: [&str; 7] = [
        "/etc/ssl/certs/ca-certificates.crt",
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
        "/etc/pki/tls/certs/ca-bundle.crt",
        "/etc/ssl/ca-bundle.pem",
        "/etc/pki/tls/cacert.pem",
        "/etc/ssl/cert.pem",
        "/opt/etc/ssl/certs/ca-certificates.crt",
    ];

    /// The directories with one file for each certificate of the system.
    pub const DIRECTORIES: [&str; 2] = ["/etc/ssl/certs", "/etc/pki/tls/certs"];

    /// Reads the first of these files that exists, and all files in these directories. Skips
    /// certificates that cannot be used, because one of them must not make the others unusable.
    pub fn read(files: &[&str], directories: &[&str]) -> HashSet<CertificateDer<'static>> {
        let file = files.iter().map(PathBuf::from).find(|file| file.is_file());
        let entries = directories.iter().filter_map(|directory| fs::read_dir(directory).ok());
        let entries = entries.flatten().flatten().map(|entry| entry.path());
        // Skip directories, and pipes, from which reading could block.
        let paths = file.into_iter().chain(entries.filter(|path| path.is_file()));
        paths.filter_map(|path| fs::read(path).ok()).flat_map(|pem| usable_roots(&pem)).collect()
    }

    fn usable_roots(pem: &[u8]) -> Vec<CertificateDer<'static>> {
        let certificates = CertificateDer::pem_slice_iter(pem).filter_map(Result::ok);
        certificates.filter(|root| RootCertStore::empty().add(root.clone()).is_ok()).collect()
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        fn certificate() -> String {
            rcgen::generate_simple_self_signed(vec!["x.example".into()]).unwrap().cert.pem()
        }

        #[test]
        fn usable_certificates_of_the_system_are_read_once() {
            let dir = tempfile::tempdir().unwrap();
            let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
            let [first, second, third] = [(); 3].map(|()| certificate());
            let damaged = first.replacen("MII", "AAA", 1);
            fs::write(path("bundle"), format!("# mine\n{first}{damaged}{second}")).unwrap();
            fs::write(path("later"), certificate()).unwrap();
            fs::create_dir_all(path("certs/below")).unwrap();
            for (name, text) in [("certs/1", &first), ("certs/2", &third), ("certs/3", &damaged)] {
                fs::write(path(name), text).unwrap();
            }
            std::os::unix::fs::symlink(path("certs/2"), path("certs/4")).unwrap();
            std::os::unix::fs::symlink(path("nowhere"), path("certs/5")).unwrap();
            let [absent, bundle, later] = ["absent", "bundle", "later"].map(path);
            let directories = [&*path("certs"), &*path("none")].map(str::to_owned);
            let directories = directories.each_ref().map(String::as_str);
            assert_eq!(read(&[&absent, &bundle, &later], &directories).len(), 3);
            assert_eq!(read(&[&bundle], &[]).len(), 2);
            assert_eq!(read(&[&absent], &[]).len(), 0);
        }
    }
}
