//! Collects what an export of HTTP requests says about this computer and the settings.

use std::sync::Arc;

use super::clocks;
use super::doctor::{CheckupTargets, Examiner};
use crate::app::ui::geometry::MIN_SIZE;
use crate::har::Environment;
use crate::trade::Wall;
use crate::trade::checkup;
use crate::view::Theme;
use crate::words::Lang;

/// The name of the theme that follows the terminal's background.
const AUTOMATIC_THEME: &str = "auto";

/// The language and appearance of the screen, or of the command's output.
pub struct ScreenLook {
    pub lang: Lang,
    pub theme: Option<Arc<str>>,
    /// The number of columns and rows, if there is a terminal.
    pub size: Option<[u16; 2]>,
}

/// Examines this computer without asking the service or the vault, and collects the results and
/// the settings.
pub async fn collect_environment(
    examiner: &Examiner,
    targets: CheckupTargets,
    look: ScreenLook,
    now: Wall,
) -> Environment {
    let window = checkup::terminal_size(look.size, [MIN_SIZE.columns, MIN_SIZE.rows]);
    let targets = CheckupTargets {
        vault: None,
        service: None,
        ..targets
    };
    let checkup = examiner.examine(window, &targets, now).await;
    let built_in_theme = look
        .theme
        .as_deref()
        .filter(|name| *name == AUTOMATIC_THEME || Theme::NAMES.contains(name));
    Environment {
        language: look.lang.tag(),
        theme: built_in_theme.map(str::to_owned),
        time_zone: clocks::zone_name(),
        utc_offset_s: clocks::utc_offset_s(now),
        settings: examiner.changed_settings.clone(),
        checkup,
    }
}
