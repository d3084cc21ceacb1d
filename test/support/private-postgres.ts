import { execFile, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from './free-port.js';
import { SmallDisk } from './small-disk.js';

const run = promisify(execFile);
const owner = 'postgres';
const asRoot = process.getuid?.() === 0;

/** The folder of the newest installed Postgres's programs; undefined without one. */
function findPrograms(): string | undefined {
  const base = '/usr/lib/postgresql';
  const versions = existsSync(base) ? readdirSync(base).sort((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => join(base, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')));
}

const programs = findPrograms();
/**
 * Whether this machine can run a private Postgres. Only then, and only when tests run on a native Postgres,
 * are its faults tested.
 */
export const canRunPostgres = programs !== undefined && process.env['TEST_DATABASE_URL'] !== undefined;

interface ClusterOptions {
  readonly connectionsMax?: number;
  /** Puts the cluster on a disk of its own of this size; needs root. */
  readonly diskMebibytes?: number;
}

/** A native Postgres of its own that a test may stop, freeze, cut off and fill. */
export class PrivatePostgres {
  private constructor(
    private readonly folder: string,
    private readonly port: number,
    private readonly options: ClusterOptions,
    /** What it stands on, when it has a disk of its own. */
    readonly disk: SmallDisk | undefined,
  ) {}

  static async create(options: ClusterOptions = {}): Promise<PrivatePostgres> {
    const folder = mkdtempSync(join(process.env['TEST_FOLDER'] ?? '', 'pg-'));
    const disk = options.diskMebibytes ? SmallDisk.mount(folder, options.diskMebibytes) : undefined;
    if (asRoot) {
      const [uid, gid] = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, owner]).stdout.toString()));
      chownSync(folder, uid ?? 0, gid ?? 0);
    }
    const postgres = new PrivatePostgres(folder, await freePort(), options, disk);
    await postgres.program('initdb', ['-N', '-U', owner, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8']);
    await postgres.start();
    return postgres;
  }

  get url(): string {
    return `postgres://${owner}@127.0.0.1:${this.port}/postgres`;
  }

  async start(): Promise<void> {
    const settings = [
      `-p ${this.port} -k ${this.folder}`,
      '-c listen_addresses=127.0.0.1 -c shared_buffers=32MB -c min_wal_size=32MB -c max_wal_size=64MB',
      `-c max_connections=${this.options.connectionsMax ?? 40} -c superuser_reserved_connections=1`,
    ].join(' ');
    await this.program('pg_ctl', ['-w', '-l', join(this.folder, 'log'), '-o', settings, 'start']);
  }

  async stop(mode: 'fast' | 'immediate' = 'immediate'): Promise<void> {
    await this.program('pg_ctl', ['-w', '-m', mode, 'stop']);
  }

  /** Starts it again unless it is running: a full disk may have ended it. */
  async ensureRunning(): Promise<void> {
    await this.program('pg_ctl', ['status']).catch(async () => this.start());
  }

  /** Stops all its processes where they are: connections stay open and nothing is answered. */
  freeze(): void {
    this.signal('SIGSTOP');
  }

  thaw(): void {
    this.signal('SIGCONT');
  }

  private signal(signal: NodeJS.Signals): void {
    for (const id of this.processes()) {
      try {
        process.kill(id, signal);
      } catch (error) {
        // It has ended since it was listed.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
  }

  async connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.url });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  async remove(): Promise<void> {
    this.disk?.empty();
    await this.stop().catch(() => undefined);
    this.disk?.unmount();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private get data(): string {
    return join(this.folder, 'data');
  }

  private async program(name: string, parameters: string[]): Promise<void> {
    const command = [join(programs ?? '', name), '-D', this.data, ...parameters];
    // Postgres refuses to run as root.
    const prefix = asRoot ? ['setpriv', '--reuid', owner, '--regid', owner, '--init-groups', '--'] : [];
    const [file = '', ...rest] = [...prefix, ...command];
    await run(file, rest, { cwd: '/' });
  }

  /** The postmaster first: it must not replace what is stopped after it. */
  private processes(): number[] {
    const [postmaster] = readFileSync(join(this.data, 'postmaster.pid'), 'utf8').split('\n');
    const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim();
    return [postmaster ?? '', ...children.split(' ')].filter((id) => id !== '').map(Number);
  }
}
