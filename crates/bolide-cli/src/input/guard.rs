//! A guard around readers that may panic on damaged files.
//!
//! Some formats are read by other people's code, which panics where ours would return an error. The guard
//! turns a panic into an error with the name of the file, and prevents its output.

use super::column::Column;
use super::open::Opened;
use super::{Result, Source};
use crate::error::anyhow;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

/// A source whose panics become errors.
pub struct Guarded(Box<dyn Source>);

impl Guarded {
    /// Opens a source inside the guard.
    pub fn open<S: Source + 'static>(
        name: &str,
        open: impl FnOnce() -> Result<S>,
    ) -> Result<Guarded> {
        Ok(Guarded(Box::new(guard(name, open)?)))
    }
}

impl Source for Guarded {
    fn opened(&self) -> &Opened {
        self.0.opened()
    }

    fn read(&mut self, columns: &mut [Column], max_rows: usize) -> Result<()> {
        let name = self.0.opened().name.clone();
        guard(&name, || self.0.read(columns, max_rows))
    }

    fn n_rows(&self) -> u64 {
        self.0.n_rows()
    }

    fn lines_read(&self, n: usize) -> Vec<u64> {
        self.0.lines_read(n)
    }

    fn count_rest(&mut self) -> Result<u64> {
        let name = self.0.opened().name.clone();
        guard(&name, || self.0.count_rest())
    }
}

thread_local! {
    /// Whether a panic of this thread will be caught, so that its message must not be printed.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs something and turns a panic into an error. After a panic, the values it used must not be used again.
fn guard<T>(name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |panic| {
            if !GUARDED.get() {
                usual(panic);
            }
        }));
    });
    let before = GUARDED.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(before);
    done.unwrap_or_else(|panic| {
        let told = panic.downcast_ref::<&str>().copied();
        let told = told.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        Err(anyhow!("{name}: is damaged: {}", told.unwrap_or("it cannot be read")))
    })
}

#[cfg(test)]
mod tests {
    use super::guard;

    #[test]
    fn a_panic_is_an_error_with_the_name_of_the_file() {
        let result = guard("t.parquet", || -> super::Result<()> { panic!("an offset is {}", -1) });
        assert_eq!(result.unwrap_err().to_string(), "t.parquet: is damaged: an offset is -1");
        assert_eq!(guard("t.parquet", || Ok(5)).unwrap(), 5);
    }
}
