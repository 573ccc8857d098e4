//! The input of a metric: a [`Segment`] is a hypothesis and its references, each a [`Text`].

use crate::error::{Error, ErrorKind, Result};
use crate::stop::Stop;

/// One side of a segment: text to be tokenised, or tokens that the caller made.
///
/// ```
/// use bolide::Text;
/// assert_eq!(Text::from("the cat"), Text::Raw("the cat"));
/// assert_eq!(Text::from(&["the", "cat"][..]), Text::Tokens(&["the", "cat"]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text<'a> {
    /// A string; the metric's tokenizer splits it.
    Raw(&'a str),
    /// Tokens as given: not tokenised again, but case-folded if the metric folds case.
    Tokens(&'a [&'a str]),
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        Text::Raw(text)
    }
}

impl<'a> From<&'a [&'a str]> for Text<'a> {
    fn from(tokens: &'a [&'a str]) -> Self {
        Text::Tokens(tokens)
    }
}

/// A hypothesis and at least one reference.
///
/// ```
/// use bolide::{Segment, Text};
/// let references = [Text::Raw("the cat sat"), Text::Raw("a cat was sitting")];
/// assert!(Segment::new(Text::Raw("the cat"), &references).is_ok());
/// assert!(Segment::new(Text::Raw("the cat"), &[]).is_err());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Segment<'a> {
    hypothesis: Text<'a>,
    references: &'a [Text<'a>],
    stop: Stop<'a>,
}

impl<'a> Segment<'a> {
    /// Refuses an empty list of references here, so that no other code has to check.
    pub fn new(hypothesis: Text<'a>, references: &'a [Text<'a>]) -> Result<Self> {
        if references.is_empty() {
            return Err(Error::new(
                ErrorKind::InvalidSegment,
                "a segment needs at least one reference, got none",
            ));
        }
        Ok(Segment { hypothesis, references, stop: Stop::default() })
    }

    /// A text with one reference.
    pub(crate) fn pair(hypothesis: Text<'a>, reference: &'a Text<'a>) -> Self {
        let references = std::slice::from_ref(reference);
        Segment { hypothesis, references, stop: Stop::default() }
    }

    /// The hypothesis.
    pub fn hypothesis(&self) -> Text<'a> {
        self.hypothesis
    }

    /// The references. Never empty.
    pub fn references(&self) -> &'a [Text<'a>] {
        self.references
    }

    /// The references for the loops that score them: all, but no more once scoring is to stop. There may be a
    /// million.
    #[inline]
    pub(crate) fn each_reference(&self) -> impl Iterator<Item = Text<'a>> + use<'a> {
        let stop = self.stop;
        let goes_on = move |&(idx, _): &(usize, &Text<'a>)| idx == 0 || !stop.asked_every(4, idx);
        self.references.iter().enumerate().take_while(goes_on).map(|(_, &text)| text)
    }

    /// The same segment, but scoring ends early once `question` returns true. The result is then meaningless:
    /// check the answer before you use it.
    ///
    /// ```
    /// # #[cfg(feature = "embedded")] {
    /// use bolide::{Metric, Segment, Text};
    /// use std::sync::atomic::{AtomicBool, Ordering};
    /// let interrupted = AtomicBool::new(false);
    /// let question = || interrupted.load(Ordering::Relaxed);
    /// let references = [Text::Raw("the cat sat")];
    /// let segment = Segment::new(Text::Raw("the cat"), &references)?.stopped_by(&question);
    /// let metric: Metric = "rougeL".parse()?;
    /// let score = metric.scorer().value(segment);
    /// assert!(!question() && score > 0.0);
    /// # }
    /// # Ok::<(), bolide::Error>(())
    /// ```
    #[must_use]
    pub fn stopped_by(self, question: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Segment { stop: Stop::when(question), ..self }
    }

    /// What long computations check from time to time.
    pub fn stop(&self) -> Stop<'a> {
        self.stop
    }
}

/// Passes the segment, made of plain strings, to `work`. With one reference, the usual case, it does not
/// allocate.
pub(crate) fn with_strings<T>(
    hypothesis: &str,
    references: &[&str],
    work: impl FnOnce(Segment<'_>) -> T,
) -> Result<T> {
    let hypothesis = Text::Raw(hypothesis);
    match references {
        [only] => Ok(work(Segment::pair(hypothesis, &Text::Raw(only)))),
        several => {
            let texts: Vec<Text<'_>> = several.iter().map(|&text| Text::Raw(text)).collect();
            Segment::new(hypothesis, &texts).map(work)
        }
    }
}
