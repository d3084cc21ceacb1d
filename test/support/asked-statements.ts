import type { TestServer } from './server.js';

/** A statement, with the values of its parameters. */
export interface AskedStatement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** The SQL of the statements that a server runs through TypeORM while some work is done, in their order. */
export async function statementsOf(server: TestServer, work: () => Promise<unknown>): Promise<string[]> {
  return (await askedWhile(server, work)).map(({ sql }) => sql);
}

/** The same with parameters; `before` is awaited before each of them runs. */
export async function askedWhile(
  server: TestServer,
  work: () => Promise<unknown>,
  before?: (sql: string) => Promise<unknown>,
): Promise<AskedStatement[]> {
  const { dataSource } = server.running.app.postgres;
  const asked: AskedStatement[] = [];
  const makeRunner = dataSource.createQueryRunner.bind(dataSource);
  dataSource.createQueryRunner = (mode) => {
    const runner = makeRunner(mode);
    const run = runner.query.bind(runner);
    runner.query = async (...parameters: any[]) => {
      asked.push({ sql: String(parameters[0]), parameters: parameters[1] ?? [] });
      await before?.(String(parameters[0]));
      return run(...(parameters as [string]));
    };
    return runner;
  };
  try {
    await work();
  } finally {
    dataSource.createQueryRunner = makeRunner;
  }
  return asked;
}
