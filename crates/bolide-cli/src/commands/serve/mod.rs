//! `bolide serve`: the calculator from inside the program, for this machine only.
//!
//! It listens on the loopback address and answers GET and HEAD for the files of the page, nothing
//! else: all scoring happens in the browser, so no text ever comes here. `http` reads requests and
//! writes answers, `page` holds the files.

mod http;
mod page;

use crate::args::Context;
use crate::error::{Context as _, Result, remark};
use page::Page;
use std::io::Write;
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;

/// Open the calculator in your browser: METEOR with its alignment drawn, offline
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  bolide serve\n  bolide serve --port 0      any free port")]
pub struct Args {
    /// The port; 0 takes any that is free
    #[arg(long, short, value_name = "PORT", default_value_t = 8765)]
    port: u16,
    /// Read the page from this folder instead of from the program, to work on it
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
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
    http::serve(&listener, page)
}
