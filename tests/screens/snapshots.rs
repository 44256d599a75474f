//! One snapshot per screen and state, at 80x24, in Portuguese.

use balcao::view::{Lang, Look};

use crate::models::{all, screen};

#[test]
fn every_screen_in_every_state() {
    let look = Look::new(Lang::Pt);
    for (name, model) in all(Lang::Pt) {
        insta::assert_snapshot!(name, screen(&model, &look));
    }
}
