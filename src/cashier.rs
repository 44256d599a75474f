//! The cashier room.
