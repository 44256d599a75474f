//! Lines of the contract that are confirmed: kept in the vault, and in force from then on.

use std::sync::Arc;

use super::WorldContext;
use crate::app::Msg;
use crate::contract::ConfirmedLines;
use crate::trade::{Origin, VaultTrouble};
use crate::vault::VaultHandle;

/// Returns the name of the vault's entry: one text for each profile and origin.
fn name(profile: &str, origin: &Origin) -> String {
    // An origin has no spaces: no two pairs share a name.
    format!("confirmed {} {profile}", origin.0)
}

/// The lines that a vault holds as confirmed for a profile at its service.
pub async fn confirmed_lines(
    vault: &VaultHandle,
    profile: &str,
    origin: &Origin,
) -> Result<ConfirmedLines, VaultTrouble> {
    let text = vault.get_text(&name(profile, origin)).await?;
    Ok(text.map_or_else(ConfirmedLines::default, |text| ConfirmedLines::read(&text)))
}

/// The same for this run; where the vault gives no answer, none is confirmed.
async fn kept(context: &WorldContext) -> ConfirmedLines {
    let origin = context.service().base().origin().clone();
    confirmed_lines(&context.vault(), &context.profile, &origin).await.unwrap_or_default()
}

/// Reads the lines that were confirmed at earlier starts, and puts them in force.
pub async fn read(context: &WorldContext) {
    let lines = kept(context).await;
    if !lines.is_empty() {
        let told = in_force(context, lines);
        context.inbox.post(told);
    }
}

/// Counts these lines as confirmed, and keeps them for later starts.
///
/// Where the vault cannot keep them they count for this run, and are proved anew by the next one.
pub async fn confirm(context: Arc<WorldContext>, lines: ConfirmedLines) -> Msg {
    // Another window may have confirmed others.
    let all = kept(&context).await.and(&lines);
    if let Some(text) = all.kept() {
        let name = name(&context.profile, context.service().base().origin());
        let _ = context.vault().put_text(&name, text).await;
    }
    in_force(&context, all)
}

fn in_force(context: &WorldContext, lines: ConfirmedLines) -> Msg {
    let contract = context.contract.now().confirmed_by(&lines);
    context.contract.replace(Arc::new(contract));
    Msg::LinesConfirmed(lines)
}
