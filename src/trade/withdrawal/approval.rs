//! The approval of a withdrawal by a second person, which a team can require.

use std::time::Duration;

use crate::trade::{Author, Untrusted, Wall};

/// The time for which an approval is valid.
pub const APPROVAL_PERIOD: Duration = Duration::from_secs(24 * 60 * 60);

/// The approvals of a withdrawal, and what they must match. Without a team, it is empty.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Approvals {
    /// The roles that prepared the withdrawal: the one that the event names, and the one that the
    /// database names. They differ if another operator put the event back after the log lost it.
    /// None of them can approve the withdrawal.
    pub preparers: Vec<Untrusted>,
    /// The checksum of the event that prepared the withdrawal. It covers all confirmed terms: the
    /// body, the quote and the destination.
    pub terms: [u8; 32],
    /// The approvals that were given, oldest first.
    pub given: Vec<Approval>,
}

/// A person's approval of a withdrawal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    /// The number of the approval within its withdrawal, counted from 1.
    pub n: u32,
    /// The person who approved.
    pub by: Option<Author>,
    /// The time of the approval.
    pub at: Wall,
    /// True if the approval is of these terms, and by a role that did not prepare the withdrawal.
    /// The role must be proven by the database.
    pub counts: bool,
    /// True if the person took the approval back.
    pub is_taken_back: bool,
}

impl Approvals {
    /// The approval with which the withdrawal may be sent now, if it needs one.
    pub fn valid(&self, now: Wall) -> Option<&Approval> {
        // A clock of another machine may be somewhat ahead.
        let is_recent = |at: Wall| now.since(at).is_none_or(|age| age < APPROVAL_PERIOD);
        self.last_counting().filter(|last| is_recent(last.at))
    }

    /// The last approval that counts and was not taken back, even if it is too old.
    pub fn last_counting(&self) -> Option<&Approval> {
        let mut given = self.given.iter();
        given.rfind(|approval| approval.counts && !approval.is_taken_back)
    }

    /// The valid approval that this database role gave, if any.
    pub fn given_by(&self, role: &Untrusted, now: Wall) -> Option<&Approval> {
        self.valid(now).filter(|valid| {
            let by = valid.by.as_ref();
            by.is_some_and(|by| by.role == *role)
        })
    }

    /// True if this database role may approve the withdrawal. Nobody may if it is not known who
    /// prepared it, which was before it was taken along into a team.
    pub fn may_be_given_by(&self, role: &Untrusted) -> bool {
        !self.preparers.is_empty() && !self.preparers.contains(role)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_others_than_the_preparers_may_approve() {
        let approvals = Approvals {
            preparers: vec!["ana".into(), "bia".into()],
            ..Approvals::default()
        };
        let may = |approvals: &Approvals| {
            ["ana", "bia", "eva"].map(|role| approvals.may_be_given_by(&role.into()))
        };
        assert_eq!(may(&approvals), [false, false, true]);
        assert_eq!(may(&Approvals::default()), [false; 3], "nobody is known");
    }

    #[test]
    fn approval_counts_until_taken_back_or_a_day_old() {
        let approval = Approval {
            n: 1,
            by: None,
            at: Wall(1_000),
            counts: true,
            is_taken_back: false,
        };
        let is_valid = |approval: Approval, now: i64| {
            let given = vec![approval];
            let approvals = Approvals {
                given,
                ..Approvals::default()
            };
            approvals.valid(Wall(now)).is_some()
        };
        let day = APPROVAL_PERIOD.as_millis() as i64;
        assert!(is_valid(approval.clone(), 999));
        assert!(is_valid(approval.clone(), 999 + day));
        assert!(!is_valid(approval.clone(), 1_000 + day));
        let taken_back = Approval {
            is_taken_back: true,
            ..approval.clone()
        };
        assert!(!is_valid(taken_back, 1_000));
        let of_other_terms = Approval {
            counts: false,
            ..approval
        };
        assert!(!is_valid(of_other_terms, 1_000));
    }
}
