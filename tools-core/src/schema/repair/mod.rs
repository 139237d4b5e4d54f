//! From the text of arguments to a text that fits the schema, or to everything that is wrong with it.

mod fix;
pub(crate) mod rules;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::schema::check::checker::Checker;
use crate::schema::check::compiled::CompiledSchema;
use crate::schema::check::describe::{one_line, received};
use crate::schema::json::document::{Kind, Node};

use crate::schema::json::parser::{Document, Duplicate, Fault, FaultKind, parse, parse_at_depth};
use crate::schema::problem::{LONGEST_QUOTE, Problem, escaped, shorten};

use fix::Fixer;
pub use rules::{Repairs, Rule};

/// Arguments that fit their schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The repaired JSON text, `None` where the text is right as it came.
    pub text: Option<String>,
    /// What was changed, in order.
    pub repairs: Vec<Repair>,
}

/// One change that was made to arguments before the call ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repair {
    pub(crate) pointer: String,
    pub(crate) rule: String,
    pub(crate) from: String,
    pub(crate) to: String,
}

impl Repair {
    pub(crate) fn new(pointer: String, rule: Rule, from: &str, to: &str) -> Self {
        Self { pointer, rule: rule.name().to_owned(), from: one_line(from), to: one_line(to) }
    }

    /// An argument that the tool does not know, left out.
    pub(crate) fn unknown_argument(name: &str, value: &str) -> Self {
        let pointer = format!("/{}", escaped(name));
        Self { pointer, rule: "unknown_argument".to_owned(), from: one_line(value), to: String::new() }
    }

    /// The JSON pointer of the value that was changed.
    #[must_use]
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// The name of the [`Rule`], or `unknown_argument`.
    #[must_use]
    pub fn rule(&self) -> &str {
        &self.rule
    }

    /// The text that came, shortened.
    #[must_use]
    pub fn from(&self) -> &str {
        &self.from
    }

    /// The JSON text that the tool gets, shortened; empty where the value was taken out.
    #[must_use]
    pub fn to(&self) -> &str {
        &self.to
    }
}

impl fmt::Display for Repair {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pointer = or(&self.pointer, "/");
        let (from, to) = (or(&self.from, "nothing"), or(&self.to, "nothing"));
        write!(formatter, "{pointer}: {from} read as {to} ({})", self.rule)
    }
}

fn or<'a>(text: &'a str, empty: &'a str) -> &'a str {
    if text.is_empty() { empty } else { text }
}

impl CompiledSchema {
    /// Checks the text of arguments and repairs it where there is exactly one way to. The error is every problem of
    /// the text as it came.
    ///
    /// A text that fits the schema comes back untouched, but for integers written as `20.0` or `1e2`, which few
    /// readers of integers take.
    ///
    /// ```
    /// use tools_core::{Repairs, schema::CompiledSchema, serde_json::json};
    ///
    /// let schema = CompiledSchema::new(&json!({
    ///     "type": "object",
    ///     "properties": {"days": {"type": "integer", "minimum": 1, "maximum": 14}},
    ///     "required": ["days"],
    /// }))?;
    ///
    /// let checked = schema.check(r#"{"days": "5"}"#, Repairs::default()).unwrap();
    /// assert_eq!(checked.text.as_deref(), Some(r#"{"days":5}"#));
    /// assert_eq!(checked.repairs[0].rule(), "string_to_integer");
    ///
    /// let problems = schema.check(r#"{"days": "soon"}"#, Repairs::default()).unwrap_err();
    /// assert_eq!(problems[0].to_string(), "/days: expected an integer from 1 to 14, received the string \"soon\"");
    /// # Ok::<(), tools_core::schema::SchemaError>(())
    /// ```
    pub fn check(&self, text: &str, repairs: Repairs) -> Result<Checked, Vec<Problem>> {
        let checked = check(self, text, repairs)?;
        self.check_the_rest(checked.text.as_deref().unwrap_or(text))?;
        Ok(checked)
    }

    /// Checks a JSON text of any kind and repairs nothing. The error is every problem of the text.
    pub fn validate(&self, text: &str) -> Result<(), Vec<Problem>> {
        validate(self, text)?;
        self.check_the_rest(text)
    }
}

fn check(schema: &CompiledSchema, text: &str, repairs: Repairs) -> Result<Checked, Vec<Problem>> {
    let mut opened = Opened { text: None, repairs: Vec::new() };
    if text.trim().is_empty() {
        return if repairs.has(Rule::EmptyArguments) {
            opened.replace(Rule::EmptyArguments, text, "{}".to_owned());
            opened.fit(schema, text, repairs)
        } else {
            Err(vec![not_an_object("nothing".to_owned())])
        };
    }
    match parse(text) {
        Ok(document) if matches!(document.root.kind, Kind::Object(_)) => {
            opened.fit_document(schema, None, &document, repairs)
        }
        Ok(_) => {
            opened.unwrap_root(schema, text, repairs)?;
            opened.fit(schema, text, repairs)
        }
        Err(fault) => {
            opened.read_slips(text, &fault, repairs)?;
            opened.unwrap_root(schema, text, repairs)?;
            opened.fit(schema, text, repairs)
        }
    }
}

fn validate(schema: &CompiledSchema, text: &str) -> Result<(), Vec<Problem>> {
    let document = parse(text).map_err(|fault| vec![syntax_problem(text, &fault)])?;
    let mut problems: Vec<Problem> = document.duplicates.iter().map(duplicate_problem).collect();
    if !problems.is_empty() || !Checker::new(schema).accepts(0, &document.root) {
        problems.extend(Checker::new(schema).into_problems(0, &document.root));
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// The text on its way: as it came, or as the rules for whole arguments left it.
struct Opened {
    text: Option<String>,
    repairs: Vec<Repair>,
}

impl Opened {
    fn replace(&mut self, rule: Rule, from: &str, to: String) {
        self.repairs.push(Repair::new(String::new(), rule, from, &to));
        self.text = Some(to);
    }

    /// Makes JSON of a text with slips.
    fn read_slips(&mut self, text: &str, fault: &Fault, repairs: Repairs) -> Result<(), Vec<Problem>> {
        let tolerant = match fault.kind {
            // What ends too early in the strict grammar ends too early in the other as well.
            FaultKind::Truncated | FaultKind::Depth => return Err(vec![syntax_problem(text, fault)]),
            FaultKind::Syntax => parse_at_depth(text, repairs, 0),
        };
        let document = tolerant.map_err(|fault| vec![syntax_problem(text, &fault)])?;
        let refused: Vec<Problem> = refused_duplicates(&document, repairs).map(duplicate_problem).collect();
        if !refused.is_empty() {
            return Err(refused);
        }
        let mut written = String::with_capacity(text.len());
        document.root.write(&mut written);
        for slip in &document.slips {
            self.repairs.push(Repair::new(String::new(), *slip, text, &written));
        }
        self.note_duplicates(&document, &written);
        self.text = Some(written);
        Ok(())
    }

    fn note_duplicates(&mut self, document: &Document<'_>, written: &str) {
        for duplicate in &document.duplicates {
            let pointer = duplicate.pointer.clone();
            self.repairs.push(Repair::new(pointer, Rule::IdenticalDuplicates, &duplicate.key, written));
        }
    }

    /// Turns what is not an object as a whole into the object that was meant.
    fn unwrap_root(
        &mut self,
        schema: &CompiledSchema,
        came: &str,
        repairs: Repairs,
    ) -> Result<(), Vec<Problem>> {
        let text = self.text.take();
        let current = text.as_deref().unwrap_or(came);
        let document = parse(current).map_err(|fault| vec![syntax_problem(came, &fault)])?;
        let replaced = match &document.root.kind {
            Kind::Object(_) => None,
            Kind::Null if repairs.has(Rule::NullArguments) => Some((Rule::NullArguments, "{}".to_owned())),
            Kind::String(inner) if inner.trim().is_empty() && repairs.has(Rule::EmptyArguments) => {
                Some((Rule::EmptyArguments, "{}".to_owned()))
            }
            Kind::String(inner) if repairs.has(Rule::DoubleEncoded) => {
                let object = double_encoded(inner, repairs).map_err(|fault| match fault {
                    Some(fault) => vec![syntax_problem(inner, &fault)],
                    None => vec![not_an_object(received(&document.root))],
                })?;
                Some((Rule::DoubleEncoded, object))
            }
            _ => {
                // A schema that is not one of arguments may say more than that an object is wanted.
                let mut problems = Checker::new(schema).into_problems(0, &document.root);
                if problems.is_empty() {
                    problems.push(not_an_object(received(&document.root)));
                }
                return Err(problems);
            }
        };
        match replaced {
            Some((rule, to)) => self.replace(rule, current, to),
            None => self.text = text,
        }
        Ok(())
    }

    fn fit(mut self, schema: &CompiledSchema, came: &str, repairs: Repairs) -> Result<Checked, Vec<Problem>> {
        let text = self.text.take();
        let document =
            parse(text.as_deref().unwrap_or(came)).map_err(|fault| vec![syntax_problem(came, &fault)])?;
        self.fit_document(schema, text.as_deref(), &document, repairs)
    }

    /// `changed` is the text of the document where that is not the one that came.
    fn fit_document(
        mut self,
        schema: &CompiledSchema,
        changed: Option<&str>,
        document: &Document<'_>,
        repairs: Repairs,
    ) -> Result<Checked, Vec<Problem>> {
        let mut problems: Vec<Problem> =
            refused_duplicates(document, repairs).map(duplicate_problem).collect();
        if !problems.is_empty() {
            problems.extend(Checker::new(schema).into_problems(0, &document.root));
            return Err(problems);
        }
        if !document.duplicates.is_empty() {
            let mut written = String::with_capacity(document.root.text.len());
            document.root.write(&mut written);
            self.note_duplicates(document, &written);
            self.text = Some(written.clone());
            return self.fit(schema, &written, repairs);
        }
        let mut checker = Checker::new(schema);
        let valid = checker.accepts(0, &document.root);
        let may_improve = !valid || (checker.met_integral && repairs.has(Rule::IntegralNumber));
        let fixed = if may_improve { fixed(schema, &document.root, repairs) } else { None };
        match fixed {
            Some(change) => {
                self.repairs.extend(change.repairs);
                Ok(Checked { text: Some(change.text), repairs: self.repairs })
            }
            None if valid => Ok(Checked { text: changed.map(str::to_owned), repairs: self.repairs }),
            None => Err(Checker::new(schema).into_problems(0, &document.root)),
        }
    }
}

/// A repaired text that is valid by the definition of JSON Schema.
fn fixed(schema: &CompiledSchema, root: &Node<'_>, repairs: Repairs) -> Option<fix::Change> {
    let change = Fixer::new(schema, repairs, root.text.len()).fix_root(root)?;
    let document = parse(&change.text).ok()?;
    Checker::new(schema).accepts(0, &document.root).then_some(change)
}

fn refused_duplicates<'d>(
    document: &'d Document<'_>,
    repairs: Repairs,
) -> impl Iterator<Item = &'d Duplicate> {
    let may_go = repairs.has(Rule::IdenticalDuplicates);
    document.duplicates.iter().filter(move |duplicate| !(may_go && duplicate.identical))
}

/// The text of an object in a string; `Err(None)` where the string holds something else.
fn double_encoded(text: &str, repairs: Repairs) -> Result<String, Option<Fault>> {
    let looks_like_object = text.trim_start().starts_with('{');
    let document = match parse(text) {
        Err(fault) if fault.kind == FaultKind::Syntax && looks_like_object => {
            parse_at_depth(text, repairs, 0)
        }
        parsed => parsed,
    };
    let document = document.map_err(|fault| looks_like_object.then_some(fault))?;
    if !matches!(document.root.kind, Kind::Object(_)) {
        return Err(None);
    }
    if document.slips.is_empty() {
        return Ok(document.root.text.to_owned());
    }
    if !document.duplicates.is_empty() {
        return Err(None);
    }
    let mut written = String::with_capacity(text.len());
    document.root.write(&mut written);
    Ok(written)
}

fn not_an_object(received: String) -> Problem {
    Problem::new(String::new(), "type", "an object with the arguments".to_owned(), received)
}

fn duplicate_problem(duplicate: &Duplicate) -> Problem {
    let key = format!("`{}`", shorten(&duplicate.key, LONGEST_QUOTE));
    let text = format!("the key {key} stands twice in one object; send it once");
    Problem::new(duplicate.pointer.clone(), "duplicate", format!("{key} once"), format!("{key} twice"))
        .saying(text)
}

fn syntax_problem(text: &str, fault: &Fault) -> Problem {
    let pointer = fault.pointer.clone();
    let rest = text.get(fault.at..).unwrap_or_default();
    let near =
        if rest.is_empty() { "the end of the text".to_owned() } else { format!("`{}`", one_line(rest)) };
    match fault.kind {
        FaultKind::Truncated => {
            let said = format!(
                "the arguments were cut off: the JSON ends where {} is expected; send the whole call again, shorter if it was cut by a limit",
                fault.expected
            );
            Problem::new(
                pointer,
                "truncated",
                "complete JSON".to_owned(),
                "JSON that ends too early".to_owned(),
            )
            .saying(said)
        }
        FaultKind::Depth => {
            Problem::new(pointer, "depth", fault.expected.to_owned(), "deeper nesting".to_owned())
        }
        FaultKind::Syntax => {
            let mut said =
                format!("the arguments are not valid JSON: expected {}, received {near}", fault.expected);
            if fault.arithmetic {
                said.push_str("; write the computed number, not an expression (and text in double quotes)");
            }
            Problem::new(pointer, "syntax", fault.expected.to_owned(), near).saying(said)
        }
    }
}
