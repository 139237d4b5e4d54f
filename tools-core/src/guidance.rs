//! What a system prompt says of tools.

use std::{borrow::Cow, collections::HashSet, fmt::Write as _};

use crate::{ToolDescriptor, Tools, Wire};

impl<S> Tools<S> {
    /// Text for a system prompt: what each tool is for, its notes, and the guidelines of all, in the order of the
    /// tools and none twice. Empty where there are no tools.
    ///
    /// It speaks of these tools alone; of [`Executor`](crate::Executor)s that offer only some of theirs, ask the
    /// collection that is offered. The tools have their own names in it; [`Wire::guidance`] writes the names that a
    /// provider's model sees.
    ///
    /// ```
    /// use tools_core::{Tools, tool};
    ///
    /// /// Send a mail. It leaves at once.
    /// ///
    /// /// # Notes
    /// ///
    /// /// At most ten recipients.
    /// ///
    /// /// # Guidelines
    /// ///
    /// /// - Show a mail to the user before you send it.
    /// #[tool(name = "mail.send")]
    /// fn send(to: Vec<String>, text: &str) {}
    ///
    /// let tools = Tools::builder().tool(Send).build()?;
    /// let [used, how] = ["`mail.send`: Send a mail.\n  - At most ten recipients.", "Show a mail to the user before you send it."];
    /// assert_eq!(tools.guidance(), format!("# Tools\n\n- {used}\n\n# Guidelines\n\n- {how}\n"));
    /// # Ok::<(), tools_core::ToolsError>(())
    /// ```
    #[must_use]
    pub fn guidance(&self) -> String {
        guidance(self.iter().map(|tool| tool.descriptor()))
    }
}

impl Wire {
    /// [`Tools::guidance`] with the names that this provider's model sees.
    #[must_use]
    pub fn guidance(&self) -> String {
        renamed(&guidance(self.descriptors()), |name| self.wire_name(name))
    }
}

fn guidance<'t>(descriptors: impl Iterator<Item = &'t ToolDescriptor>) -> String {
    let (mut tools, mut guidelines) = (String::new(), String::new());
    let mut said: HashSet<&str> = HashSet::new();
    for descriptor in descriptors {
        // Writing to a text does not fail.
        let _ = match descriptor.summary() {
            "" => writeln!(tools, "- `{}`", descriptor.name()),
            summary => writeln!(tools, "- `{}`: {summary}", descriptor.name()),
        };
        for note in descriptor.notes().iter().map(|note| note.trim()) {
            if !note.is_empty() && said.insert(note) {
                item(&mut tools, "  ", note);
            }
        }
        for guideline in descriptor.guidelines().iter().map(|guideline| guideline.trim()) {
            if !guideline.is_empty() && said.insert(guideline) {
                item(&mut guidelines, "", guideline);
            }
        }
    }
    let sections = [("Tools", tools), ("Guidelines", guidelines)];
    let sections = sections.iter().filter(|(_, text)| !text.is_empty());
    sections.map(|(title, text)| format!("# {title}\n\n{text}")).collect::<Vec<_>>().join("\n")
}

/// One item of a list; further lines of its text belong to it, and blank ones would end the list.
fn item(list: &mut String, indentation: &str, text: &str) {
    let mut mark = "- ";
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let _ = writeln!(list, "{indentation}{mark}{}", line.trim_end());
        mark = "  ";
    }
}

/// The text with other names where one stands in backticks.
fn renamed<'n>(text: &'n str, name: impl Fn(&'n str) -> Option<Cow<'n, str>>) -> String {
    let mut written = String::with_capacity(text.len());
    for (index, span) in text.split('`').enumerate() {
        if index > 0 {
            written.push('`');
        }
        // Between backticks, which come in pairs but for a mistake, where no name is found.
        written.push_str(&name(span).unwrap_or(Cow::Borrowed(span)));
    }
    written
}
