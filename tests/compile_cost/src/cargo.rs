//! Cargo, run and timed.

use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

use crate::generate::{EDIT, EDITED};

/// How long something took: on the clock, and of the processors where the system tells.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Time {
    pub(crate) wall: f64,
    pub(crate) cpu: f64,
}

/// What is built, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// `cargo check` of the whole package.
    Check,
    /// `cargo build` of the whole package.
    Debug,
    /// `cargo build --release` of the whole package.
    Release,
    /// `cargo check` after an edit of the first function's body.
    EditCheck,
    /// `cargo build` after an edit of the first function's body.
    EditDebug,
}

impl Step {
    pub(crate) const ALL: [Self; 5] =
        [Self::Check, Self::Debug, Self::Release, Self::EditCheck, Self::EditDebug];

    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Debug => "debug build",
            Self::Release => "release build",
            Self::EditCheck => "edit, check",
            Self::EditDebug => "edit, debug build",
        }
    }

    fn is_edit(self) -> bool {
        matches!(self, Self::EditCheck | Self::EditDebug)
    }

    fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Check | Self::EditCheck => &["check"],
            Self::Debug | Self::EditDebug => &["build"],
            Self::Release => &["build", "--release"],
        }
    }
}

/// The generated workspace, and where cargo puts what it makes of it.
pub(crate) struct Workspace {
    pub(crate) root: PathBuf,
}

impl Workspace {
    /// Full builds and edits have a target directory each: cargo builds the dependencies of the one otherwise than
    /// those of the other.
    pub(crate) fn target(&self, name: &str) -> PathBuf {
        self.root.join("target").join(name)
    }

    fn command(&self, target: &str) -> Command {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", self.target(target))
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_ENCODED_RUSTFLAGS");
        command
    }

    fn step(&self, step: Step, package: &str) -> Command {
        let (target, incremental) = if step.is_edit() { ("edit", "1") } else { ("full", "0") };
        let mut command = self.command(target);
        command.env("CARGO_INCREMENTAL", incremental).args(step.arguments()).args([
            "--offline",
            "--quiet",
            "-p",
            package,
        ]);
        command
    }

    /// Builds a package and all it depends on, untimed.
    pub(crate) fn prepare(&self, step: Step, package: &str) -> Result<(), Box<dyn Error>> {
        run(&mut self.step(step, package)).map(|_| ())
    }

    /// Builds a package again after its source was touched or edited.
    pub(crate) fn time(&self, step: Step, package: &str) -> Result<Time, Box<dyn Error>> {
        let source = self.root.join(package).join("src/functions.rs");
        let text = fs::read_to_string(&source)?;
        let text = match step.is_edit() {
            true if text.contains(EDITED) && !text.contains(EDIT) => text.replacen(EDITED, EDIT, 1),
            true => text.replacen(EDIT, EDITED, 1),
            false => text,
        };
        fs::write(&source, text)?;
        // Cargo compares times; some file systems keep whole seconds only.
        std::thread::sleep(std::time::Duration::from_millis(20));
        run(&mut self.step(step, package))
    }

    /// What the package's code expands to, formatted.
    pub(crate) fn expanded(&self, package: &str) -> Result<String, Box<dyn Error>> {
        let mut command = self.command("expand");
        command
            .args([
                "rustc",
                "--offline",
                "--quiet",
                "--profile",
                "check",
                "-p",
                package,
                "--",
                "-Zunpretty=expanded",
            ])
            .env("RUSTC_BOOTSTRAP", "1");
        let output = command.output()?;
        if !output.status.success() {
            return Err(format!(
                "{package} cannot be expanded:\n{}",
                String::from_utf8_lossy(&output.stderr)
            )
            .into());
        }
        format_code(&self.root.join(format!("{package}.expanded.rs")), &output.stdout)
    }
}

fn format_code(file: &Path, code: &[u8]) -> Result<String, Box<dyn Error>> {
    fs::write(file, code)?;
    let formatted = Command::new("rustfmt").args(["--edition", "2024", "--quiet"]).arg(file).status()?;
    if !formatted.success() {
        return Err(format!("rustfmt cannot read {}", file.display()).into());
    }
    Ok(fs::read_to_string(file)?)
}

fn run(command: &mut Command) -> Result<Time, Box<dyn Error>> {
    let (started, cpu) = (Instant::now(), children_cpu());
    let output = command.output()?;
    let time = Time { wall: started.elapsed().as_secs_f64(), cpu: children_cpu() - cpu };
    if !output.status.success() {
        return Err(format!("{command:?} failed:\n{}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(time)
}

/// Seconds of processor time of all children that have ended; 0 where there is no `/proc`.
fn children_cpu() -> f64 {
    /// Fields are counted after the command's name, which may hold spaces: `cutime` and `cstime` of `proc(5)`.
    const FIRST: usize = 13;
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(FIRST).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / TICKS_PER_SECOND
}
