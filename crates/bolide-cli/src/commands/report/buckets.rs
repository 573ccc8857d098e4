//! Groups the segments by length, by number of references and by the user's labels, and scores every system
//! in each group from pooled statistics, as for the whole corpus.

use super::gather::{Gathered, Plan};
use crate::error::Result;
use bolide_runner::Runner;
use serde::Serialize;
use std::collections::HashMap;

/// Labels beyond this number are grouped as "other".
const MOST_LABELS: usize = 24;
/// If there are more different numbers than this, they are grouped into ranges …
const MOST_NUMBERS: usize = 12;
/// … this many, with about the same number of segments in each.
const RANGES: usize = 6;

/// One way to group the segments.
pub struct Bucketing {
    /// What the page shows before it has unpacked the rest.
    pub summary: Summary,
    /// The bucket of each segment.
    pub of_segment: Vec<u32>,
}

/// The buckets with their scores.
#[derive(Serialize)]
pub struct Summary {
    name: String,
    /// What the segments are grouped by, in a few words.
    about: String,
    labels: Vec<String>,
    counts: Vec<usize>,
    /// By metric, bucket and system.
    scores: Vec<Vec<Vec<f64>>>,
}

/// All groupings: by length, by number of references, then by the user's labels.
pub fn all(gathered: &Gathered, plan: &Plan<'_>, runner: Runner) -> Result<Vec<Bucketing>> {
    let rows = &gathered.rows;
    let length = |system: &super::gather::OfSystem| system.words[1].len();
    let lengths = rows.iter().map(|row| row.systems.first().map_or(0, length));
    let lengths: Vec<usize> = lengths.collect();
    let counts: Vec<String> = rows.iter().map(|row| row.references.len().to_string()).collect();
    let mut groups = vec![
        ("Length".to_owned(), "words in the reference".to_owned(), by_length(&lengths)),
        ("References".to_owned(), "references of the segment".to_owned(), by_label(&counts)),
    ];
    for (at, (_, name)) in plan.beside.buckets.iter().enumerate() {
        let labels: Vec<String> = rows.iter().map(|row| row.labels[at].clone()).collect();
        groups.push((name.clone(), format!("the column “{name}”"), by_label(&labels)));
    }
    let score = |(name, about, Groups { labels, of_segment })| {
        let mut counts = vec![0; labels.len()];
        of_segment.iter().for_each(|&bucket: &u32| counts[bucket as usize] += 1);
        let scores = scores(gathered, plan, labels.len(), &of_segment, runner)?;
        Ok(Bucketing { summary: Summary { name, about, labels, counts, scores }, of_segment })
    };
    groups.into_iter().map(score).collect()
}

fn scores(
    gathered: &Gathered,
    plan: &Plan<'_>,
    n_buckets: usize,
    of_segment: &[u32],
    runner: Runner,
) -> Result<Vec<Vec<Vec<f64>>>> {
    let n_metrics = plan.metrics.len();
    let column = |idx: usize| {
        let metric = &plan.metrics[idx % n_metrics].metric;
        let mut sums = vec![metric.corpus().statistics(); n_buckets];
        for (stats, &bucket) in gathered.stats[idx].iter().zip(of_segment) {
            sums[bucket as usize].merge(stats)?;
        }
        sums.iter().map(|sum| Ok(metric.finish(sum)?.value)).collect()
    };
    let columns: bolide::Result<Vec<Vec<f64>>> =
        runner.each(gathered.stats.len(), column).into_iter().collect();
    let columns = columns?;
    let cell =
        |metric: usize, bucket: usize, system: usize| columns[system * n_metrics + metric][bucket];
    let row = |metric, bucket| (0..plan.n_systems).map(|s| cell(metric, bucket, s)).collect();
    let table = |metric| (0..n_buckets).map(|bucket| row(metric, bucket)).collect();
    Ok((0..n_metrics).map(table).collect())
}

/// The buckets, and the bucket of each segment. No bucket is empty.
#[derive(Debug, PartialEq)]
struct Groups {
    labels: Vec<String>,
    of_segment: Vec<u32>,
}

impl Groups {
    /// Leaves out the buckets without segments.
    fn new(labels: Vec<String>, of_segment: Vec<u32>) -> Self {
        let mut numbers = vec![None; labels.len()];
        of_segment.iter().for_each(|&bucket| numbers[bucket as usize] = Some(0));
        let mut kept = Vec::new();
        for (label, number) in labels.into_iter().zip(&mut numbers) {
            if let Some(number) = number {
                *number = kept.len() as u32;
                kept.push(label);
            }
        }
        let of_segment = of_segment.iter().map(|&b| numbers[b as usize].unwrap_or(0)).collect();
        Groups { labels: kept, of_segment }
    }
}

/// Ranges of equal width, the last one open. The width is the largest of 5, 10, 20, 50 … for which at least
/// five ranges lie below the 95th percentile.
fn by_length(lengths: &[usize]) -> Groups {
    let mut sorted = lengths.to_vec();
    sorted.sort_unstable();
    let long = sorted.get(sorted.len() * 19 / 20).copied().unwrap_or(0);
    let steps = (0..).flat_map(|zeros| [5, 10, 20].map(|step| step * 10usize.pow(zeros)));
    let step = steps.take(24).take_while(|step| step * 5 <= long.max(25)).last().unwrap_or(5);
    let n_closed = (long / step).clamp(1, 9);
    let mut labels: Vec<String> =
        (0..n_closed).map(|at| format!("{}–{}", at * step, at * step + step - 1)).collect();
    labels.push(format!("{} and more", n_closed * step));
    let of_segment = lengths.iter().map(|&length| (length / step).min(n_closed) as u32).collect();
    Groups::new(labels, of_segment)
}

/// Numbers in ascending order, or in ranges if there are many; other labels by decreasing frequency.
fn by_label(values: &[String]) -> Groups {
    let mut ids: HashMap<&str, usize> = HashMap::new();
    let mut labels: Vec<(&str, usize)> = Vec::new();
    let mut of_value = Vec::with_capacity(values.len());
    for value in values {
        let id = *ids.entry(value).or_insert_with(|| {
            labels.push((value, 0));
            labels.len() - 1
        });
        labels[id].1 += 1;
        of_value.push(id);
    }
    let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
    let numeric = labels.iter().all(|(label, _)| label.is_empty() || number(label).is_some());
    let mut order: Vec<usize> = (0..labels.len()).collect();
    if numeric && labels.len() > MOST_NUMBERS {
        return by_range(&values.iter().map(|value| number(value)).collect::<Vec<_>>());
    } else if numeric {
        let key = |id: &usize| number(labels[*id].0).unwrap_or(f64::INFINITY);
        order.sort_by(|a, b| key(a).total_cmp(&key(b)));
    } else {
        order.sort_by_key(|&id| std::cmp::Reverse(labels[id].1));
    }
    let n_kept = if order.len() > MOST_LABELS { MOST_LABELS - 1 } else { order.len() };
    let mut place = vec![n_kept as u32; labels.len()];
    (0u32..).zip(&order[..n_kept]).for_each(|(at, &id)| place[id] = at);
    let shown = |&id: &usize| match labels[id].0 {
        "" => "(empty)".to_owned(),
        label => label.to_owned(),
    };
    let mut names: Vec<String> = order[..n_kept].iter().map(shown).collect();
    if n_kept < order.len() {
        names.push(format!("{} other labels", order.len() - n_kept));
    }
    Groups::new(names, of_value.into_iter().map(|id| place[id]).collect())
}

/// Ranges of numbers with about the same number of segments in each.
fn by_range(numbers: &[Option<f64>]) -> Groups {
    let mut sorted: Vec<f64> = numbers.iter().flatten().copied().collect();
    sorted.sort_by(f64::total_cmp);
    // If most numbers equal the lowest, the next range begins above it.
    let lowest = sorted[0];
    let second = sorted.iter().copied().find(|&number| number > lowest);
    let edge = |at: usize| sorted[sorted.len() * at / RANGES];
    let mut edges: Vec<f64> = (1..RANGES).filter_map(|at| Some(edge(at).max(second?))).collect();
    edges.dedup();
    let bucket = |number: f64| edges.iter().filter(|&&edge| number >= edge).count();
    let mut labels: Vec<String> = Vec::new();
    for at in 0..=edges.len() {
        let inside: Vec<f64> = sorted.iter().copied().filter(|&x| bucket(x) == at).collect();
        let (first, last) = (inside.first(), inside.last());
        labels.push(match (first, last) {
            (Some(first), Some(last)) if first == last => first.to_string(),
            (Some(first), Some(last)) => format!("{first} to {last}"),
            _ => String::new(),
        });
    }
    labels.push("(empty)".to_owned());
    let none = edges.len() as u32 + 1;
    let place = |number: &Option<f64>| number.map_or(none, |number| bucket(number) as u32);
    Groups::new(labels, numbers.iter().map(place).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(values: &[&str]) -> (String, Vec<u32>) {
        let groups = by_label(&values.iter().map(|&value| value.to_owned()).collect::<Vec<_>>());
        (groups.labels.join(" | "), groups.of_segment)
    }

    #[test]
    fn lengths_fall_into_round_ranges() {
        let groups = by_length(&(1..=60).collect::<Vec<_>>());
        assert_eq!(groups.labels.join(" "), "0–9 10–19 20–29 30–39 40–49 50 and more");
        assert_eq!(groups.of_segment[8..10], [0, 1]);
        assert_eq!(groups.of_segment[59], 5);
        let short = by_length(&[1, 2, 3, 4, 26]);
        assert_eq!(short.labels, ["0–4", "25 and more"]);
        assert_eq!(by_length(&[0]).labels, ["0–4"]);
    }

    #[test]
    fn labels_stand_by_frequency_and_numbers_by_size() {
        assert_eq!(labels(&["b", "a", "a", ""]), ("a | b | (empty)".to_owned(), vec![1, 0, 0, 2]));
        assert_eq!(
            labels(&["10", "9", "", "9"]),
            ("9 | 10 | (empty)".to_owned(), vec![1, 0, 2, 0])
        );
    }

    #[test]
    fn many_numbers_become_ranges_and_many_labels_others() {
        let numbers: Vec<String> = (0..60).map(|n| n.to_string()).collect();
        let groups = by_label(&numbers);
        assert_eq!(groups.labels[0], "0 to 9");
        assert_eq!(groups.labels.len(), 6);
        let names: Vec<String> = (0..60).map(|n| format!("x{n}")).collect();
        let groups = by_label(&names);
        assert_eq!(groups.labels.len(), MOST_LABELS);
        assert_eq!(groups.labels[MOST_LABELS - 1], "37 other labels");
        // Equal numbers do not make empty ranges.
        let mut equal = vec!["5".to_owned(); 100];
        equal.extend((6..20).map(|n| n.to_string()));
        assert_eq!(by_label(&equal).labels, ["5", "6 to 19"]);
    }
}
