//! `balcao links list` and `balcao withdrawals list`: print rows of the journal, for scripts and
//! support.

use std::io;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::complaint::Complaint;
use super::journal::CommandContext;
use super::json_line::{self, link_json, moment, moment_to, number};
use super::output::{print_note, write_lines};
use super::{GlobalArgs, shown};
use crate::journal::history::History;
use crate::journal::money;
use crate::runtime::clocks::MachineClocks;
use crate::trade::personal::{MASKED, masked_name, masked_text};
use crate::trade::withdrawal::{Attempt, Class, WithdrawalState};
use crate::trade::{JournalTrouble, PaymentLink, Untrusted, Wall, Withdrawal};
use crate::words::{Catalogue, names};

pub fn links(args: &GlobalArgs, json: bool, journal: Option<PathBuf>) -> Result<(), Complaint> {
    let context = CommandContext::to_list(&args.chosen()?, journal)?;
    let words = context.words;
    let complain = |trouble| complaint(&context, &trouble);
    let Some(history) = open_history(&context).map_err(complain)? else { return Ok(()) };
    let lines = history.all_links().map(|link| {
        let link = link.map_err(complain)?;
        Ok(match json {
            true => json_line::of(&listed(words, link_json(&link))),
            false => link_line(words, &link),
        })
    });
    write_lines(io::stdout().lock(), lines).map(drop)
}

/// Opens the history if it exists. If the history was damaged, it is moved aside: prints a note and
/// returns the new, empty history.
pub(super) fn open_history(context: &CommandContext) -> Result<Option<History>, JournalTrouble> {
    if !context.dir.join("history.db").exists() {
        return Ok(None);
    }
    let (history, moved) = History::open(&context.dir, MachineClocks::new().now().wall)?;
    if let Some(moved) = moved {
        let (why, to) = (Untrusted::from(moved.why).shown(), shown(&moved.to).shown());
        print_note(&context.words.with("history-moved", &[("why", &why), ("to", &to)]));
    }
    Ok(Some(history))
}

/// Lists the withdrawals without changing any file.
///
/// If the journal is missing, no new journal is created, because the app must notice the missing
/// journal at its next start.
pub fn withdrawals(
    args: &GlobalArgs,
    json: bool,
    journal: Option<PathBuf>,
) -> Result<(), Complaint> {
    let context = CommandContext::to_list(&args.chosen()?, journal)?;
    if !money::is_there(&context.dir) {
        return Ok(());
    }
    let words = context.words;
    let complain = |trouble| complaint(&context, &trouble);
    let mut look = context.open().map_err(complain)?;
    if look.is_copy {
        print_note(&words.text("journal-copy"));
    }
    // Print a note if the markers show that the journal is an older copy or not the live one.
    if let Err(trouble) = context.check(Ok(&look.journal))?
        && (trouble.is_damage() || matches!(trouble, JournalTrouble::Elsewhere(_)))
    {
        print_note(&context.describe(&trouble));
    }
    let rows = context.withdrawals(&mut look.journal).map_err(complain)?;
    let lines = rows.iter().map(|(withdrawal, state)| {
        Ok(match json {
            true => json_line::of(&listed(words, withdrawal_json(withdrawal, state))),
            false => withdrawal_line(withdrawal, &names::state(words, state)),
        })
    });
    write_lines(io::stdout().lock(), lines).map(drop)
}

/// With `--redact`, masks the texts in a row. A text is shown unmasked only if the program wrote
/// it, if it contains no personal data, or if it is meant to be shared, such as a link's URL.
fn listed(words: &Catalogue, mut row: Value) -> Value {
    const WHOLE: [&str; 10] = [
        "agreed",
        "at",
        "checkoutDomain",
        "destination",
        "key",
        "markedPaid",
        "origin",
        "outcome",
        "state",
        "url",
    ];
    if !words.masks() {
        return row;
    }
    for (name, value) in row.as_object_mut().into_iter().flatten() {
        if let Value::String(text) = value
            && !WHOLE.contains(&name.as_str())
        {
            *text = match name.as_str() {
                "account" => masked_name(text),
                "description" => masked_text(text),
                _ => MASKED.to_owned(),
            };
        }
    }
    row
}

fn complaint(context: &CommandContext, trouble: &JournalTrouble) -> Complaint {
    Complaint::text(context.describe(trouble))
}

/// Formats a time in UTC to the second, so that all times in a column have the same width.
fn second(at: Wall) -> String {
    moment_to(at, 0)
}

fn link_line(words: &Catalogue, link: &PaymentLink) -> String {
    let url = link.url().map(|url| Untrusted::in_full(|| url.shown()));
    let url = url.unwrap_or_else(|| names::link_tag(words, link));
    let what = Untrusted::from(link.request.description.as_str()).shown_within(40);
    let amount = link.request.amount.to_string();
    let paid = link.paid.map(|_| format!("  {}", words.text("links-marked"))).unwrap_or_default();
    format!("{}  {amount:>16}  {what:<40}  {url}{paid}", second(link.at))
}

fn withdrawal_json(withdrawal: &Withdrawal, state: &WithdrawalState) -> Value {
    let agreement = &withdrawal.agreement;
    json!({
        "key": agreement.key.to_string(),
        "state": state.name(),
        "open": state.is_open(),
        "agreed": moment(agreement.agreed.wall),
        "account": &*agreement.account.identity,
        "origin": &*agreement.account.origin.0,
        "amount": number(agreement.amount),
        "fee": agreement.quote.as_ref().map(|quote| number(quote.fee)),
        "net": agreement.quote.as_ref().map(|quote| number(quote.net)),
        // Mask the Pix key, because such lists are often pasted into tickets and chats.
        "destination": agreement.destination.as_ref().map(|key| key.masked()),
        "attempts": withdrawal.attempts.iter().map(attempt_json).collect::<Vec<_>>(),
    })
}

fn attempt_json(attempt: &Attempt) -> Value {
    json!({
        "n": attempt.n,
        "began": moment(attempt.began.wall),
        "ended": attempt.end.as_ref().map(|end| moment(end.at)),
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

fn withdrawal_line(withdrawal: &Withdrawal, state: &str) -> String {
    let agreement = &withdrawal.agreement;
    let destination =
        agreement.destination.as_ref().map(|key| key.masked()).unwrap_or_else(|| "-".into());
    format!(
        "{}  {:>16}  {state:<24}  {destination:<24}  {}",
        second(agreement.agreed.wall),
        agreement.amount.to_string(),
        agreement.key
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::money::samples::{WINDOW, account, agreement, clocks, end};
    use crate::trade::withdrawal::{AttemptEnd, NotSent, Unclear};
    use crate::trade::{Agreement, LinkOutcome, LinkRequest, Money, Quote, Refusal, RowId};
    use crate::words::Lang;

    fn link(description: &str, outcome: LinkOutcome) -> PaymentLink {
        let request = LinkRequest {
            account: account("ana"),
            amount: Money::from_centavos(123_456),
            description: description.into(),
            domain: Some("loja.example".into()),
        };
        PaymentLink { id: RowId(1), at: Wall(1_795_000_000_000), request, outcome, paid: None }
    }

    fn withdrawal(attempts: Vec<Attempt>) -> Withdrawal {
        let agreement = agreement(7, 10_010);
        let quote = Quote::new(agreement.amount, Some(Money::from_centavos(150)), None, Wall(0));
        let agreement = Agreement { quote: quote.ok(), agreed: clocks(5), ..agreement };
        Withdrawal { agreement, attempts, decision: None }
    }

    fn attempt(n: u32, class: Class, status: Option<u16>) -> Attempt {
        Attempt { n, began: clocks(10), end: Some(AttemptEnd { status, ..end(12, class) }) }
    }

    #[test]
    fn a_link_is_one_line() {
        let words = Catalogue::of(Lang::Pt);
        let url = "https://loja.example/checkout/l-1".into();
        assert_eq!(
            link_line(words, &link("Camiseta azul", LinkOutcome::Created { url })),
            "2026-11-18T11:06:40Z       R$ 1.234,56  Camiseta azul                             \
             https://loja.example/checkout/l-1"
        );
        let mut far = link("Camiseta azul", LinkOutcome::NotSent);
        far.at = Wall(253_402_300_799_000);
        assert!(link_line(words, &far).starts_with("9999-12-31T23:59:59Z  "));
        let mut later = link("Camiseta azul", LinkOutcome::NotSent);
        later.at = Wall(1_795_000_000_999);
        assert!(link_line(words, &later).starts_with("2026-11-18T11:06:40Z  "));
        assert_eq!(link_json(&later)["at"], "2026-11-18T11:06:40.999Z");
        let hostile = link_line(words, &link("a\x1b[2J\n\u{202e}b", LinkOutcome::Unknown));
        assert!(hostile.contains("a␛[2J␊‹U+202E›b") && !hostile.contains('\n'), "{hostile}");
        // A refused link has no URL. Its line shows the reason for the refusal in the URL's place.
        let refused = LinkOutcome::Refused(Refusal { status: 400, message: None, hint: None });
        let said = [refused, LinkOutcome::NotSent, LinkOutcome::Unknown].map(|outcome| {
            let line = link_line(words, &link("x", outcome));
            line.split_once('x').unwrap().1.trim().to_owned()
        });
        assert_eq!(said, ["× recusado", "– não enviado", "? pode existir"]);
    }

    #[test]
    fn whose_a_row_is_is_masked_where_others_look() {
        let message = Some("Ana tem R$ 12,00".into());
        let refused = LinkOutcome::Refused(Refusal { status: 400, message, hint: None });
        let row = || link_json(&link("Boné, fone 11 91234 5678", refused.clone()));
        assert_eq!(listed(Catalogue::of(Lang::Pt), row()), row());
        let masked = listed(Catalogue::masking(Lang::Pt), row());
        assert_eq!(masked["account"], "a•••");
        assert_eq!(masked["description"], "Boné, fone •••");
        assert_eq!((&masked["message"], &masked["outcome"]), (&"•••".into(), &"refused".into()));
        let url = "https://loja.example/checkout/link-12345678";
        let made = link("Boné", LinkOutcome::Created { url: url.into() });
        let masked = listed(Catalogue::masking(Lang::Pt), link_json(&made));
        assert_eq!(masked["url"], url, "it is made to be handed on");
        let line = Untrusted::masking(true, || link_line(Catalogue::masking(Lang::Pt), &made));
        assert!(line.contains(url), "{line}");
    }

    #[test]
    fn a_link_is_one_line_of_json() {
        let url = "https://loja.example/\u{202e}l-1".into();
        assert_eq!(
            json_line::of(&link_json(&link("Ação", LinkOutcome::Created { url }))),
            "{\"at\":\"2026-11-18T11:06:40.000Z\",\"account\":\"ana\",\"amount\":1234.56,\
             \"description\":\"Ação\",\"checkoutDomain\":\"loja.example\",\
             \"outcome\":\"created\",\"url\":\"https://loja.example/\\u202el-1\",\
             \"message\":null,\"markedPaid\":null}"
        );
        let marked = PaymentLink { paid: Some(Wall(0)), ..link("x", LinkOutcome::Unknown) };
        assert_eq!(link_json(&marked)["markedPaid"], "1970-01-01T00:00:00.000Z");
        let said = Refusal { status: 400, message: Some("não\u{9b}".into()), hint: None };
        for (outcome, name, message) in [
            (LinkOutcome::Unknown, "unknown", Value::Null),
            (LinkOutcome::NotSent, "not-sent", Value::Null),
            (LinkOutcome::Refused(said), "refused", "não\u{9b}".into()),
        ] {
            let json = link_json(&link("x", outcome));
            assert_eq!((&json["outcome"], &json["message"]), (&name.into(), &message));
            assert_eq!(json["url"], Value::Null);
        }
    }

    #[test]
    fn a_withdrawal_is_one_line() {
        let withdrawal = withdrawal(vec![]);
        let state = withdrawal.state(&clocks(6), &WINDOW, false);
        assert_eq!(
            withdrawal_line(&withdrawal, &names::state(Catalogue::of(Lang::Pt), &state)),
            "1970-01-01T00:00:05Z         R$ 100,10  preparado                 a***@loja.example\
             \x20        00000000-0000-0000-0000-000000000007"
        );
    }

    #[test]
    fn withdrawal_json_line_masks_destination() {
        let attempts = vec![
            attempt(1, Class::NotSent(NotSent::Busy), None),
            attempt(2, Class::Unclear(Unclear::Timeout), Some(504)),
            Attempt { n: 3, began: clocks(20), end: None },
        ];
        let withdrawal = withdrawal(attempts);
        let state = withdrawal.state(&clocks(21), &WINDOW, false);
        let line = json_line::of(&withdrawal_json(&withdrawal, &state));
        assert_eq!(
            line,
            "{\"key\":\"00000000-0000-0000-0000-000000000007\",\"state\":\"unknown\",\
             \"open\":true,\"agreed\":\"1970-01-01T00:00:05.000Z\",\"account\":\"ana\",\
             \"origin\":\"https://pay.example\",\"amount\":100.10,\"fee\":1.50,\"net\":98.60,\
             \"destination\":\"a***@loja.example\",\"attempts\":[\
             {\"n\":1,\"began\":\"1970-01-01T00:00:10.000Z\",\
             \"ended\":\"1970-01-01T00:00:12.000Z\",\"class\":\"not-sent\",\"status\":null},\
             {\"n\":2,\"began\":\"1970-01-01T00:00:10.000Z\",\
             \"ended\":\"1970-01-01T00:00:12.000Z\",\"class\":\"unclear\",\"status\":504},\
             {\"n\":3,\"began\":\"1970-01-01T00:00:20.000Z\",\"ended\":null,\"class\":null,\
             \"status\":null}]}"
        );
    }

    #[test]
    fn moments_in_json_have_one_width_and_sort() {
        let moments = [0, 1, 20, 300, 999, 1_000, 25_180, 52_500, 52_543].map(Wall).map(moment);
        assert!(moments.is_sorted(), "{moments:?}");
        assert!(moments.iter().all(|text| text.len() == 24), "{moments:?}");
        assert_eq!(moments[7], "1970-01-01T00:00:52.500Z");
        assert_eq!(second(Wall(-1)), "1969-12-31T23:59:59Z");
    }

    #[test]
    fn amounts_in_json_have_two_places_at_least() {
        for (read, written) in [
            ("100", "100.00"),
            ("2.5", "2.50"),
            ("97.500", "97.50"),
            ("1e3", "1000.00"),
            ("-0.1", "-0.10"),
            ("3.0029999", "3.0029999"),
        ] {
            let amount = Money::parse_wire(read).unwrap();
            assert_eq!(number(amount).to_string(), written, "{read}");
        }
    }
}
