//! The figures of payment links and direct payments for a report. Each query reads only the rows of
//! a period, and keeps none of them. Links that the seller has put away are left out.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::table::SaleTable;
use super::{History, map_error};
use crate::trade::report::{
    ReportBar, SaleCounts, SaleFigures, SalesReport, StateFigures, TextGroup, bar_days,
};
use crate::trade::search::Period;
use crate::trade::{ChargeRequest, JournalTrouble, LinkRequest, Wall};

/// The numbers of domains and of descriptions that the app shows.
const MAX_DOMAINS: u32 = 5;
const MAX_DESCRIPTIONS: u32 = 8;

/// The text by which the sales of a period are grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupText {
    /// The description of links and direct payments.
    Description,
    /// The host of links. It is the host of the URL, or else of the requested domain.
    Domain,
}

/// The states of links and direct payments, in the order of a report, with the SQL that finds each.
/// The labels are the numbers of `label_number`.
const STATES: [(&str, &str); 5] = [
    ("created", "l.paid_at IS NULL AND l.created"),
    ("paid", "l.paid_at IS NOT NULL"),
    (
        "refused",
        "l.paid_at IS NULL AND NOT l.created AND l.label = 2",
    ),
    (
        "not-sent",
        "l.paid_at IS NULL AND NOT l.created AND l.label = 3",
    ),
    (
        "unknown",
        "l.paid_at IS NULL AND NOT l.created AND l.label = 1",
    ),
];

/// The number of rows, the number of exact amounts and their sum, first of all rows and then of the
/// marked ones. `rows` is the condition of the rows.
fn counts_sql(rows: &str) -> String {
    let counts = |rows: &str| {
        format!(
            "count(CASE WHEN {rows} THEN 1 END),
             count(CASE WHEN {rows} THEN l.centavos END),
             coalesce(sum(CASE WHEN {rows} THEN l.centavos END), 0)"
        )
    };
    let marked = format!("{rows} AND l.paid_at IS NOT NULL");
    format!("{}, {}", counts(rows), counts(&marked))
}

fn read_counts(row: &Row<'_>, first: usize) -> rusqlite::Result<SaleCounts> {
    Ok(SaleCounts {
        count: row.get::<_, i64>(first)?.unsigned_abs(),
        exact: row.get::<_, i64>(first + 1)?.unsigned_abs(),
        centavos: row.get(first + 2)?,
    })
}

fn read_figures(row: &Row<'_>, first: usize) -> rusqlite::Result<SaleFigures> {
    let all = read_counts(row, first)?;
    Ok(SaleFigures::of(all, read_counts(row, first + 3)?))
}

/// The SQL condition of the rows of a period that a report counts. It can be checked in the indexes
/// for totals, so that no row is read. Only links can be put away.
fn counted(table: &str) -> String {
    let is_shown = match table {
        "link" => " AND l.id NOT IN (SELECT id FROM link WHERE put_away_at IS NOT NULL)",
        _ => "",
    };
    format!("l.created AND l.at >= ?1 AND l.at < ?2{is_shown}")
}

/// The SQL for the figures of a period.
pub(super) fn period_sql(table: &str) -> String {
    let counts = counts_sql("1");
    format!("SELECT {counts} FROM {table} l WHERE {}", counted(table))
}

impl History {
    /// The figures of the links or direct payments that were created in a period. The end of the
    /// period is exclusive.
    pub fn sale_figures<R: SaleTable>(
        &self,
        period: [Wall; 2],
    ) -> Result<SaleFigures, JournalTrouble> {
        let read = || {
            let mut statement = self.connection.prepare_cached(&period_sql(R::TABLE))?;
            statement.query_row(period.map(|at| at.0), |row| read_figures(row, 0))
        };
        map_error(&self.path, read())
    }

    /// The time of the first link or direct payment of a period that a report counts.
    pub fn first_sale(&self, period: [Wall; 2]) -> Result<Option<Wall>, JournalTrouble> {
        let read = |table: &str| -> rusqlite::Result<Option<Wall>> {
            let sql = format!(
                "SELECT l.at FROM {table} l WHERE {} ORDER BY l.at LIMIT 1",
                counted(table)
            );
            let mut statement = self.connection.prepare_cached(&sql)?;
            let at = statement.query_row(period.map(|at| at.0), |row| row.get(0).map(Wall));
            at.optional()
        };
        let links = map_error(&self.path, read("link"))?;
        let charges = map_error(&self.path, read("charge"))?;
        Ok([links, charges].into_iter().flatten().min())
    }

    /// The number of links of a period that the seller has put away.
    pub fn put_away_links(&self, period: [Wall; 2]) -> Result<u64, JournalTrouble> {
        let count = self.connection.query_row(
            "SELECT count(*) FROM link WHERE put_away_at IS NOT NULL AND at >= ? AND at < ?",
            period.map(|at| at.0),
            |row| row.get(0),
        );
        map_error(&self.path, count.map(i64::unsigned_abs))
    }

    /// Calls `visit` for each description or domain of a period, the one with the largest sum
    /// first, up to `limit` of them. Stops if `visit` returns false.
    pub fn visit_groups(
        &self,
        by: GroupText,
        period: [Wall; 2],
        limit: u32,
        visit: &mut dyn FnMut(TextGroup) -> bool,
    ) -> Result<(), JournalTrouble> {
        map_error(
            &self.path,
            visit_groups(&self.connection, by, period, limit, visit),
        )
    }

    /// The figures that the app's report shows, of some days and of the days before them.
    pub fn sales_report(
        &self,
        days: Period,
        before: Period,
        utc_offset_s: i32,
    ) -> Result<SalesReport, JournalTrouble> {
        let spans = [days, before].map(|days| days.span(utc_offset_s));
        let [now, before] = spans;
        let mut report = SalesReport {
            links: [
                self.sale_figures::<LinkRequest>(now)?,
                self.sale_figures::<LinkRequest>(before)?,
            ],
            charges: [
                self.sale_figures::<ChargeRequest>(now)?,
                self.sale_figures::<ChargeRequest>(before)?,
            ],
            put_away: self.put_away_links(now)?,
            ..SalesReport::default()
        };
        for days in bar_days(days) {
            let figures = self.sale_figures::<LinkRequest>(days.span(utc_offset_s))?;
            report.bars.push(ReportBar {
                days,
                made: figures.made.sum,
            });
        }
        let groups = [
            (GroupText::Domain, MAX_DOMAINS, &mut report.domains),
            (
                GroupText::Description,
                MAX_DESCRIPTIONS,
                &mut report.descriptions,
            ),
        ];
        for (by, limit, groups) in groups {
            self.visit_groups(by, now, limit, &mut |group| {
                groups.push(group);
                true
            })?;
        }
        Ok(report)
    }

    /// The links or direct payments of a period in each state that one of them has.
    pub fn state_figures<R: SaleTable>(
        &self,
        period: [Wall; 2],
    ) -> Result<Vec<(&'static str, StateFigures)>, JournalTrouble> {
        map_error(
            &self.path,
            state_figures(&self.connection, R::TABLE, period),
        )
    }
}

fn visit_groups(
    connection: &Connection,
    by: GroupText,
    period: [Wall; 2],
    limit: u32,
    visit: &mut dyn FnMut(TextGroup) -> bool,
) -> rusqlite::Result<()> {
    let rows = |table: &str, text: &str| {
        format!(
            "SELECT {text} AS text, '{table}' AS kind, l.centavos, l.paid_at FROM {table} l
             WHERE {}",
            counted(table)
        )
    };
    let rows = match by {
        GroupText::Domain => rows("link", "l.host"),
        GroupText::Description => {
            let tables =
                ["link", "charge"].map(|table| rows(table, "l.request ->> '$.description'"));
            tables.join(" UNION ALL ")
        }
    };
    let links = counts_sql("l.kind = 'link'");
    let charges = counts_sql("l.kind = 'charge'");
    let sql = format!(
        "SELECT l.text, {links}, {charges} FROM ({rows}) l GROUP BY l.text
         ORDER BY coalesce(sum(l.centavos), 0) DESC, l.text LIMIT ?3"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let [since, until] = period;
    let mut rows = statement.query(params![since.0, until.0, limit])?;
    while let Some(row) = rows.next()? {
        let group = TextGroup {
            text: row.get(0)?,
            links: read_figures(row, 1)?,
            charges: read_figures(row, 7)?,
        };
        if !visit(group) {
            break;
        }
    }
    Ok(())
}

fn state_figures(
    connection: &Connection,
    table: &str,
    period: [Wall; 2],
) -> rusqlite::Result<Vec<(&'static str, StateFigures)>> {
    let cases = STATES.iter().zip(0..);
    let cases: Vec<_> = cases
        .map(|((_, rows), n)| format!("WHEN {rows} THEN {n}"))
        .collect();
    let sql = format!(
        "SELECT CASE {} END AS state, count(*), count(l.centavos), coalesce(sum(l.centavos), 0)
         FROM {table} l WHERE l.put_away_at IS NULL AND l.at >= ? AND l.at < ?
         GROUP BY state HAVING state IS NOT NULL ORDER BY state",
        cases.join(" ")
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map(period.map(|at| at.0), |row| {
        let state: u8 = row.get(0)?;
        let (name, _) = STATES[usize::from(state)];
        Ok((name, StateFigures::of(read_counts(row, 1)?)))
    })?;
    rows.collect()
}
