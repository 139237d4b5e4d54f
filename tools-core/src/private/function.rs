//! The static description of a tool: of a function with `#[tool]`, or a struct with `#[derive(Describe)]`.

use std::{sync::OnceLock, time::Duration};

use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value};

use super::{arguments::Slots, constraint::Refine, whole::Whole};
use crate::{
    Context, DescriptorBuilder, ToolDescriptor, ToolError, UnknownArguments,
    context::{
        Frame,
        reader::{Named, Slot, fill},
    },
    descriptor::{Annotations, Defect, Docs, Origin, unindent},
    schema,
};

type SchemaFn = fn(&mut SchemaGenerator) -> Schema;

/// A tool as the macro writes it down: plain data, from which the descriptor is made on first use.
pub struct Function {
    name: &'static str,
    docs: &'static str,
    origin: Origin,
    parameters: &'static [Parameter],
    whole: Option<fn() -> Whole>,
    title: Option<&'static str>,
    description: Option<&'static str>,
    summary: Option<&'static str>,
    namespace: Option<&'static str>,
    tags: &'static [&'static str],
    annotations: Annotations,
    timeout: Option<Duration>,
    sequential: bool,
    unknown_arguments: Option<UnknownArguments>,
    output: Option<fn(&mut SchemaGenerator) -> Option<Schema>>,
    descriptor: OnceLock<ToolDescriptor>,
}

/// One parameter that the model fills.
pub struct Parameter {
    name: Option<&'static str>,
    docs: &'static str,
    schema: SchemaFn,
    refine: Option<fn(&mut Refine)>,
}

impl Named for Parameter {
    fn name(&self) -> Option<&str> {
        self.name
    }
}

/// A parameter with a name of its own.
#[must_use]
pub const fn arg(name: &'static str, docs: &'static str, schema: SchemaFn) -> Parameter {
    Parameter { name: Some(name), docs, schema, refine: None }
}

/// A parameter whose fields are arguments of their own.
#[must_use]
pub const fn flattened(schema: SchemaFn) -> Parameter {
    Parameter { name: None, docs: "", schema, refine: None }
}

impl Parameter {
    #[must_use]
    pub const fn refined(mut self, refine: fn(&mut Refine)) -> Self {
        self.refine = Some(refine);
        self
    }
}

impl Function {
    #[must_use]
    pub const fn new(name: &'static str, docs: &'static str, file: &'static str, line: u32) -> Self {
        Self {
            name,
            docs,
            origin: Origin::new(file, line),
            parameters: &[],
            whole: None,
            title: None,
            description: None,
            summary: None,
            namespace: None,
            tags: &[],
            annotations: Annotations::NONE,
            timeout: None,
            sequential: false,
            unknown_arguments: None,
            output: None,
            descriptor: OnceLock::new(),
        }
    }

    #[must_use]
    pub const fn parameters(mut self, parameters: &'static [Parameter]) -> Self {
        self.parameters = parameters;
        self
    }

    /// The schema of all arguments in one, for a tool that reads them itself.
    #[must_use]
    pub const fn whole(mut self, whole: fn() -> Whole) -> Self {
        self.whole = Some(whole);
        self
    }

    #[must_use]
    pub const fn title(mut self, title: &'static str) -> Self {
        self.title = Some(title);
        self
    }

    #[must_use]
    pub const fn description(mut self, description: &'static str) -> Self {
        self.description = Some(description);
        self
    }

    #[must_use]
    pub const fn summary(mut self, summary: &'static str) -> Self {
        self.summary = Some(summary);
        self
    }

    #[must_use]
    pub const fn namespace(mut self, namespace: &'static str) -> Self {
        self.namespace = Some(namespace);
        self
    }

    #[must_use]
    pub const fn tags(mut self, tags: &'static [&'static str]) -> Self {
        self.tags = tags;
        self
    }

    #[must_use]
    pub const fn read_only(mut self, hint: bool) -> Self {
        self.annotations.read_only = Some(hint);
        self
    }

    #[must_use]
    pub const fn destructive(mut self, hint: bool) -> Self {
        self.annotations.destructive = Some(hint);
        self
    }

    #[must_use]
    pub const fn idempotent(mut self, hint: bool) -> Self {
        self.annotations.idempotent = Some(hint);
        self
    }

    #[must_use]
    pub const fn open_world(mut self, hint: bool) -> Self {
        self.annotations.open_world = Some(hint);
        self
    }

    #[must_use]
    pub const fn timeout(mut self, milliseconds: u64) -> Self {
        self.timeout = Some(Duration::from_millis(milliseconds));
        self
    }

    #[must_use]
    pub const fn sequential(mut self) -> Self {
        self.sequential = true;
        self
    }

    /// `policy` is one of the words that the macro lets pass.
    #[must_use]
    pub const fn unknown_arguments(mut self, policy: &'static str) -> Self {
        self.unknown_arguments = Some(match policy.as_bytes() {
            b"ignore" => UnknownArguments::Ignore,
            b"allow" => UnknownArguments::Allow,
            _ => UnknownArguments::Refuse,
        });
        self
    }

    #[must_use]
    pub const fn output(mut self, output: fn(&mut SchemaGenerator) -> Option<Schema>) -> Self {
        self.output = Some(output);
        self
    }

    /// Reads all of the tool's parameters, or says everything that is wrong with the arguments.
    pub fn read<S, P: Slots>(&self, cx: &Context<S>, slots: P) -> Result<P::Held, ToolError> {
        slots.visit(|slots| self.fill(cx.frame(), slots))
    }

    fn fill(&self, frame: &Frame, slots: &mut [&mut dyn Slot]) -> Result<(), ToolError> {
        fill(frame, self.descriptor(), self.parameters, slots)
    }

    /// The descriptor, made once for each process.
    pub fn descriptor(&self) -> &ToolDescriptor {
        self.descriptor.get_or_init(|| self.describe())
    }

    pub(super) fn typed_parameters(&self) -> &'static [Parameter] {
        self.parameters
    }

    pub(super) fn describe(&self) -> ToolDescriptor {
        let docs = Docs::parse(&unindent(self.docs));
        let mut builder = ToolDescriptor::builder(self.name)
            .description(self.description.map_or_else(|| docs.description.clone(), ToOwned::to_owned))
            .tags(self.tags.iter().copied())
            .annotations(self.annotations)
            .origin(self.origin);
        builder = match self.whole {
            Some(whole) => whole().documented(&docs.arguments).give_to(builder),
            None => self.assemble(&docs).give_to(builder),
        };
        if let Some(title) = self.title {
            builder = builder.title(title);
        }
        if let Some(summary) = self.summary {
            builder = builder.summary(summary);
        }
        if let Some(namespace) = self.namespace {
            builder = builder.namespace(namespace);
        }
        if let Some(timeout) = self.timeout {
            builder = builder.timeout(timeout);
        }
        if self.sequential {
            builder = builder.sequential();
        }
        if let Some(policy) = self.unknown_arguments {
            builder = builder.unknown_arguments(policy);
        }
        if let Some(output) = self.output_schema() {
            builder = builder.output(output);
        }
        if let Some(returns) = docs.returns {
            builder = builder.returns(returns);
        }
        let errors = docs.errors.into_iter().map(|(code, text)| (code.unwrap_or_default(), text));
        let builder = builder.errors(errors).examples(docs.examples).notes(docs.notes);
        builder.guidelines(docs.guidelines).finish()
    }

    fn output_schema(&self) -> Option<Schema> {
        let mut generator = schema::generator_for_output();
        let mut output = self.output?(&mut generator)?;
        schema::attach_definitions(&mut output, &mut generator);
        schema::normalize(&mut output);
        Some(output)
    }

    fn assemble(&self, docs: &Docs) -> Assembled {
        let mut generator = schema::generator();
        let mut root = Root::default();
        for parameter in self.parameters {
            let mut schema = (parameter.schema)(&mut generator);
            let Some(name) = parameter.name else {
                root.flatten(schema, &generator);
                continue;
            };
            let listed =
                docs.arguments.iter().find(|(listed, _)| listed == name).map(|(_, text)| text.clone());
            let own = Some(unindent(parameter.docs)).filter(|docs| !docs.is_empty());
            if let Some(description) = own.or(listed) {
                schema.insert("description".to_owned(), Value::String(description));
            }
            let mut refined = Refine::new(name, schema);
            if let Some(refine) = parameter.refine {
                refine(&mut refined);
            }
            root.parameter(name, refined);
        }
        root.finish(&mut generator)
    }
}

struct Assembled {
    schema: Schema,
    order: Vec<String>,
    constrained: bool,
    defects: Vec<Defect>,
}

impl Assembled {
    fn give_to(self, builder: DescriptorBuilder) -> DescriptorBuilder {
        let Self { schema, order, constrained, defects } = self;
        builder.parameters(schema).declared_order(order).typed(constrained).defects(defects)
    }
}

/// The argument object while it is put together.
#[derive(Default)]
struct Root {
    properties: Map<String, Value>,
    /// Names in declared order, with whether the schema of the parameter has to decide that it is optional.
    order: Vec<String>,
    required: Vec<String>,
    undecided: Vec<String>,
    additional: Option<Value>,
    defects: Vec<Defect>,
}

impl Root {
    fn parameter(&mut self, name: &str, refined: Refine) {
        let has_default = refined.schema.get("default").is_some();
        self.add(name, refined.schema.to_value());
        self.defects.extend(refined.defects);
        if !has_default {
            self.undecided.push(name.to_owned());
        }
    }

    fn add(&mut self, name: &str, schema: Value) {
        if self.properties.insert(name.to_owned(), schema).is_some() {
            self.defects.push(Defect::Schema {
                pointer: format!("/properties/{}", crate::schema::problem::escaped(name)),
                problem: format!(
                    "two parameters are called `{name}`; rename one with `#[arg(rename = \"..\")]`"
                ),
            });
        } else {
            self.order.push(name.to_owned());
        }
    }

    fn flatten(&mut self, schema: Schema, generator: &SchemaGenerator) {
        let reference =
            schema.get("$ref").and_then(Value::as_str).and_then(|target| target.strip_prefix("#/$defs/"));
        let object = match reference {
            Some(name) => generator.definitions().get(name).cloned().unwrap_or(Value::Null),
            None => schema.to_value(),
        };
        if object.get("type").and_then(Value::as_str) != Some("object") || object.get("oneOf").is_some() {
            self.defects.push(Defect::Schema {
                pointer: String::new(),
                problem: "`#[arg(flatten)]` takes a struct with named fields or a map".to_owned(),
            });
            return;
        }
        for name in schema::property_order(&object, &[]) {
            let schema = object.get("properties").and_then(|properties| properties.get(&name));
            self.add(&name, schema.cloned().unwrap_or_default());
        }
        let required = object.get("required").and_then(Value::as_array).into_iter().flatten();
        self.required.extend(required.filter_map(Value::as_str).map(ToOwned::to_owned));
        self.additional =
            object.get("additionalProperties").filter(|rule| **rule != Value::Bool(false)).cloned();
    }

    fn finish(mut self, generator: &mut SchemaGenerator) -> Assembled {
        let mut root = schema::empty_object();
        let keywords = root.ensure_object();
        keywords.insert("properties".to_owned(), Value::Object(self.properties));
        if let Some(additional) = self.additional {
            keywords.insert("additionalProperties".to_owned(), additional);
        }
        schema::attach_definitions(&mut root, generator);
        let optional = |name: &str| {
            let property = root.get("properties").and_then(|properties| properties.get(name));
            property.is_some_and(|property| schema::accepts_null(root.as_value(), property))
        };
        self.required.extend(self.undecided.into_iter().filter(|name| !optional(name)));
        let required: Vec<String> =
            self.order.iter().filter(|name| self.required.contains(name)).cloned().collect();
        if !required.is_empty() {
            root.insert("required".to_owned(), required.into());
        }
        let constrained = schema::is_constrained(root.as_value());
        schema::normalize(&mut root);
        Assembled { schema: root, order: self.order, constrained, defects: self.defects }
    }
}
