//! Whatever `#[tool]` can do on a function, it can on a method.

use std::{borrow::Cow, collections::BTreeMap, path::Path, time::Duration};

use serde_json::{Value, json};
use tools_core::{Json, ToolCall, Tools, arguments, tools};

use super::{answer, names, property, refusal, schema, tool};

#[arguments]
#[derive(Clone, Copy, Debug)]
enum Unit {
    Celsius,
    Fahrenheit,
}

#[arguments]
struct Page {
    #[serde(default)]
    page: u32,
}

mod seconds {
    use std::time::Duration;

    use tools_core::{
        schemars::{Schema, SchemaGenerator, json_schema},
        serde::{Deserialize, Deserializer},
    };

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_secs)
    }

    pub(super) fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "integer"})
    }
}

const TAG: &str = "constant";
const fn tag() -> &'static str {
    "function"
}

struct Weather {
    unit: Unit,
}

#[tools]
#[allow(clippy::trivially_copy_pass_by_ref, reason = "the forms under test")]
impl Weather {
    const DAYS: u32 = 3;

    /// Look up the forecast. Covers two weeks.
    ///
    /// # Arguments
    ///
    /// * `city` - Where
    ///
    /// # Returns
    ///
    /// Words.
    ///
    /// # Errors
    ///
    /// * `under_water` - the city is gone
    #[tool(read_only, tags("weather", TAG, tag()), timeout = "2s", sequential, title = "Forecast")]
    async fn forecast(
        &self,
        city: &str,
        /// Number of days
        #[arg(default = Self::DAYS, range = 1..=14)]
        days: u32,
    ) -> Result<String, String> {
        if city == "Atlantis" {
            return Err(format!("{city} is under water"));
        }
        Ok(format!("{city} {days} {:?}", self.unit))
    }

    #[tools_core::tool(name = "unit.get", description = "The unit.", summary = "Unit", namespace = "units")]
    #[must_use]
    /// Not this.
    pub(crate) fn unit(&self) -> Json<Unit> {
        Json(self.unit)
    }

    /// Takes what a function can.
    #[tool(unknown_arguments = "ignore")]
    fn borrows<'a, 'b: 'a>(
        &'a self,
        text: &'b str,
        optional: Option<&'a str>,
        list: &[u8],
        path: &Path,
        cow: Cow<'a, str>,
        map: &BTreeMap<String, u8>,
        #[arg(flatten)] page: Page,
    ) -> Cow<'a, str> {
        format!("{text} {optional:?} {list:?} {} {cow} {map:?} {}", path.display(), page.page).into()
    }

    /// Waits.
    #[tool]
    fn wait(
        #[arg(with = seconds, schema_with = seconds::schema)] time: Duration,
        #[arg(with = seconds, schema_with = seconds::schema, rename = "then-more")] more: Duration,
    ) -> String {
        format!("{:?}", time + more)
    }

    /// Waits longer.
    #[tool]
    fn wait_longer(&self, #[arg(with = seconds, schema_with = seconds::schema)] time: Duration) -> String {
        format!("{:?}", time * 2)
    }

    /// Add two numbers.
    #[tool]
    const fn add(a: u8, #[arg(example = 2)] b: u8) -> u8 {
        a + b
    }

    /// Takes the service's own type, and is called like what is generated.
    #[tool]
    fn add_to(&self, r#type: &str, service: u8, __m: u8, __tool: u8, #[inject] call: &ToolCall) -> String {
        format!("{} {type} {}", call.name(), service + __m + __tool)
    }

    #[tool]
    #[deprecated]
    fn undocumented(&self) {}

    fn helper(&self) -> Unit {
        self.unit
    }

    /// Is an associated function as well.
    fn celsius() -> Self {
        Self { unit: Unit::Celsius }
    }
}

fn weather() -> Tools {
    Tools::builder().tools(Weather::celsius()).build().unwrap()
}

#[test]
fn only_marked_methods_are_tools_in_the_order_of_the_block() {
    let expected =
        ["forecast", "unit.get", "borrows", "wait", "wait_longer", "add", "add_to", "undocumented"];
    assert_eq!(names(&weather()), expected);
}

#[tokio::test]
async fn methods_and_functions_can_still_be_called_directly() {
    let weather = Weather { unit: Unit::Fahrenheit };
    assert_eq!(weather.forecast("Paris", 2).await, Ok("Paris 2 Fahrenheit".to_owned()));
    assert_eq!(Weather::add(1, 2), 3);
    assert!(matches!(weather.helper(), Unit::Fahrenheit));
    const SUM: u8 = Weather::add(2, 2);
    assert_eq!(SUM, 4);
}

#[test]
fn documents_and_keys_reach_the_descriptor() {
    let tools = weather();
    let forecast = tool(&tools, "forecast").descriptor();
    assert_eq!(forecast.description(), "Look up the forecast. Covers two weeks.");
    assert_eq!(forecast.summary(), "Look up the forecast.");
    assert_eq!(forecast.title(), Some("Forecast"));
    assert_eq!(forecast.returns(), Some("Words."));
    assert_eq!(forecast.errors()[0].code(), Some("under_water"));
    assert_eq!(forecast.tags(), ["weather", "constant", "function"]);
    assert_eq!(forecast.annotations().read_only, Some(true));
    assert_eq!(forecast.timeout(), Some(Duration::from_secs(2)));
    assert!(forecast.is_sequential());
    let unit = tool(&tools, "unit.get").descriptor();
    assert_eq!((unit.description(), unit.summary(), unit.namespace()), ("The unit.", "Unit", Some("units")));
    assert!(unit.output().is_some());
    assert_eq!(tool(&tools, "undocumented").descriptor().description(), "");
}

#[test]
fn parameters_reach_the_schema() {
    let tools = weather();
    assert_eq!(
        schema(&tools, "forecast"),
        json!({
            "type": "object",
            "properties": {
                "city": {"type": "string", "description": "Where"},
                "days": {
                    "type": "integer", "description": "Number of days", "default": 3, "minimum": 1, "maximum": 14,
                },
            },
            "required": ["city"],
            "additionalProperties": false,
        })
    );
    assert_eq!(property(&tools, "add", "b")["examples"], json!([2]));
    assert_eq!(schema(&tools, "wait")["required"], json!(["time", "then-more"]));
}

#[tokio::test]
async fn arguments_are_read_repaired_and_refused() {
    let tools = weather();
    assert_eq!(answer(&tools, "forecast", json!({"city": "Paris"})).await, "Paris 3 Celsius");
    assert_eq!(answer(&tools, "forecast", json!({"city": "Paris", "days": "2"})).await, "Paris 2 Celsius");
    let refused = refusal(&tools, "forecast", json!({"days": 15})).await;
    assert!(refused.contains("city") && refused.contains("14"), "{refused}");
    let failed = super::call(&tools, (), "forecast", json!({"city": "Atlantis"})).await;
    assert_eq!(failed.model_text(), "Atlantis is under water");
    let all =
        json!({"text": "a", "list": [1], "path": "/b", "cow": "c", "map": {"d": 2}, "page": 3, "more": 0});
    assert_eq!(answer(&tools, "borrows", all).await, r#"a None [1] /b c {"d": 2} 3"#);
    assert_eq!(answer(&tools, "wait", json!({"time": 3, "then-more": 1})).await, "4s");
    assert_eq!(answer(&tools, "wait_longer", json!({"time": 3})).await, "6s");
    assert_eq!(answer(&tools, "add", json!({"a": 1, "b": 2})).await, "3");
    assert_eq!(answer(&tools, "unit.get", json!({})).await, r#""Celsius""#);
    let own = json!({"type": "x", "service": 1, "__m": 2, "__tool": 3});
    assert_eq!(answer(&tools, "add_to", own).await, "add_to x 6");
    assert_eq!(
        answer(&tools, "undocumented", json!({})).await,
        answer(&tools, "undocumented", Value::Null).await
    );
}

// ---- where a block can stand

mod reexport {
    pub use tools_core;
}

struct Elsewhere;

#[tools(crate = self::reexport::tools_core)]
impl Elsewhere {
    /// Is found through a re-export.
    #[tool]
    fn here(#[arg(default = 1, range = 1..=2)] a: u8) -> u8 {
        a
    }
}

macro_rules! service {
    ($name:ident, $value:ty, $answer:expr) => {
        struct $name($value);

        #[tools]
        impl $name {
            /// Comes from a macro.
            #[tool]
            fn made(&self, given: Option<$value>) -> $value {
                given.unwrap_or(self.0) + $answer
            }
        }
    };
}

service!(Made, u8, 2);

#[tokio::test]
async fn blocks_stand_in_function_bodies_and_macros_and_beside_a_renamed_library() {
    struct Local;

    #[tools]
    impl Local {
        /// Is in a function body.
        #[tool]
        fn local(&self) -> &'static str {
            "local"
        }
    }

    let tools = Tools::builder().tools(Local).tools(Elsewhere).tools(Made(1)).build().unwrap();
    assert_eq!(answer(&tools, "local", json!({})).await, "local");
    assert_eq!(answer(&tools, "here", json!({})).await, "1");
    assert_eq!(answer(&tools, "made", json!({})).await, "3");
}
