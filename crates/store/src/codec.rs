//! Records as bytes and back. `docs/store.md` tells the layout.

use std::time::Duration;

use recrawl_model::{Cost, Outcome, PageId};

use crate::fields::{Fields, Malformed, PutFields};
use crate::{Held, Note, Record, Standing};

/// The kinds of records as they are stored.
pub(crate) mod kind {
    pub(crate) const PAGE_ADDED: u8 = 1;
    pub(crate) const PAGE_SET: u8 = 2;
    pub(crate) const ASKED: u8 = 3;
    pub(crate) const SEEN: u8 = 4;
    pub(crate) const CYCLE_BEGUN: u8 = 5;
    pub(crate) const HOST_HELD: u8 = 6;
    pub(crate) const SETTING: u8 = 7;
}

/// Which optional parts a `Seen` record has.
const HAS_LAST_MODIFIED: u8 = 1;
const HAS_NOTE: u8 = 2;
const HAS_HELD: u8 = 4;

/// Outcomes, each at the index it is stored as.
pub(crate) const OUTCOMES: [Outcome; 4] = [
    Outcome::First,
    Outcome::Changed,
    Outcome::Unchanged,
    Outcome::Unknown,
];

/// The number a record's kind is stored as.
pub(crate) const fn kind_of(record: &Record) -> u8 {
    match record {
        Record::PageAdded { .. } => kind::PAGE_ADDED,
        Record::PageSet { .. } => kind::PAGE_SET,
        Record::Asked { .. } => kind::ASKED,
        Record::Seen { .. } => kind::SEEN,
        Record::CycleBegun { .. } => kind::CYCLE_BEGUN,
        Record::HostHeld { .. } => kind::HOST_HELD,
        Record::Setting { .. } => kind::SETTING,
    }
}

/// Appends the fields of a record to `out`. Says how many of the last bytes are
/// what is held.
pub(crate) fn encode(record: &Record, out: &mut Vec<u8>) -> u32 {
    match record {
        Record::PageAdded {
            page,
            at,
            url,
            site,
            weight,
        } => {
            out.put_u32(page.0);
            out.put_time(*at);
            out.put_weight(*weight);
            out.put_bytes(url.as_bytes());
            out.put_bytes(site.as_bytes());
        }
        Record::PageSet {
            page,
            at,
            standing,
            weight,
        } => {
            out.put_u32(page.0);
            out.put_time(*at);
            out.put_u8(*standing as u8);
            out.put_weight(*weight);
        }
        Record::Asked {
            visit,
            page,
            at,
            cost,
        } => {
            out.put_u64(*visit);
            out.put_u32(page.0);
            out.put_time(*at);
            out.put_u64(cost.millionths());
        }
        Record::Seen { .. } => return encode_seen(record, out),
        Record::CycleBegun {
            number,
            at,
            length,
            budget,
        } => {
            out.put_u64(*number);
            out.put_time(*at);
            out.put_u64(micros(*length));
            out.put_u64(budget.millionths());
        }
        Record::HostHeld { host, until } => {
            out.put_time(*until);
            out.put_bytes(host.as_bytes());
        }
        Record::Setting { name, value } => {
            out.put_bytes(name.as_bytes());
            out.put_bytes(value.as_bytes());
        }
    }
    0
}

fn encode_seen(record: &Record, out: &mut Vec<u8>) -> u32 {
    let Record::Seen {
        visit,
        page,
        at,
        outcome,
        last_modified,
        note,
        held,
    } = record
    else {
        return 0;
    };
    let flag = |there: bool, flag: u8| if there { flag } else { 0 };
    out.put_u64(*visit);
    out.put_u32(page.0);
    out.put_time(*at);
    out.put_u8(*outcome as u8);
    out.put_u8(
        flag(last_modified.is_some(), HAS_LAST_MODIFIED)
            | flag(note.is_some(), HAS_NOTE)
            | flag(held.is_some(), HAS_HELD),
    );
    if let Some(modified) = last_modified {
        out.put_time(*modified);
    }
    if let Some(note) = note {
        out.put_u16(note.status);
        out.put_u32(note.bytes);
        out.put_u32(note.millis);
        out.put_bytes(note.reason.as_bytes());
    }
    let before = out.len();
    if let Some(held) = held {
        encode_held(held, out);
    }
    (out.len() - before) as u32
}

/// A span in whole microseconds, as it is stored.
pub(crate) fn micros(span: Duration) -> u64 {
    u64::try_from(span.as_micros()).unwrap_or(u64::MAX)
}

/// Appends what is held of a page; also the value of its row.
pub(crate) fn encode_held(held: &Held, out: &mut Vec<u8>) {
    out.put_time(held.at);
    out.put_optional_text(held.etag.as_deref());
    out.put_optional_text(held.last_modified.as_deref());
    out.put_optional_text(held.location.as_deref());
    out.put_bytes(&held.memory);
}

/// Reads what [`encode_held`] wrote.
pub(crate) fn decode_held(fields: &mut Fields<'_>) -> Result<Held, Malformed> {
    Ok(Held {
        at: fields.time("held since")?,
        etag: fields.optional_text("etag")?.map(str::to_owned),
        last_modified: fields.optional_text("last-modified")?.map(str::to_owned),
        location: fields.optional_text("location")?.map(str::to_owned),
        memory: fields.bytes("memory")?.to_vec(),
    })
}

/// Whether [`decode`] reads what is held, or passes over it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HeldPart {
    Read,
    Skip,
}

/// A record, and how many of its last bytes are what is held.
#[derive(Debug)]
pub(crate) struct Decoded {
    pub(crate) record: Record,
    pub(crate) held_bytes: u32,
}

/// Reads a record of a kind from all of `bytes`.
pub(crate) fn decode(kind: u8, bytes: &[u8], held: HeldPart) -> Result<Decoded, Malformed> {
    let mut fields = Fields(bytes);
    let fields = &mut fields;
    let record = match kind {
        kind::PAGE_ADDED => Record::PageAdded {
            page: PageId(fields.u32("page")?),
            at: fields.time("at")?,
            weight: fields.weight()?,
            url: fields.text("url")?.to_owned(),
            site: fields.text("site")?.to_owned(),
        },
        kind::PAGE_SET => Record::PageSet {
            page: PageId(fields.u32("page")?),
            at: fields.time("at")?,
            standing: decode_standing(fields.u8("standing")?)?,
            weight: fields.weight()?,
        },
        kind::ASKED => Record::Asked {
            visit: fields.u64("visit")?,
            page: PageId(fields.u32("page")?),
            at: fields.time("at")?,
            cost: Cost::from_millionths(fields.u64("cost")?),
        },
        kind::SEEN => return decode_seen(fields, held),
        kind::CYCLE_BEGUN => Record::CycleBegun {
            number: fields.u64("number")?,
            at: fields.time("at")?,
            length: Duration::from_micros(fields.u64("length")?),
            budget: Cost::from_millionths(fields.u64("budget")?),
        },
        kind::HOST_HELD => Record::HostHeld {
            until: fields.time("until")?,
            host: fields.text("host")?.to_owned(),
        },
        kind::SETTING => Record::Setting {
            name: fields.text("name")?.to_owned(),
            value: fields.text("value")?.to_owned(),
        },
        _ => return Err(Malformed::Value("kind")),
    };
    fields.end()?;
    Ok(Decoded {
        record,
        held_bytes: 0,
    })
}

fn decode_seen(fields: &mut Fields<'_>, held_part: HeldPart) -> Result<Decoded, Malformed> {
    let visit = fields.u64("visit")?;
    let page = PageId(fields.u32("page")?);
    let at = fields.time("at")?;
    let outcome = decode_outcome(fields.u8("outcome")?)?;
    let flags = fields.u8("flags")?;
    if flags > (HAS_LAST_MODIFIED | HAS_NOTE | HAS_HELD) {
        return Err(Malformed::Value("flags"));
    }
    let last_modified = match flags & HAS_LAST_MODIFIED {
        0 => None,
        _ => Some(fields.time("last-modified")?),
    };
    let note = match flags & HAS_NOTE {
        0 => None,
        _ => Some(Note {
            status: fields.u16("status")?,
            bytes: fields.u32("bytes")?,
            millis: fields.u32("millis")?,
            reason: fields.text("reason")?.to_owned(),
        }),
    };
    let held_bytes = match flags & HAS_HELD {
        0 => 0,
        _ => fields.0.len() as u32,
    };
    let held = match (flags & HAS_HELD, held_part) {
        (0, _) => None,
        (_, HeldPart::Read) => Some(decode_held(fields)?),
        (_, HeldPart::Skip) => {
            fields.0 = &[];
            None
        }
    };
    fields.end()?;
    let record = Record::Seen {
        visit,
        page,
        at,
        outcome,
        last_modified,
        note,
        held,
    };
    Ok(Decoded { record, held_bytes })
}

/// The standing stored as this number.
pub(crate) fn decode_standing(number: u8) -> Result<Standing, Malformed> {
    let standing = Standing::ALL.get(usize::from(number)).copied();
    standing.ok_or(Malformed::Value("standing"))
}

/// The outcome stored as this number.
pub(crate) fn decode_outcome(number: u8) -> Result<Outcome, Malformed> {
    let outcome = OUTCOMES.get(usize::from(number)).copied();
    outcome.ok_or(Malformed::Value("outcome"))
}
