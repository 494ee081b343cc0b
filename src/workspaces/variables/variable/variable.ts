import type { Identifier } from '../../jsonapi/document.ts';

/** Input variable of the engine, or environment variable of its process. */
export const CATEGORIES = ['terraform', 'env'] as const;
/** One of CATEGORIES: the category of a variable. */
export type Category = (typeof CATEGORIES)[number];

/** Owner of a variable: a workspace or a variable set. */
export interface VariableOwner extends Identifier {
  readonly type: 'workspaces' | 'varsets';
}

/** A variable for its document. */
export interface Variable {
  readonly id: string;
  readonly owner: VariableOwner;
  readonly key: string;
  readonly category: Category;
  /** Value; null if it is sensitive, because a sensitive value is write-only. */
  readonly value: string | null;
  readonly description: string | null;
  /** Whether the value is an expression of the engine's language instead of plain text. */
  readonly hcl: boolean;
  readonly sensitive: boolean;
  /** Whether speculative plans do not get the variable. */
  readonly applyOnly: boolean;
  /** Version, which changes with each update. */
  readonly versionId: string;
  /** Time of creation, in milliseconds since 1970. */
  readonly createdAt: number;
}

/** Attributes of a variable that can be set. */
export interface VariableContent {
  readonly key: string;
  readonly category: Category;
  /** Value; undefined keeps the stored value. */
  readonly value: string | undefined;
  readonly description: string | null;
  readonly hcl: boolean;
  readonly sensitive: boolean;
  /** Whether speculative plans do not get the variable. */
  readonly applyOnly: boolean;
}
