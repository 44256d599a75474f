//! The Pix code of a direct payment, in the format of the BR Code manual of the Central Bank of
//! Brazil.

use super::amount::Amount;

/// The Pix code for a direct payment. No bank app can pay it, because the host name in its URL ends
/// in `.example` and therefore never exists.
pub fn build_pix_code(charge_id: &str, amount: Amount, store: &str) -> String {
    let account = [
        field("00", "br.gov.bcb.pix"),
        field("25", &location_url(charge_id)),
    ]
    .concat();
    with_checksum(&[
        field("00", "01"),
        field("01", "12"),
        field("26", &account),
        field("52", "0000"),
        field("53", "986"),
        amount_field(amount),
        field("58", "BR"),
        field("59", &sanitize_name(store, 25)),
        field("60", "SAO PAULO"),
        field("62", &field("05", "***")),
    ])
}

/// The Pix code with another amount and a new checksum. Returns `None` if the code contains no
/// amount.
pub fn with_amount(code: &str, amount: Amount) -> Option<String> {
    let mut fields = split_fields(code)?;
    *fields.iter_mut().find(|field| field.starts_with("54"))? = amount_field(amount);
    fields.pop();
    Some(with_checksum(&fields))
}

/// The Pix code with a wrong checksum.
pub fn with_wrong_checksum(code: &str) -> Option<String> {
    let mut fields = split_fields(code)?;
    let check = fields
        .pop()?
        .get(4..)
        .and_then(|check| u16::from_str_radix(check, 16).ok())?;
    Some(format!("{}6304{:04X}", fields.concat(), !check))
}

/// Splits a Pix code into its fields. Each returned field includes its id and length.
fn split_fields(code: &str) -> Option<Vec<String>> {
    let mut fields = Vec::new();
    let mut rest = code;
    while !rest.is_empty() {
        let length: usize = rest.get(2..4)?.parse().ok()?;
        let (field, after) = rest.split_at_checked(4 + length)?;
        fields.push(field.to_owned());
        rest = after;
    }
    Some(fields)
}

fn with_checksum(fields: &[String]) -> String {
    let code = format!("{}6304", fields.concat());
    let check = crc16(code.as_bytes());
    format!("{code}{check:04X}")
}

fn amount_field(amount: Amount) -> String {
    let mut cents = amount.0;
    cents.rescale(2);
    field("54", &cents.to_string())
}

fn location_url(charge_id: &str) -> String {
    format!("pix.balcao.example/v2/{}", charge_id.replace('-', ""))
}

fn field(id: &str, value: &str) -> String {
    format!("{id}{:02}{value}", value.len())
}

/// Converts a name to upper case and shortens it. Only ASCII letters, digits and spaces are kept,
/// because some banks accept no others.
fn sanitize_name(text: &str, max_chars: usize) -> String {
    let name: String = text
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == ' ')
        .take(max_chars)
        .collect::<String>()
        .to_ascii_uppercase();
    if name.trim().is_empty() {
        "LOJA".to_owned()
    } else {
        name
    }
}

/// Computes CRC-16/CCITT-FALSE: polynomial 0x1021, initial value 0xFFFF.
fn crc16(bytes: &[u8]) -> u16 {
    let mut crc = 0xffff_u16;
    for byte in bytes {
        crc ^= u16::from(*byte) << 8;
        for _ in 0..8 {
            crc = if crc & 0x8000 == 0 {
                crc << 1
            } else {
                crc << 1 ^ 0x1021
            };
        }
    }
    crc
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksum_matches_the_manual() {
        assert_eq!(crc16(b"123456789"), 0x29b1);
    }

    #[test]
    fn code_consists_of_valid_fields() {
        let id = "5ba3f1c2-0000-4000-8000-000000000001";
        let code = build_pix_code(id, Amount::parse("10.1").unwrap(), "Loja da <Ána>");
        let (body, check) = code.split_at(code.len() - 4);
        assert_eq!(check, format!("{:04X}", crc16(body.as_bytes())));
        let fields = split_fields(&code).unwrap();
        let has = |field: &str| fields.iter().any(|present| present == field);
        assert!(has("540510.10") && has("5910LOJA DA NA"), "{fields:?}");
        assert!(fields.last().unwrap().starts_with("6304"));
    }

    #[test]
    fn changed_amount_updates_the_checksum() {
        let code = |amount| build_pix_code("id", Amount::parse(amount).unwrap(), "Ana");
        let other = with_amount(&code("10.10"), Amount::parse("1234.5").unwrap());
        assert_eq!(other, Some(code("1234.50")));
    }
}
