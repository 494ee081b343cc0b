const HOST = /^(?=.{1,253}$)(?:[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?\.)*[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;

/**
 * Returns the canonical form of a host name: lower case, without the dot of the root at the end. Returns undefined if
 * the text is not a host name. A text that ends in a number is a form of an IPv4 address (`127.1`) and not a host name
 * (https://url.spec.whatwg.org/#ends-in-a-number-checker).
 */
export function canonicalHost(text: string): string | undefined {
  const name = text.toLowerCase().replace(/\.$/, '');
  return HOST.test(name) && !/(^|\.)(\d+|0x[\da-f]*)$/.test(name) ? name : undefined;
}
