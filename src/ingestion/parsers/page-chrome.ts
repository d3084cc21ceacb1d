import type { DomElement } from './dom.js';

/** Parts of a page that its site shows on every other one too. */
const chrome =
  '[role="navigation"],[role="banner"],[role="contentinfo"],[role="search"],[role="dialog"],[role="alertdialog"],[role="complementary"]';
const outerParts = 'header,footer,aside';
const content = 'article,main,[role="main"]';
/** Words of class names and ids that say so, standing for themselves: `share-bar`, not `shareholders`. */
const tellingName =
  /(?:^|[\s_-])(?:cookies?|consent|gdpr|breadcrumbs?|share|sharing|social|newsletter|sidebar|adverts?|advertisement|ads?|promo|skip|menu|navbar|site-?footer|site-?header)(?=$|[\s_-])/i;
/** `<body class="has-sidebar">` says how the page is laid out. */
const wholePage = new Set(['HTML', 'BODY', 'MAIN', 'ARTICLE']);
/** What holds more of the page's text is no chrome, whatever it is called. */
const shareMax = 0.3;

/** Takes menus, banners, footers, consent to cookies and the like out of a page. */
export function removeChrome(root: DomElement): void {
  const most = root.textContent.length * shareMax;
  for (const element of candidates(root)) {
    // One within another goes with it.
    if (!element.isConnected || element.textContent.length > most) continue;
    // The title of a page often stands in its header.
    if (element.querySelector('h1') === null) element.remove();
  }
}

function* candidates(root: DomElement): Iterable<DomElement> {
  yield* root.querySelectorAll(chrome);
  for (const element of root.querySelectorAll(outerParts))
    if (element.closest(content) === null) yield element;
  for (const element of root.querySelectorAll('[class],[id]')) {
    const name = `${element.getAttribute('class') ?? ''} ${element.getAttribute('id') ?? ''}`;
    if (!wholePage.has(element.nodeName) && tellingName.test(name)) yield element;
  }
}
