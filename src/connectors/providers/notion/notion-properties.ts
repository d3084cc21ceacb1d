import type { PageObjectResponse, RichTextItemResponse } from '@notionhq/client';
import { plainTextOf } from './notion-markdown.js';

type Properties = PageObjectResponse['properties'];
type Read = (value: unknown) => string;

interface Named {
  readonly name?: string;
}

const richText: Read = (value) => plainTextOf((value ?? []) as RichTextItemResponse[]);
const name: Read = (value) => (value as Named | undefined)?.name ?? '';
const names: Read = (value) => ((value ?? []) as Named[]).map(name).filter(Boolean).join(', ');
const plain: Read = (value) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
const yesOrNo: Read = (value) => (value === true ? 'yes' : value === false ? 'no' : '');
const date: Read = (value) => {
  const { start, end } = (value ?? {}) as { start?: string; end?: string };
  return [start, end].filter(Boolean).join(' – ');
};
/** A formula or a rollup: a value with its own type. */
const typed: Read = (value) => {
  const { type = '' } = (value ?? {}) as { type?: string };
  return readers[type]?.((value as Record<string, unknown>)[type]) ?? '';
};

/**
 * Readers by type of property. Other types tell a reader nothing: ids of related pages, buttons, times that
 * the page has anyway.
 */
const readers: Readonly<Record<string, Read>> = {
  rich_text: richText,
  title: richText,
  number: plain,
  string: plain,
  url: plain,
  email: plain,
  phone_number: plain,
  boolean: yesOrNo,
  checkbox: yesOrNo,
  select: name,
  status: name,
  place: name,
  multi_select: names,
  people: names,
  files: names,
  date,
  formula: typed,
  rollup: typed,
  array: (value) => ((value ?? []) as unknown[]).map(typed).filter(Boolean).join(', '),
  unique_id: (value) => {
    const { prefix, number } = (value ?? {}) as { prefix?: string; number?: number };
    return number === undefined ? '' : prefix ? `${prefix}-${number}` : String(number);
  },
};

/** The title of a page, which is one of its properties; empty when it has none. */
export function titleOf(properties: Properties = {}): string {
  const title = Object.values(properties).find(({ type }) => type === 'title');
  return title ? typed(title).trim() : '';
}

/** The columns of a database for a page, as lines `Name: value`. */
export function propertyLines(properties: Properties = {}): string {
  return Object.entries(properties)
    .filter(([, { type }]) => type !== 'title')
    .map(([column, property]) => [column, typed(property).trim()] as const)
    .filter(([, text]) => text !== '')
    .map(([column, text]) => `${column}: ${text}`)
    .join('\n');
}
