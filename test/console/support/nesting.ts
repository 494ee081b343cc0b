const BLOCKS = `address, article, aside, blockquote, dialog, details, div, dl, fieldset, figure, footer, form, h1, h2, h3, h4, h5,
  h6, header, hr, main, menu, nav, ol, p, pre, search, section, table, ul`;
const CONTROLS = 'a[href], button, input, select, textarea';
/** Elements that HTML forbids where they are. A browser that parsed the page would put them elsewhere. */
const MISPLACED = [
  `p :is(${BLOCKS})`,
  'form form',
  `:is(a[href], button, label button) :is(${CONTROLS})`,
  `:is(button, h1, h2, h3, h4, h5, h6) :is(${BLOCKS})`,
  'li:not(ul > *, ol > *, menu > *)',
  'tr:not(tbody > *, thead > *, tfoot > *)',
  ':is(td, th):not(tr > *)',
  ':is(dt, dd):not(dl > *, dl > div > *)',
].join(', ');

/**
 * Script that logs an error for misplaced elements, as the development build of React does, and so fails the test. It looks
 * after each change of the document.
 */
export const NESTING = `(() => {
  let isDue = false;
  const known = new Set();
  const look = () => {
    isDue = false;
    for (const element of document.querySelectorAll(${JSON.stringify(MISPLACED)})) {
      const names = [];
      for (let one = element; one && one !== document.body && names.length < 6; one = one.parentElement) names.unshift(one.localName);
      const text = names.join(' > ') + ' ' + (element.outerHTML ?? '').slice(0, 120);
      if (known.has(text)) continue;
      known.add(text);
      console.error('misplaced element: ' + text);
    }
  };
  new MutationObserver(() => {
    if (!isDue) requestAnimationFrame(look);
    isDue = true;
  }).observe(document, { childList: true, subtree: true });
})()`;
