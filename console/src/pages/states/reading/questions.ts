import type { Named, ValueChanges } from './state-file.ts';

/** Files that are read here; a larger one is for command lines, bytes. */
export const LARGEST_FILE = 268_435_456;
/** Files whose values are compared here, both together, bytes: they take several times that of memory. */
export const LARGEST_COMPARED = 134_217_728;

/** What a file says of itself; undefined for what it does not say. */
export interface Described {
  readonly md5: string;
  readonly format: number | undefined;
  readonly serial: number | undefined;
  readonly lineage: string | undefined;
}

/** What the thread beside the page is asked. */
export type Question = { readonly file: File } | { readonly from: string; readonly to: string; readonly named: Named };

export interface Reading {
  readonly described?: Described;
  readonly compared?: ValueChanges;
}
