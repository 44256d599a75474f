//! The panes, in the order of their keys.

use super::Action;

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
