import { newStemmer } from 'snowball-stemmers';
import type { Stemmer } from 'snowball-stemmers';
import { polishStemmer } from './polish-stemmer.js';

// The most frequent words of each language, folded. They show which language a text is in, and carry no
// topic. Words that English also has ("die", "an", "was") count for both.
const frequentWords = {
  german: `aber als am an auch auf aus bei bin bis da das dass dem den der des die doch du durch ein eine einem einen einer
    eines er es fur hat haben ich ihr im in ist ja kann kein keine man mit nach nicht noch nur oder sein seine sich sie sind
    so uber um und uns unter vom von vor war waren was wenn werden wie wir wird wo zu zum zur`,
  french: `au aux avec avait ce ces cette comme dans de des du elle elles en est et etait etre eux il ils je la le les leur
    leurs lui ma mais mes mon ne nos notre nous on ont ou par pas pour plus qu quand que quel quelle qui sa sans se ses si son
    sont sur ta tu un une vos votre vous`,
  spanish: `al como con cual cuando de del desde donde el ella ellos en entre era es esta estan este esto fue ha han hasta
    hay la las le les lo los mas me mi muy no nos o para pero por porque que quien se ser si sin sobre son su sus tambien
    te tiene un una uno unos y ya`,
  italian: `ai al alla alle anche che chi ci come con cui da dal dalla dei del della delle dello di dove e ed era essere gli
    ha hanno i il in io la le lo loro ma mi ne nei nel nella non o per perche piu quale quando questo questa se si sono
    su sua sul sulla suo un una uno`,
  portuguese: `ao aos as com como da das de dela dele do dos e ela ele eles em entre era essa esse esta este eu foi ha isso
    ja mais mas me mesmo meu muito na nao nas nem no nos o os ou para pela pelo por qual quando que quem se sem ser seu
    sua suas seus sao tambem tem um uma voce`,
  dutch: `aan al als bij dan dat de deze die dit door een en er geen had heb hebben heeft het hij hoe ik in is je kan maar
    meer men met mijn naar niet nog of om onder ons ook op over te tot uit van voor waar wat we werd wie wij wordt zal ze
    zich zij zijn zo`,
  swedish: `alla att av blev blir de dem den denna det detta dig din du efter eller en er ett fran for ha hade han har henne
    hon hur i icke inte jag kan man med mellan men min mot ni nu nar och om pa sa samma sig sin sina ska skulle som till
    under upp ut utan vad var vara vi vid ar`,
  danish: `af alle at blev bliver da de dem den denne der det dette dig din du efter eller en er et for fra ham han har havde
    hendes her hun hvad hvis hvor i ikke ind jeg kan kunne man med men mig min mod naar nar noget nu og ogsa om op os pa sa
    se sig skal skulle som til ud under var vi vil`,
  norwegian: `alle at av bare ble blir da de deg dem den denne der det dette du eller en enn er et etter for fra ha hadde han
    har hun hva hvis hvor i ikke inn jeg kan kunne man med meg men min mot na nar noe nok og ogsa om opp oss over pa sa
    seg skal skulle som til ut var vi vil ville`,
  finnish: `ei eivat eli en etta han he hanen ja jo joka jos jotka kaikki kanssa kuin kun me mika minka mina minun mukaan
    mutta myos ne niin nyt oli olla olen on ovat se sen sina sita siina tai tama taman vain viela voi`,
  czech: `aby ale ani asi az bude by byl byla bylo byly co do ho i ja jak jako je jeho jejich jen jeste jej jsem jsme jsou k
    kde kdyz ktera ktere ktery ma mi mu na nad nebo neni od po pod podle pro proto protoze pri se si tak tato tento to
    tohoto toto u uz v ve vsak z za ze`,
  polish: `ale aby bez bedzie byc byl byla byly ci co czy dla do ich i jako jak jego jej jest jednak jesli ja juz kiedy ktora ktore
    ktory lub ma moze mozna na nad nie nich niz o od oraz po pod przed przez przy sa sie tak tego tej ten to tych tym tylko w wraz
    we z za ze zeby`,
  hungarian: `a az azt be csak egy el es ez ezt ha hanem hogy is ki kell le lehet lesz maga meg mert mi mint mit nagy nem neki
    nincs o olyan pedig sem szerint valamint van vannak vagy volt voltak`,
  romanian: `acest aceasta al ale am are au avea ca ce cea cei cele cu cum dar de din dintre dupa este fi fie fost in
    intre la lor mai ne ni nu o pe pentru prin sa sau se si sunt sub un una unei unor unui va`,
  turkish: `ama ancak bir bu bunu cok da daha de degil diye en gibi her hem icin ile ise kadar ki mi ne o olan olarak oldu
    oldugu once ve veya ya yok`,
  english: `a about all also an and are as at be been but by can did do does for from had has have he her his how i if in
    into is it its me more my no not of on one or our out she so that the their them there these they this to under up was
    we were what when where which who will with would you your`,
} as const;

/**
 * The languages whose words are stemmed: those that are recognised by their words, and two that are
 * recognised by their scripts.
 */
export type Language = keyof typeof frequentWords | 'russian' | 'arabic';

const languagesOf = new Map<string, Language[]>();
for (const [language, words] of Object.entries(frequentWords)) {
  for (const word of words.split(/\s+/)) {
    const known = languagesOf.get(word) ?? [];
    languagesOf.set(word, [...known, language as Language]);
  }
}

const scripts: readonly (readonly [Language, RegExp])[] = [
  ['russian', /\p{Script=Cyrillic}/u],
  ['arabic', /\p{Script=Arabic}/u],
];
const distinctWordsMin = 2;
// Enough to recognise a language; a chunk hardly has more.
const wordsReadMax = 400;

/** The language of folded words, English when in doubt: see tellLanguage. */
export function detectLanguage(words: readonly string[]): Language {
  return tellLanguage(words).certain;
}

/** What tellLanguage finds. */
export interface ToldLanguage {
  readonly certain: Language;
  readonly likeliest: Language;
  /** Whether any word indicates a language. If none does, the result is English by default. */
  readonly isTold: boolean;
}

/**
 * The language of folded words: the one that most of them are frequent words of, English in a tie.
 * `certain` needs at least two different frequent words, because names and titles ("La La Land") may have
 * one. For `likeliest` one is enough: that suffices to choose the stemmer of a query or a short memory,
 * since the English stem is kept as well.
 */
export function tellLanguage(words: readonly string[]): ToldLanguage {
  const counts = new Map<Language, number>();
  const seen = new Set<string>();
  for (const word of words.slice(0, wordsReadMax)) {
    const languages = languagesOf.get(word);
    if (!languages || seen.has(word)) continue;
    seen.add(word);
    for (const language of languages) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  let likeliest: Language = 'english';
  let most = counts.get('english') ?? 0;
  for (const [language, count] of counts) if (count > most) [likeliest, most] = [language, count];
  return { certain: most < distinctWordsMin ? 'english' : likeliest, likeliest, isTold: most > 0 };
}

/** Whether a folded word is one of a language's most frequent, which nearly every text has. */
export function isFrequentIn(language: Language, word: string): boolean {
  return languagesOf.get(word)?.includes(language) ?? false;
}

/** A final short i of Russian. Folding has made it a plain i, but the stemmer recognises endings by it. */
const foldedShortI = /(?<=[аеиоуыэюя])и$/u;
const asciiWord = /^[a-z]+$/;
const wordOfLetters = /^[\p{L}\p{M}]+$/u;
const wordCharactersMax = 128;
const stemmers = new Map<Language, Stemmer>([['polish', polishStemmer]]);
const stems = new Map<string, string>();
const stemsMax = 100_000;

/**
 * The stem of a folded word in a language, or in the language of its script if it is not Latin. Undefined
 * for English words, and for strings that are not words.
 */
export function foreignStem(word: string, language: Language): string | undefined {
  if (language === 'english' && asciiWord.test(word)) return undefined;
  const key = `${language} ${word}`;
  const known = stems.get(key);
  if (known !== undefined) return known;
  if (word.length > wordCharactersMax || !wordOfLetters.test(word)) return undefined;
  const own = scripts.find(([, script]) => script.test(word))?.[0] ?? language;
  if (own === 'english') return undefined;
  const stem = stemmerOf(own).stem(own === 'russian' ? word.replace(foldedShortI, 'й') : word);
  if (stems.size >= stemsMax) stems.clear();
  // A copy: a slice would keep the whole text that it was cut from in memory.
  stems.set(Buffer.from(key).toString(), stem);
  return stem;
}

/** The stems that a folded word would have in each of the languages. */
export function stemsInAnyLanguage(word: string): Set<string> {
  return new Set(
    (Object.keys(frequentWords) as Language[]).flatMap((language) => foreignStem(word, language) ?? []),
  );
}

function stemmerOf(language: Language): Stemmer {
  let stemmer = stemmers.get(language);
  if (!stemmer) stemmers.set(language, (stemmer = newStemmer(language)));
  return stemmer;
}
