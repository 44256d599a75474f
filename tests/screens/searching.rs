//! Tests the search in a list. It must find each row by the text that the row shows in the language
//! of the screen.

use std::collections::BTreeSet;

use balcao::app::store::query_expansion::{Searched, expand};
use balcao::app::{Model, Pane};
use balcao::journal::history::History;
use balcao::trade::search::{RowLabel, Search, TimeMatch};
use balcao::trade::withdrawal::WithdrawalState;
use balcao::trade::{
    Charge, ChargeOutcome, ChargeRequest, CreatedCharge, PagePosition, Paid, PaidSource,
    PixKeyKind, Refusal, RowId, Wall, Withdrawal,
};
use balcao::view::Theme;
use balcao::words::Lang;
use ratatui::buffer::Cell;
use ratatui::style::Modifier;

use crate::models::{NOW, buffer, find_model, pane_model, render_with_theme, screen_text, text};
use crate::models_money::payments::{
    OTHER_AMOUNT_CODE, PIX_CODE, charge, charge_created, charges_pane, links_pane_with_all_filters,
};
use crate::models_money::withdrawals::{accepted_with_members, all_withdrawals, with_rows};

fn expand_query(model: &Model, lang: Lang, list: Searched, query: &str) -> Search {
    let mut model = model.clone();
    model.setup.lang = lang;
    expand(&model, list, query)
}

/// Returns the label by which the search finds withdrawals in this state. Returns `None` if the
/// state depends on the current time, because such a state cannot be searched for.
fn searchable_label(state: &WithdrawalState) -> Option<RowLabel> {
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
fn withdrawal_state_text(model: &Model) -> String {
    let screen = screen_text(model);
    let row = screen
        .lines()
        .find(|line| line.starts_with('▌'))
        .unwrap()
        .trim();
    let state = row.rsplit_once("  ").unwrap().1.trim();
    state.split_once(' ').unwrap().1.to_owned()
}

#[test]
fn filtered_totals_are_shown_when_names_do_not_fit() {
    for (lang, filter_count) in [(Lang::Pt, "3 filtros · "), (Lang::En, "3 filters · ")] {
        let model = links_pane_with_all_filters(lang);
        let screen = text(&buffer(&model, 70, 24));
        assert!(
            screen.contains(filter_count) && screen.contains("R$ 469,90"),
            "{screen}"
        );
        let screen = text(&buffer(&model, 60, 18));
        assert!(
            screen.contains(filter_count) && screen.contains("R$ 469,90"),
            "{screen}"
        );
        let screen = text(&buffer(&model, 200, 60));
        assert!(
            !screen.contains(filter_count) && screen.contains("R$ 469,90"),
            "{screen}"
        );
    }
}

#[test]
fn found_text_is_underlined_in_its_row() {
    let mut model = find_model(Lang::Pt, "links");
    model.links.list.query = "azul 10:4".into();
    let screen = render_with_theme(&model, &Theme::named("dark").unwrap(), 80, 24);
    let is_hit = |cell: &Cell| cell.modifier.contains(Modifier::UNDERLINED);
    let hits = |row: &[Cell]| -> BTreeSet<String> {
        let runs = row.chunk_by(|cell, next| is_hit(cell) == is_hit(next));
        let hits = runs.filter(|run| is_hit(&run[0]));
        hits.map(|run| run.iter().map(Cell::symbol).collect())
            .collect()
    };
    let rows: Vec<_> = screen.content.chunks(80).skip(2).map(hits).collect();
    let expected = BTreeSet::from(["azul".to_owned(), "10:4".to_owned()]);
    assert!(rows.contains(&expected), "{rows:?}");
    let mut model = find_model(Lang::Pt, "domains-listed");
    model.domains.query = "nova".into();
    let screen = render_with_theme(&model, &Theme::named("dark").unwrap(), 80, 24);
    let rows: Vec<_> = screen.content.chunks(80).skip(2).map(hits).collect();
    assert!(
        rows.contains(&BTreeSet::from(["nova".to_owned()])),
        "{rows:?}"
    );
}

#[test]
fn withdrawal_row_has_its_description_if_wide() {
    let model = with_rows(
        pane_model(Lang::Pt, Pane::Withdrawals),
        vec![accepted_with_members()],
    );
    let has_description = |columns| {
        let screen = text(&buffer(&model, columns, 24));
        screen
            .lines()
            .any(|row| row.starts_with('▌') && row.contains("aluguel de nov"))
    };
    assert!(has_description(160) && !has_description(80));
}

#[test]
fn each_word_of_a_withdrawals_state_finds_it() {
    for lang in Lang::ALL {
        for (name, withdrawal) in all_withdrawals() {
            let model = with_rows(pane_model(lang, Pane::Withdrawals), vec![withdrawal]);
            let withdrawal = model.withdrawals.list.page.rows[0].clone();
            let state_text = withdrawal_state_text(&model);
            let long_words = state_text
                .split_whitespace()
                .filter(|word| word.chars().count() > 2);
            let words: Vec<String> = long_words.map(str::to_uppercase).collect();
            assert!(!words.is_empty(), "{name}: {state_text}");
            let search = expand_query(&model, lang, Searched::Withdrawals, &words.join(" "));
            let is_found = |label: Option<RowLabel>, withdrawal: &Withdrawal| {
                search.terms.iter().all(|term| match label {
                    Some(label) => term.labels.contains(&label),
                    None => term.open.contains(&withdrawal.agreement.key),
                })
            };
            assert!(
                is_found(searchable_label(&model.state_of(&withdrawal)), &withdrawal),
                "{name}: {state_text}: {search:?}"
            );
        }
    }
}

/// Returns direct payments in every state that a row can show. The result of the last one could not
/// be saved.
fn charges_in_every_state() -> Vec<Charge> {
    let created = |code: &str, status: Option<&str>, expires: &str| {
        ChargeOutcome::Created(CreatedCharge {
            id: None,
            status: status.map(Into::into),
            pix_code: Some(code.into()),
            expires: Some(expires.into()),
        })
    };
    let past = "2026-11-21T10:42:07-03:00";
    let future = "2026-11-22T10:00:00-03:00";
    let refusal = Refusal {
        status: 422,
        message: None,
        hint: None,
        retry_after: None,
    };
    let outcomes = [
        ChargeOutcome::Unknown,
        ChargeOutcome::NotSent,
        ChargeOutcome::Refused(refusal),
        created(PIX_CODE, None, future),
        created(PIX_CODE, Some("waiting_payment"), future),
        created(PIX_CODE, Some("waiting_payment"), past),
        created(OTHER_AMOUNT_CODE, Some("waiting_payment"), future),
        created(PIX_CODE, None, past),
        created(PIX_CODE, None, future),
    ];
    let mut charges: Vec<_> = outcomes.map(|outcome| charge(7, 4_990, outcome)).into();
    charges[7].paid = Some(Paid {
        at: Wall(0),
        source: PaidSource::Seller,
    });
    charges
}

/// Returns the text of the state at the end of the selected row.
fn row_state_text(model: &Model) -> String {
    let screen = screen_text(model);
    let row = screen
        .lines()
        .find(|line| line.starts_with('▌'))
        .unwrap()
        .trim();
    row.rsplit_once("  ").unwrap().1.to_owned()
}

#[test]
fn each_word_of_a_charges_state_finds_it() {
    let mut decoy = charge(8, 4_990, charge_created(Some(PIX_CODE)));
    let ChargeOutcome::Created(CreatedCharge { status, .. }) = &mut decoy.outcome else {
        panic!()
    };
    *status = Some("other".into());
    for lang in Lang::ALL {
        let last = charges_in_every_state().len() - 1;
        for (n, charge_in_row) in charges_in_every_state().into_iter().enumerate() {
            let charge_in_row = Charge {
                id: RowId(2),
                ..charge_in_row
            };
            let mut stored = charge_in_row.clone();
            let mut model = charges_pane(lang);
            if n == last {
                stored.outcome = ChargeOutcome::Unknown;
                model.charges.unsaved.keep(charge_in_row.clone());
            }
            let dir = tempfile::tempdir().unwrap();
            let mut history = History::open_temporary(dir.path()).unwrap();
            history.seed(&[], &[decoy.clone(), stored]).unwrap();
            model.charges.list.page.rows = vec![charge_in_row].into();
            let state = row_state_text(&model);
            let words = state.split(|c: char| !c.is_alphanumeric() && c != '_');
            let words: Vec<_> = words.filter(|word| word.chars().count() > 2).collect();
            assert!(!words.is_empty(), "{state}");
            let search = expand(&model, Searched::Charges, &words.join(" "));
            let found = history
                .sales::<ChargeRequest>(search, PagePosition::Top, 9)
                .unwrap()
                .rows;
            let ids: Vec<_> = found.iter().map(|charge| charge.id.0).collect();
            assert_eq!(ids, [2], "{state}");
        }
    }
}

#[test]
fn unsaved_link_is_found_by_its_state() {
    for (lang, query) in [(Lang::Pt, "gravado"), (Lang::En, "saved")] {
        let model = find_model(lang, "links-not-saved");
        let rows = &model.links.list.page.rows;
        let labels = expand(&model, Searched::Links, query).terms[0]
            .labels
            .clone();
        assert_eq!(labels, [rows[2].id, rows[0].id].map(RowLabel::NotSaved));
    }
}

#[test]
fn search_word_depends_on_list_and_language() {
    let model = pane_model(Lang::Pt, Pane::Links);
    let labels = |lang, list, query: &str| {
        expand_query(&model, lang, list, query).terms[0]
            .labels
            .clone()
    };
    use Searched::{Charges, Links, Withdrawals};
    for (lang, list, query, expected) in [
        (Lang::Pt, Withdrawals, "aceito", vec![RowLabel::Accepted]),
        (Lang::Pt, Withdrawals, "ACEIT", vec![RowLabel::Accepted]),
        (Lang::Pt, Withdrawals, "accepted", vec![]),
        (Lang::En, Withdrawals, "accepted", vec![RowLabel::Accepted]),
        (Lang::Pt, Withdrawals, "recusado", vec![RowLabel::Rejected]),
        (
            Lang::Pt,
            Withdrawals,
            "declarado",
            vec![RowLabel::FoundPaid, RowLabel::StatedNotPaid],
        ),
        (
            Lang::Pt,
            Withdrawals,
            "cpf",
            vec![RowLabel::To(PixKeyKind::Cpf)],
        ),
        (
            Lang::Pt,
            Withdrawals,
            "aleatoria",
            vec![RowLabel::To(PixKeyKind::Random)],
        ),
        (Lang::Pt, Links, "recusado", vec![RowLabel::Refused]),
        (Lang::Pt, Links, "recusada", vec![]),
        (Lang::Pt, Charges, "recusada", vec![RowLabel::Refused]),
        (Lang::Pt, Links, "existir", vec![RowLabel::MayExist]),
        (Lang::Pt, Links, "automático", vec![RowLabel::Created]),
        (Lang::Pt, Charges, "criada", vec![RowLabel::Created]),
        (Lang::En, Links, "sent", vec![RowLabel::NotSent]),
        (
            Lang::Pt,
            Links,
            "pago",
            vec![RowLabel::SandboxPaid, RowLabel::MarkedPaid],
        ),
        (Lang::Pt, Links, "sandbox", vec![RowLabel::SandboxPaid]),
        (Lang::En, Links, "marked", vec![RowLabel::MarkedPaid]),
        (Lang::Pt, Charges, "pago", vec![RowLabel::MarkedPaid]),
        (Lang::En, Charges, "paid", vec![RowLabel::MarkedPaid]),
        (Lang::Pt, Charges, "código", vec![RowLabel::OddCode]),
        (Lang::En, Charges, "code", vec![RowLabel::OddCode]),
        (Lang::Pt, Charges, "venceu", vec![RowLabel::Expired(NOW)]),
        (Lang::En, Charges, "expired", vec![RowLabel::Expired(NOW)]),
        (Lang::En, Links, "expired", vec![]),
        (
            Lang::Pt,
            Withdrawals,
            "e-mail",
            vec![RowLabel::To(PixKeyKind::Email)],
        ),
        (
            Lang::Pt,
            Withdrawals,
            "email",
            vec![RowLabel::To(PixKeyKind::Email)],
        ),
        (
            Lang::En,
            Withdrawals,
            "Email,",
            vec![RowLabel::To(PixKeyKind::Email)],
        ),
        // A search text must have at least three letters, and must match the beginning of a word.
        (Lang::Pt, Withdrawals, "par", vec![]),
        (Lang::Pt, Links, "re", vec![]),
    ] {
        assert_eq!(labels(lang, list, query), expected, "{query}");
    }
}

#[test]
fn a_time_is_found_as_it_is_shown() {
    let model = pane_model(Lang::Pt, Pane::Links);
    let time_matches = |lang, query: &str| -> Vec<TimeMatch> {
        let search = expand_query(&model, lang, Searched::Links, query);
        assert_eq!(search.utc_offset_s, model.setup.utc_offset_s);
        search
            .terms
            .into_iter()
            .flat_map(|term| term.moments)
            .collect()
    };
    let contains = |text: &str| TimeMatch::Contains(text.into());
    assert_eq!(time_matches(Lang::Pt, "10:42"), [contains(" 10:42")]);
    assert_eq!(time_matches(Lang::Pt, "(21/"), [contains("21/")]);
    assert_eq!(time_matches(Lang::Pt, "/11"), [contains("/11")]);
    assert_eq!(time_matches(Lang::En, "Nov"), [contains("/11/")]);
    // A whole day is a period and no part of a time, unless it is in quotes.
    for (query, remaining) in [
        ("hoje, 20:00", vec![contains(" 20:00")]),
        ("21/11/2026, 20:", vec![contains(" 20:")]),
        ("3 Nov 2026", vec![]),
        ("\"hoje\" \"21/11\" \"20:00\"", vec![]),
    ] {
        assert_eq!(time_matches(Lang::Pt, query), remaining, "{query}");
    }
    // The search treats a number without "/" or ":" as an amount, not as a date or time.
    for query in ["2026", "21", "49,90", "a/b", "/", ":"] {
        assert_eq!(time_matches(Lang::Pt, query), [], "{query}");
        assert_eq!(time_matches(Lang::En, query), [], "{query}");
    }
}
