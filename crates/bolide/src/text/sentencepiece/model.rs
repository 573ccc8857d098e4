//! Reads the file of a SentencePiece model: just enough of protocol buffers for the fields that matter here.

/// What a piece is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Normal,
    Unknown,
    Control,
    UserDefined,
    Unused,
    Byte,
}

/// How a text is segmented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Unigram,
    Bpe,
}

/// A piece of the vocabulary.
pub struct Piece {
    pub text: String,
    pub score: f32,
    pub kind: Kind,
}

/// The content of a file.
pub struct Model {
    pub pieces: Vec<Piece>,
    pub method: Method,
    /// Whether unknown characters become their bytes.
    pub byte_fallback: bool,
    /// Whether spaces end words instead of beginning them.
    pub space_as_suffix: bool,
    /// The rules of the normaliser, compiled by SentencePiece.
    pub charsmap: Vec<u8>,
    pub add_dummy_prefix: bool,
    pub remove_extra_spaces: bool,
    pub escape_spaces: bool,
}

/// A field of a message: a number, or bytes.
enum Value<'a> {
    Number(u64),
    Float(f32),
    Bytes(&'a [u8]),
}

/// The fields of a message, in order.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn bytes(&mut self, n: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(n)?;
        self.0 = rest;
        Some(bytes)
    }

    /// The next field, `None` at the end, or an error.
    fn next(&mut self) -> Option<Option<(u64, Value<'a>)>> {
        if self.0.is_empty() {
            return Some(None);
        }
        let tag = self.number()?;
        let value = match tag & 7 {
            0 => Value::Number(self.number()?),
            1 => Value::Bytes(self.bytes(8)?),
            2 => {
                let n = usize::try_from(self.number()?).ok()?;
                Value::Bytes(self.bytes(n)?)
            }
            5 => Value::Float(f32::from_le_bytes(*self.bytes(4)?.first_chunk()?)),
            _ => return None,
        };
        Some(Some((tag >> 3, value)))
    }
}

impl Model {
    /// Reads a file; `None` if it is damaged.
    pub fn read(bytes: &[u8]) -> Option<Result<Model, &'static str>> {
        let mut model = Model {
            pieces: Vec::new(),
            method: Method::Unigram,
            byte_fallback: false,
            space_as_suffix: false,
            charsmap: Vec::new(),
            add_dummy_prefix: true,
            remove_extra_spaces: true,
            escape_spaces: true,
        };
        let mut fields = Fields(bytes);
        while let Some((field, value)) = fields.next()? {
            match (field, value) {
                (1, Value::Bytes(piece)) => model.pieces.push(piece_of(piece)?),
                (2, Value::Bytes(trainer)) => {
                    if let Err(problem) = model.read_trainer(trainer)? {
                        return Some(Err(problem));
                    }
                }
                (3, Value::Bytes(normalizer)) => model.read_normalizer(normalizer)?,
                _ => {}
            }
        }
        Some(Ok(model))
    }

    fn read_trainer(&mut self, bytes: &[u8]) -> Option<Result<(), &'static str>> {
        let mut fields = Fields(bytes);
        while let Some((field, value)) = fields.next()? {
            match (field, value) {
                (3, Value::Number(1)) => self.method = Method::Unigram,
                (3, Value::Number(2)) => self.method = Method::Bpe,
                (3, Value::Number(_)) => {
                    return Some(Err("the model segments neither by unigrams nor by byte pairs"));
                }
                (24, Value::Number(flag)) => self.space_as_suffix = flag != 0,
                (35, Value::Number(flag)) => self.byte_fallback = flag != 0,
                _ => {}
            }
        }
        Some(Ok(()))
    }

    fn read_normalizer(&mut self, bytes: &[u8]) -> Option<()> {
        let mut fields = Fields(bytes);
        while let Some((field, value)) = fields.next()? {
            match (field, value) {
                (2, Value::Bytes(rules)) => self.charsmap = rules.to_vec(),
                (3, Value::Number(flag)) => self.add_dummy_prefix = flag != 0,
                (4, Value::Number(flag)) => self.remove_extra_spaces = flag != 0,
                (5, Value::Number(flag)) => self.escape_spaces = flag != 0,
                _ => {}
            }
        }
        Some(())
    }
}

fn piece_of(bytes: &[u8]) -> Option<Piece> {
    let mut piece = Piece { text: String::new(), score: 0.0, kind: Kind::Normal };
    let mut fields = Fields(bytes);
    while let Some((field, value)) = fields.next()? {
        match (field, value) {
            (1, Value::Bytes(text)) => piece.text = str::from_utf8(text).ok()?.to_owned(),
            (2, Value::Float(score)) => piece.score = score,
            (3, Value::Number(kind)) => {
                piece.kind = match kind {
                    1 => Kind::Normal,
                    2 => Kind::Unknown,
                    3 => Kind::Control,
                    4 => Kind::UserDefined,
                    5 => Kind::Unused,
                    6 => Kind::Byte,
                    _ => return None,
                };
            }
            _ => {}
        }
    }
    Some(piece)
}
