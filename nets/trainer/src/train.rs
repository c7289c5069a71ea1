//! Training: batches of positions in a random order, worked on by threads, one step of the optimizer each.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::chunk::{CHUNK, Chunk, Inputs};
use crate::kernels::{Kernels, Lanes};
use crate::loss::{Objective, squared_error};
use crate::net::{Architecture, Row, Shape, initial};
use crate::optimizer::Optimizer;
use crate::packed::Packed;
use crate::permutation::{Permutation, mix};

/// Weights and optimizer of a network that is being trained.
pub struct Trainer {
    pub shape: Shape,
    pub weights: Vec<Row>,
    pub optimizer: Optimizer,
    /// Steps taken.
    pub step: u64,
    seed: u64,
    objective: Objective,
    inputs: Inputs,
    kernels: Kernels,
    threads: Vec<Buffers>,
}

/// What one thread works in.
struct Buffers {
    gradient: Vec<Row>,
    /// By tile, then by position.
    activations: Vec<[Row; 2]>,
    chunk: Chunk,
    lanes: Vec<Lanes>,
    outputs: Vec<f32>,
    slopes: Vec<f32>,
    loss: f64,
}

impl Buffers {
    fn new(shape: &Shape) -> Self {
        Buffers {
            gradient: vec![Row::ZERO; shape.total()],
            activations: vec![[Row::ZERO; 2]; shape.tiles * CHUNK],
            chunk: Chunk::new(),
            lanes: vec![Lanes::ZERO; CHUNK],
            outputs: Vec::with_capacity(CHUNK),
            slopes: Vec::with_capacity(CHUNK),
            loss: 0.0,
        }
    }
}

/// What all threads of a step read.
struct Work<'a> {
    shape: &'a Shape,
    kernels: Kernels,
    inputs: &'a Inputs,
    objective: &'a Objective,
    weights: &'a [Row],
    next: AtomicUsize,
    chunks: usize,
}

/// Which positions a batch is made of.
struct Batch<'a> {
    positions: &'a [Packed],
    /// The batch's place in the endless sequence of epochs.
    from: u64,
    len: usize,
    /// Of the epoch in which the batch begins, and the next.
    orders: [Permutation; 2],
    seed: u64,
}

impl<'a> Batch<'a> {
    fn new(positions: &'a [Packed], step: u64, len: usize, seed: u64) -> Self {
        let from = step * len as u64;
        let epoch = from / positions.len() as u64;
        let order = |epoch: u64| Permutation::new(positions.len(), mix(seed ^ mix(epoch)));
        Batch {
            positions,
            from,
            len,
            orders: [order(epoch), order(epoch + 1)],
            seed,
        }
    }

    fn fill(&self, index: usize, inputs: &Inputs, objective: &Objective, chunk: &mut Chunk) {
        chunk.clear();
        let places = index * CHUNK..((index + 1) * CHUNK).min(self.len);
        let n = self.positions.len() as u64;
        let first_epoch = self.from / n;
        // Fetched together, the positions' cache misses overlap.
        let mut taken = [(0usize, 0u64); CHUNK];
        for (slot, place) in taken.iter_mut().zip(places.clone()) {
            let place = self.from + place as u64;
            let epoch = place / n;
            let order = &self.orders[usize::from(epoch > first_epoch)];
            *slot = (order.at((place % n) as usize), epoch);
        }
        let mut fetched = [<Packed as bytemuck::Zeroable>::zeroed(); CHUNK];
        for (position, &(index, _)) in fetched.iter_mut().zip(&taken[..places.len()]) {
            *position = self.positions[index];
        }
        for (position, &(index, epoch)) in fetched[..places.len()].iter().zip(&taken) {
            let image = mix(self.seed ^ epoch.rotate_left(40) ^ index as u64) & 1 != 0;
            chunk.push(position, inputs, objective, image);
        }
    }
}

impl Trainer {
    /// With random weights.
    ///
    /// # Errors
    /// An architecture that cannot be had.
    pub fn new(
        architecture: &Architecture,
        objective: Objective,
        seed: u64,
        threads: usize,
        kernels: Kernels,
    ) -> Result<Self, String> {
        architecture.check()?;
        let shape = architecture.shape();
        let weights = initial(&shape, seed);
        Ok(Trainer {
            shape,
            optimizer: Optimizer::new(shape, &weights),
            weights,
            step: 0,
            seed,
            objective,
            inputs: Inputs::new(architecture)?,
            kernels,
            threads: (0..threads.max(1)).map(|_| Buffers::new(&shape)).collect(),
        })
    }

    pub fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    pub fn objective(&self) -> &Objective {
        &self.objective
    }

    /// Learns from one batch; the mean loss before the step. `positions` is not empty.
    pub fn learn(&mut self, positions: &[Packed], len: usize, rate: f32, decay: f32) -> f64 {
        let loss = self.find_gradient(positions, len);
        self.step += 1;
        let gradients: Vec<&[Row]> = self.threads.iter().map(|t| &t.gradient[..]).collect();
        self.optimizer
            .step(self.kernels, rate, decay, self.step, &mut self.weights, &gradients);
        loss
    }

    /// Leaves the gradient of the mean loss of the next batch in the threads' buffers, in parts; the mean loss.
    fn find_gradient(&mut self, positions: &[Packed], len: usize) -> f64 {
        let batch = Batch::new(positions, self.step, len, self.seed);
        let work = Work {
            shape: &self.shape,
            kernels: self.kernels,
            inputs: &self.inputs,
            objective: &self.objective,
            weights: &self.weights,
            next: AtomicUsize::new(0),
            chunks: len.div_ceil(CHUNK),
        };
        on_all(&mut self.threads, |buffers| work.gradient(&batch, buffers));
        self.threads.iter().map(|t| t.loss).sum::<f64>() / len as f64
    }

    /// The mean loss over positions in their order, and with what the outputs were compared is left to `visit`:
    /// it gets the index of the first position of a chunk, the chunk and its outputs, in any order of chunks.
    pub fn validate(&mut self, positions: &[Packed], visit: impl Fn(usize, &Chunk, &[f32]) + Sync) -> f64 {
        let work = Work {
            shape: &self.shape,
            kernels: self.kernels,
            inputs: &self.inputs,
            objective: &self.objective,
            weights: &self.weights,
            next: AtomicUsize::new(0),
            chunks: positions.len().div_ceil(CHUNK),
        };
        on_all(&mut self.threads, |buffers| work.loss(positions, &visit, buffers));
        self.threads.iter().map(|t| t.loss).sum::<f64>() / positions.len().max(1) as f64
    }
}

/// Runs a function with each thread's buffers, the first on this thread.
fn on_all(threads: &mut [Buffers], work: impl Fn(&mut Buffers) + Sync) {
    std::thread::scope(|scope| {
        let mut threads = threads.iter_mut();
        let mine = threads.next();
        for buffers in threads {
            scope.spawn(|| work(buffers));
        }
        mine.into_iter().for_each(&work);
    });
}

impl Work<'_> {
    fn next(&self) -> Option<usize> {
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        (index < self.chunks).then_some(index)
    }

    fn tile(&self, tile: usize) -> &[Row] {
        &self.weights[tile * self.shape.tile()..][..self.shape.tile()]
    }

    /// The outputs of the chunk, the hidden layer kept.
    fn forward(&self, buffers: &mut Buffers) {
        let lanes = &mut buffers.lanes[..buffers.chunk.len()];
        lanes.fill(Lanes::ZERO);
        for tile in 0..self.shape.tiles {
            let activations = &mut buffers.activations[tile * CHUNK..][..lanes.len()];
            self.kernels
                .forward(self.shape, self.tile(tile), &buffers.chunk, activations, lanes);
        }
        let biases = &self.weights[self.shape.total() - 1].0;
        let outputs = lanes
            .iter()
            .zip(&buffers.chunk.buckets)
            .map(|(lanes, &bucket)| biases[usize::from(bucket)] + lanes.sum());
        buffers.outputs.clear();
        buffers.outputs.extend(outputs);
    }

    fn gradient(&self, batch: &Batch<'_>, buffers: &mut Buffers) {
        buffers.gradient.fill(Row::ZERO);
        buffers.loss = 0.0;
        let weight = 1.0 / batch.len as f32;
        while let Some(index) = self.next() {
            batch.fill(index, self.inputs, self.objective, &mut buffers.chunk);
            self.forward(buffers);
            buffers.slopes.clear();
            let biases = &mut buffers.gradient[self.shape.total() - 1].0;
            for (position, (&output, &target)) in buffers.outputs.iter().zip(&buffers.chunk.targets).enumerate() {
                let (loss, slope) = squared_error(output, target);
                buffers.loss += f64::from(loss);
                buffers.slopes.push(slope * weight);
                biases[usize::from(buffers.chunk.buckets[position])] += slope * weight;
            }
            for tile in 0..self.shape.tiles {
                let activations = &buffers.activations[tile * CHUNK..][..buffers.chunk.len()];
                let gradient = &mut buffers.gradient[tile * self.shape.tile()..][..self.shape.tile()];
                self.kernels.backward(
                    self.shape,
                    self.tile(tile),
                    &buffers.chunk,
                    activations,
                    &buffers.slopes,
                    gradient,
                );
            }
        }
    }

    fn loss(&self, positions: &[Packed], visit: &(impl Fn(usize, &Chunk, &[f32]) + Sync), buffers: &mut Buffers) {
        buffers.loss = 0.0;
        while let Some(index) = self.next() {
            let first = index * CHUNK;
            buffers.chunk.clear();
            for position in &positions[first..(first + CHUNK).min(positions.len())] {
                buffers.chunk.push(position, self.inputs, self.objective, false);
            }
            self.forward(buffers);
            for (&output, &target) in buffers.outputs.iter().zip(&buffers.chunk.targets) {
                buffers.loss += f64::from(squared_error(output, target).0);
            }
            visit(first, &buffers.chunk, &buffers.outputs);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::TILE;
    use crate::synthetic;
    use baize::engine::Game;

    const OBJECTIVE: Objective = Objective {
        share: 0.25,
        scale: 400.0,
    };

    fn architecture(game: Game, king_buckets: usize) -> Architecture {
        Architecture {
            game,
            hidden: 128,
            king_buckets,
            output_buckets: 4,
        }
    }

    fn trainer(architecture: &Architecture, threads: usize, kernels: Kernels) -> Trainer {
        Trainer::new(architecture, OBJECTIVE, 3, threads, kernels).expect("a known architecture")
    }

    /// The loss of a chunk in double precision, straight from the definition.
    fn plain_loss(shape: &Shape, weights: &[Row], chunk: &Chunk) -> f64 {
        let at = |row: usize, column: usize| f64::from(weights[column / TILE * shape.tile() + row].0[column % TILE]);
        let mut loss = 0.0;
        for position in 0..chunk.len() {
            let bucket = usize::from(chunk.buckets[position]);
            let mut output = f64::from(weights[shape.total() - 1].0[bucket]);
            for view in 0..2 {
                let rows = &chunk.rows[position][view][..usize::from(chunk.counts[position])];
                for column in 0..shape.tiles * TILE {
                    let sum: f64 = rows.iter().map(|&row| at(row.into(), column)).sum();
                    let x = (sum + at(shape.inputs(), column)).clamp(0.0, 1.0);
                    output += x * x * at(shape.output(bucket) + view, column);
                }
            }
            let predicted = 1.0 / (1.0 + (-output).exp());
            loss += (predicted - f64::from(chunk.targets[position])).powi(2);
        }
        loss / chunk.len() as f64
    }

    /// The gradient is what finite differences of the plain loss say, on every compiled version of the kernels.
    #[test]
    fn gradient_equals_finite_differences() {
        for (game, king_buckets) in [(Game::Chess, 1), (Game::Chess, 4), (Game::Xiangqi, 6)] {
            let positions = synthetic::positions(game, 40, 16, 5);
            for kernels in Kernels::usable() {
                let mut trainer = trainer(&architecture(game, king_buckets), 2, kernels);
                // Weights large enough that some columns are clipped on either side.
                for row in &mut trainer.weights {
                    row.0.iter_mut().for_each(|w| *w *= 3.0);
                }
                let shape = trainer.shape;
                let loss = trainer.find_gradient(&positions, positions.len());
                let mut chunk = Chunk::new();
                Batch::new(&positions, 0, positions.len(), 3).fill(0, &trainer.inputs, &OBJECTIVE, &mut chunk);
                let plain = plain_loss(&shape, &trainer.weights, &chunk);
                assert!((loss - plain).abs() < 1e-6, "{loss} {plain}");
                let used = usize::from(chunk.rows[0][0][1]);
                let bucket = usize::from(chunk.buckets[0]);
                let mut checked = 0;
                for row in [used, shape.inputs(), shape.output(bucket), shape.output(bucket) + 1] {
                    for column in (0..shape.tiles * TILE).step_by(5) {
                        let index = column / TILE * shape.tile() + row;
                        checked += usize::from(agrees(&mut trainer, &chunk, index, column % TILE));
                    }
                }
                assert!(agrees(&mut trainer, &chunk, shape.total() - 1, bucket));
                // A kink within the difference spoils some of them.
                assert!(checked >= 96, "{checked} of 104 agree with {}", kernels.name());
            }
        }
    }

    fn agrees(trainer: &mut Trainer, chunk: &Chunk, row: usize, column: usize) -> bool {
        const STEP: f32 = 1e-3;
        let exact: f32 = trainer.threads.iter().map(|t| t.gradient[row].0[column]).sum();
        let mut weights = trainer.weights.clone();
        let old = weights[row].0[column];
        weights[row].0[column] = old + STEP;
        let (above, upper) = (plain_loss(&trainer.shape, &weights, chunk), weights[row].0[column]);
        weights[row].0[column] = old - STEP;
        let (below, lower) = (plain_loss(&trainer.shape, &weights, chunk), weights[row].0[column]);
        let measured = (above - below) / f64::from(upper - lower);
        (f64::from(exact) - measured).abs() < 1e-6 + 0.01 * measured.abs()
    }

    #[test]
    fn all_versions_of_the_kernels_give_the_same_bits() {
        let positions = synthetic::positions(Game::Chess, 3000, 18, 8);
        let run = |kernels| {
            let mut trainer = trainer(&architecture(Game::Chess, 4), 1, kernels);
            let losses: Vec<f64> = (0..6).map(|_| trainer.learn(&positions, 700, 1e-3, 0.01)).collect();
            (losses, trainer.weights)
        };
        let plain = run(Kernels::usable()[0]);
        for kernels in Kernels::usable() {
            assert!(run(kernels) == plain, "{}", kernels.name());
        }
    }

    #[test]
    fn learning_lowers_the_loss_with_any_number_of_threads() {
        for game in [Game::Chess, Game::Xiangqi] {
            let positions = synthetic::positions(game, 20_000, 18, 2);
            let (training, validation) = positions.split_at(16_000);
            for threads in [1, 3] {
                let mut trainer = trainer(&architecture(game, 1), threads, Kernels::best());
                let before = trainer.validate(validation, |_, _, _| ());
                for _ in 0..80 {
                    trainer.learn(training, 1024, 2e-3, 0.01);
                }
                let after = trainer.validate(validation, |_, _, _| ());
                assert!(after < 0.4 * before, "{before} to {after}");
            }
        }
    }

    /// Every position of an epoch is seen once.
    #[test]
    fn an_epoch_is_a_permutation() {
        let mut positions = synthetic::positions(Game::Chess, 1000, 18, 2);
        for (index, position) in positions.iter_mut().enumerate() {
            position.score = index as i16;
        }
        let inputs = Inputs::new(&architecture(Game::Chess, 1)).expect("known");
        let objective = Objective {
            share: 0.0,
            scale: 4000.0,
        };
        let mut seen = Vec::new();
        // 1000 is no multiple of 300: the fourth batch reaches into the next epoch.
        for step in 0..4 {
            let batch = Batch::new(&positions, step, 300, 9);
            let mut chunk = Chunk::new();
            for index in 0..2 {
                batch.fill(index, &inputs, &objective, &mut chunk);
                seen.extend(chunk.targets.iter().map(|&t| t.to_bits()));
            }
        }
        assert_eq!(seen.len(), 1200);
        let (first, second) = seen.split_at_mut(1000);
        first.sort_unstable();
        assert!(first.windows(2).all(|pair| pair[0] != pair[1]));
        second.sort_unstable();
        assert!(second.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
