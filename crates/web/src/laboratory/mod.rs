//! The laboratory: runs below one folder, how they stand, their pictures and games; starting and stopping them.

mod api;
mod folder;
mod launch;
mod page;
mod standing;
mod work;

pub(crate) use api::routes;
pub(crate) use folder::RunsFolder;
pub(crate) use launch::Launcher;
