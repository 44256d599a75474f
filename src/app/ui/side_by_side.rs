//! Blocks of lines in columns, as many as fit.

use super::{Line, Span};

/// The columns between two columns of text.
const BETWEEN: usize = 3;

/// Counts the columns of this width that fit into so much room, and says how wide each is then.
pub fn fitting(width: usize, least: usize) -> (usize, usize) {
    let count = ((width + BETWEEN) / (least + BETWEEN)).max(1);
    (count, (width - BETWEEN * (count - 1)) / count)
}

/// Lays blocks out in so many columns, in their order and evenly, with an empty line between two.
pub fn side_by_side(blocks: Vec<Vec<Line>>, (count, wide): (usize, usize)) -> Vec<Line> {
    let all: usize = blocks.iter().map(|block| block.len() + 1).sum();
    let heights: Vec<usize> = blocks.iter().map(Vec::len).collect();
    let least = heights.iter().copied().max().unwrap_or(0);
    let height = (least..=all).find(|height| columns_of(&heights, *height) <= count);
    let mut columns: Vec<Vec<Line>> = vec![vec![]];
    for block in blocks {
        let Some(column) = columns.last_mut() else { break };
        if column.is_empty() {
            *column = block;
        } else if column.len() + 1 + block.len() <= height.unwrap_or(all) {
            column.push(Line::default());
            column.extend(block);
        } else {
            columns.push(block);
        }
    }
    let rows = columns.iter().map(Vec::len).max().unwrap_or(0);
    (0..rows).map(|row| joined(&columns, row, wide)).collect()
}

/// Counts the columns that blocks of these heights take, each at most so high.
fn columns_of(heights: &[usize], most: usize) -> usize {
    let (mut columns, mut used) = (1, 0);
    for height in heights {
        let gap = usize::from(used > 0);
        if used + gap + height <= most {
            used += gap + height;
        } else {
            (columns, used) = (columns + 1, *height);
        }
    }
    columns
}

/// One line of all columns.
fn joined(columns: &[Vec<Line>], row: usize, wide: usize) -> Line {
    let mut line = Line::default();
    for (n, column) in columns.iter().enumerate() {
        let Some(part) = column.get(row).filter(|part| part.width() > 0) else { continue };
        let begins = n * (wide + BETWEEN);
        line.push(Span::plain(" ".repeat(begins.saturating_sub(line.width()))));
        line.spans.extend(part.spans.iter().cloned());
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::ui::Role;

    fn block(name: &str, lines: usize) -> Vec<Line> {
        (0..lines).map(|n| Line::of(Role::Text, format!("{name}{n}"))).collect()
    }

    #[test]
    fn blocks_stand_in_as_many_columns_as_fit_and_in_their_order() {
        assert_eq!(fitting(80, 50), (1, 80));
        assert_eq!(fitting(103, 50), (2, 50));
        assert_eq!(fitting(20, 50), (1, 20));
        let blocks = || vec![block("a", 2), block("b", 1), block("c", 3)];
        let shown = |count| -> Vec<String> {
            side_by_side(blocks(), (count, 4)).iter().map(Line::to_string).collect()
        };
        assert_eq!(shown(1), ["a0", "a1", "", "b0", "", "c0", "c1", "c2"]);
        assert_eq!(shown(2), ["a0     c0", "a1     c1", "       c2", "b0"]);
        assert_eq!(shown(3), ["a0     b0     c0", "a1            c1", "              c2"]);
        assert!(side_by_side(vec![], (2, 10)).is_empty());
    }
}
