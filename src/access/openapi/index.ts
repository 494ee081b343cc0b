/** The document of the whole API, made of what operations declare. */
export { methodOf, type OperationGroup, openApiDocument } from './openapi-document.ts';
export { openApiOperations } from './openapi-operations.ts';
