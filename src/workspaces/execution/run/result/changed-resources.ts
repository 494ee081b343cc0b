import { JsonScanner, type JsonVisitor, type Wanted } from '../../../../lib/long-json/json-scanner.ts';
import { yieldIfDue } from '../../../../lib/slices.ts';
import type { ChangedResource, ChangedResources } from '../../../vcs/index.ts';

/** Bytes that are scanned before the event loop serves other requests. */
const PIECE_BYTES = 16_384;
/** @limit part of a plan that is read for a comment in a pull request, bytes -> the comment has the first resources only */
const MAX_READ = 16 * 1024 * 1024;
/** @limit address of a resource in a comment in a pull request, bytes -> the resource is left out */
const MAX_ADDRESS = 4096;

/** Reads the resources that a plan changes from its JSON, as a stream. Values are skipped, not kept. */
export async function readChangedResources(
  content: AsyncIterable<Uint8Array>,
  most: number,
): Promise<ChangedResources> {
  const visitor = new ResourceVisitor();
  const scanner = new JsonScanner(visitor, MAX_ADDRESS);
  let read = 0;
  for await (const bytes of content) {
    for (let start = 0; start < bytes.length && visitor.found.length <= most; start += PIECE_BYTES) {
      scanner.feed(bytes.subarray(start, start + PIECE_BYTES));
      await yieldIfDue();
    }
    read += bytes.length;
    if (visitor.found.length > most || read > MAX_READ) return { resources: visitor.found.slice(0, most), isCut: true };
  }
  return { resources: visitor.found, isCut: false };
}

const ENTERED: ReadonlySet<string> = new Set(['', 'resource_changes', 'resource_changes/', 'resource_changes//change']);
const CAPTURED: ReadonlySet<string> = new Set([
  ...['resource_changes//address', 'resource_changes//mode', 'resource_changes//change/actions'],
]);

/** An element of a list has an empty key. */
const pathOf = (keys: readonly string[]) => keys.join('/');

/** Members of one resource, as the text has them. */
interface Members {
  address?: unknown;
  mode?: unknown;
  actions?: unknown;
}

class ResourceVisitor implements JsonVisitor {
  readonly found: ChangedResource[] = [];
  #current: Members = {};

  want(keys: readonly string[]): Wanted {
    const path = pathOf(keys);
    if (keys.length <= 3 && ENTERED.has(path)) return 'enter';
    return CAPTURED.has(path) ? 'capture' : 'skip';
  }

  captured(keys: readonly string[], json: string | undefined): void {
    const name = keys.at(-1) as keyof Members | undefined;
    if (name !== undefined) this.#current[name] = json === undefined ? undefined : JSON.parse(json);
  }

  part(): void {}

  left(keys: readonly string[]): void {
    if (pathOf(keys) !== 'resource_changes/') return;
    const { address, mode, actions } = this.#current;
    this.#current = {};
    const action = Array.isArray(actions) ? actionOf(actions) : undefined;
    if (typeof address === 'string' && mode === 'managed' && action !== undefined) this.found.push({ address, action });
  }
}

function actionOf(actions: readonly unknown[]): ChangedResource['action'] | undefined {
  const [creates, deletes] = [actions.includes('create'), actions.includes('delete')];
  if (creates && deletes) return 'replace';
  if (creates) return 'add';
  if (deletes) return 'destroy';
  return actions.includes('update') ? 'change' : undefined;
}
