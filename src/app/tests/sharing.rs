//! What becomes of a link's address: copied when it is new, and passed on to a buyer.

use super::payments::{URL, asks_for_link};
use super::*;
use crate::app::store::clip::Clip;
use crate::app::store::notice::Notice;
use crate::app::ui::Action;
use crate::trade::{MessageKind, MessageTemplate};

#[test]
fn a_new_link_is_copied_only_where_nobody_has_to_be_asked_and_the_seller_wants_it() {
    let odd = "https://evil.example/x";
    let hidden = "https://loja.example/\u{202e}x";
    let made = Notice::WithKey("said-link-made", Action::Copy);
    let to_look_at = Notice::warn("said-link-made-odd");
    for (url, copies_new, made) in
        [(URL, false, &made), (odd, true, &to_look_at), (hidden, true, &to_look_at)]
    {
        let mut counter = Counter::open();
        counter.model.setup.links.copies_new = copies_new;
        let (ticket, _) = asks_for_link(&mut counter);
        let wanted = counter.tell(Msg::LinkMade { ticket, result: Ok(link(url)) });
        assert!(matches!(wanted[..], [Effect::LoadLinks(_)]), "{url}: {wanted:?}");
        assert_eq!(said(&counter), Some(made), "{url}");
        assert!(matches!(counter.top(), Layer::Link(_)));
    }
}

#[test]
fn a_new_link_is_not_copied_once_something_else_is_in_front() {
    for keys in ["F1", "Ctrl-K"] {
        let mut counter = Counter::open();
        let (ticket, _) = asks_for_link(&mut counter);
        counter.keys(keys);
        let wanted = counter.tell(Msg::LinkMade { ticket, result: Ok(link(URL)) });
        assert!(matches!(wanted[..], [Effect::LoadLinks(_)]), "{keys}: {wanted:?}");
        assert_eq!(said(&counter), None, "{keys}");
        counter.keys("Esc");
        assert!(matches!(counter.top(), Layer::Link(_)), "{keys}");
    }
}

#[test]
fn the_sellers_template_is_copied_and_shared_with_every_sign_escaped() {
    let mut counter = Counter::open();
    let template = "{descricao} & mais?\n{url}#\u{1f600}";
    counter.model.setup.links.message =
        MessageTemplate::parse(MessageKind::Link, template).unwrap();
    let url = "https://loja.example/c/1?a=b&c=%20";
    counter.has_links(vec![link(url)]);
    let message = format!("Boné & mais?\n{url}#\u{1f600}");
    assert_eq!(counter.keys("Y"), vec![Effect::Copy(Clip::Message, message.into())]);
    let share = "https://wa.me/?text=Bon%C3%A9%20%26%20mais%3F%0A\
                 https%3A%2F%2Floja.example%2Fc%2F1%3Fa%3Db%26c%3D%2520%23%F0%9F%98%80";
    assert_eq!(counter.keys("W"), vec![Effect::Browse(share.into())]);
    assert_eq!(counter.keys("Enter W"), vec![Effect::Browse(share.into())]);
}
