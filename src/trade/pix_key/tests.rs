use super::*;
use PixKeyKind::{Cnpj, Cpf, Email, Phone, Random};
use proptest::prelude::*;

fn key(kind: PixKeyKind, typed: &str) -> PixKey {
    PixKey::parse(kind, typed).unwrap()
}

fn error(kind: PixKeyKind, typed: &str) -> PixKeyError {
    PixKey::parse(kind, typed).unwrap_err()
}

#[test]
fn masked_text_matches_its_key() {
    let ana = key(Email, "ana.lima@loja.example");
    for text in [
        "a***@loja.example",
        "A*A@LOJA.example",
        "***@loja.example",
        "an**l*a@*",
    ] {
        assert!(ana.is_masked_as(text), "{text}");
    }
    for text in [
        "ana.lima@loja.example",
        "b***@loja.example",
        "a***@outra.example",
        "a*x*@loja.example",
        "",
    ] {
        assert!(!ana.is_masked_as(text), "{text}");
    }
    let cpf = key(Cpf, "11144477735");
    assert!(cpf.is_masked_as("***444777**") && !cpf.is_masked_as("a***@loja.example"));
}

#[test]
fn keys_are_normalised_formatted_and_masked() {
    for (kind, typed, text, pretty, masked) in [
        (
            Cpf,
            "111.444.777-35",
            "11144477735",
            "111.444.777-35",
            "***.444.777-**",
        ),
        (
            Cpf,
            " 111 444 777\u{2013}35 ",
            "11144477735",
            "111.444.777-35",
            "***.444.777-**",
        ),
        (
            Cnpj,
            "11222333000181",
            "11222333000181",
            "11.222.333/0001-81",
            "**.222.333/****-**",
        ),
        (
            Cnpj,
            "12.abc.345/01de-35",
            "12ABC34501DE35",
            "12.ABC.345/01DE-35",
            "**.ABC.345/****-**",
        ),
        (
            Phone,
            "(11) 91234-5678",
            "+5511912345678",
            "+55 11 91234-5678",
            "+55 ** *****-5678",
        ),
        (
            Phone,
            "+55 11 91234 5678",
            "+5511912345678",
            "+55 11 91234-5678",
            "+55 ** *****-5678",
        ),
        (
            Phone,
            "5511912345678",
            "+5511912345678",
            "+55 11 91234-5678",
            "+55 ** *****-5678",
        ),
        (
            Phone,
            "\u{202a}11 3333.4444\u{202c}",
            "+551133334444",
            "+55 11 3333-4444",
            "+55 ** ****-4444",
        ),
        (
            Phone,
            "5533334444",
            "+555533334444",
            "+55 55 3333-4444",
            "+55 ** ****-4444",
        ),
        (
            Phone,
            "+1 415 555 2671",
            "+14155552671",
            "+14155552671",
            "+*******2671",
        ),
        (Phone, "+290 21", "+29021", "+29021", "+*****"),
        (
            Email,
            " Maria.Silva+pix@Exemplo.com.br",
            "maria.silva+pix@exemplo.com.br",
            "maria.silva+pix@exemplo.com.br",
            "m***@exemplo.com.br",
        ),
        (Email, "a@b.co", "a@b.co", "a@b.co", "***@b.co"),
        (
            Random,
            "123E4567-e12b-12d1-A456-426655440000",
            "123e4567-e12b-12d1-a456-426655440000",
            "123e4567-e12b-12d1-a456-426655440000",
            "123e4567-****-****-****-************",
        ),
        (
            Random,
            "ffffffffffffffffffffffffffffffff",
            "ffffffff-ffff-ffff-ffff-ffffffffffff",
            "ffffffff-ffff-ffff-ffff-ffffffffffff",
            "ffffffff-****-****-****-************",
        ),
    ] {
        let key = key(kind, typed);
        assert_eq!((key.kind(), key.as_str()), (kind, text));
        assert_eq!(key.pretty(), pretty);
        assert_eq!(key.masked(), masked);
        assert_eq!(PixKey::parse(kind, &key.pretty()), Ok(key));
    }
}

#[test]
fn invalid_document_gives_the_reason() {
    assert_eq!(error(Cpf, " "), PixKeyError::Empty);
    assert_eq!(
        error(Cpf, "111.444.777-3"),
        PixKeyError::WrongLength { got: 10, want: 11 }
    );
    assert_eq!(error(Cpf, "111.444.777-36"), PixKeyError::CheckDigits(Cpf));
    assert_eq!(error(Cpf, "111.444.777-45"), PixKeyError::CheckDigits(Cpf));
    assert_eq!(error(Cpf, "111.111.111-11"), PixKeyError::AllSame);
    assert_eq!(error(Cpf, "111.444.777-3X"), PixKeyError::NotDigits);
    assert_eq!(error(Cpf, "1114447773５"), PixKeyError::NotDigits);
    assert_eq!(error(Cnpj, ""), PixKeyError::Empty);
    assert_eq!(
        error(Cnpj, "1222333000181"),
        PixKeyError::WrongLength { got: 13, want: 14 }
    );
    assert_eq!(error(Cnpj, "00000000000000"), PixKeyError::AllSame);
    assert_eq!(
        error(Cnpj, "12ABC34501DE36"),
        PixKeyError::CheckDigits(Cnpj)
    );
    assert_eq!(
        error(Cnpj, "12ABC34501DEA5"),
        PixKeyError::LettersInCheckDigits
    );
    assert_eq!(
        error(Cnpj, "12ABÇ34501DE35"),
        PixKeyError::NotLettersOrDigits
    );
}

#[test]
fn invalid_phone_gives_the_reason() {
    assert_eq!(error(Phone, "()"), PixKeyError::Empty);
    assert_eq!(error(Phone, "+"), PixKeyError::Empty);
    assert_eq!(
        error(Phone, "912345678"),
        PixKeyError::PhoneLength { got: 9 }
    );
    assert_eq!(
        error(Phone, "011912345678"),
        PixKeyError::PhoneLength { got: 12 }
    );
    assert_eq!(
        error(Phone, "+55119123456789"),
        PixKeyError::PhoneLength { got: 12 }
    );
    assert_eq!(error(Phone, "01912345678"), PixKeyError::AreaCode);
    assert_eq!(error(Phone, "+5510912345678"), PixKeyError::AreaCode);
    assert_eq!(error(Phone, "14155552671"), PixKeyError::MobileNine);
    for typed in [
        "11 8765-4321",
        "21 99876543",
        "+55 11 6765-4321",
        "551187654321",
    ] {
        assert_eq!(error(Phone, typed), PixKeyError::TenDigits, "{typed}");
    }
    for first in '0'..='9' {
        let typed = format!("11{first}7654321");
        assert_eq!(
            PixKey::parse(Phone, &typed).is_ok(),
            ('2'..='5').contains(&first)
        );
    }
    assert_eq!(error(Phone, "+04155552671"), PixKeyError::PhoneShape);
    assert_eq!(error(Phone, "+12"), PixKeyError::PhoneShape);
    assert_eq!(error(Phone, "+12345678901234567"), PixKeyError::PhoneShape);
    assert_eq!(error(Phone, "11 91234-567a"), PixKeyError::NotDigits);
    assert_eq!(error(Phone, "11+912345678"), PixKeyError::NotDigits);
}

#[test]
fn invalid_email_or_random_key_gives_the_reason() {
    assert_eq!(error(Email, ""), PixKeyError::Empty);
    for typed in [
        "maria",
        "@b.co",
        "a@",
        "a@b",
        "a@b..co",
        "a@-b.co",
        "a@b-.co",
        "a@b@c.co",
        "a b@c.co",
        "a@b.c\u{200b} o",
        "josé@b.co",
        "a@b.co.",
        "\u{212a}@b.co",
        "a,b@c.co",
    ] {
        assert_eq!(error(Email, typed), PixKeyError::EmailShape, "{typed}");
    }
    let longest = format!("{}@exemplo.com", "a".repeat(65));
    assert_eq!(key(Email, &longest).as_str().len(), 77);
    assert_eq!(
        error(Email, &format!("a{longest}")),
        PixKeyError::EmailTooLong { got: 78 }
    );

    assert_eq!(error(Random, ""), PixKeyError::Empty);
    let short = "123e4567-e12b-12d1-a456-42665544000";
    assert_eq!(
        error(Random, short),
        PixKeyError::WrongLength { got: 31, want: 32 }
    );
    for typed in [
        "123e4567e-12b-12d1-a456-426655440000",
        "123e4567-e12b12d1-a456-426655440000",
        "g23e4567-e12b-12d1-a456-426655440000",
        "é23e4567e12b12d1a456426655440000",
    ] {
        assert_eq!(error(Random, typed), PixKeyError::RandomShape, "{typed}");
    }
}

#[test]
fn invisible_characters_and_dashes_are_normalised() {
    let uuid = "123e4567-e12b-12d1-a456-426655440000";
    for (kind, typed, text) in [
        (Email, "ana@loja.example\u{200b}", "ana@loja.example"),
        (
            Email,
            "\u{feff}ana@lo\u{ad}ja.example \u{2060}\n",
            "ana@loja.example",
        ),
        (
            Email,
            "ana\u{2011}maria@loja\u{2013}1.example",
            "ana-maria@loja-1.example",
        ),
        (Cpf, "111.444.777\u{ff0d}35\u{200d}", "11144477735"),
        (
            Phone,
            "\u{202a}+55\u{a0}11\u{2011}91234\u{2011}5678\u{202c}",
            "+5511912345678",
        ),
        (
            Random,
            "123e4567\u{2013}e12b\u{2011}12d1\u{2014}a456\u{2212}426655440000",
            uuid,
        ),
        (Random, "{123e4567-e12b-12d1-a456-426655440000}", uuid),
        (Random, "123e4567-e12b-12d1-a456-\r\n426655440000", uuid),
        (Random, "123e4567 e12b 12d1 a456 426655440000", uuid),
        (
            Random,
            " { 123e4567e12b12d1a456\u{200b}426655440000 } ",
            uuid,
        ),
    ] {
        assert_eq!(
            PixKey::parse(kind, typed).as_ref().map(PixKey::as_str),
            Ok(text),
            "{typed:?}"
        );
    }
}

#[test]
fn a_pix_code_is_not_a_key_of_any_kind() {
    let code = "00020126580014BR.GOV.BCB.PIX0136123e4567-e12b-12d1-a456-426655440000\
                5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D";
    let email_code = "00020126380014br.gov.bcb.pix0116ana@loja.example5204000053039865802BR";
    let spaced_code = format!("\u{feff} {}\n", code.replace("5204", "\n5204"));
    for code in [code, email_code, &spaced_code, &code[..40]] {
        for kind in PixKeyKind::ALL {
            assert_eq!(error(kind, code), PixKeyError::PixCode, "{code}");
            assert_eq!(other_kinds(kind, code), [], "{code}");
        }
    }
    assert_eq!(
        key(Email, "000201@loja.example").as_str(),
        "000201@loja.example"
    );
    assert_eq!(error(Cpf, "000.201.000-00"), PixKeyError::CheckDigits(Cpf));
    assert_eq!(
        key(Random, &format!("000201{}", "0".repeat(26))).kind(),
        Random
    );
}

#[test]
fn a_key_is_checked_again_when_read_from_a_record() {
    let cpf = key(Cpf, "11144477735");
    let json = r#"{"kind":"cpf","text":"11144477735"}"#;
    assert_eq!(serde_json::to_string(&cpf).unwrap(), json);
    assert_eq!(serde_json::from_str::<PixKey>(json).unwrap(), cpf);
    assert!(serde_json::from_str::<PixKey>(&json.replace("735", "736")).is_err());
    let names: Vec<String> = PixKeyKind::ALL
        .iter()
        .map(|kind| serde_json::to_string(kind).unwrap())
        .collect();
    assert_eq!(names.join(" "), r#""cpf" "cnpj" "phone" "email" "random""#);
}

#[test]
fn debug_output_hides_the_key() {
    assert_eq!(
        format!("{:?}", key(Cpf, "11144477735")),
        "PixKey(Cpf ***.444.777-**)"
    );
}

proptest! {
    #[test]
    fn cpf_check_agrees_with_another_library(typed in "[0-9]{11}") {
        prop_assert_eq!(PixKey::parse(Cpf, &typed).is_ok(), cpf_cnpj::cpf::validate(&typed));
        let generated = cpf_cnpj::cpf::generate();
        let key = key(Cpf, &generated);
        prop_assert_eq!(key.as_str(), generated);
    }

    #[test]
    fn only_correct_check_digits_are_accepted(base in "[0-9]{9}") {
        for kind_and_base in [(Cpf, base.clone()), (Cnpj, format!("{base}AB1"))] {
            let (kind, base) = kind_and_base;
            let accepted: Vec<String> = (0..100)
                .map(|digits| format!("{base}{digits:02}"))
                .filter(|typed| PixKey::parse(kind, typed).is_ok())
                .collect();
            let expected: Vec<String> = (0..100)
                .map(|digits| format!("{base}{digits:02}"))
                .filter(|t| cpf_cnpj::cpf::validate(t) || cpf_cnpj::cnpj::validate(t))
                .collect();
            prop_assert_eq!(accepted, expected);
        }
    }

    #[test]
    fn cnpj_check_agrees_with_another_library(base in "[0-9A-Z]{12}", digits in 0..100) {
        let typed = format!("{base}{digits:02}");
        prop_assert_eq!(PixKey::parse(Cnpj, &typed).is_ok(), cpf_cnpj::cnpj::validate(&typed));
        for generated in [cpf_cnpj::cnpj::generate(), cpf_cnpj::cnpj::generate_alphanumeric()] {
            let key = key(Cnpj, &generated.to_lowercase());
            prop_assert_eq!(key.as_str(), generated);
        }
    }

    #[test]
    fn any_uuid_is_a_random_key(bits: u128) {
        let typed = Uuid::from_u128(bits).simple().to_string();
        let key = key(Random, &typed);
        let dashed = Uuid::from_u128(bits).to_string();
        prop_assert_eq!(key.as_str(), dashed);
    }

    #[test]
    fn brazilian_mobile_is_normalised(typed in "[1-9][1-9]9[0-9]{8}") {
        let national = key(Phone, &typed);
        prop_assert_eq!(national.as_str(), format!("+55{typed}"));
        prop_assert_eq!(&key(Phone, &format!("+55{typed}")), &national);
        prop_assert_eq!(&key(Phone, &format!("55{typed}")), &national);
    }

    #[test]
    fn no_text_panics_and_key_is_its_normal_form(
        text in prop_oneof![".{0,60}", "[-+0-9a-fA-F.@ ()/]{0,40}", "[+]?[0-9]{0,18}"]
    ) {
        for kind in PixKeyKind::ALL {
            if let Ok(key) = PixKey::parse(kind, &text) {
                let _ = (key.masked(), key.pretty());
                prop_assert!(key.as_str().is_ascii());
                prop_assert_eq!(PixKey::parse(kind, key.as_str()), Ok(key));
            }
        }
    }
}
