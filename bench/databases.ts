// What many databases cost: creating one and querying one on a server with many, beside the same on a server with
// one; and whether creating and dropping some makes the queries of another wait. Everything is measured on both in
// turn, so that whatever else the machine does falls on both.
// npm run bench:databases [-- count]; DATABASE_URL chooses a native Postgres, else the embedded one is used.
import { describeMachine, percentile, timed } from './measuring.js';
import { BenchServer } from './server.js';
import { SyntheticText, randomNumbers } from './synthetic-text.js';

const count = Number(process.argv[2] ?? 5000);
const countBetween = 1000;
const memories = 200;
const creations = 50;
const queries = 500;
const acceptedTogether = 20;
const warmUpCreations = 300;
const warmUpQueries = 2000;
const changes = 50;
const passing = 'passing';

/** A server with the number of its databases; the first of them holds some memories. */
class Tenancy {
  readonly first = 'first';
  databases = 0;
  private named = 0;
  private readonly text = new SyntheticText(randomNumbers(1));

  constructor(readonly server: BenchServer) {}

  /** Makes a database; the milliseconds that it took. */
  async create(database = `other-${this.named++}`): Promise<number> {
    const milliseconds = await this.server.createDatabase(database);
    this.databases += 1;
    return milliseconds;
  }

  async createAndDrop(): Promise<void> {
    await this.create(passing);
    await this.drop(passing);
  }

  async drop(database: string): Promise<void> {
    await this.server.deleteDatabase(database);
    this.databases -= 1;
  }

  async createFilled(database: string): Promise<string> {
    await this.create(database);
    await this.server.remember(database, this.text, { count: memories });
    return database;
  }

  async createUpTo(total: number): Promise<void> {
    while (this.databases < total) {
      const howMany = Math.min(acceptedTogether, total - this.databases);
      await Promise.all(Array.from({ length: howMany }, () => this.create()));
    }
  }

  /** Lets the engines compile what runs often. */
  async warmUp(): Promise<void> {
    for (let n = 0; n < warmUpCreations; n += 1) await this.createAndDrop();
    for (let n = 0; n < warmUpQueries; n += 1) await this.query(this.first);
  }

  async query(database: string): Promise<void> {
    const query = this.text.text(8);
    await this.server.call('POST', '/query', { database, type: 'memory', query });
  }

  /** The times of asking the first database for as long as others are created and dropped, one after the other. */
  async queriesDuringChanges(): Promise<number[]> {
    let changing = true;
    const changed = (async () => {
      for (let n = 0; n < changes; n += 1) await this.createAndDrop();
    })().finally(() => {
      changing = false;
    });
    const times: number[] = [];
    while (changing) times.push(await timed(() => this.query(this.first)));
    await changed;
    return times;
  }
}

function report(label: string, times: readonly number[], ofOne?: readonly number[]): void {
  const [p50, p95, longest] = [0.5, 0.95, 1].map((share) => percentile(times, share).toFixed(1).padStart(6));
  const ratio = ofOne ? `, ${(percentile(times, 0.5) / percentile(ofOne, 0.5)).toFixed(2)} × one` : '';
  console.log(`  ${label.padEnd(36)} p50 ${p50}, p95 ${p95}, max ${longest} ms${ratio}`);
}

/** Creates and asks on both servers in turn. */
async function compare(many: Tenancy, one: Tenancy): Promise<void> {
  const creation = { many: [] as number[], one: [] as number[] };
  for (let n = 0; n < creations; n += 1) {
    // Its creation waits until the last removal has ended, so that this falls on neither.
    creation.one.push(await one.create(passing));
    creation.many.push(await many.create());
    await one.drop(passing);
  }
  const last = await many.createFilled(`last-of-${many.databases}`);
  const asked = [
    { tenancy: one, database: one.first, times: [] as number[] },
    { tenancy: many, database: many.first, times: [] as number[] },
    { tenancy: many, database: last, times: [] as number[] },
  ] as const;
  for (let n = 0; n < queries; n += 1) {
    for (const { tenancy, database, times } of n % 2 ? asked : asked.toReversed())
      times.push(await timed(() => tenancy.query(database)));
  }
  const [ofOne, ofFirst, ofLast] = asked;
  console.log(
    `${many.databases} databases (the server's process holds ${many.server.residentMebibytes()} MiB)`,
  );
  report('creation, with one database', creation.one);
  report('creation', creation.many, creation.one);
  report('query, with one database', ofOne.times);
  report('query of the first', ofFirst.times, ofOne.times);
  report('query of the last', ofLast.times, ofOne.times);
}

async function run(many: Tenancy, one: Tenancy): Promise<void> {
  for (const tenancy of [one, many]) {
    await tenancy.createFilled(tenancy.first);
    await tenancy.warmUp();
  }
  await compare(many, one);
  for (const total of [countBetween, count].filter((total) => total <= count)) {
    await many.createUpTo(total - creations - 1);
    await compare(many, one);
  }
  report('while others come and go, with one', await one.queriesDuringChanges());
  report('while others come and go', await many.queriesDuringChanges());
}

console.log(describeMachine());
const servers = [await BenchServer.start(), await BenchServer.start()] as const;
try {
  await run(new Tenancy(servers[0]), new Tenancy(servers[1]));
} finally {
  for (const server of servers) await server.stop();
}
process.exit(0);
