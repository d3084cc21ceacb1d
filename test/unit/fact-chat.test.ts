import { describe, expect, test } from '@jest/globals';
import { extractByRules } from '../../src/inference/extractors/rules.js';

const statements = (text: string, userName = 'Eva Lind') =>
  extractByRules([text], userName).map((fact) => fact.statement.replace(userName, 'Eva'));

/** What people tell in a chat, then what it says of Eva. */
const understood: readonly (readonly [string, ...string[]])[] = [
  ["It turns out I'm allergic to nuts.", 'Eva is allergic to nuts'],
  ['I forgot to mention that I have asthma.', 'Eva has asthma'],
  ["I'm left-handed, by the way.", 'Eva is left-handed'],
  ['I passed my driving test!', 'Eva passed their driving test'],
  ['I failed my chemistry exam, sadly.', 'Eva failed their chemistry exam'],
  ['I signed up for a pottery course last week.', 'Eva signed up for a pottery course'],
  [
    "I've sold my old Volvo and bought an electric bike instead.",
    'Eva sold their old Volvo',
    'Eva bought an electric bike',
  ],
  ["I'm reading Middlemarch at the moment and loving it.", 'Eva is reading Middlemarch'],
  ["I'm training for the Lisbon half marathon in October.", 'Eva is training for the Lisbon half marathon'],
  ["I'm saving up for a trip to Japan.", 'Eva is saving for a trip to Japan'],
  ["I've started learning the cello.", 'Eva is learning the cello'],
  ["I've taken up knitting since the winter.", 'Eva does knitting'],
  ['I broke up with Callum.', 'Eva broke up with Callum'],
  ['I just got engaged to Tomas!', 'Eva is engaged to Tomas'],
  ['I usually get up at five so I can write.', 'Eva wakes up at five'],
  ['Please answer in French.', 'Eva asks always to answer in French'],
  ['We moved to Leeds last May.', 'Eva lives in Leeds'],
  ["We're expecting our second child in March.", 'Eva is expecting their second child'],
  ['My sister just had a baby girl named Isla.', "Eva's sister had a baby girl named Isla"],
  ['Our dog Biscuit turned three.', "Eva's dog is called Biscuit", "Eva's dog turned three"],
  ['We adopted a greyhound from the shelter.', 'Eva has a greyhound'],
  ["I'm more of a tea person.", 'Eva is a tea person'],
  ['I volunteer at the food bank.', 'Eva volunteers at the food bank'],
  ["I've been made deputy head.", 'Eva was made deputy head'],
  ['I started a new job at Siemens on Monday.', 'Eva works at Siemens'],
  ["I'm lactose intolerant, but cheese is fine.", 'Eva is lactose intolerant'],
  ["I'm vegetarian because I love animals.", 'Eva is vegetarian'],
  ["I don't eat pork for religious reasons.", 'Eva does not eat pork'],
  ["I'm not allergic to nuts after all.", 'Eva is not allergic to nuts'],
  ["I don't speak German at all.", 'Eva does not speak German'],
  ["I don't drink alcohol or coffee.", 'Eva does not drink alcohol', 'Eva does not drink coffee'],
  ['I turned 40 in May.', 'Eva turned 40'],
  ['I moved to Ghent in 2009 and to Lisbon in 2015.', 'Eva moved to Lisbon'],
  ['Back in 2009 I moved to Ghent.', 'Eva moved to Ghent'],
  ['I moved to Trinidad and Tobago.', 'Eva moved to Trinidad and Tobago'],
  ['I joined the choir in the summer of 2011.', 'Eva joined the choir'],
  ['I was born in 1980 and moved to Rome in 1999.', 'Eva was born in 1980'],
  ['I was diagnosed with asthma as a child.', 'Eva has asthma'],
  ['We went with Postgres instead of MySQL in 2019.', 'Eva and others chose Postgres over MySQL'],
  ['I switched from Android to iPhone in 2014.', 'Eva no longer uses Android', 'Eva switched to iPhone'],
  // What is denied in a circumstance is not denied as such.
  ["I don't drink coffee in the evening.", 'Eva does not drink coffee in the evening'],
  ["I don't drink tea or coffee in the evening.", 'Eva does not drink coffee in the evening'],
  ["I don't like tea or coffee in the evening.", 'Eva does not like coffee in the evening'],
  ["I don't work at Acme as a developer.", 'Eva does not work as a developer'],
  ['I used to live in Oslo with friends.', 'Eva no longer lives in Oslo'],
  ['The report is due on Friday.', 'The report is due on Friday'],
  ['The report is now due on Monday at noon.', 'The report is due on Monday at noon'],
  ['My thesis is due on March 3.', "Eva's thesis is due on March 3"],
  ['Our tax return is due by May 31.', "Eva's tax return is due by May 31"],
  ['Rent is due on the 1st.', 'Rent is due on the 1st'],
  [
    'The deadline for the grant application is April 30.',
    'The deadline for the grant application is April 30',
  ],
  ['The deadline for my visa is on June 2, 2027.', "The deadline for Eva's visa is on June 2, 2027"],
  ['My passport expires in August 2027.', "Eva's passport expires in August 2027"],
  ['I need to submit my tax return by May 31.', 'Eva has to submit their tax return by May 31'],
];

const silent: readonly string[] = [
  'I passed the salt.',
  'We passed the tests.',
  'I signed up for your newsletter.',
  'I bought some milk on the way home.',
  'I sold it as a joke.',
  'I joined the call too late.',
  "I'm reading it now.",
  "I'm looking at the second option.",
  "I'm trying to open the file.",
  "I'm preparing for the meeting.",
  'I started the download an hour ago.',
  'She broke up with him.',
  'Our team moved to Notion.',
  'If I moved to Leeds, would I like it?',
  'My computer just died.',
  'He said he turned forty.',
  'I turn 40 in May.',
  "I'm not vegetarian because I love animals.",
  "My laptop died, I'm using my wife's.",
  "I don't speak German with my kids.",
  'I no longer speak German with my kids.',
  "I don't live in Berlin with my parents.",
  "I don't know Python for data science at work.",
  'It is due on Friday.',
  'The report is due tomorrow.',
  'The report was due on Friday.',
  'Is the report due on Friday?',
  'If the report is due on Friday, I will hurry.',
  'My wife is due on May 3.',
  'The delay is due to the strike on Monday.',
  'The flight is due at 7:40.',
  'The train is due at noon on Friday.',
  'His report is due on Friday.',
  "I don't have to submit the report by Friday.",
  'My meeting ends at noon on Friday.',
];

const sessions: readonly (readonly [string, string, ...string[]])[] = [
  [
    'an assistant speaks until the user does, paragraphs and notes and all',
    "User: It turns out I'm allergic to nuts.\nAssistant: I love pasta.\n\nI prefer tomatoes.\nNote: I live in Rome.\nUser: I play the flute.",
    'Eva is allergic to nuts',
    'Eva plays the flute',
  ],
  [
    'turns may stand in one line',
    "User: I'm vegan. Assistant: I work at Acme. User: I play the flute. Assistant: I play the drums.",
    'Eva is vegan',
    'Eva plays the flute',
  ],
  [
    'a time and a first name stand before what was said',
    "[10:12] Eva: I bought a kayak off a friend.\n[10:13] Rafi: I sold my car.\n[10:15] **Eva:** I'm vegan.",
    'Eva bought a kayak',
    'Eva is vegan',
  ],
];

describe('facts of natural chat', () => {
  test.each(understood)('%s', (text, ...facts) => {
    expect(statements(text)).toEqual(facts);
  });

  test.each(silent)('says nothing lasting: %s', (text) => {
    expect(statements(text)).toEqual([]);
  });

  test('the words that say a name are its evidence', () => {
    const facts = extractByRules(['My brother Tom lives in Vienna and works as a nurse.'], 'Eva Lind');
    const said = facts.map(({ statement, evidence }) => [statement.replace('Eva Lind', 'Eva'), evidence]);
    expect(said).toEqual([
      ["Eva's brother is called Tom", 'My brother Tom lives in Vienna'],
      ["Eva's brother lives in Vienna", 'My brother Tom lives in Vienna'],
      ["Eva's brother works as a nurse", 'works as a nurse.'],
    ]);
  });

  test('a new date for what is due replaces the old one, however it is said', () => {
    const said = [
      'The report is due on Friday.',
      'I have to hand in the report by Monday.',
      'The deadline for the report is 4 May.',
    ];
    const facts = said.flatMap((text) => extractByRules([text], 'Eva Lind'));
    expect(new Set(facts.map(({ key }) => key)).size).toBe(1);
    expect(facts.map(({ value }) => value)).toEqual(['Friday', 'Monday', '4 May']);
  });

  test.each(sessions)('%s', (_, text, ...facts) => {
    expect(statements(text)).toEqual(facts);
  });
});
