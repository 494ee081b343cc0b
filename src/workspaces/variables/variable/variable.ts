import type { Identifier } from '../../jsonapi/document.ts';

/** Input of the engine, or the environment that it runs in. */
export const CATEGORIES = ['terraform', 'env'] as const;
/** One of CATEGORIES. */
export type Category = (typeof CATEGORIES)[number];

/** What a variable belongs to: a workspace, or a set that several workspaces share. */
export interface VariableOwner extends Identifier {
  readonly type: 'workspaces' | 'varsets';
}

/** A variable as it is shown. */
export interface Variable {
  readonly id: string;
  readonly owner: VariableOwner;
  readonly key: string;
  readonly category: Category;
  /** Null when it is sensitive: such a value is written and never read. */
  readonly value: string | null;
  readonly description: string | null;
  /** Whether the value is an expression of the engine's language, and not plain text. */
  readonly hcl: boolean;
  readonly sensitive: boolean;
  /** Another one after each change. */
  readonly versionId: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** What can be said of a variable. */
export interface VariableContent {
  readonly key: string;
  readonly category: Category;
  /** Undefined keeps the one that is stored. */
  readonly value: string | undefined;
  readonly description: string | null;
  readonly hcl: boolean;
  readonly sensitive: boolean;
}
