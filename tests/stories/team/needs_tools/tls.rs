//! Connections with TLS.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use balcao::team::Finding;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};

use super::*;
use crate::postgres::give_to_server;

/// A certificate authority.
struct Authority {
    pem: Vec<u8>,
    issuer: Issuer<'static, KeyPair>,
}

impl Authority {
    fn new() -> Authority {
        let mut params = CertificateParams::new(vec![]).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let certificate = params.self_signed(&key).unwrap();
        Authority {
            pem: certificate.pem().into_bytes(),
            issuer: Issuer::new(params, key),
        }
    }

    /// Starts a server with a certificate for this name.
    fn start_server(&self, name: &str) -> Postgres {
        let folder = tempfile::tempdir().unwrap();
        give_to_server(folder.path());
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        let paths = ["certificate", "key"].map(|file| folder.path().join(file));
        for (path, text) in paths.iter().zip([certificate.pem(), key.serialize_pem()]) {
            fs::write(path, text).unwrap();
            fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
            give_to_server(path);
        }
        let [certificate, key] = paths.map(|path| path.display().to_string());
        // The server reads the files when it starts.
        Postgres::start(&[
            ("ssl", "on"),
            ("ssl_cert_file", &certificate),
            ("ssl_key_file", &key),
        ])
    }
}

fn with_ca(database: TeamDatabase, ca: &[u8]) -> TeamDatabase {
    TeamDatabase {
        ca: Some(ca.to_vec()),
        ..database
    }
}

#[track_caller]
fn assert_not_trusted(database: TeamDatabase) {
    let reason = Machine::open(database).offline_reason();
    assert!(matches!(reason, OfflineReason::Tls(_)), "{reason:?}");
}

#[test]
fn certificate_must_be_trusted_and_fit_the_name() {
    if !has_postgres() {
        return;
    }
    let authority = Authority::new();
    let team = Team::on(Arc::new(authority.start_server("localhost")));
    let at = |host: &str| {
        let text = format!(
            "postgres://ana@{host}:{}/{}",
            team.server.port(),
            team.database
        );
        TeamDatabase {
            url: text.parse().unwrap(),
            ..team.access("ana")
        }
    };
    let trusted = with_ca(at("localhost"), &authority.pem);
    let mut ana = Machine::open(trusted.clone()).online();
    ana.append(&[prepared(1, 1)], &start()).unwrap();
    let sessions = "SELECT count(*), bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity \
                    USING (pid) WHERE usename = 'ana'";
    assert_eq!(team.sql(ADMIN, sessions).as_deref(), Ok("2|t"));
    let report = block_on(team::check(&trusted, &password(), &wall())).unwrap();
    assert!(report.is_encrypted);
    assert!(!report.findings.contains(&Finding::Unencrypted));

    assert_not_trusted(with_ca(at("localhost"), &Authority::new().pem));
    assert_not_trusted(with_ca(at("localhost"), b"no certificate"));
    assert_not_trusted(with_ca(at("127.0.0.1"), &authority.pem));
    // An address that is not this machine's own, although it leads there.
    assert_not_trusted(at("0.0.0.0"));
    // Without a certificate, a connection to this machine itself has no TLS.
    Machine::open(at("127.0.0.1")).online();
}

#[test]
fn server_without_tls_is_refused() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let authority = Authority::new();
    assert_not_trusted(with_ca(team.access("ana"), &authority.pem));
    let text = format!(
        "postgres://ana@0.0.0.0:{}/{}",
        team.server.port(),
        team.database
    );
    assert_not_trusted(TeamDatabase {
        url: text.parse().unwrap(),
        ..team.access("ana")
    });
}
