//! What the fuzz targets share: fixed schemas, generated JSON, and what has to hold of a checked text.

pub mod generate;
pub mod oracle;
pub mod schemas;
