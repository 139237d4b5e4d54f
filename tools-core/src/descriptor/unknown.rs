//! What becomes of arguments that a tool does not know.

/// What becomes of arguments that the schema of a tool does not name. The schema that a model sees says the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnknownArguments {
    /// The call is refused, and told the names that the tool takes; the schema is closed.
    #[default]
    Refuse,
    /// They are left out, each noted as a [`Repair`](crate::Repair) with the rule `unknown_argument`; the schema is
    /// open.
    Ignore,
    /// They are passed on, and a tool that reads [`Arguments`](crate::Arguments) by hand finds them; the schema is
    /// open.
    Allow,
}
