//! What it costs to find tools among ten thousand.

use std::{error::Error, time::Instant};

use tools_core::{FunctionTool, Context, ToolDescriptor, ToolIndex, ToolRegistry, schema};

const VERBS: [&str; 20] = [
    "list", "create", "delete", "update", "search", "export", "import", "convert", "send", "schedule", "approve",
    "cancel", "archive", "compare", "summarize", "translate", "upload", "download", "measure", "predict",
];
const NOUNS: [&str; 50] = [
    "invoice", "order", "customer", "ticket", "calendar", "meeting", "document", "folder", "image", "video", "song",
    "playlist", "forecast", "temperature", "flight", "hotel", "booking", "payment", "refund", "account", "password",
    "repository", "branch", "commit", "pipeline", "server", "container", "database", "table", "column", "report",
    "dashboard", "metric", "alert", "campaign", "contact", "message", "channel", "translation", "dictionary", "recipe",
    "ingredient", "workout", "route", "station", "sensor", "contract", "signature", "vehicle", "parcel",
];
const PLACES: [&str; 10] =
    ["shop", "cloud", "office", "media", "travel", "finance", "fleet", "health", "city", "factory"];

/// Ten thousand tools of which no two are alike.
pub(crate) fn descriptors() -> Result<Vec<ToolDescriptor>, Box<dyn Error>> {
    let mut made = Vec::with_capacity(10_000);
    for place in PLACES {
        for verb in VERBS {
            for noun in NOUNS {
                let parameters = schema::object()
                    .property(format!("{noun}_id"), schema::string().describe(format!("Which {noun} to {verb}")))
                    .property("limit", schema::integer().describe("How many results").minimum(1))
                    .required([format!("{noun}_id")]);
                let descriptor = ToolDescriptor::builder(format!("{place}.{verb}_{noun}"))
                    .description(format!("{verb} a {noun} of the {place} service. Give its identifier."))
                    .parameters(parameters)
                    .build()?;
                made.push(descriptor);
            }
        }
    }
    Ok(made)
}

pub(crate) fn index(descriptors: &[ToolDescriptor]) -> (ToolIndex, f64) {
    let started = Instant::now();
    let mut index = ToolIndex::default();
    descriptors.iter().for_each(|descriptor| index.insert(descriptor));
    (index, started.elapsed().as_secs_f64() * 1e3)
}

/// Milliseconds to register them all with factories, of which none runs.
pub(crate) fn register(descriptors: &[ToolDescriptor]) -> Result<f64, Box<dyn Error>> {
    let registry = ToolRegistry::new();
    let descriptors = descriptors.to_vec();
    let started = Instant::now();
    for descriptor in descriptors {
        let made = descriptor.clone();
        registry.register_factory(descriptor, move || {
            FunctionTool::from_schema(made.clone(), |_: Context| async { "done" })
        })?;
    }
    Ok(started.elapsed().as_secs_f64() * 1e3)
}

pub(crate) const QUERY: &str = "I need to cancel the booking of a hotel for my travel next week";
pub(crate) const SHORT: &str = "translate documents";
pub(crate) const MISTYPED: &str = "tranlsate docuemnts";
