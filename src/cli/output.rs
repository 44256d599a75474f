//! Prints the output of commands: lines on standard output, notes on standard error, and prompts.

use std::fs::OpenOptions;
use std::io::{self, BufRead, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::process::ExitCode;

use super::complaint::{Complaint, REFUSED};
use super::{shown, wrong};
use crate::app::ui::text::wrap;
use crate::words::Catalogue;

/// The assumed width in columns if standard output is not a terminal.
const COLUMNS: u16 = 80;

/// Prints text, wrapped at word boundaries to the terminal's width.
pub(super) fn print_wrapped(text: &str) -> Result<(), Complaint> {
    print_line(&wrap(text, terminal_columns()).join("\n"))
}

/// Returns the number of columns of the terminal on standard output.
fn terminal_columns() -> usize {
    let size = rustix::termios::tcgetwinsize(rustix::stdio::stdout());
    let columns = size.map_or(COLUMNS, |size| size.ws_col);
    usize::from(if columns == 0 { COLUMNS } else { columns })
}

/// Prints a line on standard output. Does not fail if the output was closed, as by `head`.
pub(super) fn print_line(text: &str) -> Result<(), Complaint> {
    reader_is_gone(writeln!(io::stdout(), "{text}")).map(drop)
}

/// Prints a note on standard error, because scripts read standard output.
pub(super) fn print_note(text: &str) {
    // Ignore errors: if standard error is closed, the exit code still shows the failure.
    let _ = writeln!(io::stderr(), "balcao: {text}");
}

/// Prints the message of an error, and returns the exit code.
pub(super) fn print_complaint(complaint: &Complaint, words: &Catalogue) -> ExitCode {
    let text = complaint.describe(words);
    if complaint.exit() != REFUSED {
        print_note(&text);
    } else if let Err(unprinted) = print_line(&text) {
        return print_complaint(&unprinted, words);
    }
    ExitCode::from(complaint.exit())
}

/// Prints a prompt and reads a line. Returns `None` at the end of the input, such as after Ctrl-D.
pub(super) fn prompt(question: &str) -> Result<Option<String>, Complaint> {
    print_line(question)?;
    read_line()
}

fn read_line() -> Result<Option<String>, Complaint> {
    let mut line = String::new();
    let read = io::stdin().lock().read_line(&mut line).map_err(Complaint::of)?;
    Ok((read > 0).then(|| line.trim().to_owned()))
}

/// Prints a prompt. Returns true if the user only presses Enter.
pub(super) fn is_enter(question: &str) -> Result<bool, Complaint> {
    print_wrapped(question)?;
    Ok(read_line()?.is_some_and(|line| line.is_empty()))
}

/// The number of lines that are written before the output is flushed again.
const LINES_AT_ONCE: u64 = 200;

/// Writes many lines for a script. Flushes after the first line, and then after each group of
/// lines.
///
/// Returns the number of lines, or `None` if the output was closed, as by `head`.
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

/// Returns true if a write failed because the output was closed, as by `head`. Returns other
/// failures as errors.
pub(super) fn reader_is_gone(written: io::Result<()>) -> Result<bool, Complaint> {
    match written {
        Ok(()) => Ok(false),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(true),
        Err(error) => Err(Complaint::of(error)),
    }
}

/// Creates a file that only its owner can read. Without a path or with `-`, returns standard
/// output.
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

    /// A writer that records the bytes and counts the write calls.
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
