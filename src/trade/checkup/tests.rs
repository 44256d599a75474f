use super::*;
use crate::trade::{JournalTrouble, Origin, VaultKind, VaultTrouble, Wall};
use Verdict::{Broken, Fine, Note};

fn place(owner: FileOwner, mode: u32) -> CheckupFinding {
    let state = PlaceState::There { owner, mode };
    CheckupFinding::Place(PlaceFound { kind: PlaceKind::ConfigFile, path: "~/x".into(), state })
}

#[test]
fn a_file_that_others_can_change_is_broken_and_one_that_they_can_read_is_fine() {
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
        assert_eq!(place(owner, mode).verdict(), verdict, "{owner:?} {mode:o}");
    }
    for (kind, state, verdict) in [
        (PlaceKind::StateDir, PlaceState::Absent, Fine),
        (PlaceKind::CaFile, PlaceState::Absent, Broken),
        (PlaceKind::StateDir, PlaceState::Unseen, Broken),
    ] {
        let found = PlaceFound { kind, path: "~/x".into(), state };
        assert_eq!(CheckupFinding::Place(found).verdict(), verdict, "{kind:?} {state:?}");
    }
}

#[test]
fn others_are_not_told_what_a_file_is_called_that_the_seller_named() {
    use PlaceKind::{CaFile, ConfigFile, ContractFile};
    for (kind, path, told) in [
        (ConfigFile, "~/.config/balcao/config.toml", "~/.config/balcao/config.toml"),
        (ContractFile, "~/.config/balcao/ana-silva.toml", "~/.config/balcao/….toml"),
        (CaFile, "/etc/ssl/ana", "/etc/ssl/…"),
        (CaFile, "ana.pem", "/…"),
    ] {
        let found = PlaceFound { kind, path: path.into(), state: PlaceState::Absent };
        let facts = CheckupFinding::Place(found).told().facts;
        assert_eq!(facts[0], ("path", told.into()));
    }
}

#[test]
fn clocks_may_differ_by_less_than_a_minute() {
    for (seconds, verdict) in [
        (0, Fine),
        (59, Fine),
        (-59, Fine),
        (60, Broken),
        (-60, Broken),
        (i64::MIN, Broken),
        (i64::MAX, Broken),
    ] {
        assert_eq!(
            CheckupFinding::Clock(ClockFound::Ahead(seconds)).verdict(),
            verdict,
            "{seconds}"
        );
    }
    assert_eq!(CheckupFinding::Clock(ClockFound::Unknown).verdict(), Note);
}

#[test]
fn a_credential_is_good_until_its_end() {
    for (expires, found) in [
        (None, CredentialFound::Good(None)),
        (Some(Wall(11)), CredentialFound::Good(Some(Wall(11)))),
        (Some(Wall(10)), CredentialFound::Expired(Wall(10))),
    ] {
        assert_eq!(CredentialFound::kept(expires, Wall(10)), found);
    }
}

#[test]
fn a_window_must_have_room_both_ways() {
    for (columns, rows, verdict) in
        [(60, 18, Fine), (59, 18, Broken), (60, 17, Broken), (0, 0, Broken)]
    {
        let found = WindowFound::Size { columns, rows, least_columns: 60, least_rows: 18 };
        assert_eq!(CheckupFinding::Window(found).verdict(), verdict, "{columns}x{rows}");
    }
    assert_eq!(CheckupFinding::Window(WindowFound::NoTerminal).verdict(), Note);
}

#[test]
fn what_fails_is_broken_and_what_may_pass_is_a_note() {
    let journal = |trouble| CheckupFinding::Journal(JournalFound::Trouble(trouble)).verdict();
    assert_eq!(journal(JournalTrouble::Busy("a window".into())), Note);
    assert_eq!(journal(JournalTrouble::Damaged("a sum".into())), Broken);
    let vault = |state| {
        let (kind, source) = (VaultKind::Keyring, VaultSource::Nobody);
        CheckupFinding::Vault(VaultFound { kind, source, state, command: None }).verdict()
    };
    assert_eq!(vault(Ok(VaultUse::Reads)), Fine);
    assert_eq!(vault(Err(VaultTrouble::Hangs)), Broken);
    let name = |found| CheckupFinding::Name(found).verdict();
    assert_eq!(name(NameFound::Found { v4: 0, v6: 1 }), Fine);
    assert_eq!(name(NameFound::Found { v4: 0, v6: 0 }), Broken);
    assert_eq!(name(NameFound::Late), Broken);
    for (status, verdict) in [(200, Fine), (404, Fine), (501, Fine), (500, Note), (503, Note)] {
        let found = HostReply::Answered { status, is_encrypted: true };
        assert_eq!(CheckupFinding::Host(found).verdict(), verdict, "{status}");
    }
    let pending = |pending| {
        CheckupFinding::Contract(ContractFound { pending, ..ContractFound::default() }).verdict()
    };
    assert_eq!([None, Some(0), Some(1)].map(pending), [Fine, Fine, Note]);
}

#[test]
fn findings_are_told_by_subject_and_the_worst_one_counts() {
    let address =
        CheckupFinding::Address(AddressFound::Secured(Origin("https://x.example".into())));
    let found =
        vec![address, place(FileOwner::Own, 0o664), CheckupFinding::Colours(ColourSource::Many)];
    let checkup = Checkup::of(found);
    let ids: Vec<_> = checkup.findings().iter().map(CheckupFinding::id).collect();
    assert_eq!(ids, ["terminal.colours", "configuration.file", "network.address"]);
    assert_eq!((checkup.verdict(), checkup.count(Fine)), (Note, 2));
    assert_eq!(Checkup::default().verdict(), Fine);
}
