//! Runs the binary in a separate folder.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder for one test and its files.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    pub fn with(self, name: &str, contents: impl AsRef<[u8]>) -> Self {
        std::fs::write(self.path(name), contents).unwrap();
        self
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The names of all files, hidden ones too.
    pub fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Runs `bolide` here.
    pub fn bolide(&self, args: &[&str]) -> Ran {
        self.bolide_with(args, b"")
    }

    /// Runs `bolide` here with something on standard input.
    pub fn bolide_with(&self, args: &[&str], stdin: &[u8]) -> Ran {
        self.bolide_with_env(args, stdin, &[])
    }

    /// Runs `bolide` here with something on standard input and in the environment.
    pub fn bolide_with_env(&self, args: &[&str], stdin: &[u8], env: &[(&str, &str)]) -> Ran {
        let mut command = command(self.0.path());
        command.args(args).envs(env.iter().copied());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let stdin = stdin.to_owned();
        let writer = std::thread::spawn(move || {
            // This fails if the program ends before it has read everything.
            let _ = std::io::Write::write_all(&mut input, &stdin);
        });
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        Ran(output)
    }
}

/// The binary, ready to be run in a folder.
pub fn command(folder: &Path) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("bolide"));
    // Ignore tables that the user of this machine may have imported.
    command.current_dir(folder).env_remove("NO_COLOR").env("BOLIDE_DATA", "no-tables");
    command
}

/// What a run printed and how it ended.
pub struct Ran(Output);

impl Ran {
    pub fn stdout(&self) -> &str {
        std::str::from_utf8(&self.0.stdout).unwrap()
    }

    pub fn stderr(&self) -> &str {
        std::str::from_utf8(&self.0.stderr).unwrap()
    }

    pub fn code(&self) -> i32 {
        self.0.status.code().unwrap()
    }

    /// The output of a run that must succeed and print nothing to stderr.
    #[track_caller]
    pub fn fine(&self) -> &str {
        assert_eq!((self.code(), self.stderr()), (0, ""), "{}", self.stdout());
        self.stdout()
    }

    /// The message of a run that must fail with this code and print nothing else.
    #[track_caller]
    pub fn fails(&self, code: i32) -> &str {
        assert_eq!(self.code(), code, "{}", self.stderr());
        assert_eq!(self.stdout(), "");
        self.message()
    }

    /// The one line on stderr without its prefix.
    #[track_caller]
    pub fn message(&self) -> &str {
        let message = self.stderr().strip_prefix("bolide: ").and_then(|m| m.strip_suffix('\n'));
        match message {
            Some(message) if !message.contains('\n') => message,
            _ => panic!("expected one line that starts 'bolide: ', got {:?}", self.stderr()),
        }
    }
}
