//! Tests `balcao requests check`, which searches a file of exported requests for texts.

use super::support::place::TestHome;
use super::support::run;

/// Runs the check with this file and these texts, and returns the exit code and the output.
fn checked(file: &str, texts: &[&str], input: &str) -> (Option<i32>, String) {
    let place = TestHome::new();
    let path = place.home().join("a.har");
    std::fs::write(&path, file).expect("a file");
    let path = path.to_str().expect("a path");
    let args = [&["--lang", "en", "requests", "check", path], texts].concat();
    let output = run::fed(&mut run::command(&place, &args), input);
    let said = String::from_utf8([output.stdout, output.stderr].concat()).expect("text");
    (output.status.code(), said.replace(path, "a.har"))
}

#[test]
fn absent_text_is_reported_with_exit_code_0() {
    let (code, said) = checked(r#"{"log":{"a":"‹cpf 1›"}}"#, &["529.982.247-25"], "");
    assert_eq!((code, &*said), (Some(0), "Not found: the text is not in a.har.\n"));
    let (code, said) = checked("", &["529.982.247-25", "-"], "ana@loja.example\n\n");
    assert_eq!((code, &*said), (Some(0), "Not found: none of the 2 texts is in a.har.\n"));
}

#[test]
fn found_text_is_reported_with_its_places() {
    let file =
        r#"{"log":{"entries":[{"url":"https://a.b/52998224725"},"YW5hQGxvamEuZXhhbXBsZQ=="]}}"#;
    let (code, said) = checked(file, &["-"], "529.982.247-25\nana@loja.example\n");
    let wanted = "Found in a.har:\n  text 1: log.entries[0].url (as plain text)\n  \
                  text 2: log.entries[1] (in base64)\n";
    assert_eq!((code, &*said), (Some(1), wanted));
    let (code, said) = checked("x\n52998224725\n".repeat(30).as_str(), &["529.982.247-25"], "");
    assert_eq!(code, Some(1));
    assert!(said.contains("  text 1: line 2 (as plain text)\n"), "{said}");
    assert!(said.ends_with("  and in 10 more places\n"), "{said}");
    assert!(!said.contains("529"), "the text is repeated: {said}");
}

#[test]
fn short_text_is_refused_with_an_example() {
    for texts in [&["12"][..], &["529.982.247-25", "1.2"], &["-"]] {
        let (code, said) = checked("12", texts, "");
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("529.982.247-25"), "{said}");
    }
}
