//! The referee's figures against stored results of NumPy and SciPy (`testdata/correlation.json.gz`, made by
//! `tests/live/referee.py`): coefficients and their averages, Williams' test, soft accuracy and rank clusters.

use bolide::correlation::{Coefficient, clusters, soft, williams};
use bolide_testdata::{Value, correlations};

/// Both sides add rounded numbers, each in its own order.
const TOLERANCE: f64 = 1e-12;

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(number).collect()
}

#[track_caller]
fn check(what: &str, ours: f64, theirs: f64) {
    let same = (ours.is_nan() && theirs.is_nan()) || (ours - theirs).abs() <= TOLERANCE;
    assert!(same, "{what}: {ours} {theirs}");
}

struct Set {
    system: Vec<f64>,
    item: Vec<f64>,
    human: Vec<f64>,
    metrics: Vec<Vec<f64>>,
    expected: Value,
}

fn distinct(list: &[f64]) -> Vec<f64> {
    let mut distinct = list.to_vec();
    distinct.sort_by(f64::total_cmp);
    distinct.dedup();
    distinct
}

impl Set {
    fn of(case: &Value) -> Self {
        let metrics = case["metrics"].as_array().unwrap().iter().map(numbers).collect();
        let [system, item, human] = ["system", "item", "human"].map(|name| numbers(&case[name]));
        Set { system, item, human, metrics, expected: case["expected"].clone() }
    }

    fn lists(&self, by: &str) -> Vec<Vec<usize>> {
        let column = match by {
            "item" => &self.item,
            "system" => &self.system,
            _ => return vec![(0..self.human.len()).collect()],
        };
        let rows = |of: f64| (0..column.len()).filter(|&row| column[row] == of).collect();
        distinct(column).into_iter().map(rows).collect()
    }

    /// The scores of each system for the items that all systems have.
    fn matrix(&self, values: &[f64]) -> Vec<Vec<f64>> {
        let rows = 0..values.len();
        let cell = |system: f64, item: f64| {
            let row =
                rows.clone().find(|&row| self.system[row] == system && self.item[row] == item);
            row.map(|row| values[row])
        };
        let systems = distinct(&self.system);
        let mut items = distinct(&self.item);
        items.retain(|&item| systems.iter().all(|&system| cell(system, item).is_some()));
        let list = |&system: &f64| items.iter().filter_map(|&item| cell(system, item)).collect();
        systems.iter().map(list).collect()
    }
}

fn slices(lists: &[Vec<f64>]) -> Vec<&[f64]> {
    lists.iter().map(Vec::as_slice).collect()
}

fn ranks(value: &Value) -> Vec<Option<u32>> {
    let list = value.as_array().unwrap().iter();
    list.map(|rank| rank.as_u64().and_then(|rank| rank.try_into().ok())).collect()
}

#[test]
fn averages_by_item_and_system_are_those_of_scipy() {
    let mut n_checked = 0;
    for case in correlations()["cases"].as_array().unwrap() {
        let set = Set::of(case);
        for (name, coefficient) in Coefficient::CHOICES {
            for by in ["none", "item", "system"] {
                let what = format!("{name}/{by}");
                for (metric, theirs) in
                    set.metrics.iter().zip(numbers(&set.expected["averages"][&what]))
                {
                    let pick = |values: &[f64], list: &[usize]| -> Vec<f64> {
                        list.iter().map(|&row| values[row]).collect()
                    };
                    let lists: Vec<(Vec<f64>, Vec<f64>)> = set
                        .lists(by)
                        .iter()
                        .map(|list| (pick(metric, list), pick(&set.human, list)))
                        .collect();
                    let views: Vec<(&[f64], &[f64])> =
                        lists.iter().map(|(a, b)| (&a[..], &b[..])).collect();
                    check(&what, coefficient.mean_of(&views), theirs);
                    n_checked += 1;
                }
            }
        }
    }
    assert!(n_checked >= 1000);
}

#[test]
fn williams_test_and_the_ranks_that_follow_are_those_of_scipy() {
    let mut n_significant = 0;
    for case in correlations()["cases"].as_array().unwrap() {
        let set = Set::of(case);
        for (name, coefficient) in &Coefficient::CHOICES[..4] {
            let figures: Vec<f64> =
                set.metrics.iter().map(|metric| coefficient.of(metric, &set.human)).collect();
            let p = |a: usize, b: usize| {
                let between = coefficient.of(&set.metrics[a], &set.metrics[b]);
                williams::p_value(figures[a], figures[b], between, set.human.len())
            };
            let theirs = &set.expected["williams"][name];
            for (a, b) in [(0, 1), (0, 2), (1, 2)] {
                check(name, p(a, b), number(&theirs[a][b]));
                n_significant += usize::from(p(a, b) <= 0.05);
            }
            let ours = clusters::ranks(&figures, |a, b| p(a, b) <= 0.05);
            assert_eq!(ours, ranks(&set.expected["ranks"][name]), "{name}");
        }
    }
    assert!(n_significant > 50, "{n_significant}");
}

#[test]
fn soft_accuracy_and_the_ranks_of_systems_are_those_of_numpys_permutations() {
    let stored = correlations();
    let (n, seed) =
        (stored["samples"].as_u64().unwrap() as usize, stored["seed"].as_u64().unwrap());
    for case in stored["cases"].as_array().unwrap() {
        let set = Set::of(case);
        let human = set.matrix(&set.human);
        for (metric, theirs) in set.metrics.iter().zip(numbers(&set.expected["soft-accuracy"])) {
            let metric = set.matrix(metric);
            let ours = soft::accuracy(&slices(&metric), &slices(&human), n, seed);
            check("soft-accuracy", ours, theirs);
        }
        let all = std::iter::once(&set.human).chain(&set.metrics);
        for (values, theirs) in all.zip(set.expected["systems"].as_array().unwrap()) {
            let lists = set.matrix(values);
            assert_eq!(soft::clusters(&slices(&lists), n, seed, 0.05), ranks(theirs));
        }
    }
}
