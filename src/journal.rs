//! The journal room.
