//! Which addresses belong to the public internet: [`is_public`].

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether an address can be a server of the public internet.
///
/// Everything the IANA special-purpose registries (RFC 6890 and later) keep
/// from being globally reachable is not: loopback, private, shared, link-local
/// with the metadata services of clouds, documentation, benchmarking, multicast
/// and reserved addresses. An IPv6 address that carries an IPv4 address is as
/// public as that one.
///
/// ```
/// let public = |text: &str| recrawl_fetch::is_public(text.parse().expect("an address"));
/// assert!(public("1.1.1.1"));
/// assert!(!public("169.254.169.254"));
/// assert!(!public("64:ff9b::a00:1")); // 10.0.0.1 behind NAT64
/// ```
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    !matches!(
        (a, b, c),
        // This network, private, loopback; multicast, reserved, broadcast.
        (0 | 10 | 127 | 224.., ..)
            | (100, 64..=127, _)  // shared, RFC 6598
            | (169, 254, _)       // link-local
            | (172, 16..=31, _)   // private
            | (192, 0, 0 | 2)     // protocol assignments, documentation
            | (192, 88, 99)       // relays of 6to4, withdrawn
            | (192, 168, _)       // private
            | (198, 18..=19, _)   // benchmarking
            | (198, 51, 100) | (203, 0, 113) // documentation
    )
}

/// Only global unicast, 2000::/3, minus its special blocks, and NAT64.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let [a, b, c, d, e, f, g, h] = address.segments();
    let low_v4 = || join(g, h);
    match (a, b, c, d, e, f) {
        // IPv4-mapped, NAT64.
        (0, 0, 0, 0, 0, 0xffff) | (0x64, 0xff9b, 0, 0, 0, 0) => is_public_v4(low_v4()),
        (0x2002, ..) => is_public_v4(join(b, c)), // 6to4
        // Protocol assignments with Teredo, documentation twice.
        (0x2001, 0..=0x1ff | 0xdb8, ..) | (0x3fff, 0..=0xfff, ..) => false,
        (0x2000..=0x3fff, ..) => true,
        _ => false,
    }
}

fn join(high: u16, low: u16) -> Ipv4Addr {
    Ipv4Addr::from(u32::from(high) << 16 | u32::from(low))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn public(text: &str) -> bool {
        is_public(text.parse().expect("an address"))
    }

    #[test]
    fn special_addresses_of_ipv4_are_not_public_and_their_neighbours_are() {
        for special in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "10.255.255.255",
            "100.64.0.0",
            "100.127.255.255",
            "127.0.0.1",
            "127.1.2.3",
            "169.254.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.1",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.9",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
        ] {
            assert!(!public(special), "{special}");
        }
        for open in [
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.1",
            "169.253.255.255",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "192.0.3.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "203.0.114.0",
            "223.255.255.255",
        ] {
            assert!(public(open), "{open}");
        }
    }

    #[test]
    fn special_addresses_of_ipv6_are_not_public_and_their_neighbours_are() {
        for special in [
            "::",
            "::1",
            "::2",
            "100::1",
            "2001::1",
            "2001:0:4136:e378::1",
            "2001:2::1",
            "2001:db8::1",
            "3fff::1",
            "3fff:fff::1",
            "4000::1",
            "5f00::1",
            "64:ff9b:1::1",
            "fc00::1",
            "fd12:3456::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!public(special), "{special}");
        }
        for open in [
            "2000::1",
            "2001:200::1",
            "2606:4700::1111",
            "2a00:1450::1",
            "3ffe::1",
        ] {
            assert!(public(open), "{open}");
        }
    }

    #[test]
    fn an_embedded_ipv4_address_decides() {
        for (inside, expected) in [("10.0.0.1", false), ("127.0.0.1", false), ("8.8.8.8", true)] {
            let v4: Ipv4Addr = inside.parse().expect("an address");
            let [a, b, c, d] = v4.octets().map(u16::from);
            let (high, low) = (a << 8 | b, c << 8 | d);
            for carrier in [
                v4.to_ipv6_mapped(),
                Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, high, low),
                Ipv6Addr::new(0x2002, high, low, 0, 0, 0, 0, 1),
            ] {
                assert_eq!(is_public(carrier.into()), expected, "{carrier}");
            }
            // IPv4-compatible addresses are withdrawn: never public.
            assert!(!is_public(
                Ipv6Addr::new(0, 0, 0, 0, 0, 0, high, low).into()
            ));
        }
    }
}
