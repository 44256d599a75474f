//! Screens that lie over each other: what stands beside its list, what floats, what is faded.

use crate::app::screens::Layer;
use crate::app::ui::{Area, Page, PageItem, geometry};
use crate::app::{Model, router};

/// Lays out the screen in front, and under it what stays in sight.
pub fn lay(model: &Model, body: Area, page: &mut Page) {
    let front = model.layers.len().checked_sub(1);
    let place = place(model, front, body);
    router::front(model, |screen, store| screen.show(store, place, page));
    let Some(front) = front.filter(|n| leaves_sight(model, *n, body)) else { return };
    let before = page.step_behind();
    // The lowest that is in sight covers whatever lies under it.
    let lowest = (0..front).rev().find(|n| !leaves_sight(model, *n, body));
    if lowest.is_none() {
        let pane = model.pane.screen();
        pane.show(&model.store, pane.kind().place(body), page);
    }
    let first = lowest.unwrap_or(0);
    for n in (first..front).filter(|n| Some(*n) == lowest || stands_beside(model, *n, body)) {
        show_over(model, n, body, page);
    }
    page.items.push(PageItem::Faded(body));
    if stands_beside(model, front, body) {
        page.items.push(PageItem::Blank(place));
    }
    page.step_before(before);
}

/// Lays out a screen under the one in front, over what lies under it.
fn show_over(model: &Model, n: usize, body: Area, page: &mut Page) {
    let place = place(model, Some(n), body);
    page.items.push(PageItem::Blank(place));
    model.layers[n].screen().show(&model.store, place, page);
}

/// Returns true when what is under this layer stays in sight.
fn leaves_sight(model: &Model, n: usize, body: Area) -> bool {
    model.layers[n].screen().kind().floats || stands_beside(model, n, body)
}

/// Returns true when this layer is the details of the row under the cursor, and stands beside its
/// list: over anything else it would stand beside what it does not belong to.
fn stands_beside(model: &Model, n: usize, body: Area) -> bool {
    let screen = model.layers[n].screen();
    let kind = screen.kind();
    n == 0
        && kind.is_detail
        && kind.pane == Some(model.pane)
        && geometry::details(body).is_some()
        && screen.is_under_cursor(&model.store)
}

/// Returns the part of the body that a screen stands in; `None` is the pane.
fn place(model: &Model, n: Option<usize>, body: Area) -> Area {
    let aside = n.filter(|n| stands_beside(model, *n, body));
    if let Some(aside) = aside.and_then(|_| geometry::details(body)) {
        return aside;
    }
    match n.and_then(|n| model.layers.get(n)).map(Layer::screen) {
        Some(screen) => screen.kind().place(body),
        None => model.pane.screen().kind().place(body),
    }
}
