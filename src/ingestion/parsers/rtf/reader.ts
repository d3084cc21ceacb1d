import { fieldAddress, linkedText } from '../linked-text.js';
import { DocumentStory } from '../office/document-story.js';
import { symbolText } from '../office/symbol-font.js';
import { Outline } from '../outline.js';
import { ParseError } from '../parser.js';
import { raisedText } from '../raised-text.js';
import { ByteText } from './byte-text.js';
import { RtfCharset, type Iconv } from './charset.js';
import { firstGroup, nameBefore, toggles, type RtfGroup } from './group.js';
import { rtfTokens } from './tokens.js';
import { characters, marginPlaces, optionalPlaces, places, storyPlaces, unreadPlaces } from './words.js';

const groupsMax = 20_000;
const documentCodePages: Readonly<Record<string, number>> = { mac: 10000, pc: 437, pca: 850 };
/** How many stories may be open within one another, for example a comment on a note in a text box. */
const storiesMax = 10;
const codeCharactersMax = 4_000;

/** Reads RTF into an outline. Groups are a stack, not a recursion. */
export class RtfReader {
  readonly outline = new Outline();
  readonly margins: DocumentStory[] = [];
  title = '';
  private readonly body = new DocumentStory(this.outline);
  private readonly charset: RtfCharset;
  private readonly styles = new Map<number, { name: string; outlineLevel: number | undefined }>();
  private group: RtfGroup = firstGroup(this.body);
  private readonly outer: RtfGroup[] = [];
  private readonly bytes = new ByteText();
  private toSkip = 0;
  private isOptional = false;
  /** Nothing of the group has been read yet. */
  private isAtStart = false;
  private defaultFont: number | undefined;
  private fontNumber = 0;
  private author = '';
  private notes = 0;
  /** How many stories are open within one another. */
  private stories = 0;
  private isContinued = false;

  constructor(iconv: Iconv) {
    this.charset = new RtfCharset(iconv);
  }

  read(source: Uint8Array): void {
    for (const token of rtfTokens(source)) {
      if (token.kind === 'text') this.take(token.bytes);
      else if (token.kind === 'byte') this.takeByte(token.byte);
      else {
        this.flush();
        if (token.kind === 'open') this.open();
        else if (token.kind === 'close') this.close();
        else this.control(token.word, token.param);
      }
      this.isAtStart = token.kind === 'open';
    }
    this.flush();
    while (this.outer.length > 0) this.close();
    this.body.end(this.paragraph());
    this.outline.closeHeadings(1);
    const told = new Set<string>();
    for (const text of this.margins.flatMap(({ texts }) => texts)) {
      if (!told.has(text)) this.outline.add({ text });
      told.add(text);
    }
  }

  private open(): void {
    this.toSkip = 0;
    if (this.outer.length >= groupsMax)
      throw new ParseError('E1001', 'The file cannot be read: it is nested too deep.');
    this.outer.push(this.group);
    this.group = { ...this.group, end: undefined };
  }

  private close(): void {
    this.toSkip = 0;
    this.isOptional = false;
    const outer = this.outer.pop();
    if (outer === undefined) return;
    const { end } = this.group;
    end?.();
    this.group = outer;
  }

  /**
   * Collects text until its charset can no longer change: the two bytes of a character may be written in two
   * ways.
   */
  private take(bytes: Uint8Array): void {
    const skipped = Math.min(this.toSkip, bytes.length);
    this.toSkip -= skipped;
    if (this.group.place !== 'nowhere') this.bytes.add(bytes.subarray(skipped));
  }

  private takeByte(byte: number): void {
    if (this.toSkip > 0) this.toSkip -= 1;
    else if (this.group.place !== 'nowhere') this.bytes.addByte(byte);
  }

  private flush(): void {
    if (this.bytes.length === 0) return;
    const { font, eastFont, isEast } = this.group;
    const used = isEast && this.charset.isDoubleByte(eastFont) ? eastFont : font;
    this.say(this.charset.decode(this.bytes.take(), used ?? this.defaultFont));
  }

  private say(text: string): void {
    const { place, story, field, isHidden, isBold, isRaised } = this.group;
    if (isHidden && place !== 'code') return;
    if (place === 'text') {
      story.say(isRaised ? raisedText(text, story.lastSaid) : text);
      if (!isBold && /\S/.test(text)) story.isBold = false;
    } else if (place === 'label') story.label += text;
    else if (place === 'title') this.title += text;
    else if (place === 'author') this.author += text;
    else if (place === 'code' && field && field.code.length < codeCharactersMax) field.code += text;
    else if (place === 'fonts') this.nameFont(text);
    else if (place === 'styles') this.nameStyle(text);
  }

  private nameFont(text: string): void {
    const font = this.charset.font(this.fontNumber);
    font.name = nameBefore(`${font.name}${text}`);
  }

  private nameStyle(text: string): void {
    const style = this.styles.get(this.group.style) ?? { name: '', outlineLevel: this.group.outlineLevel };
    style.name = nameBefore(`${style.name}${text}`);
    this.styles.set(this.group.style, style);
  }

  private control(word: string, param: number | undefined): void {
    const isOptional = this.isOptional;
    this.isOptional = false;
    if (word === '*') {
      // Some writers put it before a style within a group, where it says nothing about what follows.
      this.isOptional = this.isAtStart;
      return;
    }
    const character = characters.get(word);
    if (character !== undefined) {
      if (this.toSkip > 0) this.toSkip -= 1;
      else this.say(character);
      return;
    }
    if (word === 'u') return this.unicode(param ?? 0);
    if (this.group.place === 'nowhere') return;
    if (this.place(word, isOptional) || this.properties(word, param) || this.structure(word, param)) return;
    if (this.group.place === 'fonts') this.fontProperty(word, param);
  }

  private unicode(code: number): void {
    this.toSkip = this.group.substitutes;
    if (this.group.place === 'nowhere') return;
    const unit = code < 0 ? code + 0x10000 : code;
    const font = this.charset.fonts.get(this.group.font ?? this.defaultFont ?? -1)?.name ?? '';
    if (unit >= 0xf000 && unit <= 0xf0ff) this.say(symbolText(font, unit));
    else if (unit > 0x1f && unit <= 0xffff) this.say(String.fromCharCode(unit));
  }

  /** Applies a word that says where the text of its group goes; false for other words. */
  private place(word: string, isOptional: boolean): boolean {
    const { group } = this;
    if (!isOptional && !places.has(word)) return false;
    if (unreadPlaces.has(word) || (isOptional && !optionalPlaces.has(word))) {
      group.place = 'nowhere';
      return true;
    }
    switch (word) {
      case 'fonttbl':
        group.place = 'fonts';
        return true;
      case 'stylesheet':
        group.place = 'styles';
        return true;
      case 'info':
        group.place = 'info';
        return true;
      case 'title':
        if (group.place === 'info') group.place = 'title';
        return true;
      case 'atnauthor':
        this.author = '';
        group.place = 'author';
        return true;
      case 'listtext':
      case 'pntext':
        return this.openLabel();
      case 'field':
        group.field = { code: '' };
        return true;
      case 'fldinst':
        group.place = 'code';
        return true;
      case 'fldrslt':
        return this.openResult();
      case 'upr':
        group.unicodePlace = group.place;
        group.place = 'info';
        return true;
      case 'ud':
        group.place = group.unicodePlace;
        return true;
      case 'nesttableprops': {
        // Only the end of the row is used; the rest would be taken for the outer row.
        const { story } = group;
        group.place = 'nowhere';
        group.end = () => story.endNestedRow();
        return true;
      }
      default:
        return this.openStory(word);
    }
  }

  private openLabel(): boolean {
    const { group } = this;
    group.place = 'label';
    group.story.label = '';
    group.end = () => {
      const label = group.story.label.trim();
      group.story.label = label === '' || /[\p{L}\p{N}]/u.test(label) ? label : '-';
    };
    return true;
  }

  private openResult(): boolean {
    const { group } = this;
    const { story, field } = group;
    const [paragraph, place] = [story.paragraphs, story.place];
    group.end = () => {
      if (story.paragraphs !== paragraph) return;
      const address = fieldAddress(field?.code ?? '');
      if (address !== undefined) story.say(linkedText(story.takeBack(place), address));
    };
    return true;
  }

  /** Opens a story of its own for a note, comment, text box, header or footer; false for other words. */
  private openStory(word: string): boolean {
    const { group } = this;
    const parent = group.story;
    const isMargin = marginPlaces.has(word);
    if (!isMargin && !storyPlaces.has(word)) return false;
    if (this.stories >= storiesMax) {
      group.place = 'nowhere';
      return true;
    }
    this.stories += 1;
    const story = new DocumentStory();
    let mark = '';
    if (word === 'footnote') {
      this.notes += 1;
      mark = `[${this.notes}] `;
      parent.say(mark.trim());
    }
    const { author } = this;
    if (isMargin) this.margins.push(story);
    Object.assign(group, {
      story,
      place: 'text',
      isInTable: false,
      isHidden: false,
      outlineLevel: undefined,
      style: 0,
    });
    group.end = () => {
      this.stories -= 1;
      story.end(this.paragraph());
      const text = story.texts.join('\n');
      if (isMargin || text === '') return;
      if (word === 'annotation')
        parent.append(`Comment${author.trim() ? ` by ${author.trim()}` : ''}: ${text}`);
      else parent.append(`${mark}${text}`);
    };
    return true;
  }

  private properties(word: string, param: number | undefined): boolean {
    const { group } = this;
    const toggled = toggles.get(word);
    if (toggled !== undefined) {
      group[toggled] = param !== 0;
      return true;
    }
    switch (word) {
      case 'ansicpg':
      case 'mac':
      case 'pc':
      case 'pca':
        this.charset.codePage = documentCodePages[word] ?? (param || 1252);
        return true;
      case 'deff':
        this.defaultFont = param;
        return true;
      case 'f':
        this.fontNumber = param ?? 0;
        if (group.place === 'fonts') this.charset.font(this.fontNumber);
        group.font = param;
        group.isEast = false;
        return true;
      case 'af':
        if (group.isEast) group.eastFont = param;
        return true;
      case 'loch':
      case 'hich':
      case 'dbch':
        group.isEast = word === 'dbch';
        return true;
      case 'uc':
        group.substitutes = Math.min(Math.max(param ?? 1, 0), 16);
        return true;
      case 'sub':
      case 'nosupersub':
        group.isRaised = false;
        return true;
      case 'plain':
        Object.assign(group, { isHidden: false, isBold: false, isRaised: false });
        Object.assign(group, { font: this.defaultFont, isEast: false });
        return true;
      case 's':
        group.style = param ?? 0;
        return true;
      case 'outlinelevel':
        group.outlineLevel = param;
        return true;
      default:
        return false;
    }
  }

  private structure(word: string, param: number | undefined): boolean {
    const { group } = this;
    const { story } = group;
    switch (word) {
      case 'pard':
        Object.assign(group, { isInTable: false, style: 0, outlineLevel: undefined });
        return true;
      case 'intbl':
        group.isInTable = true;
        return true;
      case 'par':
      case 'sect':
      case 'page':
        if (group.place === 'text') story.endParagraph(this.paragraph());
        return true;
      case 'cell':
        story.endCell();
        return true;
      case 'nestcell':
        story.endNestedCell();
        return true;
      case 'nestrow':
        story.endNestedRow();
        return true;
      case 'row':
        story.endRow();
        return true;
      case 'trowd':
        story.isHeaderRow = false;
        story.rowCells = [];
        this.isContinued = false;
        return true;
      case 'trhdr':
        story.isHeaderRow = true;
        return true;
      case 'clvmrg':
        this.isContinued = true;
        return true;
      case 'cellx':
        story.rowCells = [...story.rowCells, { right: param ?? 0, isContinued: this.isContinued }];
        this.isContinued = false;
        return true;
      default:
        return false;
    }
  }

  private fontProperty(word: string, param: number | undefined): void {
    const font = this.charset.font(this.fontNumber);
    if (word === 'fcharset') font.charset = param;
    if (word === 'cpg' && param) font.codePage = param;
  }

  private paragraph() {
    const { outlineLevel, style, isInTable } = this.group;
    const known = this.styles.get(style);
    const named = /^heading ([1-9])$/i.exec(known?.name ?? '')?.[1];
    const level =
      outlineLevel ?? known?.outlineLevel ?? (named === undefined ? undefined : Number(named) - 1);
    return { level: level !== undefined && level >= 0 && level < 9 ? level : undefined, isInTable };
  }
}
