import { expect, test } from '@jest/globals';
import { readGraph, statementsOf } from '../support/read-graph.js';

/** A line as teams write it, then all that it says. */
test.each<[string, ...string[]]>([
  [
    'The order service publishes events to Kafka, and the email worker consumes mails from Redis.',
    'email worker consumes_from Redis',
    'order service publishes_to Kafka',
  ],
  ['Grafana is deployed on the metrics cluster.', 'Grafana runs_on metrics cluster'],
  [
    'Kubernetes, designed by Google, is maintained by the CNCF.',
    'CNCF maintains Kubernetes',
    'Google created Kubernetes',
  ],
  ['Redis replaced Memcached in our stack.', 'Redis replaces Memcached'],
  ['Ann Hill replaced Tom Larsen.', 'Ann Hill succeeded Tom Larsen'],
  [
    'Stripe, which was founded by Tom Larsen, bought Paystack.',
    'Stripe acquired Paystack',
    'Tom Larsen founded Stripe',
  ],
  [
    'Anna Berg works at Volvo as an engineer and lives in Lund with her cats.',
    'Anna Berg lives_in Lund',
    'Anna Berg works_for Volvo',
  ],
  ['Anna Berg, Head of Marketing at Volvo, agreed.', 'Anna Berg works_for Volvo'],
  ['Helen Park, CFO of Brightwave, agreed.', 'Helen Park works_for Brightwave'],
])('%s', (text, ...said) => {
  expect(statementsOf(readGraph(text)).sort()).toEqual(said);
});
