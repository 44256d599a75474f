//! Creates the journal of a team in a database.

use tokio_postgres::Error;
use tokio_postgres::error::SqlState;
use uuid::Uuid;

use super::presence::OfflineReason;
use super::session::{self, Route};
use super::sql::{self, MAX_NAME_LEN, quote};
use super::{TeamDatabase, WallClock, failure};
use crate::trade::Secret;

/// The database roles that may use a journal, and the rule that they follow. The roles must exist.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Members {
    /// Roles that may read events and append them.
    pub operators: Vec<String>,
    /// Roles that may also delete personal data.
    pub purgers: Vec<String>,
    /// Whether a second operator must approve each withdrawal. `None` changes nothing.
    pub needs_approval: Option<bool>,
}

/// The result of creating a journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Initialised {
    /// The id of the team.
    pub team: Uuid,
    /// False if the journal existed, so that only the members were added.
    pub is_new: bool,
}

/// The reason why no journal was created.
///
/// The `Display` text is English, for scripts and logs. Texts of the server are untrusted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InitError {
    /// The database cannot be reached, or the journal in it cannot be read.
    #[error(transparent)]
    Offline(OfflineReason),
    /// A name is too long for the server: the database's, from which the names of two roles are
    /// made, or a member's.
    #[error("a name is too long: {0}")]
    LongName(String),
    /// A name contains a character that no name may contain, or is empty.
    #[error("a name is empty or contains a control character")]
    BadName,
    /// A role with the name of a group exists, perhaps from a deleted database. Its members would
    /// get access.
    #[error("a role exists already: {0}")]
    RoleExists(String),
    /// A member's role does not exist.
    #[error("a role does not exist: {0}")]
    NoSuchRole(String),
    /// The two-person rule needs two operators.
    #[error("the rule cannot be switched on: {0}")]
    NeedsTwoOperators(String),
    /// The administrator's role may not create the journal.
    #[error("this role may not create the journal: {0}")]
    NotAllowed(String),
    /// The server refused for any other reason.
    #[error("the server refused: {0}")]
    Refused(String),
}

impl From<OfflineReason> for InitError {
    fn from(reason: OfflineReason) -> InitError {
        InitError::Offline(reason)
    }
}

/// The SQL that creates the journal in the database of this name, as a single transaction. An
/// administrator who gives no one else the rights to do so can run it.
///
/// # Errors
///
/// Fails if a name cannot be used.
pub fn init_sql(database: &str, members: &Members) -> Result<String, InitError> {
    let groups = Groups::of(database)?;
    let grants = groups.grants(members)?;
    let mut sql = String::new();
    // Replace all placeholders in one pass, because a name may contain the text of one.
    for (i, part) in sql::SCHEMA.split('@').enumerate() {
        sql.push_str(match part {
            _ if i % 2 == 0 => part,
            "operators" => &groups.operators,
            "purgers" => &groups.purgers,
            _ => &grants,
        });
    }
    Ok(sql)
}

/// Creates the journal in a database. The address contains the administrator's role. If the journal
/// exists, adds the members to it.
///
/// # Errors
///
/// Fails if the database cannot be reached, or if the role has too few rights. Nothing was changed
/// then.
pub async fn init(
    database: &TeamDatabase,
    password: &Secret,
    wall: &WallClock,
    members: &Members,
) -> Result<Initialised, InitError> {
    let name = database.url.database();
    let sql = init_sql(name, members)?;
    let grants = Groups::of(name)?.grants(members)?;
    let route = Route::new(database, password, wall)?;
    let (client, _tasks) = route.open_plain().await?;
    let found = session::read_journal(&client).await;
    let is_new = matches!(found, Err(OfflineReason::NoJournal));
    if !is_new {
        found?;
    }
    let batch = if is_new { sql } else { grants };
    let done = client.batch_execute(&batch).await;
    done.map_err(|error| init_error(&error))?;
    let team = session::read_journal(&client).await?.team;
    Ok(Initialised { team, is_new })
}

/// The quoted names of the group roles of a database. Roles belong to the whole server, so the
/// groups of two databases need different names.
struct Groups {
    operators: String,
    purgers: String,
}

impl Groups {
    fn of(database: &str) -> Result<Groups, InitError> {
        Ok(Groups {
            operators: quote_role(&format!("{database}_operators"))?,
            purgers: quote_role(&format!("{database}_purgers"))?,
        })
    }

    /// The SQL that adds members to the groups, and sets their rule.
    fn grants(&self, members: &Members) -> Result<String, InitError> {
        let mut sql = String::new();
        for (group, roles) in [
            (&self.operators, &members.operators),
            (&self.purgers, &members.purgers),
        ] {
            for role in roles {
                sql.push_str(&format!("GRANT {group} TO {};\n", quote_role(role)?));
            }
        }
        if let Some(needs_approval) = members.needs_approval {
            let least = u8::from(needs_approval);
            sql.push_str(&format!(
                "UPDATE balcao.journal SET least_approvals = {least};\n"
            ));
        }
        Ok(sql)
    }
}

/// Quotes the name of a role. The server would silently cut a long name.
fn quote_role(name: &str) -> Result<String, InitError> {
    if name.is_empty() || name.contains(char::is_control) {
        return Err(InitError::BadName);
    }
    if name.len() > MAX_NAME_LEN {
        return Err(InitError::LongName(name.to_owned()));
    }
    Ok(quote(name))
}

fn init_error(error: &Error) -> InitError {
    let text = failure::text_of(error);
    match error.code() {
        Some(&SqlState::DUPLICATE_OBJECT) => InitError::RoleExists(text),
        Some(&SqlState::UNDEFINED_OBJECT) => InitError::NoSuchRole(text),
        Some(&SqlState::INSUFFICIENT_PRIVILEGE) => InitError::NotAllowed(text),
        Some(&SqlState::RAISE_EXCEPTION) => InitError::NeedsTwoOperators(text),
        _ => InitError::Refused(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_and_none_is_cut() {
        let members = Members {
            operators: vec!["ana".into(), "a\"; DROP ROLE eva; --".into()],
            purgers: vec!["Eva".into()],
            needs_approval: None,
        };
        let sql = init_sql("Loja \"A\"", &members).unwrap();
        assert!(sql.contains("CREATE ROLE \"Loja \"\"A\"\"_operators\" NOLOGIN;"));
        assert!(sql.contains("GRANT \"Loja \"\"A\"\"_purgers\" TO \"Eva\";"));
        assert!(sql.contains("TO \"a\"\"; DROP ROLE eva; --\";"));
        assert!(!sql.contains('@'), "{sql}");
        let sql = init_sql("@grants@", &members).unwrap();
        assert!(sql.contains("CREATE ROLE \"@grants@_operators\" NOLOGIN;"));
        let long = "x".repeat(MAX_NAME_LEN - "_operators".len());
        assert!(init_sql(&long, &members).is_ok());
        let longer = init_sql(&format!("{long}x"), &members);
        assert!(matches!(longer, Err(InitError::LongName(_))));
        let members = Members {
            operators: vec![String::new()],
            ..Members::default()
        };
        assert_eq!(init_sql("loja", &members), Err(InitError::BadName));
    }
}
