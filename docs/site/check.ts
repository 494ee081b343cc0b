import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Elements that make a browser load a URL. Links (`a`) only name one. */
const LOADING_ELEMENT =
  /<(?:script|img|iframe|source|video|audio|embed|object|link|use|image)\b[^>]*?\s(?:src|srcset|href|xlink:href|data|poster)="([^"]+)"/gi;
const LOADING_STYLE = /(?:url\(\s*["']?|@import\s+["'])((?:https?:)?\/\/[^"')\s]+)/gi;
const LOADING_SCRIPT =
  /(?:\bfetch\(|\bimport\(|\bsendBeacon\(|\bWebSocket\(|\bWorker\(|\.src\s*=|\bsrc:)\s*["'`]((?:https?:|wss?:)?\/\/[^"'`]+)/gi;
const EXTERNAL = /^(?:[a-z]+:)?\/\//i;
const LINK = /<a\b[^>]*?\shref="([^"]+)"/gi;
const ID = /\sid="([^"]+)"/g;

/**
 * Checks the built website: no page loads anything from another origin, and each link leads to a page, a heading or a file.
 * @param base URL path of the website, as its links begin
 * @returns one line for each fault
 */
export function faultsOf(folder: string, base: string): string[] {
  const files = globSync('**/*.{html,js,css,svg}', { cwd: folder });
  const texts = new Map(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
  const ids = new Map<string, Set<string>>();
  for (const [file, text] of texts)
    if (file.endsWith('.html')) ids.set(file, new Set([...text.matchAll(ID)].map(([, id = '']) => decoded(id))));
  return [...texts].flatMap(([file, text]) => [
    ...externalRequests(file, text).map((url) => `${file} loads ${url}`),
    ...(ids.has(file) ? deadLinks(folder, file, text, base, ids) : []),
  ]);
}

function externalRequests(file: string, text: string): string[] {
  const patterns = file.endsWith('.js') ? [LOADING_SCRIPT] : [LOADING_ELEMENT, LOADING_STYLE];
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, url = '']) => url).filter((url) => EXTERNAL.test(url)),
  );
}

function deadLinks(folder: string, file: string, html: string, base: string, ids: Map<string, Set<string>>): string[] {
  return [...html.matchAll(LINK)]
    .map(([, href = '']) => decoded(href))
    .filter((href) => !/^[a-z]+:/i.test(href) && !isThere(folder, targetOf(file, href, base), ids))
    .map((href) => `${file} links to ${href}, which does not exist`);
}

/** Returns the file and the heading that a link leads to. */
function targetOf(file: string, href: string, base: string): [file: string, anchor: string] {
  const [path = '', anchor = ''] = href.split('#');
  if (path === '') return [file, anchor];
  const target = path.startsWith('/') ? path.replace(base, '') : join(dirname(file), path);
  return [target === '' || target.endsWith('/') ? `${target}index.html` : target, anchor];
}

function isThere(folder: string, [file, anchor]: [string, string], ids: Map<string, Set<string>>): boolean {
  const path = join(folder, file);
  if (!existsSync(path) || !statSync(path).isFile()) return false;
  return anchor === '' || ids.get(file)?.has(anchor) === true;
}

function decoded(text: string): string {
  return decodeURIComponent(text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'"));
}
