import { AppError } from '../../lib/errors.ts';
import type { AnyIncoming, Target } from '../../lib/request.ts';
import type { Service } from '../../lib/service.ts';

/**
 * Longest path of a request, characters as it is sent, without the query. Beyond it: 400.
 * @limit a path, as it is sent, characters -> 400
 */
export const MAX_PATH_LENGTH = 2_048;

/** The parts of a request that say what it is addressed to. */
export type Addressed = Pick<AnyIncoming, 'url' | 'headers' | 'rawHeaders' | 'httpVersion' | 'httpVersionMajor'>;

/** What a request is addressed to, and what is wrong with that. */
export interface Reading {
  /** Of a target with a fault, as far as it can be read. */
  readonly target: Target;
  /** Undefined where none is mounted. */
  readonly service: Service | undefined;
  /** It could be read in two ways, or in none. */
  readonly fault: AppError | undefined;
}

/** What most paths are: nothing that could be spelled in another way. */
const SIMPLE = /^(?:\/[\w~:@!$&'()*+,;=-][\w.~:@!$&'()*+,;=-]*)+\/?$/;
const SIMPLE_PART = /^[\w.~:@!$&'()*+,;=-]*$/;
const ABSOLUTE = /^https?:\/\/([^/?#]*)/i;
/** RFC 3986 §3.2.2 and §3.2.3, without a user: `[::1]:8200`. Empty where a client has no name for us (RFC 9112 §3.2). */
const AUTHORITY = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d{0,5})?$/i;

const NO_PATH = 'the path is not a valid URL path';
const fault = (message: string): AppError => new AppError('bad-request', message);

/**
 * Reads what a request is addressed to, once: the router, the services, the log, the metrics and the audit record are told
 * this and nothing else, so none of them can read it in another way. An absolute target is its path and its host (RFC 9112
 * §3.2.2); a path is decoded once, part by part, and spelled anew, and what would have more than one meaning is a fault. From
 * here on `url` and the Host header of the request are in that one spelling.
 */
export function readTarget(request: Addressed, services: readonly Service[]): Reading {
  const { url: text = '' } = request;
  // In HTTP/2 the host has a place of its own, and a path is a path.
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

/** The service under whose prefix a path lies, the first of them; one without a prefix has `/` alone. */
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

/** An empty part at the end is a slash; an encoded one belongs to the part before. */
function withoutLast(parts: readonly string[], service: Service | undefined): readonly string[] {
  return service?.ignoresLastSlash && parts.length > 1 && parts.at(-1) === '' ? parts.slice(0, -1) : parts;
}

/** One part of a path, decoded once; undefined for what is no UTF-8. */
function decode(encoded: string): string | undefined {
  if (!encoded.includes('%')) return encoded;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/** What somebody else could read in another way than we do (GHSA-xp3c-3jw3-4vcr, CVE-2026-3605). */
function wrongWith(sent: string, parts: readonly string[]): string | undefined {
  const text = parts.join('/');
  if (!sent.startsWith('/') || !/^[!-[\]-~]*$/.test(sent)) return NO_PATH;
  if (/\p{Cc}/u.test(text)) return 'the path holds control characters';
  if (/%[\da-f]{2}/i.test(text)) return 'the path is encoded twice';
  if (text.split(/[/\\]/).some((part) => part === '.' || part === '..')) return 'relative paths not supported';
  if (text !== '' && text.replace(/\/$/, '').split('/').includes('')) return 'a path cannot have an empty part';
  return undefined;
}

/** Characters that need no encoding stay as they are (RFC 3986 §3.3); those that would end a part do not. */
function spell(parts: readonly string[]): string {
  return `/${parts.map(spellPart).join('/')}`;
}

/** A part of a path as it stands in a URL. */
export function spellPart(part: string): string {
  // A path that was cut may end in half a character.
  return SIMPLE_PART.test(part) ? part : encodeURI(part.toWellFormed()).replace(/[/?#]/g, encodeURIComponent);
}

/** Whom a host names; HTTP/2 is spoken over TLS alone here. */
const entity = (host: string): string => host.toLowerCase().replace(/:443$/, '');

/** One host, as RFC 9112 §3.2 and RFC 9113 §8.3.1 have it. That of an absolute target goes before the header. */
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

/** How often it was sent, however it is spelled: names and values in turn. */
function hostHeaders(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count;
}
