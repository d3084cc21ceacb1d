import { describe, expect, test } from '@jest/globals';
import { extractGraph } from '../../src/graph/extraction/extract-graph.js';
import type { ExtractedGraph } from '../../src/graph/extraction/extracted-graph.js';
import { statementsOf } from '../support/read-graph.js';

const read = (...texts: string[]) => extractGraph({ title: '', chunks: texts.map((text) => ({ text })) });
const says = (graph: ExtractedGraph) => statementsOf(graph).sort();

/** A text, then all that it says. */
const understood: readonly (readonly [string, ...string[]])[] = [
  [
    'Anna Berg works for Nimbus Systems in Oslo.',
    'Anna Berg works_for Nimbus Systems',
    'Nimbus Systems based_in Oslo',
  ],
  ['Anna Berg joined Nimbus Systems in 2019 as head of security.', 'Anna Berg works_for Nimbus Systems'],
  ['Nimbus acquired Globex for $2 billion last year.', 'Nimbus acquired Globex'],
  ['Globex was acquired by Nimbus in March 2021.', 'Nimbus acquired Globex'],
  ['Bob Müller reports to Alice Chen.', 'Bob Müller reports_to Alice Chen'],
  [
    'Maria Garcia, who lives in Madrid, founded DataWorks in 2019.',
    'Maria Garcia lives_in Madrid',
    'Maria Garcia founded DataWorks',
  ],
  [
    'Wei Zhang, the CTO of Nimbus, lives in Berlin.',
    'Wei Zhang lives_in Berlin',
    'Wei Zhang works_for Nimbus',
  ],
  ['Dr. Wei Zhang, the CTO of Nimbus, will present the roadmap in Tokyo.', 'Wei Zhang works_for Nimbus'],
  ['Tom Larsen moved from Bergen to Oslo in 2015.', 'Tom Larsen moved_to Oslo', 'Tom Larsen lives_in Oslo'],
  ["Acme's headquarters are in San Francisco.", 'Acme based_in San Francisco'],
  [
    'Acme Corp is headquartered in Austin, Texas.',
    'Acme Corp based_in Austin',
    'Austin located_in Texas',
    'Acme Corp based_in Texas',
  ],
  ['Northwind Ltd is based in Leeds.', 'Northwind Ltd based_in Leeds'],
  [
    'Peter Novak was born in Brno, Czech Republic on 4 July 1966.',
    'Peter Novak born_in Brno',
    'Brno located_in Czech Republic',
    'Peter Novak born_in Czech Republic',
  ],
  ['Marta Silva died in Lisbon in 1999.', 'Marta Silva died_in Lisbon'],
  ['Lee Harvey Smith killed Jonathan Doe.', 'Lee Harvey Smith killed Jonathan Doe'],
  ['Jonathan Doe was killed by Lee Harvey Smith in 1963.', 'Lee Harvey Smith killed Jonathan Doe'],
  ['Ticket OPS-1423 blocks PAY-77.', 'OPS-1423 blocks PAY-77'],
  ['OPS-12 depends on OPS-15.', 'OPS-12 depends_on OPS-15'],
  ['OPS-99 was fixed by Dana White.', 'Dana White fixes OPS-99'],
  ['The payments gateway depends on the token service.', 'payments gateway depends_on token service'],
  ['The billing service uses PostgreSQL.', 'billing service uses PostgreSQL'],
  ['Kafka was created by Jay Kreps.', 'Jay Kreps created Kafka'],
  ['GraphQL was developed by Facebook.', 'Facebook created GraphQL'],
  ['TypeORM integrates with PostgreSQL.', 'TypeORM integrates_with PostgreSQL'],
  ['Alice Chen and Bob Müller founded Initech.', 'Alice Chen founded Initech', 'Bob Müller founded Initech'],
  ['Alice Chen founded Initech and Hooli.', 'Alice Chen founded Initech', 'Alice Chen founded Hooli'],
  ['Nimbus spokesman Karl Berg declined to comment.', 'Karl Berg works_for Nimbus'],
  ['Nimbus CEO Karl Berg spoke in Oslo.', 'Karl Berg works_for Nimbus'],
  ['Karl Berg is the CEO of Nimbus.', 'Karl Berg works_for Nimbus'],
  ['Karl Berg is COO of Nimbus Labs.', 'Karl Berg works_for Nimbus Labs'],
  ["Nimbus Inc's acquisition of Endframe closed in March.", 'Nimbus Inc acquired Endframe'],
  ['The takeover of Endframe Ltd by Nimbus Inc was closed in 2020.', 'Nimbus Inc acquired Endframe Ltd'],
  ['The murder of Anna Berg by Tom Larsen shocked Oslo.', 'Tom Larsen killed Anna Berg'],
  ['Karl Berg was the CEO of Nimbus from 2010 to 2015.', 'Karl Berg works_for Nimbus'],
  ['The CEO of Nimbus, Karl Berg, resigned.', 'Karl Berg works_for Nimbus'],
  ['Karl Berg, former CEO of Nimbus, resigned.', 'Karl Berg works_for Nimbus'],
  ["Nimbus's chief scientist, Ingrid Dahl, agreed.", 'Ingrid Dahl works_for Nimbus'],
  ['Ingrid Dahl serves as director of the Polar Institute.', 'Ingrid Dahl works_for Polar Institute'],
  ['Oslo is the capital of Norway.', 'Oslo capital_of Norway'],
  ['Bergen is a city in Norway.', 'Bergen located_in Norway'],
  ['Karl Berg is a chemist at Volvo in Lund.', 'Karl Berg works_for Volvo', 'Volvo based_in Lund'],
  ['The Polar Institute in Tromsø opened a laboratory.', 'Polar Institute based_in Tromsø'],
  ['Ingrid Dahl studied at the University of Bergen.', 'Ingrid Dahl studied_at University of Bergen'],
  ['Ingrid Dahl graduated from Harvard University in 1998.', 'Ingrid Dahl studied_at Harvard University'],
  ['Ingrid Dahl married Karl Berg in 2001.', 'Ingrid Dahl married_to Karl Berg'],
  ['Ingrid Dahl is married to Karl Berg.', 'Ingrid Dahl married_to Karl Berg'],
  [
    'International Business Machines (IBM) acquired Red Hat. IBM is based in Armonk, New York.',
    'International Business Machines acquired Red Hat',
    'International Business Machines based_in Armonk',
    'Armonk located_in New York',
    'International Business Machines based_in New York',
  ],
  [
    'Ingrid Dahl leads the Polar Institute. Dahl was born in Narvik.',
    'Ingrid Dahl leads Polar Institute',
    'Ingrid Dahl born_in Narvik',
  ],
  [
    'Ingrid Dahl leads the Polar Institute. She lives in Narvik.',
    'Ingrid Dahl leads Polar Institute',
    'Ingrid Dahl lives_in Narvik',
  ],
  ['Globex opened an office. The company is based in Rotterdam.', 'Globex based_in Rotterdam'],
  ['Nimbus hired Tom Larsen.', 'Tom Larsen works_for Nimbus'],
  ['Tom Larsen was hired by Nimbus in 2020.', 'Tom Larsen works_for Nimbus'],
  ['Tom Larsen left Nimbus in 2022.', 'Tom Larsen left Nimbus'],
  ['Globex merged with Initech in 2003.', 'Globex merged_with Initech'],
  ['Globex invested in Initech.', 'Globex invested_in Initech'],
  ['Globex sued Initech.', 'Globex sued Initech'],
  ['Globex Labs is a subsidiary of Globex.', 'Globex Labs part_of Globex'],
  ['Tom Larsen is a member of the Labour Party.', 'Tom Larsen member_of Labour Party'],
  ['The Louvre is located in Paris.', 'Louvre located_in Paris'],
  ['Tom Larsen, 44, of Bergen, won the prize.', 'Tom Larsen lives_in Bergen'],
  [
    'Erika Holm, an engineer at Volvo, lives in Gothenburg.',
    'Erika Holm lives_in Gothenburg',
    'Erika Holm works_for Volvo',
  ],
  [
    'Sofia Rossi and Luca Bianchi work at Ferrari.',
    'Sofia Rossi works_for Ferrari',
    'Luca Bianchi works_for Ferrari',
  ],
  ['Hooli, which is based in Dublin, acquired Initech.', 'Hooli based_in Dublin', 'Hooli acquired Initech'],
  [
    'Initech, founded by Bill Lumbergh, is based in Dallas.',
    'Bill Lumbergh founded Initech',
    'Initech based_in Dallas',
  ],
  ['Karl Berg said Ingrid Dahl works for Volvo.', 'Ingrid Dahl works_for Volvo'],
  ['According to Karl Berg, Ingrid Dahl works for Volvo.', 'Ingrid Dahl works_for Volvo'],
  ['Samuel Okafor replaced Ingrid Dahl as director.', 'Samuel Okafor succeeded Ingrid Dahl'],
  ['Samuel Okafor manages Ingrid Dahl.', 'Samuel Okafor manages Ingrid Dahl'],
  ['Ravi Patel wrote for the Guardian.', 'Ravi Patel works_for Guardian'],
  ['Redis runs on Linux.', 'Redis runs_on Linux'],
  ['The checkout service calls the pricing service.', 'checkout service calls pricing service'],
  ['The Danube flows through Vienna.', 'Danube flows_through Vienna'],
  ['Portugal borders Spain.', 'Portugal borders Spain'],
  ['Nimbus employs Ravi Patel.', 'Ravi Patel works_for Nimbus'],
  ['Nimbus partnered with Globex in 2018.', 'Nimbus partners_with Globex'],
  ['Ravi Patel works as an engineer for Nimbus.', 'Ravi Patel works_for Nimbus'],
  ['Ravi Patel has worked for Nimbus since 2017.', 'Ravi Patel works_for Nimbus'],
  ['Ravi Patel is employed by Nimbus.', 'Ravi Patel works_for Nimbus'],
  ['Yuki Tanaka grew up in Osaka.', 'Yuki Tanaka grew_up_in Osaka'],
  ['Yuki Tanaka is from Osaka.', 'Yuki Tanaka from Osaka'],
  ["Vienna's Karlsplatz Square was empty.", 'Karlsplatz Square located_in Vienna'],
  [
    'OSLO, Norway (AP) The king left.',
    'OSLO located_in Norway',
    'AP reports_from OSLO',
    'AP reports_from Norway',
  ],
  ['Mayor Lena Holt of Bergen spoke.', 'Lena Holt from Bergen'],
  ['Lena Holt, the mayor of Bergen, spoke.', 'Lena Holt mayor_of Bergen'],
  ['Lena Holt was elected mayor of Bergen in 2011.', 'Lena Holt mayor_of Bergen'],
  ['Lisa Wong is the author of Deep Water.', 'Lisa Wong created Deep Water'],
  [
    'The Forest Protection Agency is in Washington, D.C.',
    'Forest Protection Agency based_in Washington',
    'Washington located_in D.C.',
    'Forest Protection Agency based_in D.C.',
  ],
  [
    'The European Space Agency (ESA) is headquartered in Paris. ESA launched Ariane 5.',
    'European Space Agency based_in Paris',
    'European Space Agency launched Ariane',
  ],
  ['Tim Cook, who joined Apple in 1998, is the CEO of Apple.', 'Tim Cook works_for Apple'],
  ['In 2004, Mark Zuckerberg founded Facebook at Harvard.', 'Mark Zuckerberg founded Facebook'],
  [
    'Professor Jane Smith of Stanford University won the Nobel Prize in 2010.',
    'Jane Smith won Nobel Prize',
    'Jane Smith works_for Stanford University',
  ],
  ['Alice works at Google, and Bob works at Microsoft.', 'Alice works_for Google', 'Bob works_for Microsoft'],
  ['Alice lives in Paris and works for Renault.', 'Alice lives_in Paris', 'Alice works_for Renault'],
  [
    'Dr. Smith, a cardiologist at Mercy Hospital in Denver, said the results were promising.',
    'Smith works_for Mercy Hospital',
    'Mercy Hospital based_in Denver',
  ],
  [
    'Barack Obama was born in Honolulu, Hawaii.',
    'Barack Obama born_in Honolulu',
    'Honolulu located_in Hawaii',
    'Barack Obama born_in Hawaii',
  ],
  ['Amazon bought Whole Foods in 2017 for $13.7 billion.', 'Amazon acquired Whole Foods'],
  ['The Eiffel Tower is in Paris.', 'Eiffel Tower located_in Paris'],
  ['Kubernetes was originally developed by Google.', 'Google created Kubernetes'],
  ['The deploy failed because billing-api depends on auth-service.', 'billing-api depends_on auth-service'],
  ['PAY-17 was assigned to Bob Jones by Alice Chen.', 'PAY-17 assigned_to Bob Jones'],
  ['PAY-17 duplicates PAY-3.', 'PAY-17 duplicates PAY-3'],
  ["Karen's manager is Steve Jones.", 'Steve Jones manages Karen'],
  ["Steve Jones is Karen Lee's manager.", 'Steve Jones manages Karen Lee'],
  [
    'Sam Altman, CEO of OpenAI, met Satya Nadella of Microsoft.',
    'Sam Altman met Satya Nadella',
    'Sam Altman works_for OpenAI',
    'Satya Nadella works_for Microsoft',
  ],
  ['Mr. Brown works for Barclays.', 'Mr. Brown works_for Barclays'],
  ['Anna Berg studied physics at ETH Zurich.', 'Anna Berg studied_at ETH Zurich'],
  ['Toyota, based in Aichi, makes the Corolla.', 'Toyota based_in Aichi', 'Toyota makes Corolla'],
  ['Marie Curie, born in Warsaw, discovered polonium.', 'Marie Curie born_in Warsaw'],
  ['The CEO of Nimbus is Karl Berg.', 'Karl Berg works_for Nimbus'],
  ['Tom Larsen owns Larsen Farm.', 'Tom Larsen owns Larsen Farm'],
  ['Anna Berg is the owner of Larsen Farm.', 'Anna Berg owns Larsen Farm'],
  [
    'Tom Larsen was appointed director of the Polar Institute in May 2020.',
    'Tom Larsen works_for Polar Institute',
  ],
  ['Emma Stone stars in La La Land.', 'Emma Stone appears_in La La Land'],
  [
    'Ingrid Dahl and Karl Berg work for Nimbus Systems.',
    'Ingrid Dahl works_for Nimbus Systems',
    'Karl Berg works_for Nimbus Systems',
  ],
  ['Larsen & Sons is based in Bergen.', 'Larsen & Sons based_in Bergen'],
  [
    'Anna Berg, who is married to Tom Larsen, lives in Oslo.',
    'Anna Berg married_to Tom Larsen',
    'Anna Berg lives_in Oslo',
  ],
  [
    'Tom Larsen works for Volvo. He was born in Malmö.',
    'Tom Larsen works_for Volvo',
    'Tom Larsen born_in Malmö',
  ],
  ['Tom Larsen met Anna Berg. He lives in Oslo.', 'Tom Larsen met Anna Berg'],
  ['Anna Berg, a lawyer in Seattle, wrote the report.', 'Anna Berg based_in Seattle'],
  ['Seattle lawyer Anna Berg wrote the report.', 'Anna Berg based_in Seattle'],
  [
    'The Port Authority of Rotterdam, Netherlands, opened a terminal.',
    'Port Authority based_in Rotterdam',
    'Rotterdam located_in Netherlands',
    'Port Authority based_in Netherlands',
  ],
  ['Hans Weber assassinated Otto Klein in 1922.', 'Hans Weber killed Otto Klein'],
  ['Otto Klein was shot by Hans Weber.', 'Hans Weber shot Otto Klein'],
  ['Ukraine borders Poland.', 'Ukraine borders Poland'],
  ['Elena Petrova teaches at the University of Sofia.', 'Elena Petrova works_for University of Sofia'],
  [
    'Elena Petrova, a professor at the University of Sofia, died in Varna in 2003.',
    'Elena Petrova died_in Varna',
    'Elena Petrova works_for University of Sofia',
  ],
  ['Elena Petrova retired from Lufthansa in 2016.', 'Elena Petrova left Lufthansa'],
  ['Acme Corp supplies Globex Inc.', 'Acme Corp supplies Globex Inc'],
  ['Volvo competes with Scania.', 'Volvo competes_with Scania'],
  ['Lufthansa bought Alitalia from Etihad.', 'Lufthansa acquired Alitalia'],
  [
    'Rolf Maier, chairman and chief executive of Globex Inc., lives in Basel.',
    'Rolf Maier lives_in Basel',
    'Rolf Maier works_for Globex Inc.',
  ],
  ['Rolf Maier studied at ETH Zurich.', 'Rolf Maier studied_at ETH Zurich'],
  ['Northwind Ltd is a Danish company headquartered in Aarhus.', 'Northwind Ltd based_in Aarhus'],
  [
    'Ingrid Dahl led Volvo. In 1998 she married Karl Berg.',
    'Ingrid Dahl leads Volvo',
    'Ingrid Dahl married_to Karl Berg',
  ],
  ['Ingrid Dahl worked for Contoso in Seattle.', 'Ingrid Dahl works_for Contoso', 'Contoso based_in Seattle'],
  [
    'Anna Berg was born in Boone, N.C.',
    'Anna Berg born_in Boone',
    'Anna Berg born_in N.C.',
    'Boone located_in N.C.',
  ],
  ['Oslo NRK Radio in Norwegian 0700 GMT 3 May 94', 'NRK Radio based_in Oslo'],
];

describe('what sentences say', () => {
  test.each(understood)('%s', (text, ...relations) => {
    expect(says(read(text))).toEqual([...relations].sort());
  });
});

describe('entities', () => {
  const typed = (text: string) => read(text).entities.map(({ name, type }) => `${name} ${type}`);

  test.each<[string, ...string[]]>([
    [
      'Anna Berg met Tom Larsen at Nimbus Systems in Oslo.',
      'Anna Berg PERSON',
      'Tom Larsen PERSON',
      'Nimbus Systems ORGANIZATION',
      'Oslo LOCATION',
    ],
    [
      'The University of Bergen and the Ministry of Finance signed.',
      'University of Bergen ORGANIZATION',
      'Ministry of Finance ORGANIZATION',
    ],
    [
      'The Department of Trade and Consumer Services agreed.',
      'Department of Trade and Consumer Services ORGANIZATION',
    ],
    ['It lies near Lake Victoria in Marion County.', 'Lake Victoria LOCATION', 'Marion County LOCATION'],
    ['Gov. Ann Hill and Mr. Lee left.', 'Ann Hill PERSON', 'Mr. Lee PERSON'],
    ['They met on 5 May 2024 at the Tokyo Conference.', 'Tokyo Conference EVENT', '5 May 2024 DATE'],
    [
      'Ask anna@nimbus.example, @tom or see https://nimbus.example/a?b=1, about issue PAY-12 and CVE-2024-12345.',
      'anna@nimbus.example EMAIL',
      '@tom HANDLE',
      'https://nimbus.example/a?b=1 URL',
      'PAY-12 TICKET',
      'CVE-2024-12345 TICKET',
    ],
    ['Encode it as UTF-8 by SHA-256 as in ISO-9001.'],
  ])('%s', (text, ...entities) => {
    expect(typed(text).sort()).toEqual([...entities].sort());
  });

  test('a surname, a company without its suffix and an acronym are the one thing that bears the long name', () => {
    const graph = read(
      'Anna Berg joined Nimbus Corp in 2019. The National Health Service (NHS) is in London.',
      'Berg left Nimbus in 2021. NHS hired Tom Larsen.',
    );
    expect(graph.entities.map(({ name, aliases, chunks }) => [name, aliases, chunks])).toEqual([
      ['Anna Berg', ['Berg'], [0, 1]],
      ['Nimbus Corp', ['Nimbus'], [0, 1]],
      ['National Health Service', ['NHS'], [0, 1]],
      ['London', [], [0]],
      ['Tom Larsen', [], [1]],
    ]);
    expect(says(graph)).toContain('Anna Berg left Nimbus Corp');
    expect(says(graph)).toContain('Tom Larsen works_for National Health Service');
  });

  test('a surname that two bear, or that stands beside the full name of another, is nobody of them', () => {
    const two = read('Anna Berg met Tom Berg. Berg lives in Oslo.');
    expect(says(two)).toEqual(['Anna Berg met Tom Berg', 'Berg lives_in Oslo']);
    expect(read('Berg met his sister, Anna Berg.').entities.map(({ aliases }) => aliases)).toEqual([[], []]);
    expect(read('Mrs. Berg left. Anna Berg stayed.').entities.map(({ name }) => name)).toEqual([
      'Mrs. Berg',
      'Anna Berg',
    ]);
  });

  test('an e-mail address in brackets identifies whom it stands beside', () => {
    const [entity, ...others] = read('Write to Bob Müller (bob@nimbus.example).').entities;
    expect(entity).toMatchObject({
      name: 'Bob Müller',
      type: 'PERSON',
      identifier: 'bob@nimbus.example',
      aliases: ['bob@nimbus.example'],
    });
    expect(others).toEqual([]);
  });

  test('a word that only begins a sentence is a name where the item uses it as one', () => {
    expect(read('Nimbus is slow.').entities).toEqual([]);
    expect(read('Nimbus is slow.', 'We left Nimbus.').entities).toMatchObject([
      { name: 'Nimbus', chunks: [0, 1] },
    ]);
  });
});

describe('relations', () => {
  const [relation] = read('Intro.', 'Yes. Karl Berg was the CEO of Nimbus from 2010 to 2015.').relations;

  test('carry the words of the text, its sentence, its time and its chunk', () => {
    expect(relation).toEqual({
      source: 0,
      target: 1,
      predicate: 'works_for',
      rawPredicate: 'ceo of',
      context: 'Karl Berg was the CEO of Nimbus from 2010 to 2015.',
      temporalDetails: 'from 2010 to 2015',
      confidence: 0.85,
      chunk: 1,
    });
  });

  test('what a pronoun or the future says is less certain', () => {
    const confidenceOf = (text: string) => read(text).relations.at(-1)?.confidence ?? 0;
    const plain = confidenceOf('Ann Hill works for Volvo.');
    expect(confidenceOf('Ann Hill met Bo Lee at noon. Ann Hill works for Volvo.')).toBe(plain);
    expect(confidenceOf('Ann Hill spoke. She works for Volvo.')).toBeLessThan(plain);
    expect(confidenceOf('Ann Hill will join Volvo.')).toBeLessThan(plain);
  });

  test('what one chunk says twice stands once, what two chunks say stands twice', () => {
    const said = 'Ann Hill works for Volvo.';
    expect(read(`${said} ${said}`).relations).toHaveLength(1);
    expect(read(said, said).relations.map(({ chunk }) => chunk)).toEqual([0, 1]);
  });
});
