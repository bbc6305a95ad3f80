//! Access to the server, for requests that name this machine's address and carry the token.
//!
//! A page of another site can send requests to the loopback address, but it cannot forge `Host` and `Origin`, it does not
//! know the token, and browsers do not send it the cookie (`SameSite=Strict`). A name that resolves to the loopback
//! address (DNS rebinding) is refused by its `Host`: only addresses and `localhost` are taken. Where the server listens on
//! addresses other than the loopback one, any literal address passes, because rebinding needs a name.
//!
//! The token comes with the address that the program prints, `?token=…`; the page then gets it as a cookie, so that
//! addresses without it, as links to positions are, work in the same browser while the program runs.

use std::net::{IpAddr, SocketAddr};

use axum::http::header::{COOKIE, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderValue, StatusCode};

/// Bytes of a token.
const TOKEN: usize = 24;
/// The port that browsers leave out of `Host` and `Origin`, because it is HTTP's own.
const HTTP_PORT: u16 = 80;

/// Access to the server: its token and its address.
#[derive(Debug)]
pub struct Access {
    token: String,
    address: SocketAddr,
}

/// Reason why a request is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// The `Host` is not an address of this server.
    #[error("the request names another host: expected localhost or an IP address, with this server's port")]
    Host,
    /// The request comes from a page of another site.
    #[error("the request comes from a page of another site: it is refused")]
    Origin,
    /// The token is missing or wrong.
    #[error("open the address that 'kagetsu web' printed: it holds the key to this board")]
    Token,
}

impl Refusal {
    /// The status of the answer.
    pub fn status(self) -> StatusCode {
        match self {
            Refusal::Host => StatusCode::MISDIRECTED_REQUEST,
            Refusal::Origin | Refusal::Token => StatusCode::FORBIDDEN,
        }
    }
}

impl Access {
    /// Creates the access check of a server that listens on this address, with a new token.
    ///
    /// # Errors
    /// If the system gives no random bytes.
    pub fn new(address: SocketAddr) -> Result<Access, getrandom::Error> {
        let mut bytes = [0; TOKEN];
        getrandom::fill(&mut bytes)?;
        let token = bytes.iter().map(|b| format!("{b:02x}")).collect();
        Ok(Access { token, address })
    }

    /// The address to open in a browser.
    pub fn link(&self) -> String {
        let ip = match self.address.ip() {
            ip if ip.is_unspecified() && ip.is_ipv4() => IpAddr::from([127, 0, 0, 1]),
            ip if ip.is_unspecified() => IpAddr::from(std::net::Ipv6Addr::LOCALHOST),
            ip => ip,
        };
        format!("http://{}/?token={}", SocketAddr::new(ip, self.address.port()), self.token)
    }

    /// The header that gives a browser the token. Cookies are shared by all ports of a host, so the name has the port.
    pub fn cookie(&self) -> Option<HeaderValue> {
        let (name, token) = (self.cookie_name(), &self.token);
        HeaderValue::from_str(&format!("{name}={token}; Path=/; HttpOnly; SameSite=Strict")).ok()
    }

    fn cookie_name(&self) -> String {
        format!("kagetsu-{}", self.address.port())
    }

    /// Checks where a request goes and where it comes from.
    ///
    /// # Errors
    /// [`Refusal::Host`] or [`Refusal::Origin`].
    pub fn check_site(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let host = text(headers, HOST.as_str()).ok_or(Refusal::Host)?;
        if headers.get_all(HOST).iter().count() != 1 || !self.is_own(host) {
            return Err(Refusal::Host);
        }
        match headers.get(ORIGIN) {
            None => Ok(()),
            Some(origin) => {
                let origin = origin.to_str().ok().and_then(|origin| origin.strip_prefix("http://"));
                // The origin must have the request's own host name. Another name of this server does not do: the
                // cookies of the two differ.
                if origin == Some(host) { Ok(()) } else { Err(Refusal::Origin) }
            }
        }
    }

    /// Checks a WebSocket's request: browsers always name its origin.
    ///
    /// # Errors
    /// [`Refusal::Origin`] if there is none.
    pub fn check_socket(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        self.check_site(headers)?;
        if headers.contains_key(ORIGIN) { Ok(()) } else { Err(Refusal::Origin) }
    }

    /// Checks the token of the address or the cookie.
    ///
    /// # Errors
    /// [`Refusal::Token`].
    pub fn check_token(&self, given: Option<&str>, headers: &HeaderMap) -> Result<(), Refusal> {
        let name = self.cookie_name();
        let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        let kept = cookies.flat_map(|line| line.split(';')).filter_map(|pair| {
            let (key, value) = pair.trim().split_once('=')?;
            (key == name).then_some(value)
        });
        let passes = given.into_iter().chain(kept).any(|token| same(token, &self.token));
        if passes { Ok(()) } else { Err(Refusal::Token) }
    }

    /// Whether a `Host` is this server: `localhost` or an address, with the port unless that is HTTP's own.
    fn is_own(&self, host: &str) -> bool {
        let port = self.address.port();
        let implied = (port == HTTP_PORT).then_some(host);
        let Some(name) = host.strip_suffix(&format!(":{port}")).or(implied) else { return false };
        if name.eq_ignore_ascii_case("localhost") {
            return true;
        }
        let ip =
            name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(name).parse::<IpAddr>();
        ip.is_ok_and(|ip| ip.is_loopback() || !self.address.ip().is_loopback())
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// Compares without stopping at the first difference, so that the time needed tells nothing about the token.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |seen, (x, y)| seen | (x ^ y)) == 0
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn access(address: &str) -> Access {
        Access { token: "secret".into(), address: address.parse().unwrap() }
    }

    fn headers(pairs: &[(&str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(
                axum::http::HeaderName::from_bytes(name.as_bytes()).unwrap(),
                HeaderValue::from_str(value).unwrap(),
            );
        }
        headers
    }

    #[test]
    fn only_its_own_hosts() {
        let access = access("127.0.0.1:8000");
        for (host, passes) in [
            ("127.0.0.1:8000", true),
            ("localhost:8000", true),
            ("LOCALHOST:8000", true),
            ("[::1]:8000", true),
            ("127.0.0.1", false),
            ("127.0.0.1:8001", false),
            ("evil.example:8000", false),
            ("127.0.0.1.evil.example:8000", false),
            ("192.168.0.5:8000", false),
            ("localhost.:8000", false),
        ] {
            let found = access.check_site(&headers(&[("host", host)]));
            assert_eq!(found.is_ok(), passes, "{host}");
        }
        assert_eq!(access.check_site(&HeaderMap::new()), Err(Refusal::Host));
        let two = headers(&[("host", "localhost:8000"), ("host", "evil.example:8000")]);
        assert_eq!(access.check_site(&two), Err(Refusal::Host));
    }

    #[test]
    fn the_port_of_http_may_be_left_out() {
        let access = access("127.0.0.1:80");
        for (host, passes) in [
            ("127.0.0.1", true),
            ("127.0.0.1:80", true),
            ("localhost", true),
            ("[::1]", true),
            ("127.0.0.1:8000", false),
            ("192.168.0.5", false),
            ("evil.example", false),
            ("", false),
        ] {
            let found = access.check_site(&headers(&[("host", host)]));
            assert_eq!(found.is_ok(), passes, "{host}");
        }
        let socket = headers(&[("host", "localhost"), ("origin", "http://localhost")]);
        assert_eq!(access.check_socket(&socket), Ok(()));
        let other = headers(&[("host", "localhost"), ("origin", "http://evil.example")]);
        assert_eq!(access.check_socket(&other), Err(Refusal::Origin));
    }

    #[test]
    fn an_open_server_takes_addresses_and_no_names() {
        let access = access("0.0.0.0:8000");
        assert_eq!(access.check_site(&headers(&[("host", "192.168.0.5:8000")])), Ok(()));
        assert_eq!(access.check_site(&headers(&[("host", "rebound.example:8000")])), Err(Refusal::Host));
        assert_eq!(access.link(), "http://127.0.0.1:8000/?token=secret");
    }

    #[test]
    fn pages_of_other_sites_are_refused() {
        let access = access("127.0.0.1:8000");
        let from = |origin| access.check_site(&headers(&[("host", "localhost:8000"), ("origin", origin)]));
        assert_eq!(from("http://localhost:8000"), Ok(()));
        for origin in ["http://127.0.0.1:8000", "https://localhost:8000", "http://evil.example", "null", ""] {
            assert_eq!(from(origin), Err(Refusal::Origin), "{origin}");
        }
        assert_eq!(access.check_socket(&headers(&[("host", "localhost:8000")])), Err(Refusal::Origin));
    }

    #[test]
    fn the_token_comes_in_the_address_or_a_cookie() {
        let access = access("127.0.0.1:8000");
        let none = HeaderMap::new();
        assert_eq!(access.check_token(Some("secret"), &none), Ok(()));
        for wrong in [None, Some(""), Some("secre"), Some("secreT"), Some("secret ")] {
            assert_eq!(access.check_token(wrong, &none), Err(Refusal::Token), "{wrong:?}");
        }
        let cookie = |value| access.check_token(None, &headers(&[("cookie", value)]));
        assert_eq!(cookie("a=b; kagetsu-8000=secret"), Ok(()));
        assert_eq!(cookie("kagetsu-8001=secret"), Err(Refusal::Token));
        assert_eq!(cookie("kagetsu-8000="), Err(Refusal::Token));
        let given = access.cookie().unwrap();
        assert_eq!(access.check_token(None, &headers(&[("cookie", given.to_str().unwrap())])), Ok(()));
    }

    #[test]
    fn tokens_differ() {
        let address = "127.0.0.1:8000".parse().unwrap();
        let tokens = [(); 2].map(|()| Access::new(address).unwrap().token);
        assert!(tokens[0] != tokens[1] && tokens[0].len() == 2 * TOKEN);
    }
}
