//! What `#[tool]` costs a user's build: two hundred generated tools, against the same functions without it and
//! against a derived struct for each, which is what one writes by hand. `README.md` says how to run it.

mod cargo;
mod generate;

use std::{error::Error, fs, path::PathBuf, process::ExitCode};

use cargo::{Step, Time, Workspace};
use generate::Kind;

struct Options {
    tools: usize,
    runs: usize,
    steps: Vec<Step>,
    check: bool,
    core: PathBuf,
    dir: PathBuf,
}

impl Options {
    fn read() -> Result<Self, Box<dyn Error>> {
        let repository = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut options = Self {
            tools: 200,
            runs: 5,
            steps: Step::ALL.to_vec(),
            check: false,
            core: repository.join("tools-core"),
            dir: std::env::temp_dir().join("tools-compile-cost"),
        };
        let mut args = std::env::args().skip(1);
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{arg} takes a value"));
            match arg.as_str() {
                "--tools" => options.tools = value()?.parse()?,
                "--runs" => options.runs = value()?.parse()?,
                "--core" => options.core = value()?.into(),
                "--dir" => options.dir = value()?.into(),
                "--only" => {
                    let wanted = value()?;
                    options.steps.retain(|step| step.title().contains(&wanted));
                }
                "--check" => options.check = true,
                _ => {
                    return Err("options: --check --tools N --runs N --only STEP --core DIR --dir DIR".into());
                }
            }
        }
        options.core = options.core.canonicalize()?;
        Ok(options)
    }
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let options = Options::read()?;
    let workspace = Workspace { root: options.dir.clone() };
    fs::create_dir_all(&workspace.root)?;
    generate::workspace(&workspace.root, &options.core, options.tools)?;
    let lock = options.core.join("../Cargo.lock");
    fs::copy(&lock, workspace.root.join("Cargo.lock"))?;

    println!("{} tools of four parameters; medians of {} interleaved runs\n", options.tools, options.runs);
    let mut kept = true;
    kept &= times(&options, &workspace)?;
    if options.steps.contains(&Step::Release) {
        kept &= sizes(&options, &workspace)?;
    }
    kept &= lines(&options, &workspace)?;
    if options.check && !kept {
        eprintln!("a limit is broken");
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

/// What `#[tool]` may take of the time that derived structs take.
fn limit(step: Step) -> Option<f64> {
    match step {
        Step::Check => Some(0.33),
        Step::Release => Some(0.35),
        Step::EditCheck | Step::EditDebug => Some(0.3),
        Step::Debug => None,
    }
}

fn times(options: &Options, workspace: &Workspace) -> Result<bool, Box<dyn Error>> {
    println!(
        "{:18} {:>8} {:>8} {:>8}   {:>13} {:>13} {:>13}   limit",
        "seconds, clock", "plain", "#[tool]", "derived", "tool/derived", "both - plain", "of processor"
    );
    let mut kept = true;
    for &step in &options.steps {
        for kind in Kind::ALL {
            workspace.prepare(step, kind.name())?;
        }
        let mut taken = Kind::ALL.map(|_| Vec::new());
        for _ in 0..options.runs {
            for (kind, taken) in Kind::ALL.into_iter().zip(&mut taken) {
                taken.push(workspace.time(step, kind.name())?);
            }
        }
        let [plain, tool, derived] = taken.map(|times| median(&times));
        let limit = limit(step);
        kept &= limit.is_none_or(|limit| tool.wall <= limit * derived.wall);
        println!(
            "{:18} {:8.2} {:8.2} {:8.2}   {:13.3} {:13.3} {:13.3}   {}",
            step.title(),
            plain.wall,
            tool.wall,
            derived.wall,
            tool.wall / derived.wall,
            (tool.wall - plain.wall) / (derived.wall - plain.wall),
            tool.cpu / derived.cpu,
            limit.map_or_else(|| "-".to_owned(), |limit| format!("<= {limit}")),
        );
    }
    Ok(kept)
}

fn median(times: &[Time]) -> Time {
    let of = |part: fn(&Time) -> f64| {
        let mut values: Vec<f64> = times.iter().map(part).collect();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
    };
    Time { wall: of(|time| time.wall), cpu: of(|time| time.cpu) }
}

/// What each of the tools adds, which leaves out what they share.
fn added(options: &Options, many: f64, few: f64) -> f64 {
    let tools = u32::try_from(options.tools - options.tools / 10).map_or(f64::NAN, f64::from);
    (many - few) / tools
}

fn sizes(options: &Options, workspace: &Workspace) -> Result<bool, Box<dyn Error>> {
    const LIMIT: f64 = 2500.0;
    let mut each = [0.0; 3];
    for (kind, each) in Kind::ALL.into_iter().zip(&mut each) {
        let size = |package: &str| -> Result<f64, Box<dyn Error>> {
            workspace.prepare(Step::Release, package)?;
            let file = workspace
                .target("full")
                .join("release")
                .join(format!("{package}{}", std::env::consts::EXE_SUFFIX));
            Ok(u32::try_from(fs::metadata(file)?.len()).map(f64::from)?)
        };
        *each = added(options, size(kind.name())?, size(kind.few())?);
    }
    let [plain, tool, derived] = each;
    println!(
        "\nstripped release binary, bytes that each tool adds (all it needs, and without the function itself):"
    );
    println!(
        "  plain {plain:.0}   #[tool] {tool:.0} ({:.0})   derived {derived:.0} ({:.0})   limit {LIMIT}",
        tool - plain,
        derived - plain
    );
    Ok(tool <= LIMIT)
}

fn lines(options: &Options, workspace: &Workspace) -> Result<bool, Box<dyn Error>> {
    const LIMIT: f64 = 40.0;
    let mut each = [0.0; 3];
    for (kind, each) in Kind::ALL.into_iter().zip(&mut each) {
        let count = |package: &str| -> Result<f64, Box<dyn Error>> {
            let lines = workspace.expanded(package)?.lines().count();
            Ok(u32::try_from(lines).map(f64::from)?)
        };
        *each = added(options, count(kind.name())?, count(kind.few())?);
    }
    let [plain, tool, derived] = each;
    println!(
        "\nlines of expanded code that each tool adds, as rustfmt sets them (all, and beyond the plain function):"
    );
    println!(
        "  plain {plain:.1}   #[tool] {tool:.1} ({:.1})   derived {derived:.1} ({:.1})   limit {LIMIT}",
        tool - plain,
        derived - plain
    );
    Ok(tool - plain <= LIMIT)
}
