import type { Named, ValueChanges } from './state-file.ts';

/** Maximum size of a file that the console reads, bytes; larger files can only be read with `tofu` or `terraform`. */
export const LARGEST_FILE = 268_435_456;
/** Total size of two compared files, bytes: reading them takes several times that memory. */
export const LARGEST_COMPARED = 134_217_728;

/** Data that a state file contains about itself; undefined where it is missing. */
export interface Described {
  readonly md5: string;
  readonly format: number | undefined;
  readonly serial: number | undefined;
  readonly lineage: string | undefined;
}

/** Request to the worker thread. */
export type Question = { readonly file: File } | { readonly from: string; readonly to: string; readonly named: Named };

export interface Reading {
  readonly described?: Described;
  readonly compared?: ValueChanges;
}
