import { ArgsType, Field, Int, ObjectType } from 'type-graphql';
import type { ClassType } from 'type-graphql';
import { invalidInput } from '../errors.js';
import { LIMITS } from '../limits.js';

/** How a list is asked for: `first`/`after`, or `page`/`pageSize`. */
@ArgsType()
export class PageArgs {
  @Field(() => Int, { nullable: true, description: 'How many nodes to return, 1 to 1000 (default 100).' })
  first?: number | null;

  @Field(() => String, { nullable: true, description: 'Continue behind this cursor (pageInfo.endCursor).' })
  after?: string | null;

  @Field(() => Int, { nullable: true, description: 'The page to return, from 1; instead of first/after.' })
  page?: number | null;

  @Field(() => Int, { nullable: true, description: 'Nodes a page, 1 to 1000 (default 100).' })
  pageSize?: number | null;
}

@ObjectType({ description: 'Where a list fetched with first/after goes on.' })
export class PageInfo {
  @Field(() => Boolean)
  hasNextPage: boolean;

  @Field(() => String, { nullable: true })
  endCursor: string | null;
}

@ObjectType({ description: 'Where a list fetched with page/pageSize stands.' })
export class Page {
  @Field(() => Int)
  page: number;

  @Field(() => Int)
  pageSize: number;

  @Field(() => Int)
  total: number;

  @Field(() => Int)
  totalPages: number;

  @Field(() => Boolean)
  hasNext: boolean;

  @Field(() => Boolean)
  hasPrevious: boolean;
}

/** One page of a list, as every list field returns it. */
export interface Connection<Node> {
  nodes: Node[];
  totalCount: number;
  pageInfo: PageInfo;
  page: Page;
}

/** The GraphQL type of a list of nodes; subclass it with @ObjectType. */
export function connectionOf<Node extends object>(node: ClassType<Node>): ClassType<Connection<Node>> {
  @ObjectType()
  abstract class ConnectionClass implements Connection<Node> {
    @Field(() => [node])
    nodes: Node[];

    @Field(() => Int)
    totalCount: number;

    @Field(() => PageInfo)
    pageInfo: PageInfo;

    @Field(() => Page)
    page: Page;
  }
  return ConnectionClass as unknown as ClassType<Connection<Node>>;
}

/** The rows that a page covers. */
export interface PageRange {
  readonly offset: number;
  readonly limit: number;
}

/** How many rows a page may have, and has when nobody says. */
export interface PageSizes {
  readonly default: number;
  readonly max: number;
}

/**
 * Reads page arguments; lists with cursors of their own say which offset one stands for.
 * @throws AppError INVALID_INPUT naming the argument and the bound.
 */
export function pageRange(
  args: PageArgs,
  sizes: PageSizes = { default: LIMITS.pageSizeDefault, max: LIMITS.pageSizeMax },
  offsetOf: (after: string) => number = cursorOffset,
): PageRange {
  const byCursor = args.first != null || args.after != null;
  if (byCursor && (args.page != null || args.pageSize != null)) {
    throw invalidInput('page', 'cannot be combined with first or after');
  }
  if (byCursor) {
    return {
      offset: args.after == null ? 0 : offsetOf(args.after),
      limit: bounded('first', args.first, sizes),
    };
  }
  const limit = bounded('page_size', args.pageSize, sizes);
  const page = args.page ?? 1;
  if (page < 1) throw invalidInput('page', `must be 1 or more, not ${page}`);
  return { offset: (page - 1) * limit, limit };
}

function bounded(field: string, value: number | null | undefined, sizes: PageSizes): number {
  const size = value ?? sizes.default;
  if (size < 1 || size > sizes.max) {
    throw invalidInput(field, `must be 1 to ${sizes.max}, not ${size}`);
  }
  return size;
}

function cursorOffset(after: string): number {
  const text = Buffer.from(after, 'base64url').toString('utf8');
  if (!/^\d{1,9}$/.test(text)) throw invalidInput('after', 'is not a cursor that this list returned');
  return Number(text);
}

/** Builds a page from its rows and the number of all rows. */
export function connection<Node>(nodes: Node[], totalCount: number, range: PageRange): Connection<Node> {
  const end = range.offset + nodes.length;
  return {
    nodes,
    totalCount,
    pageInfo: {
      hasNextPage: end < totalCount,
      endCursor: nodes.length > 0 ? Buffer.from(String(end)).toString('base64url') : null,
    },
    page: {
      page: Math.floor(range.offset / range.limit) + 1,
      pageSize: range.limit,
      total: totalCount,
      totalPages: Math.ceil(totalCount / range.limit),
      hasNext: end < totalCount,
      hasPrevious: range.offset > 0,
    },
  };
}
