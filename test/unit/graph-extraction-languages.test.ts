import { describe, expect, test } from '@jest/globals';
import { saidIn } from '../support/read-graph.js';

describe('plain sentences of other languages', () => {
  test.each<[string, string[]]>([
    ['Anna Müller arbeitet seit 2019 bei Siemens in München.', ['Anna Müller works_for Siemens, seit 2019']],
    [
      'Die Kolben GmbH wurde 1987 von Karl Kolben und Eva Roth gegründet.',
      ['Karl Kolben founded Kolben GmbH, 1987', 'Eva Roth founded Kolben GmbH, 1987'],
    ],
    [
      'Die Kolben GmbH wurde von Karl Kolben gegründet und hat ihren Sitz in Stuttgart.',
      ['Karl Kolben founded Kolben GmbH', 'Kolben GmbH based_in Stuttgart'],
    ],
    [
      'Die Vantor AG hat die Lichtwerk GmbH mit Sitz in Dresden übernommen.',
      ['Lichtwerk GmbH based_in Dresden', 'Vantor AG acquired Lichtwerk GmbH'],
    ],
    [
      'Die Lichtwerk GmbH wurde 2021 von der Vantor AG übernommen.',
      ['Vantor AG acquired Lichtwerk GmbH, 2021'],
    ],
    [
      'Die Lichtwerk GmbH zieht um. Lichtwerk ist künftig eine Tochtergesellschaft der Vantor AG.',
      ['Lichtwerk part_of Vantor AG'],
    ],
    ['Die Kolben KG gehört zur Lauda Gruppe.', ['Kolben KG part_of Lauda Gruppe']],
    ['Geschäftsführer der Lichtwerk GmbH ist Thomas Reuter.', ['Thomas Reuter works_for Lichtwerk GmbH']],
    ['Eva Roth, Vorstandsvorsitzende der Vantor AG, begrüßte den Zukauf.', ['Eva Roth works_for Vantor AG']],
    [
      'Eva Roth ist seit Mai Geschäftsführerin der Vantor AG. Sie wohnt in Kiel.',
      ['Eva Roth works_for Vantor AG, seit Mai', 'Eva Roth lives_in Kiel'],
    ],
    [
      'Eva Roth wird die Nachfolgerin von Herrn Dieter Brandt, der in den Ruhestand geht.',
      ['Eva Roth succeeded Dieter Brandt'],
    ],
    [
      'Julien Petit travaille chez Orange depuis 2020 et il est ici.',
      ['Julien Petit works_for Orange, depuis 2020'],
    ],
    [
      'La société Aubrac Conseil, fondée par Hélène Aubrac en 2003, est basée à Toulouse. Elle a été rachetée par le groupe Sofinor.',
      [
        'Hélène Aubrac founded Aubrac Conseil, en 2003',
        'Aubrac Conseil based_in Toulouse',
        'Sofinor acquired Aubrac Conseil',
      ],
    ],
    [
      'Pierre Lacombe est directeur général de Batival depuis 2022.',
      ['Pierre Lacombe works_for Batival, depuis 2022'],
    ],
    [
      'La empresa Luzvida, fundada por Carmen Ibáñez en 2011, tiene su sede en Bilbao.',
      ['Carmen Ibáñez founded Luzvida, en 2011', 'Luzvida based_in Bilbao'],
    ],
    ['Luzvida es filial de Grupo Arrieta y la de Bilbao.', ['Luzvida part_of Grupo Arrieta']],
    [
      'Giulia Ferri lavora presso Eni dal 2018 e vive a Bologna.',
      ['Giulia Ferri works_for Eni, dal 2018', 'Giulia Ferri lives_in Bologna'],
    ],
    [
      'Il est ici. Pierre Lacombe travaillait auparavant chez Vinci.',
      ['Pierre Lacombe works_for Vinci, former'],
    ],
    [
      'Anna Berg arbeitet für die Firma Nimbus und wohnt in Oslo.',
      ['Anna Berg works_for Nimbus', 'Anna Berg lives_in Oslo'],
    ],
    [
      'Anna Berg travaille pour la société Nimbus et habite à Paris.',
      ['Anna Berg works_for Nimbus', 'Anna Berg lives_in Paris'],
    ],
    [
      'Anna Berg trabaja para la empresa Nimbus y vive en Madrid.',
      ['Anna Berg works_for Nimbus', 'Anna Berg lives_in Madrid'],
    ],
    [
      'Anna Berg arbeitet für die Firma Nimbus und wohnt mit der Familie in Oslo.',
      ['Anna Berg works_for Nimbus'],
    ],
    [
      'Anna Berg travaille pour la société Nimbus et habite à Paris avec les enfants.',
      ['Anna Berg works_for Nimbus', 'Anna Berg lives_in Paris'],
    ],
    [
      'Anna Berg trabaja para la empresa Nimbus y vive en Madrid con los niños.',
      ['Anna Berg works_for Nimbus', 'Anna Berg lives_in Madrid'],
    ],
  ])('%s', (text, stated) => {
    expect(saidIn(text).sort()).toEqual([...stated].sort());
  });

  test.each([
    ['what is asked', 'Arbeitet Anna Müller bei Siemens, oder ist sie bei der Kolben GmbH?'],
    ['what is denied', 'Anna Müller arbeitet nicht bei Siemens, und das ist gut.'],
    ['what may be', 'Die Vantor AG hat angeblich die Lichtwerk GmbH übernommen.'],
    ['what is supposed', 'Si Julien Petit travaille chez Orange, il est le plus heureux.'],
    [
      'nouns, which German capitalizes',
      'Die Mitarbeiterin arbeitet bei Nacht und der Vertrag gehört zur Anlage.',
    ],
    ['a town for an employer', 'Mario Gutiérrez trabaja en Getafe con la familia.'],
    [
      'another subject of the second verb',
      'Das ist so: Eva Roth kam zu uns und Karl Kolben wohnt mit der Familie in der Nähe.',
    ],
    ['whoever "sie" is, if two are named', 'Das Team ist gut. Sie wohnt in Kiel und ist mit uns zufrieden.'],
  ])('%s states nothing', (_case, text) => {
    expect(saidIn(text)).toEqual([]);
  });

  test('a signature gives the post of whom it names', () => {
    expect(saidIn('Mit freundlichen Grüßen\nJörg Steiner\nLeiter Einkauf\nKolben GmbH')).toEqual([
      'Jörg Steiner works_for Kolben GmbH',
    ]);
  });
});
