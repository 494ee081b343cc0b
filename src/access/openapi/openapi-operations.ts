import { answersBare } from '../operation/answer.ts';
import type { Operation } from '../operation/operation.ts';
import { anyObject, component, listOf, text } from '../operation/schema.ts';
import { type OperationGroup, openApiDocument } from './openapi-document.ts';

const OpenApi = component(
  'OpenApiDocument',
  {
    openapi: text('3.0'),
    info: anyObject(),
    servers: listOf(anyObject()),
    security: listOf(anyObject()),
    tags: listOf(anyObject()),
    paths: anyObject(),
    components: anyObject(),
  },
  'This document.',
);

/**
 * The description of the whole API, for generators of clients. The same for everybody: it names no mount.
 * @param path `internal/specs/openapi` below `sys`; empty for a backend that is nothing else (`openapi.json`)
 * @param id in the document itself
 * @param groups asked for when the document is, since it describes itself too
 * @param version of this program
 */
export function openApiOperations(
  path: string,
  id: string,
  groups: () => readonly OperationGroup[],
  version: string,
): readonly Operation[] {
  let document: Buffer | undefined;
  return [
    {
      path,
      verb: 'read',
      access: 'anyone',
      id,
      summary: 'Describe this API',
      answers: answersBare(OpenApi),
      async handle() {
        document ??= Buffer.from(JSON.stringify(openApiDocument(groups(), version)));
        return { document };
      },
    },
  ];
}
