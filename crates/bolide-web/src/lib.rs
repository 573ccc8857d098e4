//! The pages of bolide, as bytes: the calculator that `bolide serve` shows, and the parts that
//! `bolide report` joins into one HTML file.
//!
//! The files are in `page/`, where they can be opened and edited without a build step; this crate lists
//! them and joins those that are needed together. The command serves them. WordNet and its glosses, which the
//! calculator also needs, are in `bolide-data`, and the dictionaries of words in the engine.
#![forbid(unsafe_code)]

pub mod bundle;
pub mod inline;

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
        pub static CALCULATOR: &[File] = &[
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

/// What runs before anything is drawn.
const EARLY: &str = "early.js";
/// The style sheets, in the order in which they apply.
const STYLES: [&str; 2] = ["style.css", "alignment.css"];

/// What `app.js` imports; each comes after those that it imports.
const FIRST: &[&str] = &[
    "strings.js",
    "dom.js",
    "metric.js",
    "alignment.js",
    "formula.js",
    "steps.js",
    "result.js",
    "engine.js",
    "examples.js",
    "inputs.js",
    "language.js",
    "options.js",
    "permalink.js",
];

/// What the first worker imports.
const WORKER: [&str; 2] = ["metric.js", "pkg/bolide_wasm.js"];

/// A text file of the calculator as it is sent, if that is not the file itself. All modules that the first score needs are
/// in `app.js`, those of its worker in `worker.js`, all styles in `style.css`, and what runs first is in the page: few files are
/// there sooner than many. Modules
/// that are loaded later still import the others by their own names.
pub fn joined(name: &str) -> Option<String> {
    match name {
        "index.html" => {
            let is_kept = |line: &&str| {
                !line.starts_with("<link rel=\"modulepreload\"") && !line.contains(STYLES[1])
            };
            let page: String = written(name).split_inclusive('\n').filter(is_kept).collect();
            Some(inline::with_script(&page, EARLY, written(EARLY)))
        }
        "app.js" => {
            let modules: Vec<_> = FIRST.iter().map(|name| (*name, written(name))).collect();
            Some(bundle::join(&modules, written(name)))
        }
        // Workers have no use for the rest.
        "metric.js" => None,
        "worker.js" => {
            let modules = WORKER.map(|name| (name, written(name)));
            Some(bundle::with_imports(&modules, written(name)))
        }
        _ if FIRST.contains(&name) => Some(bundle::handed_on((name, written(name)), "app.js")),
        _ if name == STYLES[0] => Some(bundle::without_comments(&STYLES.map(written).concat())),
        _ => None,
    }
}

/// A text file of the calculator as it is written.
fn written(name: &str) -> &'static str {
    let file = CALCULATOR.iter().find(|file| file.name == name);
    file.and_then(|file| std::str::from_utf8(file.content).ok()).unwrap_or_default()
}

/// The parts of a report.
pub mod report {
    use crate::bundle::Module;

    /// The markup, with names in double braces where the other parts go.
    pub const TEMPLATE: &str = text!("report/report.html");
    /// The icon, which a report carries inside itself.
    pub const ICON: &str = text!("icon.svg");
    /// The style sheets, in the order in which they apply.
    pub const STYLES: &[&str] =
        &[text!("style.css"), text!("alignment.css"), text!("report/report.css")];

    macro_rules! modules {
        ($($name:literal,)*) => { &[$(($name, text!($name)),)*] };
    }

    /// Name and text of the script's modules; each comes after those that it imports.
    pub const MODULES: &[Module<'_>] = modules! {
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
        "report/verdict.js",
        "report/leaderboard.js",
        "report/histograms.js",
        "report/detail.js",
        "report/segments.js",
        "report/buckets.js",
        "report/words.js",
        "report/human.js",
        "report/main.js",
    };
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

    #[test]
    fn every_module_imports_from_earlier_ones_what_they_export() {
        let first = FIRST.iter().chain(&["app.js"]).map(|name| (*name, written(name)));
        for modules in [report::MODULES.to_vec(), first.collect()] {
            for (at, (name, text)) in modules.iter().enumerate() {
                for import in text.split("\nimport {").skip(1) {
                    let (names, rest) = import.split_once("} from \"").unwrap();
                    let file = rest.split_once('"').unwrap().0.rsplit('/').next().unwrap();
                    let from = modules[..at].iter().find(|(known, _)| known.ends_with(file));
                    let (_, source) = from.unwrap_or_else(|| panic!("{name} imports {file}"));
                    for wanted in
                        names.split(',').map(str::trim).filter(|wanted| !wanted.is_empty())
                    {
                        let wanted = wanted.split(" as ").next().unwrap();
                        let kinds = ["const", "function", "async function", "class"];
                        let is_there = kinds.iter().any(|kind| {
                            let start = format!("export {kind} {wanted}");
                            source.match_indices(&start).any(|(found, _)| {
                                let next = source[found + start.len()..].chars().next();
                                !next.is_some_and(|c| c.is_alphanumeric() || c == '_')
                            })
                        });
                        assert!(is_there, "{name} imports {wanted} from {file}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_page_without_joined_modules_loads_them_at_once() {
        let page = written("index.html");
        let links = page.split("<link rel=\"modulepreload\" href=\"").skip(1);
        let mut names: Vec<&str> = links.map(|link| link.split('"').next().unwrap()).collect();
        names.sort();
        let mut first = FIRST.to_vec();
        first.sort();
        assert_eq!(names, first);
        assert!(!joined("index.html").unwrap().contains("rel=\"modulepreload\""));
    }

    #[test]
    fn the_page_has_what_runs_first_and_one_style_sheet() {
        let page = joined("index.html").unwrap();
        assert_eq!(page.matches("rel=\"stylesheet\"").count(), 1);
        assert!(page.contains("<link rel=\"stylesheet\" href=\"style.css\">"));
        let (_, script) = page.split_once("<script>").unwrap();
        let (script, _) = script.split_once("</script>").unwrap();
        assert!(script.contains("new Worker(") && !page.contains(EARLY));
        let hash = inline::hash(script);
        assert!(inline::policy(&page).unwrap().contains(&format!("script-src 'self' '{hash}' ")));
        let second = crate::bundle::without_comments(written("alignment.css"));
        assert!(joined("style.css").unwrap().ends_with(&second));
        assert!(joined("alignment.css").is_none());
    }

    #[test]
    fn joined_modules_leave_no_import() {
        let script = joined("app.js").unwrap();
        assert!(!script.contains("\nimport "));
        assert_eq!(script.matches("\nexport ").count(), 1);
        assert!(joined("metric.js").is_none());
        let worker = joined("worker.js").unwrap();
        assert!(!worker.contains("import(\"") && !worker.contains("\nexport "));
        assert!(worker.contains("Promise.all([$bolide_wasm, $metric])"));
        assert!(worker.contains("Engine, Paraphrases, initSync, default: __wbg_init }"));
        assert!(joined("dom.js").unwrap().contains(", byId, "));
    }
}
