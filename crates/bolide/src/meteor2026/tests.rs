//! Worked examples and laws of `meteor:2026`.

use super::*;
use crate::registry::AnyMetric;
use crate::resources::Resources;

fn metric(name: &str) -> Meteor2026 {
    match AnyMetric::build(name, &Resources::embedded()) {
        Ok(AnyMetric::Meteor2026(metric)) => metric,
        other => panic!("{other:?}"),
    }
}

fn explain(hypothesis: &str, reference: &str) -> Explanation {
    let references = [Text::Raw(reference)];
    metric("meteor:2026").explanation(Segment::new(Text::Raw(hypothesis), &references).unwrap())
}

#[test]
fn print() {
    for (h, r) in [
        ("the cat sat on the mat", "the cat sat on the mat"),
        ("on the mat sat the cat", "the cat sat on the mat"),
        ("The cats are running.", "the cat is running ."),
        ("a big dog barked loudly", "a large hound barked loudly"),
        ("Gentle rain drops from the sky", "Rain falls gently from the sky"),
        (
            "It is to insure the troops forever hearing the activity guidebook that party direct.",
            "It is the guiding principle which guarantees the military forces always being under the command of the Party.",
        ),
        ("prices rose by 3.5 % in May", "Prices increased by 3.5% in May"),
        ("completely different words", "nothing shared here"),
        ("Die Kinder spielten im Garten.", "Das Kind spielt in den Gärten."),
        ("Premiér navštívil Prahu včera", "Včera premiér navštívil Prahy"),
        ("我昨天去了北京。", "昨天我去北京了。"),
        ("वह कल दिल्ली गया था।", "वह कल दिल्ली गई थी।"),
    ] {
        let e = explain(h, r);
        println!("{h} | {r}");
        for l in &e.pairs {
            println!(
                "   {} ~ {}: {} ({}) chunk {}",
                e.hypothesis[l.hypothesis].text,
                e.reference[l.reference].text,
                l.stage,
                l.reason,
                l.chunk
            );
        }
        let references = [Text::Raw(r)];
        let s = metric("meteor:2026")
            .segment(Segment::new(Text::Raw(h), &references).unwrap(), &mut Scratch::default());
        println!(
            "   {} {} {} {} m{:?} b{} P{} R{} F{} pen{} -> {}",
            s.hypothesis_weight,
            s.reference_weight,
            s.hypothesis_credit,
            s.reference_credit,
            s.matches,
            s.breaks,
            e.precision,
            e.recall,
            e.fmean,
            e.penalty,
            e.score
        );
    }
}
