import type { Operation } from '../api/operation.ts';
import { openApiDocument, type Surface } from './document.ts';

/**
 * The description of the whole API, for generators of clients. The same for everybody: it names no mount.
 * @param path `internal/specs/openapi` below `sys`; empty for a backend that is nothing else (`openapi.json`)
 * @param surfaces asked for when the document is, since it describes itself too
 * @param version of this program
 */
export function openApiOperations(
  path: string,
  surfaces: () => readonly Surface[],
  version: string,
): readonly Operation[] {
  let document: Buffer | undefined;
  return [
    {
      path,
      verb: 'read',
      access: 'anyone',
      bare: true,
      summary: 'Describe this API',
      async handle() {
        document ??= Buffer.from(JSON.stringify(openApiDocument(surfaces(), version)));
        return { document };
      },
    },
  ];
}
