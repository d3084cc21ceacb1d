/** The library assumes 150 dots per inch for a picture. */
export const pictureDpi = 150;

/**
 * Writes images below one another on a page, at 150 pixels per inch. PDFium finds the objects without a
 * cross-reference table.
 */
export class PicturePdf {
  private readonly parts: Buffer[] = [];
  private readonly names: string[] = [];
  private drawing = '';
  private objects = 4;

  /** Sizes are in pixels. The whole is turned counterclockwise by `degrees`, on a page that has room for it. */
  constructor(
    private readonly width: number,
    private readonly height: number,
    private readonly degrees = 0,
  ) {}

  addStrip(dictionary: string, data: Buffer, place: { top: number; rows: number }): void {
    const number = (this.objects += 1);
    this.names.push(`/I${number} ${number} 0 R`);
    const head = `${number} 0 obj\n<< /Type /XObject /Subtype /Image ${dictionary} /Length ${data.byteLength} >>\nstream\n`;
    this.parts.push(Buffer.from(head), data, Buffer.from('\nendstream\nendobj\n'));
    const bottom = this.height - place.top - place.rows;
    this.drawing += `q ${this.width} 0 0 ${place.rows} 0 ${bottom} cm /I${number} Do Q\n`;
  }

  bytes(): Buffer {
    const { width, height } = this;
    const radians = (this.degrees * Math.PI) / 180;
    const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
    const pageWidth = width * Math.abs(cos) + height * Math.abs(sin);
    const pageHeight = height * Math.abs(cos) + width * Math.abs(sin);
    const scale = 72 / pictureDpi;
    const steps = [
      [scale, 0, 0, scale, 0, 0],
      [cos, sin, -sin, cos, pageWidth / 2, pageHeight / 2],
      [1, 0, 0, 1, -width / 2, -height / 2],
    ].map((matrix) => `${matrix.map((each) => each.toFixed(6)).join(' ')} cm\n`);
    const drawing = steps.join('') + this.drawing;
    const box = `[0 0 ${pageWidth * scale} ${pageHeight * scale}]`;
    const head = [
      '%PDF-1.4',
      '1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj',
      '2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj',
      `3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox ${box} /Contents 4 0 R`,
      `/Resources << /XObject << ${this.names.join(' ')} >> >> >>\nendobj`,
      `4 0 obj\n<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream\nendobj\n`,
    ].join('\n');
    const end = 'trailer\n<< /Root 1 0 R >>\nstartxref\n0\n%%EOF\n';
    return Buffer.concat([Buffer.from(head), ...this.parts, Buffer.from(end)]);
  }
}
