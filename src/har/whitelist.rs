//! The names, words and values that stay readable in an export. All others are masked.

use std::collections::BTreeSet;

use super::check::encodes_text;
use super::kind::{Kind, has_cents};
use crate::contract::{Contract, SettingValue};
use crate::trade::known_words::{is_known_name, is_known_text};
use crate::trade::personal::is_personal_name;
use crate::trade::{HeaderUse, Wall};

/// Names of members and headers that stay readable although they contain digits, or words that are
/// not known: names of people, and words without a meaning of their own.
const PUBLIC_NAMES: &str = "\
    e2eId e2e_id endToEnd2 base64 qrCodeBase64 qr_code_base64 brcodeBase64 address1 address2 line1 \
    line2 sha256 md5 at by to page price x-amz-id-2 x-real-ip access-control-max-age";

/// Names of members that contain amounts, in addition to the names in the contract.
const AMOUNT_NAMES: &str = "\
    amount valor total subtotal price preco fee taxa tarifa net gross liquido bruto discount \
    desconto netAmount net_amount grossAmount gross_amount feeAmount fee_amount totalAmount \
    total_amount";

/// Names of members that contain HTTP statuses, in addition to the names in the contract.
const STATUS_NAMES: &str = "status statusCode status_code httpStatus http_status code";

/// Names of body members that contain the service's request ids.
const REQUEST_ID_NAMES: &str = "requestId request_id correlationId correlation_id traceId trace_id";

/// Texts that the API documentation quotes (section 7), so they are not private.
const DOCUMENTED_TEXTS: [&str; 2] = [
    "Domínio de checkout obrigatório.",
    "Conecte um domínio próprio ativo a uma de suas lojas para criar links de pagamento.",
];

/// Words that stay readable in the values of HTTP headers.
const HEADER_WORDS: &str = "\
    application json problem text html plain x-www-form-urlencoded charset utf-8 close keep-alive \
    no-cache no-store private public must-revalidate proxy-revalidate no-transform chunked \
    identity gzip deflate br zstd get head post put patch delete options pt pt-br en en-us bearer \
    basic token https proxy 1.0 1.1 2.0";

/// Product names in the values of headers. A version may follow, as in `nginx/1.25.3`.
const PRODUCTS: &str = "\
    http balcao nginx apache cloudflare openresty envoy gunicorn uvicorn caddy hyper kestrel \
    express varnish cloudfront awselb amazons3 vercel";

/// Names before numbers in the values of headers, as in `max-age=3600`.
const COUNT_NAMES: &str = "timeout max max-age s-maxage";

/// Prefixes of request ids, such as `req_`.
const ID_PREFIXES: [&str; 5] = ["req_", "req-", "request-", "trace-", "Root=1-"];

/// The maximum length of a request id in a body. A longer one is masked, because it may be a random
/// Pix key or a token.
const MAX_BODY_ID_LENGTH: usize = 24;

/// The maximum difference between the time of a request and a readable date, in milliseconds. A
/// date further away is masked, because it may be a date of birth.
const MAX_DATE_DISTANCE_MS: u64 = 2 * 366 * 24 * 60 * 60 * 1000;

/// Words and tags in HTML pages, which services often send as errors.
const HTML_WORDS: &str = "html head title body h1 h2 h3 p a br hr div span center pre meta doctype";

/// The maximum length of a readable name, in characters.
const MAX_NAME_LENGTH: usize = 40;

/// The lists of everything that stays readable in an export.
pub(super) struct Whitelist {
    names: BTreeSet<String>,
    amount_names: BTreeSet<String>,
    status_names: BTreeSet<String>,
    lifetime_names: BTreeSet<String>,
    /// State words of the contract that consist of known words, in lower case.
    public_states: BTreeSet<String>,
    /// All other state words of the contract, in lower case. They are masked, because they may be
    /// private text of the seller.
    private_states: BTreeSet<String>,
    /// True if states, codes and words of messages stay readable.
    keeps_words: bool,
    path_segments: BTreeSet<String>,
    hosts: BTreeSet<String>,
    /// The time of the request whose values are being masked.
    request_time: Option<Wall>,
}

impl Whitelist {
    /// Creates the built-in lists, extended by the names in a contract.
    pub(super) fn of(contract: &Contract) -> Whitelist {
        let mut whitelist = Whitelist {
            names: word_set(PUBLIC_NAMES),
            amount_names: word_set(AMOUNT_NAMES),
            status_names: word_set(STATUS_NAMES),
            lifetime_names: BTreeSet::new(),
            public_states: BTreeSet::new(),
            private_states: BTreeSet::new(),
            keeps_words: true,
            path_segments: BTreeSet::new(),
            hosts: ["localhost", "127.0.0.1", "[::1]"]
                .map(str::to_owned)
                .into(),
            request_time: None,
        };
        for line in contract.settings().keys() {
            match contract.value(line) {
                Some(SettingValue::Text(text)) => whitelist.add_text(contract, line, text),
                Some(SettingValue::Texts(texts)) => whitelist.add_texts(line, texts),
                _ => {}
            }
        }
        for lines in [AMOUNT_NAMES, STATUS_NAMES] {
            whitelist.names.extend(word_set(lines));
        }
        whitelist
            .names
            .extend(HeaderUse::RequestId.names().map(str::to_owned));
        whitelist
    }

    fn add_text(&mut self, contract: &Contract, line: &str, text: &str) {
        let (parent, last_part) = line.rsplit_once('.').unwrap_or(("", line));
        match last_part {
            "path" => {
                let path = text.split('?').next().unwrap_or_default();
                add_harmless(&mut self.path_segments, path.split('/'));
            }
            "amount" => add_harmless(&mut self.amount_names, [text].into_iter()),
            "name" => {
                let kind = contract.value(&format!("{parent}.kind"));
                if kind == Some(&SettingValue::Text("amount".to_owned())) {
                    add_harmless(&mut self.amount_names, text.rsplit('/').take(1));
                }
            }
            _ if parent.ends_with(".words") => self.add_states(&[text.to_owned()]),
            _ => {}
        }
        if ["name", "amount", "description", "domain", "key_in_body"].contains(&last_part) {
            add_harmless(&mut self.names, text.split('/'));
        }
    }

    fn add_texts(&mut self, line: &str, texts: &[String]) {
        let last_part = line.rsplit('.').next().unwrap_or_default();
        if ["active_words", "failed_words", "choices"].contains(&last_part) {
            self.add_states(texts);
        }
        let pointers = texts.iter().filter(|text| text.starts_with('/'));
        let last_names = pointers
            .clone()
            .flat_map(|pointer| pointer.rsplit('/').take(1));
        match last_part {
            "fee" | "net" | "echo_amount" => add_harmless(&mut self.amount_names, last_names),
            "failed_code" => add_harmless(&mut self.status_names, last_names),
            "expires_in" => add_harmless(&mut self.lifetime_names, last_names),
            _ => {}
        }
        add_harmless(
            &mut self.names,
            pointers.flat_map(|pointer| pointer.split('/')),
        );
    }

    fn add_states(&mut self, words: &[String]) {
        for word in words.iter().map(|word| word.to_lowercase()) {
            if is_known_text(&word) {
                self.public_states.insert(word);
            } else {
                self.private_states.insert(word);
            }
        }
    }

    /// Masks states, codes and the words of messages from now on.
    pub(super) fn drop_words(&mut self) {
        self.keeps_words = false;
        self.private_states.append(&mut self.public_states);
    }

    pub(super) fn keeps_words(&self) -> bool {
        self.keeps_words
    }

    /// Sets the time of the request whose values are masked next. Dates near that time stay
    /// readable.
    pub(super) fn set_request_time(&mut self, time: Wall) {
        self.request_time = Some(time);
    }

    /// Adds the host of a service to which the program sent requests.
    pub(super) fn add_host(&mut self, host: &str) {
        self.hosts.insert(host.to_lowercase());
    }

    /// True if this is the host of a known service or of this machine.
    pub(super) fn has_host(&self, host: &str) -> bool {
        self.hosts.contains(&host.to_lowercase())
    }

    /// True if a path in the contract has this segment.
    pub(super) fn has_segment(&self, segment: &str) -> bool {
        self.path_segments.contains(segment)
    }

    /// True if this member name stays readable: it is on the whitelist, consists of known words, or
    /// is a single letter.
    pub(super) fn is_public_name(&self, name: &str) -> bool {
        let is_letter = name.len() == 1 && name.bytes().all(|b| b.is_ascii_alphabetic());
        is_letter || is_known_name(name) || self.names.contains(name)
    }

    /// True if this header name stays readable.
    pub(super) fn is_public_header(&self, name: &str) -> bool {
        let plain = name
            .strip_prefix("x-")
            .or_else(|| name.strip_prefix("X-"))
            .unwrap_or(name);
        self.is_public_name(plain) || self.names.contains(&name.to_ascii_lowercase())
    }

    /// True if this text stays readable in a body that is not JSON: a name on a list, a text of
    /// known words, or an HTML tag.
    pub(super) fn is_public_word(&self, word: &str) -> bool {
        self.names.contains(word)
            || self.is_public_state(word)
            || self.keeps_words && is_known_text(word)
            || list_contains(HTML_WORDS, &word.to_ascii_lowercase())
    }

    /// True if the text is a state or code of known words, or is quoted in the API documentation.
    pub(super) fn is_public_state(&self, text: &str) -> bool {
        self.keeps_words
            && (is_known_name(text)
                || self.public_states.contains(&text.to_lowercase())
                || DOCUMENTED_TEXTS.contains(&text))
    }

    /// True if the text is a private state word of the contract. Letter case makes no difference.
    pub(super) fn is_private_state(&self, text: &str) -> bool {
        self.private_states.contains(&text.to_lowercase())
    }

    /// True if a value with this name is not personal. For example, the value of `status` may be an
    /// HTTP status.
    ///
    /// `is_unquoted` is true for a value without quotation marks, such as a number.
    pub(super) fn is_public_value(&self, name: &str, text: &str, is_unquoted: bool) -> bool {
        let is_number = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        (self.amount_names.contains(name) && is_amount(text) && (is_unquoted || has_cents(text)))
            || (self.status_names.contains(name)
                && is_number
                && matches!(text.parse(), Ok(100..=599)))
            || (self.lifetime_names.contains(name) && is_number && text.len() <= 7)
            || (HeaderUse::RequestId.names().any(|known| known == name) && is_request_id(text))
            || (list_contains(REQUEST_ID_NAMES, name)
                && is_request_id(text)
                && text.len() <= MAX_BODY_ID_LENGTH)
            || (self.is_near_date(text) && !is_personal_date_name(name))
    }

    /// True for an ISO 8601 date or time near the time of the request.
    fn is_near_date(&self, text: &str) -> bool {
        let is_short = (10..=35).contains(&text.len())
            && text
                .bytes()
                .all(|b| b.is_ascii_digit() || b"-:.+TZ ".contains(&b));
        // Dates have at most 4 digits in a row. A longer run, such as a fraction of a second, could
        // be any number.
        let has_short_runs = text
            .split(|c: char| !c.is_ascii_digit())
            .all(|run| run.len() <= 4);
        // Append the missing offset or time of day, so that one parser reads all forms.
        let variants = [
            text.to_owned(),
            format!("{text}Z"),
            format!("{text}T00:00Z"),
        ];
        let mut dates = variants
            .iter()
            .filter_map(|variant| Wall::parse_rfc3339(variant));
        is_short && has_short_runs && dates.next().is_some_and(|date| self.is_near(date))
    }

    /// True if the text is a date near the time of the request, in the format that HTTP headers
    /// use, such as `Sat, 21 Nov 2026 15:00:00 GMT`.
    pub(super) fn is_near_http_date(&self, text: &str) -> bool {
        Wall::parse_http_date(text).is_some_and(|date| self.is_near(date))
    }

    fn is_near(&self, date: Wall) -> bool {
        self.request_time
            .is_some_and(|at| date.0.abs_diff(at.0) <= MAX_DATE_DISTANCE_MS)
    }
}

fn word_set(list: &str) -> BTreeSet<String> {
    list.split_whitespace().map(str::to_owned).collect()
}

pub(super) fn list_contains(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|listed| listed == word)
}

/// Adds only the names that look harmless, because a seller's contract may contain private names:
/// an account number in a path, or a person's name in a JSON pointer.
fn add_harmless<'a>(to: &mut BTreeSet<String>, names: impl Iterator<Item = &'a str>) {
    let harmless = names.filter(|name| is_harmless(name));
    to.extend(harmless.map(|name| name.replace("~1", "/").replace("~0", "~")));
}

/// True if a name looks like neither an id nor a host nor an e-mail address.
pub(super) fn is_harmless(name: &str) -> bool {
    let digits = name.bytes().filter(u8::is_ascii_digit).count();
    !name.is_empty()
        && name.len() <= MAX_NAME_LENGTH
        && digits < 3
        && !name.contains(['@', '.', ' '])
}

/// True for a number that is short enough to be an amount, and not a document or telephone number.
fn is_amount(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let is_number = text
        .bytes()
        .all(|b| b.is_ascii_digit() || b == b'.' || b == b',');
    let parts: Vec<&str> = text.split(['.', ',']).collect();
    is_number
        && text.bytes().filter(u8::is_ascii_digit).count() <= 9
        && match parts[..] {
            [whole] => (1..=9).contains(&whole.len()),
            [whole, decimals] => {
                (1..=9).contains(&whole.len()) && (1..=4).contains(&decimals.len())
            }
            _ => has_cents(text) && text.len() <= 14,
        }
}

/// True if a date in a member with this name may be personal, such as a date of birth.
fn is_personal_date_name(name: &str) -> bool {
    let name = name.to_lowercase();
    is_personal_name(&name)
        || ["birth", "nasc", "dob"]
            .iter()
            .any(|part| name.contains(part))
}

/// True if the text has the form of a request id (a UUID, a ULID, a W3C trace parent, a trace id of
/// AWS, or 16 to 64 hexadecimal digits) and hides no document, telephone number or text. The three
/// letters of an airport may follow, as in the `cf-ray` header of Cloudflare.
fn is_request_id(text: &str) -> bool {
    let id = ID_PREFIXES
        .iter()
        .find_map(|prefix| text.strip_prefix(prefix))
        .unwrap_or(text);
    let ray_id = id.rsplit_once('-').filter(|(id, end)| {
        id.len() == 16 && end.len() == 3 && end.bytes().all(|b| b.is_ascii_uppercase())
    });
    let id = ray_id.map_or(id, |(ray_id, _)| ray_id);
    let without_hyphens = id.replace('-', "");
    let is_hex = without_hyphens
        .bytes()
        .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
        && without_hyphens.bytes().any(|b| b.is_ascii_lowercase());
    let lengths: Vec<usize> = id.split('-').map(str::len).collect();
    let has_id_form = match lengths[..] {
        [8, 4, 4, 4, 12] | [2, 32, 16, 2] | [8, 24] => is_hex,
        [length] if is_hex => (16..=64).contains(&length),
        // The 26 characters are a ULID if they begin with `01`, which is true until the year 3084.
        [26] => id.starts_with("01") && id.bytes().all(is_ulid_digit),
        _ => false,
    };
    has_id_form
        && !(is_hex && encodes_text(&without_hyphens))
        && !has_personal_digits(&without_hyphens)
}

fn is_ulid_digit(b: u8) -> bool {
    b.is_ascii_digit() || b.is_ascii_uppercase() && !b"ILOU".contains(&b)
}

/// True if the text contains the digits of a CPF, a CNPJ or a mobile number.
fn has_personal_digits(text: &str) -> bool {
    let parts = (0..text.len())
        .flat_map(|start| [text.get(start..start + 11), text.get(start..start + 14)]);
    let mut digits = parts
        .flatten()
        .filter(|part| part.bytes().all(|b| b.is_ascii_digit()));
    digits.any(|digits| match Kind::of(digits) {
        Kind::Cpf | Kind::Cnpj => true,
        Kind::Phone => !digits[..2].contains('0') && digits[2..].starts_with('9'),
        _ => false,
    })
}

/// True if this word in the value of an HTTP header is not masked. `text_before` is the part of the
/// value before the word.
pub(super) fn is_public_header_word(text_before: &str, word: &str) -> bool {
    let follows_name_in = |list, mark| {
        let name = text_before
            .strip_suffix(mark)
            .and_then(|name| name.rsplit([' ', ',']).next());
        name.is_some_and(|name| list_contains(list, &name.to_ascii_lowercase()))
    };
    [HEADER_WORDS, PRODUCTS, COUNT_NAMES]
        .into_iter()
        .any(|list| list_contains(list, &word.to_ascii_lowercase()))
        || (follows_name_in(PRODUCTS, '/')
            && word.len() <= 8
            && word.split('.').all(|part| is_number(part, 2)))
        || (follows_name_in(COUNT_NAMES, '=') && is_number(word, 6))
}

fn is_number(text: &str, max_digits: usize) -> bool {
    (1..=max_digits).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit())
}
