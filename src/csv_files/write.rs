//! Writes CSV files that a spreadsheet opens safely.

use std::io::{self, Write};

use csv::WriterBuilder;

/// Writes the lines of a CSV file.
pub struct CsvWriter<W: Write> {
    writer: csv::Writer<W>,
}

impl<W: Write> CsvWriter<W> {
    /// Begins a file in UTF-8 with a byte order mark, because Excel would otherwise not read it as
    /// UTF-8.
    ///
    /// # Errors
    ///
    /// Returns the error of the output.
    pub fn new(mut out: W, delimiter: u8) -> io::Result<CsvWriter<W>> {
        out.write_all("\u{feff}".as_bytes())?;
        Ok(CsvWriter::plain(out, delimiter))
    }

    /// Begins a file without a byte order mark, for programs that expect none.
    pub fn plain(out: W, delimiter: u8) -> CsvWriter<W> {
        let writer = WriterBuilder::new()
            .delimiter(delimiter)
            .flexible(true)
            .terminator(csv::Terminator::CRLF)
            .from_writer(out);
        CsvWriter { writer }
    }

    /// Writes a line of texts.
    ///
    /// # Errors
    ///
    /// Returns the error of the output.
    pub fn line<'c>(&mut self, cells: impl IntoIterator<Item = &'c str>) -> io::Result<()> {
        for cell in cells {
            self.writer.write_field(&*harmless(cell))?;
        }
        self.writer.write_record(None::<&[u8]>)?;
        Ok(())
    }

    /// Writes everything to the output.
    ///
    /// # Errors
    ///
    /// Returns the error of the output.
    pub fn finish(mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// The text of a cell that a spreadsheet does not take for a formula. A formula in a file from
/// outside could read other files or open addresses.
fn harmless(cell: &str) -> std::borrow::Cow<'_, str> {
    if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        format!("'{cell}").into()
    } else {
        cell.into()
    }
}
