import { ArgsType, Field, Int, ObjectType } from 'type-graphql';
import type { ClassType } from 'type-graphql';
import { invalidInput } from '../errors.js';
import { LIMITS } from '../limits.js';
import { boundedNumber } from './bounded-number.js';
import { readCursor, writeCursor } from './list-cursor.js';
import type { ListCursor, ListOrder } from './list-cursor.js';

/** How many rows a page may have, and has by default. */
export interface PageSizes {
  readonly default: number;
  readonly max: number;
  /** What a row costs an operation besides its fields, when it differs from other rows. */
  readonly rowCost?: number;
}

const usualSizes: PageSizes = { default: LIMITS.pageSizeDefault, max: LIMITS.pageSizeMax };

interface PageArguments {
  first?: number | null;
  after?: string | null;
  page?: number | null;
  pageSize?: number | null;
}

/** The arguments of a list whose pages have these sizes: `first` and `after`, or `page` and `pageSize`. */
export function pageArgsOf(sizes: PageSizes): ClassType<PageArguments> {
  const range = `1 to ${sizes.max}, default ${sizes.default}.`;

  @ArgsType()
  abstract class PageArgsClass implements PageArguments {
    @Field(() => Int, { nullable: true, description: `How many nodes to return: ${range}` })
    first?: number | null;

    @Field(() => String, {
      nullable: true,
      description: 'Return what comes after this cursor: pageInfo.endCursor of the page before.',
    })
    after?: string | null;

    @Field(() => Int, {
      nullable: true,
      description: 'Number of the page to return, from 1; use it instead of first and after.',
    })
    page?: number | null;

    @Field(() => Int, { nullable: true, description: `How many nodes a page has: ${range}` })
    pageSize?: number | null;
  }
  return PageArgsClass as unknown as ClassType<PageArguments>;
}

/** The arguments of lists whose pages have the usual sizes. */
@ArgsType()
export class PageArgs extends pageArgsOf(usualSizes) {}

@ObjectType({ description: 'Where a list fetched with first/after goes on.' })
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether nodes follow behind this page.' })
  hasNextPage: boolean;

  @Field(() => String, {
    nullable: true,
    description:
      'The cursor of the last node, to send as after for the next page; null when the page is empty.',
  })
  endCursor: string | null;
}

@ObjectType({ description: 'Where a list fetched with page/pageSize stands.' })
export class Page {
  @Field(() => Int, { description: 'The number of the page, counted from 1.' })
  page: number;

  @Field(() => Int, { description: 'How many nodes a page has at most.' })
  pageSize: number;

  @Field(() => Int, { description: 'How many nodes all pages have together.' })
  total: number;

  @Field(() => Int, { description: 'How many pages there are; 0 when there is nothing to list.' })
  totalPages: number;

  @Field(() => Boolean, { description: 'Whether a page follows.' })
  hasNext: boolean;

  @Field(() => Boolean, { description: 'Whether a page comes before.' })
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
    @Field(() => [node], { description: 'What this page lists.' })
    nodes: Node[];

    @Field(() => Int, { description: 'How many nodes all pages have together.' })
    totalCount: number;

    @Field(() => PageInfo, { description: 'Where to continue with first and after.' })
    pageInfo: PageInfo;

    @Field(() => Page, { description: 'Where the list stands by page and pageSize.' })
    page: Page;
  }
  return ConnectionClass as unknown as ClassType<Connection<Node>>;
}

/** The rows that a page covers. */
export interface PageRange {
  /** How many rows stand before it; with a cursor, how many did when the cursor was made. */
  readonly offset: number;
  readonly limit: number;
  /** The row behind which it begins; if absent, it begins behind `offset` rows. */
  readonly cursor?: ListCursor;
}

/** Reads and checks page arguments. @throws AppError INVALID_INPUT naming the argument and the limit */
export function pageRange(args: PageArgs, sizes: PageSizes = usualSizes): PageRange {
  const byCursor = args.first != null || args.after != null;
  if (byCursor && (args.page != null || args.pageSize != null)) {
    throw invalidInput('page', 'cannot be combined with first or after');
  }
  if (byCursor) {
    const limit = boundedNumber(args.first ?? sizes.default, 'first', sizes.max);
    if (args.after == null) return { offset: 0, limit };
    const cursor = readCursor(args.after);
    return { offset: cursor.offset, limit, cursor };
  }
  const limit = boundedNumber(args.pageSize ?? sizes.default, 'page_size', sizes.max);
  const page = args.page ?? 1;
  if (page < 1) throw invalidInput('page', `must be 1 or more, not ${page}`);
  return { offset: (page - 1) * limit, limit };
}

/** What a statement needs to know: how many rows to skip (none behind a cursor), and how many to read. */
export function rowsOf({ offset, limit, cursor }: PageRange): { skip: number; take: number } {
  // One more than fits tells whether there are more.
  return { skip: cursor ? 0 : offset, take: limit + 1 };
}

/** Cuts the rows read for a page to its size, and tells where the list continues. */
export function cutPage<Row>(
  rows: readonly Row[],
  { offset, limit }: PageRange,
  { list, keyOf }: ListOrder<Row>,
): Pick<Connection<Row>, 'nodes' | 'pageInfo'> {
  const nodes = rows.slice(0, limit);
  const last = nodes.at(-1);
  const endCursor = last && writeCursor({ list, offset: offset + nodes.length, key: keyOf(last) });
  return { nodes, pageInfo: { hasNextPage: rows.length > limit, endCursor: endCursor ?? null } };
}

/** Builds a page from the rows read for it and the total of rows. */
export function connection<Row>(
  rows: readonly Row[],
  totalCount: number,
  { range, order }: { range: PageRange; order: ListOrder<Row> },
): Connection<Row> {
  const { nodes, pageInfo } = cutPage(rows, range, order);
  return { nodes, totalCount, pageInfo, page: numberedPage(range, totalCount, pageInfo) };
}

/** The page of a list that has nothing. */
export function emptyConnection<Node>(range: PageRange): Connection<Node> {
  const pageInfo = { hasNextPage: false, endCursor: null };
  return { nodes: [], totalCount: 0, pageInfo, page: numberedPage(range, 0, pageInfo) };
}

/** The page by number that a range stands for, among all. */
export function numberedPage(
  { offset, limit }: PageRange,
  total: number,
  { hasNextPage }: Pick<PageInfo, 'hasNextPage'>,
): Page {
  return {
    page: Math.floor(offset / limit) + 1,
    pageSize: limit,
    total,
    totalPages: Math.ceil(total / limit),
    hasNext: hasNextPage,
    hasPrevious: offset > 0,
  };
}
