/** The groups that contain no text of the document. */
export const unreadPlaces: ReadonlySet<string> = new Set(
  (
    'colortbl filetbl listtable listoverridetable revtbl rsidtbl pict nonshppict shprslt sp themedata objdata ' +
    'nonesttables ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn xe tc tcn rxe bkmkstart bkmkend atnid atnicn ' +
    'mmathPict background template private1 userprops operator author company keywords subject doccomm comment ' +
    'category manager hlinkbase creatim revtim printim buptim'
  ).split(' '),
);
/** The groups with text among those that a reader may skip (`\\*`). */
export const optionalPlaces: ReadonlySet<string> = new Set(
  (
    'shpinst shpgrp do ud nesttableprops annotation footnote atnauthor fldinst shptxt dptxbxtext moMath moMathPara ' +
    'mf mnum mden msup msub msSup msSub msSubSup me mr md mrad mdeg mnary mfunc mfName mm mmr macc mbar mlimLow mlimUpp mlim ' +
    'meqArr mbox mborderBox mgroupChr mphant msPre'
  ).split(' '),
);
/** The groups of headers and footers. */
export const marginPlaces: ReadonlySet<string> = new Set(
  'header headerl headerr headerf footer footerl footerr footerf'.split(' '),
);
/** The groups with texts of their own: notes, comments and text boxes. */
export const storyPlaces: ReadonlySet<string> = new Set(['footnote', 'annotation', 'shptxt', 'dptxbxtext']);
/** All words that say where the text of their group goes. */
export const places: ReadonlySet<string> = new Set([
  ...unreadPlaces,
  ...marginPlaces,
  ...storyPlaces,
  ...'fonttbl stylesheet info title atnauthor listtext pntext field fldinst fldrslt upr ud nesttableprops'.split(
    ' ',
  ),
]);
/** Control words that stand for a character. */
export const characters: ReadonlyMap<string, string> = new Map([
  ['tab', '\t'],
  ['line', '\n'],
  ['lbr', '\n'],
  ['emdash', '—'],
  ['endash', '–'],
  ['emspace', ' '],
  ['enspace', ' '],
  ['qmspace', ' '],
  ['bullet', '•'],
  ['lquote', '‘'],
  ['rquote', '’'],
  ['ldblquote', '“'],
  ['rdblquote', '”'],
  ['~', ' '],
  ['_', '-'],
]);
