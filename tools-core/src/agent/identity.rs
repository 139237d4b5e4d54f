//! Ids that nobody else has.

use std::hash::{BuildHasher, Hasher, RandomState};

/// 128 bits as 32 hexadecimal digits, from the keys that the standard library draws for its hash maps: enough to tell
/// executions apart, not a secret.
pub(super) fn fresh() -> String {
    let half = |salt: u64| {
        let mut hasher = RandomState::new().build_hasher();
        hasher.write_u64(salt);
        hasher.finish()
    };
    format!("{:016x}{:016x}", half(1), half(2))
}
