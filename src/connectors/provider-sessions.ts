import type { DataSource } from 'typeorm';
import type { Clock } from '../lib/clock.js';
import { GuardedNetwork } from '../lib/guarded-network.js';
import type { Resolve } from '../lib/host-addresses.js';
import type { SecretBox } from '../lib/secret-box.js';
import { query, queryOne } from '../postgres/query.js';
import { resealColumn } from '../postgres/sealed-column.js';
import type { JsonObject } from '../sources/source.types.js';
import type { ConnectorSettings } from './connector-settings.js';
import { DocumentReaders } from './documents/document-readers.js';
import { credentialsContext } from './management/connector-rows.js';
import { ProviderError } from './provider.js';
import type { Provider, Session } from './provider.js';
import { withoutSecrets } from './sync/secrets-in-errors.js';

interface ProviderSessionsOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly providers: readonly Provider[];
  readonly connectors: ConnectorSettings;
  /** Replaced by tests. */
  readonly resolve?: Resolve;
}

/** Credentials to use, and where to save them when they are rotated. */
interface Account {
  readonly provider: Provider;
  readonly credentials: JsonObject;
  readonly save: (credentials: JsonObject) => Promise<void>;
}

/** Opens sessions with providers; the only place that opens sealed credentials. */
export class ProviderSessions {
  readonly providers: readonly Provider[];
  private readonly networks = new Map<string, GuardedNetwork>();
  private readonly documents = new DocumentReaders();

  constructor(private readonly options: ProviderSessionsOptions) {
    this.providers = options.providers;
  }

  find(id: string): Provider | undefined {
    return this.providers.find((provider) => provider.id === id);
  }

  /** Whether the configuration allows this provider. */
  isAvailable({ id }: Provider): boolean {
    const { disabled, filesystemRoots } = this.options.connectors;
    return !disabled.has(id) && (id !== 'filesystem' || filesystemRoots.length > 0);
  }

  /** Opens a session with credentials that are not stored (yet). The caller closes it. */
  open({ provider, credentials, save }: Account): Session {
    const { clock, connectors } = this.options;
    const session = provider.open({
      credentials: credentials as never,
      baseUrl: connectors.baseUrls.get(provider.id),
      network: this.networkOf(provider),
      documents: this.documents,
      clock,
      filesystemRoots: connectors.filesystemRoots,
      saveCredentials: save,
    });
    return withoutSecrets(session, credentials);
  }

  /**
   * Opens a session with a connector's stored credentials. The caller closes it. @throws ProviderError,
   * UnopenableSecretError
   */
  async openStored(connectorId: string): Promise<Session> {
    const row = await queryOne<{ provider: string; credentials: Buffer | null }>(
      this.options.postgres.manager,
      'select provider, credentials from connectors where id = $1',
      [connectorId],
    );
    const provider = row && this.find(row.provider);
    if (!provider || !row.credentials)
      throw new ProviderError('credentials', 'the connector has no credentials any more');
    if (!this.isAvailable(provider))
      throw new ProviderError('credentials', `${provider.name} is switched off on this server`);
    let stored = row.credentials;
    return this.open({
      provider,
      credentials: this.unseal(connectorId, stored),
      save: async (credentials) => {
        const sealed = this.seal(connectorId, credentials);
        // Does not overwrite credentials that somebody has entered meanwhile.
        await query(
          this.options.postgres.manager,
          'update connectors set credentials = $2 where id = $1 and credentials = $3',
          [connectorId, sealed, stored],
        );
        stored = sealed;
      },
    });
  }

  seal(connectorId: string, credentials: JsonObject): Buffer {
    return this.options.secretBox.seal(JSON.stringify(credentials), credentialsContext(connectorId));
  }

  /** @throws UnopenableSecretError */
  unseal(connectorId: string, sealed: Buffer): JsonObject {
    return JSON.parse(this.options.secretBox.open(sealed, credentialsContext(connectorId))) as JsonObject;
  }

  /** Seals anew the stored credentials that older keys have sealed. @throws UnopenableSecretError */
  async reseal(): Promise<void> {
    const { postgres, secretBox } = this.options;
    const stored = { table: 'connectors', column: 'credentials', id: 'id', contextOf: credentialsContext };
    await resealColumn(postgres.manager, secretBox, stored);
  }

  /** Ends every connection, and whatever is being read. */
  async close(): Promise<void> {
    this.documents.close();
    for (const network of this.networks.values()) await network.close();
  }

  private networkOf({ id }: Provider): GuardedNetwork {
    const known = this.networks.get(id);
    if (known) return known;
    const { connectors, resolve } = this.options;
    const baseUrl = connectors.baseUrls.get(id);
    const network = new GuardedNetwork({
      allowPrivate: connectors.allowPrivate,
      trustedHosts: baseUrl ? [new URL(baseUrl).hostname] : [],
      ...(resolve && { resolve }),
    });
    this.networks.set(id, network);
    return network;
  }
}
