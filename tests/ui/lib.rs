//! What the compiler says of mistakes: one error for one mistake, at the author's own tokens, with the way out.
//!
//! The texts are those of one compiler, the one of `rust-toolchain.toml`, without its `rust-src` component. After a
//! change, `TRYBUILD=overwrite cargo test -p tools-tests-ui` writes the `.stderr` files anew; read them before
//! they are committed.

#![cfg(test)]

use std::{env, error::Error, io::Write, process::Command};

#[test]
fn every_mistake_is_told_with_its_way_out() -> Result<(), Box<dyn Error>> {
    let (running, pinned) = (running_compiler()?, pinned_compiler()?);
    if running != pinned {
        // Not through `eprintln!`, which a passing test keeps to itself.
        writeln!(
            std::io::stderr(),
            "skipped: the error texts under tests/ui were made with rustc {pinned}, and this is rustc {running}; \
             run `rustup run {pinned} cargo test -p tools-tests-ui`"
        )?;
        return Ok(());
    }
    let cases = trybuild::TestCases::new();
    cases.pass("pass/*.rs");
    for topic in topics()? {
        cases.compile_fail(format!("{topic}/*.rs"));
    }
    Ok(())
}

/// The directories of `ui/`, one for each topic, but for what compiles.
fn topics() -> Result<Vec<String>, Box<dyn Error>> {
    let mut topics = Vec::new();
    for entry in std::fs::read_dir(env!("CARGO_MANIFEST_DIR"))? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            topics.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    topics.retain(|topic| topic != "pass");
    topics.sort();
    Ok(topics)
}

fn running_compiler() -> Result<String, Box<dyn Error>> {
    let compiler = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(compiler).arg("--version").output()?;
    let text = String::from_utf8(output.stdout)?;
    Ok(text.split_whitespace().nth(1).unwrap_or_default().to_owned())
}

fn pinned_compiler() -> Result<String, Box<dyn Error>> {
    let toolchain = include_str!("../../rust-toolchain.toml");
    let channel = toolchain.lines().find_map(|line| line.strip_prefix("channel = "));
    Ok(channel.ok_or("rust-toolchain.toml names no channel")?.trim_matches('"').to_owned())
}
