import type { gmail_v1 } from '@googleapis/gmail';

/** The resource that is not a label: everything except drafts, spam and trash. */
export const allMail = 'all';

/** Which mails are read: those of a label but for those with certain others. */
export interface LabelScope {
  readonly id: string;
  readonly excluded: readonly string[];
}

/** Labels that hide a mail from this resource, whatever other labels it has. */
function hidingLabels({ id, excluded }: LabelScope): string[] {
  const hiding = id === allMail ? ['SPAM', 'TRASH', 'DRAFT', 'CHAT'] : ['SPAM', 'TRASH'];
  return [...hiding.filter((label) => label !== id), ...excluded];
}

/** Whether a mail with these labels belongs to a resource. */
export function isIn(labelIds: readonly string[], scope: LabelScope): boolean {
  if (scope.id !== allMail && !labelIds.includes(scope.id)) return false;
  return !hidingLabels(scope).some((label) => labelIds.includes(label));
}

/**
 * The ids of mails that, after the changes in a page of the history, are in a resource, and of those that are
 * not.
 */
export function gmailChanges(
  history: readonly gmail_v1.Schema$History[],
  scope: LabelScope,
): { shown: string[]; gone: string[] } {
  const states = new Map<string, boolean>();
  for (const record of history) {
    for (const { message, isInside } of changesOf(record, scope)) {
      if (!message?.id) continue;
      const labels = message.labelIds ?? undefined;
      // If its labels are not given here, loading the mail will tell for sure.
      states.set(message.id, isInside && (labels === undefined || isIn(labels, scope)));
    }
  }
  const ids = [...states.keys()];
  return { shown: ids.filter((id) => states.get(id)), gone: ids.filter((id) => !states.get(id)) };
}

interface Change {
  readonly message: gmail_v1.Schema$Message | undefined;
  readonly isInside: boolean;
}

function changesOf(
  { messagesAdded = [], labelsAdded = [], labelsRemoved = [], messagesDeleted = [] }: gmail_v1.Schema$History,
  scope: LabelScope,
): Change[] {
  const hiding = hidingLabels(scope);
  const names = (labels: readonly string[] | null | undefined, wanted: readonly string[]) =>
    wanted.some((label) => labels?.includes(label));
  return [
    ...messagesAdded.map(({ message }) => ({ message, isInside: true })),
    ...labelsAdded.flatMap(({ message, labelIds }) => {
      if (names(labelIds, hiding)) return [{ message, isInside: false }];
      return names(labelIds, [scope.id]) ? [{ message, isInside: true }] : [];
    }),
    ...labelsRemoved.flatMap(({ message, labelIds }) => {
      if (names(labelIds, [scope.id])) return [{ message, isInside: false }];
      return names(labelIds, hiding) ? [{ message, isInside: true }] : [];
    }),
    ...messagesDeleted.map(({ message }) => ({ message, isInside: false })),
  ];
}
