//! Checks whether Pix keys have the formats that the Central Bank of Brazil published.
//!
//! The words for the kinds of keys in requests are *assumed*: `cpf`, `cnpj`, `phone`, `email`,
//! `random` and `evp`, in upper or lower case.

/// Checks that a Pix key has the format of the given kind. The error text is in Portuguese.
pub fn check(kind: &str, key: &str) -> Result<(), &'static str> {
    match kind.to_ascii_lowercase().as_str() {
        "cpf" => is_cpf(key).then_some(()).ok_or("não é um CPF válido"),
        "cnpj" => is_cnpj(key).then_some(()).ok_or("não é um CNPJ válido"),
        "phone" => is_phone(key)
            .then_some(())
            .ok_or("não é um telefone no formato +55..."),
        "email" => is_email(key).then_some(()).ok_or("não é um e-mail válido"),
        "random" | "evp" => is_random_key(key)
            .then_some(())
            .ok_or("não é uma chave aleatória válida"),
        _ => Err("é de um tipo desconhecido"),
    }
}

fn is_cpf(key: &str) -> bool {
    let digits = key.as_bytes();
    if digits.len() != 11
        || !key.bytes().all(|b| b.is_ascii_digit())
        || has_single_character(digits)
    {
        return false;
    }
    let check = |count: usize| {
        let weights = (2..=count as u32 + 1).rev();
        check_digit(digits[..count].iter().copied().zip(weights))
    };
    digits[9] == check(9) && digits[10] == check(10)
}

/// True if the key is a valid CNPJ (a company's tax number) of 14 characters. Letters are allowed
/// in the first twelve since July 2026.
fn is_cnpj(key: &str) -> bool {
    let characters = key.as_bytes();
    let has_format = characters.len() == 14
        && characters[..12]
            .iter()
            .all(|b| b.is_ascii_digit() || b.is_ascii_uppercase())
        && characters[12..].iter().all(u8::is_ascii_digit);
    if !has_format || has_single_character(characters) {
        return false;
    }
    // From right to left, the weights run from 2 to 9 and then start at 2 again.
    let check = |count: usize| {
        let weights = (0..count).rev().map(|place| 2 + place as u32 % 8);
        check_digit(characters[..count].iter().copied().zip(weights))
    };
    characters[12] == check(12) && characters[13] == check(13)
}

/// Computes a check digit as the weighted sum of the characters, modulo 11. The value of a
/// character is its ASCII code minus 48.
fn check_digit(weighted: impl Iterator<Item = (u8, u32)>) -> u8 {
    let sum: u32 = weighted
        .map(|(letter, weight)| u32::from(letter - b'0') * weight)
        .sum();
    match sum % 11 {
        0 | 1 => b'0',
        rest => b'0' + (11 - rest) as u8,
    }
}

fn has_single_character(letters: &[u8]) -> bool {
    letters.iter().all(|letter| *letter == letters[0])
}

/// True if the key has the format `^\+[1-9][0-9]\d{1,14}$`.
fn is_phone(key: &str) -> bool {
    let Some(digits) = key.strip_prefix('+') else {
        return false;
    };
    (3..=16).contains(&digits.len())
        && digits.bytes().all(|b| b.is_ascii_digit())
        && !digits.starts_with('0')
}

fn is_email(key: &str) -> bool {
    let Some((local_part, host)) = key.split_once('@') else {
        return false;
    };
    key.len() <= 77
        && key
            .bytes()
            .all(|b| b.is_ascii_graphic() && !b.is_ascii_uppercase())
        && !local_part.is_empty()
        && !host.contains('@')
        && host.split('.').all(|label| !label.is_empty())
}

/// True if the key consists of lower-case hexadecimal digits in groups of 8-4-4-4-12. The version
/// bits of the UUID are not checked.
fn is_random_key(key: &str) -> bool {
    let groups: Vec<&str> = key.split('-').collect();
    groups.iter().map(|group| group.len()).eq([8, 4, 4, 4, 12])
        && key
            .bytes()
            .all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_keys_pass() {
        for (kind, key) in [
            ("cpf", "52998224725"),
            ("CPF", "11144477735"),
            ("cpf", "18887423300"), // both sums modulo 11 are 1, so both check digits are 0
            ("cnpj", "W3BGHFIUNKSY00"),
            ("cnpj", "11222333000181"),
            ("cnpj", "12ABC34501DE35"),
            ("phone", "+5511987654321"),
            ("email", "ana@loja.example"),
            ("random", "123e4567-e89b-12d3-a456-426655440000"),
            ("EVP", "00000000-0000-0000-0000-000000000000"),
        ] {
            assert_eq!(check(kind, key), Ok(()), "{kind} {key}");
        }
    }

    #[test]
    fn bad_keys_are_refused() {
        for (kind, key) in [
            ("cpf", "52998224724"),
            ("cpf", "11111111111"),
            ("cpf", "529.982.247-25"),
            ("cpf", "5299822472"),
            ("cnpj", "11222333000182"),
            ("cnpj", "12abc34501de35"),
            ("cnpj", "00000000000000"),
            ("cnpj", "12ABC34501DE3é"),
            ("phone", "5511987654321"),
            ("phone", "+0511987654321"),
            ("phone", "+55 11 98765-4321"),
            ("email", "Ana@loja.example"),
            ("email", "ana"),
            ("email", "ana@loja..example"),
            ("random", "123E4567-e89b-12d3-a456-426655440000"),
            ("random", "123e4567e89b12d3a456426655440000"),
            ("boleto", "52998224725"),
        ] {
            assert!(check(kind, key).is_err(), "{kind} {key} passed");
        }
        let long = format!("{}@loja.example", "a".repeat(70));
        assert!(check("email", &long).is_err());
    }
}
