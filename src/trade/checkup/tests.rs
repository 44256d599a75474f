use super::*;
use crate::trade::{JournalTrouble, VaultKind, VaultTrouble, Wall};
use Verdict::{Broken, Fine, Note};

fn file_finding(owner: FileOwner, mode: u32) -> Finding {
    place(
        PathKind::ConfigFile,
        "~/x".into(),
        PathState::Exists { owner, mode },
    )
}

#[test]
fn file_verdict_depends_on_owner_and_write_access() {
    use FileOwner::{Other, Own, Root};
    for (owner, mode, verdict) in [
        (Own, 0o600, Fine),
        (Own, 0o644, Fine),
        (Root, 0o444, Fine),
        (Own, 0o664, Note),
        (Own, 0o602, Broken),
        (Own, 0o666, Broken),
        (Root, 0o1777, Broken),
        (Other, 0o600, Broken),
    ] {
        assert_eq!(
            file_finding(owner, mode).verdict,
            verdict,
            "{owner:?} {mode:o}"
        );
    }
    for (kind, state, verdict) in [
        (PathKind::StateDir, PathState::Absent, Fine),
        (PathKind::CaFile, PathState::Absent, Broken),
        (PathKind::StateDir, PathState::Unreadable, Broken),
    ] {
        assert_eq!(
            place(kind, "~/x".into(), state).verdict,
            verdict,
            "{kind:?} {state:?}"
        );
    }
}

#[test]
fn facts_hide_file_names_chosen_by_the_seller() {
    use PathKind::{CaFile, ConfigFile, ContractFile};
    for (kind, path, shown_path) in [
        (
            ConfigFile,
            "~/.config/balcao/config.toml",
            "~/.config/balcao/config.toml",
        ),
        (
            ContractFile,
            "~/.config/balcao/ana-silva.toml",
            "~/.config/balcao/….toml",
        ),
        (CaFile, "/etc/ssl/ana", "/etc/ssl/…"),
        (CaFile, "ana.pem", "/…"),
    ] {
        let facts = place(kind, path.into(), PathState::Absent).facts;
        assert_eq!(facts[0], ("path", shown_path.into()));
    }
}

#[test]
fn clocks_may_differ_by_less_than_a_minute() {
    for (seconds, verdict) in [
        (Some(0), Fine),
        (Some(59), Fine),
        (Some(-59), Fine),
        (Some(60), Broken),
        (Some(-60), Broken),
        (Some(i64::MIN), Broken),
        (Some(i64::MAX), Broken),
        (None, Note),
    ] {
        assert_eq!(clock(seconds).verdict, verdict, "{seconds:?}");
    }
}

#[test]
fn credential_is_good_until_it_expires() {
    for (expires, expected) in [
        (None, CredentialFound::Good(None)),
        (Some(Wall(11)), CredentialFound::Good(Some(Wall(11)))),
        (Some(Wall(10)), CredentialFound::Expired(Wall(10))),
    ] {
        assert_eq!(CredentialFound::from_expiry(expires, Wall(10)), expected);
    }
}

#[test]
fn terminal_needs_minimum_width_and_height() {
    for (size, verdict) in [
        (Some([60, 18]), Fine),
        (Some([59, 18]), Broken),
        (Some([60, 17]), Broken),
        (Some([0, 0]), Broken),
        (None, Note),
    ] {
        assert_eq!(terminal_size(size, [60, 18]).verdict, verdict, "{size:?}");
    }
}

#[test]
fn an_open_withdrawal_is_a_note() {
    for (open, verdict) in [(0, Fine), (1, Note)] {
        let journal_found = JournalFound::Readable {
            schema: 1,
            withdrawals: 3,
            open,
            is_copy: false,
            is_marked: true,
        };
        assert_eq!(journal(journal_found).verdict, verdict, "{open}");
    }
}

#[test]
fn what_cannot_be_read_is_broken_and_the_rest_a_note() {
    let journal = |trouble| journal(JournalFound::Trouble(trouble)).verdict;
    assert_eq!(journal(JournalTrouble::Elsewhere("/journal".into())), Note);
    assert_eq!(journal(JournalTrouble::Busy("a window".into())), Broken);
    assert_eq!(journal(JournalTrouble::Damaged("a sum".into())), Broken);
    let aside = ["history-damaged-2026.db".to_owned()];
    let contents = DatabaseContents {
        schema: 8,
        rows: vec![("links", 0), ("charges", 0)],
    };
    assert_eq!(
        history(DatabaseFound::Whole(contents), &aside).verdict,
        Note
    );
    for found in [history, requests] {
        let trouble = DatabaseFound::Trouble(JournalTrouble::Busy("a window".into()));
        assert_eq!(found(trouble, &[]).verdict, Broken);
        assert_eq!(found(DatabaseFound::Late, &[]).verdict, Note);
        assert_eq!(found(DatabaseFound::None, &[]).verdict, Fine);
    }
    let vault = |state| vault(VaultKind::Keyring, VaultSource::Default, state, None).verdict;
    assert_eq!(vault(Ok(VaultUse::Reads)), Fine);
    assert_eq!(vault(Err(VaultTrouble::Hangs)), Broken);
    assert_eq!(dns_lookup(DnsLookup::Found { v4: 0, v6: 1 }).verdict, Fine);
    assert_eq!(
        dns_lookup(DnsLookup::Found { v4: 0, v6: 0 }).verdict,
        Broken
    );
    assert_eq!(dns_lookup(DnsLookup::Late).verdict, Broken);
    for (status, verdict) in [
        (200, Fine),
        (404, Fine),
        (501, Fine),
        (500, Note),
        (503, Note),
    ] {
        let finding = service(HostReply::Answered {
            status,
            is_encrypted: true,
        });
        assert_eq!(finding.verdict, verdict, "{status}");
    }
}

#[test]
fn findings_are_sorted_and_worst_is_the_verdict() {
    let findings = vec![
        address(None, false),
        file_finding(FileOwner::Own, 0o644),
        colours(ColourSource::Many),
    ];
    let checkup = Checkup::of(findings);
    let ids: Vec<_> = checkup
        .findings()
        .iter()
        .map(|finding| finding.id)
        .collect();
    assert_eq!(
        ids,
        ["terminal.colours", "configuration.file", "network.address"]
    );
    assert_eq!((checkup.verdict(), checkup.count(Fine)), (Note, 2));
    assert_eq!(Checkup::default().verdict(), Fine);
}

#[test]
fn agreement_without_a_vault_lasts_for_the_run() {
    let agreed = Agreement {
        differing: 3,
        pending: Some(0),
        is_kept: true,
        is_sandbox: false,
    };
    let for_run = Agreement {
        is_kept: false,
        ..agreed
    };
    for (agreement, id, count, verdict) in [
        (agreed, "accepted", 3, Fine),
        (for_run, "for-run", 3, Note),
        // Another process may have agreed.
        (
            Agreement {
                pending: None,
                ..for_run
            },
            "for-run",
            3,
            Note,
        ),
        (
            Agreement {
                pending: Some(4),
                ..for_run
            },
            "pending",
            4,
            Note,
        ),
        (
            Agreement {
                pending: None,
                ..agreed
            },
            "differing",
            3,
            Fine,
        ),
        (
            Agreement {
                is_sandbox: true,
                ..for_run
            },
            "sandbox",
            3,
            Fine,
        ),
        (
            Agreement {
                differing: 0,
                ..for_run
            },
            "own",
            0,
            Fine,
        ),
    ] {
        assert_eq!(agreement.answer(), (id, count));
        let found = ContractFound {
            presets: vec![],
            files: 1,
            agreement,
        };
        assert_eq!(contract(found).verdict, verdict, "{id}");
    }
}
