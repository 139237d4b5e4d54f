//! A tool that takes a file: Base64 from the model, a folder from the application, and no way out of that folder.
//!
//! `cargo run -p tools-examples --example file_processor`

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Component, Path, PathBuf},
};

use base64::{DecodeError, Engine, engine::general_purpose::STANDARD};
use tools_core::{
    Context, Executor, Inject, Json, Run, ToolCall, ToolError, Tools, arguments, serde_json::json, tool,
};

/// Where uploaded files are kept.
struct Uploads {
    folder: PathBuf,
}

impl Inject<Uploads> for Uploads {
    fn inject(cx: &Context<Uploads>) -> &Self {
        cx.state()
    }
}

/// A file that was stored.
#[arguments]
struct Stored {
    /// Always `success`
    status: String,
    /// Where it is, below the folder of uploads
    path: String,
    /// Its size in bytes
    size: usize,
}

/// What the model is told; the system's own errors, with the paths in them, are for the operator.
fn refused(text: impl Into<String>) -> ToolError {
    ToolError::new("refused", text)
}

impl Uploads {
    /// A place for a new file. A name with a folder in it, in the spelling of any system, is refused.
    fn place(&self, name: &str) -> Result<PathBuf, ToolError> {
        let mut components = Path::new(name).components();
        match (components.next(), components.next()) {
            (Some(Component::Normal(only)), None) if !name.contains(['/', '\\', ':', '\0']) => {
                Ok(self.folder.join(only))
            }
            _ => Err(refused("`filename` is the name of a file, without a folder")),
        }
    }

    fn store(&self, name: &str, content: &[u8]) -> Result<(), ToolError> {
        let path = self.place(name)?;
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists => refused(format!("there is a file called {name} already")),
            _ => ToolError::new("storage", "the file could not be stored").retryable().with_source(error),
        };
        // Does not follow a link that stands there, nor overwrite anything.
        let mut file = File::create_new(path).map_err(failed)?;
        file.write_all(content).map_err(failed)
    }
}

/// Process uploaded files.
#[tool(blocking, destructive = false, idempotent = false)]
fn file_processor(
    /// Base64 encoded content
    file_content: &str,
    /// The file's name, without a folder
    #[arg(length = 1..=255, example = "report.txt")]
    filename: &str,
    #[inject] uploads: &Uploads,
) -> Result<Json<Stored>, ToolError> {
    let content = STANDARD
        .decode(file_content)
        .map_err(|error: DecodeError| refused(format!("`file_content` is not Base64: {error}")))?;
    uploads.store(filename, &content)?;
    Ok(Json(Stored {
        status: "success".to_owned(),
        path: format!("uploads/{filename}"),
        size: content.len(),
    }))
}

/// An executor with a folder of its own, which is gone afterwards.
struct Setting {
    executor: Executor<Uploads>,
    folder: PathBuf,
}

impl Setting {
    fn new(name: &str) -> Result<Self, Box<dyn std::error::Error>> {
        let folder = std::env::temp_dir()
            .join(format!("tools-examples-{}-{name}", std::process::id()))
            .join("uploads");
        fs::create_dir_all(&folder)?;
        let tools = Tools::<Uploads>::for_state().tool(FileProcessor).build()?;
        Ok(Self { executor: Executor::with_state(tools, Uploads { folder: folder.clone() }), folder })
    }

    async fn upload(&self, filename: &str, content: &str) -> String {
        let arguments = json!({"file_content": content, "filename": filename});
        let call = ToolCall::new("call", "file_processor", arguments);
        self.executor.call(call, &Run::default()).await.model_text()
    }
}

impl Drop for Setting {
    fn drop(&mut self) {
        if let Some(parent) = self.folder.parent() {
            // What cannot be removed is left to the system, whose folder it is.
            let _ = fs::remove_dir_all(parent);
        }
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let setting = Setting::new("main")?;
    println!("{}", setting.upload("report.txt", &STANDARD.encode("Three orders.")).await);
    println!("{}", setting.upload("report.txt", &STANDARD.encode("Four orders.")).await);
    println!("{}", setting.upload("../../etc/passwd", &STANDARD.encode("root")).await);
    println!("{}", setting.upload("notes.txt", "not Base64!").await);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    type Tested = Result<(), Box<dyn std::error::Error>>;

    fn files(setting: &Setting) -> io::Result<usize> {
        Ok(fs::read_dir(&setting.folder)?.count())
    }

    #[tokio::test]
    async fn a_file_is_decoded_and_stored() -> Tested {
        let setting = Setting::new("stored")?;
        let answer = setting.upload("report.bin", &STANDARD.encode([0, 255, 10])).await;
        assert_eq!(answer, r#"{"status":"success","path":"uploads/report.bin","size":3}"#);
        assert_eq!(fs::read(setting.folder.join("report.bin"))?, [0, 255, 10]);
        Ok(())
    }

    #[tokio::test]
    async fn no_name_leads_out_of_the_folder() -> Tested {
        let setting = Setting::new("outside")?;
        let absolute = setting.folder.join("inside.txt").display().to_string();
        for name in
            ["../out.txt", "..", ".", "a/b.txt", "a\\b.txt", "C:out.txt", "/", "a/", "a\0b", &absolute]
        {
            let answer = setting.upload(name, "").await;
            assert_eq!(answer, "`filename` is the name of a file, without a folder", "{name}");
        }
        assert!(setting.upload("", "").await.contains("filename"));
        assert_eq!(files(&setting)?, 0);
        Ok(())
    }

    #[tokio::test]
    async fn a_file_is_not_overwritten() -> Tested {
        let setting = Setting::new("twice")?;
        setting.upload("a.txt", &STANDARD.encode("first")).await;
        let answer = setting.upload("a.txt", &STANDARD.encode("second")).await;
        assert_eq!(answer, "there is a file called a.txt already");
        assert_eq!(fs::read_to_string(setting.folder.join("a.txt"))?, "first");
        Ok(())
    }

    #[tokio::test]
    async fn what_is_not_base64_is_told_and_not_stored() -> Tested {
        let setting = Setting::new("wrong")?;
        let answer = setting.upload("a.txt", "not Base64!").await;
        assert!(answer.starts_with("`file_content` is not Base64: "), "{answer}");
        assert_eq!(files(&setting)?, 0);
        Ok(())
    }

    #[tokio::test]
    async fn the_model_is_not_told_where_the_folder_is() -> Tested {
        let setting = Setting::new("gone")?;
        fs::remove_dir_all(&setting.folder)?;
        assert_eq!(setting.upload("a.txt", "").await, "the file could not be stored");
        Ok(())
    }
}
