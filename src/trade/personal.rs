//! Personal data on a screen that others see too: what is masked, and how much of it stays.
//!
//! What is known to be personal (a key, a name) is masked by whoever lays it out. In texts that
//! others wrote it is looked for by its shape: an e-mail address, a long number, a random key. Too
//! much masked does no harm there; the text is shown whole again by one command.

/// The text in the place of what is masked.
pub const MASKED: &str = "•••";

/// The digits from which on a number may be a document, a telephone or an account.
const LONG_NUMBER: usize = 8;

/// Parts of the names of members whose values are personal, in lower case.
const PERSONAL_NAMES: [&str; 26] = [
    "name",
    "nome",
    "mail",
    "cpf",
    "cnpj",
    "document",
    "phone",
    "telefone",
    "celular",
    "mobile",
    "customer",
    "cliente",
    "buyer",
    "comprador",
    "payer",
    "pagador",
    "holder",
    "titular",
    "receiver",
    "recebedor",
    "owner",
    "balance",
    "saldo",
    "pixkey",
    "pix_key",
    "chave",
];

/// The name of a person, a shop or a login, of which the first letter stays.
pub fn masked_name(name: &str) -> String {
    let mut letters = name.trim().chars();
    match (letters.next(), letters.next()) {
        // The first letter of a name of one letter would be all of it.
        (Some(first), Some(_)) => format!("{first}{MASKED}"),
        (Some(_), None) => MASKED.to_owned(),
        (None, _) => String::new(),
    }
}

/// What is typed, each letter and digit masked but the last two: as long as it was, so that the
/// cursor stands where it stood.
pub fn masked_typing(typed: &str) -> String {
    let count = typed.chars().count();
    let masked =
        |(at, c): (usize, char)| if at + 2 < count && c.is_alphanumeric() { '•' } else { c };
    typed.chars().enumerate().map(masked).collect()
}

/// A text that somebody else wrote, without what looks personal in it.
pub fn masked_text(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(is_between).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        // A full stop or a colon at its end belongs to the sentence.
        let core = word.trim_end_matches(['.', ':']);
        masked.push_str(if is_personal(core) { MASKED } else { core });
        masked.push_str(&word[core.len()..]);
        let next = after.find(|c| !is_between(c)).unwrap_or(after.len());
        masked.push_str(&after[..next]);
        rest = &after[next..];
    }
    masked
}

/// A body with a member on each line, or one that is no JSON, without what is personal in it.
pub fn masked_body(body: &str) -> String {
    let lines = body.lines().map(|line| match member(line) {
        Some((name, value)) if is_personal_name(name) && !value.starts_with(['{', '[']) => {
            let before = line.len() - value.len();
            let comma = if value.ends_with(',') { "," } else { "" };
            format!("{}\"{MASKED}\"{comma}", &line[..before])
        }
        Some(_) => masked_text(line),
        None => masked_text(&masked_form(line)),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The name and the value of a line such as `"name": "Ana",`.
fn member(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.trim_start().strip_prefix('"')?.split_once("\": ")?;
    Some((name, value))
}

/// The values of a form such as `name=Ana&amount=10`, which are not told apart.
fn masked_form(line: &str) -> String {
    if !line.contains('=') || line.contains(char::is_whitespace) {
        return line.to_owned();
    }
    let masked = line.split('&').map(|pair| match pair.split_once('=') {
        Some((name, _)) => format!("{name}={MASKED}"),
        None => pair.to_owned(),
    });
    masked.collect::<Vec<_>>().join("&")
}

/// Returns true for the name of a member whose value is personal.
pub fn is_personal_name(name: &str) -> bool {
    let name = name.to_lowercase();
    PERSONAL_NAMES.iter().any(|personal| name.contains(personal))
}

/// Returns true between two words; figures keep their points and commas.
fn is_between(c: char) -> bool {
    c.is_whitespace() || "\"'<>(){}[];“”".contains(c)
}

fn is_personal(word: &str) -> bool {
    let word = word.trim_end_matches(',');
    let is_address =
        word.split_once('@').is_some_and(|(name, host)| !name.is_empty() && !host.is_empty());
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let is_number = digits >= LONG_NUMBER && !is_amount(word) && !is_moment(word);
    is_address || is_number || is_random_key(word)
}

/// `1.000.000,00` or `1000000.00`, with nothing else in it.
fn is_amount(word: &str) -> bool {
    let cents = word.len().checked_sub(3).and_then(|at| word.get(at..));
    let has_cents = cents.is_some_and(|cents| cents.starts_with([',', '.']));
    has_cents && word.bytes().all(|b| b.is_ascii_digit() || b == b'.' || b == b',')
}

/// `2026-11-24` and what may follow it.
fn is_moment(word: &str) -> bool {
    let Some(date) = word.get(..10) else { return false };
    let is_right = |(at, b): (usize, u8)| match at {
        4 | 7 => b == b'-',
        _ => b.is_ascii_digit(),
    };
    date.bytes().enumerate().all(is_right)
}

/// A random PIX key, as any other UUID.
fn is_random_key(word: &str) -> bool {
    word.len() == 36 && uuid::Uuid::try_parse(word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_looks_personal_is_masked_and_the_rest_of_the_sentence_stays() {
        let said = [
            ("Conta de ana@loja.example bloqueada.", "Conta de ••• bloqueada."),
            ("CPF 111.444.777-35: inválido", "CPF •••: inválido"),
            ("(cnpj 11444777000161)", "(cnpj •••)"),
            ("fone +5511912345678, ligue", "fone ••• ligue"),
            ("chave 123e4567-e89b-12d3-a456-426614174000.", "chave •••."),
            ("Saldo insuficiente: R$ 1.000.000,00", "Saldo insuficiente: R$ 1.000.000,00"),
            ("2026-11-24T10:42:07Z em 30 s", "2026-11-24T10:42:07Z em 30 s"),
            ("pedido 1234567", "pedido 1234567"),
        ];
        for (text, masked) in said {
            assert_eq!(masked_text(text), masked);
        }
    }

    #[test]
    fn a_body_keeps_its_members_and_loses_what_is_personal() {
        let body = r#"{
  "amount": 10.10,
  "customer": {
    "name": "Bia",
    "note": "bia@x.example"
  },
  "balance": 12.5,
  "status": "paid"
}"#;
        let masked = r#"{
  "amount": 10.10,
  "customer": {
    "name": "•••",
    "note": "•••"
  },
  "balance": "•••",
  "status": "paid"
}"#;
        assert_eq!(masked_body(body), masked);
        assert_eq!(
            masked_body("amount=10&customer%5Bname%5D=Bia"),
            "amount=•••&customer%5Bname%5D=•••"
        );
        assert_eq!(masked_body("<p>bia@x.example</p>"), "<p>•••</p>");
    }

    #[test]
    fn of_a_name_the_first_letter_stays_and_of_what_is_typed_its_end() {
        assert_eq!(
            [masked_name("Ana Lima"), masked_name("A"), masked_name("")],
            ["A•••", "•••", ""]
        );
        assert_eq!(masked_typing("ana@loja.example"), "•••@••••.•••••le");
        assert_eq!([masked_typing("11"), masked_typing("")], ["11", ""]);
    }

    proptest! {
        #[test]
        fn any_text_is_masked_and_what_is_typed_keeps_its_length(text in ".{0,80}") {
            prop_assert_eq!(masked_typing(&text).chars().count(), text.chars().count());
            let _ = (masked_text(&text), masked_body(&text), masked_name(&text));
        }

        #[test]
        fn an_address_in_a_text_is_masked(name in "[a-z]{3,9}", around in "[ -~]{0,20}") {
            let text = format!("{around} {name}@loja.example {around}");
            let (whole, masked) = (format!("{name}@loja.example"), masked_text(&text));
            prop_assert!(!masked.contains(&whole), "{}", masked);
        }
    }
}
