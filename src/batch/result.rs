//! Writes the result of a batch: the lines of its file, with what became of them.

use std::io::{self, Write};

use crate::csv_files::CsvWriter;
use crate::trade::{BatchLine, BatchSource, LineState, Untrusted};

/// The texts of a result file.
pub struct ResultWords<'w> {
    /// The names of the three columns: url, state and reason.
    pub columns: [String; 3],
    /// The name of a state.
    pub state: &'w (dyn Fn(LineState) -> String + Sync),
}

/// Writes the lines of a batch as a CSV file like the seller's, with three columns more.
pub struct ResultWriter<'w, W: Write> {
    writer: CsvWriter<W>,
    columns: usize,
    words: &'w ResultWords<'w>,
}

impl<'w, W: Write> ResultWriter<'w, W> {
    /// Writes the names of the columns.
    ///
    /// # Errors
    ///
    /// Returns the error of the output.
    pub fn new(
        out: W,
        source: &BatchSource,
        words: &'w ResultWords<'w>,
    ) -> io::Result<ResultWriter<'w, W>> {
        let mut writer = CsvWriter::new(out, source.delimiter)?;
        let names = source.header.iter().chain(&words.columns);
        writer.line(names.map(String::as_str))?;
        Ok(ResultWriter {
            writer,
            columns: source.header.len(),
            words,
        })
    }

    /// Writes the next lines of the batch.
    ///
    /// # Errors
    ///
    /// Returns the error of the output.
    pub fn write(&mut self, lines: &[BatchLine]) -> io::Result<()> {
        for line in lines {
            // A line may have fewer cells than the header, or more if it is faulty.
            let missing = self.columns.saturating_sub(line.cells.len());
            let cells = line.cells.iter().take(self.columns).map(String::as_str);
            let state = (self.words.state)(line.state);
            // A URL with invisible characters is not passed on, as in the app.
            let url = line.url.as_ref().filter(|url| url.is_clean());
            let url = url.map_or("", Untrusted::raw);
            let own_cells = [url, &*state, &*line.reason];
            self.writer.line(
                cells
                    .chain(std::iter::repeat_n("", missing))
                    .chain(own_cells),
            )?;
        }
        Ok(())
    }

    /// Writes what is still in a buffer.
    ///
    /// # Errors
    ///
    /// Returns the error of the output.
    pub fn finish(self) -> io::Result<()> {
        self.writer.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(number: u64, cells: &[&str], state: LineState, url: Option<&str>) -> BatchLine {
        BatchLine {
            number,
            cells: cells.iter().map(|cell| (*cell).to_owned()).collect(),
            request: None,
            note: None,
            state,
            reason: if url.is_some() { "" } else { "motivo" }.to_owned(),
            row: None,
            url: url.map(Into::into),
        }
    }

    #[test]
    fn result_has_the_lines_of_the_file() {
        let source = BatchSource {
            file: "/srv/ana/precos.csv".into(),
            result: "/srv/ana/precos-resultado.csv".into(),
            header: vec!["Cliente".into(), "Valor".into(), "Descrição".into()],
            delimiter: b';',
        };
        let made = Some("https://loja.example/l-1");
        let lines = [
            line(2, &["=Ana", "49,90", "Boné"], LineState::Made, made),
            line(3, &["", "5,00"], LineState::Skipped, None),
            line(4, &["Bia", "5,00", "a; b", "x"], LineState::Skipped, None),
        ];
        let mut bytes = Vec::new();
        let words = ResultWords {
            columns: ["url", "estado", "motivo"].map(str::to_owned),
            state: &|state| state.name().to_owned(),
        };
        let mut writer = ResultWriter::new(&mut bytes, &source, &words).unwrap();
        for page in lines.chunks(2) {
            writer.write(page).unwrap();
        }
        writer.finish().unwrap();
        assert_eq!(
            String::from_utf8(bytes).unwrap(),
            "\u{feff}Cliente;Valor;Descrição;url;estado;motivo\r\n\
             '=Ana;49,90;Boné;https://loja.example/l-1;made;\r\n\
             ;5,00;;;skipped;motivo\r\n\
             Bia;5,00;\"a; b\";;skipped;motivo\r\n"
        );
    }
}
