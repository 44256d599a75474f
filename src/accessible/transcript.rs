//! The stream of lines: what is told of each frame. The module [`reading`] interprets typed lines.

mod reading;

use std::collections::{BTreeMap, BTreeSet};

use super::list_rows::ListRows;
use super::page_text::{self, TextLine};
use super::prompt::{self, Prompt};
use super::{Step, Told};
use crate::app::Model;
use crate::app::router::{read_tracker, with_front_screen};
use crate::app::screens::Layer;
use crate::app::store::frame_snapshot::{Front, Terms};
use crate::app::ui::form::Form;
use crate::app::ui::{Action, Page, Target};
use crate::trade::search::searchable;

/// The time after which a wait is told again, in milliseconds.
const WAIT_MS: u64 = 30_000;

/// The length of a wait, in milliseconds, from which it is told. A shorter wait has only a result.
const MIN_TOLD_WAIT_MS: u64 = 1_000;

/// The end of a line about a wait in its first second.
const WAIT_BEGINS: &str = "... 0 s";

/// How long, in milliseconds, an accepted answer may take to press the button. The button waits for
/// a frame and for its own delays.
const CONFIRM_LIMIT_MS: u64 = 5_000;

/// The stream of lines: what was told so far, and what the next line answers.
#[derive(Debug, Default)]
pub struct Transcript {
    /// True once the first frame was told.
    has_begun: bool,
    /// The screen that was told last, with the terms to confirm.
    front: Option<(Front, Option<Terms>)>,
    /// The told lines of that screen.
    screen: ToldScreen,
    /// The told lines of the screens below it, by the number of screens below each. Closing a
    /// screen tells only what has changed on the screen below.
    below: BTreeMap<usize, (Front, ToldScreen)>,
    /// The lines of the header, the caption and the banner, without their counters.
    frame: BTreeSet<String>,
    notice: Vec<String>,
    /// A cell of each field of the form.
    fields: BTreeMap<usize, (u16, u16)>,
    prompt: Option<Prompt>,
    /// True if the prompt is the last text in the stream.
    is_at_prompt: bool,
    /// Texts to tell with the next frame.
    replies: Vec<String>,
    wait: Option<ToldWait>,
    pending: Option<Pending>,
    /// The first line of the terms on the page from which the transcript scrolled on.
    scrolled_from: Option<u16>,
    /// The input with which the transcript continues.
    next: Vec<Step>,
}

/// The told lines of a screen.
#[derive(Debug, Clone, Default)]
struct ToldScreen {
    lines: BTreeSet<String>,
    /// These lines without their counters.
    masked_lines: BTreeSet<String>,
    rows: ListRows,
}

/// A wait that was told.
#[derive(Debug, Clone, Copy)]
struct ToldWait {
    since_ms: u64,
    /// How often the wait was told again.
    told: u64,
}

/// An input that needs more than one frame.
#[derive(Debug, Clone, PartialEq)]
enum Pending {
    /// A field was filled in. If it is valid, the next field follows.
    Filled(usize),
    /// A word was typed into the command palette.
    Palette(String),
    /// An answer accepted the terms, so the confirming button is pressed when it is ready.
    Confirm { until_ms: u64, is_pressed: bool },
}

impl Transcript {
    /// Tells what is new in a frame.
    pub fn tell(&mut self, model: &Model, page: &Page) -> Told {
        if model.leaving {
            return Told::default();
        }
        let words = model.words();
        let front = (Front::of(model), read_tracker::terms(model));
        let is_new = self.front.as_ref().map(|(front, _)| front) != Some(&front.0);
        let has_new_terms = self.front.as_ref() != Some(&front);
        if self.continue_pending(model, page, has_new_terms) {
            return Told::default();
        }
        let has_just_begun = self.follow_wait(model);
        if has_just_begun && is_new && self.has_begun {
            // Most waits end within a second, and then only their result is told.
            return Told::default();
        }
        let mut told = std::mem::take(&mut self.replies);
        if !std::mem::replace(&mut self.has_begun, true) {
            told.insert(0, words.text("stream-begin"));
        }
        self.tell_notice(model, page, &mut told);
        self.tell_frame(model, page, &mut told);
        if has_new_terms {
            // A counter may be a part of the terms.
            self.screen.masked_lines.clear();
        }
        if is_new {
            self.change_screen(model, front.0);
        }
        self.tell_body(model, page, is_new, &mut told);
        self.front = Some(front);
        if !page.has_more() {
            self.scrolled_from = None;
        } else if self.next.is_empty()
            && self.scrolled_from.replace(page.scroll) != Some(page.scroll)
        {
            // The terms are longer than a page, so the rest is told next.
            self.next.push(Step::Act(Action::PageDown));
        }
        self.end_with_prompt(model, page, told)
    }

    /// The prompt that the next line answers.
    pub fn prompt(&self) -> Option<Prompt> {
        self.prompt
    }

    /// The input with which the transcript continues after a frame.
    pub fn next_steps(&mut self) -> Vec<Step> {
        std::mem::take(&mut self.next)
    }

    /// Adds the prompt to the texts, if it is new or the texts separate it from the last prompt.
    fn end_with_prompt(&mut self, model: &Model, page: &Page, told: Vec<String>) -> Told {
        let words = model.words();
        let prompt = Prompt::of(model);
        let must_ask = self.prompt != Some(prompt) || !self.is_at_prompt || !told.is_empty();
        let mut text = String::new();
        if self.is_at_prompt && must_ask {
            text.push('\n');
        }
        for line in &told {
            text.push_str(line);
            text.push('\n');
        }
        self.prompt = Some(prompt);
        let can_ask = self.next.is_empty() && self.pending.is_none();
        let asked = prompt::text(words, model, page, prompt).filter(|_| must_ask && can_ask);
        if must_ask {
            self.is_at_prompt = asked.is_some();
        }
        text.push_str(asked.as_deref().unwrap_or_default());
        let prompt = asked.map(|_| prompt);
        Told { text, prompt }
    }

    /// Continues an input that needs several frames. Returns true if this frame is not told.
    fn continue_pending(&mut self, model: &Model, page: &Page, is_new: bool) -> bool {
        match self.pending.take() {
            None => false,
            Some(Pending::Filled(index)) => {
                self.move_on(model, index);
                false
            }
            Some(Pending::Palette(word)) => self.choose_command(model, &word),
            Some(Pending::Confirm {
                until_ms,
                is_pressed,
            }) => {
                if is_new || is_pressed && Prompt::of(model) == Prompt::Wait {
                    return false;
                }
                if is_pressed || model.now.boot_ms > until_ms {
                    self.replies
                        .push(model.words().text("stream-not-confirmed"));
                    return false;
                }
                let is_ready = is_ready_to_confirm(model, page);
                self.next
                    .extend(is_ready.then_some(Step::Act(Action::Press)));
                self.pending = Some(Pending::Confirm {
                    until_ms,
                    is_pressed: is_ready,
                });
                // The lines of the button change now, which is nothing to tell.
                is_ready
            }
        }
    }

    /// Moves on to the next field after a field was filled in, unless its value has a fault.
    fn move_on(&mut self, model: &Model, index: usize) {
        let form = model.layers.last().and_then(|layer| layer.screen().form());
        let field = form
            .filter(|form| form.focus == index)
            .and_then(Form::focused);
        if field.is_some_and(|field| field.error.is_none()) {
            self.next.push(next_field(model));
        }
    }

    /// Runs the command that was found by a word, if the word is its name. Returns true if the
    /// palette is not told.
    fn choose_command(&mut self, model: &Model, word: &str) -> bool {
        let Some(Layer::Palette(palette)) = model.layers.last() else {
            return false;
        };
        if palette.matches.is_empty() {
            let values = [("word", word)];
            self.replies
                .push(model.words().with("stream-no-command", &values));
            self.next.push(Step::Act(Action::Back));
            return true;
        }
        let mut labels = palette
            .matches
            .iter()
            .map(|command| palette.label(&model.store, command));
        let label = labels.next().map(|label| searchable(&label));
        let is_exact = label == Some(searchable(word.trim()));
        if is_exact {
            self.next.push(Step::Act(Action::Enter));
        }
        is_exact
    }

    fn tell_notice(&mut self, model: &Model, page: &Page, told: &mut Vec<String>) {
        // A dialog waits for quiet after typed text. A line never confirms earlier, so this notice
        // has no use in the stream.
        let lines = model.notice.is_some() && read_tracker::time_until_quiet(model).is_none();
        let area = model.areas(page.area.size()).map(|areas| areas.notice);
        let lines = area.filter(|_| lines).map(|area| {
            let lines = page_text::lines(model.words(), page, area);
            lines.into_iter().map(|line| line.text).collect::<Vec<_>>()
        });
        let lines = lines.unwrap_or_default();
        if !lines.is_empty() && lines != self.notice {
            told.push(lines.join(" "));
        }
        self.notice = lines;
    }

    /// Follows the wait of the front screen, and prepares a reply when it goes on for long or ends.
    /// Returns true if it has just begun.
    fn follow_wait(&mut self, model: &Model) -> bool {
        let words = model.words();
        let now_ms = model.now.boot_ms;
        let wait = with_front_screen(model, |screen, _| screen.wait());
        let is_sending = model.withdrawals.in_flight.is_some();
        let since_ms = wait
            .map(|wait| wait.since_ms)
            .or(is_sending.then_some(now_ms));
        let Some(mut told) = self.wait else {
            self.wait = since_ms.map(|since_ms| ToldWait { since_ms, told: 0 });
            return since_ms.is_some();
        };
        let waited_ms = now_ms.saturating_sub(told.since_ms);
        let seconds = (waited_ms / 1_000).to_string();
        let values = [("seconds", &*seconds)];
        if since_ms.is_none() {
            self.wait = None;
            let is_told = waited_ms >= MIN_TOLD_WAIT_MS;
            self.replies
                .extend(is_told.then(|| words.with("stream-waited", &values)));
            return false;
        }
        if waited_ms / WAIT_MS > told.told {
            told.told = waited_ms / WAIT_MS;
            self.replies.push(words.with("stream-waiting", &values));
        }
        self.wait = Some(told);
        waited_ms < MIN_TOLD_WAIT_MS
    }

    /// Tells what is new in the header, the caption and the banner.
    fn tell_frame(&mut self, model: &Model, page: &Page, told: &mut Vec<String>) {
        let Some(areas) = model
            .areas(page.area.size())
            .filter(|_| !is_fullscreen(model))
        else {
            return;
        };
        let words = model.words();
        let mut lines = page_text::separate_parts(words, page, areas.header);
        let caption_and_banner = [areas.rule, areas.banner].map(|area| {
            let lines = page_text::lines(words, page, area);
            lines.into_iter().map(|line| line.text).collect::<Vec<_>>()
        });
        lines.extend(caption_and_banner.into_iter().map(|lines| lines.join(" ")));
        lines.retain(|line| !line.is_empty());
        let masked: BTreeSet<String> = lines
            .iter()
            .map(|line| page_text::without_numbers(line))
            .collect();
        let new = lines
            .into_iter()
            .filter(|line| !self.frame.contains(&page_text::without_numbers(line)));
        told.extend(new);
        self.frame = masked;
    }

    /// Tells the whole screen if it is new, or else what is new on it.
    fn tell_body(&mut self, model: &Model, page: &Page, is_new: bool, told: &mut Vec<String>) {
        let words = model.words();
        let areas = model
            .areas(page.area.size())
            .filter(|_| !is_fullscreen(model));
        let mut area = areas.map_or(page.area, |areas| areas.body);
        if areas.is_none() {
            let key_rows = page.keys.map_or(0, |keys| keys.height);
            area.height = area.height.saturating_sub(key_rows);
        }
        let lines = page_text::lines(words, page, area);
        self.note_fields(&lines);
        let new_rows = self.screen.rows.take(&lines);
        let is_form = matches!(Prompt::of(model), Prompt::Field { .. } | Prompt::Submit);
        let mut told_lines = BTreeSet::new();
        // A heading belongs to the row below it, so it is told with that row.
        let mut headings = vec![];
        for TextLine { text, target, cell } in lines {
            if let Some(Target::Row(row)) = target {
                if new_rows.contains(&row) {
                    told.append(&mut headings);
                    let number = (row + 1).to_string();
                    told.push(words.with("stream-row", &[("number", &number), ("row", &text)]));
                }
                headings.clear();
                continue;
            }
            if self.screen.rows.has_heading_at(cell.1) {
                headings.push(text);
                continue;
            }
            if text.contains(WAIT_BEGINS) {
                continue;
            }
            let masked = page_text::without_durations(&text);
            let ToldScreen {
                lines,
                masked_lines,
                ..
            } = &self.screen;
            let is_title = is_new && told_lines.is_empty();
            let is_known = lines.contains(&text) || masked_lines.contains(&masked);
            // The prompts ask for the fields of a new form, one after another.
            let is_asked = is_form && is_new && matches!(target, Some(Target::Field(_)));
            if (!is_known || is_title) && !is_asked {
                told.push(text.clone());
            }
            told_lines.insert(text);
        }
        let masked_lines = told_lines
            .iter()
            .map(|line| page_text::without_durations(line));
        self.screen.masked_lines = masked_lines.collect();
        self.screen.lines = told_lines;
        if self.screen.rows.goes_on_after(&new_rows) {
            told.push(words.text("stream-more"));
        }
    }

    /// Begins a new screen, or continues with a screen that was below the last one. A question is
    /// always told whole.
    fn change_screen(&mut self, model: &Model, front: Front) {
        let last = std::mem::take(&mut self.screen);
        if let Some((last_front, _)) = self.front.take() {
            self.below.insert(last_front.layers, (last_front, last));
        }
        let known = self
            .below
            .remove(&front.layers)
            .filter(|(known, _)| *known == front);
        self.below.retain(|layers, _| *layers < front.layers);
        let is_question = matches!(Prompt::of(model), Prompt::Question { .. });
        if let Some((_, known)) = known.filter(|_| !is_question) {
            self.screen = known;
            return;
        }
        let cursor = with_front_screen(model, |screen, store| screen.cursor(store));
        self.screen.rows.begin_at(cursor.unwrap_or(0));
    }

    /// Remembers where the fields are.
    fn note_fields(&mut self, lines: &[TextLine]) {
        self.fields.clear();
        for line in lines {
            if let Some(Target::Field(field)) = line.target {
                self.fields.entry(field).or_insert(line.cell);
            }
        }
    }

    /// Tells the whole screen again with the next frame.
    pub fn tell_again(&mut self) {
        (self.front, self.is_at_prompt) = (None, false);
        self.below.clear();
    }

    /// Records that the person pressed the key that ends the input. The prompt has no answer.
    pub fn end_input(&mut self) {
        (self.notice, self.pending) = (vec![], None);
    }
}

/// True if the confirming button would be pressed by a key now.
fn is_ready_to_confirm(model: &Model, page: &Page) -> bool {
    let is_armed = with_front_screen(model, |screen, store| {
        let offer = screen.offer(store);
        screen
            .buttons()
            .is_some_and(|buttons| buttons.are_armed(store))
            && offer.is_some_and(|offer| offer.may_confirm)
    });
    is_armed && page.can_confirm && !page.awaits_quiet && page.is_read()
}

/// The input that moves the focus to the next field. In a form in which the usual key completes the
/// text instead, this is Enter.
fn next_field(model: &Model) -> Step {
    let completes = with_front_screen(model, |screen, _| screen.info().completes);
    Step::Act(if completes {
        Action::Enter
    } else {
        Action::NextField
    })
}

fn is_fullscreen(model: &Model) -> bool {
    with_front_screen(model, |screen, _| screen.info().is_fullscreen)
}
