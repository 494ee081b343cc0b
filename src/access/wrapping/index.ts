/** Answers in safe keeping, under a token that is good for taking them once. */

export { sealedAnswers, Wrapping } from './wrapping.ts';
export { wrappingOperations } from './wrapping-operations.ts';
