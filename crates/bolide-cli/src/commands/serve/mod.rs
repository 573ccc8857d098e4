//! `bolide serve`: serves the calculator, which is built into the program, to this machine only.
//!
//! It listens on the loopback address and answers only GET and HEAD for the files of the page. All scoring
//! happens in the browser, so the server never receives a text. `http` reads requests and writes responses,
//! `page` holds the files.

mod http;
mod page;

use crate::args::Context;
use crate::error::{Context as _, Result, remark};
use page::Page;
use std::io::Write;
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Serve the calculator to your browser: METEOR with its alignment drawn, offline
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  bolide serve\n  bolide serve --open        and open it\n  bolide serve --port 0      any free port"
)]
pub struct Args {
    /// The port; 0 takes any that is free
    #[arg(long, short, value_name = "PORT", default_value_t = 8765)]
    port: u16,
    /// Read the page from this folder instead of the program, for development
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
    /// Open the page in a browser: the one that BROWSER names, or the system's default
    #[arg(long)]
    open: bool,
}

/// Prints the address and answers until it is interrupted.
pub fn run(args: &Args, context: &Context) -> Result<()> {
    let page = Page::new(args.dir.clone())?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, args.port))
        .with_context(|| format!("port {} of 127.0.0.1", args.port))?;
    let address = listener.local_addr()?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "http://{address}/")?;
    out.flush()?;
    drop(out);
    if !context.quiet {
        remark("The page is served to this machine only; Ctrl-C ends it.");
    }
    if args.open && !open(&format!("http://{address}/")) {
        context.remark("found no browser: open the address above yourself");
    }
    http::serve(&listener, page)
}

/// Opens an address in a browser; returns whether one was started.
fn open(address: &str) -> bool {
    let of_system: &[&str] = match std::env::consts::OS {
        "macos" => &["open"],
        "windows" => &["explorer"],
        _ => &["xdg-open", "sensible-browser"],
    };
    let of_user = std::env::var("BROWSER").ok().filter(|name| !name.is_empty());
    let programs = of_user.iter().map(String::as_str).chain(of_system.iter().copied());
    let start = |program: &str| {
        let mut command = Command::new(program);
        command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().is_ok()
    };
    programs.into_iter().any(start)
}
