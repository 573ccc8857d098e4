//! What a chrF was counted from: the n-grams of every order on both sides, and how the orders are averaged.

use super::{Chrf, MAX_ORDERS, Order as Counts, Score, Scratch, each_text, each_word};
use crate::definition::Definition;
use crate::evidence::{Evidence, Ngram, Order, Step, Words, best};
use crate::segment::{Segment, Text};
use crate::text::whitespace;

impl Chrf {
    pub(super) fn show(&self, segment: Segment<'_>) -> Evidence {
        let mut scratch = Scratch::default();
        let value = |pair: Segment<'_>| self.segment_value(pair, &mut scratch);
        let reference_idx = best(segment, value, |value, before| value > before);
        let stats = self.segment(segment, &mut scratch);
        let score = self.finish(&stats);
        let reference = segment.references().get(reference_idx).copied();
        let reference = reference.unwrap_or(Text::Raw(""));
        let sides = [segment.hypothesis(), reference];
        let [hypothesis, reference] = sides.map(|text| self.characters(text));
        let words = sides.map(|text| self.words(text));
        let n_char = self.char_order.min(MAX_ORDERS);
        let orders = stats.orders[..self.n_orders()].iter().enumerate();
        let orders = orders.map(|(idx, counts)| match idx.checked_sub(n_char) {
            None => order("character", idx + 1, counts, {
                let show = |ngram: &[char]| ngram.iter().collect();
                Ngram::list(idx + 1, &hypothesis, &[&reference], true, show)
            }),
            Some(idx) => order("word", idx + 1, counts, {
                let show = |ngram: &[String]| ngram.join(" ");
                Ngram::list(idx + 1, &words[0], &[&words[1]], true, show)
            }),
        });
        let orders: Vec<Order> = orders.collect();
        let references = segment.references().iter().map(|&text| self.words(text)).collect();
        Evidence {
            steps: self.steps(&orders, &score),
            orders,
            words: Words { hypothesis: self.words(segment.hypothesis()), references },
            reference_idx: Some(reference_idx),
            ..Evidence::default()
        }
    }

    fn characters(&self, text: Text<'_>) -> Vec<char> {
        let mut characters = Vec::new();
        each_text(text, self.lowercase, &mut String::new(), |text| {
            let kept = |c: &char| self.whitespace || !whitespace::is_space(*c);
            characters.extend(text.chars().filter(kept));
        });
        characters
    }

    fn words(&self, text: Text<'_>) -> Vec<String> {
        let mut words = Vec::new();
        if self.word_order > 0 {
            let push = |word: &str| words.push(word.to_owned());
            each_word(text, self.lowercase, &mut String::new(), push);
        }
        words
    }

    fn steps(&self, orders: &[Order], score: &Score) -> Vec<Step> {
        let n_both = orders.iter().filter(|o| o.hypothesis > 0 && o.reference > Some(0)).count();
        let mean = |name| format!("mean {name} of the {n_both} orders that both sides have");
        let (p, r) = (score.precision, score.recall);
        let factor = self.beta * self.beta;
        let formula = if self.eps_smoothing {
            format!("100·mean of (1 + β²)·p·r / (β²·p + r) over {} orders", orders.len())
        } else if p + r > 0.0 {
            let above = 1.0 + factor;
            format!(
                "(1 + β²)·P·R / (β²·P + R) = {above}·{p:.2}·{r:.2} / ({factor}·{p:.2} + {r:.2})"
            )
        } else {
            "0: no n-gram matches".to_owned()
        };
        vec![
            Step::new("precision", mean("precision"), p),
            Step::new("recall", mean("recall"), r),
            Step::new("score", formula, score.score),
        ]
    }
}

fn order(unit: &'static str, n: usize, counts: &Counts, ngrams: Vec<Ngram>) -> Order {
    let &Counts { hypothesis, reference, matches } = counts;
    let share = |of: u64| (of > 0).then(|| 100.0 * (matches as f64 / of as f64));
    Order {
        unit,
        n,
        hypothesis,
        reference: Some(reference),
        matches,
        precision: share(hypothesis),
        recall: share(reference),
        smoothed: false,
        ngrams,
    }
}
