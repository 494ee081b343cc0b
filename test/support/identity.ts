import type { Answer } from './http.ts';
import type { TestServer } from './server.ts';

/** Returns requests of the identity tests, as root. */
export function identityOf(server: TestServer) {
  const write = (path: string, body: object): Promise<Answer> => server.root('POST', `/v1/identity/${path}`, body);
  const read = (path: string): Promise<Answer> => server.root('GET', `/v1/identity/${path}`);
  const remove = (path: string): Promise<Answer> => server.root('DELETE', `/v1/identity/${path}`);
  const list = (path: string): Promise<Answer> => server.root('LIST', `/v1/identity/${path}`);
  /** Returns the ID of the created object. */
  const create = async (path: string, body: object = {}): Promise<string> => {
    const answer = await write(path, body);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.body.data.id;
  };
  const accessor = async (mount: string): Promise<string> =>
    (await server.root('GET', '/v1/sys/auth')).body.data[`${mount}/`].accessor;
  return { write, read, remove, list, create, accessor };
}

/** Returns the status of a response, and the text of its error. */
export const told = ({ status, body }: Answer): [number, string | undefined] => [status, body?.errors?.[0]];
