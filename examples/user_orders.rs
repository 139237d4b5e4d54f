//! Tools that know who the user is, and remember the order that was talked about for the next call.
//!
//! `cargo run -p tools-examples --example user_orders`

use tools_core::{
    Executor, Json, Run, Session, State, ToolCall, ToolError, Tools, ToolsError, arguments, serde_json::json,
    tool,
};

#[arguments]
#[derive(Clone)]
struct Order {
    id: String,
    item: String,
}

/// The orders of all users, newest last.
struct Orders(Vec<(&'static str, Order)>);

impl Orders {
    fn of<'o>(&'o self, user: &str) -> impl DoubleEndedIterator<Item = &'o Order> {
        self.0.iter().filter(move |(owner, _)| *owner == user).map(|(_, order)| order)
    }
}

#[derive(State)]
struct Shop {
    orders: Orders,
}

impl Shop {
    fn open() -> Self {
        let order = |user, id: &str, item: &str| (user, Order { id: id.to_owned(), item: item.to_owned() });
        Self {
            orders: Orders(vec![
                order("ann", "A1", "lamp"),
                order("bo", "B1", "chair"),
                order("ann", "A2", "desk"),
            ]),
        }
    }
}

fn signed_in(session: &Session) -> Result<&str, ToolError> {
    session.user().ok_or_else(|| ToolError::new("unauthenticated", "User authentication required"))
}

/// List the orders of the user, the newest first.
///
/// # Errors
///
/// * `unauthenticated` - nobody is signed in
#[tool(read_only)]
fn user_orders(
    /// How many orders
    #[arg(default = 10, range = 1..=50)]
    limit: usize,
    #[inject] orders: &Orders,
    #[inject] session: &Session,
) -> Result<Json<Vec<Order>>, ToolError> {
    let user = signed_in(session)?;
    Ok(Json(orders.of(user).rev().take(limit).cloned().collect()))
}

/// Look up an order of the user; without an id, the one looked up before.
///
/// # Errors
///
/// * `unauthenticated` - nobody is signed in
/// * `order_not_found` - there is no such order of this user
#[tool(read_only)]
async fn order_lookup(
    /// The order's id
    order_id: Option<String>,
    #[inject] orders: &Orders,
    #[inject] session: &Session,
) -> Result<Json<Order>, ToolError> {
    let user = signed_in(session)?;
    let id = match order_id {
        Some(id) => Some(id),
        None => session.get("last_order_id").await?,
    };
    let not_found = || ToolError::new("order_not_found", "Order not found");
    let order = orders.of(user).find(|order| Some(&order.id) == id.as_ref()).ok_or_else(not_found)?;
    session.set("last_order_id", &order.id).await?;
    Ok(Json(order.clone()))
}

fn executor() -> Result<Executor<Shop>, ToolsError> {
    let tools = Tools::for_state().tool(UserOrders).tool(OrderLookup).build()?;
    Ok(Executor::with_state(tools, Shop::open()))
}

#[tokio::main]
async fn main() -> Result<(), ToolsError> {
    let executor = executor()?;
    let run = Run::default().session(Session::of_user("session-1", "ann"));
    for (name, arguments) in [
        ("user_orders", json!({"limit": 1})),
        ("order_lookup", json!({"order_id": "A1"})),
        ("order_lookup", json!({})),
        ("order_lookup", json!({"order_id": "B1"})),
    ] {
        println!("{}", executor.call(ToolCall::new("call", name, arguments), &run).await.model_text());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use tools_core::serde_json::Value;

    use super::*;

    async fn call(run: &Run, name: &str, arguments: Value) -> Result<(String, String), ToolsError> {
        let execution = executor()?.call(ToolCall::new("call", name, arguments), run).await;
        let code = execution.error().map_or("", ToolError::code).to_owned();
        Ok((code, execution.model_text()))
    }

    #[tokio::test]
    async fn a_user_sees_only_their_own_orders() -> Result<(), ToolsError> {
        let ann = Run::default().session(Session::of_user("s", "ann"));
        assert_eq!(
            call(&ann, "user_orders", json!({})).await?.1,
            r#"[{"id":"A2","item":"desk"},{"id":"A1","item":"lamp"}]"#
        );
        assert_eq!(call(&ann, "user_orders", json!({"limit": 1})).await?.1, r#"[{"id":"A2","item":"desk"}]"#);
        assert_eq!(call(&ann, "order_lookup", json!({"order_id": "B1"})).await?.0, "order_not_found");
        Ok(())
    }

    #[tokio::test]
    async fn the_next_call_knows_which_order_was_meant() -> Result<(), ToolsError> {
        let run = Run::default().session(Session::of_user("s", "ann"));
        assert_eq!(call(&run, "order_lookup", json!({})).await?.0, "order_not_found");
        call(&run, "order_lookup", json!({"order_id": "A1"})).await?;
        assert_eq!(call(&run, "order_lookup", json!({})).await?.1, r#"{"id":"A1","item":"lamp"}"#);
        Ok(())
    }

    #[tokio::test]
    async fn nobody_is_asked_to_sign_in() -> Result<(), ToolsError> {
        let told = call(&Run::default(), "user_orders", json!({})).await?;
        assert_eq!(told, ("unauthenticated".to_owned(), "User authentication required".to_owned()));
        Ok(())
    }
}
