//! Tests of the message files. Both languages must have the same messages and placeholders, and
//! every message must be used.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use balcao::app::Pane;
use balcao::app::ui::action::Action;
use balcao::contract::reply_setting::ERROR_MESSAGE;
use balcao::contract::{Contract, PRESETS, ReplySetting};
use balcao::trade::checkup::{VaultSource, Verdict};
use balcao::trade::{Operation, VaultKind, VaultTrouble};
use balcao::view::Theme;
use balcao::words::{Catalogue, Lang};

/// Returns the placeholders of each message. The map's key is the message id (`message` or
/// `message.attribute`).
fn messages(lang: Lang) -> BTreeMap<String, BTreeSet<String>> {
    let mut messages: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (_, source) in lang.files() {
        let mut message_id = String::new();
        let mut current_id = String::new();
        for line in source.lines().filter(|line| !line.starts_with('#')) {
            if let Some((name, _)) = line.split_once(" =").filter(|_| !line.starts_with(' ')) {
                message_id = name.to_owned();
                current_id = message_id.clone();
                messages.entry(current_id.clone()).or_default();
            } else if let Some((name, _)) = line
                .trim_start()
                .strip_prefix('.')
                .and_then(|rest| rest.split_once(" ="))
            {
                current_id = format!("{message_id}.{name}");
                messages.entry(current_id.clone()).or_default();
            }
            for value in line.split('$').skip(1) {
                let end = value.find(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_'));
                let name = &value[..end.unwrap_or(value.len())];
                messages
                    .entry(current_id.clone())
                    .or_default()
                    .insert(name.to_owned());
            }
        }
    }
    messages
}

#[test]
fn languages_have_the_same_messages_and_values() {
    let pt = messages(Lang::Pt);
    let en = messages(Lang::En);
    let names = |messages: &BTreeMap<String, _>| messages.keys().cloned().collect::<BTreeSet<_>>();
    let unmatched: Vec<_> = names(&pt)
        .symmetric_difference(&names(&en))
        .cloned()
        .collect();
    assert!(unmatched.is_empty(), "in one language only: {unmatched:?}");
    for (name, values) in &pt {
        assert_eq!(values, &en[name], "values of `{name}`");
    }
}

/// No message may contain the name of an API contract setting. If a screen shows such a name, it
/// inserts the name as a value.
#[test]
fn no_message_contains_a_contract_setting_name() {
    let contract = Contract::built_in();
    let texts = Lang::ALL
        .into_iter()
        .flat_map(Lang::files)
        .map(|(_, source)| source);
    let is_text = |line: &&str| !line.starts_with('#');
    for line in texts.flat_map(str::lines).filter(is_text) {
        let words = line.split(|c: char| !(c.is_alphanumeric() || "._-".contains(c)));
        let mut words = words.map(|word| word.trim_matches('.'));
        let name = words.find(|word| contract.value(word).is_some());
        assert_eq!(name, None, "{line}");
    }
}

#[test]
fn no_message_is_missing_and_none_is_unused() {
    let known = messages(Lang::Pt);
    let built_ids = built_message_ids();
    let literals: BTreeSet<String> = MODULES_WITH_MESSAGES
        .into_iter()
        .flat_map(string_literals)
        .collect();
    // Collect the message ids from form labels, and from calls that look up messages.
    let looked_up_ids = ["app", "cli"].into_iter().flat_map(|module| {
        let calls = ["Label::Word(\"", ".text(\"", ".with(\"", ".count(\""];
        calls
            .into_iter()
            .flat_map(move |call| string_literals_after(module, call))
    });
    let looked_up_ids: BTreeSet<String> = looked_up_ids.collect();
    let missing: Vec<_> = literals
        .iter()
        .filter(|text| looks_like_message_id(text))
        .filter(|text| {
            !PALETTE_COMMANDS.contains(&text.as_str()) && !NOT_MESSAGE_IDS.contains(&text.as_str())
        })
        .filter(|text| {
            !Action::ALL
                .iter()
                .any(|action| action.name() == text.as_str())
        })
        .chain(&built_ids)
        .chain(&looked_up_ids)
        .filter(|id| !known.contains_key(*id))
        .collect();
    assert!(
        missing.is_empty(),
        "used, but not in the words: {missing:?}"
    );
    let is_used = |id: &str| {
        built_ids.contains(id)
            || literals.contains(id)
            || looked_up_ids.contains(id)
            // The id of a help message consists of the name of a subcommand or argument.
            || id.starts_with("help-")
            // The command `verify` builds the message id `verify-NAME` from the name of a
            // withdrawal state. The state also has a message `state-NAME`.
            || known.contains_key(&id.replace("verify-", "state-")) && id.starts_with("verify-")
            || id.split_once('.').is_some_and(|(message, attribute)| {
                literals.contains(message) && literals.contains(&format!("{{id}}.{attribute}"))
            })
    };
    let unused: Vec<_> = known.keys().filter(|id| !is_used(id)).collect();
    assert!(
        unused.is_empty(),
        "in the words, but never used: {unused:?}"
    );
}

/// Strings in the source that look like message ids, but are JSON values, API contract settings, or
/// names of files or terminals.
const NOT_MESSAGE_IDS: [&str; 24] = [
    "api-token",
    "link-header",
    "text-comma",
    "balcao-kiosk",
    "bring-back",
    "base-url",
    "built-in",
    "credential.api-token.headers",
    "definite-no",
    "first-run.toml",
    "found-sale",
    "key-reused",
    "needs-person",
    "no-answer",
    "no-entry",
    "not-sent",
    "profile.base-url",
    "profile.ca-file",
    "put-away",
    "resolved-not-paid",
    "resolved-paid",
    "says-failed",
    "xterm-ghostty",
    "xterm-kitty",
];

/// The palette commands that are neither actions nor faults of the demo. Each has a message, such
/// as `command-theme`.
const PALETTE_COMMANDS: [&str; 26] = [
    "statement",
    "theme",
    "language",
    "keep-look",
    "balance",
    "export",
    "no-colours",
    "where",
    "new-link",
    "new-withdrawal",
    "new-charge",
    "mask",
    "unmask",
    "record",
    "record-stop",
    "buyers-view",
    "story",
    "story-next",
    "story-stop",
    "captions-off",
    "captions-on",
    "no-faults",
    "domains-down",
    "domains-up",
    "forward",
    "start-over",
];

/// Phrases that no message may contain, some with the reason. The check ignores case, and also
/// finds a phrase inside a word.
const BANNED_PHRASES: [(Lang, &[&str]); 2] = [
    (
        Lang::Pt,
        &[
            "trocas",   // means returned goods
            "diário",   // means a diary
            "1º envio", // reads like a transfer of money
            "refaça",   // not used for a withdrawal
            "idempot",  // a term of the protocol; the name of the header comes from the contract
            "recebedor recebe",
            "agora é seguro",
            "reenvio seguro",
            "palavra do serviço",
            "não se lê",
            "pago, você",
            "requisiç",
            "roteiro",
            "até você sair do balcão",
            "jwt novo para os links",
            "não fica sabendo do pagamento",
            "dá para enviar por mais",
            "dá para reenviar em",
            "esta não pagou",
            "por pago",
            "por aqui não se vê",
            "na confirmação",
            "o dinheiro só sai quando",
            "o serviço só confere no uso",
            "descartar um saque preparado",
            "mude o valor;",
            "por marcar como pago",
            "assim desde",
            "onde os seus links",
            "aprendido e salvo",
            "membro",
            "procurado em",
            "sucesso que diz",
            ": digite o valor",
            "o serviço diz “",
            "recebeu por fora",
            "lido assim: 3600",
            "não provou",
            "não provada",
            "o relógio voltou",
            "vencer o", // means to defeat
            "sem lugar",
            "foi chamado", // was used for a browser
            "armada",
            "à espreita",
            "isso não dá",
            "isso só dá",
            "não é afetado",
            "não move",
            "não atendeu",
            "deixou passar",
            "segurou o",
            "a conta do serviço não fecha", // "conta" is read as an account, not a sum
            "o banco tem",                  // "banco" is read as a bank, not a database
            "sem guardar",
            "toca a história",
            "login vencido",
            "desiste:",
            "na sandbox", // the sandbox is masculine
        ],
    ),
    (
        Lang::En,
        &[
            "idempot",
            "exchange",
            "safe now",
            "do not repeat it",
            "do not insist",
            "could not be asked",
            "here are {",
            "contradicting",
            "not foreseen",
            "another content",
            "cannot be stated",
            "you state",
            "as you say",
            "after a question",
            "taken from your",
            "paid otherwise",
            "are those of the service",
            "all locked",
            "closes it as paid",
            "on · ",
            "you agreed to",
            "until you leave balcão",
            "select it with shift",
            "put off",
            "the counter closes",
            "nothing of that name",
            "for good",
            "does not do for",
            "makes no sense",
            "of before",
            "may stand",
            "nobody knows",
            "drop it",
            "steer",
            "record of withdrawals",
        ],
    ),
];

/// Brand names in lower case, each with the correct spelling.
const BRANDS: [(&str, &str); 2] = [("pix", "Pix"), ("qr code", "QR Code")];

#[test]
fn banned_words_are_absent_and_brands_spelled_right() {
    for (lang, phrases) in BANNED_PHRASES {
        let texts = lang
            .files()
            .into_iter()
            .flat_map(|(_, source)| message_texts(source));
        for text in texts {
            let lower_case = text.to_lowercase();
            for phrase in phrases {
                assert!(
                    !lower_case.contains(phrase),
                    "`{phrase}` in {}: {text}",
                    lang.tag()
                );
            }
            for (lower_case_name, name) in BRANDS {
                let occurrences = lower_case.matches(lower_case_name).count();
                assert_eq!(
                    text.matches(name).count(),
                    occurrences,
                    "{}: {text}",
                    lang.tag()
                );
            }
        }
    }
}

#[test]
fn banned_words_are_absent_from_the_story() {
    let story = include_str!("../../assets/demo.toml").to_lowercase();
    let captions: String = story
        .lines()
        .filter(|line| line.starts_with("caption"))
        .collect();
    // A name in braces is an action, whose key is shown.
    let texts = captions
        .split('{')
        .map(|part| part.split_once('}').map_or(part, |(_, text)| text));
    let story: String = texts.collect();
    for phrase in BANNED_PHRASES.into_iter().flat_map(|(_, phrases)| phrases) {
        assert!(!story.contains(phrase), "`{phrase}` in the story");
    }
}

/// Returns the lines of text in a message file, without comments and message ids.
fn message_texts(source: &str) -> Vec<String> {
    let name = |line: &str| {
        line.split_once(" = ")
            .map(|(name, _)| name.trim().to_owned())
    };
    let is_name = |name: &str| {
        name.chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
    };
    let text = |line: &str| match name(line).filter(|name| is_name(name)) {
        Some(_) => line
            .split_once(" = ")
            .map_or("", |(_, text)| text)
            .to_owned(),
        None => line.to_owned(),
    };
    // Skip lines without text that a user can see: comments, `also-` messages (search words), and
    // lines such as `key = { $n ->`.
    let has_text = |line: &&str| !line.starts_with('#') && !line.starts_with("also-");
    let lines = source
        .lines()
        .filter(has_text)
        .filter(|line| !line.ends_with("->"));
    lines.map(text).collect()
}

#[test]
fn message_text_is_read_without_names() {
    let source =
        "# diário\naction-qr = QR Code\n    .help = x\npix-a = { $n ->\n    [one] Pix\n}\n";
    assert_eq!(
        message_texts(source),
        ["QR Code", "x", "    [one] Pix", "}"]
    );
}

/// The modules and directories that contain code which looks up messages.
const MODULES_WITH_MESSAGES: [&str; 30] = [
    "accessible",
    "player",
    "app/screen/path_completion",
    "app/store/list_export",
    "rows/csv",
    "words",
    "app/chrome",
    "app/router",
    "app/screens",
    "app/store/charges",
    "app/store/consent",
    "app/store/credentials",
    "app/store/imports",
    "app/store/kiosk",
    "app/store/links",
    "app/store/notice",
    "app/store/payable",
    "app/store/payable_warnings",
    "app/store/recording",
    "app/store/requests",
    "app/store/sales",
    "app/store/setup",
    "app/store/share_hint",
    "app/store/session",
    "app/store/teaching",
    "app/ui",
    "app/update",
    "cli",
    "contract/consent",
    "contract/setting_kind",
];

fn looks_like_message_id(text: &str) -> bool {
    text.contains('-')
        && text.split('-').all(|part| {
            !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c == '.')
        })
}

/// Vault problems for which there is specific advice (`vault-NAME.next`). For all other problems,
/// the advice is about the keyring.
const TROUBLES_WITH_ADVICE: [&str; 6] = [
    "denied",
    "no-helper",
    "helper-hangs",
    "helper-failed",
    "read-only",
    "several",
];

/// The groups of settings in which the checkup screen can report a fault. There is a message for
/// each group, such as `doctor-configuration-settings.files`.
pub const SETTING_GROUPS: [&str; 10] = [
    "directories",
    "files",
    "keys",
    "appearance",
    "profile",
    "address",
    "contract",
    "network",
    "vault",
    "log",
];

const JOURNAL_TROUBLES: [&str; 19] = [
    "damaged",
    "missing",
    "maybe-missing",
    "elsewhere",
    "unmarked",
    "other-machine",
    "older",
    "other-version",
    "read-only",
    "full",
    "not-private",
    "network",
    "busy",
    "offline",
    "doubt",
    "refused",
    "lost-approval",
    "forked",
    "io",
];

const WITHDRAWAL_STATES: [&str; 10] = [
    "prepared",
    "sending",
    "unknown",
    "accepted",
    "rejected",
    "needs-person",
    "mismatch",
    "discarded",
    "resolved-paid",
    "resolved-not-paid",
];

/// The reasons why the app uses a vault, such as a command-line flag. The checkup screen shows the
/// reason.
const VAULT_SOURCES: [VaultSource; 5] = [
    VaultSource::Flag,
    VaultSource::Profile,
    VaultSource::LastLogin,
    VaultSource::Default,
    VaultSource::Demo,
];

/// The keys for comparing HTTP requests. There is a message for each key, such as
/// `action-compare.mark`.
const COMPARE_ACTIONS: [&str; 5] = [
    "compare.mark",
    "compare.unmark",
    "compare.with",
    "next-pane.difference",
    "prev-pane.difference",
];

/// The actions that have another word on some screens, and the name of each word.
const WORDS_OF_ACTIONS: [(&str, &str); 67] = [
    ("open", "pick"),
    ("open", "fold"),
    ("open", "unfold"),
    ("next-pane", "unfold"),
    ("prev-pane", "fold"),
    ("next-field", "hit"),
    ("new", "domain"),
    ("open", "pay"),
    ("open", "attempts"),
    ("open", "this"),
    ("open", "change"),
    ("open", "write"),
    ("submit", "line"),
    ("submit", "arrived"),
    ("submit", "answer"),
    ("submit", "review"),
    ("submit", "login"),
    ("submit", "keep"),
    ("submit", "link"),
    ("submit", "charge"),
    ("submit", "continue"),
    ("enter", "search"),
    ("enter", "pick"),
    ("new", "charge"),
    ("send", "again"),
    ("approve", "back"),
    ("send", "links"),
    ("send", "pause"),
    ("send", "continue"),
    ("repeat", "existing"),
    ("repeat", "without"),
    ("repeat", "line"),
    ("copy-message", "addresses"),
    ("discard", "batch"),
    ("new", "file"),
    ("submit", "check"),
    ("next-field", "complete"),
    ("show-other", "batch"),
    ("page-down", "read"),
    ("refresh", "keyring"),
    ("next-choice", "both"),
    ("copy", "key"),
    ("next-pane", "period"),
    ("prev-pane", "period"),
    ("filter-day", "length"),
    ("search", "period"),
    ("submit", "period"),
    ("mark-paid", "undo"),
    ("mark-paid", "matched"),
    ("submit", "compare"),
    ("submit", "export"),
    ("discard", "put-away"),
    ("discard", "bring-back"),
    ("discard", "remove"),
    ("next-known", "buyers"),
    ("next-known", "links"),
    ("copy", "code"),
    ("copy", "text"),
    ("copy-message", "curl"),
    ("save", "har"),
    ("save", "svg"),
    ("save", "copy"),
    ("save", "list"),
    ("reveal", "back"),
    ("back", "clear"),
    ("back", "leave"),
    ("back", "cancel"),
];

/// Returns the message ids that the program builds while it runs, for example from the name of an
/// action.
fn built_message_ids() -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    for action in Action::ALL {
        ids.insert(format!("action-{}", action.name()));
        let help = format!("action-{}.help", action.name());
        ids.extend(Catalogue::of(Lang::Pt).has_message(&help).then_some(help));
    }
    for (action, variant) in WORDS_OF_ACTIONS {
        ids.insert(format!("action-{action}.{variant}"));
    }
    ids.extend(COMPARE_ACTIONS.map(|name| format!("action-{name}")));
    ids.extend(["link", "charge", "withdrawal"].map(|it| format!("action-related.{it}")));
    // Include the messages about the curl command, because the runtime looks them up.
    // The runtime also looks up the reason of a line that was not sent.
    ids.insert("batch-ended".to_owned());
    ids.extend(["curl-warning", "curl-key", "curl-destination"].map(str::to_owned));
    for (name, _) in balcao::demo::FAULTS {
        ids.extend([format!("fault-{name}"), format!("fault-{name}.armed")]);
    }
    ids.extend(balcao::app::store::commands::alias_messages());
    ids.extend(PALETTE_COMMANDS.map(|name| format!("command-{name}")));
    ids.extend(Theme::NAMES.map(|name| format!("command-theme.{name}")));
    ids.insert("command-theme.auto".to_owned());
    let commands_with_help = [
        "keep-look",
        "balance",
        "export",
        "no-colours",
        "record",
        "statement",
    ];
    ids.extend(commands_with_help.map(|name| format!("command-{name}.help")));
    for kind in VaultKind::ALL {
        ids.insert(format!("keeper-{}", kind.name()));
    }
    for trouble in VaultTrouble::NAMES {
        ids.extend([format!("keeper-{trouble}"), format!("vault-{trouble}")]);
    }
    ids.extend(TROUBLES_WITH_ADVICE.map(|trouble| format!("vault-{trouble}.next")));
    ids.extend(Verdict::ALL.map(|verdict| format!("doctor-verdict-{}", verdict.name())));
    ids.extend(SETTING_GROUPS.map(|part| format!("doctor-configuration-settings.{part}")));
    ids.extend(VAULT_SOURCES.map(|source| format!("doctor-vault-kind.{}", source.name())));
    let settings = Operation::ALL.into_iter().flat_map(ReplySetting::of);
    for line in settings.chain([ERROR_MESSAGE]) {
        let key = line.name.rsplit('.').next().unwrap_or_default();
        ids.insert(format!("teach-sought-{}", key.replace('_', "-")));
    }
    ids.extend(crate::checkup::message_ids());
    ids.extend(JOURNAL_TROUBLES.map(|trouble| format!("said-history.{trouble}")));
    // Include the messages about journal problems and withdrawal states, with all of their
    // attributes, for example a short form.
    let has_name = |id: &&String, prefix: &str, names: &[&str]| {
        let rest = id
            .strip_prefix(prefix)
            .and_then(|rest| rest.split('.').next());
        rest.is_some_and(|name| names.contains(&name))
    };
    ids.extend(messages(Lang::Pt).into_keys().filter(|id| {
        has_name(&id, "journal-", &JOURNAL_TROUBLES) || has_name(&id, "state-", &WITHDRAWAL_STATES)
    }));
    // The rows and columns of a report and of an exported list, by what they contain.
    let report = [
        "rows-csv",
        "report-by",
        "report-column",
        "report-line",
        "report-state",
        "report-csv",
    ];
    ids.extend(
        messages(Lang::Pt)
            .into_keys()
            .filter(|id| report.iter().any(|prefix| id.starts_with(prefix))),
    );
    for vault in ["keyring", "keyutils", "memory"] {
        ids.insert(format!("first-vault-{vault}.means"));
    }
    let presets = PRESETS
        .iter()
        .map(|preset| preset.name)
        .chain(["documented"]);
    ids.extend(presets.map(|name| format!("first-preset-{name}")));
    ids.extend(Pane::ALL.map(|pane| format!("pane-{}", pane.action().name())));
    ids.extend(Pane::ALL.map(|pane| format!("pane-{}.short", pane.action().name())));
    ids
}

/// Returns all string literals in the source of a module, except for those in its unit tests.
fn string_literals(module: &str) -> BTreeSet<String> {
    // Remove the character literal '"', because no string begins there.
    let sources: Vec<_> = read_sources(module)
        .into_iter()
        .map(|source| source.replace("'\"'", ""))
        .collect();
    let strings = sources
        .iter()
        .flat_map(|source| source.split('"').skip(1).step_by(2));
    strings.map(str::to_owned).collect()
}

/// Returns the string literals that follow `text` in the source of a module.
fn string_literals_after(module: &str, text: &str) -> BTreeSet<String> {
    let sources = read_sources(module);
    let strings = sources.iter().flat_map(|source| source.split(text).skip(1));
    strings
        .filter_map(|rest| rest.split('"').next())
        .map(str::to_owned)
        .collect()
}

fn read_sources(module: &str) -> Vec<String> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut sources = Vec::new();
    let mut paths = vec![src.join(module), src.join(format!("{module}.rs"))];
    paths.retain(|path| path.exists());
    while let Some(path) = paths.pop() {
        if path.is_dir() {
            paths.extend(
                std::fs::read_dir(path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
        } else if !path.ends_with("tests.rs") {
            let source = std::fs::read_to_string(path).unwrap();
            let tests = source
                .find("#[cfg(test)]\nmod tests {")
                .unwrap_or(source.len());
            // Skip Rust attributes, because users never see the strings in these.
            let lines = source[..tests].lines();
            let lines = lines.filter(|line| !line.trim_start().starts_with("#["));
            sources.push(lines.map(|line| format!("{line}\n")).collect());
        }
    }
    sources
}
