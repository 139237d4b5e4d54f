//! The macros of `tools-core`, which re-exports and documents them.

mod arguments;
mod attribute;
mod describe;
mod diagnostics;
mod docs;
mod krate;
mod state;
mod tokens;
mod tool;
mod tools;

use proc_macro::TokenStream;

/// Makes a tool of a documented function.
///
/// For the methods of a type, see [`#[tools]`](macro@tools).
///
/// The function stays as it is. Beside it stands a unit struct, named after the function in `PascalCase`, that is
/// the tool: `fn get_weather` gives `GetWeather`.
///
/// ```
/// use tools_core::{Describe, tool};
///
/// /// Look up the weather forecast for a city.
/// #[tool(name = "weather.forecast", tags("weather"), read_only)]
/// fn forecast(
///     /// City name, e.g. "Paris"
///     city: &str,
///     /// Number of days
///     #[arg(default = 3, range = 1..=14)]
///     days: u32,
/// ) -> String {
///     format!("{days} sunny days in {city}")
/// }
///
/// assert_eq!(forecast("Paris", 2), "2 sunny days in Paris");
/// assert_eq!(Forecast.descriptor().description(), "Look up the weather forecast for a city.");
/// ```
///
/// # On the function
///
/// | key | meaning |
/// |---|---|
/// | `name = ".."` | the tool's name, where it is not the function's |
/// | `type = Name` | the struct's name; the way out where something else has it already |
/// | `title`, `description`, `summary`, `namespace` | texts; the description is else the function's documentation |
/// | `tags("..", ..)` | words to find the tool by |
/// | `read_only`, `destructive`, `idempotent`, `open_world` | hints about what it does; `= false` says the opposite |
/// | `timeout = "30s"` | how long a call may take (`ms`, `s`, `m`, `h`) |
/// | `sequential` | no other call of a batch runs beside it |
/// | `blocking` | run a function that is not async on the blocking pool |
/// | `unknown_arguments = ".."` | what becomes of arguments that no parameter takes: `"refuse"` (the default), `"ignore"`, `"allow"` |
/// | `crate = path` | where `tools_core` is, if not at `::tools_core` |
///
/// # On a parameter
///
/// `#[inject]` takes it from the application instead of the model. A documentation comment describes it, and
/// `#[arg(..)]` says more:
///
/// | key | meaning |
/// |---|---|
/// | `default` or `default = expr` | the value of an absent argument |
/// | `range = 1..=9` | bounds of a number |
/// | `length = 1..=9` | bounds of the number of characters, items or entries |
/// | `pattern = ".."` | a regular expression for text |
/// | `example = expr` | a value to learn from |
/// | `rename = ".."` | the name that the model sees |
/// | `description = ".."` | the description, in place of the documentation comment |
/// | `with = module` | read it with `module::deserialize`, as serde does |
/// | `schema_with = function` | describe it with `fn(&mut SchemaGenerator) -> Schema` |
/// | `flatten` | a struct or map whose fields are arguments of their own |
///
/// # Sections of the documentation
///
/// `# Arguments` (a list of `name - text`), `# Returns`, `# Errors`, `# Examples`, `# Notes` and `# Guidelines` leave the
/// description and are shown in the tool's full help. In the last four, each item of a list is one error, example, note
/// or guideline; an error begins with its code in backticks.
#[proc_macro_attribute]
pub fn tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    tool::tool(attribute.into(), &item.into()).into()
}

/// Makes a set of tools of a service: a value whose methods are tools and share it.
///
/// Each function of the `impl` block with `#[tool]` is a tool, which can do whatever `#[tool]` can do on a function;
/// all others are left alone, and all can be called as ever. The value is held once, in an `Arc`, whether it is given
/// or shared already.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// use std::sync::{Arc, Mutex};
///
/// use tools_core::{Describe, Tools, serde_json::json, tools};
///
/// #[derive(Default)]
/// struct Notes {
///     notes: Mutex<Vec<String>>,
/// }
///
/// #[tools(prefix = "notes.")]
/// impl Notes {
///     /// Take a note.
///     #[tool]
///     async fn take(&self, text: String) {
///         self.lock().push(text);
///     }
///
///     /// Read the latest notes.
///     #[tool(read_only)]
///     fn latest(&self, #[arg(default = 3, range = 1..=9)] count: usize) -> Vec<String> {
///         self.lock().iter().rev().take(count).cloned().collect()
///     }
///
///     /// Count the words of a text.
///     #[tool(read_only)]
///     fn words(text: &str) -> usize {
///         text.split_whitespace().count()
///     }
///
///     fn lock(&self) -> std::sync::MutexGuard<'_, Vec<String>> {
///         self.notes.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
///     }
/// }
///
/// let notes = Arc::new(Notes::default());
/// let tools = Tools::builder().tools(Arc::clone(&notes)).build()?;
/// assert_eq!(tools.names().collect::<Vec<_>>(), ["notes.take", "notes.latest", "notes.words"]);
///
/// notes.take("Buy milk.".to_owned()).await;
/// let latest = tools.get("notes.latest").unwrap().invoke(json!({})).await?;
/// assert_eq!(latest.model_text(), r#"["Buy milk."]"#);
/// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
/// ```
///
/// # On the block
///
/// | key | meaning |
/// |---|---|
/// | `prefix = ".."` | begins the name of each of the block's tools |
/// | `namespace = ".."` | the namespace of those that name none |
/// | `set = Name` | a struct that is the set, in place of the service itself |
/// | `crate = path` | where `tools_core` is, if not at `::tools_core` |
///
/// # On a method
///
/// The keys of [`#[tool]`](macro@tool), except `type` and `crate`. Calls run beside each other and share the service: a
/// method takes `&self`, `self: &Arc<Self>`, `self: Arc<Self>` or no `self`, and what changes stands behind a lock. The
/// service is `Send + Sync + 'static`.
///
/// # Several blocks
///
/// A type has one block of its own. Each further one names a struct, which is as private as any other unless it says
/// otherwise, holds the shared service in its only field, and can be added where its tools are wanted:
///
/// ```
/// use std::sync::Arc;
///
/// use tools_core::{Tools, tools};
///
/// pub struct Shop;
///
/// #[tools]
/// impl Shop {
///     /// Look up an order.
///     #[tool(read_only)]
///     fn order(&self, id: u32) -> String {
///         format!("order {id}")
///     }
/// }
///
/// #[tools(set = pub ShopAdmin)]
/// impl Shop {
///     /// Refund an order.
///     #[tool(destructive)]
///     fn refund(&self, id: u32) -> String {
///         format!("refunded {id}")
///     }
/// }
///
/// let shop = Arc::new(Shop);
/// let support = Tools::builder().tools(Arc::clone(&shop)).build()?;
/// let admin = support.merge(&Tools::builder().tools(ShopAdmin::new(shop)).build()?)?;
/// assert_eq!((support.len(), admin.len()), (1, 2));
/// # Ok::<(), tools_core::ToolsError>(())
/// ```
///
/// # Generic services
///
/// The block may be generic over types and constants. Parameters can be of types that depend on them, if the bounds
/// say that these have a schema and can be read (`JsonSchema + DeserializeOwned`); what is returned is converted by
/// what the bounds say of it, so that a `T: Serialize` becomes JSON even where it is text. Each instance has schemas
/// of its own.
#[proc_macro_attribute]
pub fn tools(attribute: TokenStream, item: TokenStream) -> TokenStream {
    tools::tools(attribute.into(), item.into()).into()
}

/// Makes a struct or an enum a parameter's type: it can be read from JSON, written as JSON and described in a
/// schema, and takes no fields that it does not have.
///
/// It stands for `#[derive(Deserialize, Serialize, JsonSchema)]` with `deny_unknown_fields`, through the crates
/// that `tools-core` re-exports; a derive that stands below it is not written again. `#[serde(..)]` and
/// `#[schemars(..)]` work as ever. `#[arguments(open)]` lets unknown fields pass.
///
/// ```
/// use tools_core::{arguments, tool};
///
/// #[arguments]
/// enum Unit {
///     Celsius,
///     Fahrenheit,
/// }
///
/// /// Measure the temperature.
/// #[tool]
/// fn temperature(#[arg(default = Unit::Celsius)] unit: Unit) -> f64 {
///     match unit {
///         Unit::Celsius => 20.0,
///         Unit::Fahrenheit => 68.0,
///     }
/// }
/// # let _ = Temperature;
/// ```
#[proc_macro_attribute]
pub fn arguments(attribute: TokenStream, item: TokenStream) -> TokenStream {
    arguments::arguments(attribute.into(), item.into()).into()
}

/// Gives tools what an application's state holds: each field can be injected by its type.
///
/// ```
/// use std::sync::Arc;
///
/// use tools_core::{Describe, State, tool};
///
/// trait Clock: Send + Sync {
///     fn now(&self) -> String;
/// }
///
/// struct Noon;
///
/// impl Clock for Noon {
///     fn now(&self) -> String {
///         "12:00".to_owned()
///     }
/// }
///
/// #[derive(Clone)]
/// struct User(String);
///
/// #[derive(State)]
/// struct App {
///     user: User,
///     clock: Arc<dyn Clock>,
///     #[state(skip)]
///     password: String,
/// }
///
/// /// Tell the user the time.
/// #[tool]
/// fn time(#[inject] user: User, #[inject] clock: &dyn Clock) -> String {
///     format!("{}, it is {}", user.0, clock.now())
/// }
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let app = App { user: User("Ada".into()), clock: Arc::new(Noon), password: "secret".into() };
/// # let _ = &app.password;
/// let answer = Time.invoke_with(&Arc::new(app), "{}").await?;
/// assert_eq!(answer.model_text(), "Ada, it is 12:00");
/// # Ok::<(), tools_core::ToolError>(()) }).unwrap();
/// ```
///
/// It writes `impl Inject<App>` for the type of each field and for `App` itself. A parameter `#[inject] db: &Db` borrows
/// the field; `#[inject] user: User`, by value, clones it. For a field `Arc<dyn Clock>` or `Box<dyn Clock>` a tool may
/// ask for `&dyn Clock` too.
///
/// Each type stands for one field: two fields of one type are refused, and a newtype tells them apart. What the run itself
/// gives, such as `Session`, cannot be a field's type without `#[state(skip)]`, nor can a bare type parameter.
///
/// | key | where | meaning |
/// |---|---|---|
/// | `skip` | a field | no tool is given it by its type |
/// | `crate = path` | the struct | where `tools_core` is, if not at `::tools_core` |
#[proc_macro_derive(State, attributes(state))]
pub fn state(item: TokenStream) -> TokenStream {
    state::state(item.into()).into()
}

/// Describes a tool that is a struct, from its documentation and `#[tool(..)]`. What it does is written by hand, as its
/// `Tool`.
///
/// ```
/// use tools_core::{BoxFuture, Context, Describe, Tool, ToolOutput, ToolResult, arguments, serde_json::json};
///
/// #[arguments]
/// struct SearchArgs {
///     /// What to look for
///     query: String,
///     limit: Option<usize>,
/// }
///
/// /// Search the documents.
/// #[derive(Describe)]
/// #[tool(name = "docs.search", tags("search"), read_only, args = SearchArgs)]
/// struct SearchTool {
///     documents: Vec<String>,
/// }
///
/// impl<S> Tool<S> for SearchTool {
///     fn call<'a>(&'a self, cx: &'a Context<S>) -> BoxFuture<'a, ToolResult> {
///         Box::pin(async move {
///             let SearchArgs { query, limit } = cx.arguments().read()?;
///             let found = self.documents.iter().filter(|document| document.contains(&query));
///             ToolOutput::json(found.take(limit.unwrap_or(10)).collect::<Vec<_>>())
///         })
///     }
/// }
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let search = SearchTool { documents: vec!["red fox".into(), "red hen".into()] };
/// assert_eq!(search.descriptor().summary(), "Search the documents.");
/// assert_eq!(search.invoke(json!({"query": "red", "limit": "1"})).await?.model_text(), r#"["red fox"]"#);
/// assert_eq!(search.invoke(json!({})).await.unwrap_err().code(), "invalid_arguments");
/// # Ok::<(), tools_core::ToolError>(()) }).unwrap();
/// ```
///
/// The arguments are held against the schema before `call` sees them. It reads them one by one, with
/// `cx.arguments().arg("query", 0)?`, or all as one type, with `cx.arguments().read()?`.
///
/// # On the struct
///
/// `#[tool(..)]` stands below the derive and takes the keys of [`#[tool]`](macro@tool) on a function, but `type` and
/// `blocking`; the sections of the documentation are the same. The name is else the struct's in `snake_case`. What
/// the arguments are is said by one of
///
/// | key | meaning |
/// |---|---|
/// | `args = Type` | a struct that they can be read as |
/// | `parameters = function` | a function that gives what `tools_core::schema::object()` builds, a `schemars::Schema` or a `serde_json::Value` |
///
/// and without either there are none.
///
/// # On a field
///
/// A description can be a type of its own that several tools share, or be made when a tool is: with `#[tool(descriptor)]`
/// on a field that is `Describe`, the struct says what the field says.
///
/// ```
/// use tools_core::{Describe, DescriptorError, ToolDescriptor};
///
/// /// Search.
/// #[derive(Describe)]
/// #[tool(tags("search"))]
/// struct Search;
///
/// #[derive(Describe)]
/// struct WikiSearch {
///     #[tool(descriptor)]
///     descriptor: ToolDescriptor,
/// }
///
/// impl WikiSearch {
///     fn new() -> Result<Self, DescriptorError> {
///         Ok(Self { descriptor: Search.descriptor().to_builder().name("wiki.search").build()? })
///     }
/// }
///
/// let wiki = WikiSearch::new()?;
/// assert_eq!(wiki.descriptor().name().as_ref(), "wiki.search");
/// assert_eq!(wiki.descriptor().tags(), ["search"]);
/// # Ok::<(), DescriptorError>(())
/// ```
#[proc_macro_derive(Describe, attributes(tool))]
pub fn describe(item: TokenStream) -> TokenStream {
    describe::describe(item.into()).into()
}
