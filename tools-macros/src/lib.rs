//! The macros of `tools-core`, which re-exports and documents them.

mod arguments;
mod attribute;
mod diagnostics;
mod docs;
mod krate;
mod tool;

use proc_macro::TokenStream;

/// Makes a tool of a documented function.
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
/// `# Arguments` (a list of `name - text`), `# Returns`, `# Errors`, `# Examples` and `# Notes` leave the
/// description and are shown in the tool's full help.
#[proc_macro_attribute]
pub fn tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    tool::tool(attribute.into(), &item.into()).into()
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
