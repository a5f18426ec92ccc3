//! Whom a page's name says it is like: [`Kin`].

/// Names of pages that stand for the folder they lie in.
const INDEXES: [&str; 4] = ["index", "_index", "readme", "default"];

/// Longest ending of a name, without its dot, that is taken for a kind of file.
const LONGEST_ENDING: usize = 5;

/// The folder a page lies in and what it is called there, in four bytes: pages of
/// one folder of a site are alike, and so are pages of one name in different folders
/// or on different sites.
///
/// Folders and names are told apart by numbers below 2^16; now and then two share
/// one. The default says nothing of either.
///
/// ```
/// use recrawl_model::Kin;
///
/// let terms = Kin::of("a.example", "https://a.example/legal/terms.html");
/// let privacy = Kin::of("a.example", "https://a.example/legal/privacy.html");
/// let other = Kin::of("b.example", "https://b.example/terms/");
/// assert_eq!(terms.folder(), privacy.folder());
/// assert_eq!(terms.name(), other.name());
/// assert_ne!(terms.folder(), other.folder());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Kin {
    folder: u16,
    name: u16,
}

impl Kin {
    /// What the name of a page of that site says: an address, a path, or any text
    /// whose parts are set apart by slashes. What follows a question mark counts as
    /// a name in a folder of its own; endings such as `.html` do not count, and
    /// `index.html` is called what its folder is.
    #[must_use]
    pub fn of(site: &str, page: &str) -> Self {
        let path = page.split_once("://").map_or(page, |(_, rest)| {
            rest.find('/').map_or("", |slash| &rest[slash + 1..])
        });
        let (mut folder, mut name) = last_part(path.trim_end_matches('/'));
        if is_index(name) {
            (folder, name) = last_part(folder);
        }
        Self {
            folder: number(&[site, folder]),
            name: number(&[stem(name)]),
        }
    }

    /// The number of the folder, 0 where it is not known.
    #[must_use]
    pub const fn folder(self) -> u16 {
        self.folder
    }

    /// The number of the name, 0 where it is not known.
    #[must_use]
    pub const fn name(self) -> u16 {
        self.name
    }
}

fn last_part(path: &str) -> (&str, &str) {
    match path.rfind(['/', '?']) {
        Some(at) => (&path[..at], &path[at + 1..]),
        None => ("", path),
    }
}

/// A name without its ending.
fn stem(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, ending))
            if !stem.is_empty()
                && (1..=LONGEST_ENDING).contains(&ending.len())
                && ending.bytes().all(|byte| byte.is_ascii_alphanumeric()) =>
        {
            stem
        }
        _ => name,
    }
}

fn is_index(name: &str) -> bool {
    let stem = stem(name);
    INDEXES.iter().any(|index| stem.eq_ignore_ascii_case(index))
}

/// A number from 1 to 2^16 - 1 for a text, the same on every machine: FNV-1a
/// (Fowler, Noll and Vo), folded.
fn number(parts: &[&str]) -> u16 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for part in parts {
        for byte in part.bytes().chain([b'\n']) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    let folded = hash ^ (hash >> 32);
    (folded % u64::from(u16::MAX)) as u16 + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_called_what_its_folder_is() {
        let plain = Kin::of("s", "docs/install.md");
        for index in ["docs/install/", "docs/install/index.html", "docs/install/README"] {
            assert_eq!(Kin::of("s", index), plain, "{index}");
        }
        assert_ne!(Kin::of("s", "docs/indexes.md").name(), plain.name());
    }

    #[test]
    fn the_first_page_of_every_site_has_the_same_name() {
        let [one, other] = ["https://a.example", "https://b.example/index.html"]
            .map(|page| Kin::of(page, page));
        assert_eq!(one.name(), other.name());
        assert_ne!(one.folder(), other.folder());
    }

    #[test]
    fn what_is_asked_of_a_program_is_a_name_in_its_folder() {
        let item = |query| Kin::of("s", &format!("https://s/shop/item.php?{query}"));
        assert_eq!(item("id=1").folder(), item("id=2").folder());
        assert_ne!(item("id=1").name(), item("id=2").name());
        assert_ne!(item("id=1").folder(), Kin::of("s", "https://s/shop/about").folder());
    }

    #[test]
    fn any_text_has_kin() {
        for text in ["", "/", "?", "://", "https://", "a/b//", ".", "é/ü", "x.tar.gz", ".profile"] {
            let kin = Kin::of("", text);
            assert!(kin.folder() > 0 && kin.name() > 0, "{text}");
        }
        assert_eq!(Kin::default(), Kin { folder: 0, name: 0 });
    }
}
