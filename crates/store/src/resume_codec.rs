//! [`Resume`] as bytes, for the checkpoint between two segments.

use std::time::Duration;

use recrawl_model::{Cost, PageId};

use crate::codec::micros;
use crate::fields::{Fields, Malformed, PutFields};
use crate::{CycleState, Outstanding, Resume};

/// Appends all of it, but hosts that may be asked again by now.
pub(crate) fn encode(resume: &Resume, out: &mut Vec<u8>) {
    out.put_u32(resume.next_page);
    out.put_u64(resume.next_visit);
    out.put_u8(u8::from(resume.last_time.is_some()));
    if let Some(time) = resume.last_time {
        out.put_time(time);
    }
    out.put_u8(u8::from(resume.cycle.is_some()));
    if let Some(cycle) = &resume.cycle {
        out.put_u64(cycle.number);
        out.put_time(cycle.at);
        out.put_u64(micros(cycle.length));
        out.put_u64(cycle.budget.millionths());
        out.put_u64(cycle.spent.millionths());
        out.put_u32(cycle.visited.len() as u32);
        for page in &cycle.visited {
            out.put_u32(page.0);
        }
    }
    out.put_u32(resume.outstanding.len() as u32);
    for asked in &resume.outstanding {
        out.put_u64(asked.visit);
        out.put_u32(asked.page.0);
        out.put_time(asked.at);
    }
    let held = || {
        let hosts = resume.hosts.iter();
        hosts.filter(|&(_, &until)| resume.last_time.is_none_or(|now| until > now))
    };
    out.put_u32(held().count() as u32);
    for (host, until) in held() {
        out.put_bytes(host.as_bytes());
        out.put_time(*until);
    }
    out.put_u32(resume.settings.len() as u32);
    for (name, value) in &resume.settings {
        out.put_bytes(name.as_bytes());
        out.put_bytes(value.as_bytes());
    }
}

/// Reads what [`encode`] wrote, from all of the bytes left.
pub(crate) fn decode(mut fields: Fields<'_>) -> Result<Resume, Malformed> {
    let fields = &mut fields;
    let mut resume = Resume {
        next_page: fields.u32("next page")?,
        next_visit: fields.u64("next visit")?,
        ..Resume::default()
    };
    if fields.u8("last time")? != 0 {
        resume.last_time = Some(fields.time("last time")?);
    }
    if fields.u8("cycle")? != 0 {
        resume.cycle = Some(decode_cycle(fields)?);
    }
    for _ in 0..fields.u32("outstanding")? {
        resume.outstanding.push(Outstanding {
            visit: fields.u64("visit")?,
            page: PageId(fields.u32("page")?),
            at: fields.time("at")?,
        });
    }
    for _ in 0..fields.u32("hosts")? {
        let host = fields.text("host")?.to_owned();
        resume.hosts.insert(host, fields.time("until")?);
    }
    for _ in 0..fields.u32("settings")? {
        let name = fields.text("name")?.to_owned();
        let value = fields.text("value")?.to_owned();
        resume.settings.insert(name, value);
    }
    fields.end()?;
    Ok(resume)
}

fn decode_cycle(fields: &mut Fields<'_>) -> Result<CycleState, Malformed> {
    let mut cycle = CycleState {
        number: fields.u64("number")?,
        at: fields.time("at")?,
        length: Duration::from_micros(fields.u64("length")?),
        budget: Cost::from_millionths(fields.u64("budget")?),
        spent: Cost::from_millionths(fields.u64("spent")?),
        visited: Vec::new(),
    };
    for _ in 0..fields.u32("visited")? {
        cycle.visited.push(PageId(fields.u32("page")?));
    }
    Ok(cycle)
}
