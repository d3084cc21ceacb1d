/** The longer of two arrays, with what the shorter one holds. */
export function grown<Values extends Float64Array | Float32Array | Int32Array | Uint32Array | Uint8Array>(
  from: Values,
  to: Values,
): Values {
  to.set(from);
  return to;
}
