import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { KeptStatements } from './prepared-statements.js';
import { MessageReader, fatalErrorOf, parseComplete, readStatement, simpleQuery } from './wire-messages.js';

/** What is used of the embedded engine: one backend that answers protocol messages. */
export interface Engine {
  execProtocolRaw(message: Uint8Array): Promise<Uint8Array>;
}

const idleInTransactionMs = 60_000;
const foregroundUnitsMax = 20;
const followUpWithinMs = 4;
const readyForQuery = 0x5a;
const readyForQueryBytes = 6;
const idle = 'I';

/** A client, with the messages that it has sent and that have not been run yet. */
class Client {
  readonly reader = new MessageReader();
  closed = false;
  private idleTimer: NodeJS.Timeout | undefined;

  constructor(readonly socket: Socket) {}

  /** A client that opens a transaction and falls silent would block all others for ever. */
  watch(inTransaction: boolean): void {
    clearTimeout(this.idleTimer);
    if (inTransaction) this.idleTimer = setTimeout(() => this.socket.destroy(), idleInTransactionMs);
  }
}

/**
 * Lets many connections share the one backend of the embedded Postgres. What belongs together runs without
 * messages of other connections in between: an extended query up to its Sync, and a transaction up to its
 * end.
 */
export class EmbeddedSocketServer {
  private readonly clients = new Set<Client>();
  private readonly server: Server;
  private owner: Client | undefined;
  private running = false;
  /** How many units have gone ahead of a waiting one of background work. */
  private foregroundUnits = 0;
  /** When the last unit of foreground work was answered. */
  private answeredMs = -Infinity;
  private looking: NodeJS.Timeout | undefined;
  /** Shared by all clients, since they share the one session. */
  private readonly statements = new KeptStatements();

  constructor(
    private readonly engine: Engine,
    /** Called when the engine itself fails; nothing can be served after that. */
    private readonly onFailure: (error: Error) => void,
  ) {
    this.server = createServer((socket) => this.accept(socket));
  }

  async listen(socketPath: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(socketPath, resolve);
    });
  }

  async close(): Promise<void> {
    clearTimeout(this.looking);
    for (const { socket } of this.clients) socket.destroy();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private accept(socket: Socket): void {
    const client = new Client(socket);
    this.clients.add(client);
    socket.on('data', (bytes) => {
      if (client.reader.add(bytes) === 'refuse-ssl') socket.write('N');
      void this.run();
    });
    // An error is always followed by a close event.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      client.closed = true;
      client.watch(false);
      this.clients.delete(client);
      void this.run();
    });
  }

  private async run(): Promise<void> {
    if (this.running) return;
    this.running = true;
    try {
      for (let client = await this.next(); client; client = await this.next()) await this.runUnit(client);
      this.running = false;
    } catch (error) {
      // The loop keeps running: a dead engine answers nothing any more.
      this.onFailure(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /**
   * The client whose turn it is: one with an open transaction, else the one that has waited longest.
   * Background work comes after all others, but is not passed over for ever.
   */
  private async next(): Promise<Client | undefined> {
    if (this.owner?.closed) {
      await this.engine.execProtocolRaw(simpleQuery('rollback'));
      this.owner = undefined;
    }
    if (this.owner) return this.owner.reader.hasUnit ? this.owner : undefined;
    const [foreground, background] = [this.longestWaiting(false), this.longestWaiting(true)];
    const mayWait = this.foregroundUnits < foregroundUnitsMax;
    if (foreground && (!background || mayWait)) {
      this.foregroundUnits = background ? this.foregroundUnits + 1 : 0;
      return foreground;
    }
    if (background && mayWait && this.isMoreExpected()) return undefined;
    this.foregroundUnits = 0;
    return background;
  }

  /**
   * Whether the client that was just answered will probably ask more, since a search is several statements;
   * then background work waits a moment.
   */
  private isMoreExpected(): boolean {
    const waitMs = this.answeredMs + followUpWithinMs - performance.now();
    if (waitMs <= 0) return false;
    this.looking ??= setTimeout(() => {
      this.looking = undefined;
      void this.run();
    }, Math.ceil(waitMs));
    return true;
  }

  private longestWaiting(isBackground: boolean): Client | undefined {
    let longest: Client | undefined;
    for (const client of this.clients) {
      if (!client.reader.hasUnit || client.reader.isBackground !== isBackground) continue;
      if (!longest || client.reader.waitingSince < longest.reader.waitingSince) longest = client;
    }
    return longest;
  }

  private async runUnit(client: Client): Promise<void> {
    const inTransaction = this.owner !== undefined;
    this.owner = client;
    client.watch(false);
    // One call and one write per unit: crossing into the engine and waking the other thread cost more than
    // most statements.
    const isForeground = !client.reader.isBackground;
    const answer = await this.answer(client.reader.takeUnit(), inTransaction);
    if (isForeground) this.answeredMs = performance.now();
    if (answer.length > 0 && client.socket.writable) client.socket.write(answer);
    const status = statusOf(answer);
    const death = status === undefined ? fatalErrorOf(answer) : undefined;
    if (death !== undefined) throw new Error(death);
    if (status === idle) this.owner = undefined;
    else client.watch(true);
  }

  /** Runs a unit as if the client's statement were new each time, but with the plan that was kept for it. */
  private async answer(unit: Buffer, inTransaction: boolean): Promise<Uint8Array> {
    const statement = readStatement(unit);
    const name = statement && this.statements.nameOf(statement.text);
    if (!statement || name === undefined) return this.engine.execProtocolRaw(unit);
    if (this.statements.has(name))
      return Buffer.concat([parseComplete, await this.engine.execProtocolRaw(statement.use(name))]);
    if (this.statements.isFull) {
      // A failed transaction accepts no DEALLOCATE.
      if (inTransaction) return this.engine.execProtocolRaw(unit);
      await this.engine.execProtocolRaw(simpleQuery('deallocate all'));
      this.statements.clear();
    }
    const answer = await this.engine.execProtocolRaw(statement.prepare(name));
    if (answer[0] === parseComplete[0]) this.statements.keep(name);
    return answer;
  }
}

/** The transaction status at the end of an answer: I idle, T in a transaction, E in a failed one. */
function statusOf(answer: Uint8Array): string | undefined {
  const start = answer.length - readyForQueryBytes;
  if (start < 0 || answer[start] !== readyForQuery) return undefined;
  return String.fromCharCode(answer[start + 5] ?? 0);
}
