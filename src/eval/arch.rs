//! The dimensions of the net and the scales of its integers. Training and evaluation both follow them.

/// Numbers of a point's vector.
pub const CHANNELS: usize = 32;
/// Regions of the board: its thirds in both directions.
pub const REGIONS: usize = 9;
/// Inputs of the first layer: the vector sums of the whole board, then of each region.
pub const INPUTS: usize = (1 + REGIONS) * CHANNELS;
/// Neurons of each of the two hidden layers.
pub const HIDDEN: usize = 16;

/// Numbers of a point's vector in the policy, which has an embedding of its own.
pub const POLICY_CHANNELS: usize = 64;
/// Neurons of the policy's hidden layer.
pub const POLICY_HIDDEN: usize = 32;
/// Where a point can lie from another, up to symmetry: see [`super::policy::relation`].
pub const RELATIONS: usize = 23;
/// What the policy's hidden layer says: what each channel is worth at the moment, each region, and where a move lies from
/// the last move and the one before it.
pub const POLICY_OUTPUTS: usize = POLICY_CHANNELS + REGIONS + 2 * RELATIONS;
/// The same with zeros that fill up the processor's vectors.
pub const POLICY_WIDTH: usize = POLICY_OUTPUTS.next_multiple_of(32);

/// One in the integers of the embedding.
pub const EMBEDDING_ONE: i32 = 256;
/// The largest number of a point's vector, so that a region's sum of 64 points fits 16 bits.
pub const LARGEST: i16 = 511;
/// [`LARGEST`] as a real number.
pub const LIMIT: f32 = LARGEST as f32 / EMBEDDING_ONE as f32;
/// The whole board's sum is divided by this before the first layer.
pub const TOTAL_SCALE: f32 = 8.0;
/// Region sums lose so many bits before the first layer; the total as many and those of [`TOTAL_SCALE`].
pub const INPUT_SHIFT: u32 = 3;
/// One in the inputs of the first layer.
pub const INPUT_ONE: i32 = EMBEDDING_ONE >> INPUT_SHIFT;
/// One in the weights of all layers.
pub const WEIGHT_ONE: i32 = 256;
/// One in the outputs of a hidden layer, which lie between zero and one.
pub const HIDDEN_ONE: i32 = 128;
/// One in the logit.
pub const LOGIT_ONE: i32 = HIDDEN_ONE * WEIGHT_ONE;
/// One in the linear weights.
pub const LINEAR_ONE: i32 = 1024;
/// Move scores are natural logarithms of probabilities times this.
pub const MOVE_ONE: i32 = 64;
/// One in the integers of the policy's embedding.
pub const POLICY_ONE: i32 = 64;
/// The largest number of a point's vector in the policy as a real number.
pub const POLICY_LIMIT: f32 = i8::MAX as f32 / POLICY_ONE as f32;
/// Largest weight of the first layer: with it no sum can leave 32 bits.
pub const LARGEST_WEIGHT: i16 = 1024;

const _: () = {
    let largest_input = (64 * LARGEST as i64) >> INPUT_SHIFT;
    assert!(INPUTS as i64 * largest_input * (LARGEST_WEIGHT as i64) < i32::MAX as i64);
    assert!(64 * LARGEST as i64 <= i16::MAX as i64);
};
