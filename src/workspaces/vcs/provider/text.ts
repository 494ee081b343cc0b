/** Characters that change how a text is shown: controls, line and paragraph separators, and bidirectional overrides. */
const INVISIBLE = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;
/** @limit part of a provider's error that the server keeps, characters -> the error is truncated */
const MAX_MESSAGE = 200;
/** @limit title of a pull request, bytes -> the title is truncated */
const MAX_TITLE = 1024;
/** @limit body of a pull request, bytes -> the body is truncated */
const MAX_BODY = 65_536;
/** @limit URL from a provider that is shown, characters -> the URL is left out */
const MAX_URL = 2048;

/** Truncates a text to a number of bytes in UTF-8. NUL and lone surrogates, which no database stores, become U+FFFD. */
export function truncated(text: string, maxBytes: number): string {
  const stored = text.slice(0, maxBytes).toWellFormed().replaceAll('\0', '\ufffd');
  const bytes = Buffer.from(stored);
  if (bytes.length <= maxBytes) return stored;
  let end = maxBytes;
  // A byte 10xxxxxx continues a character.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end).toString();
}

/** Returns the first line of a title, without characters that change how it is shown. */
export function titleText(text: string | null | undefined): string {
  return truncated((text ?? '').slice(0, MAX_TITLE * 2).replace(INVISIBLE, ' '), MAX_TITLE);
}

/** Returns the body of a pull request, truncated. */
export function bodyText(text: string | null | undefined): string {
  return truncated(text ?? '', MAX_BODY);
}

/** Returns a provider's error message as one short line. */
export function messageText(text: string): string {
  const line = text
    .slice(0, MAX_MESSAGE * 8)
    .replace(INVISIBLE, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toWellFormed();
  return line.length > MAX_MESSAGE ? `${line.slice(0, MAX_MESSAGE - 1).toWellFormed()}…` : line;
}

/** Returns a URL from a provider if a page may link to it: http or https, without credentials. */
export function linkUrl(text: string | null | undefined): string | null {
  const url = text && text.length <= MAX_URL ? URL.parse(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null;
  return url.href;
}
