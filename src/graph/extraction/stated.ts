import type { VerbGroup } from './clauses.js';
import type { SentenceView } from './phrases.js';

const doubtful =
  /^(?:not|n['’]t|never|no|neither|nor|hardly|barely|may|might|could|would|should|can|cannot|must|ought|to|if|unless|whether|wo|ca)$/;
/** Words whose object has not happened: "considered buying", "nearly bought". */
const unreal =
  /^(?:nearly|almost|narrowly|(?:consider|contemplat|discuss|weigh|propos|suggest|oppos|reject|avoid|abandon|delay|postpon|resist|risk|ruled?|envisag)(?:e|es|ed|d|s|ing)?)$/;
/** "used to work for", "formerly worked for" */
const once = /^(?:formerly|previously|once)$/;
const allowedBeforeTo =
  /^(?:agree[ds]|continues?|continued|began|begun|started|used|came|went|helped|helps|moved)$/;
const awaiting = /^(?:after|assuming|before|once|provided|till|until|when|whenever)$/;
const awaitedTokensMax = 6;

/** Whether a verb states a fact: not denied, asked, wished, supposed or merely possible. */
export function isStated(view: SentenceView, { start, main }: Pick<VerbGroup, 'start' | 'main'>): boolean {
  for (let at = start - 1; at < main; at += 1) {
    const word = view.lower(at);
    if (unreal.test(word) || (word !== 'to' && doubtful.test(word))) return false;
  }
  if (isAwaited(view, { start, main })) return false;
  // "pleaded guilty to killing"
  if (start === main && view.lower(main).endsWith('ing')) return true;
  for (let at = start - 1; at < main; at += 1)
    if (view.lower(at) === 'to' && !allowedBeforeTo.test(view.lower(at - 1))) return false;
  return true;
}

/** "once Ann joins Acme", "as soon as he moves": what is still to come. */
function isAwaited(view: SentenceView, { start, main }: Pick<VerbGroup, 'start' | 'main'>): boolean {
  if (start !== main || !view.lower(main).endsWith('s')) return false;
  for (let at = start - 1; at >= Math.max(start - awaitedTokensMax, 0); at -= 1) {
    const word = view.lower(at);
    if (awaiting.test(word) || (word === 'as' && view.lower(at - 1) === 'soon')) return true;
    if (/^[,;:()]$/.test(word)) return false;
  }
  return false;
}

/** Whether the statement is said to hold no longer. */
export function isPast(view: SentenceView, { start, main }: VerbGroup): boolean {
  for (let at = start - 2; at < main; at += 1) {
    if (view.lower(at) === 'used' && view.lower(at + 1) === 'to') return true;
    if (at >= start - 1 && once.test(view.lower(at))) return true;
  }
  return false;
}
