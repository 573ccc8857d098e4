//! `bolide completions`: a script with which a shell completes the arguments of `bolide`.
//!
//! clap writes the script. The names of metrics are in it; for the keys after a `|`, it asks this command
//! (`--metrics`), which knows the dialects and their values.

use crate::args::{Cli, Context, metric_names};
use crate::error::{Result, usage};
use crate::output::sink::to_stdout;
use crate::run::all_resources;
use bolide::dialect::{Expects, find};
use clap::CommandFactory;
use clap_complete::Shell;

/// Write a completion script for a shell to standard output
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  bolide completions bash > ~/.local/share/bash-completion/completions/bolide"
)]
pub struct Args {
    /// The shell
    #[arg(required_unless_present = "metrics")]
    shell: Option<Shell>,
    /// Print the names of metrics, with their keys, that begin like this
    #[arg(long, hide = true, value_name = "START", allow_hyphen_values = true)]
    metrics: Option<String>,
}

/// Writes the script, first to memory: clap panics if a pipe is closed.
pub fn run(args: &Args, _: &Context) -> Result<()> {
    let text = match (&args.metrics, args.shell) {
        (Some(start), _) => metrics(start).iter().map(|name| name.clone() + "\n").collect(),
        (None, Some(shell)) => script(shell)?,
        (None, None) => return Err(usage("the shell is missing")),
    };
    to_stdout(text.as_bytes())
}

/// Everything that a partial signature may go on with, as whole names.
fn metrics(start: &str) -> Vec<String> {
    let Some((before, last)) = start.rsplit_once('|') else {
        return metric_names().filter(|name| name.starts_with(start)).map(str::to_owned).collect();
    };
    let mut parts = before.split('|');
    let name = parts.next().unwrap_or_default();
    let given: Vec<&str> = parts.filter_map(|part| part.split(':').next()).collect();
    let resources = all_resources();
    let Ok(dialect) = find(name) else { return Vec::new() };
    let (Ok(keys), Ok(plain)) = (dialect.keys(&resources), dialect.metric(&resources)) else {
        return Vec::new();
    };
    let mut names = Vec::new();
    for key in keys {
        if given.contains(&key.name) {
            continue;
        }
        let Some(value) = last.strip_prefix(key.name).and_then(|rest| rest.strip_prefix(':'))
        else {
            if key.name.starts_with(last) {
                names.push(format!("{before}|{}:", key.name));
            }
            continue;
        };
        let values = match key.expects {
            Expects::Word { words } => words,
            // Numbers and texts: the default shows what they look like.
            _ => plain.signature().get(key.name).map(str::to_owned).into_iter().collect(),
        };
        let values = values.iter().filter(|known| known.starts_with(value));
        names.extend(values.map(|value| format!("{before}|{}:{value}", key.name)));
    }
    names
}

const BASH: &str = r#"# By default a colon ends a word in bash, but the names of dialects contain one.
COMP_WORDBREAKS=${COMP_WORDBREAKS//:}
# Completes a metric: names from the list, keys by asking bolide.
_bolide_metrics() {
    local word="${1//\\/}"
    word="${word#[\'\"]}"
    if [[ $word != *\|* ]]; then
        COMPREPLY=($(compgen -W "$2" -- "$word"))
        return
    fi
    COMPREPLY=()
    local name
    while IFS= read -r name; do
        COMPREPLY+=("$name")
    done < <(bolide completions --metrics "$word" 2>/dev/null)
    # Readline quotes the bar of a file name; after a colon comes a value.
    compopt -o filenames -o nospace 2>/dev/null
}
# One -m takes several metrics: the option may stand some words back.
_bolide_option() {
    local at=$((COMP_CWORD - 1))
    while ((at > 0)) && [[ ${COMP_WORDS[at]} != -* ]]; do
        at=$((at - 1))
    done
    case "${COMP_WORDS[at]}" in
        -m|--metric) prev=-m ;;
    esac
}
"#;

const ZSH: &str = r#"
# Completes a metric: names from the list, keys by asking bolide.
_bolide_metrics() {
    local word="${(Q)PREFIX}"
    local -a names
    if [[ $word == *\|* ]]; then
        names=("${(@f)$(bolide completions --metrics "$word" 2>/dev/null)}")
        compadd -S '' -- $names
    else
        names=(LIST)
        compadd -- $names
    fi
}
"#;

const FISH: &str = r#"# Completes a metric: names from the list, keys by asking bolide.
function __bolide_metrics
    set -l word (commandline -ct | string trim --left --chars "'\"" | string replace --all '\\' '')
    if string match --quiet '*|*' -- "$word"
        for name in (bolide completions --metrics "$word" 2>/dev/null)
            printf '%s\tmetric\n' $name
        end
    else
        printf '%s\tmetric\n' LIST
    end
end
# One -m takes several metrics: the option may stand some words back.
function __bolide_after_metrics
    for word in (commandline -opc)[-1..1]
        if string match --quiet -- '-*' $word
            contains -- $word -m --metric
            return
        end
    end
    return 1
end
complete -c bolide -n __bolide_after_metrics -f -a "(__bolide_metrics)"
"#;

/// The script of clap, with our function for metrics in place of the list.
fn script(shell: Shell) -> Result<String> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "bolide", &mut script);
    let script = String::from_utf8(script)?;
    let names: Vec<&str> = metric_names().collect();
    let list = names.join(" ");
    Ok(match shell {
        Shell::Bash => {
            let plain = format!("COMPREPLY=($(compgen -W \"{list}\" -- \"${{cur}}\"))");
            let asking = format!("_bolide_metrics \"${{cur}}\" \"{list}\"");
            let before = "    prev=\"$3\"\n";
            let after = format!("{before}    _bolide_option\n");
            BASH.to_owned() + &script.replace(&plain, &asking).replace(before, &after)
        }
        Shell::Zsh => {
            let plain = format!(":METRIC:({})", list.replace(':', "\\:"));
            // All words up to the next option are metrics.
            let script = script.replace(&plain, ":*-*:METRIC:_bolide_metrics");
            // The first line says what the script completes.
            let (first, rest) = script.split_once('\n').unwrap_or((&script, ""));
            format!("{first}\n{}{rest}", ZSH.replace("LIST", &list))
        }
        Shell::Fish => {
            let lines: Vec<String> = names.iter().map(|name| format!("{name}\\t''")).collect();
            let plain = format!("-a \"{}\"", lines.join("\n"));
            let script = script.replace(&plain, "-a \"(__bolide_metrics)\"");
            FISH.replace("LIST", &list) + &script
        }
        _ => script,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keys_and_values_are_offered_in_turn() {
        assert_eq!(metrics("ter"), ["ter", "ter:sacrebleu"]);
        let keys = metrics("chrf|");
        assert!(keys.contains(&"chrf|case:".to_owned()) && keys.contains(&"chrf|nw:".to_owned()));
        assert_eq!(metrics("chrf|ca"), ["chrf|case:"]);
        assert_eq!(metrics("chrf|case:"), ["chrf|case:mixed", "chrf|case:lc"]);
        // A key that is there is not offered again.
        assert!(!metrics("chrf|case:lc|").contains(&"chrf|case:lc|case:".to_owned()));
        assert_eq!(metrics("chrf|case:lc|sp"), ["chrf|case:lc|space:"]);
        assert!(metrics("no such metric|").is_empty());
    }

    #[test]
    fn every_script_asks_for_keys() {
        for (shell, call) in [
            (Shell::Bash, "\n                    _bolide_metrics \"${cur}\" \""),
            (Shell::Zsh, "]:*-*:METRIC:_bolide_metrics'"),
            (Shell::Fish, "-r -f -a \"(__bolide_metrics)\""),
        ] {
            let script = script(shell).unwrap();
            assert!(script.contains("completions --metrics \"$word\""), "{shell}");
            assert!(shell != Shell::Bash || script.contains("    _bolide_option\n    cmd="));
            assert!(script.matches(call).count() >= 5, "{shell}: {}", script.matches(call).count());
        }
    }
}
