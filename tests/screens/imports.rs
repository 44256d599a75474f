//! App models of the screens that import links from a file.

use std::sync::Arc;
use std::time::Duration;

use balcao::app::cx::Question;
use balcao::app::message::Completion;
use balcao::app::screens::Layer;
use balcao::app::screens::dialog::Dialog;
use balcao::app::screens::imports::{BatchPage, CheckPage};
use balcao::app::store::imports::{CheckedFile, ImportFault, ImportMsg, LinksToCreate};
use balcao::app::{Model, Msg, Pane};
use balcao::batch::{
    BatchProgress, BatchStage, CheckReport, Excerpt, Existing, Figures, PauseReason, Skip,
};
use balcao::csv_files::{FileFault, LineFault};
use balcao::trade::amount::{CellFault, ColumnFault};
use balcao::trade::{
    Batch, BatchCounts, BatchId, BatchSource, FailedLine, LineState, Ticket, Wall,
};
use balcao::words::Lang;

use crate::models::{NOW, account, brl, model, operators, press, send_message, with_change};

fn figures(count: u64, sum: i64) -> Figures {
    Figures {
        count,
        sum: Some(brl(sum)),
        range: Some([brl(500), brl(24_990)]),
    }
}

fn checked() -> Arc<CheckedFile> {
    let faults = [
        (4, LineFault::Amount(CellFault::Zero)),
        (9, LineFault::NoDescription),
        (
            12,
            LineFault::Amount(CellFault::Ambiguous {
                readings: [brl(123_400), brl(123)],
            }),
        ),
        (31, LineFault::Total),
    ];
    let faults = faults.map(|(line, fault)| (line, Skip::Fault(fault)));
    let existing = [
        (17, Existing::Link(Wall(NOW.0 - 26 * 3_600_000))),
        (20, Existing::Line(3)),
    ];
    let existing = existing.map(|(line, existing)| (line, Skip::Exists(existing)));
    Arc::new(CheckedFile {
        ticket: Ticket(7),
        account: account(),
        name: "precos.csv".into(),
        result: "/srv/ana/precos-resultado.csv".into(),
        report: CheckReport {
            lines: 230,
            new: figures(24, 129_880),
            all: figures(26, 134_870),
            faults: Excerpt {
                first: faults.to_vec(),
                total: 204,
            },
            existing: Excerpt {
                first: existing.to_vec(),
                total: 2,
            },
        },
    })
}

fn failed(number: u64, state: LineState, reason: &str) -> FailedLine {
    FailedLine {
        number,
        amount: brl(4_990),
        description: "Camiseta azul M".into(),
        state,
        reason: reason.into(),
    }
}

fn progress(stage: BatchStage, failed: Vec<FailedLine>) -> BatchProgress {
    let batch = Batch {
        id: BatchId(1),
        at: Wall(NOW.0 - 60_000),
        account: account(),
        source: BatchSource {
            file: "/srv/ana/precos.csv".into(),
            result: "/srv/ana/precos-resultado.csv".into(),
            header: vec![],
            delimiter: b';',
        },
        author: None,
        is_foreign: false,
    };
    let of = |state| failed.iter().filter(|line| line.state == state).count() as u64;
    let counts = BatchCounts {
        made: 9,
        waiting: if stage == BatchStage::Finished { 0 } else { 13 },
        refused: of(LineState::Refused),
        unknown: of(LineState::Unknown),
        skipped: 6,
        sending: 0,
    };
    BatchProgress {
        stage,
        sent: 9,
        elapsed: Duration::from_secs(3),
        ..BatchProgress::at_rest(Arc::new(batch), counts, failed)
    }
}

fn batch_model(lang: Lang, stage: BatchStage, failed: Vec<FailedLine>) -> Model {
    with_change(model(lang), |model| {
        model.pane = Pane::Links;
        model.imports.progress = Some(progress(stage, failed));
        model.layers = vec![BatchPage::default().into()];
    })
}

/// The form for a file after these keys.
fn form_model(lang: Lang, keys: &str) -> Model {
    with_change(model(lang), |model| {
        model.pane = Pane::Links;
        press(model, "I");
        for key in keys.chars() {
            press(model, &key.to_string());
        }
    })
}

fn completing(lang: Lang) -> Model {
    with_change(form_model(lang, "pre"), |model| {
        press(model, "Tab");
        let completion = Completion {
            text: "precos-".into(),
            names: ["precos-2025.csv", "precos-2026.csv", "precos-antigos/"]
                .map(Into::into)
                .to_vec(),
            total: 3,
        };
        let ticket = model.last_ticket;
        send_message(model, Msg::PathCompleted { ticket, completion });
    })
}

fn refused(lang: Lang, fault: ImportFault) -> Model {
    with_change(form_model(lang, "precos"), |model| {
        press(model, "Ctrl-S");
        let ticket = model.last_ticket;
        let result = Err(fault);
        send_message(model, Msg::Import(ImportMsg::Checked { ticket, result }));
    })
}

fn check_model(lang: Lang) -> Model {
    with_change(model(lang), |model| {
        model.pane = Pane::Links;
        model.layers = vec![CheckPage::of(checked()).into()];
    })
}

fn question_model(lang: Lang, question: Question) -> Model {
    with_change(check_model(lang), |model| {
        model.layers.push(Layer::from(Dialog::new(question)));
    })
}

pub fn import_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let unknown = || failed(12, LineState::Unknown, "O serviço não respondeu em 30 s.");
    let refused_line = || failed(14, LineState::Refused, "“Valor acima do limite.”");
    let unit = ColumnFault::UnitUnknown {
        line: 2,
        readings: [brl(499_000), brl(4_990)],
    };
    let links = LinksToCreate {
        ticket: Ticket(7),
        account: account(),
        figures: figures(24, 129_880),
        faults: 204,
        existing: 2,
        sends_existing: false,
    };
    let elsewhere = batch_model(lang, BatchStage::Elsewhere, vec![unknown()]);
    let elsewhere = with_change(elsewhere, |model| {
        let progress = model.imports.progress.as_mut().unwrap();
        let batch = Arc::make_mut(&mut progress.batch);
        batch.author = operators().into_iter().nth(1);
        batch.is_foreign = true;
    });
    let batch = BatchId(1);
    let offered = with_change(form_model(lang, ""), |model| {
        model.imports.progress = Some(progress(BatchStage::Stopped, vec![]));
    });
    let no_file = "No such file or directory (os error 2)".to_owned();
    let unit = ImportFault::File(FileFault::Amounts(unit));
    let login = BatchStage::Paused(PauseReason::Login);
    let failures = BatchStage::Paused(PauseReason::Failures);
    let again = Question::SendLineAgain {
        batch,
        line: Box::new(unknown()),
    };
    let end = Question::EndBatch { batch, waiting: 13 };
    vec![
        ("import-form", form_model(lang, "")),
        ("import-form-newest", offered),
        ("import-form-names", completing(lang)),
        (
            "import-form-unreadable",
            refused(lang, ImportFault::Unreadable(no_file)),
        ),
        ("import-form-unit", refused(lang, unit)),
        ("import-check", check_model(lang)),
        (
            "import-ask",
            question_model(lang, Question::CreateLinks(Box::new(links))),
        ),
        ("import-ask-again", question_model(lang, again)),
        ("import-ask-end", question_model(lang, end)),
        (
            "batch-sending",
            batch_model(lang, BatchStage::Sending, vec![]),
        ),
        (
            "batch-failures",
            batch_model(lang, failures, vec![unknown(), refused_line()]),
        ),
        ("batch-login", batch_model(lang, login, vec![])),
        (
            "batch-finished",
            batch_model(lang, BatchStage::Finished, vec![unknown()]),
        ),
        ("batch-elsewhere", elsewhere),
    ]
}
