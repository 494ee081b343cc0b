import type { GitBounds } from '../bounds.ts';
import type { GitErrorKind } from '../git-remote.ts';
import type { Capabilities } from '../protocol/capabilities.ts';

/** Operation of a `GitRemote`, with its arguments. */
export type Operation =
  | { readonly name: 'commit' | 'folders'; readonly args: readonly [id: string] }
  | { readonly name: 'history'; readonly args: readonly [id: string, count: number] }
  | { readonly name: 'mergeBase' | 'changedFiles'; readonly args: readonly [a: string, b: string] }
  | { readonly name: 'archive'; readonly args: readonly [id: string, submodules: boolean] };

/** Work of a thread. */
export interface Job {
  readonly operation: Operation;
  readonly url: string;
  readonly capabilities: Capabilities;
  readonly bounds: GitBounds;
}

/** A GitError as a message. */
export interface Failure {
  readonly kind: GitErrorKind;
  readonly message: string;
}

/**
 * Messages to a thread. It has one job at a time. The response of a request is sent chunk by chunk, as the thread asks
 * for it.
 */
export type ToThread =
  | { readonly start: Job }
  | { readonly response: number; readonly chunk: Uint8Array<ArrayBuffer> | undefined }
  | { readonly response: number; readonly failure: Failure }
  /** Asks for another chunk of an archive. */
  | { readonly next: true };

/** Messages of a thread. */
export type FromThread =
  /** Sends a request to the repository, or to the submodule with this URL. */
  | {
      readonly request: number;
      readonly submodule: string | undefined;
      readonly path: string;
      readonly body: Uint8Array | undefined;
    }
  /** Asks for the next chunk of a response. */
  | { readonly take: number }
  /** Gives up a response. */
  | { readonly leave: number }
  /** Adds items to the result, which is a list. Short lists do not block the receiver. */
  | { readonly items: readonly unknown[] }
  /** The archive can be read. */
  | { readonly opened: true }
  /** A chunk of an archive. */
  | { readonly chunk: Uint8Array }
  /** Ends the job. */
  | { readonly done: unknown }
  /** Ends the job. `unexpected`: text of an error that is a fault of this program. */
  | { readonly failed: Failure; readonly unexpected: string | undefined };
