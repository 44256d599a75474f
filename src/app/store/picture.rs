//! Builds the QR code on the front screen. Each code is built only once, and not while the cursor
//! is moving.

use std::time::Duration;

use crate::app::ui::picture::{CodePlace, QrPicture};
use crate::trade::Untrusted;

/// How long, in milliseconds, the cursor must rest on a row before the row's QR code is built. This
/// is longer than the interval at which a held-down key repeats.
pub const REST_MS: u64 = 150;

/// The last QR code that was built, and the text for the next QR code.
#[derive(Debug, Clone, Default)]
pub struct PictureInFront {
    /// The text for the next QR code, and the time when it was first requested (in milliseconds of
    /// the boot clock).
    wanted: Option<(Untrusted, u64)>,
    /// The text of the last QR code, and the code itself. The code is `None` if the text is too
    /// long for a QR code.
    made: Option<(Untrusted, Option<QrPicture>)>,
}

impl PictureInFront {
    /// Requests the QR code of `text`. The code is built once this text has been requested for
    /// `rest_ms` milliseconds without a change.
    pub fn follow(&mut self, text: Option<&Untrusted>, rest_ms: u64, ascii: bool, boot_ms: u64) {
        let Some(text) = text.filter(|text| !self.is_made(text)) else {
            self.wanted = None;
            return;
        };
        let since = match &self.wanted {
            Some((wanted, since)) if wanted == text => *since,
            _ => boot_ms,
        };
        if boot_ms.saturating_sub(since) < rest_ms {
            self.wanted = Some((text.clone(), since));
            return;
        }
        self.made = Some((text.clone(), QrPicture::of(text, ascii)));
        self.wanted = None;
    }

    /// Returns the time until the requested QR code is built, or `None` if no code is requested.
    pub fn due(&self, boot_ms: u64) -> Option<Duration> {
        let (_, since) = self.wanted.as_ref()?;
        let left = since.saturating_add(REST_MS).saturating_sub(boot_ms);
        Some(Duration::from_millis(left.max(1)))
    }

    /// Returns the QR code of this text, if that code is already built.
    pub fn of(&self, text: &Untrusted) -> Option<&QrPicture> {
        let (made, code) = self.made.as_ref()?;
        code.as_ref().filter(|_| made == text)
    }

    /// Returns the QR code of this text. While it is not built yet, returns the previous QR code as
    /// a placeholder. This keeps the layout of the screen stable.
    pub fn place_of(&self, text: &Untrusted) -> Option<CodePlace<'_>> {
        let (made, code) = self.made.as_ref()?;
        let is_here = made == text;
        let is_coming = self.wanted.as_ref().is_some_and(|(wanted, _)| wanted == text);
        let code = code.as_ref().filter(|_| is_here || is_coming)?;
        Some(CodePlace { code, is_here })
    }

    /// Returns true if the QR code of this text was built, or if the text is too long for a QR
    /// code.
    fn is_made(&self, text: &Untrusted) -> bool {
        self.made.as_ref().is_some_and(|(made, _)| made == text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn qr_code_built_after_row_rests_and_not_rebuilt() {
        let (first, second) = (Untrusted::from("https://a.test/1"), "https://a.test/2".into());
        let mut picture = PictureInFront::default();
        picture.follow(Some(&first), REST_MS, false, 1_000);
        assert_eq!(picture.due(1_000), Some(Duration::from_millis(REST_MS)));
        picture.follow(Some(&second), REST_MS, false, 1_100);
        assert_eq!(picture.due(1_100), Some(Duration::from_millis(REST_MS)), "another row");
        picture.follow(Some(&second), REST_MS, false, 1_249);
        assert!(picture.of(&second).is_none(), "a moment too soon");
        assert!(picture.place_of(&second).is_none(), "nothing is known of its size yet");
        picture.follow(Some(&second), REST_MS, false, 1_250);
        assert!(picture.of(&second).is_some() && picture.of(&first).is_none());
        assert_eq!(picture.due(1_250), None, "asleep once it is made");
        picture.follow(None, REST_MS, false, 1_300);
        picture.follow(Some(&second), REST_MS, false, 1_400);
        assert_eq!(picture.due(1_400), None, "the same text is not made again");
        assert!(picture.place_of(&second).is_some_and(|place| place.is_here));
        // Until the next QR code is built, the previous QR code is its placeholder.
        picture.follow(Some(&first), REST_MS, false, 1_500);
        assert!(picture.place_of(&first).is_some_and(|place| !place.is_here));
        assert!(picture.place_of(&"https://a.test/3".into()).is_none(), "it is not wanted");
    }

    #[test]
    fn text_too_long_for_a_code_is_tried_once() {
        let endless = Untrusted::from("x".repeat(5_000));
        let mut picture = PictureInFront::default();
        picture.follow(Some(&endless), 0, false, 0);
        assert!(picture.of(&endless).is_none());
        assert_eq!(picture.due(0), None);
    }
}
