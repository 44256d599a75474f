//! Files and directories: whose they are, and who can change them.

use std::ffi::{OsStr, OsString};
use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::trade::checkup::{self, FileOwner, Finding, PlaceKind, PlaceState};

/// The longest wait for all of them: a network's file system may hang.
const LIMIT: Duration = Duration::from_secs(3);

/// The directories in which the homes of people stand, each by a name.
const HOMES: [&str; 2] = ["/home", "/Users"];

/// The parts of a path that name the person: they are left out of what is told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HomeName {
    /// The home directory.
    pub home: Option<PathBuf>,
    /// The person's name on this computer.
    pub user: Option<String>,
}

impl HomeName {
    /// Reads both from environment variables.
    pub fn from_variables(variable: impl Fn(&str) -> Option<String>) -> HomeName {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let home = set("HOME").map(PathBuf::from).filter(|home| home.components().count() > 1);
        HomeName { home, user: set("USER").or_else(|| set("LOGNAME")) }
    }

    /// A path with `~` for the home directory, and `…` for the person's name and for that of
    /// another home.
    pub fn shortened(&self, path: &Path) -> String {
        let below = self.home.as_ref().and_then(|home| path.strip_prefix(home).ok());
        let start = if below.is_some() { PathBuf::from("~") } else { PathBuf::new() };
        let parts = below.unwrap_or(path).components();
        let join = |path: PathBuf, part: Component<'_>| {
            let is_name = HOMES.iter().any(|homes| path == Path::new(homes));
            let part = if is_name { "…".into() } else { self.without_name(part.as_os_str()) };
            path.join(part)
        };
        parts.fold(start, join).display().to_string()
    }

    /// A part of a path without the person's name: of a file `name.toml` the ending stays.
    fn without_name(&self, part: &OsStr) -> OsString {
        let Some(user) = &self.user else { return part.to_owned() };
        let text = part.to_string_lossy();
        match text.strip_prefix(user.as_str()) {
            Some(rest) if rest.is_empty() || rest.starts_with('.') => format!("…{rest}").into(),
            _ => part.to_owned(),
        }
    }
}

/// Looks at all of them.
pub async fn look(places: Vec<(PlaceKind, PathBuf)>, home: HomeName) -> Vec<Finding> {
    let paths: Vec<PathBuf> = places.iter().map(|(_, path)| path.clone()).collect();
    let looked = spawn_blocking(move || paths.iter().map(|path| state(path)).collect());
    let states: Option<Vec<PlaceState>> = timeout(LIMIT, looked).await.ok().and_then(Result::ok);
    let states = states.unwrap_or_else(|| vec![PlaceState::Unseen; places.len()]);
    let found = places.iter().zip(states);
    let found = found
        .map(|((kind, path), state)| checkup::place(*kind, home.shortened(path).into(), state));
    found.collect()
}

/// The state of a place; a link is followed, as it is when the file is read.
fn state(path: &Path) -> PlaceState {
    judged(fs::metadata(path), rustix::process::geteuid().as_raw())
}

fn judged(looked: io::Result<Metadata>, own: u32) -> PlaceState {
    match looked {
        Ok(there) => {
            let owner = match there.uid() {
                uid if uid == own => FileOwner::Own,
                0 => FileOwner::Root,
                _ => FileOwner::Other,
            };
            PlaceState::There { owner, mode: there.mode() & 0o7777 }
        }
        Err(error) if error.kind() == ErrorKind::NotFound => PlaceState::Absent,
        Err(_) => PlaceState::Unseen,
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_path_names_neither_the_home_directory_nor_the_person() {
        let variable = |name: &str| match name {
            "HOME" => Some("/data/people/ana".to_owned()),
            "LOGNAME" => Some("ana".to_owned()),
            _ => None,
        };
        let home = HomeName::from_variables(variable);
        for (path, told) in [
            ("/data/people/ana/.config/balcao", "~/.config/balcao"),
            ("/data/people/ana", "~"),
            ("/data/people/anabela/x", "/data/people/anabela/x"),
            ("/srv/ana/balcao", "/srv/…/balcao"),
            ("/data/people/ana/shop/ana", "~/shop/…"),
            ("/data/people/ana/ana.toml", "~/….toml"),
            ("/etc/balcao", "/etc/balcao"),
        ] {
            assert_eq!(home.shortened(Path::new(path)), told);
        }
        for homes in HOMES {
            let another = Path::new(homes).join("bia/.config/balcao");
            assert_eq!(home.shortened(&another), format!("{homes}/…/.config/balcao"));
            assert_eq!(home.shortened(Path::new(homes)), homes);
        }
        // A home that is the root is in every path, and says nothing.
        let root = HomeName::from_variables(|name| (name == "HOME").then(|| "/".to_owned()));
        assert_eq!(root.shortened(Path::new("/etc/balcao")), "/etc/balcao");
    }

    #[tokio::test]
    async fn owner_and_rights_are_those_of_what_a_link_leads_to() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::write(at("file"), "").unwrap();
        fs::set_permissions(at("file"), fs::Permissions::from_mode(0o666)).unwrap();
        std::os::unix::fs::symlink(at("file"), at("link")).unwrap();
        let kind = PlaceKind::ConfigFile;
        let places = ["link", "nothing"].map(|name| (kind, at(name))).to_vec();
        let home = HomeName { home: Some(dir.path().into()), user: None };
        let states = [
            ("~/link", PlaceState::There { owner: FileOwner::Own, mode: 0o666 }),
            ("~/nothing", PlaceState::Absent),
        ];
        let wanted = states.map(|(path, state)| checkup::place(kind, path.into(), state));
        assert_eq!(look(places, home).await, wanted);
    }

    #[test]
    fn what_belongs_to_somebody_else_or_cannot_be_seen_is_told_apart() {
        let dir = tempfile::tempdir().unwrap();
        let there = || fs::metadata(dir.path());
        let own = there().unwrap().uid();
        let owner = |own| match judged(there(), own) {
            PlaceState::There { owner, .. } => owner,
            state => panic!("{state:?}"),
        };
        assert_eq!(owner(own), FileOwner::Own);
        let another = if own == 0 { FileOwner::Root } else { FileOwner::Other };
        assert_eq!(owner(own + 1), another);
        let denied = Err(io::Error::from(ErrorKind::PermissionDenied));
        assert_eq!(judged(denied, own), PlaceState::Unseen);
    }
}
