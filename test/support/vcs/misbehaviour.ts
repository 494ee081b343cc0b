import type { IncomingMessage, ServerResponse } from 'node:http';

/** Never answers. */
export const silent: Misbehaviour = () => {};

/** Answers a request instead of the fake provider, or calls `next` to let it answer. */
export type Misbehaviour = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Answers with a web page, as proxies and sign-in pages do. */
export function page(status = 200): Misbehaviour {
  return (_request, response) =>
    void response.writeHead(status, { 'content-type': 'text/html' }).end('<!doctype html><title>Sign in</title>');
}

/** Answers with JSON. */
export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Misbehaviour {
  return (_request, response) =>
    void response.writeHead(status, { ...headers, 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Answers with a JSON text of this size. */
export function huge(bytes: number): Misbehaviour {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(`{"padding":"${'x'.repeat(bytes)}"}`);
  };
}

/** Redirects to another URL. */
export function redirect(location: string, status = 302): Misbehaviour {
  return (_request, response) => void response.writeHead(status, { location }).end();
}

/** Closes the connection without a response. */
export const broken: Misbehaviour = (request) => void request.socket.destroy();

/** Misbehaves for the first requests only. */
export function firstOnly(misbehaviour: Misbehaviour, count = 1): Misbehaviour {
  let left = count;
  return (request, response, next) => (left-- > 0 ? misbehaviour(request, response, next) : next());
}
