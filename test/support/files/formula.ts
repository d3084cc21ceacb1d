/** A run of a formula of Office (OMML). */
const symbol = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`;

const element = (name: string, ...content: string[]) => `<m:${name}>${content.join('')}</m:${name}>`;
const sum =
  '<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr>' +
  `${element('sub', symbol('i=1'))}${element('sup', symbol('n'))}${element('e', symbol('x'))}</m:nary>`;
const root = element('rad', element('deg'), element('e', symbol('a+b')));
const ratio = element('f', element('num', symbol('a+b')), element('den', symbol('2')));
const matrixRow = (...cells: string[]) => element('mr', ...cells.map((each) => element('e', symbol(each))));
const matrix = element(
  'd',
  '<m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr>',
  element('e', element('m', matrixRow('1', '2'), matrixRow('3', '4'))),
);
const power = element(
  'sSubSup',
  element('e', symbol('x')),
  element('sub', symbol('i')),
  element('sup', symbol('2')),
);

/** A formula with most kinds of parts, and how it is read. */
export const formula = {
  markup:
    '<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math">' +
    `${[sum, root, ratio, matrix, power].join(symbol('='))}</m:oMath>`,
  text: '∑_(i=1)^n x=√(a+b)=(a+b)/2=[1, 2; 3, 4]=x_i^2',
};
