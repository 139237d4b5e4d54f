//! Keywords beyond our own check, enforced by the `jsonschema` crate under the feature `validate`.

use serde_json::Value;

use crate::schema::problem::Problem;

#[cfg(not(feature = "validate"))]
pub(crate) use without::Foreign;

/// Without the feature there is no other validator.
#[cfg(not(feature = "validate"))]
mod without {
    use super::{Problem, Value};

    #[derive(Debug)]
    pub(crate) enum Foreign {}

    impl Foreign {
        pub(crate) fn compile(_: &Value) -> Option<Self> {
            None
        }

        pub(crate) fn problems(&self, _: &str) -> Vec<Problem> {
            match *self {}
        }
    }
}

#[cfg(feature = "validate")]
pub(crate) use with::Foreign;

#[cfg(feature = "validate")]
mod with {
    use jsonschema::{Draft, ValidationError, Validator};

    use super::{Problem, Value};
    use crate::schema::{
        check::describe::one_line,
        problem::{LONGEST_QUOTE, shorten},
    };

    /// A schema as another validator knows it, compiled once. References to other documents are never fetched.
    #[derive(Debug)]
    pub(crate) struct Foreign(Box<Validator>);

    impl Foreign {
        pub(crate) fn compile(schema: &Value) -> Option<Self> {
            let compiled = [Draft::Draft202012, Draft::Draft7]
                .into_iter()
                .find_map(|draft| jsonschema::options().with_draft(draft).build(schema).ok());
            compiled.map(|validator| Self(Box::new(validator)))
        }

        /// What this validator finds wrong with a text that is JSON.
        pub(crate) fn problems(&self, text: &str) -> Vec<Problem> {
            let Ok(value) = serde_json::from_str::<Value>(text) else { return Vec::new() };
            let problem = |error: ValidationError<'_>| {
                let keyword = error.kind().keyword().to_owned();
                let received = one_line(&error.instance().to_string());
                let said = shorten(&error.to_string(), 4 * LONGEST_QUOTE).into_owned();
                let expected = format!("what `{keyword}` asks for");
                let pointer = error.instance_path().as_str().to_owned();
                Problem::of_keyword(pointer, keyword, expected, received).saying(said)
            };
            self.0.iter_errors(&value).map(problem).collect()
        }
    }
}
