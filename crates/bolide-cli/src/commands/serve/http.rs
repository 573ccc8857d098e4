//! The part of HTTP/1.1 that is needed to serve a handful of files.
//!
//! A request is a head of at most [`HEAD_LIMIT`] bytes that arrives within [`PATIENCE`]; its body is
//! ignored. Every response closes its connection. Whatever arrives, the response has one of a few status
//! lines. A request can only reach the files in the list of `Page`.

use super::page::{Accepts, Page};
use crate::error::Result;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The longest head of a request.
const HEAD_LIMIT: usize = 16 * 1024;
/// How long a client may take to send its head, and to receive the response.
const PATIENCE: Duration = Duration::from_secs(10);
/// The most connections at a time; further ones are refused.
const MOST_CONNECTIONS: usize = 64;

/// No other page may embed this one.
const UNFRAMED: &str = "frame-ancestors 'none'";
/// Any page may embed the small view, which has no controls that matter.
const FRAMED: &str = "frame-ancestors *";

/// Answers connections until the process ends.
pub fn serve(listener: &TcpListener, page: Page) -> Result<()> {
    let page = Arc::new(page);
    let open = Arc::new(AtomicUsize::new(0));
    loop {
        let Ok((stream, _)) = listener.accept() else {
            // No file handle is left, or the client has disconnected: keep serving.
            std::thread::sleep(Duration::from_millis(20));
            continue;
        };
        let slot = Slot::take(&open);
        let page = Arc::clone(&page);
        // If no thread can be started, the connection is dropped; the client may try again.
        let _ = std::thread::Builder::new().stack_size(256 * 1024).spawn(move || {
            let _ = answer(stream, &page, slot.is_none());
            drop(slot);
        });
    }
}

/// One of [`MOST_CONNECTIONS`] slots; it becomes free when it is dropped.
struct Slot(Arc<AtomicUsize>);

impl Slot {
    fn take(open: &Arc<AtomicUsize>) -> Option<Self> {
        if open.fetch_add(1, Ordering::Relaxed) < MOST_CONNECTIONS {
            Some(Slot(Arc::clone(open)))
        } else {
            open.fetch_sub(1, Ordering::Relaxed);
            None
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn answer(mut stream: TcpStream, page: &Page, is_full: bool) -> io::Result<()> {
    let deadline = Instant::now() + PATIENCE;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let request = match is_full {
        true => Err(Refusal(503, "Service Unavailable")),
        false => read_head(&mut stream, deadline)?,
    };
    let (head, body) = respond(request.as_deref().map_err(|refusal| *refusal), page);
    stream.write_all(head.as_bytes())?;
    stream.write_all(&body)?;
    // Closing a socket with unread bytes resets it, and the client may never see the response.
    stream.shutdown(Shutdown::Write)?;
    stream.set_read_timeout(Some(Duration::from_millis(200)))?;
    let mut rest = [0; 4096];
    for _ in 0..256 {
        if Instant::now() > deadline || stream.read(&mut rest)? == 0 {
            break;
        }
    }
    Ok(())
}

/// A status other than 200.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Refusal(u16, &'static str);

/// Reads up to the empty line. An error means that the client is gone.
fn read_head(
    stream: &mut TcpStream,
    deadline: Instant,
) -> io::Result<std::result::Result<Vec<u8>, Refusal>> {
    let mut head = Vec::with_capacity(1024);
    let mut buffer = [0; 2048];
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(Err(Refusal(408, "Request Timeout")));
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut buffer) {
            Ok(0) if head.is_empty() => return Err(io::ErrorKind::UnexpectedEof.into()),
            // The client closed its side too early: it still gets a response.
            Ok(0) => return Ok(Ok(head)),
            Ok(n) => head.extend_from_slice(&buffer[..n]),
            Err(problem) if problem.kind() == io::ErrorKind::Interrupted => continue,
            Err(problem)
                if matches!(
                    problem.kind(),
                    io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
                ) =>
            {
                return Ok(Err(Refusal(408, "Request Timeout")));
            }
            Err(problem) => return Err(problem),
        }
        let is_complete = |end: &[u8]| head.windows(end.len()).any(|window| window == end);
        if is_complete(b"\r\n\r\n") || is_complete(b"\n\n") {
            return Ok(Ok(head));
        }
        if head.len() > HEAD_LIMIT {
            return Ok(Err(Refusal(431, "Request Header Fields Too Large")));
        }
    }
}

/// The head and the body of the response.
fn respond(request: std::result::Result<&[u8], Refusal>, page: &Page) -> (String, Vec<u8>) {
    let found = request.and_then(parse).and_then(|request| {
        let file = page.send(request.path, request.accepts).ok_or(Refusal(404, "Not Found"))?;
        Ok((file, request))
    });
    match found {
        Ok((file, request)) => {
            let tag = format!("\"{}\"", file.tag);
            let encoding =
                file.encoding.map_or(String::new(), |name| format!("Content-Encoding: {name}\r\n"));
            let framing = framing(page, request.is_embedded);
            let fields = format!("{encoding}{framing}ETag: {tag}\r\nVary: Accept-Encoding\r\n");
            if request.has(&tag) {
                return (head("304 Not Modified", file.kind, None, &fields), Vec::new());
            }
            let head = head("200 OK", file.kind, Some(file.content.len()), &fields);
            (head, if request.wants_body { file.content } else { Vec::new() })
        }
        Err(Refusal(code, reason)) => {
            let body = format!("{code} {reason}\n");
            let allow = if code == 405 { "Allow: GET, HEAD\r\n" } else { "" };
            let fields = format!("{allow}{}", framing(page, false));
            let kind = "text/plain; charset=utf-8";
            let head = head(&format!("{code} {reason}"), kind, Some(body.len()), &fields);
            (head, body.into_bytes())
        }
    }
}

fn head(status: &str, kind: &str, length: Option<usize>, fields: &str) -> String {
    let length = length.map_or(String::new(), |length| format!("Content-Length: {length}\r\n"));
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n{length}{fields}\
         Connection: close\r\nCache-Control: no-cache\r\nX-Content-Type-Options: nosniff\r\n\
         Referrer-Policy: no-referrer\r\nCross-Origin-Opener-Policy: same-origin\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\n\r\n"
    )
}

/// The policy of the page, including which pages may embed this one. It runs only our scripts and our module, and can connect
/// only to this server.
fn framing(page: &Page, is_embedded: bool) -> String {
    let policy = page.policy();
    match is_embedded {
        true => format!("Content-Security-Policy: {policy}; {FRAMED}\r\n"),
        false => {
            format!("Content-Security-Policy: {policy}; {UNFRAMED}\r\nX-Frame-Options: DENY\r\n")
        }
    }
}

/// The parts of a request that the response depends on.
#[derive(Debug, PartialEq, Eq)]
struct Request<'a> {
    path: &'a str,
    wants_body: bool,
    accepts: Accepts,
    /// Whether it requests the small view that other pages embed: `?embed=1`.
    is_embedded: bool,
    /// The tags of the files that the client already has.
    known: &'a str,
}

impl Request<'_> {
    /// Whether the client has the file with this tag.
    fn has(&self, tag: &str) -> bool {
        let known = self.known.split(',').map(str::trim);
        known.map(|known| known.strip_prefix("W/").unwrap_or(known)).any(|known| known == tag)
    }
}

fn parse(head: &[u8]) -> std::result::Result<Request<'_>, Refusal> {
    let bad = Refusal(400, "Bad Request");
    let head = std::str::from_utf8(head).map_err(|_| bad)?;
    let mut lines = head.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
    let mut words = lines.next().ok_or(bad)?.split(' ');
    let (Some(method), Some(target), Some(version), None) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return Err(bad);
    };
    if !matches!(version, "HTTP/1.1" | "HTTP/1.0") {
        let is_http = version.starts_with("HTTP/");
        return Err(if is_http { Refusal(505, "HTTP Version Not Supported") } else { bad });
    }
    let wants_body = match method {
        "GET" => true,
        "HEAD" => false,
        _ => return Err(Refusal(405, "Method Not Allowed")),
    };
    // DNS rebinding: a foreign page whose host name resolves to this machine must not read ours.
    let fields: Vec<(&str, &str)> =
        lines.take_while(|line| !line.is_empty()).filter_map(|line| line.split_once(':')).collect();
    let named = |wanted: &'static str| {
        fields.iter().filter(move |(name, _)| name.eq_ignore_ascii_case(wanted))
    };
    let mut hosts = named("host");
    match (hosts.next(), hosts.next()) {
        (Some((_, host)), None) if is_loopback(host.trim()) => {}
        (None, None) if version == "HTTP/1.0" => {}
        (Some(_), None) => return Err(Refusal(421, "Misdirected Request")),
        _ => return Err(bad),
    }
    let target = target.split('#').next().unwrap_or_default();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    match path.strip_prefix('/') {
        Some(path) => Ok(Request {
            path,
            wants_body,
            is_embedded: path.is_empty() && query.split('&').any(|item| item == "embed=1"),
            accepts: Accepts {
                gzip: named("accept-encoding").any(|(_, list)| takes("gzip", list)),
                brotli: named("accept-encoding").any(|(_, list)| takes("br", list)),
            },
            known: named("if-none-match").next().map_or("", |(_, tags)| tags),
        }),
        None => Err(bad),
    }
}

/// Whether a list of encodings contains this one with a weight other than 0.
fn takes(encoding: &str, list: &str) -> bool {
    list.split(',').any(|item| {
        let (name, weight) = item.split_once(';').unwrap_or((item, "q=1"));
        let weight = weight.trim().strip_prefix("q=").and_then(|text| text.parse().ok());
        name.trim().eq_ignore_ascii_case(encoding) && weight.unwrap_or(1.0) > 0.0
    })
}

fn is_loopback(host: &str) -> bool {
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    ["127.0.0.1", "localhost", "[::1]"].iter().any(|name| match host.strip_prefix(name) {
        Some("") => true,
        Some(port) => port.strip_prefix(':').is_some_and(is_port),
        None => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use bolide_web::inline::policy;

    fn status(head: &str) -> u16 {
        parse(head.as_bytes()).map_or_else(|refusal| refusal.0, |_| 200)
    }

    #[test]
    fn only_get_and_head_from_this_machine() {
        let get = |rest: &str| status(&format!("GET / HTTP/1.1\r\n{rest}\r\n"));
        assert_eq!(get("Host: 127.0.0.1:8765\r\n"), 200);
        assert_eq!(get("host: localhost\r\nAccept: */*\r\n"), 200);
        assert_eq!(get("Host: evil.example\r\n"), 421);
        assert_eq!(get("Host: 127.0.0.1.evil.example\r\n"), 421);
        assert_eq!(get("Host: localhost\r\nHost: localhost\r\n"), 400);
        assert_eq!(get(""), 400);
        assert_eq!(status("GET / HTTP/1.0\r\n\r\n"), 200);
        assert_eq!(status("HEAD /x?y HTTP/1.1\r\nHost: [::1]:1\r\n\r\n"), 200);
        for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get"] {
            assert_eq!(status(&format!("{method} / HTTP/1.1\r\nHost: localhost\r\n\r\n")), 405);
        }
        assert_eq!(status("GET / HTTP/2.0\r\nHost: localhost\r\n\r\n"), 505);
        for garbage in ["", "\r\n\r\n", "GET /", "GET  / HTTP/1.1", "GET / x", "\0\0\0 \0 \0"] {
            assert_eq!(status(garbage), 400, "{garbage:?}");
        }
        assert_eq!(parse(b"\xff\xfe / HTTP/1.1\r\n\r\n"), Err(Refusal(400, "Bad Request")));
    }

    #[test]
    fn gzip_for_those_who_take_it() {
        for list in ["gzip", "br, GZIP;q=0.5", "deflate, gzip;q=1.0, *"] {
            assert!(takes("gzip", list), "{list}");
        }
        for list in ["", "br", "gzip;q=0", "gzip; q=0.000, br", "x-gzip"] {
            assert!(!takes("gzip", list), "{list}");
        }
    }

    #[test]
    fn a_client_that_has_the_file_gets_no_second_one() {
        let page = Page::new(None).unwrap();
        let get = |fields: &str| {
            let head = format!("GET /app.js HTTP/1.1\r\nHost: localhost\r\n{fields}\r\n");
            respond(Ok(head.as_bytes()), &page)
        };
        let tag_in = |head: &str| {
            let line = head.lines().find(|line| line.starts_with("ETag: ")).unwrap();
            line["ETag: ".len()..].to_owned()
        };
        for accept in ["", "Accept-Encoding: gzip, br\r\n"] {
            let (head, body) = get(accept);
            assert!(head.starts_with("HTTP/1.1 200 OK\r\n") && !body.is_empty());
            assert_eq!(head.contains("Content-Encoding: gzip\r\n"), !accept.is_empty());
            assert!(head.contains(&format!("Content-Length: {}\r\n", body.len())));
            let tag = tag_in(&head);
            for known in [tag.clone(), format!("W/{tag}"), format!("\"x\", {tag}")] {
                let (head, body) = get(&format!("{accept}If-None-Match: {known}\r\n"));
                assert!(head.starts_with("HTTP/1.1 304 Not Modified\r\n"), "{head}");
                assert!(body.is_empty());
            }
            let (head, _) = get(&format!("{accept}If-None-Match: \"other\"\r\n"));
            assert!(head.starts_with("HTTP/1.1 200 OK\r\n"));
        }
    }

    #[test]
    fn the_policy_of_the_server_is_that_of_the_page() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../bolide-web/page");
        for folder in [None, Some(folder.into())] {
            let page = Page::new(folder).unwrap();
            let head = b"GET /worker.js HTTP/1.1\r\nHost: localhost\r\n\r\n";
            let (head, _) = respond(Ok(head), &page);
            let html = page.file("").unwrap().1.into_owned();
            let policy = policy(std::str::from_utf8(&html).unwrap()).unwrap();
            assert!(policy.starts_with("default-src 'none'; script-src 'self' "), "{policy}");
            assert!(head.contains(&format!("Content-Security-Policy: {policy}; frame-ancestors")));
        }
    }

    #[test]
    fn only_the_small_view_may_stand_in_another_page() {
        let page = Page::new(None).unwrap();
        let get = |target: &str| {
            let head = format!("GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n");
            respond(Ok(head.as_bytes()), &page).0
        };
        for target in ["/?embed=1", "/?x=y&embed=1#h=a"] {
            let head = get(target);
            assert!(head.contains("frame-ancestors *") && !head.contains("X-Frame-Options"));
        }
        for target in ["/", "/?embed=0", "/?embed=11", "/app.js?embed=1", "/nothing?embed=1"] {
            let head = get(target);
            assert!(head.contains("frame-ancestors 'none'"), "{target}");
            assert!(head.contains("X-Frame-Options: DENY"), "{target}");
        }
    }
}
