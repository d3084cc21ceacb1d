import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

/**
 * A server in another process, started as `npm start` does; but V8 does not optimise the code of the embedded
 * Postgres, which takes a third of the start and does not pay in a short life.
 */
export class ServerProcess {
  readonly lines: string[] = [];
  /** Resolves with exit code and signal when the process ends. */
  readonly exited: Promise<{ code: number | null; signal: string | null }>;
  private readonly child: ChildProcess;
  private readonly serving: Promise<string>;

  constructor(environment: NodeJS.ProcessEnv) {
    this.child = spawn(process.execPath, ['--liftoff-only', 'dist/server/main.js'], {
      env: { PATH: process.env['PATH'], PORT: '0', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.exited = new Promise((resolve) =>
      this.child.once('exit', (code, signal) => resolve({ code, signal })),
    );
    this.serving = new Promise((resolve, reject) => {
      for (const stream of [this.child.stdout, this.child.stderr]) {
        if (stream) createInterface(stream).on('line', (line) => this.read(line, resolve));
      }
      void this.exited.then(() => reject(new Error(`the server ended: ${this.lines.join('\n')}`)));
    });
    this.serving.catch(() => undefined);
  }

  /** Its address, as soon as it serves. */
  async url(): Promise<string> {
    return this.serving;
  }

  async kill(signal: NodeJS.Signals): Promise<{ code: number | null; signal: string | null }> {
    this.child.kill(signal);
    return this.exited;
  }

  private read(line: string, serve: (url: string) => void): void {
    this.lines.push(line);
    const url = /"url":"([^"]+)".*"msg":"serving"/.exec(line)?.[1];
    if (url) serve(url);
  }
}
