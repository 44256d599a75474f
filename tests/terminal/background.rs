//! Tests that the theme follows the terminal's background colour, until the user chooses a theme.

use super::helper_vault::Helper;
use super::support::place::TestHome;
use super::support::pty::{Launch, Tui};

const COLOUR_QUERY: &[u8] = b"\x1b]11;?\x1b\\";

/// The background colour of the SANDBOX badge in the default, dark and light themes.
const DEFAULT: vt100::Color = vt100::Color::Idx(3);
const DARK: vt100::Color = vt100::Color::Idx(222);
const LIGHT: vt100::Color = vt100::Color::Idx(221);

/// Returns the background colour of the SANDBOX badge on this screen.
fn badge(screen: &vt100::Screen) -> Option<vt100::Color> {
    let text = screen.contents();
    let line = text.lines().next()?;
    let column = line[..line.find("SANDBOX")?].chars().count();
    Some(screen.cell(0, u16::try_from(column).ok()?)?.bgcolor())
}

#[track_caller]
fn wait_badge(tui: &Tui, colour: vt100::Color) {
    tui.wait_until(&format!("{colour:?}"), |screen| {
        badge(screen) == Some(colour)
    });
}

fn query_count(tui: &Tui) -> usize {
    tui.output_bytes()
        .windows(COLOUR_QUERY.len())
        .filter(|bytes| *bytes == COLOUR_QUERY)
        .count()
}

/// Starts the demo, and waits until it has queried the terminal's background colour.
fn start_demo_until_query(home: &TestHome) -> Tui {
    let tui = Launch::new(home).args(&["demo"]).start();
    tui.wait_for_output("the question", |written| {
        written
            .windows(COLOUR_QUERY.len())
            .any(|bytes| bytes == COLOUR_QUERY)
    });
    let written = String::from_utf8_lossy(&tui.output_bytes()).into_owned();
    let before = written.split("\x1b]11;?").next().unwrap_or_default();
    assert!(
        before.contains("SANDBOX"),
        "the first frame does not wait: {written:?}"
    );
    wait_badge(&tui, DEFAULT);
    tui
}

#[test]
fn theme_follows_background_and_keys_are_kept() {
    let white = "\x1b]11;rgb:ffff/ffff/ffff\x1b\\";
    let black = "\x1b]11;rgb:1d1d/1f1f/2121\x07";
    for (first, colour, second) in [(white, LIGHT, black), (black, DARK, white)] {
        let home = TestHome::new();
        let mut tui = start_demo_until_query(&home);
        tui.wait_for("[ Entrar ]");
        tui.type_text(&format!("{first}\r"));
        wait_badge(&tui, colour);
        tui.wait_for("● sessão ativa");
        // Only the terminal's first reply counts. This later reply must not change the theme.
        tui.type_text(&format!("{second}2"));
        tui.wait_for("loja-da-ana.localhost");
        wait_badge(&tui, colour);
        assert_eq!(query_count(&tui), 1);
        tui.quit();
    }
}

#[test]
fn invalid_reply_is_ignored_and_late_reply_applies() {
    let home = TestHome::new();
    let mut tui = start_demo_until_query(&home);
    tui.wait_for("[ Entrar ]");
    for garbage in [
        "\x1b]11;?\x1b\\",
        "\x1b]11;rgb:zzzz/ffff/ffff\x1b\\",
        "\x1b]11;rgb:ffff/ffff\x07",
        "\x1b]11;rgb:ffff/ffff/ffff/ffff/\x07",
        "\x1b]10;rgb:ffff/ffff/ffff\x07",
        "\x1b]11;rgb:ffff/\x1b[2Jqqq;\x1b\\",
        "\x1bP11;rgb:ffff/ffff/ffff\x1b\\",
    ] {
        tui.type_text(&garbage.replace("qqq", ""));
    }
    tui.type_text(&format!("\x1b]11;rgb:{}\x07", "f".repeat(5_000)));
    tui.press("\r");
    tui.wait_for("● sessão ativa");
    tui.press("2");
    tui.wait_for("loja-da-ana.localhost");
    wait_badge(&tui, DEFAULT);
    tui.type_text("\x1b]11;rgb:00/00/00\x07");
    wait_badge(&tui, DARK);
    // The user can choose a fixed theme, and then the automatic theme again.
    tui.press("\x0b");
    for (theme, colour) in [("claro", LIGHT), ("automático", DARK)] {
        tui.type_text(&format!("tema {theme}\r"));
        wait_badge(&tui, colour);
    }
    tui.press("\x1b");
    tui.wait_until_gone("O que dá para fazer agora");
    tui.quit();
}

#[test]
fn named_theme_is_kept_and_16_colours_skip_the_query() {
    let configured = TestHome::new();
    configured.write_config("config.toml", "theme = \"default\"\n");
    let home = TestHome::new();
    let demo = || Launch::new(&home).args(&["demo"]);
    for (launch, queries) in [
        (Launch::new(&configured).args(&["demo"]), 1),
        (demo().args(&["--theme", "default"]), 1),
        // The reply shows which parts of a QR code are white.
        (demo().env("NO_COLOR", "1"), 1),
        (demo().env("NO_COLOR", "1").env("TERM", "xterm"), 0),
        (demo().env("TERM", "xterm"), 0),
    ] {
        let mut tui = launch.start();
        tui.wait_for("[ Entrar ]");
        let default_colour = tui.screen(badge);
        // The user chose the theme, or the app has not queried the colour. So this reply must not
        // change the theme.
        tui.type_text("\x1b]11;rgb:ffff/ffff/ffff\x07\r");
        tui.wait_for("● sessão ativa");
        assert_eq!(tui.screen(badge), default_colour);
        assert_eq!(query_count(&tui), queries);
        tui.quit();
    }
}

/// Returns the text colours on this screen, except for spaces.
fn text_colours(screen: &vt100::Screen) -> Vec<vt100::Color> {
    let (rows, columns) = screen.size();
    let columns = columns.get();
    let places = (0..rows.get()).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let cells = places.filter_map(|(row, column)| screen.cell(row, column));
    let mut colours: Vec<_> = cells
        .filter(|cell| !cell.contents().trim().is_empty())
        .map(|cell| cell.fgcolor())
        .collect();
    colours.dedup();
    colours
}

#[test]
fn black_theme_does_not_hide_the_page_of_lines() {
    let home = TestHome::new();
    Helper::at(&home, "http://127.0.0.1:9", "contract = 'loja.toml'\n");
    home.write_config("loja.toml", "login.field.password.name = 'memo'\n");
    std::fs::create_dir(home.config_dir().join("themes")).unwrap();
    let black = ["text", "strong", "title", "warn", "money", "quote"]
        .map(|role| format!("[{role}]\nfg = \"#000000\"\n"));
    home.write_config("themes/noite.toml", &black.concat());
    let own_colours = [vt100::Color::Default];
    let mut tui = Launch::new(&home).args(&["--theme", "noite"]).start();
    tui.wait_for("profile.base-url");
    assert_eq!(tui.screen(text_colours), own_colours, "without an answer");
    // Black text can be read on white.
    tui.type_text("\x1b]11;rgb:ffff/ffff/ffff\x07");
    tui.wait_until("the theme's colours", |screen| {
        text_colours(screen) != own_colours
    });
    tui.quit();
}
