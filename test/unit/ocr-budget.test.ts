import { afterEach, expect, jest, test } from '@jest/globals';
import { OcrBudget } from '../../src/ingestion/parsers/ocr/ocr-budget.js';

afterEach(() => {
  jest.restoreAllMocks();
});

test('300 pages are read, however long they wait for a processor', () => {
  jest.spyOn(process, 'cpuUsage').mockReturnValue({ user: 0, system: 0 });
  const budget = new OcrBudget();
  const pages = Array.from({ length: 301 }, () => budget.takePage());
  expect(pages.lastIndexOf(true)).toBe(299);
});

test('no page is read after ten minutes of work', () => {
  const spent = jest.spyOn(process, 'cpuUsage').mockReturnValue({ user: 5e6, system: 5e6 });
  const budget = new OcrBudget();
  spent.mockReturnValue({ user: 500e6, system: 109e6 });
  expect(budget.takePage()).toBe(true);
  spent.mockReturnValue({ user: 500e6, system: 111e6 });
  expect(budget.takePage()).toBe(false);
});
