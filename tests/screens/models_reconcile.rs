//! App models of the page that compares a bank's statement.

use std::sync::Arc;

use balcao::app::cx::Route;
use balcao::app::screens::Layer;
use balcao::app::{Model, Msg, Pane};
use balcao::statement::StatementFault;
use balcao::statement::reconciliation::{
    EqualAmounts, Line, MatchCounts, PayoutMatch, ReconcileFault, Reconciliation, SaleMatch,
};
use balcao::trade::{EntryId, Sale, Wall};
use balcao::words::Lang;

use crate::models::{NOW, OFFSET, brl, key, open_screen, pane_model, send_message, with_change};
use crate::models_money::payments::{URL, charge, charge_created, link, link_created};

fn line(days_ago: i64, centavos: i64, memo: &str) -> Line {
    Line {
        day: NOW.local_day(OFFSET) - days_ago,
        amount: brl(centavos),
        memo: memo.into(),
        id: EntryId([0; 16]),
    }
}

fn matched(sale: Sale, line: Line) -> SaleMatch {
    SaleMatch {
        sale,
        day: line.day - 1,
        marked: Some(line.day - 1),
        line,
    }
}

fn reconciliation() -> Reconciliation {
    let a_link = |description| Sale::Link(link(90_000, 4_990, description, link_created(URL)));
    let payout = PayoutMatch {
        key: key(1),
        agreed: Wall(NOW.0 - 200_000_000),
        day: NOW.local_day(OFFSET) - 2,
        amount: brl(100_000),
        is_paid: true,
        line: line(1, 98_850, "PIX RECEBIDO"),
    };
    let a_charge = Sale::Charge(charge(90_000, 4_990, charge_created(None)));
    Reconciliation {
        lines: 37,
        used: 12,
        payouts: vec![
            payout.clone(),
            PayoutMatch {
                is_paid: false,
                ..payout
            },
        ],
        certain: vec![matched(
            a_charge.clone(),
            line(0, 4_990, "PIX RECEBIDO 7F3K2Q8D1F7F3K2Q8D1F7F3K2Q8D"),
        )],
        possible: vec![
            matched(
                a_link("Camiseta azul M"),
                line(1, 4_990, "PIX RECEBIDO ANA PAULA SOUZA DE OLIVEIRA"),
            ),
            matched(a_link("Boné"), line(3, 4_990, "PIX BIA COSTA")),
        ],
        groups: vec![EqualAmounts {
            amount: brl(14_990),
            sales: vec![],
            lines: vec![],
            counts: [3, 4],
        }],
        contradictions: vec![matched(a_charge, line(5, 4_990, "PIX"))],
        counts: MatchCounts {
            payouts: 2,
            certain: 1,
            possible: 2,
            groups: 1,
            contradictions: 1,
        },
    }
}

/// Returns a model of the page after a comparison with this result.
fn page(lang: Lang, result: Option<Result<Reconciliation, ReconcileFault>>) -> Model {
    with_change(pane_model(lang, Pane::Links), |model| {
        open_screen(model, Route::Reconcile);
        let Some(Layer::Reconcile(page)) = model.layers.last_mut() else {
            return;
        };
        if let Some(field) = page.sent.form.field_mut("statement") {
            field.fill("~/Downloads/extrato-novembro.ofx");
        }
        let Some(result) = result else { return };
        let wait = model.store.wait();
        page.sent.begin(wait);
        let ticket = wait.ticket;
        let result = result.map(Arc::new);
        send_message(model, Msg::Reconciled { ticket, result });
    })
}

/// Returns app models of the page in each of its states.
pub fn reconcile_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let at_possible = with_change(page(lang, Some(Ok(reconciliation()))), |model| {
        if let Some(Layer::Reconcile(page)) = model.layers.last_mut() {
            page.cursor = 3;
        }
    });
    let unknown = ReconcileFault::Statement(StatementFault::Unknown);
    vec![
        ("reconcile", page(lang, None)),
        ("reconcile-unknown", page(lang, Some(Err(unknown)))),
        ("reconciled", page(lang, Some(Ok(reconciliation())))),
        ("reconciled-possible", at_possible),
        (
            "reconciled-nothing",
            page(lang, Some(Ok(Reconciliation::default()))),
        ),
    ]
}
