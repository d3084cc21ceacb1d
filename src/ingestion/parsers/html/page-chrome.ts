import type { DomElement } from './dom.js';

/** Parts of a page that its site shows on every other one too. */
const chrome =
  '[role="navigation"],[role="banner"],[role="contentinfo"],[role="search"],[role="dialog"],[role="alertdialog"],[role="complementary"]';
const outerParts = 'header,footer,aside';
/** Within these they belong to the text: the head of a section, a remark beside a paragraph. */
const content = 'article,main,section,[role="main"]';
const heading = 'h1,h2,h3,h4,h5,h6';
/**
 * Words of class names that say so, standing for themselves: `share-bar`, not `shareholders`. Ids say what a section is about:
 * `<h2 id="consent">`.
 */
const tellingName =
  /(?:^|[\s_-])(?:cookies?|consent|gdpr|breadcrumbs?|share|sharing|social|newsletter|sidebar|adverts?|advertisement|ads?|promo|skip|menu|navbar|site-?footer|site-?header)(?=$|[\s_-])/i;
/** `<body class="has-sidebar">` says how the page is laid out. */
const neverChrome = new Set(['HTML', 'BODY', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6']);
/** What holds more of the page's text is no chrome, whatever it is called. */
const shareMax = 0.3;

/** Takes menus, banners, footers, consent to cookies and the like out of a page. */
export function removeChrome(root: DomElement): void {
  const most = root.textContent.length * shareMax;
  for (const element of candidates(root)) {
    // One within another goes with it.
    if (!element.isConnected || element.textContent.length > most) continue;
    // The title of a page often stands in its header, and some call their headers whatever they like.
    const kept = element.nodeName === 'HEADER' ? heading : 'h1';
    if (element.querySelector(kept) === null) element.remove();
  }
}

function* candidates(root: DomElement): Iterable<DomElement> {
  yield* root.querySelectorAll(chrome);
  for (const element of root.querySelectorAll(outerParts)) if (isOutside(element)) yield element;
  for (const element of root.querySelectorAll('[class]')) {
    const isNamed =
      !neverChrome.has(element.nodeName) && tellingName.test(element.getAttribute('class') ?? '');
    if (isNamed && isOutside(element)) yield element;
  }
}

function isOutside(element: DomElement): boolean {
  return element.closest(content) === null;
}
