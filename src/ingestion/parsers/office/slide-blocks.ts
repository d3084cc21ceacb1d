import type { ParsedBlock } from '../parser.js';

/** The content of a slide, whatever its format. */
export interface SlideContent {
  /** Empty when the slide has none. */
  title: string;
  /** In reading order; headings are those within the slide. */
  readonly blocks: ParsedBlock[];
  /** The speaker's notes. */
  readonly notes: ParsedBlock[];
  /** Each as `Author: text`. */
  readonly comments: string[];
}

/** The blocks of a slide, under its title. The title is a block itself when the slide has nothing else. */
export function slideBlocks({ title, blocks, notes, comments }: SlideContent, slide: number): ParsedBlock[] {
  const under = title === '' ? [] : [title];
  const placed = (each: readonly ParsedBlock[], headings: string[]) =>
    each
      .filter(({ text }) => /\S/.test(text))
      .map((block) => ({
        ...block,
        headings: [...headings, ...block.headings],
        layout: { slide, ...block.layout },
      }));
  const body = placed(blocks, under);
  return [
    ...(body.length === 0 && title !== '' ? [{ text: title, headings: [], layout: { slide } }] : body),
    ...placed(notes, [...under, 'Notes']),
    ...placed(
      comments.map((text) => ({ text, headings: [] })),
      [...under, 'Comments'],
    ),
  ];
}
