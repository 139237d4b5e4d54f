//! Arguments keep the order in which the author wrote them down: in definitions, in documents and in lists.

use serde_json::{Value, json};
use tools_core::{
    BoxFuture, Context, Describe, FunctionTool, OpenAiChat, Tool, ToolDescriptor, ToolError, ToolOutput,
    ToolResult, Tools, arguments, schema,
};

#[arguments]
#[serde(rename_all = "camelCase")]
struct Transfer {
    /// Who gets it
    to_whom: String,
    /// Who gives it
    #[serde(rename = "source", alias = "a_source")]
    from: String,
    #[serde(default)]
    amount: u32,
    comment: Option<String>,
    currency: Option<String>,
}

/// Transfer money.
#[derive(Describe)]
#[tool(name = "transfer", args = Transfer)]
struct TransferTool;

impl<S> Tool<S> for TransferTool {
    fn call<'a>(&'a self, cx: &'a Context<S>) -> BoxFuture<'a, ToolResult> {
        Box::pin(async move {
            let Transfer { to_whom, from, amount, .. } = cx.arguments().read()?;
            Ok(ToolOutput::text(format!("{amount} from {from} to {to_whom}")))
        })
    }
}

fn names(tool: &impl Describe) -> Vec<&str> {
    tool.descriptor().parameter_docs().iter().map(|doc| doc.name()).collect()
}

const DECLARED: [&str; 5] = ["toWhom", "source", "amount", "comment", "currency"];

/// Where the names stand in a text.
fn order_in<'n>(text: &str, names: &[&'n str]) -> Vec<&'n str> {
    let mut found: Vec<(usize, &str)> =
        names.iter().filter_map(|name| Some((text.find(&format!("\"{name}\":"))?, *name))).collect();
    found.sort_unstable();
    found.into_iter().map(|(_, name)| name).collect()
}

#[tokio::test]
async fn fields_of_a_described_struct_keep_their_order() {
    assert_eq!(names(&TransferTool), DECLARED);
    let definition = serde_json::to_string(&TransferTool.descriptor().definition()).unwrap();
    assert_eq!(order_in(&definition, &DECLARED), DECLARED);
    let wire = Tools::builder().tool(TransferTool).build().unwrap().wire(OpenAiChat::default()).unwrap();
    assert_eq!(order_in(wire.json(), &DECLARED), DECLARED);
    let sent = TransferTool.invoke(json!(["Ann", "Bob", 5])).await.unwrap();
    assert_eq!(sent.model_text(), "5 from Bob to Ann");
}

#[test]
fn arguments_of_a_closure_keep_their_order() {
    let plain = FunctionTool::new("transfer", "Transfer money.", |args: Transfer| async move { args.amount });
    assert_eq!(names(&plain), DECLARED);
    let with_context =
        FunctionTool::with_context("transfer", "Transfer money.", |args: Transfer, _: Context| async move {
            args.amount
        });
    assert_eq!(names(&with_context), DECLARED);
    let renamed = plain.descriptor().to_builder().name("send").build().unwrap();
    assert_eq!(names(&renamed), DECLARED);
}

/// A type that nothing can be read as says what it can in its schema.
#[derive(tools_core::schemars::JsonSchema)]
#[schemars(crate = "tools_core::schemars")]
#[expect(dead_code, reason = "it is only described")]
struct OnlyDescribed {
    zebra: u8,
    optional: Option<u8>,
    ape: u8,
    also_optional: Option<u8>,
}

/// Only described.
#[derive(Describe)]
#[tool(args = OnlyDescribed)]
struct Described;

#[arguments]
struct Paging {
    page: u32,
    lines: u32,
}

/// A struct with flattened fields is read as a map.
#[derive(tools_core::serde::Deserialize, tools_core::schemars::JsonSchema)]
#[serde(crate = "tools_core::serde")]
#[schemars(crate = "tools_core::schemars")]
#[expect(dead_code, reason = "it is only described")]
struct Flattened {
    query: String,
    any_of: Option<u8>,
    #[serde(flatten)]
    paging: Paging,
}

#[test]
fn a_type_that_does_not_tell_its_fields_has_the_required_ones_first() {
    assert_eq!(names(&Described), ["zebra", "ape", "also_optional", "optional"]);
    let flattened = FunctionTool::new("find", "Find.", |_: Flattened| async {});
    assert_eq!(names(&flattened), ["query", "page", "lines", "any_of"]);
}

/// Find lines.
#[tools_core::tool]
fn find(query: &str, #[arg(flatten)] paging: Paging, limit: u32) -> String {
    format!("{query}{}{}{limit}", paging.page, paging.lines)
}

#[test]
fn flattened_parameters_stand_where_they_are_declared() {
    assert_eq!(names(&Find), ["query", "page", "lines", "limit"]);
}

/// Arguments that are borrowed.
#[derive(tools_core::serde::Deserialize, tools_core::schemars::JsonSchema)]
#[serde(crate = "tools_core::serde")]
#[schemars(crate = "tools_core::schemars")]
#[expect(dead_code, reason = "it is only described")]
struct Borrowed<'a> {
    to: &'a str,
    from: &'a str,
}

/// Borrowed.
#[derive(Describe)]
#[tool(args = Borrowed<'_>)]
struct Borrowing;

#[test]
fn a_type_that_borrows_tells_its_fields_too() {
    assert_eq!(names(&Borrowing), ["to", "from"]);
}

#[tokio::test]
async fn a_list_goes_by_the_order_of_a_schema_by_hand() {
    async fn told(cx: Context) -> Result<String, ToolError> {
        let to: String = cx.arguments().arg("to", 0)?.unwrap_or_default();
        let from: String = cx.arguments().arg("from", 1)?.unwrap_or_default();
        Ok(format!("from {from} to {to}"))
    }
    struct ByHand(ToolDescriptor);
    impl Describe for ByHand {
        fn descriptor(&self) -> &ToolDescriptor {
            &self.0
        }
    }
    impl Tool for ByHand {
        fn call<'a>(&'a self, cx: &'a Context) -> BoxFuture<'a, ToolResult> {
            Box::pin(async move { Ok(ToolOutput::text(told(cx.clone()).await?)) })
        }
    }
    let text = schema::string;
    let built = schema::object().property("to", text()).property("from", text()).required(["from", "to"]);
    let json: Value = json!({
        "type": "object",
        "properties": {"to": {"type": "string"}, "from": {"type": "string"}},
        "required": ["to", "from"],
    });
    for descriptor in [
        ToolDescriptor::builder("transfer").parameters(built).build().unwrap(),
        ToolDescriptor::builder("transfer").parameters_json(json).build().unwrap(),
    ] {
        assert_eq!(names(&descriptor), ["to", "from"]);
        let sent = ByHand(descriptor).invoke(json!(["Ann", "Bob"])).await.unwrap();
        assert_eq!(sent.model_text(), "from Bob to Ann");
    }
}
