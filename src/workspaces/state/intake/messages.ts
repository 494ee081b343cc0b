import type { Beside, Description, IntakeKeys, IntakeResult } from './state-intake.ts';

/** Messages to a thread. All except the first and the last of a state get a response. */
export type Request =
  | { readonly state: number; readonly open: IntakeKeys }
  | { readonly state: number; readonly chunk: Uint8Array; readonly isLast: boolean }
  | { readonly state: number; readonly describe: Beside }
  | { readonly state: number; readonly close: true };

/** Encrypted chunk, to be stored. */
export interface Sealed {
  readonly sealed: readonly Uint8Array[];
  /** Result after the last chunk. */
  readonly taken: IntakeResult | undefined;
}

export type Answer = Sealed | Description;

/** Responses of a thread, in the order of the requests. */
export interface Response {
  readonly answer?: Answer;
  /** Text of the error. */
  readonly error?: string;
}
