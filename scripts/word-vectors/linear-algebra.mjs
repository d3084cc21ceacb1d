// The linear algebra of word vectors. Matrices are typed arrays, row after row; a square one knows its size by its
// length. Everything starts from fixed numbers, so every run gives the same result.

/**
 * Rows of U S^power of a sparse matrix in compressed sparse row form, of `dimensions` each: a randomised singular
 * value decomposition by two rounds of subspace iteration.
 */
export function factorise(matrix, { dimensions, power }) {
  const wide = randomMatrix(matrix.columns * dimensions);
  const tall = new Float32Array((matrix.starts.length - 1) * dimensions);
  multiply(matrix, wide, { into: tall, dimensions });
  multiplyTransposed(matrix, tall, { into: wide, dimensions });
  rescale(wide);
  multiply(matrix, wide, { into: tall, dimensions });
  // Q = tall * basis is orthonormal; the singular values and the rotation come from (A^T Q)^T (A^T Q), a small matrix.
  const basis = eigen(gram(tall, dimensions));
  const toOrthonormal = scaleColumns(basis.vectors, (column) => 1 / Math.sqrt(basis.values[column]));
  multiplyTransposed(matrix, tall, { into: wide, dimensions });
  const small = product(transpose(toOrthonormal), product(gram(wide, dimensions), toOrthonormal));
  const { values, vectors } = eigen(small);
  return product(
    tall,
    product(
      toOrthonormal,
      scaleColumns(vectors, (column) => values[column] ** (power / 2)),
    ),
  );
}

/**
 * Rows turned to their principal directions, the one with the largest eigenvalue first, of which `from` to
 * `from + count` are kept.
 */
export function principalPart(rows, columns, { from, count }) {
  const { values, vectors } = eigen(gram(rows, columns));
  const order = [...values.keys()].sort((a, b) => values[b] - values[a]);
  const turned = product(rows, vectors);
  return Float32Array.from({ length: (rows.length / columns) * count }, (_, at) => {
    const row = Math.floor(at / count);
    return turned[row * columns + order[from + (at % count)]];
  });
}

/** Makes every row a unit vector, in place; zeros stay zeros. */
export function normaliseRows(rows, columns) {
  for (let start = 0; start < rows.length; start += columns) {
    const row = rowOf(rows, start / columns, columns);
    const length = Math.sqrt(row.reduce((sum, value) => sum + value * value, 0)) || 1;
    row.forEach((value, column) => {
      row[column] = value / length;
    });
  }
}

/** A row of a matrix; not a copy. */
export function rowOf(rows, row, columns) {
  return rows.subarray(row * columns, (row + 1) * columns);
}

function randomMatrix(length) {
  let state = 7;
  return Float32Array.from({ length }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32 - 0.5;
  });
}

function multiply({ starts, indexes, values }, wide, { into, dimensions }) {
  into.fill(0);
  for (let row = 0; row < starts.length - 1; row += 1) {
    const to = row * dimensions;
    for (let entry = starts[row]; entry < starts[row + 1]; entry += 1) {
      const value = values[entry];
      const from = indexes[entry] * dimensions;
      for (let index = 0; index < dimensions; index += 1) into[to + index] += value * wide[from + index];
    }
  }
}

function multiplyTransposed({ starts, indexes, values }, tall, { into, dimensions }) {
  into.fill(0);
  for (let row = 0; row < starts.length - 1; row += 1) {
    const from = row * dimensions;
    for (let entry = starts[row]; entry < starts[row + 1]; entry += 1) {
      const value = values[entry];
      const to = indexes[entry] * dimensions;
      for (let index = 0; index < dimensions; index += 1) into[to + index] += value * tall[from + index];
    }
  }
}

function rescale(numbers) {
  let sum = 0;
  for (const number of numbers) sum += number * number;
  const factor = Math.sqrt(numbers.length / sum);
  for (let index = 0; index < numbers.length; index += 1) numbers[index] *= factor;
}

/** Inner products of all pairs of columns. */
function gram(numbers, columns) {
  const products = new Float64Array(columns * columns);
  for (let start = 0; start < numbers.length; start += columns) {
    for (let row = 0; row < columns; row += 1) {
      const value = numbers[start + row];
      const to = row * columns;
      for (let column = row; column < columns; column += 1)
        products[to + column] += value * numbers[start + column];
    }
  }
  return squareOf(
    columns,
    (row, column) => products[Math.min(row, column) * columns + Math.max(row, column)],
  );
}

function sizeOf(square) {
  return Math.sqrt(square.length);
}

function squareOf(size, element) {
  return Float64Array.from({ length: size * size }, (_, at) => element(Math.floor(at / size), at % size));
}

function transpose(square) {
  const size = sizeOf(square);
  return squareOf(size, (row, column) => square[column * size + row]);
}

function scaleColumns(square, factor) {
  const size = sizeOf(square);
  return squareOf(size, (row, column) => square[row * size + column] * factor(column));
}

/** A matrix multiplied by a square one. */
function product(rows, square) {
  const size = sizeOf(square);
  const result = rows.slice();
  const turned = new Float64Array(size);
  for (let start = 0; start < rows.length; start += size) {
    turned.fill(0);
    for (let row = 0; row < size; row += 1) {
      const value = rows[start + row];
      const from = row * size;
      for (let column = 0; column < size; column += 1) turned[column] += value * square[from + column];
    }
    result.set(turned, start);
  }
  return result;
}

/** Eigenvalues (at least a hair above zero) and eigenvectors, as columns, of a symmetric matrix: cyclic Jacobi. */
function eigen(symmetric) {
  const size = sizeOf(symmetric);
  const vectors = squareOf(size, (row, column) => (row === column ? 1 : 0));
  for (let sweep = 0; sweep < 12; sweep += 1) {
    for (let row = 0; row < size; row += 1) {
      for (let column = row + 1; column < size; column += 1) annihilate(symmetric, vectors, { row, column });
    }
  }
  const values = Float64Array.from({ length: size }, (_, index) =>
    Math.max(symmetric[index * size + index], 1e-9),
  );
  return { values, vectors };
}

/** One Jacobi rotation, which makes the element at (row, column) zero. */
function annihilate(symmetric, vectors, { row, column }) {
  const size = sizeOf(symmetric);
  const element = symmetric[row * size + column];
  if (Math.abs(element) < 1e-12) return;
  const theta = (symmetric[column * size + column] - symmetric[row * size + row]) / (2 * element);
  const tangent = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const cosine = 1 / Math.sqrt(tangent * tangent + 1);
  const sine = tangent * cosine;
  const turn = (numbers, first, second) => {
    const a = numbers[first];
    const b = numbers[second];
    numbers[first] = cosine * a - sine * b;
    numbers[second] = sine * a + cosine * b;
  };
  for (let index = 0; index < size; index += 1) turn(symmetric, index * size + row, index * size + column);
  for (let index = 0; index < size; index += 1) turn(symmetric, row * size + index, column * size + index);
  for (let index = 0; index < size; index += 1) turn(vectors, index * size + row, index * size + column);
}
