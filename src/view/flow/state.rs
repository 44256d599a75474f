//! What the state of a withdrawal is called, and what it says about the money.
//!
//! The state comes from the model each time; a sentence here is true of its one state only.

use crate::app::Model;
use crate::trade::withdrawal::{Alarm, Class, NoSend, State, WhyPerson};
use crate::trade::{ClockDoubt, Wall, Withdrawal};
use crate::view::{Look, Role, dates};

/// The word for lists and headlines.
pub(in crate::view) fn word(look: &Look, state: &State) -> String {
    look.say(match state {
        State::Prepared => "state-prepared",
        State::Sending(_) => "state-sending",
        State::Unknown => "state-unknown",
        State::Accepted => "state-accepted",
        State::Rejected => "state-rejected",
        State::NeedsPerson(_) => "state-needs-person",
        State::Mismatch(_) => "state-mismatch",
        State::Discarded => "state-discarded",
        State::ResolvedPaid => "state-resolved-paid",
        State::ResolvedNotPaid => "state-resolved-not-paid",
    })
}

/// The word for one withdrawal, which also says that another window is at it.
pub(in crate::view) fn word_of(model: &Model, look: &Look, withdrawal: &Withdrawal) -> String {
    match model.state_of(withdrawal) {
        State::Sending(_) if model.is_sent_elsewhere(withdrawal.agreement.key) => {
            look.say("state-sending-elsewhere")
        }
        state => word(look, &state),
    }
}

/// How the word looks; the word alone says it too.
pub(in crate::view) fn role(state: &State) -> Role {
    match state {
        State::Sending(_) | State::Unknown | State::NeedsPerson(_) => Role::Warn,
        State::Mismatch(_) | State::Rejected => Role::Bad,
        State::Accepted | State::ResolvedPaid => Role::Good,
        State::Prepared => Role::Strong,
        State::Discarded | State::ResolvedNotPaid => Role::Dim,
    }
}

/// What the state means for the money, the most important sentence first.
pub(super) fn said(model: &Model, look: &Look, withdrawal: &Withdrawal) -> Vec<String> {
    let when = |id: &str| {
        let at = withdrawal.choice.map_or(Wall(0), |(_, at)| at);
        vec![look.words.with(id, &[("when", &dates::moment(model, look, at))])]
    };
    let all = |ids: &[&str]| ids.iter().map(|id| look.say(id)).collect::<Vec<_>>();
    match model.state_of(withdrawal) {
        State::Prepared => prepared(model, look, withdrawal),
        State::Sending(_) if model.is_sent_elsewhere(withdrawal.agreement.key) => {
            all(&["said-sending-elsewhere", "said-sending-elsewhere-next"])
        }
        State::Sending(_) => all(&["said-sending"]),
        State::Unknown => all(&["said-unknown"]),
        State::Accepted => all(&["said-accepted", "said-accepted-arrival"]),
        State::Rejected => all(&["said-rejected", "said-rejected-next"]),
        State::NeedsPerson(why) => {
            let mut said = all(&["said-needs-person"]);
            said.push(why_person(look, withdrawal, &why));
            said
        }
        State::Mismatch(alarm) => {
            let mut said = all(&["said-mismatch", "said-mismatch-lock"]);
            said.extend(contradiction(look, &alarm));
            said
        }
        State::Discarded => when("said-discarded"),
        State::ResolvedPaid => when("said-resolved-paid"),
        State::ResolvedNotPaid => when("said-resolved-not-paid"),
    }
}

/// Nothing was taken yet; why not, and whether it still may be.
fn prepared(model: &Model, look: &Look, withdrawal: &Withdrawal) -> Vec<String> {
    let ends = withdrawal.attempts.iter().filter_map(|attempt| attempt.end.as_ref());
    let last_no = ends.clone().rfind(|end| !matches!(end.class, Class::NotSent(_)));
    let mut said = vec![look.say(match last_no.map(|end| &end.class) {
        Some(Class::Throttled { .. }) => "said-prepared-throttled",
        Some(_) => "said-prepared-no-entry",
        None if withdrawal.attempts.is_empty() => "said-prepared-new",
        None => "said-prepared-not-sent",
    })];
    if model.setup.window.left(&withdrawal.attempts, &model.now).is_err() {
        said.push(look.say("said-prepared-too-late"));
    }
    said
}

fn why_person(look: &Look, withdrawal: &Withdrawal, why: &WhyPerson) -> String {
    match why {
        WhyPerson::NoSend(NoSend::WindowOver) => look.say("why-window-over"),
        WhyPerson::NoSend(NoSend::TooManySends) => {
            let sends = withdrawal.attempts.iter().filter(|attempt| attempt.counts()).count();
            look.words.count("why-too-many", sends as u64, &[])
        }
        WhyPerson::NoSend(NoSend::ClockInDoubt(ClockDoubt::AnotherBoot)) => {
            look.say("why-another-boot")
        }
        WhyPerson::NoSend(NoSend::ClockInDoubt(_)) => look.say("why-clock-back"),
        WhyPerson::Redirected(status) => {
            look.words.with("why-redirected", &[("status", &status.to_string())])
        }
        WhyPerson::KeyReused => look.say("why-key-reused"),
    }
}

/// What was asked for and what the reply says, one below the other.
fn contradiction(look: &Look, alarm: &Alarm) -> [String; 2] {
    let (sent, got) = match alarm {
        Alarm::Amount { sent, got } => (sent.to_string(), got.to_string()),
        Alarm::Destination { sent, got } => (sent.clone(), got.shown_within(60)),
    };
    [
        look.words.with("alarm-amount-sent", &[("sent", &sent)]),
        look.words.with("alarm-amount-got", &[("got", &got)]),
    ]
}
