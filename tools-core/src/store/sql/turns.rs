//! Whose turn it is to update a value, within this process.

use std::{
    hash::{BuildHasher, Hash, RandomState},
    time::Duration,
};

use tokio::sync::{Mutex, MutexGuard};

use super::super::StoreError;

/// How many updates of different values can go on at once.
const LANES: usize = 64;
/// Who waited this long goes ahead out of turn: whoever has the turn may be a future that nobody polls any more.
const LONGEST_WAIT: Duration = Duration::from_secs(2);

/// Lets the updates of one value go one by one, first come, first served, so that they do not spoil each other's
/// attempts. Nothing rests on it: what goes ahead out of turn is still compared before it is set.
pub(super) struct Turns {
    lanes: Vec<Mutex<()>>,
    hasher: RandomState,
}

impl Default for Turns {
    fn default() -> Self {
        Self { lanes: (0..LANES).map(|_| Mutex::default()).collect(), hasher: RandomState::new() }
    }
}

impl Turns {
    /// Waits for the turn, which is over when what this gives is dropped.
    pub(super) async fn wait_for(&self, value: impl Hash) -> Result<Option<MutexGuard<'_, ()>>, StoreError> {
        super::database::within_runtime()?;
        let lane = usize::try_from(self.hasher.hash_one(value) % LANES as u64).unwrap_or_default();
        let Some(lane) = self.lanes.get(lane) else { return Ok(None) };
        Ok(tokio::time::timeout(LONGEST_WAIT, lane.lock()).await.ok())
    }
}
