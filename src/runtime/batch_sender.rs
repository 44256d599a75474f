//! Sends the lines of a batch, one after another.

use std::future::Future;
use std::pin::pin;

use tokio::time::{Instant, sleep_until};

use super::history::{HistoryWorker, in_history};
use super::team::TeamPresence;
use crate::batch::{NextStep, Pace, PauseReason};
use crate::journal::history::{History, TakenLine};
use crate::trade::{
    BatchId, CreatedLink, Failure, JournalTrouble, LineResult, LineState, LinkOutcome, LinkRequest,
    Outcome, Untrusted, Wall,
};

/// The sender of a batch. The caller must hold the lock of the batch.
pub struct BatchSender {
    pub history: HistoryWorker,
    pub batch: BatchId,
    pub pace: Pace,
    /// The clock for the time of each link.
    pub now: fn() -> Wall,
    /// The text about a failure, for the result file.
    pub describe: Box<dyn Fn(&Failure) -> String + Send + Sync>,
    /// The connection that must exist before each line, if the seller is in a team.
    pub team: Option<TeamPresence>,
}

/// A line that was sent.
#[derive(Debug, Clone, PartialEq)]
pub struct SentLine {
    /// The number of the line in the file.
    pub number: u64,
    pub state: LineState,
    /// The URL of the link, if it was created.
    pub url: Option<Untrusted>,
    /// The text about the failure. Empty if there was none.
    pub reason: String,
    /// The link that was to be created.
    pub request: LinkRequest,
    /// The failure of the request, if it failed.
    pub failure: Option<Failure>,
}

/// The way in which sending ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// No line is waiting.
    Finished,
    /// The seller stopped it. The request in flight was finished before.
    Stopped,
    Paused(PauseReason),
}

impl BatchSender {
    /// Sends waiting lines until none is left, the batch pauses, or `stop` completes. `create`
    /// sends the request of a line, and `report` is called after each line.
    ///
    /// # Errors
    ///
    /// Returns an error if the history cannot be written. A line in flight then counts as unknown
    /// at the next start.
    pub async fn send<F: Future<Output = Result<CreatedLink, Failure>>>(
        mut self,
        create: impl Fn(TakenLine) -> F,
        stop: impl Future<Output = ()>,
        mut report: impl FnMut(SentLine),
    ) -> Result<Ending, JournalTrouble> {
        let mut stop = pin!(stop);
        let batch = self.batch;
        in_history(&self.history, move |history| history.end_lost_lines(batch)).await?;
        let mut next = Instant::now();
        loop {
            let is_offline = async {
                sleep_until(next).await;
                match &self.team {
                    Some(team) => !team.is_connected().await,
                    None => false,
                }
            };
            tokio::select! {
                biased;
                () = &mut stop => return Ok(Ending::Stopped),
                is_offline = is_offline => if is_offline {
                    return Ok(Ending::Paused(PauseReason::TeamOffline));
                }
            }
            let at = (self.now)();
            let taken = in_history(&self.history, move |history| history.take_line(batch, at));
            let Some(line) = taken.await? else {
                return Ok(Ending::Finished);
            };
            let started = Instant::now();
            let outcome = create(line.clone()).await;
            let (result, reason) = match &outcome {
                Ok(created) => (
                    LineResult::Ended(LinkOutcome::Created(created.clone())),
                    String::new(),
                ),
                Err(failure) => (LineResult::of_failure(failure), (self.describe)(failure)),
            };
            let step = self.pace.after(&result, outcome.as_ref().err());
            let sent = sent_line(&line, &result, &reason, outcome.err());
            let settle =
                move |history: &mut History| history.settle_line(batch, &line, &result, &reason);
            in_history(&self.history, settle).await?;
            report(sent);
            next = match step {
                NextStep::Go(interval) => started + interval,
                NextStep::Wait(pause) => Instant::now() + pause,
                NextStep::Pause(reason) => return Ok(Ending::Paused(reason)),
            };
        }
    }
}

fn sent_line(
    line: &TakenLine,
    result: &LineResult,
    reason: &str,
    failure: Option<Failure>,
) -> SentLine {
    let url = match result {
        LineResult::Ended(Outcome::Created(created)) => Some(created.url.clone()),
        _ => None,
    };
    SentLine {
        number: line.number,
        state: result.state(),
        url,
        reason: reason.to_owned(),
        request: line.request.clone(),
        failure,
    }
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::path::Path;
    use std::time::Duration;

    use tokio::sync::watch;

    use super::*;
    use crate::team::{OfflineReason, Presence};
    use crate::trade::{Account, BatchLine, BatchSource, Money, NoAnswer, Origin, Refusal};

    fn account() -> Account {
        Account {
            origin: Origin("https://pay.example".into()),
            identity: "ana".into(),
        }
    }

    fn waiting(number: u64) -> BatchLine {
        BatchLine {
            number,
            cells: vec![],
            request: Some(LinkRequest {
                account: account(),
                amount: Money::from_centavos(4_990),
                description: format!("Boné {number}"),
                domain: None,
            }),
            note: None,
            state: LineState::Waiting,
            reason: String::new(),
            row: None,
            url: None,
        }
    }

    fn open(dir: &Path) -> History {
        History::open(dir, Wall(0)).unwrap().0
    }

    /// A sender of a new batch with the lines 2 to `last`.
    fn sender(dir: &Path, last: u64) -> BatchSender {
        let lines: Vec<_> = (2..=last).map(waiting).collect();
        let source = BatchSource {
            file: "/srv/precos.csv".into(),
            result: "/srv/r.csv".into(),
            header: vec![],
            delimiter: b';',
        };
        let batch = open(dir).begin_batch(&account(), &source, &lines, Wall(0));
        let dir = dir.to_owned();
        BatchSender {
            history: HistoryWorker::with_owned("history", 8, move || Ok(open(&dir))),
            batch: batch.unwrap().id,
            pace: Pace::new(5),
            now: || Wall(9),
            describe: Box::new(|failure| format!("{failure:?}")),
            team: None,
        }
    }

    /// Another sender of the same batch.
    fn again(dir: &Path, batch: BatchId, team: TeamPresence) -> BatchSender {
        let dir = dir.to_owned();
        BatchSender {
            history: HistoryWorker::with_owned("history", 8, move || Ok(open(&dir))),
            batch,
            pace: Pace::new(5),
            now: || Wall(9),
            describe: Box::new(|failure| format!("{failure:?}")),
            team: Some(team),
        }
    }

    fn created(line: &TakenLine) -> CreatedLink {
        CreatedLink {
            url: format!("https://loja.example/{}", line.number).into(),
        }
    }

    fn refused(status: u16, retry_after: Option<Duration>) -> Failure {
        Failure::Refused(Refusal {
            status,
            message: None,
            hint: None,
            retry_after,
        })
    }

    fn states(dir: &Path, batch: BatchId) -> Vec<LineState> {
        let lines = open(dir).batch_lines(batch, 0, usize::MAX).unwrap();
        lines.into_iter().map(|line| line.state).collect()
    }

    #[tokio::test]
    async fn all_lines_are_sent_at_the_pace() {
        let dir = tempfile::tempdir().unwrap();
        let sender = sender(dir.path(), 5);
        let batch = sender.batch;
        let starts = RefCell::new(Vec::new());
        let mut sent = Vec::new();
        let create = async |line: TakenLine| {
            starts.borrow_mut().push(Instant::now());
            Ok(created(&line))
        };
        let stop = std::future::pending();
        let ending = sender.send(create, stop, |line| sent.push(line)).await;
        assert_eq!(ending, Ok(Ending::Finished));
        assert_eq!(states(dir.path(), batch), [LineState::Made; 4]);
        let numbers: Vec<_> = sent.iter().map(|line| line.number).collect();
        assert_eq!(numbers, [2, 3, 4, 5]);
        let starts = starts.into_inner();
        let is_at_pace = |pair: &[Instant]| pair[1] - pair[0] >= Duration::from_millis(190);
        assert!(starts.windows(2).all(is_at_pace), "{starts:?}");
    }

    #[tokio::test]
    async fn stop_finishes_the_request_in_flight() {
        let dir = tempfile::tempdir().unwrap();
        let sender = sender(dir.path(), 4);
        let batch = sender.batch;
        let (stopper, stopped) = tokio::sync::oneshot::channel::<()>();
        let stopper = Cell::new(Some(stopper));
        let create = async |line: TakenLine| {
            drop(stopper.take());
            tokio::task::yield_now().await;
            Ok(created(&line))
        };
        let stop = async { drop(stopped.await) };
        let ending = sender.send(create, stop, |_| ()).await;
        assert_eq!(ending, Ok(Ending::Stopped));
        let expected = [LineState::Made, LineState::Waiting, LineState::Waiting];
        assert_eq!(states(dir.path(), batch), expected);
    }

    #[tokio::test]
    async fn throttled_line_is_sent_again_after_the_wait() {
        let dir = tempfile::tempdir().unwrap();
        let sender = sender(dir.path(), 2);
        let batch = sender.batch;
        let wait = Duration::from_millis(300);
        let starts = RefCell::new(Vec::new());
        let create = async |line: TakenLine| {
            starts.borrow_mut().push(Instant::now());
            match starts.borrow().len() {
                1 => Err(refused(429, Some(wait))),
                _ => Ok(created(&line)),
            }
        };
        let ending = sender.send(create, std::future::pending(), |_| ()).await;
        assert_eq!(ending, Ok(Ending::Finished));
        assert_eq!(states(dir.path(), batch), [LineState::Made]);
        let starts = starts.into_inner();
        assert!(starts[1] - starts[0] >= wait, "{starts:?}");
    }

    #[tokio::test]
    async fn failures_in_a_row_pause_with_their_reasons() {
        let dir = tempfile::tempdir().unwrap();
        let sender = sender(dir.path(), 6);
        let batch = sender.batch;
        let mut sent = Vec::new();
        let create = async |line: TakenLine| {
            Err(match line.number {
                2 => Failure::NoAnswer(NoAnswer::Timeout),
                _ => refused(400, None),
            })
        };
        let ending = sender
            .send(create, std::future::pending(), |line| sent.push(line))
            .await;
        assert_eq!(ending, Ok(Ending::Paused(PauseReason::Failures)));
        let expected = [
            LineState::Unknown,
            LineState::Refused,
            LineState::Refused,
            LineState::Waiting,
            LineState::Waiting,
        ];
        assert_eq!(states(dir.path(), batch), expected);
        assert_eq!(sent[0].reason, "NoAnswer(Timeout)");
    }

    #[tokio::test]
    async fn line_lost_in_a_crash_is_not_sent() {
        let dir = tempfile::tempdir().unwrap();
        let sender = sender(dir.path(), 3);
        let batch = sender.batch;
        open(dir.path()).take_line(batch, Wall(1)).unwrap().unwrap();
        let create = async |line: TakenLine| Ok(created(&line));
        let ending = sender.send(create, std::future::pending(), |_| ()).await;
        assert_eq!(ending, Ok(Ending::Finished));
        assert_eq!(
            states(dir.path(), batch),
            [LineState::Unknown, LineState::Made]
        );
    }

    fn connected() -> Presence {
        Presence::Connected { since: Wall(0) }
    }

    fn offline() -> Presence {
        Presence::Offline {
            since: Wall(0),
            reason: OfflineReason::TimedOut,
        }
    }

    #[tokio::test]
    async fn no_line_is_sent_while_the_team_is_offline() {
        let dir = tempfile::tempdir().unwrap();
        let mut sender = sender(dir.path(), 4);
        let batch = sender.batch;
        let (presence, receiver) = watch::channel(connected());
        sender.team = Some(TeamPresence::new(receiver.clone()));
        let create = async |line: TakenLine| {
            presence.send_replace(offline());
            Ok(created(&line))
        };
        let ending = sender.send(create, std::future::pending(), |_| ()).await;
        assert_eq!(ending, Ok(Ending::Paused(PauseReason::TeamOffline)));
        let expected = [LineState::Made, LineState::Waiting, LineState::Waiting];
        assert_eq!(states(dir.path(), batch), expected);

        for (team, expected) in [
            (receiver, Ending::Paused(PauseReason::TeamOffline)),
            (watch::channel(connected()).1, Ending::Finished),
        ] {
            let again = again(dir.path(), batch, TeamPresence::new(team));
            let create = async |line: TakenLine| Ok(created(&line));
            let ending = again.send(create, std::future::pending(), |_| ()).await;
            assert_eq!(ending, Ok(expected));
        }
        assert_eq!(states(dir.path(), batch), [LineState::Made; 3]);
    }

    #[tokio::test]
    async fn line_waits_for_the_first_connection() {
        let dir = tempfile::tempdir().unwrap();
        let mut sender = sender(dir.path(), 2);
        let (presence, receiver) = watch::channel(Presence::Connecting);
        sender.team = Some(TeamPresence::new(receiver));
        let is_connected = Cell::new(false);
        let create = async |line: TakenLine| {
            assert!(is_connected.get());
            Ok(created(&line))
        };
        let sending = sender.send(create, std::future::pending(), |_| ());
        let connecting = async {
            tokio::task::yield_now().await;
            is_connected.set(true);
            presence.send_replace(connected());
        };
        let (ending, ()) = tokio::join!(sending, connecting);
        assert_eq!(ending, Ok(Ending::Finished));
    }

    #[tokio::test]
    async fn wait_for_the_first_connection_can_be_stopped() {
        let dir = tempfile::tempdir().unwrap();
        let mut sender = sender(dir.path(), 2);
        let batch = sender.batch;
        let (_presence, receiver) = watch::channel(Presence::Connecting);
        sender.team = Some(TeamPresence::new(receiver));
        let create = async |_: TakenLine| panic!("not connected");
        let stop = tokio::task::yield_now();
        let ending = sender.send(create, stop, |_| ()).await;
        assert_eq!(ending, Ok(Ending::Stopped));
        assert_eq!(states(dir.path(), batch), [LineState::Waiting]);
    }
}
