//! The panes, in the order of their keys.

use std::sync::LazyLock;

use super::Action;
use crate::words::{Lang, Words};

macro_rules! panes {
    ($( $(#[$default:ident])? $pane:ident ),+ $(,)?) => {
        /// A pane: each is shown by the action of its name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        #[expect(missing_docs, reason = "a pane is its name")]
        pub enum Pane { $( $(#[$default])? $pane ),+ }

        impl Pane {
            /// All panes, in the order of their keys.
            pub const ALL: [Pane; [$( Pane::$pane ),+].len()] = [$( Pane::$pane ),+];

            /// The action that shows it.
            pub fn action(self) -> Action {
                match self { $( Pane::$pane => Action::$pane ),+ }
            }
        }
    };
}

panes! {
    #[default]
    Links,
    Domains,
    Withdrawals,
    Charges,
    Exchanges,
    Account,
}

impl Pane {
    /// Its name, looked up once: each page has all of them.
    pub fn name(self, lang: Lang) -> &'static str {
        static NAMES: [LazyLock<[String; Pane::ALL.len()]>; 2] =
            [LazyLock::new(|| names(Lang::Pt)), LazyLock::new(|| names(Lang::En))];
        &NAMES[lang as usize][self as usize]
    }
}

/// The names of all panes, in their order.
fn names(lang: Lang) -> [String; Pane::ALL.len()] {
    Pane::ALL.map(|pane| Words::of(lang).text(&format!("pane-{}", pane.action().name())))
}
