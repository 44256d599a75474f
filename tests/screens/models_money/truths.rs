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

use super::forms::{forms, pay_to, review, reviews, sends};
use super::payments::{self, CODE, DEARER, URL};
use super::withdrawals::{details, each, guide, named, outcomes};
use crate::models::{buffer, looked_at, painted, push_attempts, running, screen, text, under};
use crate::qr::read;

/// The sentences that screens use to say whether money has moved.
const VERDICTS: [&str; 6] = [
    "Nenhum dinheiro saiu.",
    "O dinheiro pode ter saído",
    "O dinheiro pode sair a qualquer momento.",
    "Considere o dinheiro enviado",
    "Pelo que você viu, o dinheiro saiu.",
    "este saque não foi pago. Isso é o que você viu",
];

fn verdict(state: &WithdrawalState) -> &'static str {
    match state {
        WithdrawalState::Prepared | WithdrawalState::Rejected | WithdrawalState::Discarded => {
            VERDICTS[0]
        }
        WithdrawalState::Unknown
        | WithdrawalState::NeedsPerson(_)
        | WithdrawalState::Mismatch(_) => VERDICTS[1],
        WithdrawalState::Sending(_) => VERDICTS[2],
        WithdrawalState::Accepted => VERDICTS[3],
        WithdrawalState::ResolvedPaid => VERDICTS[4],
        WithdrawalState::ResolvedNotPaid => VERDICTS[5],
    }
}

#[test]
fn each_state_shows_only_its_own_money_verdict() {
    for (name, withdrawal) in each() {
        let model = details(Lang::Pt, withdrawal.clone());
        let screen = running(&screen(&model));
        let right = verdict(&model.state_of(&withdrawal));
        for said in VERDICTS {
            assert_eq!(screen.contains(said), said == right, "{name}, `{said}`:\n{screen}");
        }
    }
}

#[test]
fn open_state_never_claims_no_money_moved_in_english() {
    for (name, withdrawal) in each() {
        let model = details(Lang::En, withdrawal.clone());
        let screen = running(&screen(&model));
        let state = model.state_of(&withdrawal);
        let nothing = matches!(
            state,
            WithdrawalState::Prepared | WithdrawalState::Rejected | WithdrawalState::Discarded
        );
        assert_eq!(screen.contains("No money moved."), nothing, "{name}:\n{screen}");
        let maybe = screen.contains("Money may or may not have left.")
            || screen.contains("Money may have left");
        assert_eq!(maybe, state.is_open(), "{name}:\n{screen}");
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
    for (name, withdrawal) in each() {
        let mut model = details(Lang::Pt, withdrawal.clone());
        for locked in [false, true] {
            if locked {
                model.withdrawals.in_flight = Some(super::withdrawals::other_key());
            }
            let offered = rules::safe_actions(&model, &withdrawal);
            let screen = screen(&model);
            for (action, words) in steps {
                let key = model.setup.keys.keys(action)[0];
                let again = if action == Action::Send { "reenviar" } else { words };
                let has = |words| screen.contains(&format!("{key}   {words}"));
                let shown = has(words) || has(again);
                assert_eq!(shown, offered.contains(&action), "{name} {key} {words}");
            }
        }
    }
}

#[test]
fn the_countdown_stands_only_where_a_send_is_offered() {
    for (name, withdrawal) in each() {
        let model = details(Lang::Pt, withdrawal.clone());
        let sends = rules::safe_actions(&model, &withdrawal).contains(&Action::Send);
        if screen(&model).contains("dá para reenviar por mais") {
            assert!(sends, "{name}");
        }
    }
    let unknown = each().into_iter().find(|(name, _)| *name == "unknown").unwrap().1;
    assert!(screen(&details(Lang::Pt, unknown)).contains("dá para reenviar por mais 07:19"));
}

#[test]
fn mismatch_is_red_with_both_figures_on_a_line() {
    for (name, sent, got) in [
        ("mismatch", "R$ 1.000,00", "R$ 10.000,00"),
        ("mismatch-destination", "11144477735", "529.982.247-25"),
    ] {
        let screen = buffer(&details(Lang::Pt, named(name)), 80, 24);
        let text = text(&screen);
        let both = |line: &&str| line.trim_start().starts_with(sent) && line.contains(got);
        let row = text.lines().position(|line| both(&line)).unwrap_or_else(|| panic!("{text}"));
        let line = text.lines().nth(row).unwrap();
        let column = line.split(got).next().unwrap().chars().count();
        let red = |x: usize, y: usize| screen[(x as u16, y as u16)].fg == Color::Red;
        assert!(red(column, row), "the reply's figure:\n{text}");
        let word = text.lines().position(|line| line.contains("RESPOSTA CONTR")).unwrap();
        assert!(red(2, word) && red(2, word + 1), "the state and what it means:\n{text}");
        assert!(red(3, 3), "the banner:\n{text}");
    }
}

#[test]
fn service_id_is_always_shown() {
    for (name, withdrawal) in each().into_iter().filter(|(_, one)| one.service_id().is_some()) {
        let mut model = details(Lang::Pt, withdrawal);
        assert!(screen(&model).contains("wd_51"), "{name}:\n{}", screen(&model));
        push_attempts(&mut model);
        model.scroll = u16::MAX;
        let screen = text(&buffer(&model, MIN_SIZE.columns, MIN_SIZE.rows));
        assert!(screen.contains("wd_51"), "{name}:\n{screen}");
    }
}

#[test]
fn current_hint_is_visible_in_the_smallest_window() {
    for name in ["person-window", "mismatch-destination"] {
        let model = guide(Lang::Pt, named(name), 0);
        let lookup_hints = lookup_hints(&model, &named(name));
        for (cursor, clue) in lookup_hints.iter().enumerate() {
            let model = guide(Lang::Pt, named(name), cursor);
            let screen = text(&buffer(&model, MIN_SIZE.columns, MIN_SIZE.rows));
            let bar: Vec<_> = screen.lines().filter(|line| line.contains('▌')).collect();
            assert!(!bar.is_empty(), "{name}, {clue:?}:\n{screen}");
        }
    }
}

#[test]
fn confirm_button_is_active_only_if_it_would_act() {
    for (name, mut model) in reviews(Lang::Pt) {
        let Some(Layer::Withdraw(Flow::Review(review))) = model.layers.last_mut() else { continue };
        review.look.buttons.focus = Focus::Confirm;
        let may = review.may_confirm(model.store.now.boot_ms, model.store.now.wall);
        model.seen = Default::default();
        assert!(
            !screen(&model).contains("[ Sacar R$ 1.000,00 ]"),
            "{name}: nobody saw its focus yet"
        );
        let model = looked_at(model);
        let live = screen(&model).contains("[ Sacar R$ 1.000,00 ]");
        assert_eq!(live, may, "{name}");
    }
}

#[test]
fn review_shows_literal_amount_and_aligned_figures() {
    let mut live = review(Lang::Pt, |review| {
        review.agreement.body = r#"{"pixKey":"x","amount":100000}"#.into();
    });
    live.sandbox = false;
    let screen = screen(&live);
    assert!(screen.contains("\"amount\":100000\n"), "{screen}");
    let figures = ["R$ 1.000,00", "− R$ 11,50", "R$ 988,50   calculado"];
    let end = |figure: &str| {
        let line = screen.lines().find(|line| line.contains(figure)).unwrap();
        line.split(',').next().unwrap().chars().count()
    };
    assert_eq!(figures.map(end), [end(figures[0]); 3], "{screen}");
}

#[test]
fn literal_amount_is_shown_until_unit_is_confirmed() {
    let with = |lines: &str| {
        let mut model = review(Lang::Pt, |review| {
            review.agreement.body = r#"{"valor":100000,"amount":1}"#.into();
        });
        model.setup.contract = Contract::own(&[("loja.toml", lines)]).unwrap().into();
        model.sandbox = false;
        model
    };
    let mut named = with("withdrawal.field.amount.name = 'valor'");
    assert!(screen(&named).contains("O que é enviado   \"valor\":100000\n"), "{}", screen(&named));
    // The screen need not show the number that is sent, because the sandbox's unit of amounts is
    // known.
    named.sandbox = true;
    assert!(!screen(&named).contains("O que é enviado"), "{}", screen(&named));
    let confirmed = screen(&with("confirmed = ['withdrawal.unit']"));
    assert!(!confirmed.contains("O que é enviado"), "{confirmed}");
    let mut claimed = with("");
    let lines = [("loja.toml", "confirmed = ['withdrawal.unit']")];
    claimed.setup.contract = Contract::with(&lines).unwrap().into();
    assert!(screen(&claimed).contains("O que é enviado"), "a seller's file confirms nothing");
}

#[test]
fn a_proxy_of_the_profile_is_named_on_the_review() {
    let mut model = review(Lang::Pt, |_| ());
    assert!(!screen(&model).contains("proxy"), "{}", screen(&model));
    let way = [("profile.proxy".to_owned(), "http://proxy.loja.example:3128".to_owned())].into();
    model.setup.contract = Contract::built_in().with_profile_lines(&way).into();
    let named = "Sai pelo proxy    http://proxy.loja.example:3128\n";
    assert!(screen(&model).contains(named), "{}", screen(&model));
}

#[test]
fn the_field_and_every_reason_stay_in_sight_at_80x24() {
    let (_, mut model) =
        reviews(Lang::Pt).into_iter().find(|(name, _)| *name == "review-everything").unwrap();
    let Some(Layer::Withdraw(Flow::Review(review))) = model.layers.last_mut() else { panic!() };
    let longest = format!("{}@loja-da-ana.example", "a".repeat(57));
    pay_to(&mut review.agreement, PixKey::parse(PixKeyKind::Email, &longest).unwrap());
    let screen = running(&screen(&model));
    for said in [
        "Outro saque está em aberto",
        "Já existe um saque igual",
        "Não deu para consultar a taxa",
        "Digite o valor R$ 100,00",
        "primeira vez",
    ] {
        assert!(screen.contains(said), "{said}: {screen}");
    }
}

#[test]
fn link_code_is_the_exact_url_in_every_theme() {
    let link = payments::link(7, 4_990, "Camiseta", payments::created(URL));
    let model = payments::link_details(Lang::Pt, link);
    for theme in Theme::NAMES {
        let screen = painted(&model, &Theme::named(theme).unwrap(), 80, 24);
        assert_eq!(read(&screen).as_deref(), Some(URL), "{theme}");
    }
    let wide = buffer(&payments::links_pane(Lang::Pt, URL), 120, 40);
    assert_eq!(read(&wide).as_deref(), Some(URL));
}

#[test]
fn a_pix_code_is_read_from_the_screen_at_80x24() {
    let screen = buffer(&under(Lang::Pt, Layer::Qr(Qr::of(CODE))), 80, 24);
    assert_eq!(read(&screen).as_deref(), Some(CODE));
}

#[test]
fn pix_code_picture_is_shown_unless_code_is_odd() {
    // Use a terminal with less than 100 columns. In wider terminals, the details are beside the
    // list.
    let details = |code| buffer(&payments::charge_details(Lang::Pt, payments::made(code)), 96, 40);
    assert_eq!(read(&details(Some(CODE))).as_deref(), Some(CODE));
    let tall = buffer(&payments::charges_pane(Lang::Pt), 120, 52);
    assert_eq!(read(&tall).as_deref(), Some(CODE));
    let cut = CODE.replace("CA90", "CA91");
    for odd in [&*cut, DEARER, "pix://loja/7f3k2q"] {
        assert_eq!(read(&details(Some(odd))), None, "{odd}");
        let mut tall = payments::charges_pane(Lang::Pt);
        let mut rows = tall.charges.page.rows.to_vec();
        rows[0].outcome = payments::made(Some(odd));
        tall.charges.page.rows = rows.into();
        assert_eq!(read(&buffer(&tall, 120, 52)), None, "{odd}");
    }
}

#[test]
fn url_that_cannot_be_copied_has_no_qr_code() {
    let outcome = payments::created("https://loja.example/check\u{202e}out");
    let link = payments::link(7, 4_990, "Camiseta", outcome);
    let screen = buffer(&payments::link_details(Lang::Pt, link), 80, 24);
    assert_eq!(read(&screen), None);
    assert!(text(&screen).contains("check‹U+202E›out"));
}

#[test]
fn long_url_is_shown_in_full_without_gaps() {
    let url = format!("https://loja.example/checkout/link-{}", "0123456789".repeat(30));
    let link = payments::link(7, 4_990, "Camiseta", payments::created(&url));
    let screen = screen(&payments::link_details(Lang::Pt, link));
    assert!(screen.replace('\n', "").contains(&url), "{screen}");
}

#[test]
fn unchecked_fee_is_not_shown_as_a_different_fee() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let [other, unchecked] =
            ["send-does-replace", "send-does-unchecked"].map(|id| words.text(id));
        for (name, model) in sends(lang) {
            let screen = running(&screen(&model));
            assert_eq!(screen.contains(&other), name == "send-fee-other", "{name}:\n{screen}");
            let is_unchecked = ["send-fee-gone", "send-fee-fault"].contains(&name);
            assert_eq!(screen.contains(&unchecked), is_unchecked, "{name}:\n{screen}");
        }
    }
}

/// The review screen must not say that no money has moved while another withdrawal may have been
/// paid. It may only say that this withdrawal was not sent.
#[test]
fn review_beside_another_reports_only_itself_unsent() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let [nothing, this] = ["review-nothing-yet", "beside-not-sent"].map(|id| words.text(id));
        for (name, model) in reviews(lang) {
            let names_another = match model.layers.last() {
                Some(Layer::Withdraw(Flow::Review(review))) => review.look.named().is_some(),
                _ => continue,
            };
            let is_beside = names_another || model.is_another_open(None);
            let screen = running(&screen(&model));
            assert_eq!(screen.contains(&this), is_beside, "{name}:\n{screen}");
            assert_eq!(screen.contains(&nothing), !is_beside, "{name}:\n{screen}");
        }
    }
}

#[test]
fn refused_form_reports_only_its_own_as_not_sent() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let [nothing, this] = ["withdraw-nothing-sent", "beside-not-sent"].map(|id| words.text(id));
        let forms = forms(lang).into_iter().filter(|(name, _)| {
            name.starts_with("withdraw-look-again-") || *name == "withdraw-same-open"
        });
        let forms: Vec<_> = forms.collect();
        assert!(forms.len() > 4, "{}", forms.len());
        for (name, model) in forms {
            let screen = running(&screen(&model));
            assert!(screen.contains(&this) && !screen.contains(&nothing), "{name}:\n{screen}");
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
            let all = payments::links(lang).into_iter().chain(payments::charges(lang));
            let mut model = all.into_iter().find(|(other, _)| *other == name).unwrap().1;
            let fields = model.layers[0].screen().form().unwrap().fields.len();
            for focus in 0..=fields {
                model.layers[0].screen_mut().form_mut().unwrap().focus = focus;
                let screen = text(&buffer(&model, MIN_SIZE.columns, MIN_SIZE.rows));
                let said = running(&screen);
                assert!(said.contains(&words.text(id)), "{name}, field {focus}:\n{screen}");
            }
        }
    }
}

#[test]
fn resend_elsewhere_is_shown_as_possibly_paid() {
    for lang in Lang::ALL {
        let again = Catalogue::of(lang).text("said-sending-elsewhere-again");
        let first = Catalogue::of(lang).text("said-sending-elsewhere");
        let is_it = |(name, _): &(&str, Model)| *name == "withdrawal-sending-elsewhere";
        let model = outcomes(lang).into_iter().find(is_it).unwrap().1;
        let screen = running(&screen(&model));
        assert!(screen.contains(&again) && !screen.contains(&first), "{screen}");
    }
}

#[test]
fn too_long_url_or_code_explains_why_not_shared() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let url = |length: usize| format!("{URL}{}", "x".repeat(length - URL.len()));
        for (length, is_said) in [(4_096, false), (4_097, true), (5_000, true)] {
            let link = payments::link(7, 4_990, "Camiseta azul M", payments::created(&url(length)));
            let link = payments::link_details(lang, link);
            let charge = payments::charge_details(lang, payments::made(Some(&"0".repeat(length))));
            for (model, id) in [(link, "link-too-long"), (charge, "charge-code-too-long")] {
                let said = words.with(id, &[("most", "4096")]);
                let screen = running(&screen(&model));
                assert_eq!(screen.contains(&said), is_said, "{id} of {length}:\n{screen}");
                assert!(!said.contains('$'), "{said}");
            }
        }
    }
}
