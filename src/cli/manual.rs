//! Prints shell completions and writes man pages, from the same arguments and texts as `--help`.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;

use super::complaint::Complaint;
use super::help::documented_command;
use super::output::is_output_closed;
use super::{GlobalArgs, error_language, invalid_file};
use crate::words::Catalogue;

/// The shells whose completions are tested. `clap_complete` knows more.
const SHELLS: [&str; 3] = ["bash", "zsh", "fish"];

#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    #[arg(
        value_name = "SHELL",
        value_parser = PossibleValuesParser::new(SHELLS).try_map(|name| name.parse::<Shell>())
    )]
    shell: Shell,
}

/// Prints the completions for a shell.
pub(super) fn completions(
    args: &GlobalArgs,
    &CompletionsArgs { shell }: &CompletionsArgs,
) -> Result<(), Complaint> {
    let script = completion_script(shell, words(args));
    is_output_closed(io::stdout().write_all(&script)).map(drop)
}

/// Writes a man page for each command into a directory, which is created if it does not exist.
pub(super) fn man(args: &GlobalArgs, directory: &Path) -> Result<(), Complaint> {
    let words = words(args);
    let write = |(name, page)| fs::write(directory.join(name), page);
    fs::create_dir_all(directory)
        .and_then(|()| man_pages(words)?.into_iter().try_for_each(write))
        .map_err(|error| invalid_file(directory, error))
}

fn words(args: &GlobalArgs) -> &'static Catalogue {
    Catalogue::of(error_language(args.lang.as_deref()))
}

fn completion_script(shell: Shell, words: &Catalogue) -> Vec<u8> {
    let mut command = documented_command(words);
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "balcao", &mut script);
    script
}

/// Returns the file name and the text of each man page.
fn man_pages(words: &Catalogue) -> io::Result<Vec<(String, String)>> {
    let mut pages = Vec::new();
    add_pages(&documented_command(words), words, &mut pages)?;
    Ok(pages)
}

fn add_pages(
    command: &Command,
    words: &Catalogue,
    pages: &mut Vec<(String, String)>,
) -> io::Result<()> {
    let page = Man::new(command.clone())
        .source(concat!("balcao ", env!("CARGO_PKG_VERSION")))
        // An empty date would not be quoted, and the source would be in its place.
        .date(" ");
    let mut roff = Vec::new();
    page.render(&mut roff)?;
    let roff = String::from_utf8_lossy(&roff);
    let lines: Vec<String> = roff.lines().map(|line| translate(line, words)).collect();
    pages.push((page.get_filename(), lines.join("\n") + "\n"));
    command
        .get_subcommands()
        .try_for_each(|sub| add_pages(sub, words, pages))
}

/// Translates the headings that `clap_mangen` writes in English. The others come from the help.
fn translate(line: &str, words: &Catalogue) -> String {
    let Some(heading) = line.strip_prefix(".SH ") else {
        return line.to_owned();
    };
    let heading = match heading {
        "NAME" => words.text("man-name"),
        "SYNOPSIS" => words.text("man-synopsis"),
        "DESCRIPTION" => words.text("man-description"),
        "VERSION" => words.text("man-version"),
        other => other.to_uppercase(),
    };
    format!(".SH {heading}")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::words::Lang;

    /// Each command with its words, such as `balcao links list`, and its flags.
    fn commands(command: &Command, found: &mut Vec<(String, Vec<String>)>) {
        let words = command.get_bin_name().unwrap_or("balcao").to_owned();
        let flags = command.get_opts().filter_map(|arg| arg.get_long());
        found.push((words, flags.map(str::to_owned).collect()));
        for sub in command.get_subcommands() {
            commands(sub, found);
        }
    }

    fn all_commands(lang: Lang) -> Vec<(String, Vec<String>)> {
        let mut found = Vec::new();
        commands(&documented_command(Catalogue::of(lang)), &mut found);
        assert!(found.len() > 40, "{}", found.len());
        found
    }

    #[test]
    fn each_command_and_flag_is_in_a_man_page() {
        for (lang, headings) in [
            (Lang::Pt, ["NOME", "SINOPSE", "DESCRIÇÃO"]),
            (Lang::En, ["NAME", "SYNOPSIS", "DESCRIPTION"]),
        ] {
            let pages = man_pages(Catalogue::of(lang)).unwrap();
            let commands = all_commands(lang);
            assert_eq!(pages.len(), commands.len());
            for (words, flags) in commands {
                let name = format!("{}.1", words.replace(' ', "-"));
                let page = pages.iter().find(|(file, _)| *file == name);
                let page = &page.unwrap_or_else(|| panic!("{name}")).1;
                for heading in headings {
                    assert!(page.contains(&format!(".SH {heading}\n")), "{name}: {page}");
                }
                for flag in flags {
                    let flag = format!("\\fB\\-\\-{}\\fR", flag.replace('-', "\\-"));
                    assert!(page.contains(&flag), "{name} {flag}: {page}");
                }
            }
        }
    }

    /// True if a line of a shell's script offers a flag for a command.
    fn offers_flag(shell: Shell, line: &str, flag: &str) -> bool {
        let flag_word = format!("--{flag}");
        match shell {
            Shell::Bash => {
                let offered = line.trim().strip_prefix("opts=\"");
                offered.is_some_and(|words| words.split([' ', '"']).any(|word| word == flag_word))
            }
            Shell::Zsh => {
                let before_text = line.split('[').next().unwrap();
                before_text.trim_end_matches('=').ends_with(&flag_word)
            }
            _ => {
                let before_text = line.split(" -d ").next().unwrap();
                before_text.ends_with(&format!(" -l {flag}"))
            }
        }
    }

    #[test]
    fn each_command_and_flag_is_in_the_completions() {
        for lang in Lang::ALL {
            let commands = all_commands(lang);
            for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
                let script = completion_script(shell, Catalogue::of(lang));
                let script = String::from_utf8(script).unwrap();
                for (words, _) in &commands {
                    assert!(
                        script.contains(words.rsplit(' ').next().unwrap()),
                        "{words}"
                    );
                }
                let flags = commands.iter().flat_map(|(_, flags)| flags);
                for flag in flags.clone().collect::<BTreeSet<_>>() {
                    let lines = script.lines();
                    let offers = lines.filter(|line| offers_flag(shell, line, flag));
                    let takes = flags.clone().filter(|taken| *taken == flag);
                    assert_eq!(offers.count(), takes.count(), "{shell} --{flag}");
                }
            }
        }
    }
}
