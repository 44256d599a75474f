//! Tests that the statements on the money screens are true.

use balcao::app::Model;
use balcao::app::screen::Focus;
use balcao::app::screens::Layer;
use balcao::app::screens::qr::Qr;
use balcao::app::screens::withdrawals::Flow;
use balcao::app::store::withdrawals::lookup_hints::lookup_hints;
use balcao::app::store::withdrawals::rules;
use balcao::app::ui::action::Action;
use balcao::app::ui::geometry::MIN_SIZE;
use balcao::contract::Contract;
use balcao::trade::withdrawal::WithdrawalState;
use balcao::trade::{PixKey, PixKeyKind};
use balcao::view::Theme;
use balcao::words::{Catalogue, Lang};
use ratatui::style::Color;

use super::forms::{form_models, review, review_models, send_models, set_pix_key};
use super::payments::{self, OTHER_AMOUNT_CODE, PIX_CODE, URL};
use super::withdrawals::{all_withdrawals, details, find_withdrawal, guide, outcome_models};
use crate::models::{
    after_confirm_delay, buffer, layer_model, normalize_spaces, open_attempts, render_with_theme,
    screen_text, text, text_with_focus,
};
use crate::qr::read_qr_code;

/// The sentences that screens use to say whether money has moved.
const MONEY_VERDICTS: [&str; 6] = [
    "Nenhum dinheiro saiu.",
    "O dinheiro pode ter saído",
    "O dinheiro pode sair a qualquer momento.",
    "Considere o dinheiro enviado",
    "Pelo que você viu, o dinheiro saiu.",
    "este saque não foi pago. Isso é o que você viu",
];

fn expected_verdict(state: &WithdrawalState) -> &'static str {
    match state {
        WithdrawalState::Prepared | WithdrawalState::Rejected | WithdrawalState::Discarded => {
            MONEY_VERDICTS[0]
        }
        WithdrawalState::Unknown
        | WithdrawalState::NeedsPerson(_)
        | WithdrawalState::Mismatch(_) => MONEY_VERDICTS[1],
        WithdrawalState::Sending(_) => MONEY_VERDICTS[2],
        WithdrawalState::Accepted => MONEY_VERDICTS[3],
        WithdrawalState::ResolvedPaid => MONEY_VERDICTS[4],
        WithdrawalState::ResolvedNotPaid => MONEY_VERDICTS[5],
    }
}

#[test]
fn each_state_shows_only_its_own_money_verdict() {
    for (name, withdrawal) in all_withdrawals() {
        let model = details(Lang::Pt, withdrawal.clone());
        let screen = normalize_spaces(&screen_text(&model));
        let expected = expected_verdict(&model.state_of(&withdrawal));
        for verdict in MONEY_VERDICTS {
            assert_eq!(
                screen.contains(verdict),
                verdict == expected,
                "{name}, `{verdict}`:\n{screen}"
            );
        }
    }
}

#[test]
fn open_state_never_claims_no_money_moved_in_english() {
    for (name, withdrawal) in all_withdrawals() {
        let model = details(Lang::En, withdrawal.clone());
        let screen = normalize_spaces(&screen_text(&model));
        let state = model.state_of(&withdrawal);
        let none_moved = matches!(
            state,
            WithdrawalState::Prepared | WithdrawalState::Rejected | WithdrawalState::Discarded
        );
        assert_eq!(
            screen.contains("No money moved."),
            none_moved,
            "{name}:\n{screen}"
        );
        let may_have_moved = screen.contains("Money may or may not have left.")
            || screen.contains("Money may have left");
        assert_eq!(may_have_moved, state.is_open(), "{name}:\n{screen}");
    }
}

#[test]
fn shown_steps_are_exactly_the_offered_ones() {
    let steps = [
        (Action::Send, "enviar"),
        (Action::Discard, "descartar"),
        (Action::Check, "conferir na conta"),
        (Action::Found, "achei na minha conta"),
        (Action::NotPaid, "não foi pago"),
        (Action::Copy, "copiar o código do saque"),
    ];
    for (name, withdrawal) in all_withdrawals() {
        let mut model = details(Lang::Pt, withdrawal.clone());
        for locked in [false, true] {
            if locked {
                model.withdrawals.in_flight = Some(super::withdrawals::other_key());
            }
            let offered = rules::safe_actions(&model, &withdrawal);
            let screen = screen_text(&model);
            for (action, label) in steps {
                let key = model.setup.keys.keys(action)[0];
                let resend_words = if action == Action::Send {
                    "reenviar"
                } else {
                    label
                };
                let has_step = |label| screen.contains(&format!("{key}   {label}"));
                let is_shown = has_step(label) || has_step(resend_words);
                assert_eq!(is_shown, offered.contains(&action), "{name} {key} {label}");
            }
        }
    }
}

#[test]
fn countdown_is_shown_only_if_send_is_offered() {
    for (name, withdrawal) in all_withdrawals() {
        let model = details(Lang::Pt, withdrawal.clone());
        let can_send = rules::safe_actions(&model, &withdrawal).contains(&Action::Send);
        if screen_text(&model).contains("prazo para reenviar: ") {
            assert!(can_send, "{name}");
        }
    }
    let unknown = all_withdrawals()
        .into_iter()
        .find(|(name, _)| *name == "unknown")
        .unwrap()
        .1;
    assert!(screen_text(&details(Lang::Pt, unknown)).contains("prazo para reenviar: 7 min 19 s"));
}

#[test]
fn mismatch_is_red_with_both_figures_on_a_line() {
    for (name, sent, got) in [
        ("mismatch", "R$ 1.000,00", "R$ 10.000,00"),
        ("mismatch-destination", "11144477735", "529.982.247-25"),
    ] {
        let screen = buffer(&details(Lang::Pt, find_withdrawal(name)), 80, 24);
        let text = text(&screen);
        let has_both = |line: &&str| line.trim_start().starts_with(sent) && line.contains(got);
        let row = text
            .lines()
            .position(|line| has_both(&line))
            .unwrap_or_else(|| panic!("{text}"));
        let line = text.lines().nth(row).unwrap();
        let column = line.split(got).next().unwrap().chars().count();
        let is_red = |x: usize, y: usize| screen[(x as u16, y as u16)].fg == Color::Red;
        assert!(is_red(column, row), "the reply's figure:\n{text}");
        let state_row = text
            .lines()
            .position(|line| line.contains("RESPOSTA CONTR"))
            .unwrap();
        assert!(
            is_red(2, state_row) && is_red(2, state_row + 1),
            "the state and what it means:\n{text}"
        );
        assert!(is_red(3, 3), "the banner:\n{text}");
    }
}

#[test]
fn service_id_is_always_shown() {
    for (name, withdrawal) in all_withdrawals()
        .into_iter()
        .filter(|(_, one)| one.service_id().is_some())
    {
        let mut model = details(Lang::Pt, withdrawal);
        assert!(
            screen_text(&model).contains("wd_51"),
            "{name}:\n{}",
            screen_text(&model)
        );
        open_attempts(&mut model);
        model.scroll = u16::MAX;
        let screen = text(&buffer(&model, MIN_SIZE.columns, MIN_SIZE.rows));
        assert!(screen.contains("wd_51"), "{name}:\n{screen}");
    }
}

#[test]
fn current_hint_is_visible_in_the_smallest_window() {
    for name in ["person-window", "mismatch-destination"] {
        let model = guide(Lang::Pt, find_withdrawal(name), 0);
        let lookup_hints = lookup_hints(&model, &find_withdrawal(name));
        for (cursor, hint) in lookup_hints.iter().enumerate() {
            let model = guide(Lang::Pt, find_withdrawal(name), cursor);
            let screen = text(&buffer(&model, MIN_SIZE.columns, MIN_SIZE.rows));
            let cursor_rows: Vec<_> = screen.lines().filter(|line| line.contains('▌')).collect();
            assert!(!cursor_rows.is_empty(), "{name}, {hint:?}:\n{screen}");
        }
    }
}

#[test]
fn confirm_button_is_active_only_if_it_would_act() {
    for (name, mut model) in review_models(Lang::Pt) {
        let Some(Layer::Withdraw(Flow::Review(review))) = model.layers.last_mut() else {
            continue;
        };
        review.final_review.buttons.focus = Focus::Confirm;
        let now = &model.store.now;
        let typed_text = model.store.typed_text;
        let can_confirm = review.may_confirm(now.boot_ms, now.wall)
            && typed_text.time_left(now.boot_ms).is_none();
        model.read_tracker = Default::default();
        assert!(
            !screen_text(&model).contains("[ Sacar R$ 1.000,00 ]"),
            "{name}: nobody saw its focus yet"
        );
        let model = after_confirm_delay(model);
        let is_active = text_with_focus(buffer(&model, 80, 24)).contains("⟦ Sacar R$ 1.000,00 ⟧");
        assert_eq!(is_active, can_confirm, "{name}");
    }
}

#[test]
fn review_shows_literal_amount_and_aligned_figures() {
    let mut live = review(Lang::Pt, |review| {
        review.agreement.body = r#"{"pixKey":"x","amount":100000}"#.into();
    });
    live.sandbox = false;
    let screen = screen_text(&live);
    assert!(screen.contains("\"amount\":100000\n"), "{screen}");
    let figures = ["R$ 1.000,00", "− R$ 11,50", "R$ 988,50   calculado"];
    let column_of_comma = |figure: &str| {
        let line = screen.lines().find(|line| line.contains(figure)).unwrap();
        line.split(',').next().unwrap().chars().count()
    };
    assert_eq!(
        figures.map(column_of_comma),
        [column_of_comma(figures[0]); 3],
        "{screen}"
    );
}

#[test]
fn literal_amount_is_shown_until_unit_is_confirmed() {
    let review_with = |lines: &str| {
        let mut model = review(Lang::Pt, |review| {
            review.agreement.body = r#"{"valor":100000,"amount":1}"#.into();
        });
        model.setup.contract = Contract::from_program_files(&[("loja.toml", lines)])
            .unwrap()
            .into();
        model.sandbox = false;
        model
    };
    let mut renamed_field = review_with("withdrawal.field.amount.name = 'valor'");
    assert!(
        screen_text(&renamed_field).contains("O que é enviado   \"valor\":100000\n"),
        "{}",
        screen_text(&renamed_field)
    );
    // The screen need not show the number that is sent, because the sandbox's unit of amounts is
    // known.
    renamed_field.sandbox = true;
    assert!(
        !screen_text(&renamed_field).contains("O que é enviado"),
        "{}",
        screen_text(&renamed_field)
    );
    let screen_if_confirmed = screen_text(&review_with(
        "confirmed = ['withdrawal.unit', 'withdrawal.amount_sent']",
    ));
    assert!(
        !screen_if_confirmed.contains("O que é enviado"),
        "{screen_if_confirmed}"
    );
    let mut confirmed_by_seller = review_with("");
    let lines = [("loja.toml", "confirmed = ['withdrawal.unit']")];
    confirmed_by_seller.setup.contract = Contract::with(&lines).unwrap().into();
    assert!(
        screen_text(&confirmed_by_seller).contains("O que é enviado"),
        "a seller's file confirms nothing"
    );
}

#[test]
fn profile_proxy_is_shown_on_the_review() {
    let mut model = review(Lang::Pt, |_| ());
    assert!(
        !screen_text(&model).contains("proxy"),
        "{}",
        screen_text(&model)
    );
    let profile_lines = [(
        "profile.proxy".to_owned(),
        "http://proxy.loja.example:3128".to_owned(),
    )]
    .into();
    model.setup.contract = Contract::built_in()
        .with_profile_settings(&profile_lines)
        .into();
    let expected = "Sai pelo proxy    http://proxy.loja.example:3128\n";
    assert!(
        screen_text(&model).contains(expected),
        "{}",
        screen_text(&model)
    );
}

#[test]
fn retype_field_and_reasons_are_visible_at_80x24() {
    let (_, mut model) = review_models(Lang::Pt)
        .into_iter()
        .find(|(name, _)| *name == "review-everything")
        .unwrap();
    let Some(Layer::Withdraw(Flow::Review(review))) = model.layers.last_mut() else {
        panic!()
    };
    let long_email = format!("{}@loja-da-ana.example", "a".repeat(57));
    set_pix_key(
        &mut review.agreement,
        PixKey::parse(PixKeyKind::Email, &long_email).unwrap(),
    );
    let screen = normalize_spaces(&screen_text(&model));
    for expected in [
        "Outro saque está em aberto",
        "Já existe um saque igual",
        "Não deu para consultar a taxa",
        "Digite o valor R$ 100,00",
        "primeira vez",
    ] {
        assert!(screen.contains(expected), "{expected}: {screen}");
    }
}

#[test]
fn link_code_is_the_exact_url_in_every_theme() {
    let link = payments::link(7, 4_990, "Camiseta", payments::link_created(URL));
    let model = payments::link_details(Lang::Pt, link);
    for theme in Theme::NAMES {
        let screen = render_with_theme(&model, &Theme::named(theme).unwrap(), 80, 24);
        assert_eq!(read_qr_code(&screen).as_deref(), Some(URL), "{theme}");
    }
    let wide = buffer(&payments::links_pane(Lang::Pt, URL), 120, 40);
    assert_eq!(read_qr_code(&wide).as_deref(), Some(URL));
}

#[test]
fn a_pix_code_is_read_from_the_screen_at_80x24() {
    let screen = buffer(&layer_model(Lang::Pt, Layer::Qr(Qr::of(PIX_CODE))), 80, 24);
    assert_eq!(read_qr_code(&screen).as_deref(), Some(PIX_CODE));
}

#[test]
fn pix_code_picture_is_shown_unless_code_is_odd() {
    // Use a terminal with less than 100 columns. In wider terminals, the details are beside the
    // list.
    let details = |code| {
        buffer(
            &payments::charge_details(Lang::Pt, payments::charge_created(code)),
            96,
            40,
        )
    };
    assert_eq!(
        read_qr_code(&details(Some(PIX_CODE))).as_deref(),
        Some(PIX_CODE)
    );
    let wide_pane = buffer(&payments::charges_pane(Lang::Pt), 120, 52);
    assert_eq!(read_qr_code(&wide_pane).as_deref(), Some(PIX_CODE));
    let wrong_checksum = PIX_CODE.replace("CA90", "CA91");
    for odd in [&*wrong_checksum, OTHER_AMOUNT_CODE, "pix://loja/7f3k2q"] {
        assert_eq!(read_qr_code(&details(Some(odd))), None, "{odd}");
        let mut wide_pane = payments::charges_pane(Lang::Pt);
        let mut rows = wide_pane.charges.list.page.rows.to_vec();
        rows[0].outcome = payments::charge_created(Some(odd));
        wide_pane.charges.list.page.rows = rows.into();
        assert_eq!(read_qr_code(&buffer(&wide_pane, 120, 52)), None, "{odd}");
    }
}

#[test]
fn url_that_cannot_be_copied_has_no_qr_code() {
    let outcome = payments::link_created("https://loja.example/check\u{202e}out");
    let link = payments::link(7, 4_990, "Camiseta", outcome);
    let screen = buffer(&payments::link_details(Lang::Pt, link), 80, 24);
    assert_eq!(read_qr_code(&screen), None);
    assert!(text(&screen).contains("check‹U+202E›out"));
}

#[test]
fn long_url_is_shown_in_full_without_gaps() {
    let url = format!(
        "https://loja.example/checkout/link-{}",
        "0123456789".repeat(30)
    );
    let link = payments::link(7, 4_990, "Camiseta", payments::link_created(&url));
    let screen = screen_text(&payments::link_details(Lang::Pt, link));
    assert!(screen.replace('\n', "").contains(&url), "{screen}");
}

#[test]
fn unchecked_fee_is_not_shown_as_a_different_fee() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let [replaced_text, unchecked_text] =
            ["send-does-replace", "send-does-unchecked"].map(|id| words.text(id));
        for (name, model) in send_models(lang) {
            let screen = normalize_spaces(&screen_text(&model));
            assert_eq!(
                screen.contains(&replaced_text),
                name == "send-fee-other",
                "{name}:\n{screen}"
            );
            let is_unchecked = ["send-fee-gone", "send-fee-fault"].contains(&name);
            assert_eq!(
                screen.contains(&unchecked_text),
                is_unchecked,
                "{name}:\n{screen}"
            );
        }
    }
}

/// The review screen must not say that no money has moved while another withdrawal may have been
/// paid. It may only say that this withdrawal was not sent.
#[test]
fn review_beside_another_reports_only_itself_unsent() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let [nothing_sent, this_not_sent] =
            ["review-nothing-yet", "beside-not-sent"].map(|id| words.text(id));
        for (name, model) in review_models(lang) {
            let mentions_another = match model.layers.last() {
                Some(Layer::Withdraw(Flow::Review(review))) => {
                    review.final_review.other_withdrawal().is_some()
                }
                _ => continue,
            };
            let is_beside = mentions_another || model.is_another_open(None);
            let screen = normalize_spaces(&screen_text(&model));
            assert_eq!(
                screen.contains(&this_not_sent),
                is_beside,
                "{name}:\n{screen}"
            );
            assert_eq!(
                screen.contains(&nothing_sent),
                !is_beside,
                "{name}:\n{screen}"
            );
        }
    }
}

#[test]
fn refused_form_reports_only_its_own_as_not_sent() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let [nothing_sent, this_not_sent] =
            ["withdraw-nothing-sent", "beside-not-sent"].map(|id| words.text(id));
        let forms = form_models(lang).into_iter().filter(|(name, _)| {
            name.starts_with("withdraw-look-again-") || *name == "withdraw-same-open"
        });
        let forms: Vec<_> = forms.collect();
        assert!(forms.len() > 4, "{}", forms.len());
        for (name, model) in forms {
            let screen = normalize_spaces(&screen_text(&model));
            assert!(
                screen.contains(&this_not_sent) && !screen.contains(&nothing_sent),
                "{name}:\n{screen}"
            );
        }
    }
}

#[test]
fn failure_outcome_is_shown_in_the_smallest_window() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        for (name, id) in [
            ("new-link-refused", "moved-no-link"),
            ("new-link-no-answer", "moved-maybe-link"),
            ("new-charge-refused", "moved-no-charge"),
        ] {
            let models = payments::link_models(lang)
                .into_iter()
                .chain(payments::charge_models(lang));
            let mut model = models
                .into_iter()
                .find(|(model_name, _)| *model_name == name)
                .unwrap()
                .1;
            let fields = model.layers[0].screen().form().unwrap().fields.len();
            for focus in 0..=fields {
                model.layers[0].screen_mut().form_mut().unwrap().focus = focus;
                let screen = text(&buffer(&model, MIN_SIZE.columns, MIN_SIZE.rows));
                let screen_words = normalize_spaces(&screen);
                assert!(
                    screen_words.contains(&words.text(id)),
                    "{name}, field {focus}:\n{screen}"
                );
            }
        }
    }
}

#[test]
fn resend_elsewhere_is_shown_as_possibly_paid() {
    for lang in Lang::ALL {
        let resend_text = Catalogue::of(lang).text("said-sending-elsewhere-again");
        let first_send_text = Catalogue::of(lang).text("said-sending-elsewhere");
        let is_sending_elsewhere =
            |(name, _): &(&str, Model)| *name == "withdrawal-sending-elsewhere";
        let model = outcome_models(lang)
            .into_iter()
            .find(is_sending_elsewhere)
            .unwrap()
            .1;
        let screen = normalize_spaces(&screen_text(&model));
        assert!(
            screen.contains(&resend_text) && !screen.contains(&first_send_text),
            "{screen}"
        );
    }
}

#[test]
fn too_long_url_or_code_explains_why_not_shared() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let url = |length: usize| format!("{URL}{}", "x".repeat(length - URL.len()));
        for (length, is_explained) in [(4_096, false), (4_097, true), (5_000, true)] {
            let link = payments::link(
                7,
                4_990,
                "Camiseta azul M",
                payments::link_created(&url(length)),
            );
            let link = payments::link_details(lang, link);
            let charge =
                payments::charge_details(lang, payments::charge_created(Some(&"0".repeat(length))));
            for (model, id) in [(link, "link-too-long"), (charge, "charge-code-too-long")] {
                let explanation = words.with(id, &[("most", "4096")]);
                let screen = normalize_spaces(&screen_text(&model));
                assert_eq!(
                    screen.contains(&explanation),
                    is_explained,
                    "{id} of {length}:\n{screen}"
                );
                assert!(!explanation.contains('$'), "{explanation}");
            }
        }
    }
}
