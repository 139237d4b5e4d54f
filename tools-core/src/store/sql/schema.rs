//! The tables.

use super::{
    super::StoreError,
    database::{Database, Statement, statement},
};

/// The version of the tables. One more for each change to them, with statements that lead from the last one here.
const VERSION: &str = "1";

const READ_VERSION: &str = "SELECT version FROM tools_store";

const TABLES: [&str; 5] = [
    "CREATE TABLE IF NOT EXISTS tools_session_values (session_id TEXT NOT NULL, name TEXT NOT NULL, \
     value TEXT NOT NULL, PRIMARY KEY (session_id, name))",
    // A subject may be longer than what an index can hold, so it has none and is not unique.
    "CREATE TABLE IF NOT EXISTS tools_memories (user_id TEXT NOT NULL, agent TEXT NOT NULL, \
     kind TEXT NOT NULL, subject TEXT NOT NULL, body TEXT NOT NULL, kept_at BIGINT NOT NULL)",
    "CREATE INDEX IF NOT EXISTS tools_memories_by_owner ON tools_memories (user_id, agent, kind)",
    "CREATE TABLE IF NOT EXISTS tools_store (version TEXT NOT NULL)",
    "INSERT INTO tools_store (version) SELECT '1' WHERE NOT EXISTS (SELECT 1 FROM tools_store)",
];

/// Makes the tables where there are none, and refuses those of another version.
pub(super) async fn prepare(database: &Database) -> Result<(), StoreError> {
    // Reading comes first: a role that may not make tables can use those that are there.
    let found = if let Ok(found) = database.texts(statement(READ_VERSION, [])).await {
        found
    } else {
        let tables: Vec<Statement> = TABLES.iter().map(|sql| statement(sql, [])).collect();
        database.execute_alone(tables).await?;
        database.texts(statement(READ_VERSION, [])).await?
    };
    match found.as_slice() {
        [version] if version == VERSION => Ok(()),
        found => Err(StoreError::Version { found: found.join(", "), known: VERSION }),
    }
}
