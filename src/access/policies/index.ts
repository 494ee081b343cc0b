/** Management of stored policies. */
export { POLICIES_VERSION } from './policies-version.ts';
export { policyOperations } from './policy-operations.ts';
export { PolicyService } from './policy-service.ts';
export { policyText } from './policy-text.ts';
