import type { TestServer } from './server.js';

/** The SQL of the statements that a server runs through TypeORM while some work is done, in their order. */
export async function statementsOf(server: TestServer, work: () => Promise<unknown>): Promise<string[]> {
  const { dataSource } = server.running.app.postgres;
  const asked: string[] = [];
  const makeRunner = dataSource.createQueryRunner.bind(dataSource);
  dataSource.createQueryRunner = (mode) => {
    const runner = makeRunner(mode);
    const run = runner.query.bind(runner);
    runner.query = async (...parameters: any[]) => {
      asked.push(String(parameters[0]));
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
