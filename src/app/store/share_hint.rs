//! Hints about who can open a demo's payment links: only this machine, or also phones in the same
//! network.

use super::Store;
use crate::trade::Untrusted;
use crate::words::Catalogue;

/// A hint that only this machine can open a demo's payment link. The hint also explains how to make
/// links that phones can open.
///
/// Such a link contains a loopback address, so a phone would look for the page on the phone itself.
/// A kiosk has its own hint, because its links do not open on any device.
pub fn local_only_warning(store: &Store, words: &Catalogue, address: &Untrusted) -> Option<String> {
    let demo = store.setup.demo.as_ref()?;
    let url = url::Url::parse(address.raw()).ok()?;
    if demo.kiosk.is_some() {
        return Some(words.text("reach-kiosk"));
    }
    is_loopback(&url).then(|| match (phone_origin(store), &demo.shared) {
        (Some(origin), _) => words.with("reach-shared-elsewhere", &[("origin", origin)]),
        (None, Some(_)) => words.text("reach-shared-here"),
        (None, None) => words.text("reach-this-machine"),
    })
}

/// The origin at which a demo serves its checkout pages to phones. Returns `None` if there is no
/// such origin, or if it is a loopback address, which phones cannot reach.
pub fn phone_origin(store: &Store) -> Option<&str> {
    let origin = store.setup.demo.as_ref()?.shared.as_deref()?;
    let is_reachable = url::Url::parse(origin).is_ok_and(|url| !is_loopback(&url));
    is_reachable.then_some(origin)
}

/// True if the URL is at the origin where the demo serves checkout pages to phones.
pub(super) fn is_shared(store: &Store, url: &url::Url) -> bool {
    let shared = store
        .setup
        .demo
        .as_ref()
        .and_then(|demo| demo.shared.as_deref());
    let shared = shared.and_then(|origin| url::Url::parse(origin).ok());
    shared.is_some_and(|shared| shared.origin() == url.origin())
}

/// True if the URL's host is a loopback address.
pub(super) fn is_loopback(url: &url::Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}
