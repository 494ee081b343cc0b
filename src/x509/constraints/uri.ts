import type { Form } from './form.ts';
import { type HostBase, hostBase, isHostName, isWithinHost } from './host-name.ts';

/**
 * A URI is matched by its host, in lower case. A URI without a host name (no authority, an IP address) cannot be
 * matched.
 */
export const uriForm: Form<string, HostBase> = {
  type: 'uri',
  name: (name) => (name.type === 'uri' ? hostOf(name.value) : undefined),
  base: (base) => (base.type === 'uri' ? hostBase(base.value) : undefined),
  isWithin: isWithinHost,
};

/** Only characters of RFC 3986: implementations disagree about the host of a URI with a backslash. */
const URI =
  /^[A-Za-z][A-Za-z0-9+.-]*:\/\/([A-Za-z0-9._~%!$&'()*+,;=:@[\]-]*)(?:[/?#][A-Za-z0-9._~:/?#[\]@!$&'()*+,;=%-]*)?$/;
const PORT = /:[0-9]*$/;
const DIGITS_AND_DOTS = /^[0-9.]+$/;

function hostOf(uri: string): string | undefined {
  const authority = URI.exec(uri)?.[1];
  if (authority === undefined) return undefined;
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(PORT, '');
  return isHostName(host) && !DIGITS_AND_DOTS.test(host) ? host.toLowerCase() : undefined;
}
