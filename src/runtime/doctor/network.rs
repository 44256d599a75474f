//! The service: its name is looked up, and it is asked for a sign of life.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::time::timeout;

use super::Examined;
use crate::service::BaseUrl;
use crate::trade::checkup::{self, Finding, HostFault, HostReply, NameFound};

/// The longest wait for the numbers of a name; the system's own limits are minutes.
const NAME_LIMIT: Duration = Duration::from_secs(5);

/// The longest wait for a sign of life, the connection included.
const LIFE_LIMIT: Duration = Duration::from_secs(10);

/// Asks for the name and for a sign of life, one beside the other.
pub async fn ask(all: &Examined) -> Vec<Finding> {
    let Some(base) = &all.base else { return vec![checkup::address(None, false)] };
    let address = checkup::address(Some(base.origin()), base.is_loopback());
    // Where the way to it is not known, it is not asked by another one.
    let Some(service) = &all.service else { return vec![address] };
    let has_proxy = all.contract.as_ref().is_some_and(|contract| contract.proxy().is_some());
    let (name, life) =
        tokio::join!(name(base, has_proxy), timeout(LIFE_LIMIT, service.sign_of_life()));
    let life = life.ok();
    let reply = life.map_or(HostReply::Failed(HostFault::Late), |life| life.reply);
    let mut findings = vec![address, checkup::name(name), checkup::service(reply)];
    if let (HostReply::Answered { .. }, Some(life)) = (reply, life) {
        findings.push(checkup::clock(life.ahead));
    }
    findings
}

async fn name(base: &BaseUrl, has_proxy: bool) -> NameFound {
    let Some((name, port)) = base.name_to_look_up() else { return NameFound::NotNeeded };
    if has_proxy {
        return NameFound::ByProxy;
    }
    match timeout(NAME_LIMIT, tokio::net::lookup_host((name, port))).await {
        Ok(Ok(found)) => counted(found),
        Ok(Err(_)) => NameFound::Unknown,
        Err(_) => NameFound::Late,
    }
}

/// The number of addresses of each kind, each counted once.
fn counted(found: impl Iterator<Item = SocketAddr>) -> NameFound {
    let mut all: Vec<_> = found.map(|address| address.ip()).collect();
    all.sort_unstable();
    all.dedup();
    let v4 = all.iter().filter(|ip| ip.is_ipv4()).count() as u64;
    NameFound::Found { v4, v6: all.len() as u64 - v4 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_name_is_looked_up_only_where_this_computer_does_it() {
        for (base, has_proxy, wanted) in [
            ("http://127.0.0.1:1", false, NameFound::NotNeeded),
            ("http://localhost:1", true, NameFound::NotNeeded),
            ("https://[2001:db8::1]", false, NameFound::NotNeeded),
            ("https://host.invalid", true, NameFound::ByProxy),
        ] {
            assert_eq!(name_of(base, has_proxy).await, wanted, "{base}");
        }
    }

    async fn name_of(base: &str, has_proxy: bool) -> NameFound {
        name(&BaseUrl::parse(base).unwrap(), has_proxy).await
    }

    #[test]
    fn addresses_are_counted_once_and_by_their_kind() {
        let all = ["192.0.2.1:443", "192.0.2.1:443", "[2001:db8::1]:443", "192.0.2.2:443"];
        let found = counted(all.iter().map(|one| one.parse().unwrap()));
        assert_eq!(found, NameFound::Found { v4: 2, v6: 1 });
        assert_eq!(counted(std::iter::empty()), NameFound::Found { v4: 0, v6: 0 });
    }
}
