import { ParseError } from '../parser.js';
import { readXml, type XmlElement } from '../xml/reader.js';
import type { OfficePackage, Relationship } from './office-package.js';

/** The relationships of a part, by id. */
export type Links = ReadonlyMap<string, Relationship>;

/** What a part (`''` for the package) refers to, by id; empty when the list is damaged. */
export function linksOf(parts: OfficePackage, part: string): Links {
  const relationships = orUndefined(() => parts.relationships(part)) ?? [];
  return new Map(relationships.map((relationship) => [relationship.id, relationship]));
}

/** The document element of a part; undefined when it is missing or damaged. */
export function readPart(parts: OfficePackage, name: string): XmlElement | undefined {
  const bytes = parts.part(name);
  return bytes && orUndefined(() => readXml(bytes));
}

/** The value of `r:id` or another attribute of that namespace, under whatever prefix. */
export function referenceOf({ attributes }: XmlElement, name = 'id'): string {
  const key = Object.keys(attributes).find((each) => each.endsWith(`:${name}`));
  return attributes[key ?? name] ?? '';
}

/** What is read of one part, undefined when it is damaged: the others are readable all the same. */
export function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}
