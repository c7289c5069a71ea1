//! From floats to the integers of a network file, and what that costs.
//!
//! QB is as large as the largest output weight allows; after rounding, each output bucket's bias takes back the mean
//! error that the rounding made on training positions. Rows that no position ever used become 0.

use std::sync::Mutex;

use baize::network::format::{Header, INPUT_BIAS_LIMIT, INPUT_LIMIT, NetworkError, OUTPUT_LIMIT, output_fits, write};

use crate::chunk::Chunk;
use crate::loss::squared_error;
use crate::net::{Architecture, Row, Shape, TILE};
use crate::packed::Packed;
use crate::train::Trainer;

/// 1.0 in the hidden layer: the most with which a product with an output weight fits 16 bits.
const QA: i32 = 255;
const MAX_QB: f32 = 16384.0;

/// A network in integers.
pub struct Quantised {
    pub header: Header,
    pub input_weights: Vec<i16>,
    pub input_bias: Vec<i16>,
    pub output_weights: Vec<i16>,
    pub output_bias: Vec<i32>,
    /// Input rows that were never learned and are 0.
    pub unused_rows: usize,
}

/// What the integers lose against the floats.
#[derive(Clone, Copy, Default, Debug)]
pub struct Report {
    pub positions: usize,
    /// Centipawns, magnitude of the difference.
    pub mean_error: f64,
    pub max_error: f64,
    /// Validation loss.
    pub float_loss: f64,
    pub integer_loss: f64,
    /// Weights that the limits of the format cut.
    pub cut: usize,
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} positions: mean error {:.2} cp, greatest {:.1} cp; validation loss {:.6} in floats, {:.6} in integers ({:+.3} %); \
             {} weights cut",
            self.positions,
            self.mean_error,
            self.max_error,
            self.float_loss,
            self.integer_loss,
            100.0 * (self.integer_loss / self.float_loss.max(1e-12) - 1.0),
            self.cut
        )
    }
}

/// The columns of a row across all tiles.
fn columns<'a>(shape: &'a Shape, weights: &'a [Row], row: usize) -> impl Iterator<Item = f32> + 'a {
    (0..shape.tiles * TILE).map(move |column| weights[column / TILE * shape.tile() + row].0[column % TILE])
}

/// The largest QB with which the output weights keep the format's limits.
fn choose_qb(shape: &Shape, weights: &[Row]) -> i32 {
    let outputs = |bucket: usize| {
        let first = shape.output(bucket);
        columns(shape, weights, first).chain(columns(shape, weights, first + 1))
    };
    let largest = (0..shape.output_buckets)
        .flat_map(outputs)
        .fold(1e-6f32, |largest, w| largest.max(w.abs()));
    let mut qb = (f32::from(OUTPUT_LIMIT) / largest).floor().clamp(1.0, MAX_QB) as i32;
    let fits = |qb: i32| {
        (0..shape.output_buckets).all(|bucket| {
            let rounded: Vec<i16> = outputs(bucket).map(|w| (w * qb as f32).round() as i16).collect();
            let bias = weights[shape.total() - 1].0[bucket] * (QA * QA * qb) as f32;
            output_fits(&rounded, bias as i32, QA) && bias.abs() < 1e9
        })
    };
    while qb > 1 && !fits(qb) {
        qb -= 1;
    }
    qb
}

fn rounded(value: f32, limit: i16, cut: &mut usize) -> i16 {
    let value = value.round();
    *cut += usize::from(value.abs() > f32::from(limit));
    value.clamp(f32::from(-limit), f32::from(limit)) as i16
}

impl Quantised {
    /// Rounds a network; the biases are corrected on `calibration`, the report is of `validation`.
    ///
    /// # Errors
    /// An architecture that the format does not hold.
    pub fn new(
        architecture: &Architecture,
        name: &str,
        trainer: &mut Trainer,
        calibration: &[Packed],
        validation: &[Packed],
    ) -> Result<(Quantised, Report), String> {
        let (mut network, cut) = Self::round(architecture, name, trainer)?;
        network.correct_bias(trainer, calibration);
        let report = network.compare(trainer, validation);
        Ok((network, Report { cut, ..report }))
    }

    fn round(architecture: &Architecture, name: &str, trainer: &Trainer) -> Result<(Quantised, usize), String> {
        let shape = trainer.shape;
        let weights = &trainer.weights;
        let qb = choose_qb(&shape, weights);
        let scale = trainer.objective().scale.round() as i32;
        let mut cut = 0;
        let mut unused_rows = 0;
        let mut input_weights = Vec::with_capacity(shape.inputs() * shape.tiles * TILE);
        for row in 0..shape.inputs() {
            if trainer.optimizer.untouched(row) {
                unused_rows += 1;
                input_weights.resize(input_weights.len() + shape.tiles * TILE, 0);
            } else {
                let row = columns(&shape, weights, row).map(|w| rounded(w * QA as f32, INPUT_LIMIT, &mut cut));
                input_weights.extend(row);
            }
        }
        let bias = columns(&shape, weights, shape.inputs());
        let input_bias = bias
            .map(|w| rounded(w * QA as f32, INPUT_BIAS_LIMIT, &mut cut))
            .collect();
        let mut output_weights = Vec::new();
        for row in shape.output(0)..shape.tile() {
            let row = columns(&shape, weights, row).map(|w| rounded(w * qb as f32, OUTPUT_LIMIT, &mut cut));
            output_weights.extend(row);
        }
        let unit = (QA * QA * qb) as f32;
        let output_bias = weights[shape.total() - 1].0[..shape.output_buckets]
            .iter()
            .map(|w| (w * unit).round() as i32)
            .collect();
        let network = Quantised {
            header: architecture.header(name, QA, qb, scale)?,
            input_weights,
            input_bias,
            output_weights,
            output_bias,
            unused_rows,
        };
        Ok((network, cut))
    }

    /// # Errors
    /// A limit of the format that is not kept.
    pub fn to_bytes(&self) -> Result<Vec<u8>, NetworkError> {
        write(
            &self.header,
            &self.input_weights,
            &self.input_bias,
            &self.output_weights,
            &self.output_bias,
        )
    }

    fn unit(&self) -> f64 {
        f64::from(QA * QA) * f64::from(self.header.qb)
    }

    /// The sum of the output neuron, as the format defines it.
    pub fn sum(&self, chunk: &Chunk, position: usize) -> i32 {
        let hidden = self.header.hidden;
        let bucket = usize::from(chunk.buckets[position]);
        let mut total = self.output_bias[bucket];
        let mut sums = vec![0i16; hidden];
        for view in 0..2 {
            sums.copy_from_slice(&self.input_bias);
            for &row in &chunk.rows[position][view][..usize::from(chunk.counts[position])] {
                let weights = &self.input_weights[usize::from(row) * hidden..][..hidden];
                for (sum, &weight) in sums.iter_mut().zip(weights) {
                    *sum += weight;
                }
            }
            let weights = &self.output_weights[(2 * bucket + view) * hidden..][..hidden];
            total += sums
                .iter()
                .zip(weights)
                .map(|(&sum, &weight)| {
                    let active = i32::from(sum).clamp(0, QA);
                    active * active * i32::from(weight)
                })
                .sum::<i32>();
        }
        total
    }

    /// The value in internal centipawns.
    pub fn value(&self, sum: i32) -> i32 {
        (i64::from(sum) * i64::from(self.header.scale) / i64::from(QA * QA * self.header.qb)) as i32
    }

    /// Moves each output bucket's bias so that its mean error on the positions is 0.
    fn correct_bias(&mut self, trainer: &mut Trainer, positions: &[Packed]) {
        let buckets = self.header.output_bucket_count;
        let sums = Mutex::new(vec![(0.0f64, 0u64); buckets]);
        trainer.validate(positions, |_, chunk, outputs| {
            let mut part = vec![(0.0, 0); buckets];
            for (position, &output) in outputs.iter().enumerate() {
                let bucket = &mut part[usize::from(chunk.buckets[position])];
                bucket.0 += f64::from(output) - f64::from(self.sum(chunk, position)) / self.unit();
                bucket.1 += 1;
            }
            if let Ok(mut sums) = sums.lock() {
                for (sum, part) in sums.iter_mut().zip(part) {
                    *sum = (sum.0 + part.0, sum.1 + part.1);
                }
            }
        });
        let sums = sums.into_inner().unwrap_or_default();
        for (bucket, (sum, count)) in sums.into_iter().enumerate() {
            let correction = (sum / count.max(1) as f64 * self.unit()).round() as i32;
            let bias = self.output_bias[bucket].saturating_add(correction);
            let weights = &self.output_weights[2 * bucket * self.header.hidden..][..2 * self.header.hidden];
            if output_fits(weights, bias, QA) {
                self.output_bias[bucket] = bias;
            }
        }
    }

    /// Compares with the floats.
    fn compare(&self, trainer: &mut Trainer, positions: &[Packed]) -> Report {
        let sums = Mutex::new((0.0f64, 0.0f64, 0.0f64));
        let scale = f64::from(trainer.objective().scale);
        let float_loss = trainer.validate(positions, |_, chunk, outputs| {
            let mut part = (0.0, 0.0f64, 0.0);
            for (position, &output) in outputs.iter().enumerate() {
                let sum = self.sum(chunk, position);
                let error = (f64::from(output) * scale - f64::from(self.value(sum))).abs();
                part.0 += error;
                part.1 = part.1.max(error);
                let output = (f64::from(sum) / self.unit()) as f32;
                part.2 += f64::from(squared_error(output, chunk.targets[position]).0);
            }
            if let Ok(mut sums) = sums.lock() {
                *sums = (sums.0 + part.0, sums.1.max(part.1), sums.2 + part.2);
            }
        });
        let (error, max_error, loss) = sums.into_inner().unwrap_or_default();
        let count = positions.len().max(1) as f64;
        Report {
            positions: positions.len(),
            mean_error: error / count,
            max_error,
            float_loss,
            integer_loss: loss / count,
            cut: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::Kernels;
    use crate::loss::Objective;
    use crate::synthetic;
    use baize::engine::Game;
    use baize::network::format::Network;
    use baize::network::reference::evaluate;

    fn trained(game: Game, king_buckets: usize) -> (Architecture, Trainer, Vec<Packed>) {
        let architecture = Architecture {
            game,
            hidden: 64,
            king_buckets,
            output_buckets: 8,
        };
        let objective = Objective {
            share: 0.2,
            scale: 400.0,
        };
        let mut trainer = Trainer::new(&architecture, objective, 1, 1, Kernels::best()).expect("known");
        let positions = synthetic::positions(game, 20_000, 18, 4);
        for step in 0..120 {
            let rate = if step < 80 { 2e-3 } else { 2e-4 };
            trainer.learn(&positions[..16_000], 1024, rate, 0.01);
        }
        (architecture, trainer, positions)
    }

    /// The integers are close to the floats, and the file's reference evaluation is exactly the integers'.
    #[test]
    fn integers_are_close_to_floats_and_equal_the_reference() {
        for (game, king_buckets) in [(Game::Chess, 1), (Game::Xiangqi, 6)] {
            let (architecture, mut trainer, positions) = trained(game, king_buckets);
            let (calibration, validation) = positions.split_at(16_000);
            let (network, report) =
                Quantised::new(&architecture, "test", &mut trainer, calibration, validation).expect("fits the format");
            assert_eq!(report.cut, 0);
            assert!(report.mean_error < 6.0, "{report}");
            assert!((report.integer_loss / report.float_loss - 1.0).abs() < 0.01, "{report}");
            let bytes = network.to_bytes().expect("within the limits");
            let mut words = vec![0u64; bytes.len() / 8];
            bytemuck::cast_slice_mut(&mut words).copy_from_slice(&bytes);
            let parsed = Network::parse(bytemuck::cast_slice(&words)).expect("valid");
            let mut chunk = Chunk::new();
            for (index, position) in validation[..200].iter().enumerate() {
                chunk.push(position, trainer.inputs(), trainer.objective(), false);
                let value = network.value(network.sum(&chunk, index));
                assert_eq!(evaluate(&parsed, &position.placement(game)), Some(value));
            }
        }
    }

    /// Rows of places where no piece ever stood are 0 in the file: pawns on the last ranks here do stand, kings do not roam.
    #[test]
    fn rows_never_used_are_empty() {
        let (architecture, trainer, _) = trained(Game::Chess, 1);
        let (network, _) = Quantised::round(&architecture, "test", &trainer).expect("fits the format");
        // The mirrored half has no own king: at least 32 rows.
        assert!((32..400).contains(&network.unused_rows), "{}", network.unused_rows);
        let king_on_h8 = 5 * 64 + 63;
        assert!(network.input_weights[king_on_h8 * 64..][..64].iter().all(|&w| w == 0));
    }

    #[test]
    fn known_positions_have_a_value() {
        for game in [Game::Chess, Game::Xiangqi] {
            let (architecture, trainer, _) = trained(game, 1);
            let (network, _) = Quantised::round(&architecture, "test", &trainer).expect("fits the format");
            let bytes = network.to_bytes().expect("within the limits");
            let mut words = vec![0u64; bytes.len() / 8];
            bytemuck::cast_slice_mut(&mut words).copy_from_slice(&bytes);
            let parsed = Network::parse(bytemuck::cast_slice(&words)).expect("valid");
            for placement in synthetic::known(game) {
                let value = evaluate(&parsed, &placement).expect("both kings");
                assert!(value.abs() < 3000);
                assert_eq!(evaluate(&parsed, &placement.flipped()), Some(value));
            }
        }
    }
}
