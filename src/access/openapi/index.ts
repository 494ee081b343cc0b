/** The OpenAPI document of the access API, generated from the declared operations. */
export { methodOf, type OperationGroup, openApiDocument } from './openapi-document.ts';
export { openApiOperations } from './openapi-operations.ts';
