import { describe, expect, test } from '@jest/globals';
import { extractByRules } from '../../src/inference/extractors/rules.js';

const statements = (text: string, userName = 'Anna') =>
  extractByRules([text], userName).map((fact) => fact.statement);

/** Text, then what it says of Anna. */
const understood: readonly (readonly [string, ...string[]])[] = [
  ['I prefer window seats.', 'Anna prefers window seats'],
  ['I prefer tea to coffee.', 'Anna prefers tea over coffee'],
  ['I prefer coffee over tea', 'Anna prefers coffee over tea'],
  ['i prefer short answers instead of long ones', 'Anna prefers short answers'],
  ["I'd rather take the train than fly.", 'Anna would rather take the train than fly'],
  ['I would prefer an aisle seat, please.', 'Anna prefers an aisle seat'],
  ['I prefer walking to driving.', 'Anna prefers walking over driving'],
  ['I prefer to walk to work.', 'Anna prefers to walk to work'],
  ['I prefer going to bed early.', 'Anna prefers going to bed early'],
  ['I prefer not to be called on weekends.', 'Anna prefers not to be called on weekends'],
  ["I don't prefer window seats anymore.", 'Anna no longer prefers window seats'],
  ['I like sushi.', 'Anna likes sushi'],
  ['I really love hiking in the Alps!', 'Anna loves hiking in the Alps'],
  ['I love pizza, pasta and gelato.', 'Anna loves pizza', 'Anna loves pasta', 'Anna loves gelato'],
  ['I like rock and roll.', 'Anna likes rock and roll'],
  ["I don't like olives or anchovies.", 'Anna does not like olives', 'Anna does not like anchovies'],
  ['I no longer like sushi', 'Anna no longer likes sushi'],
  ['I used to like sushi.', 'Anna no longer likes sushi'],
  ['I can’t stand loud music.', 'Anna cannot stand loud music'],
  ["I'm not a fan of musicals.", 'Anna is not a fan of musicals'],
  ['I am interested in medieval history.', 'Anna is interested in medieval history'],
  ['I try to, but I avoid gluten.', 'Anna avoids gluten'],
  ['My favourite colour is blue.', "Anna's favourite colour is blue"],
  ['I like pho, sushi is fine too.', 'Anna likes pho'],
  ["My dog's name is Max, Rex is my sister's.", "Anna's dog is called Max"],
  ['I moved to Leipzig this month.', 'Anna moved to Leipzig'],
  ['I started a new job at Bosch this week and I love it.', 'Anna works at Bosch'],
  ['I bought a car this week.', 'Anna bought a car'],
  ['My favorite book is "Dune".', "Anna's favorite book is Dune"],
  ['I never eat breakfast.', 'Anna never eats breakfast'],
  ['I always fly business class.', 'Anna always flies business class'],
  ['Please always answer in French.', 'Anna asks always to answer in French'],
  ["Don't call me before 9.", 'Anna asks never to call them before 9'],
  ['Never suggest pork recipes.', 'Anna asks never to suggest pork recipes'],
  ['From now on, use metric units.', 'Anna asks always to use metric units'],
  ['I want you to always be brief.', 'Anna asks always to be brief'],
  ['Call me Annie.', 'Anna goes by Annie'],
  ['Stop calling me Ms. Berg, call me Annie.', 'Anna goes by Annie'],
  ['I used to play tennis but now I play padel.', 'Anna no longer plays tennis', 'Anna plays padel'],
  ['Book me a table for Friday, I am vegan.', 'Anna is vegan'],
  ['I moved from Oslo to Fredrikstad in February 2024.', 'Anna moved to Fredrikstad'],
  ['My daughter Nora starts school.', "Anna's daughter is called Nora"],
  ['My wife Karin is allergic to nuts.', "Anna's wife is called Karin", "Anna's wife is allergic to nuts"],
  ['I live in Oslo.', 'Anna lives in Oslo'],
  ['i live in oslo and i like skiing', 'Anna lives in oslo', 'Anna likes skiing'],
  ['I live in\nOslo.', 'Anna lives in Oslo'],
  [
    'I live in Oslo and work at Acme as an engineer.',
    'Anna lives in Oslo',
    'Anna works at Acme',
    'Anna works as an engineer',
  ],
  ['I live in San Francisco, but I work at Apple.', 'Anna lives in San Francisco', 'Anna works at Apple'],
  ["I've moved to Berlin.", 'Anna moved to Berlin'],
  ['I moved to Ghent last month and started at Port of Antwerp.', 'Anna moved to Ghent'],
  ['We live in Bergen and rent a flat.', 'Anna lives in Bergen'],
  ['I live in Trinidad and Tobago.', 'Anna lives in Trinidad and Tobago'],
  ["I'm based in Berlin now.", 'Anna is based in Berlin'],
  ['I used to live in Oslo.', 'Anna no longer lives in Oslo'],
  ['I am originally from Norway.', 'Anna is from Norway'],
  ['I work for a startup.', 'Anna works for a startup'],
  ['I no longer work at Acme.', 'Anna no longer works at Acme'],
  ['I just started a new job at Google.', 'Anna works at Google'],
  ["I'm a software engineer at Acme.", 'Anna is a software engineer', 'Anna works at Acme'],
  ['I work as a nurse.', 'Anna works as a nurse'],
  ['My name is Anna Berg.', "Anna's name is Anna Berg"],
  ['My manager is Bob.', "Anna's manager is Bob"],
  ['My time zone is CET.', "Anna's time zone is CET"],
  ['My birthday is May 3.', "Anna's birthday is May 3"],
  ["I'm 34 years old.", 'Anna is 34 years old'],
  ['I was born in 1990.', 'Anna was born in 1990'],
  ["I'm vegetarian.", 'Anna is vegetarian'],
  ['I am a vegan now', 'Anna is a vegan'],
  ['I am no longer vegetarian.', 'Anna is no longer vegetarian'],
  ["I don't eat pork.", 'Anna does not eat pork'],
  ['I stopped eating meat.', 'Anna no longer eats meat'],
  ['I quit smoking.', 'Anna no longer smokes'],
  ['I am allergic to peanuts and latex.', 'Anna is allergic to peanuts', 'Anna is allergic to latex'],
  ['I have a nut allergy.', 'Anna is allergic to nut'],
  ['You should know that I’m diabetic.', 'Anna is diabetic'],
  ['I speak English and German.', 'Anna speaks English', 'Anna speaks German'],
  ['I have two kids and a dog named Rex.', 'Anna has two kids', 'Anna has a dog named Rex'],
  ["My dog's name is Rex.", "Anna's dog is called Rex"],
  ["My wife's name is Maria.", "Anna's wife is called Maria"],
  ['My wife likes sushi.', "Anna's wife likes sushi"],
  ["My sister doesn't eat meat.", "Anna's sister does not eat meat"],
  ['My niece is allergic to nuts.', "Anna's niece is allergic to nuts"],
  ['My mother-in-law lives in Bergen.', "Anna's mother-in-law lives in Bergen"],
  ['My housemate likes tea.', "Anna's housemate likes tea"],
  ["My fiancé's name is Joris.", "Anna's fiancé is called Joris"],
  ['I own a Tesla.', 'Anna owns a Tesla'],
  ['I know Rust and Go.', 'Anna knows Rust', 'Anna knows Go'],
  ['I have visited Japan.', 'Anna has visited Japan'],
  ['I wake up at 6.', 'Anna wakes up at 6'],
  ['I switched from vim to emacs.', 'Anna no longer uses vim', 'Anna switched to emacs'],
  ['By the way, I prefer working from my desk, because it is quiet.', 'Anna prefers working from their desk'],
  ['Anna lives in Oslo.', 'Anna lives in Oslo'],
  ["Anna's favourite food is pizza.", "Anna's favourite food is pizza"],
  ['The user prefers dark mode.', 'Anna prefers dark mode'],
  ['We decided to use Postgres for billing.', 'Anna and others decided to use Postgres for billing'],
  ['We decided not to hire contractors.', 'Anna and others decided not to hire contractors'],
  ["Let's go with Stripe for payments.", 'Anna decided to go with Stripe for payments'],
  ["I'll go with the standing desk.", 'Anna decided to go with the standing desk'],
  ['We chose React over Vue.', 'Anna and others chose React over Vue'],
  ['The decision is to postpone the launch.', 'Anna decided to postpone the launch'],
  ['Decision: use Kafka for events.', 'Anna decided to use Kafka for events'],
  ['- I like hiking\n- I live in Bergen', 'Anna likes hiking', 'Anna lives in Bergen'],
  ['User: I like tea.\nAssistant: I like data.', 'Anna likes tea'],
  ['As a vegetarian, I avoid gelatin.', 'Anna avoids gelatin'],
  ["Hi there, I'm allergic to cats.", 'Anna is allergic to cats'],
  ["I'm vegetarian, I live in Oslo.", 'Anna is vegetarian', 'Anna lives in Oslo'],
  ["I don't drink alcohol or coffee.", 'Anna does not drink alcohol', 'Anna does not drink coffee'],
  ["I can't imagine life without music. I like tea.", 'Anna likes tea'],
  ['I sold my old car and bought a Kia EV6.', 'Anna has a Kia EV6 in place of the car before'],
  ["I'm a member of the Alpine Club.", 'Anna is a member of the Alpine Club'],
  ['I go to Aldham Primary School.', 'Anna goes to Aldham Primary School'],
  ['I decided against MongoDB.', 'Anna decided against MongoDB'],
  ['Decision: the office stays open.', 'Anna decided: the office stays open'],
  ['The decision is the smaller office.', 'Anna decided: the smaller office'],
  ['My shoe size is 42.', "Anna's shoe size is 42"],
  ['My pronouns are she/her.', "Anna's pronouns are she/her"],
  ["I'm watching Severance with my wife.", 'Anna is watching Severance'],
  ["I'm learning how to sail.", 'Anna is learning how to sail'],
  ['My new job is at Lumen Health.', 'Anna works at Lumen Health'],
  ['My father died in 2019.', "Anna's father has died"],
  ["I've quit my job.", 'Anna left their job'],
  ['I retired last year.', 'Anna is retired'],
];

const notUnderstood: readonly string[] = [
  "I don't speak German at home.",
  'My time zone is JST this week.',
  "I'm in Japan until Sunday, so my time zone is JST.",
  "I don't like coffee today.",
  'Today I prefer window seats.',
  'I live with my parents until June.',
  'My budget is 500 euros this month.',
  'Do I like sushi?',
  'I might like sushi.',
  'Maybe I like tea.',
  'I think I prefer tea.',
  'I guess I live in Oslo.',
  'If I move, I prefer Berlin.',
  "I'm not sure I like it.",
  'I would like a coffee.',
  'I like it.',
  'I like how you say that.',
  'I love you.',
  'I hate to say this.',
  'I live in fear.',
  'I live in a small flat.',
  'I work at night.',
  'I work from home.',
  'I have a meeting at 3.',
  'I am tired.',
  'I was a teacher.',
  'I liked the film yesterday.',
  'My job is boring.',
  'My manager is annoying.',
  'I want to live in Oslo.',
  "I don't want to live in Oslo.",
  'I plan to move to Oslo.',
  "I'm moving to Oslo.",
  "I don't know.",
  "I don't only eat meat.",
  'I know what you mean.',
  'I know Bob said that.',
  'I run a quick test.',
  'I agreed to the terms.',
  "We haven't decided to move.",
  "I'll go with you.",
  'Use the same one.',
  'Send me the file.',
  "Don't worry about it.",
  'Never mind.',
  'In the future, cars will fly.',
  'Always has been.',
  'Bob lives in Paris.',
  'She prefers tea.',
  'We prefer tea.',
  'Bob said I prefer tea.',
  'Bob said "I like tea. I live in Oslo."',
  'Bob: I like tea.\nI live in Oslo.',
  '> I like tea.',
  '```\nI like tea.\n```',
  'Pretend you are a pirate. I live in Oslo.',
  'Imagine I live in Oslo. I work at Acme.',
  'Translate the following:\nI live in Oslo.',
  'Please proofread this text: I like tea. I live in Oslo.',
  'Ich mag Tee.',
  'According to Bob, I live in Oslo.',
  'When I was a child, I like sweets.',
  'In my novel, I live in Paris.',
  'My goal is unclear.',
  'My boss is Norwegian.',
  'My name is on the list.',
  'We decided on Tuesday that it should be blue.',
  'We chose poorly.',
  "Don't use that file.",
  'Always returns true.',
  'I live in Oslo half of the year.',
  'I have been to the doctor.',
  '',
];

describe('the rules extractor', () => {
  test.each(understood.map(([text, ...expected]) => [text, expected] as const))('%j', (text, expected) => {
    expect(statements(text)).toEqual(expected);
  });

  test.each(notUnderstood)('takes no fact from %j', (text) => {
    expect(statements(text)).toEqual([]);
  });

  test('what a file tells to do is nobody’s wish', () => {
    expect(extractByRules(['Never use eval. I prefer tea.'], 'Anna', { wishes: false })).toHaveLength(1);
  });

  test('evidence is what stands in the text', () => {
    for (const [text] of understood) {
      for (const { evidence } of extractByRules([text], 'Anna')) expect(text).toContain(evidence);
    }
  });

  test('the first name stands for the user, and any name may be the user’s', () => {
    expect(statements('Anna prefers tea.', 'Anna Berg')).toEqual(['Anna Berg prefers tea']);
    expect(statements('I prefer tea.', 'C++ (a.b|c) [x')).toEqual(['C++ (a.b|c) [x prefers tea']);
  });

  test('one million characters take seconds at most, and 500 facts are kept', () => {
    const texts = [' '.repeat(1e6), '\n'.repeat(1e6), `I like ${'and '.repeat(2e5)}`, `${'I, '.repeat(3e5)}`];
    for (const text of texts) expect(extractByRules([text], 'Anna')).toEqual([]);
    const many = Array.from({ length: 600 }, (_, index) => `I like dish${index}.`).join(' ');
    expect(extractByRules([many], 'Anna')).toHaveLength(500);
  }, 20_000);
});

type Relation = 'contradicts' | 'repeats' | 'is about something else';

/** What the second text is to the first. */
const pairs: readonly (readonly [string, Relation, string])[] = [
  ['I prefer tea to coffee.', 'contradicts', 'I prefer coffee over tea.'],
  ['I prefer window seats.', 'contradicts', 'I now prefer aisle seats.'],
  ['I prefer a window seat.', 'repeats', 'Anna prefers window seats.'],
  ['I prefer window seats.', 'contradicts', "I don't prefer window seats any more."],
  ['I prefer window seats.', 'is about something else', 'I prefer aisle seats on long flights.'],
  ['I prefer meetings in the morning.', 'is about something else', 'I prefer dark mode.'],
  ['I like sushi.', 'contradicts', 'I no longer like sushi.'],
  ['I like to swim.', 'repeats', 'I enjoy swimming.'],
  ['I like sushi.', 'contradicts', 'I hate sushi!'],
  ['I am allergic to nuts.', 'contradicts', 'I am not allergic to nuts after all.'],
  ['I like sushi.', 'is about something else', 'I like ramen.'],
  ['I live in Oslo.', 'contradicts', "I've moved to Berlin."],
  ['I live in New York.', 'contradicts', 'I live in York.'],
  ['I live in Oslo.', 'contradicts', 'I no longer live in Oslo.'],
  ['I live in Oslo.', 'is about something else', 'I no longer live in Berlin.'],
  ['I live in Oslo.', 'is about something else', 'I work at Acme.'],
  ['I live in Oslo.', 'is about something else', 'My sister lives in Rome.'],
  ['My favourite colour is blue.', 'repeats', 'My favorite color is Blue'],
  ['My favourite colour is blue.', 'contradicts', 'My favourite colour is green.'],
  ['I am vegetarian.', 'contradicts', 'I became vegan.'],
  ['I speak German.', 'is about something else', 'I speak French.'],
  ['I speak German.', 'contradicts', "I don't speak German."],
  ['I use vim.', 'contradicts', 'I switched from vim to emacs.'],
  ['We decided to use Postgres for billing.', 'contradicts', "Let's go with MySQL for billing."],
  [
    'We decided to use Postgres for billing.',
    'is about something else',
    'We decided to use MySQL for search.',
  ],
  ['We decided to hire contractors.', 'contradicts', 'We decided not to hire contractors.'],
  ['We chose React over Vue.', 'contradicts', 'We chose Vue over React.'],
  ['Always answer in French.', 'contradicts', 'Please always answer in German.'],
  ["Don't call me before 9.", 'contradicts', "Don't call me before 10."],
  ["Don't call me before 9.", 'repeats', 'Please do not call me before 9'],
  ["Don't call me before 9.", 'is about something else', "Don't call me after 9."],
  ['My birthday is May 3.', 'repeats', 'I was born on May 3.'],
  ['I live in Oslo.', 'is about something else', 'I live in Bergen on weekends.'],
  ['I live in Oslo.', 'is about something else', 'I live in Bergen during the summer.'],
  ['I live in Bergen on weekends.', 'contradicts', 'I live in Rome on weekends.'],
  ['Our standup is at 10.', 'is about something else', 'Our standup is at 11 on Fridays.'],
  ['Our standup is at 11 on Fridays.', 'contradicts', 'Our standup is at 12 on Fridays.'],
  ['Our standup is at 10.', 'contradicts', 'Our standup is on Fridays.'],
  ['I drive a Golf.', 'is about something else', 'I drive a van for work.'],
  ['I get up at 6.', 'is about something else', 'I get up at 9 on weekends.'],
  ['I work at Siemens.', 'is about something else', 'I also work at Bosch.'],
  ['My wife likes tea.', 'contradicts', 'My wife hates tea.'],
];

/** Each is about one of several people, whom the statement does not name. */
const namesakes: readonly (readonly [string, string])[] = [
  ['My sister Eva works at Bosch.', 'My sister Ida works at Siemens.'],
  ['My friend Anna Weber lives in Rome.', 'My friend Anna Kraus lives in Paris.'],
  ['My colleague Tom likes tea.', 'My colleague Jan hates tea.'],
];

test.each(namesakes)('%j says nothing of the person in %j', (one, other) => {
  const keysOf = (text: string) => extractByRules([text], 'Bea').map(({ key }) => key);
  expect(keysOf(one).filter((key) => keysOf(other).includes(key))).toEqual([]);
});

test('of whom there is one is the same with and without the name', () => {
  const [unnamed] = extractByRules(['My wife hates tea.'], 'Bea');
  const named = extractByRules(['My wife Eva likes tea.'], 'Bea');
  expect(named.map(({ key }) => key)).toContain(unnamed?.key);
});

test.each(pairs)('%j %s %j', (one, relation, other) => {
  const [older] = extractByRules([one], 'Anna');
  const [newer] = extractByRules([other], 'Anna');
  if (!older || !newer) throw new Error('no fact');
  // As laterFactSql() in facts.queries.ts.
  const decides =
    older.key === newer.key && (older.valueKey === newer.valueKey || !(older.negated || newer.negated));
  const same = older.valueKey === newer.valueKey && older.negated === newer.negated;
  expect(!decides ? 'is about something else' : same ? 'repeats' : 'contradicts').toBe(relation);
});

test('a line too long to be read at once is cut between characters', () => {
  const lead = 'I love sushi ';
  for (const more of [0, 1]) {
    const before = 'The sun shines. '.repeat(1250).slice(0, 20_000 - lead.length - 3) + '. '.slice(more);
    const facts = extractByRules([`${before}${lead}\u{1F363}\u{1F363} and more.`], 'Anna');
    expect(facts.map(({ attribute }) => attribute)).toEqual([expect.stringMatching(/^attitude to sushi/)]);
    expect(JSON.stringify(facts)).not.toMatch(/\\ud/);
  }
});

// Each pet doubled the time when it could be read in two ways: .4 s for 22 of them.
test('a sentence that lists many pets is read at once', () => {
  const startedMs = performance.now();
  extractByRules([`I have a cat${', a pet named cat'.repeat(34)} _.`], 'Anna');
  expect(performance.now() - startedMs).toBeLessThan(2000);
});
