//! Opens a url in the seller's own browser.

use std::io;

use url::Url;

use super::display_environment::DisplayEnvironment;
use crate::app::NoBrowser;

/// Opens exactly this url, detached, with nothing of it on this terminal.
///
/// It may take some hundred milliseconds, while the opener is watched for an early failure: call it
/// where waiting is allowed. Success means that an opener took the url, no more.
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
    // The system's own words quote the command, and the url with it, in a language of their own.
    open(url).map_err(|_| NoBrowser::Failed)
}

/// Returns true for a web address, byte for byte.
///
/// The url goes through launchers, some of them scripts. It must only hold characters that the
/// standard allows; a parser alone would forgive line breaks and quotes, and rewrite them.
fn is_web(url: &str) -> bool {
    let plain = |c: char| c.is_ascii_graphic() && !"\"<>\\^`{|}".contains(c);
    url.chars().all(plain)
        && Url::parse(url)
            .is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn desktop() -> DisplayEnvironment {
        DisplayEnvironment { desktop: true, ..DisplayEnvironment::default() }
    }

    #[test]
    fn only_web_addresses_are_opened() {
        for url in ["https://loja.example/checkout/l-1?a=b&c=%20#x", "http://127.0.0.1:8080/"] {
            let mut opened = None;
            let done = open_with(url, &desktop(), |url| {
                opened = Some(url.to_owned());
                Ok(())
            });
            assert_eq!((done, opened.as_deref()), (Ok(()), Some(url)), "its exact bytes");
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
            let done = open_with(url, &desktop(), |_| panic!("opened {url:?}"));
            assert_eq!(done, Err(NoBrowser::NotWeb), "{url:?}");
        }
    }

    #[test]
    fn without_a_display_it_says_so() {
        let display = DisplayEnvironment { ssh: true, ..DisplayEnvironment::default() };
        let done = open_with("https://a.example/", &display, |_| panic!("opened"));
        assert_eq!(done, Err(NoBrowser::NoDisplay));
    }

    #[test]
    fn an_opener_that_fails_is_told_as_that_and_no_more() {
        let done = open_with("https://a.example/secret", &desktop(), |url| {
            Err(io::Error::new(io::ErrorKind::NotFound, format!("xdg-open {url}")))
        });
        assert_eq!(done, Err(NoBrowser::Failed));
    }
}
