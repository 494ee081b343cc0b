import type { Resources } from './client.ts';

interface Identifier {
  readonly type: string;
  readonly id: string;
}

interface Document {
  readonly included?: readonly { readonly id: string; readonly type: string }[];
}

/** Finds the resource of a relationship in the `included` part of a response. */
export function related<T extends keyof Resources>(
  { included = [] }: Document,
  reference: Identifier | null | undefined,
  type: T,
): Resources[T] | undefined {
  if (reference?.type !== type) return undefined;
  return included.find((one) => one.type === type && one.id === reference.id) as Resources[T] | undefined;
}
