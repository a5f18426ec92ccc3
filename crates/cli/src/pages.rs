//! Which page of a log a command is about.

use anyhow::bail;
use recrawl_model::{HistorySet, PageId};

/// Near names offered when a page is not found.
const OFFERED: usize = 3;

/// Pages looked through for near names; beyond it nobody waits.
const LOOKED_AT: usize = 2_000_000;

/// The page of that name, or the only page if no name is given.
pub(crate) fn choose_page(set: &HistorySet, name: Option<&str>) -> anyhow::Result<PageId> {
    let Some(name) = name else {
        let mut pages = set.pages();
        return match (pages.next(), pages.len()) {
            (Some(page), 0) => Ok(page),
            (None, _) => bail!("the log holds no page"),
            (Some(first), more) => bail!(
                "the log holds {} pages; name one with --page, as in --page '{}'",
                more + 1,
                set.name(first)
            ),
        };
    };
    if let Some(page) = set.find(name) {
        return Ok(page);
    }
    match near_names(set, name).as_slice() {
        [] => bail!("page `{name}` is not in the log, nor is any name like it"),
        [one] => bail!("page `{name}` is not in the log; is `{one}` meant?"),
        names => {
            let list: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            bail!(
                "page `{name}` is not in the log; near it are {}",
                list.join(", ")
            )
        }
    }
}

/// The names most like `name`, nearest first.
fn near_names<'a>(set: &'a HistorySet, name: &str) -> Vec<&'a str> {
    let most = (name.chars().count() / 3).max(2);
    let lower = name.to_lowercase();
    let mut near: Vec<(usize, &str)> = set
        .pages()
        .take(LOOKED_AT)
        .filter_map(|page| {
            let other = set.name(page);
            let folded = other.to_lowercase();
            let apart = edits(&lower, &folded, most).or_else(|| {
                // A piece of the name counts as near, after the misspelt ones.
                let part = folded.contains(&lower) || lower.contains(&folded);
                (part && !folded.is_empty()).then_some(most)
            })?;
            Some((apart, other))
        })
        .collect();
    near.sort_unstable();
    near.truncate(OFFERED);
    near.into_iter().map(|(_, name)| name).collect()
}

/// Letters to insert, drop or replace to make one text the other, `None` if
/// more than `most` (Levenshtein's distance).
fn edits(one: &str, other: &str, most: usize) -> Option<usize> {
    if one.len().abs_diff(other.len()) > 4 * most {
        return None;
    }
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, letter) in one.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, &against) in other.iter().enumerate() {
            let replace = corner + usize::from(letter != against);
            corner = row[j + 1];
            row[j + 1] = replace.min(corner + 1).min(row[j] + 1);
        }
        if row.iter().min().is_none_or(|&least| least > most) {
            return None;
        }
    }
    row.last().copied().filter(|&apart| apart <= most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use recrawl_model::{HistorySetBuilder, Outcome, Timestamp};

    fn set(names: &[&str]) -> HistorySet {
        let mut builder = HistorySetBuilder::new();
        for name in names {
            let page = builder.add_page(name);
            builder.push(page, Timestamp::from_seconds(0), Outcome::First, None);
        }
        builder.build().expect("no duplicates")
    }

    #[test]
    fn a_misspelt_page_is_told_its_neighbours() {
        let set = set(&[
            "https://a.org/news",
            "https://a.org/terms",
            "https://b.org/",
        ]);
        let said = choose_page(&set, Some("https://a.org/mews")).expect_err("no such page");
        assert_eq!(
            said.to_string(),
            "page `https://a.org/mews` is not in the log; near it are `https://a.org/news`, `https://a.org/terms`, `https://b.org/`"
        );
        let said = choose_page(&set, Some("zzz")).expect_err("no such page");
        assert!(said.to_string().ends_with("nor is any name like it"));
    }

    #[test]
    fn without_a_name_there_must_be_one_page() {
        assert!(choose_page(&set(&["only"]), None).is_ok());
        let said = choose_page(&set(&["a", "b"]), None).expect_err("two pages");
        assert!(said.to_string().contains("2 pages"));
        assert!(choose_page(&set(&[]), None).is_err());
    }

    #[test]
    fn edits_are_counted_up_to_the_limit() {
        assert_eq!(edits("kitten", "sitting", 3), Some(3));
        assert_eq!(edits("kitten", "sitting", 2), None);
        assert_eq!(edits("", "ab", 2), Some(2));
    }
}
