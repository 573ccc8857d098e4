//! `bolide serve`: its responses, and that no request ends it.

use crate::program::command;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::process::{Child, Stdio};
use std::time::Duration;

struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start() -> Self {
        Self::start_with(&[], &[])
    }

    fn start_with(args: &[&str], env: &[(&str, &str)]) -> Self {
        let mut child = command(&std::env::temp_dir())
            .args(["serve", "--port", "0", "--quiet"])
            .args(args)
            .envs(env.iter().copied())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").unwrap().strip_suffix('/').unwrap();
        assert!(address.starts_with("127.0.0.1:"), "{address}");
        Server { address: address.to_owned(), child }
    }

    /// Sends bytes and returns whatever comes back.
    fn send(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        // The server may respond and close before it has received everything.
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        answer
    }

    fn request(&self, method: &str, path: &str) -> (u16, String, Vec<u8>) {
        let head = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\n\r\n", self.address);
        let answer = self.send(head.as_bytes());
        let end = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
        let head = String::from_utf8(answer[..end].to_vec()).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, head, answer[end + 4..].to_vec())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn it_serves_the_page_and_only_the_page() {
    let server = Server::start();
    let (status, head, body) = server.request("GET", "/");
    assert_eq!(status, 200);
    assert!(body.starts_with(b"<!doctype html>"));
    for header in [
        "Content-Security-Policy: default-src 'none';",
        "X-Content-Type-Options: nosniff",
        "Referrer-Policy: no-referrer",
        "Content-Type: text/html; charset=utf-8",
    ] {
        assert!(head.contains(header), "{header} is missing in {head}");
    }
    let (status, head, body) = server.request("GET", "/pkg/bolide_wasm_bg.wasm?x=1");
    assert_eq!((status, &body[..4]), (200, &b"\0asm"[..]));
    assert!(head.contains("Content-Type: application/wasm"));
    let (status, head, body) = server.request("HEAD", "/app.js");
    assert_eq!((status, body.len()), (200, 0));
    assert!(!head.contains("Content-Length: 0"));
    let (status, _, body) = server.request("GET", "/pkg/wordnet-3.0.dat.gz");
    assert_eq!((status, &body[..2]), (200, &[0x1f, 0x8b][..]));
    assert_eq!(server.request("GET", "/pkg/LICENSE-WORDNET.txt").0, 200);

    for path in
        ["/Cargo.toml", "/../Cargo.toml", "/%2e%2e/Cargo.toml", "//etc/passwd", "/pkg", "/a b"]
    {
        let status = server.request("GET", path).0;
        assert!(matches!(status, 404 | 400), "{path}: {status}");
    }
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"] {
        let (status, head, _) = server.request(method, "/");
        assert_eq!(status, 405, "{method}");
        assert!(head.contains("Allow: GET, HEAD"));
    }
}

#[test]
fn garbage_does_not_end_it() {
    let mut server = Server::start();
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = move |n: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % n
    };
    let seeds: [&[u8]; 6] = [
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /app.js HTTP/1.0\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\nxx",
        b"GET http://127.0.0.1/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ];
    for round in 0..300 {
        let mut bytes = seeds[next(6) as usize].to_vec();
        for _ in 0..next(12) {
            let at = next(bytes.len() as u64 + 1) as usize;
            match next(3) {
                0 => bytes.insert(at, next(256) as u8),
                1 if at < bytes.len() => bytes[at] = next(256) as u8,
                _ => bytes.truncate(at.max(1)),
            }
        }
        let answer = server.send(&bytes);
        assert!(
            answer.is_empty() || answer.starts_with(b"HTTP/1.1 "),
            "round {round}: {bytes:?} got {answer:?}"
        );
    }
    // A head without an end, and one far too long.
    let endless = [b"GET / HTTP/1.1\r\n".to_vec(), b"X: y\r\n".repeat(200_000)].concat();
    let answer = server.send(&endless);
    assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 431 "), "{answer:?}");
    // Silent connections do not delay others.
    let silent: Vec<TcpStream> =
        (0..20).map(|_| TcpStream::connect(&server.address).unwrap()).collect();
    assert_eq!(server.request("GET", "/").0, 200);
    drop(silent);
    assert!(server.child.try_wait().unwrap().is_none(), "the server has ended");
    assert_eq!(server.request("GET", "/style.css").0, 200);
}

#[test]
fn a_port_that_is_taken_and_a_folder_without_a_page_are_errors() {
    let server = Server::start();
    let port = server.address.rsplit(':').next().unwrap();
    let run = |args: &[&str]| command(&std::env::temp_dir()).args(args).output().unwrap();
    let taken = run(&["serve", "--port", port]);
    let message = String::from_utf8(taken.stderr).unwrap();
    assert_eq!(taken.status.code(), Some(1));
    assert!(message.starts_with(&format!("bolide: port {port} of 127.0.0.1: ")), "{message}");
    let folder = tempfile::tempdir().unwrap();
    let empty = run(&["serve", "--port", "0", "--dir", folder.path().to_str().unwrap()]);
    assert_eq!(empty.status.code(), Some(1));
    assert!(String::from_utf8(empty.stderr).unwrap().contains("index.html"));
}

#[cfg(unix)]
#[test]
fn a_browser_gets_the_address() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (browser, told) = (folder.path().join("browser"), folder.path().join("told"));
    let script = format!("#!/bin/sh\necho \"$1\" > {0}.part && mv {0}.part {0}\n", told.display());
    std::fs::write(&browser, script).unwrap();
    std::fs::set_permissions(&browser, std::fs::Permissions::from_mode(0o755)).unwrap();
    let server = Server::start_with(&["--open"], &[("BROWSER", browser.to_str().unwrap())]);
    let mut waited = 0;
    while !told.exists() && waited < 200 {
        std::thread::sleep(Duration::from_millis(100));
        waited += 1;
    }
    assert_eq!(std::fs::read_to_string(&told).unwrap(), format!("http://{}/\n", server.address));
}
