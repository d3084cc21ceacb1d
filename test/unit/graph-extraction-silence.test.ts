import { describe, expect, test } from '@jest/globals';
import { extractGraph } from '../../src/graph/extraction/extract-graph.js';

const read = (text: string) => extractGraph({ title: '', chunks: [{ text }] });

/** Asked, denied, supposed, wished, of somebody else, of nobody, of two, in code, in tables, in other languages. */
const silent: readonly string[] = [
  'Does Anna Berg work for Nimbus Systems?',
  'Anna Berg does not work for Nimbus Systems.',
  "Anna Berg doesn't work for Nimbus Systems anymore.",
  'Anna Berg no longer works for Nimbus Systems.',
  'Anna Berg never worked for Nimbus Systems.',
  'Anna Berg may join Nimbus Systems.',
  'Anna Berg might have founded Globex.',
  'If Anna Berg joins Nimbus Systems, Tom Larsen leaves.',
  'Anna Berg would work for Nimbus Systems.',
  'Anna Berg wants to work for Nimbus Systems.',
  'Anna Berg refused to join Nimbus Systems.',
  'Nimbus Systems plans to acquire Globex.',
  'Nimbus Systems denied that it acquired Globex.',
  'Nimbus Systems reportedly acquired Globex.',
  'Perhaps Anna Berg lives in Oslo.',
  'Unless Anna Berg joins Nimbus Systems, nothing changes.',
  'It is not true that Anna Berg founded Globex.',
  'Anna Berg should join Nimbus Systems.',
  'Anna Berg could live in Oslo.',
  'Imagine Anna Berg works for Globex.',
  'The wife of Tom Larsen works for Volvo.',
  'A friend of Tom Larsen lives in Oslo.',
  "Tom Larsen's sister lives in Bergen.",
  'Tom Larsen bought Volvo shares.',
  'Tom Larsen works for Volvo or Saab.',
  'Neither Tom Larsen nor Anna Berg works for Volvo.',
  'Nobody at Volvo works for Saab.',
  'Tom Larsen is not the CEO of Volvo.',
  'Tom Larsen was never the mayor of Bergen.',
  'Is Tom Larsen the CEO of Volvo?',
  'Tom Larsen is afraid of Volvo.',
  'Tom Larsen works in silence.',
  'Tom Larsen lives in fear.',
  'Customers hired consultants.',
  'The sun rises in the east.',
  'Getting Started With Nimbus',
  'INSTALLATION GUIDE FOR NIMBUS SYSTEMS',
  '© 2024 Nimbus Systems. All rights reserved.',
  'Click here to unsubscribe from Nimbus Systems.',
  '| Anna Berg | works for | Nimbus |',
  "```\nconst anna = new Person('Anna Berg works for Nimbus');\n```",
  '$ npm install nimbus --save',
  "import { Berg } from 'nimbus';",
  "SELECT name FROM people WHERE city = 'Oslo';",
  '> Anna Berg works for Nimbus Systems.',
  'Anna Berg arbeitet für die Firma Nimbus und wohnt in Oslo.',
  'Anna Berg travaille pour la société Nimbus et habite à Paris.',
  'Anna Berg trabaja para la empresa Nimbus y vive en Madrid.',
  'アンナはオスロのニンバスで働いています。',
  'Анна Берг работает в компании Нимбус в Осло.',
  'The meeting is on Monday in Room 5.',
  'He works for Nimbus Systems.',
  'They moved to Oslo.',
  'Click Save and choose Export.',
  'The API returns JSON over HTTP.',
  'Please contact Support for details.',
  'Thanks, Anna',
  'Version 2.3.1 fixes bugs.',
  'Send it to anna@example.com by Friday.',
  'Tom Larsen told Anna Berg that he lives in Oslo.',
  'Tom Larsen met Volvo.',
  'Berlin works for Paris.',
  'I think Anna Berg lives in Oslo.',
  'Anna Berg hopes to live in Oslo.',
  'Anna Berg was supposed to join Nimbus Systems.',
  'Volvo failed to acquire Saab.',
  'It is unclear whether Volvo acquired Saab.',
  'There is a rumor that Volvo acquired Saab.',
  'Rumors that Volvo acquired Saab are false.',
  'Tom Larsen and Anna Berg talked.',
  'Step 3: Install Docker.',
  '12 34 56 78 Nimbus 90',
  'She moved from Berlin to Paris.',
  'Click Save and choose Export.',
  'Management hired Tom Larsen.',
  'Yuki Tanaka and her husband, Ken Tanaka, live in Kyoto.',
  'Alice assigned PAY-17 to Bob.',
  'The CEO of Nimbus is not Karl Berg.',
  'The old woman at Volvo spoke.',
  'Hi Bob, can you ask Alice to review PR-42?',
  'The novel was written by Jane Austen.',
  'The agency was founded by Elena Petrova.',
];

test.each(silent)('no relation: %s', (text) => {
  expect(read(text).relations).toEqual([]);
});

describe('what is no running English text names nothing', () => {
  test.each([
    'INSTALLATION GUIDE FOR NIMBUS SYSTEMS',
    'Getting Started With Nimbus',
    '© 2024 Nimbus Systems. All rights reserved.',
    '| Anna Berg | Volvo | Oslo |',
    '```\nconst anna = new Person("Anna Berg", "Volvo");\n```',
    "import { Berg } from 'nimbus';",
    '> Anna Berg works for Nimbus Systems.',
    'Anna Berg arbeitet für die Firma Nimbus und wohnt mit der Familie in Oslo.',
    'Anna Berg travaille pour la société Nimbus et habite à Paris avec les enfants.',
    'Anna Berg trabaja para la empresa Nimbus y vive en Madrid con los niños.',
    'Anna Berg werkt voor het bedrijf Nimbus en woont met een vriend in Gent.',
    'アンナはオスロのニンバスで働いています。',
    'Анна Берг работает в компании Нимбус в Осло.',
    'Customers hired consultants. Monday was fine. He said so.',
    'THE API RETURNS JSON OVER HTTP',
    'The API returns JSON over HTTP.',
    '12 34 56 78 Nimbus 90',
  ])('%s', (text) => {
    expect(read(text)).toEqual({ entities: [], relations: [] });
  });

  test('but what is safe by its form is read in any language', () => {
    const text = 'Schreiben Sie an anna@nimbus.example wegen PAY-12, das ist nicht auf der Liste.';
    expect(read(text).entities.map(({ name }) => name)).toEqual(['anna@nimbus.example', 'PAY-12']);
  });
});
