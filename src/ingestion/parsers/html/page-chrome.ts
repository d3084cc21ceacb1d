import type { DomElement } from './dom.js';

/** Parts that a site shows on all of its pages. */
const chrome =
  '[role="navigation"],[role="banner"],[role="contentinfo"],[role="search"],[role="dialog"],[role="alertdialog"],[role="complementary"]';
const outerParts = 'header,footer,aside';
/**
 * Within these elements, headers and asides belong to the text: the head of a section, or a remark beside a
 * paragraph.
 */
const content = 'article,main,section,[role="main"]';
const heading = 'h1,h2,h3,h4,h5,h6';
/**
 * Class names that mark such parts. They must stand alone: `share-bar`, not `shareholders`. Ids are not used,
 * because they say what a section is about: `<h2 id="consent">`.
 */
const tellingName =
  /(?:^|[\s_-])(?:cookies?|consent|gdpr|breadcrumbs?|share|sharing|social|newsletter|sidebar|adverts?|advertisement|ads?|promo|skip|menu|navbar|site-?footer|site-?header)(?=$|[\s_-])/i;
/**
 * Elements that are kept whatever their class: `<body class="has-sidebar">` only says how the page is laid
 * out.
 */
const neverChrome = new Set(['HTML', 'BODY', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6']);
/** An element with a greater share of the page's text is kept, whatever its class. */
const shareMax = 0.3;

/** Removes menus, banners, footers, cookie notices and the like from a page. */
export function removeChrome(root: DomElement): void {
  const most = root.textContent.length * shareMax;
  for (const element of candidates(root)) {
    // A part within another has been removed with it.
    if (!element.isConnected || element.textContent.length > most) continue;
    // A header with the page's title is kept, and of other parts, whatever they are called, those with an h1.
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
