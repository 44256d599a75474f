//! Tests with files as Brazilian banks write them.

use std::collections::HashSet;

use proptest::prelude::*;

use super::*;
use crate::trade::Wall;

const BRAZIL: i32 = -3 * 3_600;

/// The entries as text: date, amount and memo.
fn read_lines(bytes: impl AsRef<[u8]>) -> Vec<String> {
    match read(bytes.as_ref(), BRAZIL) {
        Err(fault) => vec![fault.to_string()],
        Ok(entries) => entries
            .iter()
            .map(|entry| {
                let at = Wall(entry.day * 86_400_000).local(0).unwrap();
                format!("{} {} {}", at.date(), entry.amount.wire(), entry.memo)
            })
            .collect(),
    }
}

/// A file of version 1 with these transactions.
fn sgml(transactions: &str) -> String {
    format!(
        "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nENCODING:USASCII\nCHARSET:1252\n\n\
         <OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><BANKACCTFROM><BANKID>0341<ACCTID>12345-6\
         </BANKACCTFROM><BANKTRANLIST>{transactions}</BANKTRANLIST></STMTRS></STMTTRNRS>\
         </BANKMSGSRSV1></OFX>"
    )
}

fn transaction(posted: &str, amount: &str, id: &str, memo: &str) -> String {
    format!(
        "<STMTTRN>\n<TRNTYPE>CREDIT\n<DTPOSTED>{posted}\n<TRNAMT>{amount}\n<FITID>{id}\n\
         <MEMO>{memo}\n</STMTTRN>\n"
    )
}

fn windows_1252(text: &str) -> Vec<u8> {
    text.chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap())
        .collect()
}

#[test]
fn both_versions_of_ofx_are_read() {
    let old = sgml(&transaction(
        "20261112103000[-3:BRT]",
        "49.90",
        "1",
        "PIX ANA",
    ));
    let expected = ["2026-11-12 49.90 PIX ANA"];
    assert_eq!(read_lines(&old), expected);
    let new = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<?OFX OFXHEADER=\"200\"?>\n\
        <OFX><BANKTRANLIST><STMTTRN><TRNTYPE>CREDIT</TRNTYPE><DTPOSTED>20261112</DTPOSTED>\
        <TRNAMT>49.90</TRNAMT><FITID>1</FITID><NAME>PIX</NAME><MEMO>PIX ANA</MEMO></STMTTRN>\
        </BANKTRANLIST></OFX>";
    assert_eq!(read_lines(new), expected);
    assert_eq!(read_lines(new.replace("STMTTRN", "stmttrn")), expected);
    let unclosed = old.replace("</STMTTRN>", "").replace("</BANKTRANLIST>", "");
    assert_eq!(read_lines(unclosed), expected);
}

#[test]
fn charset_header_that_lies_is_ignored() {
    let text = sgml(&transaction("20261112", "10,00", "1", "PÃO DE AÇÚCAR"));
    let expected = ["2026-11-12 10.00 PÃO DE AÇÚCAR"];
    assert_eq!(read_lines(&text), expected, "says 1252, is UTF-8");
    let utf8_header = text.replace("CHARSET:1252", "CHARSET:UTF-8");
    assert_eq!(
        read_lines(windows_1252(&utf8_header)),
        expected,
        "the reverse"
    );
    let latin = text.replace("ENCODING:USASCII", "ENCODING:ISO-8859-1");
    assert_eq!(read_lines(windows_1252(&latin)), expected);
}

#[test]
fn amounts_with_comma_and_sign_are_read() {
    for (amount, expected) in [
        ("49,90", "49.90"),
        ("-1.234,56", "-1234.56"),
        ("+5.00", "5.00"),
        ("100", "100.00"),
        ("-0,01", "-0.01"),
    ] {
        let text = sgml(&transaction("20261112", amount, "1", "x"));
        assert_eq!(
            read_lines(text),
            [format!("2026-11-12 {expected} x")],
            "{amount}"
        );
    }
    let zero = sgml(&transaction("20261112", "0.00", "1", "x"));
    assert_eq!(read_lines(zero), [""; 0]);
}

#[test]
fn time_zone_decides_the_local_day() {
    for (posted, day) in [
        ("20261112", "2026-11-12"),
        ("20261112000000[-3:BRT]", "2026-11-12"),
        ("20261112000000[0:GMT]", "2026-11-12"),
        ("20261113013000[0:GMT]", "2026-11-12"),
        ("20261113013000[0]", "2026-11-12"),
        ("20261112233000[-3:BRT]", "2026-11-12"),
        ("20261112223000[-4.00:AMT]", "2026-11-12"),
        ("20261112233000[-4:AMT]", "2026-11-13"),
        ("20261112103000", "2026-11-12"),
        ("20261112103000.000[-3:GMT]", "2026-11-12"),
    ] {
        let lines = read_lines(sgml(&transaction(posted, "1.00", "1", "x")));
        assert_eq!(lines, [format!("{day} 1.00 x")], "{posted}");
    }
    for wrong in ["", "2026", "20261340", "hoje"] {
        let lines = read_lines(sgml(&transaction(wrong, "1.00", "1", "x")));
        assert_eq!(lines, [""; 0], "{wrong}");
    }
}

#[test]
fn balance_rows_are_no_entries() {
    let memos = [
        "Saldo do dia",
        "SALDO ANTERIOR",
        "S A L D O",
        "Saldo Total Disponível",
    ];
    let balances: String = memos
        .iter()
        .map(|memo| transaction("20261112", "999.00", "0", memo))
        .collect();
    let sale = transaction("20261112", "5.00", "1", "PIX saldo Ana");
    assert_eq!(
        read_lines(sgml(&(balances + &sale))),
        ["2026-11-12 5.00 PIX saldo Ana"]
    );
}

#[test]
fn ampersands_and_entities_are_not_expanded() {
    let memo = "BAR & CIA &lt;1&gt; &quot;x&quot; &eacute; &amp;amp;";
    let lines = read_lines(sgml(&transaction("20261112", "5.00", "1", memo)));
    assert_eq!(
        lines,
        ["2026-11-12 5.00 BAR & CIA <1> \"x\" &eacute; &amp;"]
    );
    let bomb = format!(
        "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>{}",
        sgml(&transaction("20261112", "5.00", "1", "&b;"))
    );
    assert_eq!(read_lines(bomb), ["2026-11-12 5.00 &b;"]);
}

#[test]
fn several_accounts_are_kept_apart() {
    let one = transaction("20261112", "5.00", "1", "PIX");
    let text = sgml(&one);
    let other = text.replace("12345-6", "99999-9");
    let both = text.replace("</OFX>", "") + &other[other.find("<BANKMSGSRSV1>").unwrap()..];
    let entries = read(both.as_bytes(), BRAZIL).unwrap();
    assert_eq!(entries.len(), 2);
    assert_ne!(entries[0].identity, entries[1].identity);
}

fn identities(text: &str) -> Vec<EntryId> {
    let entries = read(text.as_bytes(), BRAZIL).unwrap();
    entries.iter().map(|entry| entry.identity).collect()
}

#[test]
fn missing_or_repeated_ids_keep_entries_apart() {
    for id in ["", "0", "N/A"] {
        let sale = |memo| transaction("20261112", "5.00", id, memo);
        let text = sgml(&[sale("ANA"), sale("ANA"), sale("BIA")].concat());
        let ids = identities(&text);
        assert_eq!(ids.iter().collect::<HashSet<_>>().len(), 3, "{id}");
        let reversed = sgml(&[sale("BIA"), sale("ANA"), sale("ANA")].concat());
        let other: HashSet<_> = identities(&reversed).into_iter().collect();
        assert_eq!(
            other,
            ids.into_iter().collect(),
            "the order does not matter"
        );
    }
    let without = sgml(&transaction("20261112", "5.00", "", "ANA")).replace("<FITID>\n", "");
    assert_eq!(identities(&without).len(), 1);
}

#[test]
fn overlapping_statements_share_identities() {
    let day = |n: u32| transaction(&format!("202611{n:02}"), "5.00", "", "ANA");
    let first = sgml(&(1..=20).map(day).collect::<String>());
    let second = sgml(&(11..=30).map(day).collect::<String>());
    let first: HashSet<_> = identities(&first).into_iter().collect();
    let shared = identities(&second)
        .iter()
        .filter(|id| first.contains(id))
        .count();
    assert_eq!(shared, 10);
}

#[test]
fn statements_in_csv_are_read_as_people_do() {
    for (bank, text, expected) in [
        (
            "date, amount, id, description",
            "Data,Valor,Identificador,Descrição\n12/11/2026,49.90,a-1,PIX ANA\n",
            "2026-11-12 49.90 PIX ANA",
        ),
        (
            "heading above the table, two texts",
            "Extrato Conta Corrente\nConta;12345\nPeríodo;01/11/2026 a 30/11/2026\n\n\
             Data Lançamento;Histórico;Descrição;Valor;Saldo\n\
             12/11/2026;Pix recebido;Ana Souza;1.049,90;2.000,00\n",
            "2026-11-12 1049.90 Ana Souza Pix recebido",
        ),
        (
            "credit and debit columns",
            "Data;Histórico;Docto.;Crédito (R$);Débito (R$);Saldo (R$)\n\
             12/11/26;PIX ANA;77;49,90;;100,00\n",
            "2026-11-12 49.90 PIX ANA",
        ),
        (
            "letters C and D",
            "Data;Lançamento;Valor\n12-11-2026;TARIFA;49,90 D\n",
            "2026-11-12 -49.90 TARIFA",
        ),
        (
            "debit column",
            "data;descrição;crédito;débito\n2026-11-12 10:30;PIX;;5,00\n",
            "2026-11-12 -5.00 PIX",
        ),
        (
            "English, month first",
            "Date,Description,Amount\n11/25/2026,PIX,5.00\n",
            "2026-11-25 5.00 PIX",
        ),
        (
            "tabs and spaces",
            "Data\tDescrição\tValor (R$)\n 12/11/2026 \t PIX \t R$ 5,00 \n",
            "2026-11-12 5.00 PIX",
        ),
    ] {
        assert_eq!(read_lines(text), [expected], "{bank}");
    }
    let text = "Data;Lançamento;Valor\n12/11/2026;SALDO DO DIA;10,00\n;Total;5,00\n";
    assert_eq!(read_lines(text), [""; 0]);
}

#[test]
fn other_files_are_refused() {
    for (bytes, fault) in [
        (b"%PDF-1.7\x00\x01".to_vec(), "the file is not a text"),
        (b"valor;descricao\n1,00;a\n".to_vec(), "not a statement"),
        (Vec::new(), "not a statement"),
        (
            b"Data;Valor\n12/11/2026;1,50\n12/11/2026;1.50\n".to_vec(),
            "line 1 has a decimal comma, line 2 a decimal point",
        ),
        (
            vec![b' '; crate::csv_files::MAX_FILE_BYTES + 1],
            "the file has 20000001 bytes",
        ),
        (
            sgml(&"<STMTTRN>".repeat(MAX_ENTRIES + 1)).into_bytes(),
            "the statement has 100001 entries",
        ),
    ] {
        assert_eq!(read_lines(bytes), [fault]);
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(
        text in "(<OFX>|<STMTTRN>|<MEMO>|<TRNAMT>|20261112|<DTPOSTED>|[<>&;,/ \n0-9a-z]){0,40}",
        table in "(data|valor|;|,|12/11/2026|1,00|\n|\"){0,30}",
    ) {
        let _ = read(text.as_bytes(), BRAZIL);
        let _ = read(table.as_bytes(), BRAZIL);
    }
}
