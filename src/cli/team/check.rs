//! `balcao team check`: examines the database of the profile's team, and compares it with the
//! mirror on this computer.

use std::process::ExitCode;

use serde_json::{Value, json};

use super::connect::connect;
use super::mirror_error;
use super::words::{self as team_words, describe_finding, describe_offline, script_name};
use crate::cli::complaint::{Complaint, REFUSED};
use crate::cli::lists::json_row;
use crate::cli::output::print_line;
use crate::cli::{ChosenProfile, GlobalArgs, block_on};
use crate::journal::money::{ChainLink, Files, Log, ReadOnlyJournal};
use crate::rows::json_line::FORMAT;
use crate::runtime::team::wall_clock;
use crate::team::{self, Finding, OfflineReason, Report, TeamDatabase};
use crate::trade::{JournalTrouble, Secret, Untrusted};
use crate::words::Catalogue;

/// The results of the examination.
struct Examination {
    profile: String,
    operator: String,
    database: String,
    /// The events of the mirror, and the ends that wait there.
    mirror: MirrorState,
    report: Result<Report, OfflineReason>,
    /// The comparison of the mirror with the log, or `None` if the log could not be read.
    agreement: Option<Agreement>,
}

struct MirrorState {
    last: ChainLink,
    unwritten_ends: usize,
}

/// The relation of a mirror to the log of its team.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Agreement {
    /// The log contains all events of the mirror. `n` is the number of its last event.
    Same { n: i64 },
    /// The log ends before the mirror. The next write puts the events back.
    Short { n: i64 },
    /// The log has another event in the place of the mirror's last one.
    Forked,
}

pub fn run(args: &GlobalArgs, json: bool) -> Result<ExitCode, Complaint> {
    let chosen = args.chosen_profile()?;
    let words = chosen.words()?;
    let examination = examine(&chosen, words)?;
    if json {
        print_line(&json_row(words, examination.to_json()))?;
    } else {
        print_line(&examination.describe(words))?;
    }
    Ok(if examination.is_refused() {
        ExitCode::from(REFUSED)
    } else {
        ExitCode::SUCCESS
    })
}

fn examine(chosen: &ChosenProfile, words: &Catalogue) -> Result<Examination, Complaint> {
    let settings = chosen.required_team(words)?;
    let database = chosen.team_database(settings)?;
    let base = chosen.base_url()?;
    let password = chosen.team_password(&chosen.vault(base.origin())?);
    let password = block_on(password.read(&database))?;
    let password = password.map_err(|trouble| super::join::vault_error(words, trouble))?;
    let Some(password) = password else {
        return Err(Complaint::refused(words.text("team-password-none")));
    };
    let files = Files::new(chosen.settings.dirs.team_journal(settings.id));
    let mirror = read_mirror(&files);
    let mirror = mirror.map_err(|trouble| mirror_error(words, files.dir(), &trouble))?;
    let report = block_on(team::check(&database, &password, &wall_clock()))?;
    let report = match report {
        Ok(Report {
            team: Some(team), ..
        }) if team != settings.id => Err(OfflineReason::OtherTeam),
        report => report,
    };
    let is_usable = report
        .as_ref()
        .is_ok_and(|report| !report.findings.iter().any(Finding::is_refusal));
    let agreement = if is_usable {
        let log = compare(words, &database, &password, settings.id, mirror.last)?;
        Some(log)
    } else {
        None
    };
    Ok(Examination {
        profile: chosen.name.clone(),
        operator: database.operator.to_string(),
        database: settings.database.clone(),
        mirror,
        report,
        agreement,
    })
}

/// Reads the state of the mirror. One that is missing counts as empty: it is created again.
fn read_mirror(files: &Files) -> Result<MirrorState, JournalTrouble> {
    let last = match ReadOnlyJournal::open(files) {
        Ok(opened) => opened.journal.last_event(),
        Err(JournalTrouble::Missing) => ChainLink {
            n: 0,
            sum: Default::default(),
        },
        Err(trouble) => return Err(trouble),
    };
    Ok(MirrorState {
        last,
        unwritten_ends: files.unwritten_ends()?,
    })
}

fn compare(
    words: &Catalogue,
    database: &TeamDatabase,
    password: &Secret,
    team: uuid::Uuid,
    mirror: ChainLink,
) -> Result<Agreement, Complaint> {
    let connection = connect(words, database, password, team)?;
    let mut log = connection.log();
    let mut sum_of = |n: i64| Ok(log.after(n - 1, 1)?.pop().map(|row| row.sum));
    let agreement = compare_with_log(mirror, &mut sum_of);
    agreement.map_err(|trouble: JournalTrouble| {
        let reason = OfflineReason::Lost(trouble.to_string());
        team_words::offline_error(words, &reason)
    })
}

/// Compares the last event of a mirror with a log. `sum_of` reads the checksum of a row of the log
/// by its number. Takes few reads, however long the log is.
fn compare_with_log<E>(
    mirror: ChainLink,
    sum_of: &mut dyn FnMut(i64) -> Result<Option<[u8; 32]>, E>,
) -> Result<Agreement, E> {
    let mut is_there = |n: i64| Ok(sum_of(n)?.is_some());
    let (mut last, mut step) = (mirror.n, 1);
    if mirror.n > 0 && !is_there(mirror.n)? {
        let n = last_row(0, mirror.n, &mut is_there)?;
        return Ok(Agreement::Short { n });
    }
    while is_there(last + step)? {
        last += step;
        step *= 2;
    }
    let n = last_row(last, last + step, &mut is_there)?;
    if mirror.n > 0 && sum_of(mirror.n)? != Some(mirror.sum) {
        return Ok(Agreement::Forked);
    }
    Ok(Agreement::Same { n })
}

/// The number of the last row. It is at least `first` and less than `end`.
fn last_row<E>(
    first: i64,
    end: i64,
    is_there: &mut dyn FnMut(i64) -> Result<bool, E>,
) -> Result<i64, E> {
    let (mut first, mut end) = (first, end);
    while end - first > 1 {
        let middle = first + (end - first) / 2;
        if is_there(middle)? {
            first = middle;
        } else {
            end = middle;
        }
    }
    Ok(first)
}

impl Examination {
    fn is_refused(&self) -> bool {
        let is_usable = self
            .report
            .as_ref()
            .is_ok_and(|report| !report.findings.iter().any(Finding::is_refusal));
        !is_usable || self.agreement == Some(Agreement::Forked)
    }

    fn describe(&self, words: &Catalogue) -> String {
        let mut lines = vec![words.with(
            "team-check-of",
            &[
                ("profile", &*Untrusted::shown_of(&self.profile)),
                ("operator", &*Untrusted::shown_of(&self.operator)),
                ("database", &*Untrusted::shown_of(&self.database)),
            ],
        )];
        match &self.report {
            Ok(report) => {
                lines.extend(describe_report(words, report));
                lines.extend(self.describe_mirror(words));
                lines.extend(report.findings.iter().map(|it| describe_finding(words, it)));
            }
            Err(reason) => {
                lines.push(describe_offline(words, reason));
                lines.extend(self.describe_mirror(words));
            }
        }
        lines.push(words.text(match (self.is_refused(), self.has_warnings()) {
            (true, _) => "team-check-refused",
            (false, true) => "team-check-warned",
            (false, false) => "team-check-fine",
        }));
        lines.join("\n")
    }

    fn has_warnings(&self) -> bool {
        self.report
            .as_ref()
            .is_ok_and(|report| !report.findings.is_empty())
            || matches!(self.agreement, Some(Agreement::Short { .. }))
    }

    fn describe_mirror(&self, words: &Catalogue) -> Vec<String> {
        let own = self.mirror.last.n;
        let n = own.to_string();
        let mut lines = vec![match self.agreement {
            None => words.with("team-mirror", &[("n", &n)]),
            Some(Agreement::Same { n: last }) if last == own => {
                words.with("team-mirror.same", &[("n", &n)])
            }
            Some(Agreement::Same { n: last }) => {
                let values = [("n", &*n), ("last", &*last.to_string())];
                words.with("team-mirror.behind", &values)
            }
            Some(Agreement::Short { n: last }) => {
                let values = [("n", &*n), ("last", &*last.to_string())];
                words.with("team-mirror.short", &values)
            }
            Some(Agreement::Forked) => words.with("team-mirror.forked", &[("n", &n)]),
        }];
        let ends = self.mirror.unwritten_ends as u64;
        lines.extend((ends > 0).then(|| words.count("team-ends", ends, &[])));
        lines
    }

    fn to_json(&self) -> Value {
        let (log, state) = match self.agreement {
            None => (None, "unknown"),
            Some(Agreement::Same { n }) if n == self.mirror.last.n => (Some(n), "same"),
            Some(Agreement::Same { n }) => (Some(n), "behind"),
            Some(Agreement::Short { n }) => (Some(n), "short"),
            Some(Agreement::Forked) => (None, "forked"),
        };
        let report = self.report.as_ref().ok();
        let findings = report.map(|report| {
            let findings = report.findings.iter().map(finding_json);
            findings.collect::<Vec<_>>()
        });
        let offline = self.report.as_ref().err();
        json!({
            "format": FORMAT,
            "profile": self.profile,
            "operator": self.operator,
            "database": self.database,
            "usable": !self.is_refused(),
            "offline": offline.map(|reason| script_name(team_words::offline_reason(reason))),
            "team": report.and_then(|report| report.team).map(|team| team.to_string()),
            "server": report.map(|report| report.version.as_str()),
            "roundTripMs": report.map(|report| report.round_trip.as_secs_f64() * 1_000.0),
            "clockDifferenceMs": report.map(|report| report.difference_ms),
            "leastApprovals": report.and_then(|report| report.least_approvals),
            "encrypted": report.map(|report| report.is_encrypted),
            "findings": findings,
            "mirror": {
                "state": state,
                "events": self.mirror.last.n,
                "logEvents": log,
                "unwrittenEnds": self.mirror.unwritten_ends,
            },
        })
    }
}

fn finding_json(finding: &Finding) -> Value {
    let detail = match finding {
        Finding::MissingRight(text)
        | Finding::Encoding(text)
        | Finding::SynchronousCommit(text) => Some(text.as_str()),
        _ => None,
    };
    json!({
        "name": script_name(team_words::finding(finding)),
        "refused": finding.is_refusal(),
        "detail": detail,
    })
}

fn describe_report(words: &Catalogue, report: &Report) -> Vec<String> {
    let ms = format!("{:.1}", report.round_trip.as_secs_f64() * 1_000.0);
    let difference = format!("{:.1}", report.difference_ms as f64 / 1_000.0);
    let team = report.team.map(|team| team.to_string());
    let approvals = report.least_approvals.map(|least| match least {
        0 => words.text("team-approvals.unneeded"),
        _ => words.text("team-approvals.needed"),
    });
    [
        ("team-check-server", Untrusted::shown_of(&report.version)),
        ("team-check-id", team.unwrap_or_default()),
        ("team-check-time", format!("{ms} ms")),
        ("team-check-clock", format!("{difference} s")),
        ("team-approvals", approvals.unwrap_or_default()),
        (
            "team-check-tls",
            words.text(if report.is_encrypted {
                "team-check-tls.on"
            } else {
                "team-check-tls.off"
            }),
        ),
    ]
    .into_iter()
    .filter(|(_, value)| !value.is_empty())
    .map(|(label, value)| format!("  {:<18}  {value}", words.text(label)))
    .collect()
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn sum(n: i64) -> [u8; 32] {
        [n as u8; 32]
    }

    /// Compares a mirror with `own` events with a log of `last` events, and counts the reads.
    fn compare(own: i64, last: i64, is_forked: bool) -> (Agreement, usize) {
        let mut reads = 0;
        let mut sum_of = |n: i64| {
            assert!(n > 0);
            reads += 1;
            let is_other = is_forked && n >= own;
            let found = if is_other { sum(n + 1) } else { sum(n) };
            Ok::<_, Infallible>((n <= last).then_some(found))
        };
        let mirror = ChainLink {
            n: own,
            sum: sum(own),
        };
        let Ok(agreement) = compare_with_log(mirror, &mut sum_of);
        (agreement, reads)
    }

    #[test]
    fn mirror_is_compared_with_the_end_of_the_log() {
        for own in 0..20 {
            for last in 0..40 {
                let expected = if last < own {
                    Agreement::Short { n: last }
                } else {
                    Agreement::Same { n: last }
                };
                assert_eq!(compare(own, last, false).0, expected, "{own} {last}");
                if own > 0 && last >= own {
                    assert_eq!(compare(own, last, true).0, Agreement::Forked);
                }
            }
        }
        let (agreement, reads) = compare(1, 1_000_000, false);
        assert_eq!(agreement, Agreement::Same { n: 1_000_000 });
        assert!(reads < 60, "{reads}");
    }
}
