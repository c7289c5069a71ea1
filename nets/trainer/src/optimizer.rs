//! AdamW over all weights, with clipping, and rows that king buckets share.

use crate::kernels::{Kernels, Moments, Step};
use crate::net::{Row, Shape};

/// Weights are kept within this: 32 rows of them fit the integers of the export.
pub const CLIP: f32 = 1.98;

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// Moments of the gradient, and the parts that weights of king buckets are the sum of.
pub struct Optimizer {
    shape: Shape,
    first: Vec<Row>,
    second: Vec<Row>,
    factors: Option<Factors>,
}

/// A weight of a king bucket is its own part and one that all buckets share.
struct Factors {
    /// By tile, then by input row.
    own: Vec<Row>,
    /// By tile, then by row of a bucket.
    shared: Vec<Row>,
    shared_first: Vec<Row>,
    shared_second: Vec<Row>,
}

/// A tile's share of the optimizer, for one thread.
struct TilePart<'a> {
    weights: &'a mut [Row],
    first: &'a mut [Row],
    second: &'a mut [Row],
    factors: Option<TileFactors<'a>>,
    /// Where the tile begins among all rows.
    at: usize,
}

struct TileFactors<'a> {
    own: &'a mut [Row],
    shared: &'a mut [Row],
    first: &'a mut [Row],
    second: &'a mut [Row],
}

impl Optimizer {
    /// For weights as they start.
    pub fn new(shape: Shape, weights: &[Row]) -> Self {
        let zeros = |rows| vec![Row::ZERO; rows];
        let shared = shape.tiles * shape.bucket_rows;
        let factors = shape.factorised().then(|| Factors {
            own: weights[..shape.tiles * shape.tile()]
                .chunks_exact(shape.tile())
                .flat_map(|tile| tile[..shape.inputs()].iter().copied())
                .collect(),
            shared: zeros(shared),
            shared_first: zeros(shared),
            shared_second: zeros(shared),
        });
        Optimizer {
            shape,
            first: zeros(shape.total()),
            second: zeros(shape.total()),
            factors,
        }
    }

    /// What a checkpoint must hold, in its order.
    pub fn parts(&self) -> Vec<&[Row]> {
        let mut parts = vec![&self.first[..], &self.second];
        if let Some(f) = &self.factors {
            parts.extend([&f.own[..], &f.shared, &f.shared_first, &f.shared_second]);
        }
        parts
    }

    /// The same, to be filled from a checkpoint.
    pub fn parts_mut(&mut self) -> Vec<&mut [Row]> {
        let mut parts = vec![&mut self.first[..], &mut self.second];
        if let Some(f) = &mut self.factors {
            parts.extend([&mut f.own[..], &mut f.shared, &mut f.shared_first, &mut f.shared_second]);
        }
        parts
    }

    /// Whether an input row has never had a gradient: no position that was learned from had such a piece.
    pub fn untouched(&self, row: usize) -> bool {
        let shape = &self.shape;
        (0..shape.tiles).all(|tile| match &self.factors {
            None => self.second[tile * shape.tile() + row] == Row::ZERO,
            Some(f) => f.shared_second[tile * shape.bucket_rows + row % shape.bucket_rows] == Row::ZERO,
        })
    }

    /// Moves the weights against the sum of the gradients; `number` counts steps from 1. The tiles are shared out among
    /// as many threads as there are gradients.
    pub fn step(
        &mut self,
        kernels: Kernels,
        rate: f32,
        decay: f32,
        number: u64,
        weights: &mut [Row],
        gradients: &[&[Row]],
    ) {
        let power = number.min(1 << 30) as i32;
        let step = Step {
            rate,
            decay: rate * decay,
            beta1: BETA1,
            beta2: BETA2,
            correction1: 1.0 / (1.0 - BETA1.powi(power)),
            correction2: 1.0 / (1.0 - BETA2.powi(power)),
            epsilon: EPSILON,
        };
        let shape = self.shape;
        let tiled = shape.tiles * shape.tile();
        let (tiles, last) = weights.split_at_mut(tiled);
        let (first, last_first) = self.first.split_at_mut(tiled);
        let (second, last_second) = self.second.split_at_mut(tiled);
        let mut parts = tile_parts(&shape, tiles, first, second, self.factors.as_mut());
        let threads = gradients.len().clamp(1, shape.tiles);
        let mut groups: Vec<Vec<TilePart<'_>>> = (0..threads).map(|_| Vec::new()).collect();
        for (index, part) in parts.drain(..).enumerate() {
            groups[index % threads].push(part);
        }
        let work = |group: Vec<TilePart<'_>>| {
            for mut part in group {
                part.step(&shape, kernels, &step, gradients);
            }
        };
        std::thread::scope(|scope| {
            let mut groups = groups.into_iter();
            let mine = groups.next();
            for group in groups {
                scope.spawn(|| work(group));
            }
            mine.into_iter().for_each(work);
        });
        let moments = Moments {
            first: last_first,
            second: last_second,
        };
        let rest: Vec<&[Row]> = gradients.iter().map(|g| &g[tiled..]).collect();
        kernels.descend(&step, f32::MAX, last, moments, &rest);
    }
}

fn tile_parts<'a>(
    shape: &Shape,
    weights: &'a mut [Row],
    first: &'a mut [Row],
    second: &'a mut [Row],
    factors: Option<&'a mut Factors>,
) -> Vec<TilePart<'a>> {
    let size = shape.tile();
    let tiles = weights
        .chunks_exact_mut(size)
        .zip(first.chunks_exact_mut(size))
        .zip(second.chunks_exact_mut(size));
    let mut parts: Vec<TilePart<'a>> = tiles
        .enumerate()
        .map(|(index, ((weights, first), second))| TilePart {
            weights,
            first,
            second,
            factors: None,
            at: index * size,
        })
        .collect();
    if let Some(f) = factors {
        let shared = f
            .shared
            .chunks_exact_mut(shape.bucket_rows)
            .zip(f.shared_first.chunks_exact_mut(shape.bucket_rows))
            .zip(f.shared_second.chunks_exact_mut(shape.bucket_rows));
        let own = f.own.chunks_exact_mut(shape.inputs());
        for (part, (own, ((shared, first), second))) in parts.iter_mut().zip(own.zip(shared)) {
            part.factors = Some(TileFactors {
                own,
                shared,
                first,
                second,
            });
        }
    }
    parts
}

impl TilePart<'_> {
    fn step(&mut self, shape: &Shape, kernels: Kernels, step: &Step, gradients: &[&[Row]]) {
        let gradients: Vec<&[Row]> = gradients.iter().map(|g| &g[self.at..self.at + shape.tile()]).collect();
        let Some(f) = &mut self.factors else {
            let moments = Moments {
                first: self.first,
                second: self.second,
            };
            kernels.descend(step, CLIP, self.weights, moments, &gradients);
            return;
        };
        let inputs = shape.inputs();
        let (own_first, rest_first) = self.first.split_at_mut(inputs);
        let (own_second, rest_second) = self.second.split_at_mut(inputs);
        let (joined, rest) = self.weights.split_at_mut(inputs);
        let of_inputs: Vec<&[Row]> = gradients.iter().map(|g| &g[..inputs]).collect();
        let of_rest: Vec<&[Row]> = gradients.iter().map(|g| &g[inputs..]).collect();
        // A shared weight is part of every bucket: its gradient is the sum of theirs.
        let of_shared: Vec<&[Row]> = of_inputs
            .iter()
            .flat_map(|g| g.chunks_exact(shape.bucket_rows))
            .collect();
        let moments = |first, second| Moments { first, second };
        kernels.descend(step, CLIP / 2.0, f.own, moments(own_first, own_second), &of_inputs);
        kernels.descend(step, CLIP / 2.0, f.shared, moments(f.first, f.second), &of_shared);
        kernels.descend(step, CLIP, rest, moments(rest_first, rest_second), &of_rest);
        for (joined, own) in joined
            .chunks_exact_mut(shape.bucket_rows)
            .zip(f.own.chunks_exact(shape.bucket_rows))
        {
            for ((joined, own), shared) in joined.iter_mut().zip(own).zip(f.shared.iter()) {
                joined.0 = std::array::from_fn(|column| own.0[column] + shared.0[column]);
            }
        }
    }
}
