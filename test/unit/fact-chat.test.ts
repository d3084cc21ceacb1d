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

  test.each(sessions)('%s', (_, text, ...facts) => {
    expect(statements(text)).toEqual(facts);
  });
});
