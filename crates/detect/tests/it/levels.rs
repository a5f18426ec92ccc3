//! Levels, kinds of documents, settings and reasons.

use recrawl_detect::{Body, Detector, Level, Settings, SettingsError, Unreadable};
use recrawl_model::Outcome::{Changed, Unchanged, Unknown};

use crate::{detector, first, html};

fn with(settings: &Settings) -> Detector {
    Detector::new(settings).expect("settings")
}

fn article(headline: &str, menu: &str) -> String {
    let sentences = "The mill stands by the river, and it has stood there for a long time, as everybody knows. ";
    format!(
        "<html><head><title>Mill</title></head><body><nav><ul><li><a href=/>{menu}</a></li></ul></nav>\
         <article><h1>{headline}</h1><p>{0}</p><p>{0}</p><p>{0}</p></article>\
         <footer><a href=/i>Imprint</a></footer></body></html>",
        sentences.repeat(4)
    )
}

#[test]
fn each_level_sees_its_own_changes() {
    let main = with(&Settings {
        level: Level::Main,
        ..Settings::default()
    });
    let memory = main.first(&html(&article("Old", "Home"))).expect("a page");
    let menu = main.compare(&memory, &html(&article("Old", "Start")));
    assert_eq!(
        (menu.outcome, menu.levels.text, menu.levels.main),
        (Unchanged, Changed, Unchanged)
    );
    let text = article("Old", "Home").replace("river", "lake");
    let news = main.compare(&memory, &html(&text));
    assert_eq!(
        (news.outcome, news.levels.text, news.levels.main),
        (Changed, Changed, Changed)
    );
    let markup = main.compare(
        &memory,
        &html(&article("Old", "Home").replace("<h1>", "<h1 id=x>")),
    );
    assert_eq!(
        (markup.outcome, markup.levels.bytes, markup.levels.text),
        (Unchanged, Changed, Unchanged)
    );
    let bytes = with(&Settings {
        level: Level::Bytes,
        ..Settings::default()
    });
    let memory = bytes.first(&html(&article("Old", "Home"))).expect("a page");
    let markup = bytes.compare(
        &memory,
        &html(&article("Old", "Home").replace("<h1>", "<h1 id=x>")),
    );
    assert_eq!((markup.outcome, markup.levels.text), (Changed, Unknown));
}

#[test]
fn a_page_without_main_content_is_compared_by_its_text_and_says_so() {
    let main = with(&Settings {
        level: Level::Main,
        ..Settings::default()
    });
    let memory = main.first(&html("<title></title>")).expect("a page");
    let same = main.compare(&memory, &html("<title> </title>"));
    assert_eq!(same.outcome, Unchanged);
    assert_eq!(same.reason, Some("no main content found, the text decides"));
    let deep = format!("<p>a</p>{}", "<div>".repeat(600));
    let finding = main.compare(&memory, &html(&deep));
    assert_eq!(finding.outcome, Changed);
    assert!(
        finding
            .reason
            .is_some_and(|reason| reason.contains("too deep"))
    );
}

#[test]
fn selectors_and_patterns_say_what_counts() {
    let detector = with(&Settings {
        include: vec!["main".to_owned()],
        exclude: vec![".ad".to_owned()],
        ignore: vec![
            r"^Seen \d+ times$".to_owned(),
            r"\d+ minutes ago".to_owned(),
        ],
        ..Settings::default()
    });
    let page = |news: &str, ad: &str, seen: u32, menu: &str| {
        format!(
            "<nav>{menu}</nav><main><p>{news}, {seen} minutes ago</p><p class=ad>{ad}</p><p>Seen {seen} times</p></main>"
        )
    };
    let memory = detector
        .first(&html(&page("Old", "shoes", 1, "a")))
        .expect("a page");
    let outcome = |text: &str| detector.compare(&memory, &html(text)).outcome;
    assert_eq!(outcome(&page("Old", "cars", 27, "b")), Unchanged);
    assert_eq!(outcome(&page("New", "cars", 27, "b")), Changed);
    let gone = detector.compare(&memory, &html("<p>Error: please log in</p>"));
    assert_eq!(
        (gone.outcome, gone.reason),
        (Unknown, Some("no element matches the include selectors"))
    );
    assert_eq!(
        gone.memory, memory,
        "the next good visit is compared with the last one"
    );
    assert_eq!(
        detector.first(&html("<p>x</p>")),
        Err(Unreadable::NothingSelected)
    );
}

#[test]
fn settings_that_mean_nothing_are_refused_by_name() {
    let error = |settings: Settings| Detector::new(&settings).expect_err("bad settings");
    let pattern = error(Settings {
        ignore: vec!["(a".to_owned()],
        ..Settings::default()
    });
    assert_eq!(
        pattern.to_string(),
        "`(a` in `ignore` is not a regular expression that can be used: unclosed group"
    );
    let huge = error(Settings {
        ignore: vec![r"\w{1000}{1000}".to_owned()],
        ..Settings::default()
    });
    assert!(matches!(huge, SettingsError::Pattern { .. }), "{huge}");
    let selector = error(Settings {
        exclude: vec!["p[".to_owned()],
        ..Settings::default()
    });
    assert!(
        selector
            .to_string()
            .starts_with("`p[` in `exclude` is not a CSS selector"),
        "{selector}"
    );
}

#[test]
fn settings_are_read_from_files_and_unknown_keys_refused() {
    let read = serde_json::from_str::<Settings>(r#"{"level": "main", "exclude": ["nav"]}"#);
    let settings = read.expect("settings");
    assert_eq!((settings.level, settings.exclude.len()), (Level::Main, 1));
    let unknown = serde_json::from_str::<Settings>(r#"{"levels": "main"}"#);
    assert!(unknown.is_err());
}

#[test]
fn other_settings_begin_again() {
    let text = detector();
    let bytes = with(&Settings {
        level: Level::Bytes,
        ..Settings::default()
    });
    assert_ne!(text.version(), bytes.version());
    assert_eq!(text.version(), detector().version());
    let swapped = |include: &[&str], exclude: &[&str]| {
        let owned = |list: &[&str]| list.iter().map(ToString::to_string).collect();
        with(&Settings {
            include: owned(include),
            exclude: owned(exclude),
            ..Settings::default()
        })
        .version()
    };
    assert_ne!(swapped(&["p"], &[]), swapped(&[], &["p"]));
    let memory = first(&text, "<p>a</p>");
    let finding = bytes.compare(&memory, &html("<p>a</p>"));
    assert_eq!(finding.outcome, Unknown);
    assert!(finding.reason.is_some());
    assert_eq!(
        bytes.compare(&finding.memory, &html("<p>a</p>")).outcome,
        Unchanged
    );
}

#[test]
fn an_empty_body_is_unknown() {
    let detector = detector();
    let memory = first(&detector, "<p>a</p>");
    let finding = detector.compare(&memory, &html(""));
    assert_eq!(
        (finding.outcome, finding.reason),
        (Unknown, Some("the body is empty"))
    );
    assert_eq!(finding.memory, memory);
    assert_eq!(detector.first(&html("")), Err(Unreadable::Empty));
}

#[test]
fn a_page_in_another_encoding_with_the_same_text_is_unchanged() {
    let detector = detector();
    let memory = first(&detector, "<p>Grüße</p>");
    let latin = Body::new(b"<p>Gr\xfc\xdfe</p>", Some("text/html; charset=iso-8859-1"));
    let finding = detector.compare(&memory, &latin);
    assert_eq!(
        (finding.outcome, finding.levels.bytes),
        (Unchanged, Changed)
    );
}

#[test]
fn invalid_bytes_do_not_make_a_page_change() {
    let detector = detector();
    let page = |nonce: u8| {
        [
            b"<p data-x=".as_slice(),
            &[b'0' + nonce],
            b">a\xff\xfe\xf0b\0</p>",
        ]
        .concat()
    };
    let kind = Some("text/html; charset=utf-8");
    let one = page(1);
    let memory = detector.first(&Body::new(&one, kind)).expect("a page");
    let two = page(2);
    assert_eq!(
        detector.compare(&memory, &Body::new(&two, kind)).outcome,
        Unchanged
    );
}

#[test]
fn feeds_change_by_their_entries() {
    let detector = detector();
    let feed = |built: u32, title: &str| {
        format!(
            "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>T</title>\
             <lastBuildDate>Mon, 12 Jan 2026 10:00:{built:02} GMT</lastBuildDate>\
             <item><guid>1</guid><title>{title}</title></item></channel></rss>"
        )
    };
    let (one, two, three) = (feed(1, "a"), feed(2, "a"), feed(2, "b"));
    let body = |text: &'static str| Body::new(text.as_bytes(), Some("application/rss+xml"));
    let memory = detector.first(&body(one.leak())).expect("a feed");
    assert_eq!(
        detector.compare(&memory, &body(two.leak())).outcome,
        Unchanged
    );
    assert_eq!(
        detector.compare(&memory, &body(three.leak())).outcome,
        Changed
    );
}

#[test]
fn json_ignores_the_order_of_keys() {
    let detector = detector();
    let body = |text: &'static str| Body::new(text.as_bytes(), Some("application/json"));
    let memory = detector
        .first(&body(r#"{"a": 1, "b": [1, 2]}"#))
        .expect("JSON");
    assert_eq!(
        detector
            .compare(&memory, &body(r#"{"b":[1,2],"a":1}"#))
            .outcome,
        Unchanged
    );
    assert_eq!(
        detector
            .compare(&memory, &body(r#"{"b":[2,1],"a":1}"#))
            .outcome,
        Changed
    );
    assert_eq!(
        detector
            .compare(&memory, &body(r#"{"b":[1,2],"a":1"#))
            .outcome,
        Changed
    );
}

#[test]
fn other_files_change_by_any_byte() {
    let detector = detector();
    let body = |bytes: &'static [u8]| Body::new(bytes, Some("image/png"));
    let memory = detector
        .first(&body(b"\x89PNG\r\n\x1a\n\0\0a"))
        .expect("a file");
    let finding = detector.compare(&memory, &body(b"\x89PNG\r\n\x1a\n\0\0b"));
    assert_eq!((finding.outcome, finding.levels.text), (Changed, Unknown));
}

#[test]
fn the_diff_shows_what_the_detector_looks_at() {
    let detector = with(&Settings {
        exclude: vec!["nav".to_owned()],
        ..Settings::default()
    });
    let old = "<nav>a</nav><p>One &amp; two</p><p>same</p>";
    let new = "<nav>b</nav><p>One &amp; three</p><p>same</p>";
    let diff = detector.diff(&html(old), &html(new));
    assert_eq!(
        diff.to_string(),
        "@@ -1,2 +1,2 @@\n-One & two\n+One & three\n same\n"
    );
    assert!(
        detector
            .diff(&html(old), &html(&old.replace(">a<", ">b<")))
            .is_empty()
    );
    assert_eq!(detector.diff(&html(""), &html(old)).added, 2);
}

#[test]
fn a_detector_serves_many_threads() {
    fn shared<T: Send + Sync>(_: &T) {}
    shared(&detector());
}
