use super::*;
use crate::trade::pix_key::PixKeyError::{
    AreaCode, CheckDigits, EmailShape, ExtraText, NotDigits, OtherLabel, PhoneLength,
    ServiceNumber, TenDigits, WrongLength,
};

/// Returns what a text may mean: each key with its kind, and `?` after an uncertain one.
fn readings(typed: &str) -> Vec<String> {
    let mark = |is_certain| if is_certain { "" } else { "?" };
    let shown = |reading: &KeyReading| {
        format!(
            "{:?} {}{}",
            reading.key.kind(),
            reading.key.as_str(),
            mark(reading.is_certain)
        )
    };
    key_readings(typed).iter().map(shown).collect()
}

#[test]
fn number_without_its_zeros_may_be_a_document() {
    for (typed, expected) in [
        (
            "1234567890",
            &["Cpf 01234567890?", "Phone +551234567890"][..],
        ),
        ("1020304057", &["Cpf 01020304057?"]),
        ("12.345.678-90", &["Cpf 01234567890?"]),
        ("01234567890", &["Cpf 01234567890", "Phone +551234567890?"]),
        ("123456797", &["Cpf 00123456797?"]),
        ("1111444777102", &["Cnpj 01111444777102?"]),
        ("1.111.444/7771-02", &["Cnpj 01111444777102?"]),
        ("394460000141", &["Cnpj 00394460000141?"]),
        (
            "5511987000041",
            &["Cnpj 05511987000041?", "Phone +5511987000041"],
        ),
        ("12345678", &[]),
        ("CPF 1234567890", &["Cpf 01234567890?"]),
        ("Telefone 1234567890", &["Phone +551234567890"]),
        ("111.444.777-3", &[]),
    ] {
        assert_eq!(readings(typed), expected, "{typed}");
    }
}

#[test]
fn zero_before_area_code_is_dropped() {
    for typed in [
        "011 98765-4321",
        "(011) 98765-4321",
        "011987654321",
        "+55 011 98765-4321",
        "+55 (0) 11 98765-4321",
        "55 011 98765 4321",
        "(0xx11) 98765-4321",
        "0XX 11 98765 4321",
        "0-11-98765-4321",
    ] {
        assert_eq!(readings(typed), ["Phone +5511987654321"], "{typed}");
    }
    assert_eq!(readings("(011) 3456-7890"), ["Phone +551134567890"]);
    // The same digits without punctuation may be a mistyped CPF.
    assert_eq!(readings("01134567890"), ["Phone +551134567890?"]);
    assert_eq!(likely_error("011 8765-4321"), Some(TenDigits));
    assert_eq!(likely_error("000 98765-4321"), Some(AreaCode));
}

#[test]
fn known_label_or_name_is_dropped() {
    for (key, texts) in [
        (
            "Cpf 11144477735",
            &[
                "CPF 111.444.777-35",
                "cpf:11144477735",
                "CPF nº 111.444.777-35",
                "CPF n.º 111.444.777-35",
                "CPF (111.444.777-35)",
                "CPF-11144477735",
                "CPF11144477735",
                "Chave: 111.444.777-35",
                "Chave Pix (CPF): 111.444.777-35",
                "minha chave é 111.444.777-35",
                "CPF/CNPJ: 111.444.777-35",
                "PIX: 111.444.777-35.",
                "CPF\u{a0}111.444.777\u{2013}35",
                "\u{ff23}\u{ff30}\u{ff26}\u{ff1a}\u{ff11}\u{ff11}\u{ff11}.444.777-35",
                "\u{661}\u{661}\u{661}44477735",
            ][..],
        ),
        (
            "Cnpj 11222333000181",
            &["CNPJ: 11.222.333/0001-81", "CNPJ11222333000181"],
        ),
        (
            "Phone +5511987654321",
            &[
                "tel:+55-11-98765-4321",
                "Tel.: (11) 98765-4321",
                "Telefone: 011 98765-4321",
                "Celular (11) 98765-4321",
                "CEL 11987654321",
                "tel+5511987654321",
                "WhatsApp: 11 98765-4321",
                "pix celular 11 98765-4321",
            ],
        ),
        (
            "Email ana@loja.example",
            &[
                "mailto:ana@loja.example",
                "mailto:ana@loja.example?subject=Pix",
                "E-mail: Ana@loja.example",
                "e-mail ana@loja.example",
                "EMAIL:ana@loja.example",
                "Ana <ana@loja.example>",
                "\"Ana Lima\" <mailto:ana@loja.example>",
                "<ana@loja.example>",
                "ana@loja.example;",
                "Chave Pix: ana@loja.example",
            ],
        ),
        (
            "Random e23e4567-e89b-12d3-a456-426655440000",
            &[
                "Chave aleatória: e23e4567-e89b-12d3-a456-426655440000",
                "EVP e23e4567e89b12d3a456426655440000",
                "e23e4567e89b12d3a456426655440000",
            ],
        ),
    ] {
        for typed in texts {
            assert_eq!(readings(typed), [key], "{typed}");
        }
    }
}

#[test]
fn label_in_an_address_is_kept() {
    for address in [
        "pix@loja.example",
        "cpf.ana@loja.example",
        "e-mail@loja.example",
        "tel-1@loja.example",
        "cpf11144477735@loja.example",
        "pix=ana@loja.example",
        "no-reply@loja.example",
    ] {
        assert_eq!(readings(address), [format!("Email {address}")]);
    }
    assert_eq!(readings("ana@loja.example <bia@loja.example>"), [""; 0]);
}

#[test]
fn label_decides_between_kinds() {
    let both = "11988887763";
    let cpf = "Cpf 11988887763";
    let phone = "Phone +5511988887763";
    assert_eq!(readings(both), [cpf, phone]);
    assert_eq!(readings(&format!("CPF {both}")), [cpf]);
    assert_eq!(readings(&format!("Celular {both}")), [phone]);
    assert_eq!(readings(&format!("CPF ou celular: {both}")), [cpf, phone]);
    assert_eq!(readings(&format!("Pix {both}")), [cpf, phone]);
    assert_eq!(
        PixKey::from_typed(Phone, &format!("CPF {both}")),
        Err(OtherLabel)
    );
    assert_eq!(other_kinds(Phone, &format!("CPF {both}")), [Cpf]);
}

#[test]
fn reason_is_true_or_missing() {
    for (typed, reason) in [
        ("0800 123 4567", Some(ServiceNumber)),
        ("0300-123-4567", Some(ServiceNumber)),
        ("+55 0800 123 4567", Some(ServiceNumber)),
        ("tel 08001234567", Some(ServiceNumber)),
        // The digits may also be a mistyped CPF.
        ("08001234567", None),
        ("CPF 111.444.777-36", Some(CheckDigits(Cpf))),
        ("CPF11144477736", Some(CheckDigits(Cpf))),
        ("11144477736", Some(CheckDigits(Cpf))),
        ("CNPJ 11.222.333/0001-82", Some(CheckDigits(Cnpj))),
        (
            "CNPJ 111.444.777-35",
            Some(WrongLength { got: 11, want: 14 }),
        ),
        ("Fornecedor 111.444.777-35", Some(ExtraText)),
        ("Ana Lima 111.444.777-35", Some(ExtraText)),
        ("111.444.777-35 (Ana)", Some(ExtraText)),
        ("Chave da Ana: 111.444.777-35", Some(ExtraText)),
        ("Ana ana@loja.example", Some(ExtraText)),
        ("CPF: ana", Some(NotDigits)),
        ("98765-4321", Some(PhoneLength { got: 9 })),
        ("(11) 8765", Some(PhoneLength { got: 6 })),
        ("E-mail: ana@loja", Some(EmailShape)),
        ("Tecidos Silva", None),
        ("tecidossilvaab", None),
        ("Pago 2 camisas", None),
        ("CPF", None),
        ("", None),
    ] {
        assert_eq!(likely_error(typed), reason, "{typed}");
        assert_eq!(readings(typed), [""; 0], "{typed}");
    }
}

#[test]
fn document_of_a_buyer_gets_no_digits() {
    let document = |typed| PixKey::from_typed_document(typed).map(|key| key.as_str().to_owned());
    assert_eq!(document("CPF 111.444.777-35").as_deref(), Ok("11144477735"));
    assert_eq!(document("11222333000181").as_deref(), Ok("11222333000181"));
    assert_eq!(
        document("1234567890"),
        Err(WrongLength { got: 10, want: 11 })
    );
    assert_eq!(document("CPF11144477736"), Err(CheckDigits(Cpf)));
}

#[test]
fn other_possible_kinds_are_found() {
    for (chosen, typed, kinds) in [
        (Cpf, "ana@loja.example", &[Email][..]),
        (Phone, "ana@", &[Email]),
        (Random, "a@b", &[Email]),
        (Cpf, "@ana", &[]),
        (Email, "ana@loja", &[]),
        (Email, "111.444.777-35", &[Cpf]),
        (Random, "11144477735", &[Cpf]),
        (Cpf, "+55 11 98888-7777", &[Phone]),
        (Cpf, "(11) 98888-7777", &[Phone]),
        (Cpf, "11988887777", &[Phone]),
        (Email, "123e4567-e89b-12d3-a456-426655440000", &[Random]),
        (Cnpj, "123e4567e89b12d3a456426655440000", &[Random]),
        (Phone, "11.222.333/0001-81", &[Cnpj]),
        (Email, "", &[]),
        (Cpf, "111.444.777-36", &[]),
        (Cpf, "11144477735", &[]),
    ] {
        assert_eq!(other_kinds(chosen, typed), kinds, "{typed} as {chosen:?}");
    }
    // Find a number that is valid both as a CPF and as a mobile number.
    let mut cpf_and_phone = (0..100).map(|n| format!("119888877{n:02}"));
    let cpf_and_phone = cpf_and_phone
        .find(|digits| PixKey::parse(Cpf, digits).is_ok())
        .unwrap();
    assert_eq!(possible_kinds(&cpf_and_phone), [Cpf, Phone]);
    assert_eq!(possible_kinds(&format!("+55{cpf_and_phone}")), [Phone]);
    let cpf_and_phone = &cpf_and_phone;
    let cpf_like = [
        &cpf_and_phone[..3],
        ".",
        &cpf_and_phone[3..6],
        ".",
        &cpf_and_phone[6..9],
        "-",
        &cpf_and_phone[9..],
    ]
    .concat();
    assert_eq!(possible_kinds(&cpf_like), [Cpf]);
    assert_eq!(
        possible_kinds("119.888.877-77"),
        [],
        "a mistyped CPF is not taken for a phone"
    );
    assert_eq!(possible_kinds("11988887777"), [Phone]);
    assert_eq!(other_kinds(Email, cpf_and_phone), [Cpf, Phone]);
    assert_eq!(other_kinds(Phone, cpf_and_phone), []);
}
