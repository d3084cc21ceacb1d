import { inOneLine } from '../../../text/one-line.js';
import type { DomDocument, DomElement } from './dom.js';

/** What may open a part of the page: a question in a list of questions, a tab. */
const controls =
  'button,a,[role="button"],[role="tab"],h2[aria-expanded],h3[aria-expanded],h4[aria-expanded],dt[aria-expanded]';
const targets = ['aria-controls', 'data-bs-target', 'data-target'];
/** Classes of buttons that open what stands behind them. */
const openingClass = /accordion|collapsible|faq/i;
const labelCharactersMax = 300;
const panels = '[role="tabpanel"],[hidden="until-found"]';
/** Menus, choices and what opens over the page are no text of it. */
const neverText =
  'nav,select,dialog,[role="dialog"],[role="alertdialog"],[role="menu"],[role="menubar"],[role="listbox"],[role="tooltip"],[role="navigation"],[aria-modal="true"]';
const heading = 'h1,h2,h3,h4,h5,h6,dt,summary';
const hiddenStyle = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;

/** Classes and ids of parts of the same kind that have no role. */
const neverTextName =
  /(?:^|[\s_-])(?:modal|dialog|popup|popover|tooltip|offcanvas|dropdown|menu|nav|drawer|overlay|cookies?|consent)(?=$|[\s_-])/i;

/** Whether the style of an element itself hides it. */
export function isHiddenByStyle(element: DomElement): boolean {
  return hiddenStyle.test(element.getAttribute('style') ?? '');
}

/**
 * Opens the parts of a page that readers can open, each behind the words of its control: answers below
 * questions, panels of tabs.
 */
export function unfold(document: DomDocument, root: DomElement): void {
  const byId = new Map<string, DomElement>();
  for (const element of root.querySelectorAll('[id]')) byId.set(element.getAttribute('id') ?? '', element);
  for (const control of root.querySelectorAll(controls)) {
    const part = isMenuButton(control) ? undefined : openedBy(control, byId);
    if (part === undefined || !isText(part)) continue;
    reveal(part);
    if (control.closest(heading) === null) labelPart(document, control, part);
  }
  for (const part of root.querySelectorAll(panels)) if (isText(part)) reveal(part);
  for (const button of root.querySelectorAll('button')) {
    const title = button.closest(heading);
    const words = inOneLine(button.textContent);
    if (title !== null && words === inOneLine(title.textContent)) button.replaceWith(words);
  }
}

function isMenuButton(control: DomElement): boolean {
  return (
    control.closest(neverText) !== null || /^(?!false)/.test(control.getAttribute('aria-haspopup') ?? 'false')
  );
}

/** The part that a control names or, if it names none, the element behind the control or its heading. */
function openedBy(control: DomElement, byId: ReadonlyMap<string, DomElement>): DomElement | undefined {
  const names = targets.map((name) => control.getAttribute(name) ?? '').filter((name) => name !== '');
  const [named] = names.map((name) => byId.get(name.replace(/^#/, '')));
  const isOpening =
    control.getAttribute('aria-expanded') !== null ||
    (control.nodeName === 'BUTTON' && openingClass.test(control.getAttribute('class') ?? ''));
  if (named || !isOpening) return named;
  const next = (control.closest(heading) ?? control).nextElementSibling;
  return next !== null && /^(?:DIV|P|UL|OL|SECTION|DD)$/.test(next.nodeName) ? next : undefined;
}

/** Whether a part is text of the page, and neither of the kinds above nor mostly links, as a menu is. */
function isText(part: DomElement): boolean {
  const names = ['class', 'id'].map((name) => part.getAttribute(name) ?? '');
  if (part.closest(neverText) !== null || names.some((name) => neverTextName.test(name))) return false;
  const links = [...part.querySelectorAll('a')].reduce((sum, link) => sum + link.textContent.length, 0);
  return /\S/.test(part.textContent) && links * 2 <= part.textContent.length;
}

function reveal(part: DomElement): void {
  part.removeAttribute('hidden');
  part.removeAttribute('aria-hidden');
  if (isHiddenByStyle(part)) part.removeAttribute('style');
}

/** Puts the words of a control before what it opens, if that does not begin with them. */
function labelPart(document: DomDocument, control: DomElement, part: DomElement): void {
  const words = inOneLine(control.textContent);
  if (words === '' || words.length > labelCharactersMax) return;
  if (inOneLine(part.textContent).startsWith(words)) return;
  const label = document.createElement('p');
  label.textContent = words;
  part.before(label);
  control.remove();
}
