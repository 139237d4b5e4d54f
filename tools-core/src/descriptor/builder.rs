//! Descriptors by hand, and the checks that every descriptor goes through.

use std::{sync::Arc, time::Duration};

use schemars::Schema;
use serde_json::{Map, Value, value::RawValue};

use super::{
    Annotations, Defect, DescriptorError, ErrorDoc, Origin, OutputSchema, ParameterDoc, ParameterSchema,
    Parts, ToolDescriptor, ToolName, UnknownArguments, summary::summary, undeclared::Undeclared,
};
use crate::{
    Problem,
    arguments::object,
    schema::{self, CompiledSchema, OrderedSchema},
};

/// Collects what a [`ToolDescriptor`] says. Nothing in it fails before [`build`](Self::build).
///
/// Of lists, a method for one adds it ([`note`](Self::note)), the method for all takes the place of what is there
/// ([`notes`](Self::notes)), so that a builder that starts with another descriptor can change each of its lists.
///
/// ```
/// use tools_core::ToolDescriptor;
///
/// let base = ToolDescriptor::builder("search").tags(["text"]).note("Slow.").error("down", "No index.").build()?;
/// let wiki = base.to_builder().tags(["wiki"]).note("By title.").error("down", "No network.").build()?;
/// assert_eq!((wiki.tags(), wiki.notes()), (&["wiki".to_owned()][..], &["Slow.".to_owned(), "By title.".to_owned()][..]));
/// assert_eq!(wiki.errors().len(), 1);
/// assert_eq!(wiki.errors()[0].description(), "No network.");
/// # Ok::<(), tools_core::DescriptorError>(())
/// ```
#[must_use = "a builder does nothing until it is built"]
pub struct DescriptorBuilder {
    parts: Parts,
    declared: Vec<String>,
}

impl DescriptorBuilder {
    pub(crate) fn new(name: &str, origin: Origin) -> Self {
        let parts = Parts {
            name: ToolName::unchecked(name),
            title: None,
            description: String::new(),
            summary: String::new(),
            namespace: None,
            tags: Vec::new(),
            parameters: schema::empty_object(),
            parameters_text: RawValue::NULL.to_owned(),
            parameter_docs: Vec::new(),
            compiled: Arc::default(),
            typed: false,
            constrained: false,
            output: None,
            returns: None,
            errors: Vec::new(),
            undeclared: Undeclared::default(),
            examples: Vec::new(),
            notes: Vec::new(),
            guidelines: Vec::new(),
            annotations: Annotations::NONE,
            extra: Map::new(),
            timeout: None,
            sequential: false,
            unknown_arguments: None,
            origin,
            defects: ToolName::check(name).err().map(Defect::Name).into_iter().collect(),
        };
        Self { parts, declared: Vec::new() }
    }

    /// Starts with a finished descriptor. What was derived in it is derived again.
    pub(crate) fn changing(mut parts: Parts) -> Self {
        let declared = parts.parameter_docs.iter().map(|doc| doc.name.clone()).collect();
        if parts.summary == summary(&parts.description) {
            parts.summary.clear();
        }
        if parts.namespace.as_deref() == parts.name.namespace() {
            parts.namespace = None;
        }
        Self { parts, declared }
    }

    /// Another name.
    pub fn name(mut self, name: impl AsRef<str>) -> Self {
        let name = name.as_ref();
        self.parts.defects.retain(|defect| !matches!(defect, Defect::Name(_)));
        self.parts.defects.extend(ToolName::check(name).err().map(Defect::Name));
        self.parts.name = ToolName::unchecked(name);
        self
    }

    /// A name for people.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.parts.title = Some(title.into());
        self
    }

    /// What the tool does, for the model.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.parts.description = description.into();
        self
    }

    /// One sentence for lists, where the description's first will not do.
    pub fn summary(mut self, summary: impl Into<String>) -> Self {
        self.parts.summary = summary.into();
        self
    }

    /// The group the tool belongs to.
    pub fn namespace(mut self, namespace: impl Into<String>) -> Self {
        self.parts.namespace = Some(namespace.into());
        self
    }

    /// Words to find the tool by, in place of those before.
    pub fn tags(mut self, tags: impl IntoIterator<Item: Into<String>>) -> Self {
        self.parts.tags = texts(tags);
        self
    }

    /// One more word to find the tool by.
    pub fn tag(mut self, tag: impl Into<String>) -> Self {
        self.parts.tags.push(tag.into());
        self
    }

    /// The JSON Schema of the argument object: one made by hand with [`schema::object`], or from elsewhere.
    pub fn parameters(mut self, schema: impl Into<ParameterSchema>) -> Self {
        self.parts.defects.retain(|defect| matches!(defect, Defect::Name(_) | Defect::Output { .. }));
        (self.parts.typed, self.parts.constrained) = (false, false);
        let (OrderedSchema { schema, order }, defects) = schema.into().into_parts();
        self.parts.parameters = schema;
        schema::imported(&mut self.parts.parameters);
        if !order.is_empty() {
            self.declared = order;
        }
        self.defects(defects)
    }

    /// The JSON Schema of the argument object, as a JSON value. An object of JSON does not tell in which order its
    /// properties were written down: the required ones come first, in the order of `required`, the others by name.
    pub fn parameters_json(mut self, schema: Value) -> Self {
        if let Ok(schema) = Schema::try_from(schema) {
            return self.parameters(schema);
        }
        let problem = "a JSON Schema is an object".to_owned();
        self.parts.defects.push(Defect::Schema { pointer: String::new(), problem });
        self
    }

    /// The JSON Schema of the output: one made by hand with the functions of [`schema`], or from elsewhere.
    pub fn output(mut self, schema: impl Into<OutputSchema>) -> Self {
        self.parts.defects.retain(|defect| !matches!(defect, Defect::Output { .. }));
        match schema.into().into_schema() {
            Ok(schema) => self.parts.output = Some(schema),
            Err(defects) => self.parts.defects.extend(defects),
        }
        self
    }

    /// What the tool gives back, in words.
    pub fn returns(mut self, returns: impl Into<String>) -> Self {
        self.parts.returns = Some(returns.into());
        self
    }

    /// One error that the tool may give, its code empty where it has none of its own. What was said of the code before
    /// goes; other errors stay.
    pub fn error(mut self, code: impl Into<String>, description: impl Into<String>) -> Self {
        let error = ErrorDoc::new(code.into(), description.into());
        let errors = &mut self.parts.errors;
        let known = errors.iter().position(|known| known.code.is_some() && known.code == error.code);
        errors.retain(|known| known.code.is_none() || known.code != error.code);
        errors.insert(known.unwrap_or(errors.len()).min(errors.len()), error);
        self
    }

    /// All errors that the tool may give, as codes and descriptions, in place of those before.
    ///
    /// ```
    /// use tools_core::ToolDescriptor;
    ///
    /// let search = ToolDescriptor::builder("search").error("empty", "Nothing was asked.").error("down", "No index.").build()?;
    /// let other = search.to_builder().errors([("slow", "It took too long.")]).build()?;
    /// assert_eq!(other.errors()[0].code(), Some("slow"));
    /// assert_eq!(other.errors().len(), 1);
    /// # Ok::<(), tools_core::DescriptorError>(())
    /// ```
    pub fn errors<C, D>(mut self, errors: impl IntoIterator<Item = (C, D)>) -> Self
    where
        C: Into<String>,
        D: Into<String>,
    {
        let errors = errors.into_iter();
        self.parts.errors = errors.map(|(code, text)| ErrorDoc::new(code.into(), text.into())).collect();
        self
    }

    /// One more example of use.
    pub fn example(mut self, example: impl Into<String>) -> Self {
        self.parts.examples.push(example.into());
        self
    }

    /// All examples of use, in place of those before.
    pub fn examples(mut self, examples: impl IntoIterator<Item: Into<String>>) -> Self {
        self.parts.examples = texts(examples);
        self
    }

    /// One more remark for whoever reads the full help.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.parts.notes.push(note.into());
        self
    }

    /// All remarks, in place of those before.
    pub fn notes(mut self, notes: impl IntoIterator<Item: Into<String>>) -> Self {
        self.parts.notes = texts(notes);
        self
    }

    /// One more sentence on when to use the tool or when not, for the system prompt: see
    /// [`Tools::guidance`](crate::Tools::guidance).
    pub fn guideline(mut self, guideline: impl Into<String>) -> Self {
        self.parts.guidelines.push(guideline.into());
        self
    }

    /// All such sentences, in place of those before.
    pub fn guidelines(mut self, guidelines: impl IntoIterator<Item: Into<String>>) -> Self {
        self.parts.guidelines = texts(guidelines);
        self
    }

    /// Hints about what the tool does to the world.
    pub fn annotations(mut self, annotations: Annotations) -> Self {
        self.parts.annotations = annotations;
        self
    }

    /// How long one call may take.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.parts.timeout = Some(timeout);
        self
    }

    /// Lets no other call of a batch run beside a call of this tool.
    pub fn sequential(mut self) -> Self {
        self.parts.sequential = true;
        self
    }

    /// What becomes of arguments that the schema does not name, at the top level. Where nothing is said, the schema
    /// decides.
    pub fn unknown_arguments(mut self, policy: UnknownArguments) -> Self {
        self.parts.unknown_arguments = Some(policy);
        self
    }

    /// Anything else, under a key of the author's own.
    pub fn extra(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.parts.extra.insert(key.into(), value.into());
        self
    }

    /// The parameters of another tool, and what becomes of others.
    pub(crate) fn parameters_of(mut self, other: &ToolDescriptor) -> Self {
        self = self.parameters(other.parameters().clone());
        let Parts { unknown_arguments, typed, constrained, defects, parameter_docs, .. } = &*other.0;
        self.parts.unknown_arguments = *unknown_arguments;
        self.parts.typed = *typed;
        self.parts.constrained = *constrained;
        self.declared = parameter_docs.iter().map(|doc| doc.name.clone()).collect();
        self.defects(defects.iter().filter(|defect| !matches!(defect, Defect::Name(_))).cloned())
    }

    pub(crate) fn declared_order(mut self, names: Vec<String>) -> Self {
        self.declared = names;
        self
    }

    /// Says that the schema is that of types, and whether it asks for more than the types do.
    pub(crate) fn typed(mut self, constrained: bool) -> Self {
        self.parts.constrained = constrained;
        self.parts.typed = true;
        self
    }

    pub(crate) fn origin(mut self, origin: Origin) -> Self {
        self.parts.origin = origin;
        self
    }

    pub(crate) fn defects(mut self, defects: impl IntoIterator<Item = Defect>) -> Self {
        self.parts.defects.extend(defects);
        self
    }

    /// The descriptor, or all that is wrong with it.
    pub fn build(self) -> Result<ToolDescriptor, DescriptorError> {
        let descriptor = self.finish();
        descriptor.check()?;
        Ok(descriptor)
    }

    /// The descriptor with whatever is wrong noted in it, for constructors that do not fail.
    pub(crate) fn finish(self) -> ToolDescriptor {
        let Self { mut parts, declared } = self;
        if parts.summary.is_empty() {
            parts.summary = summary(&parts.description);
        }
        if parts.namespace.is_none() {
            parts.namespace = parts.name.namespace().map(ToOwned::to_owned);
        }
        let known = parts.defects.len();
        parts.defects.extend(root_defect(&mut parts.parameters));
        if let Some(policy) = parts.unknown_arguments {
            let open = policy != UnknownArguments::Refuse;
            parts.parameters.insert("additionalProperties".to_owned(), open.into());
        }
        match CompiledSchema::new(parts.parameters.as_value()) {
            Ok(compiled) => {
                parts
                    .defects
                    .extend(compiled.loops().map(|(pointer, problem)| Defect::Schema { pointer, problem }));
                parts.compiled = Arc::new(compiled);
            }
            Err(error) => parts.defects.extend(error.faults().iter().map(|(pointer, problem)| {
                Defect::Schema { pointer: pointer.clone(), problem: problem.clone() }
            })),
        }
        let order = schema::property_order(parts.parameters.as_value(), &declared);
        parts.parameter_docs = parameter_docs(parts.parameters.as_value(), &order);
        // The defaults of a schema from elsewhere are not ours to judge.
        if parts.typed {
            parts.defects.extend(default_defects(&parts.compiled, &parts.parameter_docs));
        }
        let text = schema::to_text(parts.parameters.as_value(), &order);
        match RawValue::from_string(text) {
            Ok(text) => parts.parameters_text = text,
            Err(_) => parts.defects.push(Defect::Schema {
                pointer: String::new(),
                problem: "the schema is nested too deeply to be read".to_owned(),
            }),
        }
        let found = parts.defects.split_off(known);
        parts
            .defects
            .extend(found.into_iter().filter(|defect| !parts.defects.contains(defect)).collect::<Vec<_>>());
        ToolDescriptor::from_parts(parts)
    }
}

fn texts(texts: impl IntoIterator<Item: Into<String>>) -> Vec<String> {
    texts.into_iter().map(Into::into).collect()
}

/// Makes a root that only forgot to say so an object with properties; refuses a root of another type. What is wrong
/// within the schema is found where it is compiled.
fn root_defect(root: &mut Schema) -> Option<Defect> {
    if let Some(kind) = root.get("type").filter(|kind| *kind != "object") {
        let problem =
            format!("arguments are an object with named properties, not {kind}; wrap the type in a struct");
        return Some(Defect::Schema { pointer: "/type".to_owned(), problem });
    }
    let keywords = root.ensure_object();
    keywords.insert("type".to_owned(), "object".into());
    keywords.entry("properties").or_insert_with(|| Value::Object(Map::new()));
    None
}

/// Defaults that a call could not send.
fn default_defects(schema: &CompiledSchema, docs: &[ParameterDoc]) -> Vec<Defect> {
    let given = docs.iter().filter_map(|doc| Some((doc.name(), doc.default()?)));
    let problems = schema.validate(&object(given)).err().unwrap_or_default();
    let of_parameter = |problem: &Problem| {
        let parameter = problem.pointer().split('/').nth(1)?.replace("~1", "/").replace("~0", "~");
        Some(Defect::Default { parameter, problem: problem.to_string() })
    };
    problems.iter().filter_map(of_parameter).collect()
}

fn parameter_docs(root: &Value, names: &[String]) -> Vec<ParameterDoc> {
    let required = root.get("required").and_then(Value::as_array);
    let doc = |name: &String| {
        let schema = root.get("properties").and_then(|properties| properties.get(name));
        ParameterDoc {
            name: name.clone(),
            description: schema.and_then(|s| s.get("description")?.as_str()).map(ToOwned::to_owned),
            required: required.is_some_and(|required| required.iter().any(|entry| entry == name.as_str())),
            default: schema.and_then(|s| s.get("default")).map(ToString::to_string),
        }
    };
    names.iter().map(doc).collect()
}
