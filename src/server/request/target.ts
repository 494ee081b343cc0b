import { AppError } from '../../lib/errors.ts';
import type { AnyIncoming, Target } from '../../lib/request.ts';
import type { Service } from '../../lib/service.ts';

/**
 * Maximum length of a request path without the query, characters.
 * @limit request path, as sent, characters -> 400
 */
export const MAX_PATH_LENGTH = 2_048;

/** Parts of a request that form its target. */
export type Addressed = Pick<AnyIncoming, 'url' | 'headers' | 'rawHeaders' | 'httpVersion' | 'httpVersionMajor'>;

/** Parsed target of a request, and its fault. */
export interface Reading {
  /** Parsed target. For a faulty target, as far as it can be parsed. */
  readonly target: Target;
  /** Undefined without a service. */
  readonly service: Service | undefined;
  /** Fault of an ambiguous or invalid target. */
  readonly fault: AppError | undefined;
}

/** Fast path: paths without any character that has another spelling. */
const SIMPLE = /^(?:\/[\w~:@!$&'()*+,;=-][\w.~:@!$&'()*+,;=-]*)+\/?$/;
const SIMPLE_PART = /^[\w.~:@!$&'()*+,;=-]*$/;
const ABSOLUTE = /^https?:\/\/([^/?#]*)/i;
/** Host by RFC 3986 §3.2.2 and §3.2.3, without user info, such as `[::1]:8200`. May be empty (RFC 9112 §3.2). */
const AUTHORITY = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d{0,5})?$/i;

const NO_PATH = 'the path is not a valid URL path';
const fault = (message: string): AppError => new AppError('bad-request', message);

/**
 * Parses the target of a request once for router, services, log, metrics and audit log, so that they cannot disagree.
 * Splits an absolute target into path and host (RFC 9112 §3.2.2). Decodes each path part once and re-encodes it in
 * canonical form; ambiguous paths are faults. Then `url` and the Host header have the canonical form.
 */
export function readTarget(request: Addressed, services: readonly Service[]): Reading {
  const { url: text = '' } = request;
  // HTTP/2 has a separate pseudo-header for the host.
  const absolute = request.httpVersionMajor === 1 ? ABSOLUTE.exec(text) : null;
  const rest = absolute ? text.slice(absolute[0].length) : text;
  const end = rest.indexOf('?');
  const sent = (end < 0 ? rest : rest.slice(0, end)) || (absolute ? '/' : '');
  const path = sent.slice(0, MAX_PATH_LENGTH);
  const { target, service, wrong } = SIMPLE.test(path) ? simple(path, services) : spelled(path, services);
  const host = hostOf(request, absolute?.[1]);
  const tooLong = sent !== path ? 'the path is too long' : undefined;
  const found = host.wrong ?? tooLong ?? (text.includes('#') ? 'the target holds a fragment' : wrong);
  if (found !== undefined) return { target, service, fault: fault(found) };
  request.url = end < 0 ? target.path : target.path + rest.slice(end);
  if (host.name !== undefined) request.headers.host = host.name;
  return { target, service, fault: undefined };
}

/** Returns the first service whose prefix contains the path. A service without prefix handles only `/`. */
function serviceAt(services: readonly Service[], path: string): Service | undefined {
  return services.find(({ prefix }) =>
    prefix === '' ? path === '/' : path.startsWith(prefix) && ['', '/'].includes(path.charAt(prefix.length)),
  );
}

function simple(sent: string, services: readonly Service[]) {
  const service = serviceAt(services, sent);
  const path = service?.ignoresLastSlash && sent.endsWith('/') ? sent.slice(0, -1) : sent;
  return { target: { path, parts: path.slice(1).split('/') }, service, wrong: undefined };
}

function spelled(sent: string, services: readonly Service[]) {
  const encoded = sent.replace(/^\//, '').split('/');
  const decoded = encoded.map(decode);
  const read = decoded.map((part, index) => part ?? encoded[index] ?? '');
  const path = spell(read);
  const service = serviceAt(services, path);
  const splits = service?.decodesSlashes === true && path.includes('%2F');
  const parts = splits ? read.flatMap((part) => part.split('/')) : withoutLast(read, service);
  const target = { path: parts === read ? path : spell(parts), parts };
  return { target, service, wrong: decoded.includes(undefined) ? NO_PATH : wrongWith(sent, splits ? parts : read) };
}

/** An empty last part is a trailing slash. An encoded slash belongs to its part. */
function withoutLast(parts: readonly string[], service: Service | undefined): readonly string[] {
  return service?.ignoresLastSlash && parts.length > 1 && parts.at(-1) === '' ? parts.slice(0, -1) : parts;
}

/** Decodes a path part once. Undefined if it is not UTF-8. */
function decode(encoded: string): string | undefined {
  if (!encoded.includes('%')) return encoded;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/** Returns why other software could interpret the path differently (GHSA-xp3c-3jw3-4vcr, CVE-2026-3605). */
function wrongWith(sent: string, parts: readonly string[]): string | undefined {
  const text = parts.join('/');
  if (!sent.startsWith('/') || !/^[!-[\]-~]*$/.test(sent)) return NO_PATH;
  if (/\p{Cc}/u.test(text)) return 'the path holds control characters';
  if (/%[\da-f]{2}/i.test(text)) return 'the path is encoded twice';
  if (text.split(/[/\\]/).some((part) => part === '.' || part === '..')) return 'relative paths not supported';
  if (text !== '' && text.replace(/\/$/, '').split('/').includes('')) return 'a path cannot have an empty part';
  return undefined;
}

/** Encodes a path part. Characters that are allowed in a part (RFC 3986 §3.3) stay unencoded. */
function spell(parts: readonly string[]): string {
  return `/${parts.map(spellPart).join('/')}`;
}

/** Encodes a path part for a URL. */
export function spellPart(part: string): string {
  // A truncated path may end inside a character.
  return SIMPLE_PART.test(part) ? part : encodeURI(part.toWellFormed()).replace(/[/?#]/g, encodeURIComponent);
}

/** Validates the host. HTTP/2 is used only over TLS. */
const entity = (host: string): string => host.toLowerCase().replace(/:443$/, '');

/** Requires exactly one host (RFC 9112 §3.2, RFC 9113 §8.3.1). An absolute target takes precedence over the header. */
function hostOf(request: Addressed, inTarget: string | undefined): { name?: string | undefined; wrong?: string } {
  const { headers, rawHeaders, httpVersion } = request;
  const { host, ':authority': authority } = headers as Readonly<Record<string, string | undefined>>;
  if (httpVersion === '1.1' && host === undefined) return { wrong: 'the Host header is missing' };
  if (hostHeaders(rawHeaders) > 1) return { wrong: 'there is more than one Host header' };
  if (authority !== undefined && host !== undefined && entity(authority) !== entity(host))
    return { wrong: 'the Host header names another host than the request does' };
  const isHost = (name: string | undefined) => name === undefined || AUTHORITY.test(name);
  if (inTarget === '' || !isHost(inTarget) || !isHost(authority) || !isHost(host))
    return { wrong: 'the Host header is not the name of a host' };
  return { name: inTarget ?? authority ?? host };
}

/** Counts a header in any case. The raw list alternates names and values. */
function hostHeaders(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count;
}
