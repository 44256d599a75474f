//! The trade room.

pub mod amount;
pub mod money;
pub mod pix_key;
pub mod secret;
pub mod untrusted;

pub use amount::{AmountField, PasteError, read_pasted};
pub use money::Money;
pub use pix_key::{PixKey, PixKeyError, PixKeyKind};
pub use secret::{Secret, SecretField};
pub use untrusted::Untrusted;
