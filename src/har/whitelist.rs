//! The names, words and values that an export keeps. Everything else is masked.

use std::collections::BTreeSet;

use super::kind::{LEAST_OF_A_TOKEN, has_cents, is_token};
use crate::contract::{Contract, SettingValue};
use crate::trade::Wall;
use crate::trade::personal::is_personal_name;

/// Member and header names that are kept although they do not consist of letters and underscores.
const NAMES: &str = "\
    e2eId e2e_id endToEnd2 base64 qrCodeBase64 qr_code_base64 brcodeBase64 address1 address2 line1 \
    line2 sha256 md5 x-amz-id-2";

/// Names of members with amounts, in addition to the contract's.
const AMOUNTS: &str = "\
    amount valor total subtotal price preco fee taxa tarifa net gross liquido bruto discount \
    desconto netAmount net_amount grossAmount gross_amount feeAmount fee_amount totalAmount \
    total_amount";

/// Names of members with HTTP statuses, in addition to the contract's.
const STATUSES: &str = "status statusCode status_code httpStatus http_status code";

/// Names of headers with request ids of the service.
const REQUEST_ID_HEADERS: &str = "\
    x-request-id request-id x-correlation-id x-trace-id x-amzn-requestid x-amzn-trace-id \
    traceparent cf-ray";

/// Names of members with request ids of the service.
const REQUEST_IDS: &str = "requestId request_id correlationId correlation_id traceId trace_id";

/// State words, in addition to the contract's, and other words with a fixed meaning.
const WORDS: &str = "\
    active inactive ativo inativo pending pendente processing processando created criado waiting \
    aguardando paid pago completed complete concluido concluído done success succeeded sucesso \
    approved aprovado accepted aceito confirmed confirmado failed failure falhou error erro \
    rejected rejeitado refused recusado denied negado canceled cancelled cancelado expired \
    expirado refunded estornado blocked bloqueado verified verificado unverified ready enabled \
    disabled ok true false null pix cpf cnpj phone email evp random open closed scheduled \
    agendado queued sent enviado received recebido brl bearer";

/// Texts that the API documentation quotes in full (§7).
const DOCUMENTED: [&str; 2] = [
    "Domínio de checkout obrigatório.",
    "Conecte um domínio próprio ativo a uma de suas lojas para criar links de pagamento.",
];

/// Words in the values of headers.
const HEADER_WORDS: &str = "\
    application json problem text html plain x-www-form-urlencoded charset utf-8 close keep-alive \
    timeout max no-cache no-store private public must-revalidate proxy-revalidate no-transform \
    max-age s-maxage chunked identity gzip deflate br zstd get head post put patch delete options \
    pt pt-br en en-us bearer basic token http https balcao nginx apache cloudflare openresty envoy \
    gunicorn uvicorn caddy hyper kestrel express varnish cloudfront awselb amazons3 vercel";

/// Words and tags of HTML pages, which are often sent as errors.
const TAGS: &str = "html head title body h1 h2 h3 p a br hr div span center pre meta doctype";

/// The maximum length of a name that is kept.
const LONGEST_NAME: usize = 40;

/// The names, words and values that an export keeps.
pub(super) struct Whitelist {
    names: BTreeSet<String>,
    amounts: BTreeSet<String>,
    statuses: BTreeSet<String>,
    lifetimes: BTreeSet<String>,
    words: BTreeSet<String>,
    segments: BTreeSet<String>,
    hosts: BTreeSet<String>,
}

impl Whitelist {
    /// Returns the built-in lists together with the names and words of a contract.
    pub(super) fn of(contract: &Contract) -> Whitelist {
        let mut kept = Whitelist {
            names: set(NAMES),
            amounts: set(AMOUNTS),
            statuses: set(STATUSES),
            lifetimes: BTreeSet::new(),
            words: set(WORDS),
            segments: BTreeSet::new(),
            hosts: ["localhost", "127.0.0.1", "[::1]"].map(str::to_owned).into(),
        };
        for line in contract.settings().keys() {
            match contract.value(line) {
                Some(SettingValue::Text(text)) => kept.add_text(contract, line, text),
                Some(SettingValue::Texts(texts)) => kept.add_texts(line, texts),
                _ => {}
            }
        }
        for lines in [AMOUNTS, STATUSES, REQUEST_ID_HEADERS] {
            kept.names.extend(set(lines));
        }
        kept
    }

    fn add_text(&mut self, contract: &Contract, line: &str, text: &str) {
        let (above, last) = line.rsplit_once('.').unwrap_or(("", line));
        match last {
            "path" => {
                let path = text.split('?').next().unwrap_or_default();
                add(&mut self.segments, path.split('/'));
            }
            "amount" => add(&mut self.amounts, [text].into_iter()),
            "name" => {
                let kind = contract.value(&format!("{above}.kind"));
                if kind == Some(&SettingValue::Text("amount".to_owned())) {
                    add(&mut self.amounts, text.rsplit('/').take(1));
                }
            }
            _ if above.ends_with(".words") => add_words(&mut self.words, &[text.to_owned()]),
            _ => {}
        }
        if ["name", "amount", "description", "domain", "key_in_body"].contains(&last) {
            add(&mut self.names, text.split('/'));
        }
    }

    fn add_texts(&mut self, line: &str, texts: &[String]) {
        let last = line.rsplit('.').next().unwrap_or_default();
        if ["active_words", "failed_words", "choices"].contains(&last) {
            add_words(&mut self.words, texts);
        }
        let pointers = || texts.iter().filter(|text| text.starts_with('/'));
        let ends = || pointers().flat_map(|pointer| pointer.rsplit('/').take(1));
        match last {
            "fee" | "net" | "echo_amount" => add(&mut self.amounts, ends()),
            "failed_code" => add(&mut self.statuses, ends()),
            "expires_in" => add(&mut self.lifetimes, ends()),
            _ => {}
        }
        add(&mut self.names, pointers().flat_map(|pointer| pointer.split('/')));
    }

    /// Adds the host of a service that was configured when its requests were sent.
    pub(super) fn add_host(&mut self, host: &str) {
        self.hosts.insert(host.to_lowercase());
    }

    /// Returns true if this is the host of a service or of this machine.
    pub(super) fn has_host(&self, host: &str) -> bool {
        self.hosts.contains(&host.to_lowercase())
    }

    /// Returns true if the contract has this segment in a path.
    pub(super) fn has_segment(&self, segment: &str) -> bool {
        self.segments.contains(segment)
    }

    /// Returns true if this member name is kept: it is on the whitelist, or consists only of
    /// letters and underscores.
    pub(super) fn keeps_name(&self, name: &str) -> bool {
        let is_plain = |b: u8| b.is_ascii_alphabetic() || b == b'_';
        let is_short = (1..=LONGEST_NAME).contains(&name.len());
        (is_short && name.bytes().all(is_plain)) || self.names.contains(name)
    }

    /// Returns true if a header with this name keeps its name.
    pub(super) fn keeps_header(&self, name: &str) -> bool {
        self.keeps_name(&name.replace('-', "_")) || self.names.contains(&name.to_ascii_lowercase())
    }

    /// Returns true if this word is kept in a text that is not JSON: a name on a list, a state
    /// word, or an HTML tag.
    pub(super) fn keeps_word(&self, word: &str) -> bool {
        let is_in = |list| has(list, &word.to_ascii_lowercase());
        self.names.contains(word) || self.is_state(word) || is_in(TAGS)
    }

    /// Returns true if the text is a state word, or a text of the API documentation.
    pub(super) fn is_state(&self, text: &str) -> bool {
        self.words.contains(&text.to_lowercase()) || DOCUMENTED.contains(&text)
    }

    /// Returns true if the member's name shows that this text or number is not personal: an amount,
    /// an HTTP status, a lifetime, a time or a request id.
    ///
    /// `is_bare` is true for a number, and for a value in a form or query, which has no quotes.
    pub(super) fn keeps_value(&self, name: &str, text: &str, is_bare: bool) -> bool {
        let is_whole = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        (self.amounts.contains(name) && is_amount(text) && (is_bare || has_cents(text)))
            || (self.statuses.contains(name) && is_whole && matches!(text.parse(), Ok(100..=599)))
            || (self.lifetimes.contains(name) && is_whole && text.len() <= 7)
            || (has(REQUEST_ID_HEADERS, name) && is_request_id(text))
            || (has(REQUEST_IDS, name) && is_request_id(text) && is_short_hex(text))
            || (is_moment(text) && !is_of_a_person(name))
    }
}

fn set(list: &str) -> BTreeSet<String> {
    list.split_whitespace().map(str::to_owned).collect()
}

fn has(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|one| one == word)
}

/// Adds the names that do not look personal. A seller's contract may have an account number in a
/// path, or a name in a pointer.
fn add<'a>(to: &mut BTreeSet<String>, names: impl Iterator<Item = &'a str>) {
    let plain = names.filter(|name| is_harmless(name));
    to.extend(plain.map(|name| name.replace("~1", "/").replace("~0", "~")));
}

fn add_words(to: &mut BTreeSet<String>, words: &[String]) {
    to.extend(words.iter().filter(|word| is_harmless(word)).map(|word| word.to_lowercase()));
}

/// Returns true for a name that cannot be an id, a host or an e-mail address.
pub(super) fn is_harmless(name: &str) -> bool {
    let digits = name.bytes().filter(u8::is_ascii_digit).count();
    !name.is_empty() && name.len() <= LONGEST_NAME && digits < 3 && !name.contains(['@', '.', ' '])
}

/// Returns true for a number that is small enough to be an amount and not a document or telephone.
fn is_amount(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let is_number = text.bytes().all(|b| b.is_ascii_digit() || b == b'.' || b == b',');
    let parts: Vec<&str> = text.split(['.', ',']).collect();
    is_number
        && match parts[..] {
            [whole] => (1..=9).contains(&whole.len()),
            [whole, rest] => (1..=9).contains(&whole.len()) && (1..=4).contains(&rest.len()),
            _ => has_cents(text) && text.len() <= 14,
        }
}

/// Returns true for a date or a time in ISO 8601.
fn is_moment(text: &str) -> bool {
    let is_part = |b: u8| b.is_ascii_digit() || b"-:.+TZ ".contains(&b);
    let is_short = (10..=35).contains(&text.len()) && text.bytes().all(is_part);
    let century = || text.starts_with("19") || text.starts_with("20");
    // Complete a date, and a time without an offset, so that one parser reads all forms.
    let forms = [text.to_owned(), format!("{text}Z"), format!("{text}T00:00Z")];
    is_short && century() && forms.iter().any(|form| Wall::parse_rfc3339(form).is_some())
}

/// Returns true if a date with this name may be about a person, such as a date of birth.
fn is_of_a_person(name: &str) -> bool {
    let name = name.to_lowercase();
    is_personal_name(&name) || ["birth", "nasc", "dob"].iter().any(|part| name.contains(part))
}

/// Returns true if the text can be a request id: letters with digits, but not a JWT.
fn is_request_id(text: &str) -> bool {
    let is_part = |b: u8| b.is_ascii_alphanumeric() || b"-_:=".contains(&b);
    let has = |is: fn(&u8) -> bool| text.bytes().any(|b| is(&b));
    (8..=64).contains(&text.len())
        && text.bytes().all(is_part)
        && has(u8::is_ascii_alphabetic)
        && has(u8::is_ascii_digit)
        && !is_token(text)
}

/// Returns true for a short hexadecimal id, such as `req_8f14e45f-ceea`. In a body, other ids may
/// belong to links, and longer ids may be random Pix keys or tokens.
fn is_short_hex(text: &str) -> bool {
    let digits = text.strip_prefix("req_").or_else(|| text.strip_prefix("req-")).unwrap_or(text);
    let is_digit = |b: u8| b.is_ascii_hexdigit() || b == b'-';
    text.len() < LEAST_OF_A_TOKEN && digits.bytes().all(is_digit)
}

/// Returns true if the value of a header keeps this word.
pub(super) fn keeps_header_word(word: &str) -> bool {
    let is_number = word.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let is_version = is_number && word.len() <= if word.contains('.') { 6 } else { 4 };
    has(HEADER_WORDS, &word.to_ascii_lowercase()) || is_version
}

/// Returns true for a date in the form of HTTP headers, such as `Sat, 21 Nov 2026 15:00:00 GMT`.
pub(super) fn is_http_date(text: &str) -> bool {
    const PARTS: [&str; 2] =
        ["Mon, Tue, Wed, Thu, Fri, Sat, Sun,", "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"];
    let parts: Vec<&str> = text.split(' ').collect();
    let [weekday, day, month, year, time, "GMT"] = parts[..] else { return false };
    let is_number = |text: &str, most| {
        text.len() <= most && text.bytes().all(|b| b.is_ascii_digit() || b == b':')
    };
    has(PARTS[0], weekday)
        && has(PARTS[1], month)
        && is_number(day, 2)
        && is_number(year, 4)
        && is_number(time, 8)
}
