//! What a command prints: lines for a script or a person, notes beside them, and a question.

use std::fs::OpenOptions;
use std::io::{self, BufRead, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::process::ExitCode;

use super::complaint::{Complaint, REFUSED};
use super::{shown, wrong};
use crate::app::ui::text::wrap;
use crate::words::Words;

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

/// Prints a complaint, and returns its exit code.
pub(super) fn print_complaint(complaint: &Complaint, words: &Words) -> ExitCode {
    let text = complaint.describe(words);
    if complaint.exit() != REFUSED {
        print_note(&text);
    } else if let Err(unprinted) = print_line(&text) {
        return print_complaint(&unprinted, words);
    }
    ExitCode::from(complaint.exit())
}

/// Prints a question and reads one line; `None` where the input ends, as by Ctrl-D.
pub(super) fn prompt(question: &str) -> Result<Option<String>, Complaint> {
    print_line(question)?;
    read_line()
}

fn read_line() -> Result<Option<String>, Complaint> {
    let mut line = String::new();
    let read = io::stdin().lock().read_line(&mut line).map_err(Complaint::of)?;
    Ok((read > 0).then(|| line.trim().to_owned()))
}

/// Prints a question, and returns true if Enter alone answers it.
pub(super) fn is_enter(question: &str) -> Result<bool, Complaint> {
    print_wrapped(question)?;
    Ok(read_line()?.is_some_and(|line| line.is_empty()))
}

/// The lines that are written together.
const LINES_AT_ONCE: u64 = 200;

/// Writes many lines for a script: the first is written at once, the others many at a time.
///
/// Returns the number of lines; `None` if the reader has gone away.
pub(super) fn write_lines(
    out: impl Write,
    lines: impl Iterator<Item = Result<String, Complaint>>,
) -> Result<Option<u64>, Complaint> {
    let (mut out, mut count) = (BufWriter::new(out), 0_u64);
    for line in lines {
        let mut written = writeln!(out, "{}", line?);
        if written.is_ok() && count.is_multiple_of(LINES_AT_ONCE) {
            written = out.flush();
        }
        if reader_is_gone(written)? {
            return Ok(None);
        }
        count += 1;
    }
    Ok((!reader_is_gone(out.flush())?).then_some(count))
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
        return Ok(Box::new(io::stdout().lock()));
    };
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    options.mode(0o600);
    let file = options.open(&path);
    let file = file.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            Complaint::about("complaint-file-there", [("path", shown(&path))])
        }
        _ => wrong(&path, error),
    })?;
    Ok(Box::new(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts what is written to it, and in how many pieces.
    #[derive(Default)]
    struct Pieces {
        written: Vec<u8>,
        pieces: usize,
    }

    impl Write for &mut Pieces {
        fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
            self.pieces += 1;
            self.written.write(piece)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn first_line_is_written_at_once_and_others_together() {
        for (lines, pieces) in [(1, 1), (2, 2), (10_000, 100)] {
            let mut to = Pieces::default();
            let all = (0..lines).map(|_| Ok("line".to_owned()));
            assert_eq!(write_lines(&mut to, all).ok(), Some(Some(lines)));
            assert_eq!(to.written.len() as u64, lines * 5);
            assert!(to.pieces <= pieces, "{} pieces", to.pieces);
        }
    }
}
