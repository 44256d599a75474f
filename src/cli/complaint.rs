//! The reasons why a command did not do what was asked, in the seller's language.
//!
//! The words of a library or a parser about a file's contents stand at the end as they are.

use crate::app::ui::keys::KeymapError;
use crate::service::NetworkError;
use crate::trade::{AddressFault, MessageKind, TemplateError, Untrusted};
use crate::view::{FaintRole, LEAST_CONTRAST};
use crate::words::{Words, names};

/// The failure of a command.
#[derive(Debug, Clone)]
pub enum Complaint {
    /// A text in the seller's language.
    Text(String),
    /// A text of another program or a library.
    Quoted(Untrusted),
    /// There is no home directory.
    NoHome,
    /// A variable of the environment names a directory that is not one from the root on.
    Relative {
        /// The variable.
        variable: &'static str,
        /// Its value.
        path: Untrusted,
    },
    /// A demo would play in the seller's own journal.
    NotADemo(Untrusted),
    /// No address of the service is named.
    NoAddress {
        /// The profile without one.
        profile: Untrusted,
        /// Those with one.
        others: Vec<Untrusted>,
    },
    /// The service cannot be at this address.
    Address {
        /// The source that names it.
        from: AddressSource,
        /// The address.
        address: Untrusted,
        /// The reason.
        why: AddressFault,
    },
    /// The service cannot be reached on the way that is named.
    Network {
        /// The file that is wrong.
        what: Untrusted,
        /// The reason.
        why: NetworkError,
    },
    /// No command is named that would be the vault.
    NoHelper {
        /// The profile without one.
        profile: Untrusted,
        /// The file in which it would stand.
        file: Untrusted,
    },
    /// The command for the vault is neither a whole path nor a plain name.
    HelperName {
        /// The file that names it.
        file: Untrusted,
        /// The command.
        command: Untrusted,
    },
    /// It is not known whose the token of the environment is.
    NoLogin,
    /// The value of this variable is no token.
    NotAToken(&'static str),
    /// The secrets could not be taken out of the environment.
    Environment(Untrusted),
    /// It cannot be told which vault holds the last login.
    NoVaultFile(Untrusted),
    /// A file of this name is there already.
    FileThere(Untrusted),
    /// An export has personal data whole, and is to mask it.
    ExportMasked,
    /// The program does not speak this language.
    NoLanguage(Untrusted),
    /// There is no such theme.
    NoTheme {
        /// The name.
        name: Untrusted,
        /// Those that come with the program.
        known: String,
        /// The file that would have been one.
        file: Untrusted,
        /// The reason why it is none.
        why: Untrusted,
    },
    /// There is no such profile.
    NoProfile {
        /// The name.
        name: Untrusted,
        /// Those that there are.
        known: Vec<Untrusted>,
    },
    /// No contract of this name comes with the program, and no file has it.
    NoContract {
        /// The name.
        name: Untrusted,
        /// The one that is nearest, if any is near.
        nearest: Option<Untrusted>,
        /// Those that come with the program.
        known: Vec<Untrusted>,
    },
    /// The sandbox does not speak this dialect.
    NoDialect {
        /// The name.
        name: Untrusted,
        /// The one that is nearest, if any is near.
        nearest: Option<Untrusted>,
        /// Those that come with the program.
        known: Vec<Untrusted>,
    },
    /// The seller's keys are wrong.
    Keys {
        /// The file.
        file: Untrusted,
        /// The line, where it is known.
        line: Option<usize>,
        /// The error in it.
        error: Box<KeymapError>,
    },
    /// The text of a theme cannot be read on its ground.
    Faint {
        /// The file.
        file: Untrusted,
        /// The colours, and the line.
        faint: FaintRole,
    },
    /// The template of the message for a buyer is none.
    Template {
        /// The file.
        file: Untrusted,
        /// The line on which it stands.
        line: usize,
        /// What the message is about.
        about: MessageKind,
        /// The reason.
        error: TemplateError,
    },
    /// A file cannot be read.
    Unreadable {
        /// The file.
        file: Untrusted,
        /// The reason.
        why: Untrusted,
    },
    /// A file, or a flag's value, is wrong.
    Wrong {
        /// The file or the flag.
        what: Untrusted,
        /// The error in it.
        why: Untrusted,
    },
    /// There is no such directory.
    NoFolder(Untrusted),
    /// The day of `--before` has not begun.
    NotYet(String),
    /// Keys cannot be read.
    NoInput,
    /// There is nothing to draw on.
    NoOutput,
    /// The terminal can only print one line after another.
    DumbTerminal,
    /// A sandbox would listen where other machines reach it.
    BeyondThisMachine(String),
    /// A sandbox cannot listen there.
    CannotListen {
        /// The address.
        address: String,
        /// The reason.
        why: Untrusted,
    },
    /// Another sandbox keeps its data in the file.
    DataBusy(Untrusted),
    /// The file holds no data of a sandbox.
    NoData {
        /// The file.
        file: Untrusted,
        /// The reason.
        why: Untrusted,
    },
    /// The file with the secret of the sandbox's proof cannot be used.
    Secret(Untrusted, SecretFault),
}

/// The reason for which a sandbox cannot prove itself with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecretFault {
    /// It is a link, or no file at all.
    NoFile,
    /// Others can read or change it.
    NotPrivate,
    /// Something else is in it.
    Malformed,
}

/// The source of the service's address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AddressSource {
    /// The flag, or the variable that stands for it.
    Flag,
    /// A profile of the configuration.
    Profile {
        /// Its name.
        name: Untrusted,
        /// The file it is in.
        file: Untrusted,
        /// The line of the address, where it was found.
        line: Option<usize>,
    },
}

impl Complaint {
    /// The complaint with the words of another program or a library.
    pub fn of(error: impl std::fmt::Display) -> Complaint {
        Complaint::Quoted(error.to_string().into())
    }

    /// The complaint in words.
    pub fn describe(&self, words: &Words) -> String {
        let about =
            |id: &str, name: &str, what: &Untrusted| words.with(id, &[(name, &what.shown())]);
        match self {
            Complaint::Text(text) => text.clone(),
            Complaint::Quoted(text) => text.shown_lines(),
            Complaint::NotADemo(dir) => about("complaint-not-a-demo", "dir", dir),
            Complaint::NoHome => words.text("complaint-no-home"),
            Complaint::Relative { variable, path } => {
                let values = [("variable", *variable), ("path", &*path.shown())];
                words.with("complaint-relative", &values)
            }
            Complaint::NoAddress { profile, others } => no_address(words, profile, others),
            Complaint::Address { from, address, why } => self::address(words, from, address, *why),
            Complaint::NoHelper { profile, file } => {
                about_helper(words, "complaint-no-helper", file, ("profile", profile))
            }
            Complaint::Network { what, why } => connection(words, what, *why),
            Complaint::HelperName { file, command } => {
                about_helper(words, "complaint-helper", file, ("command", command))
            }
            Complaint::NoLogin => words.text("complaint-environment-login"),
            Complaint::NotAToken(name) => {
                words.with("complaint-environment-value", &[("variable", name)])
            }
            Complaint::Environment(why) => about("complaint-environment", "why", why),
            Complaint::NoVaultFile(why) => about("complaint-vault-file", "why", why),
            Complaint::FileThere(path) => about("complaint-file-there", "path", path),
            Complaint::ExportMasked => words.text("complaint-export-masked"),
            Complaint::NoLanguage(tag) => about("complaint-language", "tag", tag),
            Complaint::NoTheme { name, known, file, why } => theme(words, known, [name, file, why]),
            Complaint::NoProfile { name, known } => profile(words, name, known),
            Complaint::NoContract { name, nearest, known } => {
                no_such(words, "complaint-contract", (name, nearest.as_ref()), known)
            }
            Complaint::NoDialect { name, nearest, known } => {
                no_such(words, "complaint-dialect", (name, nearest.as_ref()), known)
            }
            Complaint::Keys { file, line, error } => keys(words, (file, *line), error),
            Complaint::Faint { file, faint: role } => faint(words, file, role),
            Complaint::Template { file, line, about, error } => {
                template(words, (file, *line), *about, error)
            }
            Complaint::Unreadable { file, why } => {
                let values = [("file", &*file.shown()), ("why", &*why.shown_lines())];
                words.with("complaint-unreadable", &values)
            }
            Complaint::Wrong { what, why } => format!("{}: {}", what.shown(), why.shown_lines()),
            Complaint::NoFolder(folder) => about("complaint-no-folder", "folder", folder),
            Complaint::NotYet(date) => words.with("complaint-not-yet", &[("date", date)]),
            Complaint::NoInput => words.text("complaint-no-input"),
            Complaint::NoOutput => words.text("complaint-no-output"),
            Complaint::DumbTerminal => words.text("complaint-dumb-terminal"),
            Complaint::BeyondThisMachine(address) => {
                words.with("complaint-beyond", &[("address", address)])
            }
            Complaint::CannotListen { address, why } => {
                let values = [("address", &**address), ("why", &*why.shown_lines())];
                words.with("complaint-cannot-listen", &values)
            }
            Complaint::DataBusy(file) => about("complaint-data-busy", "file", file),
            Complaint::NoData { file, why } => {
                let values = [("file", &*file.shown()), ("why", &*why.shown_lines())];
                words.with("complaint-no-data", &values)
            }
            Complaint::Secret(file, fault) => secret(words, file, fault),
        }
    }
}

/// Says what is wrong with the certificates or the proxy of a profile.
fn connection(words: &Words, what: &Untrusted, why: NetworkError) -> String {
    let id = match why {
        NetworkError::NoCertificates => "complaint-ca-file",
        NetworkError::ProxyAddress => "complaint-proxy",
        NetworkError::ProxySecret => "complaint-proxy-secret",
    };
    words.with(id, &[("file", &what.shown())])
}

/// Says what is wrong with the file of a sandbox's secret.
fn secret(words: &Words, file: &Untrusted, fault: &SecretFault) -> String {
    let why = words.text(match fault {
        SecretFault::NoFile => "secret-no-file",
        SecretFault::NotPrivate => "secret-not-private",
        SecretFault::Malformed => "secret-malformed",
    });
    words.with("complaint-secret", &[("file", &file.shown()), ("why", &why)])
}

/// Says what is wrong with the template of the message for a buyer, and which fields there are.
fn template(
    words: &Words,
    (file, line): (&Untrusted, usize),
    about: MessageKind,
    error: &TemplateError,
) -> String {
    let braces = [("open", "{"), ("close", "}")];
    let (id, fields) = match about {
        MessageKind::Link => ("complaint-template", words.with("template-fields", &braces)),
        MessageKind::Charge => {
            ("complaint-template-charge", words.with("template-fields-charge", &braces))
        }
    };
    let why = match error {
        TemplateError::NoSuchField(name) => {
            let name = format!("{{{}}}", Untrusted::from(&**name).shown_within(40));
            words.with("template-no-field", &[("name", &name), ("fields", &fields)])
        }
        TemplateError::NotClosed => {
            words.with("template-not-closed", &[("open", "{"), ("fields", &fields)])
        }
        TemplateError::NothingToPay => match about {
            MessageKind::Link => words.with("template-no-address", &[("url", "{url}")]),
            MessageKind::Charge => words.with("template-no-code", &braces),
        },
    };
    let (file, line) = (file.shown(), line.to_string());
    words.with(id, &[("file", &file), ("line", &line), ("why", &why)])
}

/// A sentence about the command that is the vault, and the file that names it.
fn about_helper(
    words: &Words,
    id: &str,
    file: &Untrusted,
    (name, what): (&str, &Untrusted),
) -> String {
    words.with(id, &[("file", &file.shown()), (name, &what.shown())])
}

fn theme(words: &Words, known: &str, [name, file, why]: [&Untrusted; 3]) -> String {
    let (name, file, why) = (name.shown(), file.shown(), why.shown_lines());
    let values = [("name", &*name), ("known", known), ("file", &*file), ("why", &*why)];
    words.with("complaint-theme", &values)
}

fn no_address(words: &Words, profile: &Untrusted, others: &[Untrusted]) -> String {
    let said = words.with("complaint-no-address", &[("profile", &profile.shown())]);
    let names: Vec<String> = others.iter().map(Untrusted::shown).collect();
    match names.is_empty() {
        true => said,
        false => {
            let known = words.with("complaint-with-address", &[("known", &names.join(", "))]);
            format!("{said}\n{known}")
        }
    }
}

fn profile(words: &Words, name: &Untrusted, known: &[Untrusted]) -> String {
    let known: Vec<String> = known.iter().map(Untrusted::shown).collect();
    match known.is_empty() {
        true => words.with("complaint-no-profiles", &[("name", &name.shown())]),
        false => {
            let values = [("name", &*name.shown()), ("known", &known.join(", "))];
            words.with("complaint-profile", &values)
        }
    }
}

fn address(words: &Words, from: &AddressSource, address: &Untrusted, why: AddressFault) -> String {
    let (address, why) = (address.shown(), words.text(names::address_fault(why)));
    match from {
        AddressSource::Flag => {
            words.with("complaint-address", &[("address", &address), ("why", &why)])
        }
        AddressSource::Profile { name, file, line } => {
            let (place, name) = (place(words, file, *line), name.shown());
            let values =
                [("place", &*place), ("profile", &*name), ("address", &*address), ("why", &*why)];
            words.with("complaint-address-of-profile", &values)
        }
    }
}

/// A name that means nothing, the nearest one that does, and all that do.
fn no_such(
    words: &Words,
    id: &str,
    (name, nearest): (&Untrusted, Option<&Untrusted>),
    known: &[Untrusted],
) -> String {
    let known: Vec<String> = known.iter().map(Untrusted::shown).collect();
    let values = [("name", &*name.shown()), ("known", &*known.join(", "))];
    match nearest {
        None => words.with(id, &values),
        Some(nearest) => {
            let nearest = nearest.shown();
            let [name, known] = values;
            words.with(&format!("{id}.near"), &[name, known, ("nearest", &*nearest)])
        }
    }
}

/// The file, and the line in it where that is known.
fn place(words: &Words, file: &Untrusted, line: Option<usize>) -> String {
    let file = file.shown();
    let Some(line) = line.map(|line| line.to_string()) else { return file };
    words.with("complaint-line", &[("file", &*file), ("line", &*line)])
}

fn faint(words: &Words, file: &Untrusted, faint: &FaintRole) -> String {
    let FaintRole { line, role, text, ground, is_under_cursor, contrast } = faint;
    let (text, ground) = (text.to_string(), ground.to_string());
    let figure = |contrast: f64| format!("{contrast:.1}");
    let [measured, least] = [figure(contrast.unwrap_or_default()), figure(LEAST_CONTRAST)];
    let values = [
        ("role", role.as_str()),
        ("text", &*text),
        ("ground", &*ground),
        ("contrast", &*measured),
        ("least", &*least),
    ];
    let said = match (contrast, is_under_cursor) {
        (Some(_), false) => words.with("theme-faint", &values),
        (Some(_), true) => words.with("theme-faint.cursor", &values),
        (None, _) => words.with("theme-same", &values[..3]),
    };
    format!("{}: {said}", place(words, file, Some(*line)))
}

fn keys(words: &Words, (file, line): (&Untrusted, Option<usize>), error: &KeymapError) -> String {
    let shown = |text: &str| Untrusted::from(text).shown();
    let said = match error {
        KeymapError::Place(place) => words.with("keys-place", &[("place", &shown(place))]),
        KeymapError::Action { place, action, nearest } => {
            let said = [("action", &*shown(action)), ("place", &*shown(place))];
            let said = words.with("keys-action", &said);
            match nearest {
                None => said,
                Some(nearest) => {
                    format!("{said} {}", words.with("mistake-nearest", &[("what", nearest)]))
                }
            }
        }
        KeymapError::Key { action, key } => {
            words.with("keys-key", &[("action", &shown(action)), ("key", &shown(key))])
        }
        KeymapError::Twice { key, place, first, second } => {
            let (key, place) = (shown(key), shown(place));
            let values = [
                ("key", &*key),
                ("place", &*place),
                ("first", first.as_str()),
                ("second", second.as_str()),
            ];
            words.with("keys-twice", &values)
        }
        KeymapError::WayOut { key, way_out, place, action } => {
            let (key, place) = (shown(key), shown(place));
            let values = [
                ("key", &*key),
                ("place", &*place),
                ("action", action.as_str()),
                ("way", way_out.as_str()),
            ];
            words.with("keys-way-out", &values)
        }
    };
    format!("{}: {said}", place(words, file, line))
}
