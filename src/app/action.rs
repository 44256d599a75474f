//! Everything a person can ask for, by one name each.
//!
//! The name is the same in `keys.toml`, in the words (`action-…`), in the palette and in the code.

use super::Pane;

/// Where a key means something; the same key may mean different things in different places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// Everywhere but while text is typed.
    Anywhere,
    /// Lists and the details of what is in them.
    Lists,
    /// Forms.
    Forms,
    /// Questions with buttons.
    Dialogs,
}

impl Place {
    /// All places, in the order of the help page.
    pub const ALL: [Place; 4] = [Place::Anywhere, Place::Lists, Place::Forms, Place::Dialogs];

    /// The table's name in `keys.toml`.
    pub fn name(self) -> &'static str {
        match self {
            Place::Anywhere => "anywhere",
            Place::Lists => "lists",
            Place::Forms => "forms",
            Place::Dialogs => "dialogs",
        }
    }
}

macro_rules! actions {
    ($( $(#[doc = $doc:literal])* $variant:ident = $name:literal in $place:ident ),+ $(,)?) => {
        /// Something a person can ask for.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Action { $( $(#[doc = $doc])* $variant ),+ }

        impl Action {
            /// Every action, in the order of the help page.
            pub const ALL: &[Action] = &[$( Action::$variant ),+];

            /// Its one name.
            pub fn name(self) -> &'static str {
                match self { $( Action::$variant => $name ),+ }
            }

            /// Where its keys count.
            pub fn place(self) -> Place {
                match self { $( Action::$variant => Place::$place ),+ }
            }
        }
    };
}

actions! {
    /// Show the links.
    Links = "links" in Anywhere,
    /// Show the domains.
    Domains = "domains" in Anywhere,
    /// Show the withdrawals.
    Withdrawals = "withdrawals" in Anywhere,
    /// Show the direct payments.
    Charges = "charges" in Anywhere,
    /// Show the HTTP exchanges.
    Exchanges = "exchanges" in Anywhere,
    /// Show who is logged in.
    Account = "account" in Anywhere,
    /// Show the keys.
    Help = "help" in Anywhere,
    /// Open the palette of everything that can be done now.
    Palette = "palette" in Anywhere,
    /// Draw the screen anew.
    Redraw = "redraw" in Anywhere,
    /// Go back, or cancel.
    Back = "back" in Anywhere,
    /// Go back in what lies over a pane; leave the program from the pane itself.
    Quit = "quit" in Anywhere,
    /// Leave the program from anywhere.
    Leave = "leave" in Anywhere,
    /// Show the other withdrawal that is named on the screen.
    ShowOther = "show-other" in Anywhere,
    /// The line above.
    Up = "up" in Lists,
    /// The line below.
    Down = "down" in Lists,
    /// A screenful up.
    PageUp = "page-up" in Lists,
    /// A screenful down.
    PageDown = "page-down" in Lists,
    /// The first line.
    First = "first" in Lists,
    /// The last line.
    Last = "last" in Lists,
    /// Search.
    Search = "search" in Lists,
    /// Details, or pick.
    Open = "open" in Lists,
    /// Make a new one.
    New = "new" in Lists,
    /// Make the same again.
    Repeat = "repeat" in Lists,
    /// Read or ask again; never more than that.
    Refresh = "refresh" in Lists,
    /// Send a withdrawal, for the first time or again; it asks first.
    Send = "send" in Lists,
    /// Copy what this is about.
    Copy = "copy" in Lists,
    /// Copy a message for the buyer.
    CopyMessage = "copy-message" in Lists,
    /// Open in the browser.
    Browse = "browse" in Lists,
    /// The QR code alone.
    Qr = "qr" in Lists,
    /// What to look for in the account about a withdrawal.
    Check = "check" in Lists,
    /// The seller found the withdrawal in the account: it was paid.
    Found = "found" in Lists,
    /// The seller states, by typing, that the withdrawal was not paid.
    NotPaid = "not-paid" in Lists,
    /// Show the journals to pick one from.
    Journals = "journals" in Lists,
    /// Retire what was prepared and never taken.
    Discard = "discard" in Lists,
    /// Log in.
    LogIn = "log-in" in Lists,
    /// Forget the credentials.
    LogOut = "log-out" in Lists,
    /// Put the JWT for links in place.
    PasteJwt = "paste-jwt" in Lists,
    /// Show the lines of the contract that steer money.
    Contract = "contract" in Lists,
    /// The next field.
    NextField = "next-field" in Forms,
    /// The field before.
    PrevField = "prev-field" in Forms,
    /// The choice before.
    PrevChoice = "prev-choice" in Forms,
    /// The next choice.
    NextChoice = "next-choice" in Forms,
    /// The next field, and at the end submit.
    Enter = "enter" in Forms,
    /// Submit from anywhere in the form.
    Submit = "submit" in Forms,
    /// The next destination that was paid to before.
    NextKnown = "next-known" in Forms,
    /// The destination before.
    PrevKnown = "prev-known" in Forms,
    /// Ask for the fee of a withdrawal once more.
    AskFee = "ask-fee" in Forms,
    /// The next button.
    NextButton = "next-button" in Dialogs,
    /// The button before.
    PrevButton = "prev-button" in Dialogs,
    /// Press the button.
    Press = "press" in Dialogs,
}

impl Action {
    /// The action of this name.
    pub fn named(name: &str) -> Option<Action> {
        Action::ALL.iter().copied().find(|action| action.name() == name)
    }
}

impl Action {
    /// The pane it shows, where it shows one.
    pub fn pane(self) -> Option<Pane> {
        let shows = |pane: &Pane| pane.action() == self;
        Pane::ALL.into_iter().find(shows)
    }
}
