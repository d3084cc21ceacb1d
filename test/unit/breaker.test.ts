import { expect, test } from '@jest/globals';
import { Breaker } from '../../src/retrieval/breaker.js';
import { TestClock } from '../support/test-clock.js';

test('after a failure nobody tries for a while, then one at a time; the while doubles up to half a minute', () => {
  const clock = new TestClock();
  const breaker = new Breaker(clock);
  expect([breaker.mayTry(), breaker.mayTry()]).toEqual([true, true]);
  for (const seconds of [1, 2, 4, 8, 16, 30, 30]) {
    expect(breaker.failed()).toBe(seconds * 1000);
    expect(breaker.mayTry()).toBe(false);
    clock.advance(seconds);
    expect([breaker.mayTry(), breaker.mayTry()]).toEqual([true, false]);
  }
  breaker.abandoned();
  expect([breaker.mayTry(), breaker.mayTry()]).toEqual([true, false]);
  breaker.succeeded();
  expect([breaker.mayTry(), breaker.mayTry()]).toEqual([true, true]);
});

test('tries that began together and fail together count once', () => {
  const clock = new TestClock();
  const breaker = new Breaker(clock);
  breaker.failed();
  breaker.failed();
  clock.advance(1);
  expect(breaker.mayTry()).toBe(true);
});

test('a clock that is set back keeps nobody from trying', () => {
  const clock = new TestClock();
  const breaker = new Breaker(clock);
  breaker.failed();
  clock.advance(-3600);
  expect(breaker.mayTry()).toBe(true);
});
