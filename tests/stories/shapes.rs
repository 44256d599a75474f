//! Tests of services whose API has another shape than the built-in API contract. The seller
//! connects the app to such a service by teaching alone, with few key presses.

mod seller;
mod table;

use std::collections::BTreeSet;

use balcao::sandbox::bank::amount::Amount;
use balcao::sandbox::{DomainSetup, FeeRule, Scene};
use rust_decimal::Decimal;

use self::seller::{Answer, Documentation, Input, PIX_KEY, Seller};

/// The texts on the page of a withdrawal in the states that end an attempt.
const UNKNOWN: &str = "RESULTADO DESCONHECIDO";
const ACCEPTED: &str = "ACEITO PELO SERVIÇO";

const SNAKE: Documentation = Documentation {
    places: &[
        ("líquido", "receivable_amount"),
        ("taxa", "cost"),
        ("código do saque", "payout_code"),
        ("estado", "state"),
    ],
    answers: &[],
    starts_with_domains: false,
};

const CENTAVOS: Documentation = Documentation {
    places: &[("lista de domínios", "domains"), ("ativo", "active")],
    answers: &[Answer {
        cue: "O serviço leu",
        footer: "Ctrl-S responder",
        inputs: &[Input::Keys("Right Right Ctrl-S")],
        wrong_keys: Some("Right Ctrl-S"),
    }],
    starts_with_domains: false,
};

const BARE: Documentation = Documentation {
    places: &[("taxa", "cost")],
    answers: &[],
    starts_with_domains: false,
};

/// Returns a scene in which withdrawals cost ten per cent. Then the figures of a fee preview are
/// plausible in both units.
fn scene_with_percentage() -> Scene {
    let fee = FeeRule {
        fixed: Amount::ZERO,
        percent: Decimal::TEN,
    };
    Scene {
        fee,
        ..Scene::default()
    }
}

/// Returns a scene with domains that can all be used.
fn scene_with_active_domains() -> Scene {
    let mut scene = Scene::default();
    scene
        .domains
        .retain(|domain| domain.state == DomainSetup::Active);
    scene
}

impl Seller {
    /// Does the tasks of a seller in the first hour, and closes the app: logs in, looks at the
    /// domains, creates a payment link, and makes two withdrawals, of R$ 10,00 and of R$ 100,00.
    /// `nets` are their net amounts. The second withdrawal must be accepted without a decision of
    /// the seller. Returns the number of control keys: all pressed keys except the characters of
    /// typed data.
    ///
    /// `first_payout` is the amount that the first withdrawal pays. It is smaller than the ordered
    /// amount if the seller answers the question about the unit wrongly.
    async fn assert_all_tasks_work(mut self, nets: [&str; 2], first_payout: &str) -> usize {
        self.open_first_withdrawal(nets[0]).await;
        if self.send_withdrawal("1000", &[UNKNOWN, ACCEPTED]).await == 0 {
            self.decide_unknown().await;
        }
        self.repeat_withdrawal("10000", nets[1]).await;
        // A seller who did not teach what an empty reply means decides again.
        if self.send_withdrawal("10000", &[ACCEPTED, UNKNOWN]).await == 1 {
            assert!(self.errs, "{}", self.app.screen().text());
            self.decide_unknown().await;
        }

        let ledger = self.env.ledger();
        let payouts = ledger.payouts.iter();
        let amounts_and_keys: Vec<_> = payouts
            .clone()
            .map(|payout| (payout.amount.to_string(), &*payout.pix_key))
            .collect();
        assert_eq!(
            amounts_and_keys,
            [
                (first_payout.to_owned(), PIX_KEY),
                ("100.00".into(), PIX_KEY)
            ]
        );
        let keys: BTreeSet<_> = payouts.map(|payout| &payout.key).collect();
        assert_eq!(keys.len(), 2, "one payout for each idempotency key");
        self.app.close().await;
        self.control_keys
    }

    /// Does the tasks of a seller until the service has refused a withdrawal, and closes the app.
    /// The screen must show this sentence about the refusal.
    async fn assert_withdrawal_is_refused(mut self, sentence: &str, net: &str) {
        self.open_first_withdrawal(net).await;
        self.send_withdrawal("1000", &[sentence]).await;
        assert!(self.env.ledger().payouts.is_empty());
        self.app.close().await;
    }

    async fn open_first_withdrawal(&mut self, net: &str) {
        self.log_in().await;
        self.see_domains_and_make_link().await;
        self.fill_in_withdrawal("1000", net).await;
    }
}

macro_rules! at_services {
    ($(
        $test:ident, $erring_test:ident:
            $seller:expr, $nets:expr, $max_keys:literal, $first_payout:literal;
    )*) => {
        $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $test() {
            let keys = $seller.await.assert_all_tasks_work($nets, "10.00").await;
            assert!(keys <= $max_keys, "{keys} keys");
        }

        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $erring_test() {
            $seller.await.erring().assert_all_tasks_work($nets, $first_payout).await;
        })*
    };
}

at_services! {
    snake_service_is_reached, erring_seller_reaches_snake_service:
        Seller::arrive(include_str!("shapes/snake.toml"), Scene::default(), SNAKE),
        ["R$ 8,89", "R$ 97,95"], 31, "10.00";
    centavos_service_is_reached, erring_seller_reaches_centavos_service:
        Seller::arrive(include_str!("shapes/centavos.toml"), scene_with_percentage(), CENTAVOS),
        ["R$ 9,00", "R$ 90,00"], 25, "0.10";
    bare_service_is_reached, erring_seller_reaches_bare_service:
        Seller::arrive(include_str!("shapes/bare.toml"), scene_with_active_domains(), BARE),
        ["R$ 8,89", "R$ 97,95"], 28, "10.00";
}
