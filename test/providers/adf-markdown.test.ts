import { describe, expect, test } from '@jest/globals';
import { adfToMarkdown } from '../../src/connectors/providers/atlassian/adf-markdown.js';
import type { AdfNode } from '../../src/connectors/providers/atlassian/adf-markdown.js';
import { markdownDocument } from '../../src/ingestion/parsers/markdown.js';

const text = (words: string, ...marks: AdfNode['marks'] & object): AdfNode => ({
  type: 'text',
  text: words,
  marks,
});
const node = (type: string, content: AdfNode[], attrs: Record<string, unknown> = {}): AdfNode => ({
  type,
  content,
  attrs,
});
const leaf = (type: string, attrs: Record<string, unknown> = {}): AdfNode => ({ type, attrs });
const paragraph = (...content: AdfNode[]) => node('paragraph', content);
const written = (...content: AdfNode[]) => adfToMarkdown({ type: 'doc', version: 1, content });

describe('rich text of Atlassian as Markdown', () => {
  test.each<[string, AdfNode, string]>([
    ['a paragraph', paragraph(text('one'), leaf('hardBreak'), text('two')), 'one\ntwo'],
    ['emphasis', paragraph(text('very ', { type: 'strong' }), text('good', { type: 'em' })), 'very good'],
    ['code in a line', paragraph(text('npm ci', { type: 'code' })), '`npm ci`'],
    ['what was struck', paragraph(text('old', { type: 'strike' })), '~~old~~'],
    [
      'a link',
      paragraph(text('the docs', { type: 'link', attrs: { href: 'https://a.example/x' } })),
      'the docs (https://a.example/x)',
    ],
    ['a heading', node('heading', [text('Title')], { level: 3 }), '### Title'],
    ['an empty heading', node('heading', [], { level: 1 }), ''],
    ['a rule', leaf('rule'), '---'],
    ['a mention', paragraph(leaf('mention', { id: 'a1', text: '@Ada' }), text(' look')), '@Ada look'],
    ['an emoji', paragraph(leaf('emoji', { shortName: ':smile:', text: '😄' })), '😄'],
    ['an emoji of the site', paragraph(leaf('emoji', { shortName: ':party:' })), ':party:'],
    ['a card', paragraph(leaf('inlineCard', { url: 'https://a.example/OPS-1' })), 'https://a.example/OPS-1'],
    ['a card as a block', leaf('blockCard', { url: 'https://a.example/d' }), 'https://a.example/d'],
    ['a date', paragraph(leaf('date', { timestamp: '1767225600000' })), '2026-01-01'],
    ['a date that is none', paragraph(leaf('date', { timestamp: 'soon' }), text('x')), 'x'],
    ['a state', paragraph(leaf('status', { text: 'DONE' })), 'DONE'],
    ['a file', node('mediaSingle', [leaf('media', { type: 'file', alt: 'plan.png' })]), '[plan.png]'],
    ['a file without a name', node('mediaSingle', [leaf('media', { type: 'file', id: 'x' })]), ''],
    [
      'a panel',
      node('panel', [paragraph(text('Beware')), paragraph(text('of dogs'))]),
      '> Beware\n>\n> of dogs',
    ],
    ['a quotation', node('blockquote', [paragraph(text('said'))]), '> said'],
    ['what is folded', node('expand', [paragraph(text('inside'))], { title: 'More' }), 'More\n\ninside'],
    [
      'columns',
      node('layoutSection', [
        node('layoutColumn', [paragraph(text('left'))]),
        node('layoutColumn', [paragraph(text('right'))]),
      ]),
      'left\n\nright',
    ],
    ['a macro with a body', node('bodiedExtension', [paragraph(text('excerpt'))]), 'excerpt'],
    ['a macro without', leaf('extension', { extensionKey: 'toc' }), ''],
    ['what is not known', node('hologram', [paragraph(text('within'))]), 'within'],
    ['not known, in a line', paragraph(node('sparkle', [text('within')])), 'within'],
  ])('%s', (_, given, expected) => {
    expect(written(given)).toBe(expected);
  });

  test('code keeps its lines, within a fence that it cannot close', () => {
    const code = node('codeBlock', [text('a\n```\n  b')], { language: 'md' });
    expect(written(code)).toBe('````md\na\n```\n  b\n````');
    expect(markdownDocument(written(code)).blocks).toHaveLength(1);
  });

  test('lists within lists are indented', () => {
    const item = (words: string, ...more: AdfNode[]) => node('listItem', [paragraph(text(words)), ...more]);
    const list = node('bulletList', [
      item('one', node('orderedList', [item('first'), item('second')], { order: 3 })),
      item('two', paragraph(text('and more'))),
    ]);
    expect(written(list)).toBe('- one\n\n  3. first\n  4. second\n- two\n\n  and more');
  });

  test('tasks show whether they are done, and what is below them', () => {
    const task = (words: string, state: string) => node('taskItem', [text(words)], { state });
    const tasks = node('taskList', [
      task('buy', 'TODO'),
      node('taskList', [task('milk', 'DONE')]),
      task('sell', 'DONE'),
    ]);
    expect(written(tasks)).toBe('- [ ] buy\n  - [x] milk\n- [x] sell');
  });

  test('tables have a header though none is written', () => {
    const cell = (type: string, words: string, attrs = {}) => node(type, [paragraph(text(words))], attrs);
    const row = (...cells: AdfNode[]) => node('tableRow', cells);
    const headed = node('table', [
      row(cell('tableHeader', 'Name'), cell('tableHeader', 'Age')),
      row(cell('tableCell', 'Ada | Lovelace'), cell('tableCell', '36')),
    ]);
    expect(written(headed)).toBe('| Name | Age |\n| --- | --- |\n| Ada \\| Lovelace | 36 |');
    const plain = node('table', [
      row(cell('tableCell', 'wide', { colspan: 2 })),
      row(cell('tableCell', 'a'), cell('tableCell', 'b')),
    ]);
    expect(written(plain)).toBe('|  |  |\n| --- | --- |\n| wide |  |\n| a | b |');
    expect(
      markdownDocument(written(plain))
        .blocks.map((block) => block.text)
        .join('\n'),
    ).toContain('wide');
  });

  test('takes what is no document for what it is', () => {
    expect(adfToMarkdown(' h1. Wiki markup ')).toBe('h1. Wiki markup');
    expect(adfToMarkdown(null)).toBe('');
    expect(adfToMarkdown({ type: 'doc' })).toBe('');
    expect(written({ type: 'toString' }, { type: '__proto__' }, paragraph(text('safe')))).toBe('safe');
  });

  test('is not brought down by depth', () => {
    let deep = paragraph(text('bottom'));
    for (let level = 0; level < 20_000; level++) deep = node('blockquote', [deep]);
    expect(written(paragraph(text('top')), deep)).toMatch(/^top/);
  });
});
