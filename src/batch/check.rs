//! Checks the links of a file before the first request.

use std::collections::HashMap;
use std::time::Duration;

use crate::csv_files::{LineFault, LinkFile, ListedLink};
use crate::trade::{Account, LinkRequest, Money, PaymentLink, Wall};

/// The age up to which an equal link counts as the same one.
pub const REPEAT_WINDOW: Duration = Duration::from_secs(30 * 86_400);

/// The links of a file, with the reasons why some of them are not sent.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchCheck {
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
    /// The reason why the line is not sent; `None` if it is.
    pub skip: Option<Skip>,
}

/// The reason why a line is not sent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Skip {
    /// The line does not describe a link.
    Fault(LineFault),
    /// An equal link exists.
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

/// The parts by which two links are compared.
type Compared<'l> = (Money, &'l str, Option<&'l str>);

impl BatchCheck {
    /// Checks the lines of a file. `recent` are the account's links within the [`REPEAT_WINDOW`],
    /// oldest first. If `sends_existing` is true, the seller wants equal links again.
    pub fn of(
        file: &LinkFile,
        account: &Account,
        recent: &[PaymentLink],
        sends_existing: bool,
    ) -> BatchCheck {
        let mut existing: HashMap<Compared<'_>, Existing> = recent
            .iter()
            .map(|link| (compared_request(&link.request), Existing::Link(link.at)))
            .collect();
        let mut lines = Vec::with_capacity(file.lines.len());
        for line in &file.lines {
            let (request, skip) = match &line.link {
                Err(fault) => (None, Some(Skip::Fault(*fault))),
                Ok(link) => {
                    let same = existing.get(&compared_link(link)).copied();
                    existing
                        .entry(compared_link(link))
                        .or_insert(Existing::Line(line.number));
                    let skip = same.filter(|_| !sends_existing).map(Skip::Exists);
                    (Some(request(link, account)), skip)
                }
            };
            lines.push(CheckedLine {
                number: line.number,
                cells: line.cells.clone(),
                request,
                skip,
            });
        }
        BatchCheck { lines }
    }

    /// The links to create, each with the number of its line.
    pub fn to_create(&self) -> impl Iterator<Item = (u64, &LinkRequest)> {
        self.lines.iter().filter_map(|line| {
            let request = line.request.as_ref().filter(|_| line.skip.is_none())?;
            Some((line.number, request))
        })
    }

    /// The sum of the links to create; `None` if it cannot be represented.
    pub fn sum(&self) -> Option<Money> {
        self.to_create().try_fold(Money::ZERO, |sum, (_, request)| {
            sum.checked_add(request.amount)
        })
    }

    /// The smallest and the largest amount among the links to create.
    pub fn range(&self) -> Option<[Money; 2]> {
        let amounts = || self.to_create().map(|(_, request)| request.amount);
        Some([amounts().min()?, amounts().max()?])
    }

    /// The lines that do not describe a link, with the reasons. Empty lines are not among them.
    pub fn faults(&self) -> impl Iterator<Item = (u64, LineFault)> {
        self.lines.iter().filter_map(|line| match line.skip {
            Some(Skip::Fault(fault)) if !fault.is_harmless() => Some((line.number, fault)),
            _ => None,
        })
    }

    /// The lines whose links exist already.
    pub fn existing(&self) -> impl Iterator<Item = (u64, Existing)> {
        self.lines.iter().filter_map(|line| match line.skip {
            Some(Skip::Exists(existing)) => Some((line.number, existing)),
            _ => None,
        })
    }
}

fn request(link: &ListedLink, account: &Account) -> LinkRequest {
    LinkRequest {
        account: account.clone(),
        amount: link.amount,
        description: link.description.clone(),
        domain: link.domain.as_deref().map(Into::into),
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
    use crate::trade::{CreatedLink, LinkOutcome, Origin, RowId};

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
        }
    }

    fn file(lines: &str) -> LinkFile {
        let text = format!("valor;descrição;domínio\n{lines}");
        LinkFile::read(text.as_bytes(), None).unwrap()
    }

    fn numbers(check: &BatchCheck) -> Vec<u64> {
        check.to_create().map(|(number, _)| number).collect()
    }

    #[test]
    fn equal_links_are_listed_and_not_sent() {
        let lines = "49,90;Boné;\n49,90;Boné;a.example\n49,90;boné;\n5,00;Boné;\n49,90;Boné;\n";
        let recent = [
            made(500, "Boné", None, 6),
            made(500, "Boné", None, 7),
            made(4_990, "Boné", Some("b.example"), 8),
        ];
        let check = BatchCheck::of(&file(lines), &account(), &recent, false);
        assert_eq!(numbers(&check), [2, 3, 4]);
        let existing: Vec<_> = check.existing().collect();
        let newest = Existing::Link(Wall(7));
        assert_eq!(existing, [(5, newest), (6, Existing::Line(2))]);
        let again = BatchCheck::of(&file(lines), &account(), &recent, true);
        assert_eq!(numbers(&again), [2, 3, 4, 5, 6]);
    }

    #[test]
    fn figures_are_of_the_links_to_create() {
        let lines = "49,90;a;\n\n0,00;b;\n1.000,00;c;\n49,90;a;\n0,50;d;\n";
        let check = BatchCheck::of(&file(lines), &account(), &[], false);
        assert_eq!(check.sum(), Some(Money::from_centavos(105_040)));
        assert_eq!(check.range(), Some([50, 100_000].map(Money::from_centavos)));
        let faults: Vec<_> = check.faults().map(|(number, _)| number).collect();
        assert_eq!(faults, [4], "an empty line is no fault");
        assert_eq!(check.lines.len(), 6, "every line is kept");
        let nothing = BatchCheck::of(&file("0,00;b;\n"), &account(), &[], false);
        assert_eq!((nothing.sum(), nothing.range()), (Some(Money::ZERO), None));
    }
}
