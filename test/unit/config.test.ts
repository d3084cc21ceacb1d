import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readConfig } from '../../src/config.js';

describe('a bad variable stops the start with its name, its value and what is allowed', () => {
  const whole = (maximum: number) => `must be a whole number from \\d to ${maximum}`;
  test.each([
    ['PORT', '70000', whole(65_535)],
    ['PORT', '80a', whole(65_535)],
    ['PORT', '0x50', whole(65_535)],
    ['RATE_LIMIT_PER_MINUTE', '-1', whole(1_000_000)],
    ['QUERY_TIMEOUT_MS', '0', whole(3_600_000)],
    ['QUERY_TIMEOUT_MS', '1.5', whole(3_600_000)],
    ['MAX_QUEUED', '9999999999', whole(100_000_000)],
    ['MAX_DATABASES', 'ten', whole(1_000_000)],
    ['MAX_CONNECTORS', '1e3', whole(1_000_000)],
    ['MAX_SYNCS_PER_DAY', '-5', whole(1_000_000)],
    ['LOG_LEVEL', 'verbose', 'must be one of fatal, .*silent'],
    ['ROLE', 'worker2', 'must be one of all, web, worker'],
    ['WEBHOOK_ALLOW_PRIVATE', 'yes', 'must be one of true, false, 1, 0'],
    ['CONNECTORS_ALLOW_PRIVATE', 'on', 'must be one of true, false, 1, 0'],
    ['DATABASE_URL', 'mysql://host/name', 'must be a URL that starts with postgres://'],
    ['DATABASE_URL', 'postgres://host:port/name', 'must be a URL that starts with postgres://'],
    ['MONGODB_URL', 'host:27017', 'must start with mongodb://'],
    ['PUBLIC_URL', 'context.example.com', 'must be an http'],
    ['PUBLIC_URL', 'https://context.example.com/?a=b', 'must be an http.*without a query'],
    ['PLAN_DEPRECATED_URL', '/upgrade', 'must be an http'],
    ['EMBEDDINGS_URL', 'localhost:8000/v1', 'must be an http.*onnx'],
    ['LLM_URL', 'localhost:8000/v1', 'must be an http'],
    ['RERANK_URL', 'ftp://host', 'must be an http'],
    ['S3_URL', 'http:bucket', 'must be an http'],
    ['OCR_LANGUAGES', 'eng;deu', 'must be names of Tesseract languages'],
    ['CONNECTOR_SLACK_URL', 'localhost:8000', 'must be an http'],
    ['CORS_ORIGINS', 'app.example.com', 'must be sites like https://app.example.com'],
    ['CORS_ORIGINS', 'https://app.example.com/page', 'must be sites'],
    ['CORS_ORIGINS', 'https://*.example.com', 'must be sites'],
    ['CORS_ORIGINS', 'https://app.example.com:port', 'must be sites'],
    ['CORS_ORIGINS', 'null', 'must be sites'],
    ['TRUST_PROXY', 'yes', 'must be true, false, or addresses'],
    ['TRUST_PROXY', '10.0.0.300', 'must be true, false, or addresses'],
    ['TRUST_PROXY', '10.0.0.0/33', 'must be true, false, or addresses'],
    ['TRUST_PROXY', 'fd00::/0', 'must be true, false, or addresses'],
  ])('%s=%s', (name, value, rule) => {
    const shown = value.replaceAll(/[.*+?^$()[\]|/]/g, '\\$&');
    expect(() => readConfig({ [name]: value })).toThrow(
      new RegExp(`^configuration: ${name}: ${rule}.*, not "${shown}"$`),
    );
  });

  test('all of them at once, of a list the entry', () => {
    const environment = { PORT: 'x', CORS_ORIGINS: 'https://a.example, b.example', ROLE: 'y' };
    expect(() => readConfig(environment)).toThrow(/PORT: .*; ROLE: .*; CORS_ORIGINS: .*, not "b\.example"$/);
  });

  test('without what is secret', () => {
    for (const [name, value] of [
      ['BOOTSTRAP_API_KEY', 'plover'],
      ['CREDENTIALS_KEY', 'plover'],
      ['DATABASE_URL', 'postgres://me:plo/ver@host/name'],
      ['DATABASE_URL', 'postgres://me:plover/name'],
      ['DATABASE_URL', 'postgres://me:plover:host:5432/name'],
      ['DATABASE_URL', 'postgres:/me:plover@host/name'],
      ['DATABASE_URL', 'me:plover@host/name'],
      ['DATABASE_URL', 'me:plover'],
      ['DATABASE_URL', 'host=db user=me password=plover'],
      ['DATABASE_URL', 'mysql://host/name?password=plover'],
      ['DATABASE_URL', 'mysql://me:x@plover'],
      ['DATABASE_URL', 'postgres://me:plo%ver@host/name'],
      ['MONGODB_URL', 'mongo://me:plover@host'],
      ['MONGODB_URL', 'mongodb://me:plover/name'],
      ['MONGODB_URL', 'mongodb://me:plo@ver@host/name'],
      ['MONGODB_URL', 'mongodb://me:plo%ver@host/name'],
      ['LLM_URL', 'plover'],
      ['S3_URL', 's3://key:plover@bucket'],
      ['CONNECTOR_IMAP_URL', 'imapx://me:plover@host'],
    ] as const)
      expect(() => readConfig({ [name]: value })).toThrow(
        // Its name, and nothing of it from there on.
        new RegExp(`^configuration: ${name}: (?!.*plo)`),
      );
  });
});

test('an empty or blank variable counts as unset', () => {
  const names = [
    'PORT',
    'ROLE',
    'DATABASE_URL',
    'LLM_URL',
    'TRUST_PROXY',
    'CORS_ORIGINS',
    'S3_URL',
    'OCR_LANGUAGES',
  ];
  const unset = readConfig({});
  for (const value of ['', ' '])
    expect(
      readConfig(Object.fromEntries([...names, 'CONNECTOR_SLACK_URL'].map((name) => [name, value]))),
    ).toEqual(unset);
});

test.each([
  'postgres://host/name',
  'postgresql://me:p%40ss@10.0.0.7:5433/name?sslmode=require',
  'postgres://me@/name?host=/var/run/postgresql',
  'postgres:///name',
])('DATABASE_URL=%s', (value) => {
  expect(readConfig({ DATABASE_URL: value }).databaseUrl).toBe(value);
});

test.each([
  'mongodb://host',
  'mongodb://me:p%40ss@a.example:27017,b.example:27018/name?replicaSet=rs0&authSource=admin',
  'mongodb+srv://me:pass@cluster.example/?retryWrites=true',
  'mongodb://[::1]:27017/',
  'mongodb://%2Ftmp%2Fmongodb-27017.sock',
])('MONGODB_URL=%s', (value) => {
  expect(readConfig({ MONGODB_URL: value }).mongodbUrl).toBe(value);
});

test('sites are read as browsers name them, and those of apps', () => {
  const origins = 'https://App.Example.com:443/, http://localhost:3000, chrome-extension://Abc, *,';
  expect(readConfig({ CORS_ORIGINS: origins }).corsOrigins).toEqual([
    'https://app.example.com',
    'http://localhost:3000',
    'chrome-extension://abc',
    '*',
  ]);
});

test.each([
  ['true', true],
  ['0', false],
  ['10.0.0.7, 10.1.0.0/16,loopback', ['10.0.0.7', '10.1.0.0/16', 'loopback']],
  ['::1,fd00::/8', ['::1', 'fd00::/8']],
])('TRUST_PROXY=%s', (value, expected) => {
  expect(readConfig({ TRUST_PROXY: value }).trustProxy).toEqual(expected);
});

test('folders are taken from where the server is started', () => {
  const { connectors } = readConfig({ FILESYSTEM_ROOTS: 'docs, /srv/files' });
  expect(connectors.filesystemRoots).toEqual([resolve('docs'), '/srv/files']);
});
