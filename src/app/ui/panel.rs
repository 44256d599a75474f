//! The panel beside a form on a large terminal: a rule and a few quiet steps that tell what happens
//! next.

use super::geometry::{self, PaneAreas};
use super::parts::{hanging, put};
use super::{Area, Line, Page, RenderCx, Role, Span};

/// Draws the vertical rule to the left of an area.
pub fn put_divider(beside: Area, page: &mut Page) {
    let column = Area {
        x: beside.x.saturating_sub(1),
        width: 1,
        ..beside
    };
    let rows = usize::from(beside.height);
    page.put(vec![Line::of(Role::Rule, "│"); rows], column);
}

impl PaneAreas {
    /// The area beside the list, if there is one. Draws the rule between both.
    pub fn divided_aside(&self, page: &mut Page) -> Option<Area> {
        self.aside.inspect(|aside| put_divider(*aside, page))
    }
}

/// Draws the panel with these steps if there is room for it. The steps are message ids. Returns the
/// area that is left for the form.
pub fn put_steps(to: RenderCx<'_>, steps: &[&str], area: Area, page: &mut Page) -> Area {
    let (form, Some(panel)) = geometry::with_panel(area, to.size) else {
        return area;
    };
    put_divider(panel, page);
    let inner = panel.narrowed(1);
    let mut lines = vec![Line::of(Role::Dim, to.words.text("panel-title"))];
    for (n, step) in (1..).zip(steps) {
        lines.push(Line::default());
        let number = Span::of(Role::Dim, format!("{n}  "));
        let text = to.words.text(step);
        lines.extend(hanging(number, Role::Dim, &text, inner.width.into()));
    }
    put(lines, inner, page);
    form
}
