/** Copies an array into the beginning of a longer one, and returns that. */
export function grown<Values extends Float64Array | Float32Array | Int32Array | Uint32Array | Uint8Array>(
  from: Values,
  to: Values,
): Values {
  to.set(from);
  return to;
}
