//! Parses a Pix code: the BR Code of the Central Bank of Brazil, which is based on the EMV merchant
//! QR code.
//!
//! A Pix code is a sequence of fields with a two-digit id, a two-digit length and a value, which
//! may itself contain fields. The program does not trust a parsed Pix code, and compares it with
//! the direct payment that the seller requested.

use super::{Money, Untrusted};

/// The value that marks a merchant account field as a Pix account.
const PIX: &str = "br.gov.bcb.pix";

/// The ISO 4217 numeric code of the real, the Brazilian currency.
const REAL: &str = "986";

/// The id (63) and the length (04) of the checksum, which is the last field. The checksum covers
/// all characters before its own value, including this id and length.
const CHECK: &str = "6304";

/// The maximum number of characters of an amount.
const LONGEST_AMOUNT: usize = 13;

/// The parsed content of a Pix code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrCode {
    /// True if the checksum at the end of the code is correct.
    pub is_intact: bool,
    /// The amount to pay; `None` if the payer chooses the amount.
    pub amount: Option<Money>,
    /// True if the amount is in reais.
    pub is_in_reais: bool,
    /// True if the code contains a URL where the payer's bank downloads the payment terms.
    pub is_dynamic: bool,
    /// The receiver's name, as written in the code.
    pub receiver: Untrusted,
}

impl BrCode {
    /// Parses a Pix code. Returns `None` if a required field is missing or malformed.
    ///
    /// A wrong checksum does not make the parser fail: see [`is_intact`](BrCode::is_intact).
    pub fn parse(text: &Untrusted) -> Option<BrCode> {
        let text = text.raw();
        let row = FieldRow::parse(text)?;
        let is_whole = row.0.first()? == &("00", "01") && row.get("58")? == "BR";
        let has_category = row.get("52").is_some() && row.get("60").is_some();
        let receiver = row.get("59").filter(|name| !name.trim().is_empty())?;
        if !is_whole || !has_category {
            return None;
        }
        Some(BrCode {
            is_intact: row.checksum()? == crc16(text.strip_suffix(row.0.last()?.1)?.as_bytes()),
            amount: row.get("54").map_or(Some(None), amount)?,
            is_in_reais: row.get("53")? == REAL,
            is_dynamic: is_dynamic(&row.pix()?)?,
            receiver: receiver.into(),
        })
    }
}

impl BrCode {
    /// Returns true if the Pix code does not match a payment of the amount `asked`: its checksum,
    /// currency or amount is wrong. A code without an amount matches every amount.
    pub fn contradicts(&self, asked: Money) -> bool {
        let is_other = self.amount.is_some_and(|amount| amount != asked);
        is_other || !self.is_intact || !self.is_in_reais
    }
}

/// The fields of a Pix code, each a pair of id and value. No id occurs twice.
struct FieldRow<'t>(Vec<(&'t str, &'t str)>);

impl<'t> FieldRow<'t> {
    /// Splits a text into fields. Returns `None` if it contains anything other than valid fields.
    fn parse(text: &'t str) -> Option<FieldRow<'t>> {
        let mut row = FieldRow(Vec::new());
        let mut rest = text;
        while !rest.is_empty() {
            let (name, after) = split(rest, 2)?;
            let (length, after) = split(after, 2)?;
            if !is_digits(name) || !is_digits(length) || row.get(name).is_some() {
                return None;
            }
            let (value, after) = split(after, length.parse().ok()?)?;
            row.0.push((name, value));
            rest = after;
        }
        Some(row)
    }

    fn get(&self, name: &str) -> Option<&'t str> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// Returns the fields of the merchant account that is paid by Pix. Returns `None` if the code
    /// has several such accounts, because the receiver would be unclear.
    fn pix(&self) -> Option<FieldRow<'t>> {
        let accounts = self.0.iter().filter(|(name, _)| ("26"..="51").contains(name));
        let of_pix = |value| {
            let account = FieldRow::parse(value)?;
            account.get("00")?.eq_ignore_ascii_case(PIX).then_some(account)
        };
        let mut found = accounts.filter_map(|(_, value)| of_pix(value));
        let account = found.next()?;
        found.next().is_none().then_some(account)
    }

    /// Returns the checksum; `None` if the last field is not a valid checksum.
    fn checksum(&self) -> Option<u16> {
        let (name, value) = self.0.last()?;
        let is_check = format!("{name}{:02}", value.len()) == CHECK;
        let is_hex = value.bytes().all(|byte| byte.is_ascii_hexdigit());
        (is_check && is_hex).then(|| u16::from_str_radix(value, 16).ok())?
    }
}

/// Splits a text after this number of characters. Characters are counted, not bytes, because a Pix
/// code gives its field lengths in characters.
fn split(text: &str, characters: usize) -> Option<(&str, &str)> {
    let mut ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    text.split_at_checked(ends.nth(characters)?)
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns true if the account contains a URL with the payment terms, false if it contains a Pix
/// key, and `None` otherwise.
fn is_dynamic(account: &FieldRow<'_>) -> Option<bool> {
    match (account.get("25"), account.get("01")) {
        (Some(_), _) => Some(true),
        (None, Some(_)) => Some(false),
        (None, None) => None,
    }
}

/// Parses an amount. Returns `Some(None)` for zero, because the payer then chooses the amount.
/// Returns `None` if the text is not an amount.
fn amount(written: &str) -> Option<Option<Money>> {
    let (whole, fraction) = written.split_once('.').unwrap_or((written, ""));
    let is_written = is_digits(whole) && is_digits(fraction) && !whole.is_empty();
    if !is_written || fraction.len() > 2 || written.len() > LONGEST_AMOUNT {
        return None;
    }
    let centavos: i64 = format!("{whole}{fraction:0<2}").parse().ok()?;
    Some(Some(Money::from_centavos(centavos)).filter(|amount| amount.is_positive()))
}

/// Computes CRC-16/CCITT-FALSE: polynomial 0x1021, initial value 0xFFFF.
fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0xffff, |crc, byte| {
        (0..8).fold(crc ^ u16::from(*byte) << 8, |crc, _| {
            if crc & 0x8000 == 0 { crc << 1 } else { crc << 1 ^ 0x1021 }
        })
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The example from the Central Bank's manual. It contains a Pix key but no amount.
    const MANUAL: &str = "00020126580014br.gov.bcb.pix0136\
                          123e4567-e12b-12d1-a456-426655440000\
                          5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D";

    fn read(text: &str) -> Option<BrCode> {
        BrCode::parse(&text.into())
    }

    fn field(name: &str, value: &str) -> String {
        format!("{name}{:02}{value}", value.chars().count())
    }

    fn checked(body: &str) -> String {
        format!("{body}6304{:04X}", crc16(format!("{body}6304").as_bytes()))
    }

    /// Returns a valid Pix code with these fields. `account` is an encoded field that contains a
    /// Pix key or a URL.
    fn code(account: &str, amount: Option<&str>, receiver: &str) -> String {
        let amount = amount.map(|amount| field("54", amount)).unwrap_or_default();
        let account = field("26", &[field("00", PIX), account.to_owned()].concat());
        let (currency, receiver) = (field("53", REAL), field("59", receiver));
        checked(&format!("000201{account}52040000{currency}{amount}5802BR{receiver}6005BELEM"))
    }

    #[test]
    fn the_checksum_is_the_one_the_manual_names() {
        assert_eq!(crc16(b"123456789"), 0x29b1);
    }

    #[test]
    fn the_manuals_own_example_is_read() {
        let read = read(MANUAL).unwrap();
        let receiver = "Fulano de Tal".into();
        let (amount, is_dynamic) = (None, false);
        assert_eq!(
            read,
            BrCode { is_intact: true, amount, is_in_reais: true, is_dynamic, receiver }
        );
    }

    #[test]
    fn amount_is_read_per_manual_and_zero_is_open() {
        let amount = |written| read(&code("0103abc", Some(written), "ANA")).map(|it| it.amount);
        let brl = |centavos| Some(Some(Money::from_centavos(centavos)));
        assert_eq!(
            (amount("49.90"), amount("49.9"), amount("49"), amount("49.")),
            (brl(4_990), brl(4_990), brl(4_900), brl(4_900))
        );
        assert_eq!(
            (amount("0049.90"), amount("9999999999.99")),
            (brl(4_990), brl(999_999_999_999))
        );
        assert_eq!((amount("0"), amount("0.00")), (Some(None), Some(None)));
        for wrong in ["", ".5", "49,90", "-1", "+1", "1e3", "1.005", "1.2.3", "00000000000.10"] {
            assert_eq!(amount(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn an_address_in_the_account_makes_it_dynamic() {
        let address = field("25", "pix.example/v2/1");
        assert!(read(&code(&address, None, "ANA")).unwrap().is_dynamic);
        assert!(!read(&code("0103abc", None, "ANA")).unwrap().is_dynamic);
        assert_eq!(read(&code("0203abc", None, "ANA")), None);
    }

    #[test]
    fn code_with_missing_or_repeated_part_is_refused() {
        let good = code("0103abc", Some("1.00"), "ANA");
        let body = good.strip_suffix(&good[good.len() - 8..]).unwrap();
        assert!(read(&checked(body)).is_some());
        for part in ["52040000", "5303986", "5802BR", "5903ANA", "6005BELEM", "000201"] {
            assert_eq!(read(&checked(&body.replace(part, ""))), None, "{part}");
        }
        let other = field("27", &[field("00", PIX), "0103abc".into()].concat());
        for more in ["54041.00", "5802BR", &other] {
            assert_eq!(read(&checked(&format!("{body}{more}"))), None, "{more}");
        }
        for instead in ["5802US", "5900", "5901 "] {
            let part = if instead.starts_with("58") { "5802BR" } else { "5903ANA" };
            assert_eq!(read(&checked(&body.replace(part, instead))), None, "{instead}");
        }
        let not_pix = body.replace(PIX, "br.gov.bcb.doc");
        assert_eq!(read(&checked(&not_pix)), None);
        assert!(read(&checked(&body.replace(PIX, "BR.GOV.BCB.PIX"))).is_some());
        // The checksum must be the last field.
        assert_eq!(read(&format!("{good}6404ABCD")), None);
        assert_eq!(read(body), None);
        for text in ["", "0002", "pix", "https://a.example", "000201000201"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn another_currency_is_told() {
        let code = code("0103abc", Some("1.00"), "ANA").replace("5303986", "5303840");
        let read = read(&code).unwrap();
        assert!(!read.is_in_reais && !read.is_intact);
    }

    proptest! {
        #[test]
        fn written_code_is_read_back(
            centavos in 1_i64..10_000_000_000,
            receiver in "[A-Za-zÁÉÍÓÚãõç][A-Za-zÁÉÍÓÚãõç ]{0,24}",
            is_dynamic: bool,
        ) {
            let amount = format!("{}.{:02}", centavos / 100, centavos % 100);
            let account = if is_dynamic { "2503a.b" } else { "0103abc" };
            let wanted = BrCode {
                is_intact: true,
                amount: Some(Money::from_centavos(centavos)),
                is_in_reais: true,
                is_dynamic,
                receiver: receiver.as_str().into(),
            };
            prop_assert_eq!(read(&code(account, Some(&amount), &receiver)), Some(wanted));
        }

        #[test]
        fn any_changed_letter_is_detected(at in 0_usize..MANUAL.len(), other in "[ -~]") {
            let mut changed = MANUAL.to_owned();
            changed.replace_range(at..=at, &other);
            let hex = at >= MANUAL.len() - 4;
            prop_assume!(changed != MANUAL && !(hex && changed.eq_ignore_ascii_case(MANUAL)));
            prop_assert!(read(&changed).is_none_or(|code| !code.is_intact), "{}", changed);
        }

        #[test]
        fn a_code_that_was_cut_is_none(at in 0_usize..MANUAL.len()) {
            prop_assert_eq!(read(&MANUAL[..at]), None);
        }

        #[test]
        fn no_text_ends_the_program(text in "\\PC{0,80}", at in 0_usize..MANUAL.len()) {
            read(&text);
            read(&format!("{}{text}{}", &MANUAL[..at], &MANUAL[at..]));
        }

        #[test]
        fn digits_and_lengths_of_any_kind_are_only_read(text in "([0-9]{2}){0,40}[a-zé]{0,9}") {
            if let Some(code) = read(&text) {
                prop_assert!(code.amount.is_none_or(Money::is_positive));
            }
        }
    }
}
