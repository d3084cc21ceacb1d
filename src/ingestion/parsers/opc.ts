import { ParseError } from './parser.js';
import { childrenOf, readXml, type XmlElement } from './xml-reader.js';

/** The parts of an Office Open XML package by their names, without a slash in front. */
export type Parts = ReadonlyMap<string, Uint8Array>;

export interface Relationship {
  /** The last part of its URI: `slide`, `hyperlink`. */
  readonly type: string;
  /** The name of a part, or the address of something outside. */
  readonly target: string;
  readonly isExternal: boolean;
}

/** What a part (`''`: the package) refers to, by id; none when that is missing or damaged. */
export function relationshipsOf(parts: Parts, part: string): Map<string, Relationship> {
  const slash = part.lastIndexOf('/') + 1;
  const root = readPart(parts, `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`);
  const relationships = new Map<string, Relationship>();
  for (const { attributes } of childrenOf(root, 'Relationship')) {
    const { Id: id, Type: type = '', Target: target = '', TargetMode: mode } = attributes;
    if (id === undefined) continue;
    const isExternal = mode?.toLowerCase() === 'external';
    relationships.set(id, {
      type: type.slice(type.lastIndexOf('/') + 1),
      target: isExternal ? target : resolvePart(part.slice(0, slash), target),
      isExternal,
    });
  }
  return relationships;
}

/** The document element of a part; undefined when it is missing or damaged. */
export function readPart(parts: Parts, name: string): XmlElement | undefined {
  const bytes = parts.get(name);
  try {
    return bytes && readXml(bytes);
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}

/** The value of `r:id` or another attribute of that namespace, under whatever prefix. */
export function referenceOf({ attributes }: XmlElement, name = 'id'): string {
  const key = Object.keys(attributes).find((each) => each.endsWith(`:${name}`));
  return attributes[key ?? name] ?? '';
}

function resolvePart(folder: string, target: string): string {
  const path: string[] = [];
  const written = target.replaceAll('\\', '/');
  for (const step of (written.startsWith('/') ? written : `${folder}${written}`).split('/')) {
    if (step === '..') path.pop();
    else if (step !== '' && step !== '.') path.push(step);
  }
  return path.join('/');
}
