//! `balcao links list`, `charges list` and `withdrawals list`: print payment links, direct payments
//! and withdrawals, as JSON or as a plain list.
//!
//! A plain list has a heading, uses the local time zone, and fits into 80 columns unless it
//! contains a longer address or Pix key.

use std::io;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::complaint::Complaint;
use super::journal::CommandContext;
use super::json_line::{self, amount_json, charge_json, format_utc, link_json};
use super::output::{print_note, write_lines};
use super::{GlobalArgs, row_mask};
use crate::app::ui::text::{align_right, exactly, wrap};
use crate::journal::history::{self, History, SaleTable};
use crate::runtime::clocks::{self, MachineClocks};
use crate::trade::withdrawal::{Attempt, Class, WithdrawalState};
use crate::trade::{
    Agreement, Charge, JournalTrouble, Money, Paid, PaymentLink, SaleOf, SaleRequest, Untrusted,
    Wall, Withdrawal,
};
use crate::words::{Catalogue, dates, failure, names, personal};

/// A list that a command prints.
struct PrintedList {
    /// The message id of the heading of the third column.
    text_column: &'static str,
    /// The message id of the note that an empty list shows.
    empty_note: &'static str,
}

const LINKS: PrintedList = PrintedList {
    text_column: "field-description",
    empty_note: "links-empty-title",
};

const CHARGES: PrintedList = PrintedList {
    text_column: "field-description",
    empty_note: "charges-empty-title",
};

const WITHDRAWALS: PrintedList = PrintedList {
    text_column: "list-state",
    empty_note: "withdrawals-empty-title",
};

type Rows<'r> = &'r mut dyn Iterator<Item = Result<String, Complaint>>;

impl PrintedList {
    /// Prints the rows. A plain list begins with a heading. If there are no rows, a note is printed
    /// instead.
    fn print(self, words: &Catalogue, json: bool, rows: Rows) -> Result<(), Complaint> {
        let mut rows = rows.peekable();
        let heading = match (json, rows.peek()) {
            (true, _) => None,
            (false, None) => Some(words.text(self.empty_note)),
            (false, Some(_)) => {
                let [time, amount, text] =
                    ["list-when", "field-amount", self.text_column].map(|id| words.text(id));
                Some(format_columns(&time, &amount, &text))
            }
        };
        write_lines(io::stdout().lock(), heading.into_iter().map(Ok).chain(rows)).map(drop)
    }
}

pub fn links(args: &GlobalArgs, json: bool, journal: Option<PathBuf>) -> Result<(), Complaint> {
    print_sales(args, json, journal, LINKS, link_json, link_row)
}

pub fn charges(args: &GlobalArgs, json: bool, journal: Option<PathBuf>) -> Result<(), Complaint> {
    print_sales(args, json, journal, CHARGES, charge_json, charge_row)
}

/// Prints all payment links or direct payments of the history.
fn print_sales<R: SaleTable>(
    args: &GlobalArgs,
    json: bool,
    journal: Option<PathBuf>,
    list: PrintedList,
    to_json: fn(&SaleOf<R>) -> Value,
    to_row: fn(&Catalogue, &SaleOf<R>, i32) -> String,
) -> Result<(), Complaint> {
    let context = CommandContext::without_vault(&args.chosen_profile()?, journal)?;
    let words = context.words;
    let history = open_history(&context).map_err(|trouble| context.history_error(&trouble))?;
    let mut rows = history.iter().flat_map(History::all::<R>).map(|sale| {
        let sale = sale.map_err(|trouble| context.history_error(&trouble))?;
        Ok(if json {
            json_row(words, to_json(&sale))
        } else {
            to_row(words, &sale, clocks::utc_offset_s(sale.at))
        })
    });
    list.print(words, json, &mut rows)
}

/// Opens the history if it exists. A damaged history is an error, and only the app replaces it.
/// Prints a note if an earlier history was damaged, because its rows are not listed.
pub(super) fn open_history(context: &CommandContext) -> Result<Option<History>, JournalTrouble> {
    let opened = History::open_if_any(&context.dir, MachineClocks::new().now().wall)?;
    if let Some(aside) = history::list_renamed_files(&context.dir).pop() {
        let file = Untrusted::from(aside).shown();
        print_note(&context.words.with("history-aside", &[("file", &file)]));
    }
    Ok(opened)
}

/// Prints the withdrawals without changing the journal.
///
/// A missing journal is not created, because the app must notice at its next start that the journal
/// is missing.
pub fn withdrawals(
    args: &GlobalArgs,
    json: bool,
    journal: Option<PathBuf>,
) -> Result<(), Complaint> {
    let context = CommandContext::without_vault(&args.chosen_profile()?, journal)?;
    let words = context.words;
    let complain = |trouble| Complaint::unread(context.describe(&trouble));
    if !context.files().journal_exists() {
        context
            .check_markers(Err(&JournalTrouble::Missing))?
            .map_err(complain)?;
        return WITHDRAWALS.print(words, json, &mut std::iter::empty());
    }
    let opened = context.open().map_err(complain)?;
    if opened.is_copy {
        print_note(&words.text("journal-copy"));
    }
    // Print a note if this is not the live journal, according to its markers.
    let marked = context.check_markers(Ok(&opened.journal))?;
    if let Err(trouble) = &marked
        && trouble.ends_with_make_live()
    {
        print_note(&context.describe(trouble));
    }
    let state_now = context.state_now(&opened.journal).map_err(complain)?;
    let history = history_if_readable(&context);
    let mut rows = opened.journal.withdrawals().map(|withdrawal| {
        let withdrawal = withdrawal.map_err(complain)?;
        let state = state_now(&withdrawal);
        let agreement = &withdrawal.agreement;
        let texts = SellerTexts::of(&context, history.as_ref(), agreement);
        Ok(if json {
            json_row(words, withdrawal_json(words, &withdrawal, &state, &texts))
        } else {
            let offset = clocks::utc_offset_s(agreement.agreed.wall);
            withdrawal_row(words, &withdrawal, &state, &texts, offset)
        })
    });
    WITHDRAWALS.print(words, json, &mut rows)?;
    // An older copy of the journal is listed, but it lacks withdrawals.
    match marked {
        Err(trouble) if trouble.is_damage() => Err(complain(trouble)),
        _ => Ok(()),
    }
}

/// Opens the history for the nicknames of Pix keys. If that fails, prints a note, because the list
/// also makes sense without nicknames.
fn history_if_readable(context: &CommandContext) -> Option<History> {
    let opened = History::open_if_any(&context.dir, MachineClocks::new().now().wall);
    opened.unwrap_or_else(|trouble| {
        print_note(&failure::history(context.words, &trouble).0);
        None
    })
}

/// The texts that the seller gave a withdrawal: the nickname of its Pix key, and its description.
#[derive(Default)]
struct SellerTexts {
    nickname: Option<String>,
    description: Option<String>,
}

impl SellerTexts {
    fn of(
        context: &CommandContext,
        history: Option<&History>,
        agreement: &Agreement,
    ) -> SellerTexts {
        let key = history.zip(agreement.destination.as_ref());
        let nickname =
            key.and_then(|(history, key)| history.nickname(&agreement.account, key).ok().flatten());
        SellerTexts {
            nickname: nickname.map(|name| name.as_str().to_owned()),
            description: context.description(agreement),
        }
    }
}

/// Formats a row as a line of JSON. With `--redact`, masks its personal data.
fn json_row(words: &Catalogue, row: Value) -> String {
    let row = if words.masks() {
        row_mask::masked_row(row)
    } else {
        row
    };
    json_line::to_line(&row)
}

const LIST_WIDTH: usize = 80;
const TIME_WIDTH: usize = 17;
const AMOUNT_WIDTH: usize = 16;
const TEXT_WIDTH: usize = LIST_WIDTH - TIME_WIDTH - AMOUNT_WIDTH - 4;

/// Formats the heading, or the first line of a row, in three columns.
fn format_columns(time: &str, amount: &str, text: &str) -> String {
    let line = format!(
        "{}  {}  {text}",
        exactly(time, TIME_WIDTH),
        align_right(amount, AMOUNT_WIDTH)
    );
    line.trim_end().to_owned()
}

/// Formats a row of a plain list: three columns, with further texts on the lines below.
fn format_row(
    words: &Catalogue,
    (at, utc_offset_s): (Wall, i32),
    amount: Money,
    text: &str,
    details: Vec<String>,
) -> String {
    const INDENT: &str = "  ";
    let time = dates::to_the_minute(words, at, utc_offset_s);
    let mut lines = vec![format_columns(&time, &amount.to_string(), text)];
    for detail in details.into_iter().filter(|detail| !detail.is_empty()) {
        // Never break an address or a Pix key, because the user could then not copy it as a whole.
        let wrapped = if detail.contains(' ') {
            wrap(&detail, LIST_WIDTH - INDENT.len())
        } else {
            vec![detail]
        };
        lines.extend(wrapped.iter().map(|line| format!("{INDENT}{line}")));
    }
    lines.join("\n")
}

/// Joins the texts that are present, separated by " · ".
fn join_present<const N: usize>(texts: [Option<String>; N]) -> String {
    texts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// The text for a payment link or direct payment that is paid, or `None` if it is not.
fn paid_text(words: &Catalogue, paid: Option<Paid>) -> Option<String> {
    paid.map(|paid| words.text(names::paid_message(paid.source)))
}

/// Formats the row of a payment link or direct payment.
fn sale_row<R: SaleRequest>(
    words: &Catalogue,
    sale: &SaleOf<R>,
    utc_offset_s: i32,
    details: Vec<String>,
) -> String {
    let description = Untrusted::from(sale.request.description()).shown_within(TEXT_WIDTH);
    format_row(
        words,
        (sale.at, utc_offset_s),
        sale.request.amount(),
        &description,
        details,
    )
}

fn link_row(words: &Catalogue, link: &PaymentLink, utc_offset_s: i32) -> String {
    let url = link
        .url()
        .map(|url| Untrusted::without_masking(|| url.shown()));
    let details = vec![
        url.unwrap_or_else(|| names::link_tag(words, link)),
        paid_text(words, link.paid).unwrap_or_default(),
    ];
    sale_row(words, link, utc_offset_s, details)
}

/// Formats the row of a direct payment. Its Pix code would take several lines, so it is left out.
fn charge_row(words: &Catalogue, charge: &Charge, utc_offset_s: i32) -> String {
    let status = charge
        .outcome
        .created()
        .and_then(|created| created.status.as_ref());
    let paid = paid_text(words, charge.paid);
    let state = paid.unwrap_or_else(|| match (names::outcome_message(charge), status) {
        (None, Some(status)) => names::short_service_status(words, "charge-status-theirs", status),
        (id, _) => words.text(id.unwrap_or("charges-created")),
    });
    let customer = charge.request.customer.as_deref();
    let customer = customer.map(|name| personal::name(words, name).shown());
    let details = vec![join_present([Some(state), customer])];
    sale_row(words, charge, utc_offset_s, details)
}

fn withdrawal_row(
    words: &Catalogue,
    withdrawal: &Withdrawal,
    state: &WithdrawalState,
    texts: &SellerTexts,
    utc_offset_s: i32,
) -> String {
    let agreement = &withdrawal.agreement;
    let nickname = texts
        .nickname
        .as_deref()
        .map(|name| personal::name(words, name).shown());
    let details = vec![
        names::destination(words, agreement.destination.as_ref()),
        join_present([
            nickname,
            texts.description.as_deref().map(Untrusted::shown_of),
        ]),
        words.with("list-key", &[("key", &agreement.key.to_string())]),
    ];
    let at = (agreement.agreed.wall, utc_offset_s);
    format_row(
        words,
        at,
        agreement.amount,
        &names::state(words, state),
        details,
    )
}

fn withdrawal_json(
    words: &Catalogue,
    withdrawal: &Withdrawal,
    state: &WithdrawalState,
    texts: &SellerTexts,
) -> Value {
    let agreement = &withdrawal.agreement;
    let destination = agreement.destination.as_ref().map(|key| {
        if words.masks() {
            key.masked()
        } else {
            key.as_str().to_owned()
        }
    });
    json!({
        "key": agreement.key.to_string(),
        "state": state.name(),
        "open": state.is_open(),
        "agreed": format_utc(agreement.agreed.wall),
        "account": &*agreement.account.identity,
        "origin": &*agreement.account.origin.0,
        "amount": amount_json(agreement.amount),
        "fee": agreement.quote.as_ref().map(|quote| amount_json(quote.fee)),
        "net": agreement.quote.as_ref().map(|quote| amount_json(quote.net)),
        "destination": destination,
        "nickname": texts.nickname,
        "description": texts.description,
        "attempts": withdrawal.attempts.iter().map(attempt_json).collect::<Vec<_>>(),
    })
}

fn attempt_json(attempt: &Attempt) -> Value {
    json!({
        "n": attempt.n,
        "began": format_utc(attempt.began.wall),
        "ended": attempt.end.as_ref().map(|end| format_utc(end.at)),
        "class": attempt.end.as_ref().map(|end| class_name(&end.class)),
        "status": attempt.end.as_ref().and_then(|end| end.status),
    })
}

fn class_name(class: &Class) -> &'static str {
    match class {
        Class::NotSent(_) => "not-sent",
        Class::Unclear(_) => "unclear",
        Class::Confirmed { .. } => "confirmed",
        Class::Alarm(_) => "alarm",
        Class::DefiniteNo => "definite-no",
        Class::Unauthorized => "no-entry",
        Class::Throttled { .. } => "throttled",
        Class::Redirected => "redirected",
        Class::KeyReused => "key-reused",
        Class::SaysFailed(_) => "says-failed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::ui::text::columns;
    use crate::journal::money::samples::{WINDOW, account, agreement, attempt_end, clocks};
    use crate::trade::withdrawal::{AttemptEnd, NotSent, Unclear};
    use crate::trade::{
        Agreement, ChargeOutcome, CreatedCharge, CreatedLink, LinkOutcome, LinkRequest, Money,
        PaidSource, Quote, Refusal, RowId,
    };
    use crate::words::Lang;

    fn link(description: &str, outcome: LinkOutcome) -> PaymentLink {
        let request = LinkRequest {
            account: account("ana"),
            amount: Money::from_centavos(123_456),
            description: description.into(),
            domain: Some("loja.example".into()),
        };
        PaymentLink {
            id: RowId(1),
            at: Wall(1_795_000_000_000),
            request,
            outcome,
            paid: None,
        }
    }

    fn withdrawal(attempts: Vec<Attempt>) -> Withdrawal {
        let agreement = agreement(7, 10_010);
        let quote = Quote::new(
            agreement.amount,
            Some(Money::from_centavos(150)),
            None,
            Wall(0),
        );
        let agreement = Agreement {
            quote: quote.ok(),
            agreed: clocks(5),
            ..agreement
        };
        Withdrawal {
            agreement,
            attempts,
            decision: None,
        }
    }

    fn attempt(n: u32, class: Class, status: Option<u16>) -> Attempt {
        Attempt {
            n,
            began: clocks(10),
            end: Some(AttemptEnd {
                status,
                ..attempt_end(12, class)
            }),
        }
    }

    /// The UTC offset of Brasília, in seconds.
    const BRASILIA: i32 = -3 * 3_600;

    #[test]
    fn link_row_has_local_time_and_whole_address() {
        let words = Catalogue::of(Lang::Pt);
        let row = |link: &PaymentLink| link_row(words, link, BRASILIA);
        let url = "https://loja.example/checkout/l-1".into();
        let mut created = link("Camiseta azul", LinkOutcome::Created(CreatedLink { url }));
        assert_eq!(
            row(&created),
            "18/11/2026 08:06        R$ 1.234,56  Camiseta azul\n  \
             https://loja.example/checkout/l-1"
        );
        created.paid = Some(Paid {
            at: Wall(0),
            source: PaidSource::Seller,
        });
        assert!(
            row(&created).ends_with("/checkout/l-1\n  ✓ marcado como pago"),
            "{}",
            row(&created)
        );
        let mut dated = link("Camiseta azul", LinkOutcome::NotSent);
        dated.at = Wall(253_402_300_799_000);
        assert!(row(&dated).starts_with("31/12/9999 20:59  "));
        dated.at = Wall(1_795_000_000_999);
        assert_eq!(link_json(&dated)["at"], "2026-11-18T11:06:40.999Z");
        let hostile = row(&link("a\x1b[2J\n\u{202e}b", LinkOutcome::Unknown));
        assert!(hostile.contains("a␛[2J␊‹U+202E›b"), "{hostile}");
        // A refused payment link has no URL. Its row shows the reason for the refusal instead.
        let refused = LinkOutcome::Refused(Refusal {
            status: 400,
            message: None,
            hint: None,
        });
        let last_lines = [refused, LinkOutcome::NotSent, LinkOutcome::Unknown].map(|outcome| {
            row(&link("x", outcome))
                .split_once('\n')
                .unwrap()
                .1
                .to_owned()
        });
        assert_eq!(
            last_lines,
            ["  × recusado", "  – não enviado", "  ? pode existir"]
        );
    }

    #[test]
    fn plain_rows_fit_eighty_columns_in_any_language() {
        let long = "Camisetas azuis e verdes, tamanho grande, com estampa da loja ".repeat(2);
        for lang in Lang::ALL {
            let words = Catalogue::of(lang);
            let mut withdrawal = withdrawal(vec![]);
            withdrawal.agreement.amount = Money::from_centavos(99_999_999_999);
            let texts = SellerTexts {
                nickname: Some("x".repeat(30)),
                description: Some(long.clone()),
            };
            let state = withdrawal.state(&clocks(6), &WINDOW, false);
            let rows = [
                format_columns(&words.text("list-when"), &words.text("field-amount"), "x"),
                link_row(words, &link(&long, LinkOutcome::Unknown), BRASILIA),
                charge_row(words, &charge(&long), BRASILIA),
                withdrawal_row(words, &withdrawal, &state, &texts, BRASILIA),
            ];
            for line in rows.iter().flat_map(|row| row.lines()) {
                assert!(columns(line) <= LIST_WIDTH, "{line}");
            }
        }
    }

    fn charge(description: &str) -> Charge {
        let request = crate::trade::ChargeRequest {
            account: account("ana"),
            amount: Money::from_centavos(4_990),
            description: description.into(),
            customer: Some("Bia Souza".into()),
            buyer: Default::default(),
        };
        let outcome = ChargeOutcome::Created(CreatedCharge {
            id: Some("c-1".into()),
            status: Some("PENDING".into()),
            pix_code: Some("00020126".into()),
            expires: None,
        });
        Charge {
            id: RowId(1),
            at: Wall(1_795_000_000_000),
            request,
            outcome,
            paid: None,
        }
    }

    #[test]
    fn charge_row_has_state_and_buyer_and_is_masked() {
        let row = |words| charge_row(words, &charge("Bolo"), BRASILIA);
        assert_eq!(
            row(Catalogue::of(Lang::Pt)),
            "18/11/2026 08:06           R$ 49,90  Bolo\n  aguardando · Bia Souza"
        );
        let masked = row(Catalogue::masking(Lang::Pt));
        assert!(
            !masked.contains("Souza") && !masked.contains("PENDING"),
            "{masked}"
        );
        let json = row_mask::masked_row(charge_json(&charge("Bolo")));
        assert_eq!(
            (&json["customer"], &json["pixCode"]),
            (&"B•••".into(), &"00020126".into())
        );
        assert_eq!(json["status"], "•••");
    }

    #[test]
    fn marked_charge_row_and_json_have_the_mark() {
        let words = Catalogue::of(Lang::Pt);
        assert_eq!(charge_json(&charge("Bolo"))["markedPaid"], Value::Null);
        let paid = Some(Paid {
            at: Wall(0),
            source: PaidSource::Seller,
        });
        let marked = Charge {
            paid,
            ..charge("Bolo")
        };
        assert_eq!(
            charge_json(&marked)["markedPaid"],
            "1970-01-01T00:00:00.000Z"
        );
        let row = charge_row(words, &marked, BRASILIA);
        assert!(
            row.ends_with("\n  ✓ marcado como pago · Bia Souza"),
            "{row}"
        );
    }

    #[test]
    fn redact_masks_personal_data_in_rows() {
        let message = Some("Ana tem R$ 12,00".into());
        let refused = LinkOutcome::Refused(Refusal {
            status: 400,
            message,
            hint: None,
        });
        let row = || link_json(&link("Boné, fone 11 91234 5678", refused.clone()));
        assert_eq!(
            json_row(Catalogue::of(Lang::Pt), row()),
            json_line::to_line(&row())
        );
        let masked = row_mask::masked_row(row());
        assert_eq!(
            json_row(Catalogue::masking(Lang::Pt), row()),
            json_line::to_line(&masked)
        );
        assert_eq!(masked["account"], "a•••");
        assert_eq!(masked["description"], "Boné, fone •••");
        assert_eq!(
            (&masked["message"], &masked["outcome"]),
            (&"•••".into(), &"refused".into())
        );
        let url = "https://loja.example/checkout/link-12345678";
        let created = link(
            "Boné",
            LinkOutcome::Created(CreatedLink { url: url.into() }),
        );
        let masked = row_mask::masked_row(link_json(&created));
        assert_eq!(masked["url"], url, "it is made to be handed on");
        let words = Catalogue::masking(Lang::Pt);
        let line = Untrusted::masking(true, || link_row(words, &created, BRASILIA));
        assert!(line.contains(url), "{line}");
    }

    #[test]
    fn a_link_is_one_line_of_json() {
        let url = "https://loja.example/\u{202e}l-1".into();
        assert_eq!(
            json_line::to_line(&link_json(&link(
                "Ação",
                LinkOutcome::Created(CreatedLink { url })
            ))),
            "{\"at\":\"2026-11-18T11:06:40.000Z\",\"account\":\"ana\",\"amount\":1234.56,\
             \"description\":\"Ação\",\"checkoutDomain\":\"loja.example\",\
             \"outcome\":\"created\",\"url\":\"https://loja.example/\\u202el-1\",\
             \"message\":null,\"markedPaid\":null,\"sandboxPaid\":null}"
        );
        let paid = |source| Paid {
            at: Wall(0),
            source,
        };
        let marked = PaymentLink {
            paid: Some(paid(PaidSource::Seller)),
            ..link("x", LinkOutcome::Unknown)
        };
        assert_eq!(link_json(&marked)["markedPaid"], "1970-01-01T00:00:00.000Z");
        let reported = PaymentLink {
            paid: Some(paid(PaidSource::Sandbox)),
            ..marked
        };
        assert_eq!(
            link_json(&reported)["sandboxPaid"],
            "1970-01-01T00:00:00.000Z"
        );
        assert_eq!(link_json(&reported)["markedPaid"], Value::Null);
        let refusal = Refusal {
            status: 400,
            message: Some("não\u{9b}".into()),
            hint: None,
        };
        for (outcome, name, message) in [
            (LinkOutcome::Unknown, "unknown", Value::Null),
            (LinkOutcome::NotSent, "not-sent", Value::Null),
            (LinkOutcome::Refused(refusal), "refused", "não\u{9b}".into()),
        ] {
            let json = link_json(&link("x", outcome));
            assert_eq!(
                (&json["outcome"], &json["message"]),
                (&name.into(), &message)
            );
            assert_eq!(json["url"], Value::Null);
        }
    }

    fn seller_texts() -> SellerTexts {
        let description = Some("Fornecedor, fone 11 91234 5678".to_owned());
        SellerTexts {
            nickname: Some("Maria".into()),
            description,
        }
    }

    #[test]
    fn withdrawal_row_has_whole_key_and_nickname() {
        let withdrawal = withdrawal(vec![]);
        let state = withdrawal.state(&clocks(6), &WINDOW, false);
        let row = |words| withdrawal_row(words, &withdrawal, &state, &seller_texts(), BRASILIA);
        assert_eq!(
            row(Catalogue::of(Lang::Pt)),
            "31/12/1969 21:00          R$ 100,10  preparado\n  e-mail ana@loja.example\n  \
             Maria · Fornecedor, fone 11 91234 5678\n  \
             Código 00000000-0000-0000-0000-000000000007"
        );
        let masked = Untrusted::masking(true, || row(Catalogue::masking(Lang::Pt)));
        for personal in ["ana@", "Maria", "91234"] {
            assert!(!masked.contains(personal), "{masked}");
        }
    }

    #[test]
    fn withdrawal_json_line_is_whole_unless_masked() {
        let attempts = vec![
            attempt(1, Class::NotSent(NotSent::Busy), None),
            attempt(2, Class::Unclear(Unclear::Timeout), Some(504)),
            Attempt {
                n: 3,
                began: clocks(20),
                end: None,
            },
        ];
        let withdrawal = withdrawal(attempts);
        let state = withdrawal.state(&clocks(21), &WINDOW, false);
        let json = |words| withdrawal_json(words, &withdrawal, &state, &seller_texts());
        let line = json_row(Catalogue::of(Lang::Pt), json(Catalogue::of(Lang::Pt)));
        assert_eq!(
            line,
            "{\"key\":\"00000000-0000-0000-0000-000000000007\",\"state\":\"unknown\",\
             \"open\":true,\"agreed\":\"1970-01-01T00:00:05.000Z\",\"account\":\"ana\",\
             \"origin\":\"https://pay.example\",\"amount\":100.10,\"fee\":1.50,\"net\":98.60,\
             \"destination\":\"ana@loja.example\",\"nickname\":\"Maria\",\
             \"description\":\"Fornecedor, fone 11 91234 5678\",\"attempts\":[\
             {\"n\":1,\"began\":\"1970-01-01T00:00:10.000Z\",\
             \"ended\":\"1970-01-01T00:00:12.000Z\",\"class\":\"not-sent\",\"status\":null},\
             {\"n\":2,\"began\":\"1970-01-01T00:00:10.000Z\",\
             \"ended\":\"1970-01-01T00:00:12.000Z\",\"class\":\"unclear\",\"status\":504},\
             {\"n\":3,\"began\":\"1970-01-01T00:00:20.000Z\",\"ended\":null,\"class\":null,\
             \"status\":null}]}"
        );
        let masked = row_mask::masked_row(json(Catalogue::masking(Lang::Pt)));
        assert_eq!(masked["destination"], "a***@loja.example");
        assert_eq!(
            (&masked["nickname"], &masked["account"]),
            (&"M•••".into(), &"a•••".into())
        );
        assert_eq!(masked["description"], "Fornecedor, fone •••");
    }

    #[test]
    fn moments_in_json_have_one_width_and_sort() {
        let moments = [0, 1, 20, 300, 999, 1_000, 25_180, 52_500, 52_543]
            .map(Wall)
            .map(format_utc);
        assert!(moments.is_sorted(), "{moments:?}");
        assert!(moments.iter().all(|text| text.len() == 24), "{moments:?}");
        assert_eq!(moments[7], "1970-01-01T00:00:52.500Z");
    }

    #[test]
    fn amounts_in_json_have_two_places_at_least() {
        for (text, json) in [
            ("100", "100.00"),
            ("2.5", "2.50"),
            ("97.500", "97.50"),
            ("1e3", "1000.00"),
            ("-0.1", "-0.10"),
            ("3.0029999", "3.0029999"),
        ] {
            let amount = Money::parse_wire(text).unwrap();
            assert_eq!(amount_json(amount).to_string(), json, "{text}");
        }
    }
}
