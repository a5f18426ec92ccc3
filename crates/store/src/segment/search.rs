//! Frames after a damaged stretch: [`find_frame`].

use super::frame::{FIRST_OF_GROUP, FRAME_BYTES, MOST_RECORD_BYTES, checksum};

/// Which frames are sought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sought {
    /// Any.
    Any,
    /// The first of a group appended together.
    FirstOfGroup,
}

/// Where in `bytes`, which stand at `offset` of a segment, the first whole
/// frame begins.
///
/// A group is written only after the group before it is on the disk. So a bad
/// frame that is followed by the first frame of another group was good once: it
/// is damage. A bad frame that is not is the end of a group that was being
/// written when the machine stopped.
pub(crate) fn find_frame(bytes: &[u8], offset: u64, sought: Sought) -> Option<u64> {
    (0..bytes.len())
        .find(|&start| is_frame(&bytes[start..], offset + start as u64, sought))
        .map(|start| offset + start as u64)
}

fn is_frame(bytes: &[u8], offset: u64, sought: Sought) -> bool {
    let Some((length, rest)) = bytes.split_first_chunk() else {
        return false;
    };
    let Some((told, rest)) = rest.split_first_chunk() else {
        return false;
    };
    let length = u32::from_le_bytes(*length) as usize;
    if length == 0 || length > MOST_RECORD_BYTES || bytes.len() < FRAME_BYTES {
        return false;
    }
    let wanted = sought == Sought::Any || rest[0] & FIRST_OF_GROUP != 0;
    wanted
        && rest
            .get(..length)
            .is_some_and(|body| checksum(offset, body) == u32::from_le_bytes(*told))
}
