//! Files that an interrupted run must not leave behind.
//!
//! SIGINT and SIGTERM end the program as usual, but these files are removed first. SIGKILL cannot be handled.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

static PATHS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// While this value lives, an interrupted run removes the file.
pub struct Leftover(PathBuf);

impl Leftover {
    /// Registers a file for removal.
    pub fn new(path: &Path) -> Self {
        with(|paths| paths.push(path.to_owned()));
        #[cfg(unix)]
        signals::watch();
        Leftover(path.to_owned())
    }
}

impl Drop for Leftover {
    fn drop(&mut self) {
        with(|paths| paths.retain(|path| *path != self.0));
    }
}

fn with<T>(work: impl FnOnce(&mut Vec<PathBuf>) -> T) -> T {
    work(&mut PATHS.lock().unwrap_or_else(PoisonError::into_inner))
}

#[cfg(unix)]
mod signals {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    use std::sync::{Once, mpsc};
    use std::thread;

    /// Starts a thread that waits for signals. If it cannot start, signals end the program at once.
    pub fn watch() {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            let (ready, is_ready) = mpsc::channel::<()>();
            let wait = move || {
                // Catch signals only in the running thread, so that no caught signal is lost.
                let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
                drop(ready);
                for signal in signals.forever() {
                    super::with(|paths| {
                        for path in paths.drain(..) {
                            // This may fail: the file may just have been renamed.
                            let _ = std::fs::remove_file(path);
                        }
                    });
                    let _ = emulate_default_handler(signal);
                }
            };
            if thread::Builder::new().name("signals".to_owned()).spawn(wait).is_ok() {
                let _ = is_ready.recv();
            }
        });
    }
}
