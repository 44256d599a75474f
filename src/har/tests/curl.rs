//! The curl commands of exported requests.

use super::*;

fn command_of(exchange: &Exchange) -> String {
    command(exchange, &CONTRACT, &mut mask(), WORDS)
}

#[test]
fn withdrawal_has_variables_and_a_warning() {
    let curl = command_of(&withdrawal());
    let expected = "# Don’t run this  it’s  dangerous \n\
        #   pay twice \n\
        : \"${WITHDRAWAL_CODE:?KEY}\" && curl --globoff --request 'POST' \
        --url 'https://api.example/api/v1/integrations/withdrawals' \\\n  \
        --header 'content-type: application/json' \\\n  \
        --header 'authorization: Bearer '\"$BALCAO_TOKEN\" \\\n  \
        --header 'idempotency-key: '\"${WITHDRAWAL_CODE:?KEY}\"'' \\\n  \
        --data-raw '{\"amount\":10.10,\"pixKeyType\":\"cpf\",\"pixKey\":\"'\
        \"${DESTINATION:?DESTINATION}\"'\"}'\n";
    assert_eq!(curl, expected);
}

#[test]
fn credential_in_two_headers_uses_both_parts() {
    let lines = "credential.api-token.headers = ['X-Id: {1}', 'X-Key: k{2}!']";
    let contract = Contract::with(&[("c", lines)]).unwrap();
    let headers =
        [("x-id", "\u{FDEF}"), ("x-key", "k\u{FDEF}!")].map(|(n, v)| (n.to_owned(), v.to_owned()));
    let fee = Exchange {
        request_headers: headers.into(),
        ..exchange(Operation::FeePreview, "https://a.example/")
    };
    let curl = command(&fee, &contract, &mut mask(), WORDS);
    assert!(curl.contains("'x-id: '\"${BALCAO_TOKEN%%:*}\""), "{curl}");
    assert!(
        curl.contains("'x-key: k'\"${BALCAO_TOKEN#*:}\"'!'"),
        "{curl}"
    );
    assert!(!curl.contains('#') || !curl.starts_with('#'), "{curl}");
}

mod in_a_shell;

/// Splits a command into words like a shell. Only the kinds of quoting in exported commands are
/// supported.
fn shell_words(command: &str) -> Vec<String> {
    let mut words = vec![];
    let mut word = None::<String>;
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match c {
            '\'' => {
                let word = word.get_or_insert_default();
                word.extend(chars.by_ref().take_while(|c| *c != '\''));
            }
            '\\' => match chars.next() {
                Some('\n') => {}
                Some(c) => word.get_or_insert_default().push(c),
                None => panic!("a backslash at the end"),
            },
            ' ' => words.extend(word.take()),
            '\n' => assert_eq!(chars.next(), None, "a line break outside of quotes"),
            c => {
                assert!(
                    c.is_ascii_alphanumeric() || "-\"$_".contains(c),
                    "unquoted: {c}"
                );
                word.get_or_insert_default().push(c);
            }
        }
    }
    words.extend(word);
    words
}

proptest! {
    #[test]
    fn hostile_text_never_leaves_its_quotes(
        url in "(https?://)?[\\PC\n\r'\"$`\\\\]{0,30}",
        name in "[\\PC\n'$;:]{0,10}",
        body in "[\\PC\n\r'\"$`\\\\{}:]{0,30}",
    ) {
        let link = Exchange {
            request_headers: vec![(name, body.clone())],
            request_body: Some(body),
            ..exchange(Operation::CreateLink, &url)
        };
        let curl = command_of(&link);
        let lines = curl.replace(" \\\n", "");
        prop_assert!(!lines.trim_end().contains(char::is_control), "{}", curl);
        let words = shell_words(&curl);
        prop_assert_eq!(&words[..3], ["curl", "--globoff", "--request"]);
        prop_assert_eq!((words.len(), &*words[6], &*words[8]), (10, "--header", "--data-raw"));
    }
}
