//! Writes the chosen theme and language into the settings file, without changing the rest of the
//! file.

use std::path::{Path, PathBuf};

use tokio::task::spawn_blocking;

use crate::app::Msg;
use crate::app::store::setup::Look;
use crate::config::edit::{EditError, read_if_any, replace_file, with_line};
use crate::contract::SettingValue;

pub async fn save(config: PathBuf, look: Look) -> Msg {
    let look_to_write = look.clone();
    let written =
        spawn_blocking(move || write(&config, &look_to_write).map_err(|error| error.to_string()));
    let result = written.await.unwrap_or_else(|error| Err(error.to_string()));
    Msg::LookSaved { look, result }
}

fn write(config: &Path, look: &Look) -> Result<(), EditError> {
    let before = read_if_any(config)?;
    let mut after = before.clone().unwrap_or_default();
    let theme = look.theme.as_deref().map(|theme| ("theme", theme));
    let lang = look.lang.map(|lang| ("lang", lang.tag()));
    for (key, value) in theme.into_iter().chain(lang) {
        after = with_line(&after, &[key], &SettingValue::Text(value.to_owned()))?;
    }
    replace_file(config, before.as_deref(), &after)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::words::Lang;

    async fn save_look(path: &Path, theme: Option<&str>, lang: Option<Lang>) -> Result<(), String> {
        let look = Look {
            theme: theme.map(Into::into),
            lang,
        };
        match save(path.into(), look.clone()).await {
            Msg::LookSaved {
                look: saved,
                result,
            } if saved == look => result,
            other => panic!("{other:?}"),
        }
    }

    #[tokio::test]
    async fn look_is_written_and_comments_are_kept() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("config.toml");
        let before = "# cores\ntheme = 'mono' # de noite\n\n# a loja\n[profiles.loja]\n\
                      base-url = 'https://x.example' # minha\n";
        fs::write(&path, before).unwrap();
        save_look(&path, Some("dark"), None).await.unwrap();
        let after = before.replace("'mono'", "\"dark\"");
        assert_eq!(fs::read_to_string(&path).unwrap(), after);
        save_look(&path, None, Some(Lang::En)).await.unwrap();
        let after = after.replace("# de noite\n", "# de noite\nlang = \"en\"\n");
        assert_eq!(fs::read_to_string(&path).unwrap(), after);
    }

    #[tokio::test]
    async fn file_is_created_if_there_is_none() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("balcao/config.toml");
        save_look(&path, Some("light"), Some(Lang::Pt))
            .await
            .unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text, "theme = \"light\"\nlang = \"pt-BR\"\n");
        fs::write(&path, "theme = [").unwrap();
        assert!(save_look(&path, Some("dark"), None).await.is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "theme = [");
    }
}
