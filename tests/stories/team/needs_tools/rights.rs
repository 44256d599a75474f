//! The rights of the operators' roles. The SQL is run by another client than the program's.

use super::*;

/// The SQL that appends an event, as an attacker could write it.
#[derive(Clone, Copy)]
struct Insert {
    n: i64,
    before: i64,
    kind: &'static str,
    format: i64,
    /// A further column and its value.
    extra: Option<(&'static str, &'static str)>,
}

impl Insert {
    fn sql(self) -> String {
        let sum = |n: i64| format!("decode(repeat(lpad(to_hex({n}), 2, '0'), 32), 'hex')");
        let before = match self.before {
            0 => "sha256('balcao money journal')".to_owned(),
            n => sum(n),
        };
        let (column, value) = self.extra.unzip();
        format!(
            "INSERT INTO balcao.event (n, before, at, key, kind, plain, sum, format{}) \
             VALUES ({}, {before}, 0, gen_random_uuid(), '{}', '{{\"n\":1}}', {}, {}{})",
            column.map(|it| format!(", {it}")).unwrap_or_default(),
            self.n,
            self.kind,
            sum(self.n),
            self.format,
            value.map(|it| format!(", {it}")).unwrap_or_default(),
        )
    }
}

/// A team whose log has two events.
fn team_with_events() -> (Team, Insert) {
    let team = Team::new();
    let mut ana = team.connect("ana").online();
    let rows = [prepared(1, 1), prepared(2, 2)];
    ana.append(&rows, &start()).unwrap();
    let fits = Insert {
        n: 3,
        before: 2,
        kind: "prepared",
        format: 1,
        extra: None,
    };
    (team, fits)
}

#[test]
fn only_the_next_event_can_be_appended() {
    if !has_postgres() {
        return;
    }
    let (team, fits) = team_with_events();
    for (code, attack) in [
        // A gap, a fork, and predecessors that are not the last event.
        (
            "23503",
            Insert {
                n: 4,
                before: 3,
                ..fits
            },
        ),
        (
            "23505",
            Insert {
                n: 2,
                before: 1,
                ..fits
            },
        ),
        ("23503", Insert { before: 1, ..fits }),
        ("23503", Insert { before: 0, ..fits }),
        (
            "23514",
            Insert {
                n: 0,
                before: 0,
                ..fits
            },
        ),
        (
            "23505",
            Insert {
                n: 1,
                before: 0,
                ..fits
            },
        ),
    ] {
        team.assert_refused("ana", code, &attack.sql());
        team.assert_refused(ADMIN, code, &attack.sql());
    }
    assert_eq!(team.events(), "1|prepared|ana 2|prepared|ana");
    team.sql("ana", &fits.sql()).unwrap();

    // The first event follows the start of the chain.
    let team = Team::new();
    let first = Insert {
        n: 1,
        before: 9,
        ..fits
    };
    team.assert_refused("ana", "23514", &first.sql());
    team.sql("ana", &Insert { before: 0, ..first }.sql())
        .unwrap();
}

#[test]
fn author_time_and_format_cannot_be_forged() {
    if !has_postgres() {
        return;
    }
    let (team, fits) = team_with_events();
    for (code, column, value) in [
        ("42501", "written_by", "'bia'"),
        ("42501", "written", "now() - interval '1 day'"),
        ("428C9", "number", "7"),
        ("428C9", "before_n", "1"),
    ] {
        let extra = Some((column, value));
        team.assert_refused("ana", code, &Insert { extra, ..fits }.sql());
    }
    let old = Insert { format: 0, ..fits }.sql();
    team.assert_refused("ana", "42501", &old);
    team.assert_refused("ana", "42501", &format!("SET row_security = off; {old}"));
    let purge = Insert {
        kind: "purged",
        ..fits
    }
    .sql();
    team.assert_refused("ana", "42501", &purge);
    team.sql(ADMIN, "UPDATE balcao.journal SET least_format = 2")
        .unwrap();
    team.assert_refused("ana", "42501", &fits.sql());
    team.assert_refused("eva", "42501", &purge);
    team.sql(ADMIN, "UPDATE balcao.journal SET least_format = 1")
        .unwrap();
    team.sql("eva", &purge).unwrap();
    assert_eq!(team.events(), "1|prepared|ana 2|prepared|ana 3|purged|eva");
}

#[test]
fn no_other_role_can_be_taken() {
    if !has_postgres() {
        return;
    }
    let (team, fits) = team_with_events();
    let [operators, purgers] = ["operators", "purgers"].map(|it| format!("{}_{it}", team.database));
    let append = fits.sql();
    for role in ["bia", "eva", ADMIN, &purgers] {
        team.assert_refused("ana", "42501", &format!("SET ROLE {role}; {append}"));
        let session = format!("SET SESSION AUTHORIZATION {role}; {append}");
        team.assert_refused("ana", "42501", &session);
    }
    let grant = format!("GRANT {operators} TO visitor");
    team.assert_refused("ana", "42501", &grant);
    // The group that Ana belongs to does not hide who she is.
    team.sql("ana", &format!("SET ROLE {operators}; {append}"))
        .unwrap();
    assert_eq!(
        team.events(),
        "1|prepared|ana 2|prepared|ana 3|prepared|ana"
    );
}

#[test]
fn events_and_settings_cannot_be_changed() {
    if !has_postgres() {
        return;
    }
    let (team, _) = team_with_events();
    let dump = "SELECT * FROM balcao.event, balcao.personal, balcao.journal";
    let before = team.sql(ADMIN, dump).unwrap();
    let attacks = [
        "UPDATE balcao.event SET plain = '{}' WHERE n = 1",
        "UPDATE balcao.event SET written_by = 'bia'",
        "DELETE FROM balcao.event",
        "TRUNCATE balcao.event CASCADE",
        "SET row_security = off; DELETE FROM balcao.event",
        "SELECT * FROM balcao.event FOR UPDATE",
        "UPDATE balcao.personal SET text = ''",
        "TRUNCATE balcao.personal",
        "UPDATE balcao.journal SET least_approvals = 0",
        "UPDATE balcao.journal SET least_format = 0",
        "INSERT INTO balcao.journal (only_row, format, least_format) VALUES (true, 1, 0)",
        "DELETE FROM balcao.journal",
        "ALTER TABLE balcao.event DISABLE ROW LEVEL SECURITY",
        "ALTER TABLE balcao.event ALTER written_by SET DEFAULT 'bia'",
        "CREATE POLICY mine ON balcao.event FOR INSERT WITH CHECK (true)",
        "DROP POLICY event_append ON balcao.event",
        "DROP TABLE balcao.personal",
        "DROP SCHEMA balcao CASCADE",
        "CREATE TABLE balcao.mine (n integer)",
        "CREATE TRIGGER mine BEFORE INSERT ON balcao.event FOR EACH ROW EXECUTE FUNCTION f()",
    ];
    for role in ["ana", "eva"] {
        for attack in attacks {
            team.assert_refused(role, "42501", attack);
        }
    }
    team.assert_refused("ana", "42501", "DELETE FROM balcao.personal");
    for table in ["event", "personal", "journal"] {
        team.assert_refused("visitor", "42501", &format!("SELECT FROM balcao.{table}"));
    }
    assert_eq!(team.sql(ADMIN, dump).unwrap(), before);
}

#[test]
fn personal_data_fits_its_event() {
    if !has_postgres() {
        return;
    }
    let (team, fits) = team_with_events();
    team.sql("ana", &fits.sql()).unwrap();
    let insert = |n: i64, text: &str| {
        format!(
            "INSERT INTO balcao.personal (n, sum, text) VALUES ({n}, sha256('{text}'), '{text}')"
        )
    };
    // The event has no personal data, or other data.
    team.assert_refused("ana", "23503", &insert(3, "joão"));
    team.assert_refused("ana", "23505", &insert(2, "joão"));
    let wrong = insert(3, "a").replace("sha256('a')", "sha256('b')");
    team.assert_refused("ana", "23514", &wrong);
    // A purger deletes only after an event that every machine follows.
    let delete = "DELETE FROM balcao.personal";
    team.sql("eva", delete).unwrap();
    let count = "SELECT count(*) FROM balcao.personal";
    assert_eq!(team.sql(ADMIN, count).as_deref(), Ok("2"));
}

#[test]
fn two_teams_on_one_server_are_separate() {
    if !has_postgres() {
        return;
    }
    let [team, other] = [Team::new(), Team::new()];
    team.server.create_role("zoe");
    let grant = format!("GRANT {}_operators TO zoe", other.database);
    team.sql(ADMIN, &grant).unwrap();
    let read = "SELECT least_format FROM balcao.journal";
    assert_eq!(other.sql("zoe", read).as_deref(), Ok("1"));
    team.assert_refused("zoe", "42501", read);
}
