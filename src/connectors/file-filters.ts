import { z } from 'zod';
import { parserFor } from '../ingestion/parsers/parsers.js';
import { LIMITS } from '../limits.js';

const listMax = 100;

/** The filters of providers that read files. */
export const fileFilters = z.strictObject({
  extensions: z
    .array(
      z
        .string()
        .trim()
        .toLowerCase()
        .regex(/^\.?[\da-z]+$/, 'must be the end of a name, such as pdf'),
    )
    .max(listMax)
    .optional()
    .describe('Only files with one of these extensions, e.g. pdf. Default: all kinds that can be read.'),
  exclude: z
    .array(z.string().trim().min(1))
    .max(listMax)
    .optional()
    .describe('Files and folders that are left out, as paths within the resource, e.g. drafts/2019.'),
  max_bytes: z
    .int()
    .min(1)
    .max(LIMITS.fileBytesMax)
    .optional()
    .describe('Larger files are left out. Default and maximum: 52428800 (50 MB).'),
  modified_after: z.iso
    .datetime({ offset: true })
    .optional()
    .describe(
      'Only files changed at this moment or later, e.g. 2026-01-31T00:00:00Z. lookback_days does not apply: files are synced whatever their age.',
    ),
});

/** What filters need to know of a file. */
export interface FoundFile {
  /** Within the resource, with `/` between folders. */
  readonly path: string;
  readonly bytes: number;
  readonly modifiedAt: Date;
}

/** Whether a path may hold something wanted: neither it nor a folder above it is hidden or excluded. */
export function isWantedPath(path: string, exclude: readonly string[] = []): boolean {
  if (path.split('/').some((name) => name.startsWith('.'))) return false;
  return !exclude.some((given) => {
    const excluded = given.replace(/^\/+|(?<!\/)\/+$/g, '');
    return path === excluded || path.startsWith(`${excluded}/`);
  });
}

/** Whether some parser reads a file and the resource's filters accept it. */
export function isWantedFile(
  { path, bytes, modifiedAt }: FoundFile,
  { extensions, exclude, max_bytes: bytesMax, modified_after: after }: z.infer<typeof fileFilters>,
): boolean {
  if (bytes === 0 || bytes > (bytesMax ?? LIMITS.fileBytesMax)) return false;
  if (after !== undefined && modifiedAt < new Date(after)) return false;
  if (!parserFor(path) || !isWantedPath(path, exclude)) return false;
  const name = path.toLowerCase();
  return !extensions || extensions.some((each) => name.endsWith(`.${each.replace(/^\./, '')}`));
}
