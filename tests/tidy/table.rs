//! The import table: what each room may use. Adjusting a row is one line.

/// What one room may use.
pub struct Row {
    /// The module under the crate's root; `lib` is the root itself.
    pub room: &'static str,
    /// Other rooms.
    pub rooms: Rooms,
    /// Crates from `Cargo.toml`, whole (`serde`) or in part (`tokio::sync`).
    pub crates: Crates,
    /// What it may not use even where the rest would allow it; tests are free of this.
    pub never: &'static [&'static [&'static str]],
}

/// Other rooms a room may use; of one that is open in part, its tests see all.
pub enum Rooms {
    /// Every room.
    Every,
    /// These.
    These(&'static [Other]),
}

/// One room that another may use.
pub enum Other {
    /// All of it.
    All(&'static str),
    /// Only these items of it, wherever in the room they are defined.
    Only(&'static str, &'static [&'static str]),
    /// All but these items of it.
    AllBut(&'static str, &'static [&'static str]),
}

/// Crates a room may use outside its tests.
pub enum Crates {
    /// Every crate in `Cargo.toml`.
    Every,
    /// These.
    These(&'static [&'static str]),
}

use Other::{All, AllBut, Only};

/// Crates that only write code at compile time.
pub const EVERYWHERE: &[&str] = &["thiserror"];

/// No disk, network, environment, other process or thread.
const WORLD: &[&str] = &[
    "std::fs",
    "std::net",
    "std::env",
    "std::process",
    "std::thread",
    "std::os",
    "std::io::stdin",
    "std::io::stdout",
    "std::io::stderr",
];

/// Time comes in as a value.
const CLOCKS: &[&str] = &[
    "std::time::SystemTime",
    "std::time::Instant",
    "std::time::UNIX_EPOCH",
    "jiff::Zoned::now",
    "jiff::Timestamp::now",
    "jiff::tz::TimeZone::system",
];

/// Chance comes in as a value.
const CHANCE: &[&str] = &["uuid::Uuid::new_v4", "std::hash::RandomState"];

/// Nothing that changes behind a shared reference.
const HIDDEN_CHANGE: &[&str] = &[
    "std::cell",
    "std::sync::Mutex",
    "std::sync::RwLock",
    "std::sync::OnceLock",
    "std::sync::atomic",
    "std::sync::mpsc",
];

/// Money is never a float.
const FLOATS: &[&str] = &["f32", "f64"];

/// The terminal itself, which ratatui hands on.
const TERMINAL: &[&str] = &[
    "ratatui::crossterm",
    "ratatui::init",
    "ratatui::try_init",
    "ratatui::restore",
    "ratatui::run",
    "ratatui::Terminal",
    "ratatui::DefaultTerminal",
];

const NOTHING: &[&[&str]] = &[];

/// The walls of the house.
pub const TABLE: &[Row] = &[
    Row {
        room: "trade",
        rooms: Rooms::These(&[]),
        // unicode-width: how far a deceptive character reaches is part of showing text safely.
        // unicode-normalization: a search, wherever it is made, finds a word without its accents.
        // jiff: the date of a day.
        crates: Crates::These(&[
            "rust_decimal",
            "compact_str",
            "uuid",
            "serde",
            "unicode_width",
            "unicode_normalization",
            "jiff",
        ]),
        never: &[WORLD, CLOCKS, CHANCE, HIDDEN_CHANGE, FLOATS],
    },
    Row {
        room: "contract",
        rooms: Rooms::These(&[All("trade")]),
        // jiff: dates in replies; rust_decimal: seconds too;
        // sha2: the sum of its lines; url: forms are written as browsers write them.
        crates: Crates::These(&[
            "serde",
            "toml",
            "serde_json",
            "base64",
            "strsim",
            "jiff",
            "rust_decimal",
            "sha2",
            "url",
        ]),
        never: &[WORLD, CLOCKS, CHANCE, FLOATS],
    },
    Row {
        room: "words",
        rooms: Rooms::These(&[All("trade")]),
        crates: Crates::These(&["fluent_bundle", "unic_langid", "compact_str"]),
        never: &[WORLD, CLOCKS, CHANCE, HIDDEN_CHANGE, FLOATS],
    },
    Row {
        room: "app",
        // Record types only: the doors of the journal are the runtime's and the cashier's.
        rooms: Rooms::These(&[
            All("trade"),
            All("contract"),
            All("words"),
            AllBut(
                "journal",
                &["MoneyJournal", "History", "Permit", "Spent", "Disk", "Storage", "Rows"],
            ),
        ]),
        // url: whose host an address names is asked before it is copied or opened; qrcode: a page
        // has pictures; unicode-width: it is laid out by columns; strsim: the nearest name of an
        // action that was mistyped; compact_str: a page has hundreds of short texts.
        crates: Crates::These(&[
            "tui_input",
            "compact_str",
            "unicode_width",
            "url",
            "qrcode",
            "serde",
            "strsim",
        ]),
        never: &[WORLD, CLOCKS, CHANCE, HIDDEN_CHANGE, &["tui_input::backend"]],
    },
    Row {
        room: "view",
        rooms: Rooms::These(&[All("app"), All("words")]),
        // toml and serde: themes are files.
        crates: Crates::These(&["ratatui", "toml", "serde"]),
        never: &[WORLD, CLOCKS, CHANCE, HIDDEN_CHANGE, TERMINAL],
    },
    Row {
        room: "service",
        rooms: Rooms::These(&[
            All("trade"),
            All("contract"),
            Only("journal", &["Permit", "Spent"]),
            Only("cashier", &["Wire"]),
        ]),
        crates: Crates::These(&[
            "reqwest",
            "serde",
            "serde_json",
            "futures_util",
            "httpdate",
            "url",
            // What is wrong with a certificate, or with the head of a reply.
            "rustls::CertificateError",
            "hyper::Error",
            "rustls::Error",
            // A sandbox's proof is looked at.
            "hmac",
            "sha2",
            // The client is built beside the thread that draws.
            "tokio::sync::OnceCell",
            "tokio::task::spawn_blocking",
            // The clocks are asked once more when a connection stands.
            "tokio::task_local",
            "tower::BoxError",
            "tower::util::AndThenLayer",
            // The sandbox proves itself on a connection before it is used.
            "hyper_util::rt::TokioIo",
            "tokio::io",
            "tokio::net::TcpStream",
            "tokio::time::timeout",
        ]),
        never: &[&["std::fs", "std::env", "std::process"], CHANCE, FLOATS],
    },
    Row {
        room: "journal",
        rooms: Rooms::These(&[All("trade")]),
        crates: Crates::These(&[
            "rusqlite",
            "sha2",
            "serde",
            "serde_json",
            "uuid",
            "jiff",
            // What is cut short is read on a copy; what a name stands for, and whose it is, is
            // asked before it is trusted.
            "tempfile",
            "rustix::fs",
            "rustix::process::geteuid",
            // The address by which SQLite reads a file that does not change.
            "url",
        ]),
        never: &[&["std::net", "std::env", "std::process"], CLOCKS, CHANCE, FLOATS],
    },
    Row {
        room: "worker",
        rooms: Rooms::These(&[]),
        crates: Crates::These(&["tokio::sync"]),
        never: &[&["std::fs", "std::net", "std::env", "std::process"], CLOCKS, CHANCE, FLOATS],
    },
    Row {
        room: "vault",
        rooms: Rooms::These(&[All("trade"), All("worker")]),
        crates: Crates::These(&[
            "keyring",
            "keyring_core",
            "linux_keyutils",
            // A name as a part of an address, for a helper.
            "url::form_urlencoded",
            "serde",
            "serde_json",
            "tokio::sync",
            "tokio::time::Instant",
            "tokio::time::sleep_until",
            "tokio::time::timeout",
            // The seller's own command: run, waited for, and ended with all that it started.
            "base64",
            "rustix::process",
            "rustix::fs",
            "tokio::io",
            "tokio::join",
            "tokio::pin",
            "tokio::process",
            "tokio::runtime",
            "tokio::select",
            "tokio::try_join",
        ]),
        never: &[&["std::net"]],
    },
    Row {
        room: "cashier",
        rooms: Rooms::These(&[All("trade"), All("journal")]),
        crates: Crates::These(&[]),
        never: &[WORLD, CLOCKS, CHANCE, FLOATS],
    },
    Row {
        room: "config",
        rooms: Rooms::These(&[All("trade"), All("contract")]),
        // tempfile: a file is replaced whole.
        crates: Crates::These(&[
            "serde",
            "toml",
            "toml_edit",
            "tempfile",
            "etcetera",
            "url",
            "rustix::fs",
        ]),
        never: &[&["std::net", "std::process", "std::thread"], CLOCKS, CHANCE],
    },
    Row {
        room: "runtime",
        rooms: Rooms::These(&[
            All("trade"),
            All("contract"),
            All("app"),
            All("view"),
            All("words"),
            All("service"),
            All("journal"),
            All("worker"),
            All("vault"),
            All("cashier"),
            All("config"),
        ]),
        crates: Crates::Every,
        never: NOTHING,
    },
    Row {
        room: "sandbox",
        // An independent witness: shared types would hide shared mistakes.
        rooms: Rooms::These(&[]),
        crates: Crates::These(&[
            "tokio",
            "axum",
            "serde",
            "serde_json",
            "rust_decimal",
            "uuid",
            "toml",
            "base64",
            "jiff",
            "futures_util",
            "url",
            // It proves to the client that it is the sandbox.
            "hmac",
            "sha2",
            // No file is opened through a link.
            "rustix::fs",
        ]),
        never: &[FLOATS],
    },
    Row { room: "demo", rooms: Rooms::Every, crates: Crates::Every, never: NOTHING },
    Row { room: "cli", rooms: Rooms::Every, crates: Crates::Every, never: NOTHING },
    Row { room: "main", rooms: Rooms::Every, crates: Crates::Every, never: NOTHING },
    Row { room: "lib", rooms: Rooms::These(&[]), crates: Crates::These(&[]), never: NOTHING },
];

/// The floors inside `app`, the lowest first: a part uses what stands below it, and what stands
/// beside it on one floor by name; of what a star stands for none uses another.
pub const FLOORS: &[&[&str]] = &[
    &["app::ui"],
    // Messages carry what the store is made of, and the store says by them what it wants.
    &["app::cx", "app::message", "app::stamp", "app::store"],
    &["app::screen"],
    &["app::screens::*"],
    &["app::screens"],
    &["app::model"],
    &["app::router"],
    &["app::around"],
    &["app::update"],
];

/// A file's use of what its row says never, and why it is right; one no longer used fails.
pub const EXCEPTIONS: &[(&str, &str, &str)] = &[
    (
        "src/trade/money.rs",
        "f64",
        "serde_json hands a Value's number over as a float where that float's text is its own",
    ),
    ("src/journal/money/event.rs", "uuid::Uuid", "the salt of what can be purged"),
    ("src/trade/untrusted.rs", "std::cell::Cell", "whether others look, for one frame or command"),
    ("src/words/catalogue.rs", "std::cell::RefCell", "a text that is kept is the one made again"),
    ("src/words/catalogue.rs", "std::sync::OnceLock", "a file of messages is read once"),
];

/// The row of a room.
pub fn row(room: &str) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.room == room)
}

/// A call that opens what is kept closed, and where it is made.
pub struct Calls {
    /// The type.
    pub of: &'static str,
    /// Its method.
    pub method: &'static str,
    /// What to do about a call that is not listed.
    pub advice: &'static str,
    /// File, number of calls outside tests, and why they are safe.
    pub sites: &'static [(&'static str, usize, &'static str)],
}

/// Every place that reads text from outside exactly as it came.
pub const RAW: Calls = Calls {
    of: "Untrusted",
    method: "raw",
    advice: "Show text from outside with `shown`, `shown_within` or `shown_lines`. Only a request, \
             a comparison or a parser needs it raw: then list the file in RAW with the reason.",
    sites: &[
        ("src/app/router/person.rs", 1, "a paste typed into the search, without its controls"),
        ("src/app/ui/form.rs", 2, "a paste typed into a field, without its controls; a parser"),
        ("src/app/ui/consent_lines.rs", 2, "searched for letters that look like others"),
        ("src/runtime/doctor.rs", 1, "the path of a helper's command, shortened and then shown"),
        ("src/app/screens/make_live.rs", 1, "compared with the path that is typed"),
        ("src/trade/br_code.rs", 1, "a parser of Pix codes"),
        (
            "src/trade/message_template.rs",
            1,
            "the address or the code in a message to a buyer, byte for byte",
        ),
        ("src/app/store/passing.rs", 1, "a copy, only of what is shown as it is"),
        ("src/trade/payment.rs", 2, "a parser of the host of a link"),
        ("src/journal/history/domains.rs", 2, "what is written down, and compared with it"),
        ("src/app/store/oddity.rs", 3, "parsers of hosts"),
        ("src/app/store/reach.rs", 1, "a parser of hosts"),
        ("src/app/screens/links/new.rs", 1, "the value of a choice"),
        (
            "src/app/ui/picture.rs",
            1,
            "a QR code holds exactly the bytes; the text is shown beside it",
        ),
        ("src/words/personal.rs", 1, "the mask, of which text from outside comes"),
        ("src/contract/body.rs", 1, "a request: the domain is sent as the service listed it"),
        ("src/contract/teaching.rs", 4, "a parser of the masked reply; the likeliest row"),
        (
            "src/cli/json_line.rs",
            4,
            "JSON for scripts: json_line escapes what is not shown as it is",
        ),
        ("src/demo.rs", 2, "a request: the demo's buyer asks the sandbox for this very page"),
        ("src/journal/history/tests/growth.rs", 2, "a comparison with what a search finds"),
        ("src/journal/history/search_filter.rs", 1, "a comparison: the domain a link asked for"),
        ("src/journal/history/table.rs", 2, "the search index: it is matched and never shown"),
        (
            "src/runtime/world.rs",
            2,
            "the clipboard gets it whole, inside base64 where a terminal reads it; the browser's \
             opener checks it",
        ),
        ("src/service/classify.rs", 3, "a parser: the echoed key is compared with the sent one"),
        ("src/service/refusal.rs", 1, "a word is kept with the secrets in it masked"),
        ("src/service/withdrawal.rs", 1, "a word is kept with the secrets in it masked"),
    ],
};

/// Every place that reads a secret.
pub const IN_FULL: Calls = Calls {
    of: "Untrusted",
    method: "in_full",
    advice: "While others look, what is personal is masked. Only what is made to be handed on, or \
             is masked already, is shown in full: then list the file in IN_FULL with the reason.",
    sites: &[
        ("src/app/screens/buyer.rs", 1, "the address of a link"),
        ("src/app/screens/dialog.rs", 1, "the address of a link, or the code of a charge"),
        ("src/app/screens/exchanges.rs", 1, "a body, whose mask knows its members"),
        ("src/app/screens/links.rs", 1, "the address of a link"),
        ("src/app/screens/teach/show.rs", 1, "a body, whose mask knows its members"),
        ("src/app/screens/qr.rs", 1, "an address or a code, beside its picture"),
        ("src/app/store/charges.rs", 1, "a parser of moments"),
        ("src/app/store/exchanges.rs", 1, "a body, whose mask knows its members"),
        ("src/app/store/oddity.rs", 2, "the address of a link, and the signs in it"),
        ("src/app/ui/forms.rs", 1, "what is typed, masked letter by letter"),
        ("src/app/ui/lists.rs", 1, "an address or a code, below its details"),
        ("src/app/ui/parts.rs", 1, "what is searched for, with nothing personal in it"),
        ("src/cli/lists.rs", 1, "the address of a link"),
        ("src/words/personal.rs", 2, "what is typed, masked letter by letter; plain headers"),
    ],
};

/// Who opens a secret.
pub const EXPOSE: Calls = Calls {
    of: "Secret",
    method: "expose",
    advice: "A secret is read only where it is sent or stored. If this is such a place, list the \
             file in EXPOSE with the reason.",
    sites: &[
        ("src/contract/body.rs", 2, "its mask in exchanges; the login's body"),
        ("src/cli/sandbox.rs", 1, "the sandbox's own, which it proves itself with"),
        ("src/cli/profile.rs", 1, "whether the environment's JWT is one"),
        ("src/runtime/secret_fields.rs", 2, "into the field it is typed in, and a copy out of it"),
        ("src/runtime/world/entry.rs", 3, "whether a pasted JWT is one, whose, and until when"),
        ("src/service/exchange.rs", 1, "the header that carries it"),
        ("src/service/finished.rs", 1, "compares it with the header that carries it"),
        ("src/service/sandbox_proof.rs", 1, "the key that a proof is looked at with"),
        ("src/service/mask.rs", 1, "masks it in the exchange"),
        ("src/vault.rs", 1, "stores it in the keyring"),
    ],
};
