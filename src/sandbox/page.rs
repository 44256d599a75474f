//! The checkout pages, in plain HTML without JavaScript.

use super::bank::checkout::{Checkout, CheckoutState};

/// The content security policy of the checkout pages. It allows only inline styles, and forms that
/// are sent to the page's own site.
pub const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; \
                          base-uri 'none'; frame-ancestors 'none'";

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1d2433;--soft:#5b6475;--paper:#fff;--back:#eef1f6;\
--key:#0b6b4f}
@media(prefers-color-scheme:dark){:root{--ink:#eef1f6;--soft:#a9b2c3;--paper:#1b2130;\
--back:#11151f;--key:#177a5b}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1rem;background:var(--back);\
color:var(--ink);font:1.05rem/1.5 system-ui,sans-serif}
main{width:100%;max-width:26rem;padding:2rem;border-radius:1rem;background:var(--paper);\
box-shadow:0 .5rem 2rem rgba(0,0,0,.12)}
.store{margin:0;color:var(--soft);overflow-wrap:anywhere}
h1{margin:.25rem 0 1.5rem;font-size:1.35rem;line-height:1.3;overflow-wrap:anywhere}
.amount{margin:0 0 1.5rem;font-size:2.25rem;font-weight:700;overflow-wrap:anywhere}
button{width:100%;padding:1rem;border:0;border-radius:.6rem;background:var(--key);color:#fff;\
font:inherit;font-weight:700;cursor:pointer}
button:focus-visible{outline:.2rem solid var(--ink);outline-offset:.2rem}
.state{padding:1rem;border:.1rem solid currentColor;border-radius:.6rem;font-weight:700}
.note{margin:1.5rem 0 0;color:var(--soft);font-size:.85rem}";

/// The HTML of a payment link's checkout page.
pub fn checkout(checkout: &Checkout) -> String {
    let heading = escape_html(&checkout.description);
    let amount = escape_html(&checkout.amount.to_brl());
    let state = match checkout.state {
        CheckoutState::Open => "<form method=\"post\"><button type=\"submit\">Pagar agora</button>\
                                </form>"
            .to_owned(),
        CheckoutState::Paid => {
            "<p class=\"state\" role=\"status\">✓ Pagamento confirmado. Obrigado!</p>".to_owned()
        }
        CheckoutState::Blocked => return blocked_page(&checkout.store),
    };
    let body = format!("<h1>{heading}</h1>\n<p class=\"amount\">{amount}</p>\n{state}");
    frame(&checkout.store, &checkout.description, &body)
}

/// The HTML for a payment link whose checkout domain is not active.
fn blocked_page(store: &str) -> String {
    let body = "<h1>Checkout indisponível</h1>\n<p class=\"state\" role=\"status\">O domínio desta \
                loja não está ativo. Nada foi cobrado.</p>";
    frame(store, "Checkout indisponível", body)
}

/// The HTML for a URL without a payment link.
pub fn not_found() -> String {
    let body = "<h1>Página não encontrada</h1>\n<p>Confira o endereço com quem enviou o link.</p>";
    frame("Checkout", "Página não encontrada", body)
}

fn frame(store: &str, title: &str, body: &str) -> String {
    let store = escape_html(store);
    let title = escape_html(title);
    format!(
        "<!doctype html>\n<html lang=\"pt-BR\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"robots\" content=\"noindex\">\n<title>{title} · {store}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<main>\n<p class=\"store\">{store}</p>\n{body}\n\
         <p class=\"note\">Ambiente de testes: nenhum dinheiro de verdade é movimentado.</p>\n\
         </main>\n</body>\n</html>\n"
    )
}

/// Escapes text so that it is safe everywhere in a page. Control characters and text direction
/// marks are replaced with visible characters.
fn escape_html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' | '\t' => escaped.push(' '),
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                escaped.push('\u{fffd}');
            }
            other if other.is_control() => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::bank::amount::Amount;

    fn page(description: &str, state: CheckoutState) -> String {
        checkout(&Checkout {
            id: "7f3k2q".to_owned(),
            url: "http://loja.localhost:1/checkout/link-7f3k2q".to_owned(),
            host: "loja.localhost".to_owned(),
            store: "Loja & <b>Cia</b>".to_owned(),
            amount: Amount::from_centavos(123_456),
            description: description.to_owned(),
            state,
        })
    }

    #[test]
    fn everything_from_outside_is_escaped() {
        let html = page(
            "</title><script>alert(\"'1'\")</script>\u{202e}\u{7}",
            CheckoutState::Open,
        );
        assert!(!html.contains("<script") && !html.contains("<b>"));
        assert!(!html.contains('\u{202e}') && !html.contains('\u{7}'));
        assert!(html.contains("&lt;script&gt;alert(&quot;&#39;1&#39;&quot;)&lt;/script&gt;"));
        assert!(html.contains("Loja &amp; &lt;b&gt;Cia&lt;/b&gt;"));
    }

    #[test]
    fn pay_button_is_shown_only_on_an_open_checkout() {
        let open = page("Bolo", CheckoutState::Open);
        assert!(open.contains("R$ 1.234,56") && open.contains("<h1>Bolo</h1>"));
        assert!(open.contains("<button type=\"submit\">Pagar agora</button>"));
        let paid = page("Bolo", CheckoutState::Paid);
        assert!(paid.contains("Pagamento confirmado") && !paid.contains("<button"));
        let blocked = page("Bolo", CheckoutState::Blocked);
        assert!(blocked.contains("não está ativo") && !blocked.contains("<button"));
        assert!(!blocked.contains("R$"));
    }
}
