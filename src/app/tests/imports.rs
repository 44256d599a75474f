//! Tests of imports of links from a file: the path, the check, the confirmation, and the page of
//! the batch.

use super::amounts::page_text;
use super::*;
use crate::app::message::Completion;
use crate::app::screens::dialog::Dialog;
use crate::app::store::imports::{
    CheckedFile, ImportCommand, ImportFault, ImportMsg, LinksToCreate,
};
use crate::batch::{BatchProgress, BatchStage, CheckReport, Excerpt, Figures, PauseReason, Skip};
use crate::csv_files::{FileFault, LineFault};
use crate::trade::amount::{ColumnFault, Unit};

fn account() -> Account {
    Account {
        origin: Origin("https://api.example".into()),
        identity: SELLER.into(),
    }
}

fn commands(effects: &[Effect]) -> Vec<ImportCommand> {
    let commands = effects.iter().filter_map(|effect| match effect {
        Effect::Import(command) => Some(command.clone()),
        _ => None,
    });
    commands.collect()
}

/// The progress of a batch with 10 lines. Line 5 is unknown.
fn progress(stage: BatchStage, made: u64) -> BatchProgress {
    let batch = Batch {
        id: BatchId(3),
        at: Wall(900_000),
        account: account(),
        source: BatchSource {
            file: "/srv/precos.csv".into(),
            result: "/srv/precos-resultado.csv".into(),
            header: vec![],
            delimiter: b';',
        },
        author: None,
        is_foreign: false,
    };
    let counts = BatchCounts {
        made,
        waiting: 9 - made,
        unknown: 1,
        ..BatchCounts::default()
    };
    BatchProgress {
        stage,
        ..BatchProgress::at_rest(Arc::new(batch), counts, vec![unknown_line()])
    }
}

pub fn unknown_line() -> FailedLine {
    FailedLine {
        number: 5,
        amount: brl(4_990),
        description: "Boné".into(),
        state: LineState::Unknown,
        reason: "sem resposta".into(),
    }
}

pub fn links_to_create() -> LinksToCreate {
    LinksToCreate {
        ticket: Ticket(1),
        account: account(),
        figures: figures(1),
        faults: 1,
        existing: 1,
        sends_existing: false,
    }
}

fn figures(count: u64) -> Figures {
    Figures {
        count,
        sum: Some(brl(4_990)),
        range: Some([brl(4_990), brl(4_990)]),
    }
}

fn checked(ticket: Ticket) -> Arc<CheckedFile> {
    let fault = Skip::Fault(LineFault::NoDescription);
    let existing = Skip::Exists(crate::batch::Existing::Link(Wall(800_000)));
    let excerpt = |line, skip| Excerpt {
        first: vec![(line, skip)],
        total: 1,
    };
    Arc::new(CheckedFile {
        ticket,
        account: account(),
        name: "precos.csv".into(),
        result: "/srv/precos-resultado.csv".into(),
        report: CheckReport {
            lines: 3,
            new: figures(1),
            all: figures(2),
            faults: excerpt(3, fault),
            existing: excerpt(4, existing),
        },
    })
}

impl App {
    fn import_msg(&mut self, msg: ImportMsg) -> Vec<Effect> {
        self.deliver(Msg::Import(msg))
    }

    fn deliver_progress(&mut self, stage: BatchStage, made: u64) -> Vec<Effect> {
        self.import_msg(ImportMsg::Progress {
            progress: Box::new(progress(stage, made)),
            refused: None,
        })
    }

    /// A batch is being sent.
    pub fn begin_batch(&mut self) {
        self.deliver_progress(BatchStage::Sending, 4);
    }

    /// Opens the form, and asks to check this path.
    fn check_file(&mut self, path: &str) -> Ticket {
        self.press("I");
        self.paste(path);
        let effects = self.press("Enter");
        let [ImportCommand::Check { ticket, typed, .. }] = &commands(&effects)[..] else {
            panic!("{effects:?}")
        };
        assert_eq!(typed, path);
        *ticket
    }

    /// Opens the page of a checked file.
    fn open_check_page(&mut self) -> Ticket {
        let ticket = self.check_file("precos.csv");
        let result = Ok(checked(ticket));
        self.import_msg(ImportMsg::Checked { ticket, result });
        assert!(matches!(self.top(), Layer::ImportCheck(_)));
        ticket
    }

    /// Opens the page of a batch in this stage.
    fn open_batch_page(&mut self, stage: BatchStage) {
        self.deliver_progress(stage, 4);
        let stamp = self.stamp();
        router::open(&mut self.model, Route::Batch, &stamp);
    }

    /// Waits until the confirming button is enabled, and presses it.
    fn confirm(&mut self) -> Vec<Effect> {
        self.render_frame();
        self.advance_ms(1_000);
        self.press("Tab");
        self.advance_ms(1_000);
        self.press("Enter")
    }

    fn asked(&self) -> &Question {
        match self.top() {
            Layer::Dialog(dialog) => {
                let Dialog { question, .. } = &**dialog;
                question
            }
            other => panic!("no dialog but {other:?}"),
        }
    }
}

#[test]
fn read_only_refuses_before_anything_is_read() {
    let mut app = App::logged_in();
    app.model.setup.read_only = true;
    let effects = app.press("I");
    assert_eq!(commands(&effects), []);
    assert!(app.model.layers.is_empty());
    assert_eq!(app.model.notice, Some(Notice::warn("said-read-only")));
}

#[test]
fn form_asks_for_the_newest_batch_and_opens_it() {
    let mut app = App::logged_in();
    let effects = app.press("I");
    assert_eq!(commands(&effects), [ImportCommand::OpenNewest(account())]);
    assert!(!app.offers(Action::ShowOther));
    let opened = Box::new(progress(BatchStage::Stopped, 4));
    app.import_msg(ImportMsg::Opened(Some(opened)));
    assert!(app.offers(Action::ShowOther));
    app.press("Ctrl-O");
    assert!(matches!(app.top(), Layer::Batch(_)));
    assert!(app.offers(Action::Send) && app.offers(Action::Discard));
}

/// The ticket and the typed text of the only effect, a completion.
pub fn completed(effects: &[Effect]) -> (Ticket, String) {
    match effects {
        [Effect::CompletePath { ticket, typed }] => (*ticket, typed.clone()),
        other => panic!("{other:?}"),
    }
}

/// The message with a completion of a path.
pub fn completion(ticket: Ticket, text: &str, total: u64) -> Msg {
    Msg::PathCompleted {
        ticket,
        completion: Completion {
            text: text.into(),
            names: vec!["a".into(), "b".into()],
            total,
        },
    }
}

#[test]
fn tab_completes_the_path_as_far_as_names_agree() {
    let mut app = App::logged_in();
    app.press("I");
    app.type_text("/srv/pre");
    let (ticket, typed) = completed(&app.press("Tab"));
    assert_eq!(typed, "/srv/pre");
    app.deliver(completion(ticket.next(), "/srv/outro", 1));
    let path = |app: &App| app.top().screen().form().unwrap().value("path");
    assert_eq!(path(&app), "/srv/pre");
    app.deliver(completion(ticket, "/srv/precos.csv", 1));
    assert_eq!(path(&app), "/srv/precos.csv");
    assert_eq!(app.top().screen().form().unwrap().focus, 0);
    let (ticket, _) = completed(&app.press("Tab"));
    app.deliver(completion(ticket, "/srv/precos.csv", 1));
    let form = app.top().screen().form().unwrap();
    assert!(form.is_on_button(), "nothing is left to complete");
    // A path is dropped without a question.
    app.press("Esc");
    assert!(app.model.layers.is_empty());
}

#[test]
fn whole_numbers_are_asked_about() {
    let mut app = App::logged_in();
    let ticket = app.check_file("precos.csv");
    let unknown = ColumnFault::UnitUnknown {
        line: 2,
        readings: [brl(499_000), brl(4_990)],
    };
    let fault = ImportFault::File(FileFault::Amounts(unknown));
    app.import_msg(ImportMsg::Checked {
        ticket,
        result: Err(fault),
    });
    assert_eq!(commands(&app.press("Enter")), [], "no answer yet");
    app.press("Right Right");
    let effects = app.press("Enter");
    assert!(
        matches!(
            commands(&effects)[..],
            [ImportCommand::Check {
                unit: Some(Unit::Centavos),
                ..
            }]
        ),
        "{effects:?}"
    );
}

#[test]
fn confirmed_links_are_begun_once() {
    let mut app = App::logged_in();
    let ticket = app.open_check_page();
    app.press("s");
    let links = LinksToCreate {
        ticket,
        ..links_to_create()
    };
    let expected = Question::CreateLinks(Box::new(links));
    assert_eq!(*app.asked(), expected);
    assert_eq!(commands(&app.press("Tab Enter")), [], "too early");
    app.press("Shift-Tab");
    let effects = app.confirm();
    let lang = app.model.setup.lang;
    let begin = ImportCommand::Begin {
        ticket,
        sends_existing: false,
        lang,
    };
    assert_eq!(commands(&effects), [begin]);
    assert!(!app.offers(Action::Send), "the batch is being stored");
    assert!(app.model.imports.is_busy());
    app.import_msg(ImportMsg::Begun {
        ticket,
        progress: Box::new(progress(BatchStage::Sending, 0)),
    });
    assert!(matches!(app.top(), Layer::Batch(_)));
    app.press("Esc I");
    assert!(matches!(app.top(), Layer::Batch(_)), "one batch at a time");
}

#[test]
fn unfinished_batch_of_the_file_can_be_opened() {
    let mut app = App::logged_in();
    let ticket = app.check_file("precos.csv");
    let unfinished = Box::new(progress(BatchStage::Stopped, 4));
    app.import_msg(ImportMsg::Checked {
        ticket,
        result: Err(ImportFault::Unfinished(unfinished)),
    });
    app.press("Ctrl-O");
    assert!(matches!(app.top(), Layer::Batch(_)), "{:?}", app.top());
    assert!(app.offers(Action::Send));
}

#[test]
fn existing_links_are_included_only_by_a_key() {
    let mut app = App::logged_in();
    app.open_check_page();
    app.press("d s");
    let Question::CreateLinks(links) = app.asked() else {
        panic!()
    };
    assert_eq!((links.figures.count, links.sends_existing), (2, true));
    app.press("Esc d s");
    let Question::CreateLinks(links) = app.asked() else {
        panic!()
    };
    assert_eq!((links.figures.count, links.sends_existing), (1, false));
}

#[test]
fn closed_check_page_drops_the_lines() {
    let mut app = App::logged_in();
    let ticket = app.open_check_page();
    let effects = app.press("Esc");
    assert_eq!(effects, [Effect::Cancel(ticket)]);
}

#[test]
fn batch_that_could_not_be_stored_says_why() {
    let mut app = App::logged_in();
    let ticket = app.open_check_page();
    app.press("s");
    app.confirm();
    let fault = ImportFault::Result("read-only file system".into());
    app.import_msg(ImportMsg::NotBegun {
        ticket,
        fault: fault.clone(),
    });
    assert_eq!(app.model.imports.fault, Some(fault));
    assert!(matches!(app.top(), Layer::ImportCheck(_)));
    assert!(!app.offers(Action::Send), "its lines are gone");
}

#[test]
fn other_panes_work_while_a_batch_is_sent() {
    let mut app = App::logged_in();
    app.open_batch_page(BatchStage::Sending);
    app.press("3");
    assert_eq!(app.model.pane, Pane::Withdrawals);
    app.press("n");
    assert!(matches!(app.top(), Layer::Withdraw(_)));
    let effects = app.deliver_progress(BatchStage::Sending, 5);
    assert_eq!(effects, []);
}

#[test]
fn list_is_loaded_again_at_most_every_two_seconds() {
    let mut app = App::logged_in();
    app.press("1");
    let mut loads = |ms, made| {
        app.advance_ms(ms);
        let effects = app.deliver_progress(BatchStage::Sending, made);
        effects.len()
    };
    assert_eq!(loads(3_000, 1), 1);
    assert_eq!(loads(1_000, 2), 0);
    assert_eq!(loads(1_000, 3), 1);
}

#[test]
fn batch_stops_and_goes_on() {
    let mut app = App::logged_in();
    app.open_batch_page(BatchStage::Sending);
    let effects = app.press("s");
    assert_eq!(commands(&effects), [ImportCommand::Stop]);
    assert!(!app.offers(Action::Send), "it is stopping");
    app.deliver_progress(BatchStage::Stopped, 5);
    let effects = app.press("s");
    let batch = BatchId(3);
    let lang = app.model.setup.lang;
    assert_eq!(commands(&effects), [ImportCommand::GoOn { batch, lang }]);
    app.press("X");
    let question = Question::EndBatch { batch, waiting: 4 };
    assert_eq!(*app.asked(), question);
    let effects = app.confirm();
    assert_eq!(commands(&effects), [ImportCommand::End { batch, lang }]);
}

#[test]
fn refused_login_pauses_until_a_new_login() {
    let mut app = App::logged_in();
    app.open_batch_page(BatchStage::Sending);
    let failure = unauthorized(CredentialKind::Jwt);
    app.import_msg(ImportMsg::Progress {
        progress: Box::new(progress(BatchStage::Paused(PauseReason::Login), 4)),
        refused: Some(Box::new(failure)),
    });
    assert_eq!(app.model.notice, Some(Notice::warn("said-batch-login")));
    assert!(app.offers(Action::LogIn));
    let effects = app.press("s");
    assert_eq!(commands(&effects), []);
    assert!(app.top().is_login(), "{:?}", app.top());
    app.press("Esc");
    app.model.store.session.jwt = credential("seller-1");
    let effects = app.press("s");
    assert!(matches!(
        commands(&effects)[..],
        [ImportCommand::GoOn { .. }]
    ));
}

#[test]
fn batch_pauses_while_the_team_is_offline() {
    let mut app = App::logged_in();
    app.open_batch_page(BatchStage::Sending);
    app.deliver_progress(BatchStage::Paused(PauseReason::TeamOffline), 4);
    let notice = Notice::WithKey("said-batch-paused", Action::Import);
    assert_eq!(app.model.notice, Some(notice));
    let text = page_text(&app);
    assert!(text.contains("sem conexão com o banco"), "{text}");
    let effects = app.press("s");
    assert!(matches!(
        commands(&effects)[..],
        [ImportCommand::GoOn { .. }]
    ));
}

#[test]
fn batch_of_another_account_is_not_sent() {
    let mut app = App::logged_in();
    app.open_batch_page(BatchStage::Stopped);
    app.model.store.session.api_token = credential("bia@loja.example");
    let effects = app.press("s");
    assert_eq!(commands(&effects), []);
    let notice = Notice::warn("said-batch-other-account");
    assert_eq!(app.model.notice, Some(notice));
}

#[test]
fn leaving_asks_and_waits_for_the_request_in_flight() {
    let mut app = App::logged_in();
    app.deliver_progress(BatchStage::Sending, 4);
    app.press("q");
    assert_eq!(*app.asked(), Question::LeaveBatch);
    let effects = app.confirm();
    assert_eq!(commands(&effects), [ImportCommand::Stop]);
    assert!(!app.model.leaving);
    let effects = app.deliver_progress(BatchStage::Stopped, 5);
    assert!(app.model.leaving && effects.contains(&Effect::Leave));
}

#[test]
fn typed_text_does_not_hide_the_batch_question() {
    let mut app = App::logged_in();
    app.deliver_progress(BatchStage::Sending, 4);
    app.press("1 n 5 Ctrl-C");
    assert_eq!(*app.asked(), Question::LeaveBatch);
}

#[test]
fn ended_batch_is_shown_once_before_the_form() {
    let mut app = App::logged_in();
    app.deliver_progress(BatchStage::Sending, 4);
    app.deliver_progress(BatchStage::Finished, 9);
    let notice = Notice::WithKey("said-batch-finished", Action::Import);
    assert_eq!(app.model.notice, Some(notice));
    app.press("I");
    assert!(matches!(app.top(), Layer::Batch(_)));
    app.press("Esc I");
    assert!(matches!(app.top(), Layer::ImportFile(_)));
}

#[test]
fn finished_batch_closes_the_question_about_leaving() {
    let mut app = App::logged_in();
    app.deliver_progress(BatchStage::Sending, 4);
    app.press("Ctrl-C");
    assert_eq!(*app.asked(), Question::LeaveBatch);
    app.deliver_progress(BatchStage::Finished, 9);
    assert!(app.model.layers.is_empty() && !app.model.leaving);
}

#[test]
fn unknown_line_waits_again_after_a_question() {
    let mut app = App::logged_in();
    app.open_batch_page(BatchStage::Sending);
    assert!(!app.offers(Action::Repeat), "only at rest");
    app.deliver_progress(BatchStage::Finished, 9);
    let effects = app.press("d");
    assert_eq!(commands(&effects), []);
    let Question::SendLineAgain { batch, line } = app.asked().clone() else {
        panic!()
    };
    assert_eq!((batch, line.number), (BatchId(3), 5));
    let effects = app.confirm();
    let again = ImportCommand::SendAgain { batch, line: 5 };
    assert_eq!(commands(&effects), [again]);
}

#[test]
fn addresses_of_the_batch_are_copied_by_a_key() {
    let mut app = App::logged_in();
    app.open_batch_page(BatchStage::Finished);
    let effects = app.press("Y");
    assert_eq!(commands(&effects), [ImportCommand::CopyUrls(BatchId(3))]);
}

#[test]
fn batch_filter_is_cleared_like_the_others() {
    let mut app = App::logged_in();
    app.load_links(vec![link("https://loja.example/x")]);
    app.press("B");
    let filter = &app.model.links.filter;
    assert_eq!(filter.newest_batch, Some(account()));
    app.press("Esc");
    assert!(app.model.links.filter.is_open());
}
