import { bufferOf } from '../../../lib/buffer-of.js';
import { mislabelled } from '../mislabelled.js';
import { encryptedFile } from '../parser.js';
import { childrenOf, readXml } from '../xml/reader.js';
import { isZip, unzip } from '../zip.js';

/** A reference from one part to another, or to an address outside. */
export interface Relationship {
  readonly id: string;
  /**
   * The last part of its URI, for example `header`. What precedes it differs between the two variants of
   * OOXML.
   */
  readonly type: string;
  /** The name of a part; a URL if it is external. */
  readonly target: string;
  readonly isExternal: boolean;
}

const unread =
  /\.(?:png|jpe?g|gif|bmp|tiff?|emf|wmf|svg|odttf|fntdata|mp[34]|wav|wdp)$|^\/?docProps\/thumbnail/i;

/** The parts of an Office Open XML file by name, in any letter case, which differs between producers. */
export class OfficePackage {
  private constructor(private readonly parts: ReadonlyMap<string, Uint8Array>) {}

  /** Opens a package. @throws ParseError E1001 when it is encrypted or of another kind */
  static async open(bytes: Uint8Array): Promise<OfficePackage> {
    const buffer = bufferOf(bytes);
    if (!isZip(bytes)) {
      const isEncrypted = buffer.includes(Buffer.from('EncryptedPackage', 'utf16le'));
      throw isEncrypted ? encryptedFile() : mislabelled(bytes, 'Office document');
    }
    const parts = await unzip(bytes, (name) => !unread.test(name));
    return new OfficePackage(new Map([...parts].map(([name, content]) => [partName(name), content])));
  }

  part(name: string): Uint8Array | undefined {
    return this.parts.get(partName(name));
  }

  /**
   * The relationships of a part or, for '', of the package; empty when there are none. @throws ParseError
   * E1001 when their list is damaged
   */
  relationships(part: string): Relationship[] {
    const slash = part.lastIndexOf('/') + 1;
    const folder = part.slice(0, slash);
    const source = this.part(`${folder}_rels/${part.slice(slash)}.rels`);
    if (source === undefined) return [];
    return childrenOf(readXml(source), 'Relationship').map(({ attributes }) => {
      const isExternal = attributes.TargetMode?.toLowerCase() === 'external';
      const target = attributes.Target ?? '';
      return {
        id: attributes.Id ?? '',
        type: (attributes.Type ?? '').replace(/^.*\//, ''),
        target: isExternal ? target : resolve(folder, target),
        isExternal,
      };
    });
  }

  /** The names of the parts to which a part has a relationship of one of these types. */
  related(part: string, ...types: string[]): string[] {
    return this.relationships(part)
      .filter(({ type, isExternal }) => !isExternal && types.includes(type))
      .map(({ target }) => target);
  }
}

function partName(name: string): string {
  return name.replace(/^\/+/, '').toLowerCase();
}

function resolve(folder: string, target: string): string {
  const path: string[] = [];
  for (const step of (target.startsWith('/') ? target : `${folder}${target}`).split('/')) {
    if (step === '..') path.pop();
    else if (step !== '' && step !== '.') path.push(step);
  }
  return decoded(path.join('/'));
}

/** Names in relationships are URIs; names in the archive may be encoded or not. */
function decoded(name: string): string {
  try {
    return decodeURI(name);
  } catch {
    return name;
  }
}
