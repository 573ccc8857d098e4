//! The progress bar: on stderr, only on a terminal, and only if the work takes a while.

use crate::args::Context;
use bolide_runner::Runner;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};
use std::cell::{Cell, RefCell};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Runs shorter than this show nothing.
const PATIENCE: Duration = Duration::from_millis(700);

/// Where the amount of work is known.
const KNOWN: &str = "{bar:30} {percent:>3} %  {msg}  {elapsed} (about {eta} left)";

type Position = Box<dyn Fn() -> u64 + Send>;

/// A bar that may never be shown.
pub struct Progress {
    wanted: bool,
    started: Cell<Instant>,
    bar: ProgressBar,
    /// The things that are counted.
    things: &'static str,
    position: RefCell<Option<Position>>,
}

impl Progress {
    /// Decides whether there may be a bar.
    pub fn new(context: &Context) -> Self {
        Progress {
            wanted: !context.quiet && std::io::stderr().is_terminal(),
            started: Cell::new(Instant::now()),
            // A run that fails must also remove the bar.
            bar: ProgressBar::hidden().with_finish(ProgressFinish::AndClear),
            things: "segments",
            position: RefCell::new(None),
        }
    }

    /// Counts something other than segments.
    pub fn of(self, things: &'static str) -> Self {
        Progress { things, ..self }
    }

    /// Starts, with the size of the input and a function that tells how much was read, if they are known.
    pub fn start(&self, input: Option<(u64, impl Fn() -> u64 + Send + 'static)>) {
        self.started.set(Instant::now());
        if let Some((size, position)) = input {
            self.bar.set_length(size);
            *self.position.borrow_mut() = Some(Box::new(position));
        }
    }

    /// Shows how many of the counted things are done.
    pub fn advance(&self, n_done: u64) {
        if !self.wanted || self.started.get().elapsed() < PATIENCE {
            return;
        }
        if self.bar.is_hidden() {
            let known = self.position.borrow().is_some();
            let template = if known { KNOWN } else { "{spinner} {msg}  {elapsed}" };
            if let Ok(style) = ProgressStyle::with_template(template) {
                self.bar.set_style(style);
            }
            self.bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
        }
        self.bar.set_message(format!("{n_done} {}", self.things));
        match self.position.borrow().as_ref() {
            Some(position) => self.bar.set_position(position()),
            None => self.bar.tick(),
        }
    }

    /// Shows another stage, of unknown length.
    pub fn stage(&self, what: &'static str) {
        self.show(what, "{spinner} {msg}  {elapsed}");
    }

    /// Calls `work` for each number below `n`, as [`Runner::each`] does, and shows it as a stage of `n` steps.
    pub fn each<T: Send>(
        &self,
        what: &'static str,
        runner: Runner,
        n: usize,
        work: impl Fn(usize) -> T + Sync,
    ) -> Vec<T> {
        self.bar.set_length(n as u64);
        self.show(what, KNOWN);
        let bar = &self.bar;
        let results = runner.each(n, |idx| {
            let result = work(idx);
            bar.inc(1);
            result
        });
        self.finish();
        results
    }

    fn show(&self, what: &'static str, template: &str) {
        if !self.wanted {
            return;
        }
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
        self.bar.reset();
        self.bar.set_message(what);
        self.bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
        // The bar starts a thread for this, and panics if the system refuses it.
        if std::thread::Builder::new().spawn(|| ()).is_ok() {
            self.bar.enable_steady_tick(PATIENCE / 5);
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
