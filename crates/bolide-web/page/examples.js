// The worked examples, each with its point and a task, and the metrics that are shown with every score.
//
// This is the only file of the page that names metrics; everything else comes from the engine. The tests compare every
// score and every solution with the engine.

const CAT = "the cat sat on the mat";

export const EXAMPLES = [
  {
    name: "One word differs", score: "0.8067",
    hypothesis: "the cat is on the mat", references: [CAT], metric: "meteor:classic",
    point: "Five of six words match, in two chunks: “is” costs recall and precision, and it splits the match in two.",
    task: "Can you reach 0.95 by changing one word?", solution: { hypothesis: CAT, score: "0.9977" },
  },
  {
    name: "Swapped words", score: "0.8519",
    hypothesis: "the bird flew over a house", references: ["a bird flew over the house"], metric: "meteor:classic",
    point: "Every word matches, so precision and recall are 1; the four chunks alone cost the rest.",
    task: "Swap “the” and “a” back: what is left of the penalty?", solution: { hypothesis: "a bird flew over the house", score: "0.9977" },
  },
  {
    name: "Stems", score: "0.6389",
    hypothesis: "the cats are running", references: ["the cat is run"], metric: "meteor:classic|match:exact+stem",
    point: "“cats” and “cat” share a stem, and so do “running” and “run”; “are” and “is” do not.",
    task: "Match exact words only: how much do the stems bring?", solution: { metric: "meteor:classic|match:exact", score: "0.1250" },
  },
  {
    name: "Word order", score: "0.9375",
    hypothesis: "on the mat sat the cat", references: [CAT], metric: "meteor:classic",
    point: "The same words in another order, in three chunks. NLTK pairs “the” the wrong way round, finds six chunks and gives 0.5.",
    task: "Choose meteor:nltk and compare the two pictures.", solution: { metric: "meteor:nltk", score: "0.5000" },
  },
  {
    name: "Identical", score: "0.9977",
    hypothesis: CAT, references: [CAT], metric: "meteor:classic",
    point: "Even a perfect match is one chunk, and one chunk is penalised: 0.5 · (1/6)³.",
    task: "Double the sentence on both sides: the penalty shrinks.", solution: { hypothesis: `${CAT} ${CAT}`, references: [`${CAT} ${CAT}`], score: "0.9997" },
  },
  {
    name: "Extra word", score: "0.9654",
    hypothesis: "the cat was sat on the mat", references: [CAT], metric: "meteor:classic",
    point: "Recall is perfect and counts nine times as much as precision, so an extra word costs little.",
    task: "Take a word away instead: “the cat sat on the” loses far more.", solution: { hypothesis: "the cat sat on the", score: "0.8441" },
  },
  {
    name: "Repeated word", score: "0.1613",
    hypothesis: "the the the the", references: ["the cat sat"], metric: "meteor:classic",
    point: "Words pair one to one: only one of the four finds a partner.",
    task: "Make it “the cat”: what do two real matches give?", solution: { hypothesis: "the cat", score: "0.6466" },
  },
  {
    name: "Synonyms", score: "0.9985",
    hypothesis: "The physician examined the children quickly.",
    references: [
      "The doctor rapidly examined the children.",
      "The doctor examined the kids quickly.",
    ],
    metric: "meteor:classic",
    point: "“physician” and “doctor” are synonyms in WordNet. Each reference is tried, and the best counts.",
    task: "Remove the second reference: now word order costs something.", solution: { references: ["The doctor rapidly examined the children."], score: "0.9067" },
  },
  {
    name: "Chinese", score: "0.8920",
    hypothesis: "猫 在 垫子 上 坐", references: ["猫 坐 在 垫子 上"], metric: "meteor:classic|match:exact|tok:space",
    point: "METEOR compares words, and Chinese text does not mark them: put spaces between words first.",
    task: "Remove the spaces: two unspaced sentences are one word each, and nothing matches.", solution: { hypothesis: "猫在垫子上坐", references: ["猫坐在垫子上"], score: "0.0000" },
  },
];

// Shown with every score.
export const BESIDE = [{ name: "bleu:unigram", label: "BLEU-1" }, { name: "bleu:sacrebleu", label: "BLEU" }];
