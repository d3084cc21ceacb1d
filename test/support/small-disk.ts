import { spawnSync } from 'node:child_process';
import { closeSync, fstatSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A small disk in memory that a test can fill; mounting it needs root and the right to mount. */
export class SmallDisk {
  private constructor(readonly folder: string) {}

  /** @throws when this process may not mount. */
  static mount(folder: string, mebibytes: number): SmallDisk {
    const { status, stderr } = spawnSync('mount', [
      '-t',
      'tmpfs',
      '-o',
      `size=${mebibytes}m`,
      'tmpfs',
      folder,
    ]);
    if (status !== 0) throw new Error(`cannot mount: ${String(stderr)}`);
    return new SmallDisk(folder);
  }

  /** Takes all the room that is left, but for some. */
  fill({ leftBytes = 0 } = {}): void {
    const file = openSync(this.ballast, 'w');
    const block = Buffer.alloc(65_536, 1);
    try {
      for (;;) writeSync(file, block);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      ftruncateSync(file, fstatSync(file).size - leftBytes);
      closeSync(file);
    }
  }

  /** Gives the room back. */
  empty(): void {
    rmSync(this.ballast, { force: true });
  }

  /** As a file system becomes that has met an error. */
  makeReadOnly(): void {
    spawnSync('mount', ['-o', 'remount,ro', this.folder]);
  }

  unmount(): void {
    spawnSync('umount', ['-l', this.folder]);
  }

  private get ballast(): string {
    return join(this.folder, 'ballast');
  }
}

/** Whether this process may mount a disk; without that, tests of full disks cannot run. */
export const canMount = process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0;
