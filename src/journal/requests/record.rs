//! The JSON format of a stored HTTP request with its reply.

use serde::{Deserialize, Serialize};

use crate::trade::{Exchange, Untrusted};

/// An [`Exchange`] in the form in which it is stored as JSON.
#[derive(Serialize, Deserialize)]
struct Record<E> {
    #[serde(flatten)]
    exchange: E,
    /// True if masked secrets have the mark [`Untrusted::MASKED`]. Earlier versions wrote the
    /// ellipsis, and no such member.
    #[serde(default)]
    has_marks: bool,
}

pub(super) fn to_json(exchange: &Exchange) -> serde_json::Result<String> {
    serde_json::to_string(&Record {
        exchange,
        has_marks: true,
    })
}

pub(super) fn from_json(text: &str) -> serde_json::Result<Exchange> {
    let Record::<Exchange> {
        mut exchange,
        has_marks,
    } = serde_json::from_str(text)?;
    if !has_marks {
        mark_masks(&mut exchange);
    }
    Ok(exchange)
}

/// Puts the mark of masked secrets where an earlier version wrote the ellipsis. All request
/// headers with this character are masked, because the program sends only ASCII.
fn mark_masks(exchange: &mut Exchange) {
    for (_, value) in &mut exchange.request_headers {
        *value = value.replace(Untrusted::SHOWN_MASK, Untrusted::MASKED);
    }
    exchange.request_body = exchange.request_body.as_deref().map(mark_masked_members);
    if let Ok(reply) = &mut exchange.reply {
        reply.body = mark_masked_members(reply.body.raw()).into();
    }
}

/// Puts the mark where an ellipsis is the whole value of a member of a JSON text or a form.
/// Anywhere else it is text of the service.
fn mark_masked_members(body: &str) -> String {
    let mut marked = String::with_capacity(body.len());
    let mut end = 0;
    for (start, ellipsis) in body.match_indices(Untrusted::SHOWN_MASK) {
        let before = &body[end..start];
        let after = &body[start + ellipsis.len()..];
        let head = before.strip_suffix("eyJ").unwrap_or(before);
        let is_json_text = head.ends_with('"') && !head.ends_with("\\\"");
        let is_whole = if is_json_text {
            after.is_empty() || after.starts_with('"')
        } else {
            head.ends_with('=') && (after.is_empty() || after.starts_with('&'))
        };
        marked += before;
        marked += if is_whole {
            Untrusted::MASKED
        } else {
            ellipsis
        };
        end = start + ellipsis.len();
    }
    marked + &body[end..]
}
