import type { Case } from '../support/cases.ts';

/** Skipped operations, by reason, in the form `POST /organizations/{}/agent-pools`. */
export type Skipped = Readonly<Record<string, readonly string[]>>;

/** The parts of an OpenAPI document that this module reads. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const METHODS: ReadonlySet<string> = new Set(['get', 'post', 'patch', 'put', 'delete']);

/** Returns the operations of a document, without the names of their parameters. */
function operationsOf({ paths }: Document): string[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => METHODS.has(method))
      .map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`),
  );
}

/**
 * Returns a case for each operation that the client has and the server implements. A case fails when its operation is
 * neither called nor skipped. A skipped operation fails when it is called, or does not exist.
 */
export function coverage(client: Document, server: Document, called: readonly string[], skipped: Skipped): Case[] {
  const served = new Set(operationsOf(server));
  const shared = operationsOf(client).filter((operation) => served.has(operation));
  const reasons = new Map(Object.entries(skipped).flatMap(([reason, names]) => names.map((name) => [name, reason])));
  const stale = [...reasons.keys()].filter((name) => called.includes(name) || !shared.includes(name));
  return [
    ...shared.map((name): Case => {
      if (called.includes(name)) return { name, outcome: 'passed', detail: '' };
      const reason = reasons.get(name);
      return reason === undefined
        ? { name, outcome: 'failed', detail: 'is served, and neither called nor in skipped.json' }
        : { name, outcome: 'skipped', detail: reason };
    }),
    ...stale.map((name): Case => ({ name, outcome: 'failed', detail: 'is in skipped.json for nothing' })),
  ];
}
