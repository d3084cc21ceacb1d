import type { Language as LanguageName } from '../../../text/languages.js';

/** What is known of a language besides English, as data: its words for posts and companies, and what its sentences state. */
export interface Language {
  readonly name: LanguageName;
  /** What may stand before a company's name: articles, and words for companies. */
  readonly articles: string;
  readonly companies: string;
  /** Words before people's names. */
  readonly titles: string;
  /** What a sentence begins with that means the person, or the company, of the sentence before. */
  readonly person: string;
  readonly company: string;
  readonly and: string;
  /** Words that may stand behind the verb, besides times. */
  readonly adverbs: string;
  /** What precedes a year or month. */
  readonly when: string;
  readonly months: string;
  readonly posts: string;
  /** Capitalised words that name nothing. */
  readonly nouns: string;
  /** Whether every noun has a capital, so that a capital makes no name. */
  readonly capitalizesNouns: boolean;
  /** Parts of companies, behind a post: "Leiter Einkauf". */
  readonly departments: string;
  /** Verbs in a tense of what may have ended. */
  readonly past: string;
  /** Words by which a sentence denies what it says, or only supposes it. */
  readonly doubts: string;
  /**
   * Sentences, what they state, from which slot to which ("2>1": from the second to the first), and in which
   * words. The slots are P for a person, O for an organization, L for a place, each also as subject (SP, SO), which
   * may be a pronoun or stand before an insertion or an earlier verb, or as a list (Ps, Os); O! is one that is
   * surely an organization. R is a post, T a time, * adverbs and times, _ one to four words; a/b is one of both, and
   * x? may be left out.
   */
  readonly sentences: string;
}

const german: Language = {
  name: 'german',
  articles: 'der die das dem den des unsere unserer unser ihre seine eine ein',
  companies: 'firma gesellschaft konzern tochter tochtergesellschaft unternehmen verlag hersteller anbieter',
  titles: 'herr herrn frau dr prof',
  person: 'er sie',
  company: 'sie es das~unternehmen die~firma die~gesellschaft der~konzern',
  and: 'und',
  adverbs:
    'aktuell bereits derzeit dort früher heute inzwischen jetzt künftig mittlerweile nun seither vorher weiterhin zuletzt zuvor',
  when: 'ab im seit in',
  months: 'januar februar märz april mai juni juli august september oktober november dezember',
  posts: `abteilungsleiter abteilungsleiterin aufsichtsratsvorsitzende aufsichtsratsvorsitzender betriebsleiter direktor direktorin einkaufsleiter einkaufsleiterin
   finanzvorstand geschäftsführer geschäftsführerin inhaber inhaberin leiter leiterin personalleiter personalleiterin präsident präsidentin prokurist prokuristin
   projektleiter projektleiterin sprecher sprecherin vertriebsleiter vertriebsleiterin vorstand vorstandschef vorstandschefin vorstandsvorsitzende vorstandsvorsitzender`,
  nouns: `abteilung angebot angst anlage arbeit bedarf bekannten freunden frieden fragen gelegenheit grüße hitze kälte kunden kaufpreis licht mai miete
   mitarbeiter montag nacht nachbarn regen ruhestand scheidung sonntag tag tageslicht team vertrag wind zukunft`,
  capitalizesNouns: true,
  past: 'arbeitete lebte leitete war wohnte',
  departments:
    'einkauf entwicklung finanzen forschung logistik personal produktion qualität technik vertrieb',
  doubts:
    'angeblich falls kein keine keinem keinen keiner könnte möchte nicht nie niemals ob soll sollte vielleicht wäre wenn würde',
  sentences: `
SP arbeitet/arbeitete * bei/für O | works_for | 1>2 | arbeitet bei
SP ist/war/wird/wurde/bleibt * neuer/neue? R der/von/bei O | works_for | 1>2 | R
SP leitet/leitete * _ bei O | works_for | 1>2 | leitet bei
SP wechselt/wechselte * zu/zur O | works_for | 1>2 | wechselt zu
P , R der/von/bei O | works_for | 1>2 | R
R der/von O ist/bleibt/wird/wurde * P | works_for | 2>1 | R
SO wurde * von Ps gegründet | founded | 2>1 | gegründet von
O , * gegründet * von Ps | founded | 2>1 | gegründet von
SP gründete/gründeten * O | founded | 1>2 | gründete
SO hat/hatte ihren/seinen Sitz in L | based_in | 1>2 | Sitz in
SO sitzt * in L | based_in | 1>2 | sitzt in
SO ist ein/eine _ mit Sitz in L | based_in | 1>2 | Sitz in
O mit Sitz in L | based_in | 1>2 | Sitz in
SO hat * O übernommen/gekauft/erworben | acquired | 1>2 | übernommen
SO hat * O mit Sitz in _ übernommen/gekauft/erworben | acquired | 1>2 | übernommen
SO übernimmt/übernahm/kauft/kaufte/erwarb/erwirbt * O | acquired | 1>2 | übernimmt
T erwarb/übernahm/kaufte O O | acquired | 1>2 | erwarb
SO wurde * von O übernommen/gekauft/erworben | acquired | 2>1 | übernommen von
SO ist/wird * eine/die? Tochtergesellschaft/Tochter/Teil der/des/von O | part_of | 1>2 | Tochtergesellschaft
Tochtergesellschaften der/von O sind Os | part_of | 2>1 | Tochtergesellschaften
SO gehört * zu/zur/zum O | part_of | 1>2 | gehört zu
SP wird/ist/wurde * die/der? Nachfolger/Nachfolgerin von P | succeeded | 1>2 | Nachfolger von
SP wohnt/wohnte/lebt/lebte * in L | lives_in | 1>2 | wohnt in
SP wurde * in L geboren | born_in | 1>2 | geboren in
SP studierte/studiert * _? an der O | studied_at | 1>2 | studierte an
`,
};

const french: Language = {
  name: 'french',
  articles: 'le la les un une notre',
  companies: 'entreprise filiale groupe maison société',
  titles: 'm mme maître monsieur madame dr',
  person: 'il elle',
  company: 'il elle la~société l’entreprise le~groupe',
  and: 'et',
  adverbs: 'actuellement aujourd’hui auparavant désormais également toujours',
  when: 'depuis en dès',
  months: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
  posts: `directeur directrice fondateur fondatrice gérant gérante pdg président présidente responsable
   directeur~général directrice~générale directeur~technique directrice~technique directeur~financier directrice~financière directeur~commercial directrice~commerciale`,
  nouns: 'bonjour cher chère cordialement merci lundi mardi mercredi jeudi vendredi samedi dimanche',
  capitalizesNouns: false,
  past: 'travaillait était',
  departments: 'achats commercial développement finances logistique ressources technique ventes',
  doubts: 'jamais ne ni pas peut-être pourrait prétend serait si',
  sentences: `
SP travaille/travaillait * chez/pour O | works_for | 1>2 | travaille chez
SP est/était/devient * le/la? R de/du/d' O | works_for | 1>2 | R
P , R de/du/d' O | works_for | 1>2 | R
nommé P R de/du/d' O | works_for | 1>2 | R
R de/du/d' O est * P | works_for | 2>1 | R
O , fondée/fondé/créée/créé * par Ps | founded | 2>1 | fondée par
SO a été fondée/fondé/créée/créé * par Ps | founded | 2>1 | fondée par
SP a fondé/créé * O | founded | 1>2 | a fondé
SO est basée/basé/installée/installé/implantée à L | based_in | 1>2 | basée à
SO a son siège à L | based_in | 1>2 | siège à
SO a été rachetée/racheté/acquise/acquis * par O | acquired | 2>1 | rachetée par
SO a racheté/acquis * O | acquired | 1>2 | a racheté
SO est une filiale de/du/d' O | part_of | 1>2 | filiale de
O , filiale de/du/d' O | part_of | 1>2 | filiale de
SP habite/vit * à L | lives_in | 1>2 | habite à
SP est né/née à L | born_in | 1>2 | née à
SP a succédé à P | succeeded | 1>2 | a succédé à
`,
};

const spanish: Language = {
  name: 'spanish',
  articles: 'el la los las un una nuestra nuestro',
  companies: 'compañía empresa filial firma grupo sociedad',
  titles: 'don doña señor señora sr sra dr dra',
  person: 'él ella',
  company: 'la~empresa la~compañía el~grupo',
  and: 'y',
  adverbs: 'actualmente ahora también todavía',
  when: 'desde en',
  months: 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  posts: `director directora fundador fundadora gerente presidente presidenta responsable
   director~general directora~general consejero~delegado consejera~delegada director~financiero directora~financiera director~técnico directora~técnica`,
  nouns: 'estimado estimada gracias hola saludos lunes martes miércoles jueves viernes sábado domingo',
  capitalizesNouns: false,
  past: 'era fue trabajaba trabajó vivía',
  departments: 'compras desarrollo finanzas logística ventas',
  doubts: 'jamás ni no nunca podría quizás sería si supuestamente tampoco',
  sentences: `
SP trabaja/trabajaba/trabajó * para O | works_for | 1>2 | trabaja para
SP trabaja/trabajaba/trabajó * en O! | works_for | 1>2 | trabaja en
SP es/era/fue * el/la? R de/del O | works_for | 1>2 | R
P , R de/del O | works_for | 1>2 | R
O , fundada/fundado/creada/creado * por Ps | founded | 2>1 | fundada por
SO fue fundada/fundado/creada/creado * por Ps | founded | 2>1 | fundada por
SP fundó * O | founded | 1>2 | fundó
SO tiene su sede en L | based_in | 1>2 | sede en
SO compró/adquirió * O | acquired | 1>2 | adquirió
SO fue comprada/comprado/adquirida/adquirido * por O | acquired | 2>1 | adquirida por
SO es una? filial de/del O | part_of | 1>2 | filial de
SP vive/vivía * en L | lives_in | 1>2 | vive en
SP nació en L | born_in | 1>2 | nació en
SP estudió * _? en la O | studied_at | 1>2 | estudió en
`,
};

const italian: Language = {
  name: 'italian',
  articles: 'il la lo i un una',
  companies: 'azienda ditta gruppo impresa società',
  titles: 'signor signora sig dott dottor dottoressa avv ing',
  person: 'lui lei',
  company: 'l’azienda la~società il~gruppo',
  and: 'e',
  adverbs: 'anche attualmente ora oggi',
  when: 'dal nel dalla',
  months: 'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  posts: `amministratore amministratrice direttore direttrice fondatore fondatrice presidente responsabile titolare
   amministratore~delegato amministratrice~delegata direttore~generale direttrice~generale direttore~commerciale`,
  nouns:
    'buongiorno cordiali distinti gentile grazie saluti lunedì martedì mercoledì giovedì venerdì sabato domenica',
  capitalizesNouns: false,
  past: 'abitava era lavorava viveva',
  departments: 'acquisti finanza logistica vendite',
  doubts: 'forse mai né non potrebbe sarebbe se',
  sentences: `
SP lavora/lavorava * presso/per O | works_for | 1>2 | lavora presso
SP è * il/la? R di/della/del/dell' O | works_for | 1>2 | R
P , R di/della/del/dell' O | works_for | 1>2 | R
R di/della/del/dell' O è * P | works_for | 2>1 | R
O , fondata/fondato * da Ps | founded | 2>1 | fondata da
SO è stata/stato fondata/fondato * da Ps | founded | 2>1 | fondata da
SP ha fondato * O | founded | 1>2 | ha fondato
SO ha sede a L | based_in | 1>2 | ha sede a
SO ha acquisito/acquistato/comprato * O | acquired | 1>2 | ha acquisito
SO è stata/stato acquisita/acquisito/comprata * da/dal/dalla O | acquired | 2>1 | acquisita da
SO è una? controllata di/della/del O | part_of | 1>2 | controllata di
SP vive/abita * a L | lives_in | 1>2 | vive a
SP è nato/nata a L | born_in | 1>2 | nata a
`,
};

/** The languages whose plainest sentences are read. */
export const languages: readonly Language[] = [german, french, spanish, italian];

/** The words of a table's cell; ~ stands for a space within one. */
export const words = (text: string): string[] => text.trim().split(/\s+/);

/** Posts of one word: "Geschäftsführer", "gérante". */
export const foreignPosts: ReadonlySet<string> = new Set(languages.flatMap(({ posts }) => words(posts)));
/** Parts of companies, as they stand behind such a post: "Leiter Einkauf". */
export const foreignDepartments: ReadonlySet<string> = new Set(
  languages.flatMap(({ departments }) => words(departments)),
);
