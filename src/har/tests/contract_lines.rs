//! Tests that masked contract settings have no private data and are still valid.

use super::*;

#[test]
fn free_text_of_a_contract_line_is_masked() {
    for (lines, personal) in [
        (
            "create_link.path = '/api/123456/links?loja=777&x=Ana'",
            "123456 777 Ana",
        ),
        (
            "create_link.url = ['/joão/url', '/123456/url', '/a.b@c/url']",
            "123456 a.b",
        ),
        ("withdrawal.key_header = 'X-Chave-123456'", "123456"),
        ("withdrawal.key_in_body = '/meta/chave-99999'", "99999"),
        ("create_link.amount = 'valor 1'", "valor"),
        ("create_link.amount = 'dados/valor123456'", "123456"),
        ("withdrawal.field.key.name = 'chave.pix'", "chave"),
        (
            "withdrawal.field.key_kind.words = { cpf = 'Ana', cnpj = 'tipo.2' }",
            "Ana tipo",
        ),
        (
            "withdrawal.retention_seconds = 900\n\
             withdrawal.retention_source = 'Ana disse a Bia'",
            "Ana Bia disse",
        ),
        ("withdrawal.retention_source = '/Ana/Bia'", "Ana Bia"),
        ("request.headers = ['X-Store-123456: 12']", "123456"),
        (
            "credential.api-token.headers = ['Authorization: Loja123456 {}']",
            "Loja",
        ),
        (
            "credential.api-token.headers = ['X-Chave-123456: Ana{1}', 'X-Senha: {2}!Bia']",
            "123456 Ana Bia",
        ),
        (
            "login.body = ['email', 'password', 'x1234']\n[login.field.x1234]\nname = 'loja'\n\
             kind = 'choice'\nchoices = ['Ana', '123456']\n\
             label = { pt-BR = 'da Bia', en = 'of Bia' }",
            "1234 Ana Bia",
        ),
        ("withdrawal.field.description.pattern = 'Ana Bi'", "Ana"),
        ("create_link.failed_words = ['não', 'Ana']", "não Ana"),
        (
            "domains.pages = 'cursor'\ndomains.page_parameter = 'c12345'\n\
             domains.next_page = ['/next/1234']",
            "1234",
        ),
        ("login.token_header = 'X-Token-1234'", "1234"),
    ] {
        let contract = Contract::with(&[("c", lines)]).unwrap_or_else(|e| panic!("{e}"));
        let mut mask = StrictMask::new(&contract, &[]);
        let shared = contract.shared_settings();
        let masked: Vec<_> = shared
            .iter()
            .map(|line| mask.mask_contract_line(&line.text))
            .collect();
        let masked = masked.join("\n");
        if let Err(error) = Contract::with(&[("har", &masked)]) {
            panic!("{error}\n{masked}");
        }
        for personal in personal.split(' ') {
            assert!(!masked.contains(personal), "{personal} in {masked}");
        }
    }
}

#[test]
fn words_of_the_built_in_contract_are_kept() {
    for line in CONTRACT.settings().keys() {
        let last = line.rsplit('.').next().unwrap();
        let is_list = ["active_words", "failed_words", "choices"].contains(&last);
        if is_list || line.contains(".words.") {
            let line = CONTRACT.settings()[line].toml_text(line);
            assert_eq!(
                mask().mask_contract_line(&line),
                line.replace("\", \"", "\",\"")
            );
        }
    }
}

#[test]
fn place_of_the_default_domain_is_no_free_text() {
    let line = r#"domains.default = ["/isDefault","/data/url"]"#;
    assert_eq!(mask().mask_contract_line(line), line);
}

#[test]
fn own_word_has_equal_masks_in_line_and_reply() {
    let lines = "create_link.failed_words = ['nada da ana']";
    let contract = Contract::with(&[("c", lines)]).unwrap();
    let mut mask = StrictMask::new(&contract, &[]);
    let line = mask.mask_contract_line(&contract.shared_settings()[0].text);
    assert_eq!(
        line,
        "create_link.failed_words = [\"‹text 1, 11 letters›\"]"
    );
    assert_eq!(
        mask.mask_body(r#"{"s":"NADA da Ana"}"#),
        r#"{"s":"‹text 1, 11 letters›"}"#
    );
}
