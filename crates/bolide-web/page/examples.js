// The worked examples, each with its point and a task, and the metrics that are shown with every score.
//
// This is the only file of the page that names metrics; everything else comes from the engine. The tests compare every
// score and every solution with the engine.

import { mark } from "./strings.js";

const CAT = "the cat sat on the mat";

export const EXAMPLES = [
  {
    name: mark("One word differs"), score: "0.8067",
    hypothesis: "the cat is on the mat", references: [CAT], metric: "meteor:classic",
    point: mark("Five of six words match, in two chunks: “is” costs recall and precision, and it splits the match in two."),
    task: mark("Can you reach 0.95 by changing one word?"), goal: 0.95, solution: { hypothesis: CAT, score: "0.9977" },
  },
  {
    name: mark("Swapped words"), score: "0.8519",
    hypothesis: "the bird flew over a house", references: ["a bird flew over the house"], metric: "meteor:classic",
    point: mark("Every word matches, so precision and recall are 1; the four chunks alone cost the rest."),
    task: mark("Swap “the” and “a” back: what is left of the penalty?"), solution: { hypothesis: "a bird flew over the house", score: "0.9977" },
  },
  {
    name: mark("Stems"), score: "0.6389",
    hypothesis: "the cats are running", references: ["the cat is run"], metric: "meteor:classic|match:exact+stem",
    point: mark("“cats” and “cat” share a stem, and so do “running” and “run”; “are” and “is” do not."),
    task: mark("Match exact words only: how much do the stems bring?"), solution: { metric: "meteor:classic|match:exact", score: "0.1250" },
  },
  {
    name: mark("Word order"), score: "0.9375",
    hypothesis: "on the mat sat the cat", references: [CAT], metric: "meteor:classic",
    point: mark("The same words in another order, in three chunks. NLTK pairs “the” the wrong way round, finds six chunks and gives 0.5."),
    task: mark("Choose meteor:nltk and compare the two pictures."), solution: { metric: "meteor:nltk", score: "0.5000" },
  },
  {
    name: mark("Identical"), score: "0.9977",
    hypothesis: CAT, references: [CAT], metric: "meteor:classic",
    point: mark("Even a perfect match is one chunk, and one chunk is penalised: 0.5 · (1/6)³."),
    task: mark("Double the sentence on both sides: the penalty shrinks."), solution: { hypothesis: `${CAT} ${CAT}`, references: [`${CAT} ${CAT}`], score: "0.9997" },
  },
  {
    name: mark("Extra word"), score: "0.9654",
    hypothesis: "the cat was sat on the mat", references: [CAT], metric: "meteor:classic",
    point: mark("Recall is perfect and counts nine times as much as precision, so an extra word costs little."),
    task: mark("Take a word away instead: “the cat sat on the” loses far more."), solution: { hypothesis: "the cat sat on the", score: "0.8441" },
  },
  {
    name: mark("Repeated word"), score: "0.1613",
    hypothesis: "the the the the", references: ["the cat sat"], metric: "meteor:classic",
    point: mark("Words pair one to one: only one of the four finds a partner."),
    task: mark("Make it “the cat”: what do two real matches give?"), solution: { hypothesis: "the cat", score: "0.6466" },
  },
  {
    name: mark("Synonyms"), score: "0.9985",
    hypothesis: "The physician examined the children quickly.",
    references: [
      "The doctor rapidly examined the children.",
      "The doctor examined the kids quickly.",
    ],
    metric: "meteor:classic",
    point: mark("“physician” and “doctor” are synonyms in WordNet. Each reference is tried, and the best counts."),
    task: mark("Remove the second reference: now word order costs something."), solution: { references: ["The doctor rapidly examined the children."], score: "0.9067" },
  },
  {
    name: mark("Several references"), score: "0.9765",
    hypothesis: "it is going to rain today", references: ["rain is expected today", "it will rain today", "it is going to rain"], metric: "meteor:classic",
    point: mark("There are many ways to say the same. The score is that of the closest reference, here the third."),
    task: mark("Remove the third reference: which one counts now?"), solution: { references: ["rain is expected today", "it will rain today"], score: "0.6085" },
  },
  {
    name: mark("Chinese"), score: "0.8920",
    hypothesis: "猫 在 垫子 上 坐", references: ["猫 坐 在 垫子 上"], metric: "meteor:classic|match:exact|tok:space",
    point: mark("METEOR compares words, and Chinese text does not mark them: put spaces between words first."),
    task: mark("Remove the spaces: two unspaced sentences are one word each, and nothing matches."), solution: { hypothesis: "猫在垫子上坐", references: ["猫坐在垫子上"], score: "0.0000" },
  },
];

// The dialect that most people use; its pairing is one click away.
export const RIVAL = { name: "meteor:nltk", label: "NLTK" };

// Shown with every score.
export const BESIDE = [{ name: "bleu:unigram", label: "BLEU-1" }, { name: "bleu:sacrebleu", label: "BLEU" }];
