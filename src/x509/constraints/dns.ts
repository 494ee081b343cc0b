import type { Form } from './form.ts';
import { type HostBase, hostBase, isHostName } from './host-name.ts';

const WILDCARD = '*.';

/**
 * Names in lower case. RFC 5280 gives a base with a leading dot no meaning for DNS names. Like Go and OpenSSL, this
 * form treats it as for URIs: every name below the host, and not the host itself.
 */
export const dnsForm: Form<string, HostBase> = {
  type: 'dns',
  name: (name) => (name.type === 'dns' ? hostPattern(name.value) : undefined),
  base: (base) => (base.type === 'dns' ? hostBase(base.value) : undefined),
  isWithin,
  overlaps: (name, base) => isWithin(name, base) || wildcardCovers(name, base),
};

/** Returns a host name, or one with `*` as its first label. */
function hostPattern(text: string): string | undefined {
  const host = text.startsWith(WILDCARD) ? text.slice(WILDCARD.length) : text;
  return isHostName(host) ? text.toLowerCase() : undefined;
}

/** A name with further labels on the left, or the host itself unless the base has a leading dot. */
function isWithin(name: string, { host, onlyBelow }: HostBase): boolean {
  return host === '' || name.endsWith(`.${host}`) || (!onlyBelow && name === host);
}

/** `*.example.com` includes `a.example.com`, and so a name that may be excluded. */
function wildcardCovers(name: string, { host, onlyBelow }: HostBase): boolean {
  return !onlyBelow && name.startsWith(WILDCARD) && host.slice(host.indexOf('.') + 1) === name.slice(WILDCARD.length);
}
