/** Links and anchors of Markdown, for the website and for the test of all links. */

/** Code: fenced blocks, and spans within a paragraph. */
const CODE = /^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1|(`+)(?!`)(?:(?!\n\s*\n)[\s\S])*?[^`]\2(?!`)/gm;
const LINK = /(\]\()([^()\s]+(?:\([^()\s]*\)[^()\s]*)*)((?: "[^"]*")?\))|( (?:href|src)=")([^"]+)(")/g;
const HEADING = /^#{1,6} +(.+?)(?: #+)?$/gm;

/** Replaces the target of each link and image; code is left alone. */
export function mapLinks(markdown: string, replace: (target: string) => string): string {
  return outsideCode(markdown, (text) =>
    text.replaceAll(
      LINK,
      (_, before = '', target = '', after = '', attribute = '', value = '', quote = '') =>
        `${before}${attribute}${replace(target || value)}${after}${quote}`,
    ),
  );
}

/** Returns the targets of all links and images: `guides/runs.md#queue`. */
export function linksOf(markdown: string): string[] {
  const targets: string[] = [];
  mapLinks(markdown, (target) => {
    targets.push(target);
    return target;
  });
  return targets;
}

/** Returns the anchors of all headings. */
export function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>();
  const text = markdown.replaceAll(CODE, (code) => (code.includes('\n') ? '' : code));
  for (const [, heading = ''] of text.matchAll(HEADING)) {
    const anchor = anchorOf(heading.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1'));
    let unique = anchor;
    for (let n = 1; anchors.has(unique); n++) unique = `${anchor}-${n}`;
    anchors.add(unique);
  }
  return anchors;
}

/** Returns the anchor of a heading as GitHub makes it: `run-tasks`. */
export function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

function outsideCode(markdown: string, replace: (text: string) => string): string {
  const parts: string[] = [];
  let from = 0;
  for (const { index, 0: code } of markdown.matchAll(CODE)) {
    parts.push(replace(markdown.slice(from, index)), code);
    from = index + code.length;
  }
  return [...parts, replace(markdown.slice(from))].join('');
}
