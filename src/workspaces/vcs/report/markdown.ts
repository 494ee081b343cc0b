/** Controls, line separators, bidirectional overrides and other characters without a shape. */
const INVISIBLE = /[\p{Cc}\p{Cf}\u2028\u2029\ufff9-\ufffb]+/gu;
const ZERO_WIDTH_SPACE = '\u200b';
/** @limit branch, or address of a resource, in a comment in a pull request, characters -> it is truncated */
const MAX_TEXT = 200;

/**
 * Returns a text of strangers as inline code, in which no provider reads Markdown, HTML, links or mentions. `@` is
 * followed by a zero-width space, because some providers look for mentions in the rendered page.
 */
export function code(text: string): string {
  const line = shortened(text.replace(INVISIBLE, ' ').toWellFormed().trim() || '?');
  const shown = line.replaceAll('@', `@${ZERO_WIDTH_SPACE}`);
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${shown}${fence}` : `${fence} ${shown} ${fence}`;
}

/** Returns a text without strangers' influence as plain text. Names of workspaces may have `_` and `-`. */
export function plain(text: string): string {
  return html(shortened(text.replace(INVISIBLE, ' ').toWellFormed())).replace(/[\\`*_{}[\]()#+!|~]/g, '\\$&');
}

/** Returns a link. The URL is the server's own. */
export function link(text: string, url: string): string {
  return `[${plain(text)}](${encodeURI(url).replace(/[()]/g, (bracket) => (bracket === '(' ? '%28' : '%29'))})`;
}

/** Returns a part that readers unfold; a heading where the provider's Markdown has no HTML. */
export function details(summary: string, body: string, hasHtml: boolean): string {
  if (!hasHtml) return `**${plain(summary)}**\n\n${body}`;
  return `<details><summary>${html(summary)}</summary>\n\n${body}\n\n</details>`;
}

const html = (text: string) =>
  text
    .replace(INVISIBLE, ' ')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replaceAll('@', `@${ZERO_WIDTH_SPACE}`);

function shortened(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1).toWellFormed()}…`;
}

/** Text that is built up to a length. Parts that do not fit are left out as a whole. */
export class BoundedText {
  readonly #max: number;
  #text = '';

  constructor(max: number) {
    this.#max = max;
  }

  /** Appends a part. Returns false, and appends nothing, if less than `reserve` characters would be left. */
  add(part: string, reserve = 0): boolean {
    if (this.#text.length + part.length + reserve > this.#max) return false;
    this.#text += part;
    return true;
  }

  get text(): string {
    return this.#text;
  }
}
