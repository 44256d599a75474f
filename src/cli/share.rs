//! `balcao demo --share`: what it means is said before the screen is taken and anyone is let in.

use std::path::Path;

use super::complaint::Complaint;
use super::output::{is_enter, print_wrapped};
use crate::demo::{self, DemoSandbox};
use crate::sandbox::{ShareAddress, ShareFault, ShareSocket};
use crate::trade::Untrusted;
use crate::words::Words;

/// An address that is to be shared, as it was named.
pub struct NamedShare {
    named: String,
    address: ShareAddress,
}

/// A share that somebody agreed to; nobody is let in yet.
pub struct AgreedShare {
    named: String,
    held: ShareSocket,
}

/// Reads the address that is to be shared.
pub fn read(words: &Words, named: String) -> Result<NamedShare, Complaint> {
    match ShareAddress::parse(&named) {
        Ok(address) => Ok(NamedShare { named, address }),
        Err(fault) => Err(complaint(words, &named, &fault)),
    }
}

impl NamedShare {
    /// Holds the address, says what sharing means, and waits until somebody agrees.
    pub fn agree(self, words: &Words, keep: Option<&Path>) -> Result<AgreedShare, Complaint> {
        let NamedShare { named, address } = self;
        let held = demo::hold(address, keep).map_err(|fault| complaint(words, &named, &fault))?;
        let origin = held.origin();
        print_wrapped(&words.with("share-means", &[("origin", &origin)]))?;
        if address.ip.is_loopback() {
            let only_here = words.with("share-this-machine", &[("origin", &origin)]);
            print_wrapped(&format!("\n{only_here}"))?;
        }
        match is_enter(&format!("\n{}", words.text("share-ask")))? {
            true => Ok(AgreedShare { named, held }),
            false => Err(Complaint::text(words.text("given-up"))),
        }
    }
}

impl AgreedShare {
    /// Lets the phones in.
    pub fn open(self, words: &Words, stage: &mut DemoSandbox) -> Result<(), Complaint> {
        stage.share(self.held).map_err(|fault| complaint(words, &self.named, &fault))
    }
}

fn complaint(words: &Words, named: &str, fault: &ShareFault) -> Complaint {
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
