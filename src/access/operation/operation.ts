import type { Readable } from 'node:stream';
import type { Peer, RequestEvent } from '../../lib/request.ts';
import type { Acl, Verb } from '../acl/index.ts';
import type { Mount } from '../model/mount.ts';
import type { Token } from '../model/token.ts';
import type { Answer } from './answer.ts';
import type { AuthBlock } from './envelope.ts';
import type { FieldSet } from './fields.ts';

/** A live token, the text it was presented as, and what its policies let it do. */
export interface Caller {
  readonly token: Token;
  readonly text: string;
  readonly acl: Acl;
  /** What whoever it stands for adds to its policies. */
  readonly identityPolicies: readonly string[];
}

/** One request, as an operation sees it. */
export interface OpenCall {
  readonly requestId: string;
  /** The mount that the path lies under, as it is at this moment; beside `latestMount` as this node knows it. */
  readonly mount: Mount;
  /** Reads the mount anew. For operations that declare `confirmsMount`. */
  readonly latestMount?: () => Promise<Mount>;
  /** As in a policy: without `/v1/`, without a slash at either end. */
  readonly path: string;
  /** What the parts of the operation's path stand for. */
  readonly params: Readonly<Record<string, string>>;
  /** The JSON object of a write; the query of a read or a list. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly peer: Peer;
  readonly event: RequestEvent;
  /** What came as the caller's token, whether it is one or not. A secret. */
  readonly presented: string | undefined;
  /** Seconds for which the answer is to be wrapped; 0: it is wanted as it is. */
  readonly wrapTtl: number;
}

/** A request of somebody who was let in. */
export interface Call extends OpenCall {
  readonly caller: Caller;
}

/** What an operation answers. Without any content: 204. */
export interface Reply {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly auth?: AuthBlock;
  readonly warnings?: readonly string[];
  /** Default: 200 with content, 204 without. */
  readonly status?: number;
  /** The members of `data` stand beside the envelope's as well: old clients read them there. */
  readonly flat?: boolean;
  /** The whole body: no envelope around it, and never wrapped. */
  readonly bare?: Readonly<Record<string, unknown>>;
  /** The whole body as JSON that was made once, for what never changes. Never wrapped. */
  readonly document?: Buffer;
  /** Makes what is sent of the finished JSON, piece by piece. Never wrapped. */
  readonly stream?: (json: string) => Readable;
}

interface Declared {
  /** Below the mount: `certs/:name`. A part `*path` takes any number of parts. A slash at the end of a request is ignored. */
  readonly path: string;
  /** `update` answers POST and PUT; with `exists` it is `create` while there is nothing yet. */
  readonly verb: Exclude<Verb, 'create'>;
  /** The name of the operation in generated clients (`token-look-up-self`), as in the originals where they have it. */
  readonly id: string;
  /** One line, for the OpenAPI document. */
  readonly summary: string;
  /** What the variable parts of the path stand for. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** What comes back: `answersData(CertRole)`, `answersNothing()` (`answer.ts`). */
  readonly answers: Answer;
  /** Parameters of the path that let in whoever has them: the audit record hashes them. */
  readonly secrets?: readonly string[];
  /** What a request may name; for the OpenAPI document. The operation parses it. */
  readonly fields?: FieldSet;
  /** Bytes. Default: that of the listener. */
  readonly bodyLimit?: number;
  /** Texts of more than 64 KiB come as `LongText`, so that a large body holds nobody up. */
  readonly longTexts?: true;
  /** Tells nobody anything about anybody, and is answered when nothing can be recorded. */
  readonly unaudited?: true;
}

/** An operation for callers whose policies allow its verb on its path. */
export interface GuardedOperation extends Declared {
  readonly access?: 'token' | 'sudo';
  /** The one spelling of a part of the path that can be written in several; the caller must be allowed to use that too. */
  readonly canonical?: { readonly param: string; readonly of: (text: string) => string };
  /** Whether what the path names is there: tells `create` from `update`. */
  exists?(call: Pick<OpenCall, 'params'>): Promise<boolean>;
  handle(call: Call): Promise<Reply>;
}

/** An operation that needs no token. */
export interface OpenOperation extends Declared {
  readonly access: 'anyone';
  /**
   * It sees to it itself that nothing comes of a mount that is not as this node knows it: so its mount need not be read before.
   * What it refuses, it refuses by the latest mount.
   */
  readonly confirmsMount?: true;
  handle(call: OpenCall): Promise<Reply>;
}

/**
 * One operation of the access API, declared where its domain is and reached through the one pipeline that authenticates,
 * authorizes, audits and wraps (`pipeline/`).
 */
export type Operation = GuardedOperation | OpenOperation;

/** Nothing to say: 204. */
export const DONE: Reply = {};
