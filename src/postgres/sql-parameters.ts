/** Adds a value to the parameters of a statement, and returns its placeholder ($1, $2, …). */
export type AddParameter = (value: unknown) => string;

/** Collects the parameters of one statement whose text depends on what is asked. */
export class SqlParameters {
  readonly values: unknown[];

  /** Begins with `values`, whose placeholders are $1, $2, … in their order. */
  constructor(values: readonly unknown[] = []) {
    this.values = [...values];
  }

  /** A property, so that it can be handed over by itself. */
  readonly add: AddParameter = (value) => `$${this.values.push(value)}`;
}
