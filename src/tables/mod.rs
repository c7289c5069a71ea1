//! Generated tables that every CPU copy reads: one of each in the executable.

pub mod chess;
pub mod xiangqi;

/// A table that starts on a cache line.
#[repr(C, align(64))]
pub struct Aligned<T>(pub T);

/// A generated file as a constant table of plain words.
macro_rules! table {
    ($(#[$doc:meta])* $name:ident: $type:ty, $file:literal) => {
        $(#[$doc])*
        pub static $name: $crate::tables::Aligned<$type> =
            $crate::tables::Aligned(bytemuck::must_cast(*include_bytes!(concat!(env!("OUT_DIR"), "/", $file))));
    };
}
use table;
