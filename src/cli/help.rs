//! Parses the command line, and prints its help and usage errors, in the seller's language.
//!
//! The help texts are added only when they are printed, so that the app starts faster.

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;
use std::slice;

use clap::builder::{Resettable, Styles};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, Command, CommandFactory, FromArgMatches};

use super::output::{is_output_closed, print_complaint, print_note};
use super::profile::hide_url_secrets;
use super::{Cli, error_language};
use crate::config::environment;
use crate::contract::AgreedAtStart;
use crate::trade::Untrusted;
use crate::words::Catalogue;

/// Parses the command line. If that fails, prints the help or a usage error and returns the exit
/// code. In a kiosk (a public demo), no argument may come from an environment variable.
pub fn parse() -> Result<Cli, ExitCode> {
    let command = if environment::is_kiosk() {
        Cli::command().mut_args(|arg| arg.env(Resettable::Reset))
    } else {
        Cli::command()
    };
    let matches = command.try_get_matches();
    let parsed = matches.and_then(|matches| {
        let mut cli = Cli::from_arg_matches(&matches)?;
        // A base URL from an environment variable is not typed by the seller.
        if matches.value_source("base_url") == Some(ValueSource::CommandLine) {
            cli.args.agreed_at_start = AgreedAtStart::BaseUrl;
        }
        Ok(cli)
    });
    parsed.map_err(|_| print_help_or_error(std::env::args_os()))
}

/// Prints the help or a usage error, and returns the exit code.
///
/// This is called when parsing fails, because the parser also reports `--help` and `--version` as
/// errors.
fn print_help_or_error(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.collect();
    let words = Catalogue::of(error_language(lang_flag(&arguments).as_deref()));
    match localized_command(words).try_get_matches_from(arguments) {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            if is_usage_error(&error) {
                print_note(&usage_error(words, &error));
            } else {
                let result = error.print().and_then(|()| std::io::stdout().flush());
                if let Err(complaint) = is_output_closed(result) {
                    return print_complaint(&complaint, words);
                }
            }
            ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
        }
    }
}

/// Finds the value of `--lang` in arguments that may be invalid, because help and error messages
/// need the language.
fn lang_flag(arguments: &[OsString]) -> Option<String> {
    let arguments: Vec<_> = arguments
        .iter()
        .map(|argument| argument.to_string_lossy())
        .collect();
    let position = arguments.iter().position(|argument| argument == "--lang");
    let next = position.and_then(|position| arguments.get(position + 1));
    let joined = arguments
        .iter()
        .find_map(|argument| argument.strip_prefix("--lang="));
    next.map(|tag| tag.as_ref()).or(joined).map(str::to_owned)
}

/// Returns clap's definition of the command line, with the help texts in the given language.
fn localized_command(words: &Catalogue) -> Command {
    localize(Cli::command(), words)
}

/// Returns the definition of the command line for completions and man pages: without the `help`
/// command, which would repeat all others.
pub(super) fn documented_command(words: &Catalogue) -> Command {
    localize(Cli::command().disable_help_subcommand(true), words)
}

fn localize(command: Command, words: &Catalogue) -> Command {
    let mut command = with_help_texts(command, &[], words);
    // This call makes clap add the `help` command and the `--help` flag.
    command.build();
    localize_built_texts(command, words)
}

/// Adds the help texts of a command, its arguments and its subcommands.
fn with_help_texts(command: Command, parents: &[String], words: &Catalogue) -> Command {
    let mut path = parents.to_vec();
    path.push(command.get_name().to_owned());
    let long_id = format!("{}.long", command_id(&path));
    let command = command
        .about(words.text(&command_id(&path)))
        .subcommand_help_heading(words.text("help-commands"))
        .subcommand_value_name(words.text("help-any-command"))
        .mut_args(|arg| with_help_text(arg, &path, words))
        .mut_subcommands(|sub| with_help_texts(sub, &path, words));
    if words.has_message(&long_id) {
        command.long_about(words.text(&long_id))
    } else {
        command
    }
}

fn with_help_text(arg: Arg, path: &[String], words: &Catalogue) -> Arg {
    let mut help = words.text(&help_text_id(arg.get_id().as_str(), path, words));
    if let Some(name) = arg.get_env().and_then(|name| name.to_str()) {
        help = words.with("help-env", &[("help", &help), ("name", name)]);
    }
    let takes_values = arg.get_action().takes_values();
    let default = arg
        .get_default_values()
        .first()
        .and_then(|value| value.to_str());
    // clap gives a default to a flag that takes no value. Hide this default, because the user
    // cannot type it.
    if let Some(value) = default.filter(|_| takes_values) {
        help = words.with("help-default", &[("help", &help), ("value", value)]);
    }
    let heading = if arg.is_global_set() {
        "help-everywhere"
    } else {
        "help-options"
    };
    let arg = arg.help(help).help_heading(words.text(heading));
    if !takes_values {
        return arg;
    }
    let names = arg.get_value_names().unwrap_or_default();
    let names: Vec<String> = names.iter().map(|name| value_name(name, words)).collect();
    let arg = arg
        .hide_env(true)
        .hide_default_value(true)
        .hide_possible_values(true);
    arg.value_names(names)
}

/// Translates the placeholder of an argument's value, such as `FILE`. A placeholder such as
/// `pt-BR|en` consists of literal values and stays unchanged.
fn value_name(name: &str, words: &Catalogue) -> String {
    if name.chars().all(|c| c.is_ascii_uppercase()) {
        words.text(&format!("help-value-{}", name.to_ascii_lowercase()))
    } else {
        name.to_owned()
    }
}

/// Translates the texts that clap itself creates when it builds a command: the descriptions of
/// `help` and `--help`, and the usage line.
fn localize_built_texts(mut command: Command, words: &Catalogue) -> Command {
    let is_long = command.get_long_about().is_some();
    let is_help = command.get_name() == "help";
    for sub in command.get_subcommands_mut() {
        *sub = localize_built_texts(std::mem::take(sub), words);
    }
    let command = command.mut_args(|arg| localize_clap_flag(arg, is_long, words));
    let mut command = if is_help {
        command.about(words.text("help-help"))
    } else {
        command
    };
    let usage = command.render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ");
    let usage = usage.replace("[OPTIONS]", &words.text("help-any-options"));
    let heading = Styles::default();
    let heading = format!("{0}{1}{0:#}", heading.get_usage(), words.text("help-usage"));
    let template = format!("{{about-with-newline}}\n{heading} {{usage}}\n\n{{all-args}}");
    command.override_usage(usage).help_template(template)
}

/// Adds the help texts of `--help` and `--version`, because clap itself defines these two flags.
fn localize_clap_flag(arg: Arg, is_long: bool, words: &Catalogue) -> Arg {
    let (help, long_help) = match arg.get_id().as_str() {
        "help" if is_long => ("help-balcao.help-more", "help-balcao.help-less"),
        "help" => ("help-balcao.help", "help-balcao.help"),
        "version" => ("help-balcao.version", "help-balcao.version"),
        _ => return arg,
    };
    let arg = arg.help(words.text(help)).long_help(words.text(long_help));
    arg.help_heading(words.text("help-everywhere"))
}

/// The message id of a command, such as `help-data-export`. The id of a subcommand does not contain
/// the program's name.
fn command_id(path: &[String]) -> String {
    let names = if path.len() > 1 { &path[1..] } else { path };
    format!("help-{}", names.join("-"))
}

/// The message id of an argument's help text. An argument that belongs to a parent command uses the
/// text of that command.
fn help_text_id(name: &str, path: &[String], words: &Catalogue) -> String {
    let ids = (1..=path.len())
        .rev()
        .map(|depth| format!("{}.{name}", command_id(&path[..depth])));
    let mut ids = ids.filter(|id| words.has_message(id));
    ids.next()
        .unwrap_or_else(|| format!("{}.{name}", command_id(path)))
}

/// True for a usage error, and false for a request for help or the version.
fn is_usage_error(error: &clap::Error) -> bool {
    !matches!(
        error.kind(),
        ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    )
}

/// Describes a usage error: the error, the most similar valid word, the usage line and a pointer to
/// `--help`.
fn usage_error(words: &Catalogue, error: &clap::Error) -> String {
    let mut lines = vec![describe_error(words, error)];
    if let Some(usage) = usage_line(error) {
        lines.extend([
            String::new(),
            format!("{} {usage}", words.text("help-usage")),
        ]);
    }
    lines.extend([String::new(), words.text("mistake-help")]);
    lines.join("\n")
}

/// Examples of values with a fixed format. The first text of each pair is the message id of the
/// value's placeholder.
const EXAMPLES: [(&str, &str); 3] = [
    ("help-value-date", "2026-11-21"),
    ("help-value-time", "\"2026-11-21 14:30\""),
    ("help-value-addr", "127.0.0.1:8787"),
];

fn describe_error(words: &Catalogue, error: &clap::Error) -> String {
    let message = |id: &str, kind| words.with(id, &[("what", &quoted_list(error, kind))]);
    let with_nearest = |text: String, kind| match quoted_parts(error, kind).first() {
        None => text,
        Some(nearest) => format!(
            "{text} {}",
            words.with("mistake-nearest", &[("what", nearest)])
        ),
    };
    let argument = ContextKind::InvalidArg;
    let value = quoted_list(error, ContextKind::InvalidValue);
    match error.kind() {
        ErrorKind::UnknownArgument => with_nearest(
            message("mistake-argument", argument),
            ContextKind::SuggestedArg,
        ),
        ErrorKind::InvalidSubcommand => {
            let text = message("mistake-command", ContextKind::InvalidSubcommand);
            with_nearest(text, ContextKind::SuggestedSubcommand)
        }
        ErrorKind::InvalidValue if value.is_empty() => message("mistake-no-value", argument),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            describe_invalid_value(words, error, &value)
        }
        ErrorKind::TooManyValues => message("mistake-takes-none", argument),
        ErrorKind::ArgumentConflict => message("mistake-twice", argument),
        ErrorKind::MissingRequiredArgument => message("mistake-missing", argument),
        ErrorKind::MissingSubcommand => {
            let allowed = quoted_list(error, ContextKind::ValidSubcommand);
            words.with("mistake-no-command", &[("values", &allowed)])
        }
        _ => words.text("mistake-other"),
    }
}

/// Describes an invalid value, with the allowed values or an example.
fn describe_invalid_value(words: &Catalogue, error: &clap::Error, value: &str) -> String {
    let argument = quoted_list(error, ContextKind::InvalidArg);
    let text = words.with("mistake-value", &[("value", value), ("what", &argument)]);
    let allowed = quoted_list(error, ContextKind::ValidValue);
    let hint = if allowed.is_empty() {
        let example = EXAMPLES
            .iter()
            .find(|(kind, _)| argument.contains(&format!("<{}>", words.text(kind))));
        let Some((_, value)) = example else {
            return text;
        };
        words.with("mistake-example", &[("value", value)])
    } else {
        words.with("mistake-allowed", &[("values", &allowed)])
    };
    format!("{text} {hint}")
}

fn quoted_list(error: &clap::Error, kind: ContextKind) -> String {
    quoted_parts(error, kind).join(", ")
}

/// The parts of the command line that clap's error quotes, without secrets that a URL may contain.
fn quoted_parts(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    let texts = match error.get(kind) {
        Some(ContextValue::String(text)) => slice::from_ref(text),
        Some(ContextValue::Strings(texts)) => texts,
        _ => &[],
    };
    let quoted = texts
        .iter()
        .map(|text| Untrusted::from(hide_url_secrets(text)).shown());
    quoted.collect()
}

/// The usage line of the command whose arguments could not be parsed.
fn usage_line(error: &clap::Error) -> Option<String> {
    match error.get(ContextKind::Usage) {
        Some(ContextValue::StyledStr(usage)) => {
            Some(usage.to_string().trim_start_matches("Usage: ").to_owned())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Lang;

    fn visit_commands(command: &Command, visit: &mut impl FnMut(&Command)) {
        visit(command);
        command
            .get_subcommands()
            .for_each(|sub| visit_commands(sub, visit));
    }

    #[test]
    fn help_texts_differ_between_languages() {
        let texts = |lang| {
            let mut texts = Vec::new();
            visit_commands(&localized_command(Catalogue::of(lang)), &mut |command| {
                let path = command.get_bin_name().unwrap_or_default().to_owned();
                let help = command.clone().render_long_help().to_string();
                assert!(
                    !help.contains("help-"),
                    "a message that is not there: {help}"
                );
                let about = command
                    .get_about()
                    .map(ToString::to_string)
                    .unwrap_or_default();
                texts.push((path.clone(), about));
                for arg in command.get_arguments() {
                    for help in [arg.get_help(), arg.get_long_help()].into_iter().flatten() {
                        texts.push((format!("{path} {arg}"), help.to_string()));
                    }
                }
            });
            texts
        };
        let pt = texts(Lang::Pt);
        let en = texts(Lang::En);
        assert!(pt.len() > 50 && pt.len() == en.len());
        for ((path, pt), (_, en)) in pt.iter().zip(&en) {
            assert!(!pt.is_empty() && pt != en, "{path}: {pt}");
        }
    }

    #[test]
    fn help_names_choices_variables_and_defaults() {
        for lang in Lang::ALL {
            visit_commands(&localized_command(Catalogue::of(lang)), &mut |command| {
                for arg in command
                    .get_arguments()
                    .filter(|arg| arg.get_action().takes_values())
                {
                    let help = arg.get_help().unwrap().to_string();
                    for value in arg.get_possible_values() {
                        assert!(help.contains(value.get_name()), "{arg}: {help}");
                    }
                    if let Some(name) = arg.get_env() {
                        assert!(help.contains(name.to_str().unwrap()), "{arg}: {help}");
                    }
                    for value in arg.get_default_values() {
                        assert!(help.contains(value.to_str().unwrap()), "{arg}: {help}");
                    }
                }
            });
        }
    }

    #[test]
    fn language_read_from_unparsable_command_line() {
        let tag = |arguments: &[&str]| {
            lang_flag(&arguments.iter().map(OsString::from).collect::<Vec<_>>())
        };
        assert_eq!(
            tag(&["balcao", "--lang", "en", "dmeo"]).as_deref(),
            Some("en")
        );
        assert_eq!(
            tag(&["balcao", "dmeo", "--lang=pt-BR"]).as_deref(),
            Some("pt-BR")
        );
        assert_eq!(tag(&["balcao", "--lang"]), None);
    }
}
