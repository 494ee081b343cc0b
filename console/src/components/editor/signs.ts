import type { MarkKind } from './marks.ts';

const SVG = 'http://www.w3.org/2000/svg';
/** Same shapes as the page's icons, which are outside of the shadow root. */
const PATHS: Readonly<Record<MarkKind, readonly string[]>> = {
  grants: ['M3.5 8.5 6.5 11.5 12.5 4.5'],
  denies: ['m4.5 4.5 7 7M11.5 4.5l-7 7'],
  overridden: ['M3.5 8h9'],
  fault: ['M2.5 2.5h11v11h-11z', 'm5.8 5.8 4.4 4.4M10.2 5.8l-4.4 4.4'],
  warning: ['M8 2.5 14 13.5H2Z', 'M8 6.8v2.7M8 11.4v.1'],
};

/** Creates the sign before a line. */
export function signOf(kind: MarkKind, label: string): Element {
  const sign = document.createElementNS(SVG, 'svg');
  sign.setAttribute('viewBox', '0 0 16 16');
  sign.setAttribute('class', `cm-sign cm-sign-${kind}`);
  // Screen readers skip the gutter; the page shows the same information beside the editor.
  const title = document.createElementNS(SVG, 'title');
  title.textContent = label;
  sign.append(title);
  for (const d of PATHS[kind]) {
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('d', d);
    sign.append(path);
  }
  return sign;
}
