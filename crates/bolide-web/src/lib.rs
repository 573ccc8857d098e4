//! The pages of bolide, as bytes: the calculator that `bolide serve` shows, and the parts that
//! `bolide report` joins into one HTML file.
//!
//! The files are in `page/`, where they can be opened and edited without a build step; this crate only lists
//! them. The command serves and joins them. WordNet and its glosses, which the calculator also needs, are in `bolide-data`, and
//! the dictionaries of words in the engine.
#![forbid(unsafe_code)]

macro_rules! text {
    ($name:literal) => {
        include_str!(concat!("../page/", $name))
    };
}

/// A file of the calculator.
pub struct File {
    /// Its path, as the page requests it.
    pub name: &'static str,
    /// Its media type.
    pub kind: &'static str,
    /// Its content.
    pub content: &'static [u8],
    /// Whether the content is compressed with Brotli.
    pub is_brotli: bool,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";
const WASM: &str = "application/wasm";
const MANIFEST: &str = "application/manifest+json";
const TEXT: &str = "text/plain; charset=utf-8";

macro_rules! calculator {
    ($($name:literal: $kind:ident,)* ; $($module:literal,)*) => {
        /// The files of the calculator; `index.html` is the page itself. The modules, most of what a visit
        /// loads, are here as they are sent: compressed better than gzip can.
        pub const CALCULATOR: &[File] = &[
            $(File {
                name: $name, kind: $kind, content: include_bytes!(concat!("../page/", $name)), is_brotli: false,
            },)*
            $(File {
                name: $module, kind: WASM, content: include_bytes!(concat!("../page/", $module, ".br")), is_brotli: true,
            },)*
        ];
    };
}

calculator! {
    "index.html": HTML,
    "style.css": CSS,
    "alignment.css": CSS,
    "icon.svg": SVG,
    "LICENSE-words.txt": TEXT,
    "manifest.webmanifest": MANIFEST,
    "early.js": JS,
    "app.js": JS,
    "alignment.js": JS,
    "batch.js": JS,
    "beside.js": JS,
    "compare.js": JS,
    "dom.js": JS,
    "engine.js": JS,
    "examples.js": JS,
    "evidence.js": JS,
    "files.js": JS,
    "formula.js": JS,
    "glossary.js": JS,
    "glosses.js": JS,
    "inputs.js": JS,
    "language.js": JS,
    "lesson.js": JS,
    "matrix.js": JS,
    "metric.js": JS,
    "options.js": JS,
    "overlay.js": JS,
    "paraphrases.js": JS,
    "permalink.js": JS,
    "picture.js": JS,
    "result.js": JS,
    "steps.js": JS,
    "strings.js": JS,
    "strings/de.js": JS,
    "strings/es.js": JS,
    "strings/fr.js": JS,
    "strings/hi.js": JS,
    "strings/ja.js": JS,
    "strings/zh.js": JS,
    "sw.js": JS,
    "takeaway.js": JS,
    "whatif.js": JS,
    "worker.js": JS,
    "pkg/bolide_wasm.js": JS,
    "pkg/bolide_wasm_languages.js": JS,
    ;
    "pkg/bolide_wasm_bg.wasm",
    "pkg/bolide_wasm_languages_bg.wasm",
}

/// The parts of a report.
pub mod report {
    /// The markup, with names in double braces where the other parts go.
    pub const TEMPLATE: &str = text!("report/report.html");
    /// The icon, which a report carries inside itself.
    pub const ICON: &str = text!("icon.svg");
    /// The style sheets, in the order in which they apply.
    pub const STYLES: &[&str] =
        &[text!("style.css"), text!("alignment.css"), text!("report/report.css")];

    macro_rules! modules {
        ($($name:literal,)*) => {
            /// Name and text of the script's modules; each comes after those that it imports.
            pub const MODULES: &[(&str, &str)] = &[$(($name, text!($name)),)*];
        };
    }

    modules! {
        "strings.js",
        "dom.js",
        "alignment.js",
        "matrix.js",
        "overlay.js",
        "picture.js",
        "report/format.js",
        "report/data.js",
        "report/alignments.js",
        "report/state.js",
        "report/exports.js",
        "report/charts.js",
        "report/leaderboard.js",
        "report/histograms.js",
        "report/detail.js",
        "report/segments.js",
        "report/buckets.js",
        "report/words.js",
        "report/human.js",
        "report/main.js",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn every_file_of_the_calculator_is_on_the_list() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        let mut names: Vec<String> = Vec::new();
        for folder in ["", "pkg/", "strings/"] {
            for entry in std::fs::read_dir(page.join(folder)).unwrap() {
                let name = entry.unwrap().file_name().into_string().unwrap();
                names.push(format!("{folder}{name}"));
            }
        }
        let endings = [".html", ".css", ".js", ".svg", ".txt", ".wasm", ".webmanifest"];
        names.retain(|name| endings.iter().any(|ending| name.ends_with(ending)));
        names.sort();
        let mut listed: Vec<&str> = CALCULATOR.iter().map(|file| file.name).collect();
        listed.sort();
        assert_eq!(names, listed);
    }
}
