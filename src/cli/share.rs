//! `balcao demo --share`: what it means is said before the screen is taken and anyone is let in.

use std::path::Path;

use super::complaint::Complaint;
use super::output::{is_enter, print_wrapped};
use crate::demo;
use crate::sandbox::{ShareAddress, ShareFault, ShareSocket};
use crate::trade::Untrusted;
use crate::words::Words;

/// The address that is to be shared.
pub fn read(words: &Words, named: &str) -> Result<ShareAddress, Complaint> {
    ShareAddress::parse(named).map_err(|fault| complaint(words, named, &fault))
}

/// Holds the address, says what sharing means, and waits until somebody agrees. Nobody is let in
/// yet.
pub fn agree(
    words: &Words,
    named: &str,
    address: ShareAddress,
    keep: Option<&Path>,
) -> Result<ShareSocket, Complaint> {
    let held = demo::hold(address, keep).map_err(|fault| complaint(words, named, &fault))?;
    let origin = held.origin();
    print_wrapped(&words.with("share-means", &[("origin", &origin)]))?;
    if address.ip.is_loopback() {
        let only_here = words.with("share-this-machine", &[("origin", &origin)]);
        print_wrapped(&format!("\n{only_here}"))?;
    }
    match is_enter(&format!("\n{}", words.text("share-ask")))? {
        true => Ok(held),
        false => Err(Complaint::text(words.text("given-up"))),
    }
}

/// The complaint that an address cannot be shared.
pub fn complaint(words: &Words, named: &str, fault: &ShareFault) -> Complaint {
    let why = match fault {
        ShareFault::NotAnAddress => words.text("share-not-an-address"),
        ShareFault::Unspecified => words.text("share-unspecified"),
        ShareFault::OfMany => words.text("share-of-many"),
        ShareFault::LinkLocal => words.text("share-link-local"),
        ShareFault::NotHere => words.text("share-not-here"),
        ShareFault::InUse => words.text("share-in-use"),
        ShareFault::Refused(error) => {
            let why = Untrusted::from(error.to_string()).shown();
            words.with("share-refused", &[("why", &why)])
        }
    };
    let address = Untrusted::from(named).shown_within(60);
    Complaint::text(words.with("complaint-share", &[("address", &address), ("why", &why)]))
}
