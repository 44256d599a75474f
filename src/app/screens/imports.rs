//! Imports of payment links from a file: the form for the file, the page that shows what is in it,
//! and the page of the batch that is being sent.

mod batch_page;
mod check_page;
mod file_form;

pub use batch_page::BatchPage;
pub use check_page::CheckPage;
pub use file_form::FileForm;

use crate::app::Store;
use crate::app::store::imports::ImportFault;
use crate::app::ui::action::Action;
use crate::app::ui::parts::wrapped;
use crate::app::ui::{Line, Role};
use crate::trade::{Untrusted, Wall};
use crate::words::{batch, failure};

/// Lays out the reason why a file is not imported, or a batch is not sent.
fn fault_lines(store: &Store, fault: &ImportFault, width: usize) -> Vec<Line> {
    let words = store.words();
    let why = |id: &str, text: &str| {
        let why = Untrusted::shown_of(text);
        words.with(id, &[("why", &why)])
    };
    let text = match fault {
        ImportFault::Unreadable(error) => why("import-unreadable", error),
        ImportFault::Result(error) => why("import-no-result", error),
        ImportFault::File(fault) => batch::file_fault(words, fault),
        ImportFault::Unfinished(progress) => {
            let when = moment(store, progress.batch.at);
            let key = store.render_cx().first_key(Action::ShowOther);
            let values = [("when", &*when), ("key", key)];
            words.count("import-unfinished", progress.counts.open(), &values)
        }
        ImportFault::Busy(process) => {
            let process = process.map_or_else(
                || words.text("batch-busy.unknown"),
                |process| process.to_string(),
            );
            words.with("batch-busy", &[("process", &process)])
        }
        ImportFault::History(trouble) => failure::history(words, trouble).0,
        ImportFault::Outdated => words.text("import-outdated"),
    };
    wrapped(Role::Warn, &text, width)
}

/// The time at which a batch was begun.
fn moment(store: &Store, at: Wall) -> String {
    store.render_cx().moment(at)
}
