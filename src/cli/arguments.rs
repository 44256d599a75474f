//! The command line's own words: the help's headings, and the errors of a line.

use crate::trade::Untrusted;
use crate::words::Words;

/// An error in a line of arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UsageError {
    /// There is no such argument.
    UnknownArgument {
        /// The argument as it was written.
        argument: Untrusted,
        /// The nearest one that there is.
        nearest: Option<Untrusted>,
    },
    /// There is no such command.
    UnknownCommand {
        /// The command as it was written.
        command: Untrusted,
        /// The nearest one that there is.
        nearest: Option<Untrusted>,
    },
    /// An argument wants a value, and none is there.
    NoValue {
        /// The argument.
        argument: Untrusted,
    },
    /// An argument has a value that means nothing to it.
    WrongValue {
        /// The argument.
        argument: Untrusted,
        /// The value.
        value: Untrusted,
        /// The values that would do, where they can be named.
        allowed: Vec<Untrusted>,
    },
    /// A switch has a value.
    TakesNoValue {
        /// The switch.
        argument: Untrusted,
    },
    /// An argument is there more than once.
    Twice {
        /// The argument.
        argument: Untrusted,
    },
    /// Arguments are missing.
    Missing {
        /// Their names.
        arguments: Vec<Untrusted>,
    },
    /// A command that wants another one after it.
    NoCommand {
        /// Those that there are.
        allowed: Vec<Untrusted>,
    },
    /// Anything else, such as bytes that are no text.
    Other,
}

/// The error with the nearest right word, the usage and a hint at the help.
pub fn usage_error(words: &Words, error: &UsageError, usage: Option<&str>) -> String {
    let mut lines = vec![what(words, error)];
    if let Some(usage) = usage {
        lines.extend([String::new(), format!("{} {usage}", words.text("help-usage"))]);
    }
    lines.extend([String::new(), words.text("mistake-help")]);
    lines.join("\n")
}

fn what(words: &Words, error: &UsageError) -> String {
    let about = |id: &str, what: &Untrusted| words.with(id, &[("what", &what.shown())]);
    match error {
        UsageError::UnknownArgument { argument, nearest } => {
            about("mistake-argument", argument) + &perhaps(words, nearest.as_ref())
        }
        UsageError::UnknownCommand { command, nearest } => {
            about("mistake-command", command) + &perhaps(words, nearest.as_ref())
        }
        UsageError::NoValue { argument } => about("mistake-no-value", argument),
        UsageError::WrongValue { argument, value, allowed } => {
            let values = [("value", &*value.shown()), ("what", &*argument.shown())];
            let said = words.with("mistake-value", &values);
            if allowed.is_empty() {
                return said;
            }
            format!("{said} {}", words.with("mistake-allowed", &[("values", &list(allowed))]))
        }
        UsageError::TakesNoValue { argument } => about("mistake-takes-none", argument),
        UsageError::Twice { argument } => about("mistake-twice", argument),
        UsageError::Missing { arguments } => {
            words.with("mistake-missing", &[("what", &list(arguments))])
        }
        UsageError::NoCommand { allowed } => {
            words.with("mistake-no-command", &[("values", &list(allowed))])
        }
        UsageError::Other => words.text("mistake-other"),
    }
}

fn perhaps(words: &Words, nearest: Option<&Untrusted>) -> String {
    let guess = |it: &Untrusted| words.with("mistake-nearest", &[("what", &it.shown())]);
    nearest.map(|it| format!(" {}", guess(it))).unwrap_or_default()
}

fn list(texts: &[Untrusted]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| text.shown()).collect();
    texts.join(", ")
}

/// The heading of the usage.
pub fn usage(words: &Words) -> String {
    words.text("help-usage")
}

/// The heading of the commands.
pub fn commands(words: &Words) -> String {
    words.text("help-commands")
}

/// The heading of a command's own arguments.
pub fn options(words: &Words) -> String {
    words.text("help-options")
}

/// The heading of the arguments of every command.
pub fn everywhere(words: &Words) -> String {
    words.text("help-everywhere")
}

/// The placeholder of any arguments, in the usage.
pub fn any_options(words: &Words) -> String {
    words.text("help-any-options")
}

/// The placeholder of any command, in the usage.
pub fn any_command(words: &Words) -> String {
    words.text("help-any-command")
}

/// The help of an argument that an environment variable can give.
pub fn with_variable(words: &Words, help: &str, name: &str) -> String {
    words.with("help-env", &[("help", help), ("name", name)])
}

/// The help of an argument that has a value when none is given.
pub fn with_default(words: &Words, help: &str, value: &str) -> String {
    words.with("help-default", &[("help", help), ("value", value)])
}
