//! Tests that searching a list finds a row by the text that the row shows, in the language of the
//! screen.

use std::collections::BTreeSet;

use balcao::app::store::query_expansion::{Searched, expand};
use balcao::app::{Model, Pane};
use balcao::trade::search::{RowLabel, Search, TimeMatch};
use balcao::trade::withdrawal::WithdrawalState;
use balcao::trade::{PixKeyKind, Withdrawal};
use balcao::view::Theme;
use balcao::words::Lang;
use ratatui::buffer::Cell;
use ratatui::style::Modifier;

use crate::models::{buffer, named, on, painted, screen, text};
use crate::models_money::payments::with_all_filters;
use crate::models_money::withdrawals::{each, with_more, with_rows};

fn means(model: &Model, lang: Lang, list: Searched, typed: &str) -> Search {
    let mut model = model.clone();
    model.setup.lang = lang;
    expand(&model, list, typed)
}

/// Returns the label by which a search finds a withdrawal state, or `None` for a state that a
/// search cannot find because it depends on the current time.
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

/// Returns the name of the state at the end of the selected withdrawal's row, without its symbol.
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
        (Lang::Pt, Withdrawals, "e-mail", vec![RowLabel::To(PixKeyKind::Email)]),
        (Lang::Pt, Withdrawals, "email", vec![RowLabel::To(PixKeyKind::Email)]),
        (Lang::En, Withdrawals, "Email,", vec![RowLabel::To(PixKeyKind::Email)]),
        // A search text matches a word only at its beginning, and only if the text has at least
        // three letters.
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
    // Punctuation around a date is ignored.
    assert_eq!(moments(Lang::Pt, "hoje,"), [begin("21/11/2026")]);
    assert_eq!(moments(Lang::Pt, "hoje, 20:00"), [begin("21/11/2026"), have(" 20:00")]);
    assert_eq!(moments(Lang::Pt, "21/11/2026, 20:"), [have("21/11/2026"), have(" 20:")]);
    assert_eq!(moments(Lang::Pt, "(21/"), [have("21/")]);
    assert_eq!(moments(Lang::En, "21 Nov 2026,"), [begin("21/"), have("/11/"), have("/2026 ")]);
    // A number without "/" or ":" is searched for as an amount, not as a date.
    for typed in ["2026", "21", "49,90", "a/b", "/", ":"] {
        assert_eq!(moments(Lang::Pt, typed), [], "{typed}");
        assert_eq!(moments(Lang::En, typed), [], "{typed}");
    }
}
