//! Tests of a journal with many withdrawals.

use super::samples::*;
use crate::journal::OsDisk;
use crate::journal::money::MoneyJournal;

#[test]
fn opening_long_journal_reports_its_progress() {
    let dir = tempfile::tempdir().unwrap();
    write_long_journal(dir.path(), 2_500);
    let mut percents = vec![];
    let mut report = |percent| percents.push(percent);
    let opened = MoneyJournal::open_reporting(dir.path(), OsDisk, true, &mut report);
    assert_eq!(opened.unwrap().events(), 2_500);
    assert_eq!(percents, [40, 80]);
}
