import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { callApi, until } from '../api-client.js';
import type { Random } from '../random.js';

export const folderCollection = 'folder';
// So that the load beside it has its share of the server.
const paceMs = 50;

/** A folder that changes while a connector of the provider `filesystem` follows it. */
export class WatchedFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'watched-'));
  /** What is in it, by name. */
  readonly files = new Map<string, string>();
  private readonly random: Random;
  private connectorId = '';
  private made = 0;

  constructor(random: Random) {
    this.random = random;
    this.change();
  }

  async connect(url: string, database: string): Promise<void> {
    const json = { provider: 'filesystem', database, collection: folderCollection, credentials: {} };
    const created = await callApi(url, 'POST /connectors', { json });
    this.connectorId = created.body.connector_id as string;
    const resources = [{ resource_id: this.path }];
    const configured = await callApi(url, `POST /connectors/${this.connectorId}/configure`, {
      json: { resources },
    });
    if (configured.status !== 200) throw new Error(`configuring answered ${JSON.stringify(configured.body)}`);
  }

  /** Changes files and asks for syncs until it is told to stop or a connection breaks. */
  async run(url: string, stopped: () => boolean): Promise<void> {
    while (!stopped()) {
      this.change();
      const answer = await callApi(url, `POST /connectors/${this.connectorId}/sync`).catch(() => undefined);
      if (!answer) return;
      await delay(paceMs);
    }
  }

  /** One more sync, to its end. */
  async catchUp(url: string): Promise<void> {
    const connector = `/connectors/${this.connectorId}`;
    const isIdle = async () => (await callApi(url, `GET ${connector}`)).body.sync_status === 'idle';
    await until(isIdle);
    await callApi(url, `POST ${connector}/sync`);
    await until(isIdle);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }

  private change(): void {
    const names = [...this.files.keys()];
    const name = names[this.random.below(names.length)];
    if (name !== undefined && this.random.chance(0.3)) {
      this.files.delete(name);
      rmSync(join(this.path, name));
      return;
    }
    this.made += 1;
    const written = name !== undefined && this.random.chance(0.4) ? name : `file-${this.made}.txt`;
    const text = `Otters in edition ${this.made} of ${written}`;
    this.files.set(written, text);
    writeFileSync(join(this.path, written), text);
  }
}
