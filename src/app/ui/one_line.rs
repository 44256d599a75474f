//! Pasted text as a field of one line takes it.

/// The text in one line: each run of line ends and tabs is one space, none stands at the ends, and
/// control characters, which cannot be typed, are dropped.
pub fn one_line(pasted: &str) -> String {
    let mut line = String::with_capacity(pasted.len());
    let mut broken = false;
    for c in pasted.chars() {
        match c {
            c if is_break(c) => broken = true,
            // The spaces beside a line end are part of it.
            ' ' if broken => {}
            c if c.is_control() => {}
            c => {
                if std::mem::take(&mut broken) {
                    line.truncate(line.trim_end().len());
                    line.push(' ');
                }
                line.push(c);
            }
        }
    }
    line.trim().to_owned()
}

fn is_break(c: char) -> bool {
    matches!(c, '\t'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}
