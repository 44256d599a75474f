//! The reason why a command did not do what was asked.

use crate::app::ui::keys::KeymapError;
use crate::trade::{MessageKind, TemplateError, Untrusted};
use crate::view::{FaintRole, LEAST_CONTRAST};
use crate::words::Words;

/// The exit code of a command that ran, and was refused by the service, a vault or a journal.
pub const REFUSED: u8 = 1;

/// The exit code of a command that could not be run, such as one with a wrong argument.
const WRONG: u8 = 2;

/// The sentence of a command that failed, and its exit code.
///
/// It is put into words when it is printed: only then are the language and the masking known.
pub struct Complaint {
    say: Box<dyn Fn(&Words) -> String + Send + Sync>,
    exit: u8,
}

impl Complaint {
    /// Creates a complaint from a function that puts it into words.
    pub fn new(say: impl Fn(&Words) -> String + Send + Sync + 'static) -> Complaint {
        Complaint { say: Box::new(say), exit: WRONG }
    }

    /// The result of a command that ran and was refused: it is printed as what was asked for.
    pub fn refused(text: String) -> Complaint {
        Complaint { exit: REFUSED, ..Complaint::text(text) }
    }

    /// A sentence in the seller's language.
    pub fn text(text: String) -> Complaint {
        Complaint::new(move |_| text.clone())
    }

    /// The words of another program or a library.
    pub fn of(error: impl std::fmt::Display) -> Complaint {
        let text = Untrusted::from(error.to_string());
        Complaint::new(move |_| text.shown_lines())
    }

    /// A message and the values in it. `why` quotes another program and may have several lines.
    pub fn about<const N: usize>(
        id: impl Into<String>,
        values: [(&'static str, Untrusted); N],
    ) -> Complaint {
        let id = id.into();
        Complaint::new(move |words| {
            let shown = values.each_ref().map(|(name, value)| match *name {
                "why" => value.shown_lines(),
                _ => value.shown(),
            });
            let named: Vec<_> =
                values.iter().zip(&shown).map(|(one, text)| (one.0, &**text)).collect();
            words.with(&id, &named)
        })
    }

    /// A name that means nothing, the nearest one that does, and all that do.
    pub fn no_such(id: &str, name: &str, nearest: Option<String>, known: &[&str]) -> Complaint {
        let (name, known) = (("name", name.into()), ("known", known.join(", ").into()));
        match nearest {
            None => Complaint::about(id, [name, known]),
            Some(nearest) => {
                let nearest = ("nearest", nearest.into());
                Complaint::about(format!("{id}.near"), [name, known, nearest])
            }
        }
    }

    /// The complaint in words.
    pub fn describe(&self, words: &Words) -> String {
        (self.say)(words)
    }

    /// The exit code.
    pub fn exit(&self) -> u8 {
        self.exit
    }
}

/// Says what is wrong with the template of the message for a buyer, and which fields there are.
pub fn template(
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

/// Texts in one line, such as all names that are known.
pub fn list(texts: &[Untrusted]) -> String {
    texts.iter().map(Untrusted::shown).collect::<Vec<_>>().join(", ")
}

/// The file, and the line in it where that is known.
pub fn place(words: &Words, file: &Untrusted, line: Option<usize>) -> String {
    let file = file.shown();
    let Some(line) = line.map(|line| line.to_string()) else { return file };
    words.with("complaint-line", &[("file", &*file), ("line", &*line)])
}

/// Says which text of a theme cannot be read on its ground.
pub fn faint(words: &Words, file: &Untrusted, faint: &FaintRole) -> String {
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

/// Says what is wrong with the seller's keys.
pub fn keys(
    words: &Words,
    (file, line): (&Untrusted, Option<usize>),
    error: &KeymapError,
) -> String {
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
