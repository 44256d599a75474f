//! The world: what performs the effects.
//!
//! One `match` from [`Effect`] to a future or an order, and from its end to a [`Msg`]. Every answer
//! comes through the [`Inbox`]; nothing here touches the model.

mod entry;
mod money_lines;
mod payments;
#[cfg(test)]
mod tests;

pub use entry::{DEMO_NOTE, MoneyCredentials, jwt_credential};
pub use money_lines::Agreements;

use std::collections::HashMap;
use std::future::Future;
use std::mem;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::FutureExt;
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, JoinSet};

use super::browser;
use super::chosen_domain::{self, DomainFile};
use super::clipboard::Clipboard;
use super::history::{self, Asked, HistoryWorker, List, Past};
use super::money::{MoneyWorker, Order};
use super::place::Place;
use super::secrets::Secrets;
use super::surroundings::Surroundings;
use super::watch::ChangeNotifier;
use crate::app::copying::Clip;
use crate::app::list::Ask;
use crate::app::message::BuyerPage;
use crate::app::palette::Wish;
use crate::app::{Effect, Msg, NoBrowser};
use crate::cashier::Clock;
use crate::service::Service;
use crate::trade::{JournalTrouble, Origin, Secret, Ticket, Untrusted, VaultKind, Wall};
use crate::vault::VaultHandle;

/// What acts on the world for the loop.
pub trait World {
    /// Begins to do it, and never waits.
    fn perform(&mut self, effect: Effect);

    /// The secret fields.
    fn secrets(&mut self) -> &mut Secrets;
}

/// The way back into the loop.
#[derive(Clone)]
pub struct Inbox(mpsc::Sender<Msg>);

impl Inbox {
    /// A way into this queue.
    pub fn new(sender: mpsc::Sender<Msg>) -> Inbox {
        Inbox(sender)
    }

    /// Says something and waits for room; a loop that has ended does not hear it.
    pub async fn send(&self, msg: Msg) {
        let _ = self.0.send(msg).await;
    }

    /// The same from a thread that runs no tasks.
    pub fn send_blocking(&self, msg: Msg) {
        let _ = self.0.blocking_send(msg);
    }

    /// Says something at once; when there is no room it is said as soon as there is.
    pub fn tell(&self, msg: Msg) {
        if let Err(mpsc::error::TrySendError::Full(msg)) = self.0.try_send(msg)
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            let inbox = self.clone();
            runtime.spawn(async move { inbox.send(msg).await });
        }
    }
}

/// What grants the demo's wishes; the demo itself is another room.
pub trait Stage: Send + Sync {
    /// A JWT for links that is good now; the documented login yields none.
    fn jwt(&self) -> Option<Secret>;

    /// Grants a wish, or changes nothing and says so.
    fn grant(&self, wish: &Wish, inbox: &Inbox) -> bool;

    /// What a demo that starts over begins with; nothing where it does not start over.
    fn anew(&self, origin: &Origin, now: Wall) -> Option<Anew>;

    /// The page a buyer sees at this address; with `pay`, after pressing its button.
    fn page(&self, url: &Untrusted, pay: bool) -> BuyerPage;
}

/// What a demo that starts over begins with.
pub struct Anew {
    /// The directory of its journal, in which there is nothing yet.
    pub journal: PathBuf,
    /// The links of the days before.
    pub past: Past,
}

/// The journal's two workers: money and history.
#[derive(Clone)]
pub struct Stores {
    /// Withdrawals.
    pub money: MoneyWorker,
    /// Links and direct payments.
    pub history: HistoryWorker,
    /// What of it is asked for.
    pub asked: Arc<Asked>,
    /// What listens to other windows of these stores; given up with them.
    _followed: Arc<JoinSet<()>>,
}

impl Stores {
    /// Stores that hear by these changes when another window wrote in them.
    pub fn new(
        money: MoneyWorker,
        history: HistoryWorker,
        changes: Arc<ChangeNotifier>,
        inbox: Inbox,
    ) -> Stores {
        let mut followed = JoinSet::new();
        followed.spawn(history::follow(history.clone(), changes, inbox));
        Stores { money, history, asked: Arc::default(), _followed: Arc::new(followed) }
    }

    fn close(&self) {
        self.money.close();
        self.history.close();
    }
}

/// The stores of this moment; only a demo that starts over takes others.
#[derive(Clone)]
pub struct OpenStores(Arc<Mutex<Stores>>);

impl OpenStores {
    /// These, for now.
    pub fn new(stores: Stores) -> OpenStores {
        OpenStores(Arc::new(Mutex::new(stores)))
    }

    /// Those of this moment.
    pub fn now(&self) -> Stores {
        self.lock().clone()
    }

    /// Closes them: no thread writes in their directory from then on.
    pub fn close(&self) {
        self.now().close();
    }

    /// Gives an order to the money thread of this moment.
    ///
    /// The stores are held meanwhile, as they are while others take their place: no order goes to
    /// the money thread of the one world and meets the bank of the next.
    fn order(&self, order: Order) -> Result<(), Box<Msg>> {
        self.lock().money.order(order)
    }

    /// Puts others in the place of these, if there are any: no order is given meanwhile.
    fn replace(&self, others: impl FnOnce(&Stores) -> Option<Stores>) -> bool {
        let old = {
            let mut open = self.lock();
            let Some(others) = others(&open) else { return false };
            mem::replace(&mut *open, others)
        };
        // Only now: that waits for their threads, and nobody is to wait for these stores meanwhile.
        old.close();
        true
    }

    fn lock(&self) -> MutexGuard<'_, Stores> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Opens the stores in a place, with what a history that has nothing in it begins with.
pub type StoreOpener = Box<dyn Fn(Arc<Place>, Option<Past>) -> Stores + Send + Sync>;

/// Everything the real world is made of.
pub struct Outside {
    /// The profile's name.
    pub profile: Arc<str>,
    /// The service.
    pub service: Service,
    /// Where credentials are kept; memory takes its place when the seller says so.
    pub vault: Arc<Mutex<VaultHandle>>,
    /// Withdrawals, links and direct payments.
    pub stores: OpenStores,
    /// Where they are.
    pub place: Arc<Place>,
    /// Opens other ones.
    pub open_stores: StoreOpener,
    /// Where the chosen domain is kept; nowhere in a demo.
    pub domain_file: Option<DomainFile>,
    /// What the seller agreed to of the contract.
    pub agreements: Agreements,
    /// The clocks.
    pub clock: Arc<dyn Clock + Send + Sync>,
    /// Where copies and browsers go.
    pub around: Surroundings,
    /// Writes bytes to the terminal, past the screen.
    pub to_terminal: Writer,
    /// The demo's stage, if there is one.
    pub stage: Option<Box<dyn Stage>>,
    /// Seconds the seller's clock stands east of UTC.
    pub utc_offset_s: i32,
    /// The way back.
    pub inbox: Inbox,
}

/// A way to write to the terminal, past the screen.
pub type Writer = Box<dyn Fn(&[u8]) + Send + Sync>;

/// The world of the running program.
pub struct RealWorld {
    outside: Arc<Outside>,
    clipboard: Arc<Clipboard>,
    secrets: Secrets,
    /// What is under way and can be given up.
    under_way: HashMap<Ticket, AbortHandle>,
}

impl RealWorld {
    /// A world made of these.
    pub fn new(outside: Outside, secrets: Secrets) -> RealWorld {
        let clipboard = Arc::new(Clipboard::new(outside.around));
        RealWorld { outside: Arc::new(outside), clipboard, secrets, under_way: HashMap::new() }
    }

    /// What is known without asking anybody: what a vault in memory holds.
    pub fn known(&self) -> Option<Msg> {
        match self.outside.vault().kind() {
            VaultKind::Memory => entry::read(self.outside.clone()).now_or_never(),
            VaultKind::Keyring => None,
        }
    }

    /// Does something on the side and says how it ended.
    fn answer<F>(&mut self, ticket: Option<Ticket>, work: impl FnOnce(Arc<Outside>) -> F)
    where
        F: Future<Output: Into<Option<Msg>>> + Send + 'static,
    {
        let outside = self.outside.clone();
        let work = work(outside.clone());
        let task = tokio::spawn(async move {
            let msg: Option<Msg> = work.await.into();
            if let Some(msg) = msg {
                outside.inbox.send(msg).await;
            }
        });
        self.under_way.retain(|_, task| !task.is_finished());
        if let Some(ticket) = ticket {
            self.under_way.insert(ticket, task.abort_handle());
        }
    }

    /// Asks for a list; where an older question of it still waits, this one takes its place.
    fn ask_list<F>(&mut self, ask: Ask, place: List, load: impl FnOnce(Arc<Outside>, Stores) -> F)
    where
        F: Future<Output = Option<Msg>> + Send + 'static,
    {
        // Its place is in the stores: those of another demo know nothing of the question.
        let stores = self.outside.stores.now();
        if place(&stores.asked).ask(ask) {
            self.answer(None, |o| load(o, stores));
        }
    }

    /// Gives the money thread an order; one that finds no room is answered as a busy worker.
    fn order(&self, order: Order) {
        if let Err(answer) = self.outside.stores.order(order) {
            self.outside.inbox.tell(*answer);
        }
    }
}

impl World for RealWorld {
    fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::ReadCredentials => self.answer(None, entry::read),
            Effect::UseMemory => self.answer(None, entry::use_memory),
            Effect::LogIn { ticket, values, secrets } => {
                let secrets = secrets
                    .into_iter()
                    .filter_map(|(name, slot)| Some((name, self.secrets.get(&slot)?)))
                    .collect();
                self.answer(Some(ticket), |o| entry::log_in(o, ticket, values, secrets));
            }
            Effect::KeepJwt { ticket, slot } => {
                let jwt = self.secrets.get(&slot);
                self.answer(Some(ticket), |o| entry::keep_jwt(o, ticket, jwt));
            }
            Effect::WipeSecrets(slots) => slots.iter().for_each(|slot| self.secrets.wipe(slot)),
            Effect::LogOut => self.answer(None, entry::log_out),
            Effect::ListDomains(ticket) => {
                self.answer(Some(ticket), |o| payments::domains(o, ticket));
            }
            Effect::ReadDomain => self.answer(None, chosen_domain::read),
            Effect::KeepDomain(choice) => self.answer(None, |o| chosen_domain::keep(o, choice)),
            Effect::LoadLinks(ask) => self.ask_list(ask, |a| &a.links, payments::load_links),
            Effect::MakeLink { ticket, request } => {
                self.answer(Some(ticket), |o| payments::make_link(o, ticket, request));
            }
            Effect::LoadCharges(ask) => self.ask_list(ask, |a| &a.charges, payments::load_charges),
            Effect::MakeCharge { ticket, request, body } => {
                self.answer(Some(ticket), |o| payments::make_charge(o, ticket, request, body));
            }
            Effect::Quote { ticket, amount } => {
                self.answer(Some(ticket), |o| payments::quote(o, ticket, amount));
            }
            Effect::Cancel(ticket) => {
                if let Some(task) = self.under_way.remove(&ticket) {
                    task.abort();
                }
            }
            Effect::LoadWithdrawals(ask) => self.order(Order::Load(ask)),
            Effect::LookUpPast(agreement) => self.order(Order::LookUpPast(agreement)),
            Effect::LoadDestinations { ticket, account } => {
                self.order(Order::LoadDestinations { ticket, account });
            }
            Effect::Prepare { agreement, retyped } => {
                self.order(Order::Prepare { agreement, retyped });
                self.answer(None, money_lines::remember_own);
            }
            Effect::ReadLines => self.answer(None, money_lines::read),
            Effect::Agree(ticket) => {
                self.answer(Some(ticket), |o| money_lines::agree(o, ticket));
            }
            Effect::Attempt(key) => self.order(Order::Attempt(key)),
            Effect::Decide { key, choice } => self.order(Order::Decide { key, choice }),
            Effect::PickJournal(dir) => self.answer(None, |o| pick_journal(o, dir)),
            Effect::Copy(clip, text) => {
                let clipboard = self.clipboard.clone();
                self.answer(None, |o| copy(o, clipboard, clip, text));
            }
            Effect::Browse(url) => self.answer(None, |o| browse(o, url)),
            Effect::Buyer { ticket, url, pay } => {
                self.answer(Some(ticket), |o| buyer(o, ticket, url, pay));
            }
            Effect::Demo(wish) => self.answer(None, |o| grant(o, wish)),
            // The loop does these itself.
            Effect::Redraw | Effect::Leave => {}
        }
    }

    fn secrets(&mut self) -> &mut Secrets {
        &mut self.secrets
    }
}

impl Outside {
    /// The vault of this moment.
    fn vault(&self) -> VaultHandle {
        self.vault.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Copies exactly these bytes; what is sent through the terminal is written past the screen.
async fn copy(
    outside: Arc<Outside>,
    clipboard: Arc<Clipboard>,
    clip: Clip,
    text: Untrusted,
) -> Msg {
    let copied = clipboard.copy(text.raw(), |bytes| (outside.to_terminal)(bytes)).await;
    Msg::Copied(clip, copied)
}

async fn browse(outside: Arc<Outside>, url: Untrusted) -> Msg {
    let around = outside.around;
    let opened = tokio::task::spawn_blocking(move || browser::open_url(url.raw(), &around)).await;
    Msg::Browsed(opened.unwrap_or(Err(NoBrowser::Failed)))
}

async fn buyer(outside: Arc<Outside>, ticket: Ticket, url: Untrusted, pay: bool) -> Msg {
    let page = outside.stage.as_ref().map_or(BuyerPage::NotFound, |stage| stage.page(&url, pay));
    Msg::BuyerPage { ticket, page }
}

async fn grant(outside: Arc<Outside>, wish: Wish) -> Msg {
    let granted = match wish {
        Wish::StartOver => start_over(&outside),
        _ => outside.stage.as_ref().is_some_and(|stage| stage.grant(&wish, &outside.inbox)),
    };
    if granted { Msg::DemoDone(wish) } else { Msg::DemoNotDone }
}

/// Makes another journal the live one: everything is closed, moved, and opened again.
async fn pick_journal(outside: Arc<Outside>, dir: PathBuf) -> Msg {
    let picked = tokio::task::spawn_blocking(move || {
        let (place, now) = (&outside.place, outside.clock.now().wall);
        let open = || (outside.open_stores)(place.clone(), None);
        // Nothing is sent from here on, and what is asked meanwhile is answered as held.
        let is_closed = outside.stores.replace(|stores| {
            if stores.money.is_busy() {
                return None;
            }
            place.clear();
            Some(open())
        });
        if !is_closed {
            return Err(JournalTrouble::Busy("a withdrawal is being sent".into()));
        }
        let picked = place.pick(&dir, now);
        outside.stores.replace(|_| Some(open()));
        picked
    });
    let gone = |error: tokio::task::JoinError| Err(JournalTrouble::Io(error.to_string()));
    Msg::JournalPicked(picked.await.unwrap_or_else(gone))
}

/// The demo's bank forgets, and with it everything that is believed about it.
///
/// A journal that outlived its bank would send an open withdrawal again to a bank that knows
/// nothing of its key, and that would pay it anew. It is left where it lies, closed. While money is
/// on its way nothing is forgotten, and none is sent on its way until everything is.
fn start_over(outside: &Outside) -> bool {
    let Some(stage) = &outside.stage else { return false };
    let origin = outside.service.base().origin();
    let Some(anew) = stage.anew(origin, outside.clock.now().wall) else { return false };
    outside.stores.replace(|open| {
        if open.money.is_busy() {
            return None;
        }
        let place = Place::at(&anew.journal, outside.place.vault());
        let stores = (outside.open_stores)(Arc::new(place), Some(anew.past));
        stage.grant(&Wish::StartOver, &outside.inbox).then_some(stores)
    })
}
