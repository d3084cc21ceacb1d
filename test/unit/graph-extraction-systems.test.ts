import { describe, expect, test } from '@jest/globals';
import { saidIn } from '../support/read-graph.js';

describe('systems that are written in small letters', () => {
  test.each<[string, ...string[]]>([
    [
      'billing-api depends on auth-service and writes to payments-db.',
      'billing-api depends_on auth-service',
      'billing-api writes_to payments-db',
    ],
    [
      'At 14:02 UTC payments-db failed over to payments-db-replica.',
      'payments-db fails_over_to payments-db-replica',
    ],
    ['MariaDB is a fork of MySQL.', 'MariaDB fork_of MySQL'],
    ['order-router publishes to kafka-main.', 'order-router publishes_to kafka-main'],
    [
      'The public api-gateway forwards requests to user-service and catalog-service.',
      'api-gateway sends_to user-service',
      'api-gateway sends_to catalog-service',
    ],
    ['catalog-service stores products in catalog-db (MySQL).', 'catalog-service stores_in catalog-db'],
    ['stream-enricher reads from raw-topic.', 'stream-enricher reads_from raw-topic'],
    [
      'user-service publishes events to the events-bus, which is backed by Apache Kafka.',
      'user-service publishes_to events-bus',
      'Apache Kafka powers events-bus',
    ],
    ['ingest-worker talks to redis-cache.', 'ingest-worker connects_to redis-cache'],
  ])('%s', (text, ...stated) => {
    expect(saidIn(text).sort()).toEqual([...stated].sort());
  });

  test.each([
    ['Ann Hill sends invoices to Globex.'],
    ['Globex writes to Initech about the invoice.'],
    ['The fund backed Globex and reads from a list.'],
    ['The client-side code depends on well-known tools.'],
    ['A two-factor login requires sign-off.'],
    ['payments-db failed to start order-router.'],
    ['If payments-db fails over to payments-db-replica, call us.'],
  ])('%s states nothing', (text) => {
    expect(saidIn(text)).toEqual([]);
  });
});
