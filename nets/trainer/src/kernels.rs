//! The inner loops of training, compiled for several CPUs; the widest that the machine runs is chosen once.
//!
//! They are plain loops over arrays of 64 numbers, in an order of additions that does not depend on the CPU: all give
//! the same bits. The only unsafe code of the trainer is the call of a function compiled for a CPU that was checked.

use crate::chunk::Chunk;
use crate::net::{Row, Shape, TILE};

/// Numbers that are summed side by side: one vector of AVX-512.
const LANES: usize = 16;

/// An output while it is summed. Adding up its lanes is left for later: within the loop it would tempt the compiler to
/// give up the wide vectors.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Lanes([f32; LANES]);

impl Lanes {
    pub const ZERO: Lanes = Lanes([0.0; LANES]);

    /// The sum of the lanes.
    pub fn sum(&self) -> f32 {
        let mut lanes = self.0;
        let mut width = LANES / 2;
        while width > 0 {
            for lane in 0..width {
                lanes[lane] += lanes[lane + width];
            }
            width /= 2;
        }
        lanes[0]
    }
}

/// What the hidden layer was before clipping, by position, mover and other.
pub type Activations = [[Row; 2]];

#[inline(always)]
fn clipped(x: f32) -> f32 {
    let x = if x > 0.0 { x } else { 0.0 };
    if x < 1.0 { x } else { 1.0 }
}

#[inline(always)]
fn add(sum: &mut [f32; TILE], row: &[f32; TILE]) {
    for (sum, &x) in sum.iter_mut().zip(row) {
        *sum += x;
    }
}

/// Adds a tile's part of the outputs.
#[inline(always)]
fn forward_body(shape: &Shape, tile: &[Row], chunk: &Chunk, activations: &mut Activations, outputs: &mut [Lanes]) {
    let bias = &tile[shape.inputs()];
    for (position, (activations, output)) in activations.iter_mut().zip(outputs).enumerate() {
        let count = usize::from(chunk.counts[position]);
        let weights = &tile[shape.output(chunk.buckets[position].into())..][..2];
        let mut lanes = output.0;
        for view in 0..2 {
            let mut sum = bias.0;
            for &row in &chunk.rows[position][view][..count] {
                add(&mut sum, &tile[usize::from(row)].0);
            }
            activations[view].0 = sum;
            for block in 0..TILE / LANES {
                for (lane, total) in lanes.iter_mut().enumerate() {
                    let x = clipped(sum[block * LANES + lane]);
                    *total += x * x * weights[view].0[block * LANES + lane];
                }
            }
        }
        output.0 = lanes;
    }
}

/// Adds a tile's part of the gradient. `slopes` are the derivatives of the loss by the outputs.
#[inline(always)]
fn backward_body(
    shape: &Shape,
    tile: &[Row],
    chunk: &Chunk,
    activations: &Activations,
    slopes: &[f32],
    gradient: &mut [Row],
) {
    let bias = shape.inputs();
    for (position, (activations, &slope)) in activations.iter().zip(slopes).enumerate() {
        let count = usize::from(chunk.counts[position]);
        let output = shape.output(chunk.buckets[position].into());
        for view in 0..2 {
            let sums = &activations[view].0;
            let weights = &tile[output + view].0;
            let mut inner = [0.0f32; TILE];
            let outer = &mut gradient[output + view].0;
            for column in 0..TILE {
                let x = clipped(sums[column]);
                outer[column] += slope * x * x;
                // Clipped to 1 the slope is 0; clipped to 0 the factor x is.
                let twice = if sums[column] < 1.0 { 2.0 * x } else { 0.0 };
                inner[column] = slope * weights[column] * twice;
            }
            add(&mut gradient[bias].0, &inner);
            for &row in &chunk.rows[position][view][..count] {
                add(&mut gradient[usize::from(row)].0, &inner);
            }
        }
    }
}

/// One step of AdamW (I. Loshchilov and F. Hutter 2019) with what is the same for all weights worked out.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub rate: f32,
    /// Share of a weight that is taken off.
    pub decay: f32,
    pub beta1: f32,
    pub beta2: f32,
    /// Corrections of the moments for having started at 0.
    pub correction1: f32,
    pub correction2: f32,
    pub epsilon: f32,
}

/// The moments of a weight's gradient, a row of each.
pub struct Moments<'a> {
    pub first: &'a mut [Row],
    pub second: &'a mut [Row],
}

/// Moves weights along the sum of gradients, each as long as the weights.
#[inline(always)]
fn descend_body(step: &Step, limit: f32, weights: &mut [Row], moments: Moments<'_>, gradients: &[&[Row]]) {
    let rows = weights.iter_mut().zip(moments.first).zip(moments.second);
    for (index, ((weights, first), second)) in rows.enumerate() {
        let mut gradient = gradients[0][index].0;
        for other in &gradients[1..] {
            add(&mut gradient, &other[index].0);
        }
        // Three slices run side by side: indices keep the loop plain for the vectoriser.
        #[allow(clippy::needless_range_loop)]
        for column in 0..TILE {
            let slope = gradient[column];
            let mean = step.beta1 * first.0[column] + (1.0 - step.beta1) * slope;
            let square = step.beta2 * second.0[column] + (1.0 - step.beta2) * slope * slope;
            first.0[column] = mean;
            second.0[column] = square;
            let change = step.rate * (mean * step.correction1) / ((square * step.correction2).sqrt() + step.epsilon);
            let weight = weights.0[column] * (1.0 - step.decay) - change;
            let weight = if weight > limit { limit } else { weight };
            weights.0[column] = if weight < -limit { -limit } else { weight };
        }
    }
}

macro_rules! compiled_for {
    ($name:ident $(, $features:literal)?) => {
        mod $name {
            use super::{Activations, Chunk, Lanes, Moments, Row, Shape, Step};

            $(#[target_feature(enable = $features)])?
            pub fn forward(shape: &Shape, tile: &[Row], chunk: &Chunk, activations: &mut Activations, outputs: &mut [Lanes]) {
                super::forward_body(shape, tile, chunk, activations, outputs);
            }

            $(#[target_feature(enable = $features)])?
            pub fn backward(
                shape: &Shape,
                tile: &[Row],
                chunk: &Chunk,
                activations: &Activations,
                slopes: &[f32],
                gradient: &mut [Row],
            ) {
                super::backward_body(shape, tile, chunk, activations, slopes, gradient);
            }

            $(#[target_feature(enable = $features)])?
            pub fn descend(
                step: &Step,
                limit: f32,
                weights: &mut [Row],
                moments: Moments<'_>,
                gradients: &[&[Row]],
            ) {
                super::descend_body(step, limit, weights, moments, gradients);
            }
        }
    };
}
compiled_for!(generic);
#[cfg(target_arch = "x86_64")]
compiled_for!(avx2, "avx,avx2,bmi1,bmi2,lzcnt,popcnt");
#[cfg(target_arch = "x86_64")]
compiled_for!(
    avx512,
    "avx,avx2,avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,popcnt"
);

/// The CPUs that the loops are compiled for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cpu {
    Generic,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// The loops for a CPU that this machine is; made only by `usable`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kernels(Cpu);

impl Kernels {
    /// All that this machine can run, the best last.
    pub fn usable() -> Vec<Kernels> {
        #[allow(unused_mut)]
        let mut all = vec![Kernels(Cpu::Generic)];
        #[cfg(target_arch = "x86_64")]
        {
            let common = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            if common {
                all.push(Kernels(Cpu::Avx2));
            }
            let wide = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl");
            if common && wide {
                all.push(Kernels(Cpu::Avx512));
            }
        }
        all
    }

    /// The best for this machine.
    pub fn best() -> Kernels {
        Self::usable().pop().unwrap_or(Kernels(Cpu::Generic))
    }

    pub fn name(self) -> &'static str {
        match self.0 {
            Cpu::Generic => "generic",
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512 => "avx512",
        }
    }
}

macro_rules! dispatch {
    ($kernels:expr, $function:ident ( $($argument:expr),* $(,)? )) => {
        match $kernels.0 {
            Cpu::Generic => generic::$function($($argument),*),
            // SAFETY: a `Kernels` of this kind is made only where these features were found.
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx2 => unsafe { avx2::$function($($argument),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512 => unsafe { avx512::$function($($argument),*) },
        }
    };
}

impl Kernels {
    /// Adds a tile's part of the outputs of a chunk and keeps the hidden layer.
    pub fn forward(
        self,
        shape: &Shape,
        tile: &[Row],
        chunk: &Chunk,
        activations: &mut Activations,
        outputs: &mut [Lanes],
    ) {
        dispatch!(self, forward(shape, tile, chunk, activations, outputs));
    }

    /// Adds a tile's part of the gradient of a chunk.
    pub fn backward(
        self,
        shape: &Shape,
        tile: &[Row],
        chunk: &Chunk,
        activations: &Activations,
        slopes: &[f32],
        gradient: &mut [Row],
    ) {
        dispatch!(self, backward(shape, tile, chunk, activations, slopes, gradient));
    }

    /// One step of AdamW; weights are kept within `limit`. `gradients` holds at least one.
    pub fn descend(self, step: &Step, limit: f32, weights: &mut [Row], moments: Moments<'_>, gradients: &[&[Row]]) {
        dispatch!(self, descend(step, limit, weights, moments, gradients));
    }
}
