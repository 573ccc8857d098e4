//! What is compared at one level in one group, and every figure of it. The engine computes the figures; here they
//! get the lists of texts that they are about.

use super::sides::mean;
use super::{Average, Settings, Test};
use crate::error::{Result, usage};
use crate::judgements::Judged;
use crate::output::correlation::{Figure, Standing};
use bolide::correlation::confidence::Sides;
use bolide::correlation::{
    Coefficient, clusters, confidence, pairwise, soft, standardized, williams,
};
use std::collections::BTreeMap;

/// The largest number of pairs for tie calibration; more would take hours.
const MOST_PAIRS: u64 = 1 << 32;
/// The largest p-value that counts as significant in rank clusters.
const SIGNIFICANT: f64 = 0.05;

/// What is compared at one level in one group.
pub struct Points {
    /// `segment` or `system`.
    pub level: &'static str,
    /// The number of the group.
    pub group: usize,
    /// What people say.
    pub human: Vec<f64>,
    /// The scores, one list for each metric.
    pub metrics: Vec<Vec<f64>>,
    /// The item of each text; empty at system level and without a column of items.
    pub item: Vec<usize>,
    /// The system of each text; empty at system level and without a column of systems.
    pub system: Vec<usize>,
    /// At system level, if there are items.
    pub texts: Option<Texts>,
}

impl Points {
    /// Refuses what would take too long.
    pub fn check(&self, coefficients: &[Coefficient], settings: &Settings) -> Result<()> {
        let n = self.human.len() as u64;
        let one_list = self.lists(Coefficient::PairwiseAccuracy, settings).is_none();
        let too_many = one_list && n * n.saturating_sub(1) / 2 > MOST_PAIRS;
        if too_many && coefficients.contains(&Coefficient::PairwiseAccuracy) {
            return Err(usage(format!(
                "{n} texts make too many pairs for tie calibration: give --item-column or --group-column"
            )));
        }
        Ok(())
    }

    /// The lists of texts that a figure is averaged over; `None` if it is about all texts at once.
    fn lists(&self, coefficient: Coefficient, settings: &Settings) -> Option<Vec<Vec<usize>>> {
        // WMT's accuracy compares translations of one source, so items are its default.
        let by_item = coefficient == Coefficient::PairwiseAccuracy && !self.item.is_empty();
        let average = settings.average.or(by_item.then_some(Average::Item));
        let numbers = match average {
            Some(Average::Item) => &self.item,
            Some(Average::System) => &self.system,
            Some(Average::None) | None => return None,
        };
        if numbers.is_empty() {
            // Systems are points themselves.
            return None;
        }
        let mut lists = vec![Vec::new(); numbers.iter().max().map_or(0, |&largest| largest + 1)];
        numbers.iter().enumerate().for_each(|(at, &number)| lists[number].push(at));
        Some(lists)
    }

    /// A coefficient of some scores.
    fn of(&self, coefficient: Coefficient, lists: Option<&Lists>, metric: &[f64]) -> f64 {
        let Some(lists) = lists else { return coefficient.of(metric, &self.human) };
        let picked = self.picked(lists, metric);
        coefficient.mean_of(&views(&picked))
    }

    fn picked(&self, lists: &Lists, metric: &[f64]) -> Vec<(Vec<f64>, Vec<f64>)> {
        let of = |list: &Vec<usize>, values: &[f64]| list.iter().map(|&at| values[at]).collect();
        lists.iter().map(|list| (of(list, metric), of(list, &self.human))).collect()
    }

    fn calibrate(&self, lists: Option<&Lists>, metric: &[f64]) -> pairwise::Calibration {
        match lists {
            Some(lists) => pairwise::calibrate(&views(&self.picked(lists, metric))),
            None => pairwise::calibrate(&[(metric, &self.human)]),
        }
    }

    /// One coefficient of one metric.
    pub fn figure(&self, side: usize, coefficient: Coefficient, settings: &Settings) -> Figure {
        let metric = &self.metrics[side];
        let lists = self.lists(coefficient, settings);
        let lists = lists.as_ref();
        let (value, threshold) = match coefficient {
            Coefficient::PairwiseAccuracy => {
                let best = self.calibrate(lists, metric);
                (best.accuracy, Some(best.threshold))
            }
            Coefficient::SoftAccuracy => (self.soft_accuracy(side, settings), None),
            Coefficient::ConfidenceError => (1.0 - self.soft_accuracy(side, settings), None),
            _ => (self.of(coefficient, lists, metric), None),
        };
        let interval = settings
            .confidence
            .then(|| self.interval(coefficient, lists, (metric, threshold), settings));
        let tested = settings.test.filter(|_| side > 0);
        let p_value = tested.map(|test| {
            self.p_value((0, side), coefficient, lists, (test, settings.sides), settings)
        });
        Figure {
            level: self.level,
            group: self.group,
            metric: side,
            coefficient,
            n: self.human.len(),
            value,
            threshold,
            interval,
            p_value,
            rank: None,
        }
    }

    fn soft_accuracy(&self, side: usize, settings: &Settings) -> f64 {
        let Some(texts) = &self.texts else { return f64::NAN };
        let (ours, theirs) = (slices(&texts.metrics[side]), slices(&texts.human));
        soft::accuracy(&ours, &theirs, settings.n_samples, settings.seed)
    }

    /// The bootstrap draws points; of an average, it draws what is averaged.
    fn interval(
        &self,
        coefficient: Coefficient,
        lists: Option<&Lists>,
        (metric, threshold): (&[f64], Option<f64>),
        settings: &Settings,
    ) -> [f64; 2] {
        // The threshold is a parameter of the metric, so it stays the same.
        let of = |metric: &[f64], human: &[f64]| match threshold {
            Some(threshold) => pairwise::accuracy(metric, human, threshold),
            None => coefficient.of(metric, human),
        };
        let (n_samples, seed) = (settings.n_samples, settings.seed);
        let figures = if let Some(lists) = lists {
            let picked = self.picked(lists, metric);
            let figures: Vec<f64> = picked
                .iter()
                .map(|(metric, human)| of(metric, human))
                .filter(|figure| !figure.is_nan())
                .collect();
            confidence::bootstrap(figures.len(), n_samples, seed, |drawn| {
                mean(drawn.iter().map(|&at| figures[at as usize]))
            })
        } else {
            confidence::bootstrap(metric.len(), n_samples, seed, |drawn| {
                let pick = |list: &[f64]| -> Vec<f64> {
                    drawn.iter().map(|&at| list[at as usize]).collect()
                };
                of(&pick(metric), &pick(&self.human))
            })
        };
        confidence::interval(&figures, 0.95)
    }

    /// The p-value of the difference between two metrics.
    fn p_value(
        &self,
        (first, second): (usize, usize),
        coefficient: Coefficient,
        lists: Option<&Lists>,
        (test, sides): (Test, Sides),
        settings: &Settings,
    ) -> f64 {
        let (a, b) = (&self.metrics[first], &self.metrics[second]);
        match test {
            Test::Permutation => {
                let trials = (settings.n_samples, settings.seed);
                let of = |metric: &[f64]| self.of(coefficient, lists, metric);
                let (a, b) = (standardized(a), standardized(b));
                confidence::permutation_p_value(&a, &b, trials, sides, of)
            }
            Test::Williams => {
                let with_people = [a, b].map(|metric| coefficient.of(metric, &self.human));
                let [a_human, b_human] = with_people;
                let between = coefficient.of(a, b);
                let p = williams::p_value(a_human, b_human, between, self.human.len());
                if sides == Sides::One { p } else { 2.0 * p }
            }
        }
    }

    /// The rank clusters of metrics by one coefficient, given their figures.
    pub fn ranks(
        &self,
        figures: &[f64],
        coefficient: Coefficient,
        settings: &Settings,
    ) -> Vec<Option<u32>> {
        let lists = self.lists(coefficient, settings);
        let test = (settings.test.unwrap_or(Test::Permutation), Sides::One);
        clusters::ranks(figures, |better, worse| {
            self.p_value((better, worse), coefficient, lists.as_ref(), test, settings)
                <= SIGNIFICANT
        })
    }

    /// The systems as people and each metric rank them.
    pub fn standings(&self, names: &[String], settings: &Settings) -> Vec<Standing> {
        let Some(texts) = &self.texts else { return Vec::new() };
        let mut standings = Vec::new();
        for (by, lists) in std::iter::once(&texts.human).chain(&texts.metrics).enumerate() {
            let views = slices(lists);
            let ranks = soft::clusters(&views, settings.n_samples, settings.seed, SIGNIFICANT);
            for (at, scores) in lists.iter().enumerate() {
                standings.push(Standing {
                    group: self.group,
                    system: names[texts.systems[at]].clone(),
                    metric: by.checked_sub(1),
                    score: mean(scores.iter().copied()),
                    rank: ranks.get(at).copied().flatten(),
                });
            }
        }
        standings
    }
}

/// Texts by number, list by list.
type Lists = Vec<Vec<usize>>;

fn views(picked: &[(Vec<f64>, Vec<f64>)]) -> Vec<(&[f64], &[f64])> {
    picked.iter().map(|(metric, human)| (&metric[..], &human[..])).collect()
}

fn slices(lists: &[Vec<f64>]) -> Vec<&[f64]> {
    lists.iter().map(Vec::as_slice).collect()
}

/// The scores of every system's texts, in the order of the items that all systems have.
pub struct Texts {
    /// The systems, by number.
    systems: Vec<usize>,
    human: Vec<Vec<f64>>,
    /// By metric, then by system.
    metrics: Vec<Vec<Vec<f64>>>,
}

impl Texts {
    /// Collects them from the rows of each system.
    pub fn of(
        judged: &Judged,
        of_system: &[(usize, Vec<usize>)],
        segment_scores: &[Vec<f64>],
    ) -> Self {
        // The rows of each item. A text that was judged more than once has the mean of its scores.
        let by_item = |(_, rows): &(usize, Vec<usize>)| {
            let mut items: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            for &row in rows.iter().filter(|&&row| !judged.human[row].is_nan()) {
                items.entry(judged.item[row]).or_default().push(row);
            }
            items
        };
        let systems: Vec<BTreeMap<usize, Vec<usize>>> = of_system.iter().map(by_item).collect();
        let known = systems.first().into_iter().flat_map(|items| items.keys().copied());
        let common: Vec<usize> =
            known.filter(|item| systems.iter().all(|items| items.contains_key(item))).collect();
        let pick = |scores: &[f64]| -> Vec<Vec<f64>> {
            let of = |rows: &[usize]| mean(rows.iter().map(|&row| scores[row]));
            let list = |items: &BTreeMap<usize, Vec<usize>>| {
                common.iter().map(|item| of(&items[item])).collect()
            };
            systems.iter().map(list).collect()
        };
        Texts {
            systems: of_system.iter().map(|(system, _)| *system).collect(),
            human: pick(&judged.human),
            metrics: segment_scores.iter().map(|scores| pick(scores)).collect(),
        }
    }
}
