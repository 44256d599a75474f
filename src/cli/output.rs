//! What a command prints: lines for a script or a person, notes beside them, and a question.

use std::fs::OpenOptions;
use std::io::{self, BufRead, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;

use super::complaint::Complaint;
use super::{shown, wrong};
use crate::app::ui::text::wrap;

/// The columns of text that is printed where no terminal says how many it has.
const COLUMNS: u16 = 80;

/// Prints text for somebody at a terminal: broken between its words, as wide as the terminal is.
pub(super) fn print_wrapped(text: &str) -> Result<(), Complaint> {
    print_line(&wrap(text, terminal_columns()).join("\n"))
}

/// The columns of the terminal on standard output.
fn terminal_columns() -> usize {
    let size = rustix::termios::tcgetwinsize(rustix::stdio::stdout());
    let columns = size.map_or(COLUMNS, |size| size.ws_col);
    usize::from(if columns == 0 { COLUMNS } else { columns })
}

/// Prints a line on standard output; a reader that has gone away is no error.
pub(super) fn print_line(text: &str) -> Result<(), Complaint> {
    reader_is_gone(writeln!(io::stdout(), "{text}")).map(drop)
}

/// Prints a note on standard error, beside the output for a script.
pub(super) fn print_note(text: &str) {
    // A closed standard error has no reader; the exit code still shows the failure.
    let _ = writeln!(io::stderr(), "balcao: {text}");
}

/// Prints a question and reads one line; `None` where the input ends, as by Ctrl-D.
pub(super) fn prompt(question: &str) -> Result<Option<String>, Complaint> {
    print_line(question)?;
    let mut line = String::new();
    let read = io::stdin().lock().read_line(&mut line).map_err(Complaint::of)?;
    Ok((read > 0).then(|| line.trim().to_owned()))
}

/// Prints a question, and returns true if Enter alone answers it.
pub(super) fn is_enter(question: &str) -> Result<bool, Complaint> {
    print_wrapped(question)?;
    let mut line = String::new();
    let read = io::stdin().lock().read_line(&mut line).map_err(Complaint::of)?;
    Ok(read > 0 && line.trim().is_empty())
}

/// Returns true if the reader of the output has gone away, which is no error of ours.
pub(super) fn reader_is_gone(written: io::Result<()>) -> Result<bool, Complaint> {
    match written {
        Ok(()) => Ok(false),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(true),
        Err(error) => Err(Complaint::of(error)),
    }
}

/// A new file that only its owner can read; standard output for no path, and for `-`.
pub(super) fn new_output(path: Option<PathBuf>) -> Result<Box<dyn Write>, Complaint> {
    let Some(path) = path.filter(|path| path != "-") else {
        return Ok(Box::new(BufWriter::new(io::stdout().lock())));
    };
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    options.mode(0o600);
    let file = options.open(&path);
    let file = file.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Complaint::FileThere(shown(&path)),
        _ => wrong(&path, error),
    })?;
    Ok(Box::new(BufWriter::new(file)))
}
