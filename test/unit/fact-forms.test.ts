import { describe, expect, test } from '@jest/globals';
import { extractByRules } from '../../src/inference/extractors/rules.js';

const statements = (text: string) => extractByRules([text], 'Bea').map((fact) => fact.statement);

/** Text, then what it says of Bea. */
const understood: readonly (readonly [string, ...string[]])[] = [
  ['My new manager is Daan Hoekstra.', "Bea's manager is Daan Hoekstra"],
  ['Saskia left; my new manager is Daan Hoekstra.', "Bea's manager is Daan Hoekstra"],
  ['Daan Hoekstra is my new manager.', "Bea's manager is Daan Hoekstra"],
  ['I have a new manager, Daan Hoekstra.', "Bea's manager is Daan Hoekstra"],
  ['Priya Raman is my manager and Tom is my landlord.', "Bea's manager is Priya Raman"],
  ['My partner is Joris.', "Bea's partner is Joris"],
  ['My dentist is Dr. Bakker on Mathenesserlaan, phone 010-5550142.', "Bea's dentist is Dr. Bakker"],
  ['My landlord is Mr. de Wit; rent is due.', "Bea's landlord is Mr. de Wit"],
  [
    'I have two kids, Tom and Lisa.',
    'Bea has two kids',
    'Bea has a child called Tom',
    'Bea has a child called Lisa',
  ],
  ['We adopted a cat and named her Pipa.', 'Bea has a cat called Pipa'],
  ["My mum's birthday is on 3 November.", "Bea's mum's birthday is on 3 November"],
  ["Mum's birthday is on 3 November.", "Bea's mum's birthday is on 3 November"],
  ['Mum lives in Porto.', "Bea's mum lives in Porto"],
  ['We moved! New address: Kerkstraat 1, Utrecht.', "Bea's address is Kerkstraat 1, Utrecht"],
  ['New address: Kerkstraat 1, Utrecht', "Bea's address is Kerkstraat 1, Utrecht"],
  ['My new address is Kerkstraat 1.', "Bea's address is Kerkstraat 1"],
  ['I live at Kerkstraat 1, Utrecht.', 'Bea lives at Kerkstraat 1, Utrecht'],
  ['I have lived in Oslo since 2019.', 'Bea lives in Oslo'],
  ['I live with my partner in Rotterdam.', 'Bea lives with their partner', 'Bea lives in Rotterdam'],
  ['I moved in with Joris last month.', 'Bea lives with Joris'],
  ['I used to live in Lisbon, now I live in Oslo.', 'Bea no longer lives in Lisbon', 'Bea lives in Oslo'],
  ['We live in Oslo.', 'Bea lives in Oslo'],
  ['I left Bolwerk for Lumen Health.', 'Bea left Bolwerk', 'Bea works at Lumen Health'],
  ['I joined Lumen Health as research lead.', 'Bea works at Lumen Health', 'Bea works as research lead'],
  ['I work as a UX researcher at Bolwerk.', 'Bea works as a UX researcher', 'Bea works at Bolwerk'],
  ["I'm a nurse at Acme in Berlin.", 'Bea is a nurse', 'Bea works at Acme'],
  ['I quit my job at Acme.', 'Bea left Acme'],
  ['I got promoted to senior UX researcher.', 'Bea was promoted to senior UX researcher'],
  ['I work from home on Fridays.', 'Bea works from home on Fridays'],
  ['My car is a Volvo V60.', "Bea's car is a Volvo V60"],
  ['My laptop is a ThinkPad X1 Carbon.', "Bea's laptop is a ThinkPad X1 Carbon"],
  ['I use Zed instead of Vim.', 'Bea does not use Vim', 'Bea uses Zed'],
  ['I take 50 mg of sertraline every morning.', 'Bea takes 50 mg of sertraline every morning'],
  ['I stopped taking sertraline.', 'Bea no longer takes sertraline'],
  ['I became vegetarian last year.', 'Bea became vegetarian'],
  ['I gave up smoking in May.', 'Bea no longer smokes'],
  ['I gave up coffee.', 'Bea no longer drinks coffee'],
  ['I quit the gym.', 'Bea quit the gym'],
  ['I joined a yoga studio.', 'Bea joined a yoga studio'],
  ['I go to the gym on Mondays.', 'Bea goes to the gym on Mondays'],
  ['I want to be called Bee, not Beatriz.', 'Bea goes by Bee'],
  ['My budget for the trip is 4,200 euros.', "Bea's budget for the trip is 4,200 euros"],
  ['My favourite colour used to be blue, now it is green.', "Bea's favourite colour is green"],
  ['I am planning a trip to Japan in November 2026.', 'Bea plans a trip to Japan in November 2026'],
  ["I'm going to Japan in April 2027.", 'Bea is going to Japan in April 2027'],
  ["I'm really into bouldering.", 'Bea is into bouldering'],
  ['I hate it when people are late.', 'Bea hates it when people are late'],
  ['Keep answers short.', 'Bea asks always to keep answers short'],
  ['Keep your replies short and simple, please.', 'Bea asks always to keep your replies short and simple'],
  ['I stopped smoking last year.', 'Bea no longer smokes'],
  ['I have been a fan of jazz for years.', 'Bea is a fan of jazz'],
  ['I am a student at Leiden University.', 'Bea is a student'],
  ['I work as a barista on weekends.', 'Bea works as a barista'],
  ['Use British spelling.', 'Bea asks always to use British spelling'],
  [
    'We use tea. We decided to use MySQL instead of Postgres.',
    'Bea and others decided against Postgres',
    'Bea and others decided to use MySQL instead of Postgres',
  ],
  // Values with nothing that is no part of them.
  ['I usually get up at 6:30.', 'Bea gets up at 6:30'],
  ['I love sour beer, apparently.', 'Bea loves sour beer'],
  ['I drink oat milk only.', 'Bea drinks oat milk'],
  ['No, I love cheese too much.', 'Bea loves cheese'],
  ['I graduated from Leiden University in 2013.', 'Bea graduated from Leiden University'],
];

const notUnderstood: readonly string[] = [
  'My name is Bea.',
  'My partner is German.',
  'My wife is Catholic.',
  'My manager is on holiday.',
  'My doctor is Head of Cardiology.',
  'This is my partner.',
  'Music is my therapist.',
  'Paris is my home.',
  'I have a new manager, unfortunately.',
  'I left Berlin for Paris.',
  'I left Tom for Jerry.',
  'I left Monday.',
  'I left Central Station at 9.',
  'I left work early.',
  'I left Google Docs open.',
  'I joined Acme as a customer.',
  'I take 2 tablets daily.',
  'I drive my daughter to school.',
  'I joined the meeting late.',
  'I joined Facebook in 2010.',
  'I was promoted to customers.',
  'I work as much as I can.',
  'We moved to Kubernetes last year.',
  'We live in interesting times.',
  'I live with pain.',
  'I take the bus to work.',
  'I divorced fact from fiction.',
  'We switched from tea to coffee.',
  'I take sugar in my tea.',
  "I'm going to Paris.",
  "I'm going to call Tom in May.",
  "I'm into my third week.",
  'I became ill last year.',
  'My rent is too high.',
  'My car is broken.',
  'Our new address book is ready.',
  'New manager training starts Monday.',
  'Keep it short.',
  'Use British Airways.',
];

describe('forms that people use', () => {
  test.each(understood.map(([text, ...expected]) => [text, expected] as const))('%j', (text, expected) => {
    expect(statements(text)).toEqual(expected);
  });

  test.each(notUnderstood)('takes no fact from %j', (text) => {
    expect(statements(text)).toEqual([]);
  });
});

test('in a file a new address is nobody’s', () => {
  expect(extractByRules(['New address: Kerkstraat 1.'], 'Bea', { wishes: false })).toEqual([]);
});

/** Whether the second text ends what the first says. */
const pairs: readonly (readonly [string, boolean, string])[] = [
  ['My manager is Saskia.', true, 'My new manager is Daan.'],
  ['My manager Saskia left.', true, 'My boss is Daan.'],
  ['My partner is Joris.', true, 'My partner is called Max.'],
  ['My sister is called Ada.', false, 'My sister is called Eva.'],
  ['I work as a UX researcher at Bolwerk.', true, 'I work at Lumen Health as research lead.'],
  ['I work at Bolwerk.', true, 'I left Bolwerk.'],
  ['I work at Bolwerk.', true, 'I left Bolwerk for Lumen Health.'],
  ['I work at Acme.', false, 'I left Bolwerk.'],
  ["I'm a nurse.", true, 'I got promoted to head nurse.'],
  ['My address is Kerkstraat 1.', true, 'We moved! New address: Schiedamse Vest 88.'],
  ['I live at Kerkstraat 1.', true, 'My new address is Schiedamse Vest 88.'],
  ['I live in Oslo.', true, 'I moved away from Oslo.'],
  ['I eat meat.', true, "I'm vegan now."],
  ['I eat fish.', true, "I'm vegan now."],
  ["I'm vegan.", true, 'I eat meat again.'],
  ["I don't eat meat.", false, 'I eat fish.'],
  ["I'm vegan.", false, 'I follow a gluten-free diet.'],
  ['I drink coffee.', true, 'I gave up coffee.'],
  ['I drive a Volvo.', true, 'My new car is a Tesla.'],
  ['I use Vim.', true, 'I use Zed instead of Vim.'],
  ['We decided to use Postgres.', true, 'We decided to use MySQL instead of Postgres.'],
  ['I take 50 mg of sertraline.', true, 'I stopped taking sertraline.'],
  ['I prefer meetings in the morning.', true, 'I prefer meetings after 2 pm.'],
  ['My rent is 1,450 euros.', true, 'My rent is 1,850 euros.'],
  ['My son is called Tom.', false, 'I have two kids, Tom and Lisa.'],
  ['I play tennis.', true, 'I quit tennis.'],
  ['I play the piano.', true, 'I gave up the piano last year.'],
  ['I play tennis.', false, 'I gave up golf.'],
  ['I play tennis.', false, 'I quit the match early.'],
  ['I am married to Tom.', true, 'I divorced Tom in May.'],
  ['I am married to Tom.', false, 'My parents divorced when I was ten.'],
  ['I drive a Volvo.', true, 'I sold my Volvo and now drive a Tesla.'],
  ['I work at Siemens.', true, 'I finished my thesis and now work at Bosch.'],
  ['I work at Siemens.', false, 'The company was sold and now works at a loss.'],
  ['We decided to use MySQL.', true, 'We switched from MySQL to Postgres last month.'],
  ['We chose AWS for hosting.', true, 'We migrated from AWS to Hetzner for hosting.'],
  ['We decided to use MySQL.', false, 'We switched from Jira to Linear.'],
];

test.each(pairs)('%j ends: %s, by %j', (one, ends, other) => {
  const newer = extractByRules([other], 'Bea');
  // As laterFactSql() in facts.queries.ts.
  const isEnded = extractByRules([one], 'Bea').some((old) =>
    newer.some(
      ({ key, valueKey, negated }) =>
        key === old.key && (valueKey === old.valueKey ? negated !== old.negated : !(negated || old.negated)),
    ),
  );
  expect(isEnded).toBe(ends);
});
