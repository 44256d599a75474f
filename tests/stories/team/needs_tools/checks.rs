//! Creating a journal, and examining a database.

use balcao::team::Finding;

use super::*;

#[test]
fn problems_of_the_server_are_found() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let report = team.check("ana").unwrap();
    let expected = [
        Finding::FsyncOff,
        Finding::FullPageWritesOff,
        Finding::NoStandby,
        Finding::Unencrypted,
    ];
    assert_eq!(report.findings, expected);
    assert!(!report.findings.iter().any(Finding::is_refusal));
    assert!(!report.is_encrypted && report.difference_ms.abs() < 10_000);
    assert_eq!(
        (report.least_format, report.least_approvals),
        (Some(1), Some(0))
    );
    let id = team.connect("bia").online().connection.team();
    assert_eq!(report.team, id);

    let off = "ALTER ROLE bia SET synchronous_commit = off";
    team.sql(
        ADMIN,
        &format!("{off}; UPDATE balcao.journal SET least_format = 2"),
    )
    .unwrap();
    let report = team.check("bia").unwrap();
    let newer = Finding::OtherFormat {
        needed: 2,
        known: 1,
    };
    assert!(report.findings.contains(&newer));
    let commit = Finding::SynchronousCommit("off".into());
    assert!(report.findings.contains(&commit), "{:?}", report.findings);
    team.sql(ADMIN, "ALTER ROLE bia RESET synchronous_commit")
        .unwrap();
}

#[test]
fn each_missing_right_is_named() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let report = team.check("visitor").unwrap();
    let mut missing: Vec<&str> = Vec::new();
    for finding in &report.findings {
        if let Finding::MissingRight(name) = finding {
            missing.push(name);
        }
    }
    missing.sort();
    assert_eq!(missing.len(), 30, "{missing:?}");
    assert_eq!(missing[0], "INSERT (at) ON balcao.event");
    assert_eq!(missing[29], "USAGE ON SCHEMA balcao");
    assert_eq!(report.team, None);
    let group = format!("{}_operators", team.database);
    let revoke = format!("REVOKE INSERT (who) ON balcao.event FROM {group}");
    team.sql(ADMIN, &revoke).unwrap();
    let report = team.check("ana").unwrap();
    let expected = Finding::MissingRight("INSERT (who) ON balcao.event".into());
    assert_eq!(report.findings[0], expected);
    assert!(expected.is_refusal());
}

#[test]
fn role_that_can_do_too_much_is_found() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let report = team.check(ADMIN).unwrap();
    for expected in [Finding::Superuser, Finding::Owner, Finding::CanChange] {
        assert!(report.findings.contains(&expected), "{:?}", report.findings);
    }
    team.sql(
        ADMIN,
        "GRANT UPDATE (least_approvals) ON balcao.journal TO ana",
    )
    .unwrap();
    let report = team.check("ana").unwrap();
    assert!(report.findings.contains(&Finding::CanChange));
    assert!(!report.findings.contains(&Finding::Owner));
}

#[test]
fn synchronous_standby_satisfies_the_check() {
    if !has_postgres() {
        return;
    }
    let primary = Arc::new(Postgres::start(&[]));
    let team = Team::on(primary.clone());
    let standby = primary.start_standby(&[]);
    let found = |role: &str| team.check(role).unwrap().findings;
    assert!(found("ana").contains(&Finding::AsynchronousStandbys));
    let set = "ALTER SYSTEM SET synchronous_standby_names = '*'";
    team.sql(ADMIN, set).unwrap();
    team.sql(ADMIN, "SELECT pg_reload_conf()").unwrap();
    let is_synchronous = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'";
    team.wait_until(is_synchronous, "1");
    assert_eq!(
        found("ana"),
        [Finding::HiddenStandbys, Finding::Unencrypted]
    );
    team.sql(ADMIN, "GRANT pg_read_all_stats TO ana").unwrap();
    assert_eq!(found("ana"), [Finding::Unencrypted]);
    drop(standby);
    team.wait_until("SELECT count(*) FROM pg_stat_replication", "0");
    let expected = [Finding::NoSynchronousStandby, Finding::Unencrypted];
    assert_eq!(found("ana"), expected);
}

#[test]
fn printed_sql_creates_the_same_journal() {
    if !has_postgres() {
        return;
    }
    let team = Team::new();
    let server = &team.server;
    let database = server.create_database();
    let members = Members {
        operators: vec!["ana".into(), "bia".into()],
        purgers: vec!["eva".into()],
        needs_approval: None,
    };
    let sql = team::init_sql(&database, &members).unwrap();
    server.sql(&database, ADMIN, &sql).unwrap();
    let printed = Team {
        server: server.clone(),
        database,
    };
    let describe = |team: &Team| {
        let columns = "SELECT table_name, column_name, data_type, column_default, grantee, \
                       privilege_type FROM information_schema.columns LEFT JOIN \
                       information_schema.column_privileges USING (table_name, column_name) \
                       WHERE columns.table_schema = 'balcao' ORDER BY 1, 2, 5, 6";
        let text = team.sql(ADMIN, columns).unwrap();
        text.replace(&team.database, "")
    };
    assert_eq!(describe(&team), describe(&printed));
    let mut ana = printed.connect("ana").online();
    ana.append(&[prepared(1, 1)], &start()).unwrap();
    // Creating it again only adds members.
    server.create_role("new");
    let members = Members {
        operators: vec!["new".into()],
        ..Members::default()
    };
    let again = printed.init(ADMIN, &members).unwrap();
    assert!(!again.is_new);
    assert_eq!(Some(again.team), ana.connection.team());
    assert_eq!(printed.connect("new").online().rows().len(), 1);
}

#[test]
fn failed_init_changes_nothing() {
    if !has_postgres() {
        return;
    }
    let server = Postgres::shared();
    for role in ["ana", "visitor"] {
        server.create_role(role);
    }
    let team = Team {
        database: server.create_database(),
        server,
    };
    let init = |role: &str, operator: &str| {
        let members = Members {
            operators: vec![operator.into()],
            ..Members::default()
        };
        team.init(role, &members)
    };
    let error = init(ADMIN, "nobody else").unwrap_err();
    assert!(matches!(error, InitError::NoSuchRole(_)), "{error}");
    let error = init("visitor", "ana").unwrap_err();
    assert!(matches!(error, InitError::NotAllowed(_)), "{error}");
    let group = format!("{}_purgers", team.database);
    team.sql(ADMIN, &format!("CREATE ROLE {group}")).unwrap();
    let error = init(ADMIN, "ana").unwrap_err();
    assert!(matches!(error, InitError::RoleExists(_)), "{error}");
    let schemas = "SELECT count(*) FROM pg_namespace WHERE nspname = 'balcao'";
    assert_eq!(team.sql(ADMIN, schemas).as_deref(), Ok("0"));
    team.sql(ADMIN, &format!("DROP ROLE {group}")).unwrap();
    assert!(init(ADMIN, "ana").unwrap().is_new);
}
