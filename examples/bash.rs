//! Run commands in a sandbox that the application injects, with a time limit and a limit of output.
//!
//! `cargo run -p tools-examples --example bash`

use std::{process::Stdio, sync::Arc, time::Duration};

use tokio::{io::AsyncReadExt, process::Command};
use tools_core::{
    BoxFuture, Executor, Run, State, ToolCall, ToolError, Tools, ToolsError, serde_json::json, tool,
};

/// What became of a command.
struct Finished {
    exit_code: Option<i32>,
    output: String,
    is_cut: bool,
}

/// Runs a command somewhere safe.
trait Sandbox: Send + Sync {
    fn run<'s>(&'s self, command: &'s str) -> BoxFuture<'s, Result<Finished, ToolError>>;
}

/// A shell with an empty environment, which is killed with all that it started when it takes too long. It keeps honest
/// commands in bounds; commands that nobody trusts belong into a container, which is another `Sandbox`.
struct Shell {
    folder: std::path::PathBuf,
    time: Duration,
    most_bytes: u64,
}

/// Kills a command and all that it started, however its call ends: also when it is cancelled.
struct Group(Option<u32>);

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(leader) = self.0 {
            let kill =
                std::process::Command::new("kill").args(["-KILL", "--", &format!("-{leader}")]).output();
            drop(kill);
        }
    }
}

impl Sandbox for Shell {
    fn run<'s>(&'s self, command: &'s str) -> BoxFuture<'s, Result<Finished, ToolError>> {
        Box::pin(async move {
            let mut child = Command::new("bash")
                .args(["-c", "exec 2>&1; eval \"$0\"", command])
                .env_clear()
                .env("PATH", "/usr/bin:/bin")
                .current_dir(&self.folder)
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .kill_on_drop(true)
                .process_group(0)
                .spawn()?;
            let _group = Group(child.id());
            let mut output = Vec::new();
            let read = async {
                if let Some(stdout) = child.stdout.take() {
                    // One byte more than is shown tells that there was more. The pipe is closed then, which ends the
                    // command if it goes on writing.
                    stdout.take(self.most_bytes + 1).read_to_end(&mut output).await?;
                }
                child.wait().await
            };
            let status = tokio::time::timeout(self.time, read).await.map_err(|_| {
                let text = format!("the command took longer than {:?} and was killed", self.time);
                ToolError::new(ToolError::TIMED_OUT, text)
            })??;
            let most = usize::try_from(self.most_bytes).unwrap_or(usize::MAX);
            let is_cut = output.len() > most;
            output.truncate(most);
            let output = String::from_utf8_lossy(&output).trim_end_matches('\u{fffd}').to_owned();
            Ok(Finished { exit_code: status.code(), output, is_cut })
        })
    }
}

#[derive(State)]
struct App {
    sandbox: Arc<dyn Sandbox>,
}

/// Execute a bash command in a sandboxed environment.
///
/// # Returns
///
/// Command output (stdout and stderr) with exit code.
#[tool(namespace = "system", tags("shell", "execution"), destructive, open_world)]
async fn bash(
    /// The bash command to execute
    #[arg(length = 1..=4000)]
    command: &str,
    #[inject] sandbox: &dyn Sandbox,
) -> Result<String, ToolError> {
    let Finished { exit_code, output, is_cut } = sandbox.run(command).await?;
    let code = exit_code.map_or_else(|| "none, it was killed".to_owned(), |code| code.to_string());
    let notice = if is_cut { "\n[the rest of the output is left out]" } else { "" };
    Ok(format!("{output}{notice}\n[exit code {code}]"))
}

fn executor(time: Duration, most_bytes: u64) -> Result<Executor<App>, ToolsError> {
    let shell = Shell { folder: std::env::temp_dir(), time, most_bytes };
    let tools = Tools::for_state().tool(Bash).build()?;
    Ok(Executor::with_state(tools, App { sandbox: Arc::new(shell) }))
}

#[tokio::main]
async fn main() -> Result<(), ToolsError> {
    let executor = executor(Duration::from_secs(2), 200)?;
    for command in ["echo hello; exit 3", "seq 1 100000", "sleep 60", "env | sort"] {
        let call = ToolCall::new("call", "bash", json!({"command": command}));
        println!("$ {command}\n{}\n", executor.call(call, &Run::default()).await.model_text());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn run(command: &str) -> Result<(String, String), ToolsError> {
        let call = ToolCall::new("call", "bash", json!({"command": command}));
        let execution = executor(Duration::from_secs(2), 100)?.call(call, &Run::default()).await;
        Ok((execution.error().map_or("", ToolError::code).to_owned(), execution.model_text()))
    }

    #[tokio::test]
    async fn the_output_comes_with_the_exit_code() -> Result<(), ToolsError> {
        assert_eq!(run("echo out; echo err >&2; exit 3").await?.1, "out\nerr\n\n[exit code 3]");
        Ok(())
    }

    #[tokio::test]
    async fn what_takes_too_long_is_killed() -> Result<(), ToolsError> {
        let (code, text) = run("sleep 600").await?;
        assert_eq!(code, ToolError::TIMED_OUT);
        assert_eq!(text, "the command took longer than 2s and was killed");
        Ok(())
    }

    #[tokio::test]
    async fn output_is_cut_where_a_character_ends_and_says_so() -> Result<(), ToolsError> {
        let text = run("for i in $(seq 1000); do printf 'a\u{20ac}'; done").await?.1;
        let (output, notice) = text.split_once('\n').unwrap_or_default();
        assert_eq!(output, "a\u{20ac}".repeat(25));
        assert!(notice.starts_with("[the rest of the output is left out]"), "{text}");
        assert!(run("yes").await?.1.contains("left out"));
        Ok(())
    }

    #[tokio::test]
    async fn the_environment_of_the_application_stays_outside() -> Result<(), ToolsError> {
        assert!(!run("env").await?.1.contains("CARGO"));
        Ok(())
    }
}
