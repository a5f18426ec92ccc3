//! The name a crawler goes by in `robots.txt`.

/// The product token of a `User-Agent`: its leading letters, hyphens and
/// underscores (RFC 9309, section 2.2.1). Empty where it starts with anything
/// else; only the rules for everybody apply then.
///
/// ```
/// let token = recrawl_fetch::product_token("Example-Bot/1.2 (+https://example.org)");
/// assert_eq!(token, "Example-Bot");
/// ```
#[must_use]
pub fn product_token(user_agent: &str) -> &str {
    let is_part = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_');
    let length = user_agent.bytes().take_while(is_part).count();
    &user_agent[..length]
}
