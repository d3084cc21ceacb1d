import { ServerProcess } from './process.js';
import { adminKey, copyTemplate } from './server.js';
import { StoreView } from './store-view.js';

/** Servers in processes of their own that share a Postgres and a data directory, both copies of the template. */
export class ServerProcesses {
  readonly store: StoreView;
  private readonly running: ServerProcess[] = [];

  private constructor(
    readonly place: Awaited<ReturnType<typeof copyTemplate>>,
    private readonly environment: NodeJS.ProcessEnv,
  ) {
    this.store = new StoreView(place);
  }

  /** Starts none yet; `environment` is what all of them get. */
  static async onCopy(environment: NodeJS.ProcessEnv = {}): Promise<ServerProcesses> {
    return new ServerProcesses(await copyTemplate(), environment);
  }

  /** One more, with variables of its own; returned when it serves. */
  async start(variables: NodeJS.ProcessEnv = {}): Promise<{ server: ServerProcess; url: string }> {
    const server = new ServerProcess({
      DATA_DIR: this.place.dataDir,
      DATABASE_URL: this.place.databaseUrl,
      BOOTSTRAP_API_KEY: adminKey,
      ...this.environment,
      ...variables,
    });
    this.running.push(server);
    return { server, url: await server.url() };
  }

  /** Ends them all, stopped ones too. */
  async kill(): Promise<void> {
    for (const server of this.running) await server.kill('SIGKILL');
  }
}
