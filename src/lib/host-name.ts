const HOST = /^(?=.{1,253}$)(?:[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?\.)*[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;

/**
 * The one spelling of a host name: lower case, without the dot of the root at its end; undefined when the text is none. What
 * ends in a number is an address in one of its forms (`127.1`), and no name (https://url.spec.whatwg.org/#ends-in-a-number-checker).
 */
export function canonicalHost(text: string): string | undefined {
  const name = text.toLowerCase().replace(/\.$/, '');
  return HOST.test(name) && !/(^|\.)(\d+|0x[\da-f]*)$/.test(name) ? name : undefined;
}
