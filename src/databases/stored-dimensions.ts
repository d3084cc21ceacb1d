import type { DataSource } from 'typeorm';

/** The length of the vectors of a model that the newest of its databases holds; undefined when there is none. */
export async function storedDimensions(postgres: DataSource, model: string): Promise<number | undefined> {
  const [row] = await postgres.query<{ dimensions: number }[]>(
    'select vector_dimensions as dimensions from databases where embedding_model = $1 order by id desc limit 1',
    [model],
  );
  return row?.dimensions;
}
