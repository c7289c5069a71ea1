//! What the network is to learn, and how far it is from it.

/// The target of a position: a blend of what the search thought and how the game ended.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Objective {
    /// Weight of the result, 0 to 1.
    pub share: f32,
    /// Centipawns of an output of 1.
    pub scale: f32,
}

/// The logistic curve.
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

impl Objective {
    /// The mover's expected points, 0 to 1, from a score and the mover's points times two.
    pub fn target(&self, score: i16, result: u8) -> f32 {
        let score = sigmoid(f32::from(score) / self.scale);
        score + self.share * (f32::from(result) / 2.0 - score)
    }
}

/// The squared error of an output against its target, and its derivative by the output.
pub fn squared_error(output: f32, target: f32) -> (f32, f32) {
    let predicted = sigmoid(output);
    let error = predicted - target;
    (error * error, 2.0 * error * predicted * (1.0 - predicted))
}
