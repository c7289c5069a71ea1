//! The evaluation as a function of its weights.

use baize_codegen::weights::Weights;

/// Middle game and end game.
pub type Weight = [f32; 2];

/// One weight's part in a position.
#[derive(Clone, Copy, Debug)]
pub struct Count {
    pub weight: u16,
    pub white: i8,
    pub black: i8,
}

/// What a position is besides its counts.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Share of the middle-game and of the end-game half in the value.
    pub shares: Weight,
    /// Kings whose danger does not count.
    pub safe_king: [bool; 2],
}

pub struct Model {
    pub weights: Vec<Weight>,
    /// The first danger weight.
    danger: usize,
    divisor: f32,
    limit: f32,
    pub phase_full: f32,
    /// Centipawns at which the logistic curve has a slope of a quarter per `k`.
    pub k: f32,
}

impl Model {
    pub fn new(table: &Weights) -> Result<Self, String> {
        let terms = table.terms();
        let values = terms.iter().flat_map(|t| (0..t.len()).map(|i| t.get(i)));
        let number = |name: &str| table.number(name).map(|n| n as f32);
        Ok(Model {
            weights: values.map(|(mg, eg)| [mg as f32, eg as f32]).collect(),
            danger: terms.iter().take_while(|t| !t.danger).map(|t| t.len()).sum(),
            divisor: number("danger_divisor").unwrap_or(1.0),
            limit: number("danger_limit").unwrap_or(f32::INFINITY),
            phase_full: number("phase_full").ok_or("the weights have no phase_full")?,
            k: 200.0,
        })
    }

    /// Rounds the weights into their table.
    pub fn store(&self, table: &mut Weights) {
        let names: Vec<(String, usize)> = table.terms().iter().map(|t| (t.name.clone(), t.len())).collect();
        let mut index = 0;
        for (name, len) in names {
            for i in 0..len {
                let [mg, eg] = self.weights[index].map(|v| v.round().clamp(-8000.0, 8000.0) as i32);
                if let Some(term) = table.term_mut(&name) {
                    term.set(i, (mg, eg));
                }
                index += 1;
            }
        }
    }

    /// The value of a position in centipawns, White's view, and its units of danger.
    pub fn value(&self, counts: &[Count], facts: &Facts) -> (f32, [f32; 2]) {
        let mut sum = [0.0; 2];
        let mut units = [0.0; 2];
        for c in counts {
            let weight = self.weights[usize::from(c.weight)];
            if usize::from(c.weight) < self.danger {
                let net = f32::from(c.white - c.black);
                sum[0] += net * weight[0];
                sum[1] += net * weight[1];
            } else {
                units[0] += f32::from(c.white) * weight[0];
                units[1] += f32::from(c.black) * weight[0];
            }
        }
        sum[0] += self.cost(units[1], facts.safe_king[1]) - self.cost(units[0], facts.safe_king[0]);
        (sum[0] * facts.shares[0] + sum[1] * facts.shares[1], units)
    }

    fn cost(&self, units: f32, safe: bool) -> f32 {
        let units = units.max(0.0);
        if safe {
            0.0
        } else {
            (units * units / self.divisor).min(self.limit)
        }
    }

    /// Centipawns per unit, at so many.
    fn slope(&self, units: f32, safe: bool) -> f32 {
        if safe || units <= 0.0 || units * units > self.limit * self.divisor {
            0.0
        } else {
            2.0 * units / self.divisor
        }
    }

    /// The expected points, 0 to 1, of a value.
    pub fn points(&self, value: f32) -> f32 {
        1.0 / (1.0 + (-value / self.k).exp())
    }

    /// Adds the gradient of the squared error of one position; returns the error.
    pub fn add_gradient(&self, counts: &[Count], facts: &Facts, target: f32, gradient: &mut [Weight]) -> f32 {
        let (value, units) = self.value(counts, facts);
        let points = self.points(value);
        let error = points - target;
        let by_value = 2.0 * error * points * (1.0 - points) / self.k;
        let (mg, eg) = (by_value * facts.shares[0], by_value * facts.shares[1]);
        let slopes = [
            self.slope(units[0], facts.safe_king[0]),
            self.slope(units[1], facts.safe_king[1]),
        ];
        for c in counts {
            let g = &mut gradient[usize::from(c.weight)];
            if usize::from(c.weight) < self.danger {
                let net = f32::from(c.white - c.black);
                g[0] += mg * net;
                g[1] += eg * net;
            } else {
                g[0] += mg * (slopes[1] * f32::from(c.black) - slopes[0] * f32::from(c.white));
            }
        }
        error * error
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gradient_is_the_slope() {
        let mut model = Model {
            weights: vec![[30.0, 40.0], [-12.0, 9.0], [25.0, 0.0], [31.0, 0.0]],
            danger: 2,
            divisor: 256.0,
            limit: 1500.0,
            phase_full: 24.0,
            k: 180.0,
        };
        let counts =
            [(0, 3, 1), (1, 0, 2), (2, 4, 1), (3, 2, 6)].map(|(weight, white, black)| Count { weight, white, black });
        let facts = Facts {
            shares: [0.7, 0.2],
            safe_king: [false, false],
        };
        let mut gradient = vec![[0.0; 2]; 4];
        model.add_gradient(&counts, &facts, 0.3, &mut gradient);
        for (i, both) in gradient.iter().enumerate() {
            for (half, &analytic) in both.iter().enumerate() {
                let mut error = |by: f32| {
                    model.weights[i][half] += by;
                    let points = model.points(model.value(&counts, &facts).0);
                    model.weights[i][half] -= by;
                    (points - 0.3).powi(2)
                };
                let slope = (error(0.5) - error(-0.5)) / 1.0;
                assert!((slope - analytic).abs() < 1e-5, "{i} {half}: {slope} {}", analytic);
            }
        }
    }
}
