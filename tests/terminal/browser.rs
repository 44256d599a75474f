//! Tests the sandbox's checkout page in a real browser, as a buyer would use it.

mod driver;

mod needs_tools {
    use serde_json::json;

    use super::driver::Browser;
    use crate::support::bank::Bank;
    use crate::support::http::send_request;
    use crate::support::place::TestHome;
    use crate::support::tools::has_tools;

    /// Creates a payment link of R$ 1.234,56 through the API, and returns its URL.
    fn create_link(bank: &Bank, description: &str) -> String {
        let body = json!({ "amount": 1234.56, "description": description });
        let jwt = bank.jwt();
        let path = "/api/v1/payment-links";
        let (status, link) = send_request(&bank.address(), "POST", path, Some(&jwt), Some(&body));
        assert_eq!(status, 201, "{link}");
        link["url"].as_str().expect("a url").to_owned()
    }

    /// A script that returns six numbers in CSS pixels: the width of the page, the width of the
    /// window, and the left, right, top and bottom edges of the button.
    const MEASURE_SCRIPT: &str =
        "const button = document.querySelector('button').getBoundingClientRect();
        const page = document.documentElement;
        return [page.scrollWidth, innerWidth, button.left, button.right, button.top, button.bottom]
            .map(Math.round);";

    #[test]
    fn phone_page_fits_the_screen_and_pays_with_a_tap() {
        if !has_tools(&["chromium", "chromedriver"]) {
            return;
        }
        let home = TestHome::new();
        let mut bank = Bank::open();
        let shared = bank.share();
        // The description contains a very long word without a place to wrap.
        let url = create_link(&bank, &format!("Encomenda {}", "x7".repeat(40)));
        assert!(
            url.starts_with(&format!("http://{shared}/checkout/")),
            "{url}"
        );
        let browser = Browser::phone(&home);
        browser.open(&url);
        let measures = browser.evaluate(MEASURE_SCRIPT);
        let measures: Vec<i64> = serde_json::from_value(measures).expect("numbers");
        let [page, window, left, right, top, bottom] = measures[..] else {
            panic!("{measures:?}")
        };
        assert_eq!(
            (page, window),
            (320, 320),
            "the page is as wide as the phone: {measures:?}"
        );
        assert!(
            left >= 0 && right <= window && right - left >= 200,
            "{measures:?}"
        );
        assert!(bottom - top >= 48, "a thumb finds it: {measures:?}");
        assert!(bottom <= 568, "it is there without scrolling: {measures:?}");

        browser.click("button");
        browser.wait_for("[role=status]");
        assert!(
            browser
                .text("[role=status]")
                .contains("Pagamento confirmado")
        );
        assert_eq!(browser.address(), url);
        assert_eq!(bank.ledger().payments.len(), 1, "once");
        // The shared address serves only checkout pages, so the sandbox's ledger must not be found
        // there.
        browser.open(&format!("http://{shared}/_sandbox/ledger"));
        assert_eq!(browser.text("body").trim(), "404");
    }
}
