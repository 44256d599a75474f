//! Draws the details of a withdrawal: its state, all send attempts, and the next steps that are
//! safe.

use std::time::Duration;

use crate::app::Store;
use crate::app::screens::withdrawals::show::{attempts, facts, timeline, unproven};
use crate::app::store::motion::FRAMES;
use crate::app::store::withdrawals::rules::{self, SendBlocker};
use crate::app::ui::action::Action;
use crate::app::ui::block::{self, Block};
use crate::app::ui::list_pane::{Look, text_area};
use crate::app::ui::parts::{put, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::text::{columns, exactly, wrap};
use crate::app::ui::{Area, Line, Page, Role, Span, bar, geometry, symbols};
use crate::trade::withdrawal::{
    Alarm, Attempt, Blocker, Class, NoSend, WhyPerson, WithdrawalState,
};
use crate::trade::{ClockDoubt, Failure, Wall, Withdrawal};
use crate::words::failure::{self, Activity};
use crate::words::{self, Catalogue, dates, names};

/// Draws everything that is known about a withdrawal. Beside the list, the next steps are omitted,
/// because their keys would act on the list.
pub fn draw(
    store: &Store,
    withdrawal: &Withdrawal,
    trouble: Option<&Failure>,
    (area, look): (Area, Look),
    page: &mut Page,
) {
    let (area, panel) = match look {
        Look::Entered => divided_area(store, withdrawal, area),
        Look::Beside => (area, None),
    };
    let name = store.with(
        "outcome-title",
        &[("amount", &withdrawal.agreement.amount.to_string())],
    );
    look.title(
        &name,
        countdown(store, withdrawal, free_columns(&name, area)),
        area,
        page,
    );
    let inner = text_area(area);
    let width = usize::from(inner.width);
    let steps = match look {
        Look::Entered => next_step_lines(store, withdrawal, width),
        Look::Beside => {
            let open = store.render_cx().with_key("outcome-open", Action::Open);
            wrapped(Role::Dim, &open, width)
        }
    };
    // The timeline beside the text shows the attempts.
    let attempts = if let Some(panel) = panel {
        timeline::draw(store, withdrawal, panel, page);
        vec![]
    } else {
        attempt_list_variants(store, withdrawal, width)
    };
    let lines = body_lines(store, withdrawal, trouble, (attempts, steps), inner);
    look.text(Text::new(lines, inner), store.render_cx(), page);
}

/// The area of the text, and the area of the timeline beside it if there is room for one.
fn divided_area(store: &Store, withdrawal: &Withdrawal, area: Area) -> (Area, Option<Area>) {
    if withdrawal.attempts.is_empty() {
        return (area, None);
    }
    geometry::with_panel(area, store.size)
}

/// Draws the line below the title at which the slip of an accepted withdrawal is cut. In an
/// unfinished frame of its motion, the line does not reach the middle yet.
pub fn draw_cut(
    store: &Store,
    withdrawal: &Withdrawal,
    frame: Option<usize>,
    area: Area,
    page: &mut Page,
) {
    if store.state_of(withdrawal) != WithdrawalState::Accepted {
        return;
    }
    let row = divided_area(store, withdrawal, area).0.row(1).narrowed(1);
    let width = usize::from(row.width);
    let gap = frame.map_or(0, |frame| width * (FRAMES - frame) / (FRAMES + 1));
    let dashes = "╌".repeat(width - gap);
    let (left, right) = dashes.split_at(dashes.len() / 6 * 3);
    let line = format!("{left}{}{right}", " ".repeat(gap));
    put(vec![Line::of(Role::Rule, line)], row, page);
}

fn body_lines(
    store: &Store,
    withdrawal: &Withdrawal,
    trouble: Option<&Failure>,
    (attempts, steps): (Vec<Vec<Line>>, Vec<Line>),
    inner: Area,
) -> Vec<Line> {
    let width = usize::from(inner.width);
    let mut facts = facts::request_lines(store, &withdrawal.agreement, width);
    facts.extend(facts::account_lines(store, withdrawal, width));
    facts.extend(facts::team_lines(store.words(), withdrawal, width));
    facts.extend(facts::key_and_status_lines(
        store.words(),
        withdrawal,
        width,
    ));
    facts.extend(facts::arrival_question_lines(store, withdrawal, width));
    let attempts = attempts.into_iter().map(with_gap_above).collect();
    let blocks = [
        Block::new(head_lines(store, withdrawal, trouble, width)).without_gap(),
        Block {
            alternatives: attempts,
            ..Block::new(vec![]).without_gap()
        },
        Block::new(with_gap_above(steps)).without_gap(),
        Block::new(facts),
    ];
    block::fit_scrollable_text(blocks.into(), usize::from(inner.height))
}

/// Makes an empty row part of the block, so that the row is kept when space is short.
fn with_gap_above(lines: Vec<Line>) -> Vec<Line> {
    [vec![Line::default()], lines].concat()
}

/// The number of free columns beside the title and in the row below the title.
pub fn free_columns(title: &str, area: Area) -> [usize; 2] {
    let width = usize::from(area.width);
    let below = if area.height > 1 {
        width.saturating_sub(2)
    } else {
        0
    };
    [width.saturating_sub(columns(title) + 5), below]
}

/// Lays out the time beside the title: how long the send has been running, how long to wait before
/// sending again, or how long sending stays safe. The last has a shrinking bar if there is room.
pub fn countdown(store: &Store, withdrawal: &Withdrawal, room: [usize; 2]) -> Line {
    if let (WithdrawalState::Sending(_), Some(last)) =
        (store.state_of(withdrawal), withdrawal.attempts.last())
    {
        // The clock of another machine cannot be compared with the clock of this one.
        if store.wait_for_team(withdrawal.agreement.key).is_some() {
            return Line::default();
        }
        let seconds = store.now.boot_ms.saturating_sub(last.began.boot_ms) / 1_000;
        return Line::of(Role::Dim, elapsed_text(store, seconds));
    }
    let Some(left) = rules::sends_left(store, withdrawal) else {
        return Line::default();
    };
    let resend_wait = rules::resend_wait(store, withdrawal);
    let throttle_wait = rules::throttled_until(withdrawal)
        .and_then(|until| until.since(store.now.wall))
        .filter(|wait| !wait.is_zero());
    match throttle_wait {
        // By the end of this wait, it will be too late to send safely, so show no time.
        Some(wait) if wait > left => Line::default(),
        Some(wait) => {
            let wait = dates::spelled_rounded_up(wait);
            Line::of(Role::Strong, store.with("outcome-wait", &[("left", &wait)]))
        }
        None if !resend_wait.is_zero() => {
            let wait = dates::spelled_rounded_up(resend_wait);
            Line::of(
                Role::Strong,
                store.with("outcome-wait-again", &[("left", &wait)]),
            )
        }
        None => {
            let id = match store.state_of(withdrawal) {
                WithdrawalState::Prepared => "outcome-window-send",
                _ => "outcome-window",
            };
            let text = store.with(id, &[("left", &dates::spelled(left))]);
            with_bar(store, withdrawal, text, room)
        }
    }
}

/// Lays out `text`, which states how long sending stays safe. If there is room, a bar before the
/// text shows the same time.
fn with_bar(
    store: &Store,
    withdrawal: &Withdrawal,
    text: String,
    [beside, below]: [usize; 2],
) -> Line {
    let text_width = columns(&text);
    let width = bar::bar_width(beside.saturating_sub(text_width + 2))
        .or_else(|| bar::bar_width(below.saturating_sub(text_width + 2)));
    let bar = width.and_then(|width| rules::window_bar(store, withdrawal, width));
    let mut line = Line::default();
    if let Some(bar) = bar {
        line.spans.extend(bar::spans(bar));
        line.push(Span::plain("  "));
    }
    line.push(Span::of(Role::Strong, text));
    line
}

/// Lays out the withdrawal's state in capital letters, what it means for the money, and the
/// failure.
fn head_lines(
    store: &Store,
    withdrawal: &Withdrawal,
    trouble: Option<&Failure>,
    width: usize,
) -> Vec<Line> {
    let state = store.state_of(withdrawal);
    let symbol = symbols::withdrawal(&state);
    let word = symbol.with_word(store.words(), &store.state_word(withdrawal).to_uppercase());
    let word = wrap(&word, width).into_iter();
    let mut lines: Vec<Line> = word.map(|line| symbol.span(line).into()).collect();
    let is_mismatch = matches!(state, WithdrawalState::Mismatch(_));
    let first_role = if is_mismatch { Role::Bad } else { Role::Strong };
    for (n, sentence) in state_sentences(store, withdrawal).iter().enumerate() {
        let role = if n == 0 { first_role } else { Role::Text };
        lines.extend(wrapped(role, sentence, width));
    }
    let is_resolved = matches!(
        state,
        WithdrawalState::ResolvedPaid | WithdrawalState::ResolvedNotPaid
    );
    if let Some(alarm) = withdrawal
        .contradiction()
        .filter(|_| is_mismatch || is_resolved)
    {
        lines.extend(contradiction_lines(store.words(), alarm, width));
    }
    lines.extend(unproven::lines(store, withdrawal, width));
    let journal_failure = store.withdrawals.trouble.clone().map(Failure::Journal);
    if let Some(failure) = trouble.or(journal_failure.as_ref()) {
        let failure_text = failure::describe(store.words(), failure, Activity::Withdrawal);
        // The state already explains what happened to the money. The failure's own sentence about
        // the money could contradict it, so leave it out.
        lines.extend(wrapped(Role::Bad, &failure_text.what, width));
        lines.extend(wrapped(Role::Text, &failure_text.next, width));
    }
    lines
}

/// The maximum number of send attempts in the shortened list, which is used if not all of them fit.
const MAX_SHOWN_ATTEMPTS: usize = 8;

/// Variants of the list of send attempts with its heading, the complete list first. The shorter
/// variants show only the last attempts and count the others.
fn attempt_list_variants(store: &Store, withdrawal: &Withdrawal, width: usize) -> Vec<Vec<Line>> {
    let attempt_lines = attempts::attempt_lines(store, withdrawal, width);
    let title = Line::of(Role::Strong, attempts::heading(store, withdrawal));
    let with_last_attempts = |count: usize| {
        let hidden_count = attempt_lines.len() - count;
        let lines = [
            hidden_count_lines(store, hidden_count, width),
            attempt_lines[hidden_count..].concat(),
        ]
        .concat();
        std::iter::once(title.clone()).chain(lines).collect()
    };
    if attempt_lines.is_empty() {
        return vec![];
    }
    let full_list = with_last_attempts(attempt_lines.len());
    let shorter_lists = (1..attempt_lines.len())
        .rev()
        .skip_while(|count| *count > MAX_SHOWN_ATTEMPTS)
        .map(with_last_attempts);
    // Drop variants that save no line. If only one attempt is hidden, the line that counts the
    // hidden attempts can be as long as the attempt.
    let shorter_lists = shorter_lists
        .filter(|lines: &Vec<Line>| lines.len() < full_list.len())
        .collect();
    [vec![full_list.clone()], shorter_lists].concat()
}

pub fn hidden_count_lines(store: &Store, count: usize, width: usize) -> Vec<Line> {
    if count == 0 {
        return Vec::new();
    }
    let key = store.render_cx().first_key(Action::Open);
    let text = store
        .words()
        .count("outcome-attempts-hidden", count as u64, &[("key", key)]);
    wrapped(Role::Dim, &text, width)
}

/// Sentences about what the withdrawal's state means for the money, the most important first.
fn state_sentences(store: &Store, withdrawal: &Withdrawal) -> Vec<String> {
    let is_only_open = !store.is_another_open(Some(withdrawal.agreement.key));
    let decided_at = withdrawal.decision.map_or(Wall(0), |(_, at)| at);
    let when = store.render_cx().moment(decided_at);
    let dated_text = |id: &str| store.with(id, &[("when", &when)]);
    let statement = |id: &str| match &withdrawal.decided_by {
        Some(author) => {
            let who = names::operator(store.words(), author);
            store.with(&format!("{id}.by"), &[("when", &when), ("who", &who)])
        }
        None => dated_text(id),
    };
    let texts = |ids: &[&str]| ids.iter().map(|id| store.text(id)).collect::<Vec<_>>();
    let state = store.state_of(withdrawal);
    if let WithdrawalState::Sending(_) = state
        && let Some(wait) = store.wait_for_team(withdrawal.agreement.key)
    {
        return sent_by_team_sentences(store, withdrawal, wait);
    }
    match state {
        WithdrawalState::Prepared => prepared_sentences(store, withdrawal),
        WithdrawalState::Sending(_) if store.is_sent_elsewhere(withdrawal.agreement.key) => {
            let elsewhere = match sending_text_id(withdrawal) {
                "said-sending-again" => "said-sending-elsewhere-again",
                _ => "said-sending-elsewhere",
            };
            texts(&[elsewhere, "said-sending-elsewhere-next"])
        }
        WithdrawalState::Sending(_) => texts(&[sending_text_id(withdrawal), "sending-leave"]),
        WithdrawalState::Unknown => texts(&["said-unknown"]),
        WithdrawalState::Accepted => texts(&["said-accepted", "said-accepted-arrival"]),
        WithdrawalState::Rejected if is_only_open => {
            texts(&["said-rejected", "said-rejected-next"])
        }
        WithdrawalState::Rejected => texts(&["beside-rejected", "said-rejected-next"]),
        WithdrawalState::NeedsPerson(why) => {
            vec![
                store.text("said-needs-person"),
                person_reason(store.words(), withdrawal, &why),
            ]
        }
        WithdrawalState::Mismatch(Alarm::Amount { .. }) => {
            texts(&["said-mismatch-amount", "said-mismatch-lock"])
        }
        WithdrawalState::Mismatch(Alarm::Destination { .. }) => {
            texts(&["said-mismatch-destination", "said-mismatch-lock"])
        }
        WithdrawalState::Discarded if is_only_open => vec![dated_text("said-discarded")],
        WithdrawalState::Discarded => vec![dated_text("beside-discarded")],
        WithdrawalState::ResolvedPaid => vec![statement("said-resolved-paid")],
        WithdrawalState::ResolvedNotPaid => {
            vec![
                statement("said-resolved-not-paid"),
                store.text("said-resolved-not-paid-later"),
            ]
        }
    }
}

/// The sentences about an attempt that another machine of the team may be sending.
fn sent_by_team_sentences(store: &Store, withdrawal: &Withdrawal, wait: Duration) -> Vec<String> {
    let words = store.words();
    let author = withdrawal.attempts.last().and_then(|last| last.by.as_ref());
    let who = author.map_or_else(
        || words.text("said-sending-team.somebody"),
        |author| names::author(words, author),
    );
    let left = dates::left(wait);
    vec![
        words.with("said-sending-team", &[("who", &who)]),
        words.with("said-sending-team.left", &[("left", &left)]),
    ]
}

/// The text id for a running send attempt. The text depends on whether an earlier attempt may have
/// paid.
pub fn sending_text_id(withdrawal: &Withdrawal) -> &'static str {
    let earlier = withdrawal
        .attempts
        .split_last()
        .map_or(&[][..], |(_, earlier)| earlier);
    if earlier.iter().any(Attempt::is_unclear) {
        "said-sending-again"
    } else {
        "said-sending"
    }
}

/// Sentences about why the service has not accepted the withdrawal yet, and what is needed before
/// the next send.
fn prepared_sentences(store: &Store, withdrawal: &Withdrawal) -> Vec<String> {
    let ends = withdrawal
        .attempts
        .iter()
        .filter_map(|attempt| attempt.end.as_ref());
    let last_refusal = ends
        .clone()
        .rfind(|end| !matches!(end.class, Class::NotSent(_)));
    let is_wait_over =
        rules::throttled_until(withdrawal).is_some_and(|until| until <= store.now.wall);
    let [alone_id, beside_id] = match last_refusal.map(|end| &end.class) {
        Some(Class::Throttled { .. }) if !is_wait_over => {
            ["said-prepared-throttled", "beside-throttled"]
        }
        Some(_) => ["said-prepared-no-entry", "beside-no-entry"],
        None if withdrawal.attempts.is_empty() => ["said-prepared-new", "beside-not-sent"],
        None => ["said-prepared-not-sent", "beside-not-reached"],
    };
    let is_another_open = store.is_another_open(Some(withdrawal.agreement.key));
    let mut sentences = vec![store.text(if is_another_open { beside_id } else { alone_id })];
    if let Err(why) = store
        .setup
        .window
        .time_left(&withdrawal.attempts, &store.now)
    {
        sentences.push(no_send_reason(
            store.words(),
            withdrawal,
            why,
            "said-prepared-too-late",
        ));
        sentences.push(store.text("said-prepared-discard"));
    } else if matches!(
        last_refusal.map(|end| &end.class),
        Some(Class::Unauthorized)
    ) {
        let kind = store.setup.contract.withdrawal.call.credential;
        let is_logged_in =
            kind.is_none_or(|kind| store.session.credential(kind).is_good(store.now.wall));
        if !is_logged_in {
            sentences.push(store.text("said-prepared-log-in"));
        } else if rules::safe_actions(store, withdrawal).contains(&Action::Send) {
            sentences.push(store.text("said-prepared-is-in"));
        }
    }
    sentences
}

/// A sentence about why the withdrawal can no longer be sent. If it is too late to send safely, the
/// sentence is the text with the id `window_over`.
fn no_send_reason(
    words: &Catalogue,
    withdrawal: &Withdrawal,
    why: NoSend,
    window_over: &str,
) -> String {
    match why {
        NoSend::WindowOver => words.text(window_over),
        NoSend::TooManySends => {
            let sends = withdrawal
                .attempts
                .iter()
                .filter(|attempt| attempt.may_have_been_sent())
                .count();
            words.count("why-too-many", sends as u64, &[])
        }
        NoSend::ClockInDoubt(ClockDoubt::AnotherBoot) => {
            let is_of_team = withdrawal
                .attempts
                .iter()
                .any(|attempt| attempt.by.is_some());
            words.text(if is_of_team {
                "why-another-boot.team"
            } else {
                "why-another-boot"
            })
        }
        NoSend::ClockInDoubt(_) => words.text("why-clock-back"),
    }
}

fn person_reason(words: &Catalogue, withdrawal: &Withdrawal, why: &WhyPerson) -> String {
    match why {
        WhyPerson::NoSend(why) => no_send_reason(words, withdrawal, *why, "why-window-over"),
        WhyPerson::Redirected(status) => {
            words.with("why-redirected", &[("status", &status.to_string())])
        }
        WhyPerson::KeyReused => words.text("why-key-reused"),
        WhyPerson::SaysFailed(said) => words.with(
            "why-says-failed",
            &[("said", &words::attempts::says_failed(words, said))],
        ),
    }
}

/// Lays out the value that was sent beside the different value in the service's reply.
fn contradiction_lines(words: &Catalogue, alarm: &Alarm, width: usize) -> Vec<Line> {
    let (sent, got) = words::attempts::both_sides(words, alarm);
    let half = (width / 2).min(34);
    let columns = |left: String, right: String, roles: [Role; 2]| {
        Line::from(vec![
            Span::of(roles[0], exactly(&left, half)),
            Span::of(roles[1], right),
        ])
    };
    let figures = [wrap(&sent, half.saturating_sub(2)), wrap(&got, half)];
    let rows = figures[0].len().max(figures[1].len());
    let labels = columns(
        words.text("alarm-sent"),
        words.text("alarm-got"),
        [Role::Dim, Role::Dim],
    );
    let mut lines = vec![labels];
    for row in 0..rows {
        let [left, right] = [0, 1].map(|n| figures[n].get(row).cloned().unwrap_or_default());
        lines.push(columns(left, right, [Role::Strong, Role::Bad]));
    }
    lines
}

/// Returns how long the send has been running, and how long it can take at most.
pub fn elapsed_text(store: &Store, seconds: u64) -> String {
    let limit = store.setup.window.deadline.as_secs().to_string();
    let seconds = seconds.to_string();
    store.with(
        "sending-elapsed",
        &[("seconds", &seconds), ("limit", &limit)],
    )
}

/// The width, in columns, of the key that runs a next step, with the space after it.
const KEY_WIDTH: usize = 4;

/// The width, in columns, of the name of a next step.
const NAME_WIDTH: usize = 28;

/// Lays out the next steps that are safe for this withdrawal, with their keys.
fn next_step_lines(store: &Store, withdrawal: &Withdrawal, width: usize) -> Vec<Line> {
    step_lines(
        store,
        withdrawal,
        &rules::safe_actions(store, withdrawal),
        step_text_ids,
        width,
    )
}

/// Lays out the next steps that the guide offers after the seller has checked the bank account.
pub fn guide_step_lines(store: &Store, withdrawal: &Withdrawal, width: usize) -> Vec<Line> {
    step_lines(
        store,
        withdrawal,
        &rules::guide_actions(store, withdrawal),
        guide_step_text_ids,
        width,
    )
}

type StepTextIds = fn(Action, &WithdrawalState) -> Option<[&'static str; 2]>;

fn step_lines(
    store: &Store,
    withdrawal: &Withdrawal,
    steps: &[Action],
    text_ids_of: StepTextIds,
    width: usize,
) -> Vec<Line> {
    let state = store.state_of(withdrawal);
    let mut lines = vec![Line::of(Role::Strong, store.text("outcome-steps"))];
    for action in steps {
        let text_ids = match action {
            Action::Approve if rules::can_take_approval_back(store, withdrawal) => {
                Some(["step-approval-back", "step-approval-back-why"])
            }
            _ => text_ids_of(*action, &state),
        };
        if let Some(text_ids) = text_ids {
            let key = store
                .setup
                .keys
                .keys(*action)
                .first()
                .map(ToString::to_string);
            lines.extend(single_step_lines(
                store.words(),
                &key.unwrap_or_default(),
                text_ids,
                width,
            ));
        }
    }
    lines.extend(remark_lines(store, withdrawal, width));
    lines
}

fn step_text_ids(action: Action, state: &WithdrawalState) -> Option<[&'static str; 2]> {
    match (action, state) {
        (Action::Send, WithdrawalState::Prepared) => Some(["step-send", "step-send-why"]),
        (Action::Send, _) => Some(["step-send-again", "step-send-again-why"]),
        (Action::Approve, _) => Some(["step-approve", "step-approve-why"]),
        (Action::LogIn, _) => Some(["step-log-in", "step-entry-why"]),
        (Action::PasteJwt, _) => Some(["step-paste-jwt", "step-entry-why"]),
        (Action::Discard, _) => Some(["step-discard", "step-discard-why"]),
        (Action::Check, WithdrawalState::Unknown) => Some(["step-check", "step-check-why"]),
        (Action::Check, _) => Some(["step-check", "step-check-decide-why"]),
        (Action::Found, WithdrawalState::Mismatch(_)) => {
            Some(["step-found", "step-found-unlocks-why"])
        }
        (Action::Found, _) => Some(["step-found", "step-found-why"]),
        (Action::Copy, _) => Some(["step-copy-key", "step-copy-key-why"]),
        _ => None,
    }
}

fn guide_step_text_ids(action: Action, state: &WithdrawalState) -> Option<[&'static str; 2]> {
    match action {
        Action::NotPaid => Some(["step-not-paid", "step-not-paid-why"]),
        Action::Copy => Some(["step-copy-clue", "step-copy-clue-why"]),
        _ => step_text_ids(action, state),
    }
}

/// Lays out why some steps, such as sending again, are not offered.
fn remark_lines(store: &Store, withdrawal: &Withdrawal, width: usize) -> Vec<Line> {
    let state = store.state_of(withdrawal);
    if state.is_decided() || matches!(state, WithdrawalState::Sending(_)) {
        return Vec::new();
    }
    let blocker = match rules::send_blocker(store, withdrawal) {
        // The text about the withdrawal's state already gives this reason. Show a remark only if a
        // busy or failed journal prevents all steps.
        Some(SendBlocker::Rule(Blocker::State | Blocker::Window(_))) => {
            rules::change_blocker(store, withdrawal)
        }
        blocker => blocker,
    };
    blocker
        .map(|blocker| blocker_lines(store, withdrawal, &blocker, width))
        .unwrap_or_default()
}

/// Lays out why the withdrawal cannot be sent, unless the text about its state already explains
/// that.
pub fn blocker_lines(
    store: &Store,
    withdrawal: &Withdrawal,
    blocker: &SendBlocker,
    width: usize,
) -> Vec<Line> {
    let (role, id) = match blocker {
        SendBlocker::Locked => (Role::Dim, "step-locked"),
        SendBlocker::Rule(Blocker::Busy) if store.withdrawals.in_flight.is_some() => {
            (Role::Dim, "step-busy")
        }
        SendBlocker::Rule(Blocker::Busy) => (Role::Dim, "step-busy-elsewhere"),
        SendBlocker::OtherLogin(_) => (Role::Dim, "step-other-login"),
        SendBlocker::OtherAddress => (Role::Dim, "step-other-address"),
        SendBlocker::Rule(Blocker::Clash(_)) => (Role::Dim, "step-other-open"),
        SendBlocker::Rule(Blocker::TooSoon { .. }) => (Role::Dim, "step-wait-again"),
        SendBlocker::Rule(Blocker::Unapproved) => (Role::Dim, unapproved_id(store, withdrawal)),
        SendBlocker::OtherDestination => (Role::Bad, "step-other-destination"),
        SendBlocker::OtherUnit => (Role::Bad, "step-other-unit"),
        SendBlocker::Rule(_) | SendBlocker::Later(_) | SendBlocker::NoCredential(_) => {
            return Vec::new();
        }
    };
    let account = facts::other_account(store, withdrawal).unwrap_or_default();
    wrapped(role, &store.with(id, &[("who", &account)]), width)
}

/// The text id about the approval that a withdrawal needs. The person who prepared it cannot give
/// it.
fn unapproved_id(store: &Store, withdrawal: &Withdrawal) -> &'static str {
    let team = store.withdrawals.team.as_ref();
    let can_approve = team.is_some_and(|team| withdrawal.approvals.may_be_given_by(&team.own_role));
    if can_approve {
        "step-unapproved-here"
    } else {
        "step-unapproved"
    }
}

/// Lays out a step that the seller can take, on one line, or on several if its explanation does not
/// fit.
fn single_step_lines(
    words: &Catalogue,
    key: &str,
    [name, why]: [&str; 2],
    width: usize,
) -> Vec<Line> {
    let name = words.text(name);
    let why = words.text(why);
    let key = Span::of(Role::Key, exactly(key, KEY_WIDTH));
    if KEY_WIDTH + NAME_WIDTH + columns(&why) <= width {
        let name = Span::of(Role::Text, exactly(&name, NAME_WIDTH));
        return vec![Line::from(vec![key, name, Span::of(Role::Dim, why)])];
    }
    let room = width.saturating_sub(KEY_WIDTH);
    let mut lines = vec![Line::from(vec![key, Span::of(Role::Text, name)])];
    for line in wrap(&why, room) {
        lines.push(Line::of(
            Role::Dim,
            format!("{}{line}", " ".repeat(KEY_WIDTH)),
        ));
    }
    lines
}
