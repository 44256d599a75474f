//! Ten more shapes as a table: the choices of a service in what the API documentation does not
//! show. The seller reaches the service by teaching alone, or reads why this is not possible.

use std::collections::BTreeSet;

use balcao::sandbox::Scene;

use super::seller::{Answer, Documentation, Input, Seller};

/// A shape of a service's API, and how far a seller gets by teaching alone.
struct Shape {
    /// The sandbox dialect of this shape.
    dialect: &'static str,
    /// The envelope of replies.
    envelope: &'static str,
    /// The case and language of names.
    case: &'static str,
    amounts: &'static str,
    /// The words for the kinds of Pix keys.
    kinds: &'static str,
    errors: &'static str,
    /// How the list of domains is split into pages.
    pages: &'static str,
    credentials: &'static str,
    documentation: Documentation,
    end: End,
}

/// How far the seller gets.
enum End {
    /// All tasks are done, and both withdrawals were paid as ordered.
    Reached,
    /// The screen shows this sentence, and nothing was paid.
    Refused(&'static str),
}

const NOTHING: Documentation = Documentation {
    places: &[],
    answers: &[],
    starts_with_domains: false,
};

/// A service that is documented as the built-in API contract assumes.
const USUAL: Shape = Shape {
    dialect: "",
    envelope: "none",
    case: "camel",
    amounts: "number",
    kinds: "cpf",
    errors: "message",
    pages: "none",
    credentials: "pasted JWT",
    documentation: NOTHING,
    end: End::Reached,
};

/// Does all tasks of a seller at a service of this shape, or reads the sentence that refuses it.
async fn assert_end(shape: &Shape) {
    let seller = Seller::arrive(shape.dialect, Scene::default(), shape.documentation).await;
    match shape.end {
        End::Reached => {
            seller
                .assert_all_tasks_work(["R$ 8,89", "R$ 97,95"], "10.00")
                .await;
        }
        End::Refused(sentence) => {
            seller
                .assert_withdrawal_is_refused(sentence, "R$ 8,89")
                .await
        }
    }
}

macro_rules! in_shapes {
    ($($test:ident: $shape:expr;)*) => {
        static SHAPES: [Shape; 10] = [$($shape),*];

        $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $test() {
            static SHAPE: Shape = $shape;
            assert_end(&SHAPE).await;
        })*
    };
}

in_shapes! {
    pascal_service_is_decided: Shape {
        dialect: include_str!("pascal.toml"),
        case: "Pascal",
        errors: "RFC 7807",
        credentials: "JWT of the login",
        documentation: Documentation {
            places: &[
                ("token da API", "AccessToken"),
                ("JWT", "LinkToken"),
                ("validade", "ExpiresIn"),
                ("domínio de cada item", "Host"),
                ("ativo", "Status"),
                ("endereço", "Url"),
                ("líquido", "NetAmount"),
                ("taxa", "Fee"),
                ("código do saque", "PayoutId"),
                ("estado", "Status"),
            ],
            ..NOTHING
        },
        ..USUAL
    };
    resultado_service_is_decided: Shape {
        dialect: include_str!("resultado.toml"),
        envelope: "resultado",
        case: "Portuguese",
        amounts: "comma",
        kinds: "TELEFONE",
        errors: "named after fields",
        documentation: Documentation {
            places: &[
                ("token da API", "credencial"),
                ("lista de domínios", "resultado"),
                ("domínio de cada item", "dominio"),
                ("ativo", "situacao"),
                ("endereço", "endereco"),
                ("líquido", "a_receber"),
                ("taxa", "tarifa"),
                ("código do saque", "protocolo"),
                ("estado", "situacao"),
            ],
            ..NOTHING
        },
        ..USUAL
    };
    numbered_pages_service_is_decided: Shape {
        dialect: include_str!("numbered-pages.toml"),
        amounts: "centavos",
        pages: "numbered",
        documentation: Documentation {
            places: &[("próxima página", "totalPages")],
            answers: &[Answer::in_form(
                "Unidade do valor",
                &[Input::Keys("Tab Right Ctrl-S")],
            )],
            ..NOTHING
        },
        ..USUAL
    };
    linked_pages_service_is_decided: Shape {
        dialect: include_str!("linked-pages.toml"),
        envelope: "JSON:API",
        amounts: "text",
        errors: "JSON:API",
        pages: "links.next",
        documentation: Documentation {
            places: &[
                ("próxima página", "next"),
                ("líquido", "take_home"),
                ("taxa", "charge"),
                ("código do saque", "ref"),
                ("estado", "state"),
            ],
            ..NOTHING
        },
        ..USUAL
    };
    key_headers_service_is_decided: Shape {
        dialect: include_str!("key-headers.toml"),
        credentials: "headers of their own",
        documentation: Documentation {
            places: &[
                ("token da API", "payouts"),
                ("JWT", "links"),
                ("código do saque", "number"),
            ],
            answers: &[
                Answer::in_form(
                    "Ensinar: Domínios",
                    &[
                        Input::Keys("Ctrl-U"),
                        Input::Text("X-Links-Key: {}"),
                        Input::Keys("Ctrl-S"),
                    ],
                ),
                Answer::in_form(
                    "Ensinar: Taxa do saque",
                    &[
                        Input::Keys("Ctrl-U"),
                        Input::Text("X-Payouts-Key: {}"),
                        Input::Keys("Ctrl-S"),
                    ],
                ),
            ],
            starts_with_domains: true,
        },
        ..USUAL
    };
    flags_service_is_decided: Shape {
        dialect: include_str!("flags.toml"),
        envelope: "ok and result",
        errors: "200",
        documentation: Documentation {
            places: &[
                ("token da API", "token"),
                ("lista de domínios", "result"),
                ("endereço", "link"),
                ("líquido", "net"),
                ("taxa", "fee"),
                ("código do saque", "tx"),
                ("estado", "phase"),
            ],
            ..NOTHING
        },
        ..USUAL
    };
    one_token_service_is_decided: Shape {
        dialect: include_str!("one-token.toml"),
        kinds: "none",
        credentials: "API token for domains",
        documentation: Documentation {
            places: &[("código do saque", "transfer")],
            // The headers are right. `r` asks for the list again, with the other credential.
            answers: &[Answer::in_form("Ensinar: Domínios", &[Input::Keys("Esc Esc r")])],
            ..NOTHING
        },
        ..USUAL
    };
    fee_by_jwt_service_is_decided: Shape {
        dialect: include_str!("fee-by-jwt.toml"),
        credentials: "JWT for the fee",
        documentation: Documentation {
            places: &[("código do saque", "receipt_number"), ("estado", "stage")],
            // The headers are right. `Ctrl-R` asks for the fee again, with the other credential.
            answers: &[Answer::in_form(
                "Ensinar: Taxa do saque",
                &[Input::Keys("Esc Esc Ctrl-R")],
            )],
            ..NOTHING
        },
        ..USUAL
    };
    silent_service_is_decided: Shape {
        dialect: include_str!("silent.toml"),
        case: "short",
        errors: "none",
        documentation: Documentation {
            places: &[],
            answers: &[Answer {
                cue: "Na solicitação vai",
                footer: "Enter mudar",
                inputs: &[
                    Input::Row("pixKeyType"),
                    Input::Keys("Enter Ctrl-U"),
                    Input::Text("key_type"),
                    Input::Keys("Ctrl-S Esc"),
                    Input::Row("pixKey"),
                    Input::Keys("Enter Ctrl-U"),
                    Input::Text("key"),
                    Input::Keys("Ctrl-S"),
                ],
                wrong_keys: None,
            }],
            ..NOTHING
        },
        ..USUAL
    };
    password_service_is_decided: Shape {
        dialect: include_str!("password.toml"),
        end: End::Refused("Uma senha ou um código secreto só vai no login."),
        ..USUAL
    };
}

#[test]
fn every_choice_is_reached_by_at_least_one_shape() {
    let is_reached = |shape: &&Shape| matches!(shape.end, End::Reached);
    let choices = |shape: &Shape| {
        let Shape {
            envelope,
            case,
            amounts,
            kinds,
            errors,
            pages,
            credentials,
            ..
        } = *shape;
        [envelope, case, amounts, kinds, errors, pages, credentials]
    };
    let reached: Vec<_> = SHAPES.iter().filter(is_reached).collect();
    assert!(reached.len() >= 8, "{} of {}", reached.len(), SHAPES.len());
    let reached_choices: BTreeSet<_> = reached.into_iter().flat_map(choices).collect();
    let all: BTreeSet<_> = SHAPES.iter().flat_map(choices).collect();
    assert_eq!(reached_choices, all);
}
