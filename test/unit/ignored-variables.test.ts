import { expect, test } from '@jest/globals';
import { variableNames } from '../../src/config.js';
import { ignoredVariables } from '../../src/ignored-variables.js';

test.each([
  ['MAX_DATABASE', 'MAX_DATABASES'],
  ['EMBEDDING_URL', 'EMBEDDINGS_URL'],
  ['EMBEDINGS_MODEL', 'EMBEDDINGS_MODEL'],
  ['MONGODB_URI', 'MONGODB_URL'],
  ['CORS_ORIGIN', 'CORS_ORIGINS'],
  ['RERANKER_URL', 'RERANK_URL'],
  ['RATE_LIMIT_PER_MIN', 'RATE_LIMIT_PER_MINUTE'],
  ['LLM_URI', 'LLM_URL'],
  ['S3_KEYS', 'S3_KEY'],
  ['database_url', 'DATABASE_URL'],
])('%s is a misspelt %s', (variable, meant) => {
  expect(ignoredVariables({ [variable]: 'x' })).toEqual([
    { variable, reason: `it is unknown; did you mean ${meant}?` },
  ]);
});

test.each([
  ['STATEMENT_TIMEOUT_MS', 'DATABASE_URL'],
  ['EMBEDDINGS_MODEL', 'EMBEDDINGS_URL'],
  ['LLM_MODEL', 'LLM_URL'],
  ['LLM_API_KEY', 'LLM_URL'],
  ['RERANK_API_KEY', 'RERANK_URL'],
])('%s says nothing without %s', (variable, url) => {
  expect(ignoredVariables({ [variable]: 'x', [url]: ' ' })).toEqual([
    { variable, reason: `it has no effect without ${url}` },
  ]);
  expect(ignoredVariables({ [variable]: 'x', [url]: 'http://localhost' })).toEqual([]);
});

test('what is ours, empty, or of others is not spoken of', () => {
  const ours = Object.fromEntries(variableNames.map((name) => [name, 'x']));
  expect(ignoredVariables({ ...ours, CONNECTOR_GOOGLE_DRIVE_URL: 'x', MAX_DATABASE: '' })).toEqual([]);
  const others =
    'HOME HOSTNAME PATH PWD TERM LANG LC_ALL SHELL USER LOGNAME NODE_ENV NODE_OPTIONS TZ PORTS ROLES COLUMNS LS_COLORS XDG_DATA_DIRS XDG_DATA_HOME XDG_RUNTIME_DIR SSH_AUTH_SOCK HTTP_PROXY HTTPS_PROXY NO_PROXY npm_config_cache INIT_CWD npm_lifecycle_event KUBERNETES_SERVICE_HOST KUBERNETES_PORT POSTGRES_PORT DATABASE_PORT POSTGRES_URL REDIS_URL DB_URL BASE_URL OPENAI_API_KEY OPENAI_URL AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_REGION TEST_DATABASE_URL PGHOST PGDATA PG_URL LOG_DIR LOG_FILE SECRET_KEY JWT_SECRET DATA_PATH PUBLIC_DIR API_KEY API_URL APP_URL LOG_FORMAT SESSION_SECRET';
  expect(ignoredVariables(Object.fromEntries(others.split(' ').map((name) => [name, 'x'])))).toEqual([]);
});
