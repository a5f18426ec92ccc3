//! How a store spends memory and disk: [`StoreSettings`].

/// Settings of a [`DirectoryStore`](crate::DirectoryStore). They may differ
/// from one opening to the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreSettings {
    /// Bytes after which a segment is finished and sealed. 64 MiB are some
    /// 800,000 visits: read in a tenth of a second, sealed in one.
    pub segment_bytes: u64,
    /// Bytes after which a file of versions is finished. If less than half of
    /// the bytes of such files count, some are then emptied.
    pub version_file_bytes: u64,
    /// Bytes of page rows kept in memory to be read again.
    pub cache_bytes: u64,
    /// Bytes of each kind of row kept in memory before they are written as a
    /// table. There are five kinds, and tables of each may be on their way: with
    /// 4 MiB, adding a million pages took 128 MB at most, with 2 MiB 71 MB.
    pub memtable_bytes: u64,
    /// Bytes of rows written but not yet in tables, at least 64 MiB; as many
    /// may have to be read again when the store is opened.
    pub journal_bytes: u64,
}

impl Default for StoreSettings {
    fn default() -> Self {
        Self {
            segment_bytes: 64 << 20,
            version_file_bytes: 64 << 20,
            cache_bytes: 16 << 20,
            memtable_bytes: 2 << 20,
            journal_bytes: 64 << 20,
        }
    }
}
