import { expect, test } from '@jest/globals';
import { asksBack, asksSame } from '../../src/retrieval/lanes/asks-same.js';
import { analyze } from '../../src/text/analyzer.js';

test.each([
  ['Does anybody know the door code of the Utrecht office?', 'door code Utrecht'],
  ['I stand outside. What is the door code? Thanks!', 'What is the door code?'],
  ['hi all, where do we keep the spare ribbons', 'spare ribbons'],
  ['anyone seen the ribbons', 'Where are the ribbons?'],
  ['Which caterer was it?', 'Who made the food?'],
  ['ドアのコードは何ですか？', 'ドアのコード'],
])('%s asks for %s', (message, query) => {
  expect(asksSame(message, new Set(analyze(query)))).toBe(true);
});

test.each([
  ['The caterer of the party was Olive & Thyme. Did you like them?', 'Who was the caterer of the party?'],
  ['The door code is 4471.', 'What is the door code?'],
  ['When the deploy is done I will tell you.', 'When is the deploy?'],
  ['Any news? The pump runs again.', 'Who made the food?'],
  ['', 'What is the door code?'],
])('%s does not ask for %s', (message, query) => {
  expect(asksSame(message, new Set(analyze(query)))).toBe(false);
});

test('a message asks back that ends with a question', () => {
  expect(asksBack('Front or back?')).toBe(true);
  expect(asksBack('Sure. Which one do you need')).toBe(true);
  expect(asksBack('Which one? Ah, the front: 4471.')).toBe(false);
});
