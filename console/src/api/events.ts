import type { Query, QueryClient } from '@tanstack/react-query';
import { MARK } from './request.ts';

const ADDRESS = '/api/v2/events';
/** Wait between two attempts, milliseconds. Doubles with each attempt. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 60_000;
/** Events within this time cause one invalidation (debounce), milliseconds. */
const GATHER_MS = 500;

/** Notice that a resource has changed. Pages that show it load it again. */
export interface Happening {
  readonly kind: 'run' | 'workspace' | 'lock';
  readonly id: string;
  readonly organization: string;
  /** Workspace id. */
  readonly workspace: string;
}

/** Parses one block of an event stream. A comment gives empty fields. */
export function readEvent(block: string): { event: string; data: string; id: string } {
  const fields = { event: '', data: '', id: '' };
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^(event|data|id): ?(.*)$/.exec(line) ?? [];
    if (name in fields) fields[name as keyof typeof fields] = value;
  }
  return fields;
}

/** Whether an event may have changed the cached response of a query. */
export function concerns({ id, organization, workspace }: Happening, { queryKey, state }: Query): boolean {
  const [api, operation, input] = queryKey as readonly [string, string?, { path?: Record<string, string> }?];
  if (api !== '/api/v2' || operation === undefined) return false;
  const named = Object.values(input?.path ?? {});
  if (named.includes(id) || named.includes(workspace)) return true;
  if (!named.includes(organization)) return false;
  const { data } = (state.data ?? {}) as { data?: { id?: string } | readonly unknown[] };
  // A list may have gained or lost an entry. A single resource is compared by its id.
  if (data === undefined || Array.isArray(data)) return /\/(workspaces|runs)(\/queue)?$/.test(operation);
  return 'id' in data && (data.id === id || data.id === workspace);
}

/**
 * Follows the server's event stream while the window is visible, and invalidates the queries that an event concerns.
 * Without the stream (a proxy buffers it, or the server has none) pages still poll.
 * @returns a function that stops following
 */
export function followEvents(queries: QueryClient): () => void {
  let ending = new AbortController();
  let pause = FIRST_PAUSE;
  let place = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let gathered: Happening[] = [];
  let gathering: ReturnType<typeof setTimeout> | undefined;

  const tell = () => {
    // A change that this page sends may rename the resource. The page loads everything again after it.
    gathering = queries.isMutating() > 0 ? setTimeout(tell, GATHER_MS) : undefined;
    if (gathering !== undefined) return;
    const happened = gathered;
    gathered = [];
    void queries.invalidateQueries({ predicate: (query) => happened.some((one) => concerns(one, query)) });
  };
  const heard = ({ event, data, id }: ReturnType<typeof readEvent>) => {
    if (id !== '') place = id;
    if (event === 'reload') void queries.invalidateQueries({ queryKey: ['/api/v2'] });
    else if (event !== '') {
      gathered.push({ kind: event, ...JSON.parse(data) } as Happening);
      gathering ??= setTimeout(tell, GATHER_MS);
    }
  };
  const go = async (signal: AbortSignal) => {
    const again = await read(signal, place, (block) => {
      pause = FIRST_PAUSE;
      heard(readEvent(block));
    });
    if (signal.aborted || !again) return;
    timer = setTimeout(() => void go(signal), pause);
    pause = Math.min(2 * pause, LONGEST_PAUSE);
  };
  const stop = () => {
    ending.abort();
    clearTimeout(timer);
  };
  const look = () => {
    stop();
    if (document.visibilityState === 'hidden') return;
    ending = new AbortController();
    void go(ending.signal);
  };
  document.addEventListener('visibilitychange', look);
  look();
  return () => {
    document.removeEventListener('visibilitychange', look);
    clearTimeout(gathering);
    stop();
  };
}

/**
 * Reads one stream to its end.
 * @returns whether to try again: false if the user has no permission or the server has no stream
 */
async function read(signal: AbortSignal, place: string, tell: (block: string) => void): Promise<boolean> {
  try {
    const headers = { ...MARK, accept: 'text/event-stream', ...(place !== '' && { 'last-event-id': place }) };
    const response = await fetch(ADDRESS, { headers, signal });
    if (!response.ok || !response.body) return response.status >= 429;
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return false;
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const blocks = (text + part.value).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) tell(block);
    }
    return true;
  } catch {
    // Connection lost, or aborted by this module.
    return !signal.aborted;
  }
}
