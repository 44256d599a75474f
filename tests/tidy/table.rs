//! The import table: which modules and crates each top-level module may use.
//!
//! [`TABLE`] contains the rules for top-level modules, and [`LAYERS`] the rules for the layers
//! inside `app`. The lists at the end contain the allowed calls that reveal protected text. If a
//! check rejects correct code, extend the table and give a reason.

/// The row of a top-level module in the import table.
pub struct Row {
    /// The name of the top-level module. The crate root is `lib`.
    pub module: &'static str,
    /// The other top-level modules that this module may use.
    pub modules: Modules,
    /// The dependencies that this module may use: whole crates (`serde`) or parts of them
    /// (`tokio::sync`).
    pub crates: Crates,
    /// The paths that this module may not use, even if `crates` or the standard library contains
    /// them. Tests are exempt.
    pub never: &'static [&'static [&'static str]],
}

/// The modules that a module may use. Its tests may use every item of a partly allowed module.
pub enum Modules {
    Every,
    These(&'static [Other]),
}

/// A module that another module may use, completely or in part.
pub enum Other {
    /// Everything in the module.
    All(&'static str),
    /// Only these items of the module. Any of the module's files may define them.
    Only(&'static str, &'static [&'static str]),
    /// Everything in the module except these items.
    AllBut(&'static str, &'static [&'static str]),
}

/// The dependencies that a module may use outside of its tests.
pub enum Crates {
    /// Every dependency in `Cargo.toml`.
    Every,
    These(&'static [&'static str]),
}

use Other::{All, AllBut, Only};

/// The crates that all modules may use, because they only generate code at compile time.
pub const EVERYWHERE: &[&str] = &["thiserror"];

/// The parts of the standard library that access the world outside the program: files, the network,
/// the environment, processes, threads and standard streams.
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

/// The functions and types that read the current time. Most modules get the time as an argument
/// instead.
const CLOCKS: &[&str] = &[
    "std::time::SystemTime",
    "std::time::Instant",
    "std::time::UNIX_EPOCH",
    "jiff::Zoned::now",
    "jiff::Timestamp::now",
    "jiff::tz::TimeZone::system",
];

/// The functions and types that create random values. Most modules get random values as arguments
/// instead.
const CHANCE: &[&str] = &["uuid::Uuid::new_v4", "std::hash::RandomState"];

/// The types whose value can change through a shared reference.
const HIDDEN_CHANGE: &[&str] = &[
    "std::cell",
    "std::sync::Mutex",
    "std::sync::RwLock",
    "std::sync::OnceLock",
    "std::sync::atomic",
    "std::sync::mpsc",
];

/// The floating-point types, which must not be used for money.
const FLOATS: &[&str] = &["f32", "f64"];

/// The parts of ratatui that control the terminal itself. Only the runtime may use them.
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

/// The import table: one row for each top-level module.
pub const TABLE: &[Row] = &[
    Row {
        module: "trade",
        modules: Modules::These(&[]),
        // `unicode-width` finds the columns that a deceptive character covers.
        // `unicode-normalization` lets a search ignore accents. `jiff` converts a timestamp to a
        // date.
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
        module: "contract",
        modules: Modules::These(&[All("trade")]),
        // `jiff` parses dates in replies, and `rust_decimal` parses seconds in replies. `sha2`
        // computes the checksum of the contract lines. `url` encodes request bodies as forms.
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
        module: "words",
        modules: Modules::These(&[All("trade")]),
        crates: Crates::These(&["fluent_bundle", "unic_langid", "compact_str"]),
        never: &[WORLD, CLOCKS, CHANCE, HIDDEN_CHANGE, FLOATS],
    },
    Row {
        module: "app",
        // Allow only the types of the journal's records, because the runtime and the cashier read
        // and write the journal.
        modules: Modules::These(&[
            All("trade"),
            All("contract"),
            All("words"),
            AllBut(
                "journal",
                &[
                    "MoneyJournal",
                    "History",
                    "Requests",
                    "Permit",
                    "Spent",
                    "Disk",
                    "Storage",
                    "Rows",
                ],
            ),
        ]),
        // `url` finds the host of a URL before the URL is copied or opened. `qrcode` makes QR
        // codes. `unicode-width` computes the widths of texts. `strsim` suggests an action for a
        // mistyped name. `compact_str` stores the hundreds of short strings in a frame.
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
        module: "view",
        modules: Modules::These(&[All("app"), All("words")]),
        // `toml` and `serde` read theme files.
        crates: Crates::These(&["ratatui", "toml", "serde"]),
        never: &[WORLD, CLOCKS, CHANCE, HIDDEN_CHANGE, TERMINAL],
    },
    Row {
        module: "service",
        modules: Modules::These(&[
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
            // Needed to describe an invalid certificate or an invalid response header.
            "rustls::CertificateError",
            "hyper::Error",
            "rustls::Error",
            // Needed to verify a server's proof that it is the sandbox.
            "hmac",
            "sha2",
            // Needed to build the HTTP client on a different thread, so that the screen can be
            // drawn meanwhile.
            "tokio::sync::OnceCell",
            "tokio::task::spawn_blocking",
            // Needed to read the clocks again after the connection has been made.
            "tokio::task_local",
            "tower::BoxError",
            "tower::util::AndThenLayer",
            "tower::util::MapFutureLayer",
            // Needed to check the sandbox's proof on a new connection before any request is sent on
            // it.
            "hyper_util::rt::TokioIo",
            "tokio::io",
            "tokio::net::TcpStream",
            "tokio::time::timeout",
        ]),
        never: &[&["std::fs", "std::env", "std::process"], CHANCE, FLOATS],
    },
    Row {
        module: "har",
        modules: Modules::These(&[All("trade"), All("contract")]),
        crates: Crates::These(&["serde_json"]),
        never: &[WORLD, CLOCKS, CHANCE, HIDDEN_CHANGE, FLOATS],
    },
    Row {
        module: "journal",
        modules: Modules::These(&[All("trade")]),
        crates: Crates::These(&[
            "rusqlite",
            "sha2",
            "serde",
            "serde_json",
            "uuid",
            "jiff",
            // `tempfile` makes a copy of a truncated database, from which the data is read.
            // `rustix` checks that a path contains no symbolic links and has the right owner.
            "tempfile",
            "rustix::fs",
            "rustix::process::geteuid",
            // Needed for the `file:` URI with which SQLite opens a database as immutable.
            "url",
        ]),
        never: &[&["std::net", "std::env", "std::process"], CLOCKS, CHANCE, FLOATS],
    },
    Row {
        module: "worker",
        modules: Modules::These(&[]),
        crates: Crates::These(&["tokio::sync"]),
        never: &[&["std::fs", "std::net", "std::env", "std::process"], CLOCKS, CHANCE, FLOATS],
    },
    Row {
        module: "vault",
        modules: Modules::These(&[All("trade"), All("worker")]),
        crates: Crates::These(&[
            "keyring",
            "keyring_core",
            "linux_keyutils",
            // Needed to percent-encode a name in the URL that a vault helper receives.
            "url::form_urlencoded",
            "serde",
            "serde_json",
            "tokio::sync",
            "tokio::time::Instant",
            "tokio::time::sleep_until",
            "tokio::time::timeout",
            // Needed to run the seller's helper command, wait for it, and kill it with all of its
            // children.
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
        module: "cashier",
        modules: Modules::These(&[All("trade"), All("journal")]),
        crates: Crates::These(&[]),
        never: &[WORLD, CLOCKS, CHANCE, FLOATS],
    },
    Row {
        module: "config",
        modules: Modules::These(&[All("trade"), All("contract")]),
        // `tempfile` replaces a file atomically.
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
        module: "runtime",
        modules: Modules::These(&[
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
            All("har"),
        ]),
        crates: Crates::Every,
        never: NOTHING,
    },
    Row {
        module: "sandbox",
        // The sandbox shares no types with the client, because shared types would hide mistakes in
        // the client.
        modules: Modules::These(&[]),
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
            // Needed to prove to the client that this server is the sandbox.
            "hmac",
            "sha2",
            // Needed to open files without following symbolic links.
            "rustix::fs",
        ]),
        never: &[FLOATS],
    },
    Row {
        module: "replay",
        // The replay does not use the sandbox, which stays an independent witness.
        modules: Modules::These(&[All("trade"), All("contract")]),
        // `base64`, `sha2` and `uuid` create tokens, and `rust_decimal` compares amounts. `url`
        // parses queries and forms.
        crates: Crates::These(&[
            "tokio",
            "axum",
            "futures_util",
            "serde",
            "serde_json",
            "rust_decimal",
            "url",
            "base64",
            "sha2",
            "uuid",
            // Needed to prove to the client that this server is no live service.
            "hmac",
        ]),
        never: &[&["std::env", "std::process"]],
    },
    Row { module: "demo", modules: Modules::Every, crates: Crates::Every, never: NOTHING },
    Row { module: "cli", modules: Modules::Every, crates: Crates::Every, never: NOTHING },
    Row { module: "main", modules: Modules::Every, crates: Crates::Every, never: NOTHING },
    Row { module: "lib", modules: Modules::These(&[]), crates: Crates::These(&[]), never: NOTHING },
];

/// The layers inside the module `app`, from the lowest to the highest.
///
/// A part may use every part in lower layers, and the parts listed by name in its own layer. Parts
/// that match the same `*` may not use each other.
pub const LAYERS: &[&[&str]] = &[
    &["app::ui"],
    // These parts share a layer because messages contain types of the store, and the store returns
    // messages.
    &["app::cx", "app::message", "app::stamp", "app::store"],
    &["app::screen"],
    &["app::screens::*"],
    &["app::screens"],
    &["app::model"],
    &["app::router"],
    &["app::chrome"],
    &["app::update"],
];

/// The exceptions from the `never` lists: a file, a path that it may use, and the reason. An
/// exception that is no longer needed makes the check fail.
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

pub fn row(module: &str) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.module == module)
}

/// A method that reveals protected text, and the list of files that may call it.
pub struct Calls {
    /// The type to which the method belongs.
    pub of: &'static str,
    pub method: &'static str,
    /// Advice that the failure message gives about a call that is not listed.
    pub advice: &'static str,
    /// Each entry is a file, the number of calls in it outside of tests, and the reason why these
    /// calls are safe.
    pub sites: &'static [(&'static str, usize, &'static str)],
}

/// The calls that return untrusted text exactly as it was received, including control characters.
pub const RAW: Calls = Calls {
    of: "Untrusted",
    method: "raw",
    advice: "Show text from outside with `shown`, `shown_within` or `shown_lines`. Only a request, \
             a comparison or a parser needs it raw: then list the file in RAW with the reason.",
    sites: &[
        ("src/app/router/person.rs", 1, "a paste typed into the search, without its controls"),
        (
            "src/app/ui/form/edit.rs",
            2,
            "a paste typed into a field, without its controls; a parser",
        ),
        ("src/app/ui/consent_lines.rs", 2, "searched for letters that look like others"),
        ("src/runtime/doctor.rs", 1, "the path of a helper's command, shortened and then shown"),
        ("src/app/screens/make_live.rs", 1, "compared with the path that is typed"),
        ("src/trade/br_code.rs", 1, "a parser of Pix codes"),
        (
            "src/trade/message_template.rs",
            1,
            "the address or the code in a message to a buyer, byte for byte",
        ),
        ("src/journal/money/index.rs", 1, "the text in which a search looks"),
        ("src/journal/requests.rs", 1, "what is written down"),
        ("src/trade/exchange.rs", 3, "a parser of dates; the text that a search reads"),
        ("src/app/store/payable.rs", 1, "a copy, only of what is shown as it is"),
        ("src/trade/payment.rs", 2, "a parser of the host of a link"),
        ("src/journal/history/domains.rs", 2, "what is written down, and compared with it"),
        ("src/app/store/payable_warnings.rs", 3, "parsers of hosts"),
        ("src/app/store/share_hint.rs", 1, "a parser of hosts"),
        ("src/app/screens/links/new.rs", 1, "the value of a choice"),
        (
            "src/app/ui/picture.rs",
            1,
            "a QR code holds exactly the bytes; the text is shown beside it",
        ),
        ("src/words/personal.rs", 2, "the mask of text from outside; a parser of ids"),
        ("src/contract/body.rs", 1, "a request: the domain is sent as the service listed it"),
        ("src/contract/teaching.rs", 3, "a parser of the masked reply; the likeliest row"),
        ("src/contract/unread_values.rs", 3, "the likeliest row; the mask of a JWT"),
        ("src/service/operations.rs", 1, "a parser of the masked reply"),
        (
            "src/cli/json_line.rs",
            4,
            "JSON for scripts: json_line escapes what is not shown as it is",
        ),
        ("src/har/file.rs", 1, "what the strict mask reads"),
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

/// The calls that return untrusted text in full even while the screen masks personal data.
pub const IN_FULL: Calls = Calls {
    of: "Untrusted",
    method: "in_full",
    advice: "While others look, what is personal is masked. Only what is made to be handed on, or \
             is masked already, is shown in full: then list the file in IN_FULL with the reason.",
    sites: &[
        ("src/app/screens/buyer.rs", 1, "the address of a link"),
        ("src/app/screens/dialog.rs", 1, "the address of a link, or the code of a charge"),
        ("src/app/screens/exchanges/details.rs", 1, "a body, whose mask knows its members"),
        ("src/app/screens/exchanges/rows.rs", 2, "a body, whose mask knows its members"),
        ("src/app/screens/links.rs", 1, "the address of a link"),
        ("src/app/screens/teach/show.rs", 1, "a body, whose mask knows its members"),
        ("src/app/screens/qr.rs", 1, "an address or a code, beside its picture"),
        ("src/trade/payment.rs", 1, "a parser of moments"),
        ("src/app/store/exchanges.rs", 1, "a body, whose mask knows its members"),
        ("src/app/store/payable_warnings.rs", 2, "the address of a link, and the signs in it"),
        ("src/app/ui/form_page.rs", 1, "what is typed, masked letter by letter"),
        ("src/app/ui/list_pane.rs", 1, "an address or a code, below its details"),
        ("src/app/ui/parts.rs", 1, "what is searched for, with nothing personal in it"),
        ("src/cli/lists.rs", 1, "the address of a link"),
        ("src/words/personal.rs", 2, "what is typed, masked letter by letter; plain headers"),
    ],
};

/// The calls that return the content of a secret.
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
        (
            "src/runtime/world/credentials.rs",
            3,
            "whether a pasted JWT is one, whose, and until when",
        ),
        ("src/har/mask.rs", 2, "compares it with what is exported"),
        ("src/service/exchange.rs", 1, "the header that carries it"),
        ("src/service/finished.rs", 1, "compares it with the header that carries it"),
        ("src/service/sandbox_proof.rs", 1, "the key that a proof is looked at with"),
        ("src/service/mask.rs", 1, "masks it in the exchange"),
        ("src/vault.rs", 1, "stores it in the keyring"),
    ],
};
