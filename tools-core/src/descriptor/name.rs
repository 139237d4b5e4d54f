//! Names of tools.

use std::{borrow::Borrow, fmt, str::FromStr, sync::Arc};

use serde::{Serialize, Serializer};

/// A tool's name: 1 to 128 letters, digits, `_`, `-` and `.` (ASCII), as in the Model Context Protocol of
/// 2026-07-28. Dots make namespaces.
///
/// ```
/// use tools_core::ToolName;
///
/// let name: ToolName = "weather.forecast".parse()?;
/// assert_eq!(name.namespace(), Some("weather"));
/// assert!("two words".parse::<ToolName>().is_err());
/// # Ok::<(), tools_core::NameError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ToolName(Arc<str>);

/// Why a text is not a tool's name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameError {
    /// There is no name.
    #[error("a tool's name is empty")]
    Empty,
    /// It has more than 128 characters.
    #[error("the tool name `{name}` has {length} characters; at most 128 are allowed")]
    TooLong {
        /// The name.
        name: String,
        /// Its length.
        length: usize,
    },
    /// It has a character that names do not have.
    #[error(
        "the tool name `{name}` has the character {character:?}; use letters, digits, `_`, `-` and `.` (ASCII)"
    )]
    Character {
        /// The name.
        name: String,
        /// The first such character.
        character: char,
    },
}

impl ToolName {
    const LONGEST: usize = 128;

    /// A name that may be wrong, for a descriptor that carries its defects.
    pub(crate) fn unchecked(name: &str) -> Self {
        Self(name.into())
    }

    pub(crate) fn check(name: &str) -> Result<(), NameError> {
        let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        if name.is_empty() {
            return Err(NameError::Empty);
        }
        if let Some(character) = name.chars().find(|&c| !legal(c)) {
            return Err(NameError::Character { name: name.to_owned(), character });
        }
        if name.len() > Self::LONGEST {
            return Err(NameError::TooLong { name: name.to_owned(), length: name.len() });
        }
        Ok(())
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What stands before the last dot.
    #[must_use]
    pub fn namespace(&self) -> Option<&str> {
        self.0.rsplit_once('.').map(|(namespace, _)| namespace).filter(|namespace| !namespace.is_empty())
    }
}

impl FromStr for ToolName {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Self, NameError> {
        Self::check(name)?;
        Ok(Self::unchecked(name))
    }
}

impl AsRef<str> for ToolName {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for ToolName {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ToolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for ToolName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}
