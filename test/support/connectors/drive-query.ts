import { GoogleRefusal } from './google-server.js';

type Test = (file: Readonly<Record<string, unknown>>) => boolean;

/** The part of Google Drive's search language that folders are listed with. */
export function readDriveQuery(query: string): Test {
  const words = query.match(/'(?:[^'\\]|\\.)*'|[()]|[!<>]?=|[<>]|\w+/g) ?? [];
  let at = 0;
  const take = () => words[at++] ?? '';
  const refuse = () => new GoogleRefusal(400, 'invalid', 'Invalid Value');
  const literal = (word: string) => {
    if (word === 'true' || word === 'false') return word === 'true';
    if (!word.startsWith("'")) throw refuse();
    return word.slice(1, -1).replace(/\\(.)/g, '$1');
  };
  const either = (): Test => {
    const tests = [both()];
    while (words[at] === 'or' && take()) tests.push(both());
    return (file) => tests.some((test) => test(file));
  };
  const both = (): Test => {
    const tests = [term()];
    while (words[at] === 'and' && take()) tests.push(term());
    return (file) => tests.every((test) => test(file));
  };
  const term = (): Test => {
    const first = take();
    if (first === '(') {
      const inner = either();
      if (take() !== ')') throw refuse();
      return inner;
    }
    const operator = take();
    if (operator === 'in') {
      const [value, field] = [literal(first), take()];
      return (file) => (file[field] as unknown[] | undefined)?.includes(value) ?? false;
    }
    return comparison(first, operator, literal(take()));
  };
  const comparison = (field: string, operator: string, value: string | boolean): Test => {
    if (field === 'mimeType' || field === 'trashed' || field === 'sharedWithMe') {
      if (operator === '=') return (file) => (file[field] ?? false) === value;
      if (operator === '!=') return (file) => file[field] !== value;
    }
    if ((field === 'modifiedTime' || field === 'createdTime') && operator === '>=') {
      if (Number.isNaN(Date.parse(String(value)))) throw refuse();
      return (file) => Date.parse(String(file[field])) >= Date.parse(String(value));
    }
    throw refuse();
  };
  const whole = either();
  if (at !== words.length) throw refuse();
  return whole;
}
