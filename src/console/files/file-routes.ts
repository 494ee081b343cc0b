import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../lib/errors.ts';
import type { BuiltFile, BuiltFiles } from './built-files.ts';
import { codingFor } from './coding.ts';

const INDEX = '/index.html';
const PREFIX = '/app';
/** For files whose names contain a hash of their content. */
const NAMED_BY_CONTENT = 'public, max-age=31536000, immutable';
/** Browsers revalidate these files each time, so that an upgrade takes effect with the next page. */
const ASKED_AGAIN = 'no-cache';

/**
 * Serves the files of the console from memory by their whole path, so no path can traverse a file system. Any other
 * path is a page of the console, which the client-side router finds.
 * @param files undefined if the console was not built
 */
export function fileRoutes(app: FastifyInstance, files: BuiltFiles | undefined): void {
  const index = files?.get(INDEX);
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.target.path.slice(PREFIX.length);
    const file = path === INDEX ? undefined : files?.get(path);
    if (file) return send(request, reply.header('cache-control', NAMED_BY_CONTENT), file);
    if (/^\/~(assets|session)(\/|$)/.test(path)) throw new AppError('not-found', 'There is no such file');
    if (!index) return reply.code(503).type('text/html; charset=utf-8').send(NOT_BUILT);
    return send(request, reply.header('cache-control', ASKED_AGAIN), index);
  };
  for (const path of ['', '/*']) app.get(path, { config: { audit: false } }, handler);
}

function send({ headers }: FastifyRequest, reply: FastifyReply, file: BuiltFile): FastifyReply {
  const coding = codingFor(file, headers['accept-encoding']);
  const { bytes, etag } = file.codings.get(coding) ?? { bytes: Buffer.alloc(0), etag: '""' };
  reply.header('vary', 'accept-encoding').header('etag', etag);
  if (headers['if-none-match']?.split(/ *, */).includes(etag)) return reply.code(304).send();
  if (coding !== 'identity') reply.header('content-encoding', coding);
  return reply.type(file.type).send(bytes);
}

/** Page that is served instead of the console if the sources have no build of it. */
const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>The console is not built · Lockkeeper</title>
<h1>The console is not built</h1>
<p>Both APIs work. To use the console, run <code>npm run build:console</code> in the source folder and restart the server.</p>
</html>
`;
