//! The events of the log. Their values are numbers and names that are part of the program.

use std::io;
use std::panic::Location;
use std::process;
use std::time::Duration;

use super::Level;
use crate::app::Model;
use crate::runtime::ExitReason;
use crate::runtime::display_environment::DisplayEnvironment;
use crate::runtime::system_log::timestamp;
use crate::trade::{Exchange, ExchangeId, Failure, Operation, VaultKind, Wall};
use crate::words::Lang;

/// An event of the log.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A run of the app began. It shows one profile.
    Start(Start),
    /// The run ended.
    End(EndReason),
    /// The vault that stores the credentials answered.
    Vault(VaultKind),
    /// A request to the service ended.
    Request {
        /// The number of the request in this run of the program, counted from 1.
        id: u64,
        operation: Operation,
        outcome: Result<u16, Cause>,
        took: Duration,
    },
    /// The message with this name reports a failure.
    Failed(&'static str, Cause),
    Panic(SourcePlace),
    /// The app handled the message with this name.
    Message(&'static str),
    /// The runtime began to perform the effect with this name.
    Effect(&'static str),
    /// This many events before this one were not written.
    Dropped(u64),
}

/// The facts at the start of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Start {
    lang: Lang,
    size: [u16; 2],
    /// The names of the facts that apply, such as `tmux`.
    facts: Vec<&'static str>,
}

/// The reason why a run of the app ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndReason {
    /// The user quit, or a signal ended the program.
    Quit,
    /// The user switched to another profile.
    Profile,
    /// The terminal was closed, or cannot be read.
    TerminalGone,
    /// A frame could not be drawn.
    NotDrawn,
}

/// The kind of a failure, without its texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cause {
    pub kind: &'static str,
    /// The kind of the trouble that caused the failure, such as `full` for a journal.
    pub detail: Option<&'static str>,
    pub status: Option<u16>,
}

/// A line in the source of the program or of a library, such as `src/app/update.rs:10`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourcePlace(String);

impl SourcePlace {
    pub fn new(location: &Location) -> SourcePlace {
        let file = SourcePlace::shorten(location.file());
        SourcePlace(format!("{file}:{}", location.line()))
    }

    /// The path of a file without the directories of the machine on which it was compiled. They may
    /// contain the name of a user.
    pub(super) fn shorten(file: &str) -> &str {
        if !file.starts_with('/') {
            return file;
        }
        let package = file.rfind("/src/").unwrap_or(file.len());
        let start = file[..package].rfind('/').map_or(0, |slash| slash + 1);
        &file[start..]
    }
}

impl Event {
    pub(super) fn start(model: &Model, display: DisplayEnvironment) -> Event {
        let setup = &model.setup;
        let facts = [
            ("lines", display.lines),
            ("tmux", display.tmux),
            ("screen", display.screen),
            ("ssh", display.ssh),
            ("wsl", display.wsl),
            ("ascii", setup.ascii),
            ("masked", setup.masks),
            ("read-only", setup.read_only),
            ("this-machine", setup.this_machine),
            ("replay", setup.is_replay),
        ];
        let facts = facts.into_iter().filter(|(_, applies)| *applies);
        Event::Start(Start {
            lang: setup.lang,
            size: [model.size.columns, model.size.rows],
            facts: facts.map(|(name, _)| name).collect(),
        })
    }

    /// The end of a run with this result.
    pub fn end(model: &Model, ended: &io::Result<ExitReason>) -> Event {
        Event::End(match ended {
            Err(_) => EndReason::NotDrawn,
            Ok(ExitReason::TerminalGone) => EndReason::TerminalGone,
            Ok(ExitReason::Quit) if model.hung_up => EndReason::TerminalGone,
            Ok(ExitReason::Quit) if model.profiles.next.is_some() => EndReason::Profile,
            Ok(ExitReason::Quit) => EndReason::Quit,
        })
    }

    pub(super) fn request(exchange: &Exchange) -> Event {
        let id = match exchange.id {
            ExchangeId::Run(number) => number,
            ExchangeId::Row(_) => 0,
        };
        let reply = exchange.reply.as_ref();
        Event::Request {
            id,
            operation: exchange.operation,
            outcome: reply.map(|reply| reply.status).map_err(Cause::from),
            took: exchange.took,
        }
    }

    pub(super) fn level(&self) -> Level {
        let is_error = match self {
            Event::Request { outcome, .. } => match outcome {
                Ok(status) => !(200..300).contains(status),
                Err(cause) => !cause.is_cancelled(),
            },
            Event::Failed(_, cause) => !cause.is_cancelled(),
            Event::End(reason) => matches!(reason, EndReason::TerminalGone | EndReason::NotDrawn),
            Event::Panic(_) | Event::Dropped(_) => true,
            Event::Message(_) | Event::Effect(_) => return Level::Debug,
            Event::Start(_) | Event::Vault(_) => false,
        };
        if is_error { Level::Error } else { Level::Info }
    }

    /// The line of the log, such as
    /// `2026-12-01T14:02:03.123Z error request pid=71 id=3 operation=login status=500 ms=120`.
    pub(super) fn to_line(&self, at: Wall) -> String {
        let at = timestamp(at).strftime("%Y-%m-%dT%H:%M:%S%.3fZ");
        let mut line = format!("{at} {} {}", self.level().name(), self.name());
        let mut put = |name: &str, value: &str| line.push_str(&format!(" {name}={value}"));
        put("pid", &process::id().to_string());
        match self {
            Event::Start(Start { lang, size, facts }) => {
                put("version", env!("CARGO_PKG_VERSION"));
                put("os", std::env::consts::OS);
                put("arch", std::env::consts::ARCH);
                put("lang", lang.tag());
                put("columns", &size[0].to_string());
                put("rows", &size[1].to_string());
                put("facts", &facts.join(","));
            }
            Event::End(reason) => put("reason", reason.name()),
            Event::Vault(kind) => put("kind", kind.name()),
            Event::Request {
                id,
                operation,
                outcome,
                took,
            } => {
                put("id", &id.to_string());
                put("operation", operation.name());
                match outcome {
                    Ok(status) => put("status", &status.to_string()),
                    Err(cause) => cause.put(&mut put),
                }
                put("ms", &took.as_millis().to_string());
            }
            Event::Failed(message, cause) => {
                put("message", message);
                cause.put(&mut put);
            }
            Event::Panic(place) => put("at", &place.0),
            Event::Message(name) | Event::Effect(name) => put("name", name),
            Event::Dropped(count) => put("count", &count.to_string()),
        }
        line.push('\n');
        line
    }

    fn name(&self) -> &'static str {
        match self {
            Event::Start(_) => "start",
            Event::End(_) => "end",
            Event::Vault(_) => "vault",
            Event::Request { .. } => "request",
            Event::Failed(..) => "failed",
            Event::Panic(_) => "panic",
            Event::Message(_) => "message",
            Event::Effect(_) => "effect",
            Event::Dropped(_) => "dropped",
        }
    }
}

impl EndReason {
    fn name(self) -> &'static str {
        match self {
            EndReason::Quit => "quit",
            EndReason::Profile => "profile",
            EndReason::TerminalGone => "terminal-gone",
            EndReason::NotDrawn => "not-drawn",
        }
    }
}

impl Cause {
    fn is_cancelled(self) -> bool {
        self == Cause::from(&Failure::Cancelled)
    }

    fn put(self, put: &mut impl FnMut(&str, &str)) {
        put("failure", self.kind);
        if let Some(detail) = self.detail {
            put("detail", detail);
        }
        if let Some(status) = self.status {
            put("status", &status.to_string());
        }
    }
}

impl From<&Failure> for Cause {
    fn from(failure: &Failure) -> Cause {
        let detail = match failure {
            Failure::NotSent(reason) => Some(reason.into()),
            Failure::NoAnswer(reason) => Some(reason.into()),
            Failure::Blocked(blocker) => Some(blocker.into()),
            Failure::Vault(trouble) => Some(trouble.name()),
            _ => failure.journal_trouble().map(|trouble| trouble.name()),
        };
        let status = match failure {
            Failure::Refused(refusal)
            | Failure::Contradicted(refusal)
            | Failure::Unauthorized { refusal, .. } => Some(refusal.status),
            Failure::Redirected { status, .. } | Failure::Unreadable { status, .. } => {
                Some(*status)
            }
            _ => None,
        };
        Cause {
            kind: failure.into(),
            detail,
            status,
        }
    }
}
