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
 * Operations that return the OpenAPI document. It is the same for all callers and names no actual mount.
 * @param path `internal/specs/openapi` below `sys`; empty for the mount `openapi.json`
 * @param id operation id in the document
 * @param groups returns all operations; called late, because the document also contains this operation
 * @param version version of the server
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
      summary: 'Return the OpenAPI document of this API',
      answers: answersBare(OpenApi),
      async handle() {
        document ??= Buffer.from(JSON.stringify(openApiDocument(groups(), version)));
        return { document };
      },
    },
  ];
}
