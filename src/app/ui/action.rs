//! Everything a person can ask for, by one name each.
//!
//! The name is the same in `keys.toml`, in the words (`action-…`), in the palette and in the code.

use std::sync::LazyLock;

use crate::words::{Lang, Words};

/// A place where a key means something; the same key may mean different things in different places.
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
    /// All places.
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
        #[expect(missing_docs, reason = "an action is its name; the words have its help")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Action { $( $(#[doc = $doc])* $variant ),+ }

        impl Action {
            /// Every action, in the order of the help page.
            pub const ALL: &[Action] = &[$( Action::$variant ),+];

            /// Its one name.
            pub fn name(self) -> &'static str {
                match self { $( Action::$variant => $name ),+ }
            }

            /// Returns the place where its keys count.
            pub fn place(self) -> Place {
                match self { $( Action::$variant => Place::$place ),+ }
            }
        }
    };
}

actions! {
    Links = "links" in Anywhere,
    Domains = "domains" in Anywhere,
    Withdrawals = "withdrawals" in Anywhere,
    Charges = "charges" in Anywhere,
    Exchanges = "exchanges" in Anywhere,
    Account = "account" in Anywhere,
    Help = "help" in Anywhere,
    Palette = "palette" in Anywhere,
    Doctor = "doctor" in Anywhere,
    Redraw = "redraw" in Anywhere,
    /// Go back, or cancel.
    Back = "back" in Anywhere,
    /// Go back in what lies over a pane; leave the program from the pane itself.
    Quit = "quit" in Anywhere,
    /// Leave the program from anywhere.
    Leave = "leave" in Anywhere,
    /// Show the other withdrawal that is named on the screen.
    ShowOther = "show-other" in Anywhere,
    /// Teach the contract what a reply holds, or how a request is sent.
    Teach = "teach" in Anywhere,
    StoryNext = "story-next" in Anywhere,
    Up = "up" in Lists,
    Down = "down" in Lists,
    PageUp = "page-up" in Lists,
    PageDown = "page-down" in Lists,
    First = "first" in Lists,
    Last = "last" in Lists,
    Search = "search" in Lists,
    /// Details, or pick.
    Open = "open" in Lists,
    New = "new" in Lists,
    Repeat = "repeat" in Lists,
    /// Read or ask again; never more than that.
    Refresh = "refresh" in Lists,
    /// Send a withdrawal, for the first time or again; it asks first.
    Send = "send" in Lists,
    Copy = "copy" in Lists,
    CopyMessage = "copy-message" in Lists,
    Receipt = "receipt" in Lists,
    /// Show what is personal in the exchanges, or mask it again.
    Reveal = "reveal" in Lists,
    /// Save what is shown as files.
    Save = "save" in Lists,
    Browse = "browse" in Lists,
    /// Open WhatsApp with the message for the buyer.
    Share = "share" in Lists,
    Qr = "qr" in Lists,
    /// Mark a link as paid, or take the mark away.
    MarkPaid = "mark-paid" in Lists,
    /// Show the links that are not marked as paid, then those that are, then all.
    FilterPaid = "filter-paid" in Lists,
    /// Show the links of the day under the cursor alone, or of every day again.
    FilterDay = "filter-day" in Lists,
    /// Show the links that ask for the domain under the cursor alone, or for any again.
    FilterDomain = "filter-domain" in Lists,
    /// Show the clues by which a withdrawal is looked for in the account.
    Check = "check" in Lists,
    /// The seller found the withdrawal in the account: it was paid.
    Found = "found" in Lists,
    /// The seller states, by typing, that the withdrawal was not paid.
    NotPaid = "not-paid" in Lists,
    /// Make the journal here the live one.
    MakeLive = "make-live" in Lists,
    Nickname = "nickname" in Lists,
    /// Say how much of an accepted withdrawal arrived.
    Arrived = "arrived" in Lists,
    /// Retire what was prepared and never taken.
    Discard = "discard" in Lists,
    LogIn = "log-in" in Lists,
    LogOut = "log-out" in Lists,
    /// Put the JWT for links in place.
    PasteJwt = "paste-jwt" in Lists,
    /// Show the lines of the contract that steer money.
    Contract = "contract" in Lists,
    /// Show the profiles, to go on with another one.
    Profiles = "profiles" in Lists,
    NextField = "next-field" in Forms,
    PrevField = "prev-field" in Forms,
    PrevChoice = "prev-choice" in Forms,
    NextChoice = "next-choice" in Forms,
    /// The next field, and at the end submit.
    Enter = "enter" in Forms,
    /// Submit from anywhere in the form.
    Submit = "submit" in Forms,
    /// The next destination that was paid to before.
    NextKnown = "next-known" in Forms,
    PrevKnown = "prev-known" in Forms,
    /// Ask for the fee of a withdrawal once more.
    AskFee = "ask-fee" in Forms,
    NextButton = "next-button" in Dialogs,
    PrevButton = "prev-button" in Dialogs,
    Press = "press" in Dialogs,
}

impl Action {
    /// The action of this name.
    pub fn named(name: &str) -> Option<Action> {
        Action::ALL.iter().copied().find(|action| action.name() == name)
    }

    /// Its word, looked up once: the foot of each page has a dozen of them.
    pub fn word(self, lang: Lang) -> &'static str {
        static WORDS: [LazyLock<Vec<String>>; 2] =
            [LazyLock::new(|| words(Lang::Pt)), LazyLock::new(|| words(Lang::En))];
        &WORDS[lang as usize][self as usize]
    }

    /// The pane it shows, where it shows one.
    pub fn pane(self) -> Option<Pane> {
        let shows = |pane: &Pane| pane.action() == self;
        Pane::ALL.into_iter().find(shows)
    }
}

/// The words of all actions, in their order.
fn words(lang: Lang) -> Vec<String> {
    let word = |action: &Action| Words::of(lang).text(&format!("action-{}", action.name()));
    Action::ALL.iter().map(word).collect()
}

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
