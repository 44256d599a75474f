//! Where this program is seen: on this machine's desktop, over SSH, inside tmux.

/// What the environment says about where this program is seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// Somebody looks at this machine from another one.
    pub ssh: bool,
    /// The terminal is a window of tmux.
    pub tmux: bool,
    /// A Wayland display is named.
    pub wayland: bool,
    /// An X11 display is named.
    pub x11: bool,
    /// The system always has a desktop of its own (macOS).
    pub desktop: bool,
    /// Linux inside Windows, whose browser and clipboard can be reached.
    pub wsl: bool,
}

impl Surroundings {
    /// Reads them from environment variables.
    pub fn of(variable: impl Fn(&str) -> Option<String>) -> Surroundings {
        let set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
        Surroundings {
            ssh: set("SSH_CONNECTION") || set("SSH_TTY") || set("SSH_CLIENT"),
            tmux: set("TMUX"),
            wayland: set("WAYLAND_DISPLAY"),
            x11: set("DISPLAY"),
            desktop: cfg!(target_os = "macos"),
            wsl: set("WSL_DISTRO_NAME"),
        }
    }

    /// Whether a browser started here appears before the person who sits here.
    pub fn browser_can_appear(&self) -> bool {
        // A display named over SSH is a forwarded one: it is seen.
        self.wayland || self.x11 || (!self.ssh && (self.desktop || self.wsl))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(variables: &[(&str, &str)]) -> Surroundings {
        let of = |name: &str| {
            variables.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned())
        };
        Surroundings { desktop: false, ..Surroundings::of(of) }
    }

    #[test]
    fn variables_tell_where_it_is_seen() {
        let none = Surroundings::default();
        for (name, expected) in [
            ("DISPLAY", Surroundings { x11: true, ..none }),
            ("WAYLAND_DISPLAY", Surroundings { wayland: true, ..none }),
            ("SSH_CONNECTION", Surroundings { ssh: true, ..none }),
            ("SSH_CLIENT", Surroundings { ssh: true, ..none }),
            ("SSH_TTY", Surroundings { ssh: true, ..none }),
            ("TMUX", Surroundings { tmux: true, ..none }),
            ("WSL_DISTRO_NAME", Surroundings { wsl: true, ..none }),
        ] {
            assert_eq!(around(&[(name, "x")]), expected, "{name}");
            assert_eq!(around(&[(name, "")]), none, "{name} is empty");
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
            assert_eq!(around(variables).browser_can_appear(), expected, "{variables:?}");
        }
        let mac = Surroundings { desktop: true, ..Surroundings::default() };
        assert!(mac.browser_can_appear());
        assert!(!Surroundings { ssh: true, ..mac }.browser_can_appear());
    }
}
