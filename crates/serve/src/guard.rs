//! Who may come in, and what every answer says: checks before any handler.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::problem::Problem;
use crate::settings::Access;
use crate::state::App;

/// Scripts and styles come from the server itself and nowhere else; nothing is
/// framed, nothing is sent elsewhere.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

/// Lets a request through, or says why not.
pub(crate) async fn check(State(app): State<App>, request: Request, next: Next) -> Response {
    let refused = refuse(
        &app,
        request.method(),
        request.uri().path(),
        request.headers(),
    );
    let mut response = match refused {
        Some(problem) => problem.into_response(),
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, CONTENT_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if response.status() == StatusCode::UNAUTHORIZED {
        let bearer = HeaderValue::from_static("Bearer");
        response
            .headers_mut()
            .insert(header::WWW_AUTHENTICATE, bearer);
    }
    response
}

fn refuse(app: &App, method: &Method, path: &str, headers: &HeaderMap) -> Option<Problem> {
    let open = matches!(app.settings.access, Access::Anyone);
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    if !open && !host.is_some_and(|host| is_ours(app, host)) {
        // A page elsewhere whose name was made to lead here (DNS rebinding).
        let called = host.unwrap_or("nothing");
        return Some(
            Problem::new(
                StatusCode::MISDIRECTED_REQUEST,
                "wrong host",
                format!("this server is not called `{called}`"),
            )
            .hint("use the address it prints, or start it with --host NAME"),
        );
    }
    let reads = matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
    let guarded = path.starts_with("/api/") || path == "/metrics";
    // What only reads cannot be read by another site's page, and still costs.
    if (guarded || !reads)
        && let Some(problem) = foreign(host, headers)
    {
        return Some(problem);
    }
    match &app.settings.access {
        Access::Token(token) if guarded => {
            let given = headers.get(header::AUTHORIZATION);
            let given = given.and_then(|value| value.to_str().ok());
            let given = given.and_then(|value| bearer(value));
            (!given.is_some_and(|given| token.is(given))).then(|| {
                let detail = "this server wants a token: Authorization: Bearer …";
                Problem::new(StatusCode::UNAUTHORIZED, "no token", detail)
                    .hint("the token is in the file the server was started with")
            })
        }
        _ => None,
    }
}

/// The token of an `Authorization` header.
fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// A request that changes something and comes from a page of another server.
fn foreign(host: Option<&str>, headers: &HeaderMap) -> Option<Problem> {
    // A header that cannot be read was not sent by a program that means well.
    let differs = |name: header::HeaderName, is_ours: &dyn Fn(&str) -> bool| {
        let value = headers.get(name);
        value.is_some_and(|value| !value.to_str().is_ok_and(is_ours))
    };
    let elsewhere = differs(header::HeaderName::from_static("sec-fetch-site"), &|site| {
        matches!(site, "same-origin" | "none")
    });
    let origin_differs = differs(header::ORIGIN, &|origin| {
        let of = origin.split_once("://").map(|(_, host)| host);
        of.is_some() && of == host
    });
    (origin_differs || elsewhere).then(|| {
        let detail = "pages of other sites may not ask anything here";
        Problem::new(StatusCode::FORBIDDEN, "cross-site request", detail)
    })
}

/// Whether a `Host` header names this server.
fn is_ours(app: &App, host: &str) -> bool {
    let name = host_name(host);
    let listed = app
        .settings
        .hosts
        .iter()
        .any(|known| known.eq_ignore_ascii_case(name));
    let address = app.settings.address.ip();
    let itself = name.parse().is_ok_and(|ip: std::net::IpAddr| {
        ip == address || ip.is_loopback() || address.is_unspecified()
    });
    listed || itself || name.eq_ignore_ascii_case("localhost")
}

/// The name without the port and the brackets of IPv6; empty for what is none.
fn host_name(host: &str) -> &str {
    match host.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((name, "")) => name,
            Some((name, port)) if is_port(port) => name,
            _ => "",
        },
        None => match host.split_once(':') {
            None => host,
            Some((name, _)) if is_port(&host[name.len()..]) => name,
            Some(_) => "",
        },
    }
}

fn is_port(text: &str) -> bool {
    text.strip_prefix(':')
        .is_some_and(|port| port.parse::<u16>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_host_is_told_from_its_port() {
        for (host, name) in [
            ("127.0.0.1:80", "127.0.0.1"),
            ("localhost", "localhost"),
            ("[::1]:8080", "::1"),
            ("[::1]", "::1"),
            ("example.org:1", "example.org"),
            ("[::1", ""),
            ("[::1]x", ""),
            ("a:b:1", ""),
        ] {
            assert_eq!(host_name(host), name);
        }
    }

    #[test]
    fn a_post_of_another_site_is_foreign_and_one_of_a_program_is_not() {
        let headers = |pairs: &[(&'static str, &'static str)]| {
            let pairs = pairs.iter();
            pairs
                .map(|&(name, value)| {
                    (
                        name.parse().expect("a name"),
                        HeaderValue::from_static(value),
                    )
                })
                .collect::<HeaderMap>()
        };
        let host = Some("127.0.0.1:9000");
        assert!(foreign(host, &headers(&[])).is_none());
        assert!(foreign(host, &headers(&[("origin", "http://127.0.0.1:9000")])).is_none());
        assert!(foreign(host, &headers(&[("origin", "http://evil.example")])).is_some());
        assert!(foreign(host, &headers(&[("origin", "null")])).is_some());
        assert!(foreign(host, &headers(&[("sec-fetch-site", "cross-site")])).is_some());
        assert!(foreign(host, &headers(&[("sec-fetch-site", "same-origin")])).is_none());
        let mut spider = HeaderMap::new();
        let bytes = HeaderValue::from_bytes("🕷".as_bytes()).expect("bytes");
        spider.insert("sec-fetch-site", bytes);
        assert!(
            foreign(host, &spider).is_some(),
            "what cannot be read is foreign"
        );
    }
}
