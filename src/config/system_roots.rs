//! Reads the certificates that the operating system trusts.
//!
//! On Linux, other programs let the environment variables `SSL_CERT_FILE` and `SSL_CERT_DIR` name
//! other certificates. Whoever can set them could then pose as the service, and the seller would
//! see nothing. So this module reads only the system's own places. A certificate is added only by
//! `ca-file`, which the seller agrees to.

use std::fs;
use std::path::PathBuf;

/// The environment variables that other programs use for their certificates. This program ignores
/// them.
pub const IGNORED_VARIABLES: [&str; 2] = ["SSL_CERT_FILE", "SSL_CERT_DIR"];

/// The files that have all certificates of the system. Each distribution has one of them.
const FILES: [&str; 7] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/pki/tls/cacert.pem",
    "/etc/ssl/cert.pem",
    "/opt/etc/ssl/certs/ca-certificates.crt",
];

/// The directories with one file for each certificate of the system.
const DIRECTORIES: [&str; 2] = ["/etc/ssl/certs", "/etc/pki/tls/certs"];

/// The contents of all files with the system's certificates, in PEM. May take some tens of
/// milliseconds.
pub fn read() -> Vec<Vec<u8>> {
    read_places(&FILES, &DIRECTORIES)
}

/// Reads the first of these files that exists, and all files in these directories.
fn read_places(files: &[&str], directories: &[&str]) -> Vec<Vec<u8>> {
    let file = files.iter().map(PathBuf::from).find(|file| file.is_file());
    let entries = directories
        .iter()
        .filter_map(|directory| fs::read_dir(directory).ok());
    let entries = entries.flatten().flatten().map(|entry| entry.path());
    // Skip directories, and pipes, from which reading could block.
    let paths = file
        .into_iter()
        .chain(entries.filter(|path| path.is_file()));
    paths.filter_map(|path| fs::read(path).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_file_and_all_directories_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
        fs::create_dir_all(path("certs/below")).unwrap();
        for name in ["bundle", "later", "certs/1", "certs/2"] {
            fs::write(path(name), name).unwrap();
        }
        std::os::unix::fs::symlink(path("nowhere"), path("certs/3")).unwrap();
        let [absent, bundle, later] = ["absent", "bundle", "later"].map(path);
        let [certs, none] = ["certs", "none"].map(path);
        let mut texts = read_places(&[&absent, &bundle, &later], &[&certs, &none]);
        texts.sort();
        assert_eq!(
            texts,
            ["bundle", "certs/1", "certs/2"].map(|text| text.as_bytes().to_vec())
        );
        assert!(read_places(&[&absent], &[&none]).is_empty());
    }
}
