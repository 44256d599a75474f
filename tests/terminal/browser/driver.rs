//! Controls a headless Chromium through chromedriver (W3C WebDriver over HTTP).

use std::os::unix::process::CommandExt;

use serde_json::{Value, json};

use crate::support::http::send_request;
use crate::support::place::TestHome;
use crate::support::run::{BackgroundProgram, program};
use crate::support::tools::program_path;

/// The JSON member that contains an element's id in the WebDriver protocol.
const ELEMENT_KEY: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A browser with one window. It is closed when this value is dropped.
pub struct Browser {
    driver: String,
    session: String,
    _process: BackgroundProgram,
}

impl Browser {
    /// Starts chromedriver on a free port, and a browser that simulates a small phone with a touch
    /// screen.
    pub fn phone(home: &TestHome) -> Browser {
        let mut command = program(&program_path("chromedriver"), home, &["--port=0"]);
        // The script that starts the browser needs system programs in `PATH`.
        command.env("PATH", "/usr/bin:/bin");
        // In its own process group, chromedriver survives Ctrl-C in the terminal, so that `drop`
        // can still close the browser.
        command.process_group(0);
        let mut process = BackgroundProgram::start(command);
        let driver = loop {
            let line = process.lines.next().expect("a line").expect("text");
            if let Some((_, port)) = line.rsplit_once("successfully on port ") {
                break format!("127.0.0.1:{}", port.trim_end_matches('.'));
            }
        };
        let screen = json!({ "width": 320, "height": 568, "pixelRatio": 2, "touch": true });
        let options = json!({
            "mobileEmulation": { "deviceMetrics": screen },
            "binary": program_path("chromium"),
            "args": arguments(home),
        });
        let request = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": options,
            // With this strategy, opening a page waits until all its resources are loaded.
            "pageLoadStrategy": "normal",
        } } });
        let (status, session_reply) =
            send_request(&driver, "POST", "/session", None, Some(&request));
        assert_eq!(status, 200, "{session_reply}");
        let session = session_reply["value"]["sessionId"]
            .as_str()
            .expect("a session")
            .to_owned();
        let browser = Browser {
            driver,
            session,
            _process: process,
        };
        // Wait up to 10 s for an element to appear.
        browser.post("/timeouts", &json!({ "implicit": 10_000 }));
        browser
    }

    pub fn open(&self, url: &str) {
        self.post("/url", &json!({ "url": url }));
    }

    /// Returns the URL in the address bar.
    pub fn address(&self) -> String {
        text_of(&self.get("/url"))
    }

    /// Returns the visible text of the first element that matches the selector.
    pub fn text(&self, selector: &str) -> String {
        let element = self.element(selector);
        text_of(&self.get(&format!("/element/{element}/text")))
    }

    /// Runs JavaScript and returns its result.
    pub fn evaluate(&self, script: &str) -> Value {
        self.post("/execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// Clicks the first element that matches the selector. Fails if it is hidden or covered.
    pub fn click(&self, selector: &str) {
        let element = self.element(selector);
        self.post(&format!("/element/{element}/click"), &json!({}));
    }

    /// Waits until an element matches the selector.
    pub fn wait_for(&self, selector: &str) {
        self.element(selector);
    }

    #[track_caller]
    fn element(&self, selector: &str) -> String {
        let request = json!({ "using": "css selector", "value": selector });
        text_of(&self.post("/element", &request)[ELEMENT_KEY])
    }

    #[track_caller]
    fn get(&self, path: &str) -> Value {
        self.send_command("GET", path, None)
    }

    #[track_caller]
    fn post(&self, path: &str, body: &Value) -> Value {
        self.send_command("POST", path, Some(body))
    }

    #[track_caller]
    fn send_command(&self, method: &str, path: &str, body: Option<&Value>) -> Value {
        let path = format!("/session/{}{path}", self.session);
        let (status, mut reply) = send_request(&self.driver, method, &path, None, body);
        assert_eq!(status, 200, "{method} {path}: {reply}");
        reply["value"].take()
    }
}

/// Closes the browser, which would continue to run if only chromedriver was killed.
impl Drop for Browser {
    fn drop(&mut self) {
        let path = format!("/session/{}", self.session);
        let ended = std::panic::catch_unwind(|| {
            send_request(&self.driver, "DELETE", &path, None, None);
        });
        // Ignore errors, because there is nothing left to close without chromedriver.
        drop(ended);
    }
}

/// Returns the browser's arguments: a new profile, and no network traffic except for the page.
fn arguments(home: &TestHome) -> Vec<String> {
    let profile = home.home_dir().join("browser");
    let flags = [
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
    let mut arguments: Vec<String> = flags.map(String::from).into();
    arguments.push(format!("--user-data-dir={}", profile.display()));
    arguments
}

#[track_caller]
fn text_of(value: &Value) -> String {
    value
        .as_str()
        .unwrap_or_else(|| panic!("text, not {value}"))
        .to_owned()
}
