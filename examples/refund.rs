//! Refunds of a user's own orders, kept in SQLite: an order of somebody else is not found, no order is paid back more
//! than it cost, and the session remembers the last refund.
//!
//! `cargo run -p tools-examples --features sqlite --example refund`

use sqlx::{Row, SqlitePool, sqlite::SqlitePoolOptions};
use tools_core::{
    Executor, Json, Run, Session, State, ToolCall, ToolError, Tools, arguments, serde_json::json,
    store::SqlStore, tool,
};

/// What a user is told of a refund.
#[arguments]
struct Receipt {
    refund_id: i64,
    /// Cents
    amount: i64,
    refund_status: String,
}

/// Pays money back. What it cost and what was paid back is in one database, so that two refunds at once cannot both take
/// the last cent.
#[derive(Clone)]
struct RefundService {
    database: SqlitePool,
}

impl RefundService {
    async fn open(database: SqlitePool) -> Result<Self, sqlx::Error> {
        for sql in [
            "CREATE TABLE orders (id TEXT PRIMARY KEY, user_id TEXT NOT NULL, total INTEGER NOT NULL)",
            "CREATE TABLE refunds (id INTEGER PRIMARY KEY, order_id TEXT NOT NULL REFERENCES orders, \
             amount INTEGER NOT NULL, reason TEXT NOT NULL)",
            "INSERT INTO orders VALUES ('A1', 'ann', 5000), ('B1', 'bo', 900)",
        ] {
            sqlx::query(sql).execute(&database).await?;
        }
        Ok(Self { database })
    }

    /// What an order cost, if it is one of the user's.
    async fn total(&self, order: &str, user: &str) -> Result<Option<i64>, sqlx::Error> {
        let row =
            sqlx::query("SELECT total FROM orders WHERE id = $1 AND user_id = $2").bind(order).bind(user);
        row.fetch_optional(&self.database).await?.map(|row| row.try_get(0)).transpose()
    }

    /// Pays an amount back, if so much of the order's price is left; gives the refund's id.
    async fn pay_back(&self, order: &str, amount: i64, reason: &str) -> Result<Option<i64>, sqlx::Error> {
        let sql = "INSERT INTO refunds (order_id, amount, reason) SELECT id, $2, $3 FROM orders \
                   WHERE id = $1 AND total >= $2 + (SELECT COALESCE(SUM(amount), 0) FROM refunds WHERE order_id = $1) \
                   RETURNING id";
        let row = sqlx::query(sql).bind(order).bind(amount).bind(reason);
        row.fetch_optional(&self.database).await?.map(|row| row.try_get(0)).transpose()
    }
}

#[derive(State)]
struct Shop {
    refunds: RefundService,
}

/// Nobody who asks is told what the database says.
fn unavailable(error: sqlx::Error) -> ToolError {
    ToolError::new("unavailable", "Refunds cannot be processed now").retryable().with_source(error)
}

/// Process a refund for an order.
///
/// # Errors
///
/// * `unauthenticated` - nobody is signed in
/// * `order_not_found` - there is no such order of this user
/// * `too_much` - the amount is more than what is left of the order
/// * `unavailable` - try again later
#[tool(destructive)]
async fn process_refund(
    /// The order ID to refund
    #[arg(length = 1..=40)]
    order_id: &str,
    /// Refund amount in cents (optional, for partial refunds)
    #[arg(range = 1..)]
    amount: Option<i64>,
    /// Reason for refund
    #[arg(length = 1..)]
    reason: &str,
    #[inject] refunds: &RefundService,
    #[inject] session: &Session,
) -> Result<Json<Receipt>, ToolError> {
    let user =
        session.user().ok_or_else(|| ToolError::new("unauthenticated", "User authentication required"))?;
    let total = refunds.total(order_id, user).await.map_err(unavailable)?;
    let total = total.ok_or_else(|| ToolError::new("order_not_found", "Order not found"))?;
    let amount = amount.unwrap_or(total);
    let refund = refunds.pay_back(order_id, amount, reason).await.map_err(unavailable)?;
    let refund_id = refund.ok_or_else(|| ToolError::new("too_much", "The order has less left to refund"))?;
    session.set("last_refund_id", refund_id).await?;
    Ok(Json(Receipt { refund_id, amount, refund_status: "processed".to_owned() }))
}

async fn executor() -> Result<Executor<Shop>, Box<dyn std::error::Error>> {
    // One connection: a database in memory is another one for each.
    let database = SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
    let tools = Tools::for_state().tool(ProcessRefund).build()?;
    Ok(Executor::with_state(tools, Shop { refunds: RefundService::open(database).await? }))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sessions = SqlStore::connect("sqlite::memory:").await?;
    let session = Session::of_user("session-1", "ann").stored_in(sessions);
    let (executor, run) = (executor().await?, Run::default().session(session.clone()));
    for arguments in [
        json!({"order_id": "A1", "amount": 2000, "reason": "scratched"}),
        json!({"order_id": "A1", "amount": 4000, "reason": "scratched more"}),
        json!({"order_id": "B1", "reason": "not mine"}),
        json!({"order_id": "A1", "amount": -5}),
    ] {
        let execution = executor.call(ToolCall::new("call", "process_refund", arguments), &run).await;
        println!("{}", execution.model_text());
    }
    println!("last refund of the session: {:?}", session.get::<i64>("last_refund_id").await?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use tools_core::serde_json::Value;

    use super::*;

    type Test = Result<(), Box<dyn std::error::Error>>;

    async fn refund(executor: &Executor<Shop>, run: &Run, arguments: Value) -> (String, String) {
        let execution = executor.call(ToolCall::new("call", "process_refund", arguments), run).await;
        (execution.error().map_or("", ToolError::code).to_owned(), execution.model_text())
    }

    fn ann() -> Run {
        Run::default().session(Session::of_user("s", "ann"))
    }

    #[tokio::test]
    async fn an_order_is_paid_back_in_parts_and_never_more_than_it_cost() -> Test {
        let (executor, run) = (executor().await?, ann());
        let part = json!({"order_id": "A1", "amount": 3000, "reason": "scratched"});
        let told = refund(&executor, &run, part.clone()).await.1;
        assert_eq!(told, r#"{"refund_id":1,"amount":3000,"refund_status":"processed"}"#);
        assert_eq!(refund(&executor, &run, part).await.0, "too_much");
        let rest = json!({"order_id": "A1", "amount": 2000, "reason": "scratched"});
        assert_eq!(refund(&executor, &run, rest).await.0, "");
        assert_eq!(run.scope().session().get::<i64>("last_refund_id").await?, Some(2));
        Ok(())
    }

    #[tokio::test]
    async fn without_an_amount_all_is_paid_back_once() -> Test {
        let (executor, run) = (executor().await?, ann());
        let calls = (0..16).map(|index| {
            ToolCall::new(index.to_string(), "process_refund", json!({"order_id": "A1", "reason": "late"}))
        });
        let batch = executor.run(calls.collect(), &run).await;
        assert_eq!(batch.iter().filter(|execution| !execution.is_error()).count(), 1);
        Ok(())
    }

    #[tokio::test]
    async fn an_order_of_somebody_else_is_not_found() -> Test {
        let (executor, run) = (executor().await?, ann());
        let told = refund(&executor, &run, json!({"order_id": "B1", "reason": "mine"})).await;
        assert_eq!(told, ("order_not_found".to_owned(), "Order not found".to_owned()));
        let told = refund(&executor, &Run::default(), json!({"order_id": "A1", "reason": "mine"})).await;
        assert_eq!(told.0, "unauthenticated");
        Ok(())
    }

    #[tokio::test]
    async fn what_the_schema_forbids_does_not_reach_the_shop() -> Test {
        let (executor, run) = (executor().await?, ann());
        for wrong in [json!({"order_id": "A1"}), json!({"order_id": "A1", "amount": -5, "reason": "x"})] {
            assert_eq!(refund(&executor, &run, wrong).await.0, ToolError::INVALID_ARGUMENTS);
        }
        Ok(())
    }

    #[tokio::test]
    async fn the_database_keeps_its_troubles_to_itself() -> Test {
        let (executor, run) = (executor().await?, ann());
        let database = SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
        let broken = Shop { refunds: RefundService { database } };
        let executor = Executor::with_state(executor.tools().clone(), broken);
        let told = refund(&executor, &run, json!({"order_id": "A1", "reason": "late"})).await;
        assert_eq!(told, ("unavailable".to_owned(), "Refunds cannot be processed now".to_owned()));
        Ok(())
    }
}
