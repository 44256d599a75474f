//! Parses a Pix code: the BR Code of the Central Bank of Brazil, which is based on the EMV merchant
//! QR code.
//!
//! A Pix code is a sequence of fields. Each field has a two-digit id, a two-digit length and a
//! value, which may itself contain fields. The program does not trust a parsed Pix code, and
//! compares it with the direct payment that the seller requested.

use super::{Money, Untrusted};

/// The identifier of Pix in a merchant account field.
const PIX_IDENTIFIER: &str = "br.gov.bcb.pix";

/// The ISO 4217 numeric code of the real, the Brazilian currency.
const REAL_CURRENCY: &str = "986";

/// The id (63) and the length (04) of the checksum, which is the last field.
///
/// The checksum covers all characters before its own value, including this prefix.
const CHECKSUM_PREFIX: &str = "6304";

const MAX_AMOUNT_LENGTH: usize = 13;

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
        let fields = FieldList::parse(text)?;
        let is_brazilian_code = fields.0.first()? == &("00", "01") && fields.get("58")? == "BR";
        let has_category_and_city = fields.get("52").is_some() && fields.get("60").is_some();
        let receiver = fields.get("59").filter(|name| !name.trim().is_empty())?;
        if !is_brazilian_code || !has_category_and_city {
            return None;
        }
        Some(BrCode {
            is_intact: fields.checksum()?
                == crc16(text.strip_suffix(fields.0.last()?.1)?.as_bytes()),
            amount: fields.get("54").map_or(Some(None), parse_amount)?,
            is_in_reais: fields.get("53")? == REAL_CURRENCY,
            is_dynamic: is_dynamic(&fields.pix_account()?)?,
            receiver: receiver.into(),
        })
    }
}

impl BrCode {
    /// True if the Pix code does not match a payment of the `expected` amount: its checksum,
    /// currency or amount is wrong. A code without an amount matches every amount.
    pub fn contradicts(&self, expected: Money) -> bool {
        let is_other_amount = self.amount.is_some_and(|amount| amount != expected);
        is_other_amount || !self.is_intact || !self.is_in_reais
    }
}

/// A part of a Pix code for which the standard sets a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodePart {
    /// The receiver's name.
    Name,
    /// The receiver's city.
    City,
    /// The identifier of the payment, which is also called txid.
    Reference,
    /// The Pix key that is paid.
    Key,
    /// The text for the payer.
    Description,
    /// The URL where the payer's bank downloads the payment terms.
    Url,
    /// The whole code.
    Whole,
}

/// A rule of the standard that a readable Pix code breaks. Some banks refuse such a code, and
/// others accept it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BrokenRule {
    /// The part is missing or empty.
    Missing(CodePart),
    /// The part has more characters than the standard allows.
    TooLong {
        /// The part that is too long.
        part: CodePart,
        /// The number of characters of the part.
        got: usize,
        /// The number of characters that the standard allows.
        max: usize,
    },
    /// The part has characters that the standard does not allow there, such as an emoji.
    Characters(CodePart),
}

impl BrCode {
    /// The identifier of the payment in a Pix code. Returns `None` for `***`, which means that the
    /// code has no identifier.
    pub fn reference(text: &Untrusted) -> Option<String> {
        let fields = FieldList::parse(text.raw())?;
        let reference = FieldList::parse(fields.get("62")?)?.get("05")?;
        (reference != "***").then(|| reference.to_owned())
    }

    /// The rules that the Pix code breaks, if its fields can be read.
    pub fn broken_rules(text: &Untrusted) -> Vec<BrokenRule> {
        let text = text.raw();
        let Some(fields) = FieldList::parse(text) else {
            return vec![];
        };
        let account = fields.pix_account();
        let [key, description, url] =
            ["01", "02", "25"].map(|id| account.as_ref().and_then(|account| account.get(id)));
        let additional = fields.get("62").and_then(FieldList::parse);
        let reference = additional.as_ref().and_then(|fields| fields.get("05"));
        let parts = [
            (CodePart::Name, fields.get("59"), 25),
            (CodePart::City, fields.get("60"), 15),
            (CodePart::Reference, reference, 25),
            (CodePart::Key, key, 77),
            (CodePart::Description, description, 72),
            (CodePart::Url, url, 77),
            (CodePart::Whole, Some(text), 512),
        ];
        parts
            .into_iter()
            .flat_map(|(part, value, max)| part.broken_rules(value, max))
            .collect()
    }
}

impl CodePart {
    fn broken_rules(self, value: Option<&str>, max: usize) -> Vec<BrokenRule> {
        let Some(value) = value.filter(|value| !value.trim().is_empty()) else {
            let is_required = matches!(self, CodePart::Name | CodePart::City | CodePart::Reference);
            return if is_required {
                vec![BrokenRule::Missing(self)]
            } else {
                vec![]
            };
        };
        let has_valid_characters = match self {
            // Three asterisks mean that the receiver uses no identifier.
            CodePart::Reference => {
                value == "***" || value.bytes().all(|byte| byte.is_ascii_alphanumeric())
            }
            // The other parts are checked on their own.
            CodePart::Whole => true,
            _ => value.bytes().all(|byte| matches!(byte, b' '..=b'~')),
        };
        let mut broken = vec![];
        let got = value.chars().count();
        if got > max {
            broken.push(BrokenRule::TooLong {
                part: self,
                got,
                max,
            });
        }
        if !has_valid_characters {
            broken.push(BrokenRule::Characters(self));
        }
        broken
    }
}

/// The fields of a Pix code, each a pair of id and value. No id occurs twice.
struct FieldList<'t>(Vec<(&'t str, &'t str)>);

impl<'t> FieldList<'t> {
    /// Splits a text into fields. Returns `None` if it contains anything other than valid fields.
    fn parse(text: &'t str) -> Option<FieldList<'t>> {
        let mut fields = FieldList(Vec::new());
        let mut rest = text;
        while !rest.is_empty() {
            let (id, after) = split_after(rest, 2)?;
            let (length, after) = split_after(after, 2)?;
            if !is_digits(id) || !is_digits(length) || fields.get(id).is_some() {
                return None;
            }
            let (value, after) = split_after(after, length.parse().ok()?)?;
            fields.0.push((id, value));
            rest = after;
        }
        Some(fields)
    }

    fn get(&self, id: &str) -> Option<&'t str> {
        self.0
            .iter()
            .find(|(field_id, _)| *field_id == id)
            .map(|(_, value)| *value)
    }

    /// The fields of the merchant account that is paid by Pix. Returns `None` if the code has
    /// several such accounts, because the receiver would be unclear.
    fn pix_account(&self) -> Option<FieldList<'t>> {
        let accounts = self.0.iter().filter(|(id, _)| ("26"..="51").contains(id));
        let mut pix_accounts = accounts.filter_map(|(_, value)| {
            let account = FieldList::parse(value)?;
            account
                .get("00")?
                .eq_ignore_ascii_case(PIX_IDENTIFIER)
                .then_some(account)
        });
        let account = pix_accounts.next()?;
        pix_accounts.next().is_none().then_some(account)
    }

    /// The checksum; `None` if the last field is not a valid checksum.
    fn checksum(&self) -> Option<u16> {
        let (id, value) = self.0.last()?;
        let has_prefix = format!("{id}{:02}", value.len()) == CHECKSUM_PREFIX;
        let is_hex = value.bytes().all(|byte| byte.is_ascii_hexdigit());
        (has_prefix && is_hex).then(|| u16::from_str_radix(value, 16).ok())?
    }
}

/// Splits a text after this number of characters. Characters are counted, not bytes, because a Pix
/// code gives its field lengths in characters.
fn split_after(text: &str, characters: usize) -> Option<(&str, &str)> {
    let mut ends = text
        .char_indices()
        .map(|(index, _)| index)
        .chain([text.len()]);
    text.split_at_checked(ends.nth(characters)?)
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// True if the account contains a URL with the payment terms, false if it contains a Pix key, and
/// `None` otherwise.
fn is_dynamic(account: &FieldList<'_>) -> Option<bool> {
    match (account.get("25"), account.get("01")) {
        (Some(_), _) => Some(true),
        (None, Some(_)) => Some(false),
        (None, None) => None,
    }
}

/// Parses an amount. Returns `Some(None)` for zero, because the payer then chooses the amount.
/// Returns `None` if the text is not an amount.
fn parse_amount(text: &str) -> Option<Option<Money>> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_number = is_digits(whole) && is_digits(fraction) && !whole.is_empty();
    if !is_number || fraction.len() > 2 || text.len() > MAX_AMOUNT_LENGTH {
        return None;
    }
    let centavos: i64 = format!("{whole}{fraction:0<2}").parse().ok()?;
    Some(Some(Money::from_centavos(centavos)).filter(|amount| amount.is_positive()))
}

/// Computes CRC-16/CCITT-FALSE: polynomial 0x1021, initial value 0xFFFF. The sandbox has its own
/// copy, so that a mistake in one of them is noticed.
pub fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0xffff, |crc, byte| {
        (0..8).fold(crc ^ u16::from(*byte) << 8, |crc, _| {
            if crc & 0x8000 == 0 {
                crc << 1
            } else {
                crc << 1 ^ 0x1021
            }
        })
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The example from the Central Bank's manual. It contains a Pix key but no amount.
    const EXAMPLE: &str = "00020126580014br.gov.bcb.pix0136\
                          123e4567-e12b-12d1-a456-426655440000\
                          5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D";

    fn parse(text: &str) -> Option<BrCode> {
        BrCode::parse(&text.into())
    }

    fn encode_field(id: &str, value: &str) -> String {
        format!("{id}{:02}{value}", value.chars().count())
    }

    fn with_checksum(body: &str) -> String {
        format!("{body}6304{:04X}", crc16(format!("{body}6304").as_bytes()))
    }

    /// A valid Pix code with these fields. `account` is an encoded field that contains a Pix key or
    /// a URL.
    fn build_code(account: &str, amount: Option<&str>, receiver: &str) -> String {
        let amount = amount
            .map(|amount| encode_field("54", amount))
            .unwrap_or_default();
        let account = encode_field(
            "26",
            &[encode_field("00", PIX_IDENTIFIER), account.to_owned()].concat(),
        );
        let currency = encode_field("53", REAL_CURRENCY);
        let receiver = encode_field("59", receiver);
        with_checksum(&format!(
            "000201{account}52040000{currency}{amount}5802BR{receiver}6005BELEM"
        ))
    }

    #[test]
    fn crc16_matches_its_check_value() {
        assert_eq!(crc16(b"123456789"), 0x29b1);
    }

    #[test]
    fn code_in_the_manual_is_parsed() {
        let code = parse(EXAMPLE).unwrap();
        let receiver = "Fulano de Tal".into();
        let amount = None;
        let is_dynamic = false;
        assert_eq!(
            code,
            BrCode {
                is_intact: true,
                amount,
                is_in_reais: true,
                is_dynamic,
                receiver
            }
        );
    }

    #[test]
    fn amount_is_parsed_and_zero_is_open() {
        let amount =
            |written| parse(&build_code("0103abc", Some(written), "ANA")).map(|code| code.amount);
        let reais = |centavos| Some(Some(Money::from_centavos(centavos)));
        assert_eq!(
            (amount("49.90"), amount("49.9"), amount("49"), amount("49.")),
            (reais(4_990), reais(4_990), reais(4_900), reais(4_900))
        );
        assert_eq!(
            (amount("0049.90"), amount("9999999999.99")),
            (reais(4_990), reais(999_999_999_999))
        );
        assert_eq!((amount("0"), amount("0.00")), (Some(None), Some(None)));
        for invalid in [
            "",
            ".5",
            "49,90",
            "-1",
            "+1",
            "1e3",
            "1.005",
            "1.2.3",
            "00000000000.10",
        ] {
            assert_eq!(amount(invalid), None, "{invalid}");
        }
    }

    #[test]
    fn url_in_the_account_makes_the_code_dynamic() {
        let address = encode_field("25", "pix.example/v2/1");
        assert!(
            parse(&build_code(&address, None, "ANA"))
                .unwrap()
                .is_dynamic
        );
        assert!(
            !parse(&build_code("0103abc", None, "ANA"))
                .unwrap()
                .is_dynamic
        );
        assert_eq!(parse(&build_code("0203abc", None, "ANA")), None);
    }

    #[test]
    fn code_with_missing_or_repeated_part_is_refused() {
        let good = build_code("0103abc", Some("1.00"), "ANA");
        let body = good.strip_suffix(&good[good.len() - 8..]).unwrap();
        assert!(parse(&with_checksum(body)).is_some());
        for part in [
            "52040000",
            "5303986",
            "5802BR",
            "5903ANA",
            "6005BELEM",
            "000201",
        ] {
            assert_eq!(
                parse(&with_checksum(&body.replace(part, ""))),
                None,
                "{part}"
            );
        }
        let second_account = encode_field(
            "27",
            &[encode_field("00", PIX_IDENTIFIER), "0103abc".into()].concat(),
        );
        for extra in ["54041.00", "5802BR", &second_account] {
            assert_eq!(
                parse(&with_checksum(&format!("{body}{extra}"))),
                None,
                "{extra}"
            );
        }
        for replacement in ["5802US", "5900", "5901 "] {
            let part = if replacement.starts_with("58") {
                "5802BR"
            } else {
                "5903ANA"
            };
            assert_eq!(
                parse(&with_checksum(&body.replace(part, replacement))),
                None,
                "{replacement}"
            );
        }
        let not_pix = body.replace(PIX_IDENTIFIER, "br.gov.bcb.doc");
        assert_eq!(parse(&with_checksum(&not_pix)), None);
        assert!(
            parse(&with_checksum(
                &body.replace(PIX_IDENTIFIER, "BR.GOV.BCB.PIX")
            ))
            .is_some()
        );
        // The checksum must be the last field.
        assert_eq!(parse(&format!("{good}6404ABCD")), None);
        assert_eq!(parse(body), None);
        for text in ["", "0002", "pix", "https://a.example", "000201000201"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn rules_that_banks_check_are_reported() {
        use BrokenRule::{Characters, Missing, TooLong};
        use CodePart::{City, Description, Key, Name, Reference, Url, Whole};
        let with = |parts: &[(&str, &str)]| {
            let value = |id: &str, usual: &str| {
                let part = parts.iter().find(|(part, _)| *part == id);
                part.map_or(usual.to_owned(), |(_, value)| (*value).to_owned())
            };
            let account = ["01", "02", "25"].map(|id| (id, value(&format!("26-{id}"), "")));
            let account = account.iter().filter(|(_, value)| !value.is_empty());
            let account: String = account.map(|(id, value)| encode_field(id, value)).collect();
            let account = encode_field("26", &(encode_field("00", PIX_IDENTIFIER) + &account));
            let reference = value("62-05", "***");
            let reference = encode_field("05", &reference);
            let rest = [
                encode_field("59", &value("59", "LOJA DA ANA")),
                encode_field("60", &value("60", "BELEM")),
                encode_field("62", &reference),
                value("more", ""),
            ];
            let body = format!("000201{account}5204000053039865802BR{}", rest.concat());
            BrCode::broken_rules(&with_checksum(&body).into())
        };
        let long = "A".repeat(99);
        let too_long = |part, got, max| TooLong { part, got, max };
        let key = ("26-01", "abc");
        assert_eq!(BrCode::broken_rules(&EXAMPLE.into()), []);
        assert_eq!(with(&[key, ("59", &long[..25]), ("60", &long[..15])]), []);
        assert_eq!(with(&[key, ("59", &long[..26])]), [too_long(Name, 26, 25)]);
        assert_eq!(with(&[key, ("60", &long[..20])]), [too_long(City, 20, 15)]);
        assert_eq!(with(&[key, ("59", "DOCES DA ANA 🎂")]), [Characters(Name)]);
        assert_eq!(with(&[key, ("60", "SÃO PAULO")]), [Characters(City)]);
        assert_eq!(with(&[key, ("60", " ")]), [Missing(City)]);
        assert_eq!(with(&[key, ("62-05", "")]), [Missing(Reference)]);
        assert_eq!(with(&[key, ("62-05", &long[..25])]), []);
        assert_eq!(
            with(&[key, ("62-05", &long[..26])]),
            [too_long(Reference, 26, 25)]
        );
        assert_eq!(with(&[key, ("62-05", "PEDIDO-7")]), [Characters(Reference)]);
        assert_eq!(
            with(&[("26-25", &format!("{}é", &long[..70]))]),
            [Characters(Url)]
        );
        assert_eq!(with(&[key, ("26-02", "Pão")]), [Characters(Description)]);
        // A merchant account of at most 99 characters has room for a key that is too long only if
        // the identifier is short, so check the limit of the key on its own.
        assert_eq!(
            Key.broken_rules(Some(&long[..78]), 77),
            [too_long(Key, 78, 77)]
        );
        let more: String = (80..85).map(|id| format!("{id}99{long}")).collect();
        let whole = with(&[key, ("more", &more)]);
        assert!(
            matches!(
                whole[..],
                [TooLong {
                    part: Whole,
                    max: 512,
                    ..
                }]
            ),
            "{whole:?}"
        );
        assert_eq!(BrCode::broken_rules(&"some other code".into()), []);
    }

    #[test]
    fn other_currency_is_detected() {
        let code = build_code("0103abc", Some("1.00"), "ANA").replace("5303986", "5303840");
        let code = parse(&code).unwrap();
        assert!(!code.is_in_reais && !code.is_intact);
    }

    proptest! {
        #[test]
        fn built_code_is_parsed_back(
            centavos in 1_i64..10_000_000_000,
            receiver in "[A-Za-zÁÉÍÓÚãõç][A-Za-zÁÉÍÓÚãõç ]{0,24}",
            is_dynamic: bool,
        ) {
            let amount = format!("{}.{:02}", centavos / 100, centavos % 100);
            let account = if is_dynamic { "2503a.b" } else { "0103abc" };
            let expected = BrCode {
                is_intact: true,
                amount: Some(Money::from_centavos(centavos)),
                is_in_reais: true,
                is_dynamic,
                receiver: receiver.as_str().into(),
            };
            prop_assert_eq!(parse(&build_code(account, Some(&amount), &receiver)), Some(expected));
        }

        #[test]
        fn any_changed_letter_is_detected(at in 0_usize..EXAMPLE.len(), other in "[ -~]") {
            let mut changed = EXAMPLE.to_owned();
            changed.replace_range(at..=at, &other);
            let hex = at >= EXAMPLE.len() - 4;
            prop_assume!(changed != EXAMPLE && !(hex && changed.eq_ignore_ascii_case(EXAMPLE)));
            prop_assert!(parse(&changed).is_none_or(|code| !code.is_intact), "{}", changed);
        }

        #[test]
        fn truncated_code_is_refused(at in 0_usize..EXAMPLE.len()) {
            prop_assert_eq!(parse(&EXAMPLE[..at]), None);
        }

        #[test]
        fn no_text_panics(text in "\\PC{0,80}", at in 0_usize..EXAMPLE.len()) {
            parse(&text);
            parse(&format!("{}{text}{}", &EXAMPLE[..at], &EXAMPLE[at..]));
        }

        #[test]
        fn parsed_amount_is_always_positive(text in "([0-9]{2}){0,40}[a-zé]{0,9}") {
            if let Some(code) = parse(&text) {
                prop_assert!(code.amount.is_none_or(Money::is_positive));
            }
        }
    }
}
