//! Blocks: the paragraphs of a text, placed below each other and fitted into a number of rows.
//!
//! If there are too few rows, the empty rows between blocks are dropped first. Then blocks are
//! replaced by shorter versions. Finally, blocks are cut, starting with the highest priority
//! number. A cut block ends in `…`.

use super::Line;

/// Decides whether there is an empty row above a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gap {
    /// No empty row, because the block continues the text above it.
    None,
    /// An empty row, but only if there is room for one above every block with this rule. Form
    /// fields use this rule, because uneven gaps would look like groups.
    All,
    /// An empty row, whatever other blocks have. If there are too few rows, the lowest of these
    /// empty rows are dropped first.
    Own,
}

/// A paragraph of a text. It can be replaced by a shorter version, or cut, if there are too few
/// rows.
#[derive(Debug, Clone)]
pub struct Block {
    /// The versions of the block: first all of its lines, then shorter versions for when there are
    /// too few rows.
    pub alternatives: Vec<Vec<Line>>,
    /// Blocks with a higher number are shortened and cut first. A block with priority 0 is never
    /// cut.
    pub priority: usize,
    /// The number of lines that are kept while other blocks can still be cut. After that, the block
    /// is cut to one line, or removed if `min_lines` is 0.
    pub min_lines: usize,
    pub gap: Gap,
}

/// A block and its row.
#[derive(Debug, Clone, Default)]
pub struct Placed {
    /// The row of the block's first line, counted from the top of the area.
    pub row: usize,
    /// The lines of the block. Empty if the block was cut completely.
    pub lines: Vec<Line>,
}

impl Block {
    /// Creates a block that is never cut, with an empty row above it.
    pub fn new(lines: Vec<Line>) -> Block {
        Block {
            alternatives: vec![lines],
            priority: 0,
            min_lines: usize::MAX,
            gap: Gap::Own,
        }
    }

    /// Creates a block that can be cut to `min_lines` lines. If there is still too little room, it
    /// is cut to one line.
    pub fn cut(priority: usize, min_lines: usize, lines: Vec<Line>) -> Block {
        Block {
            priority,
            min_lines,
            ..Block::new(lines)
        }
    }

    /// Adds a shorter version of the block, which is used if there are too few rows.
    pub fn or(mut self, lines: Vec<Line>) -> Block {
        self.alternatives.push(lines);
        self
    }

    /// The block without the empty row above it.
    pub fn without_gap(self) -> Block {
        Block {
            gap: Gap::None,
            ..self
        }
    }

    /// The lines of the block in its longest remaining version.
    pub fn into_lines(self) -> Vec<Line> {
        self.alternatives.into_iter().next().unwrap_or_default()
    }

    /// The number of rows of the block in its longest remaining version.
    pub fn rows(&self) -> usize {
        self.alternatives.first().map_or(0, Vec::len)
    }
}

/// Splits lines into blocks at empty lines.
pub fn blocks(lines: Vec<Line>) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut is_after_gap = false;
    for line in lines {
        match blocks.last_mut() {
            _ if line.width() == 0 => is_after_gap = true,
            Some(Block { alternatives, .. }) if !is_after_gap => alternatives[0].push(line),
            _ => {
                let block = Block::new(vec![line]);
                blocks.push(if is_after_gap {
                    block
                } else {
                    block.without_gap()
                });
                is_after_gap = false;
            }
        }
    }
    blocks
}

/// Splits lines into blocks at empty lines. The first block gets priority number `priority` and
/// each later block a higher number, so the last block is cut first.
pub fn by_importance(priority: usize, lines: Vec<Line>) -> Vec<Block> {
    blocks(lines)
        .into_iter()
        .enumerate()
        .map(|(n, block)| Block {
            priority: priority + n,
            min_lines: 1,
            gap: Gap::Own,
            ..block
        })
        .collect()
}

/// Fits blocks into `rows` rows of `width` columns. If there are too few rows, drops empty rows,
/// uses shorter versions, and cuts blocks.
pub fn fit(mut blocks: Vec<Block>, rows: usize, width: usize) -> Vec<Placed> {
    shorten(&mut blocks, rows);
    for keeps_min_lines in [true, false] {
        cut(&mut blocks, rows, width, keeps_min_lines);
    }
    place(blocks, rows)
}

/// The lines of a scrollable text. Empty rows between blocks are dropped only if that makes the
/// whole text fit into `rows`. A text that must be scrolled keeps all empty rows.
pub fn fit_scrollable_text(mut blocks: Vec<Block>, rows: usize) -> Vec<Line> {
    shorten(&mut blocks, rows);
    let row_count = total_rows(&blocks);
    let gaps = blocks.iter().filter(|block| block.gap == Gap::Own).count();
    // First drop the empty row at the very top, because there is no text above it.
    if let Some(first) = blocks
        .first_mut()
        .filter(|_| row_count <= rows && row_count + gaps > rows)
    {
        first.gap = Gap::None;
    }
    lines(place(
        blocks,
        if row_count <= rows { rows } else { usize::MAX },
    ))
}

/// The lines of blocks that have been placed, including the empty lines between them.
pub fn lines(placed_blocks: Vec<Placed>) -> Vec<Line> {
    let mut lines = Vec::new();
    for mut block in placed_blocks {
        lines.resize(block.row.max(lines.len()), Line::default());
        lines.append(&mut block.lines);
    }
    lines
}

/// The number of rows of all blocks, without the empty rows between them.
pub fn total_rows(blocks: &[Block]) -> usize {
    blocks.iter().map(Block::rows).sum()
}

/// Replaces blocks by their shorter versions until all blocks fit into `rows`. Blocks with the
/// highest priority number are replaced first.
fn shorten(blocks: &mut [Block], rows: usize) {
    while total_rows(blocks) > rows {
        let with_alternatives = blocks
            .iter_mut()
            .filter(|block| block.alternatives.len() > 1);
        let Some(least_important) = with_alternatives.max_by_key(|block| block.priority) else {
            return;
        };
        least_important.alternatives.remove(0);
    }
}

/// Cuts blocks until all of them fit into `rows`, starting with the highest priority number. Each
/// block keeps `min_lines` lines if `keeps_min_lines` is true, otherwise at most one line.
fn cut(blocks: &mut [Block], rows: usize, width: usize, keeps_min_lines: bool) {
    loop {
        let excess = total_rows(blocks).saturating_sub(rows);
        let min_rows = |block: &Block| {
            if keeps_min_lines {
                block.min_lines
            } else {
                block.min_lines.min(1)
            }
        };
        let least_important = blocks
            .iter_mut()
            .filter(|block| block.priority > 0 && block.rows() > min_rows(block))
            .max_by_key(|block| block.priority);
        let Some(block) = least_important.filter(|_| excess > 0) else {
            return;
        };
        let remaining = block.rows().saturating_sub(excess).max(min_rows(block));
        block.alternatives.truncate(1);
        for lines in &mut block.alternatives {
            lines.truncate(remaining);
            lines
                .iter_mut()
                .skip(remaining.saturating_sub(1))
                .for_each(|last| last.end_with_ellipsis(width));
        }
    }
}

/// Places blocks below each other, with empty rows between them if there is room.
fn place(blocks: Vec<Block>, rows: usize) -> Vec<Placed> {
    let mut spare = rows.saturating_sub(total_rows(&blocks));
    let count = |gap| {
        blocks
            .iter()
            .filter(|block| block.gap == gap && block.rows() > 0)
            .count()
    };
    let own_gaps = count(Gap::Own).min(spare);
    let has_all_gaps = count(Gap::All) <= spare - own_gaps;
    let mut row = 0;
    let mut placed = Vec::with_capacity(blocks.len());
    spare = own_gaps;
    for block in blocks {
        let gap = block.gap;
        let lines = block.into_lines();
        let has_gap = match gap {
            _ if lines.is_empty() => false,
            Gap::None => false,
            Gap::All => has_all_gaps,
            Gap::Own => {
                let has_room = spare > 0;
                spare = spare.saturating_sub(1);
                has_room
            }
        };
        row += usize::from(has_gap);
        let end = row + lines.len();
        placed.push(Placed { row, lines });
        row = end;
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::ui::Role;

    fn lines(text: &str) -> Vec<Line> {
        text.split(' ')
            .map(|word| Line::of(Role::Text, word))
            .collect()
    }

    fn fitted_text(blocks: &[Block], rows: usize) -> String {
        let lines = super::lines(fit(blocks.to_vec(), rows, 9));
        lines
            .iter()
            .map(Line::to_string)
            .collect::<Vec<_>>()
            .join("|")
    }

    #[test]
    fn drops_gaps_then_uses_short_form_then_drops_fields() {
        let field = |name| Block {
            gap: Gap::All,
            ..Block::cut(3, 0, lines(name))
        };
        let blocks = [
            Block::new(lines("title")).without_gap(),
            field("f1"),
            field("f2"),
            Block::new(lines("button")),
            Block::cut(1, 1, lines("a b c")).or(lines("a+b+c")),
        ];
        assert_eq!(fitted_text(&blocks, 11), "title||f1||f2||button||a|b|c");
        assert_eq!(fitted_text(&blocks, 10), "title|f1|f2||button||a|b|c");
        assert_eq!(fitted_text(&blocks, 8), "title|f1|f2||button|a|b|c");
        assert_eq!(fitted_text(&blocks, 7), "title|f1|f2|button|a|b|c");
        assert_eq!(fitted_text(&blocks, 6), "title|f1|f2||button|a+b+c");
        assert_eq!(fitted_text(&blocks, 4), "title|f1|button|a+b+c");
    }

    #[test]
    fn cut_block_ends_in_ellipsis_and_keeps_a_line() {
        let blocks = [Block::new(lines("t")), Block::cut(1, 2, lines("a b c d"))];
        assert_eq!(fitted_text(&blocks, 4), "t|a|b|c …");
        assert_eq!(fitted_text(&blocks, 1), "t|a …");
    }

    #[test]
    fn scrolled_text_keeps_its_gaps() {
        let rows = |rows| {
            let lines = ["a", "", "b", "", "c"]
                .map(|text| Line::of(Role::Text, text))
                .to_vec();
            fit_scrollable_text(blocks(lines), rows).len()
        };
        assert_eq!([5, 4, 3, 2].map(rows), [5, 4, 3, 5]);
    }
}
