import type { Beside, Description, IntakeKeys, IntakeResult } from './state-intake.ts';

/** What a thread is told of a state; all but the first and the last are answered. */
export type Request =
  | { readonly state: number; readonly open: IntakeKeys }
  | { readonly state: number; readonly chunk: Uint8Array; readonly isLast: boolean }
  | { readonly state: number; readonly describe: Beside }
  | { readonly state: number; readonly close: true };

/** What is stored in the place of a chunk. */
export interface Sealed {
  readonly sealed: readonly Uint8Array[];
  /** After the last chunk. */
  readonly taken: IntakeResult | undefined;
}

export type Answer = Sealed | Description;

/** In the order of the requests. */
export interface Response {
  readonly answer?: Answer;
  /** What went wrong. */
  readonly error?: string;
}
