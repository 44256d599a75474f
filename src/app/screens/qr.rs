//! A QR code alone on the screen.

pub mod show;
