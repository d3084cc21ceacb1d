import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { ConnectorSettings } from './connectors/connector-settings.js';
import { isPercentEncoded } from './lib/percent-encoding.js';
import { readSecretKey } from './lib/secret-box.js';
import { StartupError } from './lib/startup-error.js';

const wholeNumber = (minimum: number, maximum: number) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,9}$/, { error: `must be a whole number from ${minimum} to ${maximum}`, abort: true })
    .transform(Number)
    .refine(
      (number) => number >= minimum && number <= maximum,
      `must be a whole number from ${minimum} to ${maximum}`,
    );
const oneOf = <const Value extends string>(values: readonly Value[]) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });
const urlOf = (schemes: RegExp, rule: string) =>
  z
    .string()
    .trim()
    .refine((text) => schemes.test(text) && URL.canParse(text), rule);
const httpUrl = urlOf(/^https?:\/\//i, 'must be an http(s) URL');
const publicUrl = urlOf(/^https?:\/\/[^?#]+$/i, 'must be an http(s) URL without a query');
const providerUrl = urlOf(/^(?:http|imap)s?:\/\//i, 'must be an http(s) URL, or imap(s) of a mail server');
const promptCharactersMax = 500;
const prompt = z.string().max(promptCharactersMax, `must have at most ${promptCharactersMax} characters`);
const embeddingsUrl = urlOf(/^(?:https?|onnx):/i, 'must be an http(s) URL, or onnx:/folder/of/models');
const postgresUrl = z
  .string()
  .trim()
  .refine(
    (text) => /^postgres(?:ql)?:\/\//.test(text) && URL.canParse(withHost(text)) && isPercentEncoded(text),
    'must be a URL that starts with postgres:// or postgresql://, what is special in a password written as %XX',
  );
// It may name several hosts, which no standard URL can. The driver repeats in its error what is no host, though it be a password.
const mongodbHost = String.raw`(?:\[[\da-f:.]+\]|[^\s:/?#@,[\]]+)(?::\d{1,5})?`;
const mongodbUrl = z
  .string()
  .trim()
  .refine(
    (text) =>
      new RegExp(
        `^mongodb(?:\\+srv)?://(?:[^\\s@/]+@)?${mongodbHost}(?:,${mongodbHost})*(?:[/?]\\S*)?$`,
        'i',
      ).test(text) && isPercentEncoded(text),
    'must start with mongodb:// or mongodb+srv://, what is special in a password written as %XX',
  );

const apiKey = z
  .string()
  .regex(
    /^[A-Za-z0-9_-]{1,64}\.[A-Za-z0-9_-]{16,128}$/,
    'must be prefix.secret, the secret at least 16 characters',
  );

const flag = oneOf(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1');
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ''),
);
/** A comma-separated list whose entries `read` reads; each that it cannot is reported by itself. */
const listOf = <Value>(read: (entry: string) => Value | undefined, rule: string) =>
  list.transform((entries, context) =>
    entries.flatMap((entry): Value[] => {
      const value = read(entry);
      if (value === undefined) context.addIssue({ code: 'custom', message: rule, input: entry });
      return value === undefined ? [] : [value];
    }),
  );

/** `eng,deu`, or `eng+deu` as Tesseract itself writes it. */
const ocrLanguages = z
  .string()
  .regex(
    /^[A-Za-z_]{2,20}(?:[+,][A-Za-z_]{2,20}){0,19}$/,
    'must be names of Tesseract languages separated by commas',
  )
  .transform((text) => text.split(/[+,]/));

const secretKeys = listOf(
  readSecretKey,
  'must be 32 bytes in hex or base64, or several of them separated by commas',
);
const origins = listOf(readOrigin, 'must be sites like https://app.example.com, without a path, or *');
const trustProxy = z.union([flag, listOf(readProxy, '')], {
  error:
    'must be true, false, or addresses of proxies (10.0.0.7, 10.0.0.0/8, loopback, linklocal, uniquelocal) separated by commas',
});

/** Adds a host where it is left out, as in `postgres://user@/name?host=/folder`, which is no standard URL. */
function withHost(text: string): string {
  return text.replace(/^([a-z]+:\/\/(?:[^@/?#]*@)?)(?=[/?]|$)/, '$1localhost');
}

/** An origin in the form in which browsers send it, so that the two can be compared. */
function readOrigin(text: string): string | undefined {
  if (text === '*') return text;
  const site = /^([a-z][a-z0-9+.-]*:\/\/[^\s/?#@*]+)\/?$/i.exec(text)?.[1];
  if (site === undefined || !URL.canParse(site)) return undefined;
  // Apps and extensions have schemes of their own, for which the standard defines no origin.
  return /^https?:/i.test(site) ? new URL(site).origin : site.toLowerCase();
}

/** An address, a range of addresses, or the name of a range. */
function readProxy(text: string): string | undefined {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return text;
  const [address = '', bits = '1', ...rest] = text.split('/');
  const version = isIP(address);
  const isRange = /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128);
  return version !== 0 && isRange && rest.length === 0 ? text : undefined;
}

/** Every environment variable that the server reads, with its rule and its default. */
const environmentSchema = z.object({
  PORT: wholeNumber(0, 65_535).default(8080),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: publicUrl.optional(),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_POOL_SIZE: wholeNumber(5, 1000).default(10),
  MONGODB_URL: mongodbUrl.optional(),
  BOOTSTRAP_API_KEY: apiKey.optional(),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  ROLE: oneOf(['all', 'web', 'worker']).default('all'),
  RATE_LIMIT_PER_MINUTE: wholeNumber(0, 1_000_000).default(0),
  QUERY_TIMEOUT_MS: wholeNumber(1, 3_600_000).default(10_000),
  STATEMENT_TIMEOUT_MS: wholeNumber(1, 3_600_000).default(30_000),
  CORS_ORIGINS: origins.default([]),
  TRUST_PROXY: trustProxy.default(false),
  MAX_DATABASES: wholeNumber(0, 1_000_000).optional(),
  MAX_CONNECTORS: wholeNumber(0, 1_000_000).optional(),
  MAX_SYNCS_PER_DAY: wholeNumber(0, 1_000_000).optional(),
  CONNECTORS_ALLOW_PRIVATE: flag.default(false),
  CONNECTORS_DISABLED: list.default([]),
  FILESYSTEM_ROOTS: list.default([]),
  MAX_QUEUED: wholeNumber(1, 100_000_000).default(200_000),
  INDEXING_HOLD_HOURS: wholeNumber(1, 8760).default(24),
  PLAN_DEPRECATED_URL: httpUrl.optional(),
  GRAPHQL_INTROSPECTION: flag.default(true),
  EMBEDDINGS_URL: embeddingsUrl.optional(),
  EMBEDDINGS_MODEL: z.string().optional(),
  EMBEDDINGS_API_KEY: z.string().optional(),
  EMBEDDINGS_QUERY_PROMPT: prompt.optional(),
  EMBEDDINGS_DOCUMENT_PROMPT: prompt.optional(),
  S3_URL: httpUrl.optional(),
  S3_BUCKET: z.string().optional(),
  S3_KEY: z.string().optional(),
  S3_SECRET: z.string().optional(),
  LLM_URL: httpUrl.optional(),
  LLM_MODEL: z.string().optional(),
  LLM_API_KEY: z.string().optional(),
  RERANK_URL: httpUrl.optional(),
  RERANK_MODEL: z.string().optional(),
  RERANK_API_KEY: z.string().optional(),
  OCR_LANGUAGES: ocrLanguages.default(['eng']),
  CREDENTIALS_KEY: secretKeys.default([]),
  WEBHOOK_ALLOW_PRIVATE: flag.default(false),
  WEBHOOK_HEADER_PREFIX: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, 'must be letters, digits and hyphens, at most 64')
    .default('X-Service'),
});

export const variableNames: readonly string[] = Object.keys(environmentSchema.shape);

const connectorUrl = /^CONNECTOR_([A-Z0-9_]+)_URL$/;

/** Whether a variable is one of those that replace the address of a provider: CONNECTOR_<PROVIDER>_URL. */
export function isConnectorUrl(name: string): boolean {
  return connectorUrl.test(name);
}

/** A bucket of an S3-compatible server. */
export interface S3Config {
  readonly url: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** An OpenAI-compatible endpoint; for embeddings it may also be a folder of ONNX models. */
export interface ModelConfig {
  readonly url: string;
  readonly model: string;
  readonly apiKey: string | undefined;
}

/** What is written before texts: some models are trained to tell queries from documents by it. */
export interface EmbeddingPrompts {
  readonly query: string | undefined;
  readonly document: string | undefined;
}

/** Where texts are embedded, and what is written before them. */
export interface EmbeddingsConfig extends ModelConfig {
  readonly prompts: EmbeddingPrompts;
}

/** An endpoint that ranks texts. */
export interface RerankerConfig {
  readonly url: string;
  /** Needed where one endpoint serves several models. */
  readonly model: string | undefined;
  readonly apiKey: string | undefined;
}

export interface Config {
  readonly port: number;
  readonly host: string;
  /** Where clients reach this server, without a slash at the end. Unset: as each request names it. */
  readonly publicUrl: string | undefined;
  readonly dataDir: string;
  /** Unset: the embedded Postgres in dataDir. */
  readonly databaseUrl: string | undefined;
  /** How many connections to a native Postgres are pooled. */
  readonly databasePoolSize: number;
  /** Unset: Agenda keeps its jobs in Postgres. */
  readonly mongodbUrl: string | undefined;
  readonly bootstrapApiKey: string | undefined;
  readonly logLevel: string;
  readonly role: 'all' | 'web' | 'worker';
  /** How many requests a key may send; 0 for any number. */
  readonly rateLimitPerMinute: number;
  readonly queryTimeoutMs: number;
  /** How long a native Postgres may leave a statement unanswered before its connection is given up. */
  readonly statementTimeoutMs: number;
  /** Origins whose pages may call this server from a browser; `*` for all. */
  readonly corsOrigins: readonly string[];
  /** Whether X-Forwarded-For is trusted: from any proxy, or from the addresses listed. */
  readonly trustProxy: boolean | string[];
  /** How many databases an account may have; undefined for any number. */
  readonly databasesMax: number | undefined;
  /** How many items of a database may wait to be indexed. */
  readonly queuedMax: number;
  /** How many connectors an account may have; undefined for any number. */
  readonly connectorsMax: number | undefined;
  /** How many syncs an account may begin in a day (UTC); undefined for any number. */
  readonly syncsPerDayMax: number | undefined;
  readonly connectors: ConnectorSettings;
  /** How long a failing dependency may hold up an item. */
  readonly indexingHoldHours: number;
  /** Set when the free plan has been withdrawn: where to upgrade. */
  readonly planDeprecatedUrl: string | undefined;
  /** Whether clients may read the schema: __schema, __type and suggestions in errors. */
  readonly graphqlIntrospection: boolean;
  /** Unset: original files are stored in dataDir. */
  readonly s3: S3Config | undefined;
  /** Unset: the built-in offline embedder. */
  readonly embeddings: EmbeddingsConfig | undefined;
  /** Unset: facts are extracted by rules. */
  readonly languageModel: ModelConfig | undefined;
  /** Unset: hits keep the order of fusion. */
  readonly reranker: RerankerConfig | undefined;
  /** Languages of the text in images, by Tesseract's names. */
  readonly ocrLanguages: readonly string[];
  /** Keys that seal stored secrets: the first seals, all open. Empty: one is kept in dataDir. */
  readonly credentialsKeys: readonly Buffer[];
  /** Whether webhooks may go to private networks, and over plain http. */
  readonly webhookAllowPrivate: boolean;
  /** The beginning of delivery headers that are not those of Standard Webhooks. */
  readonly webhookHeaderPrefix: string;
}

/** Reads the environment once. An empty variable counts as unset. @throws StartupError naming every bad variable. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim() !== ''));
  const env = readVariables(given);
  if (env.EMBEDDINGS_URL && !env.EMBEDDINGS_MODEL) {
    throw new StartupError('configuration: EMBEDDINGS_MODEL is required when EMBEDDINGS_URL is set');
  }
  if (env.LLM_URL && !env.LLM_MODEL) {
    throw new StartupError('configuration: LLM_MODEL is required when LLM_URL is set');
  }
  if (env.ROLE !== 'all' && !env.DATABASE_URL) {
    throw new StartupError(
      `configuration: ROLE=${env.ROLE} needs DATABASE_URL; the embedded Postgres serves one process`,
    );
  }
  return Object.freeze({
    port: env.PORT,
    host: env.HOST,
    publicUrl: env.PUBLIC_URL?.replace(/\/+$/, ''),
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    databasePoolSize: env.DATABASE_POOL_SIZE,
    mongodbUrl: env.MONGODB_URL,
    bootstrapApiKey: env.BOOTSTRAP_API_KEY,
    logLevel: env.LOG_LEVEL,
    role: env.ROLE,
    rateLimitPerMinute: env.RATE_LIMIT_PER_MINUTE,
    queryTimeoutMs: env.QUERY_TIMEOUT_MS,
    statementTimeoutMs: env.STATEMENT_TIMEOUT_MS,
    corsOrigins: env.CORS_ORIGINS,
    trustProxy: env.TRUST_PROXY,
    databasesMax: env.MAX_DATABASES,
    queuedMax: env.MAX_QUEUED,
    connectorsMax: env.MAX_CONNECTORS,
    syncsPerDayMax: env.MAX_SYNCS_PER_DAY,
    connectors: readConnectors(env, given),
    indexingHoldHours: env.INDEXING_HOLD_HOURS,
    planDeprecatedUrl: env.PLAN_DEPRECATED_URL,
    graphqlIntrospection: env.GRAPHQL_INTROSPECTION,
    s3: readS3(env),
    embeddings: readEmbeddings(env),
    languageModel:
      env.LLM_URL && env.LLM_MODEL
        ? { url: env.LLM_URL, model: env.LLM_MODEL, apiKey: env.LLM_API_KEY }
        : undefined,
    reranker: env.RERANK_URL
      ? { url: env.RERANK_URL, model: env.RERANK_MODEL, apiKey: env.RERANK_API_KEY }
      : undefined,
    ocrLanguages: env.OCR_LANGUAGES,
    credentialsKeys: env.CREDENTIALS_KEY,
    webhookAllowPrivate: env.WEBHOOK_ALLOW_PRIVATE,
    webhookHeaderPrefix: env.WEBHOOK_HEADER_PREFIX,
  });
}

/** Checks each variable by its own rule. */
function readVariables(given: NodeJS.ProcessEnv): z.infer<typeof environmentSchema> {
  const parsed = environmentSchema.safeParse(given, { reportInput: true });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, input, message }) =>
    problemOf(path.join('.'), input, message),
  );
  throw new StartupError(`configuration: ${problems.join('; ')}`);
}

const isSecret = /(?:KEY|SECRET)$/;
/** Addresses that the server connects to, which may hold a password; those that it tells others do not. */
const isConnectedTo = /^(?!PUBLIC_|PLAN_DEPRECATED_).*_URL$/;
/** A scheme, a host, a port and a path, of which nothing can be a password, nor a key that was set in the wrong place. */
const withoutPassword =
  /^(?:[a-z]+:\/\/[\w.-]*(?::(?:\d{1,5}|port))?|https?:[\w.-]+|[\w.-]+:(?:\d{1,5}|port))(?:\/[\w./-]*)?$/i;

/** What is wrong with a variable, without repeating what is secret, or may be. */
function problemOf(name: string, value: unknown, rule: string): string {
  const shown = String(value);
  const isShown = isConnectedTo.test(name) ? withoutPassword.test(shown) : !isSecret.test(name);
  return `${name}: ${rule}${isShown ? `, not "${shown}"` : ''}`;
}

/**
 * Reads where providers are: `CONNECTOR_GOOGLE_DRIVE_URL` is the address of `google-drive`. @throws
 * StartupError
 */
function readConnectors(
  env: z.infer<typeof environmentSchema>,
  given: Readonly<Record<string, unknown>>,
): ConnectorSettings {
  const baseUrls = Object.entries(given).flatMap(([name, value]): [string, string][] => {
    const provider = connectorUrl.exec(name)?.[1];
    if (provider === undefined) return [];
    const url = providerUrl.safeParse(value);
    if (!url.success) {
      const rule = url.error.issues[0]?.message ?? '';
      throw new StartupError(`configuration: ${problemOf(name, value, rule)}`);
    }
    return [[provider.toLowerCase().replaceAll('_', '-'), url.data.replace(/\/+$/, '')]];
  });
  return {
    baseUrls: new Map(baseUrls),
    disabled: new Set(env.CONNECTORS_DISABLED),
    allowPrivate: env.CONNECTORS_ALLOW_PRIVATE,
    filesystemRoots: env.FILESYSTEM_ROOTS.map((root) => resolve(root)),
  };
}

function readEmbeddings(env: z.infer<typeof environmentSchema>): EmbeddingsConfig | undefined {
  if (!env.EMBEDDINGS_URL || !env.EMBEDDINGS_MODEL) return undefined;
  const prompts = { query: env.EMBEDDINGS_QUERY_PROMPT, document: env.EMBEDDINGS_DOCUMENT_PROMPT };
  return {
    url: env.EMBEDDINGS_URL,
    model: env.EMBEDDINGS_MODEL,
    apiKey: env.EMBEDDINGS_API_KEY,
    prompts,
  };
}

/** Needs all four variables, or none. @throws StartupError */
function readS3(env: z.infer<typeof environmentSchema>): S3Config | undefined {
  const { S3_URL: url, S3_BUCKET: bucket, S3_KEY: accessKeyId, S3_SECRET: secretAccessKey } = env;
  if (url && bucket && accessKeyId && secretAccessKey) return { url, bucket, accessKeyId, secretAccessKey };
  const given = { S3_URL: url, S3_BUCKET: bucket, S3_KEY: accessKeyId, S3_SECRET: secretAccessKey };
  const missing = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [name] : []));
  if (missing.length === Object.keys(given).length) return undefined;
  throw new StartupError(
    `configuration: ${missing.join(', ')} missing; originals in S3 need S3_URL, S3_BUCKET, S3_KEY and S3_SECRET`,
  );
}
