//! balcão, the counter: the map of the house (being drawn).

pub mod app;
pub mod cashier;
pub mod cli;
pub mod config;
pub mod contract;
pub mod demo;
pub mod journal;
pub mod runtime;
pub mod sandbox;
pub mod service;
pub mod trade;
pub mod vault;
pub mod view;
