//! Screens that lie over each other: what stands beside its list, what floats, what is faded.

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
        pane.show(&model.store, pane.info().place(body), page);
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
    model.layers[n].screen().info().floats || stands_beside(model, n, body)
}

/// Returns true when this layer is the details of the row under the cursor, and stands beside its
/// list.
fn stands_beside(model: &Model, n: usize, body: Area) -> bool {
    beside(model, n, body).is_some_and(|aside| wide(model, n, aside, body).is_none())
}

/// Returns the place beside the list for the details of the row under its cursor: over anything
/// else they would stand beside what they do not belong to.
fn beside(model: &Model, n: usize, body: Area) -> Option<Area> {
    let screen = model.layers[n].screen();
    let kind = screen.info();
    let is_its_list = n == 0 && kind.is_detail && kind.pane == Some(model.pane);
    let is_its_row = is_its_list && screen.links(&model.store).is_under_cursor;
    geometry::details(body).filter(|_| is_its_row)
}

/// Returns the whole width of a wide terminal, where this layer has room for its picture on it
/// alone.
fn wide(model: &Model, n: usize, here: Area, body: Area) -> Option<Area> {
    let wide = geometry::wide(body)?;
    let screen = model.layers[n].screen();
    let has_picture = |area| {
        let mut page = Page::new(area);
        screen.show(&model.store, area, &mut page);
        page.items.iter().any(|item| matches!(item, PageItem::Picture(_)))
    };
    (has_picture(wide) && !has_picture(here)).then_some(wide)
}

/// Returns the part of the body that a screen stands in; `None` is the pane.
fn place(model: &Model, n: Option<usize>, body: Area) -> Area {
    let Some(n) = n else { return model.pane.screen().info().place(body) };
    let alone = || model.layers[n].screen().info().place(body);
    let here = beside(model, n, body).unwrap_or_else(alone);
    wide(model, n, here, body).unwrap_or(here)
}
