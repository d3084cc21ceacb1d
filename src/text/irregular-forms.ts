import { stemEnglish } from './english-stemmer.js';

/**
 * English words in their dictionary form, each followed by those forms that the
 * stemmer does not reduce to it.
 */
const forms = `
arise arose arisen, awake awoke awoken, bear borne, beat beaten, become became, befall befell befallen, begin began begun, behold beheld, bend bent,
bind bound, bite bitten, blow blew blown, break broke broken, breed bred, bring brought, build built, burn burnt, buy bought, catch caught,
choose chose chosen, cling clung, come came, creep crept, deal dealt, dig dug, draw drew drawn, dream dreamt, drink drank drunk,
drive drove driven, dwell dwelt, eat ate eaten, fall fell fallen, feel felt, fight fought, find found, flee fled, fling flung, fly flew flown,
forbid forbade forbidden, foresee foresaw foreseen, foretell foretold, forget forgot forgotten, forgive forgave forgiven, forgo forwent forgone,
freeze froze frozen, get got gotten, give gave given, go went gone, grow grew grown, hang hung, hear heard, hide hid hidden, hold held,
keep kept, kneel knelt, know knew known, lead led, lean leant, leap leapt, learn learnt, leave left, lend lent, light lit, lose lost, make made,
mean meant, meet met, mislead misled, mistake mistook mistaken, misunderstand misunderstood, outgrow outgrew outgrown, overcome overcame,
overhear overheard, oversee oversaw overseen, oversleep overslept, overtake overtook overtaken, overthrow overthrew overthrown, partake partook,
pay paid, prepay prepaid, rebuild rebuilt, repay repaid, resell resold, retake retook retaken, rethink rethought, rewrite rewrote rewritten,
ride rode ridden, ring rang rung, rise rose risen, run ran, say said, see saw seen, seek sought, sell sold, send sent, shake shook shaken,
shine shone, shoot shot, show shown, shrink shrank shrunk, sing sang sung, sink sank sunk, sit sat, sleep slept, slide slid, smell smelt, sow sown,
speak spoke spoken, speed sped, spell spelt, spend spent, spill spilt, spin spun, spit spat, spoil spoilt, spring sprang sprung, stand stood,
steal stole stolen, stick stuck, sting stung, stink stank stunk, strike struck stricken, strive strove striven, swear swore sworn, sweep swept,
swell swollen, swim swam swum, swing swung, take took taken, teach taught, tear tore torn, tell told, think thought, throw threw thrown,
tread trod trodden, undergo underwent undergone, understand understood, undertake undertook undertaken, underwrite underwrote underwritten,
unwind unwound, uphold upheld, wake woke woken, wear wore worn, weave wove woven, weep wept, win won, withdraw withdrew withdrawn,
withhold withheld, withstand withstood, write wrote written,
add added adding, bleed bled, boycott boycotted boycotting, dye dyed, embed embedded embedding, evidence evidenced evidencing,
experience experienced experiencing, feed fed, free freed, glue glued gluing, interfere interfered interfering, overheat overheated overheating,
plead pled, practice practise practised practising, prejudice prejudiced prejudicing, reference referenced referencing,
refinance refinanced refinancing, sacrifice sacrificed sacrificing, staff staffed staffing, sue sued suing,
child children, foot feet, goose geese, louse lice, man men, mouse mice, ox oxen, tooth teeth, woman women, calf calves, half halves,
hoof hooves, knife knives, leaf leaves, life lives, loaf loaves, scarf scarves, shelf shelves, thief thieves, wife wives, wolf wolves,
bus buses, canvas canvases, gas gases, iris irises, lens lenses, plus pluses, quiz quizzes,
bureau bureaus bureaux, chateau chateaux, cpu cpus, gpu gpus, guru gurus, menu menus, money monies, plateau plateaus plateaux, tableau tableaux,
addendum addenda, alga algae, alumnus alumni, antenna antennae, appendix appendices, bacterium bacteria, cactus cacti, corpus corpora,
axis axes, basis bases, crisis crises, oasis oases, synopsis synopses, thesis theses,
criterion criteria, curriculum curricula, erratum errata, fungus fungi, genus genera, index indices, larva larvae, locus loci, matrix matrices,
memorandum memoranda, metastasis metastases, mitochondrion mitochondria, nucleus nuclei, ovum ova, phenomenon phenomena, radius radii,
spectrum spectra, stimulus stimuli, stratum strata, symposium symposia, vertebra vertebrae, vertex vertices`;

/** Forms that are also words of their own. A query for one may well mean that word. */
const ambiguous: ReadonlySet<string> = new Set(
  `axes bases borne bound drunk fed fell felt found leaves led left lent lit lives rose saw shot smelt spoke
   won`.split(/\s+/),
);

const stems = new Map(
  forms.split(',').flatMap((entry) => {
    const [base = '', ...others] = entry.trim().split(/\s+/);
    return others.map((form) => [form, stemEnglish(base)] as const);
  }),
);

/**
 * The stem of the word that a folded English form belongs to: of buy for bought, of mouse for mice.
 * Undefined for regular forms, and in a query also for forms that are words of their own.
 */
export function stemOfIrregular(word: string, purpose: 'query' | 'index'): string | undefined {
  return purpose === 'query' && ambiguous.has(word) ? undefined : stems.get(word);
}
