//! The import table, which defines the modules and crates that each top-level module may use.
//!
//! [`TABLE`] contains the rules for top-level modules, and [`LAYERS`] the rules for layers inside
//! `app`. The lists at the end contain the allowed calls of methods that reveal protected text. If
//! a check rejects correct code, extend the table and give a reason.

/// A row of the import table: a top-level module, and the code that it may use.
pub struct Row {
    /// The name of the top-level module, or `lib` for the crate root.
    pub module: &'static str,
    /// The other top-level modules that this module may use.
    pub modules: Modules,
    /// The dependencies that this module may use: whole crates (`serde`) or parts of them
    /// (`tokio::sync`).
    pub crates: Crates,
    /// Paths that this module may not use outside of tests. This rule overrides `crates` and the
    /// standard library.
    pub forbidden: &'static [&'static [&'static str]],
}

/// The modules that a module may use. If only a part of a module is allowed, tests may still use
/// all of it.
pub enum Modules {
    Every,
    Listed(&'static [ModuleUse]),
}

/// A module that another module may use completely or in part.
pub enum ModuleUse {
    /// Everything in the module.
    All(&'static str),
    /// Only these items. They may be defined in any file of the module.
    Only(&'static str, &'static [&'static str]),
    /// Everything in the module except for these items.
    AllBut(&'static str, &'static [&'static str]),
}

/// The dependencies that a module may use outside of its tests.
pub enum Crates {
    Every,
    Listed(&'static [&'static str]),
}

use ModuleUse::{All, AllBut, Only};

/// Crates that every module may use, because they only generate code at compile time.
pub const COMMON_CRATES: &[&str] = &["thiserror", "strum"];

/// The parts of the standard library that reach outside the process: files, network, environment,
/// other processes, threads and standard streams.
const SYSTEM_ACCESS: &[&str] = &[
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

/// Functions and types that read the current time. Most modules may not use them. They receive the
/// time as an argument instead.
const CLOCKS: &[&str] = &[
    "std::time::SystemTime",
    "std::time::Instant",
    "std::time::UNIX_EPOCH",
    "jiff::Zoned::now",
    "jiff::Timestamp::now",
    "jiff::tz::TimeZone::system",
];

/// Functions and types that create random values. Most modules may not use them. They receive
/// random values as arguments instead.
const RANDOMNESS: &[&str] = &["uuid::Uuid::new_v4", "std::hash::RandomState"];

/// Types whose value can be changed through a shared reference (interior mutability).
const INTERIOR_MUTABILITY: &[&str] = &[
    "std::cell",
    "std::sync::Mutex",
    "std::sync::RwLock",
    "std::sync::OnceLock",
    "std::sync::atomic",
    "std::sync::mpsc",
];

/// Floating-point types, which must not be used for money.
const FLOATS: &[&str] = &["f32", "f64"];

/// The parts of ratatui that control the terminal. Only the runtime may use them.
const TERMINAL_CONTROL: &[&str] = &[
    "ratatui::crossterm",
    "ratatui::init",
    "ratatui::try_init",
    "ratatui::restore",
    "ratatui::run",
    "ratatui::Terminal",
    "ratatui::DefaultTerminal",
];

/// The functions that read environment variables. Modules use `config::environment` instead,
/// because that lets a kiosk read only two variables.
const ENVIRONMENT_READS: &[&str] = &[
    "std::env::var",
    "std::env::var_os",
    "std::env::vars",
    "std::env::vars_os",
];

/// The client of PostgreSQL. Only the module `team` may use it.
const DATABASE_CLIENT: &[&str] = &["tokio_postgres", "tokio_postgres_rustls"];

const NO_PATHS: &[&[&str]] = &[];

/// The import table: one row for each top-level module.
pub const TABLE: &[Row] = &[
    Row {
        module: "trade",
        modules: Modules::Listed(&[]),
        // `unicode-width` computes which columns a deceptive character covers.
        // `unicode-normalization` lets searches ignore accents. `jiff` converts timestamps to
        // dates.
        crates: Crates::Listed(&[
            "rust_decimal",
            "compact_str",
            "uuid",
            "serde",
            "unicode_width",
            "unicode_normalization",
            "jiff",
        ]),
        forbidden: &[
            SYSTEM_ACCESS,
            CLOCKS,
            RANDOMNESS,
            INTERIOR_MUTABILITY,
            FLOATS,
        ],
    },
    Row {
        module: "contract",
        modules: Modules::Listed(&[All("trade"), All("locked")]),
        // `jiff` parses dates in replies, and `rust_decimal` parses seconds. `sha2` computes the
        // checksum of the API contract. `url` encodes form bodies.
        crates: Crates::Listed(&[
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
        forbidden: &[SYSTEM_ACCESS, CLOCKS, RANDOMNESS, FLOATS],
    },
    Row {
        module: "words",
        modules: Modules::Listed(&[
            All("trade"),
            All("csv_files"),
            All("batch"),
            All("statement"),
        ]),
        crates: Crates::Listed(&["fluent_bundle", "unic_langid", "compact_str"]),
        forbidden: &[
            SYSTEM_ACCESS,
            CLOCKS,
            RANDOMNESS,
            INTERIOR_MUTABILITY,
            FLOATS,
        ],
    },
    Row {
        module: "app",
        // Only the types of the journal's records are allowed. Only the runtime and the cashier
        // read and write the journal.
        modules: Modules::Listed(&[
            All("trade"),
            All("contract"),
            All("words"),
            All("csv_files"),
            All("batch"),
            All("statement"),
            AllBut(
                "journal",
                &[
                    "MoneyJournal",
                    "Files",
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
        // codes. `unicode-width` computes the widths of texts. `strsim` suggests an action if a
        // name is mistyped. `compact_str` stores the hundreds of short strings in a frame.
        crates: Crates::Listed(&[
            "tui_input",
            "compact_str",
            "unicode_width",
            "url",
            "qrcode",
            "serde",
            "strsim",
        ]),
        forbidden: &[
            SYSTEM_ACCESS,
            CLOCKS,
            RANDOMNESS,
            INTERIOR_MUTABILITY,
            &["tui_input::backend"],
        ],
    },
    Row {
        module: "view",
        modules: Modules::Listed(&[All("app"), All("words")]),
        // `toml` and `serde` parse the theme files.
        crates: Crates::Listed(&["ratatui", "toml", "serde"]),
        forbidden: &[
            SYSTEM_ACCESS,
            CLOCKS,
            RANDOMNESS,
            INTERIOR_MUTABILITY,
            TERMINAL_CONTROL,
        ],
    },
    Row {
        module: "accessible",
        modules: Modules::Listed(&[All("app"), All("trade"), All("words")]),
        crates: Crates::Listed(&[]),
        forbidden: &[
            SYSTEM_ACCESS,
            CLOCKS,
            RANDOMNESS,
            INTERIOR_MUTABILITY,
            FLOATS,
        ],
    },
    Row {
        module: "service",
        modules: Modules::Listed(&[
            All("trade"),
            All("contract"),
            Only("journal", &["Permit", "SendLimit", "Spent"]),
            Only("cashier", &["Wire"]),
        ]),
        crates: Crates::Listed(&[
            "reqwest",
            "serde",
            "serde_json",
            "futures_util",
            "url",
            // Needed to describe what is wrong with a certificate or response header.
            "rustls::CertificateError",
            "hyper::Error",
            "rustls::Error",
            // Needed to skip certificates of the system that cannot be used.
            "rustls::RootCertStore",
            "rustls::pki_types",
            // Needed to check a server's proof that it is the sandbox.
            "hmac",
            "sha2",
            // Needed to create the HTTP client on another thread, because the first frame must not
            // wait for it.
            "tokio::sync::OnceCell",
            "tokio::task::spawn_blocking",
            // Needed to read the clocks again once the connection is established.
            "tokio::task_local",
            "tower::BoxError",
            "tower::util::AndThenLayer",
            "tower::util::MapFutureLayer",
            // Needed to check the sandbox's proof on a new connection, before any request is sent.
            "hyper_util::rt::TokioIo",
            "tokio::io",
            "tokio::net::TcpStream",
            "tokio::time::timeout",
        ]),
        forbidden: &[&["std::fs", "std::env", "std::process"], RANDOMNESS, FLOATS],
    },
    Row {
        module: "batch",
        modules: Modules::Listed(&[All("trade"), All("csv_files")]),
        crates: Crates::Listed(&[]),
        forbidden: &[
            SYSTEM_ACCESS,
            CLOCKS,
            RANDOMNESS,
            INTERIOR_MUTABILITY,
            FLOATS,
        ],
    },
    Row {
        module: "csv_files",
        modules: Modules::Listed(&[All("trade")]),
        crates: Crates::Listed(&["csv", "encoding_rs"]),
        forbidden: &[
            SYSTEM_ACCESS,
            CLOCKS,
            RANDOMNESS,
            INTERIOR_MUTABILITY,
            FLOATS,
        ],
    },
    Row {
        module: "statement",
        modules: Modules::Listed(&[All("trade"), All("csv_files")]),
        crates: Crates::Listed(&["csv", "jiff", "sha2"]),
        forbidden: &[
            SYSTEM_ACCESS,
            CLOCKS,
            RANDOMNESS,
            INTERIOR_MUTABILITY,
            FLOATS,
        ],
    },
    Row {
        module: "rows",
        modules: Modules::Listed(&[All("trade"), All("words"), All("csv_files")]),
        // `jiff` parses the times of the JSON.
        crates: Crates::Listed(&["serde", "serde_json", "jiff"]),
        forbidden: &[
            SYSTEM_ACCESS,
            CLOCKS,
            RANDOMNESS,
            INTERIOR_MUTABILITY,
            FLOATS,
        ],
    },
    Row {
        module: "har",
        modules: Modules::Listed(&[All("trade"), All("contract")]),
        // `StatusCode` names the status of a reply; `miniz_oxide` opens compressed parts of a file
        // that is searched.
        crates: Crates::Listed(&["serde_json", "hyper::StatusCode", "miniz_oxide"]),
        forbidden: &[
            SYSTEM_ACCESS,
            CLOCKS,
            RANDOMNESS,
            INTERIOR_MUTABILITY,
            FLOATS,
        ],
    },
    Row {
        module: "recording",
        modules: Modules::Listed(&[All("trade")]),
        // A row is read from a drawn buffer, and drawn into one. `unicode-width` computes the cells
        // of a character.
        crates: Crates::Listed(&[
            "ratatui",
            "serde",
            "serde_json",
            "miniz_oxide",
            "unicode_width",
        ]),
        forbidden: &[
            SYSTEM_ACCESS,
            CLOCKS,
            RANDOMNESS,
            INTERIOR_MUTABILITY,
            FLOATS,
            TERMINAL_CONTROL,
        ],
    },
    Row {
        module: "support",
        modules: Modules::Listed(&[All("trade")]),
        // `rawzip` reads and writes the container, and `miniz_oxide` compresses its members.
        crates: Crates::Listed(&["rawzip", "miniz_oxide", "serde", "serde_json"]),
        // A support file is only read. Nothing in it is written to the disk.
        forbidden: &[
            &[
                "std::fs::write",
                "std::fs::create_dir",
                "std::fs::create_dir_all",
                "std::fs::OpenOptions",
                "std::env",
                "std::net",
                "std::process",
                "std::thread",
            ],
            CLOCKS,
            RANDOMNESS,
            INTERIOR_MUTABILITY,
            FLOATS,
        ],
    },
    Row {
        module: "player",
        modules: Modules::Listed(&[
            All("trade"),
            All("words"),
            All("recording"),
            Only("app", &["Code", "Key", "Size", "wrap"]),
        ]),
        crates: Crates::Listed(&["ratatui"]),
        forbidden: &[
            SYSTEM_ACCESS,
            CLOCKS,
            RANDOMNESS,
            INTERIOR_MUTABILITY,
            FLOATS,
            TERMINAL_CONTROL,
        ],
    },
    Row {
        module: "journal",
        modules: Modules::Listed(&[All("trade")]),
        crates: Crates::Listed(&[
            "rusqlite",
            "sha2",
            "serde",
            "serde_json",
            "uuid",
            "jiff",
            // `tempfile` copies a truncated database, so that its data can be read. `rustix` checks
            // that a path has no symbolic links and belongs to the right user.
            "tempfile",
            "rustix::fs",
            "rustix::process::geteuid",
            // Needed for the `file:` URI with which SQLite opens a database as immutable.
            "url",
        ]),
        forbidden: &[
            &["std::net", "std::env", "std::process"],
            CLOCKS,
            RANDOMNESS,
            FLOATS,
        ],
    },
    Row {
        module: "locked",
        modules: Modules::Listed(&[]),
        crates: Crates::Listed(&[]),
        forbidden: &[SYSTEM_ACCESS, CLOCKS, RANDOMNESS, FLOATS],
    },
    Row {
        module: "worker",
        modules: Modules::Listed(&[All("locked")]),
        crates: Crates::Listed(&["tokio::sync"]),
        forbidden: &[
            &["std::fs", "std::net", "std::env", "std::process"],
            CLOCKS,
            RANDOMNESS,
            FLOATS,
        ],
    },
    Row {
        module: "team",
        modules: Modules::Listed(&[
            All("trade"),
            Only(
                "journal",
                &[
                    "Author",
                    "Checksum",
                    "EventRow",
                    "HistoryLog",
                    "LOG_FORMAT",
                    "Log",
                    "NotAppended",
                    "Record",
                ],
            ),
            All("locked"),
            All("worker"),
        ]),
        // `url` parses the address of the database.
        crates: Crates::Listed(&[
            "tokio_postgres",
            "tokio_postgres_rustls",
            "rustls",
            "rustls_platform_verifier",
            "url",
            "uuid",
            "tokio::io",
            "tokio::net::TcpStream",
            "tokio::runtime",
            "tokio::select",
            "tokio::sync",
            "tokio::task::JoinSet",
            "tokio::time",
        ]),
        forbidden: &[
            &["std::fs", "std::env", "std::process", "std::thread"],
            CLOCKS,
            FLOATS,
        ],
    },
    Row {
        module: "vault",
        modules: Modules::Listed(&[All("trade"), All("locked"), All("worker")]),
        crates: Crates::Listed(&[
            "keyring",
            "keyring_core",
            "linux_keyutils",
            // Needed to percent-encode a name in the URL that is passed to the seller's helper
            // command.
            "url::form_urlencoded",
            "serde",
            "serde_json",
            "tokio::sync",
            "tokio::time::Instant",
            "tokio::time::sleep_until",
            "tokio::time::timeout",
            // Needed to run the seller's helper command, to wait for it, and to kill it and its
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
        forbidden: &[&["std::net"], ENVIRONMENT_READS],
    },
    Row {
        module: "cashier",
        modules: Modules::Listed(&[All("trade"), All("journal")]),
        crates: Crates::Listed(&[]),
        forbidden: &[SYSTEM_ACCESS, CLOCKS, RANDOMNESS, FLOATS],
    },
    Row {
        module: "config",
        modules: Modules::Listed(&[All("trade"), All("contract")]),
        // `tempfile` replaces a file atomically.
        crates: Crates::Listed(&[
            "serde",
            "toml",
            "toml_edit",
            "tempfile",
            "etcetera",
            "url",
            "uuid",
            "rustix::fs",
        ]),
        forbidden: &[
            &["std::net", "std::process", "std::thread"],
            CLOCKS,
            RANDOMNESS,
            ENVIRONMENT_READS,
        ],
    },
    Row {
        module: "runtime",
        modules: Modules::Listed(&[
            All("trade"),
            All("contract"),
            All("app"),
            All("view"),
            All("accessible"),
            All("words"),
            All("service"),
            All("journal"),
            All("locked"),
            All("worker"),
            All("team"),
            All("vault"),
            All("cashier"),
            All("config"),
            All("har"),
            All("recording"),
            All("support"),
            All("csv_files"),
            All("rows"),
            All("batch"),
            All("statement"),
        ]),
        crates: Crates::Every,
        forbidden: &[ENVIRONMENT_READS, DATABASE_CLIENT],
    },
    Row {
        module: "local_server",
        modules: Modules::Listed(&[]),
        crates: Crates::Listed(&["axum", "hmac", "sha2"]),
        forbidden: &[
            &["std::fs", "std::env", "std::process"],
            CLOCKS,
            RANDOMNESS,
            FLOATS,
        ],
    },
    Row {
        module: "sandbox",
        // The sandbox shares no types with the client. A mistake in a shared type would stay
        // hidden, because both sides would make it. The client does not use `local_server`.
        modules: Modules::Listed(&[All("local_server")]),
        crates: Crates::Listed(&[
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
            // Needed to open files without following symbolic links.
            "rustix::fs",
        ]),
        forbidden: &[FLOATS],
    },
    Row {
        module: "replay",
        // The replay does not use the sandbox. Both are servers and share only `local_server`.
        modules: Modules::Listed(&[
            All("trade"),
            All("contract"),
            All("locked"),
            All("local_server"),
        ]),
        // `base64`, `sha2` and `uuid` create tokens, `rust_decimal` compares amounts, `url` parses
        // queries and forms, and `jiff` parses times.
        crates: Crates::Listed(&[
            "tokio",
            "axum",
            "futures_util",
            "serde",
            "serde_json",
            "jiff",
            "rust_decimal",
            "url",
            "base64",
            "sha2",
            "uuid",
        ]),
        forbidden: &[&["std::env", "std::process"]],
    },
    Row {
        module: "demo",
        modules: Modules::Every,
        crates: Crates::Every,
        forbidden: &[ENVIRONMENT_READS, DATABASE_CLIENT],
    },
    Row {
        module: "cli",
        modules: Modules::Every,
        crates: Crates::Every,
        forbidden: &[ENVIRONMENT_READS, DATABASE_CLIENT],
    },
    Row {
        module: "main",
        modules: Modules::Every,
        crates: Crates::Every,
        forbidden: NO_PATHS,
    },
    Row {
        module: "lib",
        modules: Modules::Listed(&[]),
        crates: Crates::Listed(&[]),
        forbidden: NO_PATHS,
    },
];

/// The layers inside `app`, in order from the lowest to the highest. Each layer is a list of
/// modules, which are called parts.
///
/// A part may use everything in lower layers. It may also use the parts of its own layer that are
/// listed by name. Parts that match the same `*` may not use each other.
pub const LAYERS: &[&[&str]] = &[
    &["app::ui"],
    // These parts share a layer, because messages contain types of the store, and the store returns
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

/// Exceptions from the `forbidden` lists: a file, a path that the file may use, and the reason. If
/// an exception is not needed any more, the check fails.
pub const EXCEPTIONS: &[(&str, &str, &str)] = &[
    (
        "src/config/environment.rs",
        "std::env::var_os",
        "the place where variables are read",
    ),
    (
        "src/trade/money.rs",
        "f64",
        "serde_json passes some numbers of a Value as floats, and few enough digits are exact",
    ),
    (
        "src/journal/money/event.rs",
        "uuid::Uuid",
        "a random salt for the checksum of data that can be purged",
    ),
    (
        "src/trade/untrusted.rs",
        "std::cell::Cell",
        "whether personal data is masked in this frame or command",
    ),
    (
        "src/words/catalogue.rs",
        "std::cell::RefCell",
        "a cache: a cached text equals the text made again",
    ),
    (
        "src/words/catalogue.rs",
        "std::sync::OnceLock",
        "each message file is parsed only once",
    ),
];

pub fn find_row(module: &str) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.module == module)
}

/// A method that reveals protected text, and the files that may call it.
pub struct GuardedMethod {
    /// The type that has the method.
    pub type_name: &'static str,
    pub method: &'static str,
    /// Advice for the developer. The failure message for a call that is not listed contains it.
    pub advice: &'static str,
    /// The allowed calls. Each entry is a file, the number of calls in it outside of tests, and the
    /// reason why they are safe.
    pub sites: &'static [(&'static str, usize, &'static str)],
}

/// Calls of a method that returns untrusted text exactly as it was received, including control
/// characters.
pub const RAW: GuardedMethod = GuardedMethod {
    type_name: "Untrusted",
    method: "raw",
    advice: "Show untrusted text with `shown`, `shown_within` or `shown_lines`. Only a request, a \
             comparison or a parser needs the raw text: then list the file in RAW with the reason.",
    sites: &[
        (
            "src/batch/check.rs",
            1,
            "a comparison of domains with those in a file",
        ),
        (
            "src/batch/result.rs",
            1,
            "the exact URL in the result file, if it is clean",
        ),
        (
            "src/journal/money/team.rs",
            1,
            "the role, as the database writes it",
        ),
        (
            "src/cli/import.rs",
            1,
            "JSON, in which control characters are escaped",
        ),
        (
            "src/statement/reconciliation.rs",
            1,
            "a comparison of ids with the texts of a statement",
        ),
        (
            "src/app/router/person.rs",
            1,
            "a paste into the search, without control characters",
        ),
        (
            "src/app/ui/form/edit.rs",
            2,
            "a paste into a field, without control characters; a parser",
        ),
        (
            "src/app/ui/setting_changes.rs",
            2,
            "a search for letters that look like other letters",
        ),
        (
            "src/runtime/world/imports.rs",
            1,
            "the exact URLs of a batch for the clipboard, if they are clean",
        ),
        (
            "src/runtime/world/statements.rs",
            1,
            "the path that the seller typed",
        ),
        (
            "src/runtime/doctor.rs",
            1,
            "a path is shortened before it is shown",
        ),
        (
            "src/app/screens/make_live.rs",
            1,
            "a comparison with the typed path",
        ),
        ("src/trade/br_code.rs", 3, "parses Pix codes"),
        (
            "src/trade/message_template.rs",
            1,
            "a message to a buyer contains the exact URL or Pix code",
        ),
        (
            "src/journal/money/index.rs",
            1,
            "builds the text for searches",
        ),
        ("src/journal/requests.rs", 1, "is written to the database"),
        (
            "src/journal/requests/query.rs",
            2,
            "builds the text for searches",
        ),
        (
            "src/journal/requests/record.rs",
            1,
            "marks the masks of an earlier version",
        ),
        ("src/trade/exchange.rs", 1, "parses dates"),
        (
            "src/app/store/links.rs",
            1,
            "a reminder to a buyer contains the exact URL",
        ),
        (
            "src/app/store/payable.rs",
            2,
            "encodes a message for a WhatsApp URL, and an address for the terminal's links",
        ),
        ("src/trade/payment.rs", 2, "parses the host of a link"),
        (
            "src/journal/history/domains.rs",
            2,
            "is written to the database and compared with it",
        ),
        ("src/app/store/payable_warnings.rs", 3, "parses hosts"),
        ("src/app/store/share_hint.rs", 1, "parses hosts"),
        (
            "src/app/store/teaching/suggestion.rs",
            1,
            "a comparison with the name of a field",
        ),
        (
            "src/app/screens/links/new.rs",
            1,
            "the value of a choice in the form",
        ),
        (
            "src/app/ui/picture.rs",
            1,
            "a QR code contains the exact bytes; the text is shown beside it",
        ),
        (
            "src/words/personal.rs",
            2,
            "masks untrusted text; parses ids",
        ),
        (
            "src/contract/body.rs",
            1,
            "a request: a domain is sent exactly as listed",
        ),
        (
            "src/contract/lesson.rs",
            4,
            "parses kept replies; compares ids; finds likely rows by name",
        ),
        (
            "src/contract/reply_setting.rs",
            1,
            "compares a value with a kind of value",
        ),
        (
            "src/contract/reply_tree.rs",
            2,
            "parses the masked reply; finds likely rows by name",
        ),
        (
            "src/contract/sent_values.rs",
            2,
            "finds likely figures by the names of their rows",
        ),
        (
            "src/contract/teaching.rs",
            2,
            "compares codes of withdrawals and names of settings",
        ),
        (
            "src/contract/unread_values.rs",
            4,
            "finds likely rows by name, and not by a value that was sent; recognizes a masked JWT",
        ),
        ("src/service/operations.rs", 1, "parses the masked reply"),
        (
            "src/rows/json_line.rs",
            8,
            "JSON for scripts: json_line escapes unsafe characters",
        ),
        (
            "src/cli/domains.rs",
            2,
            "JSON for scripts: json_line escapes unsafe characters",
        ),
        (
            "src/cli/requests/list.rs",
            2,
            "JSON for scripts: json_line escapes unsafe characters",
        ),
        (
            "src/cli/requests/selection.rs",
            3,
            "a comparison with the code on the command line",
        ),
        ("src/har/file.rs", 2, "the strict mask parses the text"),
        (
            "src/demo.rs",
            2,
            "a request: the demo's buyer opens this page of the sandbox",
        ),
        (
            "src/journal/history/tests/growth.rs",
            2,
            "a comparison with search results",
        ),
        (
            "src/journal/history/search_filter.rs",
            1,
            "a comparison with the domain of a link request",
        ),
        (
            "src/journal/history/table.rs",
            2,
            "the search index, which is never shown",
        ),
        (
            "src/runtime/world.rs",
            2,
            "the clipboard needs the exact text, which a terminal gets as Base64; the browser \
             opener checks it",
        ),
        (
            "src/service/classify.rs",
            3,
            "parses replies, and compares the echoed Pix key with the sent one",
        ),
        (
            "src/service/success.rs",
            1,
            "secrets in a word are masked before it is stored",
        ),
        (
            "src/service/withdrawal.rs",
            1,
            "secrets in a word are masked before it is stored",
        ),
    ],
};

/// Calls of a method that returns untrusted text in full, even while the screen masks personal
/// data.
pub const IN_FULL: GuardedMethod = GuardedMethod {
    type_name: "Untrusted",
    method: "without_masking",
    advice: "While masking is on, personal data is masked. Show text in full only if it is made \
             for others or is masked already: then list the file in IN_FULL with the reason.",
    sites: &[
        ("src/app/screens/buyer.rs", 1, "the URL of a link"),
        (
            "src/app/screens/dialog.rs",
            1,
            "the URL of a link, or the Pix code of a charge",
        ),
        (
            "src/app/screens/exchanges/details.rs",
            1,
            "a body, which has a mask of its own",
        ),
        (
            "src/app/screens/exchanges/rows.rs",
            2,
            "a body, which has a mask of its own",
        ),
        ("src/app/screens/links.rs", 1, "the URL of a link"),
        (
            "src/app/screens/teach/review.rs",
            1,
            "a body, which has a mask of its own",
        ),
        (
            "src/app/screens/qr.rs",
            1,
            "a URL or Pix code, beside its QR code",
        ),
        ("src/trade/payment.rs", 1, "parses times"),
        (
            "src/app/store/exchanges.rs",
            1,
            "a body, which has a mask of its own",
        ),
        (
            "src/app/store/story.rs",
            1,
            "a caption of the story, which its presenter wrote",
        ),
        (
            "src/app/store/payable_warnings.rs",
            2,
            "the URL of a link, and unusual characters in it",
        ),
        (
            "src/app/ui/form_page.rs",
            1,
            "typed text, masked letter by letter",
        ),
        (
            "src/app/ui/list_pane.rs",
            1,
            "a URL or Pix code, below its details",
        ),
        (
            "src/app/ui/parts.rs",
            1,
            "a search text without personal data",
        ),
        ("src/cli/lists.rs", 1, "the URL of a link"),
        (
            "src/words/personal.rs",
            2,
            "typed text, masked letter by letter; harmless headers",
        ),
    ],
};

/// Calls of a method that returns the content of a secret.
pub const EXPOSE: GuardedMethod = GuardedMethod {
    type_name: "Secret",
    method: "expose",
    advice: "Read a secret only where it is sent or stored. If this file does so, list it in \
             EXPOSE with the reason.",
    sites: &[
        (
            "src/contract/body.rs",
            2,
            "masks it in exchanges; builds the login's body",
        ),
        (
            "src/cli/sandbox.rs",
            1,
            "the sandbox's own secret, with which it proves its identity",
        ),
        (
            "src/cli/replay.rs",
            1,
            "the replay's own secret, with which it proves its identity",
        ),
        (
            "src/cli/profile.rs",
            1,
            "checks that the environment's JWT is a JWT",
        ),
        (
            "src/runtime/secret_fields.rs",
            2,
            "puts a copied text back into its field; fills in a field",
        ),
        (
            "src/runtime/world/credentials.rs",
            3,
            "checks a pasted JWT, and reads its user and its times",
        ),
        (
            "src/team/session.rs",
            1,
            "the client of the database proves that it knows it",
        ),
        ("src/har/mask.rs", 2, "searches exported text for it"),
        (
            "src/service/exchange.rs",
            1,
            "builds the header that contains it",
        ),
        (
            "src/service/request_check.rs",
            1,
            "compares it with the header that contains it",
        ),
        (
            "src/service/sandbox_proof.rs",
            1,
            "the key for verifying a proof",
        ),
        ("src/service/mask.rs", 1, "masks it in the exchange"),
        ("src/vault.rs", 2, "stores it in the keyring"),
    ],
};
