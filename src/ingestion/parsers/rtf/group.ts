import type { DocumentStory } from '../office/document-story.js';

/** Where the words of a group go. */
export type Place = 'text' | 'nowhere' | 'fonts' | 'styles' | 'title' | 'info' | 'author' | 'label' | 'code';

export interface RtfField {
  code: string;
}

/** What braces save and restore. */
export interface RtfGroup {
  place: Place;
  story: DocumentStory;
  font: number | undefined;
  /** Of the text that is not Latin. */
  eastFont: number | undefined;
  isEast: boolean;
  isHidden: boolean;
  isBold: boolean;
  /** How many characters stand in for one of Unicode. */
  substitutes: number;
  style: number;
  outlineLevel: number | undefined;
  isInTable: boolean;
  field: RtfField | undefined;
  /** Where the Unicode form of a text goes that is written in two forms. */
  unicodePlace: Place;
  /** Runs when the group that set it ends. */
  end: (() => void) | undefined;
}

/** What holds before any brace. */
export function firstGroup(story: DocumentStory): RtfGroup {
  return {
    place: 'text',
    story,
    font: undefined,
    eastFont: undefined,
    isEast: false,
    isHidden: false,
    isBold: false,
    substitutes: 1,
    style: 0,
    outlineLevel: undefined,
    isInTable: false,
    field: undefined,
    unicodePlace: 'text',
    end: undefined,
  };
}
