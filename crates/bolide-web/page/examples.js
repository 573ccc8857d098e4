// The worked examples, the numbers people check a METEOR with, and the metrics that stand beside another.
//
// This is the only file of the page that names metrics; everything else asks the engine.

export const EXAMPLES = [
  {
    name: "One substitution", score: "0.8067",
    hypothesis: "the cat is on the mat", references: ["the cat sat on the mat"], metric: "meteor:classic",
  },
  {
    name: "Same words, reordered", score: "0.8519",
    hypothesis: "the bird flew over a house", references: ["a bird flew over the house"], metric: "meteor:classic",
  },
  {
    name: "Stem mode", score: "0.6389",
    hypothesis: "the cats are running", references: ["the cat is run"], metric: "meteor:classic|match:exact+stem",
  },
  {
    name: "Word order", score: "0.9375",
    hypothesis: "on the mat sat the cat", references: ["the cat sat on the mat"], metric: "meteor:classic",
  },
  {
    name: "Identical", score: "0.9977",
    hypothesis: "the cat sat on the mat", references: ["the cat sat on the mat"], metric: "meteor:classic",
  },
  {
    name: "Synonyms, two references", score: "0.9985",
    hypothesis: "The physician examined the children quickly.",
    references: [
      "The doctor rapidly examined the children.",
      "The doctor examined the kids quickly.",
    ],
    metric: "meteor:classic",
  },
];

// Shown beside every score.
export const BESIDE = [{ name: "bleu:unigram", label: "BLEU-1" }, { name: "bleu:sacrebleu", label: "BLEU" }];
