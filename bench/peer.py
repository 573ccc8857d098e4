"""Runs one of the Python peers for bench/run.py, in the environment that has them all.

    peer.py TASK HYPOTHESES REFERENCES OTHER_HYPOTHESES

Scores the first pair and prints `ready` and a remark; this is the cold start. Then it answers each input line with one line:
`pass` with the processor seconds and the wall-clock seconds of one pass over all pairs, `result` with the corpus score and the
scores of the segments (those that the peer has, as hexadecimal floats), and `peak` with the peak memory in MB. Every pass makes
a new metric object, as a script that scores a file does; the caches of the package itself stay. `cell SECONDS FILES` scores other files
in a copy of this process and answers with the processor seconds and the peak, or `stopped` if it takes more than these seconds.
"""

import contextlib
import os
import resource
import signal
import sys
import time
import warnings

TASKS = {}
# Bytes that a cell may take.
MEMORY = 6 << 30


def task(function):
    """Registers a function that makes another, from hypotheses and references to corpus score and segment scores."""
    TASKS[function.__name__] = function
    return function


@task
def nltk_meteor(_):
    from nltk.translate.meteor_score import single_meteor_score

    def run(hypotheses, references):
        return None, [single_meteor_score(r.split(), h.split()) for h, r in zip(hypotheses, references)]

    return run


@task
def nltk_words_meteor(_):
    from nltk import word_tokenize
    from nltk.translate.meteor_score import single_meteor_score

    def run(hypotheses, references):
        pairs = zip(hypotheses, references)
        return None, [single_meteor_score(word_tokenize(r), word_tokenize(h)) for h, r in pairs]

    return run


@task
def nltk_bleu(_):
    from nltk.translate.bleu_score import sentence_bleu

    warnings.simplefilter("ignore")

    def run(hypotheses, references):
        return None, [sentence_bleu([r.split()], h.split()) for h, r in zip(hypotheses, references)]

    return run


@task
def nltk_gleu(_):
    from nltk.translate.gleu_score import sentence_gleu

    def run(hypotheses, references):
        return None, [sentence_gleu([r.split()], h.split()) for h, r in zip(hypotheses, references)]

    return run


@task
def evaluate_meteor(_):
    import evaluate

    module = from_hub("meteor") or standing_in(evaluate)

    def run(hypotheses, references):
        return module.compute(predictions=hypotheses, references=references)["meteor"], []

    return run


def from_hub(name):
    """The module from evaluate.load, which downloads its code; None if the hub cannot be reached."""
    import socket

    import evaluate

    try:
        socket.create_connection(("huggingface.co", 443), timeout=3).close()
        module = evaluate.load(name)
    except Exception as error:  # Any network failure leads to the fallback.
        REMARKS.append(f"the hub was not reached ({type(error).__name__}): a module of the same steps")
        return None
    return module


def standing_in(evaluate):
    """The documented steps of the module (NLTK's tokens and METEOR, numpy's mean) within the package's own framework."""
    import datasets
    import nltk
    import numpy
    from nltk.translate.meteor_score import single_meteor_score

    class Meteor(evaluate.Metric):
        def _info(self):
            features = datasets.Features({"predictions": datasets.Value("string"), "references": datasets.Value("string")})
            return evaluate.MetricInfo(description="", citation="", features=features)

        def _compute(self, predictions, references):
            words = nltk.word_tokenize
            pairs = zip(predictions, references)
            return {"meteor": float(numpy.mean([single_meteor_score(words(r), words(h)) for h, r in pairs]))}

    return Meteor()


def sacrebleu(make):
    def run(hypotheses, references):
        return make().corpus_score(hypotheses, [references]).score, []

    return run


@task
def sacrebleu_bleu(_):
    from sacrebleu.metrics import BLEU

    return sacrebleu(lambda: BLEU(force=True))


@task
def sacrebleu_chrf(_):
    from sacrebleu.metrics import CHRF

    return sacrebleu(CHRF)


@task
def sacrebleu_chrfpp(_):
    from sacrebleu.metrics import CHRF

    return sacrebleu(lambda: CHRF(word_order=2))


@task
def sacrebleu_ter(_):
    from sacrebleu.metrics import TER

    return sacrebleu(TER)


@task
def sacrebleu_paired(others):
    from sacrebleu.metrics import BLEU
    from sacrebleu.significance import PairedTest

    def run(hypotheses, references):
        systems = [("first", hypotheses), ("second", others[: len(hypotheses)])]
        metric = BLEU(force=True, references=[references])
        PairedTest(systems, {"BLEU": metric}, references=None, test_type="bs", n_samples=1000)()
        return None, []

    return run


def rouge(kind):
    from rouge_score.rouge_scorer import RougeScorer

    def run(hypotheses, references):
        scorer = RougeScorer([kind])
        return None, [scorer.score(r, h)[kind].fmeasure for h, r in zip(hypotheses, references)]

    return run


@task
def rouge_1(_):
    return rouge("rouge1")


@task
def rouge_2(_):
    return rouge("rouge2")


@task
def rouge_L(_):
    return rouge("rougeL")


def captions(lines):
    return {idx: [line] for idx, line in enumerate(lines)}


@task
def coco_bleu(_):
    from pycocoevalcap.bleu.bleu import Bleu

    def run(hypotheses, references):
        scores, _ = Bleu(4).compute_score(captions(references), captions(hypotheses), verbose=0)
        return scores[3], []

    return run


@task
def rouge_Lsum(_):
    return rouge("rougeLsum")


@task
def nltk_chrf(_):
    from nltk.translate.chrf_score import sentence_chrf

    def run(hypotheses, references):
        return None, [sentence_chrf(r, h) for h, r in zip(hypotheses, references)]

    return run


@task
def nltk_nist(_):
    from nltk.translate.nist_score import corpus_nist

    def run(hypotheses, references):
        return corpus_nist([[r.split()] for r in references], [h.split() for h in hypotheses]), []

    return run


@task
def nltk_ribes(_):
    from nltk.translate.ribes_score import sentence_ribes

    def run(hypotheses, references):
        return None, [sentence_ribes([r.split()], h.split()) for h, r in zip(hypotheses, references)]

    return run


@task
def coco_rouge(_):
    from pycocoevalcap.rouge.rouge import Rouge

    def run(hypotheses, references):
        _, scores = Rouge().compute_score(captions(references), captions(hypotheses))
        return None, [float(score) for score in scores]

    return run


@task
def coco_cider(_):
    from pycocoevalcap.cider.cider import Cider

    def run(hypotheses, references):
        score, scores = Cider().compute_score(captions(references), captions(hypotheses))
        return float(score), [float(one) for one in scores]

    return run


@task
def coco_meteor(_):
    from pycocoevalcap.meteor.meteor import Meteor

    jar = Meteor()
    CHILDREN.append(jar.meteor_p.pid)

    def run(hypotheses, references):
        score, scores = jar.compute_score(captions(references), captions(hypotheses))
        return score, scores

    return run


# Child processes, and remarks about the peer.
CHILDREN, REMARKS = [], []


def processor():
    """Processor seconds of this process and of the jar."""
    total = time.process_time()
    for pid in CHILDREN:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def peak():
    """The peak of the resident memory in MB, the jar's included."""
    total = 0
    for pid in ["self", *CHILDREN]:
        with open(f"/proc/{pid}/status") as file:
            total += next(int(line.split()[1]) for line in file if line.startswith("VmHWM:"))
    return total / 1024


def cell(run, seconds, files):
    """One pass over other files in a child process, which starts with the peer loaded and is stopped after so many seconds."""
    hypotheses, references, _ = map(lines, files)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        status = 1
        # A child must not go on as its parent would, whatever happens.
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            signal.alarm(4 * seconds)
            used = time.process_time()
            run(hypotheses, references)
            os.write(writing, f"{time.process_time() - used}\t{peak()}".encode())
            status = 0
        finally:
            os._exit(status)
    os.close(writing)
    with os.fdopen(reading) as answers:
        answer = answers.read()
    os.waitpid(child, 0)
    return answer or "stopped"


def lines(path):
    with open(path, encoding="utf-8") as file:
        return file.read().split("\n")[:-1]


def main():
    name, *files = sys.argv[1:]
    hypotheses, references, others = map(lines, files)
    answers = os.fdopen(os.dup(1), "w")
    # Some peers print; standard output is only for answers.
    os.dup2(2, 1)
    with contextlib.redirect_stdout(sys.stderr):
        run = TASKS[name](others)
        run(hypotheses[:1], references[:1])
        print("ready", *REMARKS, file=answers, flush=True)
        for request in sys.stdin:
            match request.rstrip("\n").split("\t"):
                case ["cell", seconds, *other_files]:
                    answer = cell(run, int(seconds), other_files)
                case ["pass"]:
                    started, used = time.perf_counter(), processor()
                    run(hypotheses, references)
                    answer = f"{processor() - used}\t{time.perf_counter() - started}"
                case ["result"]:
                    corpus, segments = run(hypotheses, references)
                    bits = "-" if corpus is None else float(corpus).hex()
                    answer = "\t".join([bits, *(float(score).hex() for score in segments)])
                case ["peak"]:
                    answer = str(peak())
            print(answer, file=answers, flush=True)
    # Stops pycocoevalcap's jar explicitly, because its client would wait forever.
    os._exit(0)


if __name__ == "__main__":
    main()
