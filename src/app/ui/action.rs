//! The actions that a user can trigger with a key or from the command palette. Each action has a
//! name.
//!
//! The file `keys.toml`, the message ids (`action-…`), the command palette and the code all use the
//! same names.

use std::sync::LazyLock;

use compact_str::{CompactString, CompactStringExt};

use crate::words::{Catalogue, Lang};

/// A scope of key bindings, such as lists or forms. The same key can trigger different actions in
/// different scopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum KeyScope {
    /// Keys that work on every screen, but not while the user is typing text.
    Anywhere,
    /// Keys that work in lists and on details pages.
    Lists,
    Forms,
    /// Keys that work in dialogs with buttons.
    Dialogs,
}

impl KeyScope {
    pub const ALL: [KeyScope; 4] = [
        KeyScope::Anywhere,
        KeyScope::Lists,
        KeyScope::Forms,
        KeyScope::Dialogs,
    ];

    /// The name of this scope's table in the file `keys.toml`.
    pub fn name(self) -> &'static str {
        match self {
            KeyScope::Anywhere => "anywhere",
            KeyScope::Lists => "lists",
            KeyScope::Forms => "forms",
            KeyScope::Dialogs => "dialogs",
        }
    }
}

macro_rules! actions {
    ($( $(#[doc = $doc:literal])* $variant:ident = $name:literal in $scope:ident ),+ $(,)?) => {
        /// An action that a user can trigger with a key or from the command palette.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Action { $( $(#[doc = $doc])* $variant ),+ }

        impl Action {
            /// All actions, in the order in which the help page lists them.
            pub const ALL: &[Action] = &[$( Action::$variant ),+];

            /// The action's name.
            pub fn name(self) -> &'static str {
                match self { $( Action::$variant => $name ),+ }
            }

            /// The scope in which the keys of this action work.
            pub fn scope(self) -> KeyScope {
                match self { $( Action::$variant => KeyScope::$scope ),+ }
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
    /// Shows the next pane to the right. After the last pane comes the first.
    NextPane = "next-pane" in Lists,
    PrevPane = "prev-pane" in Lists,
    Help = "help" in Anywhere,
    Palette = "palette" in Anywhere,
    Doctor = "doctor" in Anywhere,
    Redraw = "redraw" in Anywhere,
    /// Returns to the previous screen, or cancels.
    Back = "back" in Anywhere,
    /// Closes the open screen. If only a pane (a main screen) is open, quits the program.
    Quit = "quit" in Anywhere,
    /// Quits the program from any screen.
    Leave = "leave" in Anywhere,
    /// Stops the program, so that the shell shows its prompt. The shell's `fg` continues it.
    Suspend = "suspend" in Anywhere,
    /// Shows the other withdrawal that is mentioned on the current screen.
    ShowOther = "show-other" in Anywhere,
    /// Opens the screen on which the seller corrects the API contract, which defines how requests
    /// are built and how responses are read.
    Teach = "teach" in Anywhere,
    /// Requests a withdrawal's fee quote from the service again.
    AskFee = "ask-fee" in Anywhere,
    StoryNext = "story-next" in Anywhere,
    /// Switches all texts to the other language, until the program ends.
    Language = "language" in Anywhere,
    /// Marks this moment in the recording of the screens, because something went wrong.
    MarkMoment = "mark-moment" in Anywhere,
    Up = "up" in Lists,
    Down = "down" in Lists,
    PageUp = "page-up" in Lists,
    PageDown = "page-down" in Lists,
    HalfPageUp = "half-page-up" in Lists,
    HalfPageDown = "half-page-down" in Lists,
    First = "first" in Lists,
    Last = "last" in Lists,
    Search = "search" in Lists,
    /// Searches for the periods and amounts of the search text as words.
    AsText = "as-text" in Anywhere,
    /// Opens the details of a row, or chooses an entry of a list.
    Open = "open" in Lists,
    New = "new" in Lists,
    Repeat = "repeat" in Lists,
    /// Opens the form for a file of links, or the batch that is being sent.
    Import = "import" in Lists,
    /// Reloads the list, or repeats a request that only reads data. Never repeats a request that
    /// could create or pay anything.
    Refresh = "refresh" in Lists,
    /// Sends a withdrawal, for the first time or again. Before that, a dialog asks for
    /// confirmation.
    Send = "send" in Lists,
    Copy = "copy" in Lists,
    /// Copies the message for the buyer. For an HTTP request, copies it as a curl command.
    CopyMessage = "copy-message" in Lists,
    Receipt = "receipt" in Lists,
    /// For a request, opens its payment link, direct payment or withdrawal. For such an item, lists
    /// its requests.
    Related = "related" in Lists,
    /// Shows or hides personal data in the recorded HTTP requests.
    Reveal = "reveal" in Lists,
    /// Marks an HTTP request, or compares it with the marked request.
    Compare = "compare" in Lists,
    /// Saves a list, a withdrawal's receipt, or an HTTP request, to files.
    Save = "save" in Lists,
    Browse = "browse" in Lists,
    /// Opens WhatsApp with the message for the buyer.
    Share = "share" in Lists,
    Qr = "qr" in Lists,
    /// Marks a link or a direct payment as paid, or removes the mark.
    MarkPaid = "mark-paid" in Lists,
    /// Opens the page that compares a bank's statement with the sales.
    Reconcile = "reconcile" in Lists,
    /// Marks all charges as paid whose identifier is in the statement.
    MarkCertain = "mark-certain" in Lists,
    /// Undoes the marks of the newest statement.
    UndoMarks = "undo-marks" in Anywhere,
    /// Switches to the next filter for payment links: only unpaid links, then only paid links, then
    /// all links.
    FilterPaid = "filter-paid" in Lists,
    /// Shows only the payment links of the day under the cursor, or removes this filter.
    FilterDay = "filter-day" in Lists,
    /// Shows only the payment links on the domain under the cursor, or removes this filter.
    FilterDomain = "filter-domain" in Lists,
    /// Shows only the payment links that the seller has put away, or removes this filter.
    FilterPutAway = "filter-put-away" in Lists,
    /// Opens the form for the seller's note about a payment link.
    Note = "note" in Lists,
    /// Opens WhatsApp with a reminder for the buyer, after showing its text.
    Remind = "remind" in Lists,
    /// Shows only the payment links of the newest batch, or removes this filter.
    FilterBatch = "filter-batch" in Lists,
    /// Shows the details by which the seller can find a withdrawal in the account at the service.
    Check = "check" in Lists,
    /// Opens the page on which the seller approves a withdrawal that another person of the team
    /// prepared. Takes the seller's approval back.
    Approve = "approve" in Lists,
    /// Records that the seller found the withdrawal in the account at the service. This means that
    /// it was paid.
    Found = "found" in Lists,
    /// Opens the form in which the seller declares that a withdrawal was not paid.
    NotPaid = "not-paid" in Lists,
    /// Opens the form that makes the current journal the live journal (the journal for real money).
    MakeLive = "make-live" in Lists,
    Nickname = "nickname" in Lists,
    /// Records how much money of an accepted withdrawal arrived in the bank account.
    Arrived = "arrived" in Lists,
    /// Discards a prepared withdrawal, which the service has never accepted. Removes a payment link
    /// or direct payment that was not created. Puts a created link away, or brings it back.
    Discard = "discard" in Lists,
    LogIn = "log-in" in Lists,
    LogOut = "log-out" in Lists,
    /// Opens the form for entering the JWT, the credential for payment links.
    PasteJwt = "paste-jwt" in Lists,
    /// Shows the settings of the API contract that affect money.
    Contract = "contract" in Lists,
    /// Opens the list of profiles, from which the user can switch to another profile.
    Profiles = "profiles" in Lists,
    /// Shows the figures of a period.
    Report = "report" in Lists,
    NextField = "next-field" in Forms,
    PrevField = "prev-field" in Forms,
    PrevChoice = "prev-choice" in Forms,
    NextChoice = "next-choice" in Forms,
    /// Moves to the next field. In the last field, submits the form.
    Enter = "enter" in Forms,
    /// Submits the form, whichever field has the focus.
    Submit = "submit" in Forms,
    /// Fills in the next destination from the list of destinations that were used before.
    NextKnown = "next-known" in Forms,
    PrevKnown = "prev-known" in Forms,
    NextButton = "next-button" in Dialogs,
    PrevButton = "prev-button" in Dialogs,
    Press = "press" in Dialogs,
}

impl Action {
    pub fn named(name: &str) -> Option<Action> {
        Action::ALL
            .iter()
            .copied()
            .find(|action| action.name() == name)
    }

    /// The action's label in this language. The labels are cached, because each footer shows about
    /// a dozen of them.
    pub fn label_text(self, lang: Lang) -> &'static str {
        static WORDS: [LazyLock<Vec<String>>; 2] = [
            LazyLock::new(|| words(Lang::Pt)),
            LazyLock::new(|| words(Lang::En)),
        ];
        &WORDS[lang as usize][self as usize]
    }

    /// A longer explanation of the action, or `None` if its label is clear enough.
    pub fn help(self, words: &Catalogue) -> Option<String> {
        let id = format!("action-{}.help", self.name());
        words.has_message(&id).then(|| words.text(&id))
    }

    /// The label and the longer explanation of the action, if there is one. If the explanation
    /// already begins with the label, returns only the explanation.
    pub fn help_text(self, label: &str, words: &Catalogue) -> String {
        match self.help(words) {
            Some(help) if help.starts_with(label) => help,
            Some(help) => format!("{label}: {help}"),
            None => label.to_owned(),
        }
    }

    /// The panes in which the action works, in the list or in the details of a row. The result is
    /// empty for actions that work everywhere, or only in forms and dialogs.
    pub fn panes(self) -> &'static [Pane] {
        use Action::*;
        use Pane as In;
        match self {
            Open => &[
                In::Links,
                In::Domains,
                In::Withdrawals,
                In::Charges,
                In::Exchanges,
            ],
            Refresh | Search => &[
                In::Links,
                In::Domains,
                In::Withdrawals,
                In::Charges,
                In::Exchanges,
            ],
            Related | AsText => &[In::Links, In::Withdrawals, In::Charges, In::Exchanges],
            Copy => &[In::Links, In::Withdrawals, In::Charges, In::Exchanges],
            New => &[In::Links, In::Withdrawals, In::Charges],
            Repeat | Found | Discard => &[In::Links, In::Withdrawals, In::Charges],
            CopyMessage => &[In::Links, In::Charges, In::Exchanges],
            Share | Qr | MarkPaid => &[In::Links, In::Charges],
            Browse | FilterPaid | FilterDay | FilterDomain | FilterPutAway | FilterBatch
            | Import | Reconcile | Note | Remind => &[In::Links],
            Save => &[In::Links, In::Withdrawals, In::Charges, In::Exchanges],
            Send | Approve | Receipt | Check | NotPaid | MakeLive | Nickname | Arrived
            | ShowOther => &[In::Withdrawals],
            Reveal | Compare | Teach => &[In::Exchanges],
            LogIn | LogOut | PasteJwt | Contract | Profiles => &[In::Account],
            NextPane | PrevPane => &Pane::ALL,
            Links | Domains | Withdrawals | Charges | Exchanges | Account | Help | Palette
            | Doctor | Report | Redraw | Back | Quit | Leave | Suspend | StoryNext | Language
            | MarkMoment | Up | Down | PageUp | PageDown | HalfPageUp | HalfPageDown | First
            | Last | MarkCertain | UndoMarks | NextField | PrevField | PrevChoice | NextChoice
            | Enter | Submit | NextKnown | PrevKnown | AskFee | NextButton | PrevButton | Press => {
                &[]
            }
        }
    }

    /// The pane of a page that the action opens without a row. The palette offers such an action in
    /// every pane, and then shows this pane first.
    pub fn pane_of_page(self) -> Option<Pane> {
        matches!(self, Action::Import | Action::Reconcile).then_some(Pane::Links)
    }

    /// The pane that the action opens, or `None` if it does not open a pane.
    pub fn pane(self) -> Option<Pane> {
        Pane::ALL.into_iter().find(|pane| pane.action() == self)
    }
}

/// The actions that a screen offers, with the most useful action first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Actions {
    pub offered: Vec<Action>,
    /// The actions that have a more specific label on this screen. The text is the suffix of the
    /// label's message id.
    words: Vec<(Action, &'static str)>,
}

impl From<Vec<Action>> for Actions {
    fn from(offered: Vec<Action>) -> Actions {
        Actions {
            offered,
            words: vec![],
        }
    }
}

impl Actions {
    /// The actions whose condition is true, in the given order.
    pub fn offered_if<const N: usize>(candidates: [(bool, Action); N]) -> Actions {
        let offered = candidates.into_iter().filter(|(is_offered, _)| *is_offered);
        offered.map(|(_, action)| action).collect::<Vec<_>>().into()
    }

    /// Sets a more specific label for an action on this screen. `word` is the suffix of the label's
    /// message id.
    pub fn word(mut self, action: Action, word: &'static str) -> Actions {
        self.words.push((action, word));
        self
    }

    /// An action's label on this screen. This is its more specific label, if it has one.
    pub fn label(&self, words: &Catalogue, action: Action) -> CompactString {
        match self.word_of(action) {
            None => action.label_text(words.lang()).into(),
            Some(suffix) => words
                .text(&["action-", action.name(), ".", suffix].concat_compact())
                .into(),
        }
    }

    /// The message id suffix of the action's more specific label, if it has one.
    pub fn word_of(&self, action: Action) -> Option<&'static str> {
        self.words
            .iter()
            .find(|(other, _)| *other == action)
            .map(|(_, word)| *word)
    }
}

/// The labels of all actions, in the order of [`Action::ALL`].
fn words(lang: Lang) -> Vec<String> {
    Action::ALL
        .iter()
        .map(|action| Catalogue::of(lang).text(&format!("action-{}", action.name())))
        .collect()
}

macro_rules! panes {
    ($( $(#[$default:ident])? $pane:ident ),+ $(,)?) => {
        /// A pane: one of the main screens of the program. The action with the same name opens it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub enum Pane { $( $(#[$default])? $pane ),+ }

        impl Pane {
            /// All panes, in the order of the keys that open them.
            pub const ALL: [Pane; [$( Pane::$pane ),+].len()] = [$( Pane::$pane ),+];

            /// The action that opens the pane.
            pub fn action(self) -> Action {
                match self { $( Pane::$pane => Action::$pane ),+ }
            }

            /// The next pane (if `forward` is true) or the previous pane. After the last pane comes
            /// the first.
            pub fn neighbour(self, forward: bool) -> Pane {
                let step = if forward { 1 } else { Pane::ALL.len() - 1 };
                Pane::ALL[(self as usize + step) % Pane::ALL.len()]
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
    /// The pane's name in this language. The names are cached, because each page shows all of them.
    pub fn name(self, lang: Lang) -> &'static str {
        static NAMES: [LazyLock<[String; Pane::ALL.len()]>; 2] = [
            LazyLock::new(|| names(Lang::Pt, "")),
            LazyLock::new(|| names(Lang::En, "")),
        ];
        &NAMES[lang as usize][self as usize]
    }

    /// The pane's short name, for a narrow terminal.
    pub fn short_name(self, lang: Lang) -> &'static str {
        static NAMES: [LazyLock<[String; Pane::ALL.len()]>; 2] = [
            LazyLock::new(|| names(Lang::Pt, ".short")),
            LazyLock::new(|| names(Lang::En, ".short")),
        ];
        &NAMES[lang as usize][self as usize]
    }
}

/// The names of all panes, in the order of [`Pane::ALL`]. `suffix` is the end of the message ids.
fn names(lang: Lang, suffix: &str) -> [String; Pane::ALL.len()] {
    Pane::ALL
        .map(|pane| Catalogue::of(lang).text(&format!("pane-{}{suffix}", pane.action().name())))
}
