//! The progress bar: on stderr, only on a terminal, and only if the work takes a while.
//!
//! It is one line that is written again and again. It needs no control sequences except the return to the start of
//! the line, and ends before the last column, so that the line never wraps.

use crate::args::Context;
use bolide_runner::Runner;
use std::cell::{Cell, RefCell};
use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Runs shorter than this show nothing.
const PATIENCE: Duration = Duration::from_millis(700);

/// The time between two states of the line.
const INTERVAL: Duration = Duration::from_millis(100);

/// How many columns the bar has.
const COLUMNS: u64 = 30;

/// The wheel that turns where the amount of work is not known.
const WHEEL: [char; 10] = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

type Position = Box<dyn Fn() -> u64 + Send>;

/// A bar that may never be shown.
pub struct Progress {
    wanted: bool,
    started: Cell<Instant>,
    /// The things that are counted.
    things: &'static str,
    /// How much work there is and how much is done, if that is known.
    work: RefCell<Option<(u64, Position)>>,
    line: RefCell<Line>,
    stage: RefCell<Option<Stage>>,
}

impl Progress {
    /// Decides whether there may be a bar.
    pub fn new(context: &Context) -> Self {
        Progress {
            wanted: !context.quiet && std::io::stderr().is_terminal(),
            started: Cell::new(Instant::now()),
            things: "segments",
            work: RefCell::new(None),
            line: RefCell::new(Line::default()),
            stage: RefCell::new(None),
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
            *self.work.borrow_mut() = Some((size, Box::new(position)));
        }
    }

    /// Shows how many of the counted things are done.
    pub fn advance(&self, n_done: u64) {
        let elapsed = self.started.get().elapsed();
        let mut line = self.line.borrow_mut();
        if !self.wanted || elapsed < PATIENCE || !line.is_due() {
            return;
        }
        let work = self.work.borrow().as_ref().map(|(size, position)| (*size, position()));
        line.draw(&format!("{n_done} {}", self.things), elapsed, work);
    }

    /// Shows another stage, of unknown length.
    pub fn stage(&self, what: &'static str) {
        self.show(what, None);
    }

    /// Calls `work` for each number below `n`, as [`Runner::each`] does, and shows it as a stage of `n` steps.
    pub fn each<T: Send>(
        &self,
        what: &'static str,
        runner: Runner,
        n: usize,
        work: impl Fn(usize) -> T + Sync,
    ) -> Vec<T> {
        let n_done = Arc::new(AtomicU64::new(0));
        self.show(what, Some((n as u64, Arc::clone(&n_done))));
        let results = runner.each(n, |idx| {
            let result = work(idx);
            n_done.fetch_add(1, Ordering::Relaxed);
            result
        });
        self.finish();
        results
    }

    fn show(&self, what: &'static str, steps: Option<(u64, Arc<AtomicU64>)>) {
        self.finish();
        if self.wanted {
            *self.stage.borrow_mut() = Stage::start(what, steps);
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        *self.stage.borrow_mut() = None;
        self.line.borrow_mut().clear();
    }
}

/// A thread that shows a stage until this is dropped, because nothing reports its steps.
struct Stage {
    /// Nothing is sent: the thread ends when it is dropped.
    going: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Stage {
    /// `None` if the system starts no thread: then there is no bar.
    fn start(what: &'static str, steps: Option<(u64, Arc<AtomicU64>)>) -> Option<Stage> {
        let (going, ended) = mpsc::channel();
        let started = Instant::now();
        let show = move || {
            let mut line = Line::default();
            while ended.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                let work = steps.as_ref().map(|(n, done)| (*n, done.load(Ordering::Relaxed)));
                line.draw(what, started.elapsed(), work);
            }
        };
        let thread = std::thread::Builder::new().spawn(show).ok()?;
        Some(Stage { going: Some(going), thread: Some(thread) })
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.going = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The last line of the terminal. A run that fails drops it, which removes the bar.
#[derive(Default)]
struct Line {
    /// The columns that are not empty.
    width: usize,
    n_drawn: usize,
    drawn: Option<Instant>,
}

impl Line {
    fn is_due(&self) -> bool {
        self.drawn.is_none_or(|drawn| drawn.elapsed() >= INTERVAL)
    }

    fn draw(&mut self, what: &str, elapsed: Duration, work: Option<(u64, u64)>) {
        let wheel = WHEEL[self.n_drawn % WHEEL.len()];
        let size = terminal_size::terminal_size_of(std::io::stderr());
        let columns = size.map_or(80, |(width, _)| usize::from(width.0));
        let text = text(what, wheel, elapsed, work);
        let text: String = text.chars().take(columns.saturating_sub(1)).collect();
        self.write(&text);
        self.n_drawn += 1;
        self.drawn = Some(Instant::now());
    }

    fn clear(&mut self) {
        if self.width > 0 {
            self.write("");
            print("\r");
        }
    }

    /// Replaces the line.
    fn write(&mut self, text: &str) {
        print(&format!("\r{text:<0$}", self.width));
        self.width = text.chars().count();
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.clear();
    }
}

/// If this fails, there is no way to say so.
fn print(text: &str) {
    let mut stderr = std::io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}

/// What the line says. `work` is how much there is and how much of it is done.
fn text(what: &str, wheel: char, elapsed: Duration, work: Option<(u64, u64)>) -> String {
    let Some((size, done)) = work else {
        return format!("{wheel} {what}  {}", rounded(elapsed));
    };
    let done = done.min(size);
    let share = if size == 0 { 1.0 } else { done as f64 / size as f64 };
    let filled = (share * COLUMNS as f64) as usize;
    let bar = "█".repeat(filled) + &"░".repeat(COLUMNS as usize - filled);
    let mut text = format!("{bar} {:>3} %  {what}  {}", (share * 100.0) as u64, rounded(elapsed));
    if done > 0 {
        let left = elapsed.mul_f64(((size - done) as f64 / done as f64).min(1e6));
        text += &format!(" (about {} left)", rounded(left));
    }
    text
}

/// A duration in the unit that suits it.
fn rounded(duration: Duration) -> String {
    match duration.as_secs() {
        seconds @ ..100 => format!("{seconds} s"),
        seconds @ ..6_000 => format!("{} min", (seconds + 30) / 60),
        seconds => format!("{} h", (seconds + 1_800) / 3_600),
    }
}

#[cfg(test)]
mod tests {
    use super::text;
    use std::time::Duration;

    #[test]
    fn the_line_says_what_is_done_and_what_is_left() {
        let after = Duration::from_secs;
        assert_eq!(text("sorting", '⠋', after(5), None), "⠋ sorting  5 s");
        let bar = |n| "█".repeat(n) + &"░".repeat(30 - n);
        for (n_seconds, work, n_columns, expected) in [
            (1, (10, 0), 0, "  0 %  7 segments  1 s"),
            (6, (10, 3), 9, " 30 %  7 segments  6 s (about 14 s left)"),
            (150, (10, 1), 3, " 10 %  7 segments  3 min (about 23 min left)"),
            (7_000, (10, 5), 15, " 50 %  7 segments  2 h (about 2 h left)"),
            // Inputs may grow while they are read, and empty ones have no share.
            (2, (10, 12), 30, "100 %  7 segments  2 s (about 0 s left)"),
            (2, (0, 0), 30, "100 %  7 segments  2 s"),
        ] {
            let shown = text("7 segments", '⠋', after(n_seconds), Some(work));
            assert_eq!(shown, format!("{} {expected}", bar(n_columns)));
        }
    }
}
