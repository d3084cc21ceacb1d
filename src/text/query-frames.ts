import { fold } from './fold.js';
import { stopWords } from './stop-words.js';

// Frames: phrases that people and programs put around a question. In these patterns a space stands for any
// white space, and ' for either apostrophe.
const please = '(?:please |kindly |possibly |maybe |perhaps |also |just |quickly )*';
const whoever = '(?:you|anyone|anybody|someone|somebody)';
const request = `(?:(?:can|could|would|will) ${whoever} ${please}(?:be so kind as to |be able to )?)?${please}`;
const about = '(?: about| of| on| regarding| concerning| with| if| whether| that)*';
const formerTalk =
  '(?:our|my|the) (?:previous|last|earlier|past|prior|old) (?:conversations?|chats?|discussions?)(?: about| on| regarding| where| in which| when)*';
const telling = '(?:mentioned|told me|told us|talked about|discussed)';
const given =
  "(?:the|my|our|your|this|these|those|all|given|provided|following|above|previous|past|attached|uploaded|retrieved|available|stored|only|user's)";
const sources = `(?:${given} )+(?:context|documents?|docs|files|notes|texts?|passages?|excerpts?|sources|knowledge base|conversations?|chats?|(?:chat|conversation) history|messages|memor(?:y|ies))(?: below| above| provided| given)?`;
const openMark = '(?=\\s*[,:])';
const questionWord =
  '(?:what|which|who|whom|whose|when|where|why|how|whether|if|can|could|would|do|does|did|is|are|was|were|has|have|should|may|i|please|tell|show|remind|help)';
const beforeQuestion = `(?= ${questionWord}\\b)`;

/** Phrases at the beginning of a clause. */
const asking = [
  `${request}(?:tell|remind|show|inform) (?:me|us)(?! to\\b)(?: again| please)?${about}`,
  `${request}help (?:me|us)(?: (?:to )?(?:find(?: out)?|understand|remember|recall|locate|figure out))?${about}`,
  `(?:let|may|can|could) (?:me|i) (?:know|ask)(?: you)?(?: something| a (?:quick )?question)?${about}`,
  `(?:do|did|does|would) ${whoever}(?: happen to| still| also| perhaps)* (?:know|remember|recall)${about}`,
  `i(?:'?d| would|'ll)?(?: really| just| also)* (?:like|want|need|love)(?: you)? to (?:know|find out|ask(?: you)?)${about}`,
  `i(?:'?m| am| was|'ve been)?(?: just| still| also)* (?:wondering|wonder|curious|trying to (?:find out|remember|recall|figure out))${about}(?: (?:you|anyone|anybody) (?:could|can|would|might) ${please}(?:tell|remind|show|help) me)?${about}`,
  `i(?:'?m| am| was)?(?: just)? (?:looking for|searching for|need)(?: some| any| more| the)* (?:information|info|details|documents?|answers?)${about}(?: this)?`,
  `i(?:'?m| am| was)(?: just| planning| trying| going)*(?: to)? (?:look(?:ing)? back (?:at|on|to|through)|go(?:ing)? (?:back (?:to|through|over)|through|over)|check(?:ing)?|revisit(?:ing)?|review(?:ing)?|referring (?:back )?to|think(?:ing)? back (?:to|on)) ${formerTalk}`,
  `(?:in|from|during|based on|going back to|looking back at|about) ${formerTalk}`,
  `(?:(?:i|as i) (?:remember|recall|think|believe) (?:that )?)?(?:you|we) (?:previously |once )?${telling}(?: that| about)*`,
  `i(?: can'?t| cannot| can not| don'?t| do not| couldn'?t)(?: quite| really| exactly)? (?:remember|recall|know)(?= (?:the )?${questionWord}\\b| the name\\b)`,
  `i(?: forgot|'ve forgotten| have forgotten)${beforeQuestion}`,
  `(?:according to|(?:based|relying) (?:only |solely |strictly )?(?:up)?on) ${sources}`,
  `(?:using|use|given|from|with)(?: only)? ${sources}${openMark}`,
  // German, French, Spanish.
  '(?:können|könnten|kannst|könntest) (?:sie|du) (?:mir|uns) (?:bitte )?(?:sagen|zeigen|verraten)',
  '(?:weißt du|wissen sie|weiß jemand|ich (?:möchte|würde gerne?|will) wissen|(?:bitte )?(?:sag|sagen sie|zeig|zeigen sie) mir)',
  '(?:pou(?:vez|rriez)(?:-| )vous|peux(?:-| )tu|pourrais(?:-| )tu|tu peux|vous pouvez) (?:me|nous) (?:dire|montrer|rappeler)',
  '(?:savez(?:-| )vous|sais(?:-| )tu|je (?:voudrais|veux|souhaite(?:rais)?|aimerais) savoir|dites(?:-| )moi|dis(?:-| )moi)',
  '(?:(?:me )?(?:puedes?|podrías?) (?:decir|mostrar|recordar)(?:me|nos)?|(?:quiero|quisiera|me gustaría) saber|sab(?:es|e usted)|dime|dígame)',
];

/** Phrases at the beginning of the query. */
const opening = [
  '(?:question|query|user|human|prompt|q)\\s*(?=:)',
  `you are (?:a|an|my)(?: (?:helpful|friendly|knowledgeable|useful|expert|honest|professional|ai|virtual))* assistant(?: (?:that|who) [^.!?\\n]{1,120})?(?=[.!,])`,
  `answer(?: (?:the|this|my|these|user|user's|following|above|given|next))*(?: questions?)?(?: (?:briefly|concisely|shortly|in (?:one|a single|a few) (?:sentences?|words?)))*(?: (?:using|based on|from)(?: only)? ${sources})?(?=\\s*[:.])`,
  `(?:search|look (?:in|through)|check|consult) ${sources}(?:${openMark}| for\\b)`,
  `${request}(?:find|show|give|get) (?:me|us)`,
  `${please}(?:find|search for|look up|look for)(?: (?:the|a|any))? (?:documents?|docs?|texts?|passages?|something|information|info) (?:that|which|where|about|on)(?: (?:says?|mentions?|states?|describes?|tells?|explains?))?`,
  `${please}(?:find|search for|look up|look for)(?= (?:the|a|an|all|any|my|our)\\b)`,
  `please(?= (?:find|list|give|explain|describe|answer|provide|summari[sz]e|name|check|get|look|search)\\b)`,
  '(?:just )?(?:a |one )?(?:quick |short |simple |more )?question(?=\\s*[,:.–—-])',
];

/** Phrases at the beginning of the query that count only before a mark or a question. */
const greeting = [
  '(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening|day)|dear (?:all|team|assistant|support)|hallo|guten tag|bonjour|hola|buenos días)(?: (?:there|all|everyone|everybody|team|again|guys|folks))*',
  "please|excuse me|sorry|ok|okay|bitte|por favor|s'il (?:vous|te) pla[iî]t",
  '(?:(?:many )?thanks|thank you|danke|merci|gracias)(?: (?:so much|very much|a lot|again|in advance))*',
];

const favour =
  '(?:help|helping(?: me| us)?|time|support|assistance|answers?|attention|patience|reply|response)';
/** Phrases at the end of the query, after a mark or a question. */
const thanks = [
  `(?:and )?(?:(?:many |much )?thanks|thank you|thx|cheers)(?: (?:so much|very much|a lot|a million|a bunch|again|in advance))*,?(?: for(?: (?:your|the|any|all|kind|great|quick))* ${favour})?(?: in advance)?`,
  `i(?:'?d| would)?(?: really| greatly)? appreciate (?:any|your|the|all) ${favour}|any ${favour} (?:is|would be)(?: much| greatly)? appreciated`,
  "(?:vielen |besten |herzlichen )?dank(?:e)?(?: schön| sehr| im voraus)*|merci(?: beaucoup| bien| d'avance)*|(?:muchas )?gracias(?: de antemano)?",
  "please|bitte|por favor|s'il (?:vous|te) pla[iî]t|if (?:that's |it's )?(?:at all )?possible",
  `(?:can|could|would) you (?:please )?(?:help(?: me)?|tell me|remind me)(?: please)?|(?:please )?(?:help(?: me)?|let me know)|do you (?:know|remember)`,
  `(?:according to|based on) ${sources}`,
  `(?:please )?answer (?:briefly|concisely|in (?:one|a single|a few) (?:sentences?|words?))`,
];

const written = (frames: readonly string[]) =>
  `(?:${frames.join('|')})`.replaceAll("'", "['’]").replaceAll(' ', '\\s+');
const behind = String.raw`(?![\p{L}\p{N}])[\s,.:;!…–—-]*`;
const openingFrame = new RegExp(
  String.raw`^[\s"“¿¡]*(?:(?:${written([...asking, ...opening])})${behind}|(?:${written(greeting)})(?:\s*[,.:;!…–—-]+\s*|\s+(?=(?:${questionWord})\b)))`,
  'iu',
);
const clauseFrame = new RegExp(
  String.raw`(?<=[.!?;,]\s+|[.!?;,]\s+(?:and|but|so)\s+|\s(?:and|but|so)\s+)(?:${written(asking)})${behind}`,
  'giu',
);
const closingFrame = new RegExp(
  String.raw`(?<=[?.!,;:…–—-])\s*(?:${written(thanks)})[\s.!…]*(\??)[\s.!…]*$`,
  'iu',
);
// A mark that is left over where a frame ended a sentence.
const looseMark = /[\s,;:–—-]+(\??)$/u;
const answerLabel = /\s(?:answer|a)\s*:\s*$/iu;
/**
 * Words of thanks at the end of a question without a mark before them; but not in "how do I say thank you".
 */
const closingWord = new RegExp(
  String.raw`(?<!(?:\b(?:say|says|saying|said|write|writing|word|words|mean|means|a|the|of|to|with|and|or)|["“'‘])\s*)\s+(?:${written(thanks.slice(0, 1))}|please)\s*([?.!\s]*)$`,
  'iu',
);
const beginsAsQuestion = new RegExp(String.raw`^\W*(?:${questionWord})\b`, 'iu');
const word = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{M}]+)*|\p{Extended_Pictographic}/gu;
const apostrophes = /['’]/g;
// A longer query has enough other words.
const charactersMax = 1000;
const roundsMax = 6;

/**
 * Removes the frames around a question: "Hi, could you please tell me …", "Do you know …", "… Thanks
 * a lot for your help!", "Question: … Answer:". People's texts contain such words, and were found by
 * them: 101 questions to a memory have a reciprocal rank of .751, of .627 and .554 with the first two
 * frames. A query that would have nothing left is returned as it is; with `hasContext` one word is
 * enough to be left, even a stop word.
 */
export function withoutFrames(query: string, hasContext = false): string {
  if (query.length > charactersMax) return query;
  let bare = query;
  for (let round = 0; round < roundsMax; round += 1) {
    const shorter = withoutEnd(bare.replace(openingFrame, '').replace(clauseFrame, ''));
    if (shorter === bare || !saysSomething(shorter, hasContext)) break;
    bare = shorter;
  }
  return bare === query ? query : bare.replace(looseMark, '$1');
}

function withoutEnd(text: string): string {
  const shorter = text.replace(answerLabel, '').replace(closingFrame, '$1');
  return beginsAsQuestion.test(shorter) ? shorter.replace(closingWord, '$1') : shorter;
}

function saysSomething(text: string, hasContext: boolean): boolean {
  const words = fold(text).match(word) ?? [];
  return words.some((each) => hasContext || !stopWords.has(each.replace(apostrophes, '')));
}
