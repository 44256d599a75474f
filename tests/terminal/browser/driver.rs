//! A headless Chromium behind chromedriver, asked over HTTP in the words of the W3C.

use std::os::unix::process::CommandExt;

use serde_json::{Value, json};

use crate::support::http::exchange;
use crate::support::place::Place;
use crate::support::run::{Running, program};
use crate::support::tools::find;

/// The name under which the W3C's protocol hands out elements.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// One browser with one window; it is gone with the test.
pub struct Browser {
    driver: String,
    session: String,
    _process: Running,
}

impl Browser {
    /// Starts the driver on a free port, and the browser with a profile of this place, which shows
    /// pages as a small phone does: by touch, and no wider than it is.
    pub fn phone(place: &Place) -> Browser {
        let chromedriver = find("chromedriver").expect("chromedriver");
        let mut command = program(chromedriver.to_str().expect("a path"), place, &["--port=0"]);
        // The browser's starter is a shell script.
        command.env("PATH", "/usr/bin:/bin");
        // Of its own group, so that a Ctrl-C at the tests lets both end in order.
        command.process_group(0);
        let mut process = Running::start(command);
        let driver = loop {
            let line = process.lines.next().expect("a line").expect("text");
            if let Some((_, port)) = line.rsplit_once("successfully on port ") {
                break format!("127.0.0.1:{}", port.trim_end_matches('.'));
            }
        };
        let screen = json!({ "width": 320, "height": 568, "pixelRatio": 2, "touch": true });
        let options = json!({
            "mobileEmulation": { "deviceMetrics": screen },
            "binary": find("chromium"),
            "args": arguments(place),
        });
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": options,
            // A page is there when it is drawn.
            "pageLoadStrategy": "normal",
        } } });
        let (status, made) = exchange(&driver, "POST", "/session", None, Some(&wanted));
        assert_eq!(status, 200, "{made}");
        let session = made["value"]["sessionId"].as_str().expect("a session").to_owned();
        let browser = Browser { driver, session, _process: process };
        // How long an element may take to appear after a click or a page's change.
        browser.post("/timeouts", &json!({ "implicit": 10_000 }));
        browser
    }

    /// Opens a page and waits until it is loaded.
    pub fn open(&self, url: &str) {
        self.post("/url", &json!({ "url": url }));
    }

    /// What the address bar says.
    pub fn address(&self) -> String {
        text_of(&self.get("/url"))
    }

    /// The text that is seen of the one element that fits.
    pub fn text(&self, selector: &str) -> String {
        let element = self.element(selector);
        text_of(&self.get(&format!("/element/{element}/text")))
    }

    /// What this JavaScript returns, now.
    pub fn evaluate(&self, script: &str) -> Value {
        self.post("/execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// Clicks the element, as a mouse does: it must be seen and nothing may cover it.
    pub fn click(&self, selector: &str) {
        let element = self.element(selector);
        self.post(&format!("/element/{element}/click"), &json!({}));
    }

    /// Waits until such an element is there.
    pub fn wait_for(&self, selector: &str) {
        self.element(selector);
    }

    #[track_caller]
    fn element(&self, selector: &str) -> String {
        let wanted = json!({ "using": "css selector", "value": selector });
        text_of(&self.post("/element", &wanted)[ELEMENT])
    }

    #[track_caller]
    fn get(&self, path: &str) -> Value {
        self.ask("GET", path, None)
    }

    #[track_caller]
    fn post(&self, path: &str, body: &Value) -> Value {
        self.ask("POST", path, Some(body))
    }

    #[track_caller]
    fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Value {
        let path = format!("/session/{}{path}", self.session);
        let (status, mut reply) = exchange(&self.driver, method, &path, None, body);
        assert_eq!(status, 200, "{method} {path}: {reply}");
        reply["value"].take()
    }
}

/// The browser ends before its driver, which would leave it behind.
impl Drop for Browser {
    fn drop(&mut self) {
        let path = format!("/session/{}", self.session);
        let ended = std::panic::catch_unwind(|| {
            exchange(&self.driver, "DELETE", &path, None, None);
        });
        // A driver that is gone has taken its browser with it.
        drop(ended);
    }
}

/// Nothing of a person's own, and no talk with anybody but the page.
fn arguments(place: &Place) -> Vec<String> {
    let profile = place.home().join("browser");
    let quiet = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--no-default-browser-check",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-default-apps",
        "--disable-extensions",
        "--disable-sync",
        "--no-proxy-server",
        "--window-size=800,600",
    ];
    let mut arguments: Vec<String> = quiet.map(String::from).into();
    arguments.push(format!("--user-data-dir={}", profile.display()));
    arguments
}

#[track_caller]
fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("text, not {value}")).to_owned()
}
