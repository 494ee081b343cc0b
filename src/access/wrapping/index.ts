/** Response wrapping: stores a response under a single-use token. */

export { sealedAnswers, Wrapping } from './wrapping.ts';
export { wrappingOperations } from './wrapping-operations.ts';
