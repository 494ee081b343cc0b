import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from '../errors/exit-codes.ts';
import { failureOf } from '../errors/failure.ts';
import { download } from './signed-url.ts';

describe('a download at a signed URL', () => {
  let server: Server;
  beforeAll(async () => {
    server = createServer((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('the first bytes', () => response.destroy());
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
  });
  afterAll(() => {
    server.close();
  });

  it('that breaks while the body is read ends the command with a reason', async () => {
    const { port } = server.address() as AddressInfo;
    const read = async () => (await download(`http://127.0.0.1:${port}/file`, undefined)).bytes();
    const failure = await read().then(
      () => undefined,
      (error: unknown) => failureOf(error),
    );
    expect(failure).toEqual({ exitCode: EXIT.unavailable, text: expect.stringMatching(/\S/) });
  });
});
