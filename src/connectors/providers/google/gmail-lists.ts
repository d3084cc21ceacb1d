import type { gmail_v1 } from '@googleapis/gmail';
import { noListOf } from '../../provider-http.js';
import { ProviderError } from '../../provider.js';
import type { GmailApi } from './gmail-api.js';
import { allMail } from './gmail-labels.js';
import type { LabelScope } from './gmail-labels.js';

/** Google returns no more at once. */
const mailsPerListing = 500;

/** What of a mailbox is listed: the mails of a label since a time, in Unix seconds. */
interface Listed {
  readonly scope: LabelScope;
  readonly afterSeconds: number;
}

interface MailList {
  readonly ids: readonly string[];
  readonly nextPage: string | undefined;
}

/**
 * A page of the mails of a label; with `alsoIn`, only those that are in that label too. @throws ProviderError
 */
export async function listMails(
  api: GmailApi,
  asked: Listed & { readonly alsoIn?: string; readonly count: number; readonly page: string | undefined },
  signal: AbortSignal,
): Promise<MailList> {
  const { page, count } = asked;
  const answer = await api.ask(signal, (gmail, options) =>
    gmail.users.messages.list(
      { ...conditions(asked), maxResults: count, ...(page === undefined ? {} : { pageToken: page }) },
      options,
    ),
  );
  if (!answer.messages && answer.resultSizeEstimate === undefined)
    throw noListOf('Gmail', 'a list without mails');
  return {
    ids: (answer.messages ?? []).flatMap(({ id }) => id ?? []),
    nextPage: answer.nextPageToken ?? undefined,
  };
}

function conditions({
  scope: { id },
  afterSeconds,
  alsoIn,
}: Listed & { readonly alsoIn?: string }): gmail_v1.Params$Resource$Users$Messages$List {
  const labels = [...(id === allMail ? [] : [id]), ...(alsoIn === undefined ? [] : [alsoIn])];
  const query = [
    ...(id === allMail ? ['-in:drafts', '-in:chats'] : []),
    ...(afterSeconds > 0 ? [`after:${afterSeconds}`] : []),
  ];
  return {
    userId: 'me',
    ...(labels.length === 0 ? {} : { labelIds: labels }),
    ...(query.length === 0 ? {} : { q: query.join(' ') }),
    includeSpamTrash: id === 'SPAM' || id === 'TRASH',
  };
}

/**
 * Finds the mails that a list shows, and that other labels of theirs exclude: a search can only name such
 * labels in words, which are not unique, and a mail that is known already is not loaded again to see its labels.
 */
export class ExcludedMails {
  private found: { readonly key: string; readonly ids: Promise<ReadonlySet<string>> } | undefined;

  constructor(private readonly api: GmailApi) {}

  /** The ids of these mails; `anew` where a list begins, because labels change. @throws ProviderError */
  of(listed: Listed, { anew }: { anew: boolean }, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const key = JSON.stringify(listed);
    if (!anew && this.found?.key === key) return this.found.ids;
    const ids = this.find(listed, signal);
    const found = { key, ids };
    this.found = found;
    ids.catch(() => {
      if (this.found === found) this.found = undefined;
    });
    return ids;
  }

  private async find(listed: Listed, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const ids = new Set<string>();
    for (const label of listed.scope.excluded) {
      let page: string | undefined;
      do {
        const asked = { ...listed, alsoIn: label, count: mailsPerListing, page };
        const answer = await listMails(this.api, asked, signal).catch(withoutLabel);
        for (const id of answer.ids) ids.add(id);
        page = answer.nextPage;
      } while (page !== undefined);
    }
    return ids;
  }
}

/** No mail has a label that there is not (any more), for which Google answers with 400. */
function withoutLabel(error: unknown): MailList {
  if (error instanceof ProviderError && error.httpStatus === 400) return { ids: [], nextPage: undefined };
  throw error;
}
