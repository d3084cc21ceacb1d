import type { CommentObjectResponse, PageObjectResponse } from '@notionhq/client';
import type { Clock } from '../../../lib/clock.js';
import { LIMITS } from '../../../limits.js';
import type { Entry, Item } from '../../provider.js';
import { filled, personOf } from '../item-fields.js';
import { ifAllowed, ifThere, unless } from './notion-api.js';
import type { NotionApi } from './notion-api.js';
import type { NotionBlocks } from './notion-blocks.js';
import { markdownOf, plainTextOf } from './notion-markdown.js';
import type { BlockNode } from './notion-markdown.js';
import { propertyLines, titleOf } from './notion-properties.js';

type Parent = PageObjectResponse['parent'];

/** A page to be read. */
export interface PageWish {
  readonly id: string;
  /** Its `last_edited_time`. */
  readonly edited: string;
  readonly withComments: boolean;
  /** The page itself, and its blocks, if they have been read already. */
  readonly page?: PageObjectResponse;
  readonly blocks?: readonly BlockNode[];
}

/** Notion's times are whole minutes, and its clock may differ from ours. */
const settledMs = 2 * 60_000;
const depthMax = 30;

/**
 * Turns pages into entries and items. What it learns of users and of parents is remembered for the session.
 */
export class NotionPages {
  private readonly names = new Map<string, string | undefined>();
  private readonly parents = new Map<string, Parent | undefined>();
  private mayReadComments = true;

  constructor(
    private readonly api: NotionApi,
    private readonly blocks: NotionBlocks,
    private readonly clock: Clock,
  ) {}

  /** Forgets parents, since pages may have moved by the next sync. */
  forgetPlaces(): void {
    this.parents.clear();
  }

  /**
   * The entry of a page. Times are whole minutes, so a page that was edited in this minute may be edited
   * again at the same time. Until the minute is over, every look gives a new version. So do other filters.
   */
  entry(wish: PageWish): Entry {
    const now = this.clock.now();
    const settled = Date.parse(wish.edited) + settledMs < now.getTime();
    const seen = settled ? wish.edited : `${wish.edited} seen ${now.toISOString()}`;
    return {
      id: wish.id,
      version: wish.withComments ? seen : `${seen} without comments`,
      load: (signal) => this.item(wish, signal),
    };
  }

  /** The parent of a page, block or database; undefined if the integration may not see it. */
  async parentOf(
    kind: 'page' | 'block' | 'database',
    id: string,
    signal: AbortSignal,
  ): Promise<Parent | undefined> {
    if (this.parents.has(id)) return this.parents.get(id);
    const found = await ifThere(
      this.api.call<object>((client) => {
        if (kind === 'page') return client.pages.retrieve({ page_id: id });
        if (kind === 'block') return client.blocks.retrieve({ block_id: id });
        return client.databases.retrieve({ database_id: id });
      }, signal),
    );
    const parent = (found as { parent?: Parent } | undefined)?.parent;
    this.parents.set(id, parent);
    return parent;
  }

  private async page(id: string, signal: AbortSignal): Promise<PageObjectResponse | undefined> {
    const page = await ifThere(this.api.call((client) => client.pages.retrieve({ page_id: id }), signal));
    return page && 'properties' in page ? page : undefined;
  }

  private async item(wish: PageWish, signal: AbortSignal): Promise<Item | undefined> {
    const page = wish.page ?? (await this.page(wish.id, signal));
    if (!page || page.in_trash) return undefined;
    const blocks = wish.blocks ?? (await this.blocks.read(page.id, signal));
    const comments = wish.withComments ? await this.comments(page.id, signal) : [];
    const title = titleOf(page.properties);
    const body = markdownOf(blocks);
    const { parent } = page as { parent?: Parent };
    const databaseId = parent && 'database_id' in parent ? parent.database_id : undefined;
    const lines = databaseId === undefined ? '' : propertyLines(page.properties);
    if (`${title}${body}${lines}` === '' && comments.length === 0) return undefined;
    const { created_by: creator, last_edited_by: editor } = page as Partial<PageObjectResponse>;
    const fields = {
      title,
      body,
      parent_id: databaseId ?? (await this.pageAbove(parent, signal)),
      created_by: await this.nameOf(creator?.id, signal),
      updated_by: await this.nameOf(editor?.id, signal),
      created_at: page.created_time,
      updated_at: page.last_edited_time,
      url: page.url,
    };
    return {
      kind: 'knowledge_base',
      ...(title === '' ? {} : { title }),
      url: page.url,
      type: 'page',
      timestamp: page.created_time,
      fields: filled(fields),
      ...(lines === '' ? {} : { content: { text: lines } }),
      ...(comments.length === 0 ? {} : { comments }),
      native: { page_id: page.id, ...(databaseId === undefined ? {} : { database_id: databaseId }) },
    };
  }

  /** The page that contains a page, even in one of its blocks. */
  private async pageAbove(parent: Parent | undefined, signal: AbortSignal): Promise<string | undefined> {
    let at: Parent | undefined = parent;
    for (let steps = 0; at?.type === 'block_id' && steps < depthMax; steps += 1)
      at = await this.parentOf('block', at.block_id, signal);
    return at?.type === 'page_id' ? at.page_id : undefined;
  }

  private async comments(pageId: string, signal: AbortSignal): Promise<NonNullable<Item['comments']>> {
    if (!this.mayReadComments) return [];
    const listed = await unless(
      this.api.all(
        (client, cursor) => client.comments.list({ block_id: pageId, page_size: 100, ...cursor }),
        signal,
      ),
      ({ kind }) => {
        // An integration has this right for all pages, or for none; a page that is gone says nothing of it.
        if (kind === 'refused') this.mayReadComments = false;
        return kind === 'refused' || kind === 'missing';
      },
    );
    const full = (listed ?? []).filter((each): each is CommentObjectResponse => 'rich_text' in each);
    const comments = [];
    for (const { id, rich_text, created_time, created_by, display_name } of full.slice(
      -LIMITS.appCommentsMax,
    )) {
      const body = plainTextOf(rich_text).trim();
      if (body === '') continue;
      const author =
        display_name?.resolved_name ??
        (await this.nameOf((created_by as { id?: string } | undefined)?.id, signal)) ??
        null;
      comments.push({ id, author, body, createdAt: created_time });
    }
    return comments;
  }

  /** A user as `Name <address>`, or what is known of it; undefined for a user who is gone. */
  private async nameOf(userId: string | undefined, signal: AbortSignal): Promise<string | undefined> {
    if (userId === undefined) return undefined;
    if (this.names.has(userId)) return this.names.get(userId);
    const user = await ifAllowed(
      this.api.call((client) => client.users.retrieve({ user_id: userId }), signal),
    );
    const name = user && 'name' in user ? (user.name ?? undefined) : undefined;
    const email = user && 'person' in user ? user.person?.email : undefined;
    const known = personOf(name, email);
    this.names.set(userId, known);
    return known;
  }
}
