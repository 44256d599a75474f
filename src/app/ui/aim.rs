//! The aims of a person at the keys: the groups of the help page.

use super::Action;

/// The aim of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// Go somewhere else, or leave.
    Go,
    /// Find something in a list, and read it.
    Find,
    /// Make a link or a charge, and pass it on.
    Sell,
    /// Follow a withdrawal to its end.
    Follow,
    /// Log in and out.
    Enter,
    /// See to the program itself: what it checks, knows, shows, and is taught.
    Program,
    /// Fill in a form.
    Fill,
    /// Answer a question.
    Answer,
}

impl Aim {
    /// All aims with the messages that name them, in the order of the help page.
    pub const ALL: [(Aim, &str); 8] = [
        (Aim::Go, "aim-go"),
        (Aim::Find, "aim-find"),
        (Aim::Sell, "aim-sell"),
        (Aim::Follow, "aim-follow"),
        (Aim::Enter, "aim-enter"),
        (Aim::Fill, "aim-fill"),
        (Aim::Answer, "aim-answer"),
        (Aim::Program, "aim-program"),
    ];

    /// The aim of this action.
    pub fn of(action: Action) -> Aim {
        use Action::*;
        match action {
            _ if action.pane().is_some() => Aim::Go,
            Up | Down | PageUp | PageDown | First | Last | Search | FilterPaid | FilterDay
            | FilterDomain | Open | Refresh => Aim::Find,
            New | Repeat | Copy | CopyMessage | Share | Browse | Qr | MarkPaid => Aim::Sell,
            Send | Check | Found | NotPaid | Discard | ShowOther | MakeLive | Nickname
            | Arrived | Receipt | Save => Aim::Follow,
            LogIn | LogOut | PasteJwt => Aim::Enter,
            Doctor | Redraw | Reveal | Teach | Contract | Profiles | StoryNext => Aim::Program,
            NextField | PrevField | PrevChoice | NextChoice | Enter | Submit | NextKnown
            | PrevKnown | AskFee => Aim::Fill,
            NextButton | PrevButton | Press => Aim::Answer,
            // What is left leads somewhere: help, the palette, back, and out.
            _ => Aim::Go,
        }
    }
}
