// Words for the people of a family, as alternatives of a regular expression; longer ones first.

/** Of whom one usually has only one at a time. */
export const onlyRelatives =
  '(?:mother|father)-in-law|(?:step|god)?(?:mother|father)|wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?|mom|mum|dad';

/** Of whom one may have several. */
export const otherRelatives =
  '(?:son|daughter|sister|brother)-in-law|(?:step|god|grand)?(?:son|daughter)|(?:step-?|half-)?(?:sister|brother)|(?:grand)?child|kid|grand(?:mother|father|ma|pa)|aunt|uncle|cousin|niece|nephew';

export const anyRelative = `${onlyRelatives}|${otherRelatives}`;
