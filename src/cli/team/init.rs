//! `balcao team init`: creates the journal of a team in a database.

use std::path::PathBuf;

use clap::Args;

use super::connect::read_password;
use super::words::{approvals_id, init_error};
use super::{ca_name, parse_url, team_database};
use crate::cli::complaint::Complaint;
use crate::cli::output::print_line;
use crate::cli::{GlobalArgs, block_on};
use crate::runtime::team::wall_clock;
use crate::team::{self, DatabaseUrl, Members};
use crate::trade::Untrusted;
use crate::words::Catalogue;

#[derive(Debug, Clone, Args)]
pub struct InitArgs {
    #[arg(long, value_name = "URL")]
    database: String,
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    #[arg(long, value_name = "ROLE")]
    operator: Vec<String>,
    #[arg(long, value_name = "ROLE")]
    purger: Vec<String>,
    #[arg(long, value_name = "0|1", value_parser = clap::value_parser!(u8).range(0..=1))]
    approvals: Option<u8>,
    #[arg(long)]
    print: bool,
    #[arg(long)]
    password_stdin: bool,
}

/// Creates the journal, or adds members to it.
pub fn run(args: &GlobalArgs, init: InitArgs) -> Result<(), Complaint> {
    let settings = args.settings()?;
    let words = args.words(&settings)?;
    let url = parse_url(&init.database)?;
    let members = Members {
        operators: init.operator,
        purgers: init.purger,
        needs_approval: init.approvals.map(|least| least > 0),
    };
    if init.print {
        let sql = team::init_sql(url.database(), &members);
        let sql = sql.map_err(|error| init_error(words, &error))?;
        return print_line(sql.trim_end());
    }
    let dirs = &settings.dirs;
    let ca = init.ca.map(|path| ca_name(dirs, &path)).transpose()?;
    let database = team_database(dirs, url, ca.as_deref(), None)?;
    let password = read_password(args, words, &database, init.password_stdin)?;
    let Some(password) = password else {
        return Err(Complaint::refused(words.text("given-up")));
    };
    let done = block_on(team::init(
        &database,
        &password.secret,
        &wall_clock(),
        &members,
    ))?;
    let done = done.map_err(|error| init_error(words, &error))?;
    let id = if done.is_new {
        "team-init-done"
    } else {
        "team-init-members"
    };
    print_line(&words.with(id, &[("team", &done.team.to_string())]))?;
    print_line(&next_steps(words, &database.url, &members))
}

/// The steps that remain: each operator joins, and a role is revoked if a computer is lost.
fn next_steps(words: &Catalogue, url: &DatabaseUrl, members: &Members) -> String {
    let mut lines = Vec::new();
    lines.extend(
        members
            .needs_approval
            .map(|needs| words.text(approvals_id(needs))),
    );
    let roles: Vec<&String> = members.operators.iter().chain(&members.purgers).collect();
    if roles.is_empty() && members.needs_approval.is_none() {
        lines.push(words.text("team-init-nobody"));
    } else if !roles.is_empty() {
        lines.push(words.text("team-init-join"));
        lines.extend(roles.into_iter().map(|role| join_command(url, role)));
    }
    let group = Untrusted::shown_of(&format!("{}_operators", url.database()));
    lines.push(words.with("team-init-lost", &[("group", &group)]));
    lines.join("\n")
}

/// The command with which an operator joins.
fn join_command(url: &DatabaseUrl, role: &str) -> String {
    let text = url.to_string();
    let address = text.split_once('@').map_or(&*text, |(_, address)| address);
    let role: String = url::form_urlencoded::byte_serialize(role.as_bytes()).collect();
    // In the user of a URL, a plus sign is itself, not a space.
    let role = role.replace('+', "%20");
    let address = Untrusted::shown_of(address);
    format!("  balcao team join --database postgres://{role}@{address}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Lang;

    #[test]
    fn command_to_join_has_the_role_of_each_member() {
        let url: DatabaseUrl = "postgresql://postgres@db.loja.example:5433/loja"
            .parse()
            .unwrap();
        let members = Members {
            operators: vec!["ana".into(), "joão + 1".into()],
            purgers: vec!["eva".into()],
            needs_approval: None,
        };
        let text = next_steps(Catalogue::of(Lang::En), &url, &members);
        let commands: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("  balcao team join --database "))
            .collect();
        assert_eq!(commands[0], "postgres://ana@db.loja.example:5433/loja");
        let users = commands.iter().map(|url| {
            let url: DatabaseUrl = url.parse().unwrap();
            assert_eq!((url.port(), url.database()), (5433, "loja"));
            url.user().to_owned()
        });
        let users: Vec<String> = users.collect();
        assert_eq!(users, ["ana", "joão + 1", "eva"]);
        assert!(text.contains("loja_operators"), "{text}");
        let nobody = next_steps(Catalogue::of(Lang::En), &url, &Members::default());
        assert!(nobody.contains("--operator"), "{nobody}");
    }
}
