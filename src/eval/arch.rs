//! Dimensions of the net and scales of its integers, shared by training and evaluation.

/// Length of a point's embedding vector.
pub const CHANNELS: usize = 32;
/// Number of board regions: thirds in both directions.
pub const REGIONS: usize = 9;
/// Inputs of the first layer: the vector sum of the whole board, then that of each region.
pub const INPUTS: usize = (1 + REGIONS) * CHANNELS;
/// Neurons of each of the two hidden layers.
pub const HIDDEN: usize = 16;
/// Inputs of the second layer: for each neuron `z` of the first one, `z` between 0 and 1, then for each one the square of
/// `z` between -1 and 1 (as in Stockfish's networks since 2022).
pub const SECOND: usize = 2 * HIDDEN;

/// Length of a point's embedding vector in the policy, which has an embedding of its own.
pub const POLICY_CHANNELS: usize = 64;
/// Neurons of the policy's hidden layer.
pub const POLICY_HIDDEN: usize = 32;
/// Number of relations between two points, up to symmetry: see [`super::policy::relation`].
pub const RELATIONS: usize = 23;
/// Outputs of the policy's second layer: a weight for each channel, a score for each region, and a score for each
/// relation of a move to the last move and to the one before it.
pub const POLICY_OUTPUTS: usize = POLICY_CHANNELS + REGIONS + 2 * RELATIONS;
/// [`POLICY_OUTPUTS`] padded with zeros to whole processor vectors.
pub const POLICY_WIDTH: usize = POLICY_OUTPUTS.next_multiple_of(32);

/// Integer that stands for 1 in the embedding.
pub const EMBEDDING_ONE: i32 = 256;
/// Largest element of a point's vector, so that a region's sum over 64 points fits into 16 bits.
pub const LARGEST: i16 = 511;
/// [`LARGEST`] as a real number.
pub const LIMIT: f32 = LARGEST as f32 / EMBEDDING_ONE as f32;
/// Divisor of the whole board's sum before the first layer.
pub const TOTAL_SCALE: f32 = 8.0;
/// Right shift of region sums before the first layer. The total is shifted as much, and also divided by
/// [`TOTAL_SCALE`].
pub const INPUT_SHIFT: u32 = 3;
/// Integer that stands for 1 in the inputs of the first layer.
pub const INPUT_ONE: i32 = EMBEDDING_ONE >> INPUT_SHIFT;
/// Integer that stands for 1 in the weights of all layers.
pub const WEIGHT_ONE: i32 = 256;
/// Integer that stands for 1 in the outputs of a hidden layer, which are clamped between 0 and 1.
pub const HIDDEN_ONE: i32 = 128;
/// Integer that stands for 1 in the logit.
pub const LOGIT_ONE: i32 = HIDDEN_ONE * WEIGHT_ONE;
/// Integer that stands for 1 in the linear weights.
pub const LINEAR_ONE: i32 = 1024;
/// Integer that stands for 1 in move scores, which are natural logarithms of probabilities.
pub const MOVE_ONE: i32 = 64;
/// Integer that stands for 1 in the policy's embedding.
pub const POLICY_ONE: i32 = 64;
/// Largest element of a point's vector in the policy, as a real number.
pub const POLICY_LIMIT: f32 = i8::MAX as f32 / POLICY_ONE as f32;
/// Largest weight of a layer, so that no sum leaves 32 bits.
pub const LARGEST_WEIGHT: i16 = 1024;
/// Largest bias of a layer, likewise.
pub const LARGEST_BIAS: i32 = 1 << 24;

const _: () = {
    // Half of the divisor is added before the shift, to round.
    let largest_sum = 64 * LARGEST as i64 + (1 << INPUT_SHIFT >> 1);
    assert!(largest_sum <= i16::MAX as i64);
    let largest_input = largest_sum >> INPUT_SHIFT;
    let first_layer = INPUTS as i64 * largest_input * LARGEST_WEIGHT as i64 + LARGEST_BIAS as i64;
    assert!(first_layer < i32::MAX as i64);
};
