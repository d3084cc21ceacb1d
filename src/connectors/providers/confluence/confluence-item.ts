import { parserFor } from '../../../ingestion/parsers/parsers.js';
import { clip } from '../../../lib/characters.js';
import { LIMITS } from '../../../limits.js';
import type { Item } from '../../provider.js';
import { adfToMarkdown } from '../atlassian/adf-markdown.js';
import { atlassianPerson, timeOf } from '../atlassian/atlassian-http.js';
import type { AtlassianHttp } from '../atlassian/atlassian-http.js';
import { filled } from '../item-fields.js';
import type { ConfluenceContent } from './confluence-content.js';

const nativeCharactersMax = 200;

/**
 * An item of a page, post, comment or attachment; undefined for one without text, such as an empty page or a
 * film.
 */
export function confluenceItem(
  content: ConfluenceContent,
  spaceKey: string,
  http: AtlassianHttp,
): Item | undefined {
  if (content.type === 'comment') return commentItem(content, spaceKey, http);
  if (content.type === 'attachment') return attachmentItem(content, spaceKey, http);
  const body = bodyOf(content);
  if (body === '') return undefined;
  const common = commonOf(content, spaceKey, http);
  const labels = (content.metadata?.labels?.results ?? []).flatMap(({ name }) => name ?? []).join(', ');
  return {
    ...common,
    kind: 'knowledge_base',
    type: content.type === 'blogpost' ? 'blog post' : 'page',
    fields: filled({ ...pageFields(content, common), body, parent_id: content.ancestors?.at(-1)?.id }),
    native: {
      ...common.native,
      page_id: content.id,
      ...(labels === '' ? {} : { labels: clip(labels, nativeCharactersMax) }),
    },
  };
}

function pageFields(content: ConfluenceContent, { title, url, timestamp }: ReturnType<typeof commonOf>) {
  return {
    title,
    created_by: atlassianPerson(content.history?.createdBy),
    updated_by: atlassianPerson(content.version?.by),
    created_at: timestamp,
    updated_at: timeOf(content.version?.when),
    url,
  };
}

function commonOf({ title, history, _links }: ConfluenceContent, spaceKey: string, http: AtlassianHttp) {
  const timestamp = timeOf(history?.createdDate);
  const called = title?.trim();
  return {
    ...(called ? { title: called } : {}),
    ...(_links?.webui ? { url: `${http.site}/wiki${_links.webui}` } : {}),
    ...(timestamp ? { timestamp } : {}),
    native: { space_key: spaceKey },
  };
}

/**
 * The item of a comment; undefined for one without text. A comment on a passage begins with a quotation of
 * it.
 */
function commentItem(content: ConfluenceContent, spaceKey: string, http: AtlassianHttp): Item | undefined {
  const { extensions, container, history, version, ancestors = [] } = content;
  const said = bodyOf(content);
  if (said === '') return undefined;
  const about = extensions?.inlineProperties?.originalSelection?.trim();
  const common = commonOf(content, spaceKey, http);
  return {
    ...common,
    kind: 'comment',
    fields: filled({
      body: about ? `${about.replace(/^/gm, '> ')}\n\n${said}` : said,
      author: atlassianPerson(history?.createdBy),
      parent_id: container?.id,
      thread_id: ancestors[0]?.id ?? content.id,
      created_at: common.timestamp,
      updated_at: timeOf(version?.when),
      url: common.url,
    }),
    native: { ...common.native, ...(container?.id ? { page_id: container.id } : {}) },
  };
}

function attachmentItem(content: ConfluenceContent, spaceKey: string, http: AtlassianHttp): Item | undefined {
  const { id, title = '', container, extensions } = content;
  const contentType = extensions?.mediaType;
  const pageId = container?.id;
  if (pageId === undefined || (extensions?.fileSize ?? 0) > LIMITS.fileBytesMax) return undefined;
  if (!parserFor(title, contentType)) return undefined;
  const common = commonOf(content, spaceKey, http);
  const path = `/wiki/rest/api/content/${encodeURIComponent(pageId)}/child/attachment/${encodeURIComponent(id)}/download`;
  return {
    ...common,
    kind: 'knowledge_base',
    type: 'attachment',
    fields: filled({ ...pageFields(content, common), parent_id: pageId }),
    file: {
      filename: title,
      ...(contentType ? { contentType } : {}),
      open: (signal) => http.bytes(path, LIMITS.fileBytesMax, signal),
    },
    native: { ...common.native, page_id: pageId },
  };
}

function bodyOf({ body }: ConfluenceContent): string {
  const value = body?.atlas_doc_format?.value ?? '';
  try {
    return adfToMarkdown(value === '' ? '' : JSON.parse(value));
  } catch {
    return '';
  }
}
