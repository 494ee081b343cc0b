import type { FastifyRequest } from 'fastify';
import { AppError } from '../../lib/errors.ts';
import type { WithHeaders } from '../../lib/secret/bearer.ts';
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

/** A request that may go on: what it is about is known, and whoever sent it may do that. */
export interface Admitted {
  /** Bytes of the body that are read; undefined: as many as the listener says. */
  readonly bodyLimit: number | undefined;
  /** Long texts in the body come in pieces. */
  readonly longTexts: boolean;
  /** Its path ends in whatever the caller likes, a slash too. */
  readonly endsOpen: boolean;
  /** It needs no token: of such only a login is wrapped, or anybody could have us store things. */
  readonly open: boolean;
  /** `auth/:mount/certs/:name`, for logs and metrics. */
  readonly route: string;
  readonly mount: Located['mount'];
  readonly path: string;
  /** @throws AppError forbidden, when the parameters are not allowed */
  run(data: Readonly<Record<string, unknown>>, wrapTtl: number): Promise<Reply>;
}

export interface PipelineParts {
  readonly backends: Backends;
  readonly tokens: Pick<TokenService, 'authenticate'>;
  readonly policyResolver: Pick<PolicyResolver, 'resolve'>;
  /** Of this program. */
  readonly version: string;
}

type Arrived = Pick<FastifyRequest, 'id' | 'method' | 'peer' | 'event' | 'query' | 'target'> & WithHeaders;

const permissionDenied = (): AppError => new AppError('forbidden', '1 error occurred:\n\t* permission denied\n\n');

/**
 * The way of every request to the access API: which operation is meant, who asks, whether their policies allow it. There is no
 * other way to an operation, so none can forget to ask. Whoever may not do a thing does not learn whether it exists.
 */
export class Pipeline {
  readonly #parts: PipelineParts;

  constructor(parts: PipelineParts) {
    this.#parts = parts;
  }

  /**
   * Everything that can be said before the body was read.
   * @throws AppError
   */
  async admit(request: Arrived): Promise<Admitted> {
    const path = pathIn(request.target);
    return this.#admitAsKnown(request, path) ?? this.#admitNow(request, path);
  }

  /** To an operation that makes sure of its mount itself; undefined for every other. */
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
   * Any live token gets help, whatever its policies say; nobody needs one where none is needed to ask.
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

  /** What was wrong with the token is not told apart: missing, unknown, expired and out of place look alike. */
  async #authenticate(request: Arrived): Promise<Caller> {
    const text = tokenTextOf(request);
    const authenticated = text ? await this.#parts.tokens.authenticate(text, request.peer.address) : undefined;
    if (!text || !authenticated) throw new AppError('unauthenticated', 'permission denied');
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
    // Whoever holds the token cannot do anything about a refusal that says nothing.
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

/** There is no such mount at the path any more. */
class MountGone extends Error {}

function noRoute(path: string): AppError {
  const text = `no handler for route "${path.slice(0, 200)}". route entry not found.`;
  return new AppError('not-found', text, { logged: 'no handler for route' });
}

const unsupportedPath = (): AppError => new AppError('not-found', '1 error occurred:\n\t* unsupported path\n\n');

/** What lies in front of the mount's own paths is known: it was found. */
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
  if (value === undefined) throw new Error('an operation without a place');
  return value;
}
