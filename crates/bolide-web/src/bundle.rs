//! Joins ES modules into one: the report is a single file, and the calculator is there sooner with fewer files.
//!
//! Each module becomes a function that runs once and returns its exports; an import becomes a name for part of
//! what an earlier module returned. Only the syntax that our own modules use is supported:
//! `import { a, b as c } from "./x.js";` at the start of a line, and there `export { a, b as c };` or `export` before a
//! `const`, a `function`, an `async function` or a `class`. A test reads every module.

use std::fmt::Write;

/// A module: its file name and its text.
pub type Module<'a> = (&'a str, &'a str);

/// One script with all modules; each may import from those before it.
pub fn bundle(modules: &[Module<'_>]) -> String {
    format!("\"use strict\";\n{}", functions(modules))
}

/// Asks a browser that knows it to compile all functions of a script while it reads it, in another thread. Otherwise it compiles
/// each at its first call, and the page waits.
const COMPILE_ALL: &str = "//# allFunctionsCalledOnLoad";

/// A module with all that it imports, which [`handed_on`] hands on to others.
pub fn join(modules: &[Module<'_>], last: &str) -> String {
    let names: Vec<String> = modules.iter().map(|(name, _)| variable(name)).collect();
    let (functions, last, names) = (functions(modules), convert(last).0, names.join(", "));
    format!("{COMPILE_ALL}\n{functions}{last}export {{ {names} }};\n")
}

/// A script with the modules that it would import when it runs, without waiting for them.
pub fn with_imports(modules: &[Module<'_>], script: &str) -> String {
    let import = |script: String, (name, _): &Module<'_>| {
        script.replace(&format!("import(\"./{name}\")"), &variable(name))
    };
    let script = modules.iter().fold(script.to_owned(), import);
    format!("{}{script}", functions(modules))
}

/// What takes the place of a module that was joined into the module `whole`.
pub fn handed_on((name, text): Module<'_>, whole: &str) -> String {
    let variable = variable(name);
    let exports = convert(text).1.join(", ");
    format!(
        "import {{ {variable} }} from \"./{whole}\";\nexport const {{ {exports} }} = {variable};\n"
    )
}

fn functions(modules: &[Module<'_>]) -> String {
    let mut out = String::new();
    for (name, text) in modules {
        let (body, exports) = convert(text);
        let _ = writeln!(out, "const {} = (() => {{", variable(name));
        out.push_str(&body);
        let _ = writeln!(out, "return {{ {} }};\n}})();", exports.join(", "));
    }
    out
}

/// The variable that holds what a module exports.
fn variable(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    format!("${}", name.trim_end_matches(".js").replace('-', "_"))
}

/// The body of a module without its imports and exports, and the names that it exports.
fn convert(text: &str) -> (String, Vec<String>) {
    let mut body = String::with_capacity(text.len());
    let mut exports = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        if let Some((import, after)) = import(rest) {
            body.push_str(&import);
            rest = after;
            continue;
        }
        match line.strip_prefix("export ") {
            Some(list) if list.starts_with('{') => {
                let names = list.trim_matches(|c| "{ };".contains(c)).split(", ");
                exports.extend(names.map(|name| match name.split_once(" as ") {
                    Some((inner, outer)) => format!("{outer}: {inner}"),
                    None => name.to_owned(),
                }));
            }
            Some(declaration) => {
                exports.extend(declared(declaration).map(str::to_owned));
                body.push_str(declaration);
            }
            // Comments on lines of their own only help readers of the sources.
            None if line.starts_with("//") => {}
            None => body.push_str(line),
        }
        body.push('\n');
        rest = after;
    }
    (body, exports)
}

/// An import at the start of the text, as a declaration, and what comes after it.
fn import(text: &str) -> Option<(String, &str)> {
    let (names, rest) = text.strip_prefix("import {")?.split_once("} from \"")?;
    let (path, rest) = rest.split_once("\";")?;
    let names = names.replace(" as ", ": ");
    Some((format!("const {{{names}}} = {};", variable(path)), rest))
}

/// The name that a declaration declares.
fn declared(declaration: &str) -> Option<&str> {
    let starts = ["const ", "function ", "async function ", "class "];
    let name = starts.iter().find_map(|start| declaration.strip_prefix(start))?;
    name.split(|c: char| !(c.is_alphanumeric() || c == '_')).next()
}

/// A style sheet without its comments, which nobody reads in a browser: a tenth of what it would load.
pub fn without_comments(style: &str) -> String {
    let mut kept = String::with_capacity(style.len());
    let mut rest = style;
    while let Some((before, behind)) = rest.split_once("/*") {
        kept.push_str(before);
        rest = behind.split_once("*/").map_or("", |(_, behind)| behind);
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_become_functions() {
        let one = "// About.\nconst x = 1;\nexport const y = 2;\nexport function f() {}\n";
        let two =
            "import { y as z,\n  f } from \"../one.js\";\nexport async function g() { f(z); }\n";
        let script = bundle(&[("../one.js", one), ("two.js", two)]);
        assert_eq!(
            script,
            "\"use strict\";\nconst $one = (() => {\n\nconst x = 1;\nconst y = 2;\nfunction f() {}\n\
             return { y, f };\n})();\nconst $two = (() => {\n\
             const { y: z,\n  f } = $one;\nasync function g() { f(z); }\nreturn { g };\n})();\n"
        );
    }

    #[test]
    fn a_script_has_what_it_would_import() {
        let one = ("pkg/one.js", "class A {}\nfunction b() {}\nexport { A, b as default };\n");
        assert_eq!(
            with_imports(&[one], "await import(\"./pkg/one.js\");\nimport(\"./two.js\");\n"),
            "const $one = (() => {\nclass A {}\nfunction b() {}\n\nreturn { A, default: b };\n})();\n\
             await $one;\nimport(\"./two.js\");\n"
        );
    }

    #[test]
    fn a_module_with_all_that_it_imports_exports_them() {
        let one = ("one.js", "export const x = 1;\n");
        let last = "import { x } from \"./one.js\";\nawait x;\n";
        assert_eq!(
            join(&[one], last),
            "//# allFunctionsCalledOnLoad\nconst $one = (() => {\nconst x = 1;\nreturn { x };\n})();\nconst { x } = $one;\nawait x;\nexport { $one };\n"
        );
        assert_eq!(
            handed_on(one, "last.js"),
            "import { $one } from \"./last.js\";\nexport const { x } = $one;\n"
        );
    }

    #[test]
    fn a_style_sheet_loses_its_comments_and_nothing_else() {
        let style = "/* One. */\na { color: red; } /* two\nlines */ b { top: 0; }\n";
        let expected = "\na { color: red; }  b { top: 0; }\n";
        assert_eq!(super::without_comments(style), expected);
        assert_eq!(super::without_comments("a > b { left: 0; }"), "a > b { left: 0; }");
    }
}
