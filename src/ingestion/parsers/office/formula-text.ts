import { childOf, childrenOf, elementsOf, type XmlElement } from '../xml/reader.js';

/** Reads a run of a formula. */
type ReadRun = (run: XmlElement) => string;

/** Elements whose content is read as it stands. Elements that are named neither here nor below have no text. */
const transparent = new Set(
  'oMath oMathPara e num den sup sub deg lim fName box borderBox phant groupChr bar ins moveTo sdt sdtContent smartTag customXml'.split(
    ' ',
  ),
);
/** What stands between the rows of a matrix or of several equations. */
const rowEnd = '; ';
const [integral, hat] = ['∫', '\u0302'];

/** A formula of Office (OMML) in one line, as people type it: `∑_(i=1)^n x_i=(a+b)/c`. */
export function formulaText(element: XmlElement, readRun: ReadRun): string {
  const inner = (child: XmlElement): string => formulaText(child, readRun);
  const part = (name: string): string => childrenOf(element, name).map(inner).join('');
  const grouped = (name: string): string => group(part(name));
  const setting = (name: string, otherwise: string): string => {
    const found = childOf(childOf(element, `${element.name}Pr`), name);
    return found ? (found.attributes.val ?? '') : otherwise;
  };
  switch (element.name) {
    case 'r':
      return readRun(element);
    case 'nary':
      return `${setting('chr', integral)}${below(part('sub'))}${above(part('sup'))} ${part('e')}`;
    case 'f':
      return `${grouped('num')}/${grouped('den')}`;
    case 'rad':
      return `${above(part('deg')).slice(1)}√${grouped('e')}`;
    case 'd':
      return [
        setting('begChr', '('),
        childrenOf(element, 'e').map(inner).join(setting('sepChr', '|')),
        setting('endChr', ')'),
      ].join('');
    case 'sSub':
    case 'sSup':
    case 'sSubSup':
      return `${grouped('e')}${below(part('sub'))}${above(part('sup'))}`;
    case 'sPre':
      return `${below(part('sub'))}${above(part('sup'))}${part('e')}`;
    case 'limLow':
      return `${part('e')}${below(part('lim'))}`;
    case 'limUpp':
      return `${part('e')}${above(part('lim'))}`;
    case 'func':
      return `${part('fName')} ${part('e')}`;
    case 'acc':
      return `${part('e')}${setting('chr', hat)}`;
    case 'm':
      return childrenOf(element, 'mr').map(inner).join(rowEnd);
    case 'mr':
      return childrenOf(element, 'e').map(inner).join(', ');
    case 'eqArr':
      return childrenOf(element, 'e').map(inner).join(rowEnd);
    default:
      return transparent.has(element.name) ? elementsOf(element).map(inner).join('') : '';
  }
}

/** A text written below what stands before it; nothing for none. */
export function below(text: string): string {
  return text === '' ? '' : `_${group(text)}`;
}

/** A text written above what stands before it; nothing for none. */
export function above(text: string): string {
  return text === '' ? '' : `^${group(text)}`;
}

/** Puts brackets around what would otherwise fall apart. */
export function group(text: string): string {
  return /^.?$|^[\p{L}\p{M}\p{N}.,′]*$/u.test(text) || /^\([^()]*\)$/.test(text) ? text : `(${text})`;
}
