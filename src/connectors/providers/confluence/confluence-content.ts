/** A person, as version 1 of the API shows it. */
export interface ConfluencePerson {
  readonly displayName?: string;
  /** Missing or empty if the person hides it. */
  readonly email?: string;
}

/** The readers that a page is restricted to by itself; two empty lists mean no restriction. */
export interface ReadRestriction {
  readonly restrictions?: {
    readonly user?: { readonly results?: readonly ConfluencePerson[] };
    readonly group?: { readonly results?: readonly { readonly name?: string; readonly id?: string }[] };
  };
}

/**
 * A page, blog post, comment or attachment, as version 1 of the API shows it; only requested expansions are
 * there.
 */
export interface ConfluenceContent {
  readonly id: string;
  readonly type?: string;
  readonly status?: string;
  readonly title?: string;
  readonly version?: { readonly number?: number; readonly when?: string; readonly by?: ConfluencePerson };
  readonly history?: { readonly createdDate?: string; readonly createdBy?: ConfluencePerson };
  /** The parents of a page, or the comments that a comment answers; outermost first. */
  readonly ancestors?: readonly { readonly id: string }[];
  /** The page that a comment or attachment belongs to. */
  readonly container?: { readonly id?: string };
  readonly body?: { readonly atlas_doc_format?: { readonly value?: string } };
  readonly restrictions?: { readonly read?: ReadRestriction };
  readonly metadata?: { readonly labels?: { readonly results?: readonly { readonly name?: string }[] } };
  readonly extensions?: {
    readonly mediaType?: string;
    readonly fileSize?: number;
    readonly location?: string;
    readonly inlineProperties?: { readonly originalSelection?: string };
  };
  readonly _links?: { readonly webui?: string };
}

/** The path of the search, in version 1 of the API. */
export const searchPath = '/wiki/rest/api/content/search';
/** The expansions that show that something exists, in which version, and who may read it. */
export const listedExpansions = [
  'version',
  'ancestors',
  'container',
  'restrictions.read.restrictions.user',
  'restrictions.read.restrictions.group',
];
/** The same, and the text. */
export const wholeExpansions = [
  ...listedExpansions,
  'history',
  'body.atlas_doc_format',
  'metadata.labels',
  'extensions.inlineProperties',
];

/** Whether it is part of something else, whose restrictions apply to it. */
export function isPart({ type }: ConfluenceContent): boolean {
  return type === 'comment' || type === 'attachment';
}
