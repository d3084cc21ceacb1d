import type { PageObjectResponse } from '@notionhq/client';
import { ProviderError } from '../../provider.js';
import type { Entry, Page, ResourceScope } from '../../provider.js';
import { laterOf, positionAfter, timeBeginning, unseen } from '../time-position.js';
import type { TimePosition } from '../time-position.js';
import type { NotionApi } from './notion-api.js';
import type { NotionPages } from './notion-pages.js';

/** A list of a data source: its pages, or its pages in the trash. */
interface SourceList {
  readonly source: string;
  readonly trash: boolean;
}

/** The cursor for reading a database, one list after another. */
export interface DatabaseCursor {
  readonly kind: 'database';
  /** By data source, the time up to which earlier syncs have read it. */
  readonly marks: Readonly<Record<string, string>>;
  /** By data source, the time up to which this sync has read it. */
  readonly newest: Readonly<Record<string, string>>;
  /** The lists that have not ended; null between syncs. */
  readonly lists: readonly SourceList[] | null;
  readonly position: TimePosition;
}

/** The cursor before the first sync. */
export const databaseBeginning: DatabaseCursor = {
  kind: 'database',
  marks: {},
  newest: {},
  lists: null,
  position: timeBeginning,
};

type Order = 'created_time' | 'last_edited_time';

/** Times are whole minutes, and edits appear in lists a little later. */
const overlapMs = 5 * 60_000;
const pageSize = 100;

/**
 * Reads the pages of a database, that is of its data sources, which are queried in the order of times.
 * Resource ids are Notion's own here.
 */
export class NotionDatabases {
  constructor(
    private readonly api: NotionApi,
    private readonly pages: NotionPages,
  ) {}

  async read(resource: ResourceScope, cursor: DatabaseCursor, signal: AbortSignal): Promise<Page> {
    const { marks } = cursor;
    const lists =
      cursor.lists ??
      (await this.sources(resource.id, signal)).flatMap((source) => [
        { source, trash: false },
        // Pages that went to the trash before they were ever read need no deletion.
        ...(marks[source] ? [{ source, trash: true }] : []),
      ]);
    const [list, ...rest] = lists;
    if (!list) return { entries: [], cursor: JSON.stringify({ ...databaseBeginning, marks }), more: false };
    const since = sinceOf(resource, marks[list.source]);
    const asked = { list, order: 'last_edited_time', since, position: cursor.position } as const;
    const { shown, next } = await this.query(asked, signal);
    const last = shown.at(-1)?.last_edited_time;
    const before = cursor.newest[list.source];
    const newest =
      last && !list.trash
        ? { ...cursor.newest, [list.source]: before ? laterOf(before, last) : last }
        : cursor.newest;
    const remaining = next ? lists : rest;
    const more = remaining.length > 0;
    const state: DatabaseCursor = more
      ? { ...cursor, newest, lists: remaining, position: next ?? timeBeginning }
      : { ...databaseBeginning, marks: { ...marks, ...newest } };
    const page = { cursor: JSON.stringify(state), more };
    if (list.trash) return { ...page, entries: [], deleted: shown.map((each) => each.id) };
    return { ...page, entries: shown.map((each) => this.entry(each, resource)) };
  }

  /** A page of a walk; `next` is undefined at its end. */
  async walk(
    resource: ResourceScope,
    cursor: DatabaseCursor,
    signal: AbortSignal,
  ): Promise<Pick<Page, 'entries'> & { next: DatabaseCursor | undefined }> {
    const lists =
      cursor.lists ?? (await this.sources(resource.id, signal)).map((source) => ({ source, trash: false }));
    const [list, ...rest] = lists;
    if (!list) return { entries: [], next: undefined };
    const since = resource.oldest.toISOString();
    const asked = { list, order: 'created_time', since, position: cursor.position } as const;
    const { shown, next } = await this.query(asked, signal);
    const remaining = next ? lists : rest;
    return {
      entries: shown.map((each) => this.entry(each, resource)),
      next:
        remaining.length > 0
          ? { ...databaseBeginning, lists: remaining, position: next ?? timeBeginning }
          : undefined,
    };
  }

  private async sources(id: string, signal: AbortSignal): Promise<string[]> {
    const database = await this.api.call((client) => client.databases.retrieve({ database_id: id }), signal);
    if ('data_sources' in database) return database.data_sources.map((source) => source.id);
    // Taken for an empty database, everything in it would be deleted.
    throw new ProviderError('unavailable', 'Notion does not say what is in the database');
  }

  private async query(
    asked: { list: SourceList; order: Order; since: string; position: TimePosition },
    signal: AbortSignal,
  ): Promise<{ shown: PageObjectResponse[]; next: TimePosition | undefined }> {
    const { list, order, since, position } = asked;
    const edited = { timestamp: 'last_edited_time', last_edited_time: { on_or_after: since } } as const;
    const created = { timestamp: 'created_time', created_time: { on_or_after: position.at ?? '' } } as const;
    const later = {
      timestamp: 'last_edited_time',
      last_edited_time: { on_or_after: position.at ?? since },
    } as const;
    const filter = order === 'last_edited_time' ? later : position.at ? { and: [edited, created] } : edited;
    const answer = await this.api.call(
      (client) =>
        client.dataSources.query({
          data_source_id: list.source,
          filter,
          sorts: [{ timestamp: order, direction: 'ascending' }],
          page_size: pageSize,
          result_type: 'page',
          ...(list.trash ? { in_trash: true } : {}),
          ...(position.after === null ? {} : { start_cursor: position.after }),
        }),
      signal,
    );
    const pages = answer.results.filter(
      (each): each is PageObjectResponse => 'properties' in each && each.object === 'page',
    );
    const times = pages.map((page) => ({ id: page.id, time: page[order] }));
    return {
      shown: unseen(position, pages),
      next: positionAfter(position, times, answer.next_cursor ?? null),
    };
  }

  private entry(page: PageObjectResponse, { filters }: ResourceScope): Entry {
    const withComments = filters['include_comments'] !== false;
    return this.pages.entry({ id: page.id, edited: page.last_edited_time, withComments, page });
  }
}

/** The lower bound for a list that was read up to a mark. */
export function sinceOf({ oldest }: ResourceScope, mark: string | undefined): string {
  const begin = oldest.toISOString();
  return mark ? laterOf(begin, new Date(Date.parse(mark) - overlapMs).toISOString()) : begin;
}
