//! `balcao play`: plays a recording on the full screen, or prints it.

use std::fs::File;
use std::future::pending;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use futures_util::StreamExt;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tokio::sync::mpsc;

use super::app::{TerminalScreen, check_terminal};
use super::complaint::Complaint;
use super::output::{is_output_closed, print_note};
use super::{GlobalArgs, path_text, unreadable_file};
use crate::app::Msg;
use crate::app::ui::input::{Code, Input, Key};
use crate::player::{Flow, Player, fault_text};
use crate::recording::{self, Cursor, MAX_READ_BYTES, OpenError, Recording};
use crate::runtime::log::Log;
use crate::runtime::{FrontEnd, INBOX_CAPACITY, Recorder, clocks, job_control, keyboard};
use crate::words::Catalogue;

#[derive(Debug, Args)]
pub struct PlayArgs {
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[arg(long, value_name = "N")]
    screen: Option<u64>,
    #[arg(long, conflicts_with = "screen")]
    cast: bool,
}

/// Plays a recording, or prints a screen or all of it.
pub fn run(args: &GlobalArgs, play: &PlayArgs) -> Result<(), Complaint> {
    let settings = args.settings()?;
    let words = args.words(&settings)?;
    let mut cursor = Cursor::new(open(&play.file)?);
    let is_printed = play.cast || play.screen.is_some();
    if is_printed {
        let mut out = BufWriter::new(io::stdout().lock());
        let written = match play.screen {
            Some(number) => out.write_all(screen_text(&mut cursor, number)?.as_bytes()),
            None => recording::write_cast(&mut cursor, &mut out),
        };
        is_output_closed(written.and_then(|()| out.flush()))?;
        print_faults(&cursor, words);
        return Ok(());
    }
    if args.is_accessible(&settings) {
        return Err(Complaint::about("complaint-play-lines", []));
    }
    check_terminal(false)?;
    let presentation = args.presentation(&settings)?;
    let recorder = Recorder::new(PathBuf::new(), None);
    let screen = TerminalScreen::take_over(false, presentation, recorder, &Log::off());
    let mut screen = screen.map_err(Complaint::from_error)?;
    let ui_runtime = screen.runtime();
    let played = ui_runtime.block_on(async {
        let played = play_on(&mut screen, cursor, words).await;
        let hung_up = !matches!(played, Ok(End::Quit));
        screen.restore_terminal(hung_up).await;
        played
    });
    played.map(drop).map_err(Complaint::from_error)
}

/// Opens the recording in this file.
pub(super) fn open(path: &Path) -> Result<Recording, Complaint> {
    let file = File::open(path).map_err(|error| unreadable_file(path, error))?;
    Recording::read(file).map_err(|error| match error {
        OpenError::Unreadable(error) => unreadable_file(path, error),
        OpenError::TooLarge => {
            let limit = MAX_READ_BYTES / 1024 / 1024;
            let values = [
                ("file", path_text(path)),
                ("limit", limit.to_string().into()),
            ];
            Complaint::about("complaint-recording-large", values)
        }
        OpenError::NotARecording => {
            Complaint::about("complaint-not-a-recording", [("file", path_text(path))])
        }
    })
}

/// The screen of the frame with this number, as text.
fn screen_text(cursor: &mut Cursor, number: u64) -> Result<String, Complaint> {
    let scan = cursor.to_frame(number);
    let is_found = scan.is_some_and(|mut scan| cursor.finish(&mut scan));
    // A damaged chunk has no frames, so the search found a later frame.
    if !is_found || cursor.frame() != number {
        let frames = cursor.recording().frames().to_string();
        let values = [
            ("number", number.to_string().into()),
            ("frames", frames.into()),
        ];
        return Err(Complaint::about("complaint-no-screen", values));
    }
    Ok(cursor.screen().text())
}

fn print_faults(cursor: &Cursor, words: &Catalogue) {
    for fault in cursor.recording().faults() {
        print_note(&fault_text(words, *fault));
    }
}

/// The reason why the player ended.
enum End {
    Quit,
    TerminalGone,
}

/// Plays until a key or a signal ends it. Between two frames, a paused player sleeps.
async fn play_on(
    screen: &mut TerminalScreen,
    cursor: Cursor,
    words: &'static Catalogue,
) -> io::Result<End> {
    let (sender, mut inbox) = mpsc::channel(INBOX_CAPACITY);
    let (mut surface, mut size) = screen.surface()?;
    screen.watch(sender, None)?;
    let mut player = Player::new(cursor, words, size);
    let start = clocks::instant();
    loop {
        let is_delayed = surface.output().is_waiting();
        if !is_delayed {
            let area = Rect::new(0, 0, size.columns, size.rows);
            let mut frame = Buffer::empty(area);
            player.draw(&mut frame);
            surface.show_buffer(&frame)?;
            surface.output().end_frame(false)?;
        }
        let next_pulse = player.next_pulse(start.elapsed());
        tokio::select! {
            biased;
            Some(msg) = inbox.recv() => match msg {
                Msg::Terminate(true) => return Ok(End::TerminalGone),
                Msg::Terminate(false) => return Ok(End::Quit),
                Msg::Continued => {
                    size = surface.reset()?;
                    player.resize(size);
                }
                _ => {}
            },
            event = screen.input.next() => {
                let Some(Ok(event)) = event else { return Ok(End::TerminalGone) };
                match keyboard::to_input(event.event) {
                    Some(Input::Key(key)) if is_suspend(key) => job_control::stop(),
                    Some(Input::Key(key)) => {
                        let flow = player.key(key, start.elapsed());
                        if flow == Flow::Quit {
                            return Ok(End::Quit);
                        }
                    }
                    Some(Input::Resize(new)) => {
                        size = new;
                        surface.set_size(size)?;
                        player.resize(size);
                    }
                    _ => {}
                }
            }
            () = surface.output().wait(), if is_delayed => {}
            () = sleep(next_pulse) => player.pulse(start.elapsed()),
        }
    }
}

/// True for Ctrl-Z, if a shell can continue this process.
fn is_suspend(key: Key) -> bool {
    let ctrl_z = Key {
        ctrl: true,
        ..Key::plain(Code::Char('z'))
    };
    key == ctrl_z && job_control::is_job()
}

async fn sleep(wait: Option<Duration>) {
    match wait {
        Some(wait) => tokio::time::sleep(wait).await,
        None => pending().await,
    }
}
