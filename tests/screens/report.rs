//! App models of the report, with sample figures.

use balcao::app::ui::Action;
use balcao::app::{Effect, Model, Msg};
use balcao::trade::report::{
    ReportBar, SaleCounts, SaleFigures, SalesReport, TextGroup, WithdrawalAmounts, WithdrawalCount,
    WithdrawalFigures, bar_days,
};
use balcao::trade::{JournalTrouble, Money, Ticket};
use balcao::words::Lang;

use crate::models::{model, perform_action, press_action, send_message};

fn figures(count: u64, centavos: i64) -> SaleFigures {
    let all = SaleCounts {
        count,
        exact: count - count / 40,
        centavos,
    };
    let marked = SaleCounts {
        count: count / 3,
        exact: count / 3,
        centavos: centavos / 3,
    };
    SaleFigures::of(all, marked)
}

fn group(text: Option<&str>, count: u64, centavos: i64) -> TextGroup {
    TextGroup {
        text: text.map(str::to_owned),
        links: figures(count, centavos),
        charges: SaleFigures::default(),
    }
}

fn withdrawals() -> WithdrawalFigures {
    let reais = |reais: i64| Money::from_centavos(reais * 100);
    let amounts = WithdrawalAmounts {
        amount: reais(1_000),
        fee_and_net: Some([reais(12), reais(988)]),
    };
    let without_fee = WithdrawalAmounts {
        fee_and_net: None,
        ..amounts
    };
    let mut figures = WithdrawalFigures::default();
    for (amounts, count) in [
        (amounts, WithdrawalCount::Accepted),
        (amounts, WithdrawalCount::Accepted),
        (without_fee, WithdrawalCount::Accepted),
        (amounts, WithdrawalCount::FoundPaid),
        (amounts, WithdrawalCount::Unknown),
        (amounts, WithdrawalCount::OtherOpen),
    ] {
        figures.add(amounts, count);
    }
    figures
}

/// Opens the report. Returns the ticket and the days of its request.
fn open(lang: Lang) -> (Model, Ticket, Vec<balcao::trade::search::Period>) {
    let mut model = model(lang);
    let effects = press_action(&mut model, Action::Report);
    let request = effects.iter().find_map(|effect| match effect {
        Effect::LoadReport(request) => Some(*request),
        _ => None,
    });
    let request = request.expect("a request");
    (model, request.ticket, bar_days(request.days))
}

fn month(lang: Lang) -> Model {
    let (mut model, ticket, days) = open(lang);
    let bars = days.iter().zip(0..).map(|(days, n)| ReportBar {
        days: *days,
        made: Money::from_centavos(if n > 20 { 0 } else { n * n % 17 * 1_234 }),
    });
    let sales = SalesReport {
        links: [figures(61, 481_230), figures(40, 300_000)],
        charges: [figures(4, 22_000), figures(0, 0)],
        put_away: 2,
        bars: bars.collect(),
        domains: vec![
            group(Some("loja-da-ana.example"), 41, 300_000),
            group(None, 20, 181_230),
        ],
        descriptions: vec![
            group(
                Some("Camiseta azul M, algodão, com o nome do time nas costas"),
                30,
                200_000,
            ),
            group(Some("Boné"), 9, 44_910),
        ],
    };
    let result = Ok(Box::new(sales));
    send_message(&mut model, Msg::ReportLoaded { ticket, result });
    let result = Ok([withdrawals(), WithdrawalFigures::default()]);
    send_message(&mut model, Msg::WithdrawalsReported { ticket, result });
    model
}

/// Returns app models of the report in every state.
pub fn report_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let mut typing = month(lang);
    perform_action(&mut typing, Action::Search);
    let (mut troubled, ticket, _) = open(lang);
    let busy = || JournalTrouble::Busy("x".into());
    let result = Err(busy());
    send_message(&mut troubled, Msg::ReportLoaded { ticket, result });
    let result = Err(JournalTrouble::Missing);
    send_message(&mut troubled, Msg::WithdrawalsReported { ticket, result });
    vec![
        ("report-waiting", open(lang).0),
        ("report-month", month(lang)),
        ("report-period", typing),
        ("report-trouble", troubled),
    ]
}
