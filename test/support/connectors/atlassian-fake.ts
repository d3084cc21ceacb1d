import { AtlassianServer, fakeCredentials, wrongFakeCredentials } from './atlassian-server.js';
import type { FakeAnswer, FakeRequest } from './atlassian-server.js';

/** What fakes of Atlassian's applications share: the account, the server, a time that goes on with each change. */
export abstract class AtlassianFake {
  readonly credentials = fakeCredentials;
  readonly wrongCredentials = wrongFakeCredentials;
  readonly missingResourceId = 'NOPE';
  private server!: AtlassianServer;
  private time = Date.now() - 3_600_000;

  protected abstract answer(request: FakeRequest): FakeAnswer;

  async serve(): Promise<this> {
    this.server = await AtlassianServer.start((request) => this.answer(request));
    return this;
  }

  get baseUrl(): string {
    return this.server.url;
  }
  get requests(): number {
    return this.server.requests;
  }
  get fail(): AtlassianServer['fail'] {
    return this.server.fail;
  }
  get log(): readonly string[] {
    return this.server.log;
  }

  close(): Promise<void> {
    return this.server.close();
  }

  protected tick(): number {
    return (this.time += 1000);
  }
}
