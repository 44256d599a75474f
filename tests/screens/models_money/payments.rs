//! App models of payment links, direct payments and the checkout page that buyers see.

use std::sync::Arc;

use balcao::app::cx::{CodeText, Question, Route};
use balcao::app::message::BuyerPage;
use balcao::app::screen::sales::SaleDetails;
use balcao::app::screens::Layer;
use balcao::app::screens::buyer::Buyer;
use balcao::app::screens::charges::NewCharge;
use balcao::app::screens::links::NewLink;
use balcao::app::screens::qr::Qr;
use balcao::app::store::clip::Clip;
use balcao::app::store::payable::{Payable, PayableUse};
use balcao::app::store::payable_warnings::PayableWarning;
use balcao::app::store::sales::usual_sites;
use balcao::app::ui::contract_form;
use balcao::app::ui::form::{Field, Form};
use balcao::app::ui::input::{Code, Key, Pace};
use balcao::app::ui::known::Known;
use balcao::app::ui::list::List;
use balcao::app::ui::sent_form::SentForm;
use balcao::app::{DemoSetup, Model, Pane, Wait};
use balcao::trade::{
    Charge, ChargeOutcome, ChargeRequest, CheckoutDomain, CreatedCharge, CreatedLink, DayTotal,
    DomainChoice, DomainState, Failure, KnownBuyer, KnownLink, LinkOutcome, LinkRequest,
    LinksTotal, ListPage, ListTotals, LostHistory, NoAnswer, Paid, PaidSource, PaymentLink,
    RecentTotals, Refusal, RowId, Sale, SaleAuthors, SearchTotals, Ticket, Wall,
};
use balcao::words::Lang;

use crate::models::{
    NOW, OFFSET, model, open_screen, operators, pane_model, read_search, type_amount, with_change,
};
pub use crate::models::{account, brl};

/// A Pix code for R$ 49,90, with a realistic length.
pub const PIX_CODE: &str = "00020126580014br.gov.bcb.pix0136\
123e4567-e12b-12d1-a456-4266554400005204000053039865405\
49.905802BR5911LOJA DA ANA6008BRASILIA62070503***6304CA90";

/// A Pix code like [`PIX_CODE`], but for R$ 50,90.
pub const OTHER_AMOUNT_CODE: &str = "00020126580014br.gov.bcb.pix0136\
123e4567-e12b-12d1-a456-4266554400005204000053039865405\
50.905802BR5911LOJA DA ANA6008BRASILIA62070503***6304D44F";

/// A Pix code like [`PIX_CODE`], but without an amount.
const OPEN_AMOUNT_CODE: &str = "00020126580014br.gov.bcb.pix0136\
123e4567-e12b-12d1-a456-4266554400005204000053039865802BR\
5911LOJA DA ANA6008BRASILIA62070503***6304277B";

/// A Pix code like [`PIX_CODE`], but its receiver's name is longer than some banks accept.
const LONG_NAME_CODE: &str = "00020126580014br.gov.bcb.pix0136\
123e4567-e12b-12d1-a456-426655440000520400005303986540\
549.905802BR5933DOCES E BOLOS DA ANA MARIA E FILH6008BRASILIA62070503***6304B101";

/// A dynamic Pix code. It contains a URL from which the buyer's bank loads the terms of the
/// payment.
const DYNAMIC_CODE: &str = "00020101021226470014br.gov.bcb.pix2525\
pix.example/v2/7f3k2q8d1f5204000053039865802BR\
5911LOJA DA ANA6005BELEM62070503***630499B5";

/// The URL of a payment link that was created in the sandbox.
pub const URL: &str = "http://loja-da-ana.localhost:41873/checkout/link-7f3k2q";

const HOST: &str = "loja-da-ana.localhost";
const DAY_MS: i64 = 86_400_000;

pub fn wait() -> Option<Wait> {
    Some(Wait {
        ticket: Ticket(7),
        since_ms: 597_000,
    })
}

pub fn refusal() -> Refusal {
    Refusal {
        status: 400,
        message: Some("Domínio de checkout obrigatório.".into()),
        hint: Some(
            "Conecte um domínio próprio ativo a uma de suas lojas para criar links de pagamento."
                .into(),
        ),
        retry_after: None,
    }
}

pub fn link(
    seconds_ago: i64,
    centavos: i64,
    description: &str,
    outcome: LinkOutcome,
) -> PaymentLink {
    let has_domain = centavos != 7_990;
    PaymentLink {
        id: RowId(seconds_ago),
        at: Wall(NOW.0 - seconds_ago * 1_000),
        request: LinkRequest {
            account: account(),
            amount: brl(centavos),
            description: description.into(),
            domain: has_domain.then(|| HOST.into()),
        },
        outcome,
        paid: None,
        note: None,
        put_away: None,
        authors: SaleAuthors::default(),
    }
}

pub fn link_created(url: &str) -> LinkOutcome {
    LinkOutcome::Created(CreatedLink { url: url.into() })
}

fn sample_links() -> Vec<PaymentLink> {
    vec![
        link(7, 4_990, "Camiseta azul M", link_created(URL)),
        link(680, 14_990, "Tênis de corrida 42", link_created(URL)),
        link(2_650, 7_990, "Boné", link_created(URL)),
        link(5_400, 4_990, "Camiseta preta G", LinkOutcome::Unknown),
        link(59_000, 32_000, "Consultoria, uma hora", link_created(URL)),
        link(
            60_000,
            32_000,
            "Consultoria, uma hora",
            LinkOutcome::Refused(refusal()),
        ),
        link(
            61_000,
            999_999_999_999,
            "Um pedido com uma descrição que não cabe na linha inteira do balcão",
            LinkOutcome::NotSent,
        ),
    ]
}

fn loaded_list<T>(rows: Vec<T>) -> List<T> {
    let mut list = List {
        loaded: true,
        ..List::default()
    };
    list.page = ListPage {
        total: Some(rows.len() as u64),
        first: 0,
        rows: rows.into(),
    };
    list
}

/// Returns the links pane. It lists several payment links, and all of them have this URL.
pub fn links_pane(lang: Lang, url: &str) -> Model {
    let mut model = with_domain(pane_model(lang, Pane::Links));
    let mut links = sample_links();
    links[0].outcome = link_created(url);
    model.links.list = loaded_list(links);
    let midnight = NOW.0 - NOW.0.rem_euclid(DAY_MS) + 3 * 3_600_000;
    let day = |days: i64, count, sum| DayTotal {
        starts: Wall(midnight - days * DAY_MS),
        count,
        sum: brl(sum),
        paid: brl(sum / 2),
    };
    let days = vec![day(0, 4, 32_960), day(1, 3, 64_000)];
    let rows = model.links.list.page.rows.clone();
    model.links.usual_sites = usual_sites(&rows, OFFSET);
    let marking_accounts = vec![rows[0].request.account.clone()];
    let total = sample_links().len() as u64;
    let figures = Some(Box::new(recent_totals()));
    model.links.last_totals = Some(ListTotals {
        total,
        days,
        found: None,
        figures,
        marking_accounts,
    });
    model.links.is_counted = true;
    model
}

/// Returns totals of the paid and unpaid payment links of several days.
fn recent_totals() -> RecentTotals {
    let mut figures = RecentTotals::on(NOW, OFFSET).unwrap();
    let days = [
        (0, 4, 32_960),
        (1, 3, 64_000),
        (3, 1, 4_990),
        (6, 2, 25_000),
        (12, 9, 81_010),
    ];
    for (ago, count, sum) in days {
        for (is_paid, part) in [(true, 3), (false, 1)] {
            let links = LinksTotal {
                count,
                sum: brl(sum / part),
            };
            figures
                .add_links(figures.today - ago, is_paid, links)
                .unwrap();
        }
    }
    figures
}

fn paid_mark(source: PaidSource) -> Paid {
    Paid {
        at: Wall(NOW.0 - 300_000),
        source,
    }
}

fn paid_link() -> PaymentLink {
    let unpaid = link(680, 14_990, "Tênis de corrida 42", link_created(URL));
    PaymentLink {
        paid: Some(paid_mark(PaidSource::Seller)),
        ..unpaid
    }
}

/// Returns the links pane with two payment links that are marked as paid. If `filter` is `None`,
/// the pane shows search results, which also contain unpaid links. Otherwise, it hides unpaid
/// links.
fn paid_links_pane(lang: Lang, filter: Option<bool>) -> Model {
    let mut model = links_pane(lang, URL);
    let mut links = sample_links();
    links[1] = paid_link();
    links[4].paid = Some(paid_mark(PaidSource::Seller));
    if filter.is_some() {
        links.retain(|link| link.paid.is_some());
    } else {
        model.links.list.query = "loja-da-ana".into();
    }
    model.links.list.page = loaded_list(links).page;
    model.links.filter.paid = filter;
    let total = |count, centavos| LinksTotal {
        count,
        sum: brl(centavos),
    };
    let unpaid = if filter.is_some() {
        total(0, 0)
    } else {
        total(2, 12_980)
    };
    let found = Some(SearchTotals {
        paid: total(2, 46_990),
        unpaid,
    });
    model.links.last_totals.as_mut().unwrap().found = found;
    model
}

const DAMAGED_HISTORY: &str = "/srv/ana/balcao/history-damaged-2026-11-21T133000Z.db";

/// Returns the model of a list that lacks the rows of an earlier history.
fn with_lost_history(model: &Model, lost: LostHistory) -> Model {
    with_change(model.clone(), |model| model.lost_history = Some(lost))
}

/// Returns the links pane with only paid links. The seller has marked one link as paid, and the
/// other was paid in the sandbox.
fn marked_and_paid_links_pane(lang: Lang) -> Model {
    with_change(paid_links_pane(lang, Some(true)), |model| {
        let rows = Arc::make_mut(&mut model.links.list.page.rows);
        rows[0].paid = Some(paid_mark(PaidSource::Sandbox));
    })
}

pub fn links_pane_with_all_filters(lang: Lang) -> Model {
    let mut model = paid_links_pane(lang, Some(true));
    model.links.filter.day = Some(NOW.local_day(OFFSET));
    model.links.filter.domain = Some(DomainChoice::Named(HOST.into()));
    model
}

fn with_domain(mut model: Model) -> Model {
    let domain = |host: &str| CheckoutDomain {
        host: host.into(),
        state: DomainState::Active,
        is_default: false,
    };
    model.domains.listed = Some(vec![domain(HOST)].into());
    model
}

pub fn link_details(lang: Lang, link: PaymentLink) -> Model {
    let mut model = links_pane(lang, URL);
    // Show the same link in the selected row and in the details.
    model
        .links
        .list
        .replace(&link, |row, link| row.id == link.id);
    Model {
        layers: vec![Layer::Link(Box::new(SaleDetails(link)))],
        ..model
    }
}

/// Types characters that arrive together into the focused field.
pub fn type_group(form: &mut Form, group: &str) {
    for (index, typed) in group.chars().enumerate() {
        form.edit(
            Key::plain(Code::Char(typed)),
            Pace::Text { begins: index == 0 },
        );
    }
}

/// Appends a group of characters to the amount, and submits the form once.
fn append_group(link: &mut NewLink) {
    type_group(&mut link.sent.form, "100");
    link.sent.form.ask_to_check_amounts();
}

fn new_link_model(lang: Lang, domain: usize, change: impl Fn(&mut NewLink)) -> Model {
    let mut model = links_pane(lang, URL);
    open_screen(&mut model, Route::NewLink(None));
    if let Some(Layer::NewLink(link)) = model.layers.last_mut() {
        type_amount(&mut link.sent.form, brl(4_990));
        link.sent
            .form
            .field_mut("description")
            .unwrap()
            .fill("Camiseta azul M");
        link.sent.form.choose("domain", domain);
        change(link);
    }
    model
}

fn with_screen(model: Model, route: Route) -> Model {
    with_change(model, |model| open_screen(model, route))
}

const NOTE: &str = "Ana, retirada sexta";

/// Returns screens with a note, a put-away link or a reminder, and the form for a new link that
/// offers earlier links.
pub fn tidying_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let noted = PaymentLink {
        note: Some(NOTE.into()),
        ..link(7, 4_990, "Camiseta azul M", link_created(URL))
    };
    let put_away = PaymentLink {
        put_away: Some(Wall(NOW.0 - DAY_MS)),
        ..noted.clone()
    };
    let noted_pane = with_change(links_pane(lang, URL), |model| {
        let rows = Arc::make_mut(&mut model.links.list.page.rows);
        rows[0].note.clone_from(&noted.note);
        rows[3].note = Some("Bia paga em duas vezes; a segunda só depois do dia 10".into());
    });
    let filtered = |rows: Vec<PaymentLink>| {
        with_change(links_pane(lang, URL), |model| {
            model.links.filter.put_away = true;
            model.links.list.page = loaded_list(rows).page;
            let found = Some(SearchTotals {
                unpaid: LinksTotal {
                    count: 1,
                    sum: brl(4_990),
                },
                ..SearchTotals::ZERO
            });
            model.links.last_totals.as_mut().unwrap().found = found;
        })
    };
    let details = || link_details(lang, noted.clone());
    let code = CodeText {
        text: URL.into(),
        clip: Clip::Address,
    };
    let remind = Question::UsePayable {
        to: PayableUse::Remind,
        payable: Box::new(Payable {
            message: code.text.clone(),
            code,
            warnings: vec![],
            sale: Some(Box::new(noted.clone().into())),
        }),
    };
    let put_away_question = Question::PutAway(Box::new(noted.clone()));
    let known = |description: &str, centavos, count: u32| KnownLink {
        description: description.into(),
        amount: brl(centavos),
        count: count.into(),
        last: Wall(NOW.0 - DAY_MS * i64::from(count)),
    };
    let known_links = vec![
        known("Camiseta azul M", 4_990, 3),
        known("Camiseta preta G", 5_490, 1),
    ];
    let note_form = Route::Note(Box::new(noted.clone()));
    let [ana, bia] = operators().map(Some);
    let by_team = PaymentLink {
        paid: Some(Paid {
            at: Wall(NOW.0 - DAY_MS),
            source: PaidSource::Seller,
        }),
        authors: SaleAuthors {
            created: ana.clone(),
            paid: bia.clone(),
            note: bia,
        },
        ..noted.clone()
    };
    vec![
        ("link-by-team", link_details(lang, by_team)),
        ("links-noted", noted_pane),
        ("links-put-away", filtered(vec![put_away.clone()])),
        ("links-put-away-none", filtered(vec![])),
        ("link-noted", details()),
        ("link-put-away", link_details(lang, put_away)),
        ("note", with_screen(details(), note_form)),
        (
            "ask-put-away",
            with_screen(details(), Route::Ask(put_away_question)),
        ),
        ("ask-remind", with_screen(details(), Route::Ask(remind))),
        (
            "new-link-known",
            new_link_model(lang, 0, |link| {
                let description = |field: &Field| &*field.id == "description";
                let form = &mut link.sent.form;
                form.focus = form.fields.iter().position(description).unwrap();
                link.known_links = Known::new(known_links.clone(), Some(0));
            }),
        ),
    ]
}

fn into_demo(model: Model, shared: Option<&str>) -> Model {
    with_change(model, |model| {
        let shared = shared.map(Into::into);
        model.setup.demo = Some(DemoSetup {
            shared,
            ..DemoSetup::default()
        });
    })
}

/// Returns app models of lists whose search text is read as a period or an amount.
pub fn search_models(lang: Lang) -> Vec<(&'static str, Model)> {
    vec![
        (
            "links-search-period",
            with_change(paid_links_pane(lang, None), |model| {
                read_search(&mut model.links.list, "novembro");
            }),
        ),
        (
            "links-search-amount",
            with_change(paid_links_pane(lang, None), |model| {
                read_search(&mut model.links.list, "novembro >40");
                model.links.list.searching = true;
            }),
        ),
        (
            "charges-search-amount",
            with_change(charges_pane(lang), |model| {
                read_search(&mut model.charges.list, "40-50");
            }),
        ),
    ]
}

pub fn link_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let search_pane = |text: &str, total| {
        let mut model = links_pane(lang, URL);
        model.links.list.query = text.into();
        model.links.list.searching = true;
        if total == 0 {
            model.links.list.page = ListPage::default();
        }
        model
    };
    let mut empty_pane = pane_model(lang, Pane::Links);
    empty_pane.links.list = loaded_list(vec![]);
    // Show the same paid link in the details and in the list behind them.
    let details = vec![Layer::Link(Box::new(SaleDetails(paid_link())))];
    let paid_details = Model {
        layers: details,
        ..paid_links_pane(lang, None)
    };
    let mut without_unpaid = empty_pane.clone();
    without_unpaid.links.filter.paid = Some(false);
    let mut selected_unknown = links_pane(lang, URL);
    selected_unknown.links.list.cursor = 3;
    let long_url = format!("https://{HOST}/checkout/link-{}", "7f3k2q".repeat(20));
    let odd_url = "http://ana:1@203.0.113.7/checkout/link-7f3k2q";
    let details = |outcome| link_details(lang, link(7, 4_990, "Camiseta azul M", outcome));
    let mut qr = links_pane(lang, URL);
    qr.layers.push(Layer::Qr(Qr::of(URL)));
    // The results of the requests for these payment links could not be saved. The history contains
    // only the requests.
    let mut not_saved = links_pane(lang, URL);
    let mut not_saved_details = pane_model(lang, Pane::Links);
    for n in [0, 2] {
        let link = not_saved.links.list.page.rows[n].clone();
        not_saved.links.unsaved.keep(link.clone());
        not_saved_details.layers = vec![Layer::Link(Box::new(SaleDetails(link.clone())))];
        not_saved_details.links.unsaved.keep(link);
    }
    // The QR code needs a network address, because a phone cannot open a URL with this computer's
    // loopback address.
    let shared = "http://192.168.0.10:41873/checkout/link-7f3k2q";
    let origin = Some("http://192.168.0.10:41873");
    let shared_link = link_details(lang, link(7, 7_990, "Boné", link_created(shared)));
    vec![
        ("links-not-saved", not_saved),
        ("link-not-saved", not_saved_details),
        ("link-in-demo", into_demo(details(link_created(URL)), None)),
        (
            "link-in-shared-demo",
            into_demo(details(link_created(URL)), origin),
        ),
        ("link-shared", into_demo(shared_link, origin)),
        ("qr-in-demo", into_demo(qr.clone(), None)),
        (
            "link-shell-signs",
            details(link_created("https://loja.example/check out/$(reboot)")),
        ),
        ("links-loading", pane_model(lang, Pane::Links)),
        (
            "links-lost",
            with_lost_history(&empty_pane, LostHistory::Aside(DAMAGED_HISTORY.into())),
        ),
        (
            "links-lost-some",
            with_lost_history(&links_pane(lang, URL), LostHistory::Missing),
        ),
        ("links-empty", empty_pane),
        ("links-paid", paid_links_pane(lang, None)),
        ("links-filter-paid", paid_links_pane(lang, Some(true))),
        (
            "links-filter-paid-sandbox",
            marked_and_paid_links_pane(lang),
        ),
        ("links-filter-none", without_unpaid),
        ("links-filters", links_pane_with_all_filters(lang)),
        (
            "links-filter-none-found",
            with_change(links_pane_with_all_filters(lang), |model| {
                model.links.list.query = "boné".into();
                model.links.list.page = ListPage::default();
            }),
        ),
        ("link-paid", paid_details),
        ("links", links_pane(lang, URL)),
        ("links-unknown-selected", selected_unknown),
        ("links-long-url", links_pane(lang, &long_url)),
        ("links-search", search_pane("camiseta", 2)),
        ("links-none-found", search_pane("sapato", 0)),
        ("new-link", new_link_model(lang, 0, |_| {})),
        ("new-link-named", new_link_model(lang, 1, |_| {})),
        (
            "new-link-wait",
            new_link_model(lang, 0, |link| link.sent.wait = wait()),
        ),
        (
            "new-link-check-amount",
            new_link_model(lang, 0, append_group),
        ),
        (
            "new-link-refused",
            new_link_model(lang, 0, |link| {
                link.sent.failure = Some(Failure::Refused(refusal()))
            }),
        ),
        (
            "new-link-no-answer",
            new_link_model(lang, 0, |link| {
                link.sent.failure = Some(Failure::NoAnswer(NoAnswer::Timeout))
            }),
        ),
        ("link", details(link_created(URL))),
        ("link-long", details(link_created(&long_url))),
        ("link-odd", details(link_created(odd_url))),
        (
            "link-not-clean",
            details(link_created("https://loja.example/check\u{202e}out")),
        ),
        ("link-unknown", details(LinkOutcome::Unknown)),
        ("link-refused", details(LinkOutcome::Refused(refusal()))),
        ("link-not-sent", details(LinkOutcome::NotSent)),
        ("qr", qr),
    ]
}

pub fn charge(seconds_ago: i64, centavos: i64, outcome: ChargeOutcome) -> Charge {
    Charge {
        id: RowId(seconds_ago),
        at: Wall(NOW.0 - seconds_ago * 1_000),
        request: ChargeRequest {
            account: account(),
            amount: brl(centavos),
            description: "Camiseta azul M".into(),
            customer: Some("Bruno Lima".into()),
            buyer: Default::default(),
        },
        outcome,
        paid: None,
        note: None,
        put_away: None,
        authors: SaleAuthors::default(),
    }
}

pub fn charge_created(code: Option<&str>) -> ChargeOutcome {
    ChargeOutcome::Created(CreatedCharge {
        id: Some("pay_8d1f".into()),
        status: Some("waiting_payment".into()),
        pix_code: code.map(Into::into),
        expires: Some("2026-11-21T11:42:07-03:00".into()),
    })
}

/// Returns the pane for direct payments, which lists some direct payments.
pub fn charges_pane(lang: Lang) -> Model {
    let mut model = pane_model(lang, Pane::Charges);
    model.charges.list = loaded_list(vec![
        charge(7, 4_990, charge_created(Some(PIX_CODE))),
        charge(900, 123_456, ChargeOutcome::Unknown),
        charge(60_000, 14_990, ChargeOutcome::Refused(refusal())),
        charge(61_000, 14_990, ChargeOutcome::NotSent),
    ]);
    model
}

pub fn charge_details(lang: Lang, outcome: ChargeOutcome) -> Model {
    let mut model = charges_pane(lang);
    let charge = charge(7, 4_990, outcome);
    model
        .charges
        .list
        .replace(&charge, |row, charge| row.id == charge.id);
    Model {
        layers: vec![Layer::Charge(Box::new(SaleDetails(charge)))],
        ..model
    }
}

fn new_charge_model(lang: Lang, change: impl Fn(&mut NewCharge)) -> Model {
    let mut model = charges_pane(lang);
    let spec = &model.setup.contract.direct_payment;
    let form = contract_form::form(&spec.form, "charge").with_personal(&spec.customer);
    let mut charge = NewCharge {
        sent: SentForm::new(form),
        known_buyers: Known::default(),
    };
    type_amount(&mut charge.sent.form, brl(4_990));
    change(&mut charge);
    model.layers.push(Layer::NewCharge(Box::new(charge)));
    model
}

/// A direct payment that was created and expires at this time.
fn expiring_at(date: &str) -> ChargeOutcome {
    let ChargeOutcome::Created(created) = charge_created(Some(PIX_CODE)) else {
        unreachable!()
    };
    ChargeOutcome::Created(CreatedCharge {
        expires: Some(date.into()),
        ..created
    })
}

/// A list of direct payments with an expired one that the seller has marked as paid, and that one.
fn pane_with_marked_charge(lang: Lang) -> (Model, Charge) {
    let mut pane_with_marked = charges_pane(lang);
    let mut marked_charge = charge(7_200, 4_990, expiring_at("2026-11-21T10:41:00-03:00"));
    marked_charge.paid = Some(paid_mark(PaidSource::Seller));
    let mut rows = pane_with_marked.charges.list.page.rows.to_vec();
    rows.insert(2, marked_charge.clone());
    pane_with_marked.charges.list = loaded_list(rows);
    pane_with_marked.charges.list.cursor = 2;
    (pane_with_marked, marked_charge)
}

/// A dialog that asks about the use of a Pix code with these warnings.
fn payable_dialog(lang: Lang, to: PayableUse, code: &str, warnings: Vec<PayableWarning>) -> Model {
    let code = CodeText {
        text: code.into(),
        clip: Clip::PixCode,
    };
    let payable = Box::new(Payable {
        message: code.text.clone(),
        code,
        warnings,
        sale: None,
    });
    let mut model = charge_details(lang, charge_created(Some(OTHER_AMOUNT_CODE)));
    open_screen(&mut model, Route::Ask(Question::UsePayable { to, payable }));
    model
}

pub fn charge_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let mut empty_pane = pane_model(lang, Pane::Charges);
    empty_pane.charges.list = loaded_list(vec![]);
    let mut none_found = empty_pane.clone();
    none_found.charges.list.query = "sapato".into();
    let mut qr = charges_pane(lang);
    qr.layers.push(Layer::Qr(Qr::of(PIX_CODE)));
    let mut not_saved = charge_details(lang, charge_created(Some(PIX_CODE)));
    let unsaved = not_saved.charges.list.page.rows[0].clone();
    not_saved.charges.unsaved.keep(unsaved);
    let without_fields = ChargeOutcome::Created(CreatedCharge {
        id: None,
        status: None,
        pix_code: None,
        expires: None,
    });
    let wrong_checksum = PIX_CODE.replace("CA90", "CA91");
    let mut pane_with_odd_code = charges_pane(lang);
    let mut rows = pane_with_odd_code.charges.list.page.rows.to_vec();
    rows[0].outcome = charge_created(Some(OTHER_AMOUNT_CODE));
    pane_with_odd_code.charges.list.page.rows = rows.into();
    let (pane_with_marked, marked_charge) = pane_with_marked_charge(lang);
    let mut marked_details = pane_with_marked.clone();
    marked_details.layers = vec![Layer::Charge(Box::new(SaleDetails(marked_charge)))];
    let warnings = vec![
        PayableWarning::OtherAmount {
            asked: brl(4_990),
            code: brl(5_090),
        },
        PayableWarning::NotIntact,
        PayableWarning::NotInReais,
    ];
    let copy_dialog = payable_dialog(lang, PayableUse::Copy, OTHER_AMOUNT_CODE, warnings);
    let qr_dialog = payable_dialog(
        lang,
        PayableUse::Qr,
        "pix://loja/7f3k2q",
        vec![PayableWarning::Unreadable],
    );
    vec![
        (
            "charges-lost",
            with_lost_history(&empty_pane, LostHistory::Missing),
        ),
        ("charges-empty", empty_pane),
        ("charges-none-found", none_found),
        ("charges", charges_pane(lang)),
        ("new-charge", new_charge_model(lang, |_| {})),
        (
            "new-charge-wait",
            new_charge_model(lang, |charge| charge.sent.wait = wait()),
        ),
        (
            "new-charge-refused",
            new_charge_model(lang, |charge| {
                charge.sent.failure = Some(Failure::Refused(refusal()))
            }),
        ),
        (
            "charge",
            charge_details(lang, charge_created(Some(PIX_CODE))),
        ),
        (
            "charge-other-amount",
            charge_details(lang, charge_created(Some(OTHER_AMOUNT_CODE))),
        ),
        (
            "charge-broken-code",
            charge_details(lang, charge_created(Some(&wrong_checksum))),
        ),
        (
            "charge-long-name",
            charge_details(lang, charge_created(Some(LONG_NAME_CODE))),
        ),
        (
            "charge-other-code",
            charge_details(lang, charge_created(Some("pix://loja/7f3k2q"))),
        ),
        (
            "charge-open-amount",
            charge_details(lang, charge_created(Some(OPEN_AMOUNT_CODE))),
        ),
        (
            "charge-dynamic",
            charge_details(lang, charge_created(Some(DYNAMIC_CODE))),
        ),
        (
            "charge-running-out",
            charge_details(lang, expiring_at("2026-11-21T10:54:41-03:00")),
        ),
        (
            "charge-expired",
            charge_details(lang, expiring_at("2026-11-21T10:42:07-03:00")),
        ),
        (
            "charge-expired-long",
            charge_details(lang, expiring_at("2026-11-19T10:42:07-03:00")),
        ),
        (
            "charge-end-unread",
            charge_details(lang, expiring_at("amanhã às 9")),
        ),
        ("charges-odd", pane_with_odd_code),
        ("charges-marked", pane_with_marked),
        ("charge-marked", marked_details),
        ("ask-copy-code", copy_dialog),
        ("ask-show-code", qr_dialog),
        ("charge-not-saved", not_saved),
        ("charge-silent", charge_details(lang, without_fields)),
        (
            "charge-not-clean",
            charge_details(lang, charge_created(Some("0002\u{202e}0126"))),
        ),
        (
            "charge-unknown",
            charge_details(lang, ChargeOutcome::Unknown),
        ),
        (
            "charge-refused",
            charge_details(lang, ChargeOutcome::Refused(refusal())),
        ),
        (
            "charge-not-sent",
            charge_details(lang, ChargeOutcome::NotSent),
        ),
        ("charge-qr", qr),
    ]
}

/// Returns app models of dialogs about links and direct payments. In them, the seller enters a link
/// or Pix code that the app does not know, removes an entry, shares a Pix code, or charges a known
/// buyer.
pub fn sale_dialog_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let with_text = |mut model: Model, text: &str| {
        model
            .layers
            .last_mut()
            .unwrap()
            .screen_mut()
            .form_mut()
            .unwrap()
            .replace("payable", text);
        model
    };
    let link = link(7, 4_990, "Camiseta azul M", LinkOutcome::Unknown);
    let lost_link = link_details(lang, link.clone());
    let lost_charge = || charge_details(lang, ChargeOutcome::Unknown);
    let link = Sale::Link(link);
    let unknown_charge = Sale::Charge(charge(7, 4_990, ChargeOutcome::Unknown));
    let unsent_charge = Sale::Charge(charge(7, 4_990, ChargeOutcome::NotSent));
    let found_form =
        |model: Model, sale: &Sale| with_screen(model, Route::FoundSale(Box::new(sale.clone())));
    let remove_dialog =
        |model, sale| with_screen(model, Route::Ask(Question::RemoveSale(Box::new(sale))));
    let links = || links_pane(lang, URL);
    let values = [("email", "bia@loja.example"), ("name", "Bruno Lima")];
    let buyer = values
        .map(|(id, value)| (id.to_owned(), value.to_owned()))
        .into();
    let known_buyer = |customer: &str, buyer, count: u32| KnownBuyer {
        customer: customer.into(),
        buyer,
        count: count.into(),
        last: Wall(NOW.0 - 86_400_000 * i64::from(count)),
    };
    let buyers = vec![
        known_buyer("Bruno Lima", buyer, 3),
        known_buyer("Caio", Default::default(), 1),
    ];
    let expired = PayableWarning::Expired;
    let code = CodeText {
        text: PIX_CODE.into(),
        clip: Clip::PixCode,
    };
    let message = code.text.clone();
    let payable = Box::new(Payable {
        message,
        code,
        warnings: vec![expired],
        sale: None,
    });
    let share_question = Question::UsePayable {
        to: PayableUse::WhatsApp,
        payable,
    };
    vec![
        ("found-link", found_form(links(), &link)),
        (
            "found-link-odd",
            with_text(found_form(links(), &link), "http://203.0.113.7/link-7f3k2q"),
        ),
        (
            "found-charge",
            found_form(charges_pane(lang), &unknown_charge),
        ),
        (
            "found-charge-odd",
            with_text(
                found_form(charges_pane(lang), &unknown_charge),
                OTHER_AMOUNT_CODE,
            ),
        ),
        ("ask-remove-link", remove_dialog(lost_link, link)),
        (
            "ask-remove-charge",
            remove_dialog(lost_charge(), unknown_charge),
        ),
        (
            "ask-remove-unsent",
            remove_dialog(lost_charge(), unsent_charge),
        ),
        (
            "ask-share-code",
            with_screen(
                charge_details(lang, charge_created(Some(PIX_CODE))),
                Route::Ask(share_question),
            ),
        ),
        (
            "new-charge-known",
            new_charge_model(lang, |charge| {
                let name = |field: &Field| &*field.id == "name";
                charge.sent.form.focus = charge.sent.form.fields.iter().position(name).unwrap();
                charge.known_buyers = Known::new(buyers.clone(), Some(0));
            }),
        ),
    ]
}

pub fn buyer_page_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let open_page = |paid| BuyerPage::Open {
        host: HOST.into(),
        amount: brl(4_990),
        description: "Camiseta azul M".into(),
        paid,
    };
    let buyer_model = |page, wait| {
        let mut model = model(lang);
        model.layers.push(Layer::Buyer(Box::new(Buyer {
            url: URL.into(),
            page,
            wait,
        })));
        model
    };
    vec![
        ("buyer-wait", buyer_model(None, wait())),
        ("buyer-open", buyer_model(Some(open_page(false)), None)),
        ("buyer-paying", buyer_model(Some(open_page(false)), wait())),
        ("buyer-paid", buyer_model(Some(open_page(true)), None)),
        (
            "buyer-blocked",
            buyer_model(Some(BuyerPage::Blocked { host: HOST.into() }), None),
        ),
        (
            "buyer-not-found",
            buyer_model(Some(BuyerPage::NotFound), None),
        ),
    ]
}
