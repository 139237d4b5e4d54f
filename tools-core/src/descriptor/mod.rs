//! What a tool says of itself.

mod annotations;
mod builder;
mod defect;
mod docs;
mod lists;
mod name;
mod origin;
mod parameters;
mod summary;
mod undeclared;
mod unknown;
mod views;

use std::{fmt, sync::Arc, time::Duration};

use schemars::Schema;
use serde_json::{Map, Value, value::RawValue};

use crate::{ToolError, schema::check::CompiledSchema};

pub use annotations::Annotations;
pub use builder::DescriptorBuilder;
pub use defect::{Defect, DescriptorError};
pub(crate) use docs::{Docs, unindent};
pub use name::{NameError, ToolName};
pub use origin::Origin;
pub use parameters::{OutputSchema, ParameterSchema};
pub use unknown::UnknownArguments;
pub use views::{Instructions, Metadata, ToolDefinition};

/// A tool's description: its name, its documents and the schemas of what it takes and gives.
///
/// Cheap to clone. [`metadata`](Self::metadata) is the short form for lists, [`instructions`](Self::instructions)
/// the full one for help, [`definition`](Self::definition) what a provider gets.
///
/// ```
/// use tools_core::{Describe, tool};
///
/// /// Look up the weather. Covers the next two weeks.
/// #[tool(name = "weather.forecast", tags("weather"), read_only)]
/// fn forecast(
///     /// City name
///     city: &str,
/// ) -> String {
///     format!("sunny in {city}")
/// }
///
/// let descriptor = Forecast.descriptor();
/// assert_eq!(descriptor.name().as_ref(), "weather.forecast");
/// assert_eq!(descriptor.summary(), "Look up the weather.");
/// assert_eq!(descriptor.namespace(), Some("weather"));
/// assert_eq!(descriptor.parameters().as_value()["properties"]["city"]["description"], "City name");
/// ```
#[derive(Clone)]
pub struct ToolDescriptor(Arc<Parts>);

#[derive(Clone)]
pub(crate) struct Parts {
    pub(crate) name: ToolName,
    pub(crate) title: Option<String>,
    pub(crate) description: String,
    pub(crate) summary: String,
    pub(crate) namespace: Option<String>,
    pub(crate) tags: Vec<String>,
    pub(crate) parameters: Schema,
    pub(crate) parameters_text: Box<RawValue>,
    pub(crate) parameter_docs: Vec<ParameterDoc>,
    pub(crate) compiled: Arc<CompiledSchema>,
    /// Whether the schema is that of types of ours.
    pub(crate) typed: bool,
    /// Whether values that were read as types have to be held against the schema as well.
    pub(crate) constrained: bool,
    pub(crate) output: Option<Schema>,
    pub(crate) returns: Option<String>,
    pub(crate) errors: Vec<ErrorDoc>,
    pub(crate) undeclared: undeclared::Undeclared,
    pub(crate) examples: Vec<String>,
    pub(crate) notes: Vec<String>,
    pub(crate) guidelines: Vec<String>,
    pub(crate) annotations: Annotations,
    pub(crate) extra: Map<String, Value>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) sequential: bool,
    pub(crate) unknown_arguments: Option<UnknownArguments>,
    pub(crate) origin: Origin,
    pub(crate) defects: Vec<Defect>,
}

/// One argument, as the schema describes it.
#[derive(Clone, Debug)]
pub struct ParameterDoc {
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) required: bool,
    pub(crate) default: Option<String>,
}

impl ParameterDoc {
    /// The argument's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it means.
    #[must_use]
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// Whether a call without it is refused.
    #[must_use]
    pub fn is_required(&self) -> bool {
        self.required
    }

    /// The value of an absent argument, as JSON text.
    #[must_use]
    pub fn default(&self) -> Option<&str> {
        self.default.as_deref()
    }
}

/// One documented error of a tool.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ErrorDoc {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) code: Option<String>,
    pub(crate) description: String,
}

impl ErrorDoc {
    /// An error whose code is empty has none.
    fn new(code: String, description: String) -> Self {
        Self { code: Some(code).filter(|code| !code.is_empty()), description }
    }

    /// The code, if the author names one.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        self.code.as_deref()
    }

    /// When it happens.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }
}

impl ToolDescriptor {
    /// Starts a descriptor by hand.
    ///
    /// ```
    /// use tools_core::ToolDescriptor;
    /// use tools_core::serde_json::json;
    ///
    /// let descriptor = ToolDescriptor::builder("echo")
    ///     .description("Repeat a text.")
    ///     .parameters_json(json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}))
    ///     .build()?;
    /// assert!(descriptor.parameter_docs()[0].is_required());
    /// # Ok::<(), tools_core::DescriptorError>(())
    /// ```
    #[track_caller]
    pub fn builder(name: impl Into<String>) -> DescriptorBuilder {
        DescriptorBuilder::new(&name.into(), Origin::caller())
    }

    pub(crate) fn from_parts(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }

    /// A builder that starts with all that this descriptor says, to change some of it.
    ///
    /// ```
    /// use tools_core::ToolDescriptor;
    ///
    /// let search = ToolDescriptor::builder("search").description("Search the documents.").build()?;
    /// let wiki = search.to_builder().name("wiki.search").build()?;
    /// assert_eq!((wiki.description(), wiki.namespace()), ("Search the documents.", Some("wiki")));
    /// # Ok::<(), tools_core::DescriptorError>(())
    /// ```
    pub fn to_builder(&self) -> DescriptorBuilder {
        DescriptorBuilder::changing(self.0.as_ref().clone())
    }

    /// The name under which the tool is called.
    #[must_use]
    pub fn name(&self) -> &ToolName {
        &self.0.name
    }

    /// A name for people.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.0.title.as_deref()
    }

    /// What the tool does, for the model. Empty where nobody wrote it.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.0.description
    }

    /// The description in one sentence, for lists.
    #[must_use]
    pub fn summary(&self) -> &str {
        &self.0.summary
    }

    /// The group the tool belongs to: given by the author, or what stands before the name's last dot.
    #[must_use]
    pub fn namespace(&self) -> Option<&str> {
        self.0.namespace.as_deref()
    }

    /// Words to find the tool by.
    #[must_use]
    pub fn tags(&self) -> &[String] {
        &self.0.tags
    }

    /// The JSON Schema of the argument object.
    #[must_use]
    pub fn parameters(&self) -> &Schema {
        &self.0.parameters
    }

    /// [`parameters`](Self::parameters) as text, the arguments in their declared order.
    #[must_use]
    pub fn parameters_json(&self) -> &RawValue {
        &self.0.parameters_text
    }

    /// The arguments one by one, in their declared order: that of the parameters, of the struct's fields or of
    /// [`schema::object`](crate::schema::object). A schema that is JSON does not tell it; there the required ones come
    /// first, in the order of `required`, and the others by name.
    #[must_use]
    pub fn parameter_docs(&self) -> &[ParameterDoc] {
        &self.0.parameter_docs
    }

    pub(crate) fn compiled(&self) -> &CompiledSchema {
        &self.0.compiled
    }

    pub(crate) fn is_constrained(&self) -> bool {
        self.0.constrained || self.0.compiled.has_a_rest()
    }

    /// The JSON Schema of the output, for tools that return [`Json`](crate::Json).
    #[must_use]
    pub fn output(&self) -> Option<&Schema> {
        self.0.output.as_ref()
    }

    /// What the tool gives back, in words.
    #[must_use]
    pub fn returns(&self) -> Option<&str> {
        self.0.returns.as_deref()
    }

    /// The documented errors.
    #[must_use]
    pub fn errors(&self) -> &[ErrorDoc] {
        &self.0.errors
    }

    /// Whether an error with this code is one that the tool documents, that anything may give, or that is none of
    /// ours to judge because the tool documents no codes at all.
    pub(crate) fn declares(&self, code: &str) -> bool {
        let mut codes = self.errors().iter().filter_map(ErrorDoc::code).peekable();
        codes.peek().is_none() || ToolError::is_common(code) || codes.any(|known| known == code)
    }

    /// Remembers an error that the tool gave and does not document; [`Tools::lint`](crate::Tools::lint) tells of it.
    pub(crate) fn note_error(&self, error: &ToolError) {
        let code = error.code();
        if !self.declares(code) && self.0.undeclared.add(code) {
            tracing::warn!(
                tool = %self.name(),
                code,
                "the tool gave an error with a code that its descriptor does not name",
            );
        }
    }

    pub(crate) fn undeclared_codes(&self) -> Vec<String> {
        self.0.undeclared.codes()
    }

    /// Examples of use.
    #[must_use]
    pub fn examples(&self) -> &[String] {
        &self.0.examples
    }

    /// Remarks for whoever reads the full help.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.0.notes
    }

    /// When to use the tool and when not, for the system prompt of whoever is offered it.
    #[must_use]
    pub fn guidelines(&self) -> &[String] {
        &self.0.guidelines
    }

    /// Hints about what the tool does to the world.
    #[must_use]
    pub fn annotations(&self) -> Annotations {
        self.0.annotations
    }

    /// Anything else that the author attached.
    #[must_use]
    pub fn extra(&self) -> &Map<String, Value> {
        &self.0.extra
    }

    /// How long one call may take.
    #[must_use]
    pub fn timeout(&self) -> Option<Duration> {
        self.0.timeout
    }

    /// Whether no other call of a batch runs beside a call of this tool.
    #[must_use]
    pub fn is_sequential(&self) -> bool {
        self.0.sequential
    }

    /// What becomes of arguments that the schema does not name.
    #[must_use]
    pub fn unknown_arguments(&self) -> UnknownArguments {
        self.0.unknown_arguments.unwrap_or_default()
    }

    /// Where in the source the tool was made.
    #[must_use]
    pub fn origin(&self) -> Origin {
        self.0.origin
    }

    /// Whether a collection would take the tool.
    pub fn check(&self) -> Result<(), DescriptorError> {
        if self.0.defects.is_empty() {
            return Ok(());
        }
        Err(DescriptorError::new(&self.0.name, self.0.origin, &self.0.defects))
    }
}

impl fmt::Debug for ToolDescriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolDescriptor")
            .field("name", &self.0.name.as_str())
            .field("parameters", &self.0.parameters_text.get())
            .finish_non_exhaustive()
    }
}
