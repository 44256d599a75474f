//! The app room.
