import { fieldAddress, linkedText } from '../linked-text.js';
import { alternative } from '../office/alternative.js';
import { formulaText } from '../office/formula-text.js';
import type { Relationship } from '../office/office-package.js';
import { symbolText } from '../office/symbol-font.js';
import { raisedText } from '../raised-text.js';
import { childOf, childrenOf, elementsOf, descendantsOf, textOf, type XmlElement } from '../xml/reader.js';
import { isOn, runStyle, type WordStyles } from './styles.js';

/** Something to which a text refers, in the order of the text. */
export interface Reference {
  readonly kind: 'footnote' | 'endnote' | 'comment' | 'text-box' | 'diagram' | 'chart';
  /** The id of a note or comment; the part that contains a diagram or chart. */
  readonly id: string;
  readonly box?: XmlElement;
}

/** The text of a paragraph, and what it refers to. */
export interface ParagraphText {
  readonly text: string;
  readonly isBold: boolean;
  readonly references: readonly Reference[];
}

interface Field {
  code: string;
  result: string;
  isResult: boolean;
  /** What a form field that is no text shows; empty for other fields. */
  readonly value: string;
}

const fieldCharactersMax = 4_000;
/** Elements whose content belongs to the text. Elements that are named neither here nor below do not. */
const transparent = new Set([
  'ins',
  'moveTo',
  'smartTag',
  'customXml',
  'sdtContent',
  'dir',
  'bdo',
  'rubyBase',
]);

/**
 * Reads the text of paragraphs. A field may begin in one paragraph and end in another, so one reader reads a
 * whole part.
 */
export class WordText {
  private readonly fields: Field[] = [];
  private references: Reference[] = [];
  private isAllBold = true;
  /** The last text of the paragraph so far. */
  private before = '';

  constructor(
    private readonly styles: WordStyles,
    private readonly relationships: ReadonlyMap<string, Relationship>,
    private readonly noteMark: (kind: string, id: string) => string,
  ) {}

  paragraph(element: XmlElement): ParagraphText {
    this.references = [];
    this.isAllBold = true;
    this.before = '';
    const text = this.inline(element)
      .replace(/[^\S\n]+\n/g, '\n')
      .trim();
    const bold = this.styles.get(childOf(childOf(element, 'pPr'), 'pStyle')?.attributes.val).isBold;
    return { text, isBold: this.isAllBold || bold === true, references: this.references };
  }

  private inline(element: XmlElement): string {
    return elementsOf(element)
      .map((child) => this.piece(child))
      .join('');
  }

  private piece(element: XmlElement): string {
    switch (element.name) {
      case 'r':
        return this.run(element);
      case 'hyperlink':
        return linkedText(this.inline(element), this.target(element));
      case 'fldSimple':
        return linkedText(this.inline(element), fieldAddress(element.attributes.instr ?? ''));
      case 'sdt':
        return childOf(childOf(element, 'sdtPr'), 'showingPlcHdr') ? '' : this.inline(element);
      case 'AlternateContent':
        return this.inline(alternative(element));
      case 'commentRangeEnd':
        this.refer({ kind: 'comment', id: element.attributes.id ?? '' });
        return '';
      case 'oMath':
      case 'oMathPara':
        return formulaText(element, (run) => this.run(run));
      default:
        return transparent.has(element.name) ? this.inline(element) : '';
    }
  }

  private run(element: XmlElement): string {
    const properties = childOf(element, 'rPr');
    const style = {
      ...this.styles.get(childOf(properties, 'rStyle')?.attributes.val),
      ...runStyle(properties),
    };
    const said = elementsOf(element)
      .map((child) => this.runPiece(child, style.isHidden === true))
      .join('');
    if (style.isHidden === true || this.isInCode()) return '';
    const text = style.isRaised === true ? raisedText(said, this.before) : said;
    if (text !== '') this.before = text;
    const field = this.fields.at(-1);
    if (field && field.result.length < fieldCharactersMax) field.result += text;
    if (style.isBold !== true && /\S/.test(text)) this.isAllBold = false;
    return text;
  }

  private runPiece(element: XmlElement, isHidden: boolean): string {
    switch (element.name) {
      case 't':
        return textOf(element);
      case 'tab':
      case 'ptab':
        return '\t';
      case 'br':
      case 'cr':
        return '\n';
      case 'noBreakHyphen':
        return '-';
      case 'sym':
        return symbolText(element.attributes.font ?? '', Number.parseInt(element.attributes.char ?? '', 16));
      case 'ruby':
        return `${this.inline(element)}(${childrenOf(element, 'rt')
          .map((reading) => this.inline(reading))
          .join('')})`;
      case 'fldChar':
        return this.fieldCharacter(element);
      case 'instrText': {
        const field = this.fields.at(-1);
        if (field && !field.isResult && field.code.length < fieldCharactersMax) field.code += textOf(element);
        return '';
      }
      case 'footnoteReference':
      case 'endnoteReference':
        if (isHidden || this.isInCode()) return '';
        return this.note(element);
      case 'commentReference':
        this.refer({ kind: 'comment', id: element.attributes.id ?? '' });
        return '';
      case 'AlternateContent':
        return elementsOf(alternative(element))
          .map((child) => this.runPiece(child, isHidden))
          .join('');
      case 'drawing':
      case 'pict':
      case 'object':
        return isHidden ? '' : this.drawing(element);
      default:
        return '';
    }
  }

  private note(element: XmlElement): string {
    const kind = element.name === 'footnoteReference' ? 'footnote' : 'endnote';
    const id = element.attributes.id ?? '';
    this.refer({ kind, id });
    return this.noteMark(kind, id);
  }

  /**
   * Refers to text boxes, charts and diagrams, which follow the paragraph; returns the description of a
   * picture, which stands in the text.
   */
  private drawing(element: XmlElement): string {
    for (const box of boxesOf(element)) this.refer({ kind: 'text-box', id: '', box });
    for (const { attributes } of descendantsOf(element, 'chart')) {
      this.refer({ kind: 'chart', id: this.relationships.get(attributes.id ?? '')?.target ?? '' });
    }
    for (const { attributes } of descendantsOf(element, 'relIds')) {
      this.refer({ kind: 'diagram', id: this.relationships.get(attributes.dm ?? '')?.target ?? '' });
    }
    const described = descendantsOf(element, 'docPr')[0]?.attributes.descr?.trim() ?? '';
    // Producers put the file name there when nobody described the picture.
    return /\s/.test(described) && !/[\\/]\S*\.\w{3,4}$/.test(described) ? described : '';
  }

  private fieldCharacter(element: XmlElement): string {
    const type = element.attributes.fldCharType;
    if (type === 'begin') {
      const value = formValue(childOf(element, 'ffData'));
      this.fields.push({ code: '', result: '', isResult: false, value });
      return '';
    }
    const field = this.fields.at(-1);
    if (type === 'separate' && field) field.isResult = true;
    if (type !== 'end') return '';
    this.fields.pop();
    const [text, target] = [
      field?.result ?? '',
      this.isInCode() ? undefined : fieldAddress(field?.code ?? ''),
    ];
    if (field?.value) return field.value;
    // The text of the link has been returned already, so only its address follows.
    return linkedText(text, target) === text ? '' : ` (${target})`;
  }

  private isInCode(): boolean {
    return this.fields.some((field) => !field.isResult);
  }

  private refer(reference: Reference): void {
    this.references.push(reference);
  }

  private target(element: XmlElement): string | undefined {
    const relationship = this.relationships.get(element.attributes['r:id'] ?? element.attributes.id ?? '');
    return relationship?.isExternal === true ? relationship.target : undefined;
  }
}

/** The bodies of text boxes, and those of shapes on a locked canvas, which have paragraphs of DrawingML. */
function boxesOf(element: XmlElement): XmlElement[] {
  return elementsOf(element).flatMap((child) => {
    if (child.name === 'txbxContent' || child.name === 'txBody') return [child];
    return boxesOf(child.name === 'AlternateContent' ? alternative(child) : child);
  });
}

/** The value of an old form field, which is stored beside the text. */
function formValue(data: XmlElement | undefined): string {
  const box = childOf(data, 'checkBox');
  if (box) return (isOn(childOf(box, 'checked')) ?? isOn(childOf(box, 'default'))) ? '[x]' : '[ ]';
  const list = childOf(data, 'ddList');
  const chosen = Number(
    childOf(list, 'result')?.attributes.val ?? childOf(list, 'default')?.attributes.val ?? 0,
  );
  return childrenOf(list, 'listEntry')[chosen]?.attributes.val ?? '';
}
