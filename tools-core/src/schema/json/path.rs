//! Where a value stands, as a list on the stack that becomes a JSON pointer only when someone is told.

use crate::schema::problem::{escaped, shorten};

/// Longest pointer that is kept; a hostile key may have megabytes.
const LONGEST: usize = 1024;

#[derive(Clone, Copy)]
pub(crate) enum Path<'p> {
    Root,
    Key(&'p Path<'p>, &'p str),
    Index(&'p Path<'p>, usize),
    /// A pointer that is already text, such as the target of a `$ref`.
    Pointer(&'p str),
}

impl Path<'_> {
    /// RFC 6901: the root is the empty text.
    pub(crate) fn pointer(&self) -> String {
        let mut pointer = String::new();
        self.write(&mut pointer);
        if pointer.len() > LONGEST {
            pointer = shorten(&pointer, LONGEST).into_owned();
        }
        pointer
    }

    pub(crate) fn is_root(&self) -> bool {
        match self {
            Path::Root => true,
            Path::Pointer(text) => text.is_empty(),
            Path::Key(..) | Path::Index(..) => false,
        }
    }

    /// How many containers the value stands in.
    pub(crate) fn depth(&self) -> usize {
        match self {
            Path::Root | Path::Pointer(_) => 0,
            Path::Key(parent, _) | Path::Index(parent, _) => 1 + parent.depth(),
        }
    }

    fn write(&self, pointer: &mut String) {
        match self {
            Path::Root => {}
            Path::Pointer(text) => pointer.push_str(text),
            Path::Key(parent, key) => {
                parent.write(pointer);
                push_key(pointer, key);
            }
            Path::Index(parent, index) => {
                parent.write(pointer);
                push_index(pointer, *index);
            }
        }
    }
}

pub(crate) fn push_key(pointer: &mut String, key: &str) {
    pointer.push('/');
    pointer.push_str(&escaped(&shorten(key, LONGEST)));
}

pub(crate) fn push_index(pointer: &mut String, index: usize) {
    pointer.push('/');
    pointer.push_str(&index.to_string());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_escaped_as_rfc_6901_wants() {
        let root = Path::Root;
        let list = Path::Key(&root, "a/b~c");
        assert_eq!(Path::Index(&list, 3).pointer(), "/a~1b~0c/3");
        assert_eq!(root.pointer(), "");
    }
}
