//! The error messages of commands, and descriptions of failures that several commands print.
//!
//! Text from outside, including file paths, is printed without control characters, because these
//! could change the terminal's state.

use crate::app::ui::keys::KeymapError;
use crate::trade::withdrawal::NotSent;
use crate::trade::{Failure, JournalTrouble, MessageKind, TemplateError, Untrusted, VaultTrouble};
use crate::view::{FaintRole, MIN_CONTRAST};
use crate::words::Catalogue;
use crate::words::failure::{self, Activity, FailureText};

/// The exit code of a command that was refused by the service, a vault or a journal.
pub const REFUSED: u8 = 1;

/// The exit code of a command that could not start, for example because of a wrong argument.
const NOT_STARTED: u8 = 2;

/// The error message of a command, and its exit code.
///
/// The text is created when the message is printed, because the language and masking are known only
/// then.
pub struct Complaint {
    build_text: Box<dyn Fn(&Catalogue) -> String + Send + Sync>,
    exit: u8,
    /// True if the message is printed on standard error, not on standard output.
    is_note: bool,
}

impl Complaint {
    /// Creates an error from a function that returns its text.
    pub fn new(build_text: impl Fn(&Catalogue) -> String + Send + Sync + 'static) -> Complaint {
        Complaint {
            build_text: Box::new(build_text),
            exit: NOT_STARTED,
            is_note: true,
        }
    }

    /// Creates the error for a command that the service, a vault or a journal refused. The text is
    /// printed on standard output.
    pub fn refused(text: String) -> Complaint {
        Complaint {
            is_note: false,
            ..Complaint::unread(text)
        }
    }

    /// Creates the error for data that a list or an export could not read. The text is printed on
    /// standard error, because scripts read standard output.
    pub fn unread(text: String) -> Complaint {
        Complaint {
            exit: REFUSED,
            ..Complaint::text(text)
        }
    }

    /// This error with the exit code for a refusal.
    pub fn into_refused(self) -> Complaint {
        Complaint {
            exit: REFUSED,
            is_note: false,
            ..self
        }
    }

    /// Creates an error with a text that is already in the seller's language.
    pub fn text(text: String) -> Complaint {
        Complaint::new(move |_| text.clone())
    }

    /// Creates an error from the error message of a library or of another program.
    pub fn from_error(error: impl std::fmt::Display) -> Complaint {
        let text = Untrusted::from(error.to_string());
        Complaint::new(move |_| text.shown_lines())
    }

    /// Creates an error from a message id such as `complaint-export-masked` and the values of its
    /// placeholders. Only the placeholder `why` may have several lines.
    pub fn about<const N: usize>(
        id: impl Into<String>,
        values: [(&'static str, Untrusted); N],
    ) -> Complaint {
        let id = id.into();
        Complaint::new(move |words| {
            let texts = values.each_ref().map(|(name, value)| match *name {
                "why" => value.shown_lines(),
                _ => value.shown(),
            });
            let values: Vec<_> = values
                .iter()
                .zip(&texts)
                .map(|((name, _), text)| (*name, &**text))
                .collect();
            words.with(&id, &values)
        })
    }

    /// Creates an error for an unknown name. The text suggests the most similar known name and
    /// lists all known names.
    pub fn no_such(id: &str, name: &str, nearest: Option<&str>, known: &[&str]) -> Complaint {
        let name = ("name", name.into());
        let known = ("known", known.join(", ").into());
        match nearest {
            None => Complaint::about(id, [name, known]),
            Some(nearest) => {
                let nearest = ("nearest", nearest.into());
                Complaint::about(format!("{id}.near"), [name, known, nearest])
            }
        }
    }

    pub fn describe(&self, words: &Catalogue) -> String {
        (self.build_text)(words)
    }

    pub fn exit(&self) -> u8 {
        self.exit
    }

    pub fn is_note(&self) -> bool {
        self.is_note
    }
}

/// Describes an error in the template of a message to buyers, and lists the placeholders that the
/// template may use.
pub fn describe_template_error(
    words: &Catalogue,
    (file, line): (&Untrusted, usize),
    about: MessageKind,
    error: &TemplateError,
) -> String {
    let braces = [("open", "{"), ("close", "}")];
    let (id, fields, nothing_to_pay) = match about {
        MessageKind::Link => (
            "complaint-template",
            "template-fields",
            "template-no-address",
        ),
        MessageKind::Reminder => (
            "complaint-template-reminder",
            "template-fields",
            "template-no-address",
        ),
        MessageKind::Charge => (
            "complaint-template-charge",
            "template-fields-charge",
            "template-no-code",
        ),
    };
    let fields = words.with(fields, &braces);
    let why = match error {
        TemplateError::NoSuchField(name) => {
            let name = format!("{{{}}}", Untrusted::from(&**name).shown_within(40));
            words.with("template-no-field", &[("name", &name), ("fields", &fields)])
        }
        TemplateError::NotClosed => {
            words.with("template-not-closed", &[("open", "{"), ("fields", &fields)])
        }
        TemplateError::NothingToPay => {
            words.with(nothing_to_pay, &[("url", "{url}"), braces[0], braces[1]])
        }
    };
    let file = file.shown();
    let line = line.to_string();
    words.with(id, &[("file", &file), ("line", &line), ("why", &why)])
}

pub fn join_texts(texts: &[Untrusted]) -> String {
    texts
        .iter()
        .map(Untrusted::shown)
        .collect::<Vec<_>>()
        .join(", ")
}

/// The file of an error as text, with the numbers of its lines, as far as they are known.
pub fn describe_place(words: &Catalogue, file: &Untrusted, lines: &[usize]) -> String {
    let file = ("file", &*file.shown());
    let numbers: Vec<_> = lines.iter().map(usize::to_string).collect();
    match &numbers[..] {
        [] => file.1.to_owned(),
        [line] => words.with("complaint-line", &[file, ("line", line)]),
        [line, other, ..] => {
            words.with("complaint-lines", &[file, ("line", line), ("other", other)])
        }
    }
}

/// Describes a theme colour that has too little contrast with its background.
pub fn describe_faint_role(words: &Catalogue, file: &Untrusted, faint: &FaintRole) -> String {
    let FaintRole {
        line,
        role,
        text,
        ground,
        is_under_cursor,
        contrast,
    } = faint;
    let text = text.to_string();
    let ground = ground.to_string();
    let [measured, required] =
        [contrast.unwrap_or_default(), MIN_CONTRAST].map(|figure| format!("{figure:.1}"));
    let id = match (contrast, is_under_cursor) {
        (Some(_), false) => "theme-faint",
        (Some(_), true) => "theme-faint.cursor",
        (None, _) => "theme-same",
    };
    let message = words.with(
        id,
        &[
            ("role", role),
            ("text", &text),
            ("ground", &ground),
            ("contrast", &measured),
            ("least", &required),
        ],
    );
    format!("{}: {message}", describe_place(words, file, &[*line]))
}

/// Describes an error in the seller's file of key bindings.
pub fn describe_keymap_error(
    words: &Catalogue,
    (file, lines): (&Untrusted, &[usize]),
    error: &KeymapError,
) -> String {
    let (id, values) = match error {
        KeymapError::Place(place) => ("keys-place", vec![("place", place)]),
        KeymapError::Action { place, action, .. } => {
            ("keys-action", vec![("action", action), ("place", place)])
        }
        KeymapError::Key { action, key } => ("keys-key", vec![("action", action), ("key", key)]),
        KeymapError::Twice {
            key,
            place,
            first,
            second,
        } => (
            "keys-twice",
            vec![
                ("key", key),
                ("place", place),
                ("first", first),
                ("second", second),
            ],
        ),
        KeymapError::ExitKeyReused {
            key,
            way_out,
            place,
            action,
        } => (
            "keys-way-out",
            vec![
                ("key", key),
                ("place", place),
                ("action", action),
                ("way", way_out),
            ],
        ),
    };
    let texts: Vec<_> = values
        .into_iter()
        .map(|(name, value)| (name, Untrusted::shown_of(value)))
        .collect();
    let values: Vec<_> = texts
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    let mut message = format!(
        "{}: {}",
        describe_place(words, file, lines),
        words.with(id, &values)
    );
    if let KeymapError::Action {
        nearest: Some(nearest),
        ..
    } = error
    {
        message += &format!(" {}", words.with("mistake-nearest", &[("what", nearest)]));
    }
    message
}

/// Describes a problem with a journal, such as a damaged file, and the remedy.
pub fn describe_journal_trouble(
    words: &Catalogue,
    dir: &Untrusted,
    trouble: &JournalTrouble,
) -> String {
    let FailureText { what, quotes, .. } = failure::journal(words, trouble);
    let mut lines = vec![
        what,
        format!("  {} {}", words.text("locked-folder"), dir.shown()),
    ];
    lines.extend(
        quotes
            .iter()
            .map(|(label, text)| format!("  {label} {}", text.shown())),
    );
    lines.extend(failure::remedies(words, trouble));
    lines.push(words.text("verify-backup"));
    lines.join("\n")
}

/// Creates the error for a history that cannot be used. `dir` is its directory.
pub fn history_error(words: &Catalogue, dir: &Untrusted, trouble: &JournalTrouble) -> Complaint {
    let next = failure::history_next(trouble);
    database_error(words, dir, failure::history(words, trouble), next)
}

/// Creates the error for a database of stored HTTP requests that cannot be used. `dir` is its
/// directory.
pub fn requests_error(words: &Catalogue, dir: &Untrusted, trouble: &JournalTrouble) -> Complaint {
    let next = match trouble {
        JournalTrouble::Busy(_) => "journal-busy.next",
        _ => "doctor-journals-requests.trouble-next",
    };
    database_error(words, dir, failure::requests(words, trouble), next)
}

fn database_error(
    words: &Catalogue,
    dir: &Untrusted,
    (what, detail): (String, Option<&str>),
    next: &str,
) -> Complaint {
    let mut lines = vec![
        what,
        format!("  {} {}", words.text("locked-folder"), dir.shown()),
    ];
    let detail = detail.map(Untrusted::shown_of);
    lines.extend(detail.map(|detail| format!("  {} {detail}", words.text("quote-detail"))));
    lines.push(words.text(next));
    Complaint::unread(lines.join("\n"))
}

/// Describes a failed operation, with one sentence on each line.
pub fn describe_failure(words: &Catalogue, failed: &Failure, activity: Activity) -> String {
    let text = failure::describe(words, failed, activity);
    let advice = command_advice_id(failed).map(|id| words.text(id));
    failure_lines(FailureText {
        next: advice.unwrap_or(text.next),
        ..text
    })
}

/// Joins the texts about a failure, with one sentence on each line.
pub fn failure_lines(text: FailureText) -> String {
    let FailureText {
        what,
        moved,
        next,
        quotes,
    } = text;
    let quotes = quotes
        .iter()
        .map(|(label, text)| format!("  {label} {}", text.shown()));
    let lines = [what].into_iter().chain(quotes).chain([moved, next]);
    lines
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
}

/// The message id of the advice for a failed command, such as `not-sent-dns.command`. Returns
/// `None` if the app's usual advice fits, because it mentions no screen of the app.
fn command_advice_id(failed: &Failure) -> Option<&'static str> {
    match failed {
        Failure::NotSent(NotSent::Dns) => Some("not-sent-dns.command"),
        Failure::Redirected { .. } => Some("redirected.command"),
        Failure::Unreadable { .. } => Some("unreadable.command"),
        Failure::Vault(
            VaultTrouble::Absent
            | VaultTrouble::Locked
            | VaultTrouble::Hangs
            | VaultTrouble::Other(_),
        ) => Some("vault-next.command"),
        _ => None,
    }
}
