import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from './free-port.js';

const bucket = 'originals';
// s3rver pages with DES, which OpenSSL 3 keeps apart.
const flags = ['--openssl-legacy-provider', 'test/support/s3-server.mjs'];
const suffix = '._S3rver_object';

/** An S3 server in a process of its own, whose objects lie in a folder; it can go away and come back. */
export class S3Store {
  private child: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    private readonly port: number,
  ) {}

  static async start(): Promise<S3Store> {
    const store = new S3Store(mkdtempSync(join(process.env['TEST_FOLDER'] ?? '', 's3-')), await freePort());
    await store.comeBack();
    return store;
  }

  /** What a server needs to use it. */
  get environment(): NodeJS.ProcessEnv {
    return {
      S3_URL: `http://127.0.0.1:${this.port}`,
      S3_BUCKET: bucket,
      S3_KEY: 'S3RVER',
      S3_SECRET: 'S3RVER',
    };
  }

  /** Starts it, where it was before. */
  async comeBack(): Promise<void> {
    const child = spawn(process.execPath, [...flags, this.folder, String(this.port), bucket], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.child = child;
    await once(createInterface(child.stdout), 'line');
  }

  /** Ends it without a farewell. */
  async goAway(): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (!child) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  /** Stops it in its tracks: it accepts connections and answers nothing. */
  freeze(): void {
    this.child?.kill('SIGSTOP');
  }

  /** Keys of the original files in it. */
  keys(): string[] {
    return filesUnder(join(this.folder, bucket, 'files'))
      .filter((name) => name.includes('/') && name.endsWith(suffix))
      .map((name) => name.slice(0, -suffix.length))
      .sort();
  }

  bytes(key: string): Buffer {
    return readFileSync(this.path(key));
  }

  /** Stores an object past the server. */
  put(key: string, text: string): void {
    mkdirSync(join(this.path(key), '..'), { recursive: true });
    writeFileSync(this.path(key), text);
    writeFileSync(this.path(key).replace(suffix, '._S3rver_metadata.json'), '{}');
    writeFileSync(`${this.path(key)}.md5`, createHash('md5').update(text).digest('hex'));
  }

  /** Loses an object past the server. */
  lose(key: string): void {
    rmSync(this.path(key));
  }

  /** Loses the whole bucket; what it returns brings it back. */
  loseBucket(): () => void {
    const path = join(this.folder, bucket);
    renameSync(path, `${path}-lost`);
    return () => renameSync(`${path}-lost`, path);
  }

  /** Lets an object look as if it had been stored hours ago. */
  age(key: string): void {
    const then = new Date(Date.now() - 2 * 3_600_000);
    utimesSync(this.path(key), then, then);
  }

  /** Where an object lies. */
  path(key: string): string {
    return join(this.folder, bucket, 'files', `${key}${suffix}`);
  }
}

/** Names below a folder. What vanishes while it is read, as the server removes empty folders, holds nothing. */
function filesUnder(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.flatMap((entry) =>
      entry.isDirectory()
        ? filesUnder(join(folder, entry.name)).map((name) => join(entry.name, name))
        : [entry.name],
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
