// "PAY-12" and "BP-3500" have the same form. The text around one shows whether it is a ticket or a product.

const inside = 24;
const work =
  /(?:^|[^\p{L}])(?:tickets?|issues?|bugs?|stor(?:y|ies)|epics?|(?:sub)?tasks?|defects?|incidents?|jira|key|backlog|commits?|refs?|fix(?:e[sd]|ing)?|close[sd]?|closing|resolve[sd]?|resolving|reopen(?:ed|s)?|block(?:s|ed by|ing)|duplicates?|duplicate of|depends on|tracked (?:in|as|by)|pull request|pr|branch|worklog|working on|pick(?:ed)? up)(?: (?:in|is|was|no\.?|number))?[:#]? ?[([#]?$/iu;
const thing =
  /(?:^|[^\p{L}])(?:parts?|models?|articles?|products?|items?|types?|series|skus?|units?|spares?|devices?|modules?|machines?|pumps?|motors?|valves?|sensors?|engines?|printers?|filters?|cameras?|routers?|boards?|chips?|kits?|drones?|tractors?|compressors?|controllers?|bearings?|gaskets?|p\/n|mpn|catalogue|order code)s?(?:,? (?:nos?\.?|nr\.?|number|numbers|code))?:? ?[(#]?$/iu;
/** "Fixed a crash when files are opened (PAY-12)" */
const reported = /\b(?:fix(?:e[sd])?|resolve[sd]?|close[sd]?)\b[^\n]*\((?:see )?$/i;
const sentence = 120;
const done =
  /^ (?:(?:is|was|has been|got|are) (?:now |still |already )?(?:done|fixed|closed|resolved|blocked|open|reopened|merged|assigned|in (?:progress|review)|ready)|blocks?|duplicates|depends on)\b/;
const sold =
  /^ (?:pumps?|motors?|valves?|sensors?|engines?|printers?|drives?|filters?|cameras?|routers?|boards?|chips?|kits?|drones?|tractors?|compressors?|controllers?|bearings?|gaskets?|series|model|unit|units)\b/;

/**
 * The kind of a code like "PAY-12": a ticket if words of issue trackers are around it or it begins a line
 * like a title; a product if it is called a part; else not known.
 */
export function numberedKind(text: string, start: number, end: number): 'TICKET' | 'PRODUCT' | 'OTHER' {
  const before = text.slice(Math.max(start - inside, 0), start);
  const after = text.slice(end, end + inside);
  if (thing.test(before) || sold.test(after)) return 'PRODUCT';
  const heads = /(?:^|\n)\W{0,3}$/.test(before) && /^(?:\]|: )/.test(after);
  if (reported.test(text.slice(Math.max(start - sentence, 0), start))) return 'TICKET';
  return heads || work.test(before) || done.test(after) ? 'TICKET' : 'OTHER';
}

/** The project of a ticket: "PAY" for "PAY-12". Undefined for other names. */
export function projectOf(name: string): string | undefined {
  return /^([A-Z][A-Z0-9]+)-\d+$/.exec(name)?.[1];
}
