//! Detects how the terminal is used (on a desktop, over SSH, in tmux), and opens URLs in a browser.

use std::io;

use url::Url;

use crate::app::NoBrowser;

/// The environment of the terminal, detected from environment variables.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DisplayEnvironment {
    /// True if the user is logged in over SSH from another machine.
    pub ssh: bool,
    /// True if the program runs inside tmux.
    pub tmux: bool,
    /// True if the program runs directly inside GNU screen, without tmux in between.
    pub screen: bool,
    /// True if a Wayland display is available.
    pub wayland: bool,
    /// True if an X11 display is available.
    pub x11: bool,
    /// True on macOS, which always has a desktop.
    pub desktop: bool,
    /// True if the program runs in WSL, so that it can use the browser and the clipboard of
    /// Windows.
    pub wsl: bool,
    /// True if the terminal shows a stream of lines, and gets no escape sequence.
    pub lines: bool,
}

impl DisplayEnvironment {
    pub fn from_variables(variable: impl Fn(&str) -> Option<String>) -> DisplayEnvironment {
        let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
        DisplayEnvironment {
            ssh: is_set("SSH_CONNECTION") || is_set("SSH_TTY") || is_set("SSH_CLIENT"),
            tmux: is_set("TMUX"),
            screen: is_set("STY") && !is_set("TMUX"),
            wayland: is_set("WAYLAND_DISPLAY"),
            x11: is_set("DISPLAY"),
            desktop: cfg!(target_os = "macos"),
            wsl: is_set("WSL_DISTRO_NAME"),
            lines: false,
        }
    }

    /// True if a browser started on this machine would appear on the user's screen.
    pub fn browser_can_appear(&self) -> bool {
        // If a display is set in an SSH session, SSH forwards it to the machine where the user
        // sits.
        self.wayland || self.x11 || (!self.ssh && (self.desktop || self.wsl))
    }
}

/// True if the terminal may get a title (OSC 2) and links (OSC 8).
///
/// Most terminals ignore sequences that they do not know. Consoles print them, GNU screen prints
/// the rest of a long address, and old versions of VTE (GNOME Terminal) crash.
pub fn may_get_title_and_links(variable: impl Fn(&str) -> Option<String>) -> bool {
    const CONSOLES: [&str; 6] = ["linux", "cons", "vt", "ansi", "dumb", "eterm"];
    const FIRST_SAFE_VTE: u32 = 5_001;
    let name = variable("TERM").unwrap_or_default();
    let is_console = name.is_empty() || CONSOLES.iter().any(|console| name.starts_with(console));
    let vte = variable("VTE_VERSION").and_then(|version| version.parse().ok());
    let is_old_vte = vte.is_some_and(|version: u32| version < FIRST_SAFE_VTE);
    !is_console && !is_old_vte && !DisplayEnvironment::from_variables(variable).screen
}

/// Opens the URL in a browser, detached from this terminal.
///
/// May block for some hundred milliseconds to detect an early failure of the opener program (such
/// as `xdg-open`). Success only means that the opener accepted the URL.
pub fn open_url(url: &str, display: &DisplayEnvironment) -> Result<(), NoBrowser> {
    open_with(url, display, |url| open::that_detached(url))
}

fn open_with(
    url: &str,
    display: &DisplayEnvironment,
    open: impl FnOnce(&str) -> io::Result<()>,
) -> Result<(), NoBrowser> {
    if !is_web(url) {
        return Err(NoBrowser::NotWeb);
    }
    if !display.browser_can_appear() {
        return Err(NoBrowser::NoDisplay);
    }
    // Drop the system's error text, because it contains the URL and its language depends on the
    // locale.
    open(url).map_err(|_| NoBrowser::Failed)
}

/// True if the text is an http or https URL, and has only characters that the URL standard allows.
///
/// A URL parser is not strict enough, because it accepts line breaks and quotes. The URL is passed
/// to a launcher program, which may be a shell script.
fn is_web(url: &str) -> bool {
    url.chars()
        .all(|c| c.is_ascii_graphic() && !"\"<>\\^`{|}".contains(c))
        && Url::parse(url)
            .is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn display(variables: &[(&str, &str)]) -> DisplayEnvironment {
        let lookup = |name: &str| {
            variables
                .iter()
                .find(|(n, _)| *n == name)
                .map(|(_, value)| (*value).to_owned())
        };
        DisplayEnvironment {
            desktop: false,
            ..DisplayEnvironment::from_variables(lookup)
        }
    }

    #[test]
    fn variables_determine_the_environment() {
        let none = DisplayEnvironment::default();
        for (name, expected) in [
            ("DISPLAY", DisplayEnvironment { x11: true, ..none }),
            (
                "WAYLAND_DISPLAY",
                DisplayEnvironment {
                    wayland: true,
                    ..none
                },
            ),
            ("SSH_CONNECTION", DisplayEnvironment { ssh: true, ..none }),
            ("SSH_CLIENT", DisplayEnvironment { ssh: true, ..none }),
            ("SSH_TTY", DisplayEnvironment { ssh: true, ..none }),
            ("TMUX", DisplayEnvironment { tmux: true, ..none }),
            (
                "STY",
                DisplayEnvironment {
                    screen: true,
                    ..none
                },
            ),
            ("WSL_DISTRO_NAME", DisplayEnvironment { wsl: true, ..none }),
        ] {
            assert_eq!(display(&[(name, "x")]), expected, "{name}");
            assert_eq!(display(&[(name, "")]), none, "{name} is empty");
        }
    }

    #[test]
    fn title_and_links_only_where_they_are_ignored() {
        let may_get = |variables: &[(&str, &str)]| {
            may_get_title_and_links(|name| {
                let mut variables = variables.iter();
                variables
                    .find(|(n, _)| *n == name)
                    .map(|(_, value)| (*value).to_owned())
            })
        };
        for term in [
            "xterm-256color",
            "foot",
            "xterm-kitty",
            "tmux-256color",
            "screen-256color",
        ] {
            assert!(may_get(&[("TERM", term), ("TMUX", "/tmp/tmux")]), "{term}");
        }
        assert!(may_get(&[
            ("TERM", "xterm-256color"),
            ("VTE_VERSION", "7006")
        ]));
        for variables in [
            &[][..],
            &[("TERM", "linux")],
            &[("TERM", "vt220")],
            &[("TERM", "screen.xterm-256color"), ("STY", "4711.pts-0")],
            &[("TERM", "xterm-256color"), ("VTE_VERSION", "4804")],
        ] {
            assert!(!may_get(variables), "{variables:?}");
        }
    }

    #[test]
    fn browser_appears_only_at_the_users_display() {
        let table: [(&[(&str, &str)], bool); 5] = [
            (&[], false),
            (&[("DISPLAY", ":0")], true),
            (&[("SSH_TTY", "/dev/pts/1")], false),
            (
                &[("SSH_TTY", "/dev/pts/1"), ("DISPLAY", "localhost:10.0")],
                true,
            ),
            (&[("WSL_DISTRO_NAME", "Debian")], true),
        ];
        for (variables, expected) in table {
            assert_eq!(
                display(variables).browser_can_appear(),
                expected,
                "{variables:?}"
            );
        }
        let mac = DisplayEnvironment {
            desktop: true,
            ..DisplayEnvironment::default()
        };
        assert!(mac.browser_can_appear());
        assert!(!DisplayEnvironment { ssh: true, ..mac }.browser_can_appear());
    }

    fn desktop() -> DisplayEnvironment {
        DisplayEnvironment {
            desktop: true,
            ..DisplayEnvironment::default()
        }
    }

    #[test]
    fn only_web_addresses_are_opened() {
        for url in [
            "https://loja.example/checkout/l-1?a=b&c=%20#x",
            "http://127.0.0.1:8080/",
        ] {
            let mut opened = None;
            let result = open_with(url, &desktop(), |url| {
                opened = Some(url.to_owned());
                Ok(())
            });
            assert_eq!(
                (result, opened.as_deref()),
                (Ok(()), Some(url)),
                "its exact bytes"
            );
        }
        for url in [
            "",
            "-version",
            "file:///etc/passwd",
            "javascript:alert(1)",
            "ftp://a.example/",
            "https:",
            "https://",
            " https://a.example/",
            "https://a.example/\n",
            "https://a.example/\u{1b}]0;x\u{7}",
            "https://a.example/\"&calc&\"",
            "https://a.example/`id`",
            "https://loja\u{202e}.example/",
        ] {
            let result = open_with(url, &desktop(), |_| panic!("opened {url:?}"));
            assert_eq!(result, Err(NoBrowser::NotWeb), "{url:?}");
        }
    }

    #[test]
    fn missing_display_is_an_error() {
        let display = DisplayEnvironment {
            ssh: true,
            ..DisplayEnvironment::default()
        };
        let result = open_with("https://a.example/", &display, |_| panic!("opened"));
        assert_eq!(result, Err(NoBrowser::NoDisplay));
    }

    #[test]
    fn failed_opener_does_not_reveal_the_url() {
        let result = open_with("https://a.example/secret", &desktop(), |url| {
            Err(io::Error::new(
                io::ErrorKind::NotFound,
                format!("xdg-open {url}"),
            ))
        });
        assert_eq!(result, Err(NoBrowser::Failed));
    }
}
