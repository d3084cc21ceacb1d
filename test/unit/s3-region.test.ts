import { expect, test } from '@jest/globals';
import { regionOf } from '../../src/storage/s3-region.js';

test.each([
  ['https://s3.eu-west-1.amazonaws.com', 'eu-west-1'],
  ['https://s3-us-gov-west-1.amazonaws.com', 'us-gov-west-1'],
  ['https://s3.us-west-004.backblazeb2.com/', 'us-west-004'],
  ['https://s3.amazonaws.com', 'us-east-1'],
  ['http://127.0.0.1:9000', 'us-east-1'],
  ['https://s3.storage-team.example', 'us-east-1'],
  ['https://files.eu-west-1.example', 'us-east-1'],
])('requests to %s are signed for %s', (url, region) => {
  expect(regionOf(url)).toBe(region);
});
