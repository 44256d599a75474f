//! Prints the output of commands: lines on standard output, notes on standard error, and prompts.

use std::fs::OpenOptions;
use std::io::{self, BufRead, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::complaint::Complaint;
use super::{invalid_file, path_text};
use crate::app::ui::text::wrap;
use crate::runtime::terminal;
use crate::words::Catalogue;

/// The assumed width in columns if standard output is not a terminal.
const DEFAULT_COLUMNS: u16 = 80;

/// Prints text, wrapped at word boundaries to the terminal's width.
pub(super) fn print_wrapped(text: &str) -> Result<(), Complaint> {
    print_line(&wrap(text, terminal_columns()).join("\n"))
}

fn terminal_columns() -> usize {
    let size = rustix::termios::tcgetwinsize(rustix::stdio::stdout());
    usize::from(size.map_or(DEFAULT_COLUMNS, |size| {
        terminal::drawn_size(size.ws_col, size.ws_row).columns
    }))
}

/// Prints a line on standard output. Does not fail if the reader, such as `head`, has closed the
/// output.
pub(super) fn print_line(text: &str) -> Result<(), Complaint> {
    is_output_closed(writeln!(io::stdout(), "{text}")).map(drop)
}

/// Prints a note on standard error, because scripts read standard output.
pub(super) fn print_note(text: &str) {
    // Ignore errors: if standard error is closed, the exit code still shows the failure.
    let _ = writeln!(io::stderr(), "balcao: {text}");
}

/// Prints the message of an error, and returns the exit code.
pub(super) fn print_complaint(complaint: &Complaint, words: &Catalogue) -> ExitCode {
    let text = complaint.describe(words);
    if complaint.is_note() {
        print_note(&text);
    } else if let Err(print_error) = print_line(&text) {
        return print_complaint(&print_error, words);
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
    let byte_count = io::stdin()
        .lock()
        .read_line(&mut line)
        .map_err(Complaint::from_error)?;
    Ok((byte_count > 0).then(|| line.trim().to_owned()))
}

/// Prints a prompt. Returns true if the user only presses Enter.
pub(super) fn confirm_with_enter(question: &str) -> Result<bool, Complaint> {
    print_wrapped(question)?;
    Ok(read_line()?.is_some_and(|line| line.is_empty()))
}

/// The number of lines after which the output is flushed again.
const FLUSH_INTERVAL: u64 = 200;

/// Writes many lines for a script. Flushes after the first line, and then after every
/// `FLUSH_INTERVAL` lines.
///
/// Returns the number of lines, or `None` if the reader, such as `head`, has closed the output.
pub(super) fn write_lines(
    out: impl Write,
    lines: impl Iterator<Item = Result<String, Complaint>>,
) -> Result<Option<u64>, Complaint> {
    let mut out = BufWriter::new(out);
    let mut count = 0_u64;
    for line in lines {
        let mut result = writeln!(out, "{}", line?);
        if result.is_ok() && count.is_multiple_of(FLUSH_INTERVAL) {
            result = out.flush();
        }
        if is_output_closed(result)? {
            return Ok(None);
        }
        count += 1;
    }
    Ok((!is_output_closed(out.flush())?).then_some(count))
}

/// True if a write failed because the reader, such as `head`, has closed the output. Returns other
/// failures as errors.
pub(super) fn is_output_closed(result: io::Result<()>) -> Result<bool, Complaint> {
    match result {
        Ok(()) => Ok(false),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(true),
        Err(error) => Err(Complaint::from_error(error)),
    }
}

/// Creates a file that only its owner can read. Without a path or with `-`, returns standard
/// output.
pub(super) fn create_output(path: Option<PathBuf>) -> Result<Box<dyn Write>, Complaint> {
    let Some(path) = path.filter(|path| path != "-") else {
        return Ok(Box::new(io::stdout().lock()));
    };
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    options.mode(0o600);
    let file = options.open(&path);
    let file = file.map_err(|error| not_created(&path, error))?;
    Ok(Box::new(file))
}

/// A file could not be created, for example because the path is taken.
pub(super) fn not_created(path: &Path, error: io::Error) -> Complaint {
    match error.kind() {
        io::ErrorKind::AlreadyExists => {
            Complaint::about("complaint-file-there", [("path", path_text(path))])
        }
        _ => invalid_file(path, error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A writer that records the bytes and counts the write calls.
    #[derive(Default)]
    struct WriteCounter {
        bytes: Vec<u8>,
        calls: usize,
    }

    impl Write for &mut WriteCounter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.calls += 1;
            self.bytes.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn first_line_is_written_at_once_and_others_together() {
        for (count, max_calls) in [(1, 1), (2, 2), (10_000, 100)] {
            let mut out = WriteCounter::default();
            let lines = (0..count).map(|_| Ok("line".to_owned()));
            assert_eq!(write_lines(&mut out, lines).ok(), Some(Some(count)));
            assert_eq!(out.bytes.len() as u64, count * 5);
            assert!(out.calls <= max_calls, "{} calls", out.calls);
        }
    }
}
