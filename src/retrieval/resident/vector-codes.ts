/** A scalar quantization of a vector: small integers that, times `scale`, are nearly the vector. */
export interface Codes<Values extends Int8Array | Int16Array> {
  readonly values: Values;
  readonly scale: number;
  /** The Euclidean distance between the two. */
  readonly error: number;
}

const storedMax = 127;
const queryMax = 2 ** 15 - 1;
const sumMax = 2 ** 31 - 1;

/** The codes of a stored vector, of 8 bits each. */
export function storedCodes(vector: Float32Array): Codes<Int8Array> {
  return encode(vector, storedMax, new Int8Array(vector.length));
}

/**
 * The codes of a query vector: as fine as allows the sum of their products with stored codes to fit into 32
 * bits.
 */
export function queryCodes(vector: Float32Array): Codes<Int16Array> {
  const finest = Math.floor(sumMax / (storedMax * vector.length));
  return encode(vector, Math.min(queryMax, finest), new Int16Array(vector.length));
}

function encode<Values extends Int8Array | Int16Array>(
  vector: Float32Array,
  codeMax: number,
  values: Values,
): Codes<Values> {
  const scale = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / codeMax;
  let squares = 0;
  vector.forEach((value, n) => {
    const code = scale === 0 ? 0 : Math.round(value / scale);
    values[n] = code;
    squares += (value - code * scale) ** 2;
  });
  return { values, scale, error: Math.sqrt(squares) };
}
