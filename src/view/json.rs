//! Bodies made readable.
