//! The panes, in the order of their keys.

use super::action::Action;

macro_rules! panes {
    ($( $(#[$default:ident])? $pane:ident: $columns:literal ),+ $(,)?) => {
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

            /// Columns of its tab, wide enough for its name in every language.
            pub fn columns(self) -> u16 {
                match self { $( Pane::$pane => $columns ),+ }
            }
        }
    };
}

panes! {
    #[default]
    Links: 11,
    Domains: 13,
    Withdrawals: 15,
    Charges: 13,
    Exchanges: 15,
    Account: 11,
}
