//! Tests the search in a list. It must find each row by the text that the row shows in the language
//! of the screen.

use std::collections::BTreeSet;

use balcao::app::store::query_expansion::{Searched, expand};
use balcao::app::{Model, Pane};
use balcao::journal::history::History;
use balcao::trade::search::{RowLabel, Search, TimeMatch};
use balcao::trade::withdrawal::WithdrawalState;
use balcao::trade::{
    Charge, ChargeOutcome, PagePlace, Paid, PaidSource, PixKeyKind, Refusal, RowId, Sale, Wall,
    Withdrawal,
};
use balcao::view::Theme;
use balcao::words::Lang;
use ratatui::buffer::Cell;
use ratatui::style::Modifier;

use crate::models::{NOW, buffer, named, on, painted, screen, text};
use crate::models_money::payments::{CODE, DEARER, charge, charges_pane, made, with_all_filters};
use crate::models_money::withdrawals::{each, with_more, with_rows};

fn means(model: &Model, lang: Lang, list: Searched, typed: &str) -> Search {
    let mut model = model.clone();
    model.setup.lang = lang;
    expand(&model, list, typed)
}

/// Returns the label by which the search finds this state. Returns `None` if the state cannot be
/// searched for, because it depends on the current time.
fn called(state: &WithdrawalState) -> Option<RowLabel> {
    Some(match state {
        WithdrawalState::Prepared => RowLabel::Prepared,
        WithdrawalState::Accepted => RowLabel::Accepted,
        WithdrawalState::Rejected => RowLabel::Rejected,
        WithdrawalState::Discarded => RowLabel::Discarded,
        WithdrawalState::ResolvedPaid => RowLabel::FoundPaid,
        WithdrawalState::ResolvedNotPaid => RowLabel::StatedNotPaid,
        WithdrawalState::Sending(_)
        | WithdrawalState::Unknown
        | WithdrawalState::NeedsPerson(_)
        | WithdrawalState::Mismatch(_) => {
            return None;
        }
    })
}

/// Returns the text of the state in the selected withdrawal's row, without its symbol.
fn shown(model: &Model) -> String {
    let screen = screen(model);
    let row = screen.lines().find(|line| line.starts_with('▌')).unwrap().trim();
    let end = row.rsplit_once("  ").unwrap().1.trim();
    end.split_once(' ').unwrap().1.to_owned()
}

#[test]
fn filtered_totals_are_shown_when_names_do_not_fit() {
    for (lang, number) in [(Lang::Pt, "3 filtros · "), (Lang::En, "3 filters · ")] {
        let model = with_all_filters(lang);
        let said = text(&buffer(&model, 70, 24));
        assert!(said.contains(number) && said.contains("R$ 469,90"), "{said}");
        let said = text(&buffer(&model, 60, 18));
        assert!(said.contains(number) && said.contains("R$ 469,90"), "{said}");
        let said = text(&buffer(&model, 200, 60));
        assert!(!said.contains(number) && said.contains("R$ 469,90"), "{said}");
    }
}

#[test]
fn found_text_is_underlined_in_its_row() {
    let mut model = named(Lang::Pt, "links");
    model.links.list.query = "azul 10:4".into();
    let screen = painted(&model, &Theme::named("dark").unwrap(), 80, 24);
    let is_hit = |cell: &Cell| cell.modifier.contains(Modifier::UNDERLINED);
    let hits = |row: &[Cell]| -> BTreeSet<String> {
        let runs = row.chunk_by(|one, next| is_hit(one) == is_hit(next));
        let hits = runs.filter(|run| is_hit(&run[0]));
        hits.map(|run| run.iter().map(Cell::symbol).collect()).collect()
    };
    let rows: Vec<_> = screen.content.chunks(80).skip(2).map(hits).collect();
    let both = BTreeSet::from(["azul".to_owned(), "10:4".to_owned()]);
    assert!(rows.contains(&both), "{rows:?}");
    let mut model = named(Lang::Pt, "domains-listed");
    model.domains.query = "nova".into();
    let screen = painted(&model, &Theme::named("dark").unwrap(), 80, 24);
    let rows: Vec<_> = screen.content.chunks(80).skip(2).map(hits).collect();
    assert!(rows.contains(&BTreeSet::from(["nova".to_owned()])), "{rows:?}");
}

#[test]
fn withdrawal_row_has_its_description_if_wide() {
    let model = with_rows(on(Lang::Pt, Pane::Withdrawals), vec![with_more()]);
    let has_description = |columns| {
        let screen = text(&buffer(&model, columns, 24));
        screen.lines().any(|row| row.starts_with('▌') && row.contains("aluguel de nov"))
    };
    assert!(has_description(160) && !has_description(80));
}

#[test]
fn each_word_of_a_withdrawals_state_finds_it() {
    for lang in Lang::ALL {
        for (name, one) in each() {
            let model = with_rows(on(lang, Pane::Withdrawals), vec![one]);
            let one = model.withdrawals.list.page.rows[0].clone();
            let word = shown(&model);
            let long = word.split_whitespace().filter(|word| word.chars().count() > 2);
            let typed: Vec<String> = long.map(str::to_uppercase).collect();
            assert!(!typed.is_empty(), "{name}: {word}");
            let search = means(&model, lang, Searched::Withdrawals, &typed.join(" "));
            let is_found = |found: Option<RowLabel>, one: &Withdrawal| {
                search.terms.iter().all(|term| match found {
                    Some(called) => term.labels.contains(&called),
                    None => term.open.contains(&one.agreement.key),
                })
            };
            assert!(is_found(called(&model.state_of(&one)), &one), "{name}: {word}: {search:?}");
        }
    }
}

/// Returns direct payments in every state that a row can show. The result of the last one could not
/// be saved.
fn charges() -> Vec<Charge> {
    let created = |code: &str, status: Option<&str>, expires: &str| ChargeOutcome::Created {
        id: None,
        status: status.map(Into::into),
        pix_code: Some(code.into()),
        expires: Some(expires.into()),
    };
    let (over, later) = ("2026-11-21T10:42:07-03:00", "2026-11-22T10:00:00-03:00");
    let refusal = Refusal { status: 422, message: None, hint: None };
    let outcomes = [
        ChargeOutcome::Unknown,
        ChargeOutcome::NotSent,
        ChargeOutcome::Refused(refusal),
        created(CODE, None, later),
        created(CODE, Some("waiting_payment"), later),
        created(CODE, Some("waiting_payment"), over),
        created(DEARER, Some("waiting_payment"), later),
        created(CODE, None, over),
        created(CODE, None, later),
    ];
    let mut charges: Vec<_> = outcomes.map(|outcome| charge(7, 4_990, outcome)).into();
    charges[7].paid = Some(Paid { at: Wall(0), source: PaidSource::Seller });
    charges
}

/// Returns the text of the state at the end of the selected row.
fn shown_state(model: &Model) -> String {
    let screen = screen(model);
    let row = screen.lines().find(|line| line.starts_with('▌')).unwrap().trim();
    row.rsplit_once("  ").unwrap().1.to_owned()
}

#[test]
fn each_word_of_a_charges_state_finds_it() {
    let mut decoy = charge(8, 4_990, made(Some(CODE)));
    let ChargeOutcome::Created { status, .. } = &mut decoy.outcome else { panic!() };
    *status = Some("other".into());
    for lang in Lang::ALL {
        let last = charges().len() - 1;
        for (n, shown) in charges().into_iter().enumerate() {
            let shown = Charge { id: RowId(2), ..shown };
            let mut stored = shown.clone();
            let mut model = charges_pane(lang);
            if n == last {
                stored.outcome = ChargeOutcome::Unknown;
                model.unsaved.keep(Sale::Charge(shown.clone()));
            }
            let dir = tempfile::tempdir().unwrap();
            let mut history = History::open_temporary(dir.path()).unwrap();
            history.seed(&[], &[decoy.clone(), stored]).unwrap();
            model.charges.page.rows = vec![shown].into();
            let state = shown_state(&model);
            let words = state.split(|c: char| !c.is_alphanumeric() && c != '_');
            let words: Vec<_> = words.filter(|word| word.chars().count() > 2).collect();
            assert!(!words.is_empty(), "{state}");
            let search = expand(&model, Searched::Charges, &words.join(" "));
            let found = history.charges(search, PagePlace::Top, 9).unwrap().rows;
            let ids: Vec<_> = found.iter().map(|charge| charge.id.0).collect();
            assert_eq!(ids, [2], "{state}");
        }
    }
}

#[test]
fn unsaved_link_is_found_by_its_state() {
    for (lang, typed) in [(Lang::Pt, "gravado"), (Lang::En, "saved")] {
        let model = named(lang, "links-not-saved");
        let rows = &model.links.list.page.rows;
        let labels = expand(&model, Searched::Links, typed).terms[0].labels.clone();
        assert_eq!(labels, [rows[2].id, rows[0].id].map(RowLabel::NotSaved));
    }
}

#[test]
fn search_word_depends_on_list_and_language() {
    let model = on(Lang::Pt, Pane::Links);
    let called = |lang, list, typed: &str| means(&model, lang, list, typed).terms[0].labels.clone();
    use Searched::{Charges, Links, Withdrawals};
    for (lang, list, typed, meant) in [
        (Lang::Pt, Withdrawals, "aceito", vec![RowLabel::Accepted]),
        (Lang::Pt, Withdrawals, "ACEIT", vec![RowLabel::Accepted]),
        (Lang::Pt, Withdrawals, "accepted", vec![]),
        (Lang::En, Withdrawals, "accepted", vec![RowLabel::Accepted]),
        (Lang::Pt, Withdrawals, "recusado", vec![RowLabel::Rejected]),
        (Lang::Pt, Withdrawals, "declarado", vec![RowLabel::FoundPaid, RowLabel::StatedNotPaid]),
        (Lang::Pt, Withdrawals, "cpf", vec![RowLabel::To(PixKeyKind::Cpf)]),
        (Lang::Pt, Withdrawals, "aleatoria", vec![RowLabel::To(PixKeyKind::Random)]),
        (Lang::Pt, Links, "recusado", vec![RowLabel::Refused]),
        (Lang::Pt, Links, "recusada", vec![]),
        (Lang::Pt, Charges, "recusada", vec![RowLabel::Refused]),
        (Lang::Pt, Links, "existir", vec![RowLabel::MayExist]),
        (Lang::Pt, Links, "automático", vec![RowLabel::Made]),
        (Lang::Pt, Charges, "criada", vec![RowLabel::Made]),
        (Lang::En, Links, "sent", vec![RowLabel::NotSent]),
        (Lang::Pt, Links, "pago", vec![RowLabel::SandboxPaid, RowLabel::MarkedPaid]),
        (Lang::Pt, Links, "sandbox", vec![RowLabel::SandboxPaid]),
        (Lang::En, Links, "marked", vec![RowLabel::MarkedPaid]),
        (Lang::Pt, Charges, "pago", vec![RowLabel::MarkedPaid]),
        (Lang::En, Charges, "paid", vec![RowLabel::MarkedPaid]),
        (Lang::Pt, Charges, "código", vec![RowLabel::OddCode]),
        (Lang::En, Charges, "code", vec![RowLabel::OddCode]),
        (Lang::Pt, Charges, "venceu", vec![RowLabel::Expired(NOW)]),
        (Lang::En, Charges, "expired", vec![RowLabel::Expired(NOW)]),
        (Lang::En, Links, "expired", vec![]),
        (Lang::Pt, Withdrawals, "e-mail", vec![RowLabel::To(PixKeyKind::Email)]),
        (Lang::Pt, Withdrawals, "email", vec![RowLabel::To(PixKeyKind::Email)]),
        (Lang::En, Withdrawals, "Email,", vec![RowLabel::To(PixKeyKind::Email)]),
        // A search text must have at least three letters, and must match the beginning of a word.
        (Lang::Pt, Withdrawals, "par", vec![]),
        (Lang::Pt, Links, "re", vec![]),
    ] {
        assert_eq!(called(lang, list, typed), meant, "{typed}");
    }
}

#[test]
fn a_day_is_found_as_it_is_shown() {
    let model = on(Lang::Pt, Pane::Links);
    let moments = |lang, typed: &str| -> Vec<TimeMatch> {
        let search = means(&model, lang, Searched::Links, typed);
        assert_eq!(search.utc_offset_s, model.setup.utc_offset_s);
        search.terms.into_iter().flat_map(|term| term.moments).collect()
    };
    let begin = |text: &str| TimeMatch::Begin(text.into());
    let have = |text: &str| TimeMatch::Have(text.into());
    assert_eq!(moments(Lang::Pt, "hoje"), [begin("21/11/2026")]);
    assert_eq!(moments(Lang::Pt, "Ont"), [begin("20/11/2026")]);
    assert_eq!(moments(Lang::En, "yesterday"), [begin("20/11/2026")]);
    assert_eq!(moments(Lang::Pt, "21/11"), [have("21/11")]);
    assert_eq!(moments(Lang::Pt, "10:42"), [have(" 10:42")]);
    assert_eq!(moments(Lang::En, "3 Nov 2026"), [begin("03/"), have("/11/"), have("/2026 ")]);
    // The search ignores punctuation after a date.
    assert_eq!(moments(Lang::Pt, "hoje,"), [begin("21/11/2026")]);
    assert_eq!(moments(Lang::Pt, "hoje, 20:00"), [begin("21/11/2026"), have(" 20:00")]);
    assert_eq!(moments(Lang::Pt, "21/11/2026, 20:"), [have("21/11/2026"), have(" 20:")]);
    assert_eq!(moments(Lang::Pt, "(21/"), [have("21/")]);
    assert_eq!(moments(Lang::En, "21 Nov 2026,"), [begin("21/"), have("/11/"), have("/2026 ")]);
    // The search treats a number without "/" or ":" as an amount, not as a date or time.
    for typed in ["2026", "21", "49,90", "a/b", "/", ":"] {
        assert_eq!(moments(Lang::Pt, typed), [], "{typed}");
        assert_eq!(moments(Lang::En, typed), [], "{typed}");
    }
}
