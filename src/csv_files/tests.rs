//! Tests with files as spreadsheets, banks and shops write them.

use proptest::prelude::*;

use super::links::MAX_LINES;
use super::*;
use crate::trade::amount::Unit;

/// The result of reading a file, as a line of text for each line of the file.
fn read(bytes: impl AsRef<[u8]>) -> String {
    read_with(bytes.as_ref(), None)
}

fn read_with(bytes: &[u8], unit: Option<Unit>) -> String {
    let file = match LinkFile::read(bytes, unit) {
        Ok(file) => file,
        Err(fault) => return fault.to_string(),
    };
    let lines = file.lines.iter().map(|line| {
        let text = match &line.link {
            Ok(link) => {
                let optional = [&link.domain, &link.note];
                let optional = optional.into_iter().flatten();
                let texts = [link.amount.wire(), link.description.clone()];
                let texts: Vec<_> = texts.into_iter().chain(optional.cloned()).collect();
                texts.join(" | ")
            }
            Err(fault) => fault.to_string(),
        };
        format!("{}: {text}", line.number)
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The text in Windows-1252, for characters that have the same code in Latin-1.
fn windows_1252(text: &str) -> Vec<u8> {
    text.chars()
        .map(|c| match c {
            '€' => 0x80,
            '–' => 0x96,
            c => u8::try_from(u32::from(c)).unwrap(),
        })
        .collect()
}

fn utf_16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    let text = format!("\u{feff}{text}");
    text.encode_utf16().flat_map(to_bytes).collect()
}

const PLAIN: &str = "Valor;Descrição\n49,90;Camiseta azul M\n1.234,56;Tênis\n";
const PLAIN_READ: &str = "2: 49.90 | Camiseta azul M\n3: 1234.56 | Tênis";

#[test]
fn encodings_of_spreadsheets_are_recognized() {
    let with_mark = format!("\u{feff}{PLAIN}");
    for (writer, bytes, encoding) in [
        ("LibreOffice, Google Sheets", PLAIN.into(), Encoding::Utf8),
        ("Excel, CSV UTF-8", with_mark.into_bytes(), Encoding::Utf8),
        (
            "Excel in Portuguese, CSV",
            windows_1252(PLAIN),
            Encoding::Windows1252,
        ),
        (
            "Excel, Unicode text",
            utf_16(PLAIN, u16::to_le_bytes),
            Encoding::Utf16,
        ),
        (
            "UTF-16, big-endian",
            utf_16(PLAIN, u16::to_be_bytes),
            Encoding::Utf16,
        ),
    ] {
        assert_eq!(read(&bytes), PLAIN_READ, "{writer}");
        let file = LinkFile::read(&bytes, None).unwrap();
        assert_eq!(file.encoding, encoding, "{writer}");
    }
    let dash = windows_1252("valor;descrição\n5,00;Café – grão\n");
    assert_eq!(read(dash), "2: 5.00 | Café – grão");
}

#[test]
fn delimiter_is_decided_by_the_header() {
    for (text, delimiter) in [
        (PLAIN.to_owned(), b';'),
        (PLAIN.replace(';', "\t"), b'\t'),
        (
            "amount,description\n49.90,Camiseta azul M\n1234.56,Tênis".into(),
            b',',
        ),
        (
            "valor,descrição\n\"49,90\",Camiseta azul M\n\"1.234,56\",Tênis".into(),
            b',',
        ),
        (format!("sep=;\n{PLAIN}"), b';'),
        (
            "sep=,\nvalor,descrição\n49.90,Camiseta azul M\n1234.56,Tênis\n".into(),
            b',',
        ),
    ] {
        let file = LinkFile::read(text.as_bytes(), None).unwrap();
        assert_eq!(file.delimiter, delimiter, "{text}");
        let links: Vec<_> = file.links().map(|(_, link)| link.amount.wire()).collect();
        assert_eq!(links, ["49.90", "1234.56"], "{text}");
    }
    let excel = read(format!("sep=;\n{PLAIN}"));
    assert_eq!(excel, "3: 49.90 | Camiseta azul M\n4: 1234.56 | Tênis");
}

#[test]
fn columns_are_found_by_name_in_any_order() {
    for header in [
        "Descrição;Valor;Domínio;Nota",
        "DESCRICAO;VALOR;DOMINIO;NOTA",
        "description;amount;domain;note",
        " descrição ; Valor (R$) ; domínio ; nota ",
        "\"Descrição\";\"Valor\";\"Domínio\";\"Nota\"",
        "Descric\u{327}a\u{303}o;valor;domi\u{301}nio;nota",
    ] {
        let text = format!("{header}\nBolo;30,00;Loja.Example;Ana, sexta\nSuco;8,00;;\n");
        let expected = "2: 30.00 | Bolo | loja.example | Ana, sexta\n3: 8.00 | Suco";
        assert_eq!(read(text), expected, "{header}");
    }
}

#[test]
fn other_columns_are_kept() {
    let text = "Cliente;Valor;Descrição;Pedido\nAna;30,00;Bolo;#17\n";
    let file = LinkFile::read(text.as_bytes(), None).unwrap();
    assert_eq!(file.header, ["Cliente", "Valor", "Descrição", "Pedido"]);
    assert_eq!(file.lines[0].cells, ["Ana", "30,00", "Bolo", "#17"]);
}

#[test]
fn faulty_header_is_named_before_any_line() {
    for (text, fault) in [
        (
            "valor;amount;descrição\n1,00;2,00;a",
            "the columns valor and amount have the same meaning",
        ),
        (
            "descrição;Description;valor\na;b;1,00",
            "the columns descrição and Description have the same meaning",
        ),
        ("produto;descrição\na;b", "no column Amount"),
        ("valor;produto\n1,00;b", "no column Description"),
        ("49,90;Camiseta\n5,00;Boné", "no column Amount"),
        ("", "the file has no lines"),
        ("\n\n", "the file has no lines"),
        ("valor;descrição\n", "the file has no lines"),
        ("valor;descrição\n;\n\n;;\n", "the file has no lines"),
    ] {
        assert_eq!(read(text), fault, "{text}");
    }
}

#[test]
fn each_faulty_line_has_its_own_word() {
    let long = "x".repeat(141);
    let text = format!(
        "valor;descrição\n49,90;Boné\n\n0,00;Brinde\n-5,00;Troco\n;Sem preço\n9,90;\n;;\n\
         49,90;Boné;azul\n10000000000,00;Iate\n5,00;{long}\n5,00;ok;;\n63,80;\n\n"
    );
    let expected = "2: 49.90 | Boné\n\
         3: empty line\n\
         4: the amount is zero\n\
         5: the amount is negative\n\
         6: the amount is missing\n\
         7: the description is missing\n\
         8: empty line\n\
         9: the line has 3 cells, the header 2\n\
         10: the amount is too large\n\
         11: the description has 141 characters\n\
         12: 5.00 | ok\n\
         13: looks like a total";
    assert_eq!(read(&text), expected);
    let file = LinkFile::read(text.as_bytes(), None).unwrap();
    let faults: Vec<_> = file.faults().map(|(number, _)| number).collect();
    assert_eq!(
        faults,
        [4, 5, 6, 7, 9, 10, 11, 13],
        "empty lines are harmless"
    );
}

#[test]
fn line_numbers_are_those_of_an_editor() {
    let lines = "valor;descrição\n1,00;\"duas\nlinhas\"\n\n2,00;b\n";
    let expected = "2: 1.00 | duas linhas\n4: empty line\n5: 2.00 | b";
    assert_eq!(read(lines), expected);
    assert_eq!(read(lines.replace('\n', "\r\n")), expected, "Windows");
    assert_eq!(read(lines.replace('\n', "\r")), expected, "old Mac");
    let moved = "3: 1.00 | duas linhas\n5: empty line\n6: 2.00 | b";
    assert_eq!(read(format!("\n{lines}")), moved, "a blank line above");
}

#[test]
fn quoted_cells_keep_delimiters_and_quotes() {
    let text = "valor;descrição\n5,00;\"Bolo; \"\"de cenoura\"\"\"\n";
    assert_eq!(read(text), "2: 5.00 | Bolo; \"de cenoura\"");
    let inches = "valor;descrição\n5,00;TV 32\" usada\n";
    assert_eq!(read(inches), "2: 5.00 | TV 32\" usada");
}

#[test]
fn open_quote_is_refused_with_its_line() {
    let text = "valor;descrição\n1,00;a\n5,00;\"Bolo\n6,00;Suco\n7,00;Café\n";
    assert_eq!(read(text), "a quote in line 3 is not closed");
    assert_eq!(read("\"valor;descrição\n1,00;a\n"), "no column Amount");
}

#[test]
fn file_that_is_no_text_is_refused() {
    for bytes in [
        &b"PK\x03\x04\x14\x00\x06\x00workbook"[..],
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00\x00",
        b"%PDF-1.7\n\x00\x01",
        b"valor;descri\x00ao\n1,00;a\n",
        b"\xff\xfev\x00\x00\xd8\x00\x00",
        b"valor;a\x1b[2J\n",
    ] {
        assert_eq!(read(bytes), "the file is not a text", "{bytes:?}");
    }
}

#[test]
fn large_file_is_refused_before_it_is_parsed() {
    let header = "valor;descrição\n";
    let lines = |count| format!("{header}{}", "1,00;\"\n".repeat(count));
    assert_eq!(read(lines(MAX_LINES + 1)), "the file has 20001 lines");
    let whole = format!("{header}{}", "1,00;a\n".repeat(MAX_LINES));
    assert_eq!(
        LinkFile::read(whole.as_bytes(), None).unwrap().lines.len(),
        MAX_LINES
    );
    let bytes = vec![b'a'; MAX_FILE_BYTES + 1];
    assert_eq!(read(bytes), "the file has 20000001 bytes");
}

#[test]
fn column_of_whole_numbers_asks_for_its_unit() {
    let text = "amount,description\n4990,Boné\n";
    assert_eq!(read(text), "whole numbers may be reais or centavos");
    let in_centavos = read_with(text.as_bytes(), Some(Unit::Centavos));
    assert_eq!(in_centavos, "2: 49.90 | Boné");
    let in_reais = read_with(text.as_bytes(), Some(Unit::Reais));
    assert_eq!(in_reais, "2: 4990.00 | Boné");
}

#[test]
fn exports_of_shops_are_read_as_people_do() {
    for (shop, text, expected) in [
        (
            "accounting format of Excel",
            "Descrição;Valor\nBolo; R$ 1.200,00 \nTorta; R$ 80,50 \nBrinde; R$ -   \n",
            "2: 1200.00 | Bolo\n3: 80.50 | Torta\n4: the amount is missing",
        ),
        (
            "export in English",
            "\"Order\",\"Amount\",\"Description\"\n\"1\",\"1,299.00\",\"Sofa, two seats\"\n",
            "2: 1299.00 | Sofa, two seats",
        ),
        (
            "thousands without centavos beside prices",
            "valor\tdescrição\n1.500\tNotebook\n89,9\tMouse\n",
            "2: 1500.00 | Notebook\n3: 89.90 | Mouse",
        ),
        (
            "formula errors",
            "valor;descrição\n#REF!;Bolo\n10,00;Suco\n",
            "2: not an amount of money\n3: 10.00 | Suco",
        ),
        (
            "two decimal separators",
            "valor;descrição\n10,00;a\n10.00;b\n",
            "line 2 has a decimal comma, line 3 a decimal point",
        ),
        (
            "nothing decides",
            "valor;descrição\n1.234;a\n",
            "2: the amount may mean R$ 1.234,00 or R$ 1,234",
        ),
        (
            "cells without the last ones",
            "valor;descrição;nota\n10,00;a\n",
            "2: 10.00 | a",
        ),
        (
            "trailing delimiters",
            "valor;descrição;;;\n10,00;a;;;\n",
            "2: 10.00 | a",
        ),
        (
            "no-break spaces",
            "valor;descrição\nR$\u{a0}10,00;\u{a0}a\u{a0}\nR$\u{202f}5,00;b\n",
            "2: 10.00 | a\n3: 5.00 | b",
        ),
        (
            "text that looks like a formula",
            "valor;descrição\n10,00;=1+1\n",
            "2: 10.00 | =1+1",
        ),
    ] {
        assert_eq!(read(text), expected, "{shop}");
    }
}

fn written(delimiter: u8, lines: &[&[&str]]) -> String {
    let mut bytes = Vec::new();
    let mut writer = CsvWriter::new(&mut bytes, delimiter).unwrap();
    for line in lines {
        writer.line(line.iter().copied()).unwrap();
    }
    writer.finish().unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn written_cell_is_never_a_formula() {
    let cells: &[&str] = &["=1+1", "+5", "-5", "@SUM(A1)", "\tx", "\rx", "a=b", "'=1"];
    assert_eq!(
        written(b';', &[cells]),
        "\u{feff}'=1+1;'+5;'-5;'@SUM(A1);'\tx;\"'\rx\";a=b;'=1\r\n"
    );
}

proptest! {
    #[test]
    fn written_links_are_read_back(
        lines in proptest::collection::vec(
            (1_i64..1_000_000_000_000, "[a-zç\";,\n ]{0,20}[a-z]", "[a-z. ]{0,6}"),
            1..20,
        ),
        delimiter in proptest::sample::select(vec![b';', b',', b'\t']),
    ) {
        let rows: Vec<[String; 3]> = lines
            .iter()
            .map(|(centavos, description, note)| [
                crate::trade::Money::from_centavos(*centavos).format_number(),
                format!("x{description}"),
                note.clone(),
            ])
            .collect();
        let mut table: Vec<Vec<&str>> = vec![vec!["valor", "descrição", "nota"]];
        table.extend(rows.iter().map(|row| row.iter().map(String::as_str).collect()));
        let table: Vec<&[&str]> = table.iter().map(Vec::as_slice).collect();
        let file = LinkFile::read(written(delimiter, &table).as_bytes(), None).unwrap();
        prop_assert_eq!(file.delimiter, delimiter);
        prop_assert_eq!(file.lines.len(), rows.len());
        for (line, [_, description, note]) in file.lines.iter().zip(&rows) {
            let link = line.link.as_ref().unwrap();
            prop_assert_eq!(&link.description, &description.replace('\n', " "));
            prop_assert_eq!(link.note.as_deref().unwrap_or_default(), note.trim());
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
        text in "(valor|;|,|descricao|\n|\"|1,00|a){0,40}",
    ) {
        let _ = LinkFile::read(&bytes, None);
        if let Ok(file) = LinkFile::read(text.as_bytes(), None) {
            let numbers: Vec<_> = file.lines.iter().map(|line| line.number).collect();
            prop_assert!(numbers.is_sorted_by(|one, other| one < other));
        }
    }
}
