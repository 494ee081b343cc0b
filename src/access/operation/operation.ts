import type { Readable } from 'node:stream';
import type { Peer, RequestEvent } from '../../lib/request.ts';
import type { Acl, Verb } from '../acl/index.ts';
import type { Mount } from '../model/mount.ts';
import type { Token } from '../model/token.ts';
import type { Answer } from './answer.ts';
import type { AuthBlock } from './envelope.ts';
import type { FieldSet } from './fields.ts';

/** A live token with its text and its permissions. */
export interface Caller {
  readonly token: Token;
  readonly text: string;
  readonly acl: Acl;
  /** Policies that the token's entity adds. */
  readonly identityPolicies: readonly string[];
}

/** A request to an operation. */
export interface OpenCall {
  readonly requestId: string;
  /**
   * The mount of the path, current as of this request. If `latestMount` is present, the mount comes from this node's
   * cache.
   */
  readonly mount: Mount;
  /** Reads the current mount. Only for operations with `confirmsMount`. */
  readonly latestMount?: () => Promise<Mount>;
  /** The path as in a policy: without `/v1/` and without slashes at the ends. */
  readonly path: string;
  /** Values of the variable segments of the path. */
  readonly params: Readonly<Record<string, string>>;
  /** The JSON object of a write, or the query of a read or a list. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly peer: Peer;
  readonly event: RequestEvent;
  /** The presented token, which may be invalid. A secret. */
  readonly presented: string | undefined;
  /** Requested wrapping time in seconds. 0: no wrapping. */
  readonly wrapTtl: number;
}

/** A request with a valid token. */
export interface Call extends OpenCall {
  readonly caller: Caller;
}

/** The response of an operation. Without content: 204. */
export interface Reply {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly auth?: AuthBlock;
  readonly warnings?: readonly string[];
  /** Default: 200 with content, 204 without. */
  readonly status?: number;
  /** Copies the members of `data` beside those of the envelope, for older clients. */
  readonly flat?: boolean;
  /** The whole body without an envelope. Never wrapped. */
  readonly bare?: Readonly<Record<string, unknown>>;
  /** The whole body as prepared JSON, for constant responses. Never wrapped. */
  readonly document?: Buffer;
  /** Converts the JSON to a stream. Never wrapped. */
  readonly stream?: (json: string) => Readable;
}

interface Declared {
  /**
   * Path below the mount, such as `certs/:name`. A segment `*path` takes any number of segments. A trailing slash in
   * a request is ignored.
   */
  readonly path: string;
  /** `update` handles POST and PUT. With `exists` it becomes `create` if the object does not exist. */
  readonly verb: Exclude<Verb, 'create'>;
  /** Operation id in the OpenAPI document (`token-look-up-self`), as in Vault if Vault has the operation. */
  readonly id: string;
  /** One line for the OpenAPI document. */
  readonly summary: string;
  /** Descriptions of the variable segments. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Successful responses, such as `answersData(CertRole)` or `answersNothing()` (`answer.ts`). */
  readonly answers: Answer;
  /** Path parameters that are secrets. The audit log hashes them. */
  readonly secrets?: readonly string[];
  /** Fields of a request, for the OpenAPI document. The operation parses them. */
  readonly fields?: FieldSet;
  /** Maximum body size in bytes. Default: the listener's. */
  readonly bodyLimit?: number;
  /** Texts longer than 64 KiB arrive as `LongText`, so that a large body does not block other requests. */
  readonly longTexts?: true;
  /** The operation reveals nothing and works even if no audit device accepts entries. */
  readonly unaudited?: true;
}

/** An operation for callers whose policies allow its verb on its path. */
export interface GuardedOperation extends Declared {
  readonly access?: 'token' | 'sudo';
  /** Normalizes a path parameter with several spellings. The caller must also be allowed to use the normalized path. */
  readonly canonical?: { readonly param: string; readonly of: (text: string) => string };
  /** Returns whether the object at the path exists. Distinguishes `create` from `update`. */
  exists?(call: Pick<OpenCall, 'params'>): Promise<boolean>;
  handle(call: Call): Promise<Reply>;
}

/** An operation that needs no token. */
export interface OpenOperation extends Declared {
  readonly access: 'anyone';
  /**
   * The operation itself makes sure that an outdated mount has no effect, so the mount is not read before. Its
   * refusals must be based on the latest mount.
   */
  readonly confirmsMount?: true;
  handle(call: OpenCall): Promise<Reply>;
}

/**
 * An operation of the access API. Each domain declares its operations; the pipeline (`pipeline/`) authenticates,
 * authorizes, audits and wraps all of them.
 */
export type Operation = GuardedOperation | OpenOperation;

/** A response without content: 204. */
export const DONE: Reply = {};
