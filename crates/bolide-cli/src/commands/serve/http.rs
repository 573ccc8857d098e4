//! As much of HTTP/1.1 as a handful of files need, and no more.
//!
//! A request is a head of at most [`HEAD_LIMIT`] bytes that arrives within [`PATIENCE`]; its body is
//! never looked at. Every answer closes its connection. Whatever arrives, the answer is one of a
//! few status lines: there is no path from a request to the file system beyond the list of
//! `Page`.

use super::page::Page;
use crate::error::Result;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The longest head of a request.
const HEAD_LIMIT: usize = 16 * 1024;
/// How long a client may take to send its head, and to take the answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// Connections served at a time; more are turned away.
const MOST_CONNECTIONS: usize = 64;

/// The page runs our scripts, our module and nothing else, and can talk to nobody.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' blob: data:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Answers connections until the process ends.
pub fn serve(listener: &TcpListener, page: Page) -> Result<()> {
    let page = Arc::new(page);
    let open = Arc::new(AtomicUsize::new(0));
    loop {
        let Ok((stream, _)) = listener.accept() else {
            // Out of file handles, or a client that has gone: neither is a reason to end.
            std::thread::sleep(Duration::from_millis(20));
            continue;
        };
        let slot = Slot::take(&open);
        let page = Arc::clone(&page);
        // A thread that cannot be started drops the connection; the client may try again.
        let _ = std::thread::Builder::new().stack_size(256 * 1024).spawn(move || {
            let _ = answer(stream, &page, slot.is_none());
            drop(slot);
        });
    }
}

/// One of the places of [`MOST_CONNECTIONS`], given back when it is dropped.
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
    // Closing a socket with unread bytes resets it, and the client may never see the answer.
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

/// Reads up to the empty line. An error means that there is nobody to answer.
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
            // A client that closed its side after half a head gets told so.
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

/// The head and the body of the answer.
fn respond(request: std::result::Result<&[u8], Refusal>, page: &Page) -> (String, Vec<u8>) {
    let found = request.and_then(parse).and_then(|request| {
        let file = page.file(request.path).ok_or(Refusal(404, "Not Found"))?;
        Ok((file, request.wants_body))
    });
    match found {
        Ok(((kind, content), wants_body)) => {
            let head = head("200 OK", kind, content.len());
            (head, if wants_body { content.into_owned() } else { Vec::new() })
        }
        Err(Refusal(code, reason)) => {
            let body = format!("{code} {reason}\n");
            let head = head(&format!("{code} {reason}"), "text/plain; charset=utf-8", body.len());
            (head, body.into_bytes())
        }
    }
}

fn head(status: &str, kind: &str, length: usize) -> String {
    let allow = if status.starts_with("405") { "Allow: GET, HEAD\r\n" } else { "" };
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n{allow}\
         Connection: close\r\nCache-Control: no-cache\r\nContent-Security-Policy: {POLICY}\r\n\
         X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n\
         Referrer-Policy: no-referrer\r\nCross-Origin-Opener-Policy: same-origin\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\n\r\n"
    )
}

/// What an answer depends on.
#[derive(Debug, PartialEq, Eq)]
struct Request<'a> {
    path: &'a str,
    wants_body: bool,
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
    // A page elsewhere whose name was made to point here must not read ours.
    let mut hosts = lines
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_once(':'))
        .filter(|(name, _)| name.eq_ignore_ascii_case("host"));
    match (hosts.next(), hosts.next()) {
        (Some((_, host)), None) if is_loopback(host.trim()) => {}
        (None, None) if version == "HTTP/1.0" => {}
        (Some(_), None) => return Err(Refusal(421, "Misdirected Request")),
        _ => return Err(bad),
    }
    let path = target.split(['?', '#']).next().unwrap_or_default();
    match path.strip_prefix('/') {
        Some(path) => Ok(Request { path, wants_body }),
        None => Err(bad),
    }
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
    fn the_policy_of_the_server_is_that_of_the_page() {
        let html = Page::new(None).unwrap().file("").unwrap().1.into_owned();
        let html = String::from_utf8(html).unwrap();
        let meta = POLICY.replace("; frame-ancestors 'none'", "");
        assert!(html.contains(&meta), "index.html lacks: {meta}");
    }
}
