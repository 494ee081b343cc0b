import type { FastifyRequest } from 'fastify';
import { AppError } from '../../lib/errors.ts';
import type { WithHeaders } from '../../lib/secret/bearer.ts';
import { apiOfToken } from '../../lib/secret/token-api.ts';
import type { AclRequest } from '../acl/index.ts';
import type { PolicyResolver } from '../authorization/index.ts';
import type { Mount } from '../model/mount.ts';
import { handled } from '../operation/ignored-fields.ts';
import type { Call, Caller, OpenCall, OpenOperation, Operation, Reply } from '../operation/operation.ts';
import type { Match } from '../operation/operation-router.ts';
import { questionOf } from '../operation/question.ts';
import { dataOf, methodsOf, type RequestedVerb, verbOf, wantsHelp } from '../operation/verb.ts';
import type { TokenService } from '../tokens/index.ts';
import type { Backends, Located } from './backends.ts';
import { helpOf } from './help.ts';
import { tokenTextOf } from './presented-token.ts';
import { pathIn } from './target.ts';

/** An authorized request with a known operation. */
export interface Admitted {
  /** Maximum body size in bytes. Undefined: the listener's. */
  readonly bodyLimit: number | undefined;
  /** Whether long texts in the body are read as `LongText`. */
  readonly longTexts: boolean;
  /** Whether the path ends in arbitrary text, which may include a slash. */
  readonly endsOpen: boolean;
  /**
   * Whether the operation needs no token. Only logins among these are wrapped; otherwise anyone could store data on
   * the server.
   */
  readonly open: boolean;
  /** Route for logs and metrics, such as `auth/:mount/certs/:name`. */
  readonly route: string;
  readonly mount: Located['mount'];
  readonly path: string;
  /**
   * Runs the operation.
   * @throws AppError forbidden if the parameters are not allowed
   */
  run(data: Readonly<Record<string, unknown>>, wrapTtl: number): Promise<Reply>;
}

export interface PipelineParts {
  readonly backends: Backends;
  readonly tokens: Pick<TokenService, 'authenticate'>;
  readonly policyResolver: Pick<PolicyResolver, 'resolve'>;
  /** Version of the server. */
  readonly version: string;
}

type Arrived = Pick<FastifyRequest, 'id' | 'method' | 'peer' | 'event' | 'query' | 'target'> & WithHeaders;

/** Clients search the text for its first two words. The rest depends on the prefix alone, so it reveals nothing. */
function unknownToken(text: string | undefined): AppError {
  const isOfOther = text !== undefined && apiOfToken(text) === 'workspaces';
  return new AppError('unauthenticated', `permission denied${isOfOther ? OF_WORKSPACE_API : ''}`);
}
const OF_WORKSPACE_API = ': the token is one of the workspace API. Tokens of the access API begin with lks. or lkb.';
const permissionDenied = (): AppError => new AppError('forbidden', '1 error occurred:\n\t* permission denied\n\n');

/**
 * The only way to an operation: finds it, authenticates the token, and checks its policies, so that no operation can
 * skip a check. A caller without permission does not learn whether a path exists.
 */
export class Pipeline {
  readonly #parts: PipelineParts;

  constructor(parts: PipelineParts) {
    this.#parts = parts;
  }

  /**
   * Runs all checks that do not need the body.
   * @throws AppError
   */
  async admit(request: Arrived): Promise<Admitted> {
    const path = pathIn(request.target);
    return this.#admitAsKnown(request, path) ?? this.#admitNow(request, path);
  }

  /**
   * Admits a request to an operation with `confirmsMount`, without a query for the mount. Returns undefined for all
   * others.
   */
  #admitAsKnown(request: Arrived, path: string): Admitted | undefined {
    if (wantsHelp(request.query)) return undefined;
    const located = this.#parts.backends.recall(path);
    const match = located?.router.match(located.rest);
    const confirming = [...(match?.operations.values() ?? [])].find(confirmsMount);
    if (!located || !match || !confirming || confirming.verb !== verbOf(request.method, request.query))
      return undefined;
    request.event.showPath(shownParts(path, located));
    const latestMount = async (): Promise<Mount> => {
      const now = await this.#parts.backends.locate(path);
      if (now?.mount.id !== located.mount.id) throw new MountGone();
      return now.mount;
    };
    const { call, admitted } = callOf(request, path, located, match, confirming);
    return {
      ...admitted,
      run: (data, wrapTtl) =>
        handled(confirming, { ...call, data, wrapTtl, latestMount }).catch(async (error: unknown) => {
          if (!(error instanceof MountGone)) throw error;
          return (await this.#admitNow(request, path)).run(data, wrapTtl);
        }),
    };
  }

  async #admitNow(request: Arrived, path: string): Promise<Admitted> {
    const located = await this.#parts.backends.locate(path);
    if (located) request.event.showPath(shownParts(path, located));
    const match = located?.router.match(located.rest);
    if (wantsHelp(request.query)) return this.#help(request, path, located, match);
    const verb = verbOf(request.method, request.query);
    const operation = match?.operations.get(verb);
    if (operation?.access === 'anyone') {
      const { call, admitted } = callOf(request, path, known(located), known(match), operation);
      return { ...admitted, run: (data, wrapTtl) => handled(operation, { ...call, data, wrapTtl }) };
    }
    const caller = await this.#authenticate(request);
    if (!located || !match || !operation) throw this.#nothingThere(caller, path, verb, located, match);
    const { call, admitted } = callOf(request, path, located, match, operation);
    const { paths, capability, sudo } = await questionOf(operation, verb, path, match.params);
    const authorize = (further: Pick<AclRequest, 'data' | 'wrapTtl'>): void => {
      for (const one of paths) {
        if (!caller.acl.decide({ path: one, capability, sudo, ...further }).allowed) throw permissionDenied();
      }
    };
    authorize({});
    return {
      ...admitted,
      run: (data, wrapTtl) => {
        authorize({ data, wrapTtl });
        return handled(operation, { ...call, data, wrapTtl, caller } satisfies Call);
      },
    };
  }

  /**
   * Returns help for any live token, regardless of its policies, or without a token for open operations.
   * @throws AppError
   */
  async #help(request: Arrived, path: string, located?: Located, match?: Match): Promise<Admitted> {
    const isOpen = [...(match?.operations.values() ?? [])].some(({ access }) => access === 'anyone');
    if (!isOpen) await this.#authenticate(request);
    if (!located) throw noRoute(path);
    if (!match && located.rest !== '') throw unsupportedPath();
    const help = helpOf({ located, match, path }, this.#parts.version);
    const { mount } = located;
    return {
      ...{ bodyLimit: undefined, longTexts: false, endsOpen: true, open: isOpen, mount, path },
      route: routeOf(path, located, match?.pattern ?? ''),
      run: async () => ({ document: Buffer.from(JSON.stringify(help)) }),
    };
  }

  /** Authenticates the token. A missing, unknown or expired token, and one bound to other addresses, get the same error. */
  async #authenticate(request: Arrived): Promise<Caller> {
    const text = tokenTextOf(request);
    const authenticated = text ? await this.#parts.tokens.authenticate(text, request.peer.address) : undefined;
    if (!text || !authenticated) throw unknownToken(text);
    const { token } = authenticated;
    request.event.add({
      actor_kind: 'token',
      actor_accessor: token.accessor,
      actor_name: token.displayName,
      actor_policies: token.policies,
    });
    if (token.certificate) {
      request.event.add({ actor_subject: token.certificate.subject, actor_serial: token.certificate.serialNumber });
    }
    const { acl, policies, grants } = await this.#parts.policyResolver.resolve(authenticated);
    request.event.add({ actor_policies: policies });
    // The holder of the token cannot fix a refusal without its reason.
    if (acl.excess !== undefined) throw new AppError('forbidden', acl.excess);
    return { token, text, acl, identityPolicies: grants.policies };
  }

  #nothingThere({ acl }: Caller, path: string, verb: RequestedVerb, located?: Located, match?: Match): AppError {
    if (!acl.decide({ path, capability: verb }).allowed) return permissionDenied();
    if (!located) return noRoute(path);
    if (!match) return unsupportedPath();
    return new AppError('method-not-allowed', '1 error occurred:\n\t* unsupported operation\n\n', {
      allow: methodsOf([...match.operations.values()].map(({ verb: one }) => one)),
    });
  }
}

const confirmsMount = (operation: Operation): operation is OpenOperation =>
  operation.access === 'anyone' && operation.confirmsMount === true;

/** Thrown if the mount at the path has changed. */
class MountGone extends Error {}

function noRoute(path: string): AppError {
  const text = `no handler for route "${path.slice(0, 200)}". route entry not found.`;
  return new AppError('not-found', text, { logged: 'no handler for route' });
}

const unsupportedPath = (): AppError => new AppError('not-found', '1 error occurred:\n\t* unsupported path\n\n');

/**
 * Returns which segments logs may contain. The segments before the mount's own paths are known, because they were
 * found.
 */
function shownParts(path: string, { router, rest }: Located): readonly boolean[] {
  const prefix = path
    .slice(0, path.length - rest.length)
    .split('/')
    .filter(Boolean);
  return [true, ...prefix.map(() => true), ...router.shown(rest)];
}

function callOf(request: Arrived, path: string, located: Located, match: Match, operation: Operation) {
  const { mount } = located;
  const call: OpenCall = {
    requestId: request.id,
    mount,
    path,
    params: match.params,
    data: dataOf(request.query),
    peer: request.peer,
    event: request.event,
    presented: tokenTextOf(request),
    wrapTtl: 0,
  };
  if (operation.unaudited) request.event.unaudited();
  return {
    call,
    admitted: {
      bodyLimit: operation.bodyLimit,
      longTexts: operation.longTexts ?? false,
      endsOpen: /\*\w+$/.test(match.pattern),
      open: operation.access === 'anyone',
      route: routeOf(path, located, match.pattern),
      mount,
      path,
    },
  };
}

function routeOf(path: string, { surface, rest }: Pick<Located, 'surface' | 'rest'>, pattern: string): string {
  const prefix = path.slice(0, path.length - rest.length);
  return `${surface.includes('{') ? 'auth/:mount/' : prefix}${pattern}`;
}

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('an open operation without a mount');
  return value;
}
