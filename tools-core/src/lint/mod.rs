//! What is worth a look in a collection before a model sees it.

mod alike;
mod dialects;
mod shapes;

use std::{borrow::Cow, fmt, sync::Arc};

use serde_json::Value;

use crate::{
    Dialect, ToolDescriptor, Tools,
    dialect::{self, Provider},
    schema::{document::resolve, problem::escaped},
};

/// Something that a model would miss or mistake, or that is promised and not kept.
///
/// Its [`rule`](Self::rule) is one of the constants here. It displays as one line, and its `Debug` form is that line
/// too, so that a failed assertion reads well:
///
/// ```
/// use tools_core::{Tools, tool};
///
/// /// Add two numbers.
/// #[tool]
/// fn add(
///     /// The one
///     a: i64,
///     /// The other
///     b: i64,
/// ) -> i64 {
///     a + b
/// }
///
/// let tools = Tools::builder().tool(Add).build()?;
/// assert_eq!(tools.lint(), []);
/// # Ok::<(), tools_core::ToolsError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Lint {
    rule: &'static str,
    tool: String,
    pointer: String,
    message: Cow<'static, str>,
}

impl Lint {
    /// Rule: a tool has no description.
    pub const UNDESCRIBED_TOOL: &str = "undescribed_tool";
    /// Rule: an argument has no description.
    pub const UNDESCRIBED_PARAMETER: &str = "undescribed_parameter";
    /// Rule: two names differ only in case or separators.
    pub const ALIKE_NAMES: &str = "alike_names";
    /// Rule: two descriptions are the same but for a few words.
    pub const ALIKE_DESCRIPTIONS: &str = "alike_descriptions";
    /// Rule: an object takes properties that nobody named.
    pub const OPEN_OBJECT: &str = "open_object";
    /// Rule: a definition takes more than [`LARGEST_TOOL`](Self::LARGEST_TOOL) tokens, by our estimate.
    pub const LARGE_TOOL: &str = "large_tool";
    /// Rule: all definitions together take more than [`LARGEST_COLLECTION`](Self::LARGEST_COLLECTION) tokens, by our
    /// estimate.
    pub const LARGE_COLLECTION: &str = "large_collection";
    /// Rule: a keyword of the schema is shown to the model and not enforced.
    pub const UNENFORCED_KEYWORD: &str = "unenforced_keyword";
    /// Rule: a dialect does not say a keyword of the schema.
    pub const LOST_IN_DIALECT: &str = "lost_in_dialect";
    /// Rule: a dialect does not take the tool.
    pub const REFUSED_BY_DIALECT: &str = "refused_by_dialect";
    /// Rule: the tool gave an error with a code that its descriptor does not name, although it names others.
    pub const UNDECLARED_ERROR: &str = "undeclared_error";

    /// Most tokens of one definition, where a token is taken for four characters: the average of English, too few for
    /// most other languages.
    pub const LARGEST_TOOL: usize = 1_000;
    /// Most tokens of all definitions together.
    pub const LARGEST_COLLECTION: usize = 20_000;

    /// What kind of lint this is: a word that stays the same in every version.
    #[must_use]
    pub fn rule(&self) -> &'static str {
        self.rule
    }

    /// The tool; empty for the collection as a whole.
    #[must_use]
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// JSON pointer into the schema of the tool's parameters; empty for the tool as a whole.
    #[must_use]
    pub fn pointer(&self) -> &str {
        &self.pointer
    }
}

impl fmt::Display for Lint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.tool.as_str(), self.pointer.as_str()) {
            ("", _) => f.write_str("the collection")?,
            (tool, "") => write!(f, "`{tool}`")?,
            (tool, pointer) => write!(f, "`{tool}` at `{pointer}`")?,
        }
        write!(f, ": {} ({})", self.message, self.rule)
    }
}

impl fmt::Debug for Lint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<S> Tools<S> {
    /// What a model would miss or mistake: tools and arguments without a description, names and descriptions that are
    /// nearly the same, definitions that are too long, open objects. And what is promised and not kept: keywords that
    /// nobody enforces or a [`Dialect`] cannot say, tools that a provider would refuse, errors with codes that were
    /// not documented (known once the tool has run).
    ///
    /// One line in a test holds a collection to it. Where only some lints count, keep those with their
    /// [`Lint::rule`]; where only one provider does, take [`lint_for`](Self::lint_for).
    #[must_use]
    pub fn lint(&self) -> Vec<Lint> {
        self.lint_with(&dialect::every())
    }

    /// As [`lint`](Self::lint), with an eye on one provider alone.
    ///
    /// ```
    /// use tools_core::{Anthropic, Lint, Tools, tool};
    ///
    /// #[tool]
    /// fn add(a: i64, b: i64) -> i64 {
    ///     a + b
    /// }
    ///
    /// let lints = Tools::builder().tool(Add).build()?.lint_for(Anthropic::default());
    /// assert_eq!(lints[0].rule(), Lint::UNDESCRIBED_TOOL);
    /// assert_eq!(lints[0].to_string(), "`add`: the tool has no description (undescribed_tool)");
    /// # Ok::<(), tools_core::ToolsError>(())
    /// ```
    #[must_use]
    pub fn lint_for(&self, dialect: impl Dialect + 'static) -> Vec<Lint> {
        self.lint_with(&[Arc::new(dialect)])
    }

    fn lint_with(&self, dialects: &[Arc<dyn Provider>]) -> Vec<Lint> {
        let descriptors: Vec<&ToolDescriptor> = self.iter().map(|tool| tool.descriptor()).collect();
        let mut report = Report::default();
        for (index, descriptor) in descriptors.iter().enumerate() {
            report.index = index;
            report.tool = descriptor.name().as_str();
            documents(descriptor, &mut report);
            shapes::lint(descriptor, &mut report);
            size(descriptor, &mut report);
            for (pointer, keyword) in descriptor.compiled().unenforced() {
                let message = format!("`{keyword}` is shown to the model and not enforced");
                report.add(Lint::UNENFORCED_KEYWORD, pointer, message);
            }
            dialects::lint(descriptor, dialects, &mut report);
            for code in descriptor.undeclared_codes() {
                let message = format!("it gave an error `{code}`, which its descriptor does not name");
                report.add(Lint::UNDECLARED_ERROR, "", message);
            }
        }
        alike::lint(&descriptors, &mut report);
        report.size_of_all();
        report.finish()
    }
}

/// Lints while they are found.
#[derive(Default)]
struct Report<'t> {
    /// With the place of the tool in its collection.
    lints: Vec<(usize, Lint)>,
    index: usize,
    tool: &'t str,
    tokens: usize,
}

impl Report<'_> {
    fn add(&mut self, rule: &'static str, pointer: &str, message: impl Into<Cow<'static, str>>) {
        let (tool, pointer) = (self.tool.to_owned(), pointer.to_owned());
        self.lints.push((self.index, Lint { rule, tool, pointer, message: message.into() }));
    }

    fn size_of_all(&mut self) {
        if self.tokens > Lint::LARGEST_COLLECTION {
            (self.index, self.tool) = (usize::MAX, "");
            let message = format!(
                "its definitions take about {} tokens, more than {}; offer fewer tools at once",
                self.tokens,
                Lint::LARGEST_COLLECTION
            );
            self.add(Lint::LARGE_COLLECTION, "", message);
        }
    }

    /// The lints, those of one tool together, in the order of the tools.
    fn finish(mut self) -> Vec<Lint> {
        self.lints.sort_by_key(|(index, _)| *index);
        self.lints.into_iter().map(|(_, lint)| lint).collect()
    }
}

fn documents(descriptor: &ToolDescriptor, report: &mut Report<'_>) {
    if descriptor.description().trim().is_empty() {
        report.add(Lint::UNDESCRIBED_TOOL, "", "the tool has no description");
    }
    let root = descriptor.parameters().as_value();
    for parameter in descriptor.parameter_docs() {
        let schema = root.get("properties").and_then(|properties| properties.get(parameter.name()));
        if !schema.is_some_and(|schema| is_described(root, schema)) {
            let pointer = format!("/properties/{}", escaped(parameter.name()));
            report.add(Lint::UNDESCRIBED_PARAMETER, &pointer, "the parameter has no description");
        }
    }
}

/// Whether a schema, or the definition that it refers to, says what it means.
fn is_described(root: &Value, schema: &Value) -> bool {
    let says = |schema: &Value| {
        schema.get("description").and_then(Value::as_str).is_some_and(|text| !text.trim().is_empty())
    };
    let target = schema.get("$ref").and_then(Value::as_str).and_then(|reference| resolve(root, reference));
    says(schema) || target.is_some_and(says)
}

fn size(descriptor: &ToolDescriptor, report: &mut Report<'_>) {
    let texts = [descriptor.name().as_str(), descriptor.description(), descriptor.parameters_json().get()];
    let tokens = texts.iter().map(|text| text.chars().count()).sum::<usize>() / 4;
    report.tokens += tokens;
    if tokens > Lint::LARGEST_TOOL {
        let message = format!(
            "its definition takes about {tokens} tokens, more than {}; shorten its documents or split it",
            Lint::LARGEST_TOOL
        );
        report.add(Lint::LARGE_TOOL, "", message);
    }
}
