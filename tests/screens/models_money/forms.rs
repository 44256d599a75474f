//! App models of the withdrawal form, with a fee preview or after a refusal, and of the review
//! screen that follows the form.

use balcao::app::screen::{Buttons, Focus};
use balcao::app::screens::Layer;
use balcao::app::screens::withdrawals::draft::KnownDestinations;
use balcao::app::screens::withdrawals::{Draft, FeeCheck, FinalReview, Flow, Review, SendQuestion};
use balcao::app::store::withdrawals::{PastPayments, Purpose, Refused};
use balcao::app::store::withdrawals::{QuoteState, Retype, WhyRetype};
use balcao::app::ui::contract_form;
use balcao::app::{Model, Pane};
use balcao::trade::NoQuote;
use balcao::trade::withdrawal::{Blocker, Clash, ClashKind, Destination};
use balcao::trade::{
    Agreement, AmountField, CredentialKind, Failure, JournalTrouble, Money, NoAnswer, Origin,
    PixKey, PixKeyKind, Quote, QuoteFault, QuoteFigure, Refusal, Wall, Withdrawal,
};
use balcao::words::{Catalogue, Lang};

use super::payments::{brl, wait};
use super::withdrawals::team_with_approvals;
use super::withdrawals::{
    acceptance, agreement, find_withdrawal, mismatch, quote, rejection, timeout, unit_doubt,
    withdrawal_with,
};
use crate::models::{
    NOW, after_confirm_delay, buffer, pane_model, screen_text, text, type_amount, with_change,
};

fn draft(model: &Model, quote: QuoteState) -> Draft {
    let mut form = contract_form::form(&model.setup.contract.withdrawal.form, "withdrawal");
    if quote != QuoteState::None {
        type_amount(&mut form, brl(100_000));
    }
    form.field_mut("key").unwrap().fill("111.444.777-35");
    contract_form::recognise_kind(&mut form, &model.setup.contract.withdrawal.form);
    Draft {
        form,
        quote,
        refusal: None,
        first_quote: None,
        known_destinations: KnownDestinations::default(),
    }
}

fn form(lang: Lang, quote: QuoteState, refused: Option<Refused>) -> Model {
    let mut model = pane_model(lang, Pane::Withdrawals);
    let draft = Draft {
        refusal: refused,
        ..draft(&model, quote)
    };
    model
        .layers
        .push(Layer::Withdraw(Flow::Form(Box::new(draft))));
    model
}

fn failed_quote(why: NoQuote) -> QuoteState {
    QuoteState::Failed {
        amount: brl(100_000),
        why,
    }
}

fn logged_out_error() -> NoQuote {
    NoQuote::Failure(Failure::NoCredential(CredentialKind::ApiToken))
}

fn unreadable_fee_error() -> NoQuote {
    NoQuote::Fault(QuoteFault::Unreadable(QuoteFigure::Fee))
}

/// Returns the error for a fee preview without a fee. The reply does not contain the fee where the
/// API contract says that it is.
fn missing_fee_error() -> NoQuote {
    NoQuote::Failure(Failure::Unreadable {
        status: 200,
        expected_settings: vec!["fee_preview.fee".into(), "fee_preview.net".into()],
        can_be_taught: true,
        body: r#"{"sobra":988.50}"#.into(),
    })
}

fn other_amount_error() -> NoQuote {
    NoQuote::Fault(QuoteFault::OtherAmount {
        amount: brl(100_000),
        replied_amount: Some(brl(1_000)),
    })
}

/// Sets the fee on a review screen. Also adds a reason why the seller must type the amount again.
/// `build_reason` makes this reason from the fee and the net amount.
fn set_odd_fee(review: &mut Review, fee: Money, build_reason: impl Fn(Money, Money) -> WhyRetype) {
    let quote = Quote::new(brl(100_000), Some(fee), None, Wall(NOW.0 - 4_000)).unwrap();
    review.final_review.retype = retype(vec![build_reason(quote.fee, quote.net)], 0);
    review.draft.quote = QuoteState::Arrived(quote.clone());
    review.agreement.quote = Some(quote);
}

fn inconsistent_quote() -> QuoteFault {
    QuoteFault::DoesNotAddUp {
        amount: brl(100_000),
        fee: brl(1_150),
        net: brl(90_000),
    }
}

/// Returns a conflict of this kind between a new withdrawal and an earlier one.
pub fn clash_of_kind(kind: ClashKind) -> Clash {
    let other = match kind {
        ClashKind::Mismatch => withdrawal_with(7, vec![mismatch()]),
        ClashKind::SameDecided => withdrawal_with(7, vec![acceptance(1, 9_000)]),
        ClashKind::SamePrepared => withdrawal_with(7, vec![]),
        ClashKind::SameOpen => withdrawal_with(7, vec![timeout(1, 131)]),
        ClashKind::OtherOpen => other_open(7),
        ClashKind::SameOpenElsewhere => open_at_other_address(7),
    };
    Clash {
        kind,
        other: Box::new(other),
    }
}

/// Returns the withdrawal with which a refused form conflicts, if that withdrawal is still open.
fn open_clashing_withdrawal(refused: &Refused) -> Vec<Withdrawal> {
    let (Refused::Blocked(Blocker::Clash(clash)) | Refused::ReviewAgain(Some(clash))) = refused
    else {
        return vec![];
    };
    let is_open = !matches!(clash.kind, ClashKind::SameDecided | ClashKind::SamePrepared);
    let open = is_open.then(|| (*clash.other).clone());
    open.into_iter().collect()
}

fn clashing(kind: ClashKind) -> Refused {
    Refused::Blocked(Blocker::Clash(clash_of_kind(kind)))
}

pub fn all_clashes() -> [Clash; 6] {
    use ClashKind::*;
    [
        Mismatch,
        SameOpen,
        OtherOpen,
        SameOpenElsewhere,
        SameDecided,
        SamePrepared,
    ]
    .map(clash_of_kind)
}

/// Returns an open withdrawal of R$ 250,00 instead of the usual R$ 1.000,00.
pub fn other_open(n: u128) -> Withdrawal {
    let mut other = withdrawal_with(n, vec![timeout(1, 131)]);
    other.agreement.amount = brl(25_000);
    other
}

/// Returns an open withdrawal with the usual amount and Pix key. It was made with the usual login,
/// but at another service address.
pub fn open_at_other_address(n: u128) -> Withdrawal {
    let mut other = withdrawal_with(n, vec![timeout(1, 131)]);
    other.agreement.account.origin = Origin("https://api.pagamentos.example".into());
    other
}

/// Returns an open withdrawal with the usual amount and Pix key. It was made at the usual service
/// address, but with another login.
pub fn open_with_other_login(n: u128) -> Withdrawal {
    let mut other = withdrawal_with(n, vec![timeout(1, 131)]);
    other.agreement.account.identity = "bia@loja.example".into();
    other
}

fn destination(kind: PixKeyKind, key: &str, count: u64, days: i64) -> Destination {
    let key = PixKey::parse(kind, key).unwrap();
    let last = Wall(NOW.0 - days * 86_400_000);
    Destination {
        key,
        count,
        last,
        last_amount: brl(100_000),
    }
}

/// Returns the withdrawal form with a list of known Pix keys below the Pix key field.
fn form_with_known_keys(lang: Lang, chosen: Option<usize>, focus: Option<&str>) -> Model {
    let known_keys = vec![
        destination(PixKeyKind::Cpf, "11144477735", 14, 1),
        destination(PixKeyKind::Email, "ana@loja-da-ana.example", 3, 0),
        destination(PixKeyKind::Phone, "+5511987654321", 2, 40),
        destination(
            PixKeyKind::Random,
            "123e4567-e12b-12d1-a456-426655440000",
            1,
            90,
        ),
        destination(PixKeyKind::Cnpj, "12ABC34501DE35", 1, 200),
    ];
    let amount = brl(100_000);
    let mut model = form(
        lang,
        QuoteState::Due {
            amount,
            at_ms: 600_100,
        },
        None,
    );
    let draft = front_draft(&mut model);
    if let Some(chosen) = chosen {
        let contract = balcao::contract::Contract::built_in();
        draft.fill_destination(&contract, &known_keys[chosen].key);
    }
    if let Some(name) = focus {
        let index = draft
            .form
            .fields
            .iter()
            .position(|field| &*field.id == name);
        draft.form.focus = index.unwrap();
        draft.form.field_mut("key").unwrap().fill("");
        draft.form.field_mut("key_kind").unwrap().choose_value(None);
    }
    draft.known_destinations = KnownDestinations::new(known_keys, chosen);
    model
}

/// The error of a fee preview whose amount is smaller than the fee.
fn below_fee_error() -> NoQuote {
    let message = Some("amount não cobre a tarifa".into());
    NoQuote::Failure(Failure::Refused(Refusal {
        status: 400,
        message,
        hint: None,
        retry_after: None,
    }))
}

/// Returns the withdrawal form with this amount. Its fee preview has failed.
fn with_failed_quote(model: Model, amount: Money, why: NoQuote) -> Model {
    with_change(model, |model| {
        let draft = front_draft(model);
        type_amount(&mut draft.form, amount);
        draft.quote = QuoteState::Failed { amount, why };
    })
}

pub fn front_draft(model: &mut Model) -> &mut Draft {
    match model.layers.last_mut() {
        Some(Layer::Withdraw(Flow::Form(draft))) => draft,
        other => panic!("{other:?}"),
    }
}

/// Returns the withdrawal form while the unit of amounts is in doubt.
fn doubted_form(lang: Lang) -> Model {
    let quote = QuoteState::Arrived(quote(4, Some(1_150), None));
    with_change(form(lang, quote, None), |model| {
        model.unit.doubt = Some(unit_doubt())
    })
}

pub fn form_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let mut models = quote_form_models(lang);
    models.extend(refused_form_models(lang));
    models
}

/// Forms with each state of the fee quote.
fn quote_form_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let amount = brl(100_000);
    let quote_shown = || QuoteState::Arrived(quote(4, Some(1_150), None));
    let quote_with_all = QuoteState::Arrived(quote(64, Some(1_150), Some(98_850)));
    let fee_computed = QuoteState::Arrived(quote(4, None, Some(98_850)));
    let offers_form = || form_with_known_keys(lang, None, Some("key"));
    vec![
        ("withdraw", form(lang, QuoteState::None, None)),
        (
            "withdraw-due",
            form(
                lang,
                QuoteState::Due {
                    amount,
                    at_ms: 600_100,
                },
                None,
            ),
        ),
        (
            "withdraw-asking",
            form(
                lang,
                QuoteState::Asking {
                    amount,
                    wait: wait().unwrap(),
                },
                None,
            ),
        ),
        ("withdraw-shown", form(lang, quote_shown(), None)),
        ("withdraw-shown-all", form(lang, quote_with_all, None)),
        ("withdraw-shown-net", form(lang, fee_computed, None)),
        (
            "withdraw-logged-out",
            form(lang, failed_quote(logged_out_error()), None),
        ),
        (
            "withdraw-logged-out-beside",
            with_change(
                form(lang, failed_quote(logged_out_error()), None),
                |model| {
                    model.withdrawals.open = vec![other_open(7)];
                },
            ),
        ),
        (
            "withdraw-known-shown",
            with_change(offers_form(), |model| {
                front_draft(model).quote = QuoteState::Arrived(quote(4, Some(1_150), None));
            }),
        ),
        (
            "withdraw-known-failed",
            with_failed_quote(offers_form(), amount, logged_out_error()),
        ),
        (
            "withdraw-centavo",
            with_failed_quote(form(lang, quote_shown(), None), brl(1), below_fee_error()),
        ),
        (
            "withdraw-centavo-known",
            with_failed_quote(offers_form(), brl(1), below_fee_error()),
        ),
        (
            "withdraw-known-same-open",
            with_change(form_with_known_keys(lang, Some(1), None), |model| {
                let refused = clashing(ClashKind::SameOpen);
                model.withdrawals.open = open_clashing_withdrawal(&refused);
                front_draft(model).refusal = Some(refused);
            }),
        ),
        (
            "withdraw-fee-unread",
            form(lang, failed_quote(missing_fee_error()), None),
        ),
        (
            "withdraw-failed",
            form(
                lang,
                failed_quote(NoQuote::Failure(Failure::NoAnswer(NoAnswer::Timeout))),
                None,
            ),
        ),
        (
            "withdraw-fault",
            form(
                lang,
                failed_quote(NoQuote::Fault(inconsistent_quote())),
                None,
            ),
        ),
        (
            "withdraw-fault-missing",
            form(
                lang,
                failed_quote(NoQuote::Fault(QuoteFault::Missing)),
                None,
            ),
        ),
        (
            "withdraw-fault-fee",
            form(lang, failed_quote(unreadable_fee_error()), None),
        ),
        (
            "withdraw-fault-other",
            form(lang, failed_quote(other_amount_error()), None),
        ),
    ]
}

/// Forms with a withdrawal that cannot be reviewed, and forms that offer known Pix keys.
fn refused_form_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let amount = brl(100_000);
    let refused_form = |refused: Refused| {
        let open = open_clashing_withdrawal(&refused);
        let quote = QuoteState::Arrived(quote(4, Some(1_150), None));
        with_change(form(lang, quote, Some(refused)), |model| {
            model.withdrawals.open = open
        })
    };
    let look_again_form = |kind| refused_form(Refused::ReviewAgain(Some(clash_of_kind(kind))));
    vec![
        (
            "withdraw-same-open",
            refused_form(clashing(ClashKind::SameOpen)),
        ),
        (
            "withdraw-mismatch",
            refused_form(clashing(ClashKind::Mismatch)),
        ),
        (
            "withdraw-look-again",
            refused_form(Refused::ReviewAgain(None)),
        ),
        (
            "withdraw-look-again-same",
            look_again_form(ClashKind::SameOpen),
        ),
        (
            "withdraw-look-again-open",
            look_again_form(ClashKind::OtherOpen),
        ),
        (
            "withdraw-look-again-elsewhere",
            look_again_form(ClashKind::SameOpenElsewhere),
        ),
        (
            "withdraw-look-again-decided",
            look_again_form(ClashKind::SameDecided),
        ),
        (
            "withdraw-look-again-mismatch",
            look_again_form(ClashKind::Mismatch),
        ),
        (
            "withdraw-known",
            form_with_known_keys(lang, None, Some("key_kind")),
        ),
        (
            "withdraw-known-chosen",
            form_with_known_keys(lang, Some(1), None),
        ),
        ("withdraw-known-refused", {
            let mut model = form_with_known_keys(lang, Some(0), None);
            let Some(Layer::Withdraw(Flow::Form(draft))) = model.layers.last_mut() else {
                unreachable!()
            };
            draft.refusal = Some(Refused::ReviewAgain(Some(clash_of_kind(
                ClashKind::OtherOpen,
            ))));
            model
        }),
        (
            "withdraw-journal",
            refused_form(Refused::Journal(JournalTrouble::Missing)),
        ),
        (
            "withdraw-network",
            refused_form(Refused::Journal(JournalTrouble::Network("NFS".into()))),
        ),
        ("withdraw-doubt", doubted_form(lang)),
        ("withdraw-other-unit", refused_form(Refused::OtherUnit)),
        (
            "withdraw-quote-wait",
            form(
                lang,
                QuoteState::Asking {
                    amount,
                    wait: wait().unwrap(),
                },
                Some(Refused::QuoteNotThere),
            ),
        ),
        (
            "withdraw-quote-wrong",
            form(lang, failed_quote(NoQuote::Fault(inconsistent_quote())), {
                let amount = brl(100_000);
                let why = NoQuote::Fault(inconsistent_quote());
                Some(Refused::QuoteBlocks { amount, why })
            }),
        ),
    ]
}

/// Returns a review screen on which the seller can confirm the withdrawal. Applies `change` to it.
pub fn review(lang: Lang, change: impl Fn(&mut Review)) -> Model {
    let mut model = pane_model(lang, Pane::Withdrawals);
    let fresh_quote = quote(4, Some(1_150), None);
    let agreement = Agreement {
        quote: Some(fresh_quote.clone()),
        ..agreement(0)
    };
    let draft = draft(&model, QuoteState::Arrived(fresh_quote));
    let known_key = destination(PixKeyKind::Cpf, "11144477735", 14, 1);
    let past = Some(PastPayments {
        similar: vec![],
        known_destination: Some(known_key),
    });
    let look = FinalReview {
        buttons: Buttons::armed_at(0),
        retype: None,
        past,
    };
    let mut review = Review {
        draft,
        agreement,
        only_prepares: false,
        final_review: look,
    };
    change(&mut review);
    let open;
    (open, review.final_review.past) = clashing_withdrawals(
        review.final_review.retype.as_ref(),
        review.final_review.past,
    );
    model.withdrawals.open = open;
    model
        .layers
        .push(Layer::Withdraw(Flow::Review(Box::new(review))));
    model
}

/// Returns the withdrawals that force the seller to type the amount again: the open ones, and the
/// similar ones from the past.
fn clashing_withdrawals(
    retype: Option<&Retype>,
    past: Option<PastPayments>,
) -> (Vec<Withdrawal>, Option<PastPayments>) {
    let mut open = vec![];
    let mut similar = vec![];
    for reason in retype.iter().flat_map(|retype| &retype.why) {
        match reason {
            WhyRetype::SameWithinADay(other) => similar.push((**other).clone()),
            other => open.extend(other.other_withdrawal().cloned()),
        }
    }
    (open, past.map(|past| PastPayments { similar, ..past }))
}

/// Returns the usual request body of a withdrawal, with these additional JSON members.
pub fn body_with_members(members: &str) -> std::sync::Arc<str> {
    let usual_members = r#""amount":1000.00,"pixKeyType":"cpf","pixKey":"11144477735""#;
    format!("{{{usual_members},{members}}}").into()
}

/// Changes the Pix key of a withdrawal, both in its terms and in its request body.
pub fn set_pix_key(agreement: &mut Agreement, key: PixKey) {
    let kind = balcao::contract::key_kind_id(key.kind());
    let kind = if kind == "random" { "evp" } else { kind };
    agreement.body = format!(
        r#"{{"amount":1000.00,"pixKeyType":"{kind}","pixKey":"{}"}}"#,
        key.as_str()
    )
    .into();
    agreement.destination = Some(key);
}

/// Returns the dialog in which the seller confirms that a withdrawal is sent, or sent again.
fn send_model(lang: Lang, withdrawal: Withdrawal, change: impl Fn(&mut SendQuestion)) -> Model {
    let mut model = pane_model(lang, Pane::Withdrawals);
    let known_key = destination(PixKeyKind::Cpf, "11144477735", 14, 1);
    let mut question = SendQuestion {
        purpose: Purpose::Send,
        withdrawal: withdrawal.clone(),
        fee: FeeCheck::AsAgreed,
        final_review: FinalReview {
            buttons: Buttons::armed_at(0),
            retype: None,
            past: Some(PastPayments {
                similar: vec![],
                known_destination: Some(known_key),
            }),
        },
        discarding: false,
    };
    change(&mut question);
    let mut open;
    (open, question.final_review.past) = clashing_withdrawals(
        question.final_review.retype.as_ref(),
        question.final_review.past,
    );
    open.extend(model.state_of(&withdrawal).is_open().then_some(withdrawal));
    model.withdrawals.open = open;
    model.layers.push(Layer::Send(Box::new(question)));
    model
}

/// Returns the dialog in which Bia approves a withdrawal that Ana prepared.
fn approve_model(lang: Lang, fee: FeeCheck) -> Model {
    let mut withdrawal = find_withdrawal("prepared");
    withdrawal.agreement.quote = Some(quote(40, Some(1_150), None));
    withdrawal.approvals.preparers = vec!["ana".into()];
    let mut model = send_model(lang, withdrawal, |question| {
        question.purpose = Purpose::Approve;
        question.fee = fee.clone();
    });
    model.withdrawals.team = team_with_approvals();
    model
}

pub fn send_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let with_fresh_quote = |mut withdrawal: Withdrawal| {
        withdrawal.agreement.quote = Some(quote(40, Some(1_150), None));
        withdrawal
    };
    let add_members = |question: &mut SendQuestion| {
        let agreement = &mut question.withdrawal.agreement;
        let members = r#""callback":{"url":"https://loja.example/aviso"},"priority":true"#;
        agreement.body = body_with_members(&format!(r#""description":"aluguel",{members}"#));
        agreement.untyped = vec!["/callback/url".into(), "/priority".into()];
    };
    vec![
        (
            "send-first",
            send_model(lang, with_fresh_quote(find_withdrawal("prepared")), |_| {}),
        ),
        (
            "send-after-no",
            send_model(
                lang,
                with_fresh_quote(find_withdrawal("prepared-early")),
                add_members,
            ),
        ),
        (
            "send-again",
            send_model(lang, find_withdrawal("unknown"), |_| {}),
        ),
        (
            "send-asking",
            send_model(lang, find_withdrawal("prepared"), |question| {
                question.fee = FeeCheck::Asking(wait().unwrap())
            }),
        ),
        ("approve", approve_model(lang, FeeCheck::AsAgreed)),
        (
            "approve-fee-other",
            approve_model(
                lang,
                FeeCheck::Other(QuoteState::Arrived(quote(1, Some(2_150), None))),
            ),
        ),
        (
            "send-fee-other",
            send_model(lang, find_withdrawal("prepared"), |question| {
                question.fee = FeeCheck::Other(QuoteState::Arrived(quote(1, Some(2_150), None)));
            }),
        ),
        (
            "send-fee-gone",
            send_model(lang, find_withdrawal("prepared"), |question| {
                question.fee = FeeCheck::Other(failed_quote(NoQuote::Failure(Failure::NoAnswer(
                    NoAnswer::Cut,
                ))));
            }),
        ),
        (
            "send-fee-fault",
            send_model(lang, find_withdrawal("prepared"), |question| {
                question.fee = FeeCheck::Other(failed_quote(NoQuote::Fault(QuoteFault::Missing)));
            }),
        ),
        (
            "send-other-destination",
            send_model(
                lang,
                with_fresh_quote(find_withdrawal("prepared")),
                |question| {
                    question.withdrawal.agreement.body =
                        r#"{"amount":1000.00,"pixKeyType":"email","pixKey":"x@ladrao.example"}"#
                            .into();
                },
            ),
        ),
        (
            "send-retype",
            send_model(
                lang,
                with_fresh_quote(find_withdrawal("prepared")),
                |question| {
                    let same = Box::new(withdrawal_with(3, vec![acceptance(1, 3_600)]));
                    question.final_review.retype =
                        retype(vec![WhyRetype::SameWithinADay(same)], 1_000);
                    question.final_review.buttons.focus = Focus::Amount;
                },
            ),
        ),
        (
            "send-long-paged",
            send_model(
                lang,
                with_fresh_quote(find_withdrawal("prepared")),
                |question| {
                    let long_member = format!(r#""note":"{}""#, "x".repeat(1_600));
                    question.withdrawal.agreement.body = body_with_members(&long_member);
                },
            ),
        ),
    ]
}

fn retype(reasons: Vec<WhyRetype>, typed_centavos: i64) -> Option<Retype> {
    let mut field = AmountField::default();
    field.set(brl(typed_centavos));
    Some(Retype {
        why: reasons,
        field,
    })
}

fn remove_quote(review: &mut Review, typed_centavos: i64) {
    review.draft.quote = failed_quote(NoQuote::Failure(Failure::NoAnswer(NoAnswer::Timeout)));
    review.agreement.quote = None;
    review.final_review.retype = retype(vec![WhyRetype::NoQuote], typed_centavos);
    review.final_review.buttons.focus = Focus::Amount;
}

/// Returns review screens that mention other withdrawals of the seller.
fn review_models_with_others(lang: Lang) -> Vec<(&'static str, Model)> {
    let same_decided = |n| {
        let attempts = vec![acceptance(1, 9_000)];
        WhyRetype::SameWithinADay(Box::new(withdrawal_with(n, attempts)))
    };
    let another_open = |n| WhyRetype::AnotherOpen(Box::new(other_open(n)));
    let same_elsewhere = |other| WhyRetype::SameOpenElsewhere(Box::new(other));
    vec![
        (
            "review-same-other-address",
            review(lang, |review| {
                review.final_review.retype =
                    retype(vec![same_elsewhere(open_at_other_address(1))], 0);
            }),
        ),
        (
            "review-same-other-login",
            review(lang, |review| {
                review.final_review.retype =
                    retype(vec![same_elsewhere(open_with_other_login(1))], 0);
            }),
        ),
        (
            "review-another-open",
            review(lang, |review| {
                review.final_review.retype = retype(vec![another_open(1)], 10_000);
            }),
        ),
        (
            "review-just-retyped",
            with_change(
                review(lang, |review| {
                    review.final_review.retype = retype(vec![another_open(1)], 100_000);
                    review.final_review.buttons.focus = Focus::Amount;
                }),
                |model| {
                    let now_ms = model.now.boot_ms;
                    model.typed_text.add_character(now_ms);
                },
            ),
        ),
        (
            "review-others-open",
            review(lang, |review| {
                review.final_review.retype =
                    retype(vec![another_open(1), another_open(2), another_open(3)], 0);
            }),
        ),
        (
            "review-everything",
            review(lang, |review| {
                remove_quote(review, 10_000);
                review.final_review.retype = retype(
                    vec![
                        another_open(1),
                        same_decided(5),
                        same_decided(6),
                        WhyRetype::NoQuote,
                    ],
                    10_000,
                );
                review.final_review.past = Some(PastPayments::default());
            }),
        ),
        (
            "review-rejected-today",
            review(lang, |review| {
                let refused = Box::new(withdrawal_with(5, vec![rejection(1, 9_000)]));
                review.final_review.retype = retype(vec![WhyRetype::SameWithinADay(refused)], 0);
            }),
        ),
        (
            "review-same-today",
            review(lang, |review| {
                review.final_review.retype = retype(vec![same_decided(5)], 0)
            }),
        ),
    ]
}

pub fn review_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let make_stale = |review: &mut Review| {
        let old_quote = quote(150, Some(1_150), None);
        review.draft.quote = QuoteState::Arrived(old_quote.clone());
        review.agreement.quote = Some(old_quote);
    };
    let mut models = vec![
        ("review", review(lang, |_| {})),
        ("review-confirm", {
            let focus = |review: &mut Review| review.final_review.buttons.focus = Focus::Confirm;
            after_confirm_delay(review(lang, focus))
        }),
        (
            "review-dead",
            review(lang, |review| {
                review.final_review.buttons.armed_at_ms = 600_400
            }),
        ),
        ("review-stale", review(lang, make_stale)),
        (
            "review-asking",
            review(lang, |review| {
                make_stale(review);
                let wait = wait().unwrap();
                review.draft.quote = QuoteState::Asking {
                    amount: brl(100_000),
                    wait,
                };
            }),
        ),
        (
            "review-no-quote",
            review(lang, |review| remove_quote(review, 0)),
        ),
        (
            "review-no-quote-typed",
            review(lang, |review| {
                remove_quote(review, 100_000);
                review.final_review.buttons.focus = Focus::Confirm;
            }),
        ),
        ("review-nothing-arrives", {
            let nothing = |_, net| WhyRetype::NothingArrives { net };
            review(lang, |review| set_odd_fee(review, brl(100_000), nothing))
        }),
        ("review-finer", {
            let finer = |fee, net| WhyRetype::FinerThanCentavos { fee, net };
            review(lang, |review| {
                set_odd_fee(review, Money::parse_wire("11.505").unwrap(), finer)
            })
        }),
        (
            "review-first-time",
            review(lang, |review| {
                let key = "123e4567-e12b-12d1-a456-426655440000";
                let key = PixKey::parse(PixKeyKind::Random, key).unwrap();
                set_pix_key(&mut review.agreement, key);
                review.final_review.past = Some(PastPayments::default());
            }),
        ),
        (
            "review-phone",
            review(lang, |review| {
                let key = PixKey::parse(PixKeyKind::Phone, "+5511987654321").unwrap();
                set_pix_key(&mut review.agreement, key);
            }),
        ),
        (
            "review-quote-changed",
            review(lang, |review| {
                review.draft.first_quote = Some(quote(150, Some(950), None))
            }),
        ),
        (
            "review-fault",
            review(lang, |review| {
                remove_quote(review, 0);
                review.draft.quote = failed_quote(NoQuote::Fault(inconsistent_quote()));
            }),
        ),
        (
            "review-on-file",
            review(lang, |review| {
                review.agreement.destination = None;
                review.agreement.body = r#"{"amount":1000.00}"#.into();
            }),
        ),
        (
            "review-members",
            review(lang, |review| {
                let members = r#""description":"aluguel","webhook":"https://loja.example/aviso""#;
                review.agreement.body = body_with_members(members);
                review.agreement.untyped = vec!["/webhook".into()];
            }),
        ),
        ("preparing", {
            let mut model = review(lang, |_| {});
            let Some(Layer::Withdraw(Flow::Review(review))) = model.layers.pop() else {
                panic!()
            };
            let flow = Flow::Preparing {
                review,
                wait: wait().unwrap(),
            };
            model.layers = vec![Layer::Withdraw(flow)];
            model
        }),
        ("sending", {
            let mut model = review(lang, |_| {});
            let withdrawal = Box::new(withdrawal_with(0, vec![]));
            let flow = Flow::Sending {
                withdrawal,
                wait: wait().unwrap(),
            };
            model.layers = vec![Layer::Withdraw(flow)];
            model.withdrawals.in_flight = Some(agreement(0).key);
            model
        }),
    ];
    models.extend(review_models_with_others(lang));
    models
}

#[test]
fn form_without_fee_shows_its_unsent_state_once() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let [nothing_sent, unsent_text, beside_text] =
            ["moved-not-sent", "withdraw-nothing-sent", "beside-not-sent"].map(|id| words.text(id));
        let screen_of = |name| {
            let models = form_models(lang);
            let (_, model) = models
                .iter()
                .find(|(model_name, _)| *model_name == name)
                .unwrap();
            screen_text(model)
        };
        let screen = screen_of("withdraw-logged-out");
        assert!(
            screen.contains(&unsent_text) && !screen.contains(&beside_text),
            "{screen}"
        );
        assert_eq!(screen.matches(&nothing_sent).count(), 1, "{screen}");
        let screen = screen_of("withdraw-logged-out-beside");
        assert!(
            screen.contains(&beside_text) && !screen.contains(&nothing_sent),
            "{screen}"
        );
    }
}

#[test]
fn destinations_use_free_rows_and_figures_stay() {
    let models = form_models(Lang::Pt);
    let find_form = |name| {
        &models
            .iter()
            .find(|(model_name, _)| *model_name == name)
            .unwrap()
            .1
    };
    let destinations = ["14 vezes", "3 vezes", "2 vezes", "23/08/2026", "05/05/2026"];
    for name in [
        "withdraw-known",
        "withdraw-known-chosen",
        "withdraw-known-shown",
    ] {
        let screen = screen_text(find_form(name));
        for destination in destinations {
            assert!(
                screen.contains(destination),
                "{name}: {destination}: {screen}"
            );
        }
        assert!(screen.contains("Nada foi enviado."), "{name}: {screen}");
    }
    // The five known Pix keys and the fee preview fit into 27 rows only if there are no blank lines
    // around the button.
    let screen = text(&buffer(find_form("withdraw-known-shown"), 80, 27));
    assert!(
        screen.contains("Sai do seu saldo") && screen.contains("Valor líquido"),
        "{screen}"
    );
    assert!(
        destinations
            .iter()
            .all(|destination| screen.contains(destination)),
        "{screen}"
    );
}
