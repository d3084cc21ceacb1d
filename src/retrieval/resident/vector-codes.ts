/** A vector in small integers: times `scale` they are nearly what it was. */
export interface Codes<Values extends Int8Array | Int16Array> {
  readonly values: Values;
  readonly scale: number;
  /** How far that is from the vector (Euclidean). */
  readonly error: number;
}

const storedMax = 127;
const askedMax = 2 ** 15 - 1;
const sumMax = 2 ** 31 - 1;

/** Codes of a vector that is stored: 8 bits each. */
export function storedCodes(vector: Float32Array): Codes<Int8Array> {
  return encode(vector, storedMax, new Int8Array(vector.length));
}

/** Codes of a vector that is asked with: as fine as the sum of its products with stored ones fits into 32 bits. */
export function askedCodes(vector: Float32Array): Codes<Int16Array> {
  const finest = Math.floor(sumMax / (storedMax * vector.length));
  return encode(vector, Math.min(askedMax, finest), new Int16Array(vector.length));
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
