import * as texts from './texts.ts';

/** Trusted Types, which TypeScript has no types for yet. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): URL };
}

/**
 * Trusted Types policy: only scripts of the build may become workers. The page's CSP allows this policy by its name.
 */
const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('lockkeeper-workers', {
  createScriptURL(url) {
    const { origin, pathname } = new URL(url, location.href);
    const isOurs = origin === location.origin && /^\/app\/(~assets|src)\//.test(pathname);
    if (!isOurs) throw new TypeError(texts.isNotAScript(url));
    return url;
  },
});

/** Message from a worker: a response or an error. */
export type QueryResult<A> = { readonly id: number } & ({ readonly answer: A } | { readonly fault: string });

/** A web worker with request and response. */
export interface Thread<Question, Answer> {
  /** @throws Error with the worker's message, and after `close` */
  ask(question: Question): Promise<Answer>;
  close(): void;
}

/** @param url script URL from the build: `import url from './x-worker.ts?worker&url'` */
export function openThread<Question, Answer>(url: string): Thread<Question, Answer> {
  const worker = new Worker(policy?.createScriptURL(url) ?? url, { type: 'module' });
  const waiting = new Map<number, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>();
  const fail = (text: string) => {
    for (const { reject } of waiting.values()) reject(new Error(text));
    waiting.clear();
  };
  worker.onmessage = ({ data }: MessageEvent<QueryResult<Answer>>) => {
    const one = waiting.get(data.id);
    waiting.delete(data.id);
    if ('answer' in data) one?.resolve(data.answer);
    else one?.reject(new Error(data.fault));
  };
  worker.onerror = () => fail(texts.theBrowserCouldNot);
  let last = 0;
  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        waiting.set(++last, { resolve, reject });
        worker.postMessage({ id: last, question });
      }),
    close() {
      worker.terminate();
      fail(texts.theWorkerWasClosed);
    },
  };
}

/** Worker side: handles requests one after the other. */
export function answerAsThread<Question, Answer>(answerTo: (question: Question) => Answer | Promise<Answer>): void {
  addEventListener('message', async ({ data: { id, question } }: MessageEvent<{ id: number; question: Question }>) => {
    try {
      postMessage({ id, answer: await answerTo(question) });
    } catch (error) {
      postMessage({ id, fault: error instanceof Error ? error.message : String(error) });
    }
  });
}
