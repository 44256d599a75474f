//! Builds the QR code on the front screen. Each code is built only once, and not while the cursor
//! is moving.

use std::time::Duration;

use crate::app::ui::picture::{CodePlace, QrPicture};
use crate::trade::Untrusted;

/// How long, in milliseconds, the cursor must rest on a row before the row's QR code is built. This
/// is longer than the interval at which a held-down key repeats.
pub const QR_DELAY_MS: u64 = 150;

/// The last QR code that was built, and the text for the next QR code.
#[derive(Debug, Clone, Default)]
pub struct QrCodeCache {
    /// The text for the next QR code, and the time when it was first requested (in milliseconds of
    /// the boot clock).
    requested: Option<(Untrusted, u64)>,
    /// The text of the last QR code, and the code itself. The code is `None` if the text is too
    /// long for a QR code.
    built: Option<(Untrusted, Option<QrPicture>)>,
}

impl QrCodeCache {
    /// Requests the QR code of `text`. The code is built once this text has been requested for
    /// `delay_ms` milliseconds without a change.
    pub fn request_code(
        &mut self,
        text: Option<&Untrusted>,
        delay_ms: u64,
        ascii: bool,
        boot_ms: u64,
    ) {
        let Some(text) = text.filter(|text| !self.is_built(text)) else {
            self.requested = None;
            return;
        };
        let requested_at = match &self.requested {
            Some((requested, requested_at)) if requested == text => *requested_at,
            _ => boot_ms,
        };
        if boot_ms.saturating_sub(requested_at) < delay_ms {
            self.requested = Some((text.clone(), requested_at));
            return;
        }
        self.built = Some((text.clone(), QrPicture::of(text, ascii)));
        self.requested = None;
    }

    /// The time until the requested QR code is built, or `None` if no code is requested.
    pub fn time_until_built(&self, boot_ms: u64) -> Option<Duration> {
        let (_, requested_at) = self.requested.as_ref()?;
        let remaining_ms = requested_at
            .saturating_add(QR_DELAY_MS)
            .saturating_sub(boot_ms);
        Some(Duration::from_millis(remaining_ms.max(1)))
    }

    /// The QR code of this text, if that code is already built.
    pub fn built_code(&self, text: &Untrusted) -> Option<&QrPicture> {
        let (built_text, code) = self.built.as_ref()?;
        code.as_ref().filter(|_| built_text == text)
    }

    /// The QR code of this text. If it is requested but not built yet, returns the previous QR code
    /// as a placeholder, so that the layout of the screen does not change.
    pub fn place_of(&self, text: &Untrusted) -> Option<CodePlace<'_>> {
        let (built_text, code) = self.built.as_ref()?;
        let is_current = built_text == text;
        let is_requested = self
            .requested
            .as_ref()
            .is_some_and(|(requested, _)| requested == text);
        let code = code.as_ref().filter(|_| is_current || is_requested)?;
        Some(CodePlace {
            code,
            is_ready: is_current,
        })
    }

    /// True if the QR code of this text was built, or if the text is too long for a QR code.
    fn is_built(&self, text: &Untrusted) -> bool {
        self.built
            .as_ref()
            .is_some_and(|(built_text, _)| built_text == text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn qr_code_built_after_row_rests_and_not_rebuilt() {
        let first = Untrusted::from("https://a.test/1");
        let second = "https://a.test/2".into();
        let mut picture = QrCodeCache::default();
        picture.request_code(Some(&first), QR_DELAY_MS, false, 1_000);
        assert_eq!(
            picture.time_until_built(1_000),
            Some(Duration::from_millis(QR_DELAY_MS))
        );
        picture.request_code(Some(&second), QR_DELAY_MS, false, 1_100);
        assert_eq!(
            picture.time_until_built(1_100),
            Some(Duration::from_millis(QR_DELAY_MS)),
            "another row"
        );
        picture.request_code(Some(&second), QR_DELAY_MS, false, 1_249);
        assert!(picture.built_code(&second).is_none(), "a moment too soon");
        assert!(
            picture.place_of(&second).is_none(),
            "nothing is known of its size yet"
        );
        picture.request_code(Some(&second), QR_DELAY_MS, false, 1_250);
        assert!(picture.built_code(&second).is_some() && picture.built_code(&first).is_none());
        assert_eq!(
            picture.time_until_built(1_250),
            None,
            "asleep once it is made"
        );
        picture.request_code(None, QR_DELAY_MS, false, 1_300);
        picture.request_code(Some(&second), QR_DELAY_MS, false, 1_400);
        assert_eq!(
            picture.time_until_built(1_400),
            None,
            "the same text is not made again"
        );
        assert!(
            picture
                .place_of(&second)
                .is_some_and(|place| place.is_ready)
        );
        // Until the next QR code is built, the previous QR code is its placeholder.
        picture.request_code(Some(&first), QR_DELAY_MS, false, 1_500);
        assert!(
            picture
                .place_of(&first)
                .is_some_and(|place| !place.is_ready)
        );
        assert!(
            picture.place_of(&"https://a.test/3".into()).is_none(),
            "it is not wanted"
        );
    }

    #[test]
    fn text_too_long_for_a_code_is_tried_once() {
        let endless = Untrusted::from("x".repeat(5_000));
        let mut picture = QrCodeCache::default();
        picture.request_code(Some(&endless), 0, false, 0);
        assert!(picture.built_code(&endless).is_none());
        assert_eq!(picture.time_until_built(0), None);
    }
}
