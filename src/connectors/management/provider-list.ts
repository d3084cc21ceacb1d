import { z } from 'zod';
import { AppError, invalidInput } from '../../errors.js';
import { LIMITS } from '../../limits.js';
import type { JsonObject } from '../../sources/source.types.js';
import type { Provider } from '../provider.js';
import type { ProviderSessions } from '../provider-sessions.js';
import type {
  ConnectorProvider,
  ConnectorProviderList,
  ConnectorProviderSummary,
} from './connector-provider.types.js';

/** The providers, as described to clients. */
export class ProviderList {
  private readonly schemas = new WeakMap<z.ZodType, JsonObject>();

  constructor(private readonly sessions: ProviderSessions) {}

  /** All providers, or the details of one. @throws AppError NOT_FOUND */
  list(id: string | null): ConnectorProviderList {
    if (id !== null) return { providers: null, ...this.find(id) };
    const providers = this.sessions.providers.map((provider) => this.summary(provider));
    return { ...noDetails, providers };
  }

  /** @throws AppError NOT_FOUND */
  find(id: string): ConnectorProvider {
    const provider = this.sessions.find(id);
    if (!provider) throw new AppError('NOT_FOUND', `provider "${id.slice(0, 100)}" does not exist`);
    return {
      ...this.summary(provider),
      connectorType: provider.category,
      resourceType: provider.resourceType,
      indexedObjectTypes: [...provider.indexedObjectTypes],
      searchableFields: [...provider.searchableFields],
      filterableFields: [...provider.filterableFields],
      credentialSchema: this.schemaOf(provider.credentials),
      filterSchema: this.schemaOf(provider.filters),
      setupGuide: provider.setupGuide,
    };
  }

  private summary(provider: Provider): ConnectorProviderSummary {
    const bounds = intervalOf(provider);
    return {
      provider: provider.id,
      name: provider.name,
      category: provider.category,
      authTypes: [...provider.authTypes],
      supported: this.sessions.isAvailable(provider),
      supportsAcl: provider.supportsAcl,
      webhookSupport: false,
      defaultSyncIntervalSeconds: bounds.default,
      minSyncIntervalSeconds: bounds.min,
      maxSyncIntervalSeconds: bounds.max,
    };
  }

  private schemaOf(type: z.ZodType): JsonObject {
    const known = this.schemas.get(type);
    if (known) return known;
    const schema: JsonObject = { ...z.toJSONSchema(type, { target: 'draft-2020-12', io: 'input' }) };
    this.schemas.set(type, schema);
    return schema;
  }
}

const noDetails = {
  provider: null,
  connectorType: null,
  indexedObjectTypes: null,
  searchableFields: null,
  filterableFields: null,
  credentialSchema: null,
  filterSchema: null,
  setupGuide: null,
};

/** The seconds between syncs that a provider allows. */
export function intervalOf({ interval }: Provider): { default: number; min: number; max: number } {
  return (
    interval ?? {
      default: LIMITS.syncIntervalSecondsDefault,
      min: LIMITS.syncIntervalSecondsMin,
      max: LIMITS.syncIntervalSecondsMax,
    }
  );
}

/**
 * The seconds between syncs to use: 0 and null mean the default. @throws AppError INVALID_INPUT naming the
 * limits
 */
export function readInterval(provider: Provider, seconds: number | null | undefined): number {
  const { default: usual, min, max } = intervalOf(provider);
  if (seconds == null || seconds === 0) return usual;
  if (seconds < min || seconds > max)
    throw invalidInput('sync_interval_seconds', `must be 0 or ${min} to ${max}, not ${seconds}`);
  return seconds;
}
