//! Tests of amounts whose characters arrive together. A slow connection delivers several key
//! presses in one read, and a terminal may paste text without marking it as a paste.

use super::*;
use crate::app::ui::form::{Field, Hint};

/// How a form is filled in before the characters arrive.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Start {
    Empty,
    /// The seller has typed R$ 49,90.
    Typed,
    /// The form repeats a link or a direct payment of R$ 49,90.
    Repeated,
}

/// Types the characters of each read. Several characters in one read are a group, as in the
/// runtime.
pub fn type_reads(app: &mut App, reads: &[&str]) {
    for read in reads {
        let is_group = read.chars().count() > 1;
        for (index, c) in read.chars().enumerate() {
            app.pace = if is_group {
                Pace::Text { begins: index == 0 }
            } else {
                Pace::Close
            };
            app.type_text(&c.to_string());
        }
    }
    app.pace = Pace::Deliberate;
}

/// The form of a new link. Only its amount may be missing, and has the focus.
fn link_form(start: Start) -> App {
    let mut app = App::logged_in();
    if start == Start::Repeated {
        app.load_links(vec![link("https://loja.example/c/1")]);
        app.press("d");
        return app;
    }
    app.press("n Tab");
    app.type_text("Boné");
    app.press("Shift-Tab");
    if start == Start::Typed {
        app.type_text("4990");
    }
    app
}

/// The form of a new direct payment. Only its amount may be missing, and has the focus.
fn charge_form(start: Start) -> App {
    let mut app = App::logged_in();
    if start == Start::Repeated {
        let buyer = [("email", "bia@example.com"), ("document", "11144477735")];
        let request = ChargeRequest {
            account: seller(),
            amount: brl(4_990),
            description: "Boné".into(),
            customer: Some("Bia".into()),
            buyer: buyer
                .map(|(id, value)| (id.to_owned(), value.to_owned()))
                .into(),
        };
        let outcome = ChargeOutcome::Unknown;
        let charge = Charge {
            id: RowId(1),
            at: Wall(0),
            request,
            outcome,
            paid: None,
            note: None,
            put_away: None,
            authors: SaleAuthors::default(),
        };
        let stamp = app.stamp();
        router::open(
            &mut app.model,
            Route::NewCharge(Some(Box::new(charge))),
            &stamp,
        );
        return app;
    }
    app.press("4 n");
    for text in [
        "",
        "Boné",
        "Bia Silva",
        "bia@example.com",
        "",
        "11144477735",
    ] {
        app.type_text(text);
        app.press("Tab");
    }
    app.press("Tab");
    if start == Start::Typed {
        app.type_text("4990");
    }
    app
}

const FORMS: [fn(Start) -> App; 2] = [link_form, charge_form];

/// The amount of the link or direct payment that is created.
fn created(effects: &[Effect]) -> Option<Money> {
    effects.iter().find_map(|effect| match effect {
        Effect::MakeLink { request, .. } => Some(request.amount),
        Effect::MakeCharge { request, .. } => Some(request.amount),
        _ => None,
    })
}

fn amount_field(app: &App) -> &Field {
    let form = app.top().screen().form().expect("a form");
    form.fields
        .iter()
        .find(|field| field.amount_field().is_some())
        .expect("an amount")
}

/// The items of the current page as text.
pub(super) fn page_text(app: &App) -> String {
    format!("{:?}", chrome::page(&app.model, app.model.size).items)
}

#[test]
fn typed_price_survives_any_reads() {
    let mut app = link_form(Start::Empty);
    for reads in [
        &["4", "9,9", "0"][..],
        &["49", ",90"],
        &["49,", "90"],
        &["4", "9", ",9", "0"],
        &["49,90"],
        &["4", "99", "0"],
    ] {
        type_reads(&mut app, reads);
        let field = amount_field(&app);
        assert_eq!(
            (field.money(), &field.error),
            (Some(brl(4_990)), &None),
            "{reads:?}"
        );
        app.press("Ctrl-U");
    }
    for (reads, centavos) in [
        (["1", "00,0", "0"], 10_000),
        (["1", "000", "000"], 1_000_000),
    ] {
        type_reads(&mut app, &reads);
        assert_eq!(amount_field(&app).money(), Some(brl(centavos)), "{reads:?}");
        app.press("Ctrl-U");
    }
}

#[test]
fn unmarked_paste_creates_nothing_unseen() {
    for form in FORMS {
        for start in [Start::Empty, Start::Typed, Start::Repeated] {
            for pasted in ["100", "4990", "80,00", "R$ 1.234,56"] {
                let context = format!(
                    "{} {start:?} {pasted}",
                    form(start).top().screen().info().name
                );
                let mut app = form(start);
                type_reads(&mut app, &[pasted]);
                let field = amount_field(&app);
                let amount = field.money();
                assert_eq!(amount.is_none(), field.error.is_some(), "{context}");
                let first = created(&app.press("Ctrl-S"));
                if start == Start::Empty {
                    assert_eq!(first, read_pasted(pasted).ok(), "{context}");
                    continue;
                }
                assert_eq!(first, None, "{context}");
                let Some(amount) = amount else { continue };
                let line = format!("Chegou junto: {amount}. Confira.");
                assert!(
                    page_text(&app).contains(&line),
                    "{context}: {}",
                    page_text(&app)
                );
                assert_eq!(created(&app.press("Ctrl-S")), Some(amount), "{context}");
            }
        }
    }
}

#[test]
fn appended_group_is_named_at_once() {
    let mut app = link_form(Start::Typed);
    type_reads(&mut app, &["100"]);
    let hint = Hint::CheckAmount {
        amount: brl(4_990_100),
        is_submitted: false,
    };
    assert_eq!(amount_field(&app).hint, Some(hint));
    assert!(page_text(&app).contains("Chegou junto: R$ 49.901,00. Confira."));
    // A character typed after the group does not hide that the amount must be checked.
    app.press("Backspace");
    let hint = Hint::CheckAmount {
        amount: brl(499_010),
        is_submitted: false,
    };
    assert_eq!(amount_field(&app).hint, Some(hint));
    // An amount that was typed again needs no check.
    app.press("Ctrl-U");
    app.type_text("8000");
    assert_eq!(amount_field(&app).hint, None);
    assert_eq!(created(&app.press("Ctrl-S")), Some(brl(8_000)));
}

#[test]
fn amount_typed_after_a_refused_group_is_checked() {
    let mut app = link_form(Start::Empty);
    type_reads(&mut app, &["100", "1", "0", "0", ",", "0", "0"]);
    assert_eq!(app.press("Ctrl-S"), vec![]);
    assert!(page_text(&app).contains("Chegou junto: R$ 100.100,00. Confira."));
    assert_eq!(created(&app.press("Ctrl-S")), Some(brl(10_010_000)));
    let mut app = link_form(Start::Empty);
    type_reads(&mut app, &["100", ",", "0", "0"]);
    assert_eq!(created(&app.press("Ctrl-S")), Some(brl(10_000)));
}

#[test]
fn second_submit_counts_only_after_a_frame() {
    for form in FORMS {
        let mut app = form(Start::Empty);
        type_reads(&mut app, &["4", "9,9", "0"]);
        app.render_frame();
        app.fixed_frame = Some(app.current_frame());
        assert_eq!(app.press("Ctrl-S Ctrl-S Ctrl-S"), vec![]);
        app.fixed_frame = None;
        assert_eq!(created(&app.press("Ctrl-S")), Some(brl(4_990)));
    }
}

#[test]
fn changed_amount_is_asked_about_again() {
    let mut app = link_form(Start::Empty);
    type_reads(&mut app, &["4", "9,9"]);
    assert_eq!(app.press("Ctrl-S"), vec![]);
    app.type_text("0");
    assert_eq!(app.press("Backspace Backspace Ctrl-S"), vec![]);
    assert_eq!(created(&app.press("Ctrl-S")), Some(brl(4_900)));
}

#[test]
fn second_enter_in_last_field_creates_the_link() {
    let mut app = link_form(Start::Empty);
    type_reads(&mut app, &["4", "990"]);
    assert_eq!(app.press("Enter Enter Enter Enter"), vec![]);
    assert_eq!(created(&app.press("Enter")), Some(brl(4_990)));
}

#[test]
fn each_appended_amount_is_asked_about() {
    let contract = "[direct_payment]\nbody = [\"amount\", \"freight\", \"name\"]\n\
               [direct_payment.field.freight]\nname = \"freight\"\nkind = \"amount\"\n\
               label = { pt-BR = \"Frete\", en = \"Freight\" }\nrequired = true\n";
    let mut app =
        App::with_contract(Contract::from_program_files(&[("own.toml", contract)]).unwrap());
    app.log_in();
    app.press("4 n");
    type_reads(&mut app, &["4", "990"]);
    app.press("Tab");
    app.type_text("1500");
    app.press("Tab");
    app.type_text("Bia");
    assert_eq!(app.press("Ctrl-S"), vec![]);
    app.press("Shift-Tab");
    type_reads(&mut app, &["00"]);
    assert_eq!(app.press("Ctrl-S"), vec![]);
    let effects = app.press("Ctrl-S");
    let [Effect::MakeCharge { body, .. }] = &effects[..] else {
        panic!("{effects:?}")
    };
    assert!(
        body.contains(r#""amount":49.90,"freight":1500.00"#),
        "{body}"
    );
}

#[test]
fn withdrawal_needs_no_second_submit() {
    let mut app = App::logged_in();
    app.press("3 n");
    type_reads(&mut app, &["1", "00,1", "0"]);
    assert!(page_text(&app).contains("Chegou junto: R$ 100,10. Confira."));
    app.press("Tab");
    app.type_text("11144477735");
    app.deliver_quote();
    assert_eq!(app.submit_form().amount, brl(10_010));
}

#[test]
fn marked_paste_replaces_and_names_the_old_amount() {
    for form in FORMS {
        for start in [Start::Typed, Start::Repeated] {
            let mut app = form(start);
            app.paste("R$ 80,00\n");
            assert_eq!(amount_field(&app).money(), Some(brl(8_000)));
            assert!(page_text(&app).contains("O texto colado substituiu R$ 49,90."));
            assert_eq!(created(&app.press("Ctrl-S")), Some(brl(8_000)));
            let mut app = form(start);
            app.paste("100");
            let readings = [brl(10_000), brl(100)];
            assert_eq!(
                amount_field(&app).error,
                Some(FieldError::Ambiguous(readings))
            );
            assert!(page_text(&app).contains("O texto colado substituiu R$ 49,90."));
            assert_eq!(app.press("Ctrl-S"), vec![], "neither is taken");
            // Typing must not continue the old amount.
            app.type_text("100,00");
            assert_eq!(created(&app.press("Ctrl-S")), Some(brl(10_000)));
        }
    }
    let mut app = link_form(Start::Empty);
    app.paste("80,00");
    assert_eq!(shown_notice(&app), None, "nothing was replaced");
    app.paste("");
    assert_eq!(
        (amount_field(&app).money(), shown_notice(&app)),
        (Some(brl(8_000)), None)
    );
}

/// Opens the form that states that a withdrawal was not paid, with its amount field in focus. The
/// withdrawal's amount is R$ 100,10.
fn retype_form() -> App {
    let mut app = App::logged_in();
    app.load_unknown_withdrawal(7, 10_010);
    app.pulse_after_ms(570_001);
    app.press("c N");
    app
}

fn retyped(app: &mut App) -> Option<Money> {
    let screen = app.model.layers.last_mut().unwrap().screen_mut();
    screen.amount_mut().unwrap().money()
}

#[test]
fn retyped_amount_loses_no_group() {
    for (reads, expected) in [
        (&["1", "00,1", "0"][..], Some(brl(10_010))),
        (&["100", ",10"], Some(brl(10_010))),
        (&["1", "001", "0"], Some(brl(10_010))),
        (&["10010"], None),
        (&["7", "100,10"], Some(brl(710_010))),
    ] {
        let mut app = retype_form();
        type_reads(&mut app, reads);
        assert_eq!(retyped(&mut app), expected, "{reads:?}");
    }
    let mut app = retype_form();
    app.paste("100,10");
    assert_eq!(retyped(&mut app), None, "a marked paste is refused");
}

#[test]
fn group_before_the_terms_are_read_leaves_no_trace() {
    let mut app = retype_form();
    app.text_layout = Box::new(|_| {
        (
            VisibleLines {
                first: 0,
                end: 1,
                total: 2,
            },
            Overflow::default(),
        )
    });
    type_reads(&mut app, &["10010"]);
    app.text_layout = Box::new(|_| (VisibleLines::ALL, Overflow::default()));
    app.render_frame();
    app.type_text("10010");
    assert_eq!(retyped(&mut app), Some(brl(10_010)));
}
