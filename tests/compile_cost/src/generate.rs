//! The crates that are measured: the same functions three times.

use std::{fmt::Write as _, fs, io, path::Path};

/// How the functions are made callable by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Not at all: a match that calls each with values at hand.
    Plain,
    /// `#[tool]`, collected and called by name.
    Tool,
    /// What one writes without a macro, and what other macros write: a derived struct for each function, read
    /// with `serde_json`, and its schema.
    Derived,
}

impl Kind {
    pub(crate) const ALL: [Self; 3] = [Self::Plain, Self::Tool, Self::Derived];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Tool => "tool",
            Self::Derived => "derived",
        }
    }

    /// The package with a tenth of the functions, to tell what each one adds.
    pub(crate) fn few(self) -> &'static str {
        match self {
            Self::Plain => "plain-few",
            Self::Tool => "tool-few",
            Self::Derived => "derived-few",
        }
    }
}

/// A parameter's type in a signature, as a field, how the function gets it from the field, and from what is at hand.
struct Type {
    parameter: &'static str,
    field: &'static str,
    pass: &'static str,
    given: &'static str,
}

const fn owned(name: &'static str, given: &'static str) -> Type {
    Type { parameter: name, field: name, pass: "", given }
}

const fn borrowed(parameter: &'static str, field: &'static str, given: &'static str) -> Type {
    Type { parameter, field, pass: "&", given }
}

const TYPES: [Type; 12] = [
    owned("String", "given.text.clone()"),
    borrowed("&str", "String", "&given.text"),
    owned("u32", "given.count"),
    owned("i64", "i64::from(given.count)"),
    owned("f64", "f64::from(given.count)"),
    owned("bool", "given.count > 2"),
    owned("Option<String>", "Some(given.text.clone())"),
    owned("Option<u32>", "Some(given.count)"),
    owned("Vec<String>", "given.list.clone()"),
    borrowed("&[String]", "Vec<String>", "&given.list"),
    owned("Place", "given.place()"),
    owned("Unit", "given.unit()"),
];

const PARAMETERS: usize = 4;
const NAMES: [&str; PARAMETERS] = ["subject", "amount", "detail", "extra"];

/// The text in the first function that an edit changes.
pub(crate) const EDITED: &str = "text.len() > 1000";
/// What it is changed into.
pub(crate) const EDIT: &str = "text.len() > 1001";

/// Numbers that look random and are the same on every machine (Knuth's MMIX constants).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % end
    }
}

/// One workspace with all packages.
pub(crate) fn workspace(root: &Path, core: &Path, tools: usize) -> io::Result<()> {
    let mut members = Vec::new();
    for kind in Kind::ALL {
        for (name, count) in [(kind.name(), tools), (kind.few(), tools / 10)] {
            package(&root.join(name), kind, name, core, count)?;
            members.push(format!("{name:?}"));
        }
    }
    let manifest = format!(
        "[workspace]\nresolver = \"3\"\nmembers = [{}]\n\n[profile.release]\nstrip = true\n",
        members.join(", ")
    );
    write_if_changed(&root.join("Cargo.toml"), &manifest)
}

fn package(root: &Path, kind: Kind, name: &str, core: &Path, count: usize) -> io::Result<()> {
    fs::create_dir_all(root.join("src"))?;
    let dependencies = match kind {
        Kind::Plain => String::new(),
        Kind::Tool => format!("tools-core = {{ path = {:?} }}\n", core.display().to_string()),
        Kind::Derived => {
            "schemars = \"1\"\nserde = { version = \"1\", features = [\"derive\"] }\nserde_json = \"1\"\n"
                .to_owned()
        }
    };
    let manifest = format!(
        "[package]\nname = {name:?}\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n[dependencies]\n{dependencies}"
    );
    write_if_changed(&root.join("Cargo.toml"), &manifest)?;
    write_if_changed(&root.join("src/main.rs"), &main(kind, count))?;
    write_if_changed(&root.join("src/functions.rs"), &functions(kind, count))
}

fn write_if_changed(path: &Path, text: &str) -> io::Result<()> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) { Ok(()) } else { fs::write(path, text) }
}

fn drawn(count: usize) -> impl Iterator<Item = (usize, Vec<(&'static str, &'static Type)>)> {
    let mut random = Random(42);
    (0..count).map(move |index| {
        let mut draw = || TYPES.get(random.below(TYPES.len()));
        (index, NAMES.into_iter().filter_map(|name| Some((name, draw()?))).collect())
    })
}

fn functions(kind: Kind, count: usize) -> String {
    let mut code = String::from(match kind {
        Kind::Plain => "use crate::{Place, Unit};\n",
        Kind::Tool => "use tools_core::tool;\n\nuse crate::{Place, Unit};\n",
        Kind::Derived => {
            "use schemars::{JsonSchema, Schema, schema_for};\nuse serde::Deserialize;\n\nuse crate::{Place, Unit};\n"
        }
    });
    for (index, parameters) in drawn(count) {
        function(&mut code, kind, index, &parameters);
        if kind == Kind::Derived {
            derived(&mut code, index, &parameters);
        }
    }
    code
}

fn function(code: &mut String, kind: Kind, index: usize, parameters: &[(&str, &Type)]) {
    let attribute = if kind == Kind::Tool { "#[tool]\n" } else { "" };
    let mut signature = String::new();
    for (name, ty) in parameters {
        if kind == Kind::Tool {
            let _ = writeln!(signature, "    /// The {name} of operation {index}");
        }
        let _ = writeln!(signature, "    {name}: {},", ty.parameter);
    }
    let shown: Vec<String> = parameters.iter().map(|(name, _)| format!("{{{name}:?}}")).collect();
    let _ = write!(
        code,
        "\n/// Runs operation {index} of the generated service.\n{attribute}pub async fn operation_{index}(\n{signature}) \
         -> Result<String, String> {{\n    let text = format!(\"{}\");\n    if {EDITED} {{ Err(text) }} else {{ Ok(text) }}\n}}\n",
        shown.join(" ")
    );
}

fn derived(code: &mut String, index: usize, parameters: &[(&str, &Type)]) {
    let mut fields = String::new();
    for (name, ty) in parameters {
        let _ = writeln!(fields, "    /// The {name} of operation {index}\n    {name}: {},", ty.field);
    }
    let passed: Vec<String> = parameters.iter().map(|(name, ty)| format!("{}args.{name}", ty.pass)).collect();
    let _ = write!(
        code,
        "\n#[derive(Deserialize, JsonSchema)]\n#[serde(deny_unknown_fields)]\nstruct Operation{index}Args {{\n{fields}}}\n\n\
         pub async fn call_{index}(json: &str) -> Result<String, String> {{\n    \
         let args: Operation{index}Args = serde_json::from_str(json).map_err(|error| error.to_string())?;\n    \
         operation_{index}({}).await\n}}\n\n\
         pub fn schema_{index}() -> Schema {{\n    schema_for!(Operation{index}Args)\n}}\n",
        passed.join(", ")
    );
}

const BLOCK_ON: &str = "\
fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut task::Context::from_waker(Waker::noop())) {
            return value;
        }
    }
}
";

fn main(kind: Kind, count: usize) -> String {
    let derive = match kind {
        Kind::Plain => "#[derive(Debug)]",
        Kind::Tool => "#[tools_core::arguments]\n#[derive(Debug)]",
        Kind::Derived => {
            "#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]\n#[serde(deny_unknown_fields)]"
        }
    };
    let values = format!(
        "#![allow(dead_code)]\nmod functions;\n\nuse std::task::{{self, Poll, Waker}};\n\n/// Where something is\n{derive}\n\
         pub struct Place {{\n    /// Its name\n    name: String,\n    /// Its height in metres\n    height: Option<f64>,\n}}\n\n\
         /// A unit of temperature\n{derive}\npub enum Unit {{\n    Celsius,\n    Fahrenheit,\n}}\n\n"
    );
    format!(
        "{values}{BLOCK_ON}\n{}",
        match kind {
            Kind::Plain => plain_main(count),
            Kind::Tool => tool_main(count),
            Kind::Derived => derived_main(count),
        }
    )
}

const PLAIN_MAIN: &str = "\
struct Given {
    text: String,
    count: u32,
    list: Vec<String>,
}

impl Given {
    fn place(&self) -> Place {
        Place { name: self.text.clone(), height: None }
    }
    fn unit(&self) -> Unit {
        if self.count > 2 { Unit::Celsius } else { Unit::Fahrenheit }
    }
}

fn main() {
    let list: Vec<String> = std::env::args().skip(1).collect();
    let name = list.first().cloned().unwrap_or_default();
    let given = Given { count: list.len() as u32, text: list.concat(), list };
    println!(\"{:?}\", block_on(call(&name, &given)));
}
";

type Arm<'a> = &'a dyn Fn(usize, &[(&str, &Type)]) -> String;

fn arms(count: usize, arm: Arm<'_>) -> String {
    drawn(count).map(|(index, parameters)| arm(index, &parameters)).collect()
}

fn plain_main(count: usize) -> String {
    let arms = arms(count, &|index, parameters| {
        let given: Vec<&str> = parameters.iter().map(|(_, ty)| ty.given).collect();
        format!(
            "        \"operation_{index}\" => Box::pin(functions::operation_{index}({})),\n",
            given.join(", ")
        )
    });
    format!(
        "type Called<'a> = std::pin::Pin<Box<dyn Future<Output = Result<String, String>> + Send + 'a>>;\n\n\
         fn call<'a>(name: &str, given: &'a Given) -> Called<'a> {{\n    match name {{\n{arms}        \
         _ => Box::pin(async {{ Err(\"unknown\".to_owned()) }}),\n    }}\n}}\n\n{PLAIN_MAIN}"
    )
}

fn tool_main(count: usize) -> String {
    let added = arms(count, &|index, _| format!("        .tool(functions::Operation{index})\n"));
    format!(
        "fn main() {{\n    let mut args = std::env::args().skip(1);\n    let (name, json) = (args.next().unwrap_or_default(), \
         args.next().unwrap_or_default());\n    let tools = tools_core::Tools::builder()\n{added}        .build();\n    \
         let tools = tools.unwrap();\n    let tool = tools.get(&name).unwrap();\n    \
         println!(\"{{}}\", tool.descriptor().parameters_json());\n    \
         let call = tools_core::ToolCall::new(\"call\", name, json);\n    \
         let result = block_on(tool.call(&tools_core::Context::new(call, ())));\n    \
         println!(\"{{:?}}\", result.map(|output| output.model_text()).map_err(|error| error.model_text()));\n}}\n"
    )
}

fn derived_main(count: usize) -> String {
    let calls = arms(count, &|index, _| {
        format!("        \"operation_{index}\" => Box::pin(functions::call_{index}(json)),\n")
    });
    let schemas =
        arms(count, &|index, _| format!("        \"operation_{index}\" => functions::schema_{index}(),\n"));
    format!(
        "type Called<'a> = std::pin::Pin<Box<dyn Future<Output = Result<String, String>> + Send + 'a>>;\n\n\
         fn call<'a>(name: &str, json: &'a str) -> Called<'a> {{\n    match name {{\n{calls}        \
         _ => Box::pin(async {{ Err(\"unknown\".to_owned()) }}),\n    }}\n}}\n\n\
         fn schema(name: &str) -> schemars::Schema {{\n    match name {{\n{schemas}        _ => true.into(),\n    }}\n}}\n\n\
         fn main() {{\n    let mut args = std::env::args().skip(1);\n    let (name, json) = (args.next().unwrap_or_default(), \
         args.next().unwrap_or_default());\n    println!(\"{{}}\", schema(&name).as_value());\n    \
         println!(\"{{:?}}\", block_on(call(&name, &json)));\n}}\n"
    )
}
