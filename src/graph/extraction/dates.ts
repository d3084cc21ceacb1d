import { months } from '../../text/dates.js';

const month = `(?:${months.join('|')}|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\\.?)`;
const year = '(?:1[5-9]|20)\\d\\d';
const day = '\\d{1,2}(?:st|nd|rd|th)?';
/** "Q3", "3Q23", "the third quarter of fiscal 2023", "FY24", "fiscal year 2023" */
const fiscalYear = `(?:(?:fiscal|financial)(?: year)? ${year}|fy ?['’]?(?:${year}|\\d\\d))`;
const quarter =
  '(?:q[1-4]|h[12]|(?:the )?(?:first|second|third|fourth|final|1st|2nd|3rd|4th) (?:fiscal |financial )?quarter)';
const season = '(?:the )?(?:spring|summer|autumn|fall|winter)';
const calendar = [
  `(?:the )?(?:start|beginning|end|first half|second half) of (?:${quarter} )?(?:${fiscalYear}|${year})`,
  `${quarter},? (?:of )?(?:${fiscalYear}|${year}|['’]\\d\\d)`,
  `[1-4]q ?\\d\\d(?:\\d\\d)?`,
  `${season} (?:of )?${year}`,
  fiscalYear,
  `${day} (?:of )?${month}(?: ?,? ?${year})?`,
  `${month} ${day}(?: ?, ?${year})?(?!\\d)`,
  `${month},? (?:of )?${year}`,
  `${year}-\\d\\d-\\d\\d`,
  `(?:early|late|mid)?[ -]?${year}s?`,
].join('|');
const relative =
  '(?:last|next|this) (?:week|month|year|spring|summer|autumn|fall|winter|quarter|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|this (?:morning|afternoon|evening)|yesterday|today|tomorrow|(?:\\d{1,3}|two|three|four|five|six|seven|eight|nine|ten) (?:days|weeks|months|years) ago|for (?:\\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty) (?:weeks|months|years)';
const when = `(?:${calendar}|${relative})`;
const pattern = new RegExp(
  `(?<![\\w-])(?:from ${month} (?:to|until|till|through) ${month},? ${year}|(?:(?:since|until(?: (?:his|her|its|their) [a-z]+ in)?|from|between|before|after|in|on|by|during|as of) )?${when}(?: (?:to|until|till|and|through) ${when})?)(?![\\w-])`,
  'gi',
);

export interface DatePlace {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const monthName = `(?:${months.map((name) => name.charAt(0).toUpperCase() + name.slice(1)).join('|')})`;
const part = '(?:[Ee]arly |[Ll]ate |[Mm]id[- ])';
/** A month alone counts only after certain words: "in May", but not "by May", who may be a person. */
const monthPattern = new RegExp(
  `(?<![\\w-])(?:[Ff]rom ${part}?${monthName} (?:to|until|till|through) ${part}?${monthName}|(?:(?:[Ii]n|[Ss]ince|[Uu]ntil|[Dd]uring|[Bb]efore|[Aa]fter) ${part}?|(?:[Ll]ast|[Nn]ext|[Tt]his) |${part}|[Bb]y (?:the end of )?(?!April|May|June|August)|(?:[Aa]t|[Bb]y) the end of )${monthName})(?!,? \\d| \\p{Lu}|['’\\w-])`,
  'gu',
);

const weekday = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day';
const weekdayDate = `${weekday}(?:,? (?:${day} ${monthName}|${monthName} ${day})(?:,? ${year})?)?`;
/** "on Monday", "Friday, 3 May", "on Saturdays"; not "Sunday Times", "Monday's". */
const weekdayPattern = new RegExp(
  `(?<![\\w-]|(?:[Ll]ast|[Nn]ext|[Tt]his) )(?:[Oo]n (?:${weekdayDate}|${weekday}s)|(?:(?:[Ss]ince|[Uu]ntil|[Ff]rom|[Bb]y|[Bb]efore|[Aa]fter) )?${weekdayDate}(?! \\p{Lu}))(?!['’\\w-])`,
  'gu',
);
/**
 * Quarters and seasons without a year, and early years, which elsewhere would be plain numbers: "in 1049".
 */
const spanPattern = new RegExp(
  `(?<![\\w-])(?:in|since|until|during|by) (?:${quarter}|the (?:spring|summer|autumn|winter)|(?:[5-9]|1[0-4])\\d\\d(?= ?(?:[.,;)]|$)))(?! of |['’\\w-])`,
  'gi',
);

/**
 * Excludes "5 may be" and "page 12 march on". In small letters these two words are months only beside a
 * year, an ordinal or a preposition.
 */
function isTime({ 0: match, index, input }: RegExpExecArray): boolean {
  if (!/\b(?:may|march)\b/.test(match)) return true;
  if (/\d{4}|\d(?:st|nd|rd|th)\b/.test(match)) return true;
  const before = /^(?:on|since|until|by|before|after|in)\b/i.test(match)
    ? match
    : input.slice(0, index).split(/\s+/).at(-2);
  const isFollowed = /^ (?:be|have|not|also|then|on|to)\b/.test(input.slice(index + match.length));
  return !isFollowed && /^(?:on|since|until|by|before|after|in)\b/i.test(before ?? '');
}

/** The expressions of time in a sentence, in order and without overlaps. */
export function findDates(text: string): DatePlace[] {
  const patterns = [weekdayPattern, pattern, monthPattern, spanPattern];
  const found = patterns
    .flatMap((each) => [...text.matchAll(each)].filter(isTime))
    .map((match) => ({
      text: match[0]
        .replace(/^(?:in|on) /i, '')
        .replace(/^[A-Z](?=(?:ince|rom|ntil|etween|efore|fter|y|uring|s of) )/, (letter) =>
          letter.toLowerCase(),
        )
        .trim(),
      start: match.index,
      end: match.index + match[0].length,
    }));
  return found
    .filter(
      ({ start, end }, at) => !found.slice(0, at).some((other) => start < other.end && other.start < end),
    )
    .sort((a, b) => a.start - b.start);
}

const dayPattern = new RegExp(
  `(?<![\\w-])(?:${day} ${month} (?:${year}|\\d\\d)|${month} ${day} ?, ?${year}|${day} ${month}|${month} ${day}|${year}-\\d\\d-\\d\\d)(?![\\w-])`,
  'gi',
);

/** The calendar days in a text, as written; these become entities of type DATE. */
export function findDays(text: string): string[] {
  if (!/\d/.test(text)) return [];
  return [...text.matchAll(dayPattern)].filter(isTime).map(([match]) => match.replace(/\s+/g, ' '));
}
