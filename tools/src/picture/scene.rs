//! The parts of a picture: a few kinds of shapes in user units, y downwards.

/// A colour: red, green, blue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rgb(pub u8, pub u8, pub u8);

/// Black.
pub const BLACK: Rgb = Rgb(0, 0, 0);
/// White.
pub const WHITE: Rgb = Rgb(255, 255, 255);

impl Rgb {
    /// The colour that lies `part` (0 to 1) of the way to another.
    pub fn towards(self, other: Rgb, part: f64) -> Rgb {
        let mix = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * part).round() as u8;
        Rgb(mix(self.0, other.0), mix(self.1, other.1), mix(self.2, other.2))
    }
}

/// The inside and the outline of a shape.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Paint {
    /// The inside.
    pub fill: Option<Rgb>,
    /// The outline and its width.
    pub stroke: Option<(Rgb, f32)>,
}

impl Paint {
    /// An inside without an outline.
    pub const fn fill(color: Rgb) -> Paint {
        Paint { fill: Some(color), stroke: None }
    }

    /// An outline alone.
    pub const fn stroke(color: Rgb, width: f32) -> Paint {
        Paint { fill: None, stroke: Some((color, width)) }
    }
}

/// Horizontal alignment of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// The text starts at the position.
    Start,
    /// The middle of the text is at the position.
    Middle,
    /// The text ends at the position.
    End,
}

/// A short text.
#[derive(Clone, PartialEq, Debug)]
pub struct Text {
    /// Position of the anchor.
    pub at: (f32, f32),
    /// Horizontal anchor; vertically the middle of the capitals is at the position.
    pub anchor: Anchor,
    /// Height of a line.
    pub size: f32,
    /// Colour.
    pub color: Rgb,
    /// The text. Not every format has more than printable ASCII.
    pub text: String,
}

/// A shape.
#[derive(Clone, PartialEq, Debug)]
pub enum Shape {
    /// A disc.
    Circle {
        /// Its middle.
        center: (f32, f32),
        /// Half its width.
        radius: f32,
        /// Its look.
        paint: Paint,
    },
    /// An upright rectangle.
    Rectangle {
        /// The upper left corner.
        corner: (f32, f32),
        /// Width and height.
        size: (f32, f32),
        /// Its look.
        paint: Paint,
    },
    /// Straight lines from point to point.
    Path {
        /// The points.
        points: Vec<(f32, f32)>,
        /// Whether the last is joined to the first.
        closed: bool,
        /// Its look.
        paint: Paint,
    },
    /// A text.
    Text(Text),
}

/// A picture.
#[derive(Clone, PartialEq, Debug)]
pub struct Scene {
    /// Width and height.
    pub size: (f32, f32),
    /// Background colour.
    pub background: Rgb,
    /// The shapes, later ones over earlier ones.
    pub shapes: Vec<Shape>,
}

impl Scene {
    /// A picture with nothing on it.
    pub fn new(size: (f32, f32), background: Rgb) -> Scene {
        Scene { size, background, shapes: Vec::new() }
    }

    /// Returns whether its texts have no letters but those of ASCII, which every format has.
    pub fn is_ascii(&self) -> bool {
        self.shapes.iter().all(|shape| !matches!(shape, Shape::Text(text) if !text.text.is_ascii()))
    }

    /// Adds a disc.
    pub fn circle(&mut self, center: (f32, f32), radius: f32, paint: Paint) {
        self.shapes.push(Shape::Circle { center, radius, paint });
    }

    /// Adds a line.
    pub fn line(&mut self, from: (f32, f32), to: (f32, f32), color: Rgb, width: f32) {
        self.shapes.push(Shape::Path {
            points: vec![from, to],
            closed: false,
            paint: Paint::stroke(color, width),
        });
    }

    /// Adds lines from point to point.
    pub fn path(&mut self, points: Vec<(f32, f32)>, closed: bool, paint: Paint) {
        self.shapes.push(Shape::Path { points, closed, paint });
    }

    /// Adds a text.
    pub fn text(&mut self, at: (f32, f32), anchor: Anchor, size: f32, color: Rgb, text: impl Into<String>) {
        self.shapes.push(Shape::Text(Text { at, anchor, size, color, text: text.into() }));
    }
}
