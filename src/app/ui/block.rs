//! Blocks: the parts of a text below each other, fitted to the rows that there are.
//!
//! Where not all has room the gaps between them go first, then blocks that can be said in fewer
//! lines are, and then the least important ones are cut; the last line that is left says so.

use super::Line;

/// The empty row before a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gap {
    /// None: it goes on with what is above.
    None,
    /// One that is there only if all of its kind have room: fields that stand closer than others
    /// would read as one thing.
    All,
    /// One of its own; those further up stay longer.
    Own,
}

/// A part of a text.
#[derive(Debug, Clone)]
pub struct Block {
    /// Its lines, and in fewer and fewer lines what is said instead where they have no room.
    pub alternatives: Vec<Vec<Line>>,
    /// The higher, the sooner it gives way; at 0 it never does.
    pub priority: usize,
    /// The lines that are left of it as long as others can give way, and then one that says that
    /// more came after it; with none it goes altogether.
    pub least: usize,
    /// The empty row before it.
    pub gap: Gap,
}

/// A block in its place.
#[derive(Debug, Clone, Default)]
pub struct Placed {
    /// Its first row.
    pub row: usize,
    /// Its lines; none of a block that gave way.
    pub lines: Vec<Line>,
}

impl Block {
    /// A block that never gives way, below an empty row.
    pub fn new(lines: Vec<Line>) -> Block {
        Block { alternatives: vec![lines], priority: 0, least: usize::MAX, gap: Gap::Own }
    }

    /// A block of which so many lines are left as long as others of its priority can give way.
    pub fn cut(priority: usize, least: usize, lines: Vec<Line>) -> Block {
        Block { priority, least, ..Block::new(lines) }
    }

    /// The same, or what is said where it has no room.
    pub fn or(mut self, lines: Vec<Line>) -> Block {
        self.alternatives.push(lines);
        self
    }

    /// The same directly below what is above it.
    pub fn close(self) -> Block {
        Block { gap: Gap::None, ..self }
    }

    /// Returns its lines, all of them.
    pub fn into_lines(self) -> Vec<Line> {
        self.alternatives.into_iter().next().unwrap_or_default()
    }

    /// Counts its rows.
    pub fn rows(&self) -> usize {
        self.alternatives.first().map_or(0, Vec::len)
    }
}

/// Lines with empty ones between them as blocks.
pub fn blocks(lines: Vec<Line>) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut is_apart = false;
    for line in lines {
        match blocks.last_mut() {
            _ if line.width() == 0 => is_apart = true,
            Some(Block { alternatives, .. }) if !is_apart => alternatives[0].push(line),
            _ => {
                let block = Block::new(vec![line]);
                blocks.push(if is_apart { block } else { block.close() });
                is_apart = false;
            }
        }
    }
    blocks
}

/// The same from this priority on, each below a gap; a line is left of each as long as it can.
pub fn by_importance(priority: usize, lines: Vec<Line>) -> Vec<Block> {
    let cut = |(n, block): (usize, Block)| Block {
        priority: priority + n,
        least: 1,
        gap: Gap::Own,
        ..block
    };
    blocks(lines).into_iter().enumerate().map(cut).collect()
}

/// Fits blocks into so many rows of so many columns.
pub fn fit(mut blocks: Vec<Block>, rows: usize, width: usize) -> Vec<Placed> {
    shorten(&mut blocks, rows);
    for keeps in [true, false] {
        cut(&mut blocks, rows, width, keeps);
    }
    place(blocks, rows)
}

/// The lines of a text that is scrolled where it has no room: then its parts stand apart.
pub fn text(mut blocks: Vec<Block>, rows: usize) -> Vec<Line> {
    shorten(&mut blocks, rows);
    let all = all_rows(&blocks);
    let gaps = blocks.iter().filter(|block| block.gap == Gap::Own).count();
    // Nothing stands above the first.
    if let Some(first) = blocks.first_mut().filter(|_| all <= rows && all + gaps > rows) {
        first.gap = Gap::None;
    }
    lines(place(blocks, if all <= rows { rows } else { usize::MAX }))
}

/// The lines of blocks in their places.
pub fn lines(placed: Vec<Placed>) -> Vec<Line> {
    let mut lines = Vec::new();
    for mut block in placed {
        lines.resize(block.row.max(lines.len()), Line::default());
        lines.append(&mut block.lines);
    }
    lines
}

/// Counts the rows of blocks without gaps.
pub fn all_rows(blocks: &[Block]) -> usize {
    blocks.iter().map(Block::rows).sum()
}

/// Takes fewer lines for blocks that have such a way, the least important first.
fn shorten(blocks: &mut [Block], rows: usize) {
    while all_rows(blocks) > rows {
        let shorter = blocks.iter_mut().filter(|block| block.alternatives.len() > 1);
        let Some(least) = shorter.max_by_key(|block| block.priority) else { return };
        least.alternatives.remove(0);
    }
}

/// Cuts blocks, the least important first, to what they keep, or to less.
fn cut(blocks: &mut [Block], rows: usize, width: usize, keeps: bool) {
    loop {
        let over = all_rows(blocks).saturating_sub(rows);
        let kept = |block: &Block| if keeps { block.least } else { block.least.min(1) };
        let can_give = |block: &&mut Block| block.priority > 0 && block.rows() > kept(block);
        let least = blocks.iter_mut().filter(can_give).max_by_key(|block| block.priority);
        let Some(block) = least.filter(|_| over > 0) else { return };
        let left = block.rows().saturating_sub(over).max(kept(block));
        block.alternatives.truncate(1);
        for lines in &mut block.alternatives {
            lines.truncate(left);
            lines.iter_mut().skip(left.saturating_sub(1)).for_each(|last| last.goes_on(width));
        }
    }
}

/// Places blocks below each other, with the gaps that have room.
fn place(blocks: Vec<Block>, rows: usize) -> Vec<Placed> {
    let mut spare = rows.saturating_sub(all_rows(&blocks));
    let count = |gap| blocks.iter().filter(|block| block.gap == gap && block.rows() > 0).count();
    let own = count(Gap::Own).min(spare);
    let has_all = count(Gap::All) <= spare - own;
    let (mut row, mut placed) = (0, Vec::with_capacity(blocks.len()));
    spare = own;
    for block in blocks {
        let gap = block.gap;
        let lines = block.into_lines();
        let is_apart = match gap {
            _ if lines.is_empty() => false,
            Gap::None => false,
            Gap::All => has_all,
            Gap::Own => {
                let has_room = spare > 0;
                spare = spare.saturating_sub(1);
                has_room
            }
        };
        row += usize::from(is_apart);
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
        text.split(' ').map(|word| Line::of(Role::Text, word)).collect()
    }

    fn shown(blocks: &[Block], rows: usize) -> String {
        let lines = super::lines(fit(blocks.to_vec(), rows, 9));
        lines.iter().map(Line::to_string).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn drops_gaps_then_uses_short_form_then_drops_fields() {
        let field = |name| Block { gap: Gap::All, ..Block::cut(3, 0, lines(name)) };
        let blocks = [
            Block::new(lines("title")).close(),
            field("f1"),
            field("f2"),
            Block::new(lines("button")),
            Block::cut(1, 1, lines("a b c")).or(lines("a+b+c")),
        ];
        assert_eq!(shown(&blocks, 11), "title||f1||f2||button||a|b|c");
        assert_eq!(shown(&blocks, 10), "title|f1|f2||button||a|b|c");
        assert_eq!(shown(&blocks, 8), "title|f1|f2||button|a|b|c");
        assert_eq!(shown(&blocks, 7), "title|f1|f2|button|a|b|c");
        assert_eq!(shown(&blocks, 6), "title|f1|f2||button|a+b+c");
        assert_eq!(shown(&blocks, 4), "title|f1|button|a+b+c");
    }

    #[test]
    fn a_block_that_is_cut_says_so_and_keeps_a_line() {
        let blocks = [Block::new(lines("t")), Block::cut(1, 2, lines("a b c d"))];
        assert_eq!(shown(&blocks, 4), "t|a|b|c …");
        assert_eq!(shown(&blocks, 1), "t|a …");
    }

    #[test]
    fn scrolled_text_keeps_its_gaps() {
        let rows = |rows| {
            let lines = ["a", "", "b", "", "c"].map(|text| Line::of(Role::Text, text)).to_vec();
            text(blocks(lines), rows).len()
        };
        assert_eq!([5, 4, 3, 2].map(rows), [5, 4, 3, 5]);
    }
}
