//! Where the library is.

use syn::{Path, parse_quote};

/// The path that the user gave with `crate = ..`, or `::tools_core`.
pub(crate) fn path(given: Option<Path>) -> Path {
    given.unwrap_or_else(|| parse_quote!(::tools_core))
}
