//! Tests of the display: the first screen, non-ASCII letters, terminal sizes, colours and
//! languages.

use balcao::trade::personal::masked_typing;

use super::seller::{SUBMIT, create_link, launch_with_bank, start_demo, type_login};
use super::support::bank::Bank;
use super::support::place::TestHome;
use super::support::pty::{Launch, Tui};

#[test]
fn the_demo_opens_on_a_login_that_is_filled_in() {
    let home = TestHome::new();
    let mut tui = Launch::new(&home).args(&["demo"]).start();
    tui.wait_for("[ Entrar ]");
    for text in [
        "balcão",
        "SANDBOX",
        "○ sem login",
        "http://127.0.0.1:",
        "•••",
        "memória",
    ] {
        tui.wait_for(text);
    }
    tui.press("\r");
    tui.wait_for("● sessão ativa");
    tui.wait_for(" links");
    tui.wait_for("SANDBOX");
}

#[test]
fn typed_text_survives_resizing_and_makes_a_link() {
    let home = TestHome::new();
    let mut tui = start_demo(&home);
    tui.press("n");
    tui.wait_for("Novo link de pagamento");
    tui.type_text("1.234,56");
    tui.wait_for("R$ 1.234,56");
    tui.type_text("\tPão de açúcar – 2 ×");
    tui.wait_for("Pão de açúcar – 2 ×");
    assert!(
        tui.cursor().is_some(),
        "a text field shows where the next letter goes"
    );
    for (columns, rows) in [(120, 40), (60, 18), (80, 24)] {
        tui.resize(columns, rows);
        tui.wait_for("Pão de açúcar");
        tui.wait_for("R$ 1.234,56");
    }
    tui.resize(59, 18);
    tui.wait_for("60x18");
    tui.wait_for("59x18");
    tui.resize(60, 17);
    tui.wait_for("60x17");
    for (columns, rows) in [(1, 1), (300, 90), (80, 24)] {
        tui.resize(columns, rows);
    }
    tui.wait_for("Pão de açúcar – 2 ×");
    tui.press(SUBMIT);
    tui.wait_for("/checkout/link-");
    tui.wait_for("Pão de açúcar – 2 ×");
    tui.wait_for("http://loja-da-ana.localhost:");
}

#[test]
fn missing_keyring_is_shown_before_password_entry() {
    let home = TestHome::new();
    let bank = Bank::open();
    let tui = Launch::new(&home)
        .args(&["--base-url", &bank.url()])
        .start();
    tui.wait_for("este computador não tem chaveiro");
    tui.wait_for("Senha");
}

#[test]
fn terminal_of_unknown_size_is_drawn() {
    let home = TestHome::new();
    let mut tui = Launch::new(&home)
        .args(&["demo"])
        .reported_size(0, 0)
        .start();
    tui.wait_for("[ Entrar ]");
    tui.resize(59, 18);
    tui.wait_for("59x18");
    let launch = Launch::new(&home).args(&["demo"]).reported_size(80, 0);
    let tui = launch.env("LINES", "17").start();
    tui.wait_for("80x17");
}

#[test]
fn a_flag_and_the_locale_choose_the_language() {
    let home = TestHome::new();
    let tui = Launch::new(&home).args(&["--lang", "en", "demo"]).start();
    tui.wait_for("[ Log in ]");
    tui.wait_for("logged out");
    let tui = Launch::new(&home)
        .args(&["demo"])
        .env("LANG", "en_GB.UTF-8")
        .start();
    tui.wait_for("[ Log in ]");
    let tui = Launch::new(&home).args(&["demo"]).env("LANG", "C").start();
    tui.wait_for("[ Entrar ]");
    let tui = Launch::new(&home)
        .args(&["demo"])
        .env("LANG", "de_DE.UTF-8")
        .start();
    tui.wait_for("[ Log in ]");
}

#[test]
fn limited_terminal_uses_ascii_instead_of_lines() {
    let home = TestHome::new();
    for (name, value, expects_ascii) in [
        ("LANG", "pt_BR.UTF-8", false),
        ("LANG", "C", true),
        ("TERM", "linux", true),
    ] {
        let tui = Launch::new(&home).args(&["demo"]).env(name, value).start();
        tui.wait_for("[ Entrar ]");
        let is_ascii = !tui.text().contains('─') && tui.text().contains("-----");
        assert_eq!(is_ascii, expects_ascii, "{name}={value}: {}", tui.text());
    }
    // With `ascii = false`, lines are drawn with Unicode characters, even if the terminal's locale
    // is `C`.
    home.write_config("config.toml", "ascii = false\n");
    let tui = Launch::new(&home).args(&["demo"]).env("LANG", "C").start();
    tui.wait_for("[ Entrar ]");
    assert!(tui.text().contains('─'), "{}", tui.text());
}

#[test]
fn no_color_variable_disables_colours() {
    let colours_of_run = |tui: Launch| {
        let mut tui = super::seller::log_in_to_demo(tui.start());
        create_link(&mut tui, "Bolo");
        tui.press("5");
        tui.wait_for("Criar link");
        tui.quit();
        colour_sequences(&tui)
    };
    let home = TestHome::new();
    // Check first that there are colours without `NO_COLOR`. Otherwise, this test would prove
    // nothing.
    assert_ne!(
        colours_of_run(Launch::new(&home).args(&["demo"])),
        Vec::<String>::new()
    );
    let without_colours = colours_of_run(Launch::new(&home).args(&["demo"]).env("NO_COLOR", "1"));
    assert_eq!(without_colours, Vec::<String>::new());
    // An empty variable counts as not set, according to the convention for `NO_COLOR`.
    let with_empty_variable =
        colours_of_run(Launch::new(&home).args(&["demo"]).env("NO_COLOR", ""));
    assert_ne!(with_empty_variable, Vec::<String>::new());
    // A theme on the command line overrides the variable `NO_COLOR`.
    let with_theme = Launch::new(&home)
        .args(&["--theme", "dark", "demo"])
        .env("NO_COLOR", "1");
    assert_ne!(colours_of_run(with_theme), Vec::<String>::new());
}

/// Returns all escape sequences that set a colour, except those for the default colour.
fn colour_sequences(tui: &Tui) -> Vec<String> {
    let written = String::from_utf8_lossy(&tui.output_bytes()).into_owned();
    let sequences = written.split("\x1b[").skip(1);
    let styles = sequences.filter_map(|rest| {
        let end = rest.find(|c: char| !matches!(c, '0'..='9' | ';' | ':'))?;
        rest[end..].starts_with('m').then(|| rest[..end].to_owned())
    });
    let sets_colour = |style: &String| {
        let codes = style
            .split([';', ':'])
            .filter_map(|code| code.parse::<u16>().ok());
        codes
            .into_iter()
            .any(|code| matches!(code, 30..=38 | 40..=48 | 90..=107))
    };
    styles.filter(sets_colour).collect()
}

#[test]
fn redraw_key_repaints_the_whole_screen() {
    let home = TestHome::new();
    let mut tui = start_demo(&home);
    tui.wait_for("Doces para festa");
    let before = tui.output_bytes().len();
    tui.press("\x0c");
    tui.wait_for_output("the whole screen", |written| {
        String::from_utf8_lossy(&written[before..]).contains("Doces para festa")
    });
    let has_cursor_query = String::from_utf8_lossy(&tui.output_bytes()).contains("\x1b[6n");
    assert!(
        !has_cursor_query,
        "the terminal is not asked where its cursor is: nobody hears the answer"
    );
}

#[test]
fn read_only_mode_is_shown_and_opens_no_form() {
    let home = TestHome::new();
    let bank = Bank::open();
    let mut tui = launch_with_bank(&home, &bank)
        .args(&["--read-only"])
        .start();
    type_login(&mut tui, &bank);
    tui.wait_for("SÓ LEITURA");
    tui.press("3");
    tui.wait_for("Nenhum saque por aqui ainda");
    tui.press("n");
    tui.wait_for("abra sem --read-only");
    assert!(!tui.text().contains("Novo saque"), "{}", tui.text());
    tui.quit();
}

#[test]
fn login_is_masked_until_shown_by_the_palette() {
    let home = TestHome::new();
    let bank = Bank::open();
    let (email, password) = bank.credentials();
    let mut tui = launch_with_bank(&home, &bank).args(&["--redact"]).start();
    tui.wait_for("MASCARADO");
    tui.wait_for("E-mail");
    tui.type_text(&email);
    tui.wait_for(&masked_typing(&email));
    tui.type_text("\t");
    tui.type_text(&password);
    tui.wait_for(&"•".repeat(password.chars().count()));
    tui.press(SUBMIT);
    tui.wait_for("Você entrou na conta.");
    tui.press("6");
    tui.wait_for("Token da API");
    assert!(!tui.text().contains(&email), "{}", tui.text());
    tui.press(":");
    tui.type_text("mostrar os dados");
    tui.wait_for("Mostrar os dados pessoais na tela");
    tui.press("\r");
    tui.wait_for(&email);
    tui.quit();
}

#[test]
fn flag_emoji_leaves_no_trace_on_later_screens() {
    let home = TestHome::new();
    let mut tui = start_demo(&home);
    create_link(&mut tui, "Camisa 🇧🇷 Brasil");
    tui.wait_for("Camisa 🇧🇷 Brasil");
    tui.press("3");
    tui.wait_for("6 saques");
    let is_on_screen = |character: &str| tui.text().contains(character);
    assert!(
        !is_on_screen("🇧") && !is_on_screen("🇷") && !is_on_screen("Brasil"),
        "{}",
        tui.text()
    );
    tui.press("1");
    tui.wait_for("Camisa 🇧🇷 Brasil");
}

#[test]
fn title_and_links_need_a_terminal_that_takes_them() {
    let home = TestHome::new();
    for (args, name, value, expected) in [
        (&["demo"][..], "LANG", "pt_BR.UTF-8", true),
        (&["--redact", "demo"], "LANG", "pt_BR.UTF-8", false),
        (&["demo"], "TERM", "linux", false),
        (&["demo"], "STY", "4711.pts-0", false),
    ] {
        let launch = Launch::new(&home).args(args).env(name, value);
        let mut tui = launch.start();
        tui.wait_for("[ Entrar ]");
        tui.press("\r");
        tui.wait_for("sessão ativa");
        create_link(&mut tui, "Bolo");
        tui.wait_for("/checkout/link-");
        tui.press("q");
        tui.wait_for("Bolo");
        tui.press("\x03");
        tui.wait_exit();
        let written = String::from_utf8_lossy(&tui.output_bytes()).into_owned();
        let [save, restore] = ["\x1b[22;0t", "\x1b[23;0t"].map(|it| written.matches(it).count());
        let titles: Vec<&str> = written
            .split("\x1b]2;")
            .skip(1)
            .filter_map(|rest| rest.split('\x1b').next())
            .collect();
        // The title is set once, so no amount and no name gets into it later.
        let expected_titles = if expected {
            vec!["loja da ana - demo"]
        } else {
            vec![]
        };
        assert_eq!(titles, expected_titles, "{args:?} {name}={value}");
        assert_eq!(
            [save, restore],
            [titles.len(); 2],
            "{args:?} {name}={value}"
        );
        let has_link = written.contains("\x1b]8;id=b;http://loja-da-ana.localhost:");
        assert_eq!(has_link, expected, "{args:?} {name}={value}");
        let begun = written.matches("\x1b]8;id=b;").count();
        assert_eq!(
            written.matches("\x1b]8;;\x1b\\").count(),
            begun,
            "each link ends"
        );
    }
}
