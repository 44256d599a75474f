//! The environment in which the program is shown: a desktop, SSH, tmux.

/// The facts about the display, from environment variables.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DisplayEnvironment {
    /// The person is at another machine.
    pub ssh: bool,
    /// The terminal is a window of tmux.
    pub tmux: bool,
    /// The terminal is a window of GNU screen, and of nothing in between.
    pub screen: bool,
    /// A Wayland display is named.
    pub wayland: bool,
    /// An X11 display is named.
    pub x11: bool,
    /// The system always has a desktop of its own (macOS).
    pub desktop: bool,
    /// Linux inside Windows, whose browser and clipboard can be reached.
    pub wsl: bool,
}

impl DisplayEnvironment {
    /// Reads them from environment variables.
    pub fn from_variables(variable: impl Fn(&str) -> Option<String>) -> DisplayEnvironment {
        let set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
        DisplayEnvironment {
            ssh: set("SSH_CONNECTION") || set("SSH_TTY") || set("SSH_CLIENT"),
            tmux: set("TMUX"),
            screen: set("STY") && !set("TMUX"),
            wayland: set("WAYLAND_DISPLAY"),
            x11: set("DISPLAY"),
            desktop: cfg!(target_os = "macos"),
            wsl: set("WSL_DISTRO_NAME"),
        }
    }

    /// Returns true if a browser started here appears before the person.
    pub fn browser_can_appear(&self) -> bool {
        // A display named over SSH is a forwarded one, which the person sees.
        self.wayland || self.x11 || (!self.ssh && (self.desktop || self.wsl))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn display(variables: &[(&str, &str)]) -> DisplayEnvironment {
        let of = |name: &str| {
            variables.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned())
        };
        DisplayEnvironment { desktop: false, ..DisplayEnvironment::from_variables(of) }
    }

    #[test]
    fn variables_tell_where_it_is_seen() {
        let none = DisplayEnvironment::default();
        for (name, expected) in [
            ("DISPLAY", DisplayEnvironment { x11: true, ..none }),
            ("WAYLAND_DISPLAY", DisplayEnvironment { wayland: true, ..none }),
            ("SSH_CONNECTION", DisplayEnvironment { ssh: true, ..none }),
            ("SSH_CLIENT", DisplayEnvironment { ssh: true, ..none }),
            ("SSH_TTY", DisplayEnvironment { ssh: true, ..none }),
            ("TMUX", DisplayEnvironment { tmux: true, ..none }),
            ("STY", DisplayEnvironment { screen: true, ..none }),
            ("WSL_DISTRO_NAME", DisplayEnvironment { wsl: true, ..none }),
        ] {
            assert_eq!(display(&[(name, "x")]), expected, "{name}");
            assert_eq!(display(&[(name, "")]), none, "{name} is empty");
        }
    }

    #[test]
    fn a_browser_appears_where_somebody_sits() {
        let table: [(&[(&str, &str)], bool); 5] = [
            (&[], false),
            (&[("DISPLAY", ":0")], true),
            (&[("SSH_TTY", "/dev/pts/1")], false),
            (&[("SSH_TTY", "/dev/pts/1"), ("DISPLAY", "localhost:10.0")], true),
            (&[("WSL_DISTRO_NAME", "Debian")], true),
        ];
        for (variables, expected) in table {
            assert_eq!(display(variables).browser_can_appear(), expected, "{variables:?}");
        }
        let mac = DisplayEnvironment { desktop: true, ..DisplayEnvironment::default() };
        assert!(mac.browser_can_appear());
        assert!(!DisplayEnvironment { ssh: true, ..mac }.browser_can_appear());
    }
}
