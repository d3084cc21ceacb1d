import { afterEach, beforeEach } from '@jest/globals';
import type { Provider, Session } from '../../../src/connectors/provider.js';
import type { JsonObject } from '../../../src/sources/source.types.js';
import type { ProviderFake } from './provider-fake.js';
import { openFake } from './reading.js';

/** A fake of a provider and a session with it, both new for each test. */
export class OpenedFake {
  fake!: ProviderFake;
  private opened!: ReturnType<typeof openFake>;

  private constructor(
    private readonly provider: Provider,
    private readonly credentials?: JsonObject,
  ) {}

  /** Registers what begins and ends each test; `start` makes the fake. */
  static forEachTest(
    provider: Provider,
    start: () => Promise<ProviderFake> | ProviderFake,
    credentials?: JsonObject,
  ): OpenedFake {
    const opened = new OpenedFake(provider, credentials);
    beforeEach(async () => {
      opened.fake = await start();
      opened.open();
    });
    afterEach(async () => {
      await opened.opened.close();
      await opened.fake.close();
    });
    return opened;
  }

  get session(): Session {
    return this.opened.session;
  }

  /** The credentials that the session has renewed. */
  get saved(): readonly unknown[] {
    return this.opened.saved;
  }

  /** Another session in place of this one, as the next sync has. */
  async reopen(): Promise<void> {
    await this.opened.close();
    this.open();
  }

  private open(): void {
    this.opened = openFake(this.provider, this.fake, this.credentials);
  }
}
