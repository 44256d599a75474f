//! Checks the links of a file before the first request.

use std::collections::HashMap;
use std::time::Duration;

use crate::csv_files::{LineFault, LinkFile, ListedLink};
use crate::trade::{Account, BatchLine, LineState, LinkRequest, Money, PaymentLink, Wall};

/// The age up to which an equal link counts as the same one.
pub const REPEAT_WINDOW: Duration = Duration::from_secs(30 * 86_400);

/// The maximum number of lines of one kind that a [`CheckReport`] lists.
const MAX_LISTED: usize = 200;

/// The links of a file, with the reasons why some of them are not sent.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchCheck {
    /// The names of the columns, as in the file.
    pub header: Vec<String>,
    /// The character between the cells of a line.
    pub delimiter: u8,
    /// The lines in the order of the file.
    pub lines: Vec<CheckedLine>,
}

/// A line of the file, checked.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedLine {
    /// The number of the line in the file.
    pub number: u64,
    /// The cells, as in the file.
    pub cells: Vec<String>,
    /// The link that the line describes, if it describes one.
    pub request: Option<LinkRequest>,
    /// The seller's note about the link.
    pub note: Option<String>,
    /// The reason why the line is not sent; `None` if it is.
    pub skip: Option<Skip>,
}

/// The reason why a line is not sent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Skip {
    /// The line does not describe a link.
    Fault(LineFault),
    /// An equal link exists. The seller may want it again.
    Exists(Existing),
}

/// An equal link: the same amount, description and domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// A link that was made at this time, or whose outcome is unknown.
    Link(Wall),
    /// An earlier line of the same file.
    Line(u64),
}

/// The figures of the links to create.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Figures {
    /// The number of links.
    pub count: u64,
    /// The sum of their amounts; `None` if it cannot be represented.
    pub sum: Option<Money>,
    /// The smallest and the largest amount; `None` without a link.
    pub range: Option<[Money; 2]>,
}

/// The result of a check, with only some of the lines.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckReport {
    /// The number of lines in the file.
    pub lines: u64,
    /// The figures without the links that exist already.
    pub new: Figures,
    /// The figures with the links that exist already.
    pub all: Figures,
    /// The lines that do not describe a link, except for empty lines.
    pub faults: Excerpt<Skip>,
    /// The lines whose links exist already.
    pub existing: Excerpt<Skip>,
}

/// The first lines of one kind, each with its number, and the number of all lines of this kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Excerpt<T> {
    /// The first lines.
    pub first: Vec<(u64, T)>,
    /// The number of all lines.
    pub total: u64,
}

/// The parts by which two links are compared.
type Compared<'l> = (Money, &'l str, Option<&'l str>);

impl BatchCheck {
    /// Checks the lines of a file. `recent` are the account's links within the [`REPEAT_WINDOW`],
    /// oldest first.
    pub fn of(file: LinkFile, account: &Account, recent: &[PaymentLink]) -> BatchCheck {
        let skips = skips(&file, recent);
        let lines = file.lines.into_iter().zip(skips);
        let lines = lines.map(|(line, skip)| {
            let link = line.link.ok();
            CheckedLine {
                number: line.number,
                cells: line.cells,
                note: link.as_ref().and_then(|link| link.note.clone()),
                request: link.map(|link| request(link, account)),
                skip,
            }
        });
        BatchCheck {
            header: file.header,
            delimiter: file.delimiter,
            lines: lines.collect(),
        }
    }

    /// The links to create, each with the number of its line. If `sends_existing` is true, links
    /// that exist already are created again.
    pub fn to_create(&self, sends_existing: bool) -> impl Iterator<Item = (u64, &LinkRequest)> {
        self.lines.iter().filter_map(move |line| {
            let request = line.request.as_ref()?;
            line.is_sent(sends_existing)
                .then_some((line.number, request))
        })
    }

    /// The figures of the [links to create](Self::to_create).
    pub fn figures(&self, sends_existing: bool) -> Figures {
        let amounts = || {
            let links = self.to_create(sends_existing);
            links.map(|(_, request)| request.amount)
        };
        Figures {
            count: amounts().count() as u64,
            sum: amounts().try_fold(Money::ZERO, Money::checked_add),
            range: amounts().min().zip(amounts().max()).map(<[Money; 2]>::from),
        }
    }

    /// The result of the check, for the seller.
    pub fn report(&self) -> CheckReport {
        CheckReport {
            lines: self.lines.len() as u64,
            new: self.figures(false),
            all: self.figures(true),
            faults: self.excerpt(|skip| match skip {
                Skip::Fault(fault) => !fault.is_harmless(),
                Skip::Exists(_) => false,
            }),
            existing: self.excerpt(|skip| matches!(skip, Skip::Exists(_))),
        }
    }

    fn excerpt(&self, is_listed: impl Fn(Skip) -> bool) -> Excerpt<Skip> {
        let skipped = || {
            let lines = self.lines.iter();
            let skipped = lines.filter_map(|line| Some((line.number, line.skip?)));
            skipped.filter(|(_, skip)| is_listed(*skip))
        };
        Excerpt {
            first: skipped().take(MAX_LISTED).collect(),
            total: skipped().count() as u64,
        }
    }

    /// The lines of the new batch. `describe` returns the reason of a skipped line, as text for the
    /// result file.
    pub fn into_lines(
        self,
        sends_existing: bool,
        describe: impl Fn(Skip) -> String,
    ) -> Vec<BatchLine> {
        let lines = self.lines.into_iter().map(|line| {
            let is_sent = line.is_sent(sends_existing);
            let skip = line.skip.filter(|_| !is_sent);
            BatchLine {
                number: line.number,
                cells: line.cells,
                request: line.request,
                note: line.note,
                state: if is_sent {
                    LineState::Waiting
                } else {
                    LineState::Skipped
                },
                reason: skip.map_or_else(String::new, &describe),
                row: None,
                url: None,
            }
        });
        lines.collect()
    }
}

impl CheckedLine {
    fn is_sent(&self, sends_existing: bool) -> bool {
        match self.skip {
            None => true,
            Some(Skip::Exists(_)) => sends_existing,
            Some(Skip::Fault(_)) => false,
        }
    }
}

/// The reason of each line why it is not sent.
fn skips(file: &LinkFile, recent: &[PaymentLink]) -> Vec<Option<Skip>> {
    let mut existing: HashMap<Compared<'_>, Existing> = recent
        .iter()
        .map(|link| (compared_request(&link.request), Existing::Link(link.at)))
        .collect();
    let lines = file.lines.iter().map(|line| match &line.link {
        Err(fault) => Some(Skip::Fault(*fault)),
        Ok(link) => {
            let same = existing.get(&compared_link(link)).copied();
            existing
                .entry(compared_link(link))
                .or_insert(Existing::Line(line.number));
            same.map(Skip::Exists)
        }
    });
    lines.collect()
}

fn request(link: ListedLink, account: &Account) -> LinkRequest {
    LinkRequest {
        account: account.clone(),
        amount: link.amount,
        description: link.description,
        domain: link.domain.map(Into::into),
    }
}

fn compared_link(link: &ListedLink) -> Compared<'_> {
    (link.amount, &link.description, link.domain.as_deref())
}

fn compared_request(request: &LinkRequest) -> Compared<'_> {
    let domain = request.domain.as_ref().map(crate::trade::Untrusted::raw);
    (request.amount, &request.description, domain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trade::{CreatedLink, LinkOutcome, Origin, RowId, SaleAuthors};

    fn account() -> Account {
        Account {
            origin: Origin("https://pay.example".into()),
            identity: "ana".into(),
        }
    }

    fn made(centavos: i64, description: &str, domain: Option<&str>, at: i64) -> PaymentLink {
        PaymentLink {
            id: RowId(1),
            at: Wall(at),
            request: LinkRequest {
                account: account(),
                amount: Money::from_centavos(centavos),
                description: description.into(),
                domain: domain.map(Into::into),
            },
            outcome: LinkOutcome::Created(CreatedLink { url: "x".into() }),
            paid: None,
            note: None,
            put_away: None,
            authors: SaleAuthors::default(),
        }
    }

    fn file(lines: &str) -> LinkFile {
        let text = format!("valor;descrição;domínio\n{lines}");
        LinkFile::read(text.as_bytes(), None).unwrap()
    }

    fn numbers(check: &BatchCheck, sends_existing: bool) -> Vec<u64> {
        let links = check.to_create(sends_existing);
        links.map(|(number, _)| number).collect()
    }

    #[test]
    fn equal_links_are_listed_and_not_sent() {
        let lines = "49,90;Boné;\n49,90;Boné;a.example\n49,90;boné;\n5,00;Boné;\n49,90;Boné;\n";
        let recent = [
            made(500, "Boné", None, 6),
            made(500, "Boné", None, 7),
            made(4_990, "Boné", Some("b.example"), 8),
        ];
        let check = BatchCheck::of(file(lines), &account(), &recent);
        assert_eq!(numbers(&check, false), [2, 3, 4]);
        assert_eq!(numbers(&check, true), [2, 3, 4, 5, 6]);
        let newest = Existing::Link(Wall(7));
        let existing = [(5, newest), (6, Existing::Line(2))];
        let existing = existing.map(|(line, existing)| (line, Skip::Exists(existing)));
        let report = check.report();
        assert_eq!(report.existing.first, existing);
        assert_eq!((report.new.count, report.all.count), (3, 5));
        for (sends_existing, skipped) in [(false, vec![5, 6]), (true, vec![])] {
            let lines = check.clone().into_lines(sends_existing, |_| "why".into());
            let lines = lines.iter().filter(|line| line.state == LineState::Skipped);
            let numbers: Vec<_> = lines.map(|line| line.number).collect();
            assert_eq!(numbers, skipped);
        }
    }

    #[test]
    fn figures_are_of_the_links_to_create() {
        let lines = "49,90;a;\n\n0,00;b;\n1.000,00;c;\n49,90;a;\n0,50;d;\n";
        let check = BatchCheck::of(file(lines), &account(), &[]);
        let figures = check.figures(false);
        assert_eq!(figures.sum, Some(Money::from_centavos(105_040)));
        let range = [50, 100_000].map(Money::from_centavos);
        assert_eq!(figures.range, Some(range));
        let report = check.report();
        let faults: Vec<_> = report.faults.first.iter().map(|(line, _)| *line).collect();
        assert_eq!(faults, [4], "an empty line is no fault");
        assert_eq!(report.lines, 6, "every line is kept");
        let nothing = BatchCheck::of(file("0,00;b;\n"), &account(), &[]);
        let nothing = nothing.figures(true);
        assert_eq!((nothing.sum, nothing.range), (Some(Money::ZERO), None));
    }

    #[test]
    fn report_lists_only_the_first_lines() {
        let lines = "0,00;a;\n".repeat(MAX_LISTED + 5);
        let report = BatchCheck::of(file(&lines), &account(), &[]).report();
        assert_eq!(report.faults.first.len(), MAX_LISTED);
        assert_eq!(report.faults.total, MAX_LISTED as u64 + 5);
    }
}
