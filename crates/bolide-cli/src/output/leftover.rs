//! Files that an interrupted run must not leave behind.
//!
//! SIGINT and SIGTERM end the program as they always do, after these files were removed. Nothing can be
//! done about SIGKILL.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

static PATHS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A file that is removed when the run is interrupted, as long as this value lives.
pub struct Leftover(PathBuf);

impl Leftover {
    /// Watches over a file.
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

    /// Starts a thread that waits for signals. Without one they end the program at once.
    pub fn watch() {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            let (ready, is_ready) = mpsc::channel::<()>();
            let wait = move || {
                // The thread comes first: a signal that is caught must have somebody who hears it.
                let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
                drop(ready);
                for signal in signals.forever() {
                    super::with(|paths| {
                        for path in paths.drain(..) {
                            // It may have got its place in this moment.
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
