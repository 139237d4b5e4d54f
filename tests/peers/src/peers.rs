//! The same tool among as many, in the libraries that people use today.

use std::{convert::Infallible, error::Error, sync::Arc};

use rig_core::tool::ToolSet;
use rmcp::{
    RoleServer, ServerHandler,
    handler::server::{
        router::tool::{ToolRoute, ToolRouter},
        tool::ToolCallContext,
        wrapper::Parameters,
    },
    model::{CallToolRequestParams, JsonObject, RequestId, Tool},
    service::{Peer, RequestContext},
};
use serde_json::{Value, json};
use tools_rs::{FunctionCall, ToolCollection, ToolError};

use crate::{Arguments, Case, Limit, NAME, TOOLS, arguments, body, finish, name};

pub(crate) struct Peers {
    rmcp: Rmcp,
    rig: ToolSet,
    tools_rs: ToolCollection,
    _runtime: tokio::runtime::Runtime,
}

impl Peers {
    pub(crate) fn new() -> Result<Self, Box<dyn Error>> {
        let runtime = tokio::runtime::Builder::new_current_thread().build()?;
        let rmcp = runtime.block_on(async { Rmcp::new() });
        let peers = Self { rmcp, rig: rig(), tools_rs: tools_rs()?, _runtime: runtime };
        for answer in [peers.call_rmcp()?, peers.call_rig()?, peers.call_tools_rs()?] {
            assert!(answer.contains("Paris later"), "not the tool's answer: {answer}");
        }
        Ok(peers)
    }

    pub(crate) fn cases(&self) -> Vec<(Case<'_>, Limit)> {
        vec![
            (Case::new("tools-rs: ToolCollection::call", || self.call_tools_rs()), Limit::None),
            (Case::new("rmcp: ToolRouter::call", || self.call_rmcp()), Limit::None),
            (Case::new("rig: ToolSet::call", || self.call_rig()), Limit::None),
        ]
    }
}

/// The names of all tools, which these libraries want for ever.
fn names() -> impl Iterator<Item = &'static str> {
    (0..TOOLS).map(|index| &*Box::leak(format!("tool_{index}").into_boxed_str()))
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
        "required": ["city", "days"],
    })
}

// ---- rmcp

struct Server;

impl ServerHandler for Server {}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Forecast {
    city: String,
    days: u32,
}

fn forecast(Parameters(args): Parameters<Forecast>) -> String {
    body(&args.city, args.days)
}

struct Rmcp {
    router: ToolRouter<Server>,
    peer: Peer<RoleServer>,
}

impl Rmcp {
    /// A call needs a peer, which only a running service has.
    fn new() -> Self {
        let (transport, _) = tokio::io::duplex(64);
        let service = rmcp::service::serve_directly(Server, transport, None);
        let schema: Arc<JsonObject> = Arc::new(schema().as_object().cloned().unwrap_or_default());
        let router = names().fold(ToolRouter::new(), |router, name| {
            router.with_route(ToolRoute::new(
                Tool::new(name, "Look up the weather.", Arc::clone(&schema)),
                forecast,
            ))
        });
        Self { router, peer: service.peer().clone() }
    }
}

impl Peers {
    /// The arguments as they come over its wire are an object already parsed; who has JSON text parses it.
    fn call_rmcp(&self) -> Result<String, Box<dyn Error>> {
        let arguments: JsonObject = serde_json::from_str(arguments())?;
        let params = CallToolRequestParams::new(name()).with_arguments(arguments);
        let context = RequestContext::new(RequestId::Number(1), self.rmcp.peer.clone());
        let result = finish(self.rmcp.router.call(ToolCallContext::new(&Server, params, context)))?;
        let rmcp::model::CallToolResponse::Complete(result) = result else {
            return Err("not complete".into());
        };
        let text = result
            .content
            .into_iter()
            .next()
            .and_then(|content| content.as_text().map(|text| text.text.clone()));
        Ok(text.unwrap_or_default())
    }
}

// ---- rig

struct RigTool(&'static str);

impl rig_core::tool::Tool for RigTool {
    const NAME: &'static str = NAME;
    type Error = Infallible;
    type Args = Arguments;
    type Output = String;

    fn name(&self) -> String {
        self.0.to_owned()
    }

    fn description(&self) -> String {
        "Look up the weather.".to_owned()
    }

    fn parameters(&self) -> Value {
        schema()
    }

    async fn call(&self, args: Arguments) -> Result<String, Infallible> {
        Ok(body(&args.city, args.days))
    }
}

fn rig() -> ToolSet {
    ToolSet::from_tools(names().map(RigTool).collect())
}

impl Peers {
    fn call_rig(&self) -> Result<String, Box<dyn Error>> {
        Ok(finish(self.rig.call(name(), arguments().to_owned()))?)
    }
}

// ---- tools-rs

fn tools_rs() -> Result<ToolCollection, ToolError> {
    let mut tools = ToolCollection::new();
    for name in names() {
        tools.register_raw(
            name,
            "Look up the weather.",
            schema(),
            |arguments| {
                Box::pin(async move {
                    let args: Arguments = serde_json::from_value(arguments)?;
                    Ok(serde_json::to_value(body(&args.city, args.days))?)
                })
            },
            (),
        )?;
    }
    Ok(tools)
}

impl Peers {
    fn call_tools_rs(&self) -> Result<String, Box<dyn Error>> {
        let call =
            FunctionCall { id: None, name: name().to_owned(), arguments: serde_json::from_str(arguments())? };
        Ok(finish(self.tools_rs.call(call))?.result.to_string())
    }
}
