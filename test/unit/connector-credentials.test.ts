import { expect, test } from '@jest/globals';
import { readCredentials, readFilters } from '../../src/connectors/management/connector-request.js';
import { PROVIDERS } from '../../src/connectors/providers.js';

const provider = (id: string) => PROVIDERS.find((each) => each.id === id)!;
const atlassian = { site_url: 'https://example.atlassian.net', email: 'a@example.com', api_token: 'x' };
const mail = { host: 'mail.example.com', user: 'a', password: 'b' };

test.each([
  ['github', {}, 'credentials.access_token is required'],
  ['github', { access_token: 5 }, 'credentials.access_token must be a string'],
  ['github', { access_token: ' ' }, 'credentials.access_token must not be empty'],
  [
    'github',
    { access_token: 'x', token: 'x' },
    'credentials.token is not an accepted key; accepted: access_token',
  ],
  [
    'jira',
    { ...atlassian, site_url: 'example' },
    'credentials.site_url must be an address such as https://example.atlassian.net',
  ],
  [
    'imap',
    { ...mail, host: 'imaps://mail.example.com' },
    'credentials.host must be the name of a host, without imaps:// before it',
  ],
  ['imap', { ...mail, host: 'x'.repeat(254) }, 'credentials.host must have at most 253 characters'],
  [
    's3',
    { access_key_id: 'a', secret_access_key: 'b', endpoint: 'ftp://example.com' },
    'credentials.endpoint must be an address such as https://minio.example.com',
  ],
  ['imap', { ...mail, port: '993' }, 'credentials.port must be a number'],
  ['imap', { ...mail, port: 9.5 }, 'credentials.port must be a whole number'],
  ['imap', { ...mail, port: 0 }, 'credentials.port must be at least 1'],
  ['imap', { ...mail, port: 70_000 }, 'credentials.port must be at most 65535'],
  ['imap', { ...mail, tls: 'yes' }, 'credentials.tls must be true or false'],
])('%s says in words what is wrong with %j', (id, credentials, message) => {
  expect(() => readCredentials(provider(id), credentials)).toThrow(expect.objectContaining({ message }));
});

test.each([
  ['github', { labels: 'bug' }, 'filters.labels must be a list'],
  ['github', { labels: [''] }, 'filters.labels.0 must not be empty'],
  ['jira', { labels: [] }, 'filters.labels must not be empty'],
  ['jira', { labels: Array(51).fill('x') }, 'filters.labels must have at most 50 entries'],
  ['web', { include_paths: ['docs'] }, 'filters.include_paths.0 must begin with /'],
  ['s3', { extensions: ['p*f'] }, 'filters.extensions.0 must be the end of a name, such as pdf'],
  [
    'filesystem',
    { modified_after: 'yesterday' },
    'filters.modified_after must be a date and time of ISO-8601, such as 2026-01-31T00:00:00Z',
  ],
])('%s says in words what is wrong with the filters %j', (id, filters, message) => {
  expect(() => readFilters(provider(id), filters, 'filters')).toThrow(expect.objectContaining({ message }));
});
