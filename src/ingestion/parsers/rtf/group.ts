import type { DocumentStory } from '../office/document-story.js';

/** Where the text of a group goes. */
export type Place = 'text' | 'nowhere' | 'fonts' | 'styles' | 'title' | 'info' | 'author' | 'label' | 'code';

/** A field whose instruction is being read. */
export interface RtfField {
  code: string;
}

/** The state that braces save and restore. */
export interface RtfGroup {
  place: Place;
  story: DocumentStory;
  font: number | undefined;
  /** The font of text that is not Latin. */
  eastFont: number | undefined;
  isEast: boolean;
  isHidden: boolean;
  isBold: boolean;
  isRaised: boolean;
  /** How many characters after a Unicode character are substitutes for it, and are skipped. */
  substitutes: number;
  style: number;
  outlineLevel: number | undefined;
  isInTable: boolean;
  field: RtfField | undefined;
  /** Where the Unicode form goes of a text that is written in two forms. */
  unicodePlace: Place;
  /** Runs when the group ends. */
  end: (() => void) | undefined;
}

/** Control words that turn a property of the text on, and with 0 off. */
export const toggles: ReadonlyMap<string, 'isHidden' | 'isBold' | 'isRaised'> = new Map([
  ['v', 'isHidden'],
  ['deleted', 'isHidden'],
  ['b', 'isBold'],
  ['super', 'isRaised'],
]);

/** The state before the first brace. */
export function firstGroup(story: DocumentStory): RtfGroup {
  return {
    place: 'text',
    story,
    font: undefined,
    eastFont: undefined,
    isEast: false,
    isHidden: false,
    isBold: false,
    isRaised: false,
    substitutes: 1,
    style: 0,
    outlineLevel: undefined,
    isInTable: false,
    field: undefined,
    unicodePlace: 'text',
    end: undefined,
  };
}

const nameCharactersMax = 200;

/** The name in a font or style table ends at its semicolon, and is no longer than a line. */
export function nameBefore(text: string): string {
  return text.slice(0, nameCharactersMax).replace(/;.*$/s, '').trimStart();
}
