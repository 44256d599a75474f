//! Tests of the scripts of stories.

use super::*;
use crate::app::store::story::Story;
use crate::app::ui::input::Size;
use crate::app::ui::keys::Keymap;
use crate::words::Lang;

#[test]
fn built_in_captions_fit_the_smallest_window() {
    let script = parse_script(BUILT_IN).unwrap();
    let keys = Keymap::from_table(&crate::config::built_in_keys()).unwrap();
    assert!(!script.links.is_empty());
    let captions: Vec<_> = script
        .steps
        .iter()
        .filter_map(|step| step.caption.as_ref())
        .collect();
    assert!(!captions.is_empty());
    assert!(
        captions
            .iter()
            .all(|caption| caption.pt.is_some() && caption.en.is_some()),
        "{captions:?}"
    );
    for (caption, lang) in captions
        .iter()
        .flat_map(|caption| [Lang::Pt, Lang::En].map(|lang| (caption, lang)))
    {
        for (columns, rows) in [(60, 18), (80, 24), (120, 36)] {
            let mut story = Story::default();
            story.notify(&caption.text(&keys), (17, 17));
            let lines = story.lines(lang, Size { columns, rows }, 8);
            assert!(!lines.join("").contains('…'), "{lines:#?}");
        }
    }
}

#[test]
fn built_in_story_has_five_chapters() {
    let script = parse_script(BUILT_IN).unwrap();
    assert!(script.steps[0].chapter);
    assert_eq!(script.steps.iter().filter(|step| step.chapter).count(), 5);
    // At the end of the chapter about a lost reply, the audience sees the bank's side.
    let is_end = |step: &&ScriptStep| step.after == StepTrigger::PaidOnce;
    let caption = script
        .steps
        .iter()
        .find(is_end)
        .unwrap()
        .caption
        .as_ref()
        .unwrap();
    assert!(
        caption.pt.as_ref().unwrap().contains("o banco pagou 1 vez"),
        "{caption:?}"
    );
    assert!(
        caption
            .en
            .as_ref()
            .unwrap()
            .contains("the bank paid 1 time"),
        "{caption:?}"
    );
}

#[test]
fn built_in_story_can_play_by_itself() {
    let script = parse_script(BUILT_IN).unwrap();
    let mut before: &[StoryKey] = &[];
    for step in &script.steps {
        let waits = !matches!(step.after, StepTrigger::Time(_));
        assert!(!waits || !before.is_empty(), "no key leads to {step:#?}");
        assert!(
            step.until.is_none() || !step.keys.is_empty(),
            "no key ends {step:#?}"
        );
        before = &step.keys;
    }
    let keys = script.steps.iter().flat_map(|step| &step.keys);
    let keymap = Keymap::from_table(&crate::config::built_in_keys()).unwrap();
    for key in keys {
        let StoryKey::Action(action) = key else {
            continue;
        };
        assert!(!keymap.keys(*action).is_empty(), "{action:?}");
    }
}

#[test]
fn step_reads_its_wait_action_and_caption() {
    let text = r#"
            [[step]]
            caption = { pt-BR = "Olá", en = "Hello" }
            [[step]]
            after = "300ms"
            fault = "lose-answer"
            [[step]]
            after = "2min"
            domain = "loja.localhost = ssl-pending"
            [[step]]
            after = "link"
            pay = "last link"
            caption = { en = "Paid" }
            until = "copy"
            [[step]]
            after = "5s"
            follows = true
            pay = "last link"
        "#;
    let script = Script::of_file(text).unwrap();
    let steps = &script.parsed().steps;
    let triggers: Vec<_> = steps
        .iter()
        .map(|step| (step.after, &step.action))
        .collect();
    let host = "loja.localhost".to_owned();
    let lost_reply = faults::find_rule("lose-answer").map(StoryAction::Fault);
    let domain = Some(StoryAction::Domain {
        host,
        state: DomainSetup::SslPending,
    });
    assert_eq!(
        triggers,
        [
            (StepTrigger::Time(Duration::ZERO), &None),
            (StepTrigger::Time(Duration::from_millis(300)), &lost_reply),
            (StepTrigger::Time(Duration::from_secs(120)), &domain),
            (
                StepTrigger::Answered(BankOperation::CreateLink),
                &Some(StoryAction::PayLastLink)
            ),
            (
                StepTrigger::Time(Duration::from_secs(5)),
                &Some(StoryAction::PayLastLink)
            ),
        ]
    );
    let until: Vec<_> = steps
        .iter()
        .map(|step| (step.until, step.follows))
        .collect();
    let copied = (Some(StepTrigger::Seller(SellerEvent::Copy)), false);
    assert_eq!(until[2..], [(None, false), copied, (None, true)]);
    let keys = Keymap::default();
    let caption_text = |n: usize, lang| steps[n].caption.as_ref().unwrap().words(lang, &keys);
    assert_eq!(
        (caption_text(0, Lang::Pt), caption_text(0, Lang::En)),
        ("Olá".into(), "Hello".into())
    );
    assert_eq!(caption_text(3, Lang::Pt), "Paid", "better than nothing");
}

#[test]
fn script_without_links_has_the_built_in_links() {
    let script = Script::of_file("[[step]]\npay = 'last link'").unwrap();
    assert_eq!(
        script.parsed().links.len(),
        Script::built_in().parsed().links.len()
    );
    let link = "[[link]]\nminutes = 5\namount = '1.00'\ndescription = 'x'\n";
    let script = Script::of_file(&format!("{link}[[step]]\npay = 'last link'")).unwrap();
    assert_eq!(script.parsed().links.len(), 1);
}

#[test]
fn errors_name_the_line_and_the_nearest_name() {
    let long = format!("[[step]]\ncaption = {{ en = '{}' }}", "x ".repeat(72));
    for (text, parts) in [
        (
            "[[step]]\nfault = 'lose-anser'",
            &["line 2", "did you mean `lose-answer`?"][..],
        ),
        (
            "[[step]]\nfault = 'banana'",
            &["line 2", "banana", "other-amount"],
        ),
        (
            "[[step]]\npay = 'last link'\nafter = 'widrawal'",
            &["line 3", "`withdrawal`?"],
        ),
        (
            "[[step]]\npay = 'last link'\nuntil = 'copi'",
            &["line 3", "until", "`copy`?"],
        ),
        (
            "[[step]]\npay = 'last link'\nafter = '5 parsecs'",
            &["line 3", "\"5s\""],
        ),
        ("[[step]]\npay = 'last link'\nafter = '-5s'", &["line 3"]),
        (
            "[[step]]\npay = 'last link'\nkeys = ['{nwe}']",
            &["line 3", "`new`?"],
        ),
        ("[[step]]\n\ndomain = 'a.b=ssl'", &["line 3", "ssl-pending"]),
        (
            "[[step]]\n\ndomain = 'a.b'",
            &["line 3", "host=ssl-pending"],
        ),
        ("[[step]]\npay = 'link'", &["line 2", "last link"]),
        ("\n[[step]]\nafter = '1s'", &["line 2", "does nothing"]),
        (
            "[[step]]\npay = 'last link'\nfault = 'slow'",
            &["line 1", "at a time"],
        ),
        ("[[step]]\nfautl = 'slow'", &["line 2", "fautl", "`fault`"]),
        ("[[step]]\ncaption = { pt = 'x' }", &["line 2", "pt-BR"]),
        (&long, &["line 2", "3 rows of 71 columns", "at most 2"]),
        ("", &["no [[step]]"]),
    ] {
        let error = Script::of_file(text).unwrap_err().to_string();
        for part in parts {
            assert!(error.contains(part), "{part:?} is not in {error:?}");
        }
    }
}

fn keys(overrides: &str) -> Keymap {
    let mut table = config::built_in_keys();
    let overrides: crate::trade::KeyTable = toml::from_str(overrides).unwrap();
    for (place, rows) in overrides {
        table.entry(place).or_default().extend(rows);
    }
    Keymap::from_table(&table).unwrap()
}

fn caption(words: &str) -> Caption {
    Caption {
        pt: Some(words.into()),
        en: None,
    }
}

#[test]
fn caption_names_the_keys_of_the_seller() {
    let caption_text =
        |overrides| caption("{withdrawals}, depois {new}.").words(Lang::En, &keys(overrides));
    assert_eq!(caption_text(""), "3, depois n.");
    assert_eq!(
        caption_text("[lists]\nnew = ['S', 'n']\n[anywhere]\nwithdrawals = ['F3']"),
        "F3, depois S."
    );
    assert_eq!(
        caption_text("[lists]\nnew = []"),
        "3, depois Ctrl-K.",
        "the palette has everything"
    );
}

#[test]
fn caption_with_unknown_action_or_too_long_refused() {
    let error = caption("{nwe}").validated().unwrap_err();
    assert!(
        error.contains("`nwe`") && error.contains("`new`"),
        "{error}"
    );
    let max_columns = MAX_ROWS * CAPTION_COLUMNS - KEY_HINT_COLUMNS;
    assert!(caption(&"x".repeat(max_columns)).validated().is_ok());
    assert!(
        caption(&"x".repeat(max_columns + 1)).validated().is_err(),
        "it has a key beside it"
    );
    let long_names = caption(&"{withdrawals}".repeat(CAPTION_COLUMNS));
    assert_eq!(
        long_names
            .validated()
            .unwrap()
            .words(Lang::Pt, &keys(""))
            .len(),
        CAPTION_COLUMNS
    );
    assert_eq!(
        caption("{ and }").words(Lang::Pt, &keys("")),
        "{ and }",
        "no action's name"
    );
}
