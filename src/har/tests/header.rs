//! Tests of the masks in headers.

use super::*;

#[test]
fn harmless_headers_are_kept() {
    for (name, value) in [
        ("content-type", "application/json; charset=utf-8"),
        ("Content-Length", "1234567"),
        ("date", "Sat, 21 Nov 2026 15:00:00 GMT"),
        ("server", "nginx/1.25.3"),
        ("user-agent", "balcao/0.1.0"),
        ("cache-control", "no-store, max-age=60"),
        ("x-request-id", "8f14e45f-ceea-467f-a8d3-1a2b3c4d5e6f"),
        ("authorization", "Bearer \u{FDEF}"),
        ("x-api-key", "\u{FDEF}"),
        ("retry-after", "30"),
        ("location", "/api/v1/payment-links"),
        ("idempotency-key", &*KEY.to_string()),
    ] {
        assert_eq!(
            mask().mask_header(name, value),
            (name.to_owned(), value.to_owned())
        );
    }
}

#[test]
fn request_id_is_kept_only_in_the_form_of_an_id() {
    for id in [
        "8f14e45f-ceea-467f-a8d3-1a2b3c4d5e6f",
        "01JD8XK3T7Q9V2M4N6P8R0S1ZA",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "8f14e45fceea467f",
        "req-8f14e45fceea467fa8d31a2b3c4d5e6f",
        "req_8f14e45f-ceea-467f-a8d3-1a2b3c4d5e6f",
        "8f14e45fceea467f-GRU",
        "Root=1-5759e988-bd862e3fe1be46a994272793",
    ] {
        assert_eq!(mask().mask_header("x-request-id", id).1, id);
    }
    let hex = |text: &str| text.bytes().map(|b| format!("{b:02x}")).collect::<String>();
    for id in [
        "52998224725a",
        "req-52998224725",
        "ana-souza-11-91234-5678",
        "link-9f8e7d6c5b4a",
        "ana-8f14e45fceea467f",
        "AnaBeatrizDeSouza1990",
        "01ANABEATRHDESAUZAMARTHNSA",
        "5299822472552998",
        "abcde52998224725fed",
        "52998224-725a-467f-a8d3-1a2b3c4d5e6f",
        "8f14e45f-ceea-467f-a11-987654321abc",
        "8f14e45f-ceea-467f-a8d3-11987654321a",
        "11444777000161abcdef",
        &hex("s3nha-longa"),
        &hex("agnol-ahn3s"),
        &format!("0{}a", hex("s3nha-longa")),
        &format!("00ff{}", hex("s3nha-longa")),
        "czNuaGEtbG9uZ2E",
        "YXMzbmhhLWxvbmdh",
        "73-33-6e-68-61-2d-6c-6f-6e-67-61",
        "73336e68-612d-6c6f-6e67-61a1b2c3d4e5",
        "s-3-n-h-a-l-o-n-g-a-1",
        "8f14e45fceea467f-Gru",
        "8f14e45fceea467f-BEATRIZ",
        "11444777000161ab-GRU",
    ] {
        for name in ["x-request-id", "x-trace-id", "traceparent"] {
            let masked = mask().mask_header(name, id).1;
            assert!(masked.starts_with('‹'), "{name}: {id} is {masked}");
        }
    }
}

#[test]
fn header_numbers_are_masked_unless_small() {
    for (name, value) in [
        ("server", "nginx/1.25.3"),
        ("server", "apache/2.4.54"),
        ("via", "HTTP/1.1 proxy"),
        ("via", "1.1 varnish"),
        ("cache-control", "max-age=3600"),
        ("keep-alive", "timeout=5, max=1000"),
        ("age", "86400"),
        ("content-type", "text/html; charset=utf-8"),
    ] {
        assert_eq!(mask().mask_header(name, value).1, value);
    }
    for (name, value) in [
        ("server", "529 982 247 25"),
        ("server", "nginx/529.982.247"),
        ("via", "1.1 529 982 247 25"),
        ("via", "HTTP/529"),
        ("allow", "GET, 529, 982, 247, 25"),
        (
            "cache-control",
            "max-age=529, s-maxage=982, max=247, timeout=25",
        ),
        ("cache-control", "max-age=5299822"),
        ("content-language", "529.982 247 25"),
        ("content-type", "text/html; charset=529 982"),
        ("content-type", "text/529"),
        ("location", "https://t.example/529/982/247/25?…"),
        ("location", "/529/982/247/25"),
        ("location", "//ana.example/529"),
        ("retry-after", "529982247"),
        ("age", "5299822"),
        ("content-length", "529982247"),
        ("x-request-id", "… 529 982 247 25"),
    ] {
        let masked = mask().mask_header(name, value).1;
        assert!(!masked.contains("529"), "{name}: {masked}");
    }
}

#[test]
fn free_text_in_a_header_is_masked() {
    for (name, value, masked) in [
        ("server", "loja-da-ana.example", "*host-1*"),
        ("via", "1.1 Ana", "1.1 *text-1*"),
        ("x-store", "1234567", "‹number 1, 7 digits›"),
        ("x-request-id", "52998224725", "‹cpf 1›"),
        ("x-request-id", JWT, "‹token 1, 44 letters›"),
        ("content-length", "52998224725", "‹cpf 1›"),
        (
            "date",
            "Ana, 21 Nov 2026 15:00:00 GMT",
            "‹text 1, 29 letters›",
        ),
        ("host", "ana.example:80", "‹host 1›:80"),
        ("location", "/u/529.982.247-25", "/*text-1*/*cpf-1*"),
        (
            "idempotency-key",
            "123e4567-e89b-12d3-a456-426614174000",
            "‹uuid 1›",
        ),
    ] {
        assert_eq!(mask().mask_header(name, value).1, masked, "{name}");
    }
    assert_eq!(mask().mask_header("x-52998224725", "").0, "X-text-1");
    assert_eq!(mask().mask_header("X-Loja.Ana", "").0, "X-host-1");
}
