//! Dates beside clocks: what ticks by the second also turns at midnight.

use super::Item;

/// Masks the parts of a date that stand directly beside a masked clock.
///
/// Two fetches seconds apart show that `10:22:01` differs by itself in `Mon 12
/// Jan 2026 10:22:01`, but not that the day will. `tokens` are the texts of
/// `items`. Names of days and months are known in English.
pub(super) fn mask_dates_beside_clocks(items: &mut [Item], tokens: &[&[u8]]) {
    for at in 0..items.len() {
        if items[at] != Item::Any || !is_clock(tokens[at]) {
            continue;
        }
        for before in (0..at).rev() {
            if !is_date_part(tokens[before]) {
                break;
            }
            items[before] = Item::Any;
        }
        for after in at + 1..items.len() {
            if !is_date_part(tokens[after]) {
                break;
            }
            items[after] = Item::Any;
        }
    }
}

/// A time of day: digits, colons between them, nothing else but marks.
fn is_clock(token: &[u8]) -> bool {
    token
        .windows(3)
        .any(|three| three[0].is_ascii_digit() && three[1] == b':' && three[2].is_ascii_digit())
        && !token.iter().any(u8::is_ascii_alphabetic)
}

/// A number with date marks, or the English name of a day or month.
fn is_date_part(token: &[u8]) -> bool {
    const NAMES: [&[u8]; 19] = [
        b"mon", b"tue", b"wed", b"thu", b"fri", b"sat", b"sun", b"jan", b"feb", b"mar", b"apr",
        b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov", b"dec",
    ];
    let word = token.strip_suffix(b",").unwrap_or(token);
    let word = word.strip_suffix(b".").unwrap_or(word);
    let is_number = word.iter().any(u8::is_ascii_digit)
        && word
            .iter()
            .all(|byte| byte.is_ascii_digit() || b"-/.:".contains(byte));
    let is_name = word.iter().all(u8::is_ascii_alphabetic)
        && (3..=9).contains(&word.len())
        && NAMES.contains(&&*word[..3].to_ascii_lowercase());
    is_number || is_name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(text: &str, noisy: &str) -> String {
        let tokens: Vec<&[u8]> = text.split(' ').map(str::as_bytes).collect();
        let mut items: Vec<Item> = text
            .split(' ')
            .map(|token| {
                if token == noisy {
                    Item::Any
                } else {
                    Item::Token(0)
                }
            })
            .collect();
        mask_dates_beside_clocks(&mut items, &tokens);
        let shown = text.split(' ').zip(&items).map(|(token, item)| match item {
            Item::Any => "*",
            _ => token,
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_date_beside_a_clock_is_masked_with_it() {
        assert_eq!(
            masked("Updated Mon, 12 Jan 2026 10:22:01 in Rome", "10:22:01"),
            "Updated * * * * * in Rome"
        );
        assert_eq!(masked("At 10:22 2026-01-12 open", "10:22"), "At * * open");
    }

    #[test]
    fn numbers_beside_a_counter_are_kept() {
        assert_eq!(masked("Seats 40 taken 17", "17"), "Seats 40 taken *");
        assert_eq!(
            masked("Price 10 EUR 10:22:01", "10:22:01"),
            "Price 10 EUR *"
        );
    }
}
