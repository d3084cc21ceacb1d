import { setTimeout } from 'node:timers/promises';
import type { BlockObjectResponse } from '@notionhq/client';
import { ProviderError } from '../../provider.js';
import { unless } from './notion-api.js';
import type { NotionApi } from './notion-api.js';
import type { BlockNode } from './notion-markdown.js';

type Listed = Awaited<ReturnType<NotionBlocks['list']>>;

/** Blocks that are still to be listed, and where they belong. */
interface Inside {
  readonly id: string;
  readonly depth: number;
  readonly nodes: GrowingNode[];
}

interface GrowingNode {
  readonly block: BlockObjectResponse;
  readonly children: GrowingNode[];
  isCut: boolean;
}

const depthMax = 30;
const blocksPerRequest = 100;
/** Each block with others in it takes a request of its own: at three a second, this many take three minutes. */
const requestsMax = 500;
/** After so many requests for one page, a limit is waited for rather than all of them given up. */
const requestsGivenUp = 30;
const waitSecondsMax = 60;
const withoutContent = new Set<string>(['child_page', 'child_database', 'unsupported', 'link_preview']);

/** Reads the content of pages. */
export class NotionBlocks {
  constructor(private readonly api: NotionApi) {}

  /**
   * The blocks of a page or block, with those inside them, level by level, but without child pages. What is in blocks that
   * are `isCut` was left out, since there are too many.
   */
  async read(id: string, signal: AbortSignal): Promise<BlockNode[]> {
    const nodes: GrowingNode[] = [];
    const waiting: Inside[] = [{ id, depth: 0, nodes }];
    let requests = 0;
    for (let inside = waiting.shift(); inside; inside = waiting.shift()) {
      for (const block of await this.listed(inside, requests, signal)) {
        if (!('type' in block)) continue;
        const node: GrowingNode = { block, children: [], isCut: false };
        inside.nodes.push(node);
        if (!block.has_children || withoutContent.has(block.type) || inside.depth >= depthMax) continue;
        // A copy has the content of its original, which may not be shared.
        const original = block.type === 'synced_block' ? block.synced_block.synced_from?.block_id : undefined;
        node.isCut = requests + waiting.length >= requestsMax;
        if (!node.isCut)
          waiting.push({ id: original ?? block.id, depth: inside.depth + 1, nodes: node.children });
      }
      requests += Math.max(1, Math.ceil(inside.nodes.length / blocksPerRequest));
    }
    return nodes;
  }

  /** The blocks in another one. Any but the first may have been deleted meanwhile. */
  private async listed({ id, depth }: Inside, requests: number, signal: AbortSignal): Promise<Listed> {
    for (;;) {
      try {
        const listing = this.list(id, signal);
        return depth === 0
          ? await listing
          : ((await unless(listing, ({ kind }) => kind === 'missing')) ?? []);
      } catch (error) {
        if (!(error instanceof ProviderError) || error.kind !== 'limited' || requests < requestsGivenUp)
          throw error;
        const seconds = Math.min(error.retryAfterSeconds ?? 1, waitSecondsMax);
        await setTimeout(seconds * 1000, undefined, { signal });
      }
    }
  }

  private list(id: string, signal: AbortSignal) {
    return this.api.all(
      (client, cursor) =>
        client.blocks.children.list({ block_id: id, page_size: blocksPerRequest, ...cursor }),
      signal,
    );
  }
}
