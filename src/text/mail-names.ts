import { fold } from './fold.js';

/** Words in the addresses and names of mailboxes that many people, or programs, write from. */
const sharedWords = new Set(
  `abuse accounting accounts admin administrator alert alerts all billing booking bookings calendar care
   career careers comments confluence contact contacts customer customers desk donotreply enquiries events
   everyone feedback github gitlab hello help helpdesk info inquiries invoice invoices invoicing jira jobs
   legal list lists mailer marketing news newsletter noreply notification notifications notify office orders
   postmaster press privacy reception recruiting recruitment reply reservations sales security service
   servicedesk services shop slack staff store support team trello updates webmaster`.split(/\s+/),
);
/** "'Anna Berg' via Team": a list that sends mails on puts its own address in the place of the writer's. */
const sentOn = /^['"‘“]?(.+?)['"’”]?\s+via\s\S/i;
/** "Anna Berg (Jira)", "[JIRA] Anna Berg" */
const asides = /^\[[^\]]*\]\s*|\s*\([^()]*\)$/g;
const quoted = /^(["'])((?:(?!\1)[^\\]|\\.)*)\1$/s;
const nameCharactersMax = 256;
/** Shorter words stand in many domains by chance. */
const lettersInDomainMin = 3;

/** Reads `Name <address>`, the name without quotes around it; undefined for anything else. Both may be empty. */
export function readAddressed(text: string): { name: string; address: string } | undefined {
  const [, before, address] = /^([^<]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
  if (before === undefined || address === undefined) return undefined;
  const written = before.trim();
  const name = quoted.exec(written)?.[2]?.replace(/\\(.)/gs, '$1').trim() ?? written;
  return { name, address: address.trim() };
}

/** Who is named before a mail address. */
export interface MailName {
  readonly name: string;
  /** The person (or whoever else) whose address it is, one of many who write from it, or the shared mailbox itself. */
  readonly whose: 'own' | 'writer' | 'mailbox';
}

/** Reads the name before a mail address. "Anna Berg <support@acme.com>" is one of those who write from it. */
export function readMailName(called: string, address: string): MailName {
  if (called.length > nameCharactersMax) return { name: called, whose: 'own' };
  const writer = sentOn.exec(called)?.[1];
  if (writer !== undefined) return { name: writer, whose: 'writer' };
  const [local = '', domain = ''] = fold(address).split('@');
  const ofAddress = wordsOf(local);
  const name = called.replace(asides, '').trim();
  const words = wordsOf(fold(name));
  const isSpelt = words.some((word) => ofAddress.includes(word) && !sharedWords.has(word));
  if (isSpelt || !ofAddress.some((word) => sharedWords.has(word))) return { name: called, whose: 'own' };
  if (words.length === 0 || words.some((word) => sharedWords.has(word)))
    return { name: called, whose: 'mailbox' };
  if (!words.some((word) => word.length >= lettersInDomainMin && domain.includes(word)))
    return { name, whose: 'writer' };
  // "GitHub <notifications@github.com>", "Anna Berg <hello@annaberg.com>"
  return { name: called, whose: words.length === 1 ? 'mailbox' : 'own' };
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}
