//! What a tool needs of its run, and how long it may take.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use tools_core::{
    Context, Json, Run, Session, StopReason, StopSignal, ToolError,
    testing::{Contract, Violation},
    tool,
};

use super::rules;

/// Give what the user has.
#[tool]
async fn orders(
    /// Most of them
    limit: u8,
    #[inject] session: &Session,
) -> Result<Json<u8>, ToolError> {
    session.user().ok_or_else(|| ToolError::new("unauthenticated", "sign in first"))?;
    session.update("asked", |asked| asked.unwrap_or(0) + 1).await?;
    Ok(Json(limit))
}

#[tokio::test]
async fn a_tool_that_always_fails_is_not_taken_for_one_that_works() {
    let report = Contract::of(&Orders).cases(20).check().await.unwrap_err();
    assert_eq!(
        report.to_string(),
        "`orders` does not keep its contract:\n- no_success: no call with arguments that fit succeeded, so nothing is known \
         of its outputs: 20 gave `unauthenticated` (sign in first); give it what it needs with `.in_run(..)`, `.state(..)` \
         or `.arguments(..)`, or say `.may_always_fail()`"
    );
    let expected = Contract::of(&Orders).may_always_fail().check().await;
    assert!(expected.is_ok(), "{expected:?}");

    let session = Session::of_user("s-1", "ann");
    let run = Run::default().session(session.clone());
    Contract::of(&Orders).in_run(run).cases(20).check().await.unwrap();
    assert_eq!(session.get("asked").await.unwrap(), Some(20), "all calls are of one run");
}

#[tokio::test]
async fn extensions_of_the_run_reach_the_tool() {
    struct Token(&'static str);
    /// Fetch.
    #[tool]
    fn fetch(path: String, #[inject] cx: &Context) -> Result<String, ToolError> {
        let token: &Token = cx.extension().ok_or("no token")?;
        Ok(format!("{} {path}", token.0))
    }
    assert_eq!(rules(Contract::of(&Fetch).check().await), [Violation::NO_SUCCESS]);
    let run = Run::default().extension(Token("t"));
    Contract::of(&Fetch).in_run(run).check().await.unwrap();
}

#[tokio::test]
async fn one_success_or_a_request_to_stop_is_enough() {
    /// Fails for most.
    #[tool]
    fn picky(x: bool) -> Result<u8, ToolError> {
        if x { Ok(1) } else { Err("no".into()) }
    }
    Contract::of(&Picky).check().await.unwrap();
    /// End the run.
    #[tool]
    fn finish(answer: String) -> Result<(), StopSignal> {
        Err(StopSignal::new(StopReason::Completed, answer))
    }
    Contract::of(&Finish).check().await.unwrap();
}

static HUNG: AtomicUsize = AtomicUsize::new(0);

/// Waits for ever.
#[tool(timeout = "20ms")]
async fn hang(x: u8) {
    let _ = x;
    HUNG.fetch_add(1, Ordering::SeqCst);
    std::future::pending::<()>().await;
}

/// Waits for ever, and does not say for how long it may.
#[tool]
async fn hang_on(x: u8) {
    let _ = x;
    std::future::pending::<()>().await;
}

#[tokio::test]
async fn a_tool_that_hangs_does_not_hang_its_test() {
    let report = Contract::of(&Hang).timeout(Duration::from_secs(60)).check().await.unwrap_err();
    assert_eq!(report.violations().len(), 1, "{report}");
    assert_eq!(report.violations()[0].rule(), Violation::TIMED_OUT);
    assert!(report.to_string().contains("a call took longer than 20ms; no more were tried"), "{report}");
    assert_eq!(HUNG.load(Ordering::SeqCst), 1);
    let limited = Contract::of(&HangOn).timeout(Duration::from_millis(20)).check().await;
    assert_eq!(rules(limited), [Violation::TIMED_OUT]);
}

#[tokio::test(start_paused = true)]
async fn a_call_has_ten_seconds_unless_it_is_said_otherwise() {
    /// Slow.
    #[tool]
    async fn slow(seconds: bool) -> bool {
        tokio::time::sleep(Duration::from_secs(if seconds { 9 } else { 8 })).await;
        seconds
    }
    Contract::of(&Slow).check().await.unwrap();
    let report = Contract::of(&HangOn).check().await.unwrap_err();
    assert!(report.to_string().contains("longer than 10s"), "{report}");
}

#[tokio::test]
async fn a_code_that_a_tool_gives_itself_is_no_time_that_ran_out() {
    /// Ask a server.
    #[tool]
    async fn ask(x: bool) -> Result<u8, ToolError> {
        tokio::task::yield_now().await;
        if x { Ok(1) } else { Err(ToolError::new(ToolError::TIMED_OUT, "the server took too long")) }
    }
    Contract::of(&Ask).check().await.unwrap();
}

#[test]
fn no_timer_is_needed_where_there_is_none() {
    /// Yields.
    #[tool]
    async fn yields(x: u8) -> u8 {
        tokio::task::yield_now().await;
        x
    }
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(Contract::of(&Yields).check()).unwrap();
    futures_util::FutureExt::now_or_never(Contract::of(&Orders).check()).unwrap().unwrap_err();
}
