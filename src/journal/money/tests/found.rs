//! Tests that a search finds a withdrawal by any text in its details.

use crate::journal::money::samples::*;
use crate::trade::withdrawal::Class;
use crate::trade::{Agreement, Money, Quote, Wall};

#[test]
fn withdrawal_found_by_the_description_in_its_body() {
    let (dir, mut journal) = new_journal();
    let json = r#"{"amount":2.00,"more":{"texts":["Contador, outubro \u00e1"]},"n":7}"#;
    let form = "amount=3.00&description=Aluguel+do+ateli%C3%AA";
    for (n, body) in [(1, json), (2, form)] {
        journal
            .prepare(
                Agreement {
                    body: body.into(),
                    ..agreement(n, 200)
                },
                None,
            )
            .unwrap();
    }
    let mut other = open(dir.path());
    for journal in [&mut journal, &mut other] {
        assert_eq!(search_keys(journal, "outubro A contad"), [key(1)]);
        assert_eq!(search_keys(journal, "do atelie"), [key(2)]);
        assert_eq!(
            search_keys(journal, "description"),
            [],
            "the name of a member is not shown"
        );
    }
    let brl = Money::from_centavos;
    let fee = Quote::new(brl(200), Some(brl(13)), Some(brl(187)), Wall(0)).ok();
    journal
        .prepare(
            Agreement {
                quote: fee,
                ..agreement(3, 200)
            },
            None,
        )
        .unwrap();
    assert_eq!(search_keys(&mut journal, "1,87"), [key(3)]);
}

#[test]
fn withdrawal_found_by_id_and_status_of_the_service() {
    let (dir, mut journal) = new_journal();
    prepare_and_attempt(&mut journal, 1, 100, confirmed());
    prepare_and_attempt(&mut journal, 2, 200, Class::DefiniteNo);
    let texts = ["w-1", "done"];
    let mut other = open(dir.path());
    for journal in [&mut journal, &mut other] {
        for text in texts {
            assert_eq!(search_keys(journal, text), [key(1)], "{text}");
        }
    }
}
