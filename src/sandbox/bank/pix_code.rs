//! The PIX copy-and-paste code of a charge, in the form of the central bank's BR Code manual.

use super::amount::Amount;

/// The code for one charge; no bank can pay it, for its address ends in `.example`.
pub fn copy_and_paste(charge_id: &str, amount: Amount, store: &str) -> String {
    let account = [field("00", "br.gov.bcb.pix"), field("25", &location(charge_id))].concat();
    let mut cents = amount.0;
    cents.rescale(2);
    let code = [
        field("00", "01"),
        field("01", "12"),
        field("26", &account),
        field("52", "0000"),
        field("53", "986"),
        field("54", &cents.to_string()),
        field("58", "BR"),
        field("59", &plain(store, 25)),
        field("60", "SAO PAULO"),
        field("62", &field("05", "***")),
        "6304".to_owned(),
    ]
    .concat();
    let check = crc16(code.as_bytes());
    format!("{code}{check:04X}")
}

fn location(charge_id: &str) -> String {
    format!("pix.balcao.example/v2/{}", charge_id.replace('-', ""))
}

fn field(id: &str, value: &str) -> String {
    format!("{id}{:02}{value}", value.len())
}

/// Upper-case ASCII letters and digits only, for not every bank reads more.
fn plain(text: &str, most: usize) -> String {
    let kept: String = text
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == ' ')
        .take(most)
        .collect::<String>()
        .to_ascii_uppercase();
    if kept.trim().is_empty() { "LOJA".to_owned() } else { kept }
}

/// CRC-16/CCITT-FALSE: polynomial 1021, first value FFFF.
fn crc16(bytes: &[u8]) -> u16 {
    let mut crc = 0xffff_u16;
    for byte in bytes {
        crc ^= u16::from(*byte) << 8;
        for _ in 0..8 {
            crc = if crc & 0x8000 == 0 { crc << 1 } else { crc << 1 ^ 0x1021 };
        }
    }
    crc
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_is_the_one_the_manual_names() {
        assert_eq!(crc16(b"123456789"), 0x29b1);
    }

    #[test]
    fn the_code_can_be_taken_apart_field_by_field() {
        let id = "5ba3f1c2-0000-4000-8000-000000000001";
        let code = copy_and_paste(id, Amount::read("10.1").unwrap(), "Loja da <Ána>");
        let (body, check) = code.split_at(code.len() - 4);
        assert_eq!(check, format!("{:04X}", crc16(body.as_bytes())));
        let mut rest = code.as_str();
        let mut fields = Vec::new();
        while !rest.is_empty() {
            let length: usize = rest[2..4].parse().unwrap();
            fields.push((&rest[..2], &rest[4..4 + length]));
            rest = &rest[4 + length..];
        }
        assert!(fields.contains(&("54", "10.10")));
        assert!(fields.contains(&("59", "LOJA DA NA")));
        assert_eq!(fields.last().unwrap().0, "63");
    }
}
