import type { AppKind } from '../source.types.js';

/** What a known field of an app item holds. `text` is bounded by the request alone. */
export type FieldRule = 'title' | 'text' | 'value' | 'values' | 'id' | 'ids' | 'time' | 'url' | 'object';

/** Known for every kind: they say where an item belongs among others. */
export const PLACING_FIELDS: Readonly<Record<string, FieldRule>> = { parent_id: 'id', thread_id: 'id' };

/** The known fields of each kind. */
export const FIELDS_BY_KIND: Readonly<Record<AppKind, Readonly<Record<string, FieldRule>>>> = {
  email: {
    subject: 'title',
    body: 'text',
    from: 'value',
    to: 'values',
    cc: 'values',
    reply_to_id: 'id',
    forwarded_from_id: 'id',
    created_at: 'time',
    url: 'url',
  },
  message: { body: 'text', author: 'value', mentions: 'values', created_at: 'time', url: 'url' },
  ticket: {
    title: 'title',
    description: 'text',
    status: 'value',
    priority: 'value',
    assignee: 'value',
    reporter: 'value',
    linked_issue_ids: 'ids',
    created_at: 'time',
    updated_at: 'time',
    url: 'url',
  },
  knowledge_base: {
    title: 'title',
    body: 'text',
    created_by: 'value',
    updated_by: 'value',
    created_at: 'time',
    updated_at: 'time',
    url: 'url',
  },
  comment: { body: 'text', author: 'value', created_at: 'time', updated_at: 'time', url: 'url' },
  custom: { data: 'object' },
};
