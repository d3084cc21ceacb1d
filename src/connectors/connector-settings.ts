import { stat } from 'node:fs/promises';
import type { Logger } from '../lib/logger.js';
import { StartupError } from '../lib/startup-error.js';
import type { Provider } from './provider.js';

/** The server's configuration of connectors. */
export interface ConnectorSettings {
  /** Addresses of providers that replace their own, by id. */
  readonly baseUrls: ReadonlyMap<string, string>;
  /** Ids of providers that may not be used. */
  readonly disabled: ReadonlySet<string>;
  /** Whether accounts may be in private networks. */
  readonly allowPrivate: boolean;
  /** Folders that the provider `filesystem` may read; empty: it may not be used. */
  readonly filesystemRoots: readonly string[];
}

/**
 * Compares the settings with what exists. A folder that is missing is only warned about, since an unmounted
 * disk must not stop everything else; so is an address for an unknown provider, which allows nothing. @throws
 * StartupError naming the variable
 */
export async function checkConnectorSettings(
  { baseUrls, disabled, filesystemRoots }: ConnectorSettings,
  { providers, logger }: { providers: readonly Provider[]; logger: Logger },
): Promise<void> {
  const ids = providers.map(({ id }) => id);
  for (const id of disabled)
    if (!ids.includes(id))
      throw new StartupError(
        `configuration: CONNECTORS_DISABLED: there is no provider "${id}"; there are ${ids.join(', ')}`,
      );
  for (const provider of baseUrls.keys())
    if (!ids.includes(provider)) logger.warn({ provider }, 'CONNECTOR_<PROVIDER>_URL names no provider');
  for (const folder of filesystemRoots) {
    const found = await stat(folder).catch(() => undefined);
    if (!found)
      logger.warn({ folder }, 'FILESYSTEM_ROOTS names a folder that is not there, or may not be read');
    else if (!found.isDirectory())
      throw new StartupError(`configuration: FILESYSTEM_ROOTS: must be folders, not the file "${folder}"`);
  }
}
