//! How the jar resolves its options, and the Eval ID that names the result.
//!
//! Some rules look odd (`-p` changes the weights too; weights belong to positions, not to modules), but they
//! are the jar's. The doors parse command lines.

use super::java;
use super::language::{Language, Module, UNIVERSAL};
use super::task::Task;
use crate::error::{Error, ErrorKind, Result};

/// More modules than this are refused. The jar takes any number, but repeats add nothing useful.
pub const MAX_MODULES: usize = 8;

/// How text is prepared before it is split at blanks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Normalization {
    /// Not at all.
    None,
    /// Lower-casing.
    Lower,
    /// Tokenising, then lower-casing.
    Norm,
    /// Tokenising and dropping punctuation, then lower-casing.
    NormNoPunct,
}

impl Normalization {
    /// The name in an Eval ID.
    pub fn id(self) -> &'static str {
        match self {
            Normalization::None => "no_norm",
            Normalization::Lower => "lc_only",
            Normalization::Norm => "norm",
            Normalization::NormNoPunct => "norm_nopunct",
        }
    }
}

/// The options of the jar that affect a score, as given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// `-l`.
    pub language: Option<Language>,
    /// `-t`.
    pub task: Option<Task>,
    /// `-p`: α β γ δ.
    pub parameters: Option<Vec<f64>>,
    /// `-m`.
    pub modules: Option<Vec<Module>>,
    /// `-w`.
    pub weights: Option<Vec<f64>>,
    /// `-x`.
    pub beam: Option<i32>,
    /// `-norm`.
    pub norm: bool,
    /// `-lower`.
    pub lower: bool,
    /// `-noPunct`.
    pub no_punctuation: bool,
    /// `-ch`.
    pub characters: bool,
    /// `-new`: the caller supplies function words and paraphrases of a new language.
    pub new_language: bool,
}

/// A resolved configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Configuration {
    /// The language.
    pub language: Language,
    /// The task to show; custom once any parameter or module was given.
    pub task: Task,
    /// α β γ δ; fewer than four can be shown but not scored with.
    pub parameters: Vec<f64>,
    /// The modules, in the order of the statistics.
    pub modules: Vec<Module>,
    /// Weights by position.
    pub weights: Vec<f64>,
    /// Text preparation.
    pub normalization: Normalization,
    /// Alignments kept at each reference word.
    pub beam: i32,
    /// Whether precision and recall count characters.
    pub characters: bool,
}

impl Configuration {
    /// Applies options in the jar's order, regardless of the order in which they were given.
    pub fn resolve(options: &Options) -> Self {
        let Options { characters, .. } = *options;
        let language = options.language.unwrap_or(Language::English);
        let custom =
            options.parameters.is_some() || options.weights.is_some() || options.modules.is_some();
        let task = match (&options.parameters, options.task) {
            (Some(_), _) => Task::Custom,
            (None, Some(task)) => task,
            (None, None) => language.default_task(),
        };
        let mut configuration = Self::of_task(language, task);
        if let Some(parameters) = &options.parameters {
            configuration.parameters.clone_from(parameters);
        }
        if let Some(weights) = &options.weights {
            configuration.weights.clone_from(weights);
        }
        if let Some(modules) = &options.modules {
            configuration.modules.clone_from(modules);
            configuration.weights.resize(modules.len(), 0.0);
        }
        if custom {
            configuration.task = Task::Custom;
        }
        configuration.characters = characters;
        configuration.normalization = match options {
            Options { norm: true, no_punctuation: true, .. } => Normalization::NormNoPunct,
            Options { norm: true, .. } => Normalization::Norm,
            Options { lower: true, .. } => Normalization::Lower,
            _ => Normalization::None,
        };
        if options.new_language {
            configuration = Self::of_task(Language::Other, Task::Universal);
            configuration.normalization = Normalization::Lower;
        }
        configuration.beam = options.beam.unwrap_or(40);
        configuration
    }

    fn of_task(language: Language, task: Task) -> Self {
        let modules = match task {
            Task::Universal => UNIVERSAL,
            _ => language.default_modules(),
        };
        let (parameters, weights) = task.numbers(language);
        Configuration {
            language,
            task,
            parameters: parameters.to_vec(),
            modules: modules.to_vec(),
            weights: weights[..modules.len()].to_vec(),
            normalization: Normalization::None,
            beam: 40,
            characters: false,
        }
    }

    /// Whether a module is used.
    pub fn uses(&self, module: Module) -> bool {
        self.modules.contains(&module)
    }

    /// Refuses configurations on which the jar would crash while scoring.
    pub fn check(&self) -> Result<()> {
        let fail = |message: String| Err(Error::new(ErrorKind::InvalidSignature, message));
        let name = self.language.name();
        if self.parameters.len() < 4 {
            return fail(format!(
                "METEOR 1.5 needs four parameters (alpha beta gamma delta), got {}",
                self.parameters.len()
            ));
        }
        if self.modules.len() > MAX_MODULES {
            return fail(format!(
                "at most {MAX_MODULES} modules can be used, got {}",
                self.modules.len()
            ));
        }
        if self.modules.is_empty() {
            return fail("METEOR 1.5 needs at least one module, got none".to_owned());
        }
        if self.weights.len() > self.modules.len() {
            return fail(format!(
                "there are {} weights for {} modules",
                self.weights.len(),
                self.modules.len()
            ));
        }
        if self.uses(Module::Stem) && !self.language.has_stemmer() {
            return fail(format!("there is no stemmer for the language {name}"));
        }
        let tokenizes =
            matches!(self.normalization, Normalization::Norm | Normalization::NormNoPunct);
        if tokenizes && !self.language.has_tokenizer() {
            return fail(format!(
                "there is no tokenizer for the language {name}: only en cz fr es de ru can be \
                 normalised"
            ));
        }
        Ok(())
    }

    /// The jar's name for the configuration.
    pub fn eval_id(&self) -> String {
        let numbers = |numbers: &[f64]| {
            numbers.iter().map(|&x| java::double(x)).collect::<Vec<_>>().join("_")
        };
        let modules: Vec<&str> = self.modules.iter().map(|module| module.short()).collect();
        format!(
            "meteor-1.5-{}-{}-{}-{}-{}-{}",
            if self.characters { "ch" } else { "wo" },
            self.language.short(),
            self.normalization.id(),
            numbers(&self.parameters),
            modules.join("_"),
            numbers(&self.weights)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(options: Options, eval_id: &str) {
        assert_eq!(Configuration::resolve(&options).eval_id(), eval_id);
    }

    #[test]
    fn english_by_default() {
        check(
            Options { norm: true, ..Options::default() },
            "meteor-1.5-wo-en-norm-0.85_0.2_0.6_0.75-ex_st_sy_pa-1.0_0.6_0.8_0.6",
        );
    }

    #[test]
    fn parameters_bring_the_weights_of_adequacy() {
        check(
            Options { parameters: Some(vec![0.5, 1.0, 0.5, 0.5]), ..Options::default() },
            "meteor-1.5-wo-en-no_norm-0.5_1.0_0.5_0.5-ex_st_sy_pa-1.0_1.0_0.6_0.8",
        );
    }

    #[test]
    fn weights_belong_to_positions() {
        let modules = Some(vec![Module::Exact, Module::Paraphrase]);
        check(
            Options { modules, ..Options::default() },
            "meteor-1.5-wo-en-no_norm-0.85_0.2_0.6_0.75-ex_pa-1.0_0.6",
        );
    }

    #[test]
    fn a_new_language_overrides_all_but_the_beam() {
        let options = Options {
            new_language: true,
            characters: true,
            norm: true,
            beam: Some(7),
            parameters: Some(vec![1.0]),
            ..Options::default()
        };
        let configuration = Configuration::resolve(&options);
        assert_eq!(
            configuration.eval_id(),
            "meteor-1.5-wo-other-lc_only-0.7_1.4_0.3_0.7-ex_pa-1.0_0.6"
        );
        assert_eq!(configuration.beam, 7);
        assert!(configuration.check().is_ok());
    }

    #[test]
    fn what_the_jar_crashes_on_is_refused() {
        let refuse = |options: Options| {
            assert!(Configuration::resolve(&options).check().is_err(), "{options:?}");
        };
        refuse(Options { parameters: Some(vec![1.0, 2.0, 3.0]), ..Options::default() });
        refuse(Options { weights: Some(vec![1.0; 5]), ..Options::default() });
        refuse(Options { language: Some(Language::Danish), norm: true, ..Options::default() });
        let modules = Some(vec![Module::Exact, Module::Stem]);
        refuse(Options { language: Some(Language::Other), modules, ..Options::default() });
    }
}
